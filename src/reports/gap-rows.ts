// What calls would have reached that were refused, or would have been: one row a path, command and tool, out of the words of what was judged.

import { accessOfWords } from '../gates/capability/access-words.js'
import type { NamedDecision } from '../projections/grants.js'

export interface GapRow {
  /** A path or a command line. */
  readonly used: string
  readonly how: string
  readonly tool: string
  readonly calls: number
  readonly sessions: number
  readonly codes: readonly string[]
  readonly first: string
  readonly last: string
  /** The decisions. */
  readonly entries: readonly number[]
}

interface Gathered {
  readonly used: string
  readonly how: string
  readonly tool: string
  readonly decisions: NamedDecision[]
}

const forgotten = '(forgotten)'

/** Most calls first. `granted` calls are no gap; words are by the index of their entry, absent where they are forgotten. */
export function gapRows(
  decisions: readonly NamedDecision[],
  words: ReadonlyMap<number, Readonly<Record<string, unknown>>>,
): GapRow[] {
  const gathered = new Map<string, Gathered>()
  for (const decision of decisions.filter(({ code }) => code !== 'granted')) {
    for (const { used, how } of reachedBy(words.get(decision.judged))) {
      const key = JSON.stringify([used, how, decision.tool])
      const known = gathered.get(key) ?? { used, how, tool: decision.tool, decisions: [] }
      known.decisions.push(decision)
      gathered.set(key, known)
    }
  }
  return [...gathered.values()].map(rowOf).sort(inOrder)
}

function inOrder(one: GapRow, other: GapRow): number {
  if (one.calls !== other.calls) return other.calls - one.calls
  const [a, b] = [one, other].map(({ used, how, tool }) => JSON.stringify([used, how, tool]))
  return (a ?? '') < (b ?? '') ? -1 : 1
}

function rowOf({ used, how, tool, decisions }: Gathered): GapRow {
  const inTime = [...decisions].sort((one, other) => one.index - other.index)
  return {
    ...{ used, how, tool, calls: decisions.length },
    sessions: new Set(decisions.map(({ session }) => session)).size,
    codes: [...new Set(decisions.map(({ code }) => code))].sort(),
    first: inTime[0]?.time ?? '',
    last: inTime.at(-1)?.time ?? '',
    entries: inTime.map(({ index }) => index),
  }
}

/** Each once. */
function reachedBy(words: Readonly<Record<string, unknown>> | undefined): { used: string; how: string }[] {
  if (words === undefined) return [{ used: forgotten, how: '' }]
  const { touches, commands } = accessOfWords(words)
  const reached = [
    ...touches.map(({ asked, typed, access, tree }) => ({ used: typed ?? asked, how: tree ? `${access}, all beneath` : access })),
    ...commands.map(({ program, operands }) => ({
      used: [program, ...operands].map(({ text }) => text).join(' '),
      how: 'command',
    })),
  ]
  return [...new Map(reached.map((one) => [JSON.stringify(one), one])).values()]
}
