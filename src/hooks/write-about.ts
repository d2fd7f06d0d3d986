// What has to be known before a call that writes memory or skills can be judged in its turn: what lies stored where it writes, and what the
// user typed. Nothing that goes wrong on the way is an error: what cannot be read backs nothing, and is told apart from what was never said.
import { setTimeout as sleep } from 'node:timers/promises'
import { SteleError } from '../foundation/stele-error.js'
import { quotesOfText } from '../gates/provenance/quotes-of-text.js'
import { nothingStored } from '../gates/provenance/stored-text.js'
import { isWriteTool } from '../gates/provenance/write-arguments.js'
import type { SaidElsewhere } from '../projections/said-words.js'
import type { Redactor } from '../redaction/redact.js'
import type { StoredRead } from './hermes/memory-writes.js'
import { writeProposed } from './hermes/write-proposed.js'
import { holdSaid } from './hold-said.js'
import type { HookCall, HookHouse } from './hook-house.js'
import { isLong, type RedactedWrite } from './judge-apart.js'
import type { ReadPayload } from './read-payload.js'
import { redactObserved } from './redact-observed.js'
import type { HeldSession } from './session-memory.js'

export interface WriteAbout {
  /** What the call would write, without its secrets; the index of the call stands in it in the writer's turn only. */
  readonly proposed: RedactedWrite
  /** What was in force when that was made. */
  readonly redactorInForce: Redactor
  /** The same one, which remembers what it has looked through: the same long texts are in the call's own entry. */
  readonly redactor: Redactor
  /** Of other sessions; empty unless the whole profile counts. */
  readonly elsewhere: readonly SaidElsewhere[] | 'unavailable'
  /** Whether what was typed in this session is held. */
  readonly isSaidHeld: boolean
}

/** Undefined for a payload that writes neither, and where the gate is off. */
export async function writeAbout(
  house: HookHouse,
  call: Pick<HookCall, 'late'>,
  read: Pick<ReadPayload, 'payload' | 'host' | 'repaired'>,
  { handle, session }: { readonly handle: string; readonly session: HeldSession },
): Promise<WriteAbout | undefined> {
  const { payload } = read
  const { modes, provenance } = house.settings()
  const isWrite = payload.hook_event_name === 'pre_tool_call' && isWriteTool(payload.tool_name ?? '')
  if (!isWrite || modes.provenance === 'off') return undefined
  const stored = await orElse(() => house.storedBefore(payload), storeUnread)
  const redactorInForce = house.redactor()
  const redactor = redactorInForce.remembering()
  const digest: HookHouse['ledger']['digest'] = (use, text) => house.ledger.digest(use, text)
  const written = writeProposed(payload, stored, { session: handle, call: 0, digest, isInexact: isInexact(call, read) })
  if (written === undefined) return undefined
  const proposed = redactObserved(written, redactor, digest) as RedactedWrite
  const elsewhere = provenance.search === 'profile' ? await orElse(() => saidElsewhere(house, proposed, handle), unread) : []
  const isSaidHeld = await orElse(async () => {
    await holdSaid(house, handle, session)
    return true
  }, false)
  return { proposed, redactorInForce, redactor, elsewhere, isSaidHeld }
}

/** Whether the arguments are not to the letter those that the host will use, or what is stored is read when it has long used them. */
function isInexact({ late }: Pick<HookCall, 'late'>, { host, repaired }: Pick<ReadPayload, 'host' | 'repaired'>): boolean {
  return late || repaired > 0 || (host.redacted ?? 0) > 0
}

const unread = 'unavailable' as const
const storeUnread: StoredRead = { stored: nothingStored, unavailable: 'not_readable' }

/** Half of what a host waits for an answer: a thread that is rebuilding views must not cost the write its answer. */
const elsewhereMs = 1000

async function inTime<Result>(task: Promise<Result>): Promise<Result> {
  const timer = new AbortController()
  const late = sleep(elsewhereMs, undefined, { signal: timer.signal }).then((): never => {
    throw new SteleError('VIEWS_FAILED')
  })
  try {
    return await Promise.race([task, late])
  } finally {
    timer.abort()
  }
}

async function orElse<Result, Otherwise>(task: () => Promise<Result>, otherwise: Otherwise): Promise<Result | Otherwise> {
  try {
    return await task()
  } catch {
    return otherwise
  }
}

async function saidElsewhere(house: HookHouse, proposed: RedactedWrite, handle: string): Promise<readonly SaidElsewhere[]> {
  const texts = proposed.words?.judged ?? []
  const isApart = isLong(proposed, house.settings().judgedBytes)
  const quotes = isApart ? await house.longTexts.quotes(texts) : texts.flatMap(quotesOfText)
  return quotes.length === 0 ? [] : inTime(house.saidElsewhere(quotes, handle))
}
