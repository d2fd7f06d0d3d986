// Kills a running appender with SIGKILL at random points, again and again on one home, and checks what it had been told.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { homeFiles } from '../../src/ledger/home-files.js'
import { createLedger, type LedgerSettings, openLedger } from '../../src/ledger/open-ledger.js'
import { takeSnapshot } from '../../src/ledger/snapshot.js'
import { systemWorld } from '../../src/ledger/system-world.js'
import { verifyStore } from '../../src/verify/verify-ledger.js'
import type { Random } from '../support/seeded-random.js'

export interface KillRounds {
  readonly rounds: number
  /** Entries that some appender had been told are on disk. */
  readonly acknowledged: number
  readonly lost: readonly string[]
  readonly unsound: readonly string[]
}

const appender = fileURLToPath(new URL('../support/appender.ts', import.meta.url))
const settings: LedgerSettings = {
  origin: 'stele.local',
  anchors: [],
  markMirror: undefined,
  world: systemWorld(),
  program: 'kill',
}
const afterFirstMsMax = 250

export async function killRounds(
  rounds: number,
  random: Random,
  onRound: (round: number) => void = () => {},
): Promise<KillRounds> {
  const folder = mkdtempSync(join(tmpdir(), 'stele-kill-'))
  const files = homeFiles(join(folder, 'home'))
  const lost: string[] = []
  const unsound: string[] = []
  let acknowledged = 0
  try {
    await (await createLedger(files, settings)).ledger.close()
    for (let round = 1; round <= rounds; round += 1) {
      const told = await appendAndKill(files.home, 1 + random.int(16), random.int(afterFirstMsMax))
      acknowledged += told.size
      const ledger = await openLedger(files, settings)
      for (const [index, text] of told) {
        const kept = index < ledger.size ? (await ledger.reader.entry(index)).words?.['text'] : undefined
        if (kept !== text) lost.push(`round ${round}: entry ${index}`)
      }
      // Half of the rounds go on from the crash without a proper close.
      if (random.int(2) === 0) await ledger.checkpoint()
      await ledger.close()
      const snapshot = await takeSnapshot(files)
      const marks = [{ name: 'high-water', bytes: readFileSync(files.highWater) }]
      const { report } = await verifyStore({
        store: snapshot.store,
        marks,
        checkpointsText: readFileSync(files.checkpoints, 'utf8'),
      })
      snapshot.remove()
      for (const { code, message } of report.findings) unsound.push(`round ${round}: ${code} ${message}`)
      onRound(round)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { rounds, acknowledged, lost, unsound }
}

/** What the appender had said by the time it was dead: index → text. */
async function appendAndKill(home: string, callers: number, afterFirstMs: number): Promise<Map<number, string>> {
  const child = spawn(process.execPath, ['--import', 'tsx', appender, home, String(callers)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const told = new Map<number, string>()
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    if (told.size === 0) setTimeout(() => child.kill('SIGKILL'), afterFirstMs)
    const at = line.indexOf(' ')
    // The last line may have been cut by the kill: it is a text only when it ends as it should.
    if (/^[0-9]+ message [0-9]+ of process [0-9]+ \.*$/.test(line)) told.set(Number(line.slice(0, at)), line.slice(at + 1))
  })
  const linesEnded = new Promise((resolve) => lines.on('close', resolve))
  await new Promise((resolve) => child.on('close', resolve))
  await linesEnded
  return told
}
