// `npm run demo`: a recorded Hermes session through a service of its own in a temporary home, a look at what it left, and a receipt that
// verifies without the ledger. Then three copies, each tampered with in another way, and what the verifier says of each.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
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
// The settings of whoever runs it are for their own ledger: nothing of the demo goes to their mirrors or to syslog.
const ownersVariables = /^(STELE_|PROVENANCE_GATE_|HERMES_HOME$)/
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ownersVariables.test(name))),
  STELE_CHECKPOINT_ANCHOR: 'none',
}
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
  console.log('\nThe key was pinned and one checkpoint kept outside: that is all it took. `stele verify --help` tells more.')
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
