// Reads the labelled claims of a corpus and holds the detector against them.
import { readProjectFile } from '../../scripts/project-tree.js'
import { detectClaims } from '../../src/gates/provenance/claim-detector.js'

export interface ClaimLine {
  readonly id: string
  readonly lang: string
  readonly claim: boolean
  readonly text: string
  readonly scope?: 'decisions' | 'decisions+preferences'
}

export interface ClaimScore {
  readonly claimsFlagged: number
  readonly claimsMissed: readonly ClaimLine[]
  readonly othersFlagged: readonly ClaimLine[]
  readonly othersPassed: number
}

export function claimCorpus<Line extends ClaimLine>(name: string, parse: (line: string) => Line): readonly Line[] {
  return readProjectFile(`test/corpora/${name}.jsonl`)
    .split('\n')
    .filter((line) => line !== '')
    .map(parse)
}

export function isFlagged({ text, scope = 'decisions' }: ClaimLine): boolean {
  return detectClaims(text, { scope, isTyped: () => false }).claims.length > 0
}

export function scoreOf(lines: readonly ClaimLine[]): ClaimScore {
  const flagged = lines.filter(isFlagged)
  return {
    claimsFlagged: flagged.filter(({ claim }) => claim).length,
    claimsMissed: lines.filter((line) => line.claim && !flagged.includes(line)),
    othersFlagged: flagged.filter(({ claim }) => !claim),
    othersPassed: lines.filter((line) => !line.claim && !flagged.includes(line)).length,
  }
}

/** One line for the test run: counts, precision, recall. */
export function shownScore(name: string, { claimsFlagged, claimsMissed, othersFlagged, othersPassed }: ClaimScore): string {
  const flagged = claimsFlagged + othersFlagged.length
  const claims = claimsFlagged + claimsMissed.length
  const precision = flagged === 0 ? 'none flagged' : (claimsFlagged / flagged).toFixed(3)
  const recall = claims === 0 ? 'no claims' : (claimsFlagged / claims).toFixed(3)
  return `${name}: ${claimsFlagged} of ${claims} claims flagged, ${othersFlagged.length} of ${othersFlagged.length + othersPassed} others flagged; precision ${precision}, recall ${recall}`
}
