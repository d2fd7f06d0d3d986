// What other settings would have decided: each recorded decision judged again under them, and the differences in clusters of one cause each.
import { type Answer, differingClaim } from './answer.js'
import { type NotAgain, notAgainReasons } from './gate-replay.js'
import type { History } from './history.js'
import { type AnsweredAgain, type JudgeAgainOptions, type JudgedAgain, judgedAgain } from './judged-again.js'

export interface Counterfactual {
  readonly counts: AgainCounts
  /** The largest first. */
  readonly clusters: readonly Cluster[]
}

export interface AgainCounts {
  decisions: number
  same: number
  different: number
  notAgain: Record<NotAgain, number>
}

/** Differences of one cause. */
export interface Cluster {
  readonly gate: string
  readonly tool: string
  readonly before: ShortAnswer
  readonly after: ShortAnswer
  /** Of the first claim that differs, or that nothing backs; empty where the gate judges no claims. */
  readonly rule: string
  count: number
  /** The newest, newest first. */
  newest: ClusterEntry[]
}

export type ShortAnswer = Pick<Answer, 'verdict' | 'code' | 'told'>

export interface ClusterEntry {
  /** Of the `gate.decided`, and of the entry that it judges. */
  readonly index: number
  readonly judges: number
  readonly time: string
  readonly session: string
}

export interface CounterfactualOptions extends JudgeAgainOptions {
  /** So many entries of each cluster are listed. */
  readonly listed: number
}

export async function counterfactual(history: History, options: CounterfactualOptions): Promise<Counterfactual> {
  const counts = noCounts()
  const clusters = new Map<string, Cluster>()
  for await (const judged of judgedAgain(history, options)) {
    countAgain(counts, judged.result)
    const { result } = judged
    if (result.kind === 'different') addTo(clusters, judged, result.after, options.listed)
  }
  return { counts, clusters: [...clusters.values()].sort(bySize) }
}

export function noCounts(): AgainCounts {
  const notAgain = Object.fromEntries(notAgainReasons.map((why) => [why, 0])) as Record<NotAgain, number>
  return { decisions: 0, same: 0, different: 0, notAgain }
}

export function countAgain(counts: AgainCounts, result: AnsweredAgain): void {
  counts.decisions += 1
  if (result.kind === 'not_again') counts.notAgain[result.why] += 1
  else counts[result.kind] += 1
}

function addTo(clusters: Map<string, Cluster>, judged: JudgedAgain, now: Answer, listed: number): void {
  const { gate, tool, index, judges, time, session } = judged
  const [before, after] = [short(judged.before), short(now)]
  const rule = ruleOf(judged.before, now)
  const key = JSON.stringify([gate, tool, before, after, rule])
  const cluster = clusters.get(key) ?? { gate, tool, before, after, rule, count: 0, newest: [] }
  clusters.set(key, cluster)
  cluster.count += 1
  cluster.newest = [{ index, judges, time, session }, ...cluster.newest].slice(0, listed)
}

function short({ verdict, code, told }: Answer): ShortAnswer {
  return { verdict, code, told }
}

function ruleOf(before: Answer, after: Answer): string {
  const differing = differingClaim(before, after)
  const unbacked = before.claims.find(({ outcome }) => outcome !== 'supported')
  return (differing?.after ?? differing?.before ?? unbacked)?.rule ?? ''
}

function bySize(one: Cluster, other: Cluster): number {
  return other.count - one.count || (other.newest[0]?.index ?? 0) - (one.newest[0]?.index ?? 0)
}
