// An owner's file of grants from the command line: looked through, compared, and calls tried against it on real files, before anything is
// in force.
// time limit: 300 s
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertRefused } from '../support/service-commands.js'
import { json, type Ran, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('policy command')

const folder = realpathSync(temporaryFolder())
const env = { HOME: folder, HERMES_HOME: join(folder, '.hermes'), STELE_HOME: '' }
const at = (...names: string[]): string => join(folder, ...names)

for (const name of ['desk/sub', 'notes', 'real', '.hermes/plugin-data/stele']) mkdirSync(at(name), { recursive: true })
writeFileSync(at('desk', 'a.txt'), 'a')
symlinkSync('/etc/passwd', at('desk', 'passwd'))
symlinkSync(at('nowhere'), at('desk', 'dangling'))
symlinkSync(at('real'), at('linked'))

function written(name: string, text: string): string {
  writeFileSync(at(name), text)
  return at(name)
}

const policy = written(
  'allowlist.yaml',
  `version: 1
require_approval: [execute_code]
skills:
  "*":
    tools: [read_file, write_file, search_files, execute_code]
    paths: [~/desk/**, ~/linked/**, { path: "$HERMES_HOME/notes/**", access: read }]
    commands: [git status, "cat {read}..."]
  notes: { tools: [read_file], paths: [~/notes/**] }
deny: { paths: [~/desk/sub/**] }
`,
)

const run = (words: readonly string[], input = ''): Ran => stele(words, { input, env })

test('row C8: lint names each problem with file, line and column, and ends with 2; a good file ends with 0', () => {
  const bad = written('bad.yaml', 'version: 1\nskills:\n  "*":\n    tools: [read_fil, terminal]\n    paths: [$NOPE_NOT_SET/x]\n')
  const { status, stdout } = run(['policy', 'lint', bad])
  assert.is(status, 2)
  const lines = stdout.split('\n')
  assert.ok(lines[0]?.startsWith(`${bad}:4:13 error misspelt_tool `), stdout)
  assert.ok(lines[1]?.startsWith(`${bad}:4:23 warning every_command `), stdout)
  assert.ok(lines[2]?.startsWith(`${bad}:5:13 error unset_variable `), stdout)
  assert.is(lines[3], '2 errors, 1 warning: this allowlist is not used.')
  const good = run(['policy', 'lint', policy])
  assert.equal([good.status, good.stdout], [0, 'The allowlist can be used.\n'])
  const warned = run(['policy', 'lint', written('warned.yaml', 'version: 1\nskills: { "*": { tools: [terminal] } }\n')])
  assert.is(warned.status, 0)
  assert.match(warned.stdout, /every_command.*self-protection is void/)
})

test('row C8: lint as JSON holds every problem with its place', () => {
  const bad = written('bad-too.yaml', 'version: 1\nversion: 1\nskils: {}\n')
  const ran = run(['policy', 'lint', bad, '--json'])
  assert.is(ran.status, 2)
  const { ok, problems } = json<{
    ok: boolean
    problems: { severity: string; code: string; line: number; column: number; message: string }[]
  }>(ran)
  assert.is(ok, false)
  assert.equal(
    problems.map(({ severity, code, line, column }) => [severity, code, line, column]),
    [
      ['error', 'duplicate_key', 2, 1],
      ['error', 'unknown_key', 3, 1],
    ],
  )
})

test('row C18: lint names the file that is missing', () => {
  const ran = run(['policy', 'lint', at('nothing-here.yaml')])
  assertRefused(ran, 'FILE_UNREADABLE', 2)
  assert.match(ran.stderr, /nothing-here\.yaml/)
  assertRefused(run(['policy', 'lint', folder]), 'FILE_UNREADABLE', 2)
})

test('row C18: init puts an example beside the ledger, which lints clean and grants nothing by itself', () => {
  const home = at('fresh')
  const made = stele(['init', '--home', home], { env })
  assert.is(made.status, 0, made.stderr)
  assert.match(made.stdout, /Nothing is granted yet: .*allowlist\.example\.yaml/)
  const example = join(home, 'allowlist.example.yaml')
  const { status, stdout } = run(['policy', 'lint', example])
  assert.equal([status, stdout], [0, 'The allowlist can be used.\n'])
  assert.not.ok(existsSync(join(home, 'allowlist.yaml')))
  const edited = `${readFileSync(example, 'utf8')}\n# mine\n`
  writeFileSync(example, edited)
  assert.is(stele(['init', '--home', home], { env }).status, 0)
  assert.is(readFileSync(example, 'utf8'), edited, 'what the owner wrote stays')
  assertRefused(run(['decide', '--home', home, '--tool', 'todo']), 'FILE_UNREADABLE', 2)
})

interface Tried {
  readonly id?: string | number
  readonly verdict: string
  readonly code: string
  readonly reason: string
  readonly paths: readonly { asked: string; resolved: string | null }[]
}

function decide(tool: string, args: unknown, ...more: string[]): Tried {
  const ran = run(['decide', '--tool', tool, '--args', JSON.stringify(args), '--policy', policy, '--json', ...more])
  assert.is(ran.status, 0, ran.stderr)
  return json<Tried>(ran)
}

test('row C3, row C24: a call is tried on the files as they are', () => {
  assert.equal(decide('read_file', { path: '~/desk/a.txt' }), {
    verdict: 'allow',
    reason: '',
    code: 'granted',
    paths: [{ asked: '~/desk/a.txt', resolved: at('desk', 'a.txt') }],
  })
  const link = decide('read_file', { path: 'passwd' }, '--cwd', at('desk'))
  assert.equal(
    [link.verdict, link.code, link.paths],
    ['deny', 'path_not_granted', [{ asked: 'passwd', resolved: '/etc/passwd' }]],
  )
  assert.match(link.reason, /leads to \/etc\/passwd/)
  assert.is(decide('read_file', { path: 'dangling' }, '--cwd', at('desk')).code, 'path_dangling')
  assert.is(decide('write_file', { path: '~/linked/new.txt' }).code, 'granted', 'a granted folder that is itself a link')
  assert.is(decide('read_file', { path: '~/desk/sub/x' }).code, 'denied_explicitly')
  assert.is(decide('read_file', { path: '~/desk/a.txt' }, '--skill', 'notes').code, 'path_not_granted')
  assert.is(decide('read_file', { path: '~/desk/a.txt' }, '--skill', 'nobody').code, 'skill_not_listed')
  assert.is(decide('web_search', { query: 'x' }).code, 'tool_not_granted')
})

test('a question stays a question here, and commands are judged word by word', () => {
  assert.equal(
    [decide('execute_code', { code: 'x' }).verdict, decide('execute_code', { code: 'x' }).code],
    ['ask', 'approval_required'],
  )
  const line = (command: string): string => {
    const { verdict, code } = decide('terminal', { command }, '--cwd', at('desk'))
    return `${verdict} ${code}`
  }
  assert.is(line('git status'), 'allow granted')
  assert.is(line('git status && curl x'), 'deny command_not_granted')
  assert.is(line('cat a.txt > copy.txt'), 'allow granted')
  assert.is(line('cat passwd'), 'deny path_not_granted')
  assert.is(line('cd .. && cat desk/a.txt'), 'deny command_not_granted')
  assert.is(line('cat $FILE'), 'ask command_opaque')
})

test('row P84: the home, the plugin and the host’s settings are reached by no grant', () => {
  const wide = written('wide.yaml', 'version: 1\nskills: { "*": { tools: [read_file, write_file, terminal], paths: [/**] } }\n')
  const code = (tool: string, args: unknown): string => {
    const ran = run(['decide', '--tool', tool, '--args', JSON.stringify(args), '--policy', wide, '--json'])
    return json<Tried>(ran).code
  }
  for (const path of [
    '~/.hermes/plugin-data/stele/allowlist.yaml',
    '~/.hermes/plugins/stele/__init__.py',
    '~/.hermes/config.yaml',
    wide,
  ])
    assert.is(code('write_file', { path }), 'self_protected', path)
  for (const command of ['stele policy use x', 'curl --unix-socket ~/.hermes/plugin-data/stele/service.sock http://x/'])
    assert.is(code('terminal', { command }), 'self_protected', command)
  assert.is(code('write_file', { path: '~/.hermes/plugin-data/stele-notes/a' }), 'granted')
})

test('for a person the verdict, its code, the reason and the paths are told', () => {
  const { status, stdout } = run(['decide', '--tool', 'read_file', '--args', '{"path":"/etc/hostname"}', '--policy', policy])
  assert.is(status, 0)
  assert.match(
    stdout,
    /^deny {2}path_not_granted\n {6}why {3}path_not_granted: `\/etc\/hostname`.*\n {6}path {2}\/etc\/hostname\n$/,
  )
})

test('a batch answers line by line, in order, with what each line says of folder, skill and variables', () => {
  const other = at('other')
  mkdirSync(join(other, 'desk'), { recursive: true })
  const lines = [
    { id: 'a', tool: 'read_file', args: { path: 'a.txt' }, cwd: at('desk') },
    { id: 2, tool: 'read_file', args: { path: `${at('notes')}/n` }, skill: 'notes' },
    { id: 'c', tool: 'read_file', args: { path: '~/desk/b' }, env: { HOME: other } },
    { id: 'd', tool: 'read_file', args: { path: at('desk', 'a.txt') }, env: { HOME: other } },
    { tool: 'read_file', args: 'no object' },
    { id: 'f', tool: 'read_file', args: { path: '~/desk/b' }, env: { HERMES_HOME: '' }, cwd: null, skill: null, more: 1 },
  ]
  const ran = run(['decide', '--batch', '-', '--policy', policy], `${lines.map((line) => JSON.stringify(line)).join('\n\n')}\n`)
  assert.is(ran.status, 0, ran.stderr)
  const told = ran.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Tried)
  assert.equal(
    told.map(({ id, verdict, code }) => `${id} ${verdict} ${code}`),
    [
      'a allow granted',
      '2 allow granted',
      'c allow granted',
      'd deny path_not_granted',
      'undefined deny path_unreadable',
      'f deny policy_unavailable',
    ],
  )
  assert.equal(Object.keys(told[0] ?? {}), ['id', 'verdict', 'reason', 'code', 'paths'])
  assert.equal(told[2]?.paths, [{ asked: '~/desk/b', resolved: join(other, 'desk', 'b') }])
  assert.match(told[5]?.reason ?? '', /^policy_unavailable: .*6:\d+ unset_variable: .*HERMES_HOME/)
})

