// Decodes every block of every table and every record of every log of a store, by means of its own: another decompressor and another
// reader than the one in src, which is held to it.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const snappy: { compress(bytes: Buffer): Buffer; uncompress(bytes: Buffer): Buffer } = createRequire(import.meta.url)('snappyjs')

export const packWithSnappyjs = (bytes: Buffer): Buffer => snappy.compress(bytes)

export interface DecodedRow {
  readonly file: string
  /** Hex. */
  readonly key: string
  readonly sequence: bigint
  readonly deleted: boolean
  readonly value: Buffer
}

/** Every version of every row, in tables that no MANIFEST names too. Throws where a file is not whole. */
export function decodeStore(folder: string): DecodedRow[] {
  return storeFiles(folder).flatMap((file) => {
    const bytes = readFileSync(join(folder, file))
    return file.endsWith('.log')
      ? recordsOf(bytes).flatMap((record) => batchRows(file, record))
      : tableBlocks(bytes).data.flatMap((block) => blockRows(file, block))
  })
}

/** The rows of one table. */
export function decodeTable(path: string): DecodedRow[] {
  return tableBlocks(readFileSync(path)).data.flatMap((block) => blockRows('', block))
}

/** Runs of six words of the given texts that stand somewhere in the folder, unpacked: `file: run`, each once a file. */
export function findWordRuns(folder: string, texts: readonly string[], words = 6): string[] {
  const wanted = new Set(texts.flatMap((text) => runsOf(text, words)))
  const found = new Set<string>()
  for (const file of readdirSync(folder)) {
    if (file === 'LOCK') continue
    for (const piece of piecesOf(file, readFileSync(join(folder, file)))) {
      for (const run of runsOf(piece.toString('utf8'), words)) if (wanted.has(run)) found.add(`${file}: ${run}`)
    }
  }
  return [...found]
}

function storeFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => ['.ldb', '.sst', '.log'].some((ending) => name.endsWith(ending)))
    .sort()
}

function piecesOf(file: string, bytes: Buffer): Buffer[] {
  if (file.endsWith('.log') || file.startsWith('MANIFEST')) return recordsOf(bytes)
  if (!/\.(ldb|sst)$/.test(file)) return [bytes]
  const { data, index } = tableBlocks(bytes)
  return [...data, index]
}

function runsOf(text: string, words: number): string[] {
  const said = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return said.slice(words - 1).map((_, at) => said.slice(at, at + words).join(' '))
}

function tableBlocks(file: Buffer): { readonly data: Buffer[]; readonly index: Buffer } {
  const footer = file.subarray(-48)
  if (footer.subarray(40).toString('hex') !== '57fb808b247547db') throw new Error('no table')
  // Two places of two numbers each: the third number is where the index lies.
  const [, , offset = 0n, size = 0n] = numbersOf(footer, 4)
  const index = blockAt(file, offset, size)
  const data = entriesOf(index).map(({ value }) => {
    const [start = 0n, length = 0n] = numbersOf(value, 2)
    return blockAt(file, start, length)
  })
  return { data, index }
}

function blockAt(file: Buffer, offset: bigint, size: bigint): Buffer {
  const end = Number(offset + size)
  const packed = file.subarray(Number(offset), end)
  return file[end] === 1 ? snappy.uncompress(packed) : Buffer.from(packed)
}

function entriesOf(block: Buffer): { key: Buffer; value: Buffer }[] {
  const end = block.length - 4 - 4 * block.readUInt32LE(block.length - 4)
  const entries: { key: Buffer; value: Buffer }[] = []
  let key = Buffer.alloc(0)
  for (let at = 0; at < end; ) {
    const [shared = 0n, own = 0n, length = 0n] = numbersOf(block.subarray(at), 3)
    at += [shared, own, length].reduce((sum, number) => sum + widthOf(number), 0)
    key = Buffer.concat([key.subarray(0, Number(shared)), block.subarray(at, at + Number(own))])
    at += Number(own)
    entries.push({ key, value: block.subarray(at, at + Number(length)) })
    at += Number(length)
  }
  return entries
}

function blockRows(file: string, block: Buffer): DecodedRow[] {
  return entriesOf(block).map(({ key, value }) => {
    const mark = key.readBigUInt64LE(key.length - 8)
    return { file, key: key.toString('hex', 0, key.length - 8), sequence: mark >> 8n, deleted: (mark & 255n) === 0n, value }
  })
}

function recordsOf(log: Buffer): Buffer[] {
  const records: Buffer[] = []
  for (let block = 0; block < log.length; block += 32_768) {
    const bytes = log.subarray(block, block + 32_768)
    for (let at = 0; at + 7 <= bytes.length; ) {
      const length = bytes.readUInt16LE(at + 4)
      const kind = bytes[at + 6] ?? 0
      const piece = bytes.subarray(at + 7, at + 7 + length)
      if (kind === 1 || kind === 2) records.push(piece)
      if (kind > 2) records.push(Buffer.concat([records.pop() ?? Buffer.alloc(0), piece]))
      if (kind === 0 && length === 0) break
      at += 7 + length
    }
  }
  return records
}

function batchRows(file: string, record: Buffer): DecodedRow[] {
  const rows: DecodedRow[] = []
  let sequence = record.readBigUInt64LE(0)
  let at = 12
  const sized = (): Buffer => {
    const [length = 0n] = numbersOf(record.subarray(at), 1)
    at += widthOf(length) + Number(length)
    return record.subarray(at - Number(length), at)
  }
  while (at < record.length) {
    const deleted = record[at] === 0
    at += 1
    const key = sized().toString('hex')
    rows.push({ file, key, sequence, deleted, value: deleted ? Buffer.alloc(0) : sized() })
    sequence += 1n
  }
  return rows
}

function numbersOf(bytes: Buffer, count: number): bigint[] {
  const numbers: bigint[] = []
  for (let at = 0; numbers.length < count; ) {
    let number = 0n
    for (let shift = 0n; ; shift += 7n, at += 1) {
      const byte = BigInt(bytes[at] ?? 0)
      number |= (byte & 127n) << shift
      if (byte < 128n) break
    }
    numbers.push(number)
    at += 1
  }
  return numbers
}

const widthOf = (number: bigint): number => Math.max(1, Math.ceil(number.toString(2).length / 7))
