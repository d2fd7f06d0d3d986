// Which grants count for a call: those that name its tool, hold in its context and have not run out; and that looking twice changes nothing.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Allowlist } from '../../../src/gates/capability/allowlist.js'
import { type CallContext, grantsEveryCommand, type LiveGrants, toolGrants } from '../../../src/gates/capability/live-grants.js'
import { allowlistOf, cli, noon } from '../../support/capability-calls.js'

const test = suite('live-grants')

const nightly: CallContext = { platform: 'cron', job: 'nightly', subagent: false }

const liveOf = (
  allowlist: Allowlist,
  tool: string,
  context: CallContext | undefined = cli,
  time = noon,
): LiveGrants | undefined => toolGrants(allowlist, '*', tool).skill?.live(context, time)

/** The patterns of the live grants; `no` where none names the tool. */
function patternsOf(live: LiveGrants | undefined): string {
  return live?.isToolGranted === true ? live.paths.map(({ pattern }) => pattern).join(' ') : 'no'
}

const contexts = allowlistOf(`version: 1
skills:
  "*":
    tools: [read_file]
    paths: [/every]
    grants:
      - { tools: [read_file], paths: [/cron], when: { platform: cron } }
      - { tools: [read_file], paths: [/nightly], when: { platform: [cron, cli], job: nightly } }
      - { tools: [read_file], paths: [/grown], when: { subagent: false } }
      - { tools: [write_file], paths: [/other] }
`)

test('grants whose context holds are put together, in their order', () => {
  assert.is(patternsOf(liveOf(contexts, 'read_file')), '/every /grown')
  assert.is(patternsOf(liveOf(contexts, 'read_file', nightly)), '/every /cron /nightly /grown')
  assert.is(patternsOf(liveOf(contexts, 'read_file', { ...nightly, job: 'weekly' })), '/every /cron /grown')
  assert.is(patternsOf(liveOf(contexts, 'read_file', { ...nightly, subagent: true })), '/every /cron /nightly')
})

test('of an unknown context no grant holds that names one', () => {
  assert.is(patternsOf(toolGrants(contexts, '*', 'read_file').skill?.live(undefined, noon)), '/every')
})

test('a job is not taken for another one whose name begins alike, nor none for an empty one', () => {
  const live = (context: CallContext) => patternsOf(liveOf(contexts, 'read_file', context))
  assert.is(live({ platform: 'cli', job: 'nightly false', subagent: false }), '/every /grown')
  assert.is(live({ platform: 'cli', job: '', subagent: false }), '/every /grown')
  assert.is(live({ platform: 'cli', job: ' ', subagent: false }), '/every /grown')
  assert.is(live({ platform: 'cli', subagent: false }), '/every /grown')
})

test('a skill that is not listed is nothing, and a listed one without grants has no tool', () => {
  const allowlist = allowlistOf('version: 1\nskills: { "*": { tools: [todo] }, empty: {} }\n')
  assert.is(toolGrants(allowlist, 'nobody', 'todo').skill, undefined)
  assert.is(toolGrants(allowlist, 'empty', 'todo').skill?.live(cli, noon).isToolGranted, false)
})

test('a grant ends at its instant, to either side of it and in whichever order it is asked', () => {
  const allowlist = allowlistOf(`version: 1
skills:
  "*":
    grants:
      - { tools: [read_file], paths: [/long], expires: 2027-01-01 }
      - { tools: [read_file], paths: [/short], expires: 2026-12-01T06:00:00Z }
`)
  const asked = [
    ['2026-11-30T12:00:00.000Z', '/long /short'],
    ['2026-12-01T05:59:59.999Z', '/long /short'],
    ['2026-12-01T06:00:00.000Z', '/long'],
    ['2026-12-31T23:59:59.999Z', '/long'],
    ['2027-01-01T00:00:00.000Z', 'no'],
    ['2026-12-15T00:00:00.000Z', '/long'],
    ['2026-11-30T12:00:00.000Z', '/long /short'],
  ] as const
  for (const [time, patterns] of [...asked, ...asked.toReversed()])
    assert.is(patternsOf(liveOf(allowlist, 'read_file', cli, time)), patterns, time)
})

test('with what has run out all of them count, in their context still', () => {
  const allowlist = allowlistOf(
    'version: 1\nskills: { "*": { grants: [{ tools: [todo], when: { platform: cron }, expires: 2020-01-01 }] } }\n',
  )
  const skill = toolGrants(allowlist, '*', 'todo').skill
  assert.is(skill?.live(nightly, noon).isToolGranted, false)
  assert.is(skill?.live(nightly, noon, 'expired').isToolGranted, true)
  assert.is(skill?.live(cli, noon, 'expired').isToolGranted, false)
})

test('a tool that runs commands is granted by them, every command by its name alone', () => {
  const some = allowlistOf('version: 1\nskills: { "*": { commands: [git status] } }\n')
  assert.equal(flags(liveOf(some, 'terminal')), [true, false, 1])
  assert.equal(flags(liveOf(some, 'read_file')), [false, false, 0])
  const every = allowlistOf('version: 1\nskills: { "*": { tools: [terminal] } }\n')
  assert.equal(flags(liveOf(every, 'terminal')), [true, true, 0])
  assert.is(grantsEveryCommand(some), false)
  assert.is(grantsEveryCommand(every), true)
  assert.is(grantsEveryCommand(allowlistOf('version: 1\nskills: { "*": { tools: ["t*"] } }\n')), true)
})

test('the deny list and the approvals say whether they name the tool', () => {
  const allowlist = allowlistOf('version: 1\nrequire_approval: ["write_*"]\nskills: {}\ndeny: { tools: [mcp__github] }\n')
  const told = (tool: string) => {
    const { isDenied, isApprovalNeeded } = toolGrants(allowlist, '*', tool)
    return [isDenied, isApprovalNeeded]
  }
  assert.equal(told('write_file'), [false, true])
  assert.equal(told('mcp__github__push'), [true, false])
  assert.equal(told('read_file'), [false, false])
})

test('the same grants are the same list each time, and another tool does not change them', () => {
  const first = liveOf(contexts, 'read_file', nightly)
  assert.is(patternsOf(liveOf(contexts, 'write_file', nightly)), '/other')
  assert.is(liveOf(contexts, 'read_file', nightly)?.paths, first?.paths)
  assert.is(liveOf(contexts, 'read_file', nightly, '2026-11-30T12:00:01.000Z')?.paths, first?.paths)
})

test('a flood of names does not change what is granted', () => {
  for (let n = 0; n < 3000; n++) {
    assert.is(toolGrants(contexts, `skill ${n}`, `tool ${n}`).skill, undefined)
    assert.is(patternsOf(liveOf(contexts, 'read_file', { platform: `p${n}`, subagent: false })), '/every /grown')
  }
  assert.is(patternsOf(liveOf(contexts, 'read_file', nightly)), '/every /cron /nightly /grown')
})

function flags(live: LiveGrants | undefined): unknown[] {
  return [live?.isToolGranted, live?.isEveryCommand, live?.commands.length]
}

test.run()
