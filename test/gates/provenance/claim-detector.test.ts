// Holds the detector to sections 3 to 5 of the specification: what is a claim, whose text it owns, what quotes do and do not hide.
// time limit: 300 s
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DetectedClaim, type Detection, detectClaims } from '../../../src/gates/provenance/claim-detector.js'
import { type ClaimLine, claimCorpus } from '../../support/claim-corpus.js'
import { countedSteps } from '../../support/counted-steps.js'

const test = suite('claim-detector')

interface RuleLine extends ClaimLine {
  readonly group: string
}

const rules = claimCorpus('claims-rules', (line): RuleLine => JSON.parse(line))

function detected(text: string, typed: readonly string[] = []): Detection {
  return detectClaims(text, { scope: 'decisions', isTyped: (quote) => typed.includes(quote) })
}

function claimsOf(text: string, typed: readonly string[] = []): readonly DetectedClaim[] {
  return detected(text, typed).claims
}

function only(text: string, typed: readonly string[] = []): DetectedClaim {
  const claims = claimsOf(text, typed)
  assert.is(claims.length, 1, text)
  const [claim] = claims
  if (claim === undefined) throw new Error('no claim')
  return claim
}

test('row P2: the three openers are found, each with its rule, kind and language', () => {
  for (const [text, rule, kind, language] of [
    ['User decided to ship on Friday.', 'decided', 'approving', 'en'],
    ['The owner approved the trip.', 'approved', 'approving', 'en'],
    ['用户决定周五发布。', 'zh-decided', 'approving', 'zh'],
  ]) {
    const claim = only(text ?? '')
    assert.equal([claim.rule, claim.kind, claim.language, claim.tier, claim.text], [rule, kind, language, 1, text])
  }
})

test('row P2: a quote that can be evidence stands among the quotes of its claim', () => {
  const claim = only('User decided to ship on Friday ("I decided we ship on Friday")')
  assert.equal(
    claim.quotes.map(({ text }) => text),
    ['I decided we ship on Friday'],
  )
  assert.is(claim.text, 'User decided to ship on Friday ("I decided we ship on Friday")')
  assert.is(claim.rest, 'User decided to ship on Friday ( )')
})

test('kinds: decisions and approvals approve, refusals reject, wishes instruct', () => {
  for (const [text, kind] of [
    ['The user chose red', 'approving'],
    ['The user vetoed red', 'rejecting'],
    ['The user said no to red', 'rejecting'],
    ['The user told me to use red', 'instructing'],
    ['用户要求用红色', 'instructing'],
    ['老板否决红色', 'rejecting'],
  ] as const) {
    assert.is(only(text).kind, kind, text)
  }
})

test('a claim is negated where what was decided is a "not"', () => {
  for (const [text, negated] of [
    ['The user decided not to ship', true],
    ['The user agreed that nobody may never call', true],
    ['The user approved the trip, not the hotel', false],
    ['The user approved the trip ("do not wait")', false],
    ['The user decided against the trip', true],
    ['The user approved the no-code tool', false],
    ['用户决定不上线', true],
    ['用户决定上线，不等了', false],
    ['用户批准了不同的方案', false],
  ] as const) {
    assert.is(only(text).negated, negated, text)
  }
})

test('row P15: preferences are claims with the wider scope alone', () => {
  const lines = ['The user prefers tabs', 'User likes short answers', '用户喜欢短句', '用户偏好深色主题']
  for (const text of lines) {
    assert.is(claimsOf(text).length, 0, text)
    const { claims } = detectClaims(text, { scope: 'decisions+preferences', isTyped: () => false })
    assert.equal(
      claims.map(({ kind }) => kind),
      ['preference'],
      text,
    )
  }
})

