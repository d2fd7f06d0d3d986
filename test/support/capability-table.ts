// Reads the table of allowlist cases and its policies, and puts the folder of a built tree in place of `{T}`.
import { parse, stringify } from 'yaml'
import { pathsUnder, readProjectFile } from '../../scripts/project-tree.js'

export type Verdict = 'allow' | 'deny' | 'ask'

/** Of who sent the call: the child itself first, whoever started it all last. */
export interface LineageContext {
  readonly platform: string
  readonly job: string | null
  readonly subagent: boolean
}

/** A disk that is told instead of looked at: nothing is on it but the short names, or, where it folds case the posix way, the built tree. */
export interface DescribedDisk {
  readonly style: 'posix' | 'windows'
  readonly foldsCase: boolean
  readonly shortNames?: Readonly<Record<string, string>>
}

/** Where a row cannot be run everywhere: `exact` and `folding` say what the disk makes of letter case. */
export type RowCondition = 'posix' | 'linux' | 'not-root' | 'exact' | 'folding'

export interface CapabilityRow {
  readonly id: string
  readonly title: string
  /** A row of the plan, a public case, or our own idea. */
  readonly source: string
  /** A file of test/corpora/capability, without its ending. */
  readonly policy: string
  /** Absent where the call names none. */
  readonly skill?: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly expect: Verdict
  /** Denied and asked about are both right, since the specification leaves it open. */
  readonly either?: boolean
  /** Where the specification settles it. */
  readonly code?: string
  /** What the reason must name. */
  readonly says?: readonly string[]
  /** What a careful owner would want. */
  readonly truth: 'allow' | 'deny'
  /** Why this false allow stays open. */
  readonly hole?: string
  /** A second name of a file that no path tells: never counted as caught or missed. */
  readonly alias?: boolean
  /** What the gate that the nineteen cases come from answers. */
  readonly theirs?: 'allow' | 'deny'
  /** False where the row says nothing about calls that name no skill. */
  readonly both?: boolean
  readonly only?: RowCondition
  readonly lineage?: readonly LineageContext[]
  readonly attended?: 'attended' | 'unattended' | 'unknown'
  readonly asks?: 'yes' | 'no'
  /** The folder of Stele that is to be protected. */
  readonly home?: string
  readonly disk?: DescribedDisk
}

/** One answer of the decider, however it was asked. */
export interface RowAnswer {
  readonly verdict: Verdict
  readonly code: string
  readonly reason: string
}

export const capabilityRows: readonly CapabilityRow[] = readProjectFile('test/corpora/capability.jsonl')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as CapabilityRow)

export const capabilityPolicies: readonly string[] = pathsUnder('test/corpora/capability').map((path) =>
  path.replace(/^.*\/|\.yaml$/g, ''),
)

/** The cases that the seed's own table holds, told by the answer of the gate that it is about. */
export const seedRows: readonly CapabilityRow[] = capabilityRows.filter(({ theirs }) => theirs !== undefined)

/** `stele decide` takes neither lineage nor a person nor a home nor a described disk. */
export function needsMoreThanDecide({ lineage, attended, home, disk }: CapabilityRow): boolean {
  return lineage !== undefined || attended !== undefined || home !== undefined || disk !== undefined
}

export function policyText(name: string, root: string): string {
  return filledIn(readProjectFile(`test/corpora/capability/${name}.yaml`), root)
}

/** The same policy with the grants of one skill given to the calls that name none. */
export function movedToStar(text: string, skill: string): string {
  const policy = parse(text) as { skills: Record<string, unknown> }
  const moved = Object.entries(policy.skills).map(([name, grants]) => [name === skill ? '*' : name, grants])
  return stringify({ ...policy, skills: Object.fromEntries(moved) })
}

/** A copy in which every text has the root in place of `{T}`. */
export function filledIn<Value>(value: Value, root: string): Value {
  if (typeof value === 'string') return value.replaceAll('{T}', root) as Value
  if (Array.isArray(value)) return value.map((one) => filledIn(one, root)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filledIn(one, root)])) as Value
}

/** What every call knows of its environment: a user's home and a host's, both in the tree. */
export function environmentOf(root: string, row?: CapabilityRow): Record<string, string> {
  return { HOME: `${root}/home`, USERPROFILE: `${root}/home`, HERMES_HOME: `${root}/hermes`, ...filledIn(row?.env ?? {}, root) }
}

/** Undefined where the answer is the row's; else what is wrong with it. */
export function complaintOf(row: CapabilityRow, answer: RowAnswer | undefined): string | undefined {
  const call = `${row.id} (${row.title})`
  if (answer === undefined) return `${call}: no answer`
  const said = `${answer.verdict} ${answer.code}: ${answer.reason}`
  const fits = row.either === true ? answer.verdict !== 'allow' : answer.verdict === row.expect
  if (!fits) return `${call}: ${row.either === true ? 'deny or ask' : row.expect} expected, got ${said}`
  if (row.code !== undefined && answer.code !== row.code) return `${call}: ${row.code} expected, got ${said}`
  const silent = (row.says ?? []).filter((word) => !answer.reason.includes(word))
  return silent.length === 0 ? undefined : `${call}: the reason does not name ${silent.join(', ')}: ${said}`
}
