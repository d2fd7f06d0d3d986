// Holds attaching to its page: who knows a secret is who speaks, a name has one secret for ever, and the secret stays in memory.
import { createHash, createHmac } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Attaches, attachRequestSchema, type Speaker } from '../../src/hooks/attach.js'
import { FakeProcesses, TestHost, type TestHouse, testHouse } from '../support/hook-house.js'
import { rejectsWithCode, throwsWithCode } from '../support/rejects-with-code.js'
import { storedRows } from '../support/temporary-ledger.js'

const test = suite('attach')

const body = Buffer.from('{"hook_event_name":"on_session_start"}')

async function attachedEntries(house: TestHouse): Promise<Record<string, unknown>[]> {
  return (await house.entries('host.attached')).map(({ payload }) => ({ ...payload }))
}

function speakerOf(house: TestHouse, host: TestHost, seq: string, mac: string, bytes: Uint8Array = body): Speaker {
  return house.attaches.speakerOf({ attach: host.id, seq, mac }, bytes)
}

test('the request of the page is taken, with a descriptor and without, and what is not as it says is not', () => {
  const request = {
    attach: 'a1'.repeat(16),
    secret: 'b2'.repeat(32),
    next: 1,
    pid: 4712,
    host: 'hermes',
    host_version: '0.19.0',
    plugin_version: '0.1.0',
    files: 'c3'.repeat(32),
  }
  for (const good of [request, { ...request, peer_fd: 9 }, { ...request, more: 'tolerated' }])
    assert.is(attachRequestSchema.safeParse(good).success, true)
  const bad: readonly Record<string, unknown>[] = [
    ...Object.keys(request).map((name) => ({ [name]: undefined })),
    ...['', 'A1'.repeat(16), 'a1'.repeat(17), 'xy'.repeat(16)].map((attach) => ({ attach })),
    ...['', 'b2'.repeat(31), 'B2'.repeat(32)].map((secret) => ({ secret })),
    ...[0, -1, 1.5, '1'].flatMap((number) => [{ next: number }, { pid: number }]),
    ...[-1, 1.5, '9', null].map((peer_fd) => ({ peer_fd })),
    { host: 'x'.repeat(65) },
  ]
  for (const changes of bad) {
    assert.is(attachRequestSchema.safeParse({ ...request, ...changes }).success, false, JSON.stringify(changes))
  }
})

test('attaching is on disk when it is answered, with who it is, what runs there and since when', async () => {
  const house = await testHouse()
  const host = new TestHost(house, 7, 4712)
  const attach = await host.attach({ next: 3 })
  assert.equal(await attachedEntries(house), [
    {
      attach: host.id,
      secret: createHash('sha256').update(`stele/attach/v1\n${host.id}\n`).update(host.secret).digest('hex'),
      first: null,
      next: 3,
      host: 'hermes',
      hostVersion: '0.19.0',
      pluginVersion: '0.1.0',
      files: 'f1'.repeat(32),
      pid: 4712,
      pidStarted: 471_200,
      peer: 'claimed',
    },
  ])
  assert.equal([attach.id, attach.index, attach.pid, attach.pidStarted], [host.id, 1, 4712, 471_200])
})

test('the secret stands nowhere in the store, in no form that it could be read from', async () => {
  const house = await testHouse()
  const host = new TestHost(house, 7)
  await host.attach()
  await host.send('{"hook_event_name":"on_session_start","session_id":"s","extra":{}}')
  await house.home.close()
  const rows = await storedRows(house.home.files)
  assert.ok(rows.length > 10)
  for (const { key, value } of rows) {
    for (const form of [host.secret, Buffer.from(host.secret.toString('hex')), Buffer.from(host.secret.toString('base64'))])
      assert.not.ok(key.includes(form) || value.includes(form), key.toString('latin1'))
  }
})

test('a process that the system does not show attaches all the same, without a start', async () => {
  const house = await testHouse()
  const host = new TestHost(house, 7)
  house.processes.end(host.pid)
  await host.attach()
  assert.not.ok(Object.hasOwn((await attachedEntries(house))[0] ?? {}, 'pidStarted'))
})

