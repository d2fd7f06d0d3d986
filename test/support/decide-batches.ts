// Asks the built program for its decisions about rows of the capability table: one `stele decide --batch -` for each policy.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CapabilityRow, environmentOf, filledIn, movedToStar, policyText, type RowAnswer } from './capability-table.js'
import { stele } from './stele-command.js'
import { temporaryFolder } from './temporary-folder.js'

export type Answers = ReadonlyMap<string, RowAnswer>

/** Each row for the skill that it names. */
export function decideNamed(rows: readonly CapabilityRow[], root: string): Answers {
  return answersOf(
    rows,
    root,
    ({ policy }) => policy,
    ({ policy }) => policyText(policy, root),
    ({ skill }) => skill,
  )
}

/** Each row with its skill's grants moved to `*`, by a call that names no skill. */
export function decideStar(rows: readonly CapabilityRow[], root: string): Answers {
  return answersOf(
    rows,
    root,
    ({ policy, skill }) => `${policy} of ${skill}`,
    ({ policy, skill = '*' }) => movedToStar(policyText(policy, root), skill),
    () => undefined,
  )
}

function answersOf(
  rows: readonly CapabilityRow[],
  root: string,
  groupOf: (row: CapabilityRow) => string,
  textOf: (row: CapabilityRow) => string,
  skillOf: (row: CapabilityRow) => string | undefined,
): Answers {
  const folder = join(temporaryFolder(), 'policies')
  mkdirSync(folder)
  const answers = new Map<string, RowAnswer>()
  for (const name of new Set(rows.map(groupOf))) {
    const group = rows.filter((row) => groupOf(row) === name)
    const file = join(folder, `${name.replaceAll(/[^a-zA-Z-]/g, '_')}.yaml`)
    for (const row of group.slice(0, 1)) writeFileSync(file, textOf(row))
    for (const [id, answer] of askedOf(file, group, root, skillOf)) answers.set(id, answer)
  }
  return answers
}

function askedOf(
  file: string,
  rows: readonly CapabilityRow[],
  root: string,
  skillOf: (row: CapabilityRow) => string | undefined,
): (readonly [id: string, answer: RowAnswer])[] {
  const lines = rows.map((row) => {
    const { id, tool, args, cwd } = filledIn(row, root)
    return JSON.stringify({ id, tool, args, cwd, skill: skillOf(row), env: environmentOf(root, row) })
  })
  const ran = stele(['decide', '--batch', '-', '--policy', file], { input: `${lines.join('\n')}\n`, env: environmentOf(root) })
  if (ran.status !== 0) throw new Error(`decide under ${file} ended with ${ran.status}: ${ran.stderr}`)
  const answers = ran.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RowAnswer & { id: string })
  return answers.map((answer) => [answer.id, answer])
}
