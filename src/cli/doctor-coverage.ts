// What stele doctor says of coverage: whether anything of the last day should be on record and is not. Old holes are the report's matter: one
// that is mended must not keep a doctor red for ever.
import { SteleError } from '../foundation/stele-error.js'
import { newestHoles } from '../projections/coverage.js'
import { type Hole, type HoleKind, holeKinds, unsettledCall } from '../projections/coverage-watch.js'
import { type Coverage, type CoverageParts, coverageOf } from '../reports/coverage-report.js'
import { holeWords } from '../reports/hole-words.js'
import type { Home } from '../service/open-home.js'
import { askViews } from '../service/views-of-home.js'

export interface CoverageFinding {
  readonly state: 'well' | 'note' | 'wrong'
  readonly says: string
  readonly todo: string
}

const dayMs = 24 * 60 * 60 * 1000
const entriesNamed = 3
const todo = '`stele report coverage` names each with its entries'

export async function doctorCoverage(home: Home, nowMs: number): Promise<CoverageFinding[]> {
  const since = new Date(nowMs - dayMs).toISOString()
  try {
    const { parts } = await askViews(home, { ask: 'view', name: 'coverage', since })
    return coverageFindings(coverageOf(new Map(Object.entries(parts)) as CoverageParts), since)
  } catch (error) {
    if (!(error instanceof SteleError)) throw error
    return [{ state: 'note', says: `what is missing could not be looked up (${error.code})`, todo: '' }]
  }
}

/** One for each kind that is a fault, and one for all that is only worth knowing. */
export function coverageFindings({ days, watch }: Coverage, since: string): CoverageFinding[] {
  const unsettled = unsettledCall(watch)?.hole
  const listed = [...newestHoles(days, Number.POSITIVE_INFINITY), ...(unsettled === undefined ? [] : [unsettled])]
  const byKind = new Map<HoleKind, Hole[]>()
  for (const one of listed.filter(({ time }) => time >= since)) byKind.set(one.kind, [...(byKind.get(one.kind) ?? []), one])
  const kinds = holeKinds.filter((kind) => byKind.has(kind))
  const wrong = kinds.filter((kind) => holeWords[kind].weight === 'wrong')
  const notes = kinds.filter((kind) => holeWords[kind].weight === 'note')
  const told = notes.map((kind) => `${holeWords[kind].label.toLowerCase()}: ${countOf(byKind.get(kind))}`).join('; ')
  const findings: CoverageFinding[] = [
    ...wrong.map((kind) => ({ state: 'wrong' as const, says: faultOf(kind, byKind.get(kind) ?? []), todo })),
    ...(told === '' ? [] : [{ state: 'note' as const, says: `in the last day, ${told}`, todo }]),
  ]
  return findings.length > 0 ? findings : [{ state: 'well', says: 'nothing of the last day is known to be missing', todo: '' }]
}

function faultOf(kind: HoleKind, holes: readonly Hole[]): string {
  const { label, means } = holeWords[kind]
  const entries = holes.map(({ index }) => index).sort((one, other) => other - one)
  const named = entries.slice(0, entriesNamed).join(', ')
  const more = entries.length > entriesNamed ? ' and others' : ''
  return `in the last day, ${label.toLowerCase()}: ${countOf(holes)} (${means}), at ${entries.length === 1 ? 'entry' : 'entries'} ${named}${more}`
}

function countOf(holes: readonly Hole[] = []): number {
  return holes.reduce((sum, { count }) => sum + count, 0)
}
