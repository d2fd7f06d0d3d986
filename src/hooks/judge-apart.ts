// A write that is too long for the service's own thread: it is judged between two turns of the writer. In the second turn the verdict counts
// where nothing that it was made from is another by then; else the write is judged once more.
import { isDeepStrictEqual } from 'node:util'
import { hasCode } from '../foundation/stele-error.js'
import type { GateContext, JudgedEntry } from '../gates/gate.js'
import type { RedactedEvent } from '../ledger/redacted-event.js'
import type { HookHouse } from './hook-house.js'
import type { JudgeSettings, VerdictsApart } from './judge.js'

export type RedactedWrite = Extract<RedactedEvent, { readonly type: 'write.proposed' }>

/** A write with all that it is to be judged by. */
export interface WaitingWrite {
  readonly write: JudgedEntry<'write.proposed'>
  readonly context: GateContext
}

export interface JudgedApart {
  /** What the verdicts were made from; undefined where they hold whatever is the case. */
  readonly context: GateContext | undefined
  readonly verdicts: VerdictsApart
}

/** A session in which something is typed all the time: so often its write is judged anew. */
export const roundsMax = 3

export function isLong({ facts: { judged, stored } }: RedactedWrite, judgedBytes: number): boolean {
  return judged.bytes + stored.bytes > judgedBytes
}

/** Asked in the writer's turn, which nothing can come between. */
export function waitingWrite(
  { facts, words }: RedactedWrite,
  { modes, provenance, said }: Pick<JudgeSettings, 'modes' | 'provenance' | 'said'>,
  { index, time }: { readonly index: number; readonly time: string },
): WaitingWrite {
  // Of writes to other targets nothing is said.
  const { [facts.targetDigest]: times } = said.refused
  const refused = times === undefined ? {} : { [facts.targetDigest]: { count: times.count } }
  return {
    write: { index, facts, words },
    context: { asOf: index, time, modes, provenance, capability: noCapability, said: { ...said, refused } },
  }
}

/** Whether the verdicts may be used for a write that waits like this. */
export function holdsFor({ context }: JudgedApart, waiting: WaitingWrite): boolean {
  return context === undefined || isDeepStrictEqual(timeless(context), timeless(waiting.context))
}

/** A write is judged by no policy, and by its time only in so far as that says which words still count. */
const noCapability: GateContext['capability'] = { policy: undefined, digest: undefined, unresolved: undefined }
const timeless = (context: GateContext): GateContext => ({ ...context, asOf: 0, time: '' })

/** `round` counts from 1. Throws `LEDGER_CLOSED` where the service ends: then nothing is to be said of the write. */
export async function judgeApart(
  { gates, longTexts }: HookHouse,
  { write, context }: WaitingWrite,
  round: number,
): Promise<JudgedApart> {
  if (round > roundsMax) return notJudged
  try {
    const asked = gates.filter(({ on }) => on['write.proposed'] !== undefined)
    const told = await Promise.all(asked.map(async ({ name }) => [name, await longTexts.judge(name, write, context)] as const))
    return { context, verdicts: new Map(told) }
  } catch (error) {
    if (hasCode(error, 'LEDGER_CLOSED')) throw error
    return notJudged
  }
}

const notJudged: JudgedApart = { context: undefined, verdicts: 'failed' }
