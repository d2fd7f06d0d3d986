// Holds the redactor to its vectors and to what is true of every text: the same once as twice, and untouched where nothing is found.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { commandWords } from '../../src/redaction/command-words.js'
import { isKnownSecret, knownValues } from '../../src/redaction/known-values.js'
import { ownPattern } from '../../src/redaction/own-pattern.js'
import { makeRedactor } from '../../src/redaction/redact.js'
import { countedSteps } from '../support/counted-steps.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'

const test = suite('redact')

const redactor = makeRedactor()

function redactedOf(text: string, known: readonly string[] = []): string {
  return makeRedactor({ knownValues: known }).text(text).text
}

const vectors: readonly (readonly [name: string, given: string, expected: string])[] = [
  ['G1', 'DEPLOY_TOKEN=q1w2e3r4', 'DEPLOY_TOKEN=[REDACTED]'],
  ['G2', 'https://ops:hunter@vault.test/x', 'https://[REDACTED]@vault.test/x'],
  ['G3', 'key is sk-ZZZZZZZZ99', 'key is [REDACTED]'],
  ['G3', 'sk-short', 'sk-short'],
  ['G4', 'gho_1234abcd pushed', '[REDACTED] pushed'],
  ['G5', 'Bearer qwe.rty', '[AUTH REDACTED]'],
  ['G6', '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\nand the rest', '[PRIVATE KEY REDACTED]'],
  ['G7', '?access_token=abc&ok=1', '?access_token=[REDACTED]&ok=1'],
  ['G8', 'a=my_token=zz', 'a=my_token=[REDACTED]'],
  ['G32', 'my_secret-name: "two words"', 'my_secret-name: "[REDACTED]"'],
  ['G33', 'tokenizer: bpe', 'tokenizer: bpe'],
  ['G33', 'a basic outline', 'a basic outline'],
  ['G33', 'bearer of bad news', 'bearer of bad news'],
  ['E15', 'explain basic arithmetic and save it', 'explain basic arithmetic and save it'],
  ['W5', 'Authorization: Bearer x', 'Authorization: [AUTH REDACTED]'],
  [
    'case 118',
    '{"error": "401", "api_key" : "abc"} at /v1?key_token=abc&x=1',
    '{"error": "401", "api_key" : "[REDACTED]"} at /v1?key_token=[REDACTED]&x=1',
  ],
]

for (const [name, given, expected] of vectors) test(`${name}: ${given}`, () => assert.is(redactor.text(given).text, expected))

test('case 122: a listing of the environment keeps its names and loses every credential', () => {
  const secrets = Array.from({ length: 12 }, (_, at) => `value ${at} & more; of <it>`)
  const names =
    'OPENAI_API_KEY GITHUB_TOKEN DB_PASSWORD AWS_SECRET_ACCESS_KEY STRIPE_SECRET_KEY SLACK_BOT_TOKEN NPM_TOKEN JWT_SECRET SENTRY_AUTH_TOKEN REDIS_PASSWORD MAIL_PASSWORD VENDOR_API_KEY'.split(
      ' ',
    )
  const lines = names.map((name, at) => `${name}=${secrets[at]}`)
  const { text, count } = redactor.text(['HOME=/root', ...lines, 'LANG=C.UTF-8'].join('\n'))
  assert.is(text, ['HOME=/root', ...names.map((name) => `${name}=[REDACTED]`), 'LANG=C.UTF-8'].join('\n'))
  assert.is(count, 12)
})

test('G9: a value of the environment is taken out wherever it stands, and one of five characters is none', () => {
  assert.equal(knownValues([['BILLING_SECRET', 'north-star-77']]), ['north-star-77'])
  assert.is(redactedOf('it is north-star-77!', ['north-star-77']), 'it is [REDACTED]!')
  assert.equal(knownValues([['A_TOKEN', 'ab1-2']]), [])
})

test('G11: of two known values that overlap nothing is left over', () => {
  for (const known of [
    ['abc-123', 'abc-123-tail'],
    ['abc-123-tail', 'abc-123'],
  ])
    assert.is(redactedOf('x abc-123-tail y abc-123', known), 'x [REDACTED] y [REDACTED]')
  assert.is(redactedOf('1abcd2', ['1abc', 'bcd2']), '[REDACTED]')
})

