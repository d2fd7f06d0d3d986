// Holds attaching and hooks over HTTP to docs/service.md: what is signed, what is recorded before it is answered, and what is turned away.
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AttachedHost, until } from '../support/attached-host.js'
import {
  type Answer,
  answered,
  codeOf,
  newHome,
  quietSettings,
  type RunningService,
  runService,
  type ShownEntry,
  toolCall,
  typed,
  withService,
  writeSettings,
} from '../support/running-service.js'

const test = suite('hook routes')
const mebibyte = 1024 * 1024
let running: RunningService
const hosts: AttachedHost[] = []

test.before(async () => {
  running = await runService()
})
test.after(async () => {
  for (const host of hosts) host.close()
  await running.service.stop()
})

function newHost({ home }: RunningService = running): AttachedHost {
  const host = new AttachedHost(home)
  hosts.push(host)
  return host
}

async function newest(of: RunningService = running): Promise<ShownEntry> {
  const [entry] = await of.entries('order=desc&limit=1')
  assert.ok(entry)
  return entry
}

/** The MAC of docs/service.md, worked out here once more. */
function mac(label: string, { id, secret }: AttachedHost, seq: string | number, bytes: string | Buffer): string {
  return createHmac('sha256', secret).update(`${label}\n${id}\n${seq}\n`).update(bytes).digest('hex')
}

/** A payload under a number of our choice. */
function numbered(
  host: AttachedHost,
  seq: string,
  payload: object,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const body = JSON.stringify(payload)
  const headers = { 'Stele-Attach': host.id, 'Stele-Seq': seq, 'Stele-Mac': mac('stele/hook/v1', host, seq, body) }
  return running.ask('/v1/hooks', { body, headers: { ...headers, ...more } })
}

test('a bare post is answered with the host’s own directive when it is on disk, unsigned, and is unattested', async () => {
  const answer = await running.hook(typed('I decided we ship on Friday', 'bare', 'bare'))
  assert.equal([answer.status, answer.text], [200, '{}'])
  assert.match(answer.headers['content-type'] ?? '', /^application\/json/)
  assert.equal([answer.headers['stele-wants'], answer.headers['stele-mac']], ['', undefined])
  const entry = await newest()
  assert.equal(
    [entry.type, entry.words?.['text'], entry.data['source']],
    ['message.captured', 'I decided we ship on Friday', 'unattested'],
  )
})

test('attaching is an entry, and its answer is signed under number 0', async () => {
  const host = newHost()
  const answer = await host.attach()
  assert.is(answer.status, 200)
  const told = JSON.parse(answer.bytes.toString()) as Record<string, unknown>
  const entry = await newest()
  assert.equal(told, {
    attach: host.id,
    index: entry.index,
    modes: { provenance: 'observe', capability: 'observe' },
    wants: [],
    stageMs: 0,
  })
  assert.is(answer.headers['stele-mac'], mac('stele/answer/v1', host, 0, answer.bytes))
  assert.equal([entry.type, entry.data['pid'], entry.data['peer']], ['host.attached', process.pid, 'claimed'])
  assert.not.ok(JSON.stringify(entry).includes(host.secret.toString('hex')), 'the secret is kept nowhere')
})

test('a payload of an attached host is recorded under its name and number, and its answer is signed under the same number', async () => {
  const host = newHost()
  await host.attach()
  const signed = host.sign(typed('signed', 'signed', 'signed'))
  assert.is(signed.mac, mac('stele/hook/v1', host, 1, signed.body))
  const headers = { 'Stele-Attach': host.id, 'Stele-Seq': '1', 'Stele-Mac': signed.mac }
  const answer = await running.ask('/v1/hooks', { body: signed.body, headers })
  assert.is(answer.headers['stele-mac'], mac('stele/answer/v1', host, 1, answer.text))
  const { data } = await newest()
  assert.equal([data['source'], data['attach'], data['seq']], ['attached', host.index, 1])
})

test('a payload that comes twice gets the first answer again and is one entry', async () => {
  const host = newHost()
  await host.attach()
  const signed = host.sign(toolCall('terminal', { command: 'ls' }, 'twice', 'twice'))
  const first = await host.send(signed)
  const { index } = await newest()
  const again = await host.send(signed)
  assert.equal(again, first)
  assert.is((await newest()).index, index)
})

test('attaching again with the same secret is the same, and with another it is refused', async () => {
  const host = newHost()
  await host.attach()
  assert.is((await host.attach()).status, 200)
  const { index } = await newest()
  assert.is(index, host.index)
  const other = await host.attach({ secret: '00'.repeat(32) })
  assert.equal([other.status, codeOf({ ...other, text: other.bytes.toString() })], [403, 'ATTACH_REFUSED'])
  assert.is((await newest()).index, index)
})

