// Holds the evidence rule to section 6 of the specification, sentence by sentence, in both languages, and to what must hold of any
// evidence. The labelled cases in test/corpora/evidence-rules.jsonl go further.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { detectClaims } from '../../../src/gates/provenance/claim-detector.js'
import { type Claim, type EvidenceVerdict, judgeClaim, judgeClaims } from '../../../src/gates/provenance/evidence-rule.js'
import { type Evidence, prepareEvidence } from '../../../src/gates/provenance/prepare-evidence.js'
import { quotedSpans } from '../../../src/gates/provenance/quoted-spans.js'
import type { EvidenceMessage } from '../../../src/gates/provenance/typed-messages.js'

const test = suite('evidence-rule')

const friday = 'I decided we ship on Friday'
const fridayClaim = 'User decided to ship on Friday'
const zhou = '我决定周五发布新版本'
const zhouClaim = '用户决定周五发布新版本'
const prodClaim = 'The user approved deleting the prod database'
const prodClaimChinese = '用户批准删除生产数据库'

type Typed = string | undefined | Partial<EvidenceMessage>

function evidence(typed: readonly Typed[], more: Partial<Evidence> = {}): Evidence {
  return {
    messages: typed.map((one, index) => ({
      index,
      session: 'this',
      sender: '',
      attested: true,
      text: undefined,
      ...(typeof one === 'object' ? one : { text: one }),
    })),
    profile: false,
    stored: [],
    attestedOnly: false,
    unavailable: false,
    ...more,
  }
}

function claim(quotes: string | readonly string[], rest: string, more: Partial<Claim> = {}): Claim {
  return { quotes: [quotes].flat().map((text) => ({ text })), rest, kind: 'approving', negated: false, ...more }
}

function judge(
  typed: readonly Typed[],
  quotes: string | readonly string[],
  rest: string,
  more: Partial<Evidence & Claim> = {},
): EvidenceVerdict {
  const { kind = 'approving', negated = false, ...given } = more
  return judgeClaim(claim(quotes, rest, { kind, negated }), prepareEvidence(evidence(typed, given)))
}

/** What the search for claims makes of a text; that nobody typed the quotes changes nothing of their claims. */
function detectedIn(text: string): readonly Claim[] {
  return detectClaims(text, { scope: 'decisions', isTyped: () => true }).claims
}

/** What a verdict comes down to. */
function said({ outcome, reason, detail, matchedIn }: EvidenceVerdict): string {
  return [outcome, reason ?? matchedIn, detail].filter((word) => word !== null).join(' ')
}

const backed = 'supported this-session'
const elsewhere = (text: string): Typed => ({ text, session: 'other' })

test('section 6, sentence 1 (row P53): a claim passes with a quote in any of the five marks, and without one it does not', () => {
  for (const [sentence, passes] of [
    [`${fridayClaim} ("${friday}")`, true],
    [`${fridayClaim} (“${friday}”)`, true],
    [`${fridayClaim} ('${friday}')`, true],
    [`${fridayClaim}「${friday}」`, true],
    [`${fridayClaim}『${friday}』`, true],
    [`${zhouClaim}（「${zhou}」）`, true],
    [`${zhouClaim}："${zhou}"`, true],
    [`${fridayClaim} (\`${friday}\`)`, false],
    [`${fridayClaim} (${friday})`, false],
    [`${zhouClaim}（${zhou}）`, false],
  ] as const) {
    const [found] = detectedIn(sentence)
    const verdict = judge([friday, zhou], found?.quotes.map(({ text }) => text) ?? [], found?.rest ?? '')
    assert.is(said(verdict), passes ? backed : 'unsupported no_quote', sentence)
  }
})

