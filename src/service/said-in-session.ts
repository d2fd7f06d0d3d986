// What was typed in a session of a home, as the provenance gate would be handed it now: for a dry run of the gate on a text.
import type { Evidence } from '../gates/provenance/prepare-evidence.js'
import { quotesOfText } from '../gates/provenance/quotes-of-text.js'
import type { EvidenceMessage } from '../gates/provenance/typed-messages.js'
import { type GateContextView, typedWords } from '../projections/gate-context.js'
import { isAttestedOnly } from '../projections/said-words.js'
import { saidElsewhere } from './hook-house-of.js'
import type { Home } from './open-home.js'
import { RedactorInForce } from './redactor-in-force.js'
import { askViews } from './views-of-home.js'

export interface SaidInSession {
  readonly said: Omit<Evidence, 'stored'>
  /** The text as the ledger would keep it, and so as the gate would see it. */
  readonly judged: string
}

/** `session` is a handle, or the host's own id. Throws `HOME_MISSING`, `SESSION_UNKNOWN`, and what reading a ledger throws. */
export async function saidInSession(home: Home, session: string, text: string): Promise<SaidInSession> {
  const { provenance, retention, redaction } = home.config
  const { parts } = await askViews(home, { ask: 'view', name: 'gate-context', session })
  const [[handle, part] = ['', { messages: [] }]] = Object.entries(parts)
  const { messages } = part as GateContextView
  const kept = new Set(typedWords(messages, { atMs: Date.now(), days: retention.messagesDays }).map(({ index }) => index))
  const here = messages.map(
    ({ index, text: typed, sender, source }): EvidenceMessage => ({
      index,
      text: kept.has(index) ? typed : undefined,
      session: 'this',
      sender,
      attested: source === 'attached',
    }),
  )
  const { text: judged } = new RedactorInForce(home.places, redaction.patterns).redactor(redaction.patterns).text(text)
  const profile = provenance.search === 'profile'
  const elsewhere = profile ? await saidInOthers(home, judged, handle, retention.messagesDays) : []
  // Whether a host is attached just now is the service's to know; here it is who vouches for this session.
  const isAttached = here.some(({ attested }) => attested)
  const attestedOnly = isAttestedOnly({ evidence: provenance.evidence, mode: provenance.mode, attached: isAttached })
  return { said: { messages: [...elsewhere, ...here], profile, attestedOnly, unavailable: false }, judged }
}

async function saidInOthers(home: Home, text: string, handle: string, days: number): Promise<readonly EvidenceMessage[]> {
  const found = await saidElsewhere((question) => askViews(home, question), quotesOfText(text), handle)
  return typedWords(found, { atMs: Date.now(), days }).map(({ time: _, ...message }) => message)
}
