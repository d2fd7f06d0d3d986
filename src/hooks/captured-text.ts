// The user's own words in what the host calls the user's message. What cannot be told from the host's or others' words is dropped:
// that loses evidence, and keeping it would make some.
import { cutCombiningMarks } from '../foundation/cut-combining-marks.js'
import { imageHint, platformsWithoutLabels, platformsWithoutUsers } from './host-blocks.js'
import { MessageScan } from './message-scan.js'

export interface CapturedWords {
  readonly kind: 'words'
  /** What was typed, as it was typed; only runs of combining marks are shortened. */
  readonly text: string
  /** Names of blocks that were taken away, in order; the first 64 of them. */
  readonly stripped: readonly string[]
  /** What stood in brackets before the words in a shared chat. It proves nothing: people choose it. */
  readonly senderLabel?: string
  /** Code points that went with an inlined attachment or attached context before them, although some may have been typed. */
  readonly lost: number
  /** Combining marks cut out of runs of more than 30. */
  readonly marksCut: number
}

export interface SkippedMessage {
  readonly kind: 'skipped'
  readonly why: string
  /** As with words: hosts put an inlined attachment before what was typed, and then all of it is gone. */
  readonly lost: number
}

type Part = string | { readonly type?: string | undefined; readonly text?: string | undefined }

/** `platform` is the host's name for where the message came from, `origin` the agent's write origin; both empty where unknown. */
export function capturedText(
  message: string | readonly Part[],
  { platform, origin }: { readonly platform: string; readonly origin: string },
): CapturedWords | SkippedMessage {
  if (platformsWithoutUsers.has(platform)) return skipped(platform)
  if (origin === 'background_review') return skipped('self_review')
  // Where the platform is unknown a name may stand before the words.
  const labelled = !platformsWithoutLabels.has(platform)
  return wordsIn(typeof message === 'string' ? message : textOf(message, labelled), labelled)
}

const namesMax = 64

function skipped(why: string, lost = 0): SkippedMessage {
  return { kind: 'skipped', why, lost }
}

/** The text parts in order. A later one that is nothing but the host's would stand in the middle of the text, so it is left out. */
function textOf(message: readonly Part[], labelled: boolean): string {
  return message
    .flatMap((part) => (typeof part === 'string' ? [part] : part.type === 'text' && part.text !== undefined ? [part.text] : []))
    .filter((text) => !text.trimStart().startsWith(imageHint))
    .filter((text, place) => place === 0 || !isHostsOwn(text, labelled))
    .join('\n')
}

function isHostsOwn(text: string, labelled: boolean): boolean {
  if (!text.trimStart().startsWith('[')) return false
  return new MessageScan(text, labelled).tail === undefined && wordsIn(text, labelled).kind === 'skipped'
}

function wordsIn(text: string, labelled: boolean): CapturedWords | SkippedMessage {
  const scan = new MessageScan(text, labelled)
  const { tail } = scan
  const found = withoutBlocks(text, scan)
  if (found.turn !== undefined) return skipped(found.turn)
  const typed = text.slice(found.from === 0 ? 0 : scan.behindLineBreaks(found.from), found.to)
  const words = [...found.spoken, ...(typed.trim() === '' ? [] : [typed])].join('\n\n')
  const lost = tail === undefined ? 0 : codePointsIn(text.slice(tail.behind))
  if (words === '') return skipped(found.stripped.at(-1) === 'system_note' ? 'system_note' : 'no_words', lost)
  const { text: kept, marksCut } = cutCombiningMarks(words)
  const label = found.senderLabel === undefined ? {} : { senderLabel: found.senderLabel }
  return {
    kind: 'words',
    text: kept,
    stripped: [...found.stripped, ...(tail === undefined ? [] : [tail.name])].slice(0, namesMax),
    ...label,
    lost,
    marksCut,
  }
}

interface WithoutBlocks {
  /** Nothing before `from` and nothing behind `to` is the user's. */
  from: number
  to: number
  /** Transcripts that stood before a block. */
  readonly spoken: string[]
  readonly stripped: string[]
  senderLabel?: string
  /** The name of the turn, where the host wrote all of it. */
  turn?: string
}

function withoutBlocks(text: string, scan: MessageScan): WithoutBlocks {
  const { end } = scan
  const found: WithoutBlocks = { from: 0, to: end, spoken: [], stripped: [] }
  /** Behind the last block, date or name. */
  let behind = 0
  let nameMayFollow = true
  const strip = (name: string, to: number): void => {
    if (found.stripped.length < namesMax) found.stripped.push(name)
    behind = Math.max(behind, to)
    nameMayFollow = name !== 'sender_label'
  }
  const narrow = (from: number, to: number): void => {
    found.from = Math.max(found.from, from)
    found.to = Math.min(found.to, to)
  }
  for (let at = scan.behindSpace(0); at < text.length; ) {
    const opening = scan.openingAt(at, behind === 0)
    if (opening !== undefined) {
      const { name, end: kind } = opening.block
      if (kind.at === 'turn') return { ...found, turn: name }
      const words = scan.wordsBehind(opening, at)
      if (kind.at === 'instruction' || kind.at === 'message') {
        strip(name, at)
        narrow(words.from, words.to)
        break
      }
      strip(name, words.from)
      const inside = scan.inside(at, behind)
      narrow(inside.from, inside.to)
      at = inside.next ?? scan.behindSpace(behind)
      continue
    }
    const speech = scan.speechAt(at)
    const dated = scan.timestampEnd(at)
    const label = nameMayFollow ? scan.labelEnd(at) : undefined
    if (speech !== undefined && speech.end <= end) {
      if (at >= found.from && speech.end <= found.to) found.spoken.push(text.slice(at, speech.end))
      behind = speech.next
    } else if (dated !== undefined) {
      strip('timestamp', dated)
    } else if (label !== undefined) {
      strip('sender_label', label.end)
      found.senderLabel = label.name
    } else break
    at = scan.behindSpace(behind)
  }
  narrow(behind, end)
  return found
}

function codePointsIn(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
