// The program's name and version, as `ledger.created` keeps them.
import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }

export const programVersion = manifest.version
export const programName = `stele ${programVersion}`