test('row P64: two claims of one sentence each own the text up to the next', () => {
  const sentence = 'User decided to ship ("ship it on Friday") and the user approved the purge ("purge the list").'
  const claims = claimsOf(sentence)
  assert.equal(
    claims.map(({ span, text, quotes }) => [sentence.slice(span.from, span.to), text, quotes.map((quote) => quote.text)]),
    [
      [
        'User decided to ship ("ship it on Friday") and ',
        'User decided to ship ("ship it on Friday") and',
        ['ship it on Friday'],
      ],
      ['the user approved the purge ("purge the list").', 'the user approved the purge ("purge the list").', ['purge the list']],
    ],
  )
  assert.equal(
    claimsOf('User decided X ("yes to X") and the user approved Y.').map(({ quotes }) => quotes.length),
    [1, 0],
  )
})

test('a claim told behind what it is about owns its clause', () => {
  const sentence =
    'The trip ("book the trip now") was approved by the user, and the purge ("purge it now") was vetoed by the owner'
  assert.equal(
    claimsOf(sentence).map(({ rule, quotes }) => [rule, quotes.map((quote) => quote.text)]),
    [
      ['passive', ['book the trip now']],
      ['passive', ['purge it now']],
    ],
  )
})

test('the quote of another sentence, and one behind a semicolon, is no quote of the claim', () => {
  for (const text of ['The user approved it. "do it now"', 'The user approved it; "do it now"', '用户批准了。“就这么办吧”']) {
    assert.equal(only(text).quotes, [], text)
  }
})

test('row P51: a quoted user decision that the user typed is no claim, and an unverified one is', () => {
  const text = 'Dana wrote "the owner approved the trip yesterday" in the morning'
  assert.is(claimsOf(text, ['the owner approved the trip yesterday']).length, 0)
  assert.is(claimsOf(text).length, 1)
  assert.is(claimsOf('记录：「老板同意周五上线」', ['老板同意周五上线']).length, 0)
  assert.is(claimsOf('记录：「老板同意周五上线」').length, 1)
})

test('row P51: the claim beside a verified quote stays, even where the quote has decision words', () => {
  const text = 'The user approved the purge ("the owner approved the purge and so do I")'
  assert.is(only(text, ['the owner approved the purge and so do I']).span.from, 0)
})

test('row P51: words that were typed hide nothing where they are less than the claim', () => {
  assert.is(claimsOf('"User" approved the purge', ['User']).length, 1)
  assert.is(claimsOf('The "user approved" the purge of the list', ['user approved']).length, 1)
  assert.is(claimsOf('"The user approved" the purge of the list', ['The user approved']).length, 1)
})

test('row P51: a key with its value stays one when a verified quote follows', () => {
  assert.is(claimsOf('user confirmed: false ("I said no thanks")', ['I said no thanks']).length, 0)
})

test('row P52: a claim in any marks is seen, and so is one between two inch marks', () => {
  for (const pair of ['""', "''", '“”', '‘’', '「」', '『』', '``', '«»', '„“', '**', '__']) {
    const [open = '', close = ''] = pair
    assert.is(claimsOf(`${open}The user approved the trip${close}`).length, 1, pair)
    assert.is(claimsOf(`It says ${open}user approved the trip${close} there`).length, 1, pair)
    assert.is(claimsOf(`${open}用户批准了出差${close}`).length, 1, pair)
  }
  assert.is(claimsOf('It is 27" wide. The user approved the 30" one and it is 6" long').length, 1)
})

test('NAME is the user only where the text says so', () => {
  assert.equal(claimsOf('Dana picked red'), [])
  assert.equal(claimsOf('The client (Dana) left. Dana approved the trip'), [])
  for (const text of [
    'The user (Dana) left. Dana picked red',
    'Dana (the user) left. Dana picked red',
    "The user's name is Dana. Dana picked red",
    'The user is called Dana. Dana picked red',
  ]) {
    assert.equal(
      claimsOf(text).map(({ rule, tier }) => [rule, tier]),
      [['picked', 2]],
      text,
    )
  }
  assert.is(only('The user (Dana) left. Dana approved the trip').tier, 2)
  assert.is(only('用户（小王）在。小王批准了预算').tier, 2)
  assert.equal(claimsOf('The user (Friday) left. Friday approved the trip'), [])
})

