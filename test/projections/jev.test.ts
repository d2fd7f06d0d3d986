// Holds the view of the Jev stage to stories told entry by entry, and its counts to a count by hand over histories of any kind.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { changesOfDayMax, type JevDay, jev, newestProposals } from '../../src/projections/jev.js'
import { type JevStory, jevStoryMax, type OpenStories } from '../../src/projections/jev-stories.js'
import { carriedKey } from '../../src/projections/projection.js'
import { viewAsOf } from '../../src/projections/projection-runner.js'
import { llmCall } from '../support/hook-house.js'
import { riskOf } from '../support/jev-desk.js'
import { type RandomHistory, randomHistory } from '../support/random-history.js'
import { begin, inShadow, run, stagedHouse } from '../support/stage-house.js'
import { answerOf, completionJudged, jevSession, riskJudged, ToldJev } from '../support/told-jev.js'

const test = suite('jev')

async function parts(history: RandomHistory): Promise<Map<string, unknown>> {
  return viewAsOf('jev', history.source().storedEntries(0, history.rows.length))
}

async function days(history: RandomHistory): Promise<Map<string, JevDay>> {
  return daysOf(await parts(history))
}

function daysOf(view: ReadonlyMap<string, unknown>): Map<string, JevDay> {
  return new Map([...view].filter(([key]) => key !== carriedKey)) as Map<string, JevDay>
}

async function oneDay(told: ToldJev): Promise<JevDay> {
  const [day, ...others] = (await days(told.history)).values()
  assert.ok(day !== undefined && others.length === 0)
  return day
}

test('predicted against applied, by stage and mode; what was kept back says why; inputs that were not whole are counted apart', async () => {
  const told = new ToldJev(81)
  told.classified()
  told.classified({ complete: false })
  told.proposed(['destructive'], riskJudged({ destructive: 900_000 }))
  told.proposed(['destructive'], riskJudged({ destructive: 900_000 }), { applied: false, why: 'order_unsafe' })
  told.proposed(['incomplete_input'], riskJudged(), { mode: 'shadow', applied: false, why: 'shadow', complete: false })
  told.proposed([], undefined, { stage: 'shaping', proposal: 'narrow', mode: 'shadow', applied: false, why: 'shadow' })
  told.low(riskJudged())
  told.abstained('unattended')
  told.failed('timeout', 2000)
  told.nudged(completionJudged(900_000))
  told.nudged(completionJudged(900_000), { mode: 'shadow', applied: false })
  const { stages, unapplied, abstentions, failures, triggers } = await oneDay(told)
  const none = { classified: 0, predicted: 0, applied: 0, abstained: 0, failed: 0, incomplete: 0 }
  assert.equal(stages, {
    'turn shadow': { ...none, classified: 2, incomplete: 1 },
    'risk enforce': { ...none, predicted: 2, applied: 1, abstained: 2, failed: 1 },
    'risk shadow': { ...none, predicted: 1, incomplete: 1 },
    'shaping shadow': { ...none, predicted: 1 },
    'completion enforce': { ...none, predicted: 1, applied: 1 },
    'completion shadow': { ...none, predicted: 1 },
  })
  assert.equal(unapplied, {
    'risk order_unsafe': { proposals: 1 },
    'risk shadow': { proposals: 1 },
    'shaping shadow': { proposals: 1 },
    'completion shadow': { proposals: 1 },
  })
  assert.equal(abstentions, { 'risk low': { entries: 1 }, 'risk unattended': { entries: 1 } })
  assert.equal(failures, { 'risk timeout': { entries: 1 } })
  assert.equal(triggers, { destructive: { predicted: 2, applied: 1 }, incomplete_input: { predicted: 1, applied: 0 } })
})

