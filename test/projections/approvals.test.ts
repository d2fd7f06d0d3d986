// Holds the view of approvals to stories told entry by entry, and its counts to a count by hand.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ApprovalStory, type ApprovalsDay, newestStories, storiesOfDayMax } from '../../src/projections/approvals.js'
import { carriedKey } from '../../src/projections/projection.js'
import { viewAsOf } from '../../src/projections/projection-runner.js'
import { RandomHistory, randomHistory } from '../support/random-history.js'

const test = suite('approvals')

const session = 's0123456789abcdef'
const digest = 'd1'.repeat(32)
const source = { source: 'attached', attach: 0, seq: 1 }

async function days(history: RandomHistory): Promise<Map<string, ApprovalsDay>> {
  const parts = await viewAsOf('approvals', history.source().storedEntries(0, history.rows.length))
  return new Map([...parts].filter(([key]) => key !== carriedKey)) as Map<string, ApprovalsDay>
}

/** The entries of one story, each told by its name. */
class Told {
  readonly history: RandomHistory
  constructor(seed: number) {
    this.history = new RandomHistory(seed)
  }
  call(tool = 'terminal'): number {
    const facts = { turn: 1, tool, arguments: { count: 0, bytes: 2, digest }, ...source }
    return this.history.add('tool.requested', 2, session, facts)
  }
  ask(judges: number, enforced = true): number {
    const facts = { gate: 'capability', gateVersion: 1, judges, asOf: judges + 1, mode: 'enforce', verdict: 'ask', code: 'c' }
    return this.history.add('gate.decided', 1, session, { ...facts, enforced })
  }
  request(call: number | null, asked = 'rule', more: object = {}): number {
    const facts = { call, surface: 'cli', asked, shown: digest, shownBytes: 4, ...source, ...more }
    return this.history.add('approval.requested', 1, session, facts)
  }
  answer(request: number | null, call: number | null, answer: string, by: string): number {
    return this.history.add('approval.answered', 1, session, { request, call, answer, by, ...source })
  }
  complete(requested: number, status = 'ok'): number {
    const facts = { turn: 1, tool: 'terminal', requested, status, argumentsDigest: digest, ...source }
    return this.history.add('tool.completed', 2, session, facts)
  }
}

const shape = ({ call, tool, wanted, request, answer, outcome }: ApprovalStory): unknown => [
  ...[call, tool, wanted, request?.index ?? null],
  answer === null ? null : `${answer.index} ${answer.answer} ${answer.by}`,
  outcome === null ? null : `${outcome.index} ${outcome.status}`,
]

test('case 64: from the question over the answer to the outcome, a call is one story, with the entry of each', async () => {
  const told = new Told(71)
  const call = told.call('write_file')
  told.ask(call)
  const request = told.request(call)
  told.answer(request, call, 'once', 'person')
  told.complete(call)
  const view = await days(told.history)
  const [day] = view.values()
  assert.equal(newestStories(view, 9).map(shape), [[0, 'write_file', 1, 2, '3 once person', '4 ok']])
  assert.equal([day?.requests, day?.asked, day?.answers, day?.by.person], [1, { rule: 1, host: 0 }, 1, 1])
  assert.equal(day?.ranWithout, { unasked: 0, refused: 0, early: 0 })
})

test('case 64: a file that was changed before the prompt was answered is told as such; so is a call that nobody was asked about', async () => {
  const told = new Told(72)
  const early = told.call('write_file')
  const request = told.request(early, 'host')
  told.complete(early)
  told.answer(request, early, 'once', 'person')
  const unasked = told.call()
  told.ask(unasked)
  told.complete(unasked)
  const refused = told.call()
  const second = told.request(refused)
  told.answer(second, refused, 'deny', 'person')
  told.complete(refused)
  // As it should be: refused and not run; a rule that only observes asks nobody; a call that nobody wanted asked.
  const blocked = told.call()
  told.answer(told.request(blocked), blocked, 'deny', 'person')
  told.complete(blocked, 'blocked')
  const observed = told.call()
  told.ask(observed, false)
  told.complete(observed)
  told.complete(told.call())
  const view = await days(told.history)
  const [day] = view.values()
  assert.equal(day?.ranWithout, { unasked: 1, refused: 1, early: 1 })
  assert.equal(newestStories(view, 9).map(shape), [
    [11, 'terminal', null, 12, '13 deny person', '14 blocked'],
    [7, 'terminal', null, 8, '9 deny person', '10 ok'],
    [4, 'terminal', 5, null, null, '6 ok'],
    [0, 'write_file', null, 1, '3 once person', '2 ok'],
  ])
})

test('by surface, answer and answerer; lasting answers, unknown requests and those that nobody answers any more', async () => {
  const told = new Told(73)
  const one = told.call()
  told.answer(told.request(one), one, 'always', 'person')
  told.answer(told.request(null, 'host'), null, 'session', 'person')
  told.answer(null, null, 'once', 'model')
  told.request(told.call())
  told.request(null, 'host', { probe: true })
  told.history.add('session.ended', 2, session, { reason: 'shutdown', ...source })
  const [day] = (await days(told.history)).values()
  assert.equal([day?.requests, day?.answers, day?.lasting, day?.unknownRequest, day?.unanswered, day?.probes], [3, 3, 2, 1, 1, 1])
  assert.equal(day?.answered, { always: { answers: 1 }, session: { answers: 1 }, once: { answers: 1 } })
  assert.equal(day?.by, { person: 2, model: 1, nobody: 0, unknown: 0 })
  assert.equal(day?.surfaces, { cli: { requests: 3, answers: 2 }, '': { requests: 0, answers: 1 } })
  assert.equal([day?.waited.answers, day?.waited.sumMs], [2, 0], 'all of these entries have one time')
})

test('more stories than a day lists are counted all the same', async () => {
  const told = new Told(74)
  for (let at = 0; at < storiesOfDayMax + 3; at += 1) told.answer(told.request(null), null, 'once', 'person')
  const [day] = (await days(told.history)).values()
  assert.equal([day?.requests, day?.listed.length, day?.listed[0]?.request?.index], [103, 100, 6])
})

test('requests and answers of each day are what a count by hand gives, for histories of any kind', async () => {
  for (const seed of [75, 76]) {
    const history = randomHistory(seed, 500)
    for (const [date, day] of await days(history)) {
      const real = history.made.filter(({ time, counts, facts }) => time.startsWith(date) && counts && facts['probe'] !== true)
      const requests = real.filter(({ type }) => type === 'approval.requested')
      const answers = real.filter(({ type }) => type === 'approval.answered')
      const of = (facts: string, value: string, some: typeof real): number =>
        some.filter(({ facts: told }) => told[facts] === value).length
      assert.equal([day.requests, day.answers], [requests.length, answers.length], date)
      assert.equal(day.asked, { rule: of('asked', 'rule', requests), host: of('asked', 'host', requests) })
      for (const by of ['person', 'model', 'nobody', 'unknown'] as const) assert.is(day.by[by], of('by', by, answers))
      assert.is(day.lasting, of('answer', 'always', answers))
    }
  }
})

test.run()
