// One payload before the stage: what is known of it, what is in force while it is looked at, and how what comes of it gets on disk.
import type { NewEvent } from '../../events/event-catalog.js'
import type { JevAnswer, JevEngine } from '../../gates/jev/engine.js'
import { jevFactsOfSettled } from '../../gates/jev/jev-facts.js'
import type { SettledProposal } from '../../gates/jev/proposal-store.js'
import type { RiskCall } from '../../gates/jev/risk.js'
import { redactEvent } from '../../ledger/redacted-event.js'
import type { HeardPayload, JevStageHouse, JevStageSettings } from './stage-house.js'
import type { StageMemory } from './stage-memory.js'

export interface StageMoment {
  readonly heard: HeardPayload
  readonly house: JevStageHouse
  readonly engine: JevEngine
  readonly settings: JevStageSettings
  readonly memory: StageMemory
  /** What is recorded goes to the status of the running service too. */
  noted(events: readonly NewEvent[]): void
}

export interface ToldNow<Result> {
  readonly events: readonly NewEvent[]
  readonly result: Result
}

/** More or less. */
const entriesOfMoment = 4

/**
 * Appends what `make` tells, in the writer's turn, behind proposals that nobody took in time. Resolves when it is on disk; undefined where
 * the session was forgotten meanwhile: then nothing is told, and nothing may come of it.
 */
export async function tell<Result>(
  { house, heard, settings, memory, noted }: StageMoment,
  make: (index: number) => ToldNow<Result>,
): Promise<Result | undefined> {
  let told: readonly NewEvent[] = []
  const { result } = await house.ledger.appendMade<Result | undefined>(
    ({ index }) => {
      if (heard.handle !== '' && house.ledger.hasForgotten(heard.handle)) return { events: [], result: undefined }
      const late = settledEvents(memory.proposals.sweep(house.now()), house.now())
      const made = make(index + late.length)
      told = [...late, ...made.events].map((event) => ofSession(event, heard.handle))
      return { events: told.map((event) => redactEvent(event, settings.sanitize.redactor).event), result: made.result }
    },
    { entries: entriesOfMoment },
  )
  noted(told)
  return result
}

export function ofSession(event: NewEvent, handle: string): NewEvent {
  return handle === '' ? event : { ...event, session: handle }
}

export function settledEvents(settled: readonly SettledProposal[], nowMs: number): NewEvent[] {
  return settled.flatMap((one) => jevFactsOfSettled(one, nowMs) ?? [])
}

/** Holds an engine to its word: it never rejects, and a decision is one. */
export async function askedOf<Decision>(
  { settings, house }: Pick<StageMoment, 'settings' | 'house'>,
  ask: () => Promise<JevAnswer<Decision>>,
  check: (decision: unknown) => Decision | undefined,
): Promise<JevAnswer<Decision>> {
  const begunMs = house.now()
  const failed = (failure: 'connection' | 'malformed') =>
    ({ isDecided: false, failure, asked: settings.model, latencyMs: house.now() - begunMs }) as const
  let answer: JevAnswer<Decision>
  try {
    answer = await ask()
  } catch {
    return failed('connection')
  }
  if (!answer.isDecided) return answer
  const decision = check(answer.decision)
  return decision === undefined ? failed('malformed') : { ...answer, decision }
}

/** Keyed: what stands in rule keys and in the ledger must not be guessed. */
export function keyedDigest({ house }: Pick<StageMoment, 'house'>): (text: string) => string {
  return (text) => house.ledger.digest('arguments', text)
}

export function riskCallOf({ heard }: Pick<StageMoment, 'heard'>): RiskCall {
  const { payload } = heard.read
  const { turn_id: turn, tool_call_id: call } = payload.extra
  return { session: payload.session_id, turn, call, tool: payload.tool_name, args: payload.tool_input ?? {} }
}

/** What ties entries about a call to its `tool.requested`, which has the same. */
export function argumentsDigestOf({ house, heard }: Pick<StageMoment, 'house' | 'heard'>): string {
  return house.ledger.digest('arguments', heard.read.argumentsText)
}

/** Only the host's own process can tell who is there to be asked. */
export function isAttended({ heard: { speaker, read } }: Pick<StageMoment, 'heard'>): boolean {
  return speaker.kind === 'attached' && read.host.attended === 'attended'
}

/** And whether an approval of ours could hide another plugin's block. */
export function isOrderSafe({ heard: { speaker, read } }: Pick<StageMoment, 'heard'>): boolean {
  return speaker.kind === 'attached' && read.host.last_in_order === true
}
