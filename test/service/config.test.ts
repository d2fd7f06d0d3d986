// Holds the settings to the interfaces page: every key, the defaults, the precedence, and errors that name key, place and what is allowed.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readProjectFile } from '../../scripts/project-tree.js'
import type { SteleError } from '../../src/foundation/stele-error.js'
import {
  type Config,
  configFileOf,
  configFiles,
  type ReadConfig,
  readConfig,
  retentionDays,
  type SettingValue,
  settingOf,
} from '../../src/service/config.js'
import { throwsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('config')

const home = temporaryFolder()

function settings(text: string): Config {
  return fromFile(fileWith(text))
}

function fromFile(file: string): Config {
  return readConfig({ home, file, hermesHome: undefined, environment: {} }).config
}

function refused(text: string): SteleError {
  const error = throwsWithCode(() => settings(text), 'CONFIG_INVALID')
  assert.is(error.kind, 'input')
  return error
}

function fileWith(text: string): string {
  const file = join(home, 'config.yaml')
  writeFileSync(file, text)
  return file
}

/** Section 3 of the stage's own document, and what is ours. */
const jevDefaults: Config['jev'] = {
  enabled: false,
  mode: 'shadow',
  baseUrl: 'https://api.typesafe.ai',
  decisionModel: 'jev-1.13.0',
  timeoutSeconds: 2,
  maxWorkers: 4,
  requestsPerDay: 0,
  stateMaxBytes: 8000,
  redaction: 'apart',
  overflow: 'shrink',
  turnClassifierEnabled: true,
  toolShapingEnabled: false,
  toolShapingMinConfidence: 0.95,
  riskGateEnabled: true,
  riskGateBlockUnbindable: false,
  riskGateApprovalThreshold: 0.8,
  riskGateUncertainBelow: 0.65,
  riskGateThresholdsExternalSideEffect: undefined,
  riskGateThresholdsDestructive: undefined,
  riskGateThresholdsIrreversible: undefined,
  riskGateThresholdsExposesSecrets: undefined,
  riskGateThresholdsConfirmationExpected: undefined,
  riskGateReadOnlyTools: [
    'read_file',
    'search_files',
    'web_search',
    'web_extract',
    'web_search_plus',
    'web_extract_plus',
    'session_search',
    'skills_list',
    'skill_view',
    'tool_search',
    'tool_describe',
  ],
  riskGateRequestedExternal: 'ask',
  riskGatePlainlyDestructive: 'always',
  riskGateChangedArguments: 'ask_once',
  verifyEnabled: false,
  verifyContinueThreshold: 0.85,
  verifyMaxNudges: 2,
  verifyConfidenceOver: 'all',
  verifyExcerpts: false,
  verifyOtherCalls: 'clear',
  cacheMaxTurns: 256,
  cacheTtlSeconds: 1800,
  telemetryEnabled: true,
  telemetryMaxEvents: 128,
}

const nothingSet: Config = settings('')

test('a home without a settings file has the defaults', () => {
  const config = fromFile(join(home, 'none.yaml'))
  assert.is(config.highWater.mirror, undefined)
  assert.is(config.checkpoint.mirror, undefined)
  // `syslog` where there is one: these are the sockets of Linux, of systemd alone, and of macOS.
  const sockets = ['/dev/log', '/run/systemd/journal/socket', '/var/run/syslog']
  assert.ok(['syslog', 'none'].includes(config.checkpoint.anchor))
  if (!sockets.some((path) => existsSync(path))) assert.is(config.checkpoint.anchor, 'none')
  // The format page: the origin of an untouched ledger is stele.local/<ledger id>.
  assert.is(config.checkpoint.origin, 'stele.local')
})

test('a file that is empty, or holds blanks and comments alone, is all defaults', () => {
  const defaults = fromFile(join(home, 'none.yaml'))
  for (const text of ['', '\n\n', '# nothing yet\n', '---\n', '{}\n', 'checkpoint: {}\nhighWater: {}\n'])
    assert.equal(settings(text), defaults, text)
})

test('every key is taken', () => {
  const text = `
provenance: { mode: block, search: profile, scope: decisions+preferences, evidence: attached }
capability: { mode: enforce, allowlist: /etc/stele/allowlist.yaml }
capture: { arguments: full }
retention: { days: 1, messagesDays: 2, toolsDays: 0, sessionsDays: 36500, judgementsDays: 5 }
reload: auto
highWater:
  mirror: /mnt/other/high-water
checkpoint:
  anchor: none
  mirror: /mnt/other/checkpoints.txt
  origin: example.com/agents
service:
  listen: localhost:8080
  idleExitMinutes: 0
redaction:
  patterns: acme-*, blue house
limits:
  hooksPerMinute: 1
  bytesPerMinute: 1000
  fieldBytes: 1024
  gapSeconds: 0
  spoolWaitSeconds: 3600
  judgedBytes: 2048
  homeBytes: 5368709120
  freeBytes: 0
jev:
  enabled: true
  mode: enforce
  base_url: https://jev.example.com
  decision_model: jev-latest
  timeout_seconds: 0.5
  max_workers: 16
  requests_per_day: 500
  state_max_bytes: 512
  redaction: incomplete
  overflow: replace
  turn_classifier: { enabled: false }
  tool_shaping: { enabled: true, min_confidence: 1 }
  risk_gate:
    enabled: false
    block_unbindable: true
    approval_threshold: 0.5
    uncertain_below: 0.9
    thresholds:
      external_side_effect: 0.91
      destructive: 0.51
      irreversible: 0.52
      exposes_secrets: 0.53
      confirmation_expected: 0.54
    read_only_tools: [read_file]
    requested_external: pass
    plainly_destructive: outage
    changed_arguments: silent
  verify:
    { enabled: true, continue_threshold: 1, max_nudges: 0, confidence_over: deciding, excerpts: true, other_calls: stale }
  cache: { max_turns: 1, ttl_seconds: 0.01 }
  telemetry: { enabled: false, max_events: 1024 }
`
  assert.equal(settings(text), {
    provenance: { mode: 'block', search: 'profile', scope: 'decisions+preferences', evidence: 'attached' },
    capability: { mode: 'enforce', allowlist: '/etc/stele/allowlist.yaml' },
    capture: { arguments: 'full' },
    retention: { days: 1, messagesDays: 2, toolsDays: 0, sessionsDays: 36_500, judgementsDays: 5 },
    reload: 'auto',
    highWater: { mirror: '/mnt/other/high-water' },
    checkpoint: { anchor: 'none', mirror: '/mnt/other/checkpoints.txt', origin: 'example.com/agents' },
    service: { listen: { host: 'localhost', port: 8080 }, idleExitMinutes: 0 },
    redaction: { patterns: 'acme-*, blue house' },
    limits: {
      hooksPerMinute: 1,
      bytesPerMinute: 1000,
      fieldBytes: 1024,
      gapSeconds: 0,
      spoolWaitSeconds: 3600,
      judgedBytes: 2048,
      homeBytes: 5_368_709_120,
      freeBytes: 0,
    },
    jev: {
      enabled: true,
      mode: 'enforce',
      baseUrl: 'https://jev.example.com',
      decisionModel: 'jev-latest',
      timeoutSeconds: 0.5,
      maxWorkers: 16,
      requestsPerDay: 500,
      stateMaxBytes: 512,
      redaction: 'incomplete',
      overflow: 'replace',
      turnClassifierEnabled: false,
      toolShapingEnabled: true,
      toolShapingMinConfidence: 1,
      riskGateEnabled: false,
      riskGateBlockUnbindable: true,
      riskGateApprovalThreshold: 0.5,
      riskGateUncertainBelow: 0.9,
      riskGateThresholdsExternalSideEffect: 0.91,
      riskGateThresholdsDestructive: 0.51,
      riskGateThresholdsIrreversible: 0.52,
      riskGateThresholdsExposesSecrets: 0.53,
      riskGateThresholdsConfirmationExpected: 0.54,
      riskGateReadOnlyTools: ['read_file'],
      riskGateRequestedExternal: 'pass',
      riskGatePlainlyDestructive: 'outage',
      riskGateChangedArguments: 'silent',
      verifyEnabled: true,
      verifyContinueThreshold: 1,
      verifyMaxNudges: 0,
      verifyConfidenceOver: 'deciding',
      verifyExcerpts: true,
      verifyOtherCalls: 'stale',
      cacheMaxTurns: 1,
      cacheTtlSeconds: 0.01,
      telemetryEnabled: false,
      telemetryMaxEvents: 1024,
    },
  })
})

test('what is set nowhere has the default of the interfaces page', () => {
  const { checkpoint, ...others } = nothingSet
  assert.equal(others, {
    provenance: { mode: 'observe', search: 'session', scope: 'decisions', evidence: undefined },
    capability: { mode: 'observe', allowlist: join(home, 'allowlist.yaml') },
    capture: { arguments: 'judged' },
    retention: { days: 30, messagesDays: 30, toolsDays: 30, sessionsDays: 30, judgementsDays: 30 },
    reload: 'owner',
    highWater: { mirror: undefined },
    service: { listen: { host: '127.0.0.1', port: 0 }, idleExitMinutes: 15 },
    redaction: { patterns: undefined },
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
    jev: jevDefaults,
  })
  assert.is(checkpoint.origin, 'stele.local')
})

test('each key alone changes that setting and no other', () => {
  const { capability, checkpoint, provenance, retention, service, limits } = nothingSet
  const cases: readonly (readonly [string, Partial<Config>])[] = [
    ['provenance:\n  mode: off\n', { provenance: { ...provenance, mode: 'off' } }],
    ['provenance:\n  search: profile\n', { provenance: { ...provenance, search: 'profile' } }],
    ['provenance:\n  scope: decisions+preferences\n', { provenance: { ...provenance, scope: 'decisions+preferences' } }],
    ['provenance:\n  evidence: attached\n', { provenance: { ...provenance, evidence: 'attached' } }],
    ['limits:\n  judgedBytes: 1024\n', { limits: { ...limits, judgedBytes: 1024 } }],
    ['capability:\n  mode: off\n', { capability: { ...capability, mode: 'off' } }],
    ['capability:\n  allowlist: grants.yaml\n', { capability: { ...capability, allowlist: join(home, 'grants.yaml') } }],
    ['capability:\n  allowlist: ~/grants.yaml\n', { capability: { ...capability, allowlist: join(homedir(), 'grants.yaml') } }],
    ['capture:\n  arguments: none\n', { capture: { arguments: 'none' } }],
    ['retention:\n  days: 7\n', { retention: { days: 7, messagesDays: 7, toolsDays: 7, sessionsDays: 7, judgementsDays: 7 } }],
    ['retention:\n  days: 0\n', { retention: { days: 0, messagesDays: 0, toolsDays: 0, sessionsDays: 0, judgementsDays: 0 } }],
    ['retention:\n  messagesDays: 0\n', { retention: { ...retention, messagesDays: 0 } }],
    ['retention:\n  toolsDays: 1\n', { retention: { ...retention, toolsDays: 1 } }],
    ['retention:\n  sessionsDays: 2\n', { retention: { ...retention, sessionsDays: 2 } }],
    ['retention:\n  judgementsDays: 3\n', { retention: { ...retention, judgementsDays: 3 } }],
    ['reload: auto\n', { reload: 'auto' }],
    ['highWater:\n  mirror: /m\n', { highWater: { mirror: '/m' } }],
    ['checkpoint:\n  anchor: none\n', { checkpoint: { ...checkpoint, anchor: 'none' } }],
    ['checkpoint:\n  anchor: syslog\n', { checkpoint: { ...checkpoint, anchor: 'syslog' } }],
    ['checkpoint:\n  mirror: /c\n', { checkpoint: { ...checkpoint, mirror: '/c' } }],
    ['checkpoint:\n  origin: a.b/c\n', { checkpoint: { ...checkpoint, origin: 'a.b/c' } }],
    ['service:\n  listen: off\n', { service: { ...service, listen: 'off' } }],
    ['service:\n  idleExitMinutes: 1440\n', { service: { ...service, idleExitMinutes: 1440 } }],
    ['redaction:\n  patterns: acme-*\n', { redaction: { patterns: 'acme-*' } }],
    ['limits:\n  hooksPerMinute: 1000000\n', { limits: { ...limits, hooksPerMinute: 1_000_000 } }],
    ['limits:\n  bytesPerMinute: 5\n', { limits: { ...limits, bytesPerMinute: 5 } }],
    ['limits:\n  fieldBytes: 16777216\n', { limits: { ...limits, fieldBytes: 16_777_216 } }],
    ['limits:\n  gapSeconds: 3600\n', { limits: { ...limits, gapSeconds: 3600 } }],
    ['limits:\n  spoolWaitSeconds: 0\n', { limits: { ...limits, spoolWaitSeconds: 0 } }],
    ['limits:\n  homeBytes: 1125899906842624\n', { limits: { ...limits, homeBytes: 1_125_899_906_842_624 } }],
    ['limits:\n  freeBytes: 0\n', { limits: { ...limits, freeBytes: 0 } }],
  ]
  for (const [text, changed] of cases) assert.equal(settings(text), { ...nothingSet, ...changed }, text)
})

test('the page listens on the three names of this machine alone', () => {
  const listen = (value: string) => settings(`service:\n  listen: "${value}"\n`).service.listen
  assert.equal(listen('127.0.0.1:0'), { host: '127.0.0.1', port: 0 })
  assert.equal(listen('[::1]:65535'), { host: '::1', port: 65535 })
  assert.equal(listen('::1:8080'), { host: '::1', port: 8080 })
  for (const elsewhere of ['0.0.0.0:80', '[::]:80', '127.0.0.1', '127.0.0.1:', ':80', '192.168.1.2:80', 'example.com:80']) {
    assert.is(refused(`service:\n  listen: "${elsewhere}"\n`).details['key'], 'service.listen', elsewhere)
  }
  for (const port of ['65536', '99999', '080', '-1', '1e3', '80 ', '80/x']) refused(`service:\n  listen: "localhost:${port}"\n`)
})

test('a path may begin with the home of its owner, or be relative to the Stele home', () => {
  assert.is(settings('highWater:\n  mirror: ~/marks/high-water\n').highWater.mirror, join(homedir(), 'marks/high-water'))
  assert.is(settings('checkpoint:\n  mirror: ~/c.txt\n').checkpoint.mirror, join(homedir(), 'c.txt'))
  assert.is(settings('highWater:\n  mirror: marks/high-water\n').highWater.mirror, join(home, 'marks/high-water'))
  assert.is(settings('checkpoint:\n  mirror: ./c.txt\n').checkpoint.mirror, join(home, 'c.txt'))
  assert.is(settings('checkpoint:\n  mirror: ../c.txt\n').checkpoint.mirror, join(home, '..', 'c.txt'))
})

test('a tilde inside a path, or before a name, is part of the name', () => {
  assert.is(settings('checkpoint:\n  mirror: a/~/c.txt\n').checkpoint.mirror, join(home, 'a/~/c.txt'))
  assert.is(settings('checkpoint:\n  mirror: "/a/~b"\n').checkpoint.mirror, '/a/~b')
})

const spellings = [
  'checkpoint: {anchor: none, origin: example.com}\n',
  '"checkpoint":\n    "anchor": \'none\'\n    origin: "example.com" # ours\n',
  '\ufeffcheckpoint:\n  anchor: none\n  origin: example.com\n',
  'checkpoint:\r\n  anchor: none\r\n  origin: example.com\r\n',
]

test('the same settings may be spelled in every way of YAML', () => {
  for (const text of spellings) {
    const { checkpoint } = settings(text)
    assert.equal([checkpoint.anchor, checkpoint.origin], ['none', 'example.com'], JSON.stringify(text))
  }
})

/** The text, the key that is wrong, its line, and what the error must say is allowed. */
const wrong: readonly (readonly [what: string, text: string, key: string, line: number, allowed: readonly string[]])[] = [
  ['an unknown key at the top', 'checkpoints:\n  anchor: none\n', 'checkpoints', 1, ['highWater', 'checkpoint']],
  [
    'an unknown key further down',
    '# ours\n\nhighWater:\n  mirror: /m\nretension: 5\n',
    'retension',
    5,
    ['highWater', 'checkpoint'],
  ],
  ['an unknown key inside', 'checkpoint:\n  origin: a\n  anchr: none\n', 'checkpoint.anchr', 3, ['anchor', 'mirror', 'origin']],
  ['a key of another section', 'highWater:\n  anchor: none\n', 'highWater.anchor', 2, ['mirror']],
  ['a key in other letters', 'highwater:\n  mirror: /m\n', 'highwater', 1, ['highWater']],
  ['a wrong word', 'checkpoint:\n  anchor: journal\n', 'checkpoint.anchor', 2, ['syslog', 'none']],
  ['a word in other letters', 'checkpoint:\n  anchor: None\n', 'checkpoint.anchor', 2, ['syslog', 'none']],
  ['a truth value for a word', 'checkpoint:\n  mirror: /m\n  anchor: false\n', 'checkpoint.anchor', 3, ['syslog', 'none']],
  ['a number for a path', 'highWater:\n  mirror: 5\n', 'highWater.mirror', 2, ['path']],
  ['a list for a path', 'checkpoint:\n  mirror: [a, b]\n', 'checkpoint.mirror', 2, ['path']],
  ['an empty path', 'checkpoint:\n  mirror: ""\n', 'checkpoint.mirror', 2, ['path']],
  ['an empty origin', 'checkpoint:\n  origin: ""\n', 'checkpoint.origin', 2, []],
  ['an origin with a blank', 'checkpoint:\n  origin: my ledger\n', 'checkpoint.origin', 2, []],
  ['an origin with a plus', 'checkpoint:\n  origin: a+b\n', 'checkpoint.origin', 2, []],
  ['an origin with a line feed', 'checkpoint:\n  origin: "a\\nb"\n', 'checkpoint.origin', 2, []],
  ['an origin with a no-break space', 'checkpoint:\n  origin: "a\u00a0b"\n', 'checkpoint.origin', 2, []],
  ['a list for a section', 'checkpoint:\n  - anchor\n', 'checkpoint', 1, ['anchor', 'mirror', 'origin']],
  ['a word for a section', 'highWater: /mnt\n', 'highWater', 1, ['mirror']],
  [
    'a key called __proto__',
    'highWater:\n  mirror: /m\n__proto__:\n  checkpoint: {}\n',
    '__proto__',
    3,
    ['highWater', 'checkpoint'],
  ],
  ['a mode of the other gate', 'provenance:\n  mode: enforce\n', 'provenance.mode', 2, ['off', 'observe', 'block']],
  ['a mode that only the other gate has', 'capability:\n  mode: block\n', 'capability.mode', 2, ['off', 'observe', 'enforce']],
  ['a truth value for off', 'capability:\n  mode: false\n', 'capability.mode', 2, ['off', 'observe', 'enforce']],
  ['an empty mode', 'capability:\n  mode:\n', 'capability.mode', 2, ['off', 'observe', 'enforce']],
  ['arguments of no kind', 'capture:\n  arguments: all\n', 'capture.arguments', 2, ['judged', 'full', 'none']],
  ['a reload by nobody', 'reload: never\n', 'reload', 1, ['owner', 'auto']],
  ['a section for a word', 'reload:\n  by: owner\n', 'reload', 1, ['owner', 'auto']],
  ['minutes beyond a day', 'service:\n  idleExitMinutes: 1441\n', 'service.idleExitMinutes', 2, ['1', '1440', '0']],
  ['minutes below nothing', 'service:\n  idleExitMinutes: -1\n', 'service.idleExitMinutes', 2, ['1440']],
  ['half a minute', 'service:\n  idleExitMinutes: 0.5\n', 'service.idleExitMinutes', 2, ['whole']],
  ['a number as a word', 'service:\n  idleExitMinutes: "15"\n', 'service.idleExitMinutes', 2, ['whole']],
  ['a pattern that is too short', 'redaction:\n  patterns: acme-*, ab*\n', 'redaction.patterns', 2, ['four', 'comma']],
  ['a pattern that fits what stands for a secret', 'redaction:\n  patterns: REDACTED\n', 'redaction.patterns', 2, ['four']],
  ['no hooks at all', 'limits:\n  hooksPerMinute: 0\n', 'limits.hooksPerMinute', 2, ['1', '1000000']],
  ['too many hooks', 'limits:\n  hooksPerMinute: 1000001\n', 'limits.hooksPerMinute', 2, ['1', '1000000']],
  ['no bytes at all', 'limits:\n  bytesPerMinute: 0\n', 'limits.bytesPerMinute', 2, ['1']],
  ['fields too small', 'limits:\n  fieldBytes: 1023\n', 'limits.fieldBytes', 2, ['1024', '16777216']],
  ['fields too large', 'limits:\n  fieldBytes: 16777217\n', 'limits.fieldBytes', 2, ['1024', '16777216']],
  ['a gap beyond an hour', 'limits:\n  gapSeconds: 3601\n', 'limits.gapSeconds', 2, ['0', '3600']],
  ['a wait beyond an hour', 'limits:\n  spoolWaitSeconds: 3601\n', 'limits.spoolWaitSeconds', 2, ['0', '3600']],
  ['a budget below nothing', 'limits:\n  homeBytes: -1\n', 'limits.homeBytes', 2, ['0', '1125899906842624']],
  ['a budget beyond a pebibyte', 'limits:\n  freeBytes: 1125899906842625\n', 'limits.freeBytes', 2, ['0', '1125899906842624']],
  ['a number without end', 'limits:\n  gapSeconds: .inf\n', 'limits.gapSeconds', 2, ['0', '3600']],
  ['days below nothing', 'retention:\n  days: -1\n', 'retention.days', 2, ['1', '36500', '0 for ever']],
  ['half a day', 'retention:\n  messagesDays: 0.5\n', 'retention.messagesDays', 2, ['whole']],
  ['more than a hundred years', 'retention:\n  toolsDays: 36501\n', 'retention.toolsDays', 2, ['36500']],
  ['days as a span', 'retention:\n  sessionsDays: 30d\n', 'retention.sessionsDays', 2, ['whole']],
  ['days as a word', 'retention:\n  judgementsDays: never\n', 'retention.judgementsDays', 2, ['0 for ever']],
  ['a truth value in quotes', 'jev:\n  enabled: "yes"\n', 'jev.enabled', 2, ['true or false']],
  ['a section within a section that is none', 'jev:\n  risk_gate: 5\n', 'jev.risk_gate', 2, ['approval_threshold', 'thresholds']],
  [
    'an unknown key two sections down',
    'jev:\n  risk_gate:\n    thresholds:\n      destroys: 0.9\n',
    'jev.risk_gate.thresholds.destroys',
    4,
    ['destructive', 'irreversible'],
  ],
  ['a key with both of its dots', 'jev:\n  risk_gate.enabled: true\n', 'jev.risk_gate.enabled', 2, ['risk_gate']],
  [
    'a list that holds a list',
    'jev:\n  risk_gate:\n    read_only_tools: [a, [b]]\n',
    'jev.risk_gate.read_only_tools',
    3,
    ['list'],
  ],
  ['a key of a later part inside', 'capability:\n  grants: all\n', 'capability.grants', 2, ['mode']],
  ['a key with its dot', 'provenance.mode: block\n', 'provenance.mode', 1, ['provenance', 'reload']],
  ['a key that merges', 'capability: &a\n  mode: off\nprovenance:\n  <<: *a\n', 'provenance.<<', 4, ['mode']],
  ['a key called constructor', 'checkpoint:\n  constructor: x\n', 'checkpoint.constructor', 2, ['anchor', 'mirror', 'origin']],
]

for (const [what, text, key, line, allowed] of wrong) {
  test(`${what} is an error that names the key, its line and what is allowed`, () => {
    const error = refused(text)
    assert.is(error.details['key'], key)
    assert.is(error.details['place'], 'config.yaml')
    const place = error.details['line']
    // A section of the wrong kind may be told where it is named or where its value begins.
    assert.ok(place === line || (text.includes('- anchor') && place === 2), `line ${place}`)
    for (const part of [key, String(place), ...allowed]) assert.ok(error.line.includes(part), `${part} stands in: ${error.line}`)
  })
}

test('an error never shows the value, which may be a secret', () => {
  for (const text of [
    'checkpoint:\n  anchor: hunter2-secret\n',
    'checkpoint:\n  origin: hunter2-secret and more\n',
    'highWater: hunter2-secret\n',
    'highWater:\n  mirror: [hunter2-secret]\n',
    'checkpoint: {anchor: hunter2-secret\n',
    'hunter2-secret\n',
  ]) {
    const error = refused(text)
    assert.not.match(error.line, 'hunter2')
    assert.not.match(inspect(error, { depth: 5 }), 'hunter2', text)
  }
})

test('text that is no YAML, or not one mapping, is an error with a line', () => {
  for (const [text, line] of [
    ['checkpoint: {anchor: none\n', undefined],
    ['checkpoint:\n  anchor: none\n anchor: none\n', undefined],
    ['a: b: c\n', 1],
    ['- checkpoint\n', 1],
    ['just words\n', 1],
    ['5\n', 1],
    ['checkpoint:\n\tanchor: none\n', 2],
  ] as const) {
    const error = refused(text)
    assert.type(error.details['line'], 'number', JSON.stringify(text))
    if (line !== undefined) assert.is(error.details['line'], line, JSON.stringify(text))
  }
})

test('a key that stands twice, and a second document, are errors: no setting is taken in silence', () => {
  refused('checkpoint:\n  anchor: none\n  anchor: syslog\n')
  refused('checkpoint:\n  anchor: none\ncheckpoint:\n  origin: a\n')
  refused('checkpoint:\n  anchor: syslog\n---\ncheckpoint:\n  anchor: none\n')
})

test('an alias that multiplies itself is refused and does not run out of memory', () => {
  const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x]']
  for (let level = 1; level < 12; level += 1)
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(',')}]`,
    )
  refused(`${lines.join('\n')}\n`)
})

test('a settings file that is there but cannot be read is an error and never all defaults', () => {
  const folder = join(home, 'a-folder.yaml')
  mkdirSync(folder)
  throwsWithCode(() => fromFile(folder), 'FILE_UNREADABLE')
  const file = join(home, 'locked.yaml')
  writeFileSync(file, 'checkpoint:\n  anchor: none\n')
  chmodSync(file, 0)
  // The superuser reads it all the same.
  if (process.getuid?.() !== 0) throwsWithCode(() => fromFile(file), 'FILE_UNREADABLE')
})

test('a settings file that is a link to nothing, or a pipe that nobody writes to, is an error and never all defaults', () => {
  const link = join(home, 'link.yaml')
  symlinkSync(join(home, 'gone.yaml'), link)
  throwsWithCode(() => fromFile(link), 'FILE_UNREADABLE')
  if (process.platform === 'win32') return
  const pipe = join(home, 'pipe.yaml')
  execFileSync('mkfifo', [pipe])
  throwsWithCode(() => fromFile(pipe), 'FILE_UNREADABLE')
})

test('a settings file that is a link to a file is read', () => {
  const link = join(home, 'good-link.yaml')
  writeFileSync(join(home, 'target.yaml'), 'reload: auto\n')
  symlinkSync('target.yaml', link)
  assert.is(fromFile(link).reload, 'auto')
})

test('a value may stand behind an alias', () => {
  const { provenance, capability } = settings(
    'provenance: &gate\n  mode: &mode off\ncapability: *gate\nservice:\n  listen: *mode\n',
  )
  assert.equal([provenance.mode, capability.mode], ['off', 'off'])
})

test('an alias without its anchor is an error', () => {
  assert.is(refused('reload: *nowhere\n').details['key'], 'reload')
  assert.is(refused('capability: *nowhere\n').details['key'], 'capability')
})

test('a settings file that is not UTF-8 is an error', () => {
  const file = join(home, 'latin.yaml')
  writeFileSync(file, Buffer.concat([Buffer.from('checkpoint:\n  mirror: /caf'), Buffer.from([0xe9]), Buffer.from('\n')]))
  const codes = ['CONFIG_INVALID', 'FILE_UNREADABLE']
  try {
    fromFile(file)
  } catch (error) {
    assert.ok(codes.includes((error as SteleError).code))
    return
  }
  assert.unreachable('another path than the one in the file would be used')
})

interface Written {
  readonly environment?: Readonly<Record<string, string>>
  readonly env?: string
  readonly hermes?: string
  readonly own?: string
}

const hermesHome = temporaryFolder()

/** What is read where each place says this; a place that says nothing is not there. */
function settingsFrom({ environment = {}, env, hermes, own }: Written): ReadConfig {
  const ownFile = join(hermesHome, 'plugin-data', 'stele', 'config.yaml')
  mkdirSync(join(hermesHome, 'plugin-data', 'stele'), { recursive: true })
  for (const [file, text] of [
    [join(hermesHome, '.env'), env],
    [join(hermesHome, 'config.yaml'), hermes],
    [ownFile, own],
  ] as const) {
    if (text === undefined) rmSync(file, { force: true })
    else writeFileSync(file, text)
  }
  return readConfig({ home: join(hermesHome, 'plugin-data', 'stele'), file: ownFile, hermesHome, environment })
}

function refusedFrom(written: Written): SteleError {
  return throwsWithCode(() => settingsFrom(written), 'CONFIG_INVALID')
}

function hermesSettings(lines: string): string {
  return `model:\n  name: some-model\nplugins:\n  enabled: [stele]\n  entries:\n    stele:\n      settings:\n${lines}`
}

/** Every variable of the settings: the key with dots and humps as underscores. */
const variables: readonly (readonly [variable: string, key: string, text: string, value: SettingValue])[] = [
  ['STELE_PROVENANCE_MODE', 'provenance.mode', 'block', 'block'],
  ['STELE_CAPABILITY_MODE', 'capability.mode', 'enforce', 'enforce'],
  ['STELE_CAPABILITY_ALLOWLIST', 'capability.allowlist', '/grants.yaml', '/grants.yaml'],
  ['STELE_CAPTURE_ARGUMENTS', 'capture.arguments', 'none', 'none'],
  ['STELE_RETENTION_MESSAGES_DAYS', 'retention.messagesDays', '8', 8],
  ['STELE_RETENTION_TOOLS_DAYS', 'retention.toolsDays', '0', 0],
  ['STELE_RETENTION_SESSIONS_DAYS', 'retention.sessionsDays', '90', 90],
  ['STELE_RETENTION_JUDGEMENTS_DAYS', 'retention.judgementsDays', '36500', 36_500],
  ['STELE_RETENTION_DAYS', 'retention.days', '7', 7],
  ['STELE_RELOAD', 'reload', 'auto', 'auto'],
  ['STELE_HIGH_WATER_MIRROR', 'highWater.mirror', '/m', '/m'],
  ['STELE_CHECKPOINT_ANCHOR', 'checkpoint.anchor', 'none', 'none'],
  ['STELE_CHECKPOINT_MIRROR', 'checkpoint.mirror', '/c', '/c'],
  ['STELE_CHECKPOINT_ORIGIN', 'checkpoint.origin', 'a.b', 'a.b'],
  ['STELE_SERVICE_LISTEN', 'service.listen', '[::1]:80', '[::1]:80'],
  ['STELE_SERVICE_IDLE_EXIT_MINUTES', 'service.idleExitMinutes', '30', 30],
  ['STELE_REDACTION_PATTERNS', 'redaction.patterns', 'acme-*,blue', 'acme-*,blue'],
  ['STELE_LIMITS_HOOKS_PER_MINUTE', 'limits.hooksPerMinute', '9000', 9000],
  ['STELE_LIMITS_BYTES_PER_MINUTE', 'limits.bytesPerMinute', '1000', 1000],
  ['STELE_LIMITS_FIELD_BYTES', 'limits.fieldBytes', '2048', 2048],
  ['STELE_LIMITS_GAP_SECONDS', 'limits.gapSeconds', '0', 0],
  ['STELE_LIMITS_SPOOL_WAIT_SECONDS', 'limits.spoolWaitSeconds', '5', 5],
  ['STELE_LIMITS_HOME_BYTES', 'limits.homeBytes', '6', 6],
  ['STELE_LIMITS_FREE_BYTES', 'limits.freeBytes', '7', 7],
  ['STELE_LIMITS_JUDGED_BYTES', 'limits.judgedBytes', '2048', 2048],
  ['STELE_PROVENANCE_SEARCH', 'provenance.search', 'profile', 'profile'],
  ['STELE_PROVENANCE_SCOPE', 'provenance.scope', 'decisions+preferences', 'decisions+preferences'],
  ['STELE_PROVENANCE_EVIDENCE', 'provenance.evidence', 'attached', 'attached'],
  ['STELE_JEV_ENABLED', 'jev.enabled', 'true', true],
  ['STELE_JEV_MODE', 'jev.mode', 'enforce', 'enforce'],
  ['STELE_JEV_BASE_URL', 'jev.base_url', 'http://127.0.0.1:9', 'http://127.0.0.1:9'],
  ['STELE_JEV_DECISION_MODEL', 'jev.decision_model', 'jev-latest', 'jev-latest'],
  ['STELE_JEV_TIMEOUT_SECONDS', 'jev.timeout_seconds', '0.5', 0.5],
  ['STELE_JEV_MAX_WORKERS', 'jev.max_workers', '2', 2],
  ['STELE_JEV_REQUESTS_PER_DAY', 'jev.requests_per_day', '9', 9],
  ['STELE_JEV_STATE_MAX_BYTES', 'jev.state_max_bytes', '600', 600],
  ['STELE_JEV_REDACTION', 'jev.redaction', 'incomplete', 'incomplete'],
  ['STELE_JEV_OVERFLOW', 'jev.overflow', 'replace', 'replace'],
  ['STELE_JEV_TURN_CLASSIFIER_ENABLED', 'jev.turn_classifier.enabled', 'false', false],
  ['STELE_JEV_TOOL_SHAPING_ENABLED', 'jev.tool_shaping.enabled', 'true', true],
  ['STELE_JEV_TOOL_SHAPING_MIN_CONFIDENCE', 'jev.tool_shaping.min_confidence', '0.97', 0.97],
  ['STELE_JEV_RISK_GATE_ENABLED', 'jev.risk_gate.enabled', 'false', false],
  ['STELE_JEV_RISK_GATE_BLOCK_UNBINDABLE', 'jev.risk_gate.block_unbindable', 'true', true],
  ['STELE_JEV_RISK_GATE_APPROVAL_THRESHOLD', 'jev.risk_gate.approval_threshold', '0.75', 0.75],
  ['STELE_JEV_RISK_GATE_UNCERTAIN_BELOW', 'jev.risk_gate.uncertain_below', '0.7', 0.7],
  ['STELE_JEV_RISK_GATE_THRESHOLDS_EXTERNAL_SIDE_EFFECT', 'jev.risk_gate.thresholds.external_side_effect', '0.9', 0.9],
  ['STELE_JEV_RISK_GATE_THRESHOLDS_DESTRUCTIVE', 'jev.risk_gate.thresholds.destructive', '0.9', 0.9],
  ['STELE_JEV_RISK_GATE_THRESHOLDS_IRREVERSIBLE', 'jev.risk_gate.thresholds.irreversible', '0.9', 0.9],
  ['STELE_JEV_RISK_GATE_THRESHOLDS_EXPOSES_SECRETS', 'jev.risk_gate.thresholds.exposes_secrets', '0.9', 0.9],
  ['STELE_JEV_RISK_GATE_THRESHOLDS_CONFIRMATION_EXPECTED', 'jev.risk_gate.thresholds.confirmation_expected', '0.9', 0.9],
  ['STELE_JEV_RISK_GATE_READ_ONLY_TOOLS', 'jev.risk_gate.read_only_tools', 'read_file,my-tool', 'read_file, my-tool'],
  ['STELE_JEV_RISK_GATE_REQUESTED_EXTERNAL', 'jev.risk_gate.requested_external', 'pass', 'pass'],
  ['STELE_JEV_RISK_GATE_PLAINLY_DESTRUCTIVE', 'jev.risk_gate.plainly_destructive', 'off', 'off'],
  ['STELE_JEV_RISK_GATE_CHANGED_ARGUMENTS', 'jev.risk_gate.changed_arguments', 'silent', 'silent'],
  ['STELE_JEV_VERIFY_ENABLED', 'jev.verify.enabled', 'true', true],
  ['STELE_JEV_VERIFY_CONTINUE_THRESHOLD', 'jev.verify.continue_threshold', '1', 1],
  ['STELE_JEV_VERIFY_MAX_NUDGES', 'jev.verify.max_nudges', '0', 0],
  ['STELE_JEV_VERIFY_CONFIDENCE_OVER', 'jev.verify.confidence_over', 'deciding', 'deciding'],
  ['STELE_JEV_VERIFY_EXCERPTS', 'jev.verify.excerpts', 'true', true],
  ['STELE_JEV_VERIFY_OTHER_CALLS', 'jev.verify.other_calls', 'stale', 'stale'],
  ['STELE_JEV_CACHE_MAX_TURNS', 'jev.cache.max_turns', '8', 8],
  ['STELE_JEV_CACHE_TTL_SECONDS', 'jev.cache.ttl_seconds', '60', 60],
  ['STELE_JEV_TELEMETRY_ENABLED', 'jev.telemetry.enabled', 'false', false],
  ['STELE_JEV_TELEMETRY_MAX_EVENTS', 'jev.telemetry.max_events', '1', 1],
]

test('every key can be set by a variable of the environment, or of the .env file, and says so', () => {
  assert.equal(Object.keys(settingsFrom({}).from).sort(), variables.map(([, key]) => key).sort())
  for (const [variable, key, text, value] of variables) {
    const byEnvironment = settingsFrom({ environment: { [variable]: text } })
    assert.is(settingOf(byEnvironment.config, key), value, variable)
    const byEnvFile = settingsFrom({ env: `${variable}=${text}\n` })
    assert.equal(byEnvFile.config, byEnvironment.config, variable)
    for (const other of Object.keys(byEnvironment.from)) {
      assert.is(byEnvironment.from[other], other === key ? `environment ${variable}` : 'default')
      assert.is(byEnvFile.from[other], other === key ? `.env ${variable}` : 'default')
    }
  }
})

test('of the five places the higher one has the last word, whichever say something', () => {
  const places = [
    [{ environment: { STELE_LIMITS_GAP_SECONDS: '1' } }, 1, 'environment STELE_LIMITS_GAP_SECONDS'],
    [{ env: 'STELE_LIMITS_GAP_SECONDS=2\n' }, 2, '.env STELE_LIMITS_GAP_SECONDS'],
    [{ hermes: hermesSettings('        limits: { gapSeconds: 3 }\n') }, 3, 'Hermes config.yaml'],
    [{ own: 'limits:\n  gapSeconds: 4\n' }, 4, 'config.yaml'],
  ] as const
  for (let chosen = 0; chosen < 1 << places.length; chosen += 1) {
    const saying = places.filter((_, at) => ((chosen >> at) & 1) === 1)
    const { config, from } = settingsFrom(Object.assign({}, ...saying.map(([written]) => written)) as Written)
    const [, seconds, place] = saying[0] ?? [undefined, 10, 'default']
    assert.equal([config.limits.gapSeconds, from['limits.gapSeconds']], [seconds, place], `places ${chosen.toString(2)}`)
  }
})

test('places that set different keys of one section add up', () => {
  const { config } = settingsFrom({
    environment: { STELE_LIMITS_GAP_SECONDS: '1' },
    env: 'STELE_LIMITS_SPOOL_WAIT_SECONDS=2\n',
    hermes: hermesSettings('        limits: { fieldBytes: 3000 }\n'),
    own: 'limits:\n  hooksPerMinute: 4\n',
  })
  assert.equal(config.limits, {
    hooksPerMinute: 4,
    bytesPerMinute: 268435456,
    fieldBytes: 3000,
    gapSeconds: 1,
    spoolWaitSeconds: 2,
    judgedBytes: 65536,
    homeBytes: 10737418240,
    freeBytes: 1073741824,
  })
})

test('PROVENANCE_GATE_MODE is honoured in both places of variables, and our own variable beside it wins', () => {
  for (const mode of ['off', 'observe', 'block']) {
    const { config, from } = settingsFrom({ environment: { PROVENANCE_GATE_MODE: mode } })
    assert.equal([config.provenance.mode, from['provenance.mode']], [mode, 'environment PROVENANCE_GATE_MODE'])
  }
  const both = { PROVENANCE_GATE_MODE: 'off', STELE_PROVENANCE_MODE: 'block' }
  assert.is(settingsFrom({ environment: both }).from['provenance.mode'], 'environment STELE_PROVENANCE_MODE')
  const lines = Object.entries(both).map(([name, mode]) => `${name}=${mode}\n`)
  for (const env of [lines.join(''), lines.toReversed().join('')]) {
    const { config, from } = settingsFrom({ env })
    assert.equal([config.provenance.mode, from['provenance.mode']], ['block', '.env STELE_PROVENANCE_MODE'])
  }
  const across = settingsFrom({ environment: { PROVENANCE_GATE_MODE: 'observe' }, env: 'STELE_PROVENANCE_MODE=block\n' })
  assert.is(across.from['provenance.mode'], 'environment PROVENANCE_GATE_MODE')
})

test('row P14: the mode is observe where nothing is said, takes three values, and a wrong one is an error that names it', () => {
  assert.is(settingsFrom({}).config.provenance.mode, 'observe')
  for (const mode of ['off', 'observe', 'block'])
    assert.is(settingsFrom({ environment: { PROVENANCE_GATE_MODE: mode } }).config.provenance.mode, mode)
  for (const written of [{ environment: { PROVENANCE_GATE_MODE: 'enforce' } }, { env: 'PROVENANCE_GATE_MODE=enforce\n' }]) {
    const { details, line } = refusedFrom(written)
    assert.is(details['name'], 'PROVENANCE_GATE_MODE')
    assert.match(line, 'off, observe or block')
  }
})

test('row P15: search and scope come by the names that the seed knows, ours beside them win, and what is said nowhere is the narrow one', () => {
  const { search, scope, evidence } = settingsFrom({}).config.provenance
  assert.equal([search, scope, evidence], ['session', 'decisions', undefined])
  for (const [variable, key, values] of [
    ['PROVENANCE_GATE_SEARCH', 'provenance.search', ['session', 'profile']],
    ['PROVENANCE_GATE_SCOPE', 'provenance.scope', ['decisions', 'decisions+preferences']],
  ] as const) {
    const ours = variable.replace('PROVENANCE_GATE', 'STELE_PROVENANCE')
    for (const value of values) {
      for (const written of [{ environment: { [variable]: value } }, { env: `${variable}=${value}\n` }]) {
        const { config, from } = settingsFrom(written)
        assert.is(settingOf(config, key), value)
        assert.match(from[key] ?? '', variable)
      }
      const both = settingsFrom({ environment: { [variable]: values.find((other) => other !== value) ?? '', [ours]: value } })
      assert.equal([settingOf(both.config, key), both.from[key]], [value, `environment ${ours}`])
    }
    assert.is(refusedFrom({ environment: { [variable]: 'both' } }).details['name'], variable)
  }
})

test('row P16: block set only in the .env of the Hermes home is in force, its file is named, and an edit counts at the next reading', () => {
  const first = settingsFrom({ env: 'OTHER=1\nPROVENANCE_GATE_MODE=block\n', own: 'provenance:\n  mode: observe\n' })
  assert.is(first.config.provenance.mode, 'block')
  const from = first.from['provenance.mode'] ?? ''
  const places = { home, file: join(home, 'none.yaml'), hermesHome, environment: {} }
  assert.is(configFileOf(places, from), join(hermesHome, '.env'))
  writeFileSync(join(hermesHome, '.env'), 'OTHER=1\nPROVENANCE_GATE_MODE=off\n')
  assert.is(readConfig(places).config.provenance.mode, 'off')
})

test('the mode in the entry of the capability-gate plugin counts, below our own entry and above the file in the home', () => {
  const gate = 'plugins:\n  entries:\n    capability-gate:\n      mode: enforce\n      other: kept\n'
  const seed = settingsFrom({ hermes: gate, own: 'capability:\n  mode: off\n' })
  assert.is(seed.config.capability.mode, 'enforce')
  assert.is(seed.from['capability.mode'], 'Hermes config.yaml plugins.entries.capability-gate.mode')
  const ours = settingsFrom({ hermes: `${gate}    stele:\n      settings:\n        capability: { mode: observe }\n` })
  assert.equal([ours.config.capability.mode, ours.from['capability.mode']], ['observe', 'Hermes config.yaml'])
  const wrongMode = refusedFrom({ hermes: gate.replace('enforce', 'block') })
  assert.equal(wrongMode.details, {
    key: 'capability.mode',
    name: 'plugins.entries.capability-gate.mode',
    place: 'Hermes config.yaml',
    line: 4,
    allowed: 'off, observe or enforce',
  })
})

test('off that Hermes has saved as false is off, for the keys that can be off', () => {
  const { config } = settingsFrom({
    hermes: hermesSettings(
      '        provenance: { mode: false }\n        capability: { mode: off }\n        service: { listen: false }\n',
    ),
  })
  assert.equal([config.provenance.mode, config.capability.mode, config.service.listen], ['off', 'off', 'off'])
  assert.is(
    settingsFrom({ hermes: 'plugins:\n  entries:\n    capability-gate:\n      mode: false\n' }).config.capability.mode,
    'off',
  )
  for (const line of ['checkpoint: { anchor: false }', 'capability: { mode: true }', 'reload: false'])
    refusedFrom({ hermes: hermesSettings(`        ${line}\n`) })
})

test('of Hermes’ own settings nothing is judged but our entry', () => {
  for (const hermes of [
    '',
    '# nothing\n',
    'plugins:\n',
    'plugins: []\n',
    'plugins: words\n',
    'plugins:\n  entries: 5\n',
    'plugins:\n  entries:\n    stele: true\n',
    'plugins:\n  entries:\n    stele:\n      settings:\n',
    'plugins:\n  entries:\n    stele:\n      settings: {}\n      granted_capabilities: [a]\n',
    'plugins:\n  entries:\n    other:\n      settings: { capability: { mode: never } }\n',
    'capability: { mode: never }\nmodel: a\nmodel: b\nx: *nowhere\ny: !own 5\n? [a, b]\n: c\n',
  ])
    assert.equal(settingsFrom({ hermes }).config, settingsFrom({}).config, hermes)
})

test('a wrong key or value in our entry of Hermes’ settings names key, place, line and what is allowed', () => {
  for (const [lines, key, line, allowedText] of [
    ['        capability: { mode: on }\n', 'capability.mode', 8, 'off, observe or enforce'],
    ['        capability:\n          mode: observe\n          modus: off\n', 'capability.modus', 10, 'mode, allowlist'],
    ['        capability: off\n', 'capability', 8, 'mode, allowlist'],
    ['        reload: owner\n        reload: auto\n', 'reload', 9, undefined],
    ['        limits:\n          gapSeconds: 1\n          gapSeconds: 2\n', 'limits.gapSeconds', 10, undefined],
  ] as const) {
    const { details } = refusedFrom({ hermes: hermesSettings(lines) })
    assert.equal(
      [details['key'], details['place'], details['line'], details['allowed']],
      [key, 'Hermes config.yaml', line, allowedText],
    )
  }
  assert.is(
    refusedFrom({ hermes: 'plugins:\n  entries:\n    stele:\n      settings: [a]\n' }).details['place'],
    'Hermes config.yaml',
  )
})

test('a name on the way to our entry that stands twice is an error: two readers would find two entries', () => {
  const { details } = refusedFrom({ hermes: `${hermesSettings('        reload: auto\n')}    stele: {}\n` })
  assert.equal([details['key'], details['line']], ['plugins.entries.stele', 9])
  refusedFrom({ hermes: `${hermesSettings('        reload: auto\n')}plugins: {}\n` })
})

test('Hermes’ settings that are no YAML, cut off within a word, or not UTF-8 are an error of that place', () => {
  for (const hermes of ['plugins: {entries: {\n', 'plug', '- a\n', 'a: b: c\n', 'a: 1\n---\nb: 2\n']) {
    const { details } = refusedFrom({ hermes })
    assert.is(details['place'], 'Hermes config.yaml', hermes)
    assert.type(details['line'], 'number', hermes)
  }
  settingsFrom({})
  writeFileSync(join(hermesHome, 'config.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xe9, 0x0a]))
  const places = { home, file: join(home, 'none.yaml'), hermesHome, environment: {} }
  assert.is(throwsWithCode(() => readConfig(places), 'CONFIG_INVALID').details['place'], 'Hermes config.yaml')
  rmSync(join(hermesHome, 'config.yaml'))
})

test('a wrong value of a variable names key, variable, place and what is allowed', () => {
  assert.equal(refusedFrom({ environment: { STELE_CAPABILITY_MODE: 'block' } }).details, {
    key: 'capability.mode',
    name: 'STELE_CAPABILITY_MODE',
    place: 'environment',
    allowed: 'off, observe or enforce',
  })
  assert.equal(refusedFrom({ env: '\n# ours\nPROVENANCE_GATE_MODE=enforce\n' }).details, {
    key: 'provenance.mode',
    name: 'PROVENANCE_GATE_MODE',
    place: '.env',
    line: 3,
    allowed: 'off, observe or block',
  })
  for (const text of ['', ' ', 'Block', 'block ', 'true', '1']) refusedFrom({ environment: { PROVENANCE_GATE_MODE: text } })
  for (const text of ['', '1e1', '0x10', '010', '+1', '-1', '1.0', '10 ', '1_0', 'ten', '3601', '99999999999999999999'])
    assert.is(refusedFrom({ environment: { STELE_LIMITS_GAP_SECONDS: text } }).details['key'], 'limits.gapSeconds', text)
})

test('a mistake in a place is an error also where a higher place has the last word', () => {
  refusedFrom({ environment: { STELE_PROVENANCE_MODE: 'block', PROVENANCE_GATE_MODE: 'never' } })
  refusedFrom({ environment: { STELE_CAPABILITY_MODE: 'enforce' }, env: 'STELE_CAPABILITY_MODE=never\n' })
  refusedFrom({ env: 'STELE_CAPABILITY_MODE=enforce\n', hermes: hermesSettings('        capability: { mode: never }\n') })
  refusedFrom({ env: 'STELE_CAPABILITY_MODE=enforce\n', own: 'capability:\n  mode: never\n' })
})

test('a variable of ours that is no setting is an error that names it and the nearest', () => {
  for (const [name, nearest] of [
    ['STELE_CAPABILTY_MODE', 'STELE_CAPABILITY_MODE'],
    ['STELE_MODE', undefined],
    ['STELE_HIGHWATER_MIRROR', 'STELE_HIGH_WATER_MIRROR'],
    ['STELE_SERVICE_IDLE_MINUTES', 'STELE_SERVICE_IDLE_EXIT_MINUTES'],
    ['STELE_HOMES', 'STELE_HOME'],
    ['STELE_PASSPHRASE', 'STELE_PASSPHRASE_FILE'],
    ['STELE_TEST', undefined],
    ['STELE_', undefined],
    [`STELE_${'X'.repeat(100_000)}`, undefined],
  ] as const) {
    for (const [place, error] of [
      ['environment', refusedFrom({ environment: { [name]: 'hunter2-secret' } })],
      ['.env', refusedFrom({ env: `A=1\n${name}=hunter2-secret\n` })],
    ] as const) {
      assert.is(error.details['key'], name)
      assert.is(error.details['place'], place)
      assert.is(error.details['line'], place === '.env' ? 2 : undefined)
      if (nearest !== undefined) assert.is(error.details['nearest'], nearest)
      assert.match(String(error.details['nearest']), /^STELE_[A-Z_]+$/)
      assert.not.match(inspect(error, { depth: 5 }), 'hunter2')
    }
  }
})

test('the other variables of Stele and its tests, and those of other programs, are left alone', () => {
  const environment = {
    STELE_HOME: '/h',
    STELE_COMMAND: 'stele',
    STELE_PASSPHRASE_FILE: '/p',
    STELE_TEST_ANYTHING: '1',
    STELEX: '1',
    stele_mode: '1',
    PROVENANCE_GATE_ANYTHING: 'decisions',
    PATH: '/bin',
  }
  const env = Object.entries(environment)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
  const { config, from } = settingsFrom({ environment, env })
  assert.equal(config, settingsFrom({}).config)
  assert.equal([...new Set(Object.values(from))], ['default'])
})

test('an error of a variable never shows its value', () => {
  for (const written of [
    { environment: { STELE_CAPABILITY_MODE: 'hunter2-secret' } },
    { env: 'STELE_CAPABILITY_MODE=hunter2-secret\n' },
    { env: 'STELE_CAPABILITY_MODE="hunter2-secret\nTOKEN=hunter2-secret\n' },
    { hermes: hermesSettings('        capability: { mode: hunter2-secret }\n') },
    { hermes: 'token: hunter2-secret: x\n' },
  ]) {
    const error = refusedFrom(written)
    assert.not.match(`${error.line} ${inspect(error, { depth: 5 })}`, 'hunter2')
  }
})

test('a file of more than 256 KiB is refused wherever settings may stand, and one of just as many is read', () => {
  const own = join(home, 'large.yaml')
  const places = { '.env': join(hermesHome, '.env'), 'Hermes config.yaml': join(hermesHome, 'config.yaml'), 'config.yaml': own }
  const readAll = () => readConfig({ home, file: own, hermesHome, environment: {} }).config
  for (const [place, file] of Object.entries(places)) {
    settingsFrom({})
    const comment = `#${'x'.repeat(256 * 1024 - 1)}`
    writeFileSync(file, comment)
    assert.equal(readAll(), nothingSet, place)
    writeFileSync(file, `${comment}x`)
    assert.equal(throwsWithCode(readAll, 'CONFIG_INVALID').details, { place, reason: 'larger than 256 KiB' })
    rmSync(file)
  }
})

