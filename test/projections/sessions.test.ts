// Holds the fold of sessions to what its entries say: given entries, when one more comes, then the view.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Entry } from '../../src/events/entry.js'
import { fold } from '../../src/projections/projection.js'
import { type SessionsView, type SessionView, sessions } from '../../src/projections/sessions.js'

const test = suite('sessions')

const handle = 's0123456789abcdef'
const otherHandle = 'sfedcba9876543210'
const digest = 'd1'.repeat(32)
const otherDigest = 'd2'.repeat(32)
const source = 'unattested'

interface Spoken {
  readonly type: string
  readonly facts: Record<string, unknown>
  readonly words?: Record<string, unknown>
  readonly session?: string
  readonly index?: number
}

const started: Spoken = {
  type: 'session.started',
  facts: { platform: 'cli', how: 'announced', source },
  words: { session: 'host-session' },
}
const message = (turn: number, hostTurn?: string): Spoken => ({
  type: 'message.captured',
  facts: { turn, platform: 'cli', characters: 2, digest, source },
  words: { text: 'hi', ...(hostTurn === undefined ? {} : { turn: hostTurn }) },
})
const requested = (tool: string, call?: string, argumentsDigest = digest): Spoken => ({
  type: 'tool.requested',
  facts: { turn: 1, tool, arguments: { count: 0, bytes: 2, digest: argumentsDigest }, source },
  words: call === undefined ? {} : { call },
})
const completed = (request: number | null, tool = 'terminal'): Spoken => ({
  type: 'tool.completed',
  facts: { turn: 1, tool, requested: request, status: 'ok', argumentsDigest: digest, source },
  words: {},
})
const turnEnded = (turn: number): Spoken => ({ type: 'turn.ended', facts: { turn, completed: true, source }, words: {} })
const ended: Spoken = { type: 'session.ended', facts: { reason: 'shutdown', source } }

test('given nothing, there is no session', () => {
  assert.is(given([]).size, 0)
})

test('given nothing, when a session starts, then it is there with its first entry and has done nothing yet', () => {
  assert.equal(only(given([started])), {
    handle,
    started: 1,
    startedAt: timeOf(1),
    lastAt: timeOf(1),
    platform: 'cli',
    ended: false,
    turns: 0,
    messages: 0,
    calls: 0,
    hostTurn: undefined,
    openCalls: [],
  })
})

test('given a session, when messages are captured, then messages and turns are counted and the newest host turn is known', () => {
  const view = only(given([started, message(1, 'turn-a'), message(2, 'turn-b'), message(3, 'turn-c')]))
  assert.is(view.messages, 3)
  assert.is(view.turns, 3)
  assert.is(view.hostTurn, 'turn-c')
})

test('given a turn with a host id, when the next one comes without one or its words are gone, then no host turn is known', () => {
  assert.is(only(given([started, message(1, 'turn-a'), message(2)])).hostTurn, undefined)
  const forgotten: Spoken = { type: 'message.captured', facts: message(2).facts }
  const view = only(given([started, message(1, 'turn-a'), forgotten]))
  assert.is(view.hostTurn, undefined)
  assert.is(view.messages, 2)
  assert.is(view.turns, 2)
})

test('given a session, when a tool is asked for, then the call is counted and stays open under its index', () => {
  const view = only(given([started, message(1), requested('terminal', 'call-1'), requested('read_file', 'call-2', otherDigest)]))
  assert.is(view.calls, 2)
  assert.equal(view.openCalls, [
    { index: 3, tool: 'terminal', call: 'call-1', argumentsDigest: digest },
    { index: 4, tool: 'read_file', call: 'call-2', argumentsDigest: otherDigest },
  ])
})

test('given open calls, when one of them is answered, then only that one is closed, and the calls stay counted', () => {
  const view = only(
    given([started, requested('terminal', 'a'), requested('terminal', 'b'), requested('terminal', 'c'), completed(3)]),
  )
  assert.equal(
    view.openCalls.map(({ index }) => index),
    [2, 4],
  )
  assert.is(view.calls, 3)
})

test('given open calls, when an answer to a call that we never saw comes, then none is closed', () => {
  const view = only(given([started, requested('terminal', 'a'), completed(null)]))
  assert.equal(
    view.openCalls.map(({ index }) => index),
    [2],
  )
  assert.is(view.calls, 1)
})

test('given a closed call, when it is answered again, then nothing changes but the time', () => {
  const once = only(given([started, requested('terminal', 'a'), completed(2)]))
  const twice = only(given([started, requested('terminal', 'a'), completed(2), completed(2)]))
  assert.equal({ ...twice, lastAt: '' }, { ...once, lastAt: '' })
})

test('given a call without a host id, or with words that are gone, then it is open and known by its arguments alone', () => {
  const forgotten: Spoken = { type: 'tool.requested', facts: requested('terminal').facts }
  for (const call of [requested('terminal'), forgotten]) {
    assert.equal(only(given([started, call])).openCalls, [
      { index: 2, tool: 'terminal', call: undefined, argumentsDigest: digest },
    ])
  }
})

test('given a session, when it ends, then it is ended and its counts stay', () => {
  const view = only(given([started, message(1, 'turn-a'), requested('terminal', 'a'), completed(3), turnEnded(1), ended]))
  assert.is(view.ended, true)
  assert.is(view.turns, 1)
  assert.is(view.messages, 1)
  assert.is(view.calls, 1)
})

