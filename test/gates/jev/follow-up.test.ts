// Holds the detector of follow-ups to its vectors, and to what it must leave alone.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isFollowUp } from '../../../src/gates/jev/follow-up.js'

const test = suite('follow-up')

const vectors: readonly (readonly [id: string, text: unknown, expected: boolean])[] = [
  ['B1', 'Hey!!', false],
  ['B2', ' GOOD EVENING ', false],
  ['B3', 'how are you?!', false],
  ['B4', 'hi bot', false],
  ['B5', 'good night', false],
  ['B6', 'good  evening', false],
  ['B7', 'Hi ,', false],
  ['B8', 'Yep, ship the branch', true],
  ['B9', 'proceed with step four of the plan', true],
  ['B10', 'ja bitte', true],
  ['B10', 'Weiter so', true],
  ['B11', 'fix them!', true],
  ['B11', 'Please, change it.', true],
  ['B11', 'bitte ändere das', true],
  ['B12', 'do the checks again', true],
  ['B12', 'run test too', true],
  ['B13', 'THEM', true],
  ['B13', 'ebenso.', true],
  ['B14', '', true],
  ['B14', ' \n\t ', true],
  ['B14', null, true],
  ['B14', 5, true],
  ['B15', 'Rename it to util.ts', false],
  ['B15', 'Delete that folder and its backups', false],
  ['B16', "Yesterday's numbers look off", false],
  ['B16', 'okapi facts', false],
  ['B16', 'Continued fraction calculator, please', false],
]

for (const [id, text, expected] of vectors)
  test(`vector ${id}: ${JSON.stringify(text)} is ${expected ? 'a follow-up' : 'none'}`, () =>
    assert.is(isFollowUp(text), expected))

/** The rules of section 7.4, as the original has them. */
function originalSays(text: string): boolean {
  const said = text
    .toLowerCase()
    .replace(/[.!?,]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return (
    said === '' ||
    /^(?:yes|yep|yeah|ok|okay|continue|proceed|resume|ja|weiter|weitermachen)(?![\p{L}\p{N}_])/u.test(said) ||
    /^(?:(?:please|bitte) )?(?:do|fix|run|change|delete|mach|ändere|lösche) (?:it|that|this|them|das|dies)$/.test(said) ||
    /^(?:run|do) (?:the )?(?:tests?|checks?) (?:too|again)$/.test(said) ||
    /^(?:it|that|this|those|them|again|too|das|dies|nochmal|ebenso)$/.test(said)
  )
}

test('vector B17 and compat W15: a word that only begins like an agreement was one for the original, and is none for ours', () => {
  const text = 'ok-button colour should be blue'
  assert.is(originalSays(text), true)
  assert.is(isFollowUp(text), false)
})

for (const text of [
  'go on',
  'sure thing',
  'undo that',
  'same again',
  'mach weiter',
  '👍',
  '👍🏽',
  'sí',
  'oui',
  'lösche das'.normalize('NFD'),
])
  test(`vector B18 and compat W15: the original misses ${JSON.stringify(text)}, ours knows it`, () => {
    assert.is(originalSays(text), false)
    assert.is(isFollowUp(text), true)
  })

test('row J30: agreements in other languages are follow-ups, as a whole message', () => {
  for (const text of [
    'да',
    'Хорошо.',
    '好的',
    '继续。',
    'はい',
    'お願いします。',
    '네',
    'نعم',
    'ठीक है',
    'evet, devam et',
    'tak',
    'd’accord',
    '✅',
    '👌 👍',
    '+1',
  ])
    assert.is(isFollowUp(text), true, text)
})

test('row J30: not every "this" is a follow-up, and a text that says what is meant is none', () => {
  for (const text of [
    'this function should return a list',
    'delete the folder build/cache',
    'Is it possible to sort this by date?',
    'Javascript closures explained',
    'okinawa weather',
    'weiterleitung einrichten',
    'restart the nginx container',
    'do the dishes app: add a login page',
    '请删除 build 目录',
    'всегда ли это верно?',
    'take this file and sort it',
  ])
    assert.is(isFollowUp(text), false, text)
})

test('whatever the original takes for a follow-up, ours does too, but for compounds with a hyphen', () => {
  const words =
    'yes yep ok okay continue proceed ja weiter please bitte do fix run delete mach it that this das the test tests again too folder now'.split(
      ' ',
    )
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...words), { maxLength: 6 }),
      fc.constantFrom(' ', ', ', '! ', '  '),
      (said, between) => {
        const text = said.join(between)
        if (originalSays(text)) assert.is(isFollowUp(text), true, text)
      },
    ),
    { seed: 15 },
  )
})

test('random text never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => typeof isFollowUp(text) === 'boolean'),
    { seed: 3 },
  )
})

test.run()
