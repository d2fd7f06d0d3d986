// Makes the events of a memory or skill call that came back: what its files hold now, beside what they held and were foretold to hold.
import type { Facts, NewEvent } from '../../events/event-catalog.js'
import type { DigestUse } from '../../foundation/digest.js'
import type { OpenFile, OpenWrite } from '../../projections/session-context.js'
import type { ReadFile } from './store-reading.js'
import type { FoundFiles } from './stored-after.js'

export interface LandedFrame {
  /** The handle of the session. */
  readonly session: string
  /** Index of the `tool.requested`. */
  readonly call: number
  readonly probe: boolean
  digest(use: DigestUse, text: string): string
}

type LandedFile = Facts<'write.landed'>['files'][number]

/** None where no file of the write is known: it has none, or the words that say where they lie are forgotten. */
export function writeLanded(write: OpenWrite, found: FoundFiles, { session, call, probe, digest }: LandedFrame): NewEvent[] {
  if (write.files.every(({ place }) => place === undefined)) return []
  const files = write.files.map((file) => landedFile(file, found, digest))
  const at = session === '' ? {} : { session }
  const facts = { call, write: write.index, files, ...(probe ? { probe: true as const } : {}) }
  return [
    { type: 'write.landed', ...at, facts },
    ...files.flatMap((file, place): NewEvent[] =>
      contradicts(file) ? [{ type: 'mismatch.found', ...at, facts: mismatchFacts(write.index, place, file) }] : [],
    ),
  ]
}

function landedFile(file: OpenFile, found: FoundFiles, digest: LandedFrame['digest']): LandedFile {
  const { place, foretold, disturbed } = file
  const said = { foretold, ...(disturbed ? { disturbed } : {}) }
  // What this call's own arguments do not name is not looked for: a place is a word, and words may have been altered to keep a secret.
  const read: ReadFile | undefined = place === undefined ? undefined : found.get(place)
  if (read === undefined) return { compared: 'unread', unread: 'place_unknown', ...said }
  if ('problem' in read) return { compared: 'unread', unread: read.problem, ...said }
  const digested = read.text === undefined ? null : digest('file', read.text)
  return { found: digested, compared: comparison(file, digested), ...said }
}

function comparison({ before, after }: OpenFile, found: string | null): LandedFile['compared'] {
  if (found === after) return 'as_judged'
  return found === before ? 'unchanged' : 'otherwise'
}

function contradicts({ compared, foretold, disturbed }: LandedFile): boolean {
  return compared === 'otherwise' && foretold && disturbed !== true
}

function mismatchFacts(write: number, file: number, { found = null }: LandedFile): Facts<'mismatch.found'> {
  return { kind: 'written', judged: write, file, found }
}
