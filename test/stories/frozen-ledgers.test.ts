// Ledgers that released versions wrote must verify for ever, with the values that another verifier gave for them then.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { verifyExport } from '../../src/verify/verify-ledger.js'

const test = suite('frozen ledgers')
const folder = fileURLToPath(new URL('../frozen/', import.meta.url))
const ledgers = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))

test('there is a ledger of every released version', () => {
  assert.ok(ledgers.length > 0)
})

for (const name of ledgers) {
  test(`${name} verifies, and every payload fits the schema that it was written with`, async () => {
    const { vkey, ...expected } = JSON.parse(readFileSync(folder + name.replace('.jsonl', '.json'), 'utf8')) as Record<
      string,
      unknown
    >
    const { report } = await verifyExport(folder + name, { key: String(vkey) })
    assert.equal(report.findings, [])
    assert.equal(report.notes, [])
    assert.is(report.assurance, 'signed')
    const { size, head, root, erased, epoch } = report
    assert.equal({ size, head, root, erased, epoch }, expected)
  })
}

test.run()
