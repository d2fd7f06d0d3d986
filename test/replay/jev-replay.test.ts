// Holds judging the Jev stage again to its promise: with what was in force nothing differs, and with other thresholds exactly what an arithmetic of
// its own says.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { counterfactual } from '../../src/replay/counterfactual.js'
import { type JudgedAgain, judgedAgain } from '../../src/replay/judged-again.js'
import type { OtherSettings } from '../../src/replay/other-settings.js'
import { reproduce } from '../../src/replay/reproduce.js'
import { completionOf, type RiskTuple, riskOf } from '../support/jev-desk.js'
import { makeRandom } from '../support/seeded-random.js'
import { begin, ending, inShadow, run, stagedHouse } from '../support/stage-house.js'
import { completionJudged, historyOf, type RiskJudged, riskJudged, ToldJev } from '../support/told-jev.js'

const test = suite('jev-replay')

async function again(told: ToldJev, jev: OtherSettings['jev'] = {}): Promise<JudgedAgain[]> {
  const judged: JudgedAgain[] = []
  for await (const one of judgedAgain(historyOf(told), { instead: { jev }, gate: 'jev' })) judged.push(one)
  return judged
}

/** By the index of the entry: the two answers, or why there is no second. */
function told(judged: readonly JudgedAgain[]): Record<number, string> {
  const text = ({ before, result }: JudgedAgain): string => {
    if (result.kind === 'not_again') return result.why
    if (result.kind === 'same') return 'same'
    const [one, other] = [before, result.after].map(({ verdict, code, told }) => `${verdict} ${code} ${told}`)
    return `${one} → ${other}`
  }
  return Object.fromEntries(judged.map((one) => [one.index, text(one)]))
}

test('given what was in force, then nothing differs: proposals, silence for each reason, and what failed', async () => {
  const story = new ToldJev(101)
  story.proposed(['destructive'], riskJudged({ destructive: 800_000 }))
  story.proposed(['destructive'], riskJudged({ destructive: 900_000 }), { applied: false, why: 'order_unsafe' })
  story.proposed(['incomplete_input'], riskJudged(), { complete: false })
  story.low(riskJudged({ destructive: 799_999 }))
  const { answers: _, confidence: __, ...unanswered } = riskJudged()
  story.abstained('no_decision', { complete: true, truncated: false, redacted: false, risk: unanswered })
  story.proposed(['plainly_destructive'], { ...unanswered, destroys: true }, { failure: 'timeout', answered: undefined })
  story.nudged(completionJudged(850_000))
  for (const [why, complete, value] of [
    ['low', true, 849_999],
    ['incomplete_input', false, 900_000],
    ['turn_over', true, 900_000],
  ] as const)
    story.abstained(why, {
      ...{ stage: 'completion', complete, truncated: !complete, redacted: false },
      completion: completionJudged(value),
    })
  assert.ok(Object.values(told(await again(story))).every((one) => one === 'same'))
  const { counts, versions, differences } = await reproduce(historyOf(story), { listed: 9 })
  assert.equal([counts.decisions, counts.same, differences], [10, 10, []])
  assert.equal(versions, [{ gate: 'jev', recorded: null, today: null, decisions: 10, different: 0 }])
})

test('given another threshold, then a proposal goes, one comes, and one has other triggers; what the host hears follows the mode', async () => {
  const story = new ToldJev(102)
  const goes = story.proposed(['destructive'], riskJudged({ destructive: 850_000 }))
  const kept = story.proposed(['destructive', 'irreversible'], riskJudged({ destructive: 850_000, irreversible: 950_000 }))
  story.proposed(['irreversible'], riskJudged({ irreversible: 950_000 }))
  story.low(riskJudged({ destructive: 790_000 }))
  assert.equal(
    Object.entries(told(await again(story, { approval: 900_000 }))).filter(([, text]) => text !== 'same'),
    [
      [String(goes), 'ask destructive ask → none low nothing'],
      [String(kept), 'ask destructive+irreversible ask → ask irreversible ask'],
    ],
  )
  const comes = new ToldJev(103)
  const enforced = comes.low(riskJudged({ destructive: 790_000 }))
  const watched = comes.low(riskJudged({ destructive: 790_000 }), { mode: 'shadow' })
  assert.equal(told(await again(comes, { approval: 790_000 })), {
    [enforced]: 'none low nothing → ask destructive ask',
    [watched]: 'none low nothing → ask destructive nothing',
  })
})

