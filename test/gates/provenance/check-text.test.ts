// Holds the dry run to the lines that a batch is told to give: one verdict a text, one a claim, and the place of the message that backs it.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkText, type TextToCheck } from '../../../src/gates/provenance/check-text.js'

const test = suite('check-text')

const friday = 'I decided we ship on Friday'
const backed = `User decided to ship on Friday ("${friday}").`

test('a text without a claim has none, with its id', () => {
  assert.equal(checkText({ id: 'a', text: 'Tabs are two wide.' }), { id: 'a', verdict: 'no_claim', claims: [] })
  assert.equal(checkText({ text: '' }), { verdict: 'no_claim', claims: [] })
  assert.is(checkText({ id: 0, text: '' }).id, 0)
})

test('a claim that nothing backs flags the text', () => {
  assert.equal(checkText({ text: 'User decided to ship on Friday.' }), {
    verdict: 'flag',
    claims: [
      {
        claim: 'User decided to ship on Friday.',
        quote: null,
        verdict: 'flag',
        reason: 'no_quote',
        matchedIn: null,
        message: null,
      },
    ],
  })
})

test('a claim that a message backs passes, and names its place among those handed in', () => {
  assert.equal(checkText({ text: backed, messages: [{ text: 'hello' }, { text: friday, sender: 'ann' }] }), {
    verdict: 'pass',
    claims: [{ claim: backed, quote: friday, verdict: 'pass', reason: null, matchedIn: 'this-session', message: 1 }],
  })
})

test('one flagged claim flags the text', () => {
  const { verdict, claims } = checkText({ text: `${backed} The owner approved the refund.`, messages: [{ text: friday }] })
  assert.equal([verdict, claims.map((one) => one.verdict)], ['flag', ['pass', 'flag']])
})

test('messages of the session before count as this session’s, of others in profile search alone', () => {
  const said = (session: 'this' | 'parent' | 'other', more: Partial<TextToCheck> = {}) => {
    const [claim] = checkText({ text: backed, messages: [{ text: friday, session }], ...more }).claims
    return claim?.reason ?? claim?.matchedIn
  }
  assert.is(said('this'), 'this-session')
  assert.is(said('parent'), 'this-session')
  assert.is(said('other'), 'quote_not_found')
  assert.is(said('other', { search: 'profile' }), 'profile')
})

test('preferences are claims in the wider scope alone', () => {
  assert.is(checkText({ text: 'User prefers tabs.' }).verdict, 'no_claim')
  assert.is(checkText({ text: 'User prefers tabs.', scope: 'decisions+preferences' }).verdict, 'flag')
})

test('a quote of the text that it takes the place of counts, and what stood there already is not judged', () => {
  const stored = `User decded to ship on Friday ("${friday}").`
  assert.is(checkText({ text: backed, stored }).claims[0]?.matchedIn, 'stored-text')
  assert.is(checkText({ text: `${backed}\nTabs.`, stored: backed }).verdict, 'no_claim')
})

test('more than a hundred claims are one flag that quotes none', () => {
  const text = Array.from({ length: 101 }, (_, at) => `User decided to ship number ${at}.`).join('\n')
  assert.equal(checkText({ text }), {
    verdict: 'flag',
    claims: [{ claim: '', quote: null, verdict: 'flag', reason: 'too_many_claims', matchedIn: null, message: null }],
  })
})

test.run()
