// Writes test/frozen/ledger-<version>.jsonl: a recorded session as this version of Stele keeps it, for every later version to verify.
// What is expected of it comes from the verifier in Python. Run once a release, after `npm run build`; a file that is there stays.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootDir } from './setup.mjs'

const { version } = JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8'))
const frozen = join(rootDir, 'test/frozen', `ledger-${version}.jsonl`)
if (existsSync(frozen)) throw new Error(`${frozen} is frozen`)

const program = join(rootDir, 'dist/cli/main.js')
const home = join(mkdtempSync(join(tmpdir(), 'stele-')), 'home')
const stele = (words, input) => execFileSync(process.execPath, [program, ...words, '--home', home], { input, encoding: 'utf8' })

const { vkey } = JSON.parse(stele(['init', '--json']))
const session = readFileSync(join(rootDir, 'test/fixtures/hermes-0.19/session.jsonl'), 'utf8').split('\n')
for (const line of session.filter((text) => text.includes('"hook_event_name"'))) stele(['hook'], line)
// With the entries that a service adds: the settings that it began with, and the gates' decisions.
stele(['stop', '--quiet'])
stele(['export', '--quiet', '--out', frozen])

const python = spawnSync('python3', [join(rootDir, 'examples/verify_export.py'), frozen, '--key', vkey, '--json'], {
  encoding: 'utf8',
})
const { size, head, root, erased, epoch } = JSON.parse(python.stdout)
writeFileSync(frozen.replace('.jsonl', '.json'), `${JSON.stringify({ vkey, size, head, root, erased, epoch }, null, 2)}\n`)