test('each answer is held against its threshold of then, as the gate does, and stands in its tenth', async () => {
  const told = new ToldJev(82)
  // At the threshold asks; a hair below does not; a threshold of its own wins; an answer of a whole one is in the last tenth.
  told.proposed(['destructive'], riskJudged({ destructive: 800_000 }))
  told.low(riskJudged({ destructive: 799_999 }))
  told.proposed(
    ['destructive'],
    riskJudged({ destructive: 500_000 }, { thresholds: { approval: 800_000, uncertain: 500_000, destructive: 500_000 } }),
  )
  told.proposed(['destructive'], riskJudged({ destructive: 1_000_000, action_requested: 200_000 }))
  told.proposed(['action_not_requested'], riskJudged({ action_requested: 199_999 }))
  // Not whole: counted, and in no tenth.
  told.proposed(['destructive', 'incomplete_input'], riskJudged({ destructive: 900_000 }), { complete: false })
  // No decision: nothing to hold against anything.
  told.abstained('no_decision', { complete: true, truncated: false, redacted: false, risk: withoutAnswers() })
  told.nudged(completionJudged(850_000))
  told.abstained('low', {
    ...{ stage: 'completion', complete: true, truncated: false, redacted: false, ...answerOf(1) },
    completion: completionJudged(849_999),
  })
  const { answers } = await oneDay(told)
  const tenths = { '0.8': 1, '0.7': 1, '0.5': 1, '0.9': 1, '0.0': 1 }
  assert.equal(answers['risk destructive'], { answers: 5, beyond: 3, incomplete: 1, tenths })
  // 0.2 against 1 - 0.8 asks for nothing, and what is below does.
  assert.equal(answers['risk action_requested'], {
    ...{ answers: 5, beyond: 1, incomplete: 1 },
    tenths: { '0.9': 3, '0.2': 1, '0.1': 1 },
  })
  // The least sure of each: 0.8, 0.799999, 0.5 (not below 0.5), 0.8, 0.800001.
  assert.equal(answers['risk confidence'], { answers: 5, beyond: 0, incomplete: 1, tenths: { '0.8': 3, '0.7': 1, '0.5': 1 } })
  assert.equal(answers['completion claims_complete'], { answers: 2, beyond: 1, incomplete: 0, tenths: { '0.8': 2 } })
  assert.equal(answers['completion verification_evidence_present'], {
    ...{ answers: 2, beyond: 0, incomplete: 0 },
    tenths: { '0.9': 2 },
  })
})

function withoutAnswers() {
  const { answers: _, confidence: __, ...rest } = riskJudged()
  return rest
}

test('requests are those that were sent, once each: a failure is not counted again beside what came of it, and one that nobody sent is none', async () => {
  const told = new ToldJev(83)
  told.classified(answerOf(40))
  told.low(riskJudged(), answerOf(100))
  // Given before in this turn: nobody was asked.
  told.low(riskJudged(), { asked: undefined, answered: undefined, latency: undefined, tokens: undefined })
  told.failed('timeout', 2000)
  told.abstained('no_decision', { asked: 'jev-1.13.0', latency: 2000, failure: 'timeout' })
  told.failed('circuit_open', 0)
  told.failed('capacity', 0)
  told.failed('budget_spent', 0)
  told.nudged(completionJudged(900_000), { ...answerOf(300), tokens: undefined })
  const { requests, latency, tokens, failures } = await oneDay(told)
  assert.is(requests, 4)
  assert.equal(latency, {
    'turn answered': { requests: 1, sumMs: 40, maxMs: 40, buckets: { 40: 1 } },
    'risk answered': { requests: 1, sumMs: 100, maxMs: 100, buckets: { 100: 1 } },
    'risk failed': { requests: 1, sumMs: 2000, maxMs: 2000, buckets: { 2000: 1 } },
    'completion answered': { requests: 1, sumMs: 300, maxMs: 300, buckets: { 300: 1 } },
  })
  assert.equal(tokens, { turn: { answers: 1, input: 1000, output: 10 }, risk: { answers: 1, input: 1000, output: 10 } })
  assert.is(Object.keys(failures).length, 4)
})

test('models by who was asked and who answered; a change is told with its entry, the first answer is none', async () => {
  const told = new ToldJev(84)
  told.classified()
  told.low(riskJudged())
  const changed = told.low(riskJudged(), answerOf(5, 'jev-1.14.0'))
  told.failed('timeout', 1)
  const back = told.nudged(completionJudged(900_000))
  const { models, changes } = await oneDay(told)
  assert.equal(models, { 'jev-1.13.0 jev-1.13.0': { answers: 3 }, 'jev-1.13.0 jev-1.14.0': { answers: 1 } })
  assert.equal(
    changes.map(({ index, from, to }) => [index, from, to]),
    [
      [changed, 'jev-1.13.0', 'jev-1.14.0'],
      [back, 'jev-1.14.0', 'jev-1.13.0'],
    ],
  )
  for (let at = 0; at < changesOfDayMax; at += 1) told.classified(answerOf(1, `jev-2.${at}`))
  const more = await oneDay(told)
  assert.equal([more.changes.length, more.changes.at(0)?.to], [changesOfDayMax, 'jev-2.0'])
})

