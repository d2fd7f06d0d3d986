// How a ledger comes up: made once, opened only when it is whole, or started anew after a loss that its owner confirmed.
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { formatVersion } from '../events/entry.js'
import { toHex, zeroHash } from '../foundation/digest.js'
import { SteleError } from '../foundation/stele-error.js'
import { abandonedKeys, saveAbandoned } from './abandoned.js'
import type { Anchor } from './anchor.js'
import { ChainWriter, commitEvent, type World } from './chain-writer.js'
import {
  checkpointName,
  newSigningKeyPem,
  publicKeyOf,
  readCheckpointText,
  readSigningKey,
  type SigningKey,
  vkeyOf,
} from './checkpoint.js'
import { CheckpointKeeper } from './checkpoint-keeper.js'
import { readCheckpointLines } from './checkpoint-lines.js'
import { openHighWater, readMark } from './high-water.js'
import { assertPrivate, type HomeFiles, makePrivateFolder, readDigestKey, readKeyPem, writePrivateOnce } from './home-files.js'
import { watchHome } from './home-watch.js'
import { Ledger } from './ledger.js'
import { ledgerReader } from './ledger-reader.js'
import { emptyEdge } from './merkle.js'
import { type Quarantine, quarantineStore } from './quarantine.js'
import { headerKey } from './row-keys.js'
import { removeOldSnapshots } from './snapshot.js'
import { openStore, type Store } from './store.js'
import { type ChainState, epochOf, type TailReport, walkTail } from './tail-walk.js'

export interface LedgerSettings {
  /** The name before the ledger id in checkpoints. */
  readonly origin: string
  readonly anchors: readonly Anchor[]
  /** File of a second high-water mark elsewhere. */
  readonly markMirror: string | undefined
  readonly world: World
  /** Program name and version, for `ledger.created`. */
  readonly program: string
}

/** A day: longer than any reader works. */
const snapshotLeftMs = 24 * 60 * 60 * 1000

/**
 * Makes home, keys and an empty ledger, and opens it. What is there already stays: keys are kept, and a ledger that has begun
 * is opened instead. Crash-safe: the ledger has begun when its first entry is on disk; before that all of it can be made again.
 */
export async function createLedger(files: HomeFiles, settings: LedgerSettings): Promise<{ ledger: Ledger; created: boolean }> {
  const acknowledged = readMark(files.highWater) !== undefined || readCheckpointLines(files.checkpoints).length > 0
  const hasStore = existsSync(join(files.store, 'CURRENT'))
  // A ledger that was acknowledged is gone. Making a new one in its place would hide that.
  if (!hasStore && acknowledged) throw new SteleError('STORE_GONE')
  if (hasStore && (acknowledged || (await hasBegun(files)))) return { ledger: await openLedger(files, settings), created: false }
  makePrivateFolder(files.home)
  assertPrivate(files)
  writePrivateOnce(files.key, newSigningKeyPem())
  writePrivateOnce(files.digestKey, randomBytes(32))
  makePrivateFolder(files.store)
  const key = readSigningKey(readKeyPem(files))
  const store = await openStore(files.store, { create: !hasStore })
  const ledgerId = settings.world.salt()
  const begun: ChainState = { ledger: ledgerId, epoch: 0, size: 0, head: zeroHash, lastTimeMs: undefined, edge: emptyEdge }
  const ledger = await assembleLedger(files, settings, store, key, begun, 0)
  const vkey = vkeyOf(checkpointName(settings.origin, ledgerId, 0), key.publicKey)
  await ledger.append([
    { type: 'ledger.created', facts: { ledger: ledgerId, format: formatVersion, program: settings.program, vkey } },
  ])
  await ledger.checkpoint()
  return { ledger, created: true }
}

/** Whether a first entry is on disk, though the mark behind it may not be. */
async function hasBegun(files: HomeFiles): Promise<boolean> {
  const store = await openStore(files.store)
  try {
    return (await store.get(headerKey(0))) !== undefined
  } finally {
    await store.close()
  }
}

