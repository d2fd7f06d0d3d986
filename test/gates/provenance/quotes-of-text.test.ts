// What a text quotes, as it is looked for in other sessions.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { quotesOfText } from '../../../src/gates/provenance/quotes-of-text.js'

const test = suite('quotes of text')

test('every quote is named once, in order, whatever its marks and its line', () => {
  const text = 'User said "ship on Friday" and “no later than noon”.\nThen "ship on Friday" again; 用户说「周五发布」。'
  assert.equal(quotesOfText(text), ['ship on Friday', 'no later than noon', '周五发布'])
})

test('a mark that is never closed spoils no sentence but its own', () => {
  assert.ok(
    quotesOfText('An inch mark: 27" wide.\nThe user approved "the second plan as it is".').includes('the second plan as it is'),
  )
})

test('more quotes than one sentence may hold are found in many sentences', () => {
  const lines = Array.from({ length: 50 }, (_, at) => `The user approved "plan number ${at} of these".`)
  assert.is(quotesOfText(lines.join('\n')).length, 50)
})

test('of a long quote its beginning is looked for, up to the end of a word', () => {
  const [quote = ''] = quotesOfText(`The user said "${'words of theirs '.repeat(100).trim()}".`)
  assert.ok(quote.length > 900 && quote.length <= 1000)
  assert.match(quote, /(words|of|theirs)$/)
})

test.run()
