// The review inbox: what the gates flagged and nobody has answered, put together by its cause, so that one answer can be given for all of an
// item. The facts come from the view, the rest of the cause from the words: folders and commands of a call, the claim itself. What is forgotten
// is no item: nobody can rule on what nobody can read.
import { sha256, toHex } from '../foundation/digest.js'
import { accessOfWords } from '../gates/capability/access-words.js'
import {
  type InboxDay,
  noPolicyCode,
  type OpenEntry,
  openEntries,
  provenanceGateName,
  type ReviewLabel,
} from '../projections/inbox.js'
import { codeText } from './code-words.js'
import { reasonText } from './reason-words.js'
import { commandShape } from './suggested-commands.js'
import { parentOf, slashed } from './suggested-paths.js'

export interface ReviewExample {
  readonly index: number
  readonly time: string
  readonly session: string
  /** What the call would have reached, or the claim; as it is stored. */
  readonly text: string
  /** What the gate said to it; of a claim the quote, and what the user typed that comes nearest. Null where there is none. */
  readonly said: string | null
  readonly quote: string | null
  readonly nearest: string | null
}

export interface ReviewItem {
  /** Of the cause and the newest entry: it means these entries and no later ones. */
  readonly id: string
  readonly gate: string
  readonly code: string
  readonly rule: string
  readonly tool: string
  /** The skill of the calls; where the claims were to be written. */
  readonly of: string
  readonly what: string
  readonly why: string
  /** The answers that make sense. */
  readonly labels: readonly ReviewLabel[]
  readonly count: number
  /** Of these, those that the host was held to. */
  readonly enforced: number
  readonly sessions: number
  readonly first: string
  readonly last: string
  /** Ascending. */
  readonly entries: readonly number[]
  /** What was judged of each, in the same order. */
  readonly judged: readonly number[]
  /** The newest that differ, newest first. */
  readonly examples: readonly ReviewExample[]
}

export interface ReviewInbox {
  /** Most frequent first, then newest. */
  readonly items: readonly ReviewItem[]
  /** Flagged entries whose words are forgotten. */
  readonly forgotten: number
  /** Flagged entries that are not read yet: they come when newer ones are answered. */
  readonly later: number
  /** Flagged entries beyond what is listed of a day and cause: counted, and never asked about. */
  readonly beyond: number
  /** Calls that were judged while no allowlist was in force: no rule has flagged them. */
  readonly withoutPolicy: number
}

type Words = Readonly<Record<string, unknown>>

export interface InboxAsked {
  readonly gate?: string | undefined
  /** As entries write their times. */
  readonly since?: string | undefined
}

/** `words` by index as a view's answer has them: null where they are forgotten, absent where they were not read. */
export function reviewInbox(
  days: ReadonlyMap<string, InboxDay>,
  words: ReadonlyMap<number, Words | null>,
  { gate, since = '' }: InboxAsked = {},
): ReviewInbox {
  const open = openEntries(days).filter(({ cause, time }) => (gate === undefined || cause.gate === gate) && time >= since)
  const groups = new Map<string, Readable[]>()
  const missing = { forgotten: 0, later: 0 }
  for (const entry of open) {
    const about = words.get(entry.cause.gate === provenanceGateName ? entry.index : entry.judged)
    if (about === undefined) missing.later += 1
    else if (about === null) missing.forgotten += 1
    else {
      const one = { entry, ...readable(entry, about, words.get(entry.index) ?? {}) }
      const key = JSON.stringify([Object.values(entry.cause), one.key])
      groups.set(key, [...(groups.get(key) ?? []), one])
    }
  }
  const items = [...groups].map(([key, group]) => itemOf(key, group))
  const counted = countedBeside(days, gate)
  return { items: items.sort((one, other) => other.count - one.count || newestOf(other) - newestOf(one)), ...missing, ...counted }
}

const newestOf = ({ entries }: ReviewItem): number => entries.at(-1) ?? -1

function countedBeside(days: ReadonlyMap<string, InboxDay>, gate: string | undefined) {
  const counts = { beyond: 0, withoutPolicy: 0 }
  for (const { causes } of days.values())
    for (const [key, { flagged, listed }] of Object.entries(causes)) {
      const [ofGate, code] = key.split(' ')
      if (gate !== undefined && ofGate !== gate) continue
      if (code === noPolicyCode) counts.withoutPolicy += flagged
      // Names that were counted together have no cause of their own.
      else counts.beyond += key.includes(' ') ? flagged - listed.length : flagged
    }
  return counts
}

interface ReadEntry {
  /** What its words add to the cause. */
  readonly key: string
  readonly what: string
  readonly example: ReviewExample
}