test('section 6, sentence 2 (row P54): a quote appears verbatim in what the user typed', () => {
  assert.is(said(judge([`Well, ${friday} then`], friday, fridayClaim)), backed)
  assert.is(said(judge(['I think we ship on Friday'], friday, fridayClaim)), 'unsupported quote_not_found')
  assert.is(said(judge([`好，${zhou}吧`], zhou, zhouClaim)), backed)
  assert.is(said(judge(['我觉得周五发布新版本'], zhou, zhouClaim)), 'unsupported quote_not_found')
})

test('section 6, sentence 3 (row P54): NFKC, white space, case, quote marks and trailing punctuation are folded, nothing else', () => {
  assert.is(said(judge(['Ｉ decided\n  we “ship”  on FRIDAY, ok'], 'i decided we "ship" on friday!', fridayClaim)), backed)
  assert.is(said(judge(['我决定：周五发布新版本'], '我决定:周五发布新版本。', zhouClaim)), backed)
  assert.is(said(judge(['I decided, we ship on Friday'], friday, fridayClaim)), 'unsupported quote_not_found stitched')
  assert.is(said(judge(['I décided we ship on Friday'], friday, fridayClaim)), 'unsupported quote_not_found')
  assert.is(said(judge(['我決定週五發布新版本'], zhou, zhouClaim)), 'unsupported quote_not_found')
})

test('section 6, sentence 4 (row P54): a quote cuts no word in half, across - _ . / and the apostrophe neither', () => {
  for (const typed of [
    `${friday}s`,
    `${friday}-ish`,
    `${friday}_1`,
    `${friday}.md`,
    `${friday}/monday`,
    `${friday}'s`,
    `x-${friday}`,
  ]) {
    assert.is(said(judge([typed], friday, fridayClaim)), 'unsupported quote_not_found cut_word', typed)
  }
  assert.is(
    said(judge(['我们删除staging-old库'], '我们删除staging', '用户决定删除staging')),
    'unsupported quote_not_found cut_word',
  )
  assert.is(said(judge(['我们删除staging库'], '我们删除staging', '用户决定我们删除staging')), backed)
})

test('section 6, sentence 5 (row P55): the quote comes from this session, unless the whole profile is searched', () => {
  for (const [quote, rest] of [
    [friday, fridayClaim],
    [zhou, zhouClaim],
  ] as const) {
    assert.is(said(judge([elsewhere(quote), 'hello'], quote, rest)), 'unsupported quote_not_found other_session')
    const inProfile = judge([elsewhere(quote), 'hello'], quote, rest, { profile: true })
    assert.is(said(inProfile), 'supported profile')
    assert.is(inProfile.message, 0)
    assert.is(judge([elsewhere(quote), quote], quote, rest, { profile: true }).message, 1)
  }
})

test('section 6, sentence 5 (row P55): other sessions are left alone where this one has the words, though they do not count', () => {
  const typed = [elsewhere('Delete the prod database'), 'Never delete the prod database']
  assert.is(said(judge(typed, 'delete the prod database', prodClaim, { profile: true })), 'unsupported quote_negated')
})

test('section 6, sentence 6 (row P56): a fork that carries the parent’s session is judged by what was typed there', () => {
  assert.is(said(judge([friday], friday, fridayClaim)), backed)
  assert.is(said(judge([], friday, fridayClaim)), 'unsupported quote_not_found')
})

test('section 6, sentence 7 (row P57): words from before a compression count as this session’s', () => {
  // The chain is read by whoever hands the messages in; all its sessions come as this one.
  const chain = [friday, 'second session', zhou, 'third session']
  assert.is(said(judge(chain, friday, fridayClaim)), backed)
  assert.is(said(judge(chain, zhou, zhouClaim)), backed)
})

