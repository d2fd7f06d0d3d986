// Real ledgers in temporary homes, in a world whose clocks and chance a test holds in its hand.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Level } from 'level'
import type { Anchor } from '../../src/ledger/anchor.js'
import type { World } from '../../src/ledger/chain-writer.js'
import { type HomeFiles, homeFiles } from '../../src/ledger/home-files.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { createLedger, type LedgerSettings, openLedger } from '../../src/ledger/open-ledger.js'
import type { RedactedEvent } from '../../src/ledger/redacted-event.js'
import type { Row } from '../../src/ledger/store.js'
import { type VerifyOptions, type VerifyReport, verifyStore } from '../../src/verify/verify-ledger.js'
import { asRedacted } from './as-redacted.js'
import { makeRandom } from './seeded-random.js'
import { temporaryFolder } from './temporary-folder.js'

export interface TestWorld extends World {
  /** The wall clock, in milliseconds since 1970; set it as you like. */
  time: number
  /** The monotonic clock, in milliseconds. */
  elapsed: number
  /** Lets both clocks go on. */
  advance(ms: number): void
}

export const startOfTime = Date.UTC(2026, 10, 29, 20, 40)

/** A world that stands still until it is told to go on. */
export function testWorld(seed = 1): TestWorld {
  const random = makeRandom(seed)
  const world: TestWorld = {
    time: startOfTime,
    elapsed: 5000,
    now: () => world.time,
    monotonic: () => world.elapsed,
    salt: () => random.hex(16),
    advance: (ms) => {
      world.time += ms
      world.elapsed += ms
    },
  }
  return world
}

export interface TemporaryLedgerOptions {
  readonly seed?: number
  readonly origin?: string
  readonly anchors?: readonly Anchor[]
  readonly markMirror?: string
  /** The home; a new one where it is left out. */
  readonly home?: string
}

export interface TemporaryLedger {
  readonly files: HomeFiles
  readonly world: TestWorld
  readonly settings: LedgerSettings
  /** The ledger as it was opened last. */
  readonly ledger: Ledger
  close(): Promise<void>
  /** Closes and opens again. */
  reopen(): Promise<Ledger>
}

/** A new home with an empty ledger: one entry, one checkpoint. */
export async function temporaryLedger(options: TemporaryLedgerOptions = {}): Promise<TemporaryLedger> {
  const { seed = 1, origin = 'stele.local', anchors = [], markMirror, home = join(temporaryFolder(), 'home') } = options
  const files = homeFiles(home)
  const world = testWorld(seed)
  const settings: LedgerSettings = { origin, anchors, markMirror, world, program: 'stele test' }
  let { ledger } = await createLedger(files, settings)
  return {
    files,
    world,
    settings,
    get ledger() {
      return ledger
    },
    close: () => ledger.close(),
    reopen: async () => {
      await ledger.close()
      ledger = await openLedger(files, settings)
      return ledger
    },
  }
}

/** A copy of a home as a crash at this moment would leave it; the LOCK file stays unread. */
export function copyHome(files: HomeFiles): HomeFiles {
  const copy = join(temporaryFolder(), 'home')
  cpSync(files.home, copy, { recursive: true, filter: (path) => basename(path) !== 'LOCK' })
  return homeFiles(copy)
}

/** Puts and deletes rows in the store of a home that nobody has open. */
export async function editStore(files: HomeFiles, puts: readonly Row[], deletes: readonly Uint8Array[] = []): Promise<void> {
  await withLevel(files, async (db) => {
    for (const key of deletes) await db.del(Buffer.from(key))
    for (const { key, value } of puts) await db.put(Buffer.from(key), Buffer.from(value))
  })
}

/** Every row of the store of a home that nobody has open, in the order of keys. */
export async function storedRows(files: HomeFiles): Promise<{ key: Buffer; value: Buffer }[]> {
  const rows: { key: Buffer; value: Buffer }[] = []
  await withLevel(files, async (db) => {
    for await (const [key, value] of db.iterator()) rows.push({ key, value })
  })
  return rows
}

async function withLevel(files: HomeFiles, task: (db: Level<Buffer, Buffer>) => Promise<void>): Promise<void> {
  const db = new Level<Buffer, Buffer>(files.store, {
    createIfMissing: false,
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
  })
  try {
    await db.open()
    await task(db)
  } finally {
    await db.close()
  }
}

/** What the verifier says of a copy of a home, with every witness that lies in it. */
export async function verifyCopy(files: HomeFiles, options: VerifyOptions = {}): Promise<VerifyReport> {
  const copy = copyHome(files)
  const marks = existsSync(copy.highWater) ? [{ name: 'high-water', bytes: readFileSync(copy.highWater) }] : []
  const checkpointsText = existsSync(copy.checkpoints) ? readFileSync(copy.checkpoints, 'utf8') : ''
  return (await verifyStore({ store: copy.store, marks, checkpointsText }, options)).report
}

/**
 * Runs a task while no file of this process can grow beyond some bytes: a full disk, as far as LevelDB can tell.
 * Returns false, with the task not run, where the system cannot do that.
 */
export async function withFullDisk(bytes: number, task: () => Promise<void>): Promise<boolean> {
  const limit = (soft: string): boolean =>
    spawnSync('prlimit', [`--fsize=${soft}:`, '--pid', String(process.pid)], { stdio: 'ignore' }).status === 0
  if (!limit(String(bytes))) return false
  try {
    await task()
  } finally {
    limit('unlimited')
  }
  return true
}

const someDigest = '5'.repeat(64)

export function message(text: string, session = ''): RedactedEvent {
  return asRedacted({
    type: 'message.captured',
    session,
    facts: { turn: 1, platform: 'cli', characters: [...text].length, digest: someDigest, source: 'unattested' },
    words: { text },
  })
}

export function sessionStarted(handle: string, hostSession: string): RedactedEvent {
  return asRedacted({
    type: 'session.started',
    session: handle,
    facts: { platform: 'cli', how: 'announced', source: 'unattested' },
    words: { session: hostSession },
  })
}

/** An event without words. */
export function turnEnded(turn: number, session = ''): RedactedEvent {
  return { type: 'turn.ended', session, facts: { turn, source: 'unattested' } }
}
