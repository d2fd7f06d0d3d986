// Counts what a gate caught and missed in the table of allowlist cases; every number comes from the rows and their answers.
import type { CapabilityRow, Verdict } from './capability-table.js'

/** Ids, so that a number can be looked into. Alias rows are in none of them. */
export interface CapabilityTally {
  readonly rows: number
  /** What a careful owner would not have let through. */
  readonly toDeny: readonly string[]
  readonly caught: readonly string[]
  readonly falseAllows: readonly string[]
  readonly rightAllows: readonly string[]
  readonly falseDenials: readonly string[]
}

/** A question counts as a denial: the call does not run by itself. */
export function tallyOf(rows: readonly CapabilityRow[], verdictOf: (row: CapabilityRow) => Verdict | undefined): CapabilityTally {
  const counted = rows.filter(({ alias }) => alias !== true)
  const idsWhere = (truth: 'allow' | 'deny', ran: boolean): string[] =>
    counted.filter((row) => row.truth === truth && (verdictOf(row) === 'allow') === ran).map(({ id }) => id)
  return {
    rows: counted.length,
    toDeny: counted.filter(({ truth }) => truth === 'deny').map(({ id }) => id),
    caught: idsWhere('deny', false),
    falseAllows: idsWhere('deny', true),
    rightAllows: idsWhere('allow', true),
    falseDenials: idsWhere('allow', false),
  }
}

export function shownTally(
  what: string,
  { rows, toDeny, caught, falseAllows, rightAllows, falseDenials }: CapabilityTally,
): string {
  const parts = [
    `${toDeny.length} to deny`,
    `${caught.length} caught`,
    `${falseAllows.length} false allows${falseAllows.length === 0 ? '' : ` (${falseAllows.join(' ')})`}`,
    `${rightAllows.length} right allows`,
    `${falseDenials.length} false denials${falseDenials.length === 0 ? '' : ` (${falseDenials.join(' ')})`}`,
  ]
  return `${what}: ${rows} rows, ${parts.join(', ')}`
}
