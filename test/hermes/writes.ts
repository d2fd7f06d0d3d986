// The first half of `npm run test:hermes`: what we foretell of memory and skill calls against what the tools of a real Hermes write.
// Its last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { type WrittenText, writtenText } from '../../src/gates/provenance/written-text.js'
import { storedBefore } from '../../src/hooks/hermes/stored-before.js'
import { patient } from '../support/patient-limits.js'
import { makeRandom, type Random } from '../support/seeded-random.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { hermesEnvironment } from './hermes-environment.js'

interface Write {
  readonly tool: 'memory' | 'skill_manage'
  /** By their path in the Hermes home. */
  readonly files: Readonly<Record<string, string>>
  readonly arguments: Readonly<Record<string, unknown>>
}

interface Ran extends Write {
  readonly home: string
  readonly written: WrittenText
}

const front = '---\nname: release\ndescription: how we release\n---\n'
const skillPlace = 'skills/desk/release'
const body = [
  '# Release',
  '',
  '1. The owner is  asked\tfor the name.',
  '2. Say “yes” — or no…',
  '   - tag',
  '   - push',
  '```py',
  'def f():',
  '\tif a:',
  '\t\treturn "x"',
  '```',
  'Ask. Ask again.',
  '',
].join('\n')

const entries =
  'Uses tabs.\n§\nThe user is evaluating Postgres.\n§\nThe user is evaluating tea; the user is away.\n§\n用户喜欢茶。'
const memoryFiles = { 'memories/MEMORY.md': entries, 'memories/USER.md': 'Lives in Graz.' }

const memoryWrites: readonly object[] = [
  { action: 'add', content: '  The user chose Postgres.\n' },
  { action: 'add', content: 'Uses tabs.' },
  { action: 'add', content: 'With § within.\n\nAnd lines.' },
  { action: 'add', target: 'user', content: '用户决定周五发布（“我决定周五发布”）' },
  { action: 'add', target: null, content: 'a' },
  { action: 'replace', old_text: 'Postgres', content: 'The user chose Postgres.' },
  { action: 'replace', old_text: ' tabs', content: 'Uses blanks.' },
  { action: 'replace', old_text: 'The user is evaluating', content: 'The user chose.' },
  { action: 'replace', old_text: 'nowhere', content: 'The user chose.' },
  { action: 'replace', old_text: 'tabs', content: '' },
  { action: 'replace', target: 'user', old_text: 'Graz', content: 'Lives in Wien.' },
  { action: 'remove', old_text: '茶' },
  { action: 'remove', old_text: 'The user is evaluating Postgres.' },
  { operations: [], action: 'add', content: 'Flat.' },
  {
    operations: [
      { action: 'add', content: 'One.' },
      { action: 'replace', old_text: 'One', content: 'Two.' },
    ],
  },
  {
    operations: [
      { action: 'remove', old_text: 'tabs' },
      { action: 'add', content: 'Uses tabs.' },
    ],
  },
  {
    operations: [
      { action: 'remove', old_text: 'tea' },
      { action: 'replace', old_text: 'is evaluating', content: 'The user chose.' },
    ],
  },
  {
    operations: [
      { action: 'add', content: 'One.' },
      { action: 'remove', old_text: 'nowhere' },
    ],
  },
  { operations: [{ action: 'add', content: 'One.' }], action: 'add', content: 'Flat.' },
]

const patches: readonly (readonly [old_string: string, new_string: string, more?: object])[] = [
  ['is  asked\tfor', 'approved'],
  ['owner is asked for the name.', 'owner approved the name.'],
  ['Say "yes" -- or no...', 'Say "yes" -- or "no"...'],
  [' # Release ', '# Releases'],
  ['- tag\n- push', '- tag\n- push\n- tell'],
  ['def f():\n  if a:\n    return "x"', 'def g():\n  if b:\n    return "y"'],
  ['if a:\n\\treturn', 'if b:\n\\treturn'],
  ['# Release\\n\\n1.', '# Release\n\n0. Ask.\n1.'],
  ['Ask', 'Tell'],
  ['Ask', 'Tell', { replace_all: true }],
  ['Ask', 'Tell', { replace_all: 'true' }],
  ['\n', '\n\n', { replace_all: true }],
  ['# Release\n', ''],
  ['   - push\n', ''],
  ['nowhere to be found at all', 'The user chose.'],
  ['Old reference', 'New reference', { file_path: 'references/a.md' }],
  ['line two', 'line 2', { file_path: 'references/../SKILL.md' }],
  ['Old', 'New', { file_path: 'references/none.md' }],
  ['Ask again', 'Never ask', { file_path: 'SKILL.md' }],
]

