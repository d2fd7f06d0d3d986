// Holds today's gates to a ledger that older rules judged: exactly the decisions that those rules made otherwise are told.
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Entry } from '../../src/events/entry.js'
import type { History } from '../../src/replay/history.js'
import { reproduce } from '../../src/replay/reproduce.js'

const test = suite('reproduce')

/** The members of an export that a reader needs, taken as they stand there. */
function historyOf(file: string): History {
  const lines = readFileSync(new URL(`../frozen/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(0, -1)
  const entries = lines.map((line): Entry => {
    const { data, words, ...header } = JSON.parse(line) as Entry['header'] & { data: Entry['payload']; words?: Entry['words'] }
    return { header, payload: data, words }
  })
  return {
    size: async () => entries.length,
    entries: async function* () {
      yield* entries
    },
    sessionEntries: async function* (handle) {
      yield* entries.filter(({ header }) => header.session === handle)
    },
    entry: async (index) => {
      const entry = entries[index]
      if (entry === undefined) throw new RangeError(`no entry ${index}`)
      return entry
    },
  }
}

test('a ledger of version 1 of the provenance rules: "approved" was no claim, and a quote behind a negation counted', async () => {
  const { counts, differences, versions } = await reproduce(historyOf('ledger-older-rules.jsonl'), { listed: 10 })
  // By hand, from the three changes that scripts/write-older-ledger.mjs makes: of five writes these three, newest first.
  assert.equal(
    differences.map(({ gate, tool, gateVersion, before, after }) => [gate, tool, gateVersion.recorded, before.code, after.code]),
    [
      ['provenance', 'skill_manage', 1, 'no_claim', 'no_quote'],
      ['provenance', 'memory', 1, 'supported', 'quote_negated'],
      ['provenance', 'memory', 1, 'no_claim', 'quote_negated'],
    ],
  )
  assert.is(counts.different, 3)
  const ofProvenance = versions.find(({ gate }) => gate === 'provenance')
  assert.equal([ofProvenance?.recorded, ofProvenance?.decisions, ofProvenance?.different], [1, 5, 3])
  for (const { index, judges, parts } of differences)
    assert.ok(judges < index && parts.includes('verdict') && parts.includes('claims'))
})

test('only so many differences are listed, the newest, and all are counted', async () => {
  const { counts, differences } = await reproduce(historyOf('ledger-older-rules.jsonl'), { listed: 1 })
  assert.equal([counts.different, differences.map(({ tool }) => tool)], [3, ['skill_manage']])
})

test('ledgers of released versions hold no decision that today’s gates make otherwise', async () => {
  for (const file of ['ledger-0.1.0.jsonl', 'ledger-0.2.0.jsonl']) {
    assert.is((await reproduce(historyOf(file), { listed: 10 })).counts.different, 0, file)
  }
})

test.run()
