// Holds the cache of turns to its vectors: one owner a turn, bounds that hold, and nothing known of one session in another.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { localTurnId, makeTurnCache, rememberAnswer, type TurnCache, type TurnEntry } from '../../../src/gates/jev/turn-cache.js'
import { JevDesk, lowRisk, riskOf, smallTalk } from '../../support/jev-desk.js'

const test = suite('turn-cache')

function owned(cache: TurnCache, session: string, turn: string, nowMs = 0, first: boolean | null = null): TurnEntry {
  const reservation = cache.reserve(session, turn, first, nowMs)
  if (reservation?.kind !== 'owner') throw new Error(`${session}/${turn} is ${reservation?.kind}`)
  return reservation.entry
}

const small = (turnsMax: number): TurnCache => makeTurnCache({ turnsMax, ttlMs: 10_000, idleMs: 5000 })

test('vector C1: the same turn twice is asked about once', () => {
  const desk = new JevDesk()
  assert.is(desk.begin('hello'), desk.begin('hello'))
  assert.is(desk.requests.turn, 1)
})

test('vector C2, pure part: of eight who come at once one owns the turn, and all see its decision', async () => {
  const cache = small(4)
  const flights = new Map<TurnEntry, Promise<void>>()
  let asked = 0
  const begin = async (): Promise<TurnEntry | undefined> => {
    const reservation = cache.reserve('s', 't', null, 0)
    if (reservation === undefined || reservation.kind === 'refused') return undefined
    const { entry } = reservation
    if (reservation.kind === 'owner') {
      const flight = Promise.resolve().then(() => {
        asked += 1
        cache.settle(entry, smallTalk, 0)
      })
      flights.set(entry, flight)
    }
    await flights.get(entry)
    return entry
  }
  const entries = await Promise.all(Array.from({ length: 8 }, begin))
  assert.is(asked, 1)
  assert.is(new Set(entries).size, 1)
  assert.is(entries[0]?.decision, smallTalk)
})

test('vector C3: the same turn id in two sessions is two turns', () => {
  const desk = new JevDesk()
  assert.is.not(desk.begin('hello', { session: 's1' }), desk.begin('hello', { session: 's2' }))
  assert.is(desk.requests.turn, 2)
})

test('vector C4 and row J15, pure part: a failure stays known, and the turn is not asked about again', () => {
  const desk = new JevDesk()
  desk.answers.turn = undefined
  desk.begin('hello')
  desk.answers.turn = smallTalk
  assert.is(desk.begin('hello')?.decision, undefined)
  assert.is(desk.requests.turn, 1)
})

test('vector C5, pure part: an answer behind the deadline is not applied', () => {
  const cache = small(4)
  const entry = owned(cache, 's', 't')
  assert.is(cache.settle(entry, undefined, 40), true)
  assert.is(cache.settle(entry, smallTalk, 80), false)
  assert.is(entry.decision, undefined)
  assert.is(entry.isReady, true)
})

test('vector C6: without a session nothing happens', () => {
  const cache = small(4)
  for (const session of [undefined, null, '', 5]) {
    assert.is(cache.reserve(session, 't', null, 0), undefined)
    assert.is(cache.find(session, 't', 0), undefined)
  }
  assert.is(cache.size(0), 0)
})

test('vector C7: a turn without an id gets one of our own, and is found by its session', () => {
  const desk = new JevDesk()
  const local = desk.begin('hello', { session: 's9', turn: '' })
  assert.match(local?.turn ?? '', /^local-[0-9a-f]{32}$/)
  assert.is(desk.cache.find('s9', undefined, 0), local)
  assert.is(localTurnId('ab'), 'local-ab')
})

test('vector C8 and row J64: with two open turns the session alone finds none', () => {
  const cache = small(4)
  const first = owned(cache, 's', 'a')
  const second = owned(cache, 's', 'b')
  assert.is(cache.find('s', undefined, 0), undefined)
  cache.complete('s', 'a', 0)
  assert.is(first.isCompleted, true)
  assert.is(cache.find('s', '', 0), second)
})

test('vector C9: where every place is taken by an open turn, a third is refused, and that can be told', () => {
  const cache = small(2)
  const kept = [owned(cache, 's', '1'), owned(cache, 's', '2')]
  assert.is(cache.reserve('s', '3', null, 0)?.kind, 'refused')
  assert.equal(
    ['1', '2'].map((turn) => cache.find('s', turn, 0)),
    kept,
  )
})

test('vector C10: a completed turn makes room, an open one stays', () => {
  const cache = small(2)
  const first = owned(cache, 's', '1')
  const second = owned(cache, 's', '2')
  cache.settle(second, smallTalk, 0)
  cache.complete('s', '2', 0)
  const third = cache.reserve('s', '3', null, 0)
  assert.is(third?.kind === 'owner' && third.evicted, second)
  assert.is(cache.find('s', '1', 0), first)
  assert.is(cache.find('s', '2', 0), undefined)
})

