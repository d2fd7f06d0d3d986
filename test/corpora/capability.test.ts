// Asks the built program about every row of the table of allowlist cases, for the named skill and again for `*`, and prints what it caught.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot, readProjectFile } from '../../scripts/project-tree.js'
import { type CapabilityRow, capabilityRows, complaintOf, needsMoreThanDecide, seedRows } from '../support/capability-table.js'
import { type CapabilityTally, shownTally, tallyOf } from '../support/capability-tally.js'
import { buildCapabilityTree } from '../support/capability-tree.js'
import { type Answers, decideNamed, decideStar } from '../support/decide-batches.js'

const test = suite('capability')
const tree = buildCapabilityTree()

const rows = capabilityRows.filter((row) => !needsMoreThanDecide(row))
const here = rows.filter(({ only }) => only === undefined || tree.conditions.has(only))
const unnamedToo = here.filter(({ both, skill }) => both !== false && skill !== undefined)
const named = decideNamed(here, tree.root)
const star = decideStar(unnamedToo, tree.root)

/** Every pass of the table: what it is called, which rows it has, and their answers. */
const passes = [
  { name: 'named skills', rows: here, answers: named },
  { name: 'the * bucket', rows: unnamedToo, answers: star },
] as const

for (const row of seedRows) {
  test(`gate case ${row.id}: ${row.title}`, () => {
    for (const { answers } of passes) assert.is(complaintOf(row, answers.get(row.id)), undefined)
  })
}

for (const source of new Set(here.filter(({ theirs }) => theirs === undefined).map((row) => row.source))) {
  const ofSource = here.filter((row) => row.source === source && row.theirs === undefined)
  test(`${source === 'own' ? 'cases of our own' : source}: all ${ofSource.length} rows come out as labelled`, () => {
    assert.is(complaints(ofSource, named).join('\n'), '')
    assert.is(complaints(ofSource.filter((row) => unnamedToo.includes(row)).map(unnamed), star).join('\n'), '')
  })
}

test('no false denial, and no false allow but the named holes', () => {
  for (const { name, rows: asked, answers } of passes) {
    const { falseDenials, falseAllows } = tally(asked, answers)
    assert.equal(falseDenials, [], name)
    const holes = asked.filter(({ hole, alias }) => hole !== undefined && alias !== true).map(({ id }) => id)
    assert.equal(falseAllows, holes, name)
  }
})

test('row C26: the nineteen cases of the seed, ours beside theirs', () => {
  const theirs = tallyOf(seedRows, (row) => row.theirs)
  const ours = tally(seedRows, named)
  assert.equal(ours.falseDenials, [])
  assert.ok(ours.falseAllows.length < theirs.falseAllows.length)
  note(shownTally('the nineteen, theirs', theirs))
  note(shownTally('the nineteen, ours', ours))
  note(shownTally('the nineteen, ours for the * bucket', tally(seedRows, star)))
})

test('row C28: exactly seven of the nineteen stay false allows', () => {
  for (const { name, answers } of passes) {
    assert.is(tally(seedRows, answers).falseAllows.join(' '), 'B1a B1b B2 D2 E1 E2a F1', name)
  }
})

test('row C28: every hole stands in the documents by its id', () => {
  const pages = ['docs/limits.md', 'docs/capability.md'].filter((path) => existsSync(join(projectRoot, path)))
  const text = pages.map(readProjectFile).join('\n')
  const holes = capabilityRows.filter(({ hole }) => hole !== undefined).map(({ id }) => id)
  assert.equal(
    holes.filter((id) => !text.includes(`\`${id}\``)),
    [],
    `these are in none of ${pages.join(', ')}`,
  )
})

test('row C30: hard link, junction, process root and bind mount come out as labelled and are not counted', () => {
  const aliases = here.filter(({ alias }) => alias === true)
  assert.is(complaints(aliases, named).join('\n'), '')
  for (const { id, title, hole } of aliases) note(`alias ${id}, ${title}: ${hole === undefined ? 'caught' : `open (${hole})`}`)
})

test('row C31: the whole table has two tallies, printed apart', () => {
  for (const { name, rows: asked, answers } of passes) {
    assert.is(answers.size, asked.length, name)
    note(shownTally(name, tally(asked, answers)))
  }
  const leftOut = rows.filter((row) => !here.includes(row))
  note(`left out on this machine: ${leftOut.map(({ id, only }) => `${id} (${only})`).join(', ') || 'none'}`)
})

test('row C32: the receipt holds the same tallies with the version of the gate', () => {
  const { version } = JSON.parse(readProjectFile('package.json')) as { version: string }
  const receipt = {
    version,
    seed: { theirs: tallyOf(seedRows, (row) => row.theirs), named: tally(seedRows, named), star: tally(seedRows, star) },
    table: { named: tally(here, named), star: tally(unnamedToo, star) },
  }
  note(`the gate is that of stele ${version}`)
  const file = process.env['STELE_TEST_CAPABILITY_RECEIPT']
  if (file === undefined || file === '') return
  writeFileSync(file, `${JSON.stringify(receipt, undefined, 2)}\n`)
  assert.equal(JSON.parse(readFileSync(file, 'utf8')), receipt)
})

function tally(asked: readonly CapabilityRow[], answers: Answers): CapabilityTally {
  return tallyOf(asked, ({ id }) => answers.get(id)?.verdict)
}

function complaints(asked: readonly CapabilityRow[], answers: Answers): string[] {
  return asked.flatMap((row) => complaintOf(row, answers.get(row.id)) ?? [])
}

/** A call that names no skill has no skill's name in its reason. */
function unnamed(row: CapabilityRow): CapabilityRow {
  const { skill } = row
  return { ...row, says: (row.says ?? []).filter((word) => word !== skill) }
}

function note(text: string): void {
  process.stdout.write(`\nnote: ${text}\n`)
}

test.run()