test('row P87: without a session every quote fails, and before a link is known so do earlier words, but not in profile search', () => {
  const noSession = [elsewhere(friday), elsewhere(zhou)]
  assert.is(said(judge(noSession, friday, fridayClaim)), 'unsupported quote_not_found other_session')
  assert.is(said(judge(noSession, zhou, zhouClaim, { profile: true })), 'supported profile')
  assert.is(said(judge([], friday, fridayClaim)), 'unsupported quote_not_found')
  const notLinkedYet = [elsewhere(friday), 'typed after the compression']
  assert.is(said(judge(notLinkedYet, friday, fridayClaim)), 'unsupported quote_not_found other_session')
  assert.is(said(judge(notLinkedYet, friday, fridayClaim, { profile: true })), 'supported profile')
})

test('section 6, sentence 8 (row P58): a negation up to twelve words or six CJK characters back undoes the quote', () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ')
  const quote = 'delete the prod database'
  assert.is(said(judge([`Never ${words(11)} ${quote}`], quote, prodClaim)), 'unsupported quote_negated')
  assert.is(said(judge([`Never ${words(12)} ${quote}`], quote, prodClaim)), backed)
  assert.is(said(judge(['勿一二三四五删除生产数据库'], '删除生产数据库', prodClaimChinese)), 'unsupported quote_negated')
  assert.is(said(judge(['勿一二三四五六删除生产数据库'], '删除生产数据库', prodClaimChinese)), backed)
  for (const negation of ['never', 'not', 'no', "don't", 'without']) {
    assert.is(said(judge([`${negation} ${quote}`], quote, prodClaim)), 'unsupported quote_negated', negation)
  }
  for (const negation of ['不要', '别', '禁止']) {
    assert.is(
      said(judge([`${negation}删除生产数据库`], '删除生产数据库', prodClaimChinese)),
      'unsupported quote_negated',
      negation,
    )
  }
})

test('section 6, sentence 8 (row P58): only within the sentence, and not where the quote has a negation itself', () => {
  const quote = 'delete the prod database'
  assert.is(said(judge([`I never sleep. ${quote}`], quote, prodClaim)), backed)
  assert.is(said(judge(['不急。删除生产数据库'], '删除生产数据库', prodClaimChinese)), backed)
  const longer = 'delete the prod database without asking'
  assert.is(said(judge([`never ${longer}`], longer, prodClaim)), backed)
  assert.is(said(judge(['不要删除生产数据库不问我'], '删除生产数据库不问我', prodClaimChinese)), backed)
})

test('section 6, sentence 9 (row P58): "Never delete …" and "Do not, under any circumstances, delete …" back no deletion', () => {
  for (const typed of ['Never delete the prod database', 'Do not, under any circumstances, delete the prod database']) {
    assert.is(said(judge([typed], 'delete the prod database', prodClaim)), 'unsupported quote_negated')
  }
})

test('row P58: one place that counts is enough, whatever other places say', () => {
  const quote = 'delete the prod database'
  assert.is(said(judge([`Never ${quote}. Well: ${quote}`], quote, prodClaim)), backed)
  assert.is(judge([`ok, ${quote}`, `never ${quote} again`], quote, prodClaim).message, 0)
})

test('section 6, sentence 10 (row P59): a quote that starts with a negation backs no approval, but a rejection or an instruction', () => {
  for (const [quote, rest] of [
    ["don't approve the refund", 'the refund: approve it'],
    ['不要批准退款申请', '批准退款申请'],
  ] as const) {
    assert.is(said(judge([quote], quote, rest)), 'unsupported quote_negated')
    assert.is(said(judge([quote], quote, rest, { kind: 'rejecting' })), backed)
    assert.is(said(judge([quote], quote, rest, { kind: 'instructing' })), backed)
    assert.is(said(judge([quote], quote, rest, { negated: true })), backed)
  }
})

test('section 6, sentences 11 and 12 (row P60): a quote from a sentence that ends with a question mark does not count', () => {
  const quote = 'delete the prod database'
  assert.is(said(judge(['Should we delete the prod database?'], quote, prodClaim)), 'unsupported quote_from_question')
  assert.is(said(judge(['要删除生产数据库吗？'], '要删除生产数据库', prodClaimChinese)), 'unsupported quote_from_question')
  assert.is(said(judge(['Ready? Then delete the prod database.'], quote, prodClaim)), backed)
  assert.is(said(judge(['好了吗？删除生产数据库'], '删除生产数据库', prodClaimChinese)), backed)
})

