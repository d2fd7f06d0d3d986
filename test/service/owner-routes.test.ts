// Holds the owner's verbs to the interfaces page: how each is confirmed, and what it does when it is.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertConfirmed, erasedBy, selectionOf } from '../../src/service/owner-routes.js'
import { setPassphrase } from '../../src/service/passphrase.js'
import { AttachedHost } from '../support/attached-host.js'
import { rejectsWithCode, throwsWithCode } from '../support/rejects-with-code.js'
import {
  answered,
  codeOf,
  newHome,
  quietSettings,
  type RunningService,
  typed,
  withService,
  writeSettings,
} from '../support/running-service.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('owner routes')

const strict = `${quietSettings}provenance:\n  mode: block\ncapability:\n  mode: enforce\n`
const loose = `${quietSettings}provenance:\n  mode: observe\ncapability:\n  mode: enforce\n`
const terminal = { how: 'terminal' }
const yes = { how: 'yes' }

const accept = ({ askOwner }: RunningService, confirmation: object) =>
  askOwner('/v1/owner/config-accept', { body: { confirmation } })
const reanchor = ({ askOwner }: RunningService, confirmation: object) =>
  askOwner('/v1/owner/reanchor', { body: { confirmation, reason: 'a test' } })
const set = ({ askOwner }: RunningService, key: string, value: string, confirmation: object = terminal) =>
  askOwner('/v1/owner/config-set', { body: { confirmation, key, value } })

test('without a passphrase a terminal confirms, and --yes does while no attached host is alive', () => {
  const none = join(temporaryFolder(), 'none')
  assertConfirmed(none, { how: 'terminal' }, 3)
  assertConfirmed(none, { how: 'yes' }, 0)
  // One that the home does not have is no hindrance.
  assertConfirmed(none, { how: 'terminal', passphrase: 'x' }, 0)
  const error = throwsWithCode(() => assertConfirmed(none, { how: 'yes' }, 2), 'OWNER_UNCONFIRMED')
  assert.equal(error.details, { hosts: 2 })
  throwsWithCode(() => assertConfirmed(none, { how: 'yes', passphrase: 'x' }, 1), 'OWNER_UNCONFIRMED')
})

test('where the home has a passphrase only that confirms, whoever else is alive', () => {
  const file = join(temporaryFolder(), 'owner-passphrase')
  setPassphrase(file, 'correct horse battery')
  for (const how of ['terminal', 'yes'] as const) {
    for (const hosts of [0, 2]) {
      assertConfirmed(file, { how, passphrase: 'correct horse battery' }, hosts)
      throwsWithCode(() => assertConfirmed(file, { how }, hosts), 'PASSPHRASE_WRONG')
      throwsWithCode(() => assertConfirmed(file, { how, passphrase: '' }, hosts), 'PASSPHRASE_WRONG')
      throwsWithCode(() => assertConfirmed(file, { how, passphrase: 'correct horse' }, hosts), 'PASSPHRASE_WRONG')
    }
  }
})

test('settings that wait come into force when the owner accepts them, and the answer says which', async () => {
  await withService({ settings: strict }, async (running) => {
    assert.is(codeOf(await accept(running, terminal)), 'CONFIG_NOTHING_WAITS')
    writeSettings(running.home, loose)
    const status = answered<{ settings: { waiting: unknown }; modes: object }>(await running.ask('/v1/status'))
    const waiting = [{ key: 'provenance.mode', from: 'block', to: 'observe' }]
    assert.equal([status.settings.waiting, status.modes], [waiting, { provenance: 'block', capability: 'enforce' }])
    assert.equal(answered(await accept(running, terminal)), { accepted: waiting })
    assert.equal(running.file().modes, { provenance: 'observe', capability: 'enforce' })
    const [activated, loosened] = await running.entries('type=config.*&order=desc&limit=2')
    assert.equal([activated?.data['why'], activated?.data['provenanceMode']], ['accepted', 'observe'])
    assert.equal([loosened?.type, loosened?.data['accepted']], ['config.loosened', true])
  })
})

