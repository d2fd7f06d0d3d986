// Holds what two claims are known by to be the same: how they are written says nothing, what they say does.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { claimKey } from '../../../src/gates/provenance/claim-key.js'

const test = suite('claim-key')

test('marks of a list, emphasis, white space, letter case and what ends it make no other claim', () => {
  for (const claim of [
    'User decided to ship on Friday.',
    '- User decided to ship on Friday',
    '12. User **decided** to  ship\non Friday!',
    '> * user decided to ship on `Friday`',
    'ＵＳＥＲ decided to ship on Fri\u200bday。',
  ])
    assert.is(claimKey(claim), 'user decided to ship on friday', claim)
  assert.is(claimKey('用户决定周五发布。'), claimKey('• 用户决定周五发布'))
})

test('a quote in brackets that backs it is no part of it, wherever it stands and whatever its marks are', () => {
  for (const claim of [
    'User decided to ship on Friday ("I decided we ship on Friday").',
    'User decided (“I decided we ship on Friday”) to ship on Friday.',
    'User decided to ship on Friday （「我决定周五发布」）',
    'User decided ["one"] to ship on Friday ("two").',
  ])
    assert.is(claimKey(claim), 'user decided to ship on friday', claim)
})

test('a quote that stands elsewhere is what it says, and so are brackets without one', () => {
  assert.is.not(claimKey('User said "use tabs".'), claimKey('User said "use spaces".'))
  assert.is(claimKey('User said "use tabs".'), 'user said "use tabs"')
  assert.is.not(claimKey('User decided to ship (on Friday).'), claimKey('User decided to ship.'))
  assert.is.not(claimKey('User decided 12. of May'), claimKey('User decided of May'))
})

test('where nothing is left there is no key', () => {
  for (const claim of ['', '...', '- ', '("only a quote")']) assert.is(claimKey(claim), '', claim)
})

test('a key is its own key, and a long text of marks takes no time', () => {
  for (const claim of ['1.5 users decided', 'User decided to ship on Friday ("x y").'])
    assert.is(claimKey(claimKey(claim)), claimKey(claim))
  const begun = performance.now()
  claimKey('- ("a b") '.repeat(40_000))
  claimKey('- '.repeat(200_000))
  assert.ok(performance.now() - begun < 2000)
})

test.run()