test('section 6, sentence 13 (row P61): a quote shares two content tokens with the rest of the sentence', () => {
  const quote = 'go with the blue deploy'
  assert.is(said(judge([quote], quote, 'The user approved the deploy')), 'unsupported quote_unrelated')
  assert.is(said(judge([quote], quote, 'The user approved the blue deploy')), backed)
  assert.is(said(judge(['就用这个版本'], '就用这个版本', '用户决定版号')), 'unsupported quote_unrelated')
  assert.is(said(judge(['就用这个版本'], '就用这个版本', '用户决定用这个')), backed)
})

test('section 6, sentences 14 and 15 (row P61): short and stop words share nothing, nor do two languages', () => {
  assert.is(
    said(judge(['you should do it with them on db up'], 'you should do it with them', 'you should do it with them')),
    'unsupported quote_unrelated',
  )
  assert.is(said(judge([zhou], zhou, fridayClaim)), 'unsupported quote_unrelated')
  assert.is(said(judge([friday], friday, zhouClaim)), 'unsupported quote_unrelated')
})

test('row P88: lint is not linter, and GPU is not GPUs', () => {
  assert.is(
    said(judge(['please run the linter here'], 'please run the linter here', 'User decided to run lint')),
    'unsupported quote_unrelated',
  )
  assert.is(
    said(judge(['we get one GPU now'], 'we get one GPU now', 'User approved that we get GPUs')),
    'unsupported quote_unrelated',
  )
})

test('section 6, sentence 16 (row P62): a short quote is the whole of one of the last three messages in this session', () => {
  for (const quote of ['yes', '好']) {
    const rest = 'The user approved the deploy'
    assert.is(said(judge([quote, 'two', 'three'], quote, rest)), backed)
    assert.is(said(judge([`${quote}!`], quote, rest)), backed)
    assert.is(said(judge([quote, 'two', 'three', 'four'], quote, rest)), 'unsupported quote_too_short')
    assert.is(said(judge([`${quote}, go on`], quote, rest)), 'unsupported quote_too_short')
    assert.is(said(judge([elsewhere(quote), 'two'], quote, rest)), 'unsupported quote_too_short')
    assert.is(said(judge([elsewhere(quote), 'two'], quote, rest, { profile: true })), 'unsupported quote_too_short')
    assert.is(said(judge(['something else'], quote, rest)), 'unsupported quote_not_found')
  }
})

test('section 6, sentence 17 (row P63): a quote in the neighbour sentence is none of the claim’s', () => {
  // The sentences are told apart before the rule; a claim comes with the quotes of its own one.
  const [first, second] = [fridayClaim, `"${friday}" was typed.`]
  assert.equal(quotedSpans(first), [])
  assert.is(quotedSpans(second).length, 1)
  assert.is(said(judge([friday], [], first)), 'unsupported no_quote')
})

test('section 6, sentences 18 and 19 (row P64): each claim owns the text up to the next one, and needs its quote there', () => {
  const sentence = `User decided to ship on Friday ("${friday}") and the user approved the refund.`
  const chinese = `用户决定周五发布新版本（「${zhou}」），用户批准退款。`
  for (const text of [sentence, chinese]) {
    const verdicts = judgeClaims(detectedIn(text), prepareEvidence(evidence([friday, zhou])))
    assert.equal(verdicts.map(said), [backed, 'unsupported no_quote'])
  }
})

test('section 6, sentence 20 (row P65): a hundred claims are judged, a hundred and one are too many', () => {
  const prepared = prepareEvidence(evidence([friday]))
  const claims = (count: number) => Array.from({ length: count }, () => claim(friday, fridayClaim))
  assert.equal(new Set(judgeClaims(claims(100), prepared).map(said)), new Set([backed]))
  assert.is(judgeClaims(claims(100), prepared).length, 100)
  assert.equal(judgeClaims(claims(101), prepared).map(said), ['unchecked too_many_claims'])
})

