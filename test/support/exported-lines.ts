// The entries of a home as `stele export` writes them, for tests that look at what was kept.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stele } from './stele-command.js'
import { temporaryFolder } from './temporary-folder.js'

export interface ExportedLine {
  readonly index: number
  readonly time: string
  readonly type: string
  readonly session: string
  readonly hash: string
  readonly prev: string
  readonly data: Readonly<Record<string, unknown>>
  readonly words?: Readonly<Record<string, unknown>>
}

/** Every entry, oldest first; works beside a running service. */
export function exportedLines(home: string): ExportedLine[] {
  const file = join(temporaryFolder(), 'ledger.jsonl')
  const { status, stderr } = stele(['export', '--out', file, '--home', home])
  if (status !== 0) throw new Error(`export ended with ${status}: ${stderr}`)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line) as ExportedLine)
}

/** Entries of one type as `stele log --json` finds them, oldest first. */
export function loggedLines(home: string, type: string): ExportedLine[] {
  const { status, stdout, stderr } = stele(['log', '--json', '--type', type, '--limit', '1000', '--home', home])
  if (status !== 0) throw new Error(`log ended with ${status}: ${stderr}`)
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as ExportedLine).reverse()
}
