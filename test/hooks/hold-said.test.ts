// Holds what is held of the user's words to what was typed: read once, and kept in step.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { holdSaid } from '../../src/hooks/hold-said.js'
import type { HeldSession } from '../../src/hooks/session-memory.js'
import { gateContext } from '../../src/projections/gate-context.js'
import { sessionContext } from '../../src/projections/session-context.js'
import { backedClaim, friday, judgingHouse, memoryAdd, typedIn, verdictsOf } from '../support/judged-writes.js'

const test = suite('hold-said')

test('a session is read when it is first needed, and again only when it turns out to go on from another', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday, 'turn-1', { session_id: 'one' }))
  await house.send(typedIn('hello', 'turn-2', { session_id: 'two' }))
  const handle = await house.ledger.sessionHandle('two')
  const session: HeldSession = {
    context: sessionContext.initial(),
    said: undefined,
    saidFrom: undefined,
    saidErasures: 0,
    origin: undefined,
    reading: undefined,
  }
  await holdSaid(house.house, handle, session)
  const first = session.said
  assert.equal(
    first?.messages.map(({ text }) => text),
    ['hello'],
  )
  await holdSaid(house.house, handle, session)
  assert.is(session.said, first)
  await house.send(typedIn('go on', 'turn-3', { session_id: 'two', parent_session_id: 'one' }))
  session.said = { ...gateContext.initial(), goesOnFrom: await house.ledger.sessionHandle('one') }
  await holdSaid(house.house, handle, session)
  assert.equal(
    session.said?.messages.map(({ text }) => text),
    [friday, 'hello', 'go on'],
  )
})

test('words and writes that come at once are judged in the order in which they are recorded', async () => {
  const house = await judgingHouse()
  await house.send(typedIn('hello'))
  const payloads = Array.from({ length: 40 }, (_, at) => {
    const words = `I decided we ship release number ${at} today`
    return [
      typedIn(words, `turn-${at + 2}`),
      memoryAdd(`User decided to ship release number ${at} today ("${words}").`, { turn_id: `turn-${at + 2}` }),
    ]
  }).flat()
  await Promise.all(payloads.map((payload) => house.send(payload)))
  const entries = await house.entries()
  const typedAt = new Map(
    entries
      .filter(({ header }) => header.type === 'message.captured')
      .map(({ header, words }) => [words?.['text'], header.index]),
  )
  const claims = entries.filter(({ header }) => header.type === 'claim.judged')
  assert.is(claims.length, 40)
  for (const { payload, words } of claims) {
    const message = typedAt.get(words?.['quote'])
    // Backed exactly where the words were recorded before the call.
    assert.is(payload['message'], Number(message) < Number(payload['call']) ? message : null)
  }
})

test('a restart changes nothing of what backs a claim', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  await house.send(memoryAdd(backedClaim))
  await house.restart()
  await house.send(memoryAdd(backedClaim))
  assert.equal(await verdictsOf(house), ['pass this-session', 'pass this-session'])
})

test.run()