test('an attached host that is alive takes --yes away, and gives it back when it has gone', async () => {
  await withService({ settings: strict }, async (running) => {
    const host = new AttachedHost(running.home)
    const gone = new AttachedHost(running.home, { pid: 2 ** 22 - 3 })
    try {
      await gone.attach()
      writeSettings(running.home, loose)
      await host.attach()
      const refused = await accept(running, yes)
      assert.equal([refused.status, codeOf(refused)], [403, 'OWNER_UNCONFIRMED'])
      assert.equal((JSON.parse(refused.text) as { error: { details: object } }).error.details, { hosts: 1 })
      assert.is(codeOf(await reanchor(running, yes)), 'OWNER_UNCONFIRMED')
      assert.is(codeOf(await set(running, 'reload', 'auto', yes)), 'OWNER_UNCONFIRMED')
      assert.is(running.file().modes.provenance, 'block')
      assert.is((await accept(running, terminal)).status, 200)
    } finally {
      host.close()
      gone.close()
    }
  })
  await withService({ settings: strict }, async (running) => {
    const gone = new AttachedHost(running.home, { pid: 2 ** 22 - 3 })
    await gone.attach()
    gone.close()
    writeSettings(running.home, loose)
    assert.is((await accept(running, yes)).status, 200)
  })
})

test('over the socket too a home with a passphrase asks for it, and a wrong one changes nothing', async () => {
  const home = newHome()
  await withService({ home, settings: strict }, async (running) => {
    setPassphrase(join(home, 'owner-passphrase'), 'correct horse battery')
    writeSettings(home, loose)
    for (const confirmation of [terminal, yes, { ...terminal, passphrase: 'correct horse' }, { ...yes, passphrase: '' }]) {
      const refused = await accept(running, confirmation)
      assert.equal([refused.status, codeOf(refused)], [403, 'PASSPHRASE_WRONG'])
      assert.not.ok(refused.text.includes('horse'))
    }
    assert.is(running.file().modes.provenance, 'block')
    assert.is((await accept(running, { ...yes, passphrase: 'correct horse battery' })).status, 200)
    assert.is(running.file().modes.provenance, 'observe')
  })
})

test('a confirmation that is none is refused before anything else is looked at', async () => {
  await withService({ settings: strict }, async (running) => {
    writeSettings(running.home, loose)
    for (const confirmation of [{}, { how: 'no' }, { how: 'yes', more: 1 }, { how: 'terminal', passphrase: 7 }])
      assert.is(codeOf(await accept(running, confirmation)), 'REQUEST_INVALID')
    assert.is(codeOf(await running.askOwner('/v1/owner/config-accept', { body: {} })), 'REQUEST_INVALID')
    assert.is(codeOf(await running.askOwner('/v1/owner/reanchor', { body: { confirmation: terminal } })), 'REQUEST_INVALID')
    assert.is(running.file().modes.provenance, 'block')
  })
})

