// Single bits flipped in tables, logs, MANIFEST and CURRENT; `npm run soak:corruption` flips hundreds.
// time limit: 300 s
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runFileFlips } from './file-flips.js'

const test = suite('file flips')
const flips = 24

test(`${flips} single flipped bits in a store's files are found, or lie where no reader looks, and kill no process but the child`, async () => {
  const { found, unread, wrong } = await runFileFlips(7, flips)
  assert.equal(wrong, [])
  assert.is(found + unread, flips)
  assert.ok(found > unread, 'most flips are in bytes that are read')
})

test.run()
