// Holds the record of what never came to the truth: told after its time, once, by number or by count, and nothing that did come.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { attachedHost, llmCall, sessionStart, type TestHost, type TestHouse, testHouse, toolCall } from '../support/hook-house.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'

const test = suite('watch-gaps')

const gapMs = 10_000

async function gapsIn(house: TestHouse): Promise<Record<string, unknown>[]> {
  return (await house.entries('gap.recorded')).map(({ header, payload }) => {
    assert.is(header.session, '')
    return { ...payload }
  })
}

/** A host sends what it was asked to send, under these numbers. */
async function sendAll(host: TestHost, numbers: readonly number[]): Promise<void> {
  for (const seq of numbers) await host.send(llmCall({ user_message: `${seq}`, turn_id: `turn-${seq}` }), { seq })
}

test('numbers that never came are told after the time, not before, and once, with their host', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await sendAll(host, [1, 3, 7])
  house.nowMs += gapMs - 1
  await house.watchGaps(gapMs)
  assert.equal(await gapsIn(house), [])
  house.nowMs += 1
  await house.watchGaps(gapMs)
  const gaps = [
    { kind: 'numbers', attach: host.index, from: 2, to: 2, count: 1 },
    { kind: 'numbers', attach: host.index, from: 4, to: 6, count: 3 },
  ]
  assert.equal(await gapsIn(house), gaps)
  house.nowMs += 10 * gapMs
  await house.watchGaps(gapMs)
  assert.equal(await gapsIn(house), gaps)
})

test('numbers that came in another order, or late out of the spool, are no gap', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await sendAll(host, [3, 1, 4])
  await host.send(toolCall({}), { seq: 2, late: true })
  house.nowMs += 10 * gapMs
  await house.watchGaps(gapMs)
  assert.equal(await gapsIn(house), [])
})

test('numbers of payloads that gave no entry, were rejected or came before are no gap', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await host.send(sessionStart())
  await host.send({ ...sessionStart(), hook_event_name: 'post_llm_call' })
  await host.send('no JSON')
  await host.send(toolCall({}))
  await host.send(toolCall({}))
  await host.send(sessionStart())
  house.nowMs += 10 * gapMs
  await house.watchGaps(gapMs)
  assert.equal(await gapsIn(house), [])
})

test('a forged payload does not make its number come', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await sendAll(host, [1])
  await host.send(toolCall({}), { seq: 2, mac: '0'.repeat(64) })
  await sendAll(host, [3])
  house.nowMs += gapMs
  await house.watchGaps(gapMs)
  assert.equal(await gapsIn(house), [{ kind: 'numbers', attach: host.index, from: 2, to: 2, count: 1 }])
})

test('numbers below the one that a host says is next are no gap', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await sendAll(host, [1, 2])
  await house.restart()
  host.seq = 5
  await host.attach({ next: 5 })
  await sendAll(host, [5, 6])
  house.nowMs += gapMs
  await house.watchGaps(gapMs)
  assert.equal(await gapsIn(house), [])
})

test('numbers that an earlier service saw are no gap; those that nobody saw are, each for itself', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  // Number 1 was not answered, so the host names it as next; 2 is a message, 4 came before as 2, 6 gave no entry at all.
  await sendAll(host, [2])
  await host.send(llmCall({ user_message: '2', turn_id: 'turn-2' }), { seq: 4 })
  await host.send({ ...sessionStart(), hook_event_name: 'post_llm_call' }, { seq: 6 })
  await host.send('no JSON', { seq: 7 })
  await house.restart()
  await host.attach({ next: 1 })
  await sendAll(host, [10])
  house.nowMs += gapMs
  await house.watchGaps(gapMs)
  assert.equal(
    (await gapsIn(house)).map(({ from, to, count }) => [from, to, count]),
    [
      [1, 1, 1],
      [3, 3, 1],
      [5, 5, 1],
      [8, 9, 2],
    ],
  )
})

