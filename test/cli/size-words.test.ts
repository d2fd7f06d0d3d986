// Sizes as people read them.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { budgetLines, bytesWords, growthWords, sizeWords } from '../../src/cli/size-words.js'
import type { SizeStatus } from '../../src/service/service-status.js'

const test = suite('size words')
const mib = 1024 * 1024
const places = { store: 10 * mib, views: 2 * mib, spool: 0, quarantine: 0, snapshots: 0, log: 512, reserve: 8 * mib, rest: 100 }
const size: SizeStatus = {
  home: 20 * mib + 612,
  places,
  rows: { headers: 2 * mib, facts: 3 * mib, words: 4 * mib, tree: 1000, indexes: 0, checkpoints: 10 },
  free: 120 * 1024 * mib,
  budget: 0,
  exceeded: [],
}

test('bytes have three digits or so, and the unit that fits', () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.0 KiB'],
    [4200, '4.1 KiB'],
    [102_400, '100 KiB'],
    [12.3 * mib, '12.3 MiB'],
    [120 * 1024 * mib, '120 GiB'],
    [5 * 1024 ** 5, '5120 TiB'],
  ]
  for (const [bytes, words] of cases) assert.is(bytesWords(bytes), words)
})

test('of the kinds and places the four greatest are named, and the store is told by its kinds', () => {
  assert.is(sizeWords(size), '20.0 MiB (reserve 8.0 MiB, words 4.0 MiB, facts 3.0 MiB, headers 2.0 MiB), 120 GiB free')
})

test('where nobody has the store open it is one place, and an unknown disk is left out', () => {
  assert.is(
    sizeWords({ ...size, rows: null, free: null }),
    '20.0 MiB (store 10.0 MiB, reserve 8.0 MiB, views 2.0 MiB, log 512 B)',
  )
})

test('each budget that is exceeded has its line', () => {
  assert.equal(budgetLines(size), [])
  const lines = budgetLines({ ...size, budget: 10 * mib, free: 5 * mib, exceeded: ['home', 'disk'] })
  assert.is(lines.length, 2)
  assert.match(lines[0] ?? '', /10\.0 MiB.*limits\.homeBytes/)
  assert.match(lines[1] ?? '', /5\.0 MiB.*limits\.freeBytes/)
})

test('the last seven days are told', () => {
  const growth = Array.from({ length: 9 }, (_, at) => ({ day: `2026-11-0${at + 1}`, entries: at, bytes: at * 1024 }))
  const words = growthWords(growth)
  assert.is(words.split('; ').length, 7)
  assert.match(words, /^11-03 2 entries, 2\.0 KiB; .*; 11-09 8 entries, 8\.0 KiB$/)
})

test.run()