test('a line that cannot be read ends a batch with its number, after what came before has been answered', () => {
  for (const [line, code] of [
    ['{"tool":', 'JSON_UNREADABLE'],
    ['[]', 'OPTION_INVALID'],
    ['{"args":{}}', 'OPTION_INVALID'],
    ['{"tool":"todo","cwd":7}', 'OPTION_INVALID'],
    ['{"tool":"todo","env":{"HOME":1}}', 'OPTION_INVALID'],
    ['{"tool":"todo","id":{}}', 'OPTION_INVALID'],
  ] as const) {
    const ran = run(['decide', '--batch', '-', '--policy', policy], `{"id":1,"tool":"todo"}\n${line}\n{"id":3,"tool":"todo"}\n`)
    assert.is(ran.status, 2)
    assert.match(ran.stderr, new RegExp(`^stele: ${code}: [^\n]*line: 2[^\n]*\n$`))
    assert.equal(
      ran.stdout.split('\n').map((told) => (told === '' ? '' : (JSON.parse(told) as Tried).id)),
      [1, ''],
    )
  }
})

test('an allowlist of which nothing can be used is an error, whatever is asked', () => {
  const broken = written('broken.yaml', 'version: 1\nskills: [\n')
  const unset = written('unset.yaml', 'version: 1\nskills: { "*": { tools: [read_file], paths: [$NOPE_NOT_SET/x] } }\n')
  for (const ran of [
    run(['decide', '--tool', 'todo', '--policy', broken]),
    run(['decide', '--batch', '-', '--policy', broken], '{"tool":"todo"}\n'),
    run(['decide', '--tool', 'todo', '--policy', unset]),
    run(['policy', 'diff', policy, broken]),
  ]) {
    assertRefused(ran, 'POLICY_INVALID', 2)
    assert.match(ran.stderr, /line: 2|line: 3/)
  }
})