/** Opens a ledger after walking its end. Throws the code of the first trouble, and then leaves a copy in quarantine. */
export async function openLedger(files: HomeFiles, settings: LedgerSettings): Promise<Ledger> {
  const { store, key, report, quarantine } = await openAndWalk(files, settings)
  try {
    if (report.trouble !== undefined) {
      quarantine.hold()
      throw new SteleError(report.trouble, { size: report.state.size, claimed: report.claimed.size })
    }
    await assertOrigin(store, settings.origin, report, key)
  } catch (error) {
    await store.close()
    throw error
  }
  removeOldSnapshots(files, snapshotLeftMs, settings.world.now())
  return assembleLedger(files, settings, store, key, report.state, report.checkpointSize)
}

export interface NewStart {
  readonly epoch: number
  readonly index: number
  readonly abandoned: { readonly epoch: number; readonly size: number; readonly head: string; readonly root: string | null }
  readonly vkey: string
  /** Rows of entries that were there behind the sound beginning; saved in `savedTo`. */
  readonly savedRows: number
  readonly savedTo: string | null
}

/**
 * Starts a new epoch behind the sound beginning of a ledger that `openLedger` refuses. One batch drops the broken end and appends
 * `ledger.reanchored`: after a crash the ledger is as it was, or started anew. Throws `REANCHOR_NOT_NEEDED` where nothing is wrong.
 */
export async function reanchorLedger(files: HomeFiles, settings: LedgerSettings, reason: string): Promise<NewStart> {
  const { store, key, report, quarantine } = await openAndWalk(files, settings)
  try {
    if (report.trouble === undefined) throw new SteleError('REANCHOR_NOT_NEEDED', { size: report.state.size })
    if (report.trouble === 'LEDGER_KEY_MISMATCH') throw new SteleError(report.trouble)
    if (report.state.size === 0) throw new SteleError('LEDGER_EMPTY')
    await assertOrigin(store, settings.origin, { ...report, checkpointSize: 0 }, key)
    quarantine.hold()
    return await startAnew(files, settings, store, key, report, reason)
  } finally {
    await store.close()
  }
}

async function startAnew(
  files: HomeFiles,
  settings: LedgerSettings,
  store: Store,
  key: SigningKey,
  { state, claimed }: TailReport,
  reason: string,
): Promise<NewStart> {
  makePrivateFolder(files.quarantine)
  const savedTo = join(files.quarantine, `abandoned-${state.epoch}-${stampOf(settings.world)}.jsonl`)
  const savedRows = await saveAbandoned(store, state.size, savedTo)

  const writer = new ChainWriter(state, settings.world)
  // Higher than any that was ever vouched for: checkpoints of two branches must not bear the same name.
  const epoch = Math.max(state.epoch, claimed.epoch) + 1
  const root = await knownRoot(store, files, claimed.epoch, claimed.size)
  const abandoned = { epoch: claimed.epoch, size: claimed.size, head: claimed.head, root }
  const vkey = vkeyOf(checkpointName(settings.origin, state.ledger, epoch), key.publicKey)
  const puts: { key: Uint8Array; value: Uint8Array }[] = []
  const draft = commitEvent({ type: 'ledger.reanchored', facts: { vkey, abandoned, reason } }, settings.world)
  const index = writer.startEpoch(epoch, draft, puts)
  writer.addHead(puts)
  await store.write(puts, await abandonedKeys(store, state.size))

  const { size, head } = writer.state
  for (const mark of openMarks(files, settings)) {
    mark.write({ epoch, size, head })
    mark.sync()
    mark.close()
  }
  await keeperOf(files, settings, store, key, 0).make(writer.state)
  if (savedRows === 0) rmSync(savedTo)
  return { epoch, index, abandoned, vkey, savedRows, savedTo: savedRows === 0 ? null : savedTo }
}

