// One session walked through step by step: turn after turn, and within a turn everything about one call together, in the order in which it
// came. Only one turn is held at a time.
import type { Entry } from '../events/entry.js'
import { type ForensicEntry, type ForensicLine, forensicEntry } from './forensic-line.js'

export interface ForensicTurn {
  /** From 1; 0 for what stands before the first. */
  readonly turn: number
  readonly steps: readonly ForensicStep[]
}

export interface ForensicStep {
  /** Index of the `tool.requested` whose lines these are; null for a line by itself. */
  readonly call: number | null
  readonly lines: readonly ForensicLine[]
}

export interface ForensicOptions {
  /** The last index that is looked at. */
  readonly until?: number | undefined
}

/** `entries` are those of one session, in order. */
export async function* forensic(
  entries: AsyncIterable<Entry>,
  { until = Number.POSITIVE_INFINITY }: ForensicOptions = {},
): AsyncGenerator<ForensicTurn> {
  let turn = new TurnSteps(0)
  for await (const entry of entries) {
    if (entry.header.index > until) break
    const found = forensicEntry(entry)
    if (found.turn !== undefined && found.turn > turn.number) {
      if (!turn.isEmpty) yield turn.told()
      turn = new TurnSteps(found.turn)
    }
    turn.add(found)
  }
  if (!turn.isEmpty) yield turn.told()
}

interface DraftStep {
  readonly call: number | null
  readonly entries: ForensicEntry[]
}

class TurnSteps {
  readonly number: number
  readonly #steps: DraftStep[] = []
  readonly #calls = new Map<number, DraftStep>()
  /** The call that each entry belongs to. */
  readonly #callOf = new Map<number, number>()

  constructor(number: number) {
    this.number = number
  }

  get isEmpty(): boolean {
    return this.#steps.length === 0
  }

  add(entry: ForensicEntry): void {
    const { line, call } = entry
    const index = typeof call === 'object' ? this.#callOf.get(call.of) : call
    if (index === undefined) {
      this.#steps.push({ call: null, entries: [entry] })
      return
    }
    this.#callOf.set(line.index, index)
    const step = this.#calls.get(index) ?? this.#begin(index)
    step.entries.push(entry)
  }

  #begin(call: number): DraftStep {
    const step: DraftStep = { call, entries: [] }
    this.#calls.set(call, step)
    this.#steps.push(step)
    return step
  }

  told(): ForensicTurn {
    return { turn: this.number, steps: this.#steps.map(({ call, entries }) => ({ call, lines: withAnswer(entries) })) }
  }
}

/** Behind the last decision about a call stands what the host was told. */
function withAnswer(entries: readonly ForensicEntry[]): ForensicLine[] {
  const lines = entries.map(({ line }) => line)
  const last = entries.findLastIndex(({ decided }) => decided !== undefined)
  const answer = answerLine(entries.slice(0, last + 1))
  return answer === undefined ? lines : lines.toSpliced(last + 1, 0, answer)
}

/** A block from any gate is the answer, else a question, else nothing; what binds nobody is not told. */
function answerLine(entries: readonly ForensicEntry[]): ForensicLine | undefined {
  const decisions = entries.flatMap(({ line, decided }) => (decided === undefined ? [] : [{ line, decided }]))
  const newest = decisions.at(-1)
  if (newest === undefined) return undefined
  for (const verdict of ['deny', 'ask'] as const) {
    const binding = decisions.filter(({ decided }) => decided.enforced && decided.verdict === verdict)
    const [first] = binding
    if (first === undefined) continue
    const reasons = binding.map(({ decided: { reason, code } }) => (reason === '' ? code : reason)).join(' / ')
    const text = `the host was told to ${verdict === 'deny' ? 'block' : 'ask for approval'}: ${reasons}`
    return { ...first.line, kind: 'told', text, about: binding.map(({ line }) => line.index) }
  }
  const wouldBe = decisions.filter(({ decided }) => decided.verdict !== 'allow')
  const noted =
    wouldBe.length === 0
      ? ''
      : `; ${wouldBe.map(({ decided }) => `${decided.verdict} (${decided.code})`).join(', ')} bound nobody`
  return {
    ...newest.line,
    kind: 'told',
    text: `the host was told nothing, so the call went on${noted}`,
    about: decisions.map(({ line }) => line.index),
  }
}
