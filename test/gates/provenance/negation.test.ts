// Holds negations to how far they reach, in English and Chinese, and to the words that only look like one. Texts come folded.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { holdsNegation, negationBefore, startsWithNegation } from '../../../src/gates/provenance/negation.js'

const test = suite('negation')

const filler = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ')

test('row P58: each negation word counts', () => {
  for (const word of "never not no none nor neither nothing nobody without cannot don't won't isn't can't dont wont forbidden".split(
    ' ',
  )) {
    assert.ok(negationBefore(`please ${word} `), word)
  }
  for (const word of '不要 不准 不许 不得 不能 不会 不 没有 没 沒 别 別 未 勿 禁止 嚴禁 无需 避免'.split(' ')) {
    assert.ok(negationBefore(`请${word}`), word)
  }
})

test('row P58: it reaches twelve words, not thirteen', () => {
  assert.ok(negationBefore(`never ${filler(11)} `))
  assert.not.ok(negationBefore(`never ${filler(12)} `))
})

test('row P58: it reaches six CJK characters, not seven', () => {
  assert.ok(negationBefore('勿一二三四五'))
  assert.not.ok(negationBefore('勿一二三四五六'))
  assert.ok(negationBefore('不要一二三四'))
  assert.ok(negationBefore('禁止，一二、三四'), 'punctuation is no character')
})

test('row P58: commas do not stop it', () => {
  assert.ok(negationBefore('do not, under any circumstances, '))
  assert.ok(negationBefore('不要，'))
})

test('row P58: parts of other words and assent are no negation', () => {
  for (const text of ['notable', 'know', 'the no-op', 'nonsense', 'no problem,', 'no objections,', 'not only', 'cannot2']) {
    assert.not.ok(holdsNegation(text), text)
  }
  for (const text of '没问题 没错 不错 特别 类别 区别 分别 级别 别人 不仅 不但 不管 不过 不同 未来'.split(' '))
    assert.not.ok(holdsNegation(text), text)
  for (const text of '不同意 不过期 那个别删 这类别动 别处理 不断开 没意思'.split(' ')) assert.ok(holdsNegation(text), text)
  for (const text of ["'never' delete", '"not" this', 'so never!', '(no) go', '- not here', '请not做'])
    assert.ok(holdsNegation(text), text)
})

test('row P59: a quote starts with a negation, also behind a plea or in the user’s own denial', () => {
  for (const quote of [
    "don't approve the refund",
    'do not approve the refund',
    'never approve the refund',
    'no refund for them',
    'please do not approve it',
    "let's not approve it",
    'i do not approve the refund',
    "we don't really want this",
    "i can't agree to that",
    '不要批准退款',
    '别批准退款',
    '请不要批准退款',
    '千万别批准退款',
    '我不同意退款',
    '我们没有批准退款',
    '我不要退款',
  ]) {
    assert.ok(startsWithNegation(quote), quote)
  }
  for (const quote of [
    'approve it, do not wait',
    'ship without tests on friday',
    "we don't need the old database any more, drop it",
    'no problem, approve the refund',
    'nothingness is fine',
    '没问题，批准退款',
    '我们不需要旧库了',
    '批准退款，不用等',
    '特别同意退款',
  ]) {
    assert.not.ok(startsWithNegation(quote), quote)
  }
})

test.run()
