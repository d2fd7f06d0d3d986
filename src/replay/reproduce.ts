// Whether today's gates still say what was recorded, under the settings and policies that were in force then. A difference is a change of
// code: it names both versions of the gate, the entry and both answers.
import type { Answer, AnswerPart } from './answer.js'
import { type AgainCounts, countAgain, noCounts } from './counterfactual.js'
import type { History } from './history.js'
import { type JudgeAgainOptions, type JudgedAgain, judgedAgain } from './judged-again.js'

export interface Reproduction {
  readonly counts: AgainCounts
  /** By the name of the gate and the version that decided: how many decisions, and how many differ. */
  readonly versions: readonly VersionCounts[]
  /** The newest, newest first; the counts have all. */
  readonly differences: readonly Difference[]
}

export interface VersionCounts {
  readonly gate: string
  /** Null where the gate records none. */
  readonly recorded: number | null
  /** Null where this version of Stele has no such gate. */
  readonly today: number | null
  decisions: number
  different: number
}

export interface Difference extends Omit<JudgedAgain, 'result'> {
  readonly after: Answer
  readonly parts: readonly AnswerPart[]
}

export interface ReproduceOptions extends Omit<JudgeAgainOptions, 'instead'> {
  readonly listed: number
}

export async function reproduce(history: History, { listed, ...options }: ReproduceOptions): Promise<Reproduction> {
  const counts = noCounts()
  const versions = new Map<string, VersionCounts>()
  const differences: Difference[] = []
  for await (const { result, ...judged } of judgedAgain(history, options)) {
    countAgain(counts, result)
    const of = versionOf(versions, judged)
    of.decisions += 1
    if (result.kind !== 'different') continue
    of.different += 1
    differences.push({ ...judged, after: result.after, parts: result.parts })
    if (differences.length > listed) differences.shift()
  }
  return { counts, versions: [...versions.values()], differences: differences.reverse() }
}

function versionOf(versions: Map<string, VersionCounts>, { gate, gateVersion }: Omit<JudgedAgain, 'result'>): VersionCounts {
  const { recorded, today } = gateVersion
  const key = `${gate} ${recorded}`
  const known = versions.get(key) ?? { gate, recorded, today, decisions: 0, different: 0 }
  versions.set(key, known)
  return known
}
