// `stele hook` with a service, without one, and with one that does not answer: what is kept, and what the agent is told.
// time limit: 300 s
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, closeSync, cpSync, existsSync, openSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { toolCall, typed } from '../support/running-service.js'
import { hookAt, steleAt, steleBeside, withoutHermes } from '../support/service-commands.js'
import { endServices, homeForService, startServiceProcess, writeSettings } from '../support/service-process.js'
import { json, type Ran, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('service hook')
test.after(endServices)

const status = (home: string) => json<Record<string, unknown>>(steleAt(home, 'status', '--json'))

test('a hook that finds no service starts one, and the payload is on disk all the same', () => {
  const home = homeForService()
  try {
    const ran = hookAt(home, typed('who starts whom'))
    assert.equal([ran.status, ran.stdout, ran.stderr], [0, '{}\n', ''])
    assert.is(status(home)['serving'], true)
    assert.match(steleAt(home, 'log', '--type', 'message.captured', '--json').stdout, /who starts whom/)
    assert.equal(readdirSync(join(home, 'spool')), [])
  } finally {
    assert.is(steleAt(home, 'stop').status, 0)
  }
})

const block = (ran: Ran) => {
  assert.is(ran.status, 0, ran.stderr)
  const { action, message = '' } = JSON.parse(ran.stdout) as { action?: string; message?: string }
  return action === 'block' && message.length > 10 ? 'block' : ran.stdout.trim()
}

/** What the last service said, and settings that let no new one start. */
function homeWithoutService(modes: object | string | undefined): string {
  const home = homeForService()
  writeFileSync(join(home, 'config.yaml'), 'no: such key\n')
  const socket = join(home, 'service.sock')
  const text = typeof modes === 'string' ? modes : JSON.stringify({ socket, pid: null, modes, fieldBytes: 262_144 })
  if (modes !== undefined) writeFileSync(join(home, 'service.json'), text)
  return home
}

test('where no service can be, a hook is spooled, and the modes that were last in force say what the agent may do', () => {
  const memory = toolCall('memory', { action: 'add', content: 'x' })
  const skill = toolCall('skill_manage', { action: 'create', content: 'x' })
  const terminal = toolCall('terminal', { command: 'ls' })
  const message = typed('words')
  const cases: readonly (readonly [modes: object | string | undefined, payload: object | string, answer: string])[] = [
    [{ provenance: 'observe', capability: 'observe' }, terminal, '{}'],
    [{ provenance: 'off', capability: 'off' }, memory, '{}'],
    [{ provenance: 'observe', capability: 'enforce' }, terminal, 'block'],
    [{ provenance: 'observe', capability: 'enforce' }, memory, 'block'],
    [{ provenance: 'observe', capability: 'enforce' }, message, '{}'],
    [{ provenance: 'observe', capability: 'enforce' }, '{"hook_event_name":"pre_tool_call"', 'block'],
    [{ provenance: 'block', capability: 'observe' }, memory, 'block'],
    [{ provenance: 'block', capability: 'observe' }, skill, 'block'],
    [{ provenance: 'block', capability: 'observe' }, terminal, '{}'],
    [{ provenance: 'block', capability: 'observe' }, { ...terminal, tool_name: null }, 'block'],
    [{ provenance: 'block', capability: 'observe' }, '{}', 'block'],
    [{ provenance: 'block', capability: 'observe' }, 'null', 'block'],
    // A mode that nobody knows is at its strictest; so is a file that cannot be read. Where there never was one nothing enforces.
    [{ provenance: 'observe', capability: 'later' }, terminal, 'block'],
    [{}, terminal, 'block'],
    ['{"modes":', terminal, 'block'],
    ['', terminal, 'block'],
    ['', message, '{}'],
    [undefined, terminal, '{}'],
  ]
  for (const [modes, payload, answer] of cases) {
    const home = homeWithoutService(modes)
    const input = typeof payload === 'string' ? payload : JSON.stringify(payload)
    const ran = stele(['hook', '--home', home], { input, env: withoutHermes })
    const what = `${JSON.stringify(modes)} ${input.slice(0, 80)}`
    assert.is(block(ran), answer, what)
    assert.match(ran.stderr, /^stele hook: CONFIG_INVALID.*; the payload is kept in the spool\n$/, what)
    const [name = '', ...others] = readdirSync(join(home, 'spool'))
    assert.match(name, /^[0-9]{13}-00000000-[0-9]{8}\.json$/, what)
    assert.equal(others, [], what)
    const line = readFileSync(join(home, 'spool', name), 'utf8')
    assert.equal(JSON.parse(line), { attach: '', seq: 0, mac: '', body: input }, what)
    assert.ok(line.endsWith('\n') && line.split('\n').length === 2)
  }
})

test('what was spooled is on record, late and once, when a service can be again', async () => {
  const home = homeWithoutService({ provenance: 'observe', capability: 'enforce' })
  for (const word of ['one', 'two', 'three']) hookAt(home, typed(word, word))
  assert.is(block(hookAt(home, toolCall('terminal', { command: 'ls' }))), 'block')
  writeSettings(home, {})
  assert.is(steleAt(home, 'init').status, 0)
  assert.is(status(home)['spooled'], 4)
  try {
    assert.is(hookAt(home, typed('four', 'four')).stdout, '{}\n')
    const lines = steleAt(home, 'log', '--type', 'message.captured', '--json').stdout.trimEnd().split('\n')
    const entries = lines.map((line) => JSON.parse(line) as { index: number; words: { text: string }; data: { late?: boolean } })
    entries.sort((one, other) => one.index - other.index)
    assert.equal(
      entries.map(({ words, data }) => [words.text, data.late === true]),
      [
        ['one', true],
        ['two', true],
        ['three', true],
        ['four', false],
      ],
    )
    assert.equal([readdirSync(join(home, 'spool')), status(home)['spooled']], [[], 0])
  } finally {
    assert.is(steleAt(home, 'stop').status, 0)
  }
})

/** Somebody in this process on the socket of a home. */
async function withListener(
  home: string,
  modes: object,
  answer: number | 'never',
  task: () => Promise<void>,
  said: { body?: string; modesMeanwhile?: object } = {},
): Promise<void> {
  const socket = join(home, 'service.sock')
  const tell = (told: object) =>
    writeFileSync(join(home, 'service.json'), JSON.stringify({ socket, pid: process.pid, modes: told, fieldBytes: 262_144 }))
  const server = createServer((request, response) => {
    request.resume()
    if (said.modesMeanwhile !== undefined) tell(said.modesMeanwhile)
    const body = said.body ?? '{"error":{"code":"X"}}'
    if (typeof answer === 'number') request.on('end', () => response.writeHead(answer).end(body))
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  tell(modes)
  try {
    await task()
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const strict = { provenance: 'observe', capability: 'enforce' }

test('a service that hangs, or answers with an error, is no answer: spooled, and blocked where the mode enforces', async () => {
  for (const answer of ['never', 500, 503] as const) {
    const home = homeForService()
    await withListener(home, strict, answer, async () => {
      const call = await steleBeside(['hook', '--home', home], JSON.stringify(toolCall('terminal', {})))
      assert.is(block(call), 'block')
      const message = await steleBeside(['hook', '--home', home], JSON.stringify(typed('x')))
      assert.is(block(message), '{}')
      assert.is(readdirSync(join(home, 'spool')).length, 2)
    })
  }
})

test('where the modes changed while a hook waited for its answer, the stricter of both readings counts', async () => {
  const loose = { provenance: 'observe', capability: 'observe' }
  for (const [before, meanwhile, answer] of [
    [loose, strict, 'block'],
    [strict, loose, 'block'],
    [loose, loose, '{}'],
  ] as const) {
    const home = homeForService()
    const task = async () =>
      assert.is(block(await steleBeside(['hook', '--home', home], JSON.stringify(toolCall('terminal', {})))), answer)
    await withListener(home, before, 503, task, { modesMeanwhile: meanwhile })
  }
})

test('an answer that is no directive is none', async () => {
  for (const body of ['', 'ok', 'null', '[]', '{"action":']) {
    const home = homeForService()
    const task = async () =>
      assert.is(block(await steleBeside(['hook', '--home', home], JSON.stringify(toolCall('terminal', {})))), 'block', body)
    await withListener(home, strict, 200, task, { body })
  }
})

test('what a service has turned away as too much is not spooled, since it is counted already', async () => {
  const home = homeForService()
  await withListener(home, strict, 429, async () => {
    const call = await steleBeside(['hook', '--home', home], JSON.stringify(toolCall('terminal', {})))
    assert.is(block(call), 'block')
    assert.not.match(call.stderr, /spool/)
    assert.equal(existsSync(join(home, 'spool')) ? readdirSync(join(home, 'spool')) : [], [])
  })
})

test('a service that takes too long to start is not waited for: the hook has ended before its host loses patience', () => {
  const home = homeForService()
  // Another starter is at it, as it seems, for longer than anybody waits.
  const starting = join(home, 'starting')
  writeFileSync(starting, String(process.pid))
  const soon = Date.now() / 1000 + 9
  utimesSync(starting, soon, soon)
  const startedMs = performance.now()
  const ran = hookAt(home, typed('x'))
  const tookMs = performance.now() - startedMs
  assert.equal([ran.status, ran.stdout], [0, '{}\n'], ran.stderr)
  assert.is(readdirSync(join(home, 'spool')).length, 1)
  assert.ok(tookMs > 7500 && tookMs < 10_000, `milliseconds: ${tookMs}`)
})

test('a socket in a folder into which others can write is sent nothing', async () => {
  const home = homeForService()
  let asked = false
  const server = createServer((_, response) => {
    asked = true
    response.end('{}')
  })
  const socket = join(home, 'service.sock')
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  try {
    writeFileSync(join(home, 'service.json'), JSON.stringify({ socket, pid: process.pid, modes: strict, fieldBytes: 262_144 }))
    chmodSync(home, 0o777)
    assert.is(block(await steleBeside(['hook', '--home', home], JSON.stringify(toolCall('terminal', {})))), 'block')
    assert.is(asked, false)
    chmodSync(home, 0o700)
    assert.is(block(await steleBeside(['hook', '--home', home], JSON.stringify(typed('x')))), '{}')
    assert.is(asked, true)
  } finally {
    server.close()
  }
})

/** The program with other streams than usual; nothing of what was typed may be in what it says. */
function hookWith(home: string, stdio: readonly ('pipe' | number)[], env: NodeJS.ProcessEnv = {}, file = program): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, 'hook', '--home', home], {
    stdio: [...stdio],
    // Given with any other standard input it would take its place.
    ...(stdio[0] === 'pipe' ? { input: JSON.stringify(toolCall('terminal', { command: 'echo swordfish' })) } : {}),
    encoding: 'utf8',
    env: { ...process.env, ...withoutHermes, ...env },
  })
  for (const text of [stdout, stderr]) {
    assert.not.match(text ?? '', /swordfish/)
    assert.not.match(text ?? '', / at .*:[0-9]+/, 'a stack')
  }
  return { status, stdout: stdout ?? '', stderr: stderr ?? '' }
}

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const failsLater = `const on = process.on
  process.on = function (name, ...more) {
    if (name === 'uncaughtException') setImmediate(() => { throw new Error('swordfish') })
    return on.call(this, name, ...more)
  }`

test('a hook that fails itself ends with 0 and a directive all the same, and blocks unless the modes are known to observe', () => {
  const unreadable = openSync(join(temporaryFolder(), 'written'), 'w')
  const cases: readonly (readonly [modes: object | string | undefined, answer: string])[] = [
    [{ provenance: 'observe', capability: 'observe' }, '{}'],
    [{ provenance: 'off', capability: 'off' }, '{}'],
    [undefined, '{}'],
    [strict, 'block'],
    [{ provenance: 'block', capability: 'off' }, 'block'],
    ['{"modes":', 'block'],
  ]
  for (const [modes, answer] of cases) {
    const home = homeWithoutService(modes)
    // What cannot be read from, and a mistake of our own while it waits.
    const unread = hookWith(home, [unreadable, 'pipe', 'pipe'])
    assert.is(block(unread), answer, JSON.stringify(modes))
    assert.is(unread.stderr, 'stele hook: EBADF: it failed, and the payload may be lost\n')
    const mistaken = hookWith(home, ['pipe', 'pipe', 'pipe'], {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURI(failsLater)}`,
    })
    assert.is(block(mistaken), answer, JSON.stringify(modes))
    assert.is(mistaken.stderr, 'stele hook: INTERNAL: it failed, and the payload may be lost\n')
  }
  closeSync(unreadable)
})

test('a hook whose own program is damaged blocks, since nobody knows the modes', () => {
  const folder = temporaryFolder()
  for (const part of ['dist/cli/main.js', 'dist/foundation', 'package.json'])
    cpSync(join(fileURLToPath(new URL('../..', import.meta.url)), part), join(folder, part), { recursive: true })
  const home = homeWithoutService({ provenance: 'observe', capability: 'observe' })
  assert.is(block(hookWith(home, ['pipe', 'pipe', 'pipe'], {}, join(folder, 'dist/cli/main.js'))), 'block')
})

test('a block that cannot be printed is told by the exit code 2, and with nothing to tell it is no error', () => {
  if (!existsSync('/dev/full')) {
    process.stdout.write('\nnote: there is no /dev/full here, so standard output was not broken\n')
    return
  }
  const full = openSync('/dev/full', 'w')
  const enforcing = homeWithoutService(strict)
  const blocked = hookWith(enforcing, ['pipe', full, 'pipe'])
  assert.is(blocked.status, 2)
  assert.match(
    blocked.stderr,
    /kept in the spool\nstele hook: ENOSPC: the answer could not be printed, so the call is blocked\n$/,
  )
  const unreadable = openSync(join(temporaryFolder(), 'written'), 'w')
  assert.is(hookWith(enforcing, [unreadable, full, 'pipe']).status, 2)
  const observing = homeWithoutService({ provenance: 'observe', capability: 'observe' })
  assert.is(hookWith(observing, ['pipe', full, 'pipe']).status, 0)
  assert.is(hookWith(observing, [unreadable, full, 'pipe']).status, 0)
  // Where standard error is broken the directive goes out.
  assert.is(block(hookWith(enforcing, ['pipe', 'pipe', full])), 'block')
  for (const file of [full, unreadable]) closeSync(file)
})

test('a host that has gone before the block was printed is told by the exit code as well', async () => {
  const home = homeWithoutService(strict)
  const child = spawn(process.execPath, [program, 'hook', '--home', home], { env: { ...process.env, ...withoutHermes } })
  child.stdout.destroy()
  child.stderr.resume()
  child.stdin.end(JSON.stringify(toolCall('terminal', {})))
  assert.is(await new Promise((resolve) => child.on('close', resolve)), 2)
})

test('a payload that the disk has no room for is told as lost, and no half of it is left', async () => {
  const home = homeWithoutService({ provenance: 'observe', capability: 'enforce' })
  if (spawnSync('prlimit', ['--version'], { stdio: 'ignore' }).status !== 0) {
    process.stdout.write('\nnote: the size of files could not be limited here, so no disk was full\n')
    return
  }
  const call = JSON.stringify(toolCall('terminal', { command: 'x'.repeat(20_000) }))
  const ran = await steleBeside(['hook', '--home', home], call, ['prlimit', '--fsize=8192'])
  assert.is(block(ran), 'block')
  assert.match(ran.stderr, /the payload is lost/)
  assert.equal(readdirSync(join(home, 'spool')), [])
})

test('a payload of more than 16 MiB leaves its size, however much of it is sent', async () => {
  const home = homeForService()
  const service = await startServiceProcess(home)
  const body = JSON.stringify(typed('y'.repeat(17 * 1024 * 1024)))
  const ran = await steleBeside(['hook', '--home', home], body)
  assert.is(block(ran), '{}')
  const { data } = JSON.parse(steleAt(home, 'log', '--type', 'hook.rejected', '--json').stdout) as {
    data: Record<string, unknown>
  }
  assert.equal([data['code'], data['bytes']], ['too_large', Buffer.byteLength(body)])
  // A conversation is no reason: it is taken out before sending.
  const heavy = {
    ...typed('light', 'light'),
    extra: { turn_id: 'light', user_message: 'light', platform: 'cli', sender_id: '', conversation_history: [body] },
  }
  assert.is(block(await steleBeside(['hook', '--home', home], JSON.stringify(heavy))), '{}')
  assert.match(steleAt(home, 'log', '--type', 'message.captured', '--json').stdout, /"text":"light"/)
  await service.end()
})

test.run()
