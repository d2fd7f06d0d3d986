// The capability gate in front of a real service: what is granted runs, what is not granted does not, what needs a person is asked; each
// decision is on disk before its answer, and observing decides the same and holds nobody.
// time limit: 300 s
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { AttachedHost, type Payload } from '../support/attached-host.js'
import { type ExportedLine, exportedLines } from '../support/exported-lines.js'
import { briefly, callIn, capabilityDecisions, grantedHome, outcomeOf, projectFolder } from '../support/granted-home.js'
import { endServices, startServiceProcess } from '../support/service-process.js'

const test = suite('capability')
test.after(endServices)

const folder = projectFolder()
const grants = {
  version: 1,
  require_approval: ['execute_code'],
  skills: { '*': { tools: ['read_file', 'execute_code'], paths: [{ path: `${folder}/docs/**`, access: 'read' }] } },
}
const allowlist = JSON.stringify(grants)

/** A granted one, two that nothing grants, and one that a person approves by hand. */
function fourCalls(session: string): Payload[] {
  return [
    callIn(folder, 'read_file', { path: 'docs/notes.md' }, { session, call: 'call-1' }),
    callIn(folder, 'write_file', { path: 'docs/notes.md', content: 'x' }, { session, call: 'call-2' }),
    callIn(folder, 'read_file', { path: 'docs/../../elsewhere.txt' }, { session, call: 'call-3' }),
    callIn(folder, 'execute_code', { code: 'print(1)' }, { session, call: 'call-4' }),
  ]
}

const granted = grantedHome({ allowlist })
const host = new AttachedHost(granted.home)
let lines: ExportedLine[] = []

test.before(async () => {
  await startServiceProcess(granted.home)
  await host.attach()
})
test.after(() => host.close())

async function answersTo(payloads: readonly Payload[]): Promise<Record<string, unknown>[]> {
  const answers: Record<string, unknown>[] = []
  for (const payload of payloads) answers.push((await host.hook(payload)).directive ?? { none: true })
  return answers
}

test('row C10: while it observes every call is let through, whatever is decided', async () => {
  assert.equal(await answersTo(fourCalls('observed')), [{}, {}, {}, {}])
})

test('rows C1, C11: while it enforces a granted call runs, two that are not granted are blocked, and one is put before a person', async () => {
  granted.setMode('enforce')
  const calls = fourCalls('enforced')
  const answers = await answersTo(calls)
  assert.equal(
    answers.map(({ action }) => action),
    [undefined, 'block', 'block', 'approve'],
  )
  assert.equal(answers[0], {})
  assert.equal(Object.keys(answers[3] ?? {}).sort(), ['action', 'message', 'rule_key'])
  const came = ['ok', 'blocked', 'blocked', 'ok']
  for (const [at, call] of calls.entries()) assert.equal((await host.hook(outcomeOf(call, came[at] ?? ''))).directive, {})
})

test('row C1: each decision stands behind its call, and below the outcome', () => {
  lines = exportedLines(granted.home)
  const decisions = capabilityDecisions(lines)
  const four = ['allow granted', 'deny tool_not_granted', 'deny path_not_granted', 'ask approval_required']
  assert.equal(decisions.map(briefly), [...four, ...four])
  const proposed = lines.filter(({ type }) => type === 'access.proposed')
  assert.equal(
    decisions.map(({ data }) => data['judges']),
    proposed.map(({ index }) => index),
  )
  const outcomes = lines.filter(({ type }) => type === 'tool.completed')
  assert.is(outcomes.length, 4)
  for (const [at, outcome] of outcomes.entries()) {
    const decision = decisions[4 + at]
    const access = proposed[4 + at]
    assert.is(outcome.data['requested'], access?.data['call'], 'the outcome names the call that was judged')
    assert.ok(Number(outcome.data['requested']) < Number(access?.index))
    assert.ok(Number(access?.index) < Number(decision?.index) && Number(decision?.index) < outcome.index)
  }
  assert.equal(
    lines.filter(({ type }) => type === 'mismatch.found'),
    [],
  )
})

/** What an entry says, with every place in the ledger counted from a first one. */
function said({ index, type, data, words }: ExportedLine, first: ExportedLine): object {
  const places = ['call', 'judges', 'asOf']
  const numbers = Object.entries(data).map(([name, value]): [string, unknown] => [
    name,
    places.includes(name) ? Number(value) - first.index : value,
  ])
  // The commitment to the words has chance in it; they are compared themselves.
  const { words: _, seq: __, at: ___, mode: ____, enforced: _____, ...facts } = Object.fromEntries(numbers)
  return { index: index - first.index, type, facts, words }
}

