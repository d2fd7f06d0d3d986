// One line of a session that is walked through: what an entry says, in a few words, and which other entries it speaks of. Words that are
// forgotten are told as such. Whoever shows a line to a person escapes it.

import type { Entry } from '../events/entry.js'
import { describeEntry, type EventType, type Facts } from '../events/event-catalog.js'
import { type FoldedEntry, seenEntry } from '../projections/projection.js'

export type StepKind =
  | 'session'
  | 'typed'
  | 'proposed'
  | 'judged'
  | 'told'
  | 'happened'
  | 'approval'
  | 'child'
  | 'mismatch'
  | 'noted'

export interface ForensicLine {
  /** Of the entry that says it: what `stele show` and `stele prove` take. */
  readonly index: number
  readonly time: string
  readonly type: string
  readonly kind: StepKind
  readonly text: string
  /** Other entries that it speaks of, such as the message that backs a claim. */
  readonly about: readonly number[]
}

/** An entry of a session, and where it belongs. */
export interface ForensicEntry {
  readonly line: ForensicLine
  /** The number of its turn; undefined where it says none. */
  readonly turn: number | undefined
  /** Index of the `tool.requested` that it belongs to; undefined where it belongs to none, `of` where it belongs to what that entry does. */
  readonly call: number | { readonly of: number } | undefined
  /** Of a decision: what the host is to be told of it. */
  readonly decided: (Pick<Facts<'gate.decided'>, 'verdict' | 'code' | 'enforced'> & { readonly reason: string }) | undefined
}

type Told = Pick<ForensicEntry, 'call' | 'decided'> & Pick<ForensicLine, 'kind' | 'text' | 'about'>

type Teller<Type extends EventType> = (entry: FoldedEntry<Type>) => Partial<Told> & Pick<ForensicLine, 'kind'>

const tellers: { readonly [Type in EventType]?: Teller<Type> } = {
  'session.started': () => ({ kind: 'session' }),
  'session.linked': () => ({ kind: 'session' }),
  'session.ended': () => ({ kind: 'session' }),
  'turn.ended': () => ({ kind: 'session' }),
  'message.captured': ({ facts, words }) => ({
    kind: 'typed',
    text: `${words?.sender ? `${words.sender} typed` : 'typed'}: ${words?.text ?? `(${facts.characters} characters, forgotten)`}`,
  }),
  'message.skipped': () => ({ kind: 'typed' }),
  'tool.requested': ({ index }) => ({ kind: 'proposed', call: index }),
  'access.proposed': ({ facts: { call } }) => ({ kind: 'proposed', call, about: [call] }),
  'write.proposed': (entry) => ({
    ...{ kind: 'proposed', call: entry.facts.call, about: [entry.facts.call] },
    ...(entry.words === undefined ? {} : { text: `would write to ${entry.facts.target}: ${entry.words.judged.join(' / ')}` }),
  }),
  'claim.judged': (entry) => ({ kind: 'judged', call: entry.facts.call, ...claimText(entry) }),
  'gate.decided': ({ facts, words }) => ({
    kind: 'judged',
    call: { of: facts.judges },
    text: `${facts.gate} ${facts.gateVersion}: ${facts.verdict} (${facts.code})${policyText(facts)}`,
    about: [facts.judges],
    decided: { ...facts, reason: words?.reason ?? '' },
  }),
  'approval.requested': ({ facts: { call } }) => ({ kind: 'approval', ...(call === null ? {} : { call, about: [call] }) }),
  'approval.answered': ({ facts: { call, request } }) => ({
    kind: 'approval',
    ...(call === null ? {} : { call }),
    about: [call, request].filter((index) => index !== null),
  }),
  'tool.completed': ({ facts: { requested } }) => ({
    kind: 'happened',
    ...(requested === null ? {} : { call: requested, about: [requested] }),
  }),
  'write.landed': ({ facts: { call, write } }) => ({ kind: 'happened', call, about: [write] }),
  'mismatch.found': ({ facts: { judged } }) => ({
    kind: 'mismatch',
    ...(judged === null ? {} : { call: { of: judged }, about: [judged] }),
  }),
  'hook.foreign': () => ({ kind: 'mismatch' }),
  'gap.recorded': () => ({ kind: 'mismatch' }),
  'subagent.started': () => ({ kind: 'child' }),
  'subagent.stopped': () => ({ kind: 'child' }),
}

export function forensicEntry(entry: Entry): ForensicEntry {
  const { index, time, type, session, facts, words } = seenEntry(entry)
  const teller = Object.hasOwn(tellers, type) ? (tellers[type as EventType] as Teller<never> | undefined) : undefined
  const told = facts === undefined ? undefined : teller?.({ index, time, session, facts, words } as FoldedEntry<never>)
  const { kind = 'noted', text = describeEntry(entry), about = [], call, decided } = told ?? {}
  const turn = facts?.['turn']
  return { line: { index, time, type, kind, text, about }, turn: typeof turn === 'number' ? turn : undefined, call, decided }
}

function claimText({ facts, words }: FoldedEntry<'claim.judged'>): Pick<ForensicLine, 'text' | 'about'> {
  const { outcome, reason, detail, rule, tier, matchedIn, message } = facts
  const claim = words === undefined ? '(forgotten)' : inMarks(words.claim)
  const byRule = rule === '' ? '' : `rule ${rule} (tier ${tier}) takes for a claim: ${claim}; `
  const why = `${outcome}${reason === null ? '' : ` (${reason}${detail === null ? '' : `, ${detail}`})`}`
  const from = message === null ? (matchedIn === null ? '' : ` by ${matchedIn}`) : ` by entry ${message} (${matchedIn})`
  const quote = words?.quote === null || words === undefined ? '' : `, quoted: ${inMarks(words.quote)}`
  const nearest = words?.nearest === null || words === undefined ? '' : `, nearest that was typed: ${inMarks(words.nearest)}`
  return { text: `${byRule}${why}${from}${quote}${nearest}`, about: message === null ? [facts.write] : [facts.write, message] }
}

function policyText({ policy, skill }: Facts<'gate.decided'>): string {
  const of = skill === undefined || skill === '' ? '' : `, skill ${skill}`
  return policy === undefined ? of : `${of}, policy ${policy.slice(0, 12)}`
}

function inMarks(text: string): string {
  return `"${text}"`
}
