// Holds the reading of an allowlist to the page of its rules: what a good one becomes, and of each bad one the code, line and column, counted
// by hand.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type AllowlistWorld, readAllowlist } from '../../../src/gates/capability/read-allowlist.js'
import { allowlistFile } from '../../../src/service/allowlist-file.js'

const test = suite('read-allowlist')

const world: AllowlistWorld = {
  home: '/home/ann',
  variables: { HERMES_HOME: '/home/ann/.hermes', EMPTY: '', STAR: '/data/*', RELATIVE: 'data' },
  pathStyle: 'posix',
  now: '2026-11-30T12:00:00.000Z',
}

const read = (text: string, more: Partial<AllowlistWorld> = {}) =>
  readAllowlist(allowlistFile(Buffer.from(text)), { ...world, ...more })
const told = (text: string, more: Partial<AllowlistWorld> = {}): string[] =>
  read(text, more).problems.map(({ severity, code, line, column }) => `${line}:${column} ${severity} ${code}`)

const seeds = `version: 1
require_approval: [execute_code]
skills:
  "*":
    tools: [read_file, write_file, patch, search_files, web_search]
    paths: ["$HERMES_HOME/notes/**", "~/desk/**"]
  note-taker: { tools: [read_file], paths: ["\${HERMES_HOME}/x/../notes//./**"] }
`

test('row C3: the form of the document is read as it is, with ~ and variables expanded', () => {
  assert.equal(read(seeds), {
    problems: [],
    allowlist: {
      version: 1,
      requireApproval: ['execute_code'],
      skills: [
        {
          name: '*',
          grants: [
            {
              tools: ['read_file', 'write_file', 'patch', 'search_files', 'web_search'],
              paths: [
                { pattern: '/home/ann/.hermes/notes/**', access: 'any' },
                { pattern: '/home/ann/desk/**', access: 'any' },
              ],
              commands: [],
            },
          ],
        },
        {
          name: 'note-taker',
          grants: [{ tools: ['read_file'], paths: [{ pattern: '/home/ann/.hermes/notes/**', access: 'any' }], commands: [] }],
        },
      ],
      deny: { tools: [], paths: [], commands: [] },
    },
  })
})

test('everything beyond the document’s form: access, commands, further grants with context and expiry, a deny list', () => {
  const text = `version: 1
skills:
  "*":
    tools: ["mcp__github__*"]
    paths: [{ path: ~/notes/**, access: read }, { path: ~/out, access: write }]
    commands: ["git log ...", "cp {read} {write}", 'echo "a b"', "cat {read}..."]
    grants:
      - tools: [read_file]
        paths: [/srv/reports/**]
        when: { platform: cron, job: [nightly, weekly], subagent: false }
        expires: 2027-01-01
      - commands: [make]
        expires: "2027-01-01T12:30:00+02:00"
        when: { subagent: [true, false] }
deny: { tools: [memory], paths: [~/.ssh/**], commands: ["rm ..."] }
`
  const { allowlist, problems } = read(text)
  assert.equal(problems, [])
  assert.equal(allowlist?.skills[0]?.grants, [
    {
      tools: ['mcp__github__*'],
      paths: [
        { pattern: '/home/ann/notes/**', access: 'read' },
        { pattern: '/home/ann/out', access: 'write' },
      ],
      commands: [
        [
          { kind: 'word', pattern: 'git' },
          { kind: 'word', pattern: 'log' },
          { kind: 'rest', of: 'words' },
        ],
        [
          { kind: 'word', pattern: 'cp' },
          { kind: 'path', access: 'read' },
          { kind: 'path', access: 'write' },
        ],
        [
          { kind: 'word', pattern: 'echo' },
          { kind: 'word', pattern: 'a b' },
        ],
        [
          { kind: 'word', pattern: 'cat' },
          { kind: 'rest', of: 'paths', access: 'read' },
        ],
      ],
    },
    {
      tools: ['read_file'],
      paths: [{ pattern: '/srv/reports/**', access: 'any' }],
      commands: [],
      when: { platform: ['cron'], job: ['nightly', 'weekly'], subagent: false },
      expires: '2027-01-01T00:00:00.000Z',
    },
    // Met by children and by others: no context at all.
    { tools: [], paths: [], commands: [[{ kind: 'word', pattern: 'make' }]], expires: '2027-01-01T10:30:00.000Z' },
  ])
  assert.equal(allowlist?.deny, {
    tools: ['memory'],
    paths: [{ pattern: '/home/ann/.ssh/**', access: 'any' }],
    commands: [
      [
        { kind: 'word', pattern: 'rm' },
        { kind: 'rest', of: 'words' },
      ],
    ],
  })
})