test('row C10: observing leaves the same entries as enforcing, but for `mode` and `enforced`', () => {
  const wanted = ['tool.requested', 'access.proposed', 'gate.decided']
  const handles = [...new Set(lines.filter(({ type }) => type === 'tool.requested').map(({ session }) => session))]
  assert.is(handles.length, 2)
  const [observed = [], enforced = []] = handles.map((handle) =>
    lines.filter(({ session, type }) => session === handle && wanted.includes(type)),
  )
  const told = (of: readonly ExportedLine[]) => of.flatMap((line) => (of[0] === undefined ? [] : [said(line, of[0])]))
  assert.equal(told(observed), told(enforced))
  const modes = (of: readonly ExportedLine[]) => capabilityDecisions(of).map(({ data }) => `${data['mode']} ${data['enforced']}`)
  assert.equal(modes(observed), Array(4).fill('observe false'))
  assert.equal(modes(enforced), Array(4).fill('enforce true'))
})

test('a decision names the policy in force, and the paths as they were asked for and as they lead', () => {
  const activated = lines.filter(({ type }) => type === 'policy.activated')
  assert.is(activated.length, 1)
  assert.is(activated[0]?.words?.['text'], allowlist)
  const [read, , climbed] = capabilityDecisions(lines)
  assert.is(read?.data['policy'], activated[0]?.data['digest'])
  assert.equal(read?.words?.['paths'], [{ asked: 'docs/notes.md', resolved: join(folder, 'docs', 'notes.md') }])
  assert.equal(climbed?.words?.['paths'], [{ asked: 'docs/../../elsewhere.txt', resolved: join(folder, '..', 'elsewhere.txt') }])
})

test('the message of a block says what was missing and how the owner grants it; granted so, the call runs', async () => {
  const blocked = async (call: string) =>
    (await answersTo([callIn(folder, 'read_file', { path: 'plans.md' }, { session: 'mended', call })]))[0] ?? {}
  const { action, message } = await blocked('call-1')
  assert.is(action, 'block')
  const told = String(message)
  assert.ok(told.includes(`path_not_granted: \`plans.md\` (${folder}/plans.md) is granted to the skill \`*\``), told)
  assert.match(
    told,
    /by nothing, and read_file would read it\. The owner can grant it in the allowlist: `.*`, then `stele policy use`\.$/,
  )
  const line = /The owner can grant it in the allowlist: `(.*)`, then/.exec(told)?.[1] ?? ''
  const [skill, more] = Object.entries((parse(`{ ${line} }`) as { skills: Record<string, { paths: object[] }> }).skills)[0] ?? []
  assert.is(skill, '*')
  assert.equal(more, { paths: [{ path: `${folder}/plans.md`, access: 'read' }] })
  const bucket = grants.skills['*']
  const wider = { ...grants, skills: { '*': { ...bucket, paths: [...bucket.paths, ...(more?.paths ?? [])] } } }
  granted.writeAllowlist(JSON.stringify(wider))
  assert.is((await blocked('call-2')).action, 'block', 'the file alone grants nothing more')
  const used = granted.owner('policy', 'use')
  assert.is(used.status, 0, used.stderr)
  assert.equal(await blocked('call-3'), {})
})

test('the message of a denied tool names the tool, and the line that would grant it', async () => {
  const [answer] = await answersTo([callIn(folder, 'web_search', { query: 'x' }, { session: 'tool' })])
  assert.is(
    answer?.['message'],
    'tool_not_granted: the skill `*` (calls that name none) has no grant of the tool web_search. ' +
      'The owner can grant it in the allowlist: `skills: { "*": { tools: ["web_search"] } }`, then `stele policy use`.',
  )
})

test('a call that ran against a denial, and one that ran with no gate asked, are found afterwards', async () => {
  const before = exportedLines(granted.home).length
  const denied = callIn(folder, 'write_file', { path: 'docs/notes.md', content: 'y' }, { session: 'ran', call: 'call-1' })
  const unasked = callIn(folder, 'write_file', { path: 'docs/other.md', content: 'z' }, { session: 'ran', call: 'call-2' })
  assert.is((await answersTo([denied]))[0]?.['action'], 'block')
  await answersTo([outcomeOf(denied, 'ok'), outcomeOf(unasked, 'ok')])
  const found = exportedLines(granted.home).slice(before)
  const [decision] = capabilityDecisions(found)
  assert.equal(
    found.flatMap(({ type, data }) => (type === 'mismatch.found' ? [[data['kind'], data['decision']]] : [])),
    [
      ['denied', decision?.index],
      ['undecided', undefined],
    ],
  )
})

test.run()
