// Bits flipped in the store before a service starts: the hole or the loss is named before the first hook is served, and nothing dies of it.
// time limit: 180 s
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { endServices } from '../support/service-process.js'
import { type FlippedFile, runStartFlips } from './start-flips.js'

const test = suite('start flips')
test.after(endServices)
const flips = 6

const told: Readonly<Record<FlippedFile, string>> = {
  log: 'what a flipped bit of the log takes away is named before the first hook is served, and the service never dies by a signal',
  table:
    'what a flipped bit of a table destroys is named before the first hook is served, and the service never dies by a signal',
  'old table': 'a flipped bit among entries that an earlier start found sound is named before the first hook is served, too',
}

for (const where of ['log', 'table', 'old table'] as const) {
  test(told[where], async () => {
    const { refused, told, toldLater, unread, wrong } = await runStartFlips(3, flips, where)
    console.log(
      `note: ${flips} flips (${where}): ${refused} starts refused, ${told} told at the start, ${toldLater} told later, ${unread} unread`,
    )
    assert.equal(wrong, [])
    assert.is(refused + told + toldLater + unread, flips)
    assert.ok(refused + told > 0, 'some were in bytes that are read')
  })
}

test.run()