test('a file of very many keys is refused in no time to speak of, and so is a key that stands twice in it', () => {
  const many = Array.from({ length: 25_000 }, (_, at) => `k${at}: 1\n`).join('')
  const before = process.cpuUsage()
  assert.equal(refused(many).details['key'], 'k0')
  assert.equal(refused(`${many}k7: 1\n`).details, { key: 'k7', place: 'config.yaml', line: 25_001, reason: 'stands twice' })
  const { user, system } = process.cpuUsage(before)
  assert.ok(user + system < 5_000_000, `microseconds: ${user + system}`)
})

test('a .env file or Hermes settings that are there and cannot be read are an error', () => {
  for (const name of ['.env', 'config.yaml']) {
    settingsFrom({})
    mkdirSync(join(hermesHome, name))
    const error = throwsWithCode(
      () => readConfig({ home, file: join(home, 'none.yaml'), hermesHome, environment: {} }),
      'FILE_UNREADABLE',
    )
    assert.is(error.details['file'], name === '.env' ? '.env' : 'Hermes config.yaml')
    rmSync(join(hermesHome, name), { recursive: true })
  }
})

test('paths from every place are relative to the Stele home', () => {
  const folder = join(hermesHome, 'plugin-data', 'stele')
  for (const written of [
    { environment: { STELE_CHECKPOINT_MIRROR: 'c.txt' } },
    { env: 'STELE_CHECKPOINT_MIRROR=c.txt\n' },
    { hermes: hermesSettings('        checkpoint: { mirror: c.txt }\n') },
    { own: 'checkpoint:\n  mirror: c.txt\n' },
  ])
    assert.is(settingsFrom(written).config.checkpoint.mirror, join(folder, 'c.txt'))
})

