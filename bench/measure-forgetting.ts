// Clearing deleted words from the disk, against one compaction of all words: of a whole session, spread or in one piece; and what a
// writer feels of it. Also what looking into the files costs, with and without leaving out what the indices of the tables allow.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { clearRows } from '../src/ledger/clear-rows.js'
import { homeFiles } from '../src/ledger/home-files.js'
import { findLeftRows } from '../src/ledger/left-rows.js'
import { allOf, wordsKey } from '../src/ledger/row-keys.js'
import { openStore, type Store } from '../src/ledger/store.js'
import { wantedRows } from '../src/ledger/wanted-rows.js'
import { benchFolder, benchLedger, eventMaker, fill } from './bench-ledger.js'
import { type Measured, median, plain, ratio } from './measured.js'

type Pairs = readonly (readonly [number, number])[]

const sessionEntries = 300
const clearings = 3
const idleMs = 3000
const valueBytes = 500

export async function measureForgetting(entries: number): Promise<Measured[]> {
  const home = join(benchFolder(), 'home')
  const ledger = await benchLedger(home)
  const event = eventMaker(ledger, await ledger.sessionHandle('bench'))
  await fill(ledger, event, entries)
  await ledger.close()
  const { store: folder } = homeFiles(home)
  const store = await openStore(folder)
  // What filling left to do is not to be counted.
  await store.compact({ from: Buffer.of(0), to: Buffer.of(0xff) })
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

  const baseline: number[] = []
  for (let round = 0; round < clearings; round += 1) {
    await store.write([], tombstonesBetween(entries))
    baseline.push(await timed(() => store.compact(allOf('w'))))
  }
  const idle = await putsDuring(store, () => new Promise((resolve) => setTimeout(resolve, idleMs)))
  const together: number[] = []
  const spread: number[] = []
  const busy: number[] = []
  for (let round = 0; round < clearings; round += 1) {
    const first = Math.floor((entries * (round + 1)) / (clearings + 2))
    busy.push(
      ...(await putsDuring(store, async () => together.push(await clear(store, folder, [[first, first + sessionEntries - 1]])))),
    )
    const every = Math.floor((entries - clearings) / sessionEntries)
    const singles = Array.from({ length: sessionEntries }, (_, at) => [at * every + round, at * every + round] as const)
    busy.push(...(await putsDuring(store, async () => spread.push(await clear(store, folder, singles)))))
  }
  const few = wantedRows([[Math.floor(entries / 2), Math.floor(entries / 2) + sessionEntries]], [])
  const everything = { ranges: [{ from: Buffer.of(0), to: Buffer.of(0xff) }], keys: [] }
  const guided: number[] = []
  const whole: number[] = []
  for (let round = 0; round < clearings; round += 1) {
    guided.push(await timed(() => findLeftRows(folder, few)))
    whole.push(await timed(() => findLeftRows(folder, everything)))
  }
  await store.close()
  const of = (values: readonly number[]) => values.map((value) => value / median(baseline))
  return [
    plain(`store of ${entries} entries`, [bytes / 2 ** 20], 'MiB'),
    plain('one compaction of all words', baseline, 'ms'),
    ratio(`clearing ${sessionEntries} entries in one piece, of that`, of(together), { most: 2 }),
    ratio(`clearing ${sessionEntries} entries spread over all, of that`, of(spread), { most: 2 }),
    plain('the first', together, 'ms'),
    plain('the second', spread, 'ms'),
    plain('looking into the files for one session, guided by the indices', guided, 'ms'),
    plain('looking into every block of every file', whole, 'ms'),
    plain('synced put, idle, p50', [quantile(idle, 0.5)], 'ms', 2),
    plain('synced put, idle, p99', [quantile(idle, 0.99)], 'ms', 2),
    plain('synced put while clearing, p50', [quantile(busy, 0.5)], 'ms', 2),
    plain('synced put while clearing, p99', [quantile(busy, 0.99)], 'ms', 2),
    plain('synced put while clearing, longest', [Math.max(...busy)], 'ms', 1),
  ]
}

/** Deletes of keys that never were, so many that every table of words is touched: LevelDB compacts nothing that has nothing above it. */
function tombstonesBetween(entries: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(entries / 500) }, (_, at) => Buffer.concat([wordsKey(at * 500), Buffer.of(0)]))
}

async function clear(store: Store, folder: string, pairs: Pairs): Promise<number> {
  await store.write(
    [],
    pairs.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => wordsKey(first + at))),
  )
  return timed(() => clearRows(store, folder, wantedRows(pairs, [])))
}

/** One writer that puts and waits for the disk, over and over; how long each put took, in milliseconds. */
async function putsDuring(store: Store, task: () => Promise<unknown>): Promise<number[]> {
  let goOn = true
  const done = task().finally(() => {
    goOn = false
  })
  const times: number[] = []
  const value = Buffer.alloc(valueBytes, 'v')
  while (goOn) {
    times.push(await timed(() => store.write([{ key: Buffer.from(`x${times.length}`), value }])))
    // A host's hooks come with pauses; a loop without any would measure only the queue.
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await done
  return times
}

function quantile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? 0
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
