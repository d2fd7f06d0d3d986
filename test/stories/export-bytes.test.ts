// Row D8: one flipped bit in any byte of an export is found, by our verifier and by the one in Python.
// time limit: 400 s
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { verifyExport } from '../../src/verify/verify-ledger.js'
import { exportCorruptions } from '../support/corrupt-export.js'
import { referenceLedgerOf } from '../support/corruption-cases.js'
import { exportBytes, exportLines } from '../support/reference-ledger.js'
import { makeRandom } from '../support/seeded-random.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('export bytes')
const folder = temporaryFolder()
const file = join(folder, 'export.jsonl')
const script = fileURLToPath(new URL('../../examples/verify_export.py', import.meta.url))

test('row D8: a flipped bit in any byte of an export is found', async () => {
  const model = referenceLedgerOf(3)
  const whole = exportBytes(exportLines(model))
  const random = makeRandom(8)
  const quiet: string[] = []
  // Each byte once would take minutes; every place of a line is met many times over.
  for (let at = random.int(9); at < whole.length; at += 1 + random.int(18)) {
    const bytes = Buffer.from(whole)
    const bit = random.int(8)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
    writeFileSync(file, bytes)
    const { report } = await verifyExport(file)
    // The last line feed is a convenience of the format: a file that lacks it says the same.
    if (report.ok && at !== whole.length - 1) quiet.push(`bit ${bit} of byte ${at}: ${bytes.toString('utf8', at - 12, at + 12)}`)
  }
  assert.equal(quiet, [])
})

test('the verifier in Python says the same words of corrupted exports as ours', async () => {
  if (spawnSync('python3', ['--version']).error !== undefined) {
    console.log('note: there is no python3 here, so the other verifier was not asked')
    return
  }
  const model = referenceLedgerOf(2)
  const cases = makeRandom(5)
    .shuffle(exportCorruptions(model, makeRandom(77)))
    .slice(0, 60)
  const differing: string[] = []
  for (const { name, bytes } of cases) {
    writeFileSync(file, bytes)
    const ours = (await verifyExport(file)).report.findings.map(({ code, index }) => `${code} ${index}`)
    const { stdout, status } = spawnSync('python3', [script, file, '--json'], { encoding: 'utf8' })
    const said = JSON.parse(stdout) as { findings: { code: string; index: number | null }[] }
    const theirs = said.findings.map(({ code, index }) => `${code} ${index}`)
    if (ours.sort().join() !== theirs.sort().join())
      differing.push(`${name}: ours ${ours.join(', ')}; theirs ${theirs.join(', ')}`)
    if ((status === 0) !== (theirs.length === 0)) differing.push(`${name}: exit ${status} with ${theirs.length} findings`)
  }
  assert.equal(differing, [])
})

test.run()
