// The numbers of one attach: which have come, and which are missing for how long. Pure; the caller brings the clock.

export interface MissingNumbers {
  readonly from: number
  readonly to: number
}

interface Hole extends MissingNumbers {
  readonly sinceMs: number
}

export class NumberLine {
  /** The lowest number that nobody has named yet. */
  #next: number
  #holes: Hole[] = []

  constructor(next: number) {
    this.#next = next
  }

  /** A payload with this number is on record. Parallel calls come in any order, so one ahead of its turn only opens a hole. */
  arrived(seq: number, nowMs: number): void {
    if (seq < this.#next) {
      this.#holes = this.#holes.flatMap((hole) => without(hole, seq))
      return
    }
    if (seq > this.#next) this.#holes.push({ from: this.#next, to: seq - 1, sinceMs: nowMs })
    this.#next = seq + 1
  }

  /** Takes out what has been missing for so long. */
  takeOverdue(nowMs: number, afterMs: number): MissingNumbers[] {
    const overdue = this.#holes.filter(({ sinceMs }) => nowMs - sinceMs >= afterMs)
    this.#holes = this.#holes.filter(({ sinceMs }) => nowMs - sinceMs < afterMs)
    return overdue.map(({ from, to }) => ({ from, to }))
  }

  /** What was taken out and could not be written down is overdue as before. */
  putBack({ from, to }: MissingNumbers): void {
    this.#holes.push({ from, to, sinceMs: Number.NEGATIVE_INFINITY })
  }
}

function without(hole: Hole, seq: number): Hole[] {
  if (seq < hole.from || seq > hole.to) return [hole]
  const before = seq > hole.from ? [{ ...hole, to: seq - 1 }] : []
  const behind = seq < hole.to ? [{ ...hole, from: seq + 1 }] : []
  return [...before, ...behind]
}
