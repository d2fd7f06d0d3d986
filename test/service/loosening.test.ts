// Holds what counts as less protection to the interfaces page, and what is in force while the owner has not accepted it.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { type JevConfig, jevConfigKeys, jevConfigMember, jevConfigOf, jevConfigShape } from '../../src/outbound/config.js'
import type { Config } from '../../src/service/config.js'
import { loosened, tightenedOnly } from '../../src/service/loosening.js'

const test = suite('loosening')

const allowlist = '/home/stele/allowlist.yaml'
const jev = jevConfigOf(z.object(jevConfigShape).parse({}))

const config: Config = {
  jev,
  provenance: { mode: 'observe', search: 'session', scope: 'decisions', evidence: undefined },
  capability: { mode: 'observe', allowlist },
  capture: { arguments: 'judged' },
  retention: { days: 30, messagesDays: 30, toolsDays: 30, sessionsDays: 30, judgementsDays: 30 },
  reload: 'owner',
  highWater: { mirror: undefined },
  checkpoint: { anchor: 'none', mirror: undefined, origin: 'stele.local' },
  redaction: { patterns: undefined },
  service: { listen: { host: '127.0.0.1', port: 0 }, idleExitMinutes: 15 },
  limits: {
    hooksPerMinute: 6000,
    bytesPerMinute: 268435456,
    fieldBytes: 262144,
    gapSeconds: 10,
    spoolWaitSeconds: 15,
    judgedBytes: 65536,
    homeBytes: 10737418240,
    freeBytes: 1073741824,
  },
}

type Change = readonly [key: string, from: string, to: string, before: Partial<Config>, after: Partial<Config>]

const { checkpoint, provenance, retention, service } = config

const looser: readonly Change[] = [
  [
    'provenance.mode',
    'block',
    'observe',
    { provenance: { ...provenance, mode: 'block' } },
    { provenance: { ...provenance, mode: 'observe' } },
  ],
  [
    'provenance.mode',
    'block',
    'off',
    { provenance: { ...provenance, mode: 'block' } },
    { provenance: { ...provenance, mode: 'off' } },
  ],
  [
    'provenance.mode',
    'observe',
    'off',
    { provenance: { ...provenance, mode: 'observe' } },
    { provenance: { ...provenance, mode: 'off' } },
  ],
  [
    'provenance.search',
    'session',
    'profile',
    { provenance: { ...provenance, search: 'session' } },
    { provenance: { ...provenance, search: 'profile' } },
  ],
  [
    'provenance.scope',
    'decisions+preferences',
    'decisions',
    { provenance: { ...provenance, scope: 'decisions+preferences' } },
    { provenance: { ...provenance, scope: 'decisions' } },
  ],
  [
    'provenance.evidence',
    'attached',
    'any',
    { provenance: { ...provenance, evidence: 'attached' } },
    { provenance: { ...provenance, evidence: 'any' } },
  ],
  [
    'capability.mode',
    'enforce',
    'observe',
    { capability: { mode: 'enforce', allowlist } },
    { capability: { mode: 'observe', allowlist } },
  ],
  [
    'capability.mode',
    'enforce',
    'off',
    { capability: { mode: 'enforce', allowlist } },
    { capability: { mode: 'off', allowlist } },
  ],
  [
    'capability.mode',
    'observe',
    'off',
    { capability: { mode: 'observe', allowlist } },
    { capability: { mode: 'off', allowlist } },
  ],
  ['capture.arguments', 'full', 'none', { capture: { arguments: 'full' } }, { capture: { arguments: 'none' } }],
  ['capture.arguments', 'judged', 'none', { capture: { arguments: 'judged' } }, { capture: { arguments: 'none' } }],
  ['reload', 'owner', 'auto', { reload: 'owner' }, { reload: 'auto' }],
  [
    'checkpoint.anchor',
    'syslog',
    'none',
    { checkpoint: { ...checkpoint, anchor: 'syslog' } },
    { checkpoint: { ...checkpoint, anchor: 'none' } },
  ],
  ['checkpoint.mirror', '/a', 'none', { checkpoint: { ...checkpoint, mirror: '/a' } }, { checkpoint }],
  [
    'checkpoint.mirror',
    '/a',
    '/b',
    { checkpoint: { ...checkpoint, mirror: '/a' } },
    { checkpoint: { ...checkpoint, mirror: '/b' } },
  ],
  ['highWater.mirror', '/a', 'none', { highWater: { mirror: '/a' } }, { highWater: { mirror: undefined } }],
  [
    'limits.hooksPerMinute',
    '6000',
    '60',
    { limits: { ...config.limits, hooksPerMinute: 6000 } },
    { limits: { ...config.limits, hooksPerMinute: 60 } },
  ],
  [
    'limits.bytesPerMinute',
    '2',
    '1',
    { limits: { ...config.limits, bytesPerMinute: 2 } },
    { limits: { ...config.limits, bytesPerMinute: 1 } },
  ],
  [
    'redaction.patterns',
    '2-of-them',
    '1-of-them',
    { redaction: { patterns: 'acme-*, blue house' } },
    { redaction: { patterns: 'blue house' } },
  ],
  ['retention.days', '30', '29', { retention: { ...retention, days: 30 } }, { retention: { ...retention, days: 29 } }],
  [
    'retention.messagesDays',
    '0',
    '36500',
    { retention: { ...retention, messagesDays: 0 } },
    { retention: { ...retention, messagesDays: 36_500 } },
  ],
  ['retention.toolsDays', '2', '1', { retention: { ...retention, toolsDays: 2 } }, { retention: { ...retention, toolsDays: 1 } }],
  [
    'retention.sessionsDays',
    '0',
    '1',
    { retention: { ...retention, sessionsDays: 0 } },
    { retention: { ...retention, sessionsDays: 1 } },
  ],
  [
    'retention.judgementsDays',
    '31',
    '30',
    { retention: { ...retention, judgementsDays: 31 } },
    { retention: { ...retention, judgementsDays: 30 } },
  ],
  ['highWater.mirror', '/a', '/b', { highWater: { mirror: '/a' } }, { highWater: { mirror: '/b' } }],
]