test('a completed turn whose question is still under way stays', () => {
  const cache = small(1)
  owned(cache, 's', '1')
  cache.complete('s', '1', 0)
  assert.is(cache.reserve('s', '2', null, 0)?.kind, 'refused')
})

test('vector C11: a turn that has to make room was seen all the same', () => {
  const cache = small(1)
  const first = owned(cache, 's', '1')
  cache.settle(first, undefined, 0)
  cache.complete('s', '1', 0)
  assert.is(owned(cache, 's', '2').conversation.prior_turn_seen, true)
})

test('vector C12 and row J13: an open turn with tools is seen in its session and in no other', () => {
  const cache = small(4)
  owned(cache, 's', '1').toolsStarted = true
  assert.equal(owned(cache, 's', '2').conversation, {
    prior_turn_seen: true,
    unresolved_task: true,
    ongoing_tool_workflow: true,
  })
  assert.equal(owned(cache, 'other', '1').conversation, {
    prior_turn_seen: false,
    unresolved_task: false,
    ongoing_tool_workflow: false,
  })
})

test('vector C13 and row J17: ten seconds old it is alive, a millisecond later it is gone, and use does not keep it', () => {
  const cache = small(4)
  const entry = owned(cache, 's', '1')
  assert.is(cache.find('s', '1', 10_000), entry)
  assert.is(cache.size(10_000), 1)
  assert.is(cache.find('s', '1', 10_001), undefined)
  assert.is(cache.size(10_001), 0)
  assert.is(cache.settle(entry, smallTalk, 10_001), false)
})

test('vector C14 and row J19: the host knows of an earlier turn where we do not; a text is no answer', () => {
  assert.is(owned(small(4), 's', '1', 0, false).conversation.prior_turn_seen, true)
  assert.is(owned(small(4), 's', '1', 0, true).conversation.prior_turn_seen, false)
  const desk = new JevDesk()
  assert.is(desk.begin('hello', { firstTurn: 'false' })?.state?.state['host_first_turn'], null)
})

test('vector C15: without the classifier risks are asked about, with an unknown intent', () => {
  const desk = new JevDesk({ classifies: false })
  desk.begin('count the rows')
  desk.assess({ args: { command: 'wc -l data.csv' } })
  assert.equal(desk.requests, { turn: 0, risk: 1, completion: 0 })
  assert.is(desk.lastPlan?.kind === 'ask' && desk.lastPlan.state.state['turn_intent'], 'unknown')
})

test('vector C18: the end of a session takes its turns and proposals, and no others', () => {
  const desk = new JevDesk()
  desk.answers.risk = riskOf([0.99, 0.9, 0.01, 0.01, 0.01, 0.01])
  for (const session of ['s1', 's2']) {
    desk.begin('send it out to bob', { session })
    desk.assess({ session, args: { command: 'mail bob' } })
  }
  desk.endSession('s1')
  assert.is(desk.cache.find('s1', 't1', 0), undefined)
  assert.is(desk.claim({ session: 's1', args: { command: 'mail bob' } }).directive, undefined)
  assert.is(desk.claim({ session: 's2', args: { command: 'mail bob' } }).directive?.action, 'approve')
})

test('compat W20: the original refuses new turns until the old ones expire; ours lets an idle one go, and never one under way', () => {
  const cache = small(2)
  const idle = owned(cache, 's', '1')
  cache.settle(idle, undefined, 0)
  owned(cache, 's', '2')
  assert.is(cache.reserve('s', '3', null, 5000)?.kind, 'refused')
  const later = cache.reserve('s', '3', null, 5001)
  assert.is(later?.kind === 'owner' && later.evicted, idle)
  assert.is(cache.reserve('s', '4', null, 9999)?.kind, 'refused')
})

test('compat W20: a turn that was broken off can be given up, which the original had no way to say', () => {
  const cache = small(1)
  const entry = owned(cache, 's', '1')
  assert.is(cache.cancel('s', '1', 0), entry)
  assert.is(cache.isCurrent(entry, 0), false)
  assert.is(cache.reserve('s', '2', null, 0)?.kind, 'owner')
})

test('a turn is current until it is completed, gone or taken by another entry', () => {
  const cache = small(2)
  const entry = owned(cache, 's', '1')
  assert.is(cache.isCurrent(entry, 0), true)
  cache.complete('s', '1', 0)
  assert.is(cache.isCurrent(entry, 0), false)
  cache.endSession('s')
  owned(cache, 's', '1')
  assert.is(cache.isCurrent(entry, 0), false)
})

test('compat W21: an answer about a call is kept for the turn, in a bound', () => {
  const entry = owned(small(1), 's', '1')
  for (let at = 0; at < 40; at += 1) rememberAnswer(entry, `d${at}`, riskOf(lowRisk))
  assert.is(entry.answered.size, 32)
  assert.is(entry.answered.has('d7'), false)
  assert.is(entry.answered.has('d8'), true)
})

test.run()
