// A process that appends to a home until it is killed, and says on standard output which index it was told is on disk.
// Arguments: home folder, number of callers that wait side by side.
import { writeSync } from 'node:fs'
import { homeFiles } from '../../src/ledger/home-files.js'
import { openLedger } from '../../src/ledger/open-ledger.js'
import { systemWorld } from '../../src/ledger/system-world.js'
import { asRedacted } from './as-redacted.js'

const [, , home = '', callers = '8'] = process.argv
const ledger = await openLedger(homeFiles(home), {
  origin: 'stele.local',
  anchors: [],
  markMirror: undefined,
  world: systemWorld(),
  program: 'appender',
})
const handle = await ledger.sessionHandle('appender')
let sent = 0

async function appendForEver(): Promise<never> {
  for (;;) {
    sent += 1
    const text = `message ${sent} of process ${process.pid} ${'.'.repeat(sent % 300)}`
    const facts = {
      turn: 1,
      platform: 'cli',
      characters: text.length,
      digest: ledger.digest('text', text),
      source: 'unattested' as const,
    }
    const { index } = await ledger.append([asRedacted({ type: 'message.captured', session: handle, facts, words: { text } })])
    // Said only after it was heard: what the parent has read is acknowledged.
    writeSync(1, `${index} ${text}\n`)
  }
}

await Promise.all(Array.from({ length: Number(callers) }, appendForEver))
