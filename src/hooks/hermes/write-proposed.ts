// Makes the event of a memory or skill call: what it would produce, as facts and as the words that are judged.
import type { NewEvent } from '../../events/event-catalog.js'
import type { DigestUse } from '../../foundation/digest.js'
import { type WrittenText, writtenText } from '../../gates/provenance/written-text.js'
import { payloadBytesMax } from '../trim-payload.js'
import type { StoredRead } from './memory-writes.js'
import { asRead } from './store-reading.js'
import type { ProposedCall } from './stored-before.js'

/** Kept of what is judged, and as much again of the stored text: all that a payload can bring, and more than is read of a store. */
const keptBytesMax = payloadBytesMax

const nameCharactersMax = 2000
/** No system has a longer path to a file, so none is read under it either. */
const placeCharactersMax = 4096

export interface WriteFrame {
  /** The handle of the session. */
  readonly session: string
  /** Index of the `tool.requested`. */
  readonly call: number
  /** `keptBytesMax` where it is left out. */
  readonly keptBytes?: number
  /** The arguments are not to the letter those of the host, or it has long gone on: what its files will hold is not foretold. */
  readonly isInexact?: boolean
  digest(use: DigestUse, text: string): string
}

export type ProposedWrite = Extract<NewEvent, { readonly type: 'write.proposed' }>

/** Undefined for a call of another tool. The words still have their secrets in them. */
export function writeProposed(
  { tool_name, tool_input }: ProposedCall,
  { stored, unavailable }: StoredRead,
  frame: WriteFrame,
): ProposedWrite | undefined {
  const tool = tool_name ?? ''
  const written = writtenText(tool, tool_input, stored, unavailable === undefined)
  if (written === undefined) return undefined
  const { target, unreadable } = written
  const bytesMax = frame.keptBytes ?? keptBytesMax
  const judged = keptOf(written.judged, bytesMax)
  const kept = keptOf(written.stored, bytesMax)
  const isCut = judged.cut + kept.cut > 0
  const isStrange = unreadable?.code === 'unknown_field'
  return {
    type: 'write.proposed',
    ...(frame.session === '' ? {} : { session: frame.session }),
    facts: {
      call: frame.call,
      tool,
      target: target.kind,
      targetDigest: frame.digest('target', `${target.kind}:${target.name}`),
      readable: written.readable,
      ...(unreadable === undefined ? {} : { unreadable: isStrange ? withoutField(unreadable) : unreadable }),
      operations: written.operations,
      removedOnly: written.removedOnly,
      strategies: [...written.strategies],
      judged: { texts: written.judged.length, bytes: judged.bytes },
      stored: { texts: written.stored.length, bytes: kept.bytes },
      ...(isCut ? { cut: { judged: judged.cut, stored: kept.cut } } : {}),
      ...(unavailable === undefined ? {} : { unavailable }),
      files: filesOf(written, frame),
    },
    words: {
      ...(target.kind === 'skill' ? { name: target.name.slice(0, nameCharactersMax) } : {}),
      ...(isStrange && unreadable.field !== undefined ? { field: unreadable.field.slice(0, nameCharactersMax) } : {}),
      places: written.files.map(({ place }) => (place.length > placeCharactersMax ? '' : place)),
      judged: judged.texts,
      stored: kept.texts,
    },
  }
}

function withoutField({ field: _, ...rest }: NonNullable<WrittenText['unreadable']>) {
  return rest
}

function filesOf({ files }: WrittenText, { digest, isInexact = false }: WriteFrame) {
  const digestOf = (text: string | undefined) => (text === undefined ? null : digest('file', asRead(text)))
  return files.map(({ before, after, foretold }) => ({
    before: digestOf(before),
    after: digestOf(after),
    foretold: foretold && !isInexact,
  }))
}

/** The first texts, up to so many bytes together; the one that goes beyond is cut behind a whole character. */
function keptOf(given: readonly string[], bytesMax: number) {
  const texts: string[] = []
  let bytes = 0
  let left = bytesMax
  for (const text of given) {
    const size = Buffer.byteLength(text)
    bytes += size
    const kept = size <= left ? text : beginning(text, left)
    left -= Buffer.byteLength(kept)
    if (kept !== '' || text === '') texts.push(kept)
    // Nothing behind a cut: what is kept is the beginning of the whole.
    if (kept !== text) left = 0
  }
  const total = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  return { texts, bytes, cut: bytes - total }
}

function beginning(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  let end = bytesMax
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end).toString('utf8')
}
