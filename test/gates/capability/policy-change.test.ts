// Holds the comparison of allowlists to its promise: what is called narrower never allows what the other denies, and people see what changed.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Allowlist } from '../../../src/gates/capability/allowlist.js'
import { decide } from '../../../src/gates/capability/decide.js'
import { allowlistText, policyChange } from '../../../src/gates/capability/policy-change.js'
import { allowlistOf, changedAllowlist, policyOf, randomAllowlist, randomCall } from '../../support/capability-calls.js'
import { makeRandom } from '../../support/seeded-random.js'

const test = suite('policy-change')

const severity = { allow: 0, ask: 1, deny: 2 }

function decided(allowlist: Allowlist, { call, access }: ReturnType<typeof randomCall>) {
  return decide(policyOf([allowlist]), call, access)
}

test('what is narrower never allows what the other asks about or denies, in random pairs and calls', () => {
  const random = makeRandom(61)
  let narrower = 0
  let narrowerAndDifferent = 0
  let allowed = 0
  for (let pair = 0; pair < 1500; pair += 1) {
    const before = randomAllowlist(random)
    const after = random.chance(10) ? randomAllowlist(random) : changedAllowlist(random, before)
    if (!policyChange(before, after, 'posix').isNarrower) continue
    narrower += 1
    if (allowlistText(before) !== allowlistText(after)) narrowerAndDifferent += 1
    for (let one = 0; one < 40; one += 1) {
      const called = randomCall(random)
      const now = decided(after, called)
      if (now.verdict === 'allow') allowed += 1
      const was = decided(before, called)
      assert.ok(severity[now.verdict] >= severity[was.verdict], JSON.stringify({ before, after, called, was, now }))
    }
  }
  // What was tried is worth trying.
  assert.ok(narrower > 150 && narrowerAndDifferent > 75 && allowed > 300, `${narrower} ${narrowerAndDifferent} ${allowed}`)
})

const star = (lines: string): string => `version: 1\nskills:\n  "*":\n${lines}`
const isNarrower = (before: string, after: string): boolean =>
  policyChange(allowlistOf(before), allowlistOf(after), 'posix').isNarrower

test('taking away is narrower, and adding is not', () => {
  const both = star('    tools: [read_file, write_file]\n    paths: [/w/**, /n/**]\n')
  const one = star('    tools: [read_file]\n    paths: [/w/**]\n')
  assert.equal([isNarrower(both, both), isNarrower(both, one), isNarrower(one, both)], [true, true, false])
  assert.is(isNarrower('version: 1\n', one), false)
  assert.is(isNarrower(one, 'version: 1\n'), true)
})

/** Before, after, whether after is narrower, and whether the other way round. */
const pairs: readonly (readonly [name: string, before: string, after: string, narrower: boolean, wider: boolean])[] = [
  ['a folder within', 'tools: [read_file]\n    paths: [/w/**]', 'tools: [read_file]\n    paths: [/w/a/*.md]', true, false],
  [
    'reading alone',
    'tools: [patch]\n    paths: [/w/**]',
    'tools: [patch]\n    paths: [{ path: /w/**, access: read }]',
    true,
    false,
  ],
  ['a tool of a server', 'tools: [mcp__github]', 'tools: [mcp__github__search]', true, false],
  ['the same in the older form', 'tools: ["mcp__github__*"]', 'tools: ["mcp_github_*"]', false, true],
  ['some commands in the place of all', 'tools: [terminal]', 'commands: [git status]', true, false],
  ['a command with fewer words left open', 'commands: ["git log ..."]', 'commands: ["git log *"]', true, false],
  ['a path in the place of any word', 'commands: ["cat *"]', 'commands: ["cat {read}"]', true, false],
  ['a word that climbs', 'commands: ["run a/*"]', 'commands: [run a/../b]', false, false],
  ['a program by its path', 'commands: ["git *"]', 'commands: ["./git *"]', false, false],
  ['only for a platform', 'tools: [memory]', 'grants: [{ tools: [memory], when: { platform: cron } }]', true, false],
  ['until a day', 'tools: [memory]', 'grants: [{ tools: [memory], expires: 2099-01-01 }]', true, false],
  [
    'an earlier day',
    'grants: [{ tools: [memory], expires: 2099-01-01 }]',
    'grants: [{ tools: [memory], expires: 2098-01-01 }]',
    true,
    false,
  ],
]