test('versions and hosts that are sentences do not get into the facts', async () => {
  const house = await testHouse()
  await new TestHost(house, 7).attach({ host: 'a host of mine', host_version: 'v 1', plugin_version: '1.0.0-rc.1+b' })
  const [facts] = await attachedEntries(house)
  assert.equal([facts?.['host'], facts?.['hostVersion'], facts?.['pluginVersion']], ['unnamed', 'unnamed', '1.0.0-rc.1+b'])
})

test('a process that shows the MAC of its name and number behind a descriptor of its own has proved itself', async () => {
  const house = await testHouse()
  const host = new TestHost(house, 7, 4712)
  const shown = createHmac('sha256', host.secret).update(`stele/peer/v1\n${host.id}\n4712`).digest('hex')
  house.processes.show(4712, 9, shown)
  await host.attach({ peer_fd: 9 })
  assert.is((await attachedEntries(house))[0]?.['peer'], 'proved')
})

test('a descriptor that shows something else, nothing, or another process’s MAC proves nothing', async () => {
  const house = await testHouse()
  const other = new TestHost(house, 6)
  const shown: readonly (string | undefined)[] = [
    undefined,
    '',
    'x'.repeat(64),
    createHmac('sha256', other.secret).update(`stele/peer/v1\n${other.id}\n${other.pid}`).digest('hex'),
  ]
  for (const [at, text] of shown.entries()) {
    const host = new TestHost(house, 10 + at)
    if (text !== undefined) house.processes.show(host.pid, 9, text)
    await host.attach({ peer_fd: 9 })
    assert.is((await attachedEntries(house)).at(-1)?.['peer'], 'claimed', String(text))
  }
})

test('the same name and secret again is the same attach and no second entry', async () => {
  const house = await testHouse()
  const host = new TestHost(house, 7)
  const first = await host.attach()
  assert.is(await host.attach(), first)
  assert.is((await attachedEntries(house)).length, 1)
})

test('the same attach many times at once is one entry and one attach', async () => {
  const house = await testHouse()
  const host = new TestHost(house, 7)
  const attaches = await Promise.all(Array.from({ length: 6 }, () => house.attaches.attach(host.request())))
  assert.is(new Set(attaches).size, 1)
  assert.is((await attachedEntries(house)).length, 1)
})

test('another secret under a known name is refused, one after the other and at once', async () => {
  const house = await testHouse()
  const host = new TestHost(house, 7)
  await host.attach()
  await rejectsWithCode(house.attaches.attach(host.request({ secret: '00'.repeat(32) })), 'ATTACH_REFUSED')
  const fresh = new TestHost(house, 8)
  const [good, bad] = await Promise.allSettled([
    house.attaches.attach(fresh.request()),
    house.attaches.attach(fresh.request({ secret: '00'.repeat(32) })),
  ])
  assert.is(good.status, 'fulfilled')
  await rejectsWithCode(() => (bad.status === 'rejected' ? Promise.reject(bad.reason) : bad.value), 'ATTACH_REFUSED')
  assert.is((await attachedEntries(house)).length, 2)
})

test('where the first of several at once cannot be written, the others become one attach', async () => {
  const house = await testHouse()
  const host = new TestHost(house, 7)
  let fails = true
  const attaches = new Attaches(() => {
    const { ledger } = house
    return {
      appendMade: async (make, options) => {
        const failing = fails
        fails = false
        if (failing) throw new Error('not now')
        return ledger.appendMade(make, options)
      },
      firstUnder: (id) => ledger.firstUnder(id),
      digest: (use, data) => ledger.digest(use, data),
      reader: ledger.reader,
    }
  }, house.processes)
  const outcomes = await Promise.allSettled([
    attaches.attach(host.request()),
    attaches.attach(host.request()),
    attaches.attach(host.request({ secret: '00'.repeat(32) })),
  ])
  assert.equal(
    outcomes.map(({ status }) => status),
    ['rejected', 'fulfilled', 'rejected'],
  )
  assert.is((await attachedEntries(house)).length, 1)
})

