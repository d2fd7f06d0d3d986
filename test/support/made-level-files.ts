// Makes tables and logs of LevelDB byte by byte from the pages of their formats, for tests of what reads them.

export interface MadeRow {
  readonly key: string | Buffer
  readonly sequence: number
  /** Undefined for a deletion. */
  readonly value: string | undefined
}

/** One piece of a log: check sum, length, kind (1 whole, 2 first, 3 middle, 4 last), bytes. */
export function logPiece(kind: number, data: Buffer): Buffer {
  const header = Buffer.alloc(7)
  header.writeUInt32LE(checkSum(Buffer.concat([Buffer.of(kind), data])), 0)
  header.writeUInt16LE(data.length, 4)
  header[6] = kind
  return Buffer.concat([header, data])
}

/** A batch of a log: the number of its first row, how many rows, the rows. */
export function logBatch(sequence: number, rows: readonly Omit<MadeRow, 'sequence'>[]): Buffer {
  const head = Buffer.alloc(12)
  head.writeBigUInt64LE(BigInt(sequence))
  head.writeUInt32LE(rows.length, 8)
  const parts = rows.map(({ key, value }) =>
    value === undefined ? Buffer.concat([Buffer.of(0), sized(key)]) : Buffer.concat([Buffer.of(1), sized(key), sized(value)]),
  )
  return Buffer.concat([head, ...parts])
}

/** A table of unpacked blocks, each key repeating what it can of the one before; the index takes the last key of each block. */
export function tableOf(blocks: readonly (readonly MadeRow[])[]): Buffer {
  const parts: Buffer[] = []
  const index: [Buffer, Buffer][] = []
  let offset = 0
  for (const rows of blocks) {
    const block = blockOf(rows.map((row) => [internalKey(row), Buffer.from(row.value ?? '')]))
    const last = rows.at(-1)
    if (last !== undefined) index.push([internalKey(last), Buffer.concat([number(offset), number(block.length)])])
    parts.push(withTrailer(block))
    offset += block.length + 5
  }
  const meta = blockOf([])
  const indexBlock = blockOf(index)
  const footer = Buffer.alloc(48)
  Buffer.concat([number(offset), number(meta.length), number(offset + meta.length + 5), number(indexBlock.length)]).copy(footer)
  Buffer.from('57fb808b247547db', 'hex').copy(footer, 40)
  return Buffer.concat([...parts, withTrailer(meta), withTrailer(indexBlock), footer])
}

function internalKey({ key, sequence, value }: MadeRow): Buffer {
  const mark = Buffer.alloc(8)
  mark.writeBigUInt64LE((BigInt(sequence) << 8n) | (value === undefined ? 0n : 1n))
  return Buffer.concat([typeof key === 'string' ? Buffer.from(key) : key, mark])
}

function blockOf(entries: readonly [Buffer, Buffer][]): Buffer {
  const parts: Buffer[] = []
  let before: Buffer = Buffer.alloc(0)
  for (const [key, value] of entries) {
    let shared = 0
    while (shared < Math.min(before.length, key.length) && before[shared] === key[shared]) shared += 1
    parts.push(number(shared), number(key.length - shared), number(value.length), key.subarray(shared), value)
    before = key
  }
  // One place to start from: the first row.
  return Buffer.concat([...parts, Buffer.from('0000000001000000', 'hex')])
}

function withTrailer(block: Buffer): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(checkSum(Buffer.concat([block, Buffer.of(0)])))
  return Buffer.concat([block, Buffer.of(0), sum])
}

function sized(what: string | Buffer): Buffer {
  const bytes = typeof what === 'string' ? Buffer.from(what) : what
  return Buffer.concat([number(bytes.length), bytes])
}

function number(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return Buffer.of(...bytes, rest)
}

/** CRC-32C bit by bit, turned and shifted as LevelDB stores it. */
function checkSum(bytes: Buffer): number {
  let crc = 0xffffffffn
  for (const byte of bytes) {
    crc ^= BigInt(byte)
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1n) === 1n ? (crc >> 1n) ^ 0x82f63b78n : crc >> 1n
  }
  crc ^= 0xffffffffn
  return Number((((crc >> 15n) | (crc << 17n)) + 0xa282ead8n) & 0xffffffffn)
}
