// Holds the table of allowlist cases itself: that it is whole, that its tree is what it says, and that its numbers come from its rows.
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { readProjectFile } from '../../scripts/project-tree.js'
import {
  type CapabilityRow,
  capabilityPolicies,
  capabilityRows,
  complaintOf,
  movedToStar,
  needsMoreThanDecide,
  policyText,
  type RowAnswer,
  seedRows,
} from '../support/capability-table.js'
import { tallyOf } from '../support/capability-tally.js'
import { buildCapabilityTree, treeDescription } from '../support/capability-tree.js'

const test = suite('capability table')
const tree = buildCapabilityTree()
const at = (path: string): string => join(tree.root, path)

/** The codes of a decision, as the plan lists them. */
const codes =
  'granted skill_not_listed tool_not_granted path_not_granted path_dangling path_looping path_unreadable path_unresolved approval_required nobody_to_ask denied_explicitly grant_expired command_not_granted command_opaque self_protected policy_unavailable mode_unresolved gate_error'.split(
    ' ',
  )
/** Public cases that this table answers: all about capability, and what a decision settles of approval and self-protection. */
const publicCases = [1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31, 32, 34, 35, 46, 61, 62, 65]

test('there are at least 190 cases, each with an id and a title of its own', () => {
  assert.ok(capabilityRows.length >= 190, `${capabilityRows.length} rows`)
  assert.is(new Set(capabilityRows.map(({ id }) => id)).size, capabilityRows.length)
  for (const { id, source, title } of capabilityRows) {
    assert.match(source, /^(row C\d+|case \d+|own)$/, id)
    assert.ok(title.length > 0, id)
  }
})

test('row C26: the nineteen cases of the seed are all there and no other', () => {
  assert.equal(seedRows.map(({ id }) => id).join(' '), 'A1 A2 A3 A4 A5 B1a B1b B2 C1 C2 D1 D2 E1 E2a F1 R1 R2 R3 S1')
})

test('row C26: the answers of the seed come to the tally that the seed tells', () => {
  const theirs = tallyOf(seedRows, (row) => row.theirs)
  assert.equal(countsOf(theirs), [15, 7, 8, 4, 0])
  assert.is(theirs.falseAllows.join(' '), 'B1a B1b B2 D2 E1 E2a F1 S1')
})

test('row C26: what is expected of Stele is one case better, and never a false denial', () => {
  const ours = tallyOf(seedRows, ({ expect }) => expect)
  assert.equal(countsOf(ours), [15, 8, 7, 4, 0])
  assert.is(ours.falseAllows.join(' '), 'B1a B1b B2 D2 E1 E2a F1')
})

test('row C32: the page to reproduce it has the command, the counted tallies, and every hole by its id', () => {
  const page = readProjectFile('docs/reproduce.md')
  assert.ok(page.includes('STELE_TEST_CAPABILITY_RECEIPT=tally.json npm test -- corpora/capability\n'))
  const rowsOfPage = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  const shown = (name: string): number[] => (rowsOfPage.find((cells) => cells[1] === name) ?? []).slice(2, -1).map(Number)
  assert.equal(shown('their table'), countsOf(tallyOf(seedRows, (row) => row.theirs)))
  assert.equal(shown('Stele'), countsOf(tallyOf(seedRows, ({ expect }) => expect)))
  const holes = capabilityRows.filter(({ hole }) => hole !== undefined)
  assert.equal(
    holes.map(({ id }) => id).filter((id) => !page.includes(`| \`${id}\` `)),
    [],
  )
})

test('row C27: moving one row moves the numbers, and a question counts as a denial', () => {
  const otherwise = (id: string, verdict: 'allow' | 'deny' | 'ask') =>
    tallyOf(seedRows, (row) => (row.id === id ? verdict : row.expect))
  assert.equal(countsOf(otherwise('A2', 'allow')), [15, 7, 8, 4, 0])
  assert.equal(countsOf(otherwise('A5', 'deny')), [15, 8, 7, 3, 1])
  assert.equal(countsOf(otherwise('A5', 'ask')), [15, 8, 7, 3, 1])
  assert.equal(countsOf(otherwise('R3', 'deny')), [15, 8, 7, 4, 0])
  assert.equal(countsOf(tallyOf(seedRows.slice(1), ({ expect }) => expect)), [14, 7, 7, 4, 0])
  const moved = seedRows.map((row): CapabilityRow => (row.id === 'C2' ? { ...row, truth: 'deny' } : row))
  assert.equal(countsOf(tallyOf(moved, ({ expect }) => expect)), [16, 8, 8, 3, 0])
})

test('row C30: each of the four other aliases has a row, and none of them is counted', () => {
  const aliases = capabilityRows.filter(({ alias }) => alias === true)
  for (const id of ['S2', 'S3', 'S4', 'S5'])
    assert.ok(
      aliases.some((row) => row.id === id),
      id,
    )
  assert.is(tallyOf(aliases, () => 'allow').rows, 0)
})

test('a row expects what its owner would want, unless it is a named hole', () => {
  for (const { id, expect, truth, hole } of capabilityRows) {
    const open = truth === 'deny' && expect === 'allow'
    assert.is(hole !== undefined, open, id)
    if (truth === 'allow') assert.is(expect, 'allow', id)
  }
})

test('every code that a row expects is one of the plan, and goes with its verdict', () => {
  for (const { id, code, expect } of capabilityRows) {
    if (code === undefined) continue
    assert.ok(codes.includes(code), `${id}: ${code}`)
    assert.is(code === 'granted', expect === 'allow', id)
  }
})