test('after a restart only the holder of the same secret goes on under a name, and keeps the name among the facts', async () => {
  const house = await testHouse()
  const host = new TestHost(house, 7)
  const { index } = await host.attach()
  await house.restart()
  await rejectsWithCode(house.attaches.attach(host.request({ secret: '00'.repeat(32) })), 'ATTACH_REFUSED')
  const again = await host.attach({ next: 9 })
  assert.is(again.index, index)
  const entries = await attachedEntries(house)
  assert.equal(
    entries.map(({ first, next }) => [first, next]),
    [
      [null, 1],
      [index, 9],
    ],
  )
  await house.restart()
  assert.is((await host.attach()).index, index, 'a second restart knows the first name too')
  assert.is((await attachedEntries(house)).at(-1)?.['first'], index)
})

test('a payload without a name is nobody’s, and one of a name that never attached is unknown', async () => {
  const house = await testHouse()
  assert.equal(house.attaches.speakerOf({ attach: '', seq: '1', mac: 'x' }, body), { kind: 'nobody' })
  const host = new TestHost(house, 7)
  assert.equal(speakerOf(house, host, '1', host.mac('stele/hook/v1', 1, body)), { kind: 'unknown', id: host.id })
})

test('a good MAC over name, number and body shows who speaks and under which number', async () => {
  const house = await testHouse()
  const host = new TestHost(house, 7)
  const attach = await host.attach()
  for (const seq of [1, 2, 17, Number.MAX_SAFE_INTEGER]) {
    const speaker = speakerOf(house, host, String(seq), host.mac('stele/hook/v1', seq, body))
    assert.ok(speaker.kind === 'attached')
    assert.is(speaker.attach, attach)
    assert.is(speaker.seq, seq)
  }
})

test('a MAC over another body, number, name, label or secret is forged, and so is none at all', async () => {
  const house = await testHouse()
  const [host, other] = [new TestHost(house, 7), new TestHost(house, 8)]
  const attach = await host.attach()
  const good = host.mac('stele/hook/v1', 1, body)
  const forged: readonly (readonly [seq: string, mac: string, bytes?: Buffer])[] = [
    ['1', host.mac('stele/hook/v1', 1, Buffer.from('{}'))],
    ['1', good, Buffer.concat([body, Buffer.from(' ')])],
    ['2', good],
    ['01', good],
    ['1', other.mac('stele/hook/v1', 1, body)],
    ['1', host.mac('stele/answer/v1', 1, body)],
    // The secret as a key is its bytes and not its hex.
    ['1', createHmac('sha256', host.secret.toString('hex')).update(`stele/hook/v1\n${host.id}\n1\n`).update(body).digest('hex')],
    ['1', good.toUpperCase()],
    ['1', good.slice(0, 63)],
    ['1', `${good}00`],
    ['1', ''],
    ['', ''],
  ]
  for (const [seq, mac, bytes] of forged) {
    assert.equal(speakerOf(house, host, seq, mac, bytes).kind, 'forged', `${seq} ${mac}`)
    assert.is((speakerOf(house, host, seq, mac, bytes) as { attach: unknown }).attach, attach)
  }
})

test('a number that is none is refused, though its MAC is good', async () => {
  const house = await testHouse()
  const host = new TestHost(house, 7)
  await host.attach()
  for (const seq of ['', '0', '-1', '1.5', '01', '1e3', ' 1', '0x1', '9007199254740993', 'NaN'])
    throwsWithCode(() => speakerOf(house, host, seq, host.mac('stele/hook/v1', seq, body)), 'ATTACH_NUMBER_INVALID')
})

test('answers are signed under a label of their own, and the answer to the attaching under number 0', async () => {
  const house = await testHouse()
  const host = new TestHost(house, 7)
  const attach = await host.attach()
  const answer = Buffer.from('{"action":"block","message":"我"}')
  for (const seq of [0, 1, 12]) assert.is(house.attaches.sign(attach, seq, answer), host.mac('stele/answer/v1', seq, answer))
})

test('a host is alive while its process runs, and not where the number belongs to a later one', async () => {
  const house = await testHouse()
  const [one, two, three] = [new TestHost(house, 1), new TestHost(house, 2), new TestHost(house, 3)]
  for (const host of [one, two, three]) await host.attach()
  assert.is(house.attaches.alive(), 3)
  house.processes.end(two.pid)
  house.processes.start(three.pid, 999_999)
  assert.is(house.attaches.alive(), 1)
  const alive = await Promise.all([one, two, three].map(({ index }) => house.attaches.isAlive(index)))
  assert.equal(alive, [true, false, false])
})

