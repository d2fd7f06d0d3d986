// Holds the heartbeat to a clock and a ledger of the test's own: an entry an hour where nothing comes, none where something does.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { beatMs, Heartbeat } from '../../src/service/heartbeat.js'
import { temporaryLedger } from '../support/temporary-ledger.js'

const test = suite('heartbeat')

const minuteMs = 60_000

test('one entry an hour while nothing else is recorded, with the time that really ran', async () => {
  const { ledger } = await temporaryLedger()
  let now = 5000
  const heartbeat = new Heartbeat({ ledger: () => ledger, now: () => now })
  const size = ledger.size
  const pass = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      now += minuteMs
      await heartbeat.look()
    }
  }
  await heartbeat.look()
  await pass(59)
  assert.is(ledger.size, size)
  await pass(1)
  assert.is(ledger.size, size + 1)
  const { header, payload } = await ledger.reader.entry(size)
  assert.equal([header.type, payload], ['service.continued', { ranMs: beatMs }])
  await pass(61)
  assert.is(ledger.size, size + 2)
  // An entry of another begins the hour anew: two of these are all that a quiet hour and a half costs.
  await ledger.append([{ type: 'service.ended', facts: { why: 'idle' } }])
  await pass(59)
  assert.is(ledger.size, size + 3)
  await ledger.close()
})

test('while nothing can be written it says nothing, and the hour is taken up where it can', async () => {
  const { ledger } = await temporaryLedger()
  let now = 0
  let isWritable = true
  const heartbeat = new Heartbeat({ ledger: () => (isWritable ? ledger : undefined), now: () => now })
  const size = ledger.size
  await heartbeat.look()
  isWritable = false
  now = 2 * beatMs
  await heartbeat.look()
  assert.is(ledger.size, size)
  isWritable = true
  await heartbeat.look()
  assert.equal([ledger.size, (await ledger.reader.entry(size)).payload], [size + 1, { ranMs: 2 * beatMs }])
  await ledger.close()
})

test.run()
