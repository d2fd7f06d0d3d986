// Keeps proposals between the moment a call was assessed and the moment it is about to run: single use, for ten seconds, for exactly that call.
// Whatever becomes of one is handed back, so that it can be told.
import type { JevDirective } from './approve-directive.js'
import type { RiskTrigger } from './risk.js'

export interface CallKey {
  readonly session: string
  readonly turn: string
  readonly call: string
  readonly tool: string
}

export const keyCharactersMax = 512
export const proposalLifetimeMs = 10_000
/** Stands for the digest of arguments that have none: only a block is bound to it. */
export const noDigest = 'none'

export interface JevProposal {
  readonly key: CallKey
  /** Of the arguments that were assessed. */
  readonly digest: string
  readonly directive: JevDirective
  readonly triggers: readonly RiskTrigger[]
  /** The entry that tells of it, once there is one. */
  readonly about: number | undefined
  readonly proposedAtMs: number
}

/** `replaced`: the same call was assessed again. `ended`: its session is over. */
export type ProposalFate = 'consumed' | 'expired' | 'mismatched' | 'evicted' | 'replaced' | 'ended'

export interface SettledProposal {
  readonly proposal: JevProposal
  readonly fate: ProposalFate
}

export interface ProposalStore {
  /** Hands back what had to go: an earlier one for the same call, and the oldest where there is no room. */
  put(proposal: JevProposal): readonly SettledProposal[]
  /** Before a call is assessed anew. */
  discard(key: CallKey, nowMs: number): SettledProposal | undefined
  /**
   * Removes what stands under the key, whatever comes of it: only `consumed` is alive and for these arguments. Undefined where there is
   * nothing. Looks at one place, waits for nothing.
   */
  take(key: CallKey, digest: string, nowMs: number): SettledProposal | undefined
  /** Those that nobody asked for in time. */
  sweep(nowMs: number): readonly SettledProposal[]
  endSession(session: string, nowMs: number): readonly SettledProposal[]
  readonly size: number
}

/** Undefined where one part is missing, empty or too long: then there is no call that anything could be bound to. */
export function callKey(session: unknown, turn: unknown, call: unknown, tool: unknown): CallKey | undefined {
  if (!isKeyPart(session) || !isKeyPart(turn) || !isKeyPart(call) || !isKeyPart(tool)) return undefined
  return { session, turn, call, tool }
}

export function makeProposalStore(proposalsMax: number): ProposalStore {
  /** In the order in which they were put. */
  const kept = new Map<string, JevProposal>()

  const settled = (proposal: JevProposal, nowMs: number, fate: ProposalFate): SettledProposal => ({
    proposal,
    fate: isExpired(proposal, nowMs) ? 'expired' : fate,
  })

  const removeWhere = (fits: (proposal: JevProposal) => boolean, nowMs: number, fate: ProposalFate): SettledProposal[] => {
    const gone: SettledProposal[] = []
    for (const [name, proposal] of kept) {
      if (!fits(proposal)) continue
      kept.delete(name)
      gone.push(settled(proposal, nowMs, fate))
    }
    return gone
  }

  const remove = (key: CallKey): JevProposal | undefined => {
    const name = nameOf(key)
    const proposal = kept.get(name)
    kept.delete(name)
    return proposal
  }

  return {
    put: (proposal) => {
      const nowMs = proposal.proposedAtMs
      const gone: SettledProposal[] = []
      const earlier = remove(proposal.key)
      if (earlier !== undefined) gone.push(settled(earlier, nowMs, 'replaced'))
      kept.set(nameOf(proposal.key), proposal)
      while (kept.size > proposalsMax) {
        const [oldest] = kept.values()
        if (oldest === undefined) break
        kept.delete(nameOf(oldest.key))
        gone.push(settled(oldest, nowMs, 'evicted'))
      }
      return gone
    },
    discard: (key, nowMs) => {
      const proposal = remove(key)
      return proposal === undefined ? undefined : settled(proposal, nowMs, 'replaced')
    },
    take: (key, digest, nowMs) => {
      const proposal = remove(key)
      if (proposal === undefined) return undefined
      return settled(proposal, nowMs, proposal.digest === digest ? 'consumed' : 'mismatched')
    },
    sweep: (nowMs) => removeWhere((proposal) => isExpired(proposal, nowMs), nowMs, 'expired'),
    endSession: (session, nowMs) => removeWhere(({ key }) => key.session === session, nowMs, 'ended'),
    get size() {
      return kept.size
    },
  }
}

function isExpired({ proposedAtMs }: JevProposal, nowMs: number): boolean {
  return nowMs - proposedAtMs > proposalLifetimeMs
}

function isKeyPart(part: unknown): part is string {
  return typeof part === 'string' && part !== '' && part.length <= keyCharactersMax
}

/** No two keys have the same. */
function nameOf({ session, turn, call, tool }: CallKey): string {
  return JSON.stringify([session, turn, call, tool])
}
