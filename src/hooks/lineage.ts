// Who asks for a call, and who sent them: the surface of a session and of those that it was sent out by. Facts for grants that hold in one
// place only; a child has never more than whoever sent it.
import type { HookLedger } from './hook-house.js'
import type { HeldSession } from './session-memory.js'

export interface CallOrigin {
  /** Empty where the host does not say. */
  readonly platform: string
  /** The host's id of the scheduled job. */
  readonly job?: string
  readonly subagent: boolean
}

/** What the beginning of a session says of where it runs. */
export interface SessionOrigin {
  /** Whether its start was there to be read. */
  readonly started: boolean
  readonly platform: string
  readonly job?: string
  readonly link?: { readonly parent: string | null; readonly why: 'compression' | 'subagent' }
}

/** The start of a session and its link stand among so many first entries. */
const firstEntries = 16
/** A longer line of senders than any host makes. */
const linesMax = 16

/** Where nobody knows who asks, or who sent a child: a place that no grant names. */
export const unknownOrigin: CallOrigin = { platform: '', subagent: false }

/** `told` is what the host says of this very call; else what its session began with counts. Own origin first, then the sender's and so on. */
export async function lineageOf(
  ledger: Pick<HookLedger, 'reader'>,
  handle: string,
  session: Pick<HeldSession, 'context' | 'origin'>,
  told: { readonly platform: string; readonly session: string },
): Promise<readonly CallOrigin[]> {
  const own = await ownOrigin(ledger, handle, session)
  const platform = told.platform === '' ? own.platform : told.platform
  const lineage: CallOrigin[] = []
  let next: SessionOrigin = { ...own, platform, ...jobOf(platform, told.session) }
  const seen = new Set([handle])
  for (;;) {
    // A conversation that was compressed goes on as what it was.
    const continued = await lastBefore(ledger, next, seen)
    const isChild = next.platform === 'subagent' || continued.link?.why === 'subagent'
    const { platform: at, job } = next
    lineage.push({ platform: at, ...(job === undefined ? {} : { job }), subagent: isChild })
    if (!isChild) return lineage
    const sender = continued.link?.why === 'subagent' ? continued.link.parent : null
    if (sender === null || seen.has(sender) || lineage.length === linesMax) return [...lineage, unknownOrigin]
    seen.add(sender)
    next = await readOrigin(ledger, sender)
  }
}

/** Read once, when all of it is there. */
async function ownOrigin(
  ledger: Pick<HookLedger, 'reader'>,
  handle: string,
  session: Pick<HeldSession, 'context' | 'origin'>,
): Promise<SessionOrigin> {
  const { origin, context } = session
  if (origin?.started === true && (origin.link !== undefined || !context.linked)) return origin
  const read = await readOrigin(ledger, handle)
  session.origin = read
  return read
}

/** The oldest of the sessions that one goes on from after compressions. */
async function lastBefore(ledger: Pick<HookLedger, 'reader'>, origin: SessionOrigin, seen: Set<string>): Promise<SessionOrigin> {
  let last = origin
  for (let at = 0; at < linesMax; at += 1) {
    const { link } = last
    if (link?.why !== 'compression' || link.parent === null || seen.has(link.parent)) return last
    seen.add(link.parent)
    last = await readOrigin(ledger, link.parent)
  }
  return last
}

async function readOrigin({ reader }: Pick<HookLedger, 'reader'>, handle: string): Promise<SessionOrigin> {
  let origin: SessionOrigin = { started: false, platform: '' }
  let count = 0
  if (handle === '') return origin
  for await (const { header, payload, words } of reader.sessionEntries(handle)) {
    if (header.type === 'session.started') {
      const platform = String(payload['platform'] ?? '')
      origin = { ...origin, started: true, platform, ...jobOf(platform, String(words?.['session'] ?? '')) }
    } else if (header.type === 'session.linked') {
      const { parent, why } = payload
      origin = {
        ...origin,
        link: { parent: typeof parent === 'string' ? parent : null, why: why === 'subagent' ? 'subagent' : 'compression' },
      }
    }
    count += 1
    if (count === firstEntries) break
  }
  return origin
}

/** The session of a scheduled run is named after its job: `cron_<job>_<date>_<time>`. */
function jobOf(platform: string, session: string): { readonly job?: string } {
  const job = platform === 'cron' ? /^cron_([A-Za-z0-9][A-Za-z0-9_.-]{0,63})_\d{8}_\d{6}$/.exec(session)?.[1] : undefined
  return job === undefined ? {} : { job }
}