test('wordings beyond the specification are of the second tier', () => {
  for (const { text, id, lang, claim } of rules.filter(({ group, claim: isClaim }) => group === 'tier2' && isClaim)) {
    if (/负责人|負責人|使用者|群里|user 决定|Dana approved|My human|reviewed and|after some/.test(text) || !claim) continue
    assert.ok(
      claimsOf(text).some(({ tier }) => tier === 2),
      `${id} ${lang}: ${text}`,
    )
  }
})

test('row P65: at most 101 claims of a write, and 101 places of a sentence', () => {
  assert.is(claimsOf('The user approved it. '.repeat(100)).length, 100)
  assert.is(claimsOf('The user approved it. '.repeat(101)).length, 101)
  assert.is(claimsOf('The user approved it. '.repeat(500)).length, 101)
  const sentence = detected('the user approved it and '.repeat(500))
  assert.is(sentence.claims.length, 101)
  assert.is(sentence.notChecked, 1)
  assert.is(detected('the user approved it and '.repeat(101)).notChecked, 0)
})

test('row P65: the 33rd quoted span of a sentence is no evidence and takes no claim away', () => {
  const spans = (count: number) => Array.from({ length: count }, (_, place) => `"a b ${place}"`).join(', ')
  assert.is(only(`The user approved ${spans(40)}`).quotes.length, 32)
  assert.is(claimsOf(`Notes ${spans(31)}, "the user approved it all"`, ['the user approved it all']).length, 0)
  assert.is(claimsOf(`Notes ${spans(32)}, "the user approved it all"`, ['the user approved it all']).length, 1)
})

test('public case 76: a decision in another language is counted as not checked, and prose in it is not', () => {
  assert.equal(detected('El usuario aprobó el plan. Le gusta el té.'), { claims: [], notChecked: 1, marksCut: 0 })
  assert.is(detected('El usuario vive en Madrid.').notChecked, 0)
  assert.is(detected('The user approved the trip.').notChecked, 0)
  assert.is(detected('```\nEl usuario aprobó\n```').notChecked, 0)
  assert.is(detected('Der Nutzer hat am Montag nach langem Zögern den Umzug genehmigt. ユーザーは削除を承認した。').notChecked, 2)
})

const words = fc.constantFrom(
  'I',
  'decided',
  'we',
  'ship',
  'the user',
  'approved',
  'if',
  'never',
  'study',
  '用户',
  '同意',
  '后',
  'no',
  'yes',
  '?',
  'X',
)
const quote = fc.array(words, { minLength: 2, maxLength: 6 }).map((chosen) => chosen.join(' '))
const shownLines = rules.filter(({ group, text }) => group !== 'known-miss' && !text.includes('\n'))

test('row P51: adding a true quote never adds a claim', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...shownLines),
      quote,
      fc.constantFrom('""', '“”', '「」', '『』'),
      ({ text, scope = 'decisions' }, said, pair) => {
        const isTyped = (found: string) => found === said
        const [open = '', close = ''] = pair
        const before = detectClaims(text, { scope, isTyped }).claims.length
        const after = detectClaims(`${text} (${open}${said}${close})`, { scope, isTyped }).claims.length
        return after <= before
      },
    ),
    { numRuns: 3000, seed: 5 },
  )
})