test('of a host that attached before the service started its name and process are known from the ledger', async () => {
  const house = await testHouse()
  const host = new TestHost(house, 7)
  await host.attach()
  const { index } = host
  await house.restart()
  assert.is(await house.attaches.idOf(index), host.id)
  assert.is(await house.attaches.isAlive(index), true)
  house.processes.end(host.pid)
  assert.is(await house.attaches.isAlive(index), false)
  assert.equal([...house.attaches.all], [])
})

test('two attaches of one process are one, and of two processes never', async () => {
  const house = await testHouse()
  const [one, same, other] = [new TestHost(house, 1, 4712), new TestHost(house, 2, 4712), new TestHost(house, 3, 4713)]
  const [first] = [await one.attachProved(), await same.attachProved(), await other.attachProved()]
  assert.is(await house.attaches.isSameProcess(first, one.index), true)
  assert.is(await house.attaches.isSameProcess(first, same.index), true)
  assert.is(await house.attaches.isSameProcess(first, other.index), false)
  house.processes.start(4712, 5)
  const later = new TestHost(house, 4, 4712)
  await later.attachProved()
  assert.is(await house.attaches.isSameProcess(first, later.index), false, 'the same number, given to a later process')
})

test('whoever only claims the number of a process is not that process', async () => {
  const house = await testHouse()
  const [real, claims] = [new TestHost(house, 1, 4712), new TestHost(house, 2, 4712)]
  const [first, second] = [await real.attachProved(), await claims.attach()]
  assert.is(await house.attaches.isSameProcess(second, real.index), false)
  assert.is(await house.attaches.isSameProcess(first, claims.index), false)
})

test('processes that the system does not show are never taken for one', async () => {
  const house = await testHouse()
  const [one, two] = [new TestHost(house, 1, 4712), new TestHost(house, 2, 4712)]
  house.processes.end(4712)
  const first = await one.attach()
  await two.attach()
  assert.is(await house.attaches.isSameProcess(first, two.index), false)
})

test('beyond 256 hosts that run nobody is taken in, and hosts that have gone make room', async () => {
  const house = await testHouse()
  const hosts = Array.from({ length: 256 }, (_, at) => new TestHost(house, at, 10_000 + at))
  await Promise.all(hosts.map((host) => host.attachProved()))
  const late = new TestHost(house, 300, 20_000)
  await rejectsWithCode(late.attach(), 'HOOKS_TOO_MANY')
  house.processes.end(10_004)
  await late.attach()
  assert.is([...house.attaches.all].length, 256)
})

test('beyond 256 hosts those that only claim to be a process make room', async () => {
  const house = await testHouse()
  const claims = Array.from({ length: 256 }, (_, at) => new TestHost(house, at, 10_000 + at))
  await Promise.all(claims.map((host) => host.attach()))
  const real = new TestHost(house, 300, 20_000)
  await real.attachProved()
  const names = [...house.attaches.all].map(({ id }) => id)
  assert.is(names.length <= 256 && names.includes(real.id), true)
})

test('beyond 256 hosts nobody is taken in, also where all come at once', async () => {
  const house = await testHouse()
  const hosts = Array.from({ length: 300 }, (_, at) => new TestHost(house, at, 10_000 + at))
  const outcomes = await Promise.allSettled(hosts.map((host) => host.attachProved()))
  assert.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 256)
  assert.is([...house.attaches.all].length, 256)
})

test('what the system tells of processes is asked each time', async () => {
  const house = await testHouse()
  const processes = new FakeProcesses()
  const attaches = new Attaches(() => house.ledger, processes)
  processes.start(4712, 1)
  const { index } = await attaches.attach(new TestHost(house, 7, 4712).request())
  assert.is(await attaches.isAlive(index), true)
  processes.end(4712)
  assert.is(await attaches.isAlive(index), false)
  processes.start(4712, 1)
  assert.is(await attaches.isAlive(index), true)
})

test.run()
