// Holds the rows of a language's patterns to the lines of the rules corpus that name them.
import { wordingsIn } from '../../src/gates/provenance/claim-detector.js'
import type { ClaimRow, ExemptionRow } from '../../src/gates/provenance/language-patterns.js'
import { type ClaimLine, claimCorpus } from './claim-corpus.js'

interface AboutLine extends ClaimLine {
  /** The row of the patterns that the line is about. */
  readonly about?: string
}

const lines = claimCorpus('claims-rules', (line): AboutLine => JSON.parse(line))

/** What is wrong, as sentences: a row without a line of either kind, or a line that comes out by another row. */
export function patternBreaches(rows: readonly (ClaimRow | ExemptionRow)[], kind: 'claims' | 'exemptions'): string[] {
  return rows.flatMap(({ id }) => {
    const about = lines.filter((line) => line.about === id)
    const claims = about.filter(({ claim }) => claim)
    const others = about.filter(({ claim }) => !claim)
    const breaches = [
      ...(claims.length > 0 ? [] : [`${id} has no line that is a claim`]),
      ...(others.length > 0 ? [] : [`${id} has no line that is no claim`]),
    ]
    const wrong =
      kind === 'claims' ? claims.filter((line) => !isFlaggedBy(line, id)) : others.filter((line) => !isExemptBy(line, id))
    return [...breaches, ...wrong.map(({ text }) => `${id} does not decide: ${text}`)]
  })
}

function isFlaggedBy({ text, scope = 'decisions' }: AboutLine, id: string): boolean {
  return wordingsIn(text, scope).some(({ row, exemption }) => row.id === id && exemption === undefined)
}

function isExemptBy({ text, scope = 'decisions' }: AboutLine, id: string): boolean {
  return wordingsIn(text, scope).some(({ exemption }) => exemption === id)
}