test('given a threshold of its own for one dimension, then that counts and the others stay; what an entry says of its own stays too', async () => {
  const story = new ToldJev(104)
  const own = { thresholds: { approval: 800_000, uncertain: 500_000, destructive: 950_000 } }
  const first = story.low(riskJudged({ destructive: 900_000, irreversible: 700_000 }, own))
  assert.equal(told(await again(story, { approval: 750_000 })), { [first]: 'same' })
  assert.equal(told(await again(story, { dimensions: { destructive: 900_000 } })), {
    [first]: 'none low nothing → ask destructive ask',
  })
  assert.equal(told(await again(story, { dimensions: { irreversible: 700_000 } })), {
    [first]: 'none low nothing → ask irreversible ask',
  })
})

test('given other rules, then they hold: our own list off, an effect outside that was plainly asked for, surer answers', async () => {
  const story = new ToldJev(105)
  const listed = story.proposed(['plainly_destructive'], riskJudged({}, { destroys: true }))
  const outside = story.proposed(['external_side_effect'], riskJudged({ external_side_effect: 900_000 }))
  const unsure = story.low(riskJudged({ irreversible: 300_000 }))
  assert.equal(
    told(await again(story, { rules: { plainlyDestructive: 'off', requestedExternal: 'pass' }, uncertain: 750_000 })),
    {
      [listed]: 'ask plainly_destructive ask → none low nothing',
      [outside]: 'ask external_side_effect ask → none low nothing',
      [unsure]: 'none low nothing → ask uncertain ask',
    },
  )
})

test('given another threshold for endings, then one more pass is asked for or not; a turn that was over and an input that was cut stay', async () => {
  const story = new ToldJev(106)
  const nudged = story.nudged(completionJudged(880_000))
  const shadow = story.nudged(completionJudged(880_000), { mode: 'shadow', applied: false })
  const whole = { stage: 'completion', complete: true, truncated: false, redacted: false }
  const over = story.abstained('turn_over', { ...whole, completion: completionJudged(990_000) })
  const cut = story.abstained('incomplete_input', { ...whole, complete: false, completion: completionJudged(990_000) })
  const low = story.abstained('low', { ...whole, completion: completionJudged(800_000) })
  assert.equal(told(await again(story, { continueAt: 900_000 })), {
    [nudged]: 'continue unfinished continue → none low nothing',
    [shadow]: 'continue unfinished nothing → none low nothing',
    ...{ [over]: 'same', [cut]: 'same', [low]: 'same' },
  })
  assert.equal(told(await again(story, { continueAt: 800_000 })), {
    ...{ [nudged]: 'same', [shadow]: 'same', [over]: 'same', [cut]: 'same' },
    [low]: 'none low nothing → continue unfinished continue',
  })
})

test('what hangs on no threshold is not judged again, and what says too little cannot be', async () => {
  const story = new ToldJev(107)
  story.classified()
  story.proposed([], undefined, { proposal: 'block' })
  story.proposed([], undefined, { stage: 'shaping', proposal: 'narrow' })
  story.abstained('unattended')
  story.failed('timeout', 1)
  assert.equal(await again(story), [])
  const bare = story.abstained('low', { risk: riskJudged() })
  assert.equal(told(await again(story)), { [bare]: 'not_recorded' })
})

test('differences of one cause stand together: the tool, the triggers before and after, the newest entries', async () => {
  const story = new ToldJev(108)
  const indices = [1, 2, 3].map(() => story.low(riskJudged({ destructive: 700_000 })))
  const other = story.low(riskJudged({ destructive: 700_000 }), { tool: 'patch' })
  const { counts, clusters } = await counterfactual(historyOf(story), { instead: { jev: { approval: 700_000 } }, listed: 2 })
  assert.equal([counts.decisions, counts.same, counts.different], [4, 0, 4])
  assert.equal(
    clusters.map(({ gate, tool, before, after, count, newest }) => [
      ...[gate, tool, before.code, after.code, count],
      newest.map(({ index }) => index),
    ]),
    [
      ['jev', 'terminal', 'low', 'destructive', 3, [indices[2], indices[1]]],
      ['jev', 'patch', 'low', 'destructive', 1, [other]],
    ],
  )
})

const dimensions = ['external_side_effect', 'destructive', 'irreversible', 'exposes_secrets', 'confirmation_expected'] as const

/** In whole numbers, and in no way as the gate does it. */
function triggersBy(approval: number, { answers, ambiguous, argues, destroys }: RiskJudged, complete: boolean): string[] {
  if (answers === undefined) return []
  const all = Object.values(answers)
  return [
    ...dimensions.filter((name) => answers[name] >= approval),
    ...(complete ? [] : ['incomplete_input']),
    ...(ambiguous ? ['ambiguous_context'] : []),
    ...(all.some((one) => one > 350_000 && one < 650_000) ? ['uncertain'] : []),
    ...(answers.action_requested + approval < 1_000_000 ? ['action_not_requested'] : []),
    ...(argues ? ['argues_for_itself'] : []),
    ...(destroys ? ['plainly_destructive'] : []),
  ]
}

