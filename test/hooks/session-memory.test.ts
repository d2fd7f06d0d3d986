// Holds what is remembered of sessions: read once, one object for all who hold it together, and let go of when it is not asked for.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Entry } from '../../src/events/entry.js'
import { definitionOf } from '../../src/events/event-catalog.js'
import { SteleError } from '../../src/foundation/stele-error.js'
import { type HeldSession, SessionMemory } from '../../src/hooks/session-memory.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'

const test = suite('session-memory')

const handle = 's0123456789abcdef'

interface Asked {
  readonly memory: SessionMemory
  /** Handles whose past was read, in order. */
  readonly read: string[]
  readonly newest: number[]
}

/** Every session has begun and is in its third turn. */
function memoryOf(fails: () => boolean = () => false): Asked {
  const read: string[] = []
  const newest: number[] = []
  const memory = new SessionMemory(async function* (asked, count) {
    read.push(asked)
    newest.push(count)
    await new Promise((resolve) => setImmediate(resolve))
    if (fails()) throw new SteleError('STORE_UNREADABLE')
    yield entryOf('session.started', { platform: 'cli', how: 'announced', source: 'unattested' })
    yield entryOf('message.captured', { turn: 3, platform: 'cli', characters: 0, digest: 'd1'.repeat(32), source: 'unattested' })
  })
  return { memory, read, newest }
}

test('a session is what its own entries say', async () => {
  const { memory, newest } = memoryOf()
  const { begun, turns } = await memory.holding(handle, async ({ context }) => context)
  assert.equal([begun, turns], [true, 3])
  assert.is(newest[0], 512)
})

test('the past of a session is read once, also for many who ask at once', async () => {
  const { memory, read } = memoryOf()
  const held = await Promise.all(Array.from({ length: 8 }, () => memory.holding(handle, async (session) => session)))
  await memory.holding(handle, async () => {})
  assert.is(new Set(held).size, 1)
  assert.equal(read, [handle])
})

test('what one of those who hold a session makes of it, the others see at once', async () => {
  const { memory } = memoryOf()
  await memory.holding(handle, async (outer) => {
    await memory.holding(handle, async (inner) => {
      inner.context = { ...inner.context, turns: 4 }
    })
    assert.is(outer.context.turns, 4)
  })
  assert.is(await memory.holding(handle, async ({ context }) => context.turns), 4)
})

test('a payload of no session has a context of its own each time, and nothing is read', async () => {
  const { memory, read } = memoryOf()
  const turnsOf = async (session: HeldSession): Promise<number> => {
    const { turns } = session.context
    session.context = { ...session.context, turns: 9 }
    return turns
  }
  assert.is(await memory.holding('', turnsOf), 0)
  assert.is(await memory.holding('', turnsOf), 0)
  assert.equal(read, [])
})

test('of a session in which others stand in front more is read, until it is known whose it is, or all of it', async () => {
  const own = entryOf('turn.ended', { turn: 9, source: 'attached', attach: 4, seq: 1 })
  const foreign = entryOf('hook.foreign', { hook: '', why: 'no_attach', attach: 4, bytes: 2, digest: 'd1'.repeat(32) })
  const shell = entryOf('turn.ended', { turn: 11, source: 'unattested' })
  const late = entryOf('turn.ended', { turn: 11, source: 'unattested', late: true })
  const contextOf = async (past: readonly Entry[]) => {
    const memory = new SessionMemory(async function* (_, newest) {
      yield* past.slice(-newest)
    })
    const { owner, turns, begun, linked } = await memory.holding(handle, async ({ context }) => context)
    return [owner, turns, begun, linked]
  }
  assert.equal(await contextOf([own, ...Array(6000).fill(foreign)]), [4, 9, true, false])
  assert.equal(await contextOf([own, ...Array(6000).fill(late)]), [4, 11, true, false])
  // A session of shell hooks has no owner, and its end is enough.
  assert.equal(await contextOf(Array(6000).fill(shell)), [undefined, 11, true, true])
  assert.equal(await contextOf(Array(6000).fill(foreign)), [4, 0, true, false])
  // Where only the end was read, the link stands somewhere before it, if there is one.
  assert.equal(await contextOf([...Array(6000).fill(shell), own]), [4, 11, true, true])
})

test('what a task gives or throws comes back, and the session stays as it was', async () => {
  const { memory, read } = memoryOf()
  assert.is(await memory.holding(handle, async () => 'done'), 'done')
  await rejectsWithCode(
    memory.holding(handle, () => Promise.reject(new SteleError('LEDGER_QUEUE_FULL'))),
    'LEDGER_QUEUE_FULL',
  )
  assert.is(await memory.holding(handle, async ({ context }) => context.turns), 3)
  assert.equal(read, [handle])
})

test('a past that cannot be read is told to all who wait for it, and read again for the next', async () => {
  let fails = true
  const { memory, read } = memoryOf(() => fails)
  for (const outcome of await Promise.allSettled([0, 1].map(() => memory.holding(handle, async () => {}))))
    assert.is(outcome.status, 'rejected')
  fails = false
  assert.is(await memory.holding(handle, async ({ context }) => context.turns), 3)
  assert.is(read.length, 2)
})

test('when everything is forgotten the past is read again', async () => {
  const { memory, read } = memoryOf()
  await memory.holding(handle, async (session) => {
    session.context = { ...session.context, turns: 77 }
    memory.forgetAll()
  })
  assert.is(await memory.holding(handle, async ({ context }) => context.turns), 3)
  assert.equal(read, [handle, handle])
})

test('of more than a thousand sessions the one that was not asked for longest is forgotten, never one that is held', async () => {
  const { memory, read } = memoryOf()
  const handleOf = (at: number): string => `s${at.toString(16).padStart(16, '0')}`
  await memory.holding(handleOf(0), async () => {
    for (let at = 1; at <= 1024; at += 1) await memory.holding(handleOf(at), async () => {})
  })
  assert.is(read.length, 1025)
  await memory.holding(handleOf(0), async () => {})
  assert.is(read.length, 1025, 'the one that was held is there')
  await memory.holding(handleOf(1024), async () => {})
  assert.is(read.length, 1025, 'the newest is there')
  await memory.holding(handleOf(1), async () => {})
  assert.is(read.length, 1026, 'the oldest of the others is gone')
})

function entryOf(type: string, payload: Entry['payload']): Entry {
  const hash = '0'.repeat(64)
  const time = '2026-11-29T20:40:00.000Z'
  const version = definitionOf(type)?.version ?? 1
  const header = { v: 1, ledger: '0'.repeat(32), epoch: 0, index: 1, time, type, version }
  return { header: { ...header, session: handle, payload: hash, prev: hash }, payload, words: undefined }
}

test.run()