test('row P65: the 32nd quote of a sentence is looked up, the 33rd is not', () => {
  const untyped = (count: number) => Array.from({ length: count }, (_, at) => `nobody ever typed number ${at}`)
  assert.is(said(judge([friday], [...untyped(31), friday], fridayClaim)), backed)
  assert.is(said(judge([friday], [...untyped(32), friday], fridayClaim)), 'unsupported quote_not_found')
})

test('row P67: words of this session’s chain that are forgotten leave the claim unchecked, others’ do not', () => {
  assert.is(said(judge([undefined, 'hello'], friday, fridayClaim)), 'unchecked words_unavailable')
  assert.is(said(judge([undefined, '你好'], zhou, zhouClaim)), 'unchecked words_unavailable')
  assert.is(said(judge([{ session: 'other' }, 'hello'], friday, fridayClaim, { profile: true })), 'unsupported quote_not_found')
  assert.is(said(judge([undefined, friday], friday, fridayClaim)), backed)
  assert.is(said(judge([undefined, elsewhere(friday)], friday, fridayClaim, { profile: true })), 'supported profile')
  assert.is(said(judge([undefined, elsewhere(friday)], friday, fridayClaim)), 'unchecked words_unavailable')
})

test('row P67: a store of words that cannot be read leaves it unchecked too, unless the text that is edited quotes them', () => {
  assert.is(said(judge([], friday, fridayClaim, { unavailable: true })), 'unchecked words_unavailable')
  assert.is(said(judge([], '好', zhouClaim, { unavailable: true })), 'unchecked words_unavailable')
  assert.is(
    said(judge([], friday, fridayClaim, { unavailable: true, stored: [`Decided ("${friday}")`] })),
    'supported stored-text',
  )
  assert.is(said(judge([], [], fridayClaim, { unavailable: true })), 'unsupported no_quote')
})

test('row P67: where no words could help, the claim is unsupported whatever is forgotten', () => {
  assert.is(said(judge([undefined], 'can you look at the logs', prodClaim)), 'unsupported quote_unrelated')
  assert.is(said(judge([undefined], "don't approve the refund", 'approve the refund')), 'unsupported quote_negated')
  assert.is(
    said(judge([undefined, 'Never delete the prod database'], 'delete the prod database', prodClaim)),
    'unsupported quote_negated',
  )
  assert.is(said(judge([undefined, '2', '3', '4'], 'yes', fridayClaim)), 'unsupported quote_too_short')
})

test('row P29: a quote that the edited text quotes already counts, if it is about the claim', () => {
  for (const [quote, rest] of [
    [friday, fridayClaim],
    [zhou, zhouClaim],
  ] as const) {
    const stored = [`An entry.\n${rest} ("${quote}.")`]
    const verdict = judge(['mend the typo'], quote, rest, { stored })
    assert.is(said(verdict), 'supported stored-text')
    assert.equal([verdict.message, verdict.sender], [null, null])
    assert.is(said(judge(['mend the typo'], quote, prodClaim, { stored })), 'unsupported quote_unrelated')
    assert.is(said(judge(['mend the typo'], quote, rest, { stored: [`${rest}: ${quote}`] })), 'unsupported quote_not_found')
  }
})

test('row P85: anybody’s words back a claim, and the verdict names the sender', () => {
  const typed = [
    { text: friday, sender: 'ann' },
    { text: zhou, sender: 'bob' },
  ]
  assert.is(judge(typed, friday, fridayClaim).sender, 'ann')
  assert.is(judge(typed, zhou, zhouClaim).sender, 'bob')
  assert.is(judge([friday], friday, fridayClaim).sender, '')
  assert.is(judge(typed, 'never typed by anybody here', fridayClaim).sender, null)
})

