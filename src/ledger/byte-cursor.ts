// Reads numbers and stretches of bytes, one after the other, out of what LevelDB wrote, and never beyond the end.
// Every refusal is `STORE_UNREADABLE` with a reason, never an exception of the engine: the bytes may be damaged.
import { SteleError } from '../foundation/stele-error.js'

const varintBytesMax = 10

export class ByteCursor {
  readonly #bytes: Uint8Array
  #at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  get at(): number {
    return this.#at
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  /** A view of the next bytes, not a copy. */
  take(length: number): Uint8Array {
    if (length > this.left) throw unreadable('bytes end too early')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  byte(): number {
    return this.take(1)[0] ?? 0
  }

  /** Four bytes, little-endian. */
  fixed32(): number {
    const [one = 0, two = 0, three = 0, four = 0] = this.take(4)
    return (one | (two << 8) | (three << 16) | (four << 24)) >>> 0
  }

  /** Eight bytes, little-endian. Exact below 2^53. */
  fixed64(): number {
    const low = this.fixed32()
    return low + this.fixed32() * 0x1_0000_0000
  }

  /** Seven bits a byte, the lowest first. Exact below 2^53; nothing that is measured here is larger. */
  varint(): number {
    let value = 0
    let scale = 1
    for (let count = 0; count < varintBytesMax; count += 1) {
      const byte = this.byte()
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 0x80
    }
    throw unreadable('a number without an end')
  }
}

/** `reason` is a word for a person; it names a part of the format, never what stands there. */
export function unreadable(reason: string): SteleError {
  return new SteleError('STORE_UNREADABLE', { reason })
}