test('the files to watch are the two of the Hermes home and the one in the home, where there is a Hermes home', () => {
  const file = join(home, 'config.yaml')
  assert.equal(configFiles({ home, file, hermesHome: undefined, environment: {} }), [file])
  assert.equal(
    [...configFiles({ home, file, hermesHome: '/hermes', environment: {} })].sort(),
    ['/hermes/.env', '/hermes/config.yaml', file].sort(),
  )
})

test('a setting is told as it would be written, and a place without a file has none', () => {
  const { config } = settingsFrom({ environment: { STELE_SERVICE_LISTEN: '::1:80' } })
  assert.is(settingOf(config, 'service.listen'), '[::1]:80')
  assert.is(settingOf(settingsFrom({}).config, 'service.listen'), '127.0.0.1:0')
  assert.is(settingOf(config, 'reload'), 'owner')
  assert.is(settingOf(config, 'limits.gapSeconds'), 10)
  const places = { home, file: '/a/config.yaml', hermesHome: '/h', environment: {} }
  for (const [from, file] of [
    ['default', undefined],
    ['environment STELE_RELOAD', undefined],
    ['.env STELE_RELOAD', '/h/.env'],
    ['Hermes config.yaml', '/h/config.yaml'],
    ['Hermes config.yaml plugins.entries.capability-gate.mode', '/h/config.yaml'],
    ['config.yaml', '/a/config.yaml'],
  ] as const)
    assert.is(configFileOf(places, from), file, from)
})

