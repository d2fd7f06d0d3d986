// Row C13, case 61: a question goes to a person where one sits at the host and really is asked. Where nobody is, or the host would say yes by
// itself, or nobody can tell, it is a denial that says so: a run that nobody attends waits for nobody.
// time limit: 300 s
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AttachedHost, type Payload, readServiceFacts } from '../support/attached-host.js'
import { exportedLines } from '../support/exported-lines.js'
import { briefly, callIn, capabilityDecisions, grantedHome, personThere, projectFolder } from '../support/granted-home.js'
import { endServices, startServiceProcess } from '../support/service-process.js'
import { askSocket } from '../support/socket-request.js'
import { stele } from '../support/stele-command.js'

const test = suite('ask')
test.after(endServices)

const folder = projectFolder()
const granted = grantedHome({
  mode: 'enforce',
  allowlist: JSON.stringify({
    version: 1,
    require_approval: ['write_file'],
    skills: {
      '*': { tools: ['read_file', 'write_file'], paths: [`${folder}/**`], commands: ['git status', 'make *'] },
    },
  }),
})
const host = new AttachedHost(granted.home)

test.before(async () => {
  await startServiceProcess(granted.home)
  await host.attach()
})
test.after(() => host.close())

let calls = 0
function writing(told: Payload, args: object = { path: 'docs/new.md', content: 'x' }): Payload {
  calls += 1
  return callIn(folder, 'write_file', args, { session: 'asked', call: `call-${calls}` }, told)
}

async function answerTo(payload: Payload): Promise<Record<string, unknown>> {
  return (await host.hook(payload)).directive ?? { none: true }
}

function newestDecision(): string {
  const newest = capabilityDecisions(exportedLines(granted.home)).at(-1)
  return newest === undefined ? 'none' : briefly(newest)
}

test('where a person attends the host is told to ask, with a message and a key for this very call', async () => {
  const { action, message, rule_key } = await answerTo(writing(personThere))
  assert.is(action, 'approve')
  assert.is(
    message,
    'approval_required: the owner approves each call of write_file by hand (`require_approval` in the allowlist).',
  )
  assert.match(String(rule_key), /^stele:[0-9a-f]{32}$/)
  assert.is(newestDecision(), 'ask approval_required')
})

test('a lasting approval would hold for the same call alone: other arguments, another folder, another key', async () => {
  const keyOf = async (payload: Payload) => (await answerTo(payload))['rule_key']
  const first = await keyOf(writing(personThere))
  assert.is(await keyOf(writing(personThere)), first)
  assert.is.not(await keyOf(writing(personThere, { path: 'docs/new.md', content: 'y' })), first)
  assert.is.not(await keyOf({ ...writing(personThere), cwd: `${folder}/docs` }), first)
})

const nobody: readonly (readonly [what: string, told: Payload, why: RegExp])[] = [
  ['a cron job', { ...personThere, attended: 'unattended', platform: 'cron' }, /this run is unattended\./],
  [
    '`hermes -q`, of which the plugin cannot tell',
    { ...personThere, attended: 'unknown' },
    /not known whether anybody is there\./,
  ],
  [
    'a host with its approvals switched off',
    { ...personThere, approvals_off: true },
    /approvals switched off and would say yes by itself\./,
  ],
  [
    'a host that asks another plugin behind us',
    { ...personThere, last_in_order: false },
    /another plugin answers behind this one/,
  ],
  ['a host of which this is not known', { attended: 'attended' }, /this version of the host it is not known/],
  ['a plugin that tells nothing at all', { attended: undefined }, /not known whether anybody is there\./],
]

for (const [what, told, why] of nobody) {
  test(`row C13: for ${what} the question is a denial that says why, and what it was about`, async () => {
    const { action, message } = await answerTo(writing(told))
    assert.is(action, 'block')
    assert.match(String(message), /^nobody_to_ask: a person would have to say yes to this, and /)
    assert.match(String(message), why)
    assert.match(String(message), /It is about: approval_required: /)
    assert.is(newestDecision(), 'deny nobody_to_ask')
  })
}

test('what needs no answer is no question, whoever is there', async () => {
  const reading = callIn(
    folder,
    'read_file',
    { path: 'docs/notes.md' },
    { session: 'asked', call: 'read-1' },
    { attended: 'unattended' },
  )
  assert.equal(await answerTo(reading), {})
})

test('a command line that cannot be known beforehand is asked about, and denied where nobody can be', async () => {
  const opaque = (call: string, told: Payload) =>
    callIn(folder, 'terminal', { command: 'make $TARGET' }, { session: 'asked', call }, told)
  const asked = await answerTo(opaque('opaque-1', personThere))
  assert.is(asked['action'], 'approve')
  assert.match(String(asked['message']), /^command_opaque: the variable TARGET is known to a shell alone/)
  const refused = await answerTo(opaque('opaque-2', { ...personThere, attended: 'unattended' }))
  assert.match(String(refused['message']), /^nobody_to_ask: .*command_opaque: /)
})

test('row C13: by a shell hook nobody vouches for who is there, so the question is a denial', () => {
  const { host: _, ...bare } = callIn(folder, 'write_file', { path: 'docs/a.md', content: 'x' }, { session: 'shell' })
  const { status, stdout } = stele(['hook', '--home', granted.home], { input: JSON.stringify(bare) })
  assert.is(status, 0)
  const { action, message } = JSON.parse(stdout) as Record<string, unknown>
  assert.is(action, 'block')
  assert.match(String(message), /^nobody_to_ask: .*not known whether anybody is there/)
  assert.is(newestDecision(), 'deny nobody_to_ask')
})

test('whoever only says that a person is there, without being the attached plugin, is not believed', async () => {
  const claimed = callIn(folder, 'write_file', { path: 'docs/b.md', content: 'x' }, { session: 'claimed' }, personThere)
  const { socket } = readServiceFacts(granted.home)
  const headers = { 'Content-Type': 'application/json' }
  const answer = await askSocket(socket, { path: '/v1/hooks', body: JSON.stringify(claimed), headers })
  const { action, message } = JSON.parse(answer.bytes.toString()) as Record<string, unknown>
  assert.is(action, 'block')
  assert.match(String(message), /^nobody_to_ask: .*not known whether anybody is there/)
  const [proposed] = exportedLines(granted.home)
    .filter(({ type }) => type === 'access.proposed')
    .slice(-1)
  assert.equal([proposed?.data['attended'], proposed?.data['asks']], ['unknown', 'unknown_host'])
})

test('while the gate observes a question is recorded as one and nobody is asked', async () => {
  granted.setMode('observe')
  const accepted = granted.owner('config', 'accept')
  assert.is(accepted.status, 0, accepted.stderr)
  assert.equal(await answerTo(writing(personThere)), {})
  assert.is(newestDecision(), 'ask approval_required')
  assert.equal(await answerTo(writing({ attended: 'unattended' })), {})
  assert.is(newestDecision(), 'deny nobody_to_ask')
})

test.run()
