// The review, item by item: shows one, waits for a key, and goes on. It knows neither terminal nor service: keys come in, lines go out, and an
// answer counts when whoever writes it down says so.
import { SteleError } from '../foundation/stele-error.js'
import type { ReviewLabel } from '../projections/inbox.js'
import type { ReviewItem } from '../reports/review-items.js'
import { exampleLines, labelWords, reviewItemLines } from './review-item-lines.js'

export interface ReviewDesk {
  /** The next key; undefined when there are no more. */
  readonly nextKey: () => Promise<string | undefined>
  /** A screen of its own: what stood before may go. */
  readonly show: (lines: readonly string[]) => void
  /** A line below the screen. */
  readonly tell: (line: string) => void
  /** Resolves to the entry of the answer once it is on disk. */
  readonly answer: (item: ReviewItem, label: ReviewLabel) => Promise<number>
  readonly takeBack: (answer: number) => Promise<void>
}

export interface ReviewTally {
  /** The answers that stand at the end, in order. */
  readonly given: readonly { readonly item: ReviewItem; readonly label: ReviewLabel; readonly answer: number }[]
  /** Items without an answer, those that were put off too. */
  readonly left: number
}

const keyLabels: Readonly<Record<string, ReviewLabel>> = { g: 'grant', r: 'refuse', f: 'false_alarm' }
const keyNames: Readonly<Record<ReviewLabel, string>> = { grant: 'g grant', refuse: 'r refuse', false_alarm: 'f false alarm' }
/** End of text and end of transmission, as a terminal in raw mode hands them over: whoever presses them wants out. */
const ends: ReadonlySet<string> = new Set(['q', 'Q', '\u0003', '\u0004'])

const help = [
  'g  grant: it should have been let through. Nothing is granted by it; the lines for your allowlist come at the end.',
  'r  refuse: it was rightly flagged.',
  'f  false alarm: the gate is mistaken about it.',
  'l  later: nothing is written down, and it comes again.',
  'u  undo: takes the last answer back, or shows the last item again.',
  'q  quit. What was answered stays.',
]

/** One step back: which item it was, and the answer if one was given. */
interface Step {
  readonly at: number
  readonly given?: ReviewTally['given'][number]
}

export async function reviewLoop(items: readonly ReviewItem[], desk: ReviewDesk): Promise<ReviewTally> {
  const steps: Step[] = []
  let at = 0
  let shown = -1
  /** What the last key did; it stands on top of the screen that comes of it. */
  let done: readonly string[] = []
  for (;;) {
    if (shown !== at) desk.show([...done, ...(at < items.length ? itemScreen(items, at) : endScreen(steps))])
    shown = at
    done = []
    if (at >= items.length && steps.length === 0) break
    const key = await desk.nextKey()
    if (key === undefined || ends.has(key)) break
    const item = items[at]
    if (key === '?') {
      for (const line of help) desk.tell(line)
    } else if (key === 'u') {
      const step = await goneBack(steps, desk)
      if (step === undefined) continue
      at = step.at
      done = [step.given === undefined ? 'Back again.' : `The answer of entry ${step.given.answer} is taken back.`, '']
    } else if (item === undefined) {
      break
    } else if (key === 'l') {
      steps.push({ at })
      at += 1
    } else {
      const given = await answered(item, key, desk)
      if (given === undefined) continue
      steps.push({ at, given })
      done = [`Entry ${given.answer}: ${labelWords[given.label]}.`, '']
      at += 1
    }
  }
  const given = steps.flatMap((step) => step.given ?? [])
  return { given, left: items.length - given.length }
}

/** Undefined where the key means nothing here, or the answer could not be written down: then the item stays. */
async function answered(item: ReviewItem, key: string, desk: ReviewDesk): Promise<ReviewTally['given'][number] | undefined> {
  const label = keyLabels[key]
  if (label === undefined) {
    desk.tell(`That key means nothing here. ${keysOf(item)}`)
    return undefined
  }
  if (!item.labels.includes(label)) {
    desk.tell(`No line of an allowlist would let this through. ${keysOf(item)}`)
    return undefined
  }
  try {
    const answer = await desk.answer(item, label)
    return { item, label, answer }
  } catch (error) {
    tellFailure(error, desk)
    return undefined
  }
}

/** The step that was taken back; undefined where there was none, or it could not be. */
async function goneBack(steps: Step[], desk: ReviewDesk): Promise<Step | undefined> {
  const last = steps.at(-1)
  if (last === undefined) {
    desk.tell('There is nothing to take back.')
    return undefined
  }
  try {
    if (last.given !== undefined) await desk.takeBack(last.given.answer)
  } catch (error) {
    tellFailure(error, desk)
    return undefined
  }
  return steps.pop()
}

/**
 * What the world did is told, and the person goes on; our own mistake ends the command. An answer that nobody confirmed may be written down
 * all the same: said again, the later one holds.
 */
function tellFailure(error: unknown, desk: ReviewDesk): void {
  if (!(error instanceof SteleError)) throw error
  desk.tell(`Not confirmed, press it again: ${error.line}`)
}

function itemScreen(items: readonly ReviewItem[], at: number): string[] {
  const item = items[at]
  if (item === undefined) return []
  return [`[${at + 1} of ${items.length}]`, ...reviewItemLines(item), '', ...exampleLines(item.examples), '', keysOf(item)]
}

function endScreen(steps: readonly Step[]): string[] {
  return steps.length === 0
    ? ['Nothing waits for an answer.']
    : ['That was the last. u takes the last step back, any other key ends.']
}

function keysOf({ labels }: ReviewItem): string {
  return [...labels.map((label) => keyNames[label]), 'l later', 'u undo', 'q quit', '? help'].join('   ')
}
