// Holds suggested allowlists to files written by hand from the rules of docs/capability.md, to YAML as another reader reads it, and to what
// must never stand in one.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import type { Allowlist, Policy } from '../../src/gates/capability/allowlist.js'
import { readCommandGrant } from '../../src/gates/capability/command-grant.js'
import { commandScope } from '../../src/gates/capability/command-scope.js'
import { decide } from '../../src/gates/capability/decide.js'
import { readAllowlist } from '../../src/gates/capability/read-allowlist.js'
import type { UsedCall } from '../../src/projections/used-calls.js'
import { type SuggestOptions, suggestAllowlist } from '../../src/reports/suggest-allowlist.js'
import { allowlistFile } from '../../src/service/allowlist-file.js'
import { usedCall } from '../support/used-call.js'

const test = suite('suggest-allowlist')

const options: SuggestOptions = {
  ...{ ledger: 'ab12', size: 100, policy: undefined, style: 'posix', home: '/home/ann', hermesHome: '/home/ann/.hermes' },
}

interface Suggested {
  readonly version: number
  readonly require_approval?: readonly string[]
  readonly skills: Readonly<
    Record<
      string,
      {
        readonly tools?: readonly string[]
        readonly paths?: readonly { readonly path: string; readonly access: string }[]
        readonly grants?: readonly { readonly commands?: readonly string[]; readonly paths?: readonly { path: string }[] }[]
      }
    >
  >
  readonly deny?: Readonly<Record<string, unknown>>
}

const suggest = (calls: readonly UsedCall[], more: Partial<SuggestOptions> = {}): string =>
  suggestAllowlist(calls, { ...options, ...more }).text
const read = (calls: readonly UsedCall[], more: Partial<SuggestOptions> = {}): Suggested =>
  parse(suggest(calls, more)) as Suggested
const pathsOf = (calls: readonly UsedCall[], more: Partial<SuggestOptions> = {}): string[] =>
  (read(calls, more).skills['*']?.paths ?? []).map(({ path, access }) => `${access} ${path}`)
const commandsOf = (calls: readonly UsedCall[], more: Partial<SuggestOptions> = {}): readonly string[] =>
  read(calls, more).skills['*']?.grants?.[0]?.commands ?? []

function policy(deny: Partial<Allowlist['deny']>, more: Partial<Allowlist> = {}): Policy {
  const allowlist: Allowlist = {
    ...{ version: 1, skills: [], requireApproval: [], deny: { tools: [], paths: [], commands: [], ...deny } },
    ...more,
  }
  return { allowlists: [allowlist], protected: [{ what: 'home', path: '/var/lib/stele' }], pathStyle: 'posix' }
}

test('a whole file, line by line: head, tools, paths, commands with their redirects, marks, and what is left out', () => {
  const calls = [
    usedCall(3, 'memory'),
    usedCall(7, 'read_file', { touches: ['read /home/ann/desk/a.md'] }),
    usedCall(11, 'read_file', { session: 's2', day: '2026-03-02', touches: ['read /home/ann/desk/a.md'] }),
    usedCall(15, 'patch', { session: 's2', day: '2026-03-02', touches: ['write /home/ann/.hermes/notes/x.md'] }),
    usedCall(20, 'search_files', { touches: ['tree /srv/docs'], more: { afterOutside: true } }),
    usedCall(24, 'terminal', { commands: [['git', 'status']], touches: ['write /srv/out.txt'] }),
    usedCall(28, 'execute_code', { more: { decision: undefined } }),
    usedCall(32, 'terminal', { more: { unread: 'unbalanced' } }),
    usedCall(36, 'search_files', { touches: ['tree /home/ann'] }),
  ]
  assert.is(
    suggest(calls),
    `# An allowlist distilled from what was used. Read every line before it is in force: \`!\` marks what wants a second look.
# Ledger ab12, as of 100 entries.
# 9 calls in 2 sessions, 2026-03-01 to 2026-03-02.
# Seen: 8 of 9 calls judged by the capability gate (88.9 %). What was not seen is not here.
version: 1
skills:
  "*":
    tools:
      - "execute_code" # 1 call in 1 session, 2026-03-01; entries 28; ! opaque: what it does is not seen in its arguments; ! one session only
      - "memory" # 1 call in 1 session, 2026-03-01; entries 3; ! one session only
      - "patch" # 1 call in 1 session, 2026-03-02; entries 15; ! one session only
      - "read_file" # 2 calls in 2 sessions, 2026-03-01 to 2026-03-02; entries 7 11
      - "search_files" # 2 calls in 1 session, 2026-03-01; entries 20 36; ! one session only; ! 1 of them right after text from outside
    paths:
      - { path: "$HERMES_HOME/notes/x.md", access: write } # 1 call in 1 session, 2026-03-02; entries 15; ! writes; ! one session only
      - { path: "/srv/docs/**", access: read } # 1 call in 1 session, 2026-03-01; entries 20; ! one session only; ! right after text from outside
      - { path: "~/desk/a.md", access: read } # 2 calls in 2 sessions, 2026-03-01 to 2026-03-02; entries 7 11
    grants:
      - commands:
          - "git status" # 1 call in 1 session, 2026-03-01; entries 24; ! one session only
        paths:
          - { path: "/srv/out.txt", access: write } # 1 call in 1 session, 2026-03-01; entries 24; ! writes; ! one session only
#
# Used or asked for, and left out:
#   read /home/ann and all beneath: a home folder, a root, or what holds Stele, with all beneath it is never suggested; 1 call in 1 session, 2026-03-01; entries 36
#   terminal: what it would reach cannot be read; 1 call in 1 session, 2026-03-01; entries 32
`,
  )
  const { granted, marked, leftOut } = suggestAllowlist(calls, options)
  assert.equal([granted, marked, leftOut], [10, 8, 2])
})