test('over any recorded answers, another threshold lists exactly the calls whose answers lie between the two', async () => {
  // Thousandths that no threshold falls on to the hair: how halves of a hair are taken is a matter of the gate's own vectors.
  const probability = fc.integer({ min: 0, max: 499 }).map((half) => half * 2000 + 1000)
  const threshold = fc.integer({ min: 25, max: 50 }).map((half) => half * 20_000)
  const call = fc.record({
    answers: fc.record({
      ...{ action_requested: probability, external_side_effect: probability, destructive: probability },
      ...{ irreversible: probability, exposes_secrets: probability, confirmation_expected: probability },
    }),
    ...{ ambiguous: fc.boolean(), argues: fc.boolean(), destroys: fc.boolean(), complete: fc.boolean() },
  })
  let seen = 0
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 8 }), threshold, threshold, async (calls, then, instead) => {
      const story = new ToldJev(109)
      const expected: number[] = []
      for (const { answers, ambiguous, argues, destroys, complete } of calls) {
        const risk = riskJudged(answers, { ambiguous, argues, destroys, thresholds: { approval: then, uncertain: 650_000 } })
        const before = triggersBy(then, risk, complete)
        const index = before.length > 0 ? story.proposed(before, risk, { complete }) : story.low(risk, { complete })
        if (before.join() !== triggersBy(instead, risk, complete).join()) expected.push(index)
      }
      const differs = async (approval: number): Promise<number[]> =>
        (await again(story, { approval })).filter(({ result }) => result.kind !== 'same').map(({ index }) => index)
      assert.equal(await differs(instead), expected)
      assert.equal(await differs(then), [])
      seen += expected.length
    }),
  )
  assert.ok(seen > 50, `${seen} differences`)
})

test('given calls and endings that the stage itself judged, then nothing differs, and another threshold lists those between the two', async () => {
  const random = makeRandom(110)
  for (const mode of ['enforce', 'shadow'] as const) {
    const staged = await stagedHouse()
    if (mode === 'shadow') staged.settings = inShadow(staged.settings)
    const thousandths = (): number =>
      random.chance(3) ? 690 + random.int(120) : random.chance(2) ? random.int(50) : 950 + random.int(50)
    const calls: { before: string; after: string }[] = []
    for (let at = 0; at < 40; at += 1) {
      const turn = `turn-${at}`
      await begin(staged, 'count the rows of the table', { turn })
      const tuple = [1000 - random.int(30), ...Array.from({ length: 5 }, thousandths)].map((one) => one * 1000)
      const [action_requested = 0, external_side_effect = 0, destructive = 0, irreversible = 0] = tuple
      const [exposes_secrets = 0, confirmation_expected = 0] = tuple.slice(4)
      const answers = {
        ...{ action_requested, external_side_effect, destructive },
        ...{ irreversible, exposes_secrets, confirmation_expected },
      }
      staged.engine.risk = riskOf(tuple.map((one) => one / 1_000_000) as unknown as RiskTuple)
      await run(staged, { command: `wc -l table-${at}.csv` }, { turn, call: `call-${at}` })
      const of = (approval: number): string => triggersBy(approval, riskJudged(answers), true).join('+')
      calls.push({ before: of(800_000), after: of(700_000) })
      const deciding = thousandths() / 1000
      staged.engine.completion = completionOf([deciding, 1, deciding, deciding])
      await ending(staged, { turn_id: turn })
    }
    const history = staged.house.ledger.reader
    const judged = async (jev: OtherSettings['jev'] = {}): Promise<JudgedAgain[]> => {
      const all: JudgedAgain[] = []
      for await (const one of judgedAgain(history, { gate: 'jev', instead: { jev } })) all.push(one)
      return all
    }
    const same = await judged()
    assert.equal([same.length, same.filter(({ result }) => result.kind !== 'same')], [80, []])
    // Each call is followed by the ending of its turn.
    const listed = (await judged({ approval: 700_000 })).flatMap(({ result }, at) => (result.kind === 'same' ? [] : [at]))
    const expected = calls.flatMap(({ before, after }, at) => (before === after ? [] : [2 * at]))
    assert.equal(listed, expected)
    assert.ok(expected.length > 5 && expected.length < 40, `${expected.length} differ`)
  }
})

test.run()