const shape = ({ index, proposal, call, settled, answer, check }: JevStory): unknown => [
  ...[index, proposal, call],
  settled === null ? null : `${settled.index} ${settled.fate} ${settled.applied}`,
  answer === null ? null : `${answer.index} ${answer.outcome}`,
  check === null ? null : `${check.index} ${check.passed}`,
]

test('a proposal is one story, from its entry over its fate to the answer of the prompt', async () => {
  const told = new ToldJev(85)
  const proposal = told.proposed(['destructive'], riskJudged({ destructive: 900_000 }))
  const call = told.call()
  const settled = told.settled(proposal, call, 'consumed', true, { action: 'approve' })
  const answered = told.answer(told.ask(call), 'once')
  told.complete(call)
  const nudged = told.nudged(completionJudged(900_000))
  const checked = told.checked(false)
  const lapsed = told.proposed(['uncertain'], riskJudged({ irreversible: 500_000 }))
  const expired = told.settled(lapsed, undefined, 'expired', false)
  const view = await days(told.history)
  assert.equal(newestProposals(view, 9).map(shape), [
    [lapsed, 'approve', null, `${expired} expired false`, null, null],
    [nudged, 'continue', null, null, null, `${checked} false`],
    [proposal, 'approve', call, `${settled} consumed true`, `${answered} approved`, null],
  ])
  assert.equal((await oneDay(told)).fates, {
    consumed: { proposals: 1, applied: 1 },
    expired: { proposals: 1, applied: 0 },
  })
})

test('calibration: answered prompts by trigger and by the tenth of the answer behind it; a model and nobody are no person', async () => {
  const told = new ToldJev(86)
  const high = riskJudged({ destructive: 950_000 })
  told.prompted(['destructive'], high, 'once')
  told.prompted(['destructive'], high, 'deny')
  told.prompted(['destructive'], riskJudged({ destructive: 810_000 }), 'always')
  told.prompted(['destructive'], high, 'timeout', 'nobody')
  told.prompted(['destructive'], high, 'smart_approve', 'model')
  told.prompted(['action_not_requested', 'uncertain'], riskJudged({ action_requested: 100_000, irreversible: 400_000 }), 'deny')
  // Without an answer behind it, or with an input that was not whole: the trigger alone.
  told.prompted(['plainly_destructive'], withoutAnswers(), 'deny')
  told.prompted(['destructive', 'incomplete_input'], high, 'once', 'person', { complete: false })
  const none = { prompts: 0, approved: 0, denied: 0, model: 0, nobody: 0 }
  assert.equal((await oneDay(told)).prompts, {
    'destructive 0.9': { prompts: 4, approved: 1, denied: 1, model: 1, nobody: 1 },
    'destructive 0.8': { ...none, prompts: 1, approved: 1 },
    'action_not_requested 0.1': { ...none, prompts: 1, denied: 1 },
    'uncertain 0.6': { ...none, prompts: 1, denied: 1 },
    plainly_destructive: { ...none, prompts: 1, denied: 1 },
    destructive: { ...none, prompts: 1, approved: 1 },
    incomplete_input: { ...none, prompts: 1, approved: 1 },
  })
})

test('calibration: a prompt is of the call that has the arguments that were assessed, also where the stage only watches', async () => {
  const told = new ToldJev(87)
  const risk = riskJudged({ destructive: 950_000 })
  const shadow = { mode: 'shadow', applied: false, why: 'shadow' }
  // Assessed twice and run once: one prompt, of the newest.
  told.proposed(['destructive'], riskJudged({ destructive: 850_000 }), shadow)
  told.proposed(['destructive'], risk, shadow)
  told.answer(told.ask(told.call()), 'deny')
  // Of other arguments, of no call that is known, of the doctor, of another session.
  told.proposed(['destructive'], risk, shadow)
  told.answer(told.ask(told.call(false)), 'once')
  told.answer(told.ask(null), 'once')
  told.session = 's00000000000000ff'
  told.answer(told.ask(told.call()), 'once')
  told.session = jevSession
  const call = told.call()
  told.ask(call, { probe: true })
  told.answer(null, 'once')
  // Back before anybody was asked: a prompt behind it is about something else. So is one behind the end of the session.
  told.complete(call)
  told.answer(told.ask(call), 'once')
  told.proposed(['destructive'], risk, shadow)
  const left = told.call()
  told.ended()
  told.answer(told.ask(left), 'once')
  const { prompts } = await oneDay(told)
  assert.equal(prompts, { 'destructive 0.9': { prompts: 1, approved: 0, denied: 1, model: 0, nobody: 0 } })
})

