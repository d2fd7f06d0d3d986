// Full verification against reading and hashing all rows of the same store; and going on from where the last one ended.
import { createHash } from 'node:crypto'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Level } from 'level'
import { homeFiles } from '../src/ledger/home-files.js'
import { openLedger } from '../src/ledger/open-ledger.js'
import { takeSnapshot } from '../src/ledger/snapshot.js'
import { type VerifyOptions, verifyStore } from '../src/verify/verify-ledger.js'
import { benchFolder, benchLedger, benchSettings, eventMaker, fill } from './bench-ledger.js'
import { type Measured, plain, ratio, rounds } from './measured.js'

export async function measureVerification(entries: number): Promise<Measured[]> {
  const home = join(benchFolder(), 'home')
  const files = homeFiles(home)
  const ledger = await benchLedger(home)
  const handle = await ledger.sessionHandle('bench')
  await fill(ledger, eventMaker(ledger, handle), entries)
  await ledger.close()

  const baseline: number[] = []
  const full: number[] = []
  let position: VerifyOptions['position']
  for (let round = 0; round < rounds; round += 1) {
    const copy = join(benchFolder(), 'copy')
    cpSync(files.store, copy, { recursive: true })
    baseline.push(await timed(() => hashAllRows(copy)))
    full.push(
      await timed(async () => {
        const verified = await verifyOnce(home, {})
        position = verified.position
      }),
    )
  }
  const again = await openLedger(files, benchSettings)
  await fill(again, eventMaker(again, handle), Math.round(entries / 100))
  await again.close()
  const quick: number[] = []
  for (let round = 0; round < rounds; round += 1) quick.push(await timed(() => verifyOnce(home, { position })))
  return [
    ratio(
      'full verification, of the rate of reading and hashing all rows',
      baseline.map((ms, at) => ms / (full[at] ?? 1)),
      { least: 0.7 },
    ),
    ratio(
      'verification after 1 % more, of a full one',
      quick.map((ms, at) => (100 * ms) / (full[at] ?? 1)),
      { most: 5 },
      '%',
    ),
    plain(
      'full verification',
      full.map((ms) => entries / (ms / 1000)),
      'entries/s',
    ),
  ]
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function verifyOnce(home: string, options: VerifyOptions) {
  const files = homeFiles(home)
  const snapshot = await takeSnapshot(files)
  try {
    const marks = [{ name: 'high-water', bytes: readFileSync(files.highWater) }]
    const verified = await verifyStore(
      { store: snapshot.store, marks, checkpointsText: readFileSync(files.checkpoints, 'utf8') },
      options,
    )
    if (!verified.report.ok) throw new Error('the ledger that is measured is not sound')
    return verified
  } finally {
    snapshot.remove()
  }
}

async function hashAllRows(copy: string): Promise<void> {
  const db = new Level<Buffer, Buffer>(copy, { keyEncoding: 'buffer', valueEncoding: 'buffer' })
  await db.open()
  const iterator = db.iterator({ fillCache: false, highWaterMarkBytes: 1024 * 1024 })
  for (let pairs = await iterator.nextv(1000); pairs.length > 0; pairs = await iterator.nextv(1000)) {
    for (const [key, value] of pairs) createHash('sha256').update(key).update(value).digest()
  }
  await iterator.close()
  await db.close()
}
