// A store's copy is verified in a process of its own: what kills that process is a finding, what stops it from outside is not.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { verifyInChild } from '../../src/verify/verify-in-child.js'
import { soundStore, writeStore } from '../support/corrupt-store.js'
import { referenceLedgerOf } from '../support/corruption-cases.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('verify in child')

async function soundJob() {
  const sound = soundStore(referenceLedgerOf(1))
  const store = join(temporaryFolder(), 'store')
  await writeStore(store, sound.rows)
  const marks = sound.highWater === null ? [] : [{ name: 'high-water', bytes: sound.highWater }]
  return { store, marks, checkpointsText: sound.checkpointsText }
}

/** Sends a signal to the one process that this test has started, as soon as it is there. */
async function signalChild(signal: string): Promise<void> {
  for (;;) {
    const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    const [, pid] = /(\d+) .*verify-store/.exec(children) ?? []
    if (pid !== undefined) {
      process.kill(Number(pid), signal)
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('the report comes back, with progress on the way', async () => {
  const told: number[] = []
  const { report, position } = await verifyInChild(await soundJob(), { onProgress: (read) => told.push(read) })
  assert.equal(report.findings, [])
  assert.is(told.at(-1), report.size)
  assert.is(position?.size, report.size)
})

test('an abort of the reader is the finding store_unreadable', async () => {
  const job = await soundJob()
  const [{ report }] = await Promise.all([verifyInChild(job), signalChild('SIGABRT')])
  assert.equal(
    report.findings.map(({ code }) => code),
    ['store_unreadable'],
  )
  assert.is(report.assurance, 'none')
})

test('a reader that is stopped from outside says nothing about the ledger', async () => {
  const job = await soundJob()
  const verifying = rejectsWithCode(verifyInChild(job), 'VERIFIER_DIED')
  await signalChild('SIGTERM')
  await verifying
})

test.run()