/** What is under `*`, from line 4 on, in column 5. */
const under = (lines: string): string => `version: 1\nskills:\n  "*":\n${lines}`

/** Name, text, and what is told: line and column counted by hand. */
const bad: readonly (readonly [name: string, text: string, problems: readonly string[], says?: RegExp])[] = [
  ['an unknown key at the top', 'version: 1\nskils: {}\n', ['2:1 error unknown_key'], /did you mean `skills`\?/],
  ['an unknown key of a skill', under('    tool: [read_file]\n'), ['4:5 error unknown_key'], /did you mean `tools`\?/],
  [
    'a key that is near to nothing',
    under('    rights: [read_file]\n'),
    ['4:5 error unknown_key'],
    /has tools, paths, commands, grants/,
  ],
  ['a context outside of grants', under('    tools: [web_search]\n    when: {}\n'), ['5:5 error unknown_key']],
  [
    'an unknown key of a path',
    under('    tools: [read_file]\n    paths: [{ path: ~/a, acces: read }]\n'),
    ['5:26 error unknown_key'],
    /`access`/,
  ],
  [
    'an unknown key of a context',
    under('    grants:\n      - tools: [memory]\n        when: { plattform: cron }\n'),
    ['6:17 error unknown_key'],
    /`platform`/,
  ],
  ['an unknown key of the deny list', 'version: 1\ndeny: { path: [/a] }\n', ['2:9 error unknown_key'], /`paths`/],
  ['no version', 'skills: {}\n', ['1:1 error wrong_version'], /`version: 1`/],
  ['another version', 'version: 2\n', ['1:10 error wrong_version']],
  ['a version in quotes', 'version: "1"\n', ['1:10 error wrong_version']],
  ['a list at the top', '- version: 1\n', ['1:1 error wrong_type']],
  ['skills as a list', 'version: 1\nskills: [a]\n', ['2:9 error wrong_type']],
  ['a skill as a list', 'version: 1\nskills:\n  a: [read_file]\n', ['3:6 error wrong_type']],
  ['tools as a text', under('    tools: read_file\n'), ['4:12 error wrong_type']],
  ['tools without a value', under('    tools:\n'), ['4:11 error wrong_type']],
  ['a number for a tool', under('    tools: [web_search, 7]\n'), ['4:25 error wrong_type']],
  ['a bare ~ for a path', under('    tools: [read_file]\n    paths: [~, ~/a]\n'), ['5:13 error wrong_type']],
  ['paths as a text', under('    tools: [read_file]\n    paths: ~/desk\n'), ['5:12 error wrong_type']],
  ['a path without its path', under('    tools: [read_file]\n    paths: [~/a, { access: read }]\n'), ['5:18 error wrong_type']],
  [
    'an access that there is not',
    under('    tools: [read_file]\n    paths: [{ path: ~/a, access: all }]\n'),
    ['5:34 error wrong_value'],
  ],
  [
    'a variable that is not set',
    under('    tools: [read_file]\n    paths: [~/a, $NOPE/b]\n'),
    ['5:18 error unset_variable'],
    /NOPE/,
  ],
  [
    'a variable that is empty',
    under('    tools: [read_file]\n    paths: ["$EMPTY/b"]\n'),
    ['5:13 error unset_variable'],
    /EMPTY/,
  ],
  ['a $ without a name', under('    tools: [read_file]\n    paths: [/a/$/b]\n'), ['5:13 error unset_variable']],
  ['the home of somebody else', under('    tools: [read_file]\n    paths: [~bob/a]\n'), ['5:13 error unset_variable']],
  [
    'a variable that would match more',
    under('    tools: [read_file]\n    paths: [$STAR/b]\n'),
    ['5:13 error wildcard_in_variable'],
    /STAR/,
  ],
  ['an empty pattern of a path', under('    tools: [read_file]\n    paths: [""]\n'), ['5:13 error empty_pattern']],
  ['an empty pattern of a tool', under('    tools: [web_search, " "]\n'), ['4:25 error empty_pattern']],
  ['an empty command', under('    commands: ["", " "]\n'), ['4:16 error empty_pattern', '4:20 error empty_pattern']],
  ['a relative pattern', under('    tools: [read_file]\n    paths: [~/a, desk/**]\n'), ['5:18 error outside_every_root']],
  [
    'a variable that is relative',
    under('    tools: [read_file]\n    paths: [~/a, $RELATIVE/x]\n'),
    ['5:18 error outside_every_root'],
  ],
  [
    'a pattern for anywhere',
    under('    tools: [read_file]\n    paths: [~/a, "**/.env"]\n'),
    ['5:18 error outside_every_root'],
    /`\/\*\*\/\.env`/,
  ],
  [
    'a climb behind a wildcard',
    under('    tools: [read_file]\n    paths: ["~/a", "~/*/../b"]\n'),
    ['5:20 error parent_behind_wildcard'],
  ],
  [
    'a pattern that no path can match',
    under('    tools: [read_file]\n    paths: ["~/a", "/a\\0b"]\n'),
    ['5:20 error matches_nothing'],
  ],
  [
    'paths for tools that have none',
    under('    tools: [web_search, memory]\n    paths: [~/a]\n'),
    ['5:5 error never_matches'],
    /`web_search`, `memory`/,
  ],
  ['paths for no tool', under('    paths: [~/a]\n'), ['4:5 error never_matches']],
  ['a grant of nothing', under('    grants:\n      - when: { platform: cron }\n'), ['5:9 error never_matches']],
  [
    'a misspelt tool',
    under('    tools: [read_fil]\n    paths: [~/a]\n'),
    ['4:13 error misspelt_tool'],
    /did you mean `read_file`\?/,
  ],
  ['a misspelt tool to approve', 'version: 1\nrequire_approval: [terminl]\n', ['2:20 error misspelt_tool'], /`terminal`/],
  ['a misspelt tool to deny', 'version: 1\ndeny: { tools: [Memory] }\n', ['2:17 error misspelt_tool'], /`memory`/],
  ['a command with an open quote', under('    commands: ["echo \'a"]\n'), ['4:16 error command_unreadable']],
  ['a command of two', under('    commands: [make, "git status && rm x"]\n'), ['4:22 error command_unreadable']],
  ['words behind the rest', under('    commands: ["git ... status"]\n'), ['4:16 error command_unreadable']],
  ['a marker that there is not', under('    commands: ["cat {path}"]\n'), ['4:16 error command_unreadable']],
  ['a variable in a command', under('    commands: ["cat $HOME"]\n'), ['4:16 error never_matches']],
  ['every command and some', under('    tools: [terminal]\n    commands: [make]\n'), ['5:5 error command_and_tool']],
  [
    'a day that there is not',
    under('    grants:\n      - tools: [memory]\n        expires: 2027-02-30\n'),
    ['6:18 error wrong_value'],
  ],
  [
    'a time without a zone',
    under('    grants:\n      - tools: [memory]\n        expires: 2027-02-03T10:00\n'),
    ['6:18 error wrong_value'],
  ],
  ['a number for a day', under('    grants:\n      - tools: [memory]\n        expires: 2027\n'), ['6:18 error wrong_type']],
  ['an empty context', under('    grants:\n      - tools: [memory]\n        when: {}\n'), ['6:15 error wrong_value']],
  [
    'an empty list of platforms',
    under('    grants:\n      - tools: [memory]\n        when: { platform: [] }\n'),
    ['6:27 error never_matches'],
  ],
  [
    'a word for subagent',
    under('    grants:\n      - tools: [memory]\n        when: { subagent: "yes" }\n'),
    ['6:27 error wrong_type'],
  ],
  ['a key twice', under('    tools: [memory]\n    tools: [todo]\n'), ['5:5 error duplicate_key']],
  ['a merge', under('    <<: { tools: [memory] }\n'), ['4:5 error merge_key']],
  ['a skill without a name', 'version: 1\nskills: { "": {} }\n', ['2:11 error empty_pattern']],
]

