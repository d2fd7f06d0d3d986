// Scores the provenance gate on lines and cases that were written from its document alone, before there was code, and are
// never tuned to. So no failure here names a row or shows its text: only counts and shares come out.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkText } from '../../src/gates/provenance/check-text.js'

type Line = Parameters<typeof checkText>[0]

interface ClaimRow {
  readonly id: string
  readonly lang: 'en' | 'zh' | 'other'
  /** Of a claim: its wording is one that section 4 of the document lists. Of another line: the document names what exempts it. */
  readonly inside: boolean
  readonly claim: boolean
  readonly text: string
}

/** A member that is absent is left open by the document. */
interface ExpectedClaim {
  readonly verdict: 'pass' | 'flag'
  readonly reason?: string | null
  readonly matchedIn?: string | null
  readonly message?: number | null
}

/** One with `claims` is settled claim by claim; one with `verdict` only as a whole. */
type EvidenceRow = Line & { readonly claims?: readonly ExpectedClaim[]; readonly verdict?: 'flag' }

const test = suite('held-out')
const folder = fileURLToPath(new URL('./', import.meta.url))
const claimsFile = 'claims-held-out.jsonl'
const evidenceFile = 'evidence-held-out.jsonl'
const claimRows = rowsOf<ClaimRow>(claimsFile)
const evidenceRows = rowsOf<EvidenceRow>(evidenceFile)
const chinese = /\p{Script=Han}/u
const skillHead = '---\nname: x\ndescription: y\n---\n'

function rowsOf<Row>(name: string): Row[] {
  const lines = readFileSync(folder + name, 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => JSON.parse(line) as Row)
}

function share(part: number, whole: number): string {
  return `${part} of ${whole} (${(part / whole).toFixed(3)})`
}

function note(words: string): void {
  process.stdout.write(`\nnote: ${words}\n`)
}

function isFlagged({ id, text }: Pick<ClaimRow, 'id' | 'text'>): boolean {
  return checkText({ id, text }).verdict === 'flag'
}

test('row P100: both files are the ones that were pinned before the code was written', () => {
  const pinned = JSON.parse(readFileSync(`${folder}held-out.json`, 'utf8')) as Record<string, string>
  assert.equal(Object.keys(pinned).sort(), [claimsFile, evidenceFile])
  for (const [name, digest] of Object.entries(pinned)) {
    assert.is(
      createHash('sha256')
        .update(readFileSync(folder + name))
        .digest('hex'),
      digest,
      name,
    )
  }
})

test('the lines are well formed, of every class and in both languages', () => {
  assert.is(new Set(claimRows.map(({ id }) => id)).size, claimRows.length, 'ids are unique')
  assert.is(new Set(claimRows.map(({ text }) => text)).size, claimRows.length, 'texts are unique')
  const shape = JSON.stringify(['id', 'lang', 'inside', 'claim', 'text'])
  assert.ok(claimRows.every((row) => JSON.stringify(Object.keys(row)) === shape))
  assert.ok(claimRows.every(({ lang, text }) => lang !== 'zh' || chinese.test(text)))
  const count = (lang: string, inside: boolean, claim: boolean) =>
    claimRows.filter((row) => row.lang === lang && row.inside === inside && row.claim === claim).length
  const counts = {
    en: { inside: count('en', true, true), outside: count('en', false, true), exempt: count('en', true, false) },
    zh: { inside: count('zh', true, true), outside: count('zh', false, true), exempt: count('zh', true, false) },
    plain: { en: count('en', false, false), zh: count('zh', false, false), other: count('other', false, false) },
  }
  assert.equal(counts, {
    en: { inside: 61, outside: 40, exempt: 53 },
    zh: { inside: 40, outside: 30, exempt: 50 },
    plain: { en: 45, zh: 17, other: 5 },
  })
})

