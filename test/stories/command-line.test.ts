// The command line as a stranger meets it: help, errors in one line, exit codes, pipes, completion.
// time limit: 300 s
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { newProgram } from '../../src/cli/program.js'
import { homeFiles } from '../../src/ledger/home-files.js'
import { openStore } from '../../src/ledger/store.js'
import { feedHome } from '../support/feed-home.js'
import { recordedHooks } from '../support/recorded-session.js'
import { json, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('command line')
const folder = temporaryFolder()
const home = join(folder, 'home')
const atHome = ['--home', home]
/** What the first three hooks become: a session, what was typed, and a write with what it reaches, its claim and two decisions. */
const typesAtHome = [
  ...['ledger.created', 'session.started', 'message.captured', 'tool.requested', 'access.proposed', 'write.proposed'],
  ...['gate.decided', 'claim.judged', 'gate.decided'],
]

test.before(async () => {
  await feedHome(home, recordedHooks.slice(0, 3))
})

test('every command has help with an example', () => {
  for (const command of newProgram().commands) {
    const words =
      command.name() === 'key' ? ['key', 'show'] : command.name() === 'ledger' ? ['ledger', 'verify'] : [command.name()]
    const { status, stdout } = stele([...words, '--help'])
    assert.is(status, 0, words.join(' '))
    assert.match(stdout, /Examples:\n {2}\$ /, words.join(' '))
  }
})

test('running init again changes nothing, and says what there is', () => {
  const before = json<{ vkey: string }>(stele(['init', '--json', ...atHome]))
  const again = json<{ created: boolean; vkey: string; size: number }>(stele(['init', '--json', ...atHome]))
  assert.equal([again.created, again.vkey, again.size], [false, before.vkey, typesAtHome.length])
})

test('a home and everything in it is the owner’s alone', () => {
  for (const name of ['', 'store']) assert.is(statSync(join(home, name)).mode & 0o777, 0o700, name)
  for (const name of ['key', 'digest-key', 'checkpoints.txt', 'high-water'])
    assert.is(statSync(join(home, name)).mode & 0o777, 0o600, name)
})

test('errors are one line that says what, where and what to do, with the exit code of their kind', () => {
  const cases: readonly (readonly [string[], number, RegExp])[] = [
    [['verify', '--home', join(folder, 'nowhere')], 2, /HOME_MISSING.*stele init/],
    [['verify', '--key', 'nonsense', ...atHome], 2, /VKEY_UNREADABLE/],
    [['verify', '--against', join(folder, 'nothing.txt'), ...atHome], 2, /FILE_UNREADABLE.*--against/],
    [['verify', '--export', join(folder, 'nothing.jsonl')], 2, /FILE_UNREADABLE/],
    [['show', '999', ...atHome], 2, /ENTRY_UNKNOWN.*999/],
    [['show', 'x', ...atHome], 2, /OPTION_INVALID.*<index>/],
    [['log', '--limit', '-1', ...atHome], 2, /OPTION_INVALID.*--limit/],
    [['log', '--since', 'soon', ...atHome], 2, /OPTION_INVALID.*--since/],
    [['log', '--type', 'message.captred', ...atHome], 2, /OPTION_INVALID.*--type/],
    [['log', '--session', 'never heard of', ...atHome], 2, /OPTION_INVALID.*--session/],
    [['prove', '999', ...atHome], 2, /ENTRY_UNKNOWN/],
    [['export', '--out', join(folder, 'no', 'such', 'folder.jsonl'), ...atHome], 6, /FILE_UNWRITABLE.*--out/],
    [['reanchor', '--reason', 'x', '--yes', ...atHome], 3, /REANCHOR_NOT_NEEDED/],
    [['completion', 'tcsh'], 2, /OPTION_INVALID.*bash, zsh or fish/],
    [['no-such-command'], 2, /unknown command/],
    [['verify', '--no-such-option'], 2, /unknown option/],
  ]
  for (const [words, status, line] of cases) {
    const ran = stele(words)
    assert.is(ran.status, status, `${words.join(' ')}: ${ran.stderr}`)
    assert.match(ran.stderr, line)
    assert.is(ran.stderr.trimEnd().split('\n').length, 1, ran.stderr)
    assert.is(ran.stdout, '')
  }
})

test('a settings file with a mistake is refused by name and line, and the hook still lets the agent go on', () => {
  const bent = join(folder, 'bent')
  cpSync(home, bent, { recursive: true })
  writeFileSync(join(bent, 'config.yaml'), 'checkpoint:\n  anchor: fax\n')
  const ran = stele(['checkpoint', '--home', bent])
  assert.is(ran.status, 2)
  assert.match(ran.stderr, /CONFIG_INVALID.*checkpoint\.anchor.*line: 2.*syslog or none/)
  const hook = stele(['hook', '--home', bent], { input: recordedHooks[4] ?? '' })
  assert.equal([hook.status, hook.stdout], [0, '{}\n'])
  assert.match(hook.stderr, /CONFIG_INVALID.*kept in the spool/)
})

test('payloads that cannot be read leave what mark they can', async () => {
  const copy = join(folder, 'rejecting')
  cpSync(home, copy, { recursive: true })
  await feedHome(copy, ['', '\ufeff', '{"a":1', '{"a":1,"a":1}', 'null', '{"hook_event_name":"no_such_hook","extra":{}}'])
  const codes = stele(['log', '--type', 'hook.rejected', '--json', '--home', copy]).stdout.trimEnd().split('\n')
  assert.equal(
    codes.map((line) => (JSON.parse(line) as { data: { code: string } }).data.code),
    ['hook_unknown', 'shape', 'name_twice', 'syntax', 'empty', 'empty'],
  )
})

test('reading commands work while another process holds the store, and writing ones say that it is busy', async () => {
  const store = await openStore(homeFiles(home).store)
  try {
    assert.is(stele(['verify', ...atHome]).status, 0)
    assert.is(stele(['log', ...atHome]).status, 0)
    const busy = stele(['checkpoint', ...atHome])
    assert.is(busy.status, 4)
    assert.match(busy.stderr, /STORE_LOCKED/)
  } finally {
    await store.close()
  }
})

test('stored text cannot steer a terminal: control and bidirectional characters are shown as escapes', async () => {
  const hostile = join(folder, 'hostile')
  cpSync(home, hostile, { recursive: true })
  const payload = JSON.parse(recordedHooks[1] ?? '') as { extra: Record<string, unknown> }
  payload.extra['user_message'] = 'a\u001b[2Jb\u202ec\u0007\nd'
  payload.extra['turn_id'] = 'another'
  await feedHome(hostile, [JSON.stringify(payload)])
  for (const words of [['log'], ['show', String(typesAtHome.length)]]) {
    const { stdout } = stele([...words, '--home', hostile])
    // biome-ignore format: one pattern
    assert.not.match(stdout, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    assert.ok(stdout.includes('u001b') && stdout.includes('u202e'), stdout)
  }
})

test('colour is for terminals only', () => {
  for (const env of [{}, { CI: 'true' }, { FORCE_COLOR: '1' }]) {
    const { stdout } = stele(['verify', ...atHome], { env: { NO_COLOR: undefined, ...env } })
    assert.not.ok(stdout.includes('\u001b['))
  }
})

test('the signed head goes to a file and is taken back as an outside witness', () => {
  const head = join(folder, 'head.txt')
  assert.is(stele(['checkpoint', '--out', head, ...atHome]).status, 0)
  const report = json<{ assurance: string; checkpoints: { anchored: number } }>(
    stele(['verify', '--json', '--against', head, ...atHome]),
  )
  assert.equal([report.assurance, report.checkpoints.anchored], ['anchored', 1])
})

test('checkpoints of other ledgers beside our own in one outside file are left alone; alone they show that this is another ledger', () => {
  const other = join(folder, 'other')
  stele(['init', '--home', other])
  const mixed = join(folder, 'mixed.txt')
  const foreign = readFileSync(join(other, 'checkpoints.txt'), 'utf8')
  writeFileSync(mixed, foreign + readFileSync(join(home, 'checkpoints.txt'), 'utf8'))
  assert.is(stele(['verify', '--against', mixed, ...atHome]).status, 0)
  const alone = join(folder, 'foreign.txt')
  writeFileSync(alone, foreign)
  const ran = stele(['verify', '--json', '--against', alone, ...atHome])
  assert.is(ran.status, 5)
  assert.equal(
    json<{ findings: { code: string }[] }>(ran).findings.map(({ code }) => code),
    ['key_unknown'],
  )
})

test('the system log is an anchor and a witness where there is one: each checkpoint is handed to `logger` and read back by `journalctl`', () => {
  const bin = join(folder, 'bin')
  const journal = join(folder, 'journal')
  mkdirSync(bin)
  writeFileSync(join(bin, 'logger'), `#!/bin/sh\n[ "$1 $2" = "-t stele" ] || exit 1\ncat >> '${journal}'\n`, { mode: 0o755 })
  writeFileSync(join(bin, 'journalctl'), `#!/bin/sh\necho somebody else\ncat '${journal}'\n`, { mode: 0o755 })
  const anchored = join(folder, 'anchored')
  mkdirSync(anchored, { mode: 0o700 })
  writeFileSync(
    join(anchored, 'config.yaml'),
    `checkpoint:\n  anchor: syslog\n  mirror: ${join(folder, 'mirror.txt')}\nhighWater:\n  mirror: mark-mirror\n`,
  )
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` }
  stele(['serve', '--detach', '--listen', 'off', '--home', anchored], { env })
  stele(['hook', '--home', anchored], { input: recordedHooks[1] ?? '', env })
  stele(['stop', '--home', anchored], { env })
  const verify = (...words: string[]) =>
    json<{ assurance: string }>(stele(['verify', '--json', ...words, '--home', anchored], { env })).assurance
  assert.is(verify('--against', 'journal'), 'anchored')
  assert.is(verify('--against', join(folder, 'mirror.txt')), 'anchored')
  assert.is(verify(), 'signed')
  assert.is(statSync(join(anchored, 'mark-mirror')).size, 64)
})

test('log -f goes on with what is added', async () => {
  const followed = join(folder, 'followed')
  cpSync(home, followed, { recursive: true })
  const child = spawn(process.execPath, ['dist/cli/main.js', 'log', '-f', '--home', followed], {
    cwd: new URL('../..', import.meta.url),
  })
  const lines = createInterface({ input: child.stdout })
  const seen: string[] = []
  const done = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      seen.push(line)
      if (seen.length === typesAtHome.length) void feedHome(followed, [recordedHooks[3] ?? ''])
      if (seen.length === typesAtHome.length + 1) resolve()
    })
  })
  await done
  child.kill()
  assert.equal(
    seen.map((line) => line.trim().split(/\s+/)[2]),
    [...typesAtHome, 'tool.completed'],
  )
})

test('verification from an entry on says what it left out, and does not see what lies below', async () => {
  const bent = join(folder, 'from')
  cpSync(home, bent, { recursive: true })
  const store = await openStore(homeFiles(bent).store)
  const key = Buffer.from('w\0\0\0\0\0\0\0\x02', 'latin1')
  const words = Buffer.from((await store.get(key)) ?? [])
  await store.write([{ key, value: Buffer.from(words.toString().replace('Friday', 'Monday')) }])
  await store.close()
  assert.is(stele(['verify', '--home', bent]).status, 5)
  const late = json<{ ok: boolean; notes: { code: string; index: number }[] }>(
    stele(['verify', '--json', '--from', '3', '--home', bent]),
  )
  assert.equal([late.ok, late.notes.map(({ code, index }) => `${code} ${index}`)], [true, ['started_late 3']])
})

test('case 98: six hooks at a time, eight times over, where none serves at first, become one chain', async () => {
  const crowded = join(folder, 'crowded')
  const payload = (round: number, at: number) => {
    const message = JSON.parse(recordedHooks[1] ?? '') as { extra: Record<string, unknown> }
    Object.assign(message.extra, { user_message: `round ${round} writer ${at}`, turn_id: `turn ${round} ${at}` })
    return JSON.stringify(message)
  }
  for (let round = 0; round < 8; round += 1) {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, at) => hookBeside(crowded, payload(round, at))))
    assert.equal(
      answers,
      Array.from({ length: 6 }, () => '{}\n'),
    )
  }
  const report = json<{ ok: boolean; size: number }>(stele(['verify', '--json', '--home', crowded]))
  stele(['stop', '--home', crowded])
  // Beside the ledger's own: the settings that the service began with, and the session's start.
  assert.equal([report.ok, report.size], [true, 3 + 48])
})

/** A hook in a process that runs beside others; resolves to what it said on either stream. */
function hookBeside(folderOfHome: string, input: string): Promise<string> {
  const child = spawn(process.execPath, ['dist/cli/main.js', 'hook', '--home', folderOfHome], {
    cwd: new URL('../..', import.meta.url),
  })
  let said = ''
  child.stdout.on('data', (data: Buffer) => {
    said += data.toString()
  })
  child.stderr.on('data', (data: Buffer) => {
    said += data.toString()
  })
  child.stdin.end(input)
  return new Promise((resolve) => child.on('close', () => resolve(said)))
}

test('a quick verification goes on from the last, and a full one is made where that cannot be', async () => {
  const quick = join(folder, 'quick')
  cpSync(home, quick, { recursive: true })
  const read = (...words: string[]) =>
    json<{ read: number; size: number; ok: boolean }>(stele(['verify', '--json', ...words, '--home', quick]))
  assert.is(read().read, typesAtHome.length)
  await feedHome(quick, [recordedHooks[3] ?? ''])
  assert.is(read('--quick').read, 1)
  assert.is(read('--quick').read, 0)
  await feedHome(quick, [recordedHooks[6] ?? ''])
  assert.is(read('--quick').read, 1)
  writeFileSync(join(quick, 'verified'), readFileSync(join(quick, 'verified'), 'utf8').replace('"mac":"', '"mac":"0'))
  assert.is(read('--quick').read, typesAtHome.length + 2)
})

test('a clean verification of a live home empties the quarantine; one of a copy leaves everything as it is', () => {
  const live = join(folder, 'live')
  cpSync(home, live, { recursive: true })
  stele(['checkpoint', '--home', live])
  const before = readFileSync(join(live, 'high-water'))
  assert.is(stele(['verify', '--offline', '--home', live]).status, 0)
  assert.ok(existsSync(join(live, 'quarantine')))
  assert.ok(spawnSync('ls', [join(live, 'quarantine')], { encoding: 'utf8' }).stdout !== '')
  assert.is(stele(['verify', '--home', live]).status, 0)
  assert.is(spawnSync('ls', [join(live, 'quarantine')], { encoding: 'utf8' }).stdout, '')
  assert.equal(readFileSync(join(live, 'high-water')), before)
})

test('an export of facts alone verifies, says that the words were held back, and holds none of them', () => {
  const file = join(folder, 'facts.jsonl')
  stele(['export', '--facts', '--out', file, ...atHome])
  assert.not.ok(readFileSync(file, 'utf8').includes('I decided'))
  const report = json<{ ok: boolean; notes: { code: string }[] }>(stele(['verify', '--json', '--export', file]))
  assert.is(report.ok, true)
  assert.ok(report.notes.some(({ code }) => code === 'words_withheld'))
})

test('a reader that closes the pipe does not take the verdict away', () => {
  const bent = join(folder, 'closed-pipe')
  cpSync(home, bent, { recursive: true })
  writeFileSync(join(bent, 'high-water'), 'STELE')
  const command = `'${process.execPath}' dist/cli/main.js verify --home '${bent}' | true; exit "\${PIPESTATUS[0]}"`
  const { status, error } = spawnSync('bash', ['-c', command], { encoding: 'utf8', cwd: new URL('../..', import.meta.url) })
  if (error === undefined) assert.is(status, 5)
  assert.equal(readdirSync(join(bent, 'snapshots')), [], 'no snapshot stays behind')
})

test('a member that stands twice in an export line is told: two readers would read two things', () => {
  const file = join(folder, 'twice.jsonl')
  stele(['export', '--out', file, ...atHome])
  const lines = readFileSync(file, 'utf8').split('\n')
  lines[2] = (lines[2] ?? '').replace('"words":{', '"words":{"text":"approved"},"words":{')
  writeFileSync(file, lines.join('\n'))
  const ran = stele(['verify', '--json', '--export', file])
  assert.is(ran.status, 5)
  assert.equal(
    json<{ findings: { code: string; index: number }[] }>(ran).findings.map(({ code, index }) => `${code} ${index}`),
    ['header_altered 2'],
  )
})

test('an init that was killed after it made a key file is finished by the next one', () => {
  for (const name of ['key', 'digest-key']) {
    const half = join(folder, `half-${name}`)
    mkdirSync(half, { mode: 0o700 })
    writeFileSync(join(half, name), '', { mode: 0o600 })
    assert.is(stele(['init', '--home', half]).status, 0, name)
    assert.is(stele(['verify', '--home', half]).status, 0, name)
  }
})

test('an export onto a full disk is an error of the disk', () => {
  if (!existsSync('/dev/full')) return
  const ran = stele(['export', '--out', '/dev/full', ...atHome])
  assert.is(ran.status, 6)
  assert.match(ran.stderr, /FILE_UNWRITABLE/)
})

test('completion scripts are read by the shells they are for', () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { status, stdout } = stele(['completion', shell])
    assert.is(status, 0)
    assert.ok(stdout.includes('verify-proof'))
    const script = join(folder, `completion.${shell}`)
    writeFileSync(script, stdout)
    const check = spawnSync(shell, ['-n', script], { encoding: 'utf8' })
    if (check.error === undefined) assert.is(check.status, 0, check.stderr)
  }
})

test('a reader that closes the pipe early is no error', () => {
  const command = `'${process.execPath}' dist/cli/main.js log --json --home '${home}' | head -c 10`
  const { stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8', cwd: new URL('../..', import.meta.url) })
  assert.is(stderr, '')
})

test.run()
