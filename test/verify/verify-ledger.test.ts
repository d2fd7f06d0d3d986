// Verification as a whole: sound ledgers have no findings, and each deed done to one has the page's word and no other.
// time limit: 400 s
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { verifyExport, verifyStore } from '../../src/verify/verify-ledger.js'
import { soundStore, writeStore } from '../support/corrupt-store.js'
import { referenceLedgerOf, runExportCorruptions, runStoreCorruptions } from '../support/corruption-cases.js'
import { exportBytes, exportLines, firstVkey, newestCheckpoint } from '../support/reference-ledger.js'

const test = suite('verify ledger')
const vectors = fileURLToPath(new URL('../fixtures/vectors/ledger-v1.jsonl', import.meta.url))
const vectorVkey = 'stele.local/000102030405060708090a0b0c0d0e0f+84cb1e05+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'

async function withFolder<Result>(run: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'stele-verify-'))
  try {
    return await run(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the shared vectors verify, with the head, root and count of forgotten words that they were made with', async () => {
  const { report } = await verifyExport(vectors, { key: vectorVkey })
  assert.equal(report.findings, [])
  assert.is(report.assurance, 'signed')
  assert.is(report.size, 6)
  assert.is(report.erased, 1)
  assert.is(report.head, '8b4da7814bbd850f52ac147337d6fa063ed8622763c9d682aeca764a246ea325')
  assert.is(report.root, '87c643d281d94235ee2497baacf88fcd42e51153545f8ad5f27a1935ddba5c1a')
})

test('ledgers that another program made from the page verify as stores and as exports', async () => {
  for (let seed = 1; seed <= 8; seed += 1) {
    const model = referenceLedgerOf(seed)
    await withFolder(async (folder) => {
      const file = join(folder, 'export.jsonl')
      writeFileSync(file, exportBytes(exportLines(model)))
      const { report } = await verifyExport(file, { key: firstVkey(model), outside: [newestCheckpoint(model).text] })
      assert.equal(report.findings, [], `export of seed ${seed}`)
      assert.is(report.assurance, 'anchored')

      const { rows, highWater, checkpointsText } = soundStore(model)
      await writeStore(join(folder, 'store'), rows)
      const marks = highWater === null ? [] : [{ name: 'high-water', bytes: highWater }]
      const stored = await verifyStore({ store: join(folder, 'store'), marks, checkpointsText })
      assert.equal(stored.report.findings, [], `store of seed ${seed}`)
      assert.is(stored.report.head, report.head)
      assert.is(stored.report.root, report.root)
      assert.is(stored.report.erased, report.erased)
    })
  }
})

for (const [seed, history] of [
  [1, 'a changed key'],
  [2, 'an abandoned branch'],
] as const) {
  test(`each corruption of an export of a ledger with ${history} has the page's word and no other`, async () => {
    const { cases, disagreements } = await runExportCorruptions(seed)
    assert.ok(cases > 100, `${cases} cases`)
    assert.equal(disagreements, [])
  })

  test(`each corruption of a store of a ledger with ${history} has the page's word and no other`, async () => {
    const { cases, disagreements } = await runStoreCorruptions(seed)
    assert.ok(cases > 30, `${cases} cases`)
    assert.equal(disagreements, [])
  })
}

test('entries behind the newest checkpoint are never more than consistent, whoever wrote them', async () => {
  const model = referenceLedgerOf(4)
  const older = model.checkpoints.filter(({ size }) => size < model.entries.length).at(-1)
  assert.ok(older)
  await withFolder(async (folder) => {
    const file = join(folder, 'export.jsonl')
    const lines = exportLines(model)
    writeFileSync(file, exportBytes([...lines.slice(0, -1), JSON.stringify({ checkpoint: older?.text })]))
    const { report } = await verifyExport(file, { key: firstVkey(model), outside: [older?.text ?? ''] })
    assert.is(report.ok, true)
    assert.is(report.assurance, 'consistent')
    assert.ok(report.notes.some(({ code }) => code === 'not_covered'))
  })
})

test.run()
