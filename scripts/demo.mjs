// `npm run demo`: a recorded Hermes session through a service of its own in a temporary home, a look at what it left, and a receipt that
// verifies without the ledger. Then three copies, each tampered with in another way, and what the verifier says of each.
// `npm run demo -- --keep FOLDER` keeps the home, with five questions to ask of it.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ensureBuilt, ensureInstalled, rootDir, showSetupError } from './setup.mjs'

try {
  ensureInstalled()
  ensureBuilt()
} catch (error) {
  showSetupError(error)
  process.exit(1)
}

const program = join(rootDir, 'dist/cli/main.js')
// The settings of whoever runs it are for their own ledger: nothing of the demo goes to their mirrors or to syslog.
const ownersVariables = /^(STELE_|PROVENANCE_GATE_|HERMES_HOME$)/
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ownersVariables.test(name))),
  STELE_CHECKPOINT_ANCHOR: 'none',
}
/** What the demo's owner grants: the memory, reading what lies in a folder and mending one file of it. The rest is observed, and told as outside. */
const allowlist = `version: 1
skills:
  "*":
    tools: [memory, read_file, search_files, patch]
    paths:
      - { path: "/srv/agent/project/docs/**", access: read }
      - { path: "/srv/agent/project/docs/notes.md", access: write }
`
/** The same without writing. */
const stricter = allowlist.replace(', patch', '').replace(/^ *- .*access: write.*\n/m, '')

const keep = keptFolder()
const folder = mkdtempSync(join(tmpdir(), 'stele-demo-'))
const home = join(folder, 'home')
const earlier = join(folder, 'earlier')

