// Holds the words of abandoned branches to the forgetting page: an erasure takes them, and what proves the branch stays.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { abandonedWords, dropAbandonedWords } from '../../src/ledger/abandoned-words.js'
import { type HomeFiles, homeFiles } from '../../src/ledger/home-files.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('abandoned words')

const line = (row: string, index: number): string => `${JSON.stringify({ row, index, base64: 'AAAA' })}\n`

function homeWith(files: Readonly<Record<string, string>>): HomeFiles {
  const home = homeFiles(temporaryFolder())
  mkdirSync(home.quarantine)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home.quarantine, name), text)
  return home
}

const facts = line('h', 7) + line('h', 8) + line('p', 7) + line('p', 8)

test('the words of every new start are found by their index and dropped, and the rest stays to the byte', async () => {
  const files = homeWith({
    'abandoned-1.jsonl': facts + line('w', 8) + line('w', 7),
    'abandoned-2.jsonl': line('h', 3) + line('w', 3),
    'abandoned-3.jsonl': facts,
  })
  assert.equal(await abandonedWords(files), [3, 7, 8])
  assert.is(await dropAbandonedWords(files), 2)
  const read = (name: string): string => readFileSync(join(files.quarantine, name), 'utf8')
  assert.equal([read('abandoned-1.jsonl'), read('abandoned-2.jsonl'), read('abandoned-3.jsonl')], [facts, line('h', 3), facts])
  assert.equal(readdirSync(files.quarantine).sort(), ['abandoned-1.jsonl', 'abandoned-2.jsonl', 'abandoned-3.jsonl'])
  assert.equal(await abandonedWords(files), [])
  assert.is(await dropAbandonedWords(files), 0)
})

test('a line that was not written to its end, and a draft of an earlier run, lose their words too', async () => {
  const cut = line('w', 12).slice(0, -9)
  const files = homeWith({ 'abandoned-1.jsonl': facts + cut, 'abandoned-2.jsonl.new': line('w', 5) })
  assert.equal(await abandonedWords(files), [5, 12])
  assert.is(await dropAbandonedWords(files), 2)
  assert.is(readFileSync(join(files.quarantine, 'abandoned-1.jsonl'), 'utf8'), facts)
  assert.is(readFileSync(join(files.quarantine, 'abandoned-2.jsonl.new'), 'utf8'), '')
})

test('other copies in the quarantine are none of its business, and without a quarantine there is nothing', async () => {
  const files = homeWith({ 'held-2026': line('w', 5) })
  assert.equal(await abandonedWords(files), [])
  assert.is(await dropAbandonedWords(files), 0)
  assert.ok(existsSync(join(files.quarantine, 'held-2026')))
  const none = homeFiles(join(temporaryFolder(), 'none'))
  assert.equal([await abandonedWords(none), await dropAbandonedWords(none)], [[], 0])
})

test('where a file cannot be rewritten that is said, so that nobody takes the words for gone', async () => {
  const files = homeWith({ 'abandoned-1.jsonl': line('w', 5) })
  mkdirSync(join(files.quarantine, 'abandoned-1.jsonl.new'))
  await rejectsWithCode(() => dropAbandonedWords(files), 'FILE_UNWRITABLE')
  assert.is(readFileSync(join(files.quarantine, 'abandoned-1.jsonl'), 'utf8'), line('w', 5))
})

test.run()