for (const [key, from, to, before, after] of looser) {
  test(`${key} from ${from} to ${to} is a loosening, is taken back, and is none the other way round unless it moves`, () => {
    const [old, asked] = [
      { ...config, ...before },
      { ...config, ...after },
    ]
    assert.equal(loosened(old, asked), [{ key, from, to }])
    assert.equal(tightenedOnly(old, asked), old)
    const moves = from !== 'none' && to !== 'none' && key.endsWith('mirror')
    assert.equal(loosened(asked, old), moves ? [{ key, from: to, to: from }] : [])
    if (!moves) assert.equal(tightenedOnly(asked, old), old)
  })
}

test('what is recorded more fully, or counted, timed and served otherwise, is no loosening and counts at once', () => {
  const changes: readonly Partial<Config>[] = [
    {
      limits: {
        hooksPerMinute: 1_000_000,
        bytesPerMinute: 2 ** 40,
        fieldBytes: 1024,
        gapSeconds: 0,
        spoolWaitSeconds: 3600,
        judgedBytes: 1024,
        homeBytes: 0,
        freeBytes: 0,
      },
    },
    { service: { ...service, idleExitMinutes: 0, listen: 'off' } },
    { capture: { arguments: 'full' } },
    { retention: { days: 0, messagesDays: 31, toolsDays: 36_500, sessionsDays: 0, judgementsDays: 30 } },
    { checkpoint: { ...checkpoint, origin: 'other', mirror: '/new' } },
    { highWater: { mirror: '/new' } },
    { redaction: { patterns: 'acme-*' } },
  ]
  for (const change of changes) {
    const asked = { ...config, ...change }
    assert.equal(loosened(config, asked), [])
    assert.equal(tightenedOnly(config, asked), asked)
  }
  const full: Config = { ...config, capture: { arguments: 'full' } }
  assert.equal(loosened(full, config), [])
})

test('a file that loosens and tightens at once tightens at once, and reload: auto in it does not let the rest pass', () => {
  const old: Config = { ...config, provenance: { ...provenance, mode: 'block' }, checkpoint: { ...checkpoint, mirror: '/a' } }
  const asked: Config = {
    ...old,
    provenance: { ...provenance, mode: 'off' },
    capability: { mode: 'enforce', allowlist },
    reload: 'auto',
    checkpoint: { anchor: 'syslog', mirror: undefined, origin: 'stele.local' },
  }
  assert.equal(
    loosened(old, asked)
      .map(({ key }) => key)
      .sort(),
    ['checkpoint.mirror', 'provenance.mode', 'reload'],
  )
  assert.equal(tightenedOnly(old, asked), {
    ...old,
    capability: { mode: 'enforce', allowlist },
    checkpoint: { anchor: 'syslog', mirror: '/a', origin: 'stele.local' },
  })
})

