// Holds what is known of sessions in a pass to what a reading of the ledger at the same place says, however little is held meanwhile.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readGateContext } from '../../src/projections/gate-context.js'
import { seenEntry } from '../../src/projections/projection.js'
import { TypedInSessions } from '../../src/replay/typed-in-sessions.js'
import type { TestHouse } from '../support/hook-house.js'
import { judgingHouse, typedIn } from '../support/judged-writes.js'

const test = suite('typed-in-sessions')

/** Five sessions that take turns, each second one going on from the one before it. */
async function talkingHouse(): Promise<TestHouse> {
  const house = await judgingHouse()
  for (let round = 0; round < 6; round += 1) {
    for (let at = 0; at < 5; at += 1) {
      const parent = at % 2 === 1 ? { parent_session_id: `session-${at - 1}` } : {}
      await house.send(typedIn(`round ${round} of ${at}`, `turn-${round}`, { session_id: `session-${at}`, ...parent }))
    }
  }
  return house
}

test('whatever is held, a session is what its own entries and those before it say at that place', async () => {
  const house = await talkingHouse()
  const { reader } = house.ledger
  for (const options of [{}, { sessionsMax: 1 }, { sessionsMax: 2 }, { unitsMax: 40 }]) {
    const typed = new TypedInSessions(reader, options)
    for (const entry of await house.entries()) {
      typed.follow(seenEntry(entry))
      const { index, session } = entry.header
      if (session === '' || index % 3 !== 0) continue
      const expected = await readGateContext((handle) => reader.sessionEntries(handle), session, index + 1)
      assert.equal((await typed.of(session, index + 1)).messages, expected.messages, `entry ${index}, ${JSON.stringify(options)}`)
    }
  }
})

test('no more sessions are held than may be, and none that has ended', async () => {
  const house = await talkingHouse()
  const few = new TypedInSessions(house.ledger.reader, { sessionsMax: 3 })
  const short = new TypedInSessions(house.ledger.reader, { unitsMax: 40 })
  for (const entry of await house.entries()) {
    few.follow(seenEntry(entry))
    short.follow(seenEntry(entry))
    assert.ok(few.heldSessions <= 3)
  }
  // Twelve characters a message: a bound of 40 holds the messages of three at most, and sessions of six each one alone.
  assert.is(short.heldSessions, 1)
  const [started] = await house.entries('session.started')
  const all = new TypedInSessions(house.ledger.reader)
  for (const entry of await house.entries()) all.follow(seenEntry(entry))
  assert.is(all.heldSessions, 5)
  const header = { ...started?.header, index: house.ledger.size, type: 'session.ended', version: 2 }
  const ended = { header, payload: { reason: '', source: 'unattested' }, words: undefined } as Parameters<typeof seenEntry>[0]
  all.follow(seenEntry(ended))
  assert.is(all.heldSessions, 4)
})

test.run()