for (const [name, text, problems, says] of bad) {
  test(`row C8: ${name} is refused, with line and column`, () => {
    const { allowlist, problems: found } = read(text)
    assert.equal(told(text), problems)
    assert.is(allowlist, undefined, 'half an allowlist is never used')
    for (const { message } of found) assert.ok(message.length > 0 && !message.includes('\n'), message)
    if (says !== undefined) assert.match(found.map(({ message }) => message).join('\n'), says)
  })
}

test('row C8: all that is wrong is told at once, in the order of the file', () => {
  const text = 'version: 3\nskils: {}\nskills:\n  "*":\n    tools: [read_fil]\n    paths: [$NOPE, relative]\n  "*": {}\n'
  assert.equal(told(text), [
    '1:10 error wrong_version',
    '2:1 error unknown_key',
    '5:13 error misspelt_tool',
    '6:13 error unset_variable',
    '6:20 error outside_every_root',
    '7:3 error duplicate_key',
  ])
})

test('what is odd and no error is told beside, and the allowlist is used', () => {
  for (const [text, problems] of [
    [under('    tools: [terminal]\n'), ['4:13 warning every_command']],
    [under('    tools: [memory, "*"]\n'), ['4:21 warning every_command']],
    [under('    tools: [bash]\n'), ['4:13 warning every_command']],
    [under('    tools: [memory, read_file]\n'), ['4:21 warning no_paths']],
    [under('    tools: [read_file]\n    paths: [~/desk/]\n'), ['5:13 warning no_paths']],
    [under('    grants:\n      - tools: [memory]\n        expires: 2026-11-30\n'), ['6:18 warning expired']],
    [under('    grants:\n      - tools: [memory]\n        when: { subagent: true }\n'), ['6:17 warning children_only']],
    [under('    tools: [mcp_git_hub]\n'), ['4:13 warning ambiguous_server']],
  ] as const) {
    assert.equal(told(text), problems, text)
    assert.ok(read(text).allowlist !== undefined)
  }
})

