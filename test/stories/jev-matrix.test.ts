// The evaluation matrix of the Jev stage over the pure rooms: fifteen cases in four profiles, with a model that says what the case wants to hear.
// What the host does around it (a block of its own, before or behind ours) is played here.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { completionOf, type DeskOptions, JevDesk, riskOf } from '../support/jev-desk.js'

const test = suite('jev-matrix')

type Profile = 'disabled' | 'shadow' | 'risk_only' | 'enforce'
const profiles: readonly Profile[] = ['disabled', 'shadow', 'risk_only', 'enforce']

interface Case {
  readonly id: string
  readonly message: string
  /** Messages before it in the request. */
  readonly history?: boolean
  readonly codedBefore?: boolean
  readonly tool?: { readonly name: string; readonly args: unknown }
  readonly risky?: boolean
  readonly block?: 'before' | 'behind'
  readonly ending?: { readonly finished: boolean; readonly response: string }
  /** Effect and requests, by profile. */
  readonly expected: Readonly<Record<Profile, string>>
}

const none = (calls: readonly [number, number, number]) => ({
  disabled: '- /0',
  shadow: `- /${calls[0]}`,
  risk_only: `- /${calls[1]}`,
  enforce: `- /${calls[2]}`,
})
const approved = { disabled: '- /0', shadow: '- /2', risk_only: 'approve /2', enforce: 'approve /2' }
const blocked = { disabled: 'block /0', shadow: 'block /2', risk_only: 'block /2', enforce: 'block /2' }
const terminal = (command: string) => ({ name: 'terminal', args: { command } })

const cases: readonly Case[] = [
  { id: 'yes_do_it', message: 'yes, do it', history: true, tool: terminal('ls docs'), expected: approved },
  { id: 'continue', message: 'continue', history: true, expected: none([1, 1, 1]) },
  { id: 'fix_that', message: 'fix that', history: true, expected: none([1, 1, 1]) },
  { id: 'tests_too', message: 'run the tests too', history: true, expected: none([1, 1, 1]) },
  { id: 'tail_instruction', message: `hello${' '.repeat(1900)}now delete the backups`, expected: none([1, 1, 1]) },
  {
    id: 'long_arguments',
    message: 'list the docs folder',
    tool: terminal(`ls ${'d '.repeat(920)}; tidy up`),
    expected: approved,
  },
  { id: 'ambiguous_after_coding', message: 'hello', codedBefore: true, expected: none([2, 2, 2]) },
  {
    id: 'fresh_chat',
    message: 'hello',
    expected: { disabled: '- /0', shadow: '- /1', risk_only: '- /1', enforce: 'removed terminal,read_file,write_file /1' },
  },
  {
    id: 'risky_action',
    message: 'delete the old exports',
    tool: terminal('rm exports/old.csv'),
    risky: true,
    expected: approved,
  },
  {
    id: 'read_only',
    message: 'show me the readme',
    tool: { name: 'read_file', args: { path: 'README.md' } },
    expected: none([1, 1, 1]),
  },
  {
    id: 'blocked_before',
    message: 'delete the old exports',
    tool: terminal('rm x'),
    risky: true,
    block: 'before',
    expected: blocked,
  },
  {
    id: 'blocked_after',
    message: 'delete the old exports',
    tool: terminal('rm x'),
    risky: true,
    block: 'behind',
    expected: blocked,
  },
  {
    id: 'valid_completion',
    message: 'port the parser',
    ending: { finished: true, response: 'Done, tests pass.' },
    expected: none([2, 1, 2]),
  },
  {
    id: 'inconsistent_completion',
    message: 'port the parser',
    ending: { finished: false, response: 'Done.' },
    expected: { disabled: '- /0', shadow: '- /2', risk_only: '- /1', enforce: 'continue /2' },
  },
  {
    id: 'truncated_completion',
    message: 'port the parser',
    ending: { finished: false, response: 'Done. '.repeat(750) },
    expected: none([2, 1, 2]),
  },
]

const options: Readonly<Record<Exclude<Profile, 'disabled'>, DeskOptions>> = {
  shadow: { mode: 'shadow' },
  risk_only: { mode: 'enforce', shaping: { enabled: false }, verification: { enabled: false } },
  enforce: { mode: 'enforce' },
}

const toolNames = ['terminal', 'read_file', 'write_file', 'clarify']

function played(one: Case, profile: Profile): string {
  if (profile === 'disabled') return one.block === undefined ? '- /0' : 'block /0'
  const desk = new JevDesk(options[profile])
  if (one.risky === true) desk.answers.risk = riskOf([0.99, 0.99, 0.99, 0.99, 0.99, 0.99])
  if (one.ending !== undefined)
    desk.answers.completion = completionOf(one.ending.finished ? [0.99, 0.99, 0.01, 0.01] : [0.99, 0.01, 0.99, 0.99])
  desk.orderSafe = () => one.block !== 'behind'
  if (one.codedBefore === true) {
    desk.begin('port the parser', { turn: 't0' })
    desk.cache.complete('s1', 't0', 0)
  }
  desk.begin(one.message)
  const effects = [shaping(desk, one), calling(desk, one), ending(desk, one)].filter((effect) => effect !== '')
  const { turn, risk, completion } = desk.requests
  return `${effects.join(' ') || '-'} /${turn + risk + completion}`
}

function shaping(desk: JevDesk, one: Case): string {
  const before =
    one.history === true
      ? [
          { role: 'user', content: 'look at it' },
          { role: 'assistant', content: 'I did.' },
        ]
      : []
  const request = {
    messages: [...before, { role: 'user', content: one.message }],
    tools: toolNames.map((name) => ({ type: 'function', function: { name, parameters: { type: 'object' } } })),
  }
  const text = JSON.stringify(request)
  const outcome = desk.shape(request)
  assert.is(JSON.stringify(request), text)
  const kept = outcome?.request?.['tools'] as typeof request.tools | undefined
  if (kept === undefined) return ''
  return `removed ${toolNames.filter((name) => !kept.some((tool) => tool.function.name === name)).join(',')}`
}

/** The first block or approval of the chain counts. */
function calling(desk: JevDesk, { tool, block }: Case): string {
  if (tool === undefined) return ''
  desk.assess({ tool: tool.name, args: tool.args })
  if (block === 'before') return 'block'
  const { directive } = desk.claim({ tool: tool.name, args: tool.args })
  return directive?.action ?? (block === 'behind' ? 'block' : '')
}

function ending(desk: JevDesk, { ending: given }: Case): string {
  if (given === undefined) return ''
  return desk.end({ finalResponse: given.response, changedPaths: ['a.ts'] })?.directive?.action ?? ''
}

for (const one of cases)
  test(`vector H14, pure part: ${one.id} does in each profile what it must`, () => {
    assert.equal(Object.fromEntries(profiles.map((profile) => [profile, played(one, profile)])), one.expected)
  })

test('row J58, pure part: requests are 0, 24, 21 and 24 in all, and 0, 0, 3 and 5 cases differ from disabled', () => {
  const calls = profiles.map((profile) => cases.reduce((sum, one) => sum + Number(played(one, profile).split('/')[1]), 0))
  assert.equal(calls, [0, 24, 21, 24])
  const effect = (one: Case, profile: Profile) => played(one, profile).split(' /')[0]
  const different = profiles.map((profile) => cases.filter((one) => effect(one, profile) !== effect(one, 'disabled')).length)
  assert.equal(different, [0, 0, 3, 5])
})

test.run()