test('row P84: where only attested words count, others back nothing and make nothing unchecked', () => {
  const unattested = { text: friday, attested: false }
  assert.is(said(judge([unattested], friday, fridayClaim)), backed)
  assert.is(
    said(judge([unattested, { attested: false }], friday, fridayClaim, { attestedOnly: true })),
    'unsupported quote_not_found',
  )
  assert.is(said(judge(['yes', unattested, unattested, unattested], 'yes', fridayClaim, { attestedOnly: true })), backed)
})

test('rows P5 and P7: the worked examples come out field by field', () => {
  const nothing = { detail: null, quote: null, message: null, matchedIn: null, sender: null, nearest: null }
  assert.equal(judge([friday], [], fridayClaim), { ...nothing, outcome: 'unsupported', reason: 'no_quote' })
  assert.equal(judge([friday], friday, fridayClaim), {
    ...nothing,
    outcome: 'supported',
    reason: null,
    quote: friday,
    message: 0,
    matchedIn: 'this-session',
    sender: '',
  })
})

test('row P8: the worked examples of an unrelated and a negated quote come out with their reasons', () => {
  const logs = 'can you look at the logs for me'
  assert.is(said(judge([logs], logs, prodClaim)), 'unsupported quote_unrelated')
  const never = 'Never delete the prod database without asking me'
  const verdict = judge([never], 'delete the prod database', prodClaim)
  assert.is(said(verdict), 'unsupported quote_negated')
  assert.is(verdict.nearest, never)
})

test('of several quotes that fail the most telling one is named', () => {
  const typed = [
    'Never delete the prod database',
    'Should we keep the logs today?',
    'look at this thing for me',
    'yes',
    '2',
    '3',
    '4',
  ]
  const order = [
    'delete the prod database',
    'we keep the logs today',
    'look at this thing for me',
    'yes',
    'not a word of it was typed',
  ]
  const reasons = ['quote_negated', 'quote_from_question', 'quote_unrelated', 'quote_too_short', 'quote_not_found']
  for (const [at, reason] of reasons.entries()) {
    const verdict = judge(typed, order.slice(at).reverse(), prodClaim)
    assert.equal([verdict.reason, verdict.quote], [reason, order[at]])
  }
  assert.is(
    judge([undefined, ...typed], ['delete the prod database', 'remove the prod database'], prodClaim).reason,
    'words_unavailable',
  )
})

test('a quote that fails comes with the nearest words of this session, as they were typed', () => {
  const typed = [
    'Hello there.',
    'Well. I decided: we ship on  Friday! Bye',
    elsewhere('I decided that we ship the thing on Friday'),
  ]
  assert.is(judge(typed, 'I decided that we ship on Friday', fridayClaim).nearest, 'I decided: we ship on Friday!')
  assert.is(judge(['周五开会。我想周五发布新版本。'], zhou, zhouClaim).nearest, '我想周五发布新版本。')
  assert.is(judge(['Hello there.'], friday, fridayClaim).nearest, null)
  assert.is(judge([elsewhere(friday)], friday, fridayClaim).nearest, null)
})

test('candidates narrow the other sessions only, and the verdict stays', () => {
  const typed = [elsewhere('nothing of it'), elsewhere(friday), elsewhere('delete the prod database'), 'here']
  const asked: string[] = []
  const prepared = prepareEvidence(evidence(typed, { profile: true }), (quote) => {
    asked.push(quote)
    return [1, 1, 99]
  })
  assert.is(judgeClaim(claim(friday, fridayClaim), prepared).message, 1)
  assert.is(said(judgeClaim(claim('delete the prod database', prodClaim), prepared)), 'unsupported quote_not_found')
  assert.is(asked[0], friday.toLowerCase())
})