const skillWrites: readonly object[] = [
  ...patches.map(([old_string, new_string, more]) => ({ action: 'patch', name: 'release', old_string, new_string, ...more })),
  { action: 'create', name: 'deploy', content: `${front}# Deploy\nThe owner approved it.\n` },
  { action: 'create', name: 'deploy', category: 'desk', content: `${front}# Deploy\n` },
  { action: 'create', name: 'release', content: `${front}# Again\n` },
  { action: 'create', name: 'Deploy', content: `${front}# Deploy\n` },
  { action: 'edit', name: 'release', content: `${front}# Release\n\nThe owner approved it.\n` },
  { action: 'edit', name: 'deploy', content: `${front}# Deploy\n` },
  { action: 'write_file', name: 'release', file_path: 'references/a.md', file_content: 'New.\n' },
  { action: 'write_file', name: 'release', file_path: './references//new.md', file_content: '' },
  { action: 'write_file', name: 'release', file_path: '../a.md', file_content: 'New.\n' },
  { action: 'write_file', name: 'release', file_path: 'SKILL.md', file_content: `${front}# New\n` },
  { action: 'remove_file', name: 'release', file_path: 'references/a.md' },
  { action: 'delete', name: 'release' },
]

const skillFiles = {
  [`${skillPlace}/SKILL.md`]: `${front}${body}`,
  [`${skillPlace}/references/a.md`]: 'Old reference.\r\nline two\r\n',
}

/** Patches whose place differs from the file in what the host forgives. */
function madePatch(random: Random): Write {
  const pieces = [
    'a',
    'b',
    ' ',
    '  ',
    '\t',
    '\n',
    '\n',
    '    ',
    '“',
    '"',
    '—',
    '--',
    '…',
    'word',
    'The user',
    '用户',
    '. ',
    '\n- ',
  ]
  const text = (most: number) => Array.from({ length: random.int(most) + 1 }, () => random.pick(pieces)).join('')
  const content = `x${text(40)}\n`
  const from = random.int(content.length)
  const forgiven = (piece: string) => {
    if (random.chance(3)) return piece
    return { ' ': '  ', '\t': ' ', '\n': ' \n', '“': '"', '—': '--', '…': '...' }[piece] ?? piece
  }
  const old_string = [...content.slice(from, from + 2 + random.int(24))].map(forgiven).join('')
  const fields = { file_path: 'references/a.md', old_string, new_string: text(6), replace_all: random.chance(3) }
  return {
    tool: 'skill_manage',
    files: { ...skillFiles, [`${skillPlace}/references/a.md`]: content },
    arguments: { action: 'patch', name: 'release', ...fields },
  }
}

const writes: readonly Write[] = [
  ...memoryWrites.map((each): Write => ({ tool: 'memory', files: memoryFiles, arguments: { ...each } })),
  ...skillWrites.map((each): Write => ({ tool: 'skill_manage', files: skillFiles, arguments: { ...each } })),
  ...Array.from({ length: 600 }, (_, seed) => madePatch(makeRandom(seed))),
]

