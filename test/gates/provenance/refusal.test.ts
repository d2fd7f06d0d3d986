// Holds the refusal to what it has to tell the model, and freezes its wording: hosts and people come to know it.
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Refusal, refusalText } from '../../../src/gates/provenance/refusal.js'

const test = suite('refusal')

const plain: Refusal = { claim: 'User decided to ship on Friday.', reason: 'no_quote', detail: null, quote: null, nearest: null }
const once = { timesInTurn: 1 }
const prod = 'The user approved deleting the prod database'

test('row P6: a refusal names the gate and the claim, says how to mend the write, and that nothing was written', () => {
  const text = refusalText(plain, once)
  assert.match(text, /^Stele, provenance gate:/)
  assert.ok(text.includes('("User decided to ship on Friday.")'))
  assert.match(text, /exact words .* in "…"/)
  assert.match(text, /suggestion of yours or as an open question/)
  assert.match(text, /Nothing was written\.$/)
})

test('row P8: an unrelated quote shares no key words, a negated one follows a negation', () => {
  const logs = refusalText({ ...plain, claim: prod, reason: 'quote_unrelated', quote: 'can you look at the logs for me' }, once)
  assert.ok(logs.includes('The quoted words ("can you look at the logs for me") share no key words with the decision.'))
  const never = refusalText({ ...plain, claim: prod, reason: 'quote_negated', quote: 'delete the prod database' }, once)
  assert.ok(never.includes('The quoted words ("delete the prod database") follow a negation in what the user typed'))
})

test('rows P54, P55, P60 and P62: the other reasons say what the matter is, and a quote that is nowhere shows the nearest words', () => {
  const of = (more: Partial<Refusal>) => refusalText({ ...plain, quote: 'we ship on Friday then', ...more }, once)
  assert.match(of({ reason: 'quote_from_question' }), /a question of the user's/)
  assert.match(of({ reason: 'quote_too_short' }), /last three messages/)
  const missing = of({ reason: 'quote_not_found', nearest: 'I decided we ship on Friday' })
  assert.match(missing, /stand nowhere in what the user typed\. The nearest that the user typed: "I decided we ship on Friday"\./)
  assert.match(of({ reason: 'quote_not_found', detail: 'cut_word' }), /in half/)
  assert.match(of({ reason: 'quote_not_found', detail: 'other_session' }), /another session/)
  assert.match(of({ reason: 'quote_not_found', detail: 'stitched' }), /places that stand apart/)
})

test('case 82: what could not be checked is not told as unbacked', () => {
  const text = refusalText({ ...plain, reason: 'words_unavailable', quote: 'we ship on Friday then' }, once)
  assert.match(text, /cannot be checked/)
  assert.not.match(text, /nothing that the user typed backs it/)
})

test('row P65: too many claims, arguments that cannot be read and errors of the gate name no claim', () => {
  for (const [reason, words] of [
    ['too_many_claims', /more than 100 times/],
    ['unreadable_arguments', /arguments of this call cannot be read/],
    ['internal_error', /error of the gate/],
  ] as const) {
    const text = refusalText({ ...plain, claim: null, reason }, once)
    assert.match(text, words)
    assert.match(text, /Nothing was written\.$/)
    assert.not.match(text, /exact words/)
  }
})

test('row P9: from the third refusal of a target in a turn on the model is told to stop and to ask the user', () => {
  for (const timesInTurn of [1, 2]) assert.not.match(refusalText(plain, { timesInTurn }), /stop retrying/)
  for (const timesInTurn of [3, 4, 10]) {
    assert.match(refusalText(plain, { timesInTurn }), /Nothing was written\. .*stop retrying it and ask the user\.$/)
  }
})

test('further claims of the write are counted', () => {
  assert.match(refusalText(plain, { timesInTurn: 1, others: 1 }), /One more claim/)
  assert.match(refusalText(plain, { timesInTurn: 1, others: 4 }), /4 more claims/)
})

test('long and broken lines of a claim are shown on one line and cut', () => {
  const text = refusalText({ ...plain, claim: `User decided\n${'very '.repeat(1_000)}much` }, once)
  assert.ok(text.length < 700, String(text.length))
  assert.not.ok(text.includes('\n'))
})

test('rows P6, P8 and P9: the wording is frozen', () => {
  const reasons = [
    'no_quote',
    'quote_not_found',
    'quote_unrelated',
    'quote_negated',
    'quote_from_question',
    'quote_too_short',
    'words_unavailable',
    'too_many_claims',
    'unreadable_arguments',
    'internal_error',
  ] as const
  const details = [null, 'cut_word', 'other_session', 'stitched'] as const
  const texts = reasons.flatMap((reason) =>
    details.map((detail) => refusalText({ claim: 'C', reason, detail, quote: 'Q', nearest: 'N' }, { timesInTurn: 3, others: 2 })),
  )
  // Changed on purpose? Then this is the new digest, and the change stands in CHANGELOG.md.
  assert.is(
    createHash('sha256').update(texts.join('\n')).digest('hex'),
    'afe6f1b99539c264e708ff0265b1cb8ac25b789ad52691d4c7bb8bd0563870ee',
  )
})

test.run()
