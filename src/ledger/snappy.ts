// Unpacks one block of raw Snappy (the compression of LevelDB's tables). It only reads: nothing here ever packs.
import { ByteCursor, unreadable } from './byte-cursor.js'

/** Three bytes of a copy make 64 at the most, so no block grows more than this. */
const growthMax = 22

/** What the packed bytes stand for. Throws `STORE_UNREADABLE` where they are not whole Snappy. */
export function unpackSnappy(packed: Uint8Array): Uint8Array {
  const start = new ByteCursor(packed)
  const length = start.varint()
  if (length > packed.length * growthMax) throw unreadable('snappy: too long')
  const out = new Uint8Array(length)
  let from = start.at
  let to = 0
  while (from < packed.length) {
    const tag = packed[from] ?? 0
    from += 1
    const kind = tag & 3
    if (kind === 0) {
      let count = (tag >>> 2) + 1
      if (count > 60) {
        const bytes = count - 60
        count = littleEndian(packed, from, bytes) + 1
        from += bytes
      }
      if (count > packed.length - from || count > length - to) throw unreadable('snappy: literal')
      out.set(packed.subarray(from, from + count), to)
      from += count
      to += count
    } else {
      const bytes = kind === 3 ? 4 : kind
      const count = kind === 1 ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1
      const low = littleEndian(packed, from, bytes)
      const back = kind === 1 ? ((tag >>> 5) << 8) | low : low
      from += bytes
      if (back === 0 || back > to || count > length - to) throw unreadable('snappy: copy')
      copyWithin(out, to, back, count)
      to += count
    }
  }
  if (to !== length) throw unreadable('snappy: too short')
  return out
}

function littleEndian(bytes: Uint8Array, at: number, count: number): number {
  if (count > bytes.length - at) throw unreadable('snappy: ends too early')
  let value = 0
  for (let place = count - 1; place >= 0; place -= 1) value = value * 0x100 + (bytes[at + place] ?? 0)
  return value
}

// A copy may reach into what it writes: then its beginning is said again and again.
function copyWithin(out: Uint8Array, to: number, back: number, count: number): void {
  if (back >= count) out.copyWithin(to, to - back, to - back + count)
  else for (let at = to; at < to + count; at += 1) out[at] = out[at - back] ?? 0
}