test('given a session, when a turn ends, then the session has not ended', () => {
  assert.is(only(given([started, message(1), turnEnded(1)])).ended, false)
})

test('given a session, when any entry of it comes, then its last time is that entry’s and its first stays', () => {
  for (const entry of [message(1), requested('terminal'), completed(null), turnEnded(1), ended]) {
    const view = only(given([started, entry]))
    assert.is(view.lastAt, timeOf(2), entry.type)
    assert.is(view.startedAt, timeOf(1), entry.type)
    assert.is(view.started, 1, entry.type)
  }
})

test('given two sessions, when entries of one come, then the other is as it was', () => {
  const other = { session: otherHandle }
  const view = given([
    started,
    { ...started, ...other },
    { ...message(1, 'turn-x'), ...other },
    { ...requested('terminal', 'x'), ...other },
    message(1, 'turn-a'),
  ])
  assert.equal([...view.keys()], [handle, otherHandle])
  assert.equal([view.get(handle)?.messages, view.get(handle)?.calls, view.get(handle)?.hostTurn], [1, 0, 'turn-a'])
  assert.equal([view.get(otherHandle)?.messages, view.get(otherHandle)?.calls, view.get(otherHandle)?.hostTurn], [1, 1, 'turn-x'])
})

test('given an open call of one session, when an answer in another names it, then it stays open', () => {
  const other = { session: otherHandle }
  const view = given([started, { ...started, ...other }, requested('terminal', 'a'), { ...completed(3), ...other }])
  assert.equal(
    view.get(handle)?.openCalls.map(({ index }) => index),
    [3],
  )
})

test('given a session, when entries of other types or of no session come, then nothing changes', () => {
  const before = only(given([started, message(1, 'turn-a')]))
  const strangers: Spoken[] = [
    { type: 'clock.stepped', facts: { from: timeOf(1), to: timeOf(0), elapsedMs: 1 }, session: '' },
    { type: 'hook.rejected', facts: { hook: '', code: 'syntax', bytes: 3, digest }, session: '' },
    { type: 'payload.erased', facts: { entries: [[1, 2]], by: 'owner', reason: 'x', bytes: 9 }, session: '' },
    { type: 'made.up', facts: { turn: 9 }, session: handle },
  ]
  assert.equal(only(given([started, message(1, 'turn-a'), ...strangers])), before)
})

test('given the words of all entries forgotten, then every count is what it was', () => {
  const story = [
    started,
    message(1, 'turn-a'),
    requested('terminal', 'a'),
    completed(3),
    turnEnded(1),
    message(2, 'turn-b'),
    ended,
  ]
  const { hostTurn: _, ...kept } = only(given(story))
  const { hostTurn, ...forgotten } = only(given(story.map(({ type, facts }) => ({ type, facts }))))
  assert.equal(forgotten, kept)
  assert.is(hostTurn, undefined)
})

test('the fold does not fail on history that it cannot make sense of', () => {
  const types = [
    'session.started',
    'message.captured',
    'tool.requested',
    'tool.completed',
    'turn.ended',
    'session.ended',
    '__proto__',
  ]
  for (const type of types) {
    for (const facts of [{}, { turn: null, arguments: null, requested: 'x', tool: 5 }]) {
      for (const session of [handle, otherHandle, '']) {
        for (const words of [undefined, {}, { turn: 5, call: null }]) {
          given([started, { type, facts, session, ...(words === undefined ? {} : { words }) }])
          given([{ type, facts, session, ...(words === undefined ? {} : { words }) }, started])
        }
      }
    }
  }
})

test('entries of a session whose beginning we never saw do no harm', () => {
  const view = given([message(1, 'turn-a'), requested('terminal', 'a'), completed(2), turnEnded(1), ended])
  assert.ok(view.size <= 1)
})

test('folding goes on from a view just as it goes from the beginning', () => {
  const story = [
    started,
    message(1, 'turn-a'),
    requested('terminal', 'a'),
    completed(3),
    turnEnded(1),
    message(2, 'turn-b'),
    ended,
  ]
  const whole = given(story)
  for (let cut = 0; cut <= story.length; cut += 1) assert.equal(given(story.slice(cut), given(story.slice(0, cut)), cut), whole)
})

test('the projection has a name, a version and an empty beginning of its own each time', () => {
  assert.is(sessions.name, 'sessions')
  assert.ok(Number.isInteger(sessions.version) && sessions.version >= 1)
  assert.is(sessions.initial().size, 0)
  assert.is.not(sessions.initial(), sessions.initial())
})

/** The view after these entries, the first of which has the index after `before`. */
function given(entries: readonly Spoken[], view: SessionsView = sessions.initial(), before = 0): SessionsView {
  return entries.reduce((folded, spoken, place) => fold(sessions, folded, entryOf(spoken, before + place + 1)), view)
}

function only(view: SessionsView): SessionView {
  assert.is(view.size, 1)
  const found = view.get(handle)
  assert.ok(found !== undefined)
  return found
}

function entryOf({ type, facts, words, session = handle }: Spoken, index: number): Entry {
  const header = {
    ...{ v: 1, ledger: '0'.repeat(32), epoch: 0, index, time: timeOf(index) },
    ...{ type, version: 1, session, payload: digest, prev: digest },
  }
  return { header, payload: facts, words }
}

function timeOf(index: number): string {
  return `2026-11-29T20:40:${String(index).padStart(2, '0')}.000Z`
}

test.run()