test('a host that the service does not know has to attach first, and nothing is recorded', async () => {
  const before = await newest()
  const { status, code } = await newHost().hook(typed('unknown', 'unknown', 'unknown'))
  assert.equal([status, code], [403, 'ATTACH_UNKNOWN'])
  assert.equal(await newest(), before)
})

test('a number that is none is refused, also under a right MAC', async () => {
  const host = newHost()
  await host.attach()
  const before = await newest()
  for (const seq of ['0', '01', '-1', '1.5', '1e3', 'x', '', '99999999999999999999', ' 1'])
    assert.equal(
      codeOf(await numbered(host, seq, typed('number'))),
      seq === ' 1' ? 'no error: 200 {}' : 'ATTACH_NUMBER_INVALID',
      seq,
    )
  // Blanks around a header are no part of it (RFC 9110, section 5.5): ` 1` was signed with its blank, so its MAC is wrong.
  const { type, data } = await newest()
  assert.equal([type, data['why'], Number(before.index) + 1], ['hook.foreign', 'bad_mac', (await newest()).index])
})

test('a wrong MAC is recorded as foreign, gets no signature, and never becomes what it says', async () => {
  const host = newHost()
  await host.attach()
  for (const wrong of ['', '0'.repeat(64), 'x', mac('stele/answer/v1', host, '1', JSON.stringify(typed('forged', 'f', 'f')))]) {
    const answer = await numbered(host, '1', typed('forged', 'f', 'f'), { 'Stele-Mac': wrong })
    assert.equal([answer.status, answer.text, answer.headers['stele-mac']], [200, '{}', undefined])
    const { type, data } = await newest()
    assert.equal([type, data['why'], data['attach'], data['hook']], ['hook.foreign', 'bad_mac', host.index, 'pre_llm_call'])
  }
})

test('after a restart a host attaches again under its name with its secret, and nobody else does', async () => {
  const home = newHome()
  const first = await runService({ home, settings: quietSettings })
  const host = newHost(first)
  let index = -1
  try {
    await host.attach()
    index = host.index
    assert.is((await host.hook(typed('before', '1', 'again'))).status, 200)
  } finally {
    await first.service.stop()
  }
  await withService({ home }, async (second) => {
    assert.equal((await host.hook(typed('lost', '2', 'again'))).code, 'ATTACH_UNKNOWN')
    const thief = await host.attach({ secret: '11'.repeat(32) })
    assert.equal(thief.status, 403)
    assert.is((await host.attach()).status, 200)
    assert.is(host.index, index)
    const [attached] = await second.entries('order=desc&limit=1')
    assert.equal([attached?.type, attached?.data['first'], attached?.data['next']], ['host.attached', index, 2])
    assert.is((await host.hook(typed('after', '3', 'again'))).status, 200)
    const [captured] = await second.entries('order=desc&limit=1')
    assert.equal([captured?.data['source'], captured?.data['attach'], captured?.data['seq']], ['attached', index, 3])
  })
})

test('a body of 16 MiB is read, and one byte more leaves its mark with its size and is not read', async () => {
  const reason = async (bytes: number) => {
    const { status, text } = await running.ask('/v1/hooks', { body: Buffer.alloc(bytes, '[') })
    assert.equal([status, text], [200, '{}'])
    const { type, data } = await newest()
    return [type, data['code'], data['bytes']]
  }
  assert.equal(await reason(16 * mebibyte), ['hook.rejected', 'too_deep', 16 * mebibyte])
  assert.equal(await reason(16 * mebibyte + 1), ['hook.rejected', 'too_large', 16 * mebibyte + 1])
  assert.equal(await reason(20 * mebibyte), ['hook.rejected', 'too_large', 20 * mebibyte])
})

test('Stele-Bytes tells how much a body was of which only the beginning is sent', async () => {
  const host = newHost()
  await host.attach()
  const reason = async (answer: Answer) => {
    assert.is(answer.status, 200)
    const { type, data } = await newest()
    return [type, data['code'], data['bytes'], data['digest'] !== undefined]
  }
  const beginning = { hook_event_name: 'pre_llm_call' }
  const size = String(17 * mebibyte)
  assert.equal(await reason(await numbered(host, '1', beginning, { 'Stele-Bytes': size })), [
    'hook.rejected',
    'too_large',
    17 * mebibyte,
    false,
  ])
  const { data } = await newest()
  assert.equal([data['source'], data['seq']], ['attached', 1])
  // Less than what came, and what is no number, says nothing.
  for (const nonsense of ['3', '-99999999999', '1e30', 'many', ''])
    assert.equal(
      await reason(await running.hook(beginning, { 'Stele-Bytes': nonsense })),
      ['hook.rejected', 'shape', 34, true],
      nonsense,
    )
})