test('tools of servers and plugins are taken as they are, and a name like one of the host’s with a wildcard', () => {
  const text = under('    tools: ["mcp__github__*", mcp__files, my_plugin_tool, "read_fil?", "browser_*"]\n    paths: [~/a]\n')
  assert.equal(told(text), [])
})

test('an allowlist of nothing but its version grants nothing, and is no mistake', () => {
  assert.equal(read('version: 1\n'), {
    problems: [],
    allowlist: { version: 1, skills: [], requireApproval: [], deny: { tools: [], paths: [], commands: [] } },
  })
})

test('without a home folder ~ is not guessed', () => {
  assert.equal(told(under('    tools: [read_file]\n    paths: [~/a]\n'), { home: undefined }), ['5:13 error unset_variable'])
})

test('on Windows drives and both slashes are read, and relative ones refused', () => {
  const text = under("    tools: [read_file]\n    paths: ['c:/desk/**', 'D:\\a\\..\\b', '~\\notes\\**']\n")
  const { allowlist, problems } = read(text, { pathStyle: 'windows', home: 'C:\\Users\\ann' })
  assert.equal(problems, [])
  assert.equal(
    allowlist?.skills[0]?.grants[0]?.paths.map(({ pattern }) => pattern),
    ['C:\\desk\\**', 'D:\\b', 'C:\\Users\\ann\\notes\\**'],
  )
  assert.equal(told(under('    tools: [read_file]\n    paths: [/desk]\n'), { pathStyle: 'windows' }), [
    '5:13 error outside_every_root',
  ])
})

test('the same file gives the same bytes, and normalising a pattern twice is normalising it once', () => {
  assert.is(JSON.stringify(read(seeds)), JSON.stringify(read(seeds)))
  const name = fc.constantFrom('a', 'b*', '.', '..', '', '**', '?', 'x y')
  fc.assert(
    fc.property(fc.array(name, { maxLength: 7 }), (names) => {
      const once = read(under(`    tools: [read_file]\n    paths: [${JSON.stringify(`/${names.join('/')}`)}]\n`)).allowlist
      const pattern = once?.skills[0]?.grants[0]?.paths[0]?.pattern
      if (pattern === undefined) return
      const twice = read(under(`    tools: [read_file]\n    paths: [${JSON.stringify(pattern)}]\n`)).allowlist
      assert.is(twice?.skills[0]?.grants[0]?.paths[0]?.pattern, pattern)
    }),
    { numRuns: 300, seed: 6 },
  )
})

test.run()
