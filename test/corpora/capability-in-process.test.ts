// Asks the gate itself about the rows of the table that `stele decide` cannot be told of: lineage, who sits there, Stele's own, other disks.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { capabilityRows, complaintOf, needsMoreThanDecide, type RowAnswer, seedRows } from '../support/capability-table.js'
import { shownTally, tallyOf } from '../support/capability-tally.js'
import { buildCapabilityTree } from '../support/capability-tree.js'
import { decideInProcess } from '../support/decide-in-process.js'

const test = suite('capability in process')
const { root, conditions } = buildCapabilityTree()

const rows = capabilityRows.filter(needsMoreThanDecide).filter(({ only }) => only === undefined || conditions.has(only))
const answers = new Map<string, RowAnswer>()
for (const row of rows) answers.set(row.id, await decideInProcess(row, root))

for (const source of new Set(rows.map((row) => row.source))) {
  const ofSource = rows.filter((row) => row.source === source)
  test(`${source === 'own' ? 'cases of our own' : source}: all ${ofSource.length} rows come out as labelled`, () => {
    assert.is(ofSource.flatMap((row) => complaintOf(row, answers.get(row.id)) ?? []).join('\n'), '')
  })
}

test('what the redactor takes out of the words of a call changes no answer of the table', async () => {
  const told = capabilityRows.filter((row) => !rows.includes(row) && (row.only === undefined || conditions.has(row.only)))
  const complaints: string[] = []
  for (const row of told) complaints.push(complaintOf(row, await decideInProcess(row, root)) ?? '')
  assert.is(complaints.filter((complaint) => complaint !== '').join('\n'), '')
  assert.ok(told.length > 400)
})

test('row C27: C1 and R1 climb, and are denied where no disk is looked at', async () => {
  for (const row of seedRows.filter(({ id }) => id === 'C1' || id === 'R1')) {
    assert.is(complaintOf(row, await decideInProcess(row, root, { style: 'posix', foldsCase: false })), undefined)
  }
})

test('row C34: no child is allowed what one of those who sent it is denied', async () => {
  for (const row of rows) {
    const { lineage = [], id } = row
    if (lineage.length < 2 || answers.get(id)?.verdict !== 'allow') continue
    for (const sender of lineage.map((_, place) => lineage.slice(place))) {
      assert.is((await decideInProcess({ ...row, lineage: sender }, root)).verdict, 'allow', id)
    }
  }
})

test('no false denial and no false allow among them', () => {
  const tally = tallyOf(rows, ({ id }) => answers.get(id)?.verdict)
  assert.equal(tally.falseDenials, [])
  assert.equal(tally.falseAllows, [])
  process.stdout.write(`\nnote: ${shownTally('in process', tally)}\n`)
})

test.run()