for (const [name, before, after, narrower, wider] of pairs) {
  test(`${name} is ${narrower ? 'narrower' : wider ? 'wider' : 'neither narrower nor wider'}`, () => {
    const [one, other] = [star(`    ${before}\n`), star(`    ${after}\n`)]
    assert.equal([isNarrower(one, other), isNarrower(other, one)], [narrower, wider])
  })
}

test('denying less, or asking less, is not narrower', () => {
  const strict = `${star('    tools: [memory]\n')}require_approval: [memory]\ndeny: { tools: [todo], paths: [/s/**], commands: ["rm ..."] }\n`
  for (const [from, to] of [
    ['require_approval: [memory]\n', ''],
    ['tools: [todo], ', ''],
    ['paths: [/s/**], ', 'paths: [/s/a/**], '],
    ['commands: ["rm ..."]', 'commands: [rm]'],
  ] as const) {
    const loose = strict.replace(from, to)
    assert.equal([isNarrower(strict, loose), isNarrower(loose, strict)], [false, true], from)
  }
})

test('where a pattern led counts too: a link below what is granted may lead out of it', () => {
  const of = (paths: Allowlist['deny']['paths']): Allowlist => ({
    ...{ version: 1, requireApproval: [], deny: { tools: [], paths: [], commands: [] } },
    skills: [{ name: '*', grants: [{ tools: ['read_file'], paths, commands: [] }] }],
  })
  const wide = of([{ pattern: '/w/**', access: 'any' }])
  const within = of([{ pattern: '/w/a/**', access: 'any', resolvedPattern: '/w/b/**' }])
  const out = of([{ pattern: '/w/a/**', access: 'any', resolvedPattern: '/secret/**' }])
  assert.equal(
    [within, out].map((after) => policyChange(wide, after, 'posix').isNarrower),
    [true, false],
  )
})

test('a change is told grant by grant, with what came and went in each', () => {
  const before = allowlistOf(`version: 1
require_approval: [memory]
skills:
  "*":
    tools: [read_file, patch]
    paths: [/w/**]
    grants: [{ tools: [todo], when: { platform: cron } }, { tools: [clarify], when: { job: old } }]
  gone: { tools: [memory] }
  same: { tools: [memory] }
`)
  const after = allowlistOf(`version: 1
skills:
  "*":
    tools: [read_file]
    paths: [/w/a/**]
    grants: [{ tools: [todo, memory], commands: [make], when: { platform: cron } }]
  same: { tools: [memory] }
  new: { commands: ["git log ..."] }
deny: { paths: [{ path: /s/**, access: read }] }
`)
  const { isNarrower: narrower, grants, rules } = policyChange(before, after, 'posix')
  assert.is(narrower, false)
  assert.equal(
    grants.map(({ kind, skill, parts }) => [kind, skill, parts.map((one) => `${one.kind} ${one.part} ${one.text}`)]),
    [
      ['narrowed', '*', ['removed tools patch', 'removed paths /w/**', 'added paths /w/a/**']],
      ['widened', '*', ['added tools memory', 'added commands make']],
      ['removed', '*', ['removed tools clarify', 'removed when job: old']],
      ['removed', 'gone', ['removed tools memory']],
      ['added', 'new', ['added commands git log ...']],
    ],
  )
  assert.equal(rules, [
    { part: 'require_approval', kind: 'removed', text: 'memory' },
    { part: 'deny.paths', kind: 'added', text: '/s/** (read)' },
  ])
  assert.equal(policyChange(before, before, 'posix'), { isNarrower: true, grants: [], rules: [] })
})

test('equal allowlists have one text, whatever the order in which their members were made', () => {
  const one = allowlistOf('version: 1\nskills: { a: { tools: [memory], paths: [] } }\n')
  const other = allowlistOf('skills:\n  a:\n    paths: []\n    tools:\n      - memory\nversion: 1\n')
  assert.is(allowlistText(one), allowlistText(other))
  assert.is(
    allowlistText(one),
    '{"deny":{"commands":[],"paths":[],"tools":[]},"requireApproval":[],"skills":[{"grants":[{"commands":[],"paths":[],"tools":["memory"]}],"name":"a"}],"version":1}',
  )
})

test.run()