try {
  await demo()
} catch (error) {
  console.error(`npm run demo: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
} finally {
  stele(['stop', '--quiet', '--home', home])
  rmSync(folder, { recursive: true, force: true })
}

async function demo() {
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, 'allowlist.yaml'), allowlist, { mode: 0o600 })
  title('A service, and one recorded session of a real Hermes agent')
  const { vkey } = JSON.parse(stele(['init', '--json', '--home', home]).stdout)
  must(stele(['serve', '--detach', '--listen', 'off', '--home', home]))
  const hooks = readFileSync(join(rootDir, 'test/fixtures/hermes-0.19/session.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"hook_event_name"'))
  const half = Math.floor(hooks.length / 2)
  for (const line of hooks.slice(0, half)) await send(line)
  must(stele(['stop', '--quiet', '--home', home]))
  cpSync(home, earlier, { recursive: true })
  must(stele(['serve', '--detach', '--quiet', '--listen', 'off', '--home', home]))
  for (const line of hooks.slice(half)) await send(line)
  console.log(`${hooks.length} hooks, each on disk before it was answered. The newest entries:\n`)
  show(stele(['log', '--limit', '14', '--home', home]))

  title('A receipt for one entry, checked without the ledger')
  const receipt = join(folder, 'receipt.txt')
  const captured = JSON.parse(stele(['log', '--json', '--limit', '1', '--type', 'message.captured', '--home', home]).stdout)
  show(stele(['prove', String(captured.index), '--out', receipt, '--home', home]))
  show(stele(['verify-proof', receipt, '--key', vkey]))
  const outside = join(folder, 'outside.txt')
  must(stele(['checkpoint', '--out', outside, '--home', home]))

  title('The ledger itself')
  must(stele(['stop', '--quiet', '--home', home]))
  show(stele(['verify', '--key', vkey, '--against', outside, '--home', home]))

  title('Three copies that somebody has tampered with')
  const word = join(folder, 'word')
  cpSync(home, word, { recursive: true })
  await changeWord(word, captured.index)
  caught(`1. One word of what the user typed (entry ${captured.index}) is another:`, word)

  const cut = join(folder, 'cut')
  cpSync(home, cut, { recursive: true })
  await cutLastEntry(cut)
  caught('2. The last entry is cut off, and the head says that it never was:', cut)

  caught('3. Everything is as it was at an earlier time, its witnesses too:', earlier, '--against', outside)
  if (keep !== undefined) keepHome(captured.session)
  console.log('\nThe key was pinned and one checkpoint kept outside: that is all it took. `stele verify --help` tells more.')
}

/** The folder that is to be made; undefined where nothing is kept. */
function keptFolder() {
  const [option, place, ...more] = process.argv.slice(2)
  if (option === undefined) return undefined
  if (option === '--keep' && place !== undefined && more.length === 0 && !existsSync(place)) return resolve(place)
  console.error('npm run demo: takes nothing, or --keep and a folder that does not exist yet')
  process.exit(2)
}

function keepHome(session) {
  title('Five questions to ask of it')
  mkdirSync(keep, { mode: 0o700 })
  cpSync(home, join(keep, 'home'), { recursive: true })
  writeFileSync(join(keep, 'stricter.yaml'), stricter)
  writeFileSync(join(keep, 'enforcing.yaml'), 'capability: { mode: enforce }\n')
  const asked = [
    ['Who approved each write, and with which words?', `replay session ${session}`],
    ['What did the agent try outside its grants in the last week?', 'report grants --since 7d'],
    [
      'Which calls would a stricter allowlist have stopped, and which of those mattered?',
      `replay judge --policy ${join(keep, 'stricter.yaml')} --config ${join(keep, 'enforcing.yaml')}`,
    ],
    ['Was the gate awake the whole time?', 'report coverage'],
    ["Does today's version still say what was said then?", 'replay check'],
  ]
  for (const [question, words] of asked) console.log(`  ${question}\n    stele ${words} --home ${join(keep, 'home')}\n`)
}

/** As the host does it: a POST over the service's socket. */
function send(line) {
  const { socket } = JSON.parse(readFileSync(join(home, 'service.json'), 'utf8'))
  return new Promise((resolve, reject) => {
    const asked = request(
      { socketPath: socket, path: '/v1/hooks', agent: false, method: 'POST', headers: { 'content-type': 'application/json' } },
      (answer) => {
        answer.resume()
        answer.on('end', () =>
          answer.statusCode === 200 ? resolve() : reject(new Error(`a hook was answered ${answer.statusCode}`)),
        )
      },
    )
    asked.on('error', reject)
    asked.end(line)
  })
}

/** Behind the back of everything: in the store itself. */
async function changeWord(copy, index) {
  await inStore(copy, async (rows) => {
    const key = rowKey('w', index)
    const text = (await rows.get(key)).toString()
    const changed = text.replace(/[a-z](?=[^a-z]*"[},])/, (letter) => (letter === 'x' ? 'y' : 'x'))
    if (changed === text) throw new Error('no word was found to change')
    await rows.put(key, Buffer.from(changed))
  })
}

async function cutLastEntry(copy) {
  await inStore(copy, async (rows) => {
    const size = Number((await rows.get(Buffer.from('msize'))).toString())
    const { prev, session } = JSON.parse((await rows.get(rowKey('h', size - 1))).toString())
    const inSession = Buffer.concat([Buffer.from('s'), Buffer.from(session.slice(1), 'hex'), rowKey('', size - 1).subarray(1)])
    await rows
      .batch()
      .del(rowKey('h', size - 1))
      .del(rowKey('p', size - 1))
      .del(rowKey('w', size - 1))
      .del(inSession)
      .put(Buffer.from('msize'), Buffer.from(String(size - 1)))
      .put(Buffer.from('mhead'), Buffer.from(prev))
      .write()
  })
}

async function inStore(copy, change) {
  const { Level } = await import('level')
  const rows = new Level(join(copy, 'store'), { keyEncoding: 'buffer', valueEncoding: 'buffer' })
  await rows.open()
  await change(rows)
  await rows.close()
}

function rowKey(tag, index) {
  const key = Buffer.alloc(9)
  key.write(tag)
  key.writeBigUInt64BE(BigInt(index), 1)
  return key
}

function caught(what, copy, ...words) {
  console.log(`\n${what}`)
  const ran = stele(['verify', '--home', copy, ...words])
  show({ ...ran, status: 0 })
  if (ran.status !== 5) throw new Error(`verify ended with ${ran.status} and should have found it`)
}

function stele(words) {
  return spawnSync(process.execPath, [program, ...words], { encoding: 'utf8', env: environment })
}

function must(ran) {
  if (ran.status !== 0) throw new Error(ran.stderr.trim() || `a command ended with ${ran.status}`)
}

function show(ran) {
  must(ran)
  console.log(`${ran.stdout}${ran.stderr}`.trimEnd().replaceAll(/^/gm, '  '))
}

function title(text) {
  console.log(`\n── ${text}\n`)
}
