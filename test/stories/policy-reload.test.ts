// Rows C8, C12, C16: an allowlist that is edited under a running service, as its owner sees it: `stele status`, `stele doctor` and
// `stele policy show` say what is in force, what waits and what cannot be used, and the next call is judged by it.
// time limit: 300 s
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AttachedHost } from '../support/attached-host.js'
import { type ExportedLine, exportedLines } from '../support/exported-lines.js'
import { briefly, callIn, capabilityDecisions, grantedHome } from '../support/granted-home.js'
import { endServices, type ServiceProcess, startServiceProcess, writeSettings } from '../support/service-process.js'
import { json } from '../support/stele-command.js'

const test = suite('policy reload')
test.after(endServices)

const granted = grantedHome({ mode: 'enforce' })
const host = new AttachedHost(granted.home)

let service: ServiceProcess

test.before(async () => {
  service = await startServiceProcess(granted.home)
  await host.attach()
})
test.after(() => host.close())

const grants = (...tools: string[]): string => `version: 1\nskills:\n  "*":\n    tools: [${tools.join(', ')}]\n`

let calls = 0
/** What is decided about a call of a tool, and whether it is held back. */
async function decided(tool: string): Promise<string> {
  calls += 1
  const { directive } = await host.hook(callIn('/srv/agent', tool, {}, { call: `call-${calls}` }))
  const decision = newestDecision()
  return `${decision === undefined ? 'nothing' : briefly(decision)}, ${directive?.['action'] ?? 'runs'}`
}

function newestDecision(): ExportedLine | undefined {
  return capabilityDecisions(exportedLines(granted.home)).at(-1)
}

interface DoctorTold {
  readonly ok: boolean
  readonly findings: readonly { readonly about: string; readonly state: string; readonly says: string; readonly todo: string }[]
}

/** What the doctor says of the grants, and the exit code: 1 where something is wrong. */
function doctor(): { readonly status: number | null; readonly states: string[]; readonly says: string; readonly todo: string } {
  const ran = granted.stele('doctor', '--json')
  const found = json<DoctorTold>(ran).findings.filter(({ about }) => about === 'grants')
  const all = (of: 'says' | 'todo'): string => found.map((one) => one[of]).join('\n')
  return { status: ran.status, states: found.map(({ state }) => state), says: all('says'), todo: all('todo') }
}

test('enforcing without an allowlist: every call is denied, status says that there are no grants, and doctor is red', async () => {
  assert.is(await decided('todo'), 'deny policy_unavailable, block')
  const { status, states, says, todo } = doctor()
  assert.is(status, 1)
  assert.ok(states.includes('wrong'))
  assert.match(says, /calls are held to grants, and there are none/)
  assert.match(todo, /stele policy suggest/)
  assert.match(granted.stele('status').stdout, /^Grants: +none; write them into .*allowlist\.yaml$/m)
  assert.match(
    granted.stele('policy', 'show').stdout,
    /^No allowlist is in force, so nothing is granted\. Its place is .*allowlist\.yaml\.$/m,
  )
})

test('row C16: a first allowlist that is written while it enforces waits for the owner like any that grants more', async () => {
  granted.writeAllowlist(grants('todo', 'clarify'))
  assert.is(await decided('todo'), 'deny policy_unavailable, block')
  assert.match(granted.stele('status').stdout, /^Waiting: +an allowlist that grants more; see `stele policy show`/m)
  const shown = granted.stele('policy', 'show').stdout
  assert.match(shown, /Until `stele policy use` only what both grant is granted/)
  assert.match(shown, /\+ tools: todo/)
  const used = granted.owner('policy', 'use')
  assert.is(used.status, 0, used.stderr)
  assert.is(await decided('todo'), 'allow granted, runs')
  const { status, states } = doctor()
  assert.equal([status, states], [0, ['note']], 'a note on what a check by name cannot see, and nothing wrong')
})

test('row C16: an edited file that grants less is in force at the next call, with its digest in the decision', async () => {
  const before = newestDecision()?.data['policy']
  granted.writeAllowlist(grants('todo'))
  assert.is(await decided('clarify'), 'deny tool_not_granted, block')
  const [activated] = exportedLines(granted.home)
    .filter(({ type }) => type === 'policy.activated')
    .slice(-1)
  assert.equal([activated?.data['how'], activated?.words?.['text']], ['edited', grants('todo')])
  assert.is(newestDecision()?.data['policy'], activated?.data['digest'])
  assert.is.not(activated?.data['digest'], before)
  const digest = String(activated?.data['digest']).slice(0, 12)
  assert.match(granted.stele('status').stdout, new RegExp(`^Grants: +${digest}, from `, 'm'))
  assert.is(
    granted.stele('policy', 'show').stdout,
    `# in force: ${digest}, from ${join(granted.home, 'allowlist.yaml')}\n${grants('todo')}`,
  )
})