test('a body is taken as it is: without a type, with another one, in pieces, or empty', async () => {
  const body = JSON.stringify(typed('as it is', 'types', 'types'))
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const answer = await running.ask('/v1/hooks', { body, headers: { 'content-type': type } })
    assert.equal([answer.status, answer.text], [200, '{}'], type)
  }
  const pieces = await raw(
    `POST /v1/hooks HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${[...(body.match(/.{1,64}/gs) ?? [])].map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`,
  )
  assert.match(pieces, /^HTTP\/1\.1 200 [\s\S]*\{\}/)
  const captured = (await running.entries()).filter(({ words }) => words?.['text'] === 'as it is')
  assert.is(captured.length, 1)
  const empty = await raw('POST /v1/hooks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  assert.match(empty, /^HTTP\/1\.1 200 /)
  assert.is((await newest()).data['code'], 'empty')
})

/** Bytes to the service's socket; everything that came back until it closed. */
function raw(text: string, { leave = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(running.file().socket, () => {
      socket.write(text, () => {
        if (leave) socket.destroy()
      })
    })
    let said = ''
    socket.setEncoding('utf8').on('data', (more: string) => {
      said += more
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(said))
  })
}

test('a client that leaves in the middle of a payload leaves nothing behind', async () => {
  const before = await newest()
  await raw('POST /v1/hooks HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"hook_event_name":', { leave: true })
  assert.is((await running.ask('/v1/status')).status, 200)
  assert.equal(await newest(), before)
})

test('an attach request that lacks a part is refused by its name, and leaves nothing', async () => {
  const before = await newest()
  const right = {
    attach: '0'.repeat(32),
    secret: '1'.repeat(64),
    next: 1,
    pid: 1,
    host: 'hermes',
    host_version: '0.19.0',
    plugin_version: '0.1.0',
    files: '2'.repeat(64),
  }
  const wrong: readonly (readonly [string, unknown])[] = [
    ['attach', 'x'],
    ['attach', '0'.repeat(33)],
    ['secret', '1'.repeat(63)],
    ['secret', undefined],
    ['next', 0],
    ['pid', 0],
    ['pid', 1.5],
    ['host', 'h'.repeat(65)],
    ['files', ''],
    ['peer_fd', -1],
  ]
  for (const [part, value] of wrong) {
    const answer = await running.ask('/v1/attach', { body: { ...right, [part]: value } })
    assert.equal([answer.status, codeOf(answer)], [400, 'REQUEST_INVALID'], part)
    const { error } = JSON.parse(answer.text) as { error: { details: object } }
    assert.equal(error.details, { part })
  }
  assert.equal(await newest(), before)
})

test('64 hosts at once become one chain without a gap', async () => {
  const before = Number((await newest()).index)
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, at) => running.hook(typed(`at once ${at}`, `${at}`, `at-once-${at}`))),
  )
  assert.equal(
    answers.map(({ status }) => status),
    answers.map(() => 200),
  )
  const entries = (await running.entries(`from=${before + 1}&limit=1000`)).filter(({ type }) => type === 'message.captured')
  assert.equal(new Set(entries.map(({ words }) => words?.['text'])).size, 64)
})

test('more bytes on their way in than the service holds at once are turned away as busy, and the others are answered', async () => {
  const before = await newest()
  const size = 16 * mebibyte
  const rest = mebibyte / 2
  const clients = Array.from({ length: 9 }, () => ({ socket: connect(running.file().socket), said: '' }))
  for (const client of clients) {
    client.socket.on('error', () => {})
    client.socket.setEncoding('utf8').on('data', (text: string) => {
      client.said += text
    })
    client.socket.write(`POST /v1/hooks HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${size}\r\n\r\n`)
    client.socket.write(Buffer.alloc(size - rest, ' '))
  }
  try {
    const isBusy = ({ said }: { said: string }) => said.startsWith('HTTP/1.1 503 ') && said.includes('SERVICE_BUSY')
    await until('one of them is turned away', async () => clients.some(isBusy))
    const other = clients.find((client) => !isBusy(client))
    other?.socket.write(Buffer.alloc(rest, ' '))
    await until('another is answered', async () => other?.said.startsWith('HTTP/1.1 200 ') === true)
    assert.is((await newest()).data['bytes'], size)
  } finally {
    for (const { socket } of clients) socket.destroy()
  }
  await until('there is room again', async () => (await running.hook(typed('room', 'room', 'room'))).status === 200)
  assert.ok((await newest()).index > before.index)
})

