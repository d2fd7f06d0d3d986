// Writes down what the owner said of what the gates flagged. What the entries are is read from the ledger here, and never believed: an answer
// is about entries that were flagged, all for one cause.
import type { Facts } from '../events/event-catalog.js'
import { SteleError } from '../foundation/stele-error.js'
import type { Ledger } from '../ledger/ledger.js'
import { redactEvent } from '../ledger/redacted-event.js'
import { provenanceGateName, type ReviewLabel } from '../projections/inbox.js'
import { isOf, seenEntry } from '../projections/projection.js'
import type { Redactor } from '../redaction/redact.js'
import { reviewLabels } from '../reports/review-items.js'

export interface ReviewAnswer {
  readonly label: ReviewLabel
  readonly entries: readonly number[]
  readonly note?: string | undefined
  readonly by: Facts<'review.answered'>['by']
}

export interface Reviewed {
  /** Of the `review.answered`: on disk when this is told. */
  readonly answer: number
  readonly entries: number
}

type Cause = Pick<Facts<'review.answered'>, 'gate' | 'code' | 'rule' | 'tool'>

/** Throws `REVIEW_UNFIT` for entries that were not flagged, or not for one cause, or that such an answer does not fit; `ENTRY_UNKNOWN`. */
export async function recordReview(
  ledger: Ledger,
  { label, entries, note, by }: ReviewAnswer,
  redactor: Redactor,
): Promise<Reviewed> {
  const meant = [...new Set(entries)].sort((one, other) => one - other)
  let cause: Cause | undefined
  for (const index of meant) {
    const own = await causeOf(ledger, index)
    if (own === undefined) throw new SteleError('REVIEW_UNFIT', { index, reason: 'was not flagged' })
    cause ??= own
    if (!isSame(cause, own)) throw new SteleError('REVIEW_UNFIT', { index, reason: 'was flagged for another cause' })
  }
  if (cause === undefined) throw new SteleError('REVIEW_UNFIT', { reason: 'no entries' })
  if (!reviewLabels(cause.gate, cause.code).includes(label))
    throw new SteleError('REVIEW_UNFIT', { reason: 'no grant would let it through', code: cause.code })
  const facts = { label, ...cause, entries: meant, by }
  const words = note === undefined || note === '' ? {} : { words: { note } }
  const { event } = redactEvent({ type: 'review.answered', facts, ...words }, redactor)
  const { index } = await ledger.append([event])
  return { answer: index, entries: meant.length }
}

/** Takes an answer back. Throws `REVIEW_UNFIT` for an entry that is none. */
export async function cancelReview(
  ledger: Ledger,
  answer: number,
  by: ReviewAnswer['by'],
): Promise<{ readonly cancelled: number }> {
  const { type } = (await ledger.reader.entry(answer)).header
  if (type !== 'review.answered') throw new SteleError('REVIEW_UNFIT', { index: answer, reason: 'is no answer' })
  await ledger.append([{ type: 'review.cancelled', facts: { answer, by } }])
  return { cancelled: answer }
}

/** Undefined for an entry that was not flagged, or that only `stele doctor` asked for. */
async function causeOf(ledger: Ledger, index: number): Promise<Cause | undefined> {
  const seen = seenEntry(await ledger.reader.entry(index))
  if (isOf(seen, 'claim.judged')) {
    const { verdict, reason, rule, tool, probe } = seen.facts
    if (verdict === 'pass' || probe === true) return undefined
    return { gate: provenanceGateName, code: reason ?? '', rule, tool }
  }
  if (!isOf(seen, 'gate.decided')) return undefined
  const { gate, verdict, code, judges, probe } = seen.facts
  if (verdict !== 'deny' || gate === provenanceGateName || probe === true) return undefined
  return { gate, code, rule: '', tool: await toolOf(ledger, judges) }
}

async function toolOf(ledger: Ledger, judged: number): Promise<string> {
  const seen = seenEntry(await ledger.reader.entry(judged))
  return isOf(seen, 'access.proposed') ? seen.facts.tool : ''
}

function isSame(one: Cause, other: Cause): boolean {
  return one.gate === other.gate && one.code === other.code && one.rule === other.rule && one.tool === other.tool
}
