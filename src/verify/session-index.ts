// Whether the rows `session → entry` are exactly those that the headers give, in constant memory: a count and two sums over each set.

export interface IndexSum {
  readonly count: number
  readonly first: number
  readonly second: number
}

/** Sums that do not depend on the order in which members are added. */
export class SessionIndexSummer {
  #count: number
  #first: number
  #second: number

  constructor({ count, first, second }: IndexSum = { count: 0, first: 0, second: 0 }) {
    this.#count = count
    this.#first = first
    this.#second = second
  }

  /** `handle` is `s` and 16 hex characters. */
  add(handle: string, index: number): void {
    let one = 0x811c9dc5 ^ index
    let two = Math.imul(index, 0x9e3779b1) ^ Math.floor(index / 0x1_0000_0000)
    for (let at = 1; at < handle.length; at += 1) {
      const code = handle.charCodeAt(at)
      one = Math.imul(one ^ code, 0x01000193)
      two = Math.imul(two + code, 0x85ebca6b) ^ (two >>> 13)
    }
    this.#count += 1
    this.#first = (this.#first + (one >>> 0)) >>> 0
    this.#second = (this.#second + (two >>> 0)) >>> 0
  }

  get sum(): IndexSum {
    return { count: this.#count, first: this.#first, second: this.#second }
  }
}

export function sameSum(one: IndexSum, other: IndexSum): boolean {
  return one.count === other.count && one.first === other.first && one.second === other.second
}
