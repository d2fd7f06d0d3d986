// Asks the provenance gate again: what was typed by then, as far as it counted, under the settings that the write names or others instead.
import type { GateModes } from '../gates/gate.js'
import { provenanceGate } from '../gates/provenance/provenance-gate.js'
import { type GateContextView, gateContext, type TypedMessage } from '../projections/gate-context.js'
import { type FoldedEntry, isOf, seenEntry } from '../projections/projection.js'
import { isAttestedOnly, type SaidElsewhere, saidWords } from '../projections/said-words.js'
import { type AskedAgain, type ContextAgain, contextOfNothing, type GateReplay, type KnownThen } from './gate-replay.js'

export const provenanceReplay: GateReplay = {
  gate: provenanceGate,
  contextOf: async ({ judged, decided, instead }, known) => {
    if (!isOf(judged, 'write.proposed')) return 'not_recorded'
    if (judged.words === undefined) return 'forgotten'
    if (judged.facts.known === undefined) return 'not_recorded'
    return contextAgain({ write: judged, moment: judged.facts.known, decided, instead }, known)
  },
}

interface Write {
  readonly write: FoldedEntry<'write.proposed'>
  /** What it says of the moment. */
  readonly moment: NonNullable<FoldedEntry<'write.proposed'>['facts']['known']>
  readonly decided: AskedAgain['decided']
  readonly instead: AskedAgain['instead']
}

async function contextAgain({ write, moment, decided, instead }: Write, known: KnownThen): Promise<ContextAgain> {
  const { provenance = {}, messagesDays: days = moment.days } = instead
  const mode = provenance.mode ?? modeOf(decided.facts.mode)
  const { search = moment.search, scope = moment.scope, evidence = moment.evidence } = provenance
  const attestedOnly = isAttestedOnly({ evidence, mode, attached: moment.attached })
  const unread = gateContext.initial()
  const view = moment.sessionUnread === true ? unread : await known.typed.of(write.session, write.index)
  const others = search === 'profile' ? await messagesElsewhere(moment.elsewhere ?? [], known) : []
  const elsewhere = moment.elsewhereUnread === true ? ('unavailable' as const) : others
  const said = saidWords(moment.sessionUnread === true ? 'unavailable' : view, elsewhere, {
    ...{ time: write.time, days, turn: view.turn },
  })
  const counts = ({ time, attested }: Pick<SaidElsewhere, 'time' | 'attested'>) =>
    (attested || !attestedOnly) && isWithin(days, time, write.time)
  const isLost = [...asElsewhere(view), ...others].some(
    (message) => message.text === undefined && !known.erased.has(message.index) && counts(message),
  )
  const isNotLookedUp = search === 'profile' && moment.search === 'session'
  return {
    context: {
      ...contextOfNothing(decided),
      modes: { provenance: mode, capability: 'off' },
      provenance: { search, scope, attestedOnly },
      said,
    },
    doubt: (verdict) => {
      // Without a claim nothing was looked for, and with more words there are no more claims.
      if (verdict === undefined || verdict.code === 'no_claim') return undefined
      if (isLost) return 'forgotten'
      return isNotLookedUp && verdict.verdict !== 'allow' ? 'not_recorded' : undefined
    },
  }
}

function modeOf(mode: string): GateModes['provenance'] {
  return mode === 'block' || mode === 'off' ? mode : 'observe'
}

function asElsewhere({ messages }: GateContextView): (Pick<TypedMessage, 'index' | 'time' | 'text'> & { attested: boolean })[] {
  return messages.map(({ index, time, text, source }) => ({ index, time, text, attested: source === 'attached' }))
}

async function messagesElsewhere(indices: readonly number[], { history }: KnownThen): Promise<SaidElsewhere[]> {
  const found: SaidElsewhere[] = []
  for (const index of indices) {
    const seen = seenEntry(await history.entry(index))
    if (!isOf(seen, 'message.captured')) continue
    const { facts, words, time } = seen
    const attested = facts.source === 'attached'
    found.push({ index, time, text: words?.text, session: 'other', sender: words?.sender ?? '', attested })
  }
  return found
}

const dayMs = 24 * 60 * 60 * 1000

function isWithin(days: number, time: string, at: string): boolean {
  return days === 0 || Date.parse(at) - Date.parse(time) <= days * dayMs
}