const enforced = `${quietSettings}capability:\n  mode: enforce\n`

test('where the mode enforces, a call that cannot be read is blocked, whatever made it unreadable', async () => {
  const home = newHome()
  writeSettings(home, enforced)
  writeFileSync(join(home, 'allowlist.yaml'), 'version: 1\nskills: { "*": { tools: [write_file], paths: [/srv/agent/**] } }\n')
  await withService({ home }, async (strict) => {
    const call = toolCall('write_file', { path: 'a', content: 'b' })
    // It is granted: what is blocked below is blocked because nobody can read it.
    assert.equal(answered(await strict.hook(call)), {})
    const bodies: readonly (readonly [string, string | Buffer, Readonly<Record<string, string>>])[] = [
      ['too large', Buffer.alloc(16 * mebibyte + 1, ' '), {}],
      ['only its beginning', JSON.stringify(call).slice(0, 50), { 'Stele-Bytes': String(20 * mebibyte) }],
      ['no JSON', `${JSON.stringify(call)}}`, {}],
      ['a name twice', JSON.stringify(call).replace('{', '{"hook_event_name":"pre_tool_call",'), {}],
      ['no extra', JSON.stringify({ ...call, extra: 1 }), {}],
    ]
    for (const [what, body, headers] of bodies) {
      const directive = answered<{ action?: string; message?: string }>(await strict.ask('/v1/hooks', { body, headers }))
      assert.is(directive.action, 'block', what)
      assert.ok((directive.message ?? '').length > 10, what)
      assert.is((await newest(strict)).type, 'hook.rejected', what)
    }
  })
})

const tight = `${quietSettings}limits:\n  hooksPerMinute: 5\n`

test('a flood is turned away and counted in one entry, and does not hinder an attached host', async () => {
  const home = newHome()
  const flooded = await runService({ home, settings: tight })
  const host = newHost(flooded)
  let taken = 0
  try {
    await host.attach()
    const answers: Answer[] = []
    for (let at = 0; at < 12; at += 1) answers.push(await flooded.hook(typed(`flood ${at}`, `${at}`, 'flood')))
    const statuses = answers.map(({ status }) => status)
    taken = statuses.filter((status) => status === 200).length
    // Five in a minute, the attaching among them.
    assert.ok(taken === 4 || taken === 5, `${taken}`)
    assert.equal(
      statuses,
      statuses.map((_, at) => (at < taken ? 200 : 429)),
    )
    assert.is(codeOf(answers[11] as Answer), 'HOOKS_TOO_MANY')
    assert.is((await host.hook(typed('mine', 'mine', 'mine'))).status, 200)
  } finally {
    await flooded.service.stop()
  }
  await withService({ home }, async (again) => {
    const gaps = await again.entries('type=gap.recorded')
    assert.equal(
      gaps.map(({ data }) => [data['kind'], data['count'], data['attach']]),
      [['rate', 12 - taken, undefined]],
    )
  })
})

test('bytes are bounded like payloads, by what was sent in all', async () => {
  await withService({ settings: `${quietSettings}limits:\n  bytesPerMinute: 1000\n` }, async (small) => {
    assert.is((await small.hook(typed('x'.repeat(500), '1', 's'))).status, 200)
    assert.is(codeOf(await small.hook(typed('x'.repeat(500), '2', 's'))), 'HOOKS_TOO_MANY')
    assert.is((await small.hook({})).status, 200)
    assert.is(codeOf(await small.hook({}, { 'Stele-Bytes': '999' })), 'HOOKS_TOO_MANY')
  })
})

test('a number that never comes is a gap that names it', async () => {
  await withService({ settings: `${quietSettings}limits:\n  gapSeconds: 0\n` }, async (watched) => {
    const host = newHost(watched)
    await host.attach()
    await host.hook(typed('one', '1', 'gaps'))
    host.sign(typed('two', '2', 'gaps'))
    await host.hook(typed('three', '3', 'gaps'))
    await until('the gap is recorded', async () => (await watched.entries('type=gap.recorded')).length > 0)
    const gaps = await watched.entries('type=gap.recorded')
    assert.equal(
      gaps.map(({ data }) => [data['kind'], data['from'], data['to'], data['count'], data['attach']]),
      [['numbers', 2, 2, 1, host.index]],
    )
  })
})

test.run()