test('calibration: a call that came with other arguments is told by the fate of the proposal; fates by what the host heard', async () => {
  const told = new ToldJev(94)
  const proposal = told.proposed(['destructive'], riskJudged({ destructive: 950_000 }))
  const call = told.call(false)
  told.settled(proposal, call, 'mismatched', true, { action: 'approve', why: 'arguments_changed' })
  told.answer(told.ask(call), 'deny')
  const unheard = told.proposed(['destructive'], riskJudged({ destructive: 950_000 }))
  told.settled(unheard, told.call(), 'consumed', false, { why: 'unattended' })
  const { prompts, fates } = await oneDay(told)
  assert.equal(prompts, { 'destructive 0.9': { prompts: 1, approved: 0, denied: 1, model: 0, nobody: 0 } })
  assert.equal(fates, {
    'mismatched arguments_changed': { proposals: 1, applied: 1 },
    'consumed unattended': { proposals: 1, applied: 0 },
  })
})

test('calibration: the first check behind a request for one more pass counts, until the next message or the end of the session', async () => {
  const told = new ToldJev(88)
  told.nudged(completionJudged(860_000))
  told.checked(null)
  told.checked(false)
  told.checked(true)
  told.nudged(completionJudged(950_000))
  told.checked(true)
  told.nudged(completionJudged(950_000), { mode: 'shadow', applied: false })
  told.message()
  told.checked(false)
  told.nudged(completionJudged(950_000))
  told.ended()
  told.checked(false)
  told.nudged(completionJudged(950_000))
  told.session = 's00000000000000ff'
  told.checked(false)
  const { nudges, checks } = await oneDay(told)
  assert.equal(nudges, {
    'applied 0.8': { nudges: 1, failed: 1, passed: 0 },
    'applied 0.9': { nudges: 3, failed: 0, passed: 1 },
    'kept_back 0.9': { nudges: 1, failed: 0, passed: 0 },
  })
  assert.equal(checks, { pytest: { passed: 2, failed: 4, unknown: 1 } })
})

test('an outcome on another day counts on that day, and the story is told there as it has become', async () => {
  const told = new ToldJev(89)
  const proposal = told.proposed(['destructive'], riskJudged({ destructive: 900_000 }))
  const call = told.call()
  told.settled(proposal, call, 'consumed', true)
  const request = told.ask(call)
  told.history.wait(24 * 3_600_000)
  const answered = told.answer(request, 'deny')
  const view = await days(told.history)
  const [first, second] = [...view.values()]
  assert.equal(
    [first?.prompts, second?.prompts],
    [
      { 'destructive 0.9': { prompts: 1, approved: 0, denied: 0, model: 0, nobody: 0 } },
      { 'destructive 0.9': { prompts: 0, approved: 0, denied: 1, model: 0, nobody: 0 } },
    ],
  )
  assert.is(first?.listed[0]?.answer, null, 'the day before is not changed')
  assert.equal(
    newestProposals(view, 9).map(({ answer }) => answer),
    [{ index: answered, outcome: 'denied' }],
  )
})

test('bounded: more proposals than a day lists are counted, and more open ones than are held are let go of', async () => {
  const told = new ToldJev(90)
  for (let at = 0; at < jevStoryMax + 7; at += 1) {
    told.proposed(['destructive'], riskJudged({ destructive: 900_000 }))
    told.nudged(completionJudged(900_000))
  }
  const all = await parts(told.history)
  const { proposals, nudges } = all.get(carriedKey) as OpenStories
  const [day] = (await days(told.history)).values()
  assert.equal([day?.listed.length, proposals.length, nudges.length], [jevStoryMax, 64, 64])
  assert.is(day?.stages['risk enforce']?.predicted, jevStoryMax + 7)
  const bytes = JSON.stringify(all.get(carriedKey)).length
  assert.ok(bytes < 64 * 1024, `${bytes} bytes are written with every step`)
})