test('row C16: a new grant waits, is shown grant by grant, and is in force at the call after `policy use`', async () => {
  granted.writeAllowlist(grants('todo', 'web_search'))
  assert.is(await decided('web_search'), 'deny tool_not_granted, block')
  assert.is(await decided('todo'), 'allow granted, runs')
  assert.match(doctor().says, /an allowlist that grants more waits/)
  assert.match(granted.stele('policy', 'show').stdout, /\*: grant widened\n {2}\+ tools: web_search/)
  assert.is(granted.owner('policy', 'use').status, 0)
  assert.is(await decided('web_search'), 'allow granted, runs')
})

test('row C8: a file that cannot be used is told with its place, turns doctor red, and leaves the last good one in force', async () => {
  granted.writeAllowlist('version: 1\nskills:\n  "*":\n    tools: [web_search]\n    paths: [$NOPE_NOT_SET/x]\n')
  assert.is(await decided('todo'), 'allow granted, runs')
  assert.is(await decided('web_search'), 'allow granted, runs')
  const [rejected] = exportedLines(granted.home)
    .filter(({ type }) => type === 'policy.rejected')
    .slice(-1)
  assert.equal([rejected?.data['code'], rejected?.data['line'], rejected?.data['column']], ['unset_variable', 5, 13])
  const { status, states, says, todo } = doctor()
  assert.equal([status, states], [1, ['wrong']])
  assert.match(says, /allowlist\.yaml cannot be used \(unset_variable\)/)
  assert.match(todo, /stele policy lint/)
  const told = granted.stele('status').stdout
  assert.match(told, /^not fine /)
  assert.match(told, /^Rejected: the allowlist \(unset_variable\); the last good one holds$/m)
  assert.match(
    granted.stele('policy', 'show').stdout,
    /The file as it is cannot be used \(unset_variable\): run `stele policy lint /,
  )
  granted.writeAllowlist(grants('todo', 'web_search'))
  assert.is(await decided('todo'), 'allow granted, runs')
  assert.equal([doctor().status, doctor().states], [0, ['note']])
})

test('a grant of every command turns doctor red while it enforces', async () => {
  granted.writeAllowlist(grants('todo', 'terminal'))
  assert.is(granted.owner('policy', 'use').status, 0)
  const { status, states, says, todo } = doctor()
  assert.is(status, 1)
  assert.ok(states.includes('wrong'))
  assert.match(says, /a grant allows every command, so nothing is out of its reach/)
  assert.match(todo, /grant commands instead of the tool/)
  granted.writeAllowlist(grants('todo'))
  assert.is(await decided('todo'), 'allow granted, runs')
  assert.is(doctor().status, 0)
})

test('row C12: the mode is that of the settings at the moment of the call, in both directions, and one that nobody can read blocks', async () => {
  granted.setMode('observe')
  assert.is(await decided('web_search'), 'deny tool_not_granted, block', 'a loosening by file waits for the owner')
  assert.is(granted.owner('config', 'accept').status, 0)
  assert.is(await decided('web_search'), 'deny tool_not_granted, runs')
  granted.setMode('enforce')
  assert.is(await decided('web_search'), 'deny tool_not_granted, block')
  writeSettings(granted.home, { capability: { mode: 'sometimes' } })
  const { directive } = await host.hook(callIn('/srv/agent', 'todo', {}, { call: 'unresolved' }))
  assert.is(directive?.['action'], 'block', 'granted, and nobody can say that it is')
  assert.match(String(directive?.['message']), /^mode_unresolved_fail_closed:config_invalid: /)
  for (const command of ['status', 'doctor']) {
    const told = granted.stele(command)
    assert.is(told.status, 2, command)
    assert.match(told.stderr, /^stele: CONFIG_INVALID: .*key: capability\.mode, place: config\.yaml/)
  }
  granted.setMode('enforce')
  const unresolved = newestDecision()
  assert.equal([unresolved && briefly(unresolved), unresolved?.data['mode']], ['deny mode_unresolved', 'unresolved'])
  assert.is(await decided('todo'), 'allow granted, runs')
})

test('row C8: over a restart the last allowlist in force holds, also where its file is broken by then', async () => {
  assert.is((await service.end()).code, 0)
  granted.writeAllowlist('skills: [\n')
  await startServiceProcess(granted.home)
  await host.attach()
  assert.is(await decided('todo'), 'allow granted, runs')
  assert.is(await decided('web_search'), 'deny tool_not_granted, block')
  assert.equal([doctor().status, doctor().states], [1, ['wrong']])
})

test.run()