test('every public case about capability has a row', () => {
  const told = new Set(capabilityRows.map(({ source }) => source))
  assert.equal(
    publicCases.filter((number) => !told.has(`case ${number}`)),
    [],
  )
})

test('every policy is used, and every row names one that is there', () => {
  assert.equal([...new Set(capabilityRows.map(({ policy }) => policy))].sort(), [...capabilityPolicies].sort())
})

test('a row whose skill is not listed expects to hear so', () => {
  for (const { id, policy, skill = '*', code } of capabilityRows) {
    const { skills } = parse(policyText(policy, tree.root)) as { skills: Record<string, unknown> }
    assert.is(!Object.hasOwn(skills, skill), code === 'skill_not_listed', id)
  }
})

test('row C31: the grants of a skill are those of * once they are moved, and nobody else has them', () => {
  const moved = parse(movedToStar(policyText('seed', tree.root), 'cleaner')) as { skills: Record<string, unknown> }
  assert.equal(moved.skills['*'], { tools: ['delete_file'], paths: ['~/.hermes/tmp/**'] })
  assert.equal(Object.keys(moved.skills), ['note-taker', 'web-researcher', '*', 'lab-helper'])
  const { version, require_approval: asked } = parse(policyText('seed', tree.root)) as Record<string, unknown>
  const kept = moved as Record<string, unknown>
  assert.equal([kept['version'], kept['require_approval']], [version, asked])
})

test('an answer is complained about where verdict, code or reason is another', () => {
  const row: CapabilityRow = {
    id: 'x',
    title: 'x',
    source: 'own',
    policy: 'seed',
    tool: 'read_file',
    args: {},
    expect: 'deny',
    code: 'path_not_granted',
    says: ['notes'],
    truth: 'deny',
  }
  const answer: RowAnswer = { verdict: 'deny', code: 'path_not_granted', reason: 'notes is not granted' }
  assert.is(complaintOf(row, answer), undefined)
  assert.match(complaintOf(row, undefined) ?? '', 'no answer')
  assert.match(complaintOf(row, { ...answer, verdict: 'ask' }) ?? '', 'deny expected')
  assert.match(complaintOf(row, { ...answer, code: 'granted' }) ?? '', 'path_not_granted expected')
  assert.match(complaintOf(row, { ...answer, reason: 'no' }) ?? '', 'does not name notes')
  assert.is(complaintOf({ ...row, either: true }, { ...answer, verdict: 'ask' }), undefined)
  assert.match(complaintOf({ ...row, either: true }, { ...answer, verdict: 'allow' }) ?? '', 'deny or ask expected')
})

test('the tree has each file with its text, each link with its target, and each second name of a file', () => {
  for (const [path, text] of Object.entries(treeDescription.files)) {
    if (treeDescription.unreadable.some((folder) => path.startsWith(`${folder}/`))) continue
    assert.is(readFileSync(at(path), 'utf8'), text, path)
  }
  for (const path of [...Object.keys(treeDescription.links), ...Object.keys(treeDescription.junctions)]) {
    assert.ok(lstatSync(at(path)).isSymbolicLink(), path)
  }
  for (const [path, target] of Object.entries(treeDescription.hardLinks)) {
    assert.is(statSync(at(path)).ino, statSync(at(target)).ino, path)
  }
})

test('links that lead somewhere, nowhere and round in circles do just that', () => {
  const leadsTo = (path: string): string => realpathSync(at(path))
  const real = realpathSync(tree.root)
  assert.is(leadsTo('home/s1-grant/notes.md'), join(real, 'outside/.ssh/id_rsa'))
  assert.is(leadsTo('desk/project/chain-1'), join(real, 'outside/.ssh/id_rsa'))
  assert.is(leadsTo('desk/project/chain-in-1'), join(real, 'desk/project/docs/guide.md'))
  assert.is(leadsTo('desk/linked/README.md'), join(real, 'desk/project/README.md'))
  assert.is(leadsTo('mnt/current/data/rows.csv'), join(real, 'mnt/v2/data/rows.csv'))
  assert.is(leadsTo('desk/to-home'), join(real, 'hermes/plugin-data/stele'))
  for (const path of ['dangling', 'dangling-inside', 'dangling-folder']) failsWith(`desk/project/${path}`, 'ENOENT')
  for (const path of ['loop-a', 'loop-b', 'itself']) failsWith(`desk/project/${path}`, 'ELOOP')
})

test('most rows are asked of the program, and the others say what they need beside', () => {
  const others = capabilityRows.filter(needsMoreThanDecide)
  assert.ok(capabilityRows.length - others.length >= 190)
  for (const need of ['lineage', 'attended', 'home', 'disk'] as const) {
    assert.ok(
      others.some((row) => row[need] !== undefined),
      need,
    )
  }
})

function countsOf({ toDeny, caught, falseAllows, rightAllows, falseDenials }: ReturnType<typeof tallyOf>): number[] {
  return [toDeny, caught, falseAllows, rightAllows, falseDenials].map((ids) => ids.length)
}

function failsWith(path: string, code: string): void {
  try {
    realpathSync(at(path))
  } catch (error) {
    assert.is(error instanceof Error && 'code' in error ? error.code : undefined, code, path)
    return
  }
  assert.unreachable(`${path} leads somewhere`)
}

test.run()