test('W1: words, numbers, paths and addresses are no known values, whatever the name says', () => {
  for (const value of [
    'production',
    'Production',
    'true',
    'none',
    '12345',
    '1.2.3',
    '/run/secrets/token',
    'https://example.com',
    'eu-central',
    `\${OTHER}`,
    'REDACTED',
  ])
    assert.is(isKnownSecret('SERVICE_TOKEN', value), false, value)
  for (const value of ['hunter22', 'p4ssw0', 'correct horse!', '123456789', 'a-b-c-1-2-3', 'aVeryLongWordOfManyLettersIndeed'])
    assert.is(isKnownSecret('DB_PASSWORD', value), true, value)
  assert.is(isKnownSecret('TOKENIZER', 'hunter22'), false)
  assert.is(isKnownSecret('HERMES_SESSION_KEY', 'agent-1234-abcd'), false)
})

test('a known value is found as JSON and as an address write it', () => {
  const known = knownValues([['DB_PASSWORD', 'pa"ss wörd1']])
  assert.is(redactedOf('{"x": "pa\\"ss wörd1"} ?p=pa%22ss%20w%C3%B6rd1', known), '{"x": "[REDACTED]"} ?p=[REDACTED]')
})

test('own patterns: one star stands for some characters without blanks and quotes', () => {
  const own = makeRedactor({ ownPatterns: [ownPattern('acme-*-key'), ownPattern('blue.house')] })
  assert.is(
    own.text('x acme-a1-key y blue.house z "acme- -key" bluexhouse').text,
    'x [REDACTED] y [REDACTED] z "acme- -key" bluexhouse',
  )
  assert.is(own.text(`acme-${'a'.repeat(256)}-key`).count, 1)
  assert.is(own.text(`acme-${'a'.repeat(257)}-key`).count, 0)
})

test('a pattern that is too short, has two stars or fits a marker is refused', async () => {
  for (const text of [
    '',
    'abc',
    '*abc',
    'a*b*cdef',
    'REDACTED',
    '*DACTED',
    '[AUTH*',
    'ab,cdef',
    ' abcd',
    'a\nbcd',
    'x'.repeat(257),
  ])
    await rejectsWithCode(() => ownPattern(text), 'REDACTION_PATTERN_INVALID')
})

test('G19: members with secret names are replaced whole, in lists too, and nothing else is', () => {
  const given = {
    a: { password: { x: 1 }, max_tokens: 200, ok: true },
    list: [{ cookie: 'abc' }, 'plain'],
    token: null,
    secret: false,
    api_token_count: 7,
  }
  const { value, count } = redactor.value(given)
  assert.equal(value, {
    a: { password: '[REDACTED]', max_tokens: 200, ok: true },
    list: [{ cookie: '[REDACTED]' }, 'plain'],
    token: null,
    secret: false,
    api_token_count: 7,
  })
  assert.is(count, 2)
})

test('a name of a member that holds a secret is redacted, and names stay apart', () => {
  const name = `ghp_${'a1'.repeat(18)}`
  const { value, count } = redactor.value({ [name]: 1, [`${name}b`]: 2, '[REDACTED]': 3 })
  assert.equal(Object.values(value as object).sort(), [1, 2, 3])
  assert.is(count, 2)
  assert.not.match(JSON.stringify(value), 'ghp_')
})

test('E14: a number of tokens is left alone', () => {
  const given = { max_tokens: 200, tokens: 4096, token_count: 3, total_tokens: 1_000_000 }
  assert.is(redactor.value(given).value, given)
})

test('hits say where a secret stood in the text that came, behind others too', () => {
  const text = `a ghp_${'a1'.repeat(18)}\nb password: hunter2\n`
  const { hits } = redactor.text(text)
  assert.equal(
    hits.map(({ name, at, length }) => [name, text.slice(at, at + length)]),
    [
      ['github-token', `ghp_${'a1'.repeat(18)}`],
      ['assigned-value', 'hunter2'],
    ],
  )
})

test('a command word is never taken for a known value, and a token in its place is taken out', () => {
  const own = makeRedactor({ knownValues: ['python3', 'git-tool9'], ownPatterns: [ownPattern('git-tool*')] })
  const command = 'A=1 python3 -c "python3" | git-tool9 x && python3; echo git-tool9'
  assert.is(
    own.text(command, { commandWords: commandWords(command) }).text,
    'A=1 python3 -c "[REDACTED]" | git-tool9 x && python3; echo [REDACTED]',
  )
  const pasted = `ghp_${'a1'.repeat(18)}`
  assert.is(own.text(pasted, { commandWords: commandWords(pasted) }).text, '[REDACTED]')
})

