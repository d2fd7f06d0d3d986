// Reads a view: from what is kept where that holds the whole ledger, else from the ledger itself. Both ways give the same answer.
import { readHeader } from '../events/entry.js'
import { SteleError } from '../foundation/stele-error.js'
import type { LedgerReader } from '../ledger/ledger-reader.js'
import type { DayView } from '../projections/activity.js'
import { type ApprovalsDay, newestStories } from '../projections/approvals.js'
import { type CoverageDay, newestHoles } from '../projections/coverage.js'
import { type DecisionsDay, newestDecisions } from '../projections/decisions.js'
import { type EvidenceDay, newestClaims, newestPairs } from '../projections/evidence.js'
import { readGateContext } from '../projections/gate-context.js'
import { type GrantsDay, newestDecisions as newestGrantDecisions, newestPolicy } from '../projections/grants.js'
import { type InboxDay, openEntries, provenanceGateName } from '../projections/inbox.js'
import { type JevDay, newestProposals } from '../projections/jev.js'
import { carriedKey } from '../projections/projection.js'
import { isViewName, type ViewName } from '../projections/projection-catalog.js'
import { viewAsOf } from '../projections/projection-runner.js'
import type { SessionView } from '../projections/sessions.js'
import type { ReadLedger } from './search-answer.js'
import { type DeskProgress, listedMax, type ViewAnswer, type ViewQuestion, wholeTime } from './view-questions.js'

/** Throws `VIEW_UNKNOWN` for a name that is none, `SESSION_UNKNOWN` for a session that this ledger does not know (any more). */
export async function viewAnswer(ledger: ReadLedger, question: ViewQuestion, onProgress: DeskProgress): Promise<ViewAnswer> {
  const { name, session } = question
  const { reader } = ledger
  const handle = session === undefined ? undefined : await handleOf(ledger, session)
  if (name === 'gate-context') {
    if (handle === undefined) throw new SteleError('VIEW_UNKNOWN', { view: name, reason: 'asked without a session' })
    const size = await sizeAsOf(ledger, question.asOf)
    return answerOf(ledger, name, size, { [handle]: await readGateContext((one) => reader.sessionEntries(one), handle, size) })
  }
  if (!isViewName(name)) throw new SteleError('VIEW_UNKNOWN', { view: name })
  if (handle !== undefined && name !== 'sessions')
    throw new SteleError('VIEW_UNKNOWN', { view: name, reason: 'asked of a session' })
  const { size, parts } = await partsOf(ledger, name, handle, question, onProgress)
  const { since } = question
  const sinceTime = since === undefined ? undefined : wholeTime(since)
  const shown = [...parts].filter(([key, part]) => sinceTime === undefined || isSince[name](sinceTime, key, part as never))
  const answer = await answerOf(ledger, name, size, Object.fromEntries(shown))
  if (name === 'sessions') return { ...answer, names: await namesOf(reader, new Map(shown) as Map<string, SessionView>) }
  const listed = question.listed === undefined ? undefined : Math.min(question.listed, listedMax)
  const indices = listed === undefined ? undefined : listedIn[name]?.(new Map(shown) as never, listed)
  if (indices === undefined) return answer
  if (name !== 'grants') return { ...answer, words: await wordsOf(reader, indices) }
  // What is in force may have come into force long before what is shown.
  const policy = newestPolicy(parts as ReadonlyMap<string, GrantsDay>)?.index ?? null
  return { ...answer, policy, words: await wordsOf(reader, policy === null ? indices : [...indices, policy]) }
}

async function answerOf(
  { reader, ledgerId }: ReadLedger,
  name: string,
  size: number,
  parts: ViewAnswer['parts'],
): Promise<ViewAnswer> {
  const time = size === 0 ? '' : readHeader((await reader.storedEntry(size - 1)).header).time
  return { name, ledger: ledgerId, size, time, parts }
}

interface PartsOfView {
  /** Entries that are in them. */
  readonly size: number
  readonly parts: ReadonlyMap<string, unknown>
}

async function partsOf(
  ledger: ReadLedger,
  name: ViewName,
  handle: string | undefined,
  { asOf }: ViewQuestion,
  onProgress: DeskProgress,
): Promise<PartsOfView> {
  const { reader, onViews } = ledger
  const wanted = await sizeAsOf(ledger, asOf)
  if (wanted === ledger.size) {
    const kept = await onViews(onProgress, async (views, size): Promise<PartsOfView | undefined> => {
      // More may have come: as it is now is still true of that, and what it was is not.
      if (asOf !== undefined && size !== wanted) return undefined
      const parts = new Map<string, unknown>()
      const query = handle === undefined ? {} : { from: handle, to: `${handle}\0` }
      for await (const [key, part] of views.parts(name, query)) parts.set(key, part)
      return { size, parts }
    })
    if (kept !== undefined) return kept
  }
  const parts = await viewAsOf(name, reader.storedEntries(0, wanted), (done) => onProgress(done, wanted))
  const own = handle === undefined ? [...parts] : [...parts].filter(([key]) => key === handle)
  return { size: wanted, parts: new Map(own) }
}

