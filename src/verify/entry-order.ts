// Fact C: every number once, in order. Tells gaps, repetitions and disorder apart, in memory that grows with the damage only.

export type Step = 'next' | 'gap' | 'late' | 'duplicate'

interface Gap {
  first: number
  last: number
  /** The entry that stands where the gap's first number was due. */
  readonly behind: number
  /** Something unreadable stood here: these numbers may have been in it. */
  readonly hole: boolean
}

export class EntryOrder {
  #due: number
  #gaps: Gap[] = []
  #afterHole = false
  /** Entries that stood where a lower number was due, which came later. */
  readonly #disturbed = new Set<number>()
  readonly #repeated = new Set<number>()

  constructor(due = 0) {
    this.#due = due
  }

  /** The number that is due next, which is also the number of entries known of. */
  get due(): number {
    return this.#due
  }

  /** Something unreadable stood here: the numbers it may have had are not missed. */
  passHole(): void {
    this.#afterHole = true
  }

  take(number: number): Step {
    const afterHole = this.#afterHole
    this.#afterHole = false
    if (number === this.#due) {
      this.#due += 1
      return afterHole ? 'gap' : 'next'
    }
    if (number > this.#due) {
      this.#gaps.push({ first: this.#due, last: number - 1, behind: number, hole: afterHole })
      this.#due = number + 1
      return 'gap'
    }
    if (this.#fillGap(number)) return 'late'
    this.#repeated.add(number)
    return 'duplicate'
  }

  /** What never came: one range a gap. */
  missing(): readonly { readonly first: number; readonly last: number }[] {
    return this.#gaps.filter(({ hole }) => !hole)
  }

  /** The first entry of each disturbance of the order; where that number came again, the repetition is the disturbance. */
  disturbed(): readonly number[] {
    return [...this.#disturbed].filter((number) => !this.#repeated.has(number))
  }

  #fillGap(number: number): boolean {
    const at = this.#gaps.findIndex(({ first, last }) => first <= number && number <= last)
    const gap = this.#gaps[at]
    if (gap === undefined) return false
    this.#disturbed.add(gap.behind)
    const parts = [
      { ...gap, last: number - 1 },
      { ...gap, first: number + 1 },
    ]
    this.#gaps.splice(at, 1, ...parts.filter(({ first, last }) => first <= last))
    return true
  }
}