type JevChange = readonly [key: string, from: string, to: string, before: Partial<JevConfig>, after: Partial<JevConfig>]

const looserJev: readonly JevChange[] = [
  ['jev.enabled', 'true', 'false', { enabled: true }, { enabled: false }],
  ['jev.mode', 'enforce', 'shadow', { mode: 'enforce' }, { mode: 'shadow' }],
  ['jev.timeout_seconds', '2', '0.01', { timeoutSeconds: 2 }, { timeoutSeconds: 0.01 }],
  ['jev.max_workers', '4', '1', { maxWorkers: 4 }, { maxWorkers: 1 }],
  ['jev.requests_per_day', '0', '100', { requestsPerDay: 0 }, { requestsPerDay: 100 }],
  ['jev.requests_per_day', '100', '99', { requestsPerDay: 100 }, { requestsPerDay: 99 }],
  ['jev.redaction', 'incomplete', 'apart', { redaction: 'incomplete' }, { redaction: 'apart' }],
  ['jev.risk_gate.enabled', 'true', 'false', { riskGateEnabled: true }, { riskGateEnabled: false }],
  ['jev.risk_gate.block_unbindable', 'true', 'false', { riskGateBlockUnbindable: true }, { riskGateBlockUnbindable: false }],
  ['jev.risk_gate.approval_threshold', '0.8', '0.9', { riskGateApprovalThreshold: 0.8 }, { riskGateApprovalThreshold: 0.9 }],
  ['jev.risk_gate.uncertain_below', '0.65', '0.6', { riskGateUncertainBelow: 0.65 }, { riskGateUncertainBelow: 0.6 }],
  ['jev.risk_gate.thresholds.destructive', 'none', '0.9', {}, { riskGateThresholdsDestructive: 0.9 }],
  ['jev.risk_gate.thresholds.irreversible', '0.6', 'none', { riskGateThresholdsIrreversible: 0.6 }, {}],
  [
    'jev.risk_gate.read_only_tools',
    '1-of-them',
    '2-of-them',
    { riskGateReadOnlyTools: ['a'] },
    { riskGateReadOnlyTools: ['a', 'b'] },
  ],
  ['jev.risk_gate.requested_external', 'ask', 'pass', {}, { riskGateRequestedExternal: 'pass' }],
  ['jev.risk_gate.plainly_destructive', 'always', 'outage', {}, { riskGatePlainlyDestructive: 'outage' }],
  [
    'jev.risk_gate.plainly_destructive',
    'outage',
    'off',
    { riskGatePlainlyDestructive: 'outage' },
    { riskGatePlainlyDestructive: 'off' },
  ],
  ['jev.risk_gate.changed_arguments', 'ask_once', 'silent', {}, { riskGateChangedArguments: 'silent' }],
  ['jev.verify.enabled', 'true', 'false', { verifyEnabled: true }, { verifyEnabled: false }],
  ['jev.verify.continue_threshold', '0.85', '0.9', {}, { verifyContinueThreshold: 0.9 }],
  ['jev.verify.max_nudges', '2', '0', {}, { verifyMaxNudges: 0 }],
  ['jev.cache.max_turns', '256', '1', {}, { cacheMaxTurns: 1 }],
  ['jev.cache.ttl_seconds', '1800', '1', {}, { cacheTtlSeconds: 1 }],
]

for (const [key, from, to, before, after] of looserJev) {
  test(`${key} from ${from} to ${to} is a loosening and is taken back`, () => {
    const old: Config = { ...config, jev: { ...jev, ...before } }
    const asked: Config = { ...config, jev: { ...jev, ...after } }
    assert.equal(loosened(old, asked), [{ key, from, to }])
    assert.equal(tightenedOnly(old, asked), old)
    if (key !== 'jev.enabled') assert.equal(loosened(asked, old), [])
  })
}

test('that words leave the machine, where they go and who answers is for the owner alone to say, in either direction', () => {
  for (const [key, from, to, change] of [
    ['jev.enabled', 'false', 'true', { enabled: true }],
    ['jev.base_url', 'https://api.typesafe.ai', 'https://jev.example.com', { baseUrl: 'https://jev.example.com' }],
    ['jev.decision_model', 'jev-1.13.0', 'jev-latest', { decisionModel: 'jev-latest' }],
  ] as const) {
    const asked: Config = { ...config, jev: { ...jev, ...change } }
    assert.equal(loosened(config, asked), [{ key, from, to }])
    assert.equal(tightenedOnly(config, asked), config)
    assert.equal(loosened(asked, config), [{ key, from: to, to: from }])
  }
})