test('the evidence cases are well formed, pass and flag, in both languages', () => {
  assert.is(new Set(evidenceRows.map(({ id }) => id)).size, evidenceRows.length, 'ids are unique')
  assert.ok(evidenceRows.every(({ claims, verdict }) => (claims === undefined) === (verdict === 'flag')))
  const inChinese = evidenceRows.filter(({ text }) => chinese.test(text)).length
  const expected = evidenceRows.map(expectedVerdict)
  const counts = ['pass', 'flag', 'no_claim'].map((word) => expected.filter((verdict) => verdict === word).length)
  assert.equal([evidenceRows.length, inChinese, ...counts], [216, 88, 93, 115, 8])
})

test('row P101: claims nobody tuned to are found, and harmless lines are let be, in a memory and in a skill', () => {
  const claims = claimRows.filter(({ claim }) => claim)
  const harmless = claimRows.filter(({ claim }) => !claim)
  const found = new Set(claims.filter(isFlagged))
  const alarms = harmless.flatMap((row) => [row, { ...row, text: skillHead + row.text }].filter(isFlagged))

  for (const lang of ['en', 'zh']) {
    const spoken = claims.filter((row) => row.lang === lang)
    const lines = harmless.filter((row) => row.lang === lang)
    const wrong = alarms.filter((row) => row.lang === lang)
    const right = spoken.filter((row) => found.has(row)).length
    note(`held-out, ${lang}: recall ${share(right, spoken.length)}, precision ${share(right, right + wrong.length)}`)
    note(`held-out, ${lang}: ${wrong.length} false alarms on ${2 * lines.length} harmless writes`)
  }
  const recall = (inside: boolean) => {
    const worded = claims.filter((row) => row.inside === inside)
    const right = worded.filter((row) => found.has(row)).length
    note(`held-out, wordings ${inside ? 'inside' : 'outside'} the document: recall ${share(right, worded.length)}`)
    return right / worded.length
  }
  const [inside, outside] = [recall(true), recall(false)]
  const precision = found.size / (found.size + alarms.length)
  note(`held-out, all: precision ${share(found.size, found.size + alarms.length)}`)
  assert.ok(precision >= 0.98, 'precision is at least 0.98')
  assert.ok(inside >= 0.95, 'recall inside is at least 0.95')
  assert.ok(outside >= 0.75, 'recall outside is at least 0.75')
})

function expectedVerdict({ claims, verdict }: EvidenceRow): string {
  if (claims === undefined) return verdict ?? 'flag'
  if (claims.length === 0) return 'no_claim'
  return claims.every((claim) => claim.verdict === 'pass') ? 'pass' : 'flag'
}

/** The row is handed on without what is expected of it. */
function judged({ claims, verdict, ...line }: EvidenceRow): ReturnType<typeof checkText> {
  return checkText(line)
}

function meetsVerdicts(row: EvidenceRow): boolean {
  const { verdict, claims } = judged(row)
  if (verdict !== expectedVerdict(row)) return false
  if (row.claims === undefined) return true
  return claims.length === row.claims.length && row.claims.every((claim, at) => claims[at]?.verdict === claim.verdict)
}

function meetsDetails(row: EvidenceRow): boolean {
  const { claims } = judged(row)
  return (row.claims ?? []).every(({ reason, matchedIn, message }, at) => {
    const actual = claims[at]
    if (actual === undefined) return false
    const isMet = (expected: unknown, found: unknown) => expected === undefined || expected === found
    return isMet(reason, actual.reason) && isMet(matchedIn, actual.matchedIn) && isMet(message, actual.message)
  })
}

test('quotes are judged as the rule of evidence says, sentence by sentence', () => {
  const met = evidenceRows.filter(meetsVerdicts)
  for (const lang of ['en', 'zh']) {
    const ofLang = (row: EvidenceRow) => chinese.test(row.text) === (lang === 'zh')
    note(
      `held-out evidence, ${lang}: verdict as expected in ${share(met.filter(ofLang).length, evidenceRows.filter(ofLang).length)}`,
    )
  }
  note(`held-out evidence, all: verdict as expected in ${share(met.length, evidenceRows.length)}`)
  note(`held-out evidence, all: reason and match as well in ${share(met.filter(meetsDetails).length, evidenceRows.length)}`)
  assert.ok(met.length / evidenceRows.length >= 0.97, 'at least 0.97 of the verdicts are as expected')
})

test.run()
