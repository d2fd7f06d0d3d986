// Holds the words of reasons to the schema of a judged claim and to docs/provenance.md: each reason and each detail has its own, and a
// strange one shows as it is.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readProjectFile } from '../../scripts/project-tree.js'
import { claimEvents } from '../../src/events/claim.js'
import { detailWords, reasonText, reasonWords } from '../../src/reports/reason-words.js'

const test = suite('reason-words')

const { reason, detail } = claimEvents['claim.judged'].facts.shape

test('each reason and each detail that the schema knows has words of its own', () => {
  assert.equal(Object.keys(reasonWords).sort(), [...reason.unwrap().options].sort())
  assert.equal(Object.keys(detailWords).sort(), [...detail.unwrap().options].sort())
  const all = [...Object.values(reasonWords), ...Object.values(detailWords)]
  assert.is(new Set(all).size, all.length)
})

test('a detail stands behind its reason, and what another version has written shows as it is', () => {
  assert.is(reasonText(null, null), '')
  assert.is(reasonText('no_quote', null), reasonWords.no_quote)
  assert.is(reasonText('quote_not_found', 'stitched'), `${reasonWords.quote_not_found}: ${detailWords.stitched}`)
  assert.is(reasonText('of_another_version', 'toString'), 'of_another_version: toString')
})

/** As the design settles it: these could not be checked. */
const unchecked = ['too_many_claims', 'unreadable_arguments', 'internal_error', 'words_unavailable']

test('docs/provenance.md has exactly the reasons that a verdict can have, each with its outcome and its words, and names each detail', () => {
  const page = readProjectFile('docs/provenance.md')
  const section = page.slice(page.indexOf('## Reasons'), page.indexOf('## Looking'))
  const rows = [...section.matchAll(/^\| `(\w+)` *\| `(\w+)` *\| (.*?) *\|$/gm)].map(([, ...cells]) => cells.join(' | '))
  const wanted = Object.entries(reasonWords).map(
    ([name, words]) => `${name} | ${unchecked.includes(name) ? 'unchecked' : 'unsupported'} | ${words}`,
  )
  assert.equal(rows, wanted)
  for (const name of Object.keys(detailWords)) assert.match(page, `\`${name}\``)
})

test.run()
