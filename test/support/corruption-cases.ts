// Runs generated corruptions of reference ledgers through the verifier and lists where its words are not the page's.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseCheckpointFile } from '../../src/verify/verify-checkpoint.js'
import { type VerifyReport, verifyExport, verifyStore } from '../../src/verify/verify-ledger.js'
import { disagreement, exportCorruptions } from './corrupt-export.js'
import { soundStore, storeCorruptions, writeStore } from './corrupt-store.js'
import { makeReferenceLedger, type ReferenceLedger } from './reference-ledger.js'
import { makeRandom } from './seeded-random.js'

export interface CorruptionRun {
  readonly cases: number
  /** One line for each case whose words differ. */
  readonly disagreements: readonly string[]
}

/** Ledgers of different histories: with and without words, erasures, another key, another epoch, a clock step. */
export function referenceLedgerOf(seed: number): ReferenceLedger {
  const random = makeRandom(seed)
  return makeReferenceLedger({
    random,
    size: 16 + random.int(40),
    words: seed % 5 !== 0,
    erasures: seed % 3,
    rotateKey: seed % 4 === 1,
    reanchor: seed % 4 === 2,
    clockStep: seed % 2 === 0,
    checkpointEvery: 5 + random.int(8),
  })
}

export async function runExportCorruptions(seed: number): Promise<CorruptionRun> {
  const model = referenceLedgerOf(seed)
  const folder = mkdtempSync(join(tmpdir(), 'stele-corrupt-'))
  const file = join(folder, 'export.jsonl')
  const disagreements: string[] = []
  const cases = exportCorruptions(model, makeRandom(seed + 1_000_000))
  try {
    for (const corruption of cases) {
      writeFileSync(file, corruption.bytes)
      const outside = corruption.against === undefined ? [] : parseCheckpointFile(corruption.against)
      const { report } = await verifyExport(file, { key: corruption.pinnedKey, outside })
      tell(corruption.name, disagreement(corruption, [...report.findings, ...report.notes]), report, disagreements)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return { cases: cases.length, disagreements }
}

export async function runStoreCorruptions(seed: number): Promise<CorruptionRun> {
  const model = referenceLedgerOf(seed)
  const disagreements: string[] = []
  const cases = [soundStore(model), ...storeCorruptions(model, makeRandom(seed + 2_000_000))]
  for (const corruption of cases) {
    const folder = mkdtempSync(join(tmpdir(), 'stele-corrupt-'))
    try {
      const store = join(folder, 'store')
      await writeStore(store, corruption.rows)
      const marks = corruption.highWater === null ? [] : [{ name: 'high-water', bytes: corruption.highWater }]
      const { report } = await verifyStore(
        { store, marks, checkpointsText: corruption.checkpointsText },
        { key: corruption.pinnedKey },
      )
      tell(corruption.name, disagreement(corruption, [...report.findings, ...report.notes]), report, disagreements)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  return { cases: cases.length, disagreements }
}

function tell(name: string, difference: string | null, report: VerifyReport, disagreements: string[]): void {
  if (difference !== null) disagreements.push(`${name}: ${difference}`)
  if (report.ok !== (report.findings.length === 0)) disagreements.push(`${name}: ok does not follow from the findings`)
  if (report.findings.length > 0 && report.assurance !== 'none') disagreements.push(`${name}: an assurance beside findings`)
}