test('options that cannot be meant together, or say nothing, are refused', () => {
  for (const words of [
    ['decide', '--policy', policy],
    ['decide', '--policy', policy, '--batch', 'calls.jsonl'],
    ['decide', '--policy', policy, '--batch', '-', '--tool', 'todo'],
    ['decide', '--policy', policy, '--tool', 'todo', '--args', '[]'],
  ])
    assertRefused(run(words), 'OPTION_INVALID', 2)
  assertRefused(run(['decide', '--policy', policy, '--tool', 'todo', '--args', '{']), 'JSON_UNREADABLE', 2)
})

test('without --policy the allowlist of the home is asked, or the one that a setting names', () => {
  const home = at('settled')
  assert.is(stele(['init', '--home', home], { env }).status, 0)
  writeFileSync(join(home, 'allowlist.yaml'), 'version: 1\nskills: { "*": { tools: [todo] } }\n')
  const code = (tool: string, more: NodeJS.ProcessEnv = {}): string =>
    json<Tried>(stele(['decide', '--home', home, '--tool', tool, '--json'], { env: { ...env, ...more } })).code
  assert.equal([code('todo'), code('memory')], ['granted', 'tool_not_granted'])
  const named = written('named.yaml', 'version: 1\nskills: { "*": { tools: [memory] } }\n')
  const setting = { STELE_CAPABILITY_ALLOWLIST: named }
  assert.equal([code('todo', setting), code('memory', setting)], ['tool_not_granted', 'granted'])
})

test('diff tells what another allowlist would change, for people and machines', () => {
  const narrow = written('narrow.yaml', readFileSync(policy, 'utf8').replace('[read_file, write_file, ', '[read_file, '))
  const ran = run(['policy', 'diff', policy, narrow])
  assert.equal(
    [ran.status, ran.stdout],
    [0, '*: grant narrowed\n  - tools: write_file\nThe second grants nothing that the first does not.\n'],
  )
  const back = json<{ isNarrower: boolean; grants: { kind: string; skill: string }[] }>(
    run(['policy', 'diff', narrow, policy, '--json']),
  )
  assert.equal([back.isNarrower, back.grants.map(({ kind, skill }) => [kind, skill])], [false, [['widened', '*']]])
  assert.is(run(['policy', 'diff', policy, policy]).stdout, 'Both grant the same.\n')
})

test.run()
