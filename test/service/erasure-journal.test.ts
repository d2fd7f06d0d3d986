// Holds the journal of erasures to its promise: what is in it is finished by whoever comes next, and what is not was never begun.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ErasureJournal, type JournalledErasure, waitingErasures } from '../../src/service/erasure-journal.js'
import { throwsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('erasure journal')

const wish: Omit<JournalledErasure, 'id'> = {
  selected: 'session',
  by: 'owner',
  reason: 'the user asked',
  size: 12,
  epoch: 0,
  words: {
    ranges: [[3, 5]],
    entries: 2,
    bytes: 99,
    types: { 'message.captured': 2 },
    first: '2026-11-29T20:40:00.000Z',
    last: '2026-11-29T20:41:00.000Z',
    hostSessions: ['a'.repeat(64)],
  },
  due: null,
  asked: null,
  entry: null,
}

const newFolder = (): string => join(temporaryFolder(), 'erasures')

test('what was added is there for whoever opens the home next, and gone when it is removed', () => {
  const folder = newFolder()
  const added = new ErasureJournal(folder).add(wish)
  assert.match(added.id, /^[0-9a-f]{16}$/)
  assert.equal(new ErasureJournal(folder).all(), [{ ...wish, id: added.id }])
  new ErasureJournal(folder).save({ ...added, entry: 13 })
  assert.equal(new ErasureJournal(folder).all(), [{ ...wish, id: added.id, entry: 13 }])
  new ErasureJournal(folder).remove(added)
  assert.equal(new ErasureJournal(folder).all(), [])
  assert.equal(readdirSync(folder), [])
})

test('a home without a journal has nothing in it, and one is not made for looking', () => {
  const folder = newFolder()
  assert.equal(new ErasureJournal(folder).all(), [])
  assert.not(existsSync(folder))
})

test('its files are private, since they tell what somebody wanted to be forgotten', () => {
  const folder = newFolder()
  const { id } = new ErasureJournal(folder).add(wish)
  assert.is(statSync(folder).mode & 0o777, 0o700)
  assert.is(statSync(join(folder, `${id}.json`)).mode & 0o777, 0o600)
})

test('they come in the order in which they were asked for', () => {
  const journal = new ErasureJournal(newFolder())
  for (const size of [30, 4, 200]) journal.add({ ...wish, size })
  assert.equal(
    journal.all().map(({ size }) => size),
    [4, 30, 200],
  )
})

test('a file that is not whole, or of another shape, was never begun on and is left out', () => {
  const folder = newFolder()
  const journal = new ErasureJournal(folder)
  const { id } = journal.add(wish)
  const whole = readFileSync(join(folder, `${id}.json`), 'utf8')
  const { words: _, ...withoutWords } = { ...wish, id }
  const others = [
    '',
    whole.slice(0, -30),
    'null',
    '[]',
    JSON.stringify(withoutWords),
    JSON.stringify({ ...wish, id, size: '12' }),
    ...[['3', '5'], [5, 3], [-1, 5], [3], [0.5, 5], 'none'].map((range) =>
      JSON.stringify({ ...wish, id, words: { ...wish.words, ranges: [range] } }),
    ),
    JSON.stringify({ ...wish, id, due: 'soon' }),
    JSON.stringify({ ...wish, id, due: 5 }),
    JSON.stringify({ ...wish, id, entry: 1.5 }),
    JSON.stringify({ ...wish, id, epoch: undefined }),
  ]
  for (const [at, text] of others.entries()) writeFileSync(join(folder, `${String(at).repeat(16).slice(0, 16)}.json`), text)
  writeFileSync(join(folder, `${'f'.repeat(16)}.json.new`), whole)
  mkdirSync(join(folder, `${'e'.repeat(16)}.json`))
  assert.equal(
    journal.all().map((one) => one.id),
    [id],
  )
})

test('what waits is told with when it is due, and what has begun without', () => {
  const folder = newFolder()
  const journal = new ErasureJournal(folder)
  const due = '2026-11-29T21:40:00.000Z'
  const waits = journal.add({ ...wish, due, asked: 12 })
  const begun = journal.add({ ...wish, size: 13, due, asked: 12, entry: 14 })
  assert.equal(waitingErasures(folder), [
    { id: waits.id, selected: 'session', entries: 2, due },
    { id: begun.id, selected: 'session', entries: 2, due: null },
  ])
})

test('where it cannot be written nothing is begun', () => {
  const folder = newFolder()
  writeFileSync(folder, 'in the way')
  throwsWithCode(() => new ErasureJournal(folder).add(wish), 'FILE_UNWRITABLE')
  if (process.getuid?.() === 0) return
  const closed = newFolder()
  mkdirSync(closed)
  chmodSync(closed, 0o500)
  throwsWithCode(() => new ErasureJournal(closed).add(wish), 'FILE_UNWRITABLE')
})

test.run()