const plainClaims = shownLines.filter(
  ({ claim, scope, text, group }) =>
    claim &&
    scope === undefined &&
    !/^[\s#*+-]|\[|"|`/.test(text) &&
    !['code', 'label', 'key-value', 'identifier-key'].includes(group),
)

test('row P52: wrapping a claim in any quote marks never hides it', () => {
  const marks = fc.constantFrom('""', "''", '“”', '‘’', '「」', '『』', '``', '«»', '„“', '‹›', '❝❞', '””', '““')
  fc.assert(
    fc.property(
      fc.constantFrom(...plainClaims),
      fc.array(marks, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', 'Noted: ', 'Well, '),
      ({ text }, pairs, lead) => {
        const wrapped = pairs.reduce((inner, pair) => `${pair.charAt(0)}${inner}${pair.charAt(1)}`, text)
        return claimsOf(`${lead}${wrapped}`).length >= 1
      },
    ),
    { numRuns: 3000, seed: 5 },
  )
})

test('row P32: invisible characters anywhere change nothing', () => {
  const invisible = fc.constantFrom(
    '\u200b',
    '\u200d',
    '\u00ad',
    '\u2063',
    '\u180e',
    '\u034f',
    '\ufe0f',
    '\u{e0100}',
    '\u{e0061}',
    '\u3164',
    '\uffa0',
    '\ufeff',
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...rules),
      fc.array(fc.tuple(fc.nat(), invisible), { maxLength: 12 }),
      ({ text, scope = 'decisions' }, places) => {
        const chars = Array.from(text)
        for (const [place, char] of places) chars.splice(place % (chars.length + 1), 0, char)
        const options = { scope, isTyped: () => false }
        assert.equal(detectClaims(chars.join(''), options), detectClaims(text, options))
      },
    ),
    { numRuns: 2000, seed: 5 },
  )
})

test('judging twice gives the same, whatever was judged between', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...rules), { minLength: 2, maxLength: 6 }), (chosen) => {
      const options = { scope: 'decisions', isTyped: () => false } as const
      const first = chosen.map(({ text }) => detectClaims(text, options))
      assert.equal(
        chosen.map(({ text }) => detectClaims(text, options)),
        first,
      )
    }),
    { numRuns: 500, seed: 5 },
  )
})

test('any text is judged without an error, and its parts lie in its sentences', () => {
  const pieces = fc.constantFrom(
    'the user ',
    'approved ',
    '用户',
    '同意',
    '"',
    '“',
    '”',
    "'",
    '`',
    '(',
    ')',
    '\n',
    '    ',
    '- ',
    '. ',
    ';',
    '?',
    '|',
    '```\n',
    ':',
    '=',
    '\u0301',
    '\ud800',
    '后',
    'if ',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (chosen) => {
      for (const { sentence, span, quotes, text } of claimsOf(chosen.join(''))) {
        assert.ok(span.from >= 0 && span.from < span.to && span.to <= sentence.length)
        assert.ok(sentence.includes(text))
        for (const { from, to } of quotes) assert.ok(from >= span.from && to <= span.to)
      }
    }),
    { numRuns: 3000, seed: 5 },
  )
})

test('row P70: doubled hostile text takes at most 2.2 times the steps', () => {
  const units = 30_000
  const fill = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
  const nested = (length: number) => fill('“「\'"', length / 2) + fill('"\'」”', length / 2)
  const hostile: Record<string, (length: number) => string> = {
    'alternating marks': (length) => fill('\u0301\u0316', length),
    'nested quotes': nested,
    'quoted near-claims': (length) => fill('“the user “approves ', length),
    openers: (length) => fill('“', length),
    parentheses: (length) => fill('(', length),
    'no spaces': (length) => fill('user', length),
    'many spaces': (length) => `user${' '.repeat(length)}decided`,
    subjects: (length) => fill('the user ', length),
    'near-claims': (length) => fill('if the user approved it\n', length),
    'near-claims of one sentence': (length) => fill('if the user approved it and ', length),
    'Chinese near-claims': (length) => fill('用户确认后再说，', length),
    keys: (length) => fill('user confirmed: false\n', length),
    claims: (length) => fill('the user approved it. ', length),
    'other languages': (length) => fill('el usuario ', length),
    'names of the user': (length) => `The user (Dana) left. ${fill('Dana ', length)}`,
    tags: (length) => fill('<b>user ', length),
    'joined lines': (length) => fill(' user\n', length),
    ticks: (length) => fill('` `` ', length),
  }
  for (const [name, text] of Object.entries(hostile)) {
    const steps = countedSteps(() => detected(text(units)))
    const doubled = countedSteps(() => detected(text(units * 2)))
    assert.ok(doubled <= steps * 2.2 + 10_000, `${name}: ${steps} steps, doubled ${doubled}`)
  }
})

test.run()
