// Verifies a home: a snapshot of it, in another process, with every witness that lies beside it.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SteleError } from '../foundation/stele-error.js'
import { type HomeFiles, readDigestKey } from '../ledger/home-files.js'
import { clearQuarantine } from '../ledger/quarantine.js'
import { takeSnapshot } from '../ledger/snapshot.js'
import { loadVerifiedPosition, saveVerifiedPosition } from '../verify/verified-position.js'
import { verifyInChild } from '../verify/verify-in-child.js'
import type { Verified, VerifyOptions, VerifyReport } from '../verify/verify-ledger.js'
import type { Home } from './open-home.js'

export interface VerifyHomeOptions extends Omit<VerifyOptions, 'position'> {
  /** Goes on from where the last sound verification ended. */
  readonly quick?: boolean
  /** The home is a copy, or on a disk that cannot be written: works in the temporary folder and leaves the home as it is. */
  readonly offline?: boolean
}

const attemptsMax = 3

/** A clean verification of a live home also clears its quarantine. Throws `SNAPSHOT_REMOVED` where one erasure follows the other. */
export async function verifyHome(home: Home, options: VerifyHomeOptions = {}): Promise<VerifyReport> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const report = await verifySnapshot(home, options)
    if (report !== undefined) return report
  }
  throw new SteleError('SNAPSHOT_REMOVED')
}

/** Undefined where an erasure has taken the snapshot away: what was found then are its missing tables. */
async function verifySnapshot({ files, config }: Home, options: VerifyHomeOptions): Promise<VerifyReport | undefined> {
  if (!existsSync(files.store) && !existsSync(files.highWater) && !existsSync(files.checkpoints))
    throw new SteleError('HOME_MISSING')
  const { quick = false, offline = false, ...rest } = options
  const elsewhere = offline ? mkdtempSync(join(tmpdir(), 'stele-verify-')) : undefined
  // Marks and checkpoints are read before the store is copied: they never lead what was copied after them.
  const mirrored = readMarkFile('mirror', config.highWater.mirror)
  const snapshot = await takeSnapshot(files, elsewhere)
  try {
    const marks = [...readMarkFile('high-water', snapshot.highWater), ...mirrored]
    const checkpointsText = existsSync(snapshot.checkpoints) ? readFileSync(snapshot.checkpoints, 'utf8') : ''
    const secret = secretOf(files)
    const position = quick && secret !== undefined ? loadVerifiedPosition(files.verified, secret) : undefined
    const verified = await verifyInChild({ store: snapshot.store, marks, checkpointsText }, { ...rest, position })
    if (!existsSync(snapshot.store)) return undefined
    if (verified.report.ok && !offline && rest.from === undefined) tidyUp(files, verified, position === undefined, secret)
    return verified.report
  } catch (error) {
    if (!existsSync(snapshot.store)) return undefined
    throw error
  } finally {
    snapshot.remove()
    if (elsewhere !== undefined) rmSync(elsewhere, { recursive: true, force: true })
  }
}

/** Best effort: a home that cannot be written to has been verified all the same. */
function tidyUp(files: HomeFiles, { position }: Verified, full: boolean, secret: Uint8Array | undefined): void {
  try {
    if (full) clearQuarantine(files)
    if (secret !== undefined && position !== undefined) saveVerifiedPosition(files.verified, position, secret)
  } catch {
    // The next verification does it.
  }
}

function readMarkFile(name: string, file: string | undefined): { name: string; bytes: Buffer }[] {
  const bytes = file !== undefined && existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
  // An empty file is a mark that was never written.
  return bytes.length === 0 ? [] : [{ name, bytes }]
}

/** A copy of a home may have been made without its digest key, and only going on from a position needs it. */
function secretOf(files: HomeFiles): Uint8Array | undefined {
  try {
    return readDigestKey(files)
  } catch {
    return undefined
  }
}
