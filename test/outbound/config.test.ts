// Holds the settings of the stage to section 3 of its own document, in that document's own place: the vectors A1 to A14. Where the original
// switches itself off over a wrong value, ours names key and rule, and a running service keeps the last good ones.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { SteleError } from '../../src/foundation/stele-error.js'
import { riskDefaults } from '../../src/gates/jev/risk.js'
import { turnCacheDefaults } from '../../src/gates/jev/turn-cache.js'
import { verificationDefaults } from '../../src/gates/jev/verification.js'
import {
  type JevConfig,
  jevConfigKeys,
  jevConfigMember,
  jevReadings,
  riskSettingsOf,
  sanitizeSettingsOf,
  shapingSettingsOf,
  turnCacheSettingsOf,
  verificationSettingsOf,
} from '../../src/outbound/config.js'
import { type ConfigPlaces, type ReadConfig, readConfig, settingOf, writeSetting } from '../../src/service/config.js'
import { throwsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('config')

const hermesHome = temporaryFolder()
const home = join(hermesHome, 'plugin-data', 'stele')
mkdirSync(home, { recursive: true })

const place = 'plugins.entries.jev-router.settings'

function places(written: { hermes?: string; own?: string; environment?: Record<string, string> }): ConfigPlaces {
  const file = join(home, 'config.yaml')
  rmSync(file, { force: true })
  rmSync(join(hermesHome, 'config.yaml'), { force: true })
  if (written.hermes !== undefined) writeFileSync(join(hermesHome, 'config.yaml'), written.hermes)
  if (written.own !== undefined) writeFileSync(file, written.own)
  return { home, file, hermesHome, environment: written.environment ?? {} }
}

/** Settings in the document's own place, as JSON: all of it is YAML. */
function seeded(settings: unknown): string {
  return `model: {name: m}\nplugins:\n  entries:\n    jev-router:\n      enabled: true\n      settings: ${JSON.stringify(settings)}\n`
}

function read(settings: unknown): ReadConfig {
  return readConfig(places({ hermes: seeded(settings) }))
}

function jevOf(settings: unknown): JevConfig {
  return read(settings).config.jev
}

function refused(settings: unknown, key: string): SteleError {
  const error = throwsWithCode(() => read(settings), 'CONFIG_INVALID')
  assert.is(error.details['key'], `jev.${key}`)
  assert.is(error.details['place'], 'Hermes config.yaml')
  return error
}

test('vector A1: with no settings the mode is shadow, risk gate and classifier are on, and the rest is as the document says; Δ all of it is off', () => {
  for (const jev of [jevOf({}), readConfig(places({})).config.jev]) {
    assert.equal([jev.mode, jev.riskGateEnabled, jev.turnClassifierEnabled], ['shadow', true, true])
    assert.equal([jev.toolShapingEnabled, jev.verifyEnabled, jev.riskGateBlockUnbindable], [false, false, false])
    assert.equal([jev.timeoutSeconds, jev.maxWorkers, jev.stateMaxBytes], [2, 4, 8000])
    assert.equal([jev.toolShapingMinConfidence, jev.riskGateApprovalThreshold, jev.verifyContinueThreshold], [0.95, 0.8, 0.85])
    assert.equal([jev.verifyMaxNudges, jev.cacheMaxTurns, jev.cacheTtlSeconds], [2, 256, 1800])
    assert.equal([jev.telemetryEnabled, jev.telemetryMaxEvents, jev.riskGateReadOnlyTools.length], [true, 128, 11])
    assert.is(jev.enabled, false)
  }
})

/** Key, values that are refused, values that are taken. */
const vectors: readonly (readonly [id: string, key: string, refused: readonly unknown[], taken: readonly unknown[]])[] = [
  ['A2', 'enabled', ['yes', 'true', 0, 1, 'on', null], [true, false]],
  ['A3', 'mode', ['observe', 'SHADOW', '', true, null], ['shadow', 'enforce']],
  ['A4', 'tool_shaping.min_confidence', [0.94, 0.949_999, 1.01, '0.95', true, null], [0.95, 1]],
  ['A5', 'risk_gate.approval_threshold', [0.49, 1.01, '0.8', null], [0.5, 1]],
  ['A6', 'timeout_seconds', [0, 10.5, -1, null, true, '2'], [0.01, 10, 2]],
  ['A7', 'max_workers', [2.5, 0, 17, true, null, '4'], [1, 16]],
  ['A7', 'cache.max_turns', [0, 4097, 1.5, null], [1, 4096]],
  ['A7', 'telemetry.max_events', [true, 0, 1025, null], [1, 1024]],
  ['A8', 'risk_gate.block_unbindable', [1, 0, 'true', null], [true, false]],
  ['A9', 'risk_gate.read_only_tools', ['read_file', null, { a: 1 }], [[], ['a', 'b']]],
  ['A10', 'risk_gate.read_only_tools', [['a', 3], [null], [true], [['a']]], [['3']]],
  ['A11', 'decision_model', ['', 'x'.repeat(101), 5, null], ['x', 'x'.repeat(100)]],
  ['A12', 'verify.max_nudges', [4, -1, 0.5, true, null], [0, 3]],
  ['A14', 'cache.ttl_seconds', [null, 0, 86_400.5, true], [0.01, 86_400]],
  ['section 3', 'state_max_bytes', [511, 16_001, 1000.5, null], [512, 16_000]],
  ['section 3', 'turn_classifier.enabled', ['false', 0, null], [true, false]],
  ['section 3', 'tool_shaping.enabled', ['false', 0, null], [true, false]],
  ['section 3', 'risk_gate.enabled', ['false', 0, null], [true, false]],
  ['section 3', 'verify.enabled', ['false', 0, null], [true, false]],
  ['section 3', 'verify.continue_threshold', [0.49, 1.01, null], [0.5, 1]],
  ['section 3', 'telemetry.enabled', ['false', 0, null], [true, false]],
]

for (const [id, key, bad, good] of vectors) {
  test(`vector ${id}: ${key} takes what the document allows and nothing else, and says what that is`, () => {
    for (const value of bad) {
      const { details, line } = refused(nested(key, value), key)
      assert.is(details['name'], `${place}.${key}`, inspect(value))
      assert.is(details['line'], 6)
      assert.ok(String(details['allowed']).length > 8, line)
    }
    for (const value of good) {
      const { config, from } = read(nested(key, value))
      const member = jevConfigMember(jevConfigKeys.find((one) => one === `jev.${key}`) ?? 'jev.enabled')
      assert.equal(config.jev[member], value)
      assert.is(from[`jev.${key}`], `Hermes config.yaml ${place}.${key}`)
    }
  })
}

test('vector A7: a number without end is refused', () => {
  for (const written of ['.inf', '-.inf', '.nan']) {
    const hermes = `plugins:\n  entries:\n    jev-router:\n      settings:\n        cache: { max_turns: ${written} }\n`
    assert.is(throwsWithCode(() => readConfig(places({ hermes })), 'CONFIG_INVALID').details['key'], 'jev.cache.max_turns')
  }
})

test('row J4: the twenty keys of the document are honoured in its own place and as jev.* in ours, which wins', () => {
  const document = [
    'enabled mode decision_model timeout_seconds max_workers state_max_bytes turn_classifier.enabled tool_shaping.enabled',
    'tool_shaping.min_confidence risk_gate.enabled risk_gate.block_unbindable risk_gate.approval_threshold',
    'risk_gate.read_only_tools verify.enabled verify.continue_threshold verify.max_nudges cache.max_turns cache.ttl_seconds',
    'telemetry.enabled telemetry.max_events',
  ]
    .join(' ')
    .split(' ')
  assert.is(document.length, 20)
  assert.equal(
    document.filter((key) => !jevConfigKeys.some((one) => one === `jev.${key}`)),
    [],
  )
  const hermes = `${seeded({ timeout_seconds: 1, max_workers: 2 })}    stele:\n      settings:\n        jev: { timeout_seconds: 3 }\n`
  const { config, from } = readConfig(places({ hermes, own: 'jev:\n  timeout_seconds: 4\n  max_workers: 5\n' }))
  assert.equal([config.jev.timeoutSeconds, config.jev.maxWorkers], [3, 2])
  assert.equal(
    [from['jev.timeout_seconds'], from['jev.max_workers']],
    ['Hermes config.yaml', `Hermes config.yaml ${place}.max_workers`],
  )
})

test('row J5: it is off until somebody says enabled: true, and where the document’s own place says so that counts', () => {
  assert.is(jevOf({ mode: 'enforce' }).enabled, false)
  const on = read({ enabled: true, mode: 'enforce' })
  assert.equal([on.config.jev.enabled, on.config.jev.mode, on.notes], [true, 'enforce', []])
})

test('row J5: settings there that do not say enabled are noted, and so are names that we do not know; neither is an error', () => {
  const { config, notes } = read({ mode: 'enforce', colour: 'red', risk_gate: { approval_threshold: 0.9, tone: 1 } })
  assert.equal([config.jev.mode, config.jev.riskGateApprovalThreshold], ['enforce', 0.9])
  assert.equal(
    notes.map(({ name, what }) => [name.replace(`${place}`, '…'), what]),
    [
      ['….colour', 'unknown_key'],
      ['….risk_gate.tone', 'unknown_key'],
      ['…', 'not_switched_on'],
    ],
  )
  for (const hermes of [
    '',
    'plugins: 5\n',
    'plugins:\n  entries:\n    jev-router:\n      settings:\n',
    'plugins:\n  entries: {}\n',
  ])
    assert.equal(readConfig(places({ hermes })).notes, [], hermes)
})

test('a section of the wrong kind, and a name that stands twice, are errors there too', () => {
  refused({ risk_gate: 5 }, 'risk_gate')
  refused({ cache: [1] }, 'cache')
  const twice = 'plugins:\n  entries:\n    jev-router:\n      settings:\n        mode: shadow\n        mode: enforce\n'
  assert.is(throwsWithCode(() => readConfig(places({ hermes: twice })), 'CONFIG_INVALID').details['line'], 6)
  assert.is(throwsWithCode(() => readConfig(places({ hermes: seeded([1]) })), 'CONFIG_INVALID').details['key'], 'jev')
})

test('only https, or this machine, may be the address', () => {
  assert.is(jevOf({ base_url: 'http://[::1]:8080' }).baseUrl, 'http://[::1]:8080')
  for (const address of ['http://jev.example.com', 'https://a:b@jev.example.com', 'jev.example.com', '', null, 5])
    refused({ base_url: address }, 'base_url')
})

test('an error never shows the value', () => {
  for (const [settings, key] of [
    [{ decision_model: 'hunter2'.repeat(20) }, 'decision_model'],
    [{ mode: 'hunter2' }, 'mode'],
    [{ base_url: 'http://hunter2' }, 'base_url'],
    [{ risk_gate: { read_only_tools: 'hunter2' } }, 'risk_gate.read_only_tools'],
  ] as const)
    assert.is(inspect(refused(settings, key), { depth: 5 }).includes('hunter2'), false)
})

test('a variable says yes and no, numbers and lists in text', () => {
  const from = (environment: Record<string, string>) => readConfig(places({ environment })).config.jev
  assert.is(from({ STELE_JEV_ENABLED: 'true' }).enabled, true)
  assert.is(from({ STELE_JEV_TIMEOUT_SECONDS: '0.5' }).timeoutSeconds, 0.5)
  assert.equal(from({ STELE_JEV_RISK_GATE_READ_ONLY_TOOLS: '[]' }).riskGateReadOnlyTools, [])
  assert.equal(from({ STELE_JEV_RISK_GATE_READ_ONLY_TOOLS: 'a, b' }).riskGateReadOnlyTools, ['a', 'b'])
  assert.equal(from({ STELE_JEV_DECISION_MODEL: '5' }).decisionModel, '5')
  for (const [name, text] of [
    ['STELE_JEV_ENABLED', '1'],
    ['STELE_JEV_ENABLED', 'True'],
    ['STELE_JEV_ENABLED', ''],
    ['STELE_JEV_TIMEOUT_SECONDS', '.5'],
    ['STELE_JEV_TIMEOUT_SECONDS', '1e0'],
    ['STELE_JEV_TIMEOUT_SECONDS', '05'],
    ['STELE_JEV_MAX_WORKERS', '2.5'],
    ['STELE_JEV_RISK_GATE_READ_ONLY_TOOLS', ''],
    ['STELE_JEV_RISK_GATE_READ_ONLY_TOOLS', 'a,,b'],
  ] as const)
    throwsWithCode(() => from({ [name]: text }), 'CONFIG_INVALID')
  assert.equal(jevReadings('a'), ['a', ['a']])
})

test('a key that is written on the command line is written as the value that it stands for, and can be read again', () => {
  for (const [key, text, told, yaml] of [
    ['jev.enabled', 'true', true, 'enabled: true'],
    ['jev.timeout_seconds', '0.5', 0.5, 'timeout_seconds: 0.5'],
    ['jev.risk_gate.thresholds.destructive', '0.9', 0.9, 'destructive: 0.9'],
    ['jev.risk_gate.read_only_tools', 'a, b', 'a, b', '- a'],
    ['jev.risk_gate.read_only_tools', '[]', '[]', 'read_only_tools: []'],
    ['jev.decision_model', 'jev-latest', 'jev-latest', 'decision_model: jev-latest'],
  ] as const) {
    const at = places({ own: '# mine\n' })
    writeSetting(at, key, text)
    assert.is(settingOf(readConfig(at).config, key), told, key)
    assert.is(readConfig(at).from[key], 'config.yaml')
    const written = readFileSync(at.file, 'utf8')
    assert.ok(written.includes(yaml) && written.includes('# mine'), written)
  }
  throwsWithCode(() => writeSetting(places({}), 'jev.enabled', 'yes'), 'CONFIG_INVALID')
})

test('the rooms get what was set, and their own defaults where nothing was', () => {
  const plain = jevOf({})
  assert.equal(riskSettingsOf(plain), { ...riskDefaults, thresholds: {} })
  assert.equal(verificationSettingsOf(plain), verificationDefaults)
  assert.equal(shapingSettingsOf(plain), { mode: 'shadow', enabled: false, minConfidence: 0.95 })
  assert.equal(turnCacheSettingsOf(plain), turnCacheDefaults)
  assert.equal(sanitizeSettingsOf(plain), { bytesMax: 8000, redaction: 'apart', overflow: 'shrink' })
  const set = jevOf({
    mode: 'enforce',
    risk_gate: { thresholds: { destructive: 0.9 }, read_only_tools: ['a'], uncertain_below: 0.7 },
    cache: { ttl_seconds: 5 },
  })
  const risk = riskSettingsOf(set)
  assert.equal(
    [risk.mode, risk.thresholds, risk.readOnlyTools, risk.uncertainBelow],
    ['enforce', { destructive: 0.9 }, ['a'], 0.7],
  )
  assert.equal(verificationSettingsOf(set).readOnlyTools, ['a'])
  assert.equal(turnCacheSettingsOf(set), { turnsMax: 256, ttlMs: 5000, idleMs: 5000 })
})

/** `risk_gate.enabled` → `{ risk_gate: { enabled: … } }` */
function nested(key: string, value: unknown): Record<string, unknown> {
  const [first = '', second] = key.split('.')
  return second === undefined ? { [first]: value } : { [first]: { [second]: value } }
}

test.run()
