// Gives tests a small seeded random source, so that every generated case can be made again from its seed.

export type Random = {
  /** A whole number from 0 up to, but not including, n. */
  int(n: number): number
  /** One of the items; throws when there are none. */
  pick<T>(items: readonly T[]): T
  bytes(n: number): Buffer
  /** n bytes as lower-case hex. */
  hex(n: number): string
  /** A shuffled copy. */
  shuffle<T>(items: readonly T[]): T[]
  /** True once in n times, on the average. */
  chance(n: number): boolean
}

/** Mixes a 32-bit counter into 32 bits that look random (the mulberry32 recipe). */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const int = (n: number): number => {
    if (!Number.isInteger(n) || n < 1) throw new RangeError(`int needs a whole number above 0, not ${n}`)
    return Math.floor((next() / 2 ** 32) * n)
  }
  const bytes = (n: number): Buffer => {
    const out = Buffer.alloc(n)
    for (let place = 0; place < n; place += 1) out[place] = next() >>> 24
    return out
  }
  return {
    int,
    bytes,
    hex: (n) => bytes(n).toString('hex'),
    chance: (n) => int(n) === 0,
    pick: (items) => {
      if (items.length === 0) throw new RangeError('nothing to pick from')
      return items[int(items.length)] as (typeof items)[number]
    },
    shuffle: (items) => {
      const out = [...items]
      for (let place = out.length - 1; place > 0; place -= 1) {
        const other = int(place + 1)
        const held = out[place] as (typeof out)[number]
        out[place] = out[other] as (typeof out)[number]
        out[other] = held
      }
      return out
    },
  }
}
