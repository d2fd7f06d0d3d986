// Holds the words for the capability gate's codes to the list of codes that is the contract.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { codeText, codeWords } from '../../src/reports/code-words.js'

const test = suite('code-words')

const codes =
  'granted skill_not_listed tool_not_granted path_not_granted path_dangling path_looping path_unreadable path_unresolved approval_required nobody_to_ask denied_explicitly grant_expired command_not_granted command_opaque self_protected policy_unavailable mode_unresolved gate_error'

test('every code has words of its own, in half a sentence, and no other name has', () => {
  assert.equal(Object.keys(codeWords).sort(), codes.split(' ').sort())
  assert.is(new Set(Object.values(codeWords)).size, 18)
  for (const [code, words] of Object.entries(codeWords)) assert.match(words, /^[a-z][^.]*$|^Stele[^.]*$/, code)
})

test('a code that another version has written stands for itself, whatever it is called', () => {
  for (const code of ['new_code', '', 'constructor', '__proto__']) assert.is(codeText(code), code)
  assert.is(codeText('granted'), 'a grant covers it')
})

test.run()
