// Holds files to the plan's names: kebab-case, telling, repeated by the main export, mirrored by tests; and src free of excuses.

import { posix } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isInProject, type ProjectFile, pathsUnder, projectFiles } from '../../scripts/project-tree.js'
import { scanSource } from '../../scripts/source-scanner.js'
import { rankOfRoom } from './import-law.js'

/** Files of src that rightly export nothing called like themselves, each with why. */
const exportExceptions: Readonly<Record<string, string>> = {
  'src/cli/main.ts': 'the program itself; it is run, not imported',
  'src/redaction/redact.ts': 'the plan names the file; it holds the redactor: makeRedactor, Redacted',
  'src/ledger/merkle.ts': 'a topic: the functions over the tree, each named for what it gives',
  'src/verify/verify-chain.ts': 'the plan names the file; it holds a check with a life of its own: ChainCheck',
  'src/verify/verify-tree.ts': 'beside verify-chain; it holds TreeCheck',
  'src/verify/verify-ledger.ts': 'a ledger comes as a store or as an export: one function for each',
  'src/ledger/row-keys.ts': 'a topic: one function for each kind of row, named for that kind',
}

/** Names that say nothing about what a file or folder holds. */
const emptyNames = 'util utils helper helpers common misc manager managers base types index'.split(' ')
const emptyEndings = /-(utils?|helpers?|misc|managers?)$/

const excuses: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(TODO|FIXME|XXX)\b/, 'do it now, or put it into an issue'],
  [/@ts-(ignore|nocheck)\b/, 'give the value its type'],
  [/\bbiome-ignore\b/, 'write it so that the rule holds'],
]
const casts: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bas\s+any\b/, 'give the value its type, or parse it'],
  [/\bas\s+unknown\s+as\b/, 'parse the value, or narrow it'],
]

const codeFiles = ['src', 'test', 'scripts', 'bench'].flatMap((dir) =>
  projectFiles(dir, /\.(ts|mts|mjs|js|cjs)$/).filter(({ path }) => !/^test\/(fixtures|frozen)\//.test(path)),
)
const sources = codeFiles.filter(({ path }) => path.startsWith('src/'))

test('every code file and folder has a kebab-case name that says what it holds', () => {
  assert.is(codeFiles.flatMap(({ path }) => nameBreaches(path)).join('\n'), '')
})

test('no file has a default export', () => {
  assert.is(codeFiles.flatMap(defaultExportBreaches).join('\n'), '')
})

test('the main export of every file in src repeats its name', () => {
  const checked = sources.filter(({ path }) => !Object.hasOwn(exportExceptions, path))
  assert.is(checked.flatMap(mainExportBreaches).join('\n'), '')
})

test('every exception to the export rule is still a file and still needs it', () => {
  const needless = Object.keys(exportExceptions).filter((path) => {
    const file = sources.find((source) => source.path === path)
    return file === undefined || mainExportBreaches(file).length === 0
  })
  assert.equal(needless, [], 'take these out of exportExceptions')
})

test('every file in src opens with a comment on its job', () => {
  assert.is(sources.flatMap(openingBreaches).join('\n'), '')
})

test('src holds no note of work left undone and no way round the type checker or the linter', () => {
  assert.is(sources.flatMap(excuseBreaches).join('\n'), '')
})

test('every test of a room mirrors a file of that room', () => {
  const tests = pathsUnder('test').filter((path) => path.endsWith('.test.ts') && mirroredPath(path) !== undefined)
  const stray = tests.filter((path) => !isInProject(mirroredPath(path) ?? ''))
  assert.is(stray.map((path) => `${path} mirrors no file: there is no ${mirroredPath(path)}`).join('\n'), '')
  const mirrored = new Set(tests.map(mirroredPath))
  const count = sources.filter(({ path }) => mirrored.has(path)).length
  process.stdout.write(`\nnote: ${count} of ${sources.length} files in src have a test that mirrors them\n`)
})

test('the name rule knows a fit name from an unfit one', () => {
  for (const fit of [
    'src/events/entry.ts',
    'test/gates/jev/risk.test.ts',
    'src/ledger/high-water.ts',
    'src/projections/session-index.ts',
  ]) {
    assert.equal(nameBreaches(fit), [])
  }
  const unfit = [
    'src/events/index.ts',
    'src/events/types.ts',
    'src/gates/utils/paths.ts',
    'test/support/test-helpers.ts',
    'src/gates/shellWords.ts',
  ]
  for (const path of [
    ...unfit,
    'src/gates/Shell.ts',
    'src/base.ts',
    'src/gates/shell_words.ts',
    'src/gates/shell.words.ts',
    'test/gates/gate.spec.ts',
    'test/gates/gate.test.js',
  ]) {
    assert.is(nameBreaches(path).length, 1, path)
  }
})

test('the default-export rule sees both forms and no words', () => {
  const file = (text: string): ProjectFile => ({ path: 'src/a/b.ts', text })
  assert.is(defaultExportBreaches(file('export default 1')).length, 1)
  assert.is(defaultExportBreaches(file('const a = 1\nexport { a as default }')).length, 1)
  assert.is(defaultExportBreaches(file('// export default 1\nexport const a = { default: 1 }')).length, 0)
})

test('the main-export rule takes a name that holds all the words of the file name', () => {
  const file = (path: string, text: string): ProjectFile => ({ path, text })
  for (const [path, text] of [
    ['src/ledger/merkle.ts', 'export function merkleRoot() {}'],
    ['src/gates/provenance/quote-matcher.ts', 'export const createQuoteMatcher = 1'],
    ['src/ledger/tail-walk.ts', 'export class TailReport {}\nexport function walkTail() {}'],
    ['src/verify/findings.ts', 'export interface Finding {}'],
    ['src/ledger/store.ts', 'class LevelStore {}\nexport { LevelStore }'],
    ['src/foundation/lossless-json.ts', 'export async function parseLosslessJSON() {}'],
    ['src/events/gate.ts', 'export type { GateDecided as GateEvent } from "./x.js"'],
  ] as const) {
    assert.equal(mainExportBreaches(file(path, text)), [], path)
  }
  assert.match(mainExportBreaches(file('src/ledger/merkle.ts', 'export const root = 1')).join(), 'exports root')
  assert.match(mainExportBreaches(file('src/ledger/merkle.ts', '// export const merkle = 1')).join(), 'exports nothing')
  assert.match(
    mainExportBreaches(file('src/verify/read-snapshot.ts', 'export const readTail = 1')).join(),
    'must hold the words "read snapshot"',
  )
})

test('the opening rule wants a comment before any code', () => {
  const file = (text: string): ProjectFile => ({ path: 'src/a/b.ts', text })
  assert.equal(openingBreaches(file('// Its job.\nconst a = 1')), [])
  assert.equal(openingBreaches(file('#!/usr/bin/env node\n/** Its job. */\nconst a = 1')), [])
  assert.is(openingBreaches(file("import { a } from './a.js'\n// late")).length, 1)
  assert.is(openingBreaches(file('//\nconst a = 1')).length, 1)
})

test('the excuse rule reads comments and casts, and leaves strings alone', () => {
  const file = (text: string): ProjectFile => ({ path: 'src/a/b.ts', text })
  for (const bad of [
    '// TODO later',
    '/* FIXME */',
    '// @ts-ignore',
    '// biome-ignore lint: x',
    'a as any',
    'a as unknown as B',
    '// XXX',
  ]) {
    assert.is(excuseBreaches(file(bad)).length, 1, bad)
  }
  assert.equal(excuseBreaches(file("const words = 'TODO as any' // as any other, todo\nmkdtemp('a-XXXXXX')")), [])
})

function nameBreaches(path: string): string[] {
  const parts = path.split('/').slice(1)
  return parts.flatMap((part, at) => {
    const isFile = at === parts.length - 1
    const name = isFile ? part.replace(/(\.test(?=\.ts$))?\.[a-z]+$/, '') : part
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return [`${path}: "${name}" is not kebab-case`]
    const isEmpty = emptyNames.includes(name) || emptyEndings.test(name)
    return isEmpty ? [`${path}: "${name}" says nothing about what it holds; name it for that`] : []
  })
}

function defaultExportBreaches({ path, text }: ProjectFile): string[] {
  const { code } = scanSource(text)
  const isDefault = /\bexport\s+default\b/.test(code) || /\bexport\s*\{[^}]*\bas\s+default\b[^}]*\}/.test(code)
  return isDefault ? [`${path} has a default export: give it the name of the file`] : []
}

