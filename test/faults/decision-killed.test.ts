// Row C9: the service is killed between the answer to a call and its outcome. Whatever was answered, the decision is on disk, and the outcome
// that comes to the next service names the call that was judged.
// time limit: 300 s
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AttachedHost, type Payload } from '../support/attached-host.js'
import { exportedLines } from '../support/exported-lines.js'
import { briefly, callIn, capabilityDecisions, grantedHome, outcomeOf, projectFolder } from '../support/granted-home.js'
import { endServices, startServiceProcess } from '../support/service-process.js'

const test = suite('decision killed')
test.after(endServices)

const folder = projectFolder()
const granted = grantedHome({
  mode: 'enforce',
  allowlist: JSON.stringify({
    version: 1,
    require_approval: ['execute_code'],
    skills: { '*': { tools: ['read_file', 'execute_code'], paths: [`${folder}/**`] } },
  }),
})
const host = new AttachedHost(granted.home)
test.after(() => host.close())

const cases: readonly (readonly [call: Payload, action: string | undefined, decision: string, outcome: string])[] = [
  [callIn(folder, 'read_file', { path: 'docs/notes.md' }, { call: 'call-1' }), undefined, 'allow granted', 'ok'],
  [callIn(folder, 'read_file', { path: '/etc/passwd' }, { call: 'call-2' }), 'block', 'deny path_not_granted', 'blocked'],
  [callIn(folder, 'execute_code', { code: 'x' }, { call: 'call-3' }), 'approve', 'ask approval_required', 'ok'],
]

for (const [at, [call, action, decision, outcome]] of cases.entries()) {
  test(`row C9: killed between the answer and the outcome, the decision (${decision}) is there`, async () => {
    const service = await startServiceProcess(granted.home)
    await host.attach()
    const { directive } = await host.hook(call)
    assert.is((await service.end('SIGKILL')).signal, 'SIGKILL')
    assert.is(directive?.['action'], action)
    const lines = exportedLines(granted.home)
    const decisions = capabilityDecisions(lines)
    assert.equal([decisions.length, decisions.map(briefly).at(-1)], [at + 1, decision])
    const [requested] = lines.filter(({ type }) => type === 'tool.requested').slice(-1)
    const [proposed] = lines.filter(({ type }) => type === 'access.proposed').slice(-1)
    assert.equal([proposed?.data['call'], decisions.at(-1)?.data['judges']], [requested?.index, proposed?.index])

    const next = await startServiceProcess(granted.home)
    await host.attach()
    assert.equal((await host.hook(outcomeOf(call, outcome))).directive, {})
    // The call again, as by a host that does not know whether it was heard: the first answer, and nothing is judged twice.
    assert.equal((await host.hook(call)).directive, directive)
    assert.is((await next.end()).code, 0)
    const after = exportedLines(granted.home)
    const [completed] = after.filter(({ type }) => type === 'tool.completed').slice(-1)
    assert.is(completed?.data['requested'], requested?.index)
    assert.is(capabilityDecisions(after).length, at + 1)
    assert.equal(
      after.filter(({ type }) => type === 'mismatch.found'),
      [],
    )
    assert.is(granted.stele('verify').status, 0)
  })
}

test.run()
