// Holds the way to a decision to this: whatever goes wrong before a call is judged, it is judged all the same, and what could not be worked
// out is granted nothing.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SteleError } from '../../src/foundation/stele-error.js'
import { decide } from '../../src/gates/capability/decide.js'
import { gateCatalog } from '../../src/gates/gate-catalog.js'
import { proposedAccess } from '../../src/hooks/access-about.js'
import { accessAsked } from '../../src/hooks/access-asked.js'
import { FileLook, type FileSource } from '../../src/hooks/file-look.js'
import { readPayload } from '../../src/hooks/read-payload.js'
import { sessionContext } from '../../src/projections/session-context.js'
import { noon, policyOf } from '../support/capability-calls.js'
import { attachedHost, bytesOf, type HostPayload, type TestHouse, testHouse, toolCall } from '../support/hook-house.js'

const test = suite('access-asked')

/** Everything that a call of these tests could want is granted. */
const policy = policyOf('version: 1\nskills: { "*": { tools: [read_file, todo], paths: [/**] } }\n')

async function grantingHouse(mode: TestHouse['modes']['capability'] = 'enforce'): Promise<TestHouse> {
  const house = await testHouse({ gates: gateCatalog, modes: { provenance: 'off', capability: mode } })
  house.capability = { policy, digest: 'ab'.repeat(32), unresolved: undefined }
  return house
}

/** Real paths, on a file system that a test makes up. */
function lookingAt(house: TestHouse, source: FileSource): void {
  const look = new FileLook(source)
  house.proposedAccess = ({ tool_name, tool_input, cwd }) =>
    proposedAccess({ tool: tool_name ?? '', args: tool_input }, { style: 'posix', cwd: cwd ?? null, home: '/home/ann', look })
}

let calls = 0
function reading(path: string): HostPayload {
  calls += 1
  return { ...toolCall({ path }, { tool_call_id: `call-${calls}` }), tool_name: 'read_file' }
}

const hang = (): Promise<never> => new Promise(() => undefined)
const hanging: FileSource = { lstat: hang, readlink: hang, realpath: hang }
const fail = (): Promise<never> => Promise.reject(new TypeError('a mistake of ours'))
const failing: FileSource = { lstat: fail, readlink: fail, realpath: fail }
const there: FileSource = {
  lstat: async (path) => ({ kind: path.includes('.') ? 'file' : 'folder', identity: path }),
  readlink: fail,
  realpath: async (path) => path,
}

async function decisionsIn(house: TestHouse): Promise<string[]> {
  return (await house.entries('gate.decided')).map(
    ({ payload }) => `${payload['verdict']} ${payload['code']}${payload['enforced'] === true ? ' enforced' : ''}`,
  )
}

const actionOf = (directive: object): unknown => (directive as { action?: string }).action

test('row C7: a call whose paths cannot be worked out because something throws is denied while the gate enforces', async () => {
  const house = await grantingHouse()
  house.proposedAccess = fail
  assert.is(actionOf(await house.send(reading('/srv/a.txt'))), 'block')
  house.proposedAccess = () => {
    throw new RangeError('before anything was waited for')
  }
  assert.is(actionOf(await house.send(reading('/srv/a.txt'))), 'block')
  assert.equal(await decisionsIn(house), ['deny path_unreadable enforced', 'deny path_unreadable enforced'])
  const unread = (await house.entries('access.proposed')).map(({ payload }) => payload['unread'])
  assert.equal(unread, ['arguments', 'arguments'])
})

test('row C7: while it observes the same is recorded and runs', async () => {
  const house = await grantingHouse('observe')
  house.proposedAccess = fail
  assert.equal(await house.send(reading('/srv/a.txt')), {})
  assert.equal(await decisionsIn(house), ['deny path_unreadable'])
})

test('row C7: a file system that fails in a way that nobody foresaw is a denial', async () => {
  const house = await grantingHouse()
  lookingAt(house, there)
  assert.equal(await house.send(reading('/srv/a.txt')), {})
  lookingAt(house, failing)
  assert.is(actionOf(await house.send(reading('/srv/a.txt'))), 'block')
  const [, second = ''] = await decisionsIn(house)
  assert.match(second, /^deny path_\w+ enforced$/)
})

