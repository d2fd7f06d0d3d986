// Holds the evidence rule to every labelled case of evidence-rules.jsonl, written by hand from the specification.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot } from '../../scripts/project-tree.js'
import { type Claim, type EvidenceVerdict, judgeClaim } from '../../src/gates/provenance/evidence-rule.js'
import { type Evidence, prepareEvidence } from '../../src/gates/provenance/prepare-evidence.js'

interface EvidenceCase {
  readonly id: string
  readonly row: string
  /** `text` null where the words are forgotten. */
  readonly messages: readonly {
    readonly text: string | null
    readonly session?: 'this' | 'parent' | 'other'
    readonly sender?: string
    readonly attested?: boolean
  }[]
  readonly search?: 'session' | 'profile'
  readonly stored?: readonly string[]
  readonly attestedOnly?: boolean
  readonly unavailable?: boolean
  readonly claim: Claim
  readonly expect: Partial<EvidenceVerdict>
}

const cases: readonly EvidenceCase[] = readFileSync(join(projectRoot, 'test/corpora/evidence-rules.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))
/** The entries of the messages count from here. */
const firstIndex = 10

test('there are at least 150 cases, each with an id of its own', () => {
  assert.ok(cases.length >= 150)
  assert.is(new Set(cases.map(({ id }) => id)).size, cases.length)
})

for (const row of new Set(cases.map((one) => one.row))) {
  const ofRow = cases.filter((one) => one.row === row)
  test(`${row.startsWith('case') ? row.replace('-', ' ') : `row ${row}`}: all ${ofRow.length} labelled cases come out as labelled`, () => {
    for (const one of ofRow) {
      const verdict = judgeClaim(one.claim, prepareEvidence(evidenceOf(one)))
      const asked = Object.fromEntries(
        Object.keys(one.expect).map((key) => [key, Object.entries(verdict).find(([name]) => name === key)?.[1]]),
      )
      assert.equal(asked, one.expect, `${one.id}: ${JSON.stringify(verdict)}`)
    }
  })
}

function evidenceOf({ messages, search, stored = [], attestedOnly = false, unavailable = false }: EvidenceCase): Evidence {
  return {
    messages: messages.map(({ text, session, sender = '', attested = true }, place) => ({
      index: firstIndex + place,
      text: text ?? undefined,
      session: session === 'other' ? 'other' : 'this',
      sender,
      attested,
    })),
    profile: search === 'profile',
    stored,
    attestedOnly,
    unavailable,
  }
}

test.run()
