// Holds the reader of lines to bytes: what is put together again is the file, and only a line feed ends a line.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { linesOfFile } from '../../src/ledger/lines-of-file.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('lines of file')

async function linesOf(content: string | Buffer): Promise<Buffer[]> {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, content)
  const lines: Buffer[] = []
  for await (const line of linesOfFile(file)) lines.push(line)
  return lines
}

test('each line comes with its line feed, and the last may lack one', async () => {
  for (const lines of [[], ['a\n'], ['a'], ['\n', '\n', 'b'], ['one\n', '\n', 'three\n']])
    assert.equal((await linesOf(lines.join(''))).map(String), lines)
})

test('what other readers take for the end of a line is none', async () => {
  for (const mark of ['\r', '\u2028', '\u2029', '\u0085', '\v']) assert.is((await linesOf(`a${mark}b\n`)).length, 1)
  assert.equal((await linesOf('a\r\nb')).map(String), ['a\r\n', 'b'])
})

test('lines that are longer than a reading, and bytes that are no text, come as they are', async () => {
  const long = Buffer.alloc(3 * 1024 * 1024 + 7, 'x')
  const binary = Buffer.of(0xff, 0x00, 0xc3, 0x0a)
  const lines = await linesOf(Buffer.concat([long, Buffer.from('\n'), binary, long]))
  assert.equal(
    lines.map(({ length }) => length),
    [long.length + 1, 4, long.length],
  )
  assert.equal(lines[1], binary)
})

test.run()