test('other settings of the stage count at once', () => {
  const asked: Config = {
    ...config,
    jev: {
      ...jev,
      turnClassifierEnabled: false,
      toolShapingEnabled: true,
      toolShapingMinConfidence: 0.99,
      riskGateThresholdsDestructive: 0.6,
      riskGateReadOnlyTools: [],
      stateMaxBytes: 512,
      overflow: 'replace',
      verifyExcerpts: true,
      verifyOtherCalls: 'stale',
      verifyConfidenceOver: 'deciding',
      telemetryEnabled: false,
      telemetryMaxEvents: 1,
    },
  }
  assert.equal(loosened(config, asked), [])
})

const someConfig: fc.Arbitrary<Config> = fc.record({
  jev: fc
    .record({
      enabled: fc.boolean(),
      mode: fc.constantFrom('shadow' as const, 'enforce' as const),
      riskGateApprovalThreshold: fc.constantFrom(0.5, 0.8),
      riskGateThresholdsDestructive: fc.constantFrom(undefined, 0.6, 0.9),
      riskGateReadOnlyTools: fc.constantFrom([], ['a'], ['a', 'b']),
    })
    .map((some): JevConfig => ({ ...jev, ...some })),
  provenance: fc.record({
    mode: fc.constantFrom('off' as const, 'observe' as const, 'block' as const),
    search: fc.constantFrom('session' as const, 'profile' as const),
    scope: fc.constantFrom('decisions' as const, 'decisions+preferences' as const),
    evidence: fc.constantFrom(undefined, 'any' as const, 'attached' as const),
  }),
  capability: fc.record({
    mode: fc.constantFrom('off' as const, 'observe' as const, 'enforce' as const),
    allowlist: fc.constantFrom('/home/stele/allowlist.yaml', '/etc/allowlist.yaml'),
  }),
  capture: fc.record({ arguments: fc.constantFrom('judged' as const, 'full' as const, 'none' as const) }),
  retention: fc.record({
    days: fc.constantFrom(0, 7, 30),
    messagesDays: fc.constantFrom(0, 7, 30),
    toolsDays: fc.constantFrom(0, 30),
    sessionsDays: fc.constant(30),
    judgementsDays: fc.constantFrom(1, 36_500),
  }),
  reload: fc.constantFrom('owner' as const, 'auto' as const),
  highWater: fc.record({ mirror: fc.constantFrom(undefined, '/a', '/b') }),
  checkpoint: fc.record({
    anchor: fc.constantFrom('syslog' as const, 'none' as const),
    mirror: fc.constantFrom(undefined, '/a', '/b'),
    origin: fc.constantFrom('stele.local', 'b'),
  }),
  service: fc.record({
    listen: fc.constantFrom('off' as const, { host: '::1', port: 1 }),
    idleExitMinutes: fc.constantFrom(0, 15),
  }),
  redaction: fc.record({ patterns: fc.constantFrom(undefined, 'acme-*', 'acme-*, blue house') }),
  limits: fc.constant(config.limits),
})

test('between any two states: what is in force is no loosening, differs from what was asked only there, and changes neither', () => {
  fc.assert(
    fc.property(someConfig, someConfig, (from, to) => {
      const before = JSON.stringify([from, to])
      const inForce = tightenedOnly(from, to)
      assert.equal(loosened(from, inForce), [])
      assert.equal(loosened(from, from), [])
      const keys = loosened(from, to).map(({ key }) => key)
      for (const key of Object.keys(flat(to))) assert.equal(flat(inForce)[key], flat(keys.includes(key) ? from : to)[key], key)
      assert.is(JSON.stringify([from, to]), before)
    }),
    { seed: 20261130, numRuns: 500 },
  )
})

/** Dotted key → value. */
function flat({ jev: given, ...of }: Config): Record<string, unknown> {
  const ofJev = jevConfigKeys.map((key) => [key, given[jevConfigMember(key)]])
  const entries = Object.entries(of).flatMap(([section, members]) =>
    typeof members === 'string'
      ? [[section, members]]
      : Object.entries(members as object).map(([member, value]) => [`${section}.${member}`, value]),
  )
  return Object.fromEntries([...entries, ...ofJev]) as Record<string, unknown>
}

test.run()
