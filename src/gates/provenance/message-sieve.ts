// Which of many folded texts can hold a quote at all, found without searching each: every text leaves a mark for each four characters
// that stand in it together. A text that holds the quote is never left out; some that do not are let through.

const gram = 4
/** At least so many bits for each character of a text: about one in four is set. */
const bitsPerCharacter = 2
const bitsMin = 64
const bitsMax = 2 ** 27

export class MessageSieve {
  readonly #marks: Uint32Array
  /** For each text where its marks begin, in words of 32 bits, and by how much a hash is shifted to one of them. */
  readonly #starts: Uint32Array
  readonly #shifts: Uint8Array

  constructor(texts: readonly string[]) {
    this.#starts = new Uint32Array(texts.length)
    this.#shifts = new Uint8Array(texts.length)
    let words = 0
    for (const [at, text] of texts.entries()) {
      let bits = bitsMin
      while (bits < text.length * bitsPerCharacter && bits < bitsMax) bits *= 2
      this.#starts[at] = words
      this.#shifts[at] = 32 - Math.log2(bits)
      words += bits / 32
    }
    this.#marks = new Uint32Array(words)
    for (const [at, text] of texts.entries()) setMarks(this.#marks, text, this.#starts[at] ?? 0, this.#shifts[at] ?? 0)
  }

  /** The places of the texts that may hold a quote, in their order; all of them where the quote is under four UTF-16 units long. */
  mayHold(quote: string): number[] {
    const hashes = hashesOf(quote)
    const found: number[] = []
    for (let at = 0; at < this.#starts.length; at += 1) {
      const start = this.#starts[at] ?? 0
      const shift = this.#shifts[at] ?? 0
      let marked = true
      for (let place = 0; marked && place < hashes.length; place += 1) {
        const bit = (hashes[place] ?? 0) >>> shift
        marked = (((this.#marks[start + (bit >>> 5)] ?? 0) >>> (bit & 31)) & 1) === 1
      }
      if (marked) found.push(at)
    }
    return found
  }
}

/** Eight bits on for each unit: after four more a unit has left the 32 bits for good, so that only the last four tell. */
function setMarks(marks: Uint32Array, text: string, start: number, shift: number): void {
  let last = 0
  for (let at = 0; at < text.length; at += 1) {
    last = (last << 8) ^ text.charCodeAt(at)
    if (at < gram - 1) continue
    const bit = hashOf(last) >>> shift
    const word = start + (bit >>> 5)
    marks[word] = (marks[word] ?? 0) | (1 << (bit & 31))
  }
}

/** First those that share no character, since they tell most. */
function hashesOf(quote: string): Uint32Array {
  const hashes: number[] = []
  const later: number[] = []
  let last = 0
  for (let at = 0; at < quote.length; at += 1) {
    last = (last << 8) ^ quote.charCodeAt(at)
    if (at >= gram - 1) (at % gram === gram - 1 ? hashes : later).push(hashOf(last))
  }
  return Uint32Array.from([...hashes, ...later])
}

/** Fibonacci hashing: the upper bits of the product are spread. */
function hashOf(units: number): number {
  return Math.imul(units, 0x9e3779b1) >>> 0
}
