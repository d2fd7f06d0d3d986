// Writes test/frozen/ledger-older-rules.jsonl: the recorded session as version 1 of the provenance gate's rules judged it, for `replay check`
// to tell from today's. Version 1 is made here from today's sources by three small changes to a copy of them: a quote counts also behind a
// negation, "approved" is no claim of the English rules, and the version says 1. Nothing is edited in what was recorded.
// Run once, after `npm run build`; a file that is there stays. What is expected of its proof comes from the verifier in Python.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootDir } from './setup.mjs'

const frozen = join(rootDir, 'test/frozen/ledger-older-rules.jsonl')
if (existsSync(frozen)) throw new Error(`${frozen} is frozen`)

const changes = [
  ['src/gates/provenance/evidence-rule.ts', 'export const evidenceRuleVersion = 2', 'export const evidenceRuleVersion = 1'],
  ['src/gates/provenance/quote-places.ts', 'if (!quote.holdsNegation && followsNegation(message, place))', 'if (false)'],
  [
    'src/gates/provenance/english.ts',
    "  { id: 'approved', tier: 1, kind: 'approving', at: 'approved', says: 'the user approved', after: 'approved' },\n",
    '',
  ],
]

const older = mkdtempSync(join(tmpdir(), 'stele-older-'))
for (const name of ['src', 'test/support', 'test/fixtures', 'scripts', 'package.json', 'tsconfig.json'])
  cpSync(join(rootDir, name), join(older, name), { recursive: true })
symlinkSync(join(rootDir, 'node_modules'), join(older, 'node_modules'))
for (const [name, before, after] of changes) {
  const file = join(older, name)
  const text = readFileSync(file, 'utf8')
  if (text.split(before).length !== 2) throw new Error(`${name} does not hold once: ${before}`)
  writeFileSync(file, text.replace(before, after))
}

const home = join(older, 'home')
const feed = `import { feedHome } from './test/support/feed-home.js'
import { recordedHooks } from './test/support/recorded-session.js'
await feedHome(${JSON.stringify(home)}, recordedHooks)
`
writeFileSync(join(older, 'feed.ts'), feed)
execFileSync(process.execPath, ['--import', 'tsx', 'feed.ts'], { cwd: older, stdio: 'inherit' })

const program = join(rootDir, 'dist/cli/main.js')
const stele = (...words) => execFileSync(process.execPath, [program, ...words, '--home', home], { encoding: 'utf8' })
stele('export', '--quiet', '--out', frozen)
const { vkey } = JSON.parse(stele('show', '0', '--json')).data

const python = spawnSync('python3', [join(rootDir, 'examples/verify_export.py'), frozen, '--key', vkey, '--json'], {
  encoding: 'utf8',
})
const { size, head, root, erased, epoch } = JSON.parse(python.stdout)
writeFileSync(frozen.replace('.jsonl', '.json'), `${JSON.stringify({ vkey, size, head, root, erased, epoch }, null, 2)}\n`)
