// Reads a file line by line as bytes, so that what is written again is what was there, whatever encoding it has.
import { createReadStream } from 'node:fs'

const lineFeed = 0x0a

/** Each with its line feed; the last may lack it. A line stands in memory whole. */
export async function* linesOfFile(file: string): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, end + 1)])
      begun = []
      from = end + 1
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
  }
  if (begun.length > 0) yield Buffer.concat(begun)
}