async function openAndWalk(
  files: HomeFiles,
  settings: LedgerSettings,
): Promise<{ store: Store; key: SigningKey; report: TailReport; quarantine: Quarantine }> {
  if (!existsSync(files.home)) throw new SteleError('HOME_MISSING')
  if (!existsSync(join(files.store, 'CURRENT'))) throw new SteleError(existsSync(files.highWater) ? 'STORE_GONE' : 'HOME_MISSING')
  assertPrivate(files)
  const key = readSigningKey(readKeyPem(files))
  const quarantine = quarantineStore(files, stampOf(settings.world))
  let store: Store
  try {
    store = await openStore(files.store)
  } catch (error) {
    if (error instanceof SteleError && error.code === 'STORE_LOCKED') quarantine.discard()
    else quarantine.hold()
    throw error
  }
  try {
    const mirrored = settings.markMirror === undefined ? [] : [readMark(settings.markMirror)]
    const marks = [readMark(files.highWater), ...mirrored]
    const lastCheckpoint = readCheckpointLines(files.checkpoints).at(-1)
    const report = await walkTail(store, { marks, lastCheckpoint, logBytes: quarantine.logBytes, key })
    return { store, key, report, quarantine }
  } catch (error) {
    await store.close()
    throw error
  }
}

async function assertOrigin(store: Store, origin: string, report: TailReport, key: SigningKey): Promise<void> {
  const { payload } = await ledgerReader(store).entry(0)
  const vkey = String(payload['vkey'])
  if (vkey.split('+')[0] !== checkpointName(origin, report.state.ledger, 0)) throw new SteleError('CONFIG_ORIGIN_FIXED')
  // Later on the newest checkpoint shows whose key it is; before the first one only this entry does.
  if (report.checkpointSize === 0 && report.state.epoch === 0 && toHex(publicKeyOf(vkey)) !== toHex(key.publicKey)) {
    throw new SteleError('LEDGER_KEY_MISMATCH')
  }
}

/** The ledger owns the store from here on; where it cannot be put together the store is closed again. */
async function assembleLedger(
  files: HomeFiles,
  settings: LedgerSettings,
  store: Store,
  key: SigningKey,
  state: ChainState,
  checkpointSize: number,
): Promise<Ledger> {
  try {
    return new Ledger({
      store,
      state,
      digestKey: readDigestKey(files),
      world: settings.world,
      marks: openMarks(files, settings),
      watch: watchHome(files),
      keeper: keeperOf(files, settings, store, key, checkpointSize),
    })
  } catch (error) {
    await store.close()
    throw error
  }
}

function openMarks(files: HomeFiles, settings: LedgerSettings) {
  return [files.highWater, ...(settings.markMirror === undefined ? [] : [settings.markMirror])].map((file) => openHighWater(file))
}

function keeperOf(files: HomeFiles, settings: LedgerSettings, store: Store, key: SigningKey, size: number): CheckpointKeeper {
  const { origin, anchors } = settings
  return new CheckpointKeeper({ store, key, origin, file: files.checkpoints, anchors, size })
}

/** The root that a checkpoint of the abandoned branch gives for a size, as 64 hex characters. */
async function knownRoot(store: Store, files: HomeFiles, epoch: number, size: number): Promise<string | null> {
  const stored = await ledgerReader(store).newestCheckpoint()
  for (const note of [...readCheckpointLines(files.checkpoints), ...(stored === undefined ? [] : [stored])]) {
    const checkpoint = readCheckpointText(note)
    if (checkpoint?.size === size && epochOf(checkpoint.name) === epoch) return toHex(checkpoint.root)
  }
  return null
}

/** Sorts by time, and is unique where two openings share a millisecond. */
function stampOf(world: World): string {
  return `${new Date(Math.max(0, world.now())).toISOString().replaceAll(':', '')}-${world.salt().slice(0, 8)}`
}
