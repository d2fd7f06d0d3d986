// What really lies in the views of a home: every row by its key, and the bytes of every file.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Level } from 'level'

/** Of views that nobody has open. */
export async function viewRows(folder: string): Promise<{ readonly key: Buffer; readonly value: Buffer }[]> {
  const db = new Level<Buffer, Buffer>(join(folder, 'store'), {
    createIfMissing: false,
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
  })
  await db.open()
  try {
    const rows: { key: Buffer; value: Buffer }[] = []
    for await (const [key, value] of db.iterator()) rows.push({ key, value })
    return rows
  } finally {
    await db.close()
  }
}

/** Keys of the index of words, as hex. */
export async function termKeys(folder: string): Promise<string[]> {
  return (await viewRows(folder)).flatMap(({ key }) => (key[0] === 'x'.charCodeAt(0) ? [key.toString('hex')] : []))
}

/** The bytes of every file within, one behind the other. */
export function bytesWithin(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Buffer.concat(files.map((entry) => readFileSync(join(entry.parentPath, entry.name))))
}