test('a setting that the owner sets is written into the home and in force at once, a weaker one too, and nothing else with it', async () => {
  await withService({ settings: `# mine\n${strict}` }, async (running) => {
    writeSettings(running.home, `# mine\n${strict.replace('enforce', 'observe')}`)
    assert.equal(answered(await set(running, 'provenance.mode', 'observe')), {
      key: 'provenance.mode',
      value: 'observe',
      from: 'config.yaml',
    })
    assert.equal(running.file().modes, { provenance: 'observe', capability: 'enforce' })
    const { settings } = answered<{ settings: { waiting: { key: string }[] } }>(await running.ask('/v1/status'))
    assert.equal(
      settings.waiting.map(({ key }) => key),
      ['capability.mode'],
    )
    assert.match(readFileSync(join(running.home, 'config.yaml'), 'utf8'), /^# mine\n[\s\S]*mode: observe/)
    assert.is((await set(running, 'limits.hooksPerMinute', '77')).status, 200)
    assert.match(readFileSync(join(running.home, 'config.yaml'), 'utf8'), /hooksPerMinute: 77/)
  })
})

test('a key or a value that is not allowed is refused, and the file stays as it was', async () => {
  await withService({ settings: strict }, async (running) => {
    for (const [key, value] of [
      ['provenance.mode', 'sometimes'],
      ['no.such.key', '1'],
      ['limits.hooksPerMinute', '0'],
      ['', ''],
    ] as const) {
      const refused = await set(running, key, value)
      assert.equal([refused.status, codeOf(refused)], [400, 'CONFIG_INVALID'], key)
    }
    assert.is(readFileSync(join(running.home, 'config.yaml'), 'utf8'), strict)
  })
})

test('a new epoch is not begun where nothing is missing, and the service goes on', async () => {
  await withService({}, async (running) => {
    const asked = reanchor(running, terminal)
    const meanwhile = Array.from({ length: 8 }, (_, at) => running.hook(typed(`meanwhile ${at}`, `${at}`)))
    const refused = await asked
    assert.equal([refused.status, codeOf(refused)], [403, 'REANCHOR_NOT_NEEDED'])
    // One that was under way when the ledger was let go hears so; every other one waited.
    const answers = await Promise.all(meanwhile)
    for (const answer of answers) if (answer.status !== 200) assert.is(codeOf(answer), 'LEDGER_CLOSED')
    assert.is((await running.hook(typed('goes on', 'x'))).status, 200)
    const status = answered<{ ok: boolean; ledger: { epoch: number } }>(await running.ask('/v1/status'))
    assert.equal([status.ok, status.ledger.epoch], [true, 0])
    const recorded = answers.filter((answer) => answer.status === 200).length
    assert.is((await running.entries('type=message.captured')).length, recorded + 1)
  })
})

test('what is to be forgotten is named by a handle or by the id of the host, and an age means every kind of words', async () => {
  const known = async (session: string) => (session === 'host-one' ? 's0123456789abcdef' : undefined)
  assert.equal(await selectionOf({ session: 'host-one' }, known), { by: 'session', handle: 's0123456789abcdef' })
  assert.equal(await selectionOf({ session: 'sfedcba9876543210' }, known), { by: 'session', handle: 'sfedcba9876543210' })
  await rejectsWithCode(() => selectionOf({ session: 'host-two' }, known), 'SESSION_UNKNOWN')
  assert.equal(await selectionOf({ indices: [3, 1] }, known), { by: 'index', indices: [3, 1] })
  assert.equal(await selectionOf({ sender: 'ann' }, known), { by: 'sender', sender: 'ann' })
  assert.equal(await selectionOf({ all: true }, known), { by: 'all' })
  const before = '2026-11-01T00:00:00.000Z'
  assert.equal(await selectionOf({ before: '2026-11-01T00:00:00Z' }, known), {
    by: 'age',
    before: { messages: before, tools: before, sessions: before, judgements: before },
  })
})

test('an erasure is the terminal’s where a person answered there, and else the owner’s', () => {
  assert.is(erasedBy({ how: 'terminal' }), 'terminal')
  for (const confirmation of [{ how: 'yes' }, { how: 'none' }, { how: 'terminal', passphrase: 'x' }] as const)
    assert.is(erasedBy(confirmation), 'owner')
})

test('what an erasure means is read strictly', async () => {
  await withService({}, async (running) => {
    const wrong = [
      {},
      { all: false },
      { all: true, sender: 'x' },
      { indices: [] },
      { indices: [-1] },
      { indices: [1.5] },
      { before: 'yesterday' },
      { session: '' },
    ]
    for (const what of wrong)
      assert.is(
        codeOf(await running.askOwner('/v1/owner/erase', { body: { confirmation: terminal, what, reason: 'a test' } })),
        'REQUEST_INVALID',
        JSON.stringify(what),
      )
    for (const reason of ['', 'x'.repeat(2001), undefined]) {
      const body = { confirmation: terminal, what: { all: true }, reason }
      assert.is(codeOf(await running.askOwner('/v1/owner/erase', { body })), 'REQUEST_INVALID')
    }
    for (const ask of [running.ask, running.askOwner]) {
      const answer = await ask('/v1/owner/erase', { body: { what: { all: true } } })
      assert.ok(answer.status >= 400)
    }
  })
})

test.run()
