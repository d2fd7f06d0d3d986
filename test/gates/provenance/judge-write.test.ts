// Holds the judging of a whole write to what it is made of: claims in order, each with its verdict, and nothing said twice of what stood there.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type JudgedWrite, judgeWrite } from '../../../src/gates/provenance/judge-write.js'
import { type PreparedEvidence, prepareEvidence } from '../../../src/gates/provenance/prepare-evidence.js'

const test = suite('judge-write')

const friday = 'I decided we ship on Friday'
const zhou = '我决定周五发布新版本'

function typed(texts: readonly string[], stored: readonly string[] = []): PreparedEvidence {
  const messages = texts.map((text, index) => ({ index, text, session: 'this' as const, sender: '', attested: true }))
  return prepareEvidence({ messages, profile: false, stored, attestedOnly: false, unavailable: false })
}

function judge(judged: readonly string[], texts: readonly string[] = [], stored: readonly string[] = []): JudgedWrite {
  return judgeWrite({ judged, stored, scope: 'decisions' }, typed(texts, stored))
}

const said = ({ claims }: JudgedWrite): string[] =>
  claims.map(({ verdict: { outcome, reason, matchedIn } }) => `${outcome} ${reason ?? matchedIn}`)

test('the claims of all texts stand in order, each with its own verdict', () => {
  const { claims } = judge([`User decided to ship on Friday ("${friday}"). Tabs are two wide.`, '负责人批准了退款。'], [friday])
  assert.equal(
    claims.map(({ claim, verdict }) => [claim, verdict.outcome]),
    [
      [`User decided to ship on Friday ("${friday}").`, 'supported'],
      ['负责人批准了退款。', 'unsupported'],
    ],
  )
})

test('row P28: a claim that stood there before is not judged again, however the text around it changes', () => {
  const old = 'User decided to ship on Friday.'
  assert.equal(judge([`${old}\nTabs are two wide.`], [], [old]).claims, [])
  assert.equal(judge([`Tabs are two wide. ${old}`], [], [`Spaces. ${old}`]).claims, [])
  assert.equal(said(judge([`${old} The owner approved the refund.`], [], [old])), ['unsupported no_quote'])
})

test('row P25: a claim whose quote is taken away is another sentence, and is judged', () => {
  const backed = `User decided to ship on Friday ("${friday}").`
  assert.equal(said(judge(['User decided to ship on Friday.'], [friday], [backed])), ['unsupported no_quote'])
})

test('row P29: a quote of the stored text that is edited counts, where it is about the claim', () => {
  const stored = `User decded to ship on Friday ("${friday}").`
  assert.equal(said(judge([`User decided to ship on Friday ("${friday}").`], [], [stored])), ['supported stored-text'])
  assert.equal(said(judge([`User decided to sell the car ("${friday}").`], [], [stored])), ['unsupported quote_unrelated'])
})

test('row P51: the user’s own quoted words are no second claim, and words that nobody typed hide none', () => {
  const text = `Release notes ("I want it so: the user decided to ship").`
  assert.equal(judge([text], ['I want it so: the user decided to ship']).claims, [])
  assert.is(judge([text]).claims.length, 1)
})

test('row P65: a hundred claims of several texts are judged, with one more there is a single verdict and no claim', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `User decided to ship number ${at}.`).join('\n')
  assert.is(judge([lines(60), lines(40)]).claims.length, 100)
  const { claims } = judge([lines(60), lines(41)])
  assert.equal(
    claims.map(({ claim, rule, tier, verdict }) => [claim, rule, tier, verdict.outcome, verdict.reason]),
    [[null, '', 0, 'unchecked', 'too_many_claims']],
  )
})

test('sentences in languages that are not checked are counted over all texts', () => {
  const german = 'Der Benutzer hat entschieden, am Freitag auszuliefern.'
  assert.is(judge([german, `Tabs. ${german}`]).notChecked, 2)
  assert.is(judge(['Tabs are two wide.']).notChecked, 0)
})

test('runs of marks that were cut are counted', () => {
  assert.is(judge([`User decided e${'\u0301'.repeat(40)} things.`]).marksCut, 10)
})

test('a text of nothing, and no text, give nothing', () => {
  for (const judged of [[], [''], ['\n\n']]) assert.equal(judge(judged), { claims: [], notChecked: 0, marksCut: 0 })
})

const sentence = fc.constantFrom(
  'User decided to ship on Friday.',
  `User decided to ship on Friday ("${friday}").`,
  'The owner approved the refund.',
  'Tabs are two wide.',
  `用户决定周五发布新版本（「${zhou}」）。`,
  '用户批准退款。',
)
const texts = fc.array(
  fc.array(sentence, { maxLength: 4 }).map((lines) => lines.join('\n')),
  { maxLength: 3 },
)

test('judging twice gives the same, and more typed words never turn what is backed into what is not', () => {
  fc.assert(
    fc.property(texts, fc.subarray([friday, zhou, 'hello']), (judged, words) => {
      const once = judge(judged, words)
      assert.equal(judge(judged, words), once)
      const more = judge(judged, ['unrelated words of no weight', ...words, friday, zhou])
      once.claims.forEach(({ verdict }, at) => {
        if (verdict.outcome === 'supported') assert.is(more.claims[at]?.verdict.outcome, 'supported')
      })
    }),
    { seed: 20261130, numRuns: 200 },
  )
})

test.run()
