// The check sum of LevelDB's files: CRC-32C (Castagnoli, reflected), and the form in which LevelDB stores it.

const table = makeTable()
const maskAdded = 0xa282ead8

/** CRC-32C of the bytes from `from` up to, but not including, `to`; a number without sign. */
export function crc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let crc = 0xffff_ffff
  for (let at = from; at < to; at += 1) crc = (crc >>> 8) ^ (table[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0)
  return (crc ^ 0xffff_ffff) >>> 0
}

/** The same as LevelDB stores it: turned by 15 bits, and a constant added, so that sums over sums do no harm. */
export function storedCrc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  const crc = crc32c(bytes, from, to)
  return (((crc >>> 15) | (crc << 17)) + maskAdded) >>> 0
}

function makeTable(): Uint32Array {
  const made = new Uint32Array(256)
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
    made[byte] = crc >>> 0
  }
  return made
}