test('without a call there is a file that grants nothing, and the same calls give the same bytes in any order of skills', () => {
  assert.equal(read([]), { version: 1, skills: {} })
  assert.match(suggest([]), /^# No call was seen\.$/m)
  const calls = [usedCall(1, 'memory', { skill: 'b' }), usedCall(2, 'todo', { skill: 'a' }), usedCall(3, 'todo')]
  assert.is(suggest([...calls].reverse()), suggest(calls))
  assert.equal(Object.keys(read(calls).skills), ['*', 'a', 'b'])
})

test('a file is granted alone; its folder only where three of its files were used in two sessions', () => {
  const file = (index: number, name: string, session: string) =>
    usedCall(index, 'read_file', { session, touches: [`read /srv/docs/${name}`] })
  assert.equal(pathsOf([file(1, 'a', 's1'), file(2, 'b', 's1'), file(3, 'c', 's1')]), [
    'read /srv/docs/a',
    'read /srv/docs/b',
    'read /srv/docs/c',
  ])
  assert.equal(pathsOf([file(1, 'a', 's1'), file(2, 'b', 's2')]), ['read /srv/docs/a', 'read /srv/docs/b'])
  const several = [file(1, 'a', 's1'), file(2, 'b', 's1'), file(3, 'c', 's2')]
  assert.equal(pathsOf(several), ['read /srv/docs/**'])
  assert.match(suggest(several), /# 3 calls in 2 sessions, .*; entries 1 2 3; ! stands for several files that were used$/m)
})

test('reading and writing are apart: what was read is not written, and folders of the one are not of the other', () => {
  const calls = [
    usedCall(1, 'read_file', { touches: ['read /srv/d/a'] }),
    usedCall(2, 'read_file', { session: 's2', touches: ['read /srv/d/b', 'read /srv/d/c'] }),
    usedCall(3, 'patch', { touches: ['write /srv/d/a'] }),
  ]
  assert.equal(pathsOf(calls), ['read /srv/d/**', 'write /srv/d/a'])
})

test('a folder that was asked for holds its files, and of folders within folders the outer one stands', () => {
  const calls = [
    usedCall(1, 'search_files', { touches: ['tree /srv/docs'] }),
    usedCall(2, 'search_files', { touches: ['tree /srv/docs/deep'] }),
    usedCall(3, 'read_file', { touches: ['read /srv/docs/deep/a'] }),
    usedCall(4, 'read_file', { touches: ['read /srv/docsx'] }),
  ]
  assert.equal(pathsOf(calls), ['read /srv/docs/**', 'read /srv/docsx'])
  assert.match(suggest(calls), /"\/srv\/docs\/\*\*", access: read \} # 3 calls/)
})

test('never a home folder, a root, what is above one, or what holds Stele, with all beneath it', () => {
  const wide = [
    '/',
    '/home',
    '/home/ann',
    '/home/bob',
    '/Users/bob',
    '/root',
    '/home/ann/.hermes',
    '/var/lib/stele',
    '/var/lib',
    '/var',
  ]
  for (const folder of wide) {
    const calls = [usedCall(1, 'search_files', { touches: [`tree ${folder}`] })]
    assert.equal(pathsOf(calls, { policy: policy({}) }), [], folder)
    assert.match(suggest(calls, { policy: policy({}) }), /is never suggested; 1 call/, folder)
  }
  for (const folder of ['/var/lib/stele2', '/home/ann/desk', '/srv'])
    assert.is(pathsOf([usedCall(1, 'search_files', { touches: [`tree ${folder}`] })], { policy: policy({}) }).length, 1, folder)
  const files = ['a', 'b', 'c'].map((name, at) =>
    usedCall(at, 'read_file', { session: `s${at}`, touches: [`read /home/ann/${name}`] }),
  )
  assert.equal(pathsOf(files), ['read ~/a', 'read ~/b', 'read ~/c'])
})

test('a folder that holds the program may be read with all beneath it, and never written', () => {
  const holding: Policy = { ...policy({}), protected: [{ what: 'program', path: '/srv/tools/stele' }] }
  const read = usedCall(1, 'search_files', { touches: ['tree /srv/tools'] })
  assert.equal(pathsOf([read], { policy: holding }), ['read /srv/tools/**'])
  const touches = (read.access?.touches ?? []).map((one) => ({ ...one, access: 'write' as const }))
  assert.equal(pathsOf([{ ...read, access: { touches, commands: [] } }], { policy: holding }), [])
})

test('what a link led to is granted beside what was asked for, and says so', () => {
  const calls = [usedCall(1, 'read_file', { touches: ['read /srv/link -> /mnt/real'] })]
  assert.equal(pathsOf(calls), ['read /mnt/real', 'read /srv/link'])
  assert.match(suggest(calls), /"\/mnt\/real".*! a link led here/)
  assert.not.match(suggest(calls), /"\/srv\/link".*! a link led here/)
})

test('nothing is granted that a person has refused: not the path, not a folder that holds it, not the command, not the tool', () => {
  const by = { deniedByHand: true }
  const refused = usedCall(1, 'read_file', { touches: ['read /srv/d/secret'], more: by })
  const files = ['a', 'b', 'c'].map((name, at) =>
    usedCall(10 + at, 'read_file', { session: `s${at}`, touches: [`read /srv/d/${name}`] }),
  )
  const again = usedCall(20, 'read_file', { touches: ['read /srv/d/secret', 'read /srv/d/SECRET'] })
  assert.equal(pathsOf([refused, ...files, again]), ['read /srv/d/a', 'read /srv/d/b', 'read /srv/d/c'])
  assert.equal(pathsOf([refused, usedCall(2, 'search_files', { touches: ['tree /srv/d'] })]), [])
  assert.equal(pathsOf([refused, usedCall(2, 'patch', { touches: ['write /srv/d/secret'] })]), ['write /srv/d/secret'])
  const push = [['git', 'push', 'origin', 'main']]
  const other = usedCall(5, 'terminal', { commands: [['git', 'push', 'origin', 'dev']] })
  const pushes = [usedCall(3, 'terminal', { commands: push, more: by }), usedCall(4, 'terminal', { commands: push }), other]
  assert.equal(commandsOf(pushes), ['git push origin dev'])
  assert.equal(read([usedCall(1, 'memory', { more: by }), usedCall(2, 'memory'), usedCall(3, 'todo')]).skills['*']?.tools, [
    'todo',
  ])
  // What was refused before the time that is asked for stays refused.
  const later = usedCall(9, 'memory', { day: '2026-03-09' })
  assert.equal(read([usedCall(1, 'memory', { more: by }), later], { since: '2026-03-05T00:00:00.000Z' }).skills, {})
})

test('the deny list in force holds and is taken over, with what needs an approval', () => {
  const deny = {
    tools: ['web_*'],
    paths: [
      { pattern: '/home/ann/keys/**', access: 'any' as const },
      { pattern: '/srv/x', access: 'write' as const },
    ],
    commands: [
      [
        { kind: 'word' as const, pattern: 'rm' },
        { kind: 'rest' as const, of: 'words' as const },
      ],
    ],
  }
  const calls = [
    usedCall(1, 'web_search'),
    usedCall(2, 'read_file', { touches: ['read /home/ann/keys/a', 'read /srv/x'] }),
    usedCall(3, 'patch', { touches: ['write /srv/x'] }),
    usedCall(4, 'terminal', { commands: [['rm', '-rf', 'a'], ['ls']] }),
    usedCall(5, 'search_files', { touches: ['tree /home/ann/keys'] }),
  ]
  const suggested = read(calls, { policy: policy(deny, { requireApproval: ['execute_code'] }) })
  assert.equal(suggested.deny, {
    tools: ['web_*'],
    commands: ['rm ...'],
    paths: ['~/keys/**', { path: '/srv/x', access: 'write' }],
  })
  assert.equal(suggested.require_approval, ['execute_code'])
  assert.equal(suggested.skills['*']?.tools, ['patch', 'read_file', 'search_files'])
  assert.equal(suggested.skills['*']?.paths, [{ path: '/srv/x', access: 'read' }])
  assert.equal(suggested.skills['*']?.grants, [{ commands: ['ls'] }])
  assert.match(suggest([], { policy: null }), /^# ! What is in force cannot be read/m)
})

test('what was refused, blocked by others, judged to reach Stele, or never worked out is no use of it', () => {
  const denied = { verdict: 'deny', code: 'tool_not_granted', enforced: true } as const
  const calls = [
    usedCall(1, 'memory', { more: { decision: denied } }),
    usedCall(2, 'todo', { more: { cameBackRefused: true } }),
    usedCall(3, 'clarify', { more: { decision: { ...denied, code: 'self_protected', enforced: false } } }),
    usedCall(4, 'process', { more: { skill: undefined, access: undefined } }),
    usedCall(5, 'read_file', { more: { access: undefined, reaches: 1 } }),
    usedCall(6, 'unnamed'),
  ]
  assert.equal(read(calls).skills, { '*': { tools: ['read_file'] } })
  const foot = suggest(calls).split('left out:\n')[1] ?? ''
  assert.equal(
    foot
      .trim()
      .split('\n')
      .map((line) => line.slice(4, line.indexOf(';'))),
    [
      'read_file: the words of what it would reach are forgotten',
      'unnamed: it cannot be written in an allowlist',
      'process: nobody worked out what it would reach',
      'memory: it was refused, and so not used',
      'todo: it was refused, and so not used',
      'clarify: it reaches Stele itself, or what holds it in place',
    ],
  )
})

test('of calls that the owner wants let through the lines are made though they were refused, and of no other call', () => {
  const refused: Partial<UsedCall> = {
    decision: { verdict: 'deny', code: 'path_not_granted', enforced: true },
    cameBackRefused: true,
  }
  const calls = [
    usedCall(1, 'read_file', { touches: ['read /srv/a.md'], more: refused }),
    usedCall(2, 'read_file', { touches: ['read /srv/b.md'], more: refused }),
    usedCall(3, 'read_file', { touches: ['read /srv/c.md'] }),
    usedCall(4, 'read_file', { touches: ['read /srv/d.md'], more: { ...refused, deniedByHand: true } }),
    usedCall(5, 'read_file', {
      ...{
        touches: ['read /var/lib/stele/key'],
        more: { decision: { verdict: 'deny', code: 'self_protected', enforced: true } },
      },
    }),
  ]
  assert.equal(pathsOf(calls), ['read /srv/c.md'])
  assert.equal(pathsOf(calls, { wanted: new Set([1, 4, 5]) }), ['read /srv/a.md'])
  const text = suggest(calls, { wanted: new Set([1, 4, 5]) })
  assert.match(text, /^# Only calls of which you said in `stele review` that they should be granted\.$/m)
  assert.match(text, /^#.* read_file: it reaches Stele itself/m)
  assert.match(text, /^#.* read_file: a person refused it/m)
  assert.equal(read(calls, { wanted: new Set() }).skills, {})
})

test('paths with a problem, without a place, or that no pattern can say, are left out', () => {
  const base = { asked: 'x', access: 'read', tree: false } as const
  const call = (touch: object) =>
    usedCall(1, 'read_file', { more: { access: { touches: [{ ...base, ...touch } as never], commands: [] } } })
  for (const problem of ['dangling', 'looping', 'unreadable'])
    assert.equal(pathsOf([call({ typed: '/srv/x', resolved: null, problem })]), [], problem)
  assert.equal(pathsOf([call({ typed: null, resolved: null, problem: 'unresolved' })]), [])
  assert.equal(pathsOf([call({ typed: '/srv/x', resolved: null, problem: 'unresolved' })]), ['read /srv/x'])
  assert.equal(pathsOf([call({ typed: '/srv/\ud800', resolved: '/srv/\ud800' })]), [])
  assert.equal(pathsOf([call({ typed: '/srv/a*b$c', resolved: '/srv/a*b$c' })]), ['read /srv/a?b?c'])
  assert.match(suggest([call({ typed: '/srv/a*b', resolved: '/srv/a*b' })]), /! `\?` stands for any one character/)
})

test('commands stand word for word, quoted where they must be; opaque ones are left out', () => {
  const run = (...words: string[]) => commandsOf([usedCall(1, 'terminal', { commands: [words] })])
  assert.equal(run('ls', '-la', 'docs'), ['ls -la docs'])
  assert.equal(run('git', 'commit', '-m', 'two words'), ["git commit -m 'two words'"])
  assert.equal(run('echo', "it's"), ["echo 'it'\\''s'"])
  assert.equal(run('echo', ''), ["echo ''"])
  assert.equal(run('ls', '*.md'), ['ls ?.md'])
  assert.equal(run('echo', '...', '{read}'), ["echo '...' '{read}'"])
  assert.equal(run('curl', '-H', 'Authorization: [REDACTED]'), ["curl -H 'Authorization: '*"])
  assert.equal([run('$TOOL', 'a'), run('cat', '$FILE')], [[], []])
  assert.match(
    suggest([usedCall(1, 'terminal', { commands: [['cat', '$FILE']] })]),
    /run cat \$FILE: what it would run cannot be known/,
  )
})

test('a wildcard stands only for last words of which three were seen in two sessions, behind a program and its first word', () => {
  const run = (...lines: string[]) =>
    commandsOf(lines.map((line, at) => usedCall(at, 'terminal', { session: `s${at % 2}`, commands: [line.split(' ')] })))
  assert.equal(run('npm run a', 'npm run b', 'npm run c'), ['npm run *'])
  assert.equal(run('npm run a', 'npm run b'), ['npm run a', 'npm run b'])
  assert.equal(run('git log a', 'git log --oneline b', 'git log'), ['git log ...'])
  assert.equal(run('git log --stat a', 'git log --stat b', 'git log --stat c'), ['git log --stat *'])
  assert.equal(run('cat a', 'cat b', 'cat c'), ['cat a', 'cat b', 'cat c'])
  for (const program of ['bash x', 'bash -c', 'python3 x.py', 'sudo ls', 'git -c', 'A=b git', '/usr/bin/env x', 'stele x'])
    assert.is(run(`${program} a`, `${program} b`, `${program} c`).length, 3, program)
  const one = ['a', 'b', 'c'].map((name, at) => usedCall(at, 'terminal', { commands: [['npm', 'run', name]] }))
  assert.equal(commandsOf(one), ['npm run a', 'npm run b', 'npm run c'], 'in one session')
})

test('only the skill that is asked for, where one is; a server’s name alone does not become a grant of all its tools', () => {
  const calls = [usedCall(1, 'memory'), usedCall(2, 'todo', { skill: 'notes' })]
  assert.equal(Object.keys(read(calls, { skill: 'notes' }).skills), ['notes'])
  assert.equal(Object.keys(read(calls, { skill: '*' }).skills), ['*'])
  assert.equal(read([usedCall(1, 'mcp_github'), usedCall(2, 'mcp__github__list')]).skills['*']?.tools, [
    'mcp__github__list',
    'mcp_githu?',
  ])
  // A name that a plugin, or a model, has made up, and that lint would take for a slip.
  assert.equal(read([usedCall(1, 'read_fil'), usedCall(2, 'my_own_tool')]).skills['*']?.tools, ['my_own_tool', 'read_fi?'])
})

test('paths of Windows are written with slashes, and its drives and homes are roots and homes', () => {
  const more = { style: 'windows', home: 'C:\\Users\\ann', hermesHome: undefined } as const
  const at = (path: string, how = 'read') => pathsOf([usedCall(1, 'read_file', { touches: [`${how} ${path}`] })], more)
  assert.equal(at('C:\\Users\\ann\\notes\\a.md'), ['read ~/notes/a.md'])
  assert.equal(at('D:\\desk\\a.md'), ['read D:/desk/a.md'])
  assert.equal([at('C:\\', 'tree'), at('C:\\Users\\ann', 'tree'), at('D:\\desk', 'tree')], [[], [], ['read D:/desk/**']])
})

test('the file is read by lint without a word, and under it the same calls are allowed, and one with a path outside is not', () => {
  const lines = [
    ['git', 'commit', '-m', "it's $5 & {a,b} ~x; *?"],
    ['npm', 'run', 'a'],
    ['npm', 'run', 'b'],
    ['npm', 'run', 'c'],
    ['A=b', 'git'],
    ['./run.sh', ''],
    ['find', '.', '-exec', 'cat', '{}', ';', '...', '{read}', '#'],
  ]
  const calls = [
    ...lines.map((words, at) => usedCall(at, 'terminal', { session: `s${at % 3}`, commands: [words] })),
    usedCall(20, 'terminal', { commands: [['ls']], touches: ['write /home/ann/o$t*.txt'] }),
    usedCall(21, 'mcp__files__read', { touches: ['read /x/[a]/{b}/ c', 'tree /srv/it'] }),
    usedCall(22, 'search_files', { touches: ['tree /srv/q', 'read /home/ann/.hermes/notes/a -> /mnt/a?b'] }),
    usedCall(23, 'read_fil'),
    usedCall(24, 'skill_manage', { skill: 'odd:name' }),
  ]
  const world = {
    home: '/home/ann',
    variables: { HERMES_HOME: '/home/ann/.hermes' },
    pathStyle: 'posix',
    now: '2026-03-02',
  } as const
  const { allowlist, problems } = readAllowlist(allowlistFile(Buffer.from(suggest(calls))), world)
  assert.equal(problems, [])
  const inForce: Policy = { allowlists: allowlist === undefined ? [] : [allowlist], protected: [], pathStyle: 'posix' }
  const codeOf = ({ tool, skill = '', time, access }: UsedCall): string =>
    decide(inForce, { tool, skill, lineage: [], time }, access ?? { touches: [], commands: [] }).code
  assert.equal([...new Set(calls.map(codeOf))], ['granted'])
  const outside = usedCall(30, 'search_files', { touches: ['tree /srv/q', 'read /srv/other'] })
  assert.equal(
    [codeOf(outside), codeOf(usedCall(31, 'terminal', { commands: [['ls', '/']] }))],
    ['path_not_granted', 'command_not_granted'],
  )
  assert.is(
    codeOf(usedCall(32, 'search_files', { touches: ['write /srv/q/a'] })),
    'path_not_granted',
    'what was read is not written',
  )
})

test('whatever a path or a command is called, the file reads back as that one path or command and nothing else', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
    fc.constantFrom(
      'a\n- "x"',
      '"',
      "'",
      '\\',
      '# c',
      '{ a: b }',
      ': ',
      '\u2028',
      '\u0085',
      'é',
      '\ud800',
      '&a',
      '*a',
      '!t',
      '%',
      '@',
      '`',
    ),
  )
  fc.assert(
    fc.property(texts, texts, (name, word) => {
      const calls = [
        usedCall(1, 'read_file', { more: { access: { touches: [plain(`/srv/${name}`)], commands: [] } } }),
        usedCall(2, 'terminal', {
          more: { access: { touches: [], commands: [{ program: { text: 'echo' }, operands: [{ text: word }] }] } },
        }),
      ]
      const { skills, ...others } = read(calls)
      assert.equal(Object.keys(skills), ['*'])
      assert.equal(Object.keys(others), ['version'])
      const paths = skills['*']?.paths ?? []
      const isWritable = name.isWellFormed() && !name.includes('\0')
      const expected = `/srv/${name}`.replace(/\/+$/, '').replace(/[*$]/g, '?')
      assert.equal(paths, isWritable ? [{ path: expected, access: 'read' }] : [])
      const commands = (skills['*']?.grants?.[0]?.commands ?? []).map(readCommandGrant)
      assert.is(commands.length, word.isWellFormed() ? 1 : 0)
      for (const command of commands) {
        assert.ok('grant' in command)
        assert.is(commandScope({ program: { text: 'echo' }, operands: [{ text: word }] }, command.grant).scope, 'covered')
        const others = ['', `${word}x`, `x${word}`].filter((other) => other !== word && !/[*?]/.test(word))
        for (const other of others)
          assert.is(commandScope({ program: { text: 'echo' }, operands: [{ text: other }] }, command.grant).scope, 'not', other)
      }
    }),
    { numRuns: 500, seed: 7 },
  )
})

function plain(path: string) {
  return { asked: path, access: 'read', tree: false, typed: path, resolved: path } as const
}

test.run()