/** Whether anything of a part is of this time or later. */
const isSince: { readonly [Name in ViewName]: (since: string, key: string, part: never) => boolean } = {
  sessions: (since, _, part: SessionView) => part.last.time >= since,
  activity: (since, day, _: DayView) => day >= since.slice(0, 10),
  evidence: (since, day, _: EvidenceDay) => day >= since.slice(0, 10),
  grants: (since, day, _: GrantsDay) => day >= since.slice(0, 10),
  decisions: (since, day, _: DecisionsDay) => day >= since.slice(0, 10),
  // What goes on from day to day is of every day.
  approvals: (since, day, _: ApprovalsDay) => day === carriedKey || day >= since.slice(0, 10),
  jev: (since, day, _: JevDay) => day === carriedKey || day >= since.slice(0, 10),
  coverage: (since, day, _: CoverageDay) => day === carriedKey || day >= since.slice(0, 10),
  inbox: (since, day, _: InboxDay) => day >= since.slice(0, 10),
  files: () => true,
  clock: () => true,
}

async function sizeAsOf({ reader, size }: ReadLedger, asOf: number | string | undefined): Promise<number> {
  if (asOf === undefined) return size
  if (typeof asOf === 'number') return Math.min(asOf, size)
  const time = wholeTime(asOf)
  // Times may step back, so the last entry that is no later counts, and everything before it.
  for (let to = size; to > 0; to -= pageEntries) {
    let last: number | undefined
    for await (const { index, header } of reader.storedEntries(Math.max(0, to - pageEntries), to))
      if (readHeader(header).time <= time) last = index
    if (last !== undefined) return last + 1
  }
  return 0
}

const pageEntries = 1000

async function handleOf({ reader, sessionDigest }: ReadLedger, session: string): Promise<string> {
  if (/^s[0-9a-f]{16}$/.test(session)) return session
  const handle = await reader.handleOf(sessionDigest(session))
  if (handle === undefined) throw new SteleError('SESSION_UNKNOWN')
  return handle
}

async function namesOf(
  reader: LedgerReader,
  parts: ReadonlyMap<string, SessionView>,
): Promise<Readonly<Record<string, string | null>>> {
  const started = [...parts].flatMap(([handle, { started: index }]) => (index === null ? [] : [{ handle, index }]))
  const names: Record<string, string | null> = {}
  for (let at = 0; at < started.length; at += pageEntries) {
    const some = started.slice(at, at + pageEntries)
    const words = await reader.wordsOf(some.map(({ index }) => index))
    for (const [place, { handle }] of some.entries()) {
      const session = words[place]?.['session']
      names[handle] = typeof session === 'string' ? session : null
    }
  }
  return names
}

/** Of which entries a report of the view shows the words: of each kind that it lists the newest. */
const listedIn: { readonly [Name in ViewName]?: (days: never, limit: number) => readonly number[] } = {
  evidence: (days: ReadonlyMap<string, EvidenceDay>, limit) => {
    const claims = (['unsupported', 'unchecked'] as const).flatMap((kind) => newestClaims(days, kind, limit))
    return [...claims, ...newestPairs(days, limit)].map(({ index }) => index)
  },
  // Each with what it judged.
  grants: (days: ReadonlyMap<string, GrantsDay>, limit) =>
    newestGrantDecisions(days, limit).flatMap(({ index, judged }) => [judged, index]),
  decisions: (days: ReadonlyMap<string, DecisionsDay>, limit) =>
    (['deny', 'ask'] as const).flatMap((verdict) => newestDecisions(days, verdict, limit)).map(({ index }) => index),
  approvals: (days: ReadonlyMap<string, ApprovalsDay>, limit) =>
    newestStories(daysOf(days), limit).flatMap(({ request, wanted }) => request?.index ?? wanted ?? []),
  jev: (days: ReadonlyMap<string, JevDay>, limit) => newestProposals(daysOf(days), limit).map(({ index }) => index),
  // Each call with what it would have reached.
  inbox: (days: ReadonlyMap<string, InboxDay>, limit) =>
    openEntries(days)
      .slice(0, limit)
      .flatMap(({ index, judged, cause: { gate } }) => (gate === provenanceGateName ? [index] : [judged, index])),
  coverage: (days: ReadonlyMap<string, CoverageDay>, limit) =>
    newestHoles(daysOf(days), limit, 'file_changed').map(({ index }) => index),
}

function daysOf<Day>(parts: ReadonlyMap<string, Day>): ReadonlyMap<string, Day> {
  return new Map([...parts].filter(([key]) => key !== carriedKey))
}

async function wordsOf(reader: LedgerReader, indices: readonly number[]): Promise<NonNullable<ViewAnswer['words']>> {
  // A decision may name any entry as what it judged.
  const size = await reader.size()
  const asked = [...new Set(indices)].filter((index) => index < size)
  const found = await reader.wordsOf(asked)
  return Object.fromEntries(asked.map((index, place) => [index, found[place] ?? null]))
}