test('the page of the settings has a row for each key with its default', () => {
  const page = readProjectFile('docs/settings.md')
  const { config } = settingsFrom({})
  for (const [, key] of variables) {
    const cells = new RegExp(`^\\| \`${key}\` +\\|(.*)\\|(.*)\\|$`, 'm').exec(page)
    const told = key === 'capability.allowlist' ? 'allowlist.yaml' : String(settingOf(config, key) ?? 'none')
    assert.is(
      (cells?.[2] ?? '').replaceAll('`', '').trim(),
      key === 'checkpoint.anchor' ? 'syslog where there is one' : told,
      key,
    )
  }
})

test('row P95: PROVENANCE_GATE_RETENTION_DAYS is honoured where it is 7, and refused with a text where it is 0, since 0 means for ever here', () => {
  for (const written of [
    { environment: { PROVENANCE_GATE_RETENTION_DAYS: '7' } },
    { env: 'PROVENANCE_GATE_RETENTION_DAYS=7\n' },
  ]) {
    const { config, from } = settingsFrom(written)
    assert.equal(retentionDays(config), { messages: 7, tools: 7, sessions: 7, judgements: 7 })
    assert.match(from['retention.days'] ?? '', /PROVENANCE_GATE_RETENTION_DAYS$/)
  }
  for (const written of [
    { environment: { PROVENANCE_GATE_RETENTION_DAYS: '0' } },
    { env: 'PROVENANCE_GATE_RETENTION_DAYS=0\n', environment: { STELE_RETENTION_DAYS: '7' } },
  ]) {
    const error = refusedFrom(written)
    assert.is(error.details['name'], 'PROVENANCE_GATE_RETENTION_DAYS')
    for (const part of ['from 1 to 36500', 'for ever is retention.days: 0']) assert.ok(error.line.includes(part), error.line)
  }
  const ours = { PROVENANCE_GATE_RETENTION_DAYS: '7', STELE_RETENTION_DAYS: '0' }
  assert.equal(retentionDays(settingsFrom({ environment: ours }).config), { messages: 0, tools: 0, sessions: 0, judgements: 0 })
})

test.run()
