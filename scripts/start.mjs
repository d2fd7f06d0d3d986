// `npm start`: installs what is missing, builds, and does the main job: a recorded session goes through the hook path into a fresh
// home and is verified. When the service exists, this is where it will be started.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, rootDir, showSetupError } from './setup.mjs'

try {
  ensureInstalled()
  ensureBuilt()
} catch (error) {
  showSetupError(error)
  process.exit(1)
}

const program = join(rootDir, 'dist/cli/main.js')
const session = join(rootDir, 'test/fixtures/hermes-0.19/session.jsonl')
const home = join(mkdtempSync(join(tmpdir(), 'stele-')), 'home')

const hooks = readFileSync(session, 'utf8')
  .split('\n')
  .filter((line) => line.includes('"hook_event_name"'))

stele(['init'], { shown: true })
console.log(`\nFeeding ${hooks.length} recorded hooks of one Hermes session through \`stele hook\` …`)
for (const [at, line] of hooks.entries()) {
  const answer = stele(['hook'], { input: line })
  if (answer.stdout !== '{}\n' || answer.stderr !== '') fail(`hook ${at + 1} was not recorded: ${answer.stderr}`)
}
console.log('Each was on disk before it was answered. What the agent was told and did:\n')
stele(['log', '--limit', '12'], { shown: true })
console.log('')
const verified = stele(['verify'], { shown: true })
console.log(`\nThe home is ${home}. Look around:\n  npx stele log --home ${home}\n  npx stele show 2 --home ${home}`)
process.exit(verified.status ?? 1)

function stele(words, { input, shown = false } = {}) {
  const result = spawnSync(process.execPath, [program, ...words, '--home', home], { input, encoding: 'utf8' })
  if (shown) process.stdout.write(result.stdout)
  if (shown) process.stderr.write(result.stderr)
  if (shown && result.status !== 0) fail(`\`stele ${words[0]}\` ended with ${result.status}`)
  return result
}

function fail(why) {
  console.error(`npm start: ${why}`)
  process.exit(1)
}
