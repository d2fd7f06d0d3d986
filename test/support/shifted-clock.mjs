// Preloaded into a process (NODE_OPTIONS): its wall clock is off by the milliseconds that the file named by STELE_TEST_CLOCK_FILE says at
// that moment. The monotonic clock, and what the system itself writes down, stay as they are.
import { readFileSync } from 'node:fs'

const file = process.env['STELE_TEST_CLOCK_FILE'] ?? ''
const RealDate = Date

function shiftedNow() {
  return RealDate.now() + Number(readFileSync(file, 'utf8'))
}

globalThis.Date = class ShiftedDate extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(shiftedNow())
    else super(...parts)
  }

  static now() {
    return shiftedNow()
  }
}