test('row C7: one that never answers costs its half second and is a denial, unless a person is there to be asked', async () => {
  const house = await grantingHouse()
  const host = await attachedHost(house)
  lookingAt(house, hanging)
  const started = performance.now()
  assert.is(actionOf(await host.send(reading('/srv/a.txt'), { host: { attended: 'unattended' } })), 'block')
  assert.ok(performance.now() - started < 10_000)
  const person = { attended: 'attended', last_in_order: true, approvals_off: false }
  assert.is(actionOf(await host.send(reading('/srv/a.txt'), { host: person })), 'approve')
  assert.equal(await decisionsIn(house), ['deny nobody_to_ask enforced', 'ask path_unresolved enforced'])
  const [proposed] = await house.entries('access.proposed')
  assert.equal(proposed?.words?.['touches'], [
    { asked: '/srv/a.txt', access: 'read', tree: false, typed: '/srv/a.txt', resolved: null, problem: 'unresolved' },
  ])
})

test('where nobody can say who asks, no grant holds that names a context, not even that it is no child', async () => {
  const house = (await grantingHouse()).house
  const broken = (): never => {
    throw new SteleError('STORE_UNREADABLE', { reason: 'a fault of the test' })
  }
  const ledger: typeof house.ledger = Object.create(house.ledger, { reader: { value: { sessionEntries: broken } } })
  const read = readPayload(bytesOf(reading('a')), 1)
  if ('rejected' in read) throw new Error(read.rejected)
  const nothing = { origin: undefined, said: undefined, saidFrom: undefined, saidErasures: 0, reading: undefined }
  const session = { context: sessionContext.initial(), ...nothing }
  const { settings, proposedAccess: proposed } = house
  const asked = await accessAsked({ ledger, settings, proposedAccess: proposed }, read, 's1', session)
  const lineage = asked?.lineage ?? []
  const verdictOf = (when: string) =>
    decide(
      policyOf(`version: 1\nskills: { "*": { grants: [{ tools: [todo]${when} }] } }\n`),
      { tool: 'todo', skill: '', lineage, time: noon },
      { touches: [], commands: [] },
    ).verdict
  assert.equal(['', ', when: { subagent: false }', ', when: { subagent: true }', ', when: { platform: cli }'].map(verdictOf), [
    'allow',
    'deny',
    'deny',
    'deny',
  ])
})

test('nothing is worked out for a hook that asks for no tool, nor while the gate is off', async () => {
  const house = await grantingHouse('off')
  let asked = 0
  house.proposedAccess = async () => {
    asked += 1
    return { touches: [], commands: [] }
  }
  assert.equal(await house.send(reading('/srv/a.txt')), {})
  house.modes = { provenance: 'off', capability: 'enforce' }
  await house.send({ ...reading('/srv/a.txt'), hook_event_name: 'post_tool_call' })
  assert.equal([asked, await decisionsIn(house)], [0, []])
  await house.send(reading('/srv/a.txt'))
  assert.is(asked, 1)
})

test('a call that comes again is judged again where its path leads elsewhere by now, and else gets its first answer', async () => {
  const house = await grantingHouse()
  house.capability = {
    policy: policyOf('version: 1\nskills: { "*": { tools: [read_file], paths: [/srv/**] } }\n'),
    digest: 'ab'.repeat(32),
    unresolved: undefined,
  }
  const host = await attachedHost(house)
  const call = reading('/srv/a.txt')
  lookingAt(house, there)
  for (const sender of [host, host, house]) assert.equal(await sender.send(call), {})
  assert.equal(await decisionsIn(house), ['allow granted enforced'])
  const lstat: FileSource['lstat'] = async (path) => (path === '/srv' ? { kind: 'link', identity: path } : there.lstat(path))
  lookingAt(house, { ...there, lstat, readlink: async () => '/etc' })
  for (const sender of [host, house]) assert.is(actionOf(await sender.send(call)), 'block')
  assert.equal(await decisionsIn(house), ['allow granted enforced', 'deny path_not_granted enforced'])
  await host.send(call, { late: true })
  assert.is((await decisionsIn(house)).length, 2, 'what comes late may have changed the path itself')
})

test.run()