function mainExportBreaches({ path, text }: ProjectFile): string[] {
  const exported = exportedNames(text)
  const words = wordsOf(posix.basename(path, '.ts'))
  if (exported.some((name) => words.every((word) => wordsOf(name).includes(word)))) return []
  const found = exported.length === 0 ? 'exports nothing' : `exports ${exported.join(', ')}`
  return [`${path} ${found}: some export must hold the words "${words.join(' ')}"; rename the file or the export`]
}

function openingBreaches({ path, text }: ProjectFile): string[] {
  const opening = text.replace(/^#!.*\n/, '').trimStart()
  return /^(\/\/|\/\*)[^\n]*[a-z]/i.test(opening) || /^\/\*\*?\s*\n?[\s*]*[a-z]/i.test(opening)
    ? []
    : [`${path} must open with a comment: one sentence on its job`]
}

function excuseBreaches({ path, text }: ProjectFile): string[] {
  const { code, comments } = scanSource(text)
  const words = comments.join('\n')
  const found = [
    ...excuses.map(([pattern, instead]) => [pattern.exec(words) ?? pattern.exec(code), instead] as const),
    ...casts.map(([pattern, instead]) => [pattern.exec(code), instead] as const),
  ]
  return found.flatMap(([match, instead]) => (match === null ? [] : [`${path} has "${match[0]}": ${instead}`]))
}

/** The file that a test of a room mirrors; undefined for a test beside the mirror. */
function mirroredPath(path: string): string | undefined {
  const room = path.split('/')[1] ?? ''
  return Object.hasOwn(rankOfRoom, room) ? path.replace(/^test\//, 'src/').replace(/\.test\.ts$/, '.ts') : undefined
}

function exportedNames(text: string): string[] {
  const { code } = scanSource(text)
  const declared = /\bexport\s+(?:(?:abstract|async)\s+)*(?:function\s*\*?|const|let|class|interface|type)\s+([A-Za-z_$][\w$]*)/g
  const listed = [...code.matchAll(/\bexport\s+(?:type\s*)?\{([^}]*)\}/g)].flatMap((match) => (match[1] ?? '').split(','))
  const listedNames = listed.map((part) => /([\w$]+)\s*$/.exec(part)?.[1] ?? '').filter((name) => name !== '')
  return [...[...code.matchAll(declared)].map((match) => match[1] ?? ''), ...listedNames]
}

/** Lower-case words without a plural s, so that `findings.ts` may hold `Finding`. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .split('-')
    .map((word) => word.replace(/(?<=..)s$/, ''))
}

test.run()