test('the counts of each day are what a count by hand gives, for histories of any kind', async () => {
  let proposals = 0
  for (const seed of [91, 92, 93]) {
    const history = randomHistory(seed, 700)
    const view = await days(history)
    for (const [date, day] of view) {
      const real = history.made.filter(({ time, counts }) => time.startsWith(date) && counts)
      const of = (type: string, holds: (facts: Readonly<Record<string, unknown>>) => boolean = () => true): number =>
        real.filter((one) => one.type === type && holds(one.facts)).length
      const sum = (counts: Readonly<Record<string, Readonly<Record<string, number>>>>, name: string): number =>
        Object.values(counts).reduce((all, one) => all + (one[name] ?? 0), 0)
      proposals += of('jev.proposed')
      const { stages } = day
      assert.is(sum({ ...stages } as never, 'classified'), of('jev.classified'), date)
      assert.is(sum({ ...stages } as never, 'predicted'), of('jev.proposed') + of('verification.proposed'))
      assert.is(sum({ ...stages } as never, 'abstained'), of('jev.abstained'))
      assert.is(sum({ ...stages } as never, 'failed'), of('jev.failed'))
      assert.is(sum(day.failures, 'entries'), of('jev.failed'))
      assert.is(sum(day.abstentions, 'entries'), of('jev.abstained'))
      assert.is(sum(day.fates, 'proposals'), of('jev.settled'))
      assert.equal(
        sum(day.fates, 'applied'),
        of('jev.settled', ({ applied }) => applied === true),
      )
      assert.equal(
        sum(day.checks, 'failed'),
        of('verification.observed', ({ success }) => success === false),
      )
      assert.is(sum(day.nudges as never, 'nudges'), of('verification.proposed'))
      const unsent = ['capacity', 'circuit_open', 'budget_spent']
      const answeredIn = ['jev.proposed', 'jev.abstained', 'verification.proposed']
      const requests =
        of('jev.classified') +
        of('jev.failed', ({ category }) => !unsent.includes(String(category))) +
        answeredIn.reduce((all, type) => all + of(type, ({ answered }) => answered !== undefined), 0)
      assert.is(day.requests, requests)
    }
  }
  assert.ok(proposals > 20, `${proposals} proposals`)
})

test('calibration: what the stage itself records of a call is found again at its prompt, whether it enforces or only watches', async () => {
  for (const mode of ['enforce', 'shadow'] as const) {
    const staged = await stagedHouse()
    if (mode === 'shadow') staged.settings = inShadow(staged.settings)
    staged.engine.risk = riskOf([0.99, 0.01, 0.93, 0.01, 0.01, 0.01])
    const prompt = (hook_event_name: string, call: string, extra: object = {}) =>
      staged.host.send({
        ...{ ...llmCall({}), hook_event_name },
        extra: {
          turn_id: 'turn-1',
          tool_call_id: call,
          command: 'c',
          description: 'd',
          surface: 'cli',
          pattern_key: 'k',
          ...extra,
        },
      })
    await begin(staged, 'tidy the old tables')
    for (const [call, choice] of [
      ['call-1', 'once'],
      ['call-2', 'deny'],
      ['call-3', 'timeout'],
    ] as const) {
      await run(staged, { command: `drop-table ${call}` }, { call })
      await prompt('pre_approval_request', call)
      await prompt('post_approval_response', call, { choice })
    }
    const { reader } = staged.house.ledger
    const [day] = daysOf(await viewAsOf('jev', reader.storedEntries(0, await reader.size()))).values()
    assert.equal(day?.prompts, { 'destructive 0.9': { prompts: 3, approved: 1, denied: 1, model: 0, nobody: 1 } }, mode)
    const enforced = { consumed: { proposals: 3, applied: 3 } }
    assert.equal(day?.fates, mode === 'enforce' ? enforced : {})
  }
})

test('its own name stands for it, and an empty day holds next to nothing', () => {
  assert.is(jev.name, 'jev')
  assert.ok(JSON.stringify(jev.initial()).length < 300)
})

test.run()
