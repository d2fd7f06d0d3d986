// Holds the fold of one session to what its entries say: given entries, when one more comes, then what hooks and gates may know.
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Entry, Header } from '../../src/events/entry.js'
import { definitionOf } from '../../src/events/event-catalog.js'
import { fold } from '../../src/projections/projection.js'
import { entriesForContext, type SessionContext, sessionContext, withoutPlaces } from '../../src/projections/session-context.js'

const test = suite('session-context')

const handle = 's0123456789abcdef'
const digest = 'd1'.repeat(32)
const otherDigest = 'd2'.repeat(32)
const source = 'unattested'

interface Spoken {
  readonly type: string
  readonly facts: Record<string, unknown>
  readonly words?: Record<string, unknown>
  readonly session?: string
  /** The newest one where it is left out. */
  readonly version?: number
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
const skipped = (turn: number): Spoken => ({
  type: 'message.skipped',
  facts: { turn, platform: 'cron', characters: 2, why: 'cron', source },
})
const requested = (tool: string, call?: string, argumentsDigest = digest, turn = 1): Spoken => ({
  type: 'tool.requested',
  facts: { turn, tool, arguments: { count: 0, bytes: 2, digest: argumentsDigest }, source },
  words: call === undefined ? {} : { call },
})
const completed = (request: number | null, tool = 'terminal', turn = 1): Spoken => ({
  type: 'tool.completed',
  facts: { turn, tool, requested: request, status: 'ok', argumentsDigest: digest, source },
  words: {},
})
const turnEnded = (turn: number): Spoken => ({ type: 'turn.ended', facts: { turn, completed: true, source }, words: {} })
const linked: Spoken = { type: 'session.linked', facts: { parent: null, why: 'compression', source }, words: { parent: 'old' } }
const ended: Spoken = { type: 'session.ended', facts: { reason: 'shutdown', source } }

/** The same from the process that attached with this entry. */
const from = (attach: number, spoken: Spoken): Spoken => ({
  ...spoken,
  facts: { ...spoken.facts, source: 'attached', attach, seq: 1 },
})

test('given nothing, the session has not begun and nobody speaks for it', () => {
  assert.equal(given([]), {
    ...{ begun: false, owner: undefined, turns: 0, hostTurn: undefined, linked: false },
    ...{ openCalls: [], openApprovals: [] },
  })
})

test('given nothing, when a session starts, then it has begun and done nothing yet', () => {
  assert.equal(given([started]), {
    begun: true,
    owner: undefined,
    turns: 0,
    hostTurn: undefined,
    linked: false,
    openCalls: [],
    openApprovals: [],
  })
})

test('given the end of a session alone, when any entry of it comes, then it has begun', () => {
  for (const entry of [message(1), skipped(1), requested('terminal'), completed(null), turnEnded(1), ended])
    assert.is(given([entry]).begun, true, entry.type)
})

test('given a link alone, then the session is linked and has not begun: who sent a child out links it before it speaks', () => {
  const seen = given([from(4, linked)])
  assert.equal([seen.begun, seen.linked, seen.owner], [false, true, 4])
})

test('given a session, when messages are captured or skipped, then turns are counted and the newest host turn is known', () => {
  const seen = given([started, message(1, 'turn-a'), message(2, 'turn-b'), message(3, 'turn-c')])
  assert.equal([seen.turns, seen.hostTurn], [3, 'turn-c'])
  const after = given([started, message(1, 'turn-a'), skipped(2)])
  assert.equal([after.turns, after.hostTurn], [2, undefined])
})

test('given a turn, when the host’s own review or something out of an unknown turn comes, then the turn goes on', () => {
  for (const entry of [skipped(0), turnEnded(0), requested('terminal', 'a', digest, 0), completed(null, 'terminal', 0)]) {
    const seen = given([started, message(1, 'turn-a'), entry])
    assert.equal([seen.turns, seen.hostTurn], [1, 'turn-a'], entry.type)
  }
})

test('given a turn with a host id, when the next one comes without one or its words are gone, then no host turn is known', () => {
  assert.is(given([started, message(1, 'turn-a'), message(2)]).hostTurn, undefined)
  const seen = given([started, message(1, 'turn-a'), { type: 'message.captured', facts: message(2).facts }])
  assert.equal([seen.turns, seen.hostTurn], [2, undefined])
})

test('given an open call, when a gate refuses it and the host is held to that, then the decision is known until it comes back', () => {
  const reached: Spoken = {
    type: 'access.proposed',
    facts: {
      ...{ call: 2, tool: 'terminal', skill: '', lineage: [], attended: 'unknown', asks: 'unknown_host' },
      ...{ touches: 0, writes: 0, commands: 0 },
    },
    words: { touches: [], programs: [], operands: [] },
  }
  const decided = (verdict: string, enforced: boolean, judges = 3): Spoken => ({
    type: 'gate.decided',
    facts: { gate: 'capability', gateVersion: 1, judges, asOf: 4, mode: 'enforce', verdict, code: 'x', enforced },
    words: { reason: '' },
  })
  const denied = (...entries: Spoken[]) => given([started, requested('terminal', 'a'), ...entries]).openCalls[0]?.denied
  assert.is(denied(reached, decided('deny', true)), 4)
  assert.is(denied(reached, decided('deny', false)), undefined)
  assert.is(denied(reached, decided('allow', true)), undefined)
  assert.is(denied(reached, decided('deny', true, 9)), undefined)
})

test('given the newest entries of a long session alone, then the turns before them are counted too', () => {
  for (const entry of [turnEnded(41), requested('terminal', 'a', digest, 41), completed(null, 'terminal', 41)]) {
    const seen = given([entry])
    assert.equal([seen.turns, seen.hostTurn], [41, undefined], entry.type)
  }
})

test('given a session, when an attached host speaks, then it speaks for it until another one does', () => {
  assert.is(given([from(4, started)]).owner, 4)
  assert.is(given([started, from(4, message(1))]).owner, 4)
  for (const entry of [message(2), skipped(2), requested('x'), completed(null), turnEnded(1), linked, ended]) {
    assert.is(given([from(4, started), entry]).owner, 4, `${entry.type} that nobody vouches for`)
    assert.is(given([from(4, started), from(9, entry)]).owner, 9, `${entry.type} of the next host`)
  }
})

test('given a session of a host, when somebody foreign was recorded, then it is still the host’s', () => {
  const foreign: Spoken = {
    type: 'hook.foreign',
    facts: { hook: 'pre_tool_call', why: 'other_attach', attach: 4, speaker: 9, bytes: 2, digest },
  }
  assert.equal(given([from(4, started), foreign]), given([from(4, started)]))
})

test('given nothing but strangers who were kept out, then it is known whose session it is, unless they only named somebody', () => {
  const foreign = (why: string): Spoken => ({
    type: 'hook.foreign',
    facts: { hook: 'pre_tool_call', why, attach: 4, bytes: 2, digest },
  })
  for (const why of ['no_attach', 'other_attach']) {
    const { begun, owner, turns } = given([foreign(why)])
    assert.equal([begun, owner, turns], [true, 4, 0], why)
  }
  assert.equal(given([foreign('bad_mac')]), given([]))
  assert.is(given([from(9, started), foreign('bad_mac')]).owner, 9)
})

test('given a session, when it is linked, then that is known', () => {
  assert.is(given([started]).linked, false)
  assert.is(given([started, linked, message(1)]).linked, true)
})

test('given a session, when a tool is asked for, then the call stays open under its index', () => {
  const seen = given([started, message(1), requested('terminal', 'call-1'), requested('read_file', 'call-2', otherDigest)])
  assert.equal(seen.openCalls, [
    { index: 3, tool: 'terminal', call: 'call-1', argumentsDigest: digest, judged: [] },
    { index: 4, tool: 'read_file', call: 'call-2', argumentsDigest: otherDigest, judged: [] },
  ])
})

test('given open calls, when one of them is answered, then only that one is closed', () => {
  const calls = [requested('terminal', 'a'), requested('terminal', 'b'), requested('terminal', 'c')]
  assert.equal(indicesOf(given([started, ...calls, completed(3)])), [2, 4])
  assert.equal(indicesOf(given([started, ...calls, completed(3), completed(3)])), [2, 4], 'and again')
})

test('given open calls, when an answer to a call that we never saw comes, then none is closed', () => {
  assert.equal(indicesOf(given([started, requested('terminal', 'a'), completed(null)])), [2])
  assert.equal(indicesOf(given([started, requested('terminal', 'a'), completed(77)])), [2])
})

test('given a call without a host id, or with words that are gone, then it is open and known by its arguments alone', () => {
  for (const call of [requested('terminal'), { type: 'tool.requested', facts: requested('terminal').facts }]) {
    assert.equal(given([started, call]).openCalls, [
      { index: 2, tool: 'terminal', call: undefined, argumentsDigest: digest, judged: [] },
    ])
  }
})

test('given calls that never come back, then the 64 newest are remembered', () => {
  const calls = Array.from({ length: 70 }, (_, at) => requested('terminal', `call-${at}`))
  assert.equal(
    given(calls).openCalls.map(({ call }) => call),
    calls.slice(6).map(({ words }) => words?.['call']),
  )
})

const file = { before: null, after: otherDigest, foretold: true }
const proposed = (call: number, places: readonly string[] | undefined, more: Record<string, unknown> = {}): Spoken => ({
  type: 'write.proposed',
  facts: {
    ...{ call, tool: 'skill_manage', target: 'skill', targetDigest: digest, readable: true, operations: 1, removedOnly: false },
    ...{ strategies: [], judged: { texts: 1, bytes: 1 }, stored: { texts: 0, bytes: 0 } },
    files: (places ?? ['']).map(() => file),
    ...more,
  },
  ...(places === undefined ? {} : { words: { places, judged: [], stored: [] } }),
})
const asked = requested('skill_manage', 'a')
/** Of each open call the files that its write is known to change; those that another may have touched have a star. */
const writesOf = ({ openCalls }: SessionContext) =>
  openCalls.map(({ write }) => write?.files.map(({ place, disturbed }) => `${place}${disturbed ? '*' : ''}`))

test('given an open call, when it is said what it would write, then its files are known until it comes back', () => {
  const seen = given([started, asked, proposed(2, ['a/x.md'])])
  assert.equal(seen.openCalls, [
    {
      ...{ index: 2, tool: 'skill_manage', call: 'a', argumentsDigest: digest, judged: [3] },
      write: {
        ...{ index: 3, time: timeOf(3), target: 'skill', isWhole: true },
        files: [{ ...file, place: 'a/x.md', disturbed: false }],
      },
    },
  ])
  assert.equal(given([started, asked, proposed(2, ['a/x.md']), completed(2)]).openCalls, [])
  assert.equal(given([started, proposed(9, ['a/x.md'])]), given([started]), 'of a call that is not open')
})

test('given words that are gone, or a place that was too long to keep, then where the file lies is not known', () => {
  for (const places of [undefined, ['']]) assert.equal(writesOf(given([asked, proposed(1, places)])), [['undefined']])
})

test('given two open writes, when they may touch the same file, then both know that the other may have been there', () => {
  const both = (one: readonly string[] | undefined, two: readonly string[] | undefined, more?: Record<string, unknown>) =>
    writesOf(given([asked, asked, proposed(1, one), proposed(2, two, more)]))
  assert.equal(both(['a/x.md', 'a/y.md'], ['a/y.md']), [['a/x.md', 'a/y.md*'], ['a/y.md*']])
  assert.equal(both(['a/x.md'], ['b/x.md']), [['a/x.md'], ['b/x.md']])
  // What is not known of one may be anything of its kind.
  assert.equal(both(['a/x.md'], undefined), [['a/x.md*'], ['undefined']])
  assert.equal(both(['a/x.md'], [], { removedOnly: true }), [['a/x.md*'], []])
  assert.equal(both(['a/x.md'], [], { readable: false, target: 'unknown' }), [['a/x.md*'], []])
  assert.equal(both(['a/x.md'], ['b/x.md'], { files: [{ ...file, foretold: false }] }), [['a/x.md*'], ['b/x.md']])
  assert.equal(both(['a/x.md'], ['memory'], { target: 'memory' }), [['a/x.md'], ['memory']])
})

test('given a write that has come back, or one that never did and is long gone, then it disturbs no other', () => {
  const seen = given([asked, proposed(1, ['a/x.md']), completed(1), asked, proposed(4, ['a/x.md'])])
  assert.equal(writesOf(seen), [['a/x.md']])
  const later = given([asked, proposed(1, ['a/x.md']), asked])
  const [open] = later.openCalls
  assert.ok(open?.write !== undefined)
  const old = {
    ...later,
    openCalls: [{ ...open, write: { ...open.write, time: '2026-11-29T20:30:00.000Z' } }, ...later.openCalls.slice(1)],
  }
  assert.equal(writesOf(given([proposed(3, ['a/x.md'])], old, 3)), [['a/x.md'], ['a/x.md']])
})

test('given a write, when words are forgotten, then where its files lie is known no more', () => {
  const seen = given([asked, requested('terminal', 'b'), proposed(1, ['a/x.md'])])
  assert.equal(withoutPlaces(seen), given([asked, requested('terminal', 'b'), proposed(1, undefined)]))
})

test('given a session, when entries come that say nothing of it, then nothing changes', () => {
  const strangers: Spoken[] = [
    { type: 'clock.stepped', facts: { from: timeOf(1), to: timeOf(0), elapsedMs: 1 }, session: '' },
    { type: 'hook.rejected', facts: { hook: '', code: 'syntax', bytes: 3, digest, source }, session: '' },
    { type: 'payload.erased', facts: { entries: [[1, 2]], by: 'owner', reason: 'x', bytes: 9 }, session: '' },
    { type: 'mismatch.found', facts: { kind: 'arguments', judged: 1, ran: digest } },
    { type: 'made.up', facts: { turn: 9, attach: 7 } },
  ]
  for (const stranger of strangers)
    assert.equal(given([started, message(1, 'turn-a'), stranger]), given([started, message(1, 'turn-a')]), stranger.type)
})

const story = [
  from(4, started),
  linked,
  message(1, 'turn-a'),
  requested('terminal', 'a'),
  requested('terminal', 'b'),
  proposed(5, ['a/x.md']),
  completed(4),
  turnEnded(1),
  message(2, 'turn-b'),
  ended,
]

test('given the words of all entries forgotten, then all but the host’s own ids, and where files lie, is what it was', () => {
  const forgotten = given(story.map(({ type, facts }) => ({ type, facts })))
  const kept = given(story)
  assert.equal(forgotten, {
    ...kept,
    hostTurn: undefined,
    openCalls: withoutPlaces(kept).openCalls.map((open) => ({ ...open, call: undefined })),
  })
})

test('folding goes on from a view just as it goes from the beginning', () => {
  const whole = given(story)
  for (let cut = 0; cut <= story.length; cut += 1) assert.equal(given(story.slice(cut), given(story.slice(0, cut)), cut), whole)
})

test('the fold does not fail on history that it cannot make sense of, and passes over it', () => {
  const types = [
    'session.started',
    'message.captured',
    'tool.requested',
    'tool.completed',
    'write.proposed',
    'turn.ended',
    'session.ended',
  ]
  for (const type of [...types, 'message.skipped', 'session.linked', '__proto__']) {
    for (const facts of [{}, { turn: null, arguments: null, requested: 'x', tool: 5, attach: 'x', source: 'attached' }]) {
      for (const version of [0, 1, 2, 99]) {
        for (const words of [undefined, {}, { turn: 5, call: null }]) {
          const strange = { type, facts, version, ...(words === undefined ? {} : { words }) }
          assert.equal(given([started, strange]), given([started]), `${type}@${version}`)
          given([strange, started])
        }
      }
    }
  }
})

test('entries of the first version, written before hosts attached, say what they said then', () => {
  const first = story.filter(({ type }) => type !== 'session.linked').map((spoken) => ({ ...spoken, version: 1 }))
  const unattested = first.map((spoken) => {
    const { attach: _, seq: __, ...facts } = spoken.facts
    return { ...spoken, facts: { ...facts, source } }
  })
  const seen = given(unattested)
  assert.equal([seen.begun, seen.owner, seen.turns, seen.hostTurn], [true, undefined, 2, 'turn-b'])
  // Without the link each entry stands one place before: the second request is the one that was answered.
  assert.equal(indicesOf(seen), [3])
})

test('the ledger of version 0.1.0 folds: one session of six turns, all calls answered, and nobody vouched for it', () => {
  const lines = readFileSync(new URL('../frozen/ledger-0.1.0.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  const entries = lines
    .map((line) => JSON.parse(line) as Header & { data: Entry['payload']; words?: Entry['words'] })
    .filter((line) => 'index' in line && line.session !== '')
    .map(({ data, words, ...header }): Entry => ({ header, payload: data, words }))
  assert.is(new Set(entries.map(({ header }) => header.session)).size, 1)
  assert.ok(entries.every(({ header }) => header.version === 1))
  const seen = entries.reduce((view, entry) => fold(sessionContext, view, entry), sessionContext.initial())
  const { hostTurn, ...rest } = seen
  assert.equal(rest, { begun: true, owner: undefined, turns: 6, linked: false, openCalls: [], openApprovals: [] })
  assert.type(hostTurn, 'string')
})

test('the projection has a name, a version, an empty beginning, and needs no more than its newest entries', () => {
  assert.is(sessionContext.name, 'session-context')
  assert.ok(Number.isInteger(sessionContext.version) && sessionContext.version >= 1)
  assert.equal(sessionContext.initial(), sessionContext.initial())
  // Of a turn each call leaves up to three entries; what is open and newest stands at the end.
  const long = Array.from({ length: 1000 }, (_, at) => [message(at + 1, `turn-${at}`), requested('x', `call-${at}`)]).flat()
  const newest = given(long.slice(-entriesForContext), sessionContext.initial(), long.length - entriesForContext)
  assert.equal(newest, given(long))
})

/** The view after these entries, the first of which has the index after `before`. */
function given(entries: readonly Spoken[], view: SessionContext = sessionContext.initial(), before = 0): SessionContext {
  return entries.reduce((folded, spoken, place) => fold(sessionContext, folded, entryOf(spoken, before + place + 1)), view)
}

function indicesOf({ openCalls }: SessionContext): number[] {
  return openCalls.map(({ index }) => index)
}

function entryOf({ type, facts, words, session = handle, version }: Spoken, index: number): Entry {
  const header = {
    ...{ v: 1, ledger: '0'.repeat(32), epoch: 0, index, time: timeOf(index) },
    ...{ type, version: version ?? definitionOf(type)?.version ?? 1, session, payload: digest, prev: digest },
  }
  return { header, payload: facts, words }
}

function timeOf(index: number): string {
  return `2026-11-29T20:40:${String(index % 60).padStart(2, '0')}.000Z`
}

test.run()