async function foretell(write: Write): Promise<Ran> {
  const home = temporaryFolder()
  mkdirSync(join(home, 'memories'))
  for (const [path, text] of Object.entries(write.files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  const call = { tool_name: write.tool, tool_input: write.arguments }
  const { stored, unavailable } = await storedBefore(call, { hermesHome: home, external: () => [], limits: patient })
  assert.is(unavailable, undefined)
  const written = writtenText(write.tool, write.arguments, stored)
  assert.ok(written !== undefined)
  return { ...write, home, written }
}

function runAll(python: string, runs: readonly Ran[]): { readonly success?: boolean; readonly error?: string }[] {
  const lines = runs.map(({ tool, home, arguments: given }) => JSON.stringify({ tool, home, arguments: given }))
  const script = new URL('./run-writes.py', import.meta.url).pathname
  const env = { PATH: process.env['PATH'], HOME: temporaryFolder(), LANG: 'C.UTF-8' }
  const ran = spawnSync(python, [script], {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    env,
    maxBuffer: 2 ** 28,
    timeout: 300_000,
  })
  const results = ran.stdout.trimEnd().split('\n')
  if (results.length !== runs.length) throw new Error(`${results.length} results of ${runs.length}: ${ran.stderr.slice(-2000)}`)
  return results.map((line) => JSON.parse(line) as { success?: boolean; error?: string })
}

/** What the host wrote is what was foretold; what it refused is as it was, and was judged all the same. */
function compare({ tool, home, files, written, arguments: given }: Ran, success: boolean): 'written' | 'refused' | 'by likeness' {
  const paths = pathsOf(tool, given, written)
  if (!success) {
    for (const [path, text] of Object.entries(files)) assert.is(readFileSync(join(home, path), 'utf8'), text, path)
    return 'refused'
  }
  if (written.removedOnly) {
    assert.equal([written.judged, written.files], [[], []])
    return 'written'
  }
  if (written.strategies.includes('none') || written.strategies.includes('several')) {
    // The host went by likeness: the new text alone is judged.
    assert.equal(
      written.judged,
      [given['new_string']].filter((text) => String(text).trim() !== ''),
    )
    return 'by likeness'
  }
  assert.is(paths.length, written.files.length)
  for (const [at, { after, foretold }] of written.files.entries()) {
    const path = paths[at] as string
    const now = existsSync(path) ? readFileSync(path, 'utf8') : undefined
    const isFolded = written.strategies.some((way) => way === 'unicode_normalized' || way === 'whitespace_normalized')
    assert.is(foretold, !isFolded, path)
    assert.is(isFolded ? folded(now) : now, isFolded ? folded(after) : after)
  }
  return 'written'

  function pathsOf(toolName: string, input: Readonly<Record<string, unknown>>, { files: foretold }: WrittenText): string[] {
    if (toolName === 'memory') return [join(home, 'memories', input['target'] === 'user' ? 'USER.md' : 'MEMORY.md')]
    return foretold.map(({ place }) => {
      const [name, ...rest] = place.split('/')
      const folder = name === 'release' ? 'desk/release' : [input['category'], name].filter(Boolean).join('/')
      return join(home, 'skills', folder, ...rest)
    })
  }
}

/** Without what judging does not see: how wide white space is, and how a typographic character is written. */
function folded(text: string | undefined): string | undefined {
  return text
    ?.replace(/\s+/g, '')
    .replaceAll(/[“”]/g, '"')
    .replaceAll('…', '...')
    .replaceAll(/[—–-]+/g, '-')
}

async function main(): Promise<void> {
  const environment = hermesEnvironment()
  if ('missing' in environment) {
    console.error(`NOT COMPARED WITH A REAL HERMES: ${environment.said.split('\n').slice(-15).join('\n')}`)
    console.log('0 passed, 0 failed')
    return
  }
  let passed = 0
  let failed = 0
  const outcomes: Record<string, number> = {}
  const runs: Ran[] = []
  for (const write of writes) runs.push(await foretell(write))
  const results = runAll(join(environment.folder, 'bin', 'python'), runs)
  for (const [at, run] of runs.entries()) {
    const result = results[at]
    try {
      const outcome = compare(run, result?.success === true)
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      passed += 1
    } catch (error) {
      failed += 1
      const { message, details = '' } = error as { message: string; details?: string }
      console.log(`FAIL  ${run.tool} ${JSON.stringify(run.arguments)}`)
      console.error(
        `${JSON.stringify(run.files)}\n${JSON.stringify(run.written)}\n${result?.error ?? ''}\n${message}\n${details}`,
      )
    }
  }
  console.log(`calls as the host ran them: ${JSON.stringify(outcomes)}`)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

await main()
