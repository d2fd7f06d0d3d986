// Holds the settings of a running service to the interfaces page: tightening at once, loosening only with the owner, and the last good
// ones while a file is bad.
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Entry } from '../../src/events/entry.js'
import type { NewEvent } from '../../src/events/event-catalog.js'
import { SteleError } from '../../src/foundation/stele-error.js'
import type { Config, ConfigPlaces } from '../../src/service/config.js'
import { type Protection, protectionBefore, SettingsInForce } from '../../src/service/settings-in-force.js'
import { rejectsWithCode, throwsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { message, temporaryLedger } from '../support/temporary-ledger.js'

const test = suite('settings in force')

interface Stage {
  readonly places: ConfigPlaces
  readonly recorded: NewEvent[]
  readonly told: Config[]
  /** Fails while this is set. */
  readonly control: { failure: SteleError | undefined }
  write(yaml: string): void
  start(before?: Protection): SettingsInForce
}

let writes = 0

function stage(yaml?: string, environment: Record<string, string> = {}): Stage {
  const hermesHome = join(temporaryFolder(), 'hermes')
  const home = join(hermesHome, 'plugin-data', 'stele')
  mkdirSync(home, { recursive: true })
  const file = join(home, 'config.yaml')
  const places = { home, file, hermesHome, environment }
  const recorded: NewEvent[] = []
  const told: Config[] = []
  const control: Stage['control'] = { failure: undefined }
  const write = (text: string): void => {
    writeFileSync(file, text)
    // Two changes in one tick of the clock must not look alike to a test that is faster than any person.
    writes += 1
    utimesSync(file, 1_700_000_000 + writes, 1_700_000_000 + writes)
  }
  if (yaml !== undefined) write(yaml)
  return {
    places,
    recorded,
    told,
    control,
    write,
    start: (before) =>
      new SettingsInForce({
        version: '9.9.9',
        places,
        before,
        record: async (events) => {
          await new Promise((resolve) => setImmediate(resolve))
          if (control.failure !== undefined) throw control.failure
          recorded.push(...events)
        },
        changed: (config) => told.push(config),
      }),
  }
}

const modes = (mode: string, capability = 'observe') =>
  `provenance:\n  mode: ${mode}\ncapability:\n  mode: ${capability}\ncheckpoint:\n  anchor: none\n`

const facts = (events: readonly NewEvent[], type: string) =>
  events.filter((event) => event.type === type).map((event) => event.facts)

/** The default, written out by kind. */
const retention = { days: 30, messagesDays: 30, toolsDays: 30, sessionsDays: 30, judgementsDays: 30 }

const inForce = {
  provenanceMode: 'observe',
  capabilityMode: 'observe',
  captureArguments: 'judged',
  reload: 'owner',
  retention,
  jev: { enabled: false, mode: 'shadow', baseUrl: 'https://api.typesafe.ai' },
} satisfies Protection

test('a new ledger begins with the settings as they are written, weak ones too', () => {
  const { start, recorded } = stage(modes('off', 'enforce'))
  const settings = start()
  assert.equal([settings.config.provenance.mode, settings.config.capability.mode], ['off', 'enforce'])
  assert.equal(settings.firstEvents(), [
    {
      type: 'config.activated',
      facts: { why: 'started', changed: [], ...inForce, provenanceMode: 'off', capabilityMode: 'enforce', program: '9.9.9' },
    },
  ])
  assert.equal([settings.waiting, settings.rejected, recorded], [[], undefined, []])
})

test('what protects more is in force at the next look, is told, and is recorded with the keys that changed', async () => {
  const { write, start, recorded, told } = stage(modes('observe'))
  const settings = start()
  await settings.refresh()
  assert.equal([recorded, told], [[], []])
  write(modes('block', 'enforce'))
  await settings.refresh()
  assert.equal([settings.config.provenance.mode, settings.config.capability.mode], ['block', 'enforce'])
  assert.equal(
    told.map((config) => [config.provenance.mode, config.capability.mode]),
    [['block', 'enforce']],
  )
  assert.equal(recorded, [
    {
      type: 'config.activated',
      facts: {
        why: 'changed',
        changed: ['provenance.mode', 'capability.mode'],
        ...inForce,
        provenanceMode: 'block',
        capabilityMode: 'enforce',
      },
    },
  ])
})

test('what protects less waits, is recorded once, and is shown as waiting', async () => {
  const { write, start, recorded, told } = stage(modes('block'))
  const settings = start()
  write(modes('observe'))
  await settings.refresh()
  write(`${modes('observe')}# touched\n`)
  await settings.refresh()
  await settings.refresh()
  assert.is(settings.config.provenance.mode, 'block')
  assert.equal(settings.waiting, [{ key: 'provenance.mode', from: 'block', to: 'observe' }])
  assert.equal(recorded, [
    { type: 'config.loosened', facts: { key: 'provenance.mode', from: 'block', to: 'observe', accepted: false } },
  ])
  assert.equal(told, [])
})

test('of a change that tightens and loosens, the one is in force at once and the other waits', async () => {
  const { write, start, recorded } = stage(modes('block', 'observe'))
  const settings = start()
  write(modes('off', 'enforce'))
  await settings.refresh()
  assert.equal([settings.config.provenance.mode, settings.config.capability.mode], ['block', 'enforce'])
  assert.equal(facts(recorded, 'config.activated'), [
    { why: 'changed', changed: ['capability.mode'], ...inForce, provenanceMode: 'block', capabilityMode: 'enforce' },
  ])
  assert.equal(
    settings.waiting.map(({ key }) => key),
    ['provenance.mode'],
  )
})

test('what waits comes into force when the owner accepts it, and that is recorded', async () => {
  const { write, start, recorded, told } = stage(modes('block', 'enforce'))
  const settings = start()
  write(modes('observe', 'off'))
  await settings.refresh()
  recorded.length = 0
  const accepted = await settings.accept()
  const both = [
    { key: 'provenance.mode', from: 'block', to: 'observe' },
    { key: 'capability.mode', from: 'enforce', to: 'off' },
  ]
  assert.equal(accepted, both)
  assert.equal([settings.config.provenance.mode, settings.config.capability.mode, settings.waiting], ['observe', 'off', []])
  assert.equal(
    facts(recorded, 'config.loosened'),
    both.map((one) => ({ ...one, accepted: true })),
  )
  assert.equal(facts(recorded, 'config.activated'), [
    {
      why: 'accepted',
      changed: ['provenance.mode', 'capability.mode'],
      ...inForce,
      provenanceMode: 'observe',
      capabilityMode: 'off',
    },
  ])
  assert.is(told.at(-1), settings.config)
})

test('accepting what was changed a moment ago needs no look before it, and with nothing waiting it is refused', async () => {
  const { write, start, recorded } = stage(modes('block'))
  const settings = start()
  await rejectsWithCode(() => settings.accept(), 'CONFIG_NOTHING_WAITS')
  assert.equal(recorded, [])
  write(modes('off'))
  await settings.accept()
  assert.is(settings.config.provenance.mode, 'off')
  await rejectsWithCode(() => settings.accept(), 'CONFIG_NOTHING_WAITS')
})

test('where the acceptance cannot be recorded it is none', async () => {
  const { write, start, control, told } = stage(modes('block'))
  const settings = start()
  write(modes('off'))
  await settings.refresh()
  control.failure = new SteleError('STORE_WRITE_FAILED')
  await rejectsWithCode(() => settings.accept(), 'STORE_WRITE_FAILED')
  assert.equal([settings.config.provenance.mode, told.length, settings.waiting.length], ['block', 0, 1])
  control.failure = undefined
  await settings.accept()
  assert.equal([settings.config.provenance.mode, told.length], ['off', 1])
})

test('a tightening that arrives while the owner accepts something else is not undone by it', async () => {
  const { write, start } = stage(modes('block', 'observe'))
  const settings = start()
  write(modes('observe', 'observe'))
  await settings.refresh()
  const accepting = settings.accept()
  write(modes('observe', 'enforce'))
  await Promise.all([accepting, settings.refresh()])
  await settings.refresh()
  assert.equal([settings.config.provenance.mode, settings.config.capability.mode], ['observe', 'enforce'])
})

test('what waits is taken back by writing it back, and nothing was ever changed', async () => {
  const { write, start, recorded } = stage(modes('block'))
  const settings = start()
  write(modes('off'))
  await settings.refresh()
  write(modes('block'))
  await settings.refresh()
  assert.equal([settings.waiting, settings.config.provenance.mode, recorded.length], [[], 'block', 1])
  write(modes('off'))
  await settings.refresh()
  assert.equal(
    recorded.map(({ type }) => type),
    ['config.loosened', 'config.loosened'],
  )
})

test('a loosening that waits goes on waiting after a restart, by what the ledger says', async () => {
  const { write, start } = stage(modes('block', 'enforce'))
  const first = start()
  const { ledger, close } = await temporaryLedger()
  try {
    assert.is(await protectionBefore(ledger.reader.entries({ newestFirst: true })), undefined)
    await ledger.append(first.firstEvents())
    await ledger.append([message('something in between')])
    write(modes('off', 'observe'))
    const before = await protectionBefore(ledger.reader.entries({ newestFirst: true }))
    const second = start(before)
    assert.equal([second.config.provenance.mode, second.config.capability.mode], ['block', 'enforce'])
    assert.equal(
      second.waiting.map(({ key, from, to }) => `${key} ${from} ${to}`),
      ['provenance.mode block off', 'capability.mode enforce observe'],
    )
    const events = second.firstEvents()
    assert.equal(facts(events, 'config.activated'), [
      { why: 'started', changed: [], ...inForce, provenanceMode: 'block', capabilityMode: 'enforce', program: '9.9.9' },
    ])
    assert.equal(
      facts(events, 'config.loosened').map((one) => ('accepted' in one ? one.accepted : undefined)),
      [false, false],
    )
    await second.accept()
    assert.is(second.config.capability.mode, 'observe')
  } finally {
    await close()
  }
})

const asksModel = 'checkpoint:\n  anchor: none\njev:\n  enabled: true\n  mode: enforce\n'

test('words leave the machine from the first start on where the settings of a new ledger say so', () => {
  const { start } = stage(asksModel)
  const settings = start()
  assert.equal([settings.config.jev.enabled, settings.config.jev.mode, settings.waiting], [true, 'enforce', []])
  assert.equal(facts(settings.firstEvents(), 'config.activated'), [
    {
      why: 'started',
      changed: [],
      ...inForce,
      jev: { enabled: true, mode: 'enforce', baseUrl: 'https://api.typesafe.ai' },
      program: '9.9.9',
    },
  ])
})

test('row J5: whoever can write a settings file sends no words out of the machine: that waits for the owner, over restarts too', async () => {
  const { write, start } = stage('checkpoint:\n  anchor: none\n')
  const settings = start()
  write(`${asksModel}  base_url: https://elsewhere.test\n  decision_model: another\n`)
  await settings.refresh()
  const waiting = settings.waiting.map(({ key }) => key)
  assert.equal(waiting, ['jev.enabled', 'jev.base_url', 'jev.decision_model'])
  // A stricter mode needs nobody, and sends nothing while the stage is off.
  assert.equal([settings.config.jev.enabled, settings.config.jev.mode], [false, 'enforce'])
  const jev = { enabled: false, mode: 'enforce', baseUrl: 'https://api.typesafe.ai' } as const
  assert.equal(facts(settings.firstEvents(), 'config.activated'), [
    { why: 'started', changed: [], ...inForce, jev, program: '9.9.9' },
  ])
  const again = start({ ...inForce, jev })
  assert.equal([again.config.jev.enabled, again.config.jev.baseUrl], [false, 'https://api.typesafe.ai'])
  const ofOldLedger = start({ ...inForce, jev: undefined })
  assert.equal(
    [ofOldLedger.config.jev.enabled, ofOldLedger.waiting[0]],
    [false, { key: 'jev.enabled', from: 'false', to: 'true' }],
  )
  await again.accept()
  assert.equal([again.config.jev.enabled, again.config.jev.baseUrl], [true, 'https://elsewhere.test'])
})

test('switched off by a file it stays on, and what was in force comes back at the next start', async () => {
  const { write, start } = stage(asksModel)
  const settings = start()
  write('checkpoint:\n  anchor: none\n')
  await settings.refresh()
  assert.equal([settings.config.jev.enabled, settings.config.jev.mode], [true, 'enforce'])
  const again = start({ ...inForce, jev: { enabled: true, mode: 'enforce', baseUrl: 'https://api.typesafe.ai' } })
  assert.equal([again.config.jev.enabled, again.config.jev.mode], [true, 'enforce'])
})

test('row J11: a wrong setting of the stage leaves the last good ones of every gate, and is told by key and rule', async () => {
  const { write, start, recorded } = stage(`${modes('block', 'enforce')}jev:\n  mode: enforce\n`)
  const settings = start()
  write(`${modes('block', 'enforce')}jev:\n  mode: observe\n`)
  await settings.refresh()
  const { provenance, capability, jev } = settings.config
  assert.equal([provenance.mode, capability.mode, jev.mode], ['block', 'enforce', 'enforce'])
  assert.equal(settings.rejected?.details, {
    key: 'jev.mode',
    place: 'config.yaml',
    line: 8,
    allowed: 'shadow or enforce',
  })
  assert.equal(facts(recorded, 'config.rejected'), [{ key: 'jev.mode', place: 'config.yaml', line: 8 }])
})

test('the newest settings in the ledger count, and entries that are none are no hindrance', async () => {
  async function* entries(): AsyncGenerator<Entry> {
    const { ledger, close } = await temporaryLedger()
    try {
      for (const provenanceMode of ['off', 'block'] as const)
        await ledger.append([{ type: 'config.activated', facts: { why: 'started', changed: [], ...inForce, provenanceMode } }])
      yield* ledger.reader.entries({ newestFirst: true })
    } finally {
      await close()
    }
  }
  assert.is((await protectionBefore(entries()))?.provenanceMode, 'block')
})

test('with reload: auto in force a loosening needs nobody; but asking for reload: auto is one itself', async () => {
  const auto = stage(`${modes('block')}reload: auto\n`)
  const settings = auto.start()
  auto.write(`${modes('off')}reload: auto\n`)
  await settings.refresh()
  assert.equal([settings.config.provenance.mode, settings.waiting], ['off', []])
  assert.equal(
    auto.recorded.map(({ type }) => type),
    ['config.activated'],
  )
  const owner = stage(modes('block'))
  const strict = owner.start()
  owner.write(`${modes('off')}reload: auto\n`)
  await strict.refresh()
  assert.equal([strict.config.provenance.mode, strict.config.reload], ['block', 'owner'])
  assert.equal(strict.waiting.map(({ key }) => key).sort(), ['provenance.mode', 'reload'])
})

test('a bad file leaves the last good settings in force and is recorded once, by key and place, without its words', async () => {
  const { write, start, recorded, told } = stage(modes('block'))
  const settings = start()
  const bad = `provenance:\n  mode: secret words\n`
  write(bad)
  for (let at = 0; at < 3; at += 1) await settings.refresh()
  assert.is(settings.config.provenance.mode, 'block')
  assert.equal([settings.rejected?.code, settings.rejected?.details['key']], ['CONFIG_INVALID', 'provenance.mode'])
  assert.equal(recorded, [{ type: 'config.rejected', facts: { key: 'provenance.mode', place: 'config.yaml', line: 2 } }])
  assert.equal(told, [])
  assert.equal(settings.waiting, [])
  await rejectsWithCode(() => settings.accept(), 'CONFIG_NOTHING_WAITS')
})

test('a file that is mended is taken up again, and one that says what is in force changes nothing', async () => {
  const { write, start, recorded } = stage(modes('observe'))
  const settings = start()
  write('provenance: [')
  await settings.refresh()
  assert.is(settings.rejected?.code, 'CONFIG_INVALID')
  write(modes('observe'))
  await settings.refresh()
  assert.is(settings.rejected, undefined)
  write('what: is this\n')
  await settings.refresh()
  write(modes('block'))
  await settings.refresh()
  assert.equal([settings.rejected, settings.config.provenance.mode], [undefined, 'block'])
  assert.equal(
    recorded.map(({ type }) => type),
    ['config.rejected', 'config.rejected', 'config.activated'],
  )
})

test('a loosening that hides in a bad file does not come into force when the file goes: it waits like any other', async () => {
  const { places, write, start } = stage(modes('block', 'enforce'))
  const settings = start()
  write('capability: 1\n')
  await settings.refresh()
  rmSync(places.file)
  await settings.refresh()
  assert.equal(
    [settings.config.provenance.mode, settings.config.capability.mode, settings.rejected],
    ['block', 'enforce', undefined],
  )
  assert.is(settings.waiting.length >= 2, true)
})

test('a file that can be read no more is a bad one', async () => {
  const { places, start, recorded } = stage(modes('block'))
  const settings = start()
  rmSync(places.file)
  mkdirSync(places.file)
  await settings.refresh()
  assert.equal([settings.config.provenance.mode, settings.rejected?.code], ['block', 'FILE_UNREADABLE'])
  assert.equal(
    recorded.map(({ type }) => type),
    ['config.rejected'],
  )
})

test('a service does not start with settings that it cannot read', () => {
  throwsWithCode(() => stage('provenance:\n  mode: maybe\n').start(), 'CONFIG_INVALID')
})

test('row P16: the environment file of Hermes and its settings are looked at too, without a restart', async () => {
  const { places, start } = stage()
  const settings = start()
  assert.is(settings.config.provenance.mode, 'observe')
  writeFileSync(join(String(places.hermesHome), '.env'), 'PROVENANCE_GATE_MODE=block\n')
  await settings.refresh()
  assert.is(settings.config.provenance.mode, 'block')
  assert.is(settings.from['provenance.mode'], '.env PROVENANCE_GATE_MODE')
  const hermes = 'plugins:\n  entries:\n    stele:\n      settings: { capability: { mode: enforce } }\n'
  writeFileSync(join(String(places.hermesHome), 'config.yaml'), hermes)
  await settings.refresh()
  assert.is(settings.config.capability.mode, 'enforce')
})

test('a file cannot loosen what the environment sets', async () => {
  const { write, start } = stage(modes('block'), { STELE_PROVENANCE_MODE: 'block' })
  const settings = start()
  write(modes('off'))
  await settings.refresh()
  assert.equal([settings.config.provenance.mode, settings.waiting], ['block', []])
})

test('of a path only that it is one is recorded', async () => {
  const { write, start, recorded } = stage(`${modes('observe')}  mirror: /somewhere/of ada\n`)
  const settings = start()
  write(modes('observe'))
  await settings.refresh()
  assert.equal(facts(recorded, 'config.loosened'), [{ key: 'checkpoint.mirror', from: 'a-value', to: 'none', accepted: false }])
})

test('while nothing can be recorded a tightening is in force all the same, and it is recorded once that works again', async () => {
  const { write, start, control, recorded, told } = stage(modes('observe'))
  const settings = start()
  control.failure = new SteleError('STORE_WRITE_FAILED')
  write(modes('block'))
  await rejectsWithCode(() => settings.refresh(), 'STORE_WRITE_FAILED')
  assert.equal([settings.config.provenance.mode, told.length], ['block', 1])
  write('bad: file\n')
  await rejectsWithCode(() => settings.refresh(), 'STORE_WRITE_FAILED')
  await rejectsWithCode(() => settings.refresh(), 'STORE_WRITE_FAILED')
  control.failure = undefined
  await settings.refresh()
  await settings.refresh()
  assert.equal(
    recorded.map(({ type }) => type),
    ['config.activated', 'config.rejected'],
  )
  assert.is(told.length, 1)
})

test('where they cannot be told to those outside, they hold all the same and are told again', async () => {
  const { places, write } = stage(modes('observe'))
  const recorded: NewEvent[] = []
  let fails = true
  let told = 0
  const settings = new SettingsInForce({
    version: '9.9.9',
    places,
    before: undefined,
    record: async (events) => {
      recorded.push(...events)
    },
    changed: () => {
      if (fails) throw new SteleError('FILE_UNWRITABLE')
      told += 1
    },
  })
  write(modes('block'))
  await settings.refresh()
  await settings.refresh()
  assert.equal([settings.config.provenance.mode, recorded.length, told], ['block', 1, 0])
  fails = false
  await settings.refresh()
  await settings.refresh()
  assert.equal([recorded.length, told], [1, 1])
})

test('looks that meet are one, and all of them see what is new', async () => {
  const { write, start, recorded } = stage(modes('observe'))
  const settings = start()
  write(modes('block'))
  await Promise.all(Array.from({ length: 20 }, () => settings.refresh()))
  assert.equal([settings.config.provenance.mode, recorded.length], ['block', 1])
})

test('a shorter retention waits for the owner, 0 is longer than any, and to accept the days accepts the kinds that follow them', async () => {
  const { write, start, recorded } = stage('retention:\n  days: 30\n  toolsDays: 20\n')
  const settings = start()
  const inForceDays = () => settings.config.retention
  write('retention:\n  days: 7\n  toolsDays: 10\n  messagesDays: 0\n')
  await settings.refresh()
  assert.equal(inForceDays(), { days: 30, messagesDays: 0, toolsDays: 20, sessionsDays: 30, judgementsDays: 30 })
  assert.equal(
    settings.waiting.map(({ key, from, to }) => `${key} ${from} ${to}`),
    ['retention.days 30 7', 'retention.toolsDays 20 10', 'retention.sessionsDays 30 7', 'retention.judgementsDays 30 7'],
  )
  assert.equal(recorded.at(-1)?.facts, {
    ...{ ...inForce, why: 'changed', changed: ['retention.messagesDays'] },
    retention: { ...retention, messagesDays: 0, toolsDays: 20 },
  })
  await settings.accept('retention.days')
  assert.equal(inForceDays(), { days: 7, messagesDays: 0, toolsDays: 20, sessionsDays: 7, judgementsDays: 7 })
  assert.equal(
    settings.waiting.map(({ key }) => key),
    ['retention.toolsDays'],
  )
})

test('a shorter retention that waits goes on waiting after a restart, and after a version that recorded none it does not', () => {
  const { start } = stage('retention:\n  days: 7\n')
  assert.is(start(inForce).config.retention.messagesDays, 30)
  const { retention: _, ...older } = inForce
  assert.is(start(older).config.retention.messagesDays, 7)
})

test.run()