test('a host that jumps over very many numbers leaves one gap and keeps nobody waiting', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await sendAll(host, [1, 9_000_000_000_000])
  house.nowMs += gapMs
  await house.watchGaps(gapMs)
  assert.equal(await gapsIn(house), [
    { kind: 'numbers', attach: host.index, from: 2, to: 8_999_999_999_999, count: 8_999_999_999_998 },
  ])
})

test('what was turned away is counted in one entry when its minute is over, with its bytes, and its numbers are no gap', async () => {
  const house = await testHouse()
  house.hooksPerMinute = 2
  const host = await attachedHost(house)
  const call = (seq: number) => llmCall({ user_message: 'x', turn_id: `turn-${seq}` })
  await sendAll(host, [1, 2])
  for (const seq of [3, 4, 5]) await rejectsWithCode(host.send(call(seq), { seq }), 'HOOKS_TOO_MANY')
  house.nowMs += 59_999
  await house.watchGaps(gapMs)
  assert.equal(await gapsIn(house), [])
  house.nowMs += 1
  await sendAll(host, [6])
  await house.watchGaps(gapMs)
  const bytes = 3 * Buffer.byteLength(JSON.stringify(call(3)))
  assert.equal(await gapsIn(house), [{ kind: 'rate', attach: host.index, count: 3, bytes }])
  house.nowMs += 10 * 60_000
  await house.watchGaps(gapMs)
  assert.is((await gapsIn(house)).length, 1)
})

test('what was turned away of those who are no attached host is counted together and names none', async () => {
  const house = await testHouse()
  house.hooksPerMinute = 1
  const host = await attachedHost(house)
  await house.send(sessionStart('one'))
  await rejectsWithCode(house.send('no JSON'), 'HOOKS_TOO_MANY')
  await rejectsWithCode(host.send('no JSON', { mac: '' }), 'HOOKS_TOO_MANY')
  house.nowMs += 60_000
  await house.watchGaps(gapMs)
  assert.equal(await gapsIn(house), [{ kind: 'rate', count: 2, bytes: 14 }])
})

test('at the end of the service the rest is told, though its minute is not over, and numbers only after their time', async () => {
  const house = await testHouse()
  house.hooksPerMinute = 2
  const host = await attachedHost(house)
  await sendAll(host, [1, 3])
  await rejectsWithCode(host.send('no JSON'), 'HOOKS_TOO_MANY')
  await house.watchGaps(Number.POSITIVE_INFINITY, true)
  assert.equal(await gapsIn(house), [{ kind: 'rate', attach: host.index, count: 1, bytes: 7 }])
})

test('what could not be written down is not forgotten', async () => {
  const house = await testHouse()
  house.hooksPerMinute = 2
  const host = await attachedHost(house)
  await sendAll(host, [1, 4])
  await rejectsWithCode(host.send('no JSON'), 'HOOKS_TOO_MANY')
  await rejectsWithCode(
    house.send({ ...sessionStart(), filler: 'x' }).then(() => house.send('').then(() => house.send(''))),
    'HOOKS_TOO_MANY',
  )
  house.nowMs += 60_000
  const { ledger } = house
  const { appendMade } = ledger
  ledger.appendMade = () => Promise.reject(new Error('not now'))
  let told: unknown
  await house.watchGaps(gapMs).catch((error: unknown) => {
    told = error
  })
  assert.match(String(told), 'not now')
  assert.equal(await gapsIn(house), [])
  ledger.appendMade = appendMade
  await house.watchGaps(gapMs)
  assert.equal(
    (await gapsIn(house)).map(({ kind, attach, count }) => [kind, attach, count]),
    [
      ['rate', undefined, 1],
      ['rate', host.index, 1],
      ['numbers', host.index, 2],
    ],
  )
})

test('where nothing is missing nothing is written', async () => {
  const house = await testHouse()
  await sendAll(await attachedHost(house), [1, 2, 3])
  const { size } = house.ledger
  house.nowMs += 10 * 60_000
  await house.watchGaps(gapMs)
  await house.watchGaps(gapMs, true)
  assert.is(house.ledger.size, size)
})

test.run()
