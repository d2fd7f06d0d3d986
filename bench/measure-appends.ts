// Durable appends against raw `level` writing the same rows in chained, synced batches.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Level } from 'level'
import { zeroHash } from '../src/foundation/digest.js'
import { ChainWriter, commitEvent } from '../src/ledger/chain-writer.js'
import { homeFiles } from '../src/ledger/home-files.js'
import { emptyEdge } from '../src/ledger/merkle.js'
import type { Row } from '../src/ledger/store.js'
import { appendSideBySide, benchFolder, benchLedger, benchSettings, eventMaker, fill } from './bench-ledger.js'
import { type Measured, median, plain, ratio, rounds } from './measured.js'

const callers = 256

export async function measureAppends(entries: number): Promise<Measured[]> {
  const raw = { many: [] as number[], one: [] as number[] }
  const ours = { many: [] as number[], one: [] as number[] }
  const entriesOne = Math.max(500, Math.round(entries / 20))
  for (let round = 0; round < rounds; round += 1) {
    raw.many.push(await rawRate(entries, callers))
    ours.many.push(await ledgerRate(entries, callers))
    raw.one.push(await rawRate(entriesOne, 1))
    ours.one.push(await ledgerRate(entriesOne, 1))
  }
  const perRound = (one: readonly number[], other: readonly number[]) => one.map((value, at) => value / (other[at] ?? 1))
  const ownGain = perRound(ours.many, ours.one)
  const rawGain = perRound(raw.many, raw.one)
  return [
    ratio(`append, ${callers} callers, of raw chained batches of the same rows`, perRound(ours.many, raw.many), { least: 0.33 }),
    ratio('append, one caller, of one raw batch of the same rows', perRound(ours.one, raw.one), { least: 0.7 }),
    ratio('gain by group commit, of the gain of raw `level`', perRound(ownGain, rawGain), { least: 0.5 }),
    plain(`appends, ${callers} callers`, ours.many, 'entries/s'),
    plain('appends, one caller', ours.one, 'entries/s'),
    plain('raw rows, batches of 256', raw.many, 'entries/s'),
    plain('raw rows, batches of 1', raw.one, 'entries/s'),
    plain('gain of raw `level` from 1 to 256', [median(rawGain)], '×', 1),
    await measureDisk(entries),
  ]
}

async function ledgerRate(entries: number, side: number): Promise<number> {
  const ledger = await benchLedger(join(benchFolder(), 'home'))
  const handle = await ledger.sessionHandle('bench')
  const rate = await appendSideBySide(ledger, eventMaker(ledger, handle), entries, side)
  await ledger.close()
  return rate
}

/** The rows that our entries become, made before the clock starts, written in batches by `level` alone. */
async function rawRate(entries: number, perBatch: number): Promise<number> {
  const writer = new ChainWriter(
    { ledger: '0'.repeat(32), epoch: 0, size: 0, head: zeroHash, lastTimeMs: undefined, edge: emptyEdge },
    benchSettings.world,
  )
  const event = eventMaker({ digest: () => 'a'.repeat(64) }, 's0123456789abcdef')
  const batches: Row[][] = []
  for (let done = 0; done < entries; done += perBatch) {
    const rows: Row[] = []
    writer.add(
      Array.from({ length: perBatch }, (_, at) => commitEvent(event(done + at), benchSettings.world)),
      rows,
    )
    writer.addHead(rows)
    batches.push(rows)
  }
  const db = new Level<Uint8Array, Uint8Array>(join(benchFolder(), 'raw'), { keyEncoding: 'view', valueEncoding: 'view' })
  await db.open()
  const started = performance.now()
  for (const rows of batches) {
    const batch = db.batch()
    for (const { key, value } of rows) batch.put(key, value)
    await batch.write({ sync: true })
  }
  const seconds = (performance.now() - started) / 1000
  await db.close()
  return (batches.length * perBatch) / seconds
}

async function measureDisk(entries: number): Promise<Measured> {
  const home = join(benchFolder(), 'home')
  const ledger = await benchLedger(home)
  const handle = await ledger.sessionHandle('bench')
  const event = eventMaker(ledger, handle)
  await fill(ledger, event, entries)
  await ledger.close()
  const { store } = homeFiles(home)
  const bytes = readdirSync(store).reduce((sum, name) => sum + statSync(join(store, name)).size, 0)
  const sample = event(1)
  const own = JSON.stringify(sample.facts).length + JSON.stringify('words' in sample ? sample.words : {}).length
  return ratio(`disk, of the ${own} bytes of facts and words of an event`, [bytes / entries / own], { most: 2 })
}