test('command words stand at the beginning and behind what begins a command, outside of quotes', () => {
  const words = (text: string) => commandWords(text).map(({ from, to }) => text.slice(from, to))
  assert.equal(words('TOKEN=abc npm test'), ['npm'])
  assert.equal(words(`A='b c' B="d" /usr/bin/env x; ls|wc -l && (cd a\nmake)`), ['/usr/bin/env', 'ls', 'wc', 'cd', 'make'])
  assert.equal(words('echo "a; b" \'; c\' \\; d'), ['echo'])
  assert.equal(words(''), [])
})

const pieces = [
  'password',
  'token',
  'secret',
  'api_key',
  'Authorization',
  'Cookie',
  '=',
  ': ',
  '=>',
  '"',
  "'",
  '\\"',
  '\n',
  ' ',
  'a1b2c3d4',
  'hunter2',
  'Bearer ',
  'Basic ',
  'https://',
  'u:p@h',
  '[REDACTED]',
  '[AUTH REDACTED]',
  '[PRIVATE KEY REDACTED]',
  '[redacted:A_TOKEN]',
  'REDACTED',
  ']',
  '[',
  '-----BEGIN PRIVATE KEY-----',
  '-----END PRIVATE KEY-----',
  `ghp_${'a1'.repeat(10)}`,
  `AKIA${'A2'.repeat(8)}`,
  'sk-proj-a1b2c3d4',
  'eyJhbGciOi.eyJhbGciOi.x',
  'acme-1',
  'known-42',
  '--password ',
  'curl -u ',
  'bob:pw',
  '<token>',
  '</token>',
  '&',
  ';',
  ',',
  '{',
  '}',
  '.',
  '$(',
  'x',
  '*',
  '|',
  '\u{1f600}',
  '\ud800',
]
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((parts) => parts.join('')),
)

test('what was redacted once is the same when it is redacted again, and nothing is found in it', () => {
  const own = makeRedactor({ knownValues: ['known-42', '42ac', '1]x'], ownPatterns: [ownPattern('acme-*')] })
  fc.assert(
    fc.property(texts, (text) => {
      const { text: once, count, hits } = own.text(text)
      assert.is(count, hits.length)
      const again = own.text(once)
      assert.is(again.count, 0)
      assert.is(again.text, once)
      if (count === 0) assert.is(once, text)
      else assert.is.not(once, text)
      for (const { at, length } of hits) assert.ok(at >= 0 && length >= 0 && at + length <= text.length)
    }),
    { numRuns: 20_000 },
  )
})

test('so is a value, which is the same object where nothing is found, and is never changed itself', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.array(fc.tuple(fc.constantFrom('password', 'api_key', 'tokens', 'x', 'auth', '__proto__'), texts)),
      (any, members) => {
        const given = { any, members: Object.fromEntries(members) }
        const before = JSON.stringify(given)
        const once = redactor.value(given)
        assert.is(JSON.stringify(given), before)
        const again = redactor.value(once.value)
        assert.is(again.count, 0)
        assert.is(again.value, once.value)
        if (once.count === 0) assert.is(once.value, given)
      },
    ),
    { numRuns: 3000 },
  )
})

test('one that remembers finds in a text that comes again what it found the first time, and counts it again', () => {
  const remembering = redactor.remembering()
  const long = `${'quite harmless words. '.repeat(100)}DEPLOY_TOKEN=q1w2e3r4 and the rest`
  const plain = redactor.text(long)
  assert.is(plain.count, 1)
  assert.equal([remembering.text(long), remembering.text(`${long}`)], [plain, plain])
  assert.equal(remembering.value([long, { content: long }]), redactor.value([long, { content: long }]))
  assert.equal(remembering.named('password', long), redactor.named('password', long))
  // With command words it is another question.
  const command = `deploy ${long}`
  const options = { commandWords: [{ from: 0, to: command.length }] }
  remembering.text(command)
  assert.equal(remembering.text(command, options), redactor.text(command, options))
  assert.not.equal(redactor.text(command, options), redactor.text(command))
})

test('one that remembers looks through a long text once', () => {
  const long = 'quite harmless words. '.repeat(2000)
  const remembering = redactor.remembering()
  const first = countedSteps(() => remembering.text(long))
  const again = countedSteps(() => remembering.text(long))
  assert.ok(again * 20 < first, `${first} steps, again ${again}`)
})

test('a text that shows another secret whenever one is taken out goes whole', () => {
  const { text, count } = makeRedactor({ knownValues: ['start1', ']a'] }).text(`start1${'a'.repeat(20)}`)
  assert.is(text, '[REDACTED]')
  assert.is(count, 9)
})

test.run()
