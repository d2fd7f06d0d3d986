// Holds content tokens to the specification: Latin words of three letters, CJK neighbours, stop words left out, no likeness.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { claimTokens, contentTokens, lengthInWords, sharedTokens } from '../../../src/gates/provenance/content-tokens.js'

const test = suite('content-tokens')

const tokens = (text: string) => [...contentTokens(text)].sort()

test('row P61: Latin words of three letters or more count in lower case, stop words do not', () => {
  assert.equal(tokens('The DB on Friday is FOR you, ship it'), ['friday', 'ship'])
  assert.equal(tokens("I don't know that they've won"), ['know'])
  assert.equal(tokens('v2 p95 h264 utf8 x'), ['utf8'])
  assert.equal(tokens('prod-database snake_case a/b/config'), ['case', 'config', 'database', 'prod', 'snake'])
})

test('row P61: of CJK every two neighbours count, and Latin words beside them', () => {
  assert.equal(tokens('周五上线'), ['上线', '五上', '周五'].sort())
  assert.equal(tokens('用Postgres做'), ['postgres'])
  assert.equal(tokens('删。库'), [])
})

test('row P88: no likeness counts', () => {
  assert.is(sharedTokens(contentTokens('lint GPU'), contentTokens('linter GPUs')), 0)
  assert.is(sharedTokens(contentTokens('周五发布'), contentTokens('release on friday')), 0)
  assert.is(sharedTokens(contentTokens('發布決定'), contentTokens('发布决定')), 0)
})

test('row P61: whom a claim is about is no token of it, but a second mention is', () => {
  assert.equal([...claimTokens('The user dropped it')], ['dropped'])
  assert.equal([...claimTokens('The user dropped the user list')], ['dropped', 'user', 'list'])
  assert.not.ok(claimTokens('用户同意').has('用户'))
})

test('row P62: length counts Latin words between blanks and CJK characters, and no lone punctuation', () => {
  for (const [text, length] of [
    ['yes', 1],
    ["don't do that", 3],
    ['a - b', 2],
    ['好的', 2],
    ['用 Postgres 16 吧', 4],
    ['…', 0],
  ] as const) {
    assert.is(lengthInWords(text), length, text)
  }
  assert.is(lengthInWords('a b c d e', 4), 4)
})

test.run()