const someWords = fc.constantFrom(
  'delete',
  'the',
  'prod',
  'database',
  'never',
  'not',
  "don't",
  'ship',
  'friday',
  'yes',
  '.',
  '?',
  '删除',
  '数据库',
  '不要',
  '。',
  '？',
)
const someText = fc.array(someWords, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))
const someMessage = fc.record({
  text: fc.option(someText, { nil: undefined, freq: 8 }),
  session: fc.constantFrom('this' as const, 'other' as const),
  attested: fc.boolean(),
})
const someEvidence = fc
  .record({
    typed: fc.array(someMessage, { maxLength: 6 }),
    profile: fc.boolean(),
    attestedOnly: fc.boolean(),
    unavailable: fc.boolean(),
    stored: fc.array(someText, { maxLength: 2 }),
  })
  .map(({ typed, ...more }) => evidence(typed, more))
const someClaim = fc.record({
  quotes: fc.array(
    someText.map((text) => ({ text })),
    { maxLength: 5 },
  ),
  rest: someText,
  kind: fc.constantFrom('approving' as const, 'rejecting' as const, 'other' as const),
  negated: fc.boolean(),
})

test('row P51: adding a quote, a true one too, never turns a pass into a flag', () => {
  fc.assert(
    fc.property(someEvidence, someClaim, someText, fc.nat({ max: 5 }), (given, one, text, at) => {
      const prepared = prepareEvidence(given)
      if (judgeClaim(one, prepared).outcome !== 'supported') return
      const quotes = [...one.quotes.slice(0, at), { text }, ...one.quotes.slice(at)]
      assert.is(judgeClaim({ ...one, quotes }, prepared).outcome, 'supported')
    }),
    { numRuns: 5_000, seed: 5 },
  )
})

test('judging twice gives the same, and so does judging on evidence made ready anew', () => {
  fc.assert(
    fc.property(someEvidence, someClaim, (given, one) => {
      const prepared = prepareEvidence(given)
      const first = judgeClaim(one, prepared)
      assert.equal(judgeClaim(one, prepared), first)
      assert.equal(judgeClaim(one, prepareEvidence(given)), first)
    }),
    { numRuns: 2_000, seed: 6 },
  )
})

test('invisible characters in messages and quotes change no verdict', () => {
  const invisible = ['\u200b', '\u00ad', '\u{e0041}', '\ufe0f', '\u2061']
  const strewn = (text: string) => [...text].map((character, at) => `${character}${invisible[at % invisible.length]}`).join('')
  fc.assert(
    fc.property(someEvidence, someClaim, (given, one) => {
      const plain = judgeClaim(one, prepareEvidence(given))
      const messages = given.messages.map((message) => ({
        ...message,
        text: message.text === undefined ? undefined : strewn(message.text),
      }))
      const other = judgeClaim(
        { ...one, quotes: one.quotes.map(({ text }) => ({ text: strewn(text) })) },
        prepareEvidence({ ...given, messages }),
      )
      assert.equal([said(other), other.message], [said(plain), plain.message])
    }),
    { numRuns: 2_000, seed: 7 },
  )
})

test('a supported claim has a quote and a place, an unsupported one a reason, and only what could not be read is unchecked', () => {
  fc.assert(
    fc.property(someEvidence, someClaim, (given, one) => {
      const verdict = judgeClaim(one, prepareEvidence(given))
      assert.is(verdict.outcome === 'supported', verdict.reason === null)
      assert.is(verdict.outcome === 'supported', verdict.matchedIn !== null)
      assert.is(verdict.outcome === 'unchecked', verdict.reason === 'words_unavailable')
      assert.is(verdict.message !== null, verdict.matchedIn === 'this-session' || verdict.matchedIn === 'profile')
      if (verdict.reason !== 'quote_not_found') assert.is(verdict.detail, null)
      if (verdict.matchedIn === 'profile') assert.ok(given.profile)
    }),
    { numRuns: 5_000, seed: 8 },
  )
})

test.run()
