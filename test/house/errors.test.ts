// Holds the table of error codes, its page docs/errors.md, the places that throw and the tests that expect them to each other.

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type ProjectFile, projectFiles, readProjectFile } from '../../scripts/project-tree.js'
import { scanSource } from '../../scripts/source-scanner.js'
import { errorCodes } from '../../src/foundation/stele-error.js'

interface Row {
  readonly code: string
  readonly kind: string
  readonly means: string
  readonly todo: string
}

const table: readonly Row[] = Object.entries(errorCodes).map(([code, { kind, means, todo }]) => ({ code, kind, means, todo }))

test('every code reads ROOM_CONDITION, has a kind of the table and says what it means and what to do', () => {
  const kinds = ['input', 'refused', 'busy', 'damaged', 'unavailable']
  for (const { code, kind, means, todo } of table) {
    assert.match(code, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/)
    assert.ok(kinds.includes(kind), `${code} has the kind ${kind}`)
    assert.ok(means.trim() !== '' && todo.trim() !== '', `${code} says what it means and what to do`)
  }
})

test('docs/errors.md has exactly the rows of the table', () => {
  assert.is(pageBreaches(table, readProjectFile('docs/errors.md')).join('\n'), '')
})

test('every code is thrown somewhere in src', () => {
  const sources = projectFiles('src', /\.ts$/).filter(({ path }) => path !== 'src/foundation/stele-error.ts')
  const unthrown = codesNotNamedIn(sources)
  assert.is(unthrown.map((code) => `${code} is thrown nowhere in src: throw it or remove it`).join('\n'), '')
})

test('every code is expected by a test', () => {
  const tests = projectFiles('test', /\.ts$/).filter(({ path }) => !path.startsWith('test/house/'))
  const unexpected = codesNotNamedIn(tests)
  assert.is(unexpected.map((code) => `${code} is expected by no test: add one that provokes it`).join('\n'), '')
})

test('the page check names a missing row, a strange row and a row that says something else', () => {
  const row: Row = { code: 'A_B', kind: 'input', means: 'a | b', todo: 'c' }
  assert.equal(pageBreaches([row], '| `A_B` | input | a \\| b | c |'), [])
  assert.match(pageBreaches([row], '').join(), 'add the row | `A_B` | input | a \\| b | c |')
  assert.match(pageBreaches([], '| `A_B` | input | x | y |').join(), 'A_B, which is not in errorCodes')
  assert.match(pageBreaches([row], '| `A_B` | busy | a \\| b | c |').join(), 'it must be | `A_B` | input |')
  assert.match(pageBreaches([row], '| `A_B` | input | a \\| b | c |\n| `A_B` | input | a \\| b | c |').join(), 'twice')
})

test('a code in a comment, or as part of another, is not a use of it', () => {
  const [code = ''] = table.map((row) => row.code)
  const missing = (text: string): boolean => codesNotNamedIn([{ path: 'src/a/b.ts', text }]).includes(code)
  assert.is(missing(`throw new SteleError('${code}')`), false)
  assert.is(missing(`// throws ${code}`), true)
  assert.is(missing(`throw new SteleError('${code}_TOO')`), true)
})

function pageBreaches(rows: readonly Row[], page: string): string[] {
  const inPage = new Map<string, string>()
  const breaches: string[] = []
  for (const line of page.split('\n')) {
    const code = /^\|\s*`([A-Z][A-Z0-9_]*)`\s*\|/.exec(line)?.[1]
    if (code === undefined) continue
    if (inPage.has(code)) breaches.push(`docs/errors.md has ${code} twice`)
    inPage.set(code, cellsOf(line).join(' | '))
  }
  for (const row of rows) {
    const wanted = [`\`${row.code}\``, row.kind, inCell(row.means), inCell(row.todo)].join(' | ')
    const found = inPage.get(row.code)
    if (found === undefined) breaches.push(`docs/errors.md lacks ${row.code}: add the row | ${wanted} |`)
    else if (found !== wanted) breaches.push(`docs/errors.md says otherwise of ${row.code}: it must be | ${wanted} |`)
    inPage.delete(row.code)
  }
  return [
    ...breaches,
    ...[...inPage.keys()].map((code) => `docs/errors.md has ${code}, which is not in errorCodes: remove the row`),
  ]
}

/** Cells without the outer bars; a bar inside a cell is written `\|`. */
function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}

function inCell(words: string): string {
  return words.replaceAll('|', '\\|')
}

function codesNotNamedIn(files: readonly ProjectFile[]): string[] {
  const named = new Set(
    files.flatMap(({ text }) => scanSource(text).uncommented.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []),
  )
  return table.map(({ code }) => code).filter((code) => !named.has(code))
}

test.run()