interface Readable extends ReadEntry {
  readonly entry: OpenEntry
}

function readable(entry: OpenEntry, about: Words, decided: Words): ReadEntry {
  return entry.cause.gate === provenanceGateName ? readClaim(entry, about) : readCall(entry, about, decided)
}

/** The same claim is one item wherever it comes again; what is no single claim stands for itself. */
function readClaim({ index, time, session, digest, cause }: OpenEntry, words: Words): ReadEntry {
  const text = textOf(words['claim']) ?? ''
  const [quote, nearest] = [textOf(words['quote']), textOf(words['nearest'])]
  return {
    key: digest ?? String(index),
    what: `${cause.tool} would write to ${cause.of}: ${text}`,
    example: { index, time, session, text, said: null, quote, nearest },
  }
}

function readCall({ index, time, session, cause }: OpenEntry, about: Words, decided: Words): ReadEntry {
  const { touches, commands } = accessOfWords(about)
  const runs = commands.map(({ program, operands }) => [program, ...operands].map(({ text }) => text))
  const causes = [
    ...touches.map(({ access, typed, asked, tree }) => `${access} in ${typed === null ? asked : folderOf(typed, tree)}`),
    ...runs.map((words) => `run ${commandShape(words)}`),
  ]
  const parts = [...new Set(causes)].sort()
  const reached = [
    ...touches.map(({ access, asked, tree }) => `${access} ${asked}${tree ? ' and all beneath' : ''}`),
    ...runs.map((words) => `run ${words.join(' ')}`),
  ]
  const said = textOf(decided['reason'])
  return {
    key: JSON.stringify(parts),
    what: parts.length === 0 ? `call ${cause.tool}` : `${cause.tool}: ${parts.join('; ')}`,
    example: { index, time, session, text: reached.join('; ') || cause.tool, said, quote: null, nearest: null },
  }
}

/** Of what was asked for with all beneath, the folder is itself. */
function folderOf(path: string, tree: boolean): string {
  const text = slashed(path, /^[A-Za-z]:\\/.test(path) ? 'windows' : 'posix')
  return tree ? text : (parentOf(text) ?? text)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** So many examples are told of an item. */
const examplesMax = 3
const idCharacters = 10

function itemOf(key: string, group: readonly Readable[]): ReviewItem {
  const [newest] = group
  if (newest === undefined) throw new RangeError('an item without entries')
  const { cause } = newest.entry
  const entries = group.map(({ entry }) => entry).reverse()
  const times = entries.map(({ time }) => time).sort()
  const id = `${toHex(sha256(Buffer.from(key))).slice(0, idCharacters)}.${newest.entry.index}`
  return {
    ...{ id, ...cause, what: newest.what, why: whyOf(cause.gate, cause.code), labels: reviewLabels(cause.gate, cause.code) },
    count: entries.length,
    enforced: entries.filter(({ enforced }) => enforced).length,
    sessions: new Set(entries.map(({ session }) => session)).size,
    first: times[0] ?? '',
    last: times.at(-1) ?? '',
    entries: entries.map(({ index }) => index),
    judged: entries.map(({ judged }) => judged),
    examples: [...new Map(group.toReversed().map(({ example }) => [example.text, example])).values()]
      .sort((one, other) => other.index - one.index)
      .slice(0, examplesMax),
  }
}

function whyOf(gate: string, code: string): string {
  return gate === provenanceGateName ? reasonText(code, null) : codeText(code)
}

/** No line of an allowlist would let these through. */
const neverGranted: ReadonlySet<string> = new Set([
  'self_protected',
  'denied_explicitly',
  'mode_unresolved',
  'gate_error',
  noPolicyCode,
])

/** What an owner can say of a cause: a claim is nothing that could be granted, nor is what no line of an allowlist would let through. */
export function reviewLabels(gate: string, code: string): readonly ReviewLabel[] {
  return gate === provenanceGateName || neverGranted.has(code) ? ['refuse', 'false_alarm'] : ['grant', 'refuse', 'false_alarm']
}

/** The item that an id names, with the entries that there were when it was told; undefined where none of them is open any more. */
export function itemOfId({ items }: ReviewInbox, id: string): ReviewItem | undefined {
  const [, cause, last] = /^([0-9a-f]{10})(?:\.([0-9]{1,15}))?$/.exec(id) ?? []
  const item = cause === undefined ? undefined : items.find((one) => one.id.startsWith(`${cause}.`))
  if (item === undefined) return undefined
  const meant = item.entries.filter((index) => last === undefined || index <= Number(last))
  if (meant.length === 0) return undefined
  return { ...item, id, count: meant.length, entries: meant, judged: item.judged.slice(0, meant.length) }
}
