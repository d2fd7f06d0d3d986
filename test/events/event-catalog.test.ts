// Holds the vocabulary to its names, its published schema to an independent validator, and released schemas to what they were.
import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { ledgerSchemaText, schemaDigest, type VersionedSchema, versionedSchemas } from '../../scripts/ledger-schema.js'
import { projectFiles, readProjectFile } from '../../scripts/project-tree.js'
import { scanSource } from '../../scripts/source-scanner.js'
import type { Entry } from '../../src/events/entry.js'
import { checkPayload, definitionOf, describeEntry, eventCatalog, upcastPayload } from '../../src/events/event-catalog.js'
import { type EventDefinition, payloadSchema } from '../../src/events/event-definition.js'
import { makeRandom, type Random } from '../support/seeded-random.js'

const test = suite('event-catalog')

/** The section 'What the events are called' of the interfaces page. */
const promisedNames = `
  ledger.created ledger.reanchored ledger.restored key.rotated clock.stepped host.attached session.started session.linked
  session.ended turn.ended message.captured message.skipped tool.requested tool.completed write.proposed claim.judged gate.decided
  jev.classified jev.proposed jev.abstained jev.failed approval.requested approval.answered verification.observed
  verification.proposed subagent.started subagent.stopped policy.activated policy.rejected config.activated config.rejected
  config.loosened payload.erased hook.rejected hook.foreign gap.recorded mismatch.found entry.imported
`
  .trim()
  .split(/\s+/)

const definitions: readonly (readonly [type: string, definition: EventDefinition])[] = Object.entries(
  eventCatalog as Record<string, EventDefinition>,
)
const schemas = versionedSchemas()
const schema = JSON.parse(readProjectFile('ledger-schema.json')) as { $defs: Record<string, Record<string, unknown>> }
const frozen = JSON.parse(readFileSync(new URL('../frozen/event-schemas.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>

test('every event of the interfaces page is in the catalogue', () => {
  assert.is(promisedNames.length, 38)
  assert.equal(
    promisedNames.filter((name) => definitionOf(name) === undefined),
    [],
  )
})

test('every type is a noun and a participle, and says what it means in a sentence', () => {
  // The interfaces page has one that is no participle.
  const others = ['mismatch.found', 'hook.foreign']
  for (const [type, { summary, version, status }] of definitions) {
    assert.match(type, /^[a-z]+\.[a-z]+$/)
    assert.ok(type.endsWith('ed') || others.includes(type), type)
    assert.match(summary, /^[A-Z].*\.$/)
    assert.ok(Number.isInteger(version) && version >= 1, type)
    assert.ok(status === 'draft' || status === 'released', type)
  }
})

test('a name that no version of Stele here knows has no definition', () => {
  for (const name of ['', 'gate.undecided', 'gate', '__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    assert.is(definitionOf(name), undefined, name)
  }
})

test('no fact is called words, at any depth', () => {
  for (const [type, { facts }] of definitions) {
    assert.not.ok(memberNames(z.toJSONSchema(facts)).includes('words'), type)
  }
})

test('only an event that can have words has a commitment to them in its payload', () => {
  for (const { name, words } of schemas) {
    const properties = schema.$defs[name]?.['properties'] as Record<string, unknown>
    assert.is(Object.hasOwn(properties, 'words'), words !== undefined, name)
  }
})

test('the sources of the events use nothing that JSON Schema would lose without a word', () => {
  const lost = [
    ['.refine', '.superRefine', '.check', '.transform', '.preprocess', '.pipe', '.overwrite', '.catch', '.default', '.prefault'],
    ['.trim', '.toLowerCase', '.toUpperCase', '.normalize', '.brand', '.passthrough', '.loose'],
    ['z.date', 'z.bigint', 'z.custom', 'z.record', 'z.looseObject', 'z.object', 'z.map', 'z.set', 'z.preprocess', 'z.coerce'],
    ['z.instanceof', 'z.any', 'z.lazy', 'z.nan', 'z.undefined', 'z.void', 'z.symbol', 'z.promise', 'z.function', 'z.codec'],
  ].flat()
  const sources = projectFiles('src/events', /\.ts$/)
  assert.ok(sources.length > 15)
  for (const { path, text } of sources) {
    const { code, uncommented } = scanSource(text)
    for (const call of lost) {
      const pattern = new RegExp(`${call.startsWith('z') ? '(?<![\\w$.])' : ''}${call.replaceAll('.', '\\.')}\\s*[(.<]`)
      assert.not.ok(pattern.test(code), `${path} calls ${call}`)
    }
    assert.not.match(
      uncommented,
      /\.regex\(\s*\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]/,
      `${path}: flags of a pattern are lost`,
    )
  }
})

test('reading and writing mean the same in every schema, so nothing changes a value on its way', () => {
  for (const [type, definition] of definitions) {
    for (const each of [payloadSchema(definition), ...(definition.words === undefined ? [] : [definition.words])]) {
      const options = { target: 'draft-2020-12', unrepresentable: 'throw' } as const
      assert.equal(z.toJSONSchema(each, { ...options, io: 'input' }), z.toJSONSchema(each, { ...options, io: 'output' }), type)
    }
  }
})

test('ledger-schema.json is fresh: run npm run schema where it is not', () => {
  assert.is(readProjectFile('ledger-schema.json') === ledgerSchemaText(), true, 'run: npm run schema')
})

test('ledger-schema.json has sorted members, two blanks of indent, a last line feed, and says that it is generated', () => {
  const text = readProjectFile('ledger-schema.json')
  assert.is(text, `${JSON.stringify(schema, null, 2)}\n`)
  eachObject(schema, (object) => assert.equal(Object.keys(object), Object.keys(object).toSorted()))
  assert.match(String((schema as Record<string, unknown>)['$comment']), /[Gg]enerated/)
})

test('every object of the schema is closed: a member that nobody named does not fit', () => {
  for (const [name, definition] of Object.entries(schema.$defs)) {
    eachObject(definition, (object) => {
      if (object['type'] === 'object') assert.is(object['additionalProperties'], false, name)
    })
  }
})

test('the schema fits draft 2020-12 and has a definition for every version of every type', () => {
  const ajv = new Ajv2020({ logger: false })
  assert.is((schema as Record<string, unknown>)['$schema'], 'https://json-schema.org/draft/2020-12/schema')
  assert.is(ajv.validateSchema(schema), true)
  for (const [type, { version, words, history = [] }] of definitions) {
    for (const past of history) assert.ok(Object.hasOwn(schema.$defs, `${type}@${past.version}`), type)
    assert.ok(Object.hasOwn(schema.$defs, `${type}@${version}`), type)
    assert.is(Object.hasOwn(schema.$defs, `${type}@${version} words`), words !== undefined, type)
  }
})

test('released schemas are those of the frozen list, each with the digest that it came out with', () => {
  assert.equal(frozenBreaches(frozen, schemas), [])
  assert.equal(Object.keys(frozen).toSorted(), releasedNames(schemas).toSorted(), 'add with: npm run schema -- --freeze')
  for (const digest of Object.values(frozen)) assert.match(digest, /^[0-9a-f]{64}$/)
})

test('the comparison with the frozen list lets additions pass and names edits and removals', () => {
  const [first, second, third] = schemas.filter(({ released }) => released)
  assert.ok(first !== undefined && second !== undefined && third !== undefined)
  const list = Object.fromEntries([first, second, third].map((each) => [each.name, schemaDigest(each)]))
  const added: VersionedSchema = { name: 'made.up@1', released: true, payload: { type: 'object' }, words: undefined }
  assert.equal(frozenBreaches(list, [first, second, third, added]), [])

  const properties = first.payload['properties'] as Record<string, unknown>
  const edited = { ...first, payload: { ...first.payload, properties: { ...properties, note: { type: 'string' } } } }
  assert.equal(frozenBreaches(list, [edited, second, third]), [`${first.name} was edited`])
  assert.equal(frozenBreaches(list, [{ ...first, words: { type: 'object' } }, second, third]), [`${first.name} was edited`])
  assert.equal(frozenBreaches(list, [first, third]), [`${second.name} is gone`])
  assert.equal(frozenBreaches(list, [first, second, { ...third, released: false }]), [`${third.name} is gone`])
  const reordered = { ...first, payload: Object.fromEntries(Object.entries(first.payload).toReversed()) }
  assert.equal(frozenBreaches(list, [reordered, second, third]), [], 'the order of members is no edit')
})

const hash = 'a1'.repeat(32)
const time = '2026-11-29T20:40:00.123Z'
const vkey = 'stele.local/000102030405060708090a0b0c0d0e0f+84cb1e05+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'

interface Sample {
  readonly payload: Record<string, unknown>
  readonly words?: Record<string, unknown>
}

const attached = { source: 'attached', attach: 7, seq: 12, late: true, at: time, probe: true, repaired: 2 } as const
const handle = 's0123456789abcdef'

const startedWords = { session: '20261129_204900_a1b2c3', cwd: '/srv/agent', profile: 'default', model: 'a model with blanks' }
const requestedWords = {
  turn: 'a',
  task: 'b',
  call: 'call_13_0',
  request: 'a:api:1',
  tool: 'read file',
  cwd: '/srv',
  arguments: [
    { name: 'path', bytes: 15, digest: hash, value: 'docs/notes.md' },
    { name: 'n', bytes: 1, digest: hash, value: { any: [1, null] } },
    { name: 'content', bytes: 9, digest: hash },
  ],
}
const completed = {
  turn: 4,
  tool: 'terminal',
  requested: 17,
  status: 'error',
  errorType: 'tool_timeout',
  durationMs: 416,
  result: { bytes: 100, digest: hash },
  argumentsDigest: hash,
  words: hash,
}
const completedWords = { turn: 'a', task: 'b', call: 'c', request: 'd', tool: 'e' }
const otherParts = [{ type: 'image_url', bytes: 50, digest: hash }]

/** Of every released version what the format page and the catalogue speak of: with all that may be there, and with the least. */
/** Of what a question of the semantic stage showed, and of whom it was asked. */
const whole = { complete: true, truncated: false, redacted: false }
const asked = { asked: 'jev-1.13.0', latency: 212 }

const samples: Readonly<Record<string, readonly Sample[]>> = {
  'ledger.created@1': [{ payload: { ledger: '000102030405060708090a0b0c0d0e0f', format: 1, program: 'stele 0.1.0', vkey } }],
  'ledger.reanchored@1': [
    { payload: { vkey, abandoned: { epoch: 0, size: 12, head: hash, root: hash }, reason: 'the disk lost a day' } },
    { payload: { vkey, abandoned: { epoch: 3, size: 0, head: hash, root: null }, reason: '' } },
  ],
  'clock.stepped@1': [
    { payload: { from: time, to: '2026-11-28T20:40:00.123Z', elapsedMs: 40 } },
    { payload: { from: time, to: time, elapsedMs: null } },
  ],
  'host.attached@1': [
    {
      payload: {
        attach: 'a1'.repeat(16),
        secret: hash,
        first: 4,
        next: 12,
        host: 'hermes',
        hostVersion: '0.19.0',
        pluginVersion: '0.1.0-rc.1+b',
        files: hash,
        pid: 4712,
        pidStarted: 0,
        peer: 'proved',
      },
    },
    {
      payload: {
        attach: 'a1'.repeat(16),
        secret: hash,
        first: null,
        next: 1,
        host: '',
        hostVersion: '',
        pluginVersion: '',
        files: hash,
        pid: 1,
        peer: 'claimed',
      },
    },
  ],
  'session.started@1': [
    {
      payload: { platform: 'cli', model: 'fake-model', how: 'announced', source: 'attached', repaired: 2, words: hash },
      words: startedWords,
    },
    { payload: { platform: '', how: 'first_seen', source: 'unattested', words: hash }, words: { session: '' } },
  ],
  'session.started@2': [
    {
      payload: { platform: 'cli', model: 'vendor/model:7b', how: 'announced', ...attached, words: hash },
      words: startedWords,
    },
    { payload: { platform: '', how: 'first_seen', source: 'unattested', words: hash }, words: { session: '' } },
  ],
  'session.linked@1': [
    { payload: { parent: handle, why: 'compression', ...attached, words: hash }, words: { parent: '20261129_204900_a1b2c3' } },
    { payload: { parent: null, why: 'subagent', source: 'unattested', words: hash }, words: { parent: '' } },
  ],
  'subagent.started@1': [
    {
      payload: { role: 'leaf', child: handle, ...attached, words: hash },
      words: { goal: 'read the logs', session: 'child', agent: 'agent-7', sender: 'agent-1' },
    },
    { payload: { role: '', child: null, source: 'unattested', words: hash }, words: {} },
  ],
  'subagent.stopped@1': [
    {
      payload: { role: 'orchestrator', status: 'completed', child: handle, durationMs: 1234, ...attached, words: hash },
      words: { summary: 'nothing there', session: 'child' },
    },
    { payload: { role: '', status: '', child: null, source: 'unattested', words: hash }, words: {} },
  ],
  'approval.requested@1': [
    {
      payload: { call: 7, surface: 'cli', asked: 'rule', shown: hash, shownBytes: 24, ...attached, words: hash },
      words: { turn: 'a:b', task: 'c', call: 'call-1', command: 'rm -rf build', description: 'deletes', keys: ['plugin_rule:x'] },
    },
    {
      payload: { call: null, surface: '', asked: 'host', shown: hash, shownBytes: 1, source: 'unattested', words: hash },
      words: { command: '', description: '', keys: [] },
    },
  ],
  'approval.answered@1': [
    {
      payload: { request: 8, call: 7, answer: 'once', by: 'person', ...attached, words: hash },
      words: { turn: 'a:b', call: 'call-1', keys: ['rm_recursive'] },
    },
    { payload: { request: null, call: null, answer: '', by: 'unknown', source: 'unattested', words: hash }, words: { keys: [] } },
  ],
  'session.ended@1': [
    { payload: { reason: 'shutdown', source: 'unattested' } },
    { payload: { reason: '', source: 'attached', repaired: 1 } },
  ],
  'session.ended@2': [{ payload: { reason: 'shutdown', ...attached } }, { payload: { reason: '', source: 'unattested' } }],
  'turn.ended@1': [
    {
      payload: { turn: 1, completed: true, interrupted: false, failed: false, source: 'attached', words: hash },
      words: { turn: 'a:b:c', task: 'd' },
    },
    { payload: { turn: 0, source: 'unattested', words: hash }, words: {} },
  ],
  'turn.ended@2': [
    {
      payload: { turn: 1, completed: true, interrupted: false, failed: false, ...attached, words: hash },
      words: { turn: 'a:b:c', task: 'd' },
    },
    { payload: { turn: 0, source: 'unattested', words: hash }, words: {} },
  ],
  'message.captured@1': [
    {
      payload: {
        turn: 6,
        platform: 'cli',
        characters: 18,
        digest: hash,
        otherParts: 1,
        source: 'attached',
        repaired: 1,
        words: hash,
      },
      words: { text: '我决定周五发布，以后不要自动提交代码', sender: 'u1', turn: 'a:b', task: 'c', otherParts },
    },
    { payload: { turn: 1, platform: '', characters: 0, digest: hash, source: 'unattested', words: hash }, words: { text: '' } },
  ],
  'message.captured@2': [
    {
      payload: {
        turn: 6,
        platform: 'telegram',
        characters: 18,
        digest: hash,
        otherParts: 1,
        stripped: ['reply_pointer', 'sender_label'],
        lost: 40,
        marksCut: 3,
        ...attached,
        words: hash,
      },
      words: {
        text: '我决定周五发布，以后不要自动提交代码',
        sender: 'u1',
        senderLabel: 'Dana',
        turn: 'a:b',
        task: 'c',
        otherParts,
      },
    },
    { payload: { turn: 1, platform: '', characters: 0, digest: hash, source: 'unattested', words: hash }, words: { text: '' } },
  ],
  'message.skipped@1': [
    { payload: { turn: 3, platform: 'cron', characters: 900, why: 'cron', lost: 12, ...attached } },
    { payload: { turn: 0, platform: '', characters: 0, why: 'self_review', source: 'unattested' } },
  ],
  'tool.requested@1': [
    {
      payload: { turn: 4, tool: 'read_file', arguments: { count: 1, bytes: 24, digest: hash }, source: 'attached', words: hash },
      words: requestedWords,
    },
    {
      payload: { turn: 0, tool: 'unnamed', arguments: { count: 0, bytes: 2, digest: hash }, source: 'unattested', words: hash },
      words: {},
    },
  ],
  'tool.requested@2': [
    {
      payload: {
        turn: 4,
        tool: 'read_file',
        arguments: { count: 1, bytes: 24, digest: hash },
        surroundings: {
          attended: 'unknown',
          writeOrigin: 'background_review',
          lastInOrder: true,
          approvalsOff: false,
          terminalBackend: 'docker',
        },
        ...attached,
        words: hash,
      },
      words: requestedWords,
    },
    {
      payload: { turn: 0, tool: 'unnamed', arguments: { count: 0, bytes: 2, digest: hash }, source: 'unattested', words: hash },
      words: {},
    },
  ],
  'tool.completed@1': [
    { payload: { ...completed, source: 'attached', repaired: 3 }, words: completedWords },
    {
      payload: { turn: 0, tool: '', requested: null, status: '', argumentsDigest: hash, source: 'unattested', words: hash },
      words: {},
    },
  ],
  'tool.completed@2': [
    { payload: { ...completed, ...attached }, words: completedWords },
    {
      payload: { turn: 0, tool: '', requested: null, status: '', argumentsDigest: hash, source: 'unattested', words: hash },
      words: {},
    },
  ],
  'write.proposed@1': [
    {
      payload: {
        ...{ call: 11, tool: 'memory', target: 'memory', targetDigest: hash, readable: true, operations: 2, removedOnly: false },
        ...{ strategies: ['exact'], judged: { texts: 1, bytes: 9 }, stored: { texts: 1, bytes: 4 } },
        files: [{ before: null, after: hash, foretold: true }],
      },
      words: { places: ['memory'], judged: ['Tabs, two'], stored: ['Tabs'] },
    },
    {
      payload: {
        ...{
          call: 0,
          tool: 'skill_manage',
          target: 'skill',
          targetDigest: hash,
          readable: true,
          operations: 1,
          removedOnly: true,
        },
        ...{ strategies: [], judged: { texts: 0, bytes: 0 }, stored: { texts: 0, bytes: 0 }, cut: { judged: 3, stored: 0 } },
        ...{ unavailable: 'too_large', files: [{ before: hash, after: null, foretold: false }] },
      },
      words: { name: 'release', places: ['release/SKILL.md'], judged: [], stored: [] },
    },
    {
      payload: {
        ...{ call: 4, tool: 'memory', target: 'unknown', targetDigest: hash, readable: false, operations: 0, removedOnly: false },
        unreadable: { code: 'text_not_string', operation: 1, field: 'content' },
        ...{ strategies: [], judged: { texts: 0, bytes: 0 }, stored: { texts: 0, bytes: 0 }, files: [] },
      },
      words: { field: 'contents', places: [], judged: [], stored: [] },
    },
  ],
  'write.landed@1': [
    {
      payload: {
        ...{ call: 11, write: 12, probe: true },
        files: [
          { found: hash, compared: 'as_judged', foretold: true },
          { found: null, compared: 'otherwise', foretold: true, disturbed: true },
          { compared: 'unread', unread: 'too_large', foretold: false },
          { found: hash, compared: 'unchanged', foretold: true },
          { found: hash, compared: 'as_judged', foretold: true },
        ],
      },
    },
    { payload: { call: 0, write: 1, files: [{ found: hash, compared: 'otherwise', foretold: false }] } },
  ],
  'claim.judged@1': [
    {
      payload: {
        ...{ call: 11, write: 12, tool: 'memory', target: 'memory', targetDigest: hash, verdict: 'pass', outcome: 'supported' },
        ...{ reason: null, detail: null, matchedIn: 'this-session', message: 7, rule: 'decided', tier: 1, claimDigest: hash },
      },
      words: {
        ...{ claim: 'User decided to ship ("ship it")', quote: 'ship it', sender: '', nearest: null, target: 'memory' },
      },
    },
    {
      payload: {
        ...{ call: 11, write: 12, tool: 'memory', target: 'user', targetDigest: hash, verdict: 'would_block', probe: true },
        ...{ outcome: 'unsupported', reason: 'quote_not_found', detail: 'stitched', matchedIn: null, message: null },
        ...{ rule: 'decided', tier: 2, claimDigest: hash },
      },
      words: { claim: 'User decided', quote: 'a b', sender: null, nearest: 'a, then b', target: 'user' },
    },
    {
      payload: {
        ...{ call: 0, write: 1, tool: 'memory', target: 'unknown', targetDigest: hash, verdict: 'blocked', outcome: 'unchecked' },
        ...{ reason: 'unreadable_arguments', detail: null, matchedIn: null, message: null, rule: '', tier: 0, claimDigest: null },
      },
      words: { claim: '', quote: null, sender: null, nearest: null, target: 'unknown' },
    },
  ],
  'gate.decided@1': [
    {
      payload: {
        gate: 'capability',
        gateVersion: 2,
        judges: 11,
        asOf: 12,
        mode: 'enforce',
        verdict: 'deny',
        code: 'not_granted',
        enforced: true,
        skill: 'release',
        policy: hash,
        probe: true,
        words: hash,
      },
      words: {
        reason: 'no grant for this path',
        paths: [
          { asked: 'a.md', resolved: '/srv/a.md' },
          { asked: 'b', resolved: null },
        ],
      },
    },
    {
      payload: {
        gate: 'null',
        gateVersion: 1,
        judges: 0,
        asOf: 0,
        mode: 'off',
        verdict: 'allow',
        code: 'recorded',
        enforced: false,
      },
    },
  ],
  'config.activated@1': [
    {
      payload: {
        why: 'changed',
        changed: ['provenance.mode', 'limits.gapSeconds'],
        provenanceMode: 'block',
        capabilityMode: 'enforce',
        captureArguments: 'none',
        reload: 'auto',
      },
    },
    {
      payload: {
        why: 'started',
        changed: [],
        provenanceMode: 'off',
        capabilityMode: 'off',
        captureArguments: 'judged',
        reload: 'owner',
      },
    },
  ],
  'config.activated@2': [
    {
      payload: {
        why: 'accepted',
        changed: ['retention.days'],
        provenanceMode: 'block',
        capabilityMode: 'enforce',
        captureArguments: 'full',
        program: '0.3.0-rc.1+b',
        reload: 'owner',
        retention: { days: 7, messagesDays: 0, toolsDays: 36_500, sessionsDays: 30, judgementsDays: 1 },
        jev: { enabled: true, mode: 'enforce', baseUrl: 'http://[::1]:8080/compat' },
      },
    },
    {
      payload: {
        why: 'started',
        changed: [],
        provenanceMode: 'off',
        capabilityMode: 'off',
        captureArguments: 'judged',
        reload: 'owner',
      },
    },
  ],
  'erasure.asked@1': [
    { payload: { selected: 'session', entries: 12, bytes: 3456, due: '2026-11-29T21:40:00.000Z' } },
    { payload: { selected: 'all', entries: 1, bytes: 0, due: '2026-11-29T21:40:00.000Z' } },
  ],
  'erasure.cancelled@1': [{ payload: { asked: 17 } }],
  'review.answered@1': [
    {
      payload: {
        ...{ label: 'grant', gate: 'capability', code: 'path_not_granted', rule: '', tool: 'read_file' },
        ...{ entries: [4, 9, 12], by: 'terminal' },
      },
      words: { note: 'the weekly report needs it' },
    },
    {
      payload: {
        ...{ label: 'false_alarm', gate: 'provenance', code: 'no_quote', rule: 'en-approved', tool: 'memory' },
        ...{ entries: [7], by: 'owner' },
      },
    },
  ],
  'review.cancelled@1': [{ payload: { answer: 31, by: 'owner' } }],
  'config.rejected@1': [
    { payload: { key: 'provenance.mode', place: 'config.yaml', line: 3 } },
    { payload: { key: '', place: 'environment' } },
  ],
  'config.loosened@1': [
    { payload: { key: 'capability.mode', from: 'enforce', to: 'observe', accepted: false } },
    { payload: { key: 'reload', from: 'owner', to: 'auto', accepted: true } },
  ],
  'payload.erased@1': [
    {
      payload: {
        entries: [
          [1, 1],
          [3, 9],
        ],
        by: 'owner',
        reason: 'asked for',
        bytes: 512,
      },
    },
  ],
  'hook.rejected@1': [
    { payload: { hook: 'pre_tool_call', code: 'shape', bytes: 40, digest: hash } },
    { payload: { hook: '', code: 'too_large', bytes: 16_777_217 } },
  ],
  'hook.rejected@2': [
    { payload: { hook: 'pre_tool_call', code: 'shape', bytes: 40, digest: hash, ...attached } },
    { payload: { hook: '', code: 'too_large', bytes: 16_777_217, source: 'unattested' } },
  ],
  'hook.foreign@1': [
    { payload: { hook: 'pre_tool_call', why: 'other_attach', attach: 4, speaker: 9, bytes: 40, digest: hash } },
    { payload: { hook: '', why: 'bad_mac', attach: 1, bytes: 0, digest: hash } },
    { payload: { hook: 'pre_llm_call', why: 'no_attach', attach: 1, bytes: 40, digest: hash } },
  ],
  'gap.recorded@1': [
    { payload: { kind: 'numbers', attach: 4, from: 7, to: 9, count: 3 } },
    { payload: { kind: 'rate', count: 200, bytes: 90_000 } },
  ],
  'mismatch.found@1': [
    { payload: { kind: 'arguments', judged: 17, ran: hash } },
    { payload: { kind: 'unanswered', judged: null, seq: 3, did: 'let_go', attach: 4 } },
  ],
  'mismatch.found@2': [
    { payload: { kind: 'arguments', judged: 17, ran: hash } },
    { payload: { kind: 'unanswered', judged: null, seq: 3, did: 'let_go', attach: 4 } },
    { payload: { kind: 'written', judged: 12, file: 1, found: hash } },
    { payload: { kind: 'written', judged: 12, file: 0, found: null } },
  ],
  'access.proposed@1': [
    {
      payload: {
        ...{
          call: 12,
          tool: 'terminal',
          skill: 'release',
          attended: 'attended',
          asks: 'yes',
          touches: 1,
          writes: 1,
          commands: 1,
        },
        lineage: [
          { platform: 'cron', job: 'nightly', subagent: true },
          { platform: 'cli', subagent: false },
        ],
        words: hash,
      },
      words: {
        touches: [{ asked: 'out.txt', access: 'write', tree: false, typed: '/srv/out.txt', resolved: null, problem: 'dangling' }],
        programs: [{ text: '$TOOL', opaque: 'variable', variable: 'TOOL' }],
        operands: [
          { of: 0, text: 'in.txt', typed: '/srv/in.txt', resolved: '/srv/in.txt', foldsCase: true },
          { of: 0, text: '-v' },
        ],
      },
    },
    {
      payload: {
        ...{ call: 0, tool: 'read_file', skill: '', lineage: [], attended: 'unknown', asks: 'unknown_host' },
        ...{ touches: 0, writes: 0, commands: 0, unread: 'arguments', remote: true, probe: true },
      },
    },
  ],
  'policy.activated@1': [
    {
      payload: { policy: 'allowlist', digest: hash, how: 'used', words: hash },
      words: { text: 'version: 1\n', policy: '{"allowlists":[]}' },
    },
    {
      payload: { policy: 'allowlist', digest: hash, how: 'edited', waiting: hash, words: hash },
      words: { text: '', policy: '{}' },
    },
  ],
  'policy.rejected@1': [
    { payload: { policy: 'allowlist', code: 'unknown_key', line: 3, column: 5 } },
    { payload: { policy: 'allowlist', code: 'file_unreadable', line: 1, column: 1 } },
  ],
  'budget.exceeded@1': [
    { payload: { what: 'home', bytes: 2_000_001, budget: 2_000_000 } },
    { payload: { what: 'disk', bytes: 0, budget: 1_073_741_824 } },
  ],
  'service.continued@1': [{ payload: { ranMs: 3_600_000 } }, { payload: { ranMs: 0 } }],
  'service.ended@1': [{ payload: { why: 'idle' } }, { payload: { why: 'stopped' } }],
  'file.noticed@1': [
    {
      payload: {
        turn: 12,
        files: [
          { target: 'memory', place: hash, before: hash, found: null, since: 7, disturbed: true },
          { target: 'skill', place: hash, before: null, found: hash, since: 0 },
        ],
        unread: 3,
        words: hash,
      },
      words: { names: ['memory', 'skills/ops/release/SKILL.md'] },
    },
    { payload: { turn: 0, files: [{ target: 'user', place: hash, found: hash }] } },
  ],
  'jev.classified@1': [
    {
      payload: {
        ...{ about: 12, mode: 'enforce', ...whole, ...asked, answered: 'jev-1.13.0', tokens: { input: 812, output: 40 } },
        ...{ intent: 'coding', complexity: 'simple', sideEffects: 'medium', confidence: 700_000 },
        needs: { needs_web: 0, needs_browser: 1, needs_terminal: 990_000, needs_files: 1_000_000, should_delegate: 5 },
        conversation: { prior_turn_seen: true, unresolved_task: false, ongoing_tool_workflow: false },
      },
    },
    {
      payload: {
        ...{ about: 1, mode: 'shadow', complete: false, truncated: true, redacted: true, ...asked },
        ...{ intent: 'other', complexity: 'difficult', sideEffects: 'high', confidence: 0 },
        needs: { needs_web: 0, needs_browser: 0, needs_terminal: 0, needs_files: 0, should_delegate: 0 },
        conversation: { prior_turn_seen: false, unresolved_task: true, ongoing_tool_workflow: true },
      },
    },
  ],
  'jev.proposed@1': [
    {
      payload: {
        ...{ stage: 'risk', about: 12, mode: 'enforce', ...whole, ...asked, answered: 'jev-1.13.0', proposal: 'approve' },
        ...{ applied: true, triggers: ['destructive', 'plainly_destructive'], tool: 'terminal', arguments: hash, oneOff: false },
        risk: {
          answers: {
            ...{ action_requested: 990_000, external_side_effect: 10_000, destructive: 900_000, irreversible: 1 },
            ...{ exposes_secrets: 0, confirmation_expected: 1_000_000 },
          },
          ...{ confidence: 900_000, ambiguous: false, argues: false, destroys: true, carries: false },
          thresholds: { approval: 800_000, uncertain: 650_000, destructive: 700_000 },
          rules: { requestedExternal: 'ask', plainlyDestructive: 'always' },
        },
        words: hash,
      },
      words: { message: 'Jev signal: destructive.' },
    },
    {
      payload: {
        ...{
          stage: 'shaping',
          about: 4,
          mode: 'shadow',
          ...whole,
          proposal: 'narrow',
          applied: false,
          why: 'shadow',
          triggers: [],
        },
        shaping: { reason: 'fresh_standalone_chat', confidenceMin: 950_000, classified: 5, toolsBefore: 4, toolsAfter: 1 },
      },
    },
  ],
  'jev.abstained@1': [
    { payload: { stage: 'risk', mode: 'enforce', why: 'turn_unknown', tool: 'terminal', arguments: hash } },
    {
      payload: {
        ...{ stage: 'completion', about: 12, mode: 'shadow', why: 'low', ...whole, ...asked, failure: 'timeout' },
        completion: {
          ...{ confidenceOver: 'all', threshold: 850_000, attempt: 1, changed: 3, observations: 2, failed: 0 },
          answers: {
            ...{ claims_complete: 10, verification_evidence_present: 0, inconsistent: 0, needs_iteration: 1_000_000 },
          },
          confidence: 999_990,
        },
      },
    },
    {
      payload: {
        ...{ stage: 'shaping', about: 4, mode: 'shadow', why: 'no_decision', ...whole },
        shaping: { reason: 'fresh_standalone_chat', kept: 'no_decision', confidenceMin: 950_000 },
      },
    },
  ],
  'jev.failed@1': [
    { payload: { stage: 'turn', about: 3, mode: 'shadow', ...whole, ...asked, category: 'rate_limit' } },
    { payload: { stage: 'completion', about: 0, mode: 'enforce', ...whole, asked: 'unnamed', latency: 0, category: 'capacity' } },
  ],
  'jev.settled@1': [
    {
      payload: { proposal: 14, about: 15, fate: 'consumed', applied: true, action: 'approve', age: 40, words: hash },
      words: { message: 'Jev signal: destructive.' },
    },
    { payload: { proposal: 14, about: 15, fate: 'mismatched', applied: false, why: 'unattended', age: 10, arguments: hash } },
    { payload: { proposal: 14, fate: 'ended', applied: false, age: 10_000 } },
  ],
  'verification.observed@1': [
    {
      payload: {
        ...{ about: 20, runner: 'pytest', success: false, exitCode: 1, failure: 'exit_code', passed: 11, failed: 1, ...whole },
        ...{ generation: 2, words: hash },
      },
      words: { command: 'pytest -q', summary: '1 failed, 11 passed' },
    },
    { payload: { about: 20, runner: 'npm', success: null, exitCode: null, ...whole, generation: 0 } },
  ],
  'verification.invalidated@1': [
    { payload: { about: 21, observations: 8, generation: 3 } },
    { payload: { about: 0, observations: 0, generation: 1 } },
  ],
  'verification.proposed@1': [
    {
      payload: {
        ...{ about: 12, mode: 'enforce', ...whole, ...asked, answered: 'jev-1.13.0', applied: true },
        judged: {
          ...{ confidenceOver: 'deciding', threshold: 850_000, attempt: 0, changed: 1, observations: 1, failed: 1 },
          answers: {
            ...{ claims_complete: 990_000, verification_evidence_present: 10_000, inconsistent: 990_000 },
            needs_iteration: 990_000,
          },
          confidence: 990_000,
        },
        words: hash,
      },
      words: { message: 'Compare the claim with the checks.' },
    },
    {
      payload: {
        ...{ about: 12, mode: 'shadow', ...whole, ...asked, applied: false },
        judged: { confidenceOver: 'all', threshold: 500_000, attempt: 2, changed: 0, observations: 0, failed: 0 },
      },
    },
  ],
}

/** Type, version and samples of each. */
const sampled = Object.entries(samples).map(([name, list]) => {
  const [type = '', version] = name.split('@')
  return { name, type, version: Number(version), list }
})

const validators = validatorsOf(schema)

test('there are samples of every released version, and all of them fit by zod and by the independent validator', () => {
  assert.equal(Object.keys(samples).toSorted(), releasedNames(schemas).toSorted())
  for (const { name, type, version, list } of sampled) {
    for (const { payload, words } of list) {
      assert.equal(checkPayload(type, version, payload), { verdict: 'fits', where: '' }, name)
      assert.is(validatorOf(name)(payload), true, name)
      if (words === undefined) continue
      assert.is(wordsSchemaOf(type, version)?.safeParse(words).success, true, name)
      assert.is(validatorOf(`${name} words`)(words), true, name)
    }
  }
})

for (const { name, type, version, list } of sampled) {
  test(`zod and the independent validator give the same answer to every change of a ${name}`, () => {
    const random = makeRandom(2020_12)
    let unfit = 0
    for (const { payload, words } of list) {
      for (const changed of changesOf(payload, random)) {
        const { verdict } = checkPayload(type, version, changed)
        assert.is(verdict === 'fits', validatorOf(name)(changed), `${verdict}: ${JSON.stringify(changed).slice(0, 300)}`)
        if (verdict !== 'fits') unfit += 1
      }
      for (const changed of words === undefined ? [] : changesOf(words, random)) {
        const fits = wordsSchemaOf(type, version)?.safeParse(changed).success
        assert.is(fits, validatorOf(`${name} words`)(changed), JSON.stringify(changed).slice(0, 300))
      }
    }
    assert.ok(unfit > 20, `only ${unfit} changes do not fit`)
  })
}

test('an entry with its header fits the whole schema, and fits no other type', () => {
  const validate = new Ajv2020({ strict: false, logger: false }).compile(schema)
  const header = { v: 1, ledger: '0'.repeat(32), epoch: 0, index: 1, time, session: '', payload: hash, prev: hash }
  for (const { name, type, version, list } of sampled) {
    const [sample] = list
    assert.is(validate({ header: { ...header, type, version }, ...sample }), true, JSON.stringify(validate.errors))
    assert.is(validate({ header: { ...header, type: 'made.up', version }, ...sample }), false, name)
    assert.is(validate({ header: { ...header, type, version: 99 }, ...sample }), false, name)
    assert.is(validate({ header: { ...header, type, version, extra: 1 }, ...sample }), false, name)
    assert.is(validate({ ...sample }), false, name)
  }
  const { payload } = samples['session.ended@2']?.[0] ?? {}
  assert.is(
    validate({ header: { ...header, type: 'session.ended', version: 2 }, payload, words: { text: 'x' } }),
    false,
    'words where none can be',
  )
})

test('what came with attached hosts does not fit a version from before them', () => {
  for (const { name, type, version, list } of sampled) {
    // Mismatches were first told when hosts could attach.
    if (definitionOf(type)?.version === version || version !== 1 || type === 'mismatch.found') continue
    for (const { payload } of list) {
      for (const [fact, value] of Object.entries({ attach: 7, seq: 12, late: true, at: time, probe: true }))
        assert.is(checkPayload(type, version, { ...payload, [fact]: value }).verdict, 'schema_mismatch', `${name} ${fact}`)
    }
  }
})

test('a draft, a type that nobody knows and a version that nobody knows count as unknown', () => {
  for (const [type, { status, version }] of definitions) {
    if (status === 'draft') assert.is(checkPayload(type, version, {}).verdict, 'type_unknown', type)
  }
  for (const [type, version] of [
    ['made.up', 1],
    ['ledger.created', 2],
    ['ledger.created', 0],
    ['__proto__', 1],
    ['constructor', 1],
    ['', 1],
  ] as const) {
    assert.is(checkPayload(type, version, {}).verdict, 'type_unknown', `${type}@${version}`)
  }
})

test('what does not fit is told by the names of members and never by values', () => {
  const payload = {
    turn: 'my secret',
    platform: 'my secret',
    characters: -1,
    digest: 'my secret',
    source: 'my secret',
    words: hash,
  }
  const { verdict, where } = checkPayload('message.captured', 1, payload)
  assert.is(verdict, 'schema_mismatch')
  assert.match(where, /turn/)
  assert.not.match(where, /secret/)
})

test('no payload at all is a mismatch and not a crash', () => {
  for (const payload of [null, undefined, 1, 'x', [], [1]])
    assert.is(checkPayload('turn.ended', 1, payload).verdict, 'schema_mismatch')
})

test('every sample has a line for the timeline, with its words and without', () => {
  for (const { name, type, version, list } of sampled) {
    for (const { payload, words } of list) {
      for (const kept of [words, undefined]) {
        const line = describeEntry(entryOf(type, payload, kept, version)).trim()
        assert.ok(line !== '' && line !== type, `${name}: ${line}`)
      }
    }
  }
  for (const version of [1, 2]) {
    const [message] = samples[`message.captured@${version}`] ?? []
    assert.ok(message !== undefined)
    assert.match(describeEntry(entryOf('message.captured', message.payload, message.words, version)), '我决定周五发布')
    assert.match(describeEntry(entryOf('message.captured', message.payload, undefined, version)), '18')
  }
})

test('a payload of an older version is upcast until it fits today’s schema, and then stays as it is', () => {
  for (const { name, type, version, list } of sampled) {
    const today = definitionOf(type)?.version ?? 0
    for (const { payload } of list) {
      const upcast = upcastPayload(type, version, payload)
      assert.is(checkPayload(type, today, upcast).verdict, 'fits', name)
      assert.equal(upcastPayload(type, today, upcast), upcast, name)
      for (const [fact, value] of Object.entries(payload)) assert.equal(upcast[fact], value, `${name} ${fact}`)
    }
  }
  const rejected = { hook: '', code: 'syntax', bytes: 3, digest: hash }
  assert.equal(upcastPayload('hook.rejected', 1, rejected), { ...rejected, source: 'unattested' })
  assert.equal(upcastPayload('made.up', 1, rejected), rejected)
})

test('every entry of the ledger of version 0.1.0 fits its own schema and has a line for the timeline', () => {
  const lines = readFileSync(new URL('../frozen/ledger-0.1.0.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  const entries = lines
    .map((line) => JSON.parse(line) as Entry['header'] & { data: Entry['payload']; words?: Entry['words'] })
    .filter((line) => 'index' in line)
  assert.is(entries.length, 34)
  for (const { type, version, data, words } of entries) {
    assert.is(checkPayload(type, version, data).verdict, 'fits', `${type}@${version}`)
    assert.is.not(describeEntry(entryOf(type, data, words, version)), type)
  }
})

test('gaps, mismatches and foreign payloads are told apart on the timeline', () => {
  const lineOf = (name: string, place: number): string => {
    const { payload = {} } = samples[name]?.[place] ?? {}
    return describeEntry(entryOf(name.slice(0, -2), payload, undefined))
  }
  assert.match(lineOf('gap.recorded@1', 0), /7.*9/)
  assert.match(lineOf('gap.recorded@1', 1), /200/)
  for (const version of [1, 2]) {
    assert.match(lineOf(`mismatch.found@${version}`, 0), /17/)
    assert.match(lineOf(`mismatch.found@${version}`, 1), /3.*let_go/)
  }
  assert.match(lineOf('mismatch.found@2', 2), /file 1 .*entry 12/)
  assert.match(lineOf('write.landed@1', 0), /entry 12: 2 as judged, 1 unchanged, 1 otherwise, 1 not read/)
  assert.match(lineOf('budget.exceeded@1', 0), /home.*2000001.*2000000/)
  assert.match(lineOf('budget.exceeded@1', 1), / 0 .*disk.*1073741824/)
  assert.match(lineOf('service.continued@1', 0), /60 minutes/)
  assert.match(lineOf('service.ended@1', 0), /nobody asked/)
  assert.match(lineOf('file.noticed@1', 0), /2 memory .*entry 12/)
  assert.match(lineOf('file.noticed@1', 1), /first time/)
  for (const [place, why] of ['other_attach', 'bad_mac', 'no_attach'].entries())
    assert.match(lineOf('hook.foreign@1', place), why)
})

test('an entry of another version of Stele is named and not described', () => {
  assert.match(describeEntry(entryOf('made.up', { any: 'thing' }, { text: 'secret' })), 'made.up')
  assert.not.match(describeEntry(entryOf('made.up', { any: 'thing' }, { text: 'secret' })), 'secret')
  assert.match(describeEntry(entryOf('__proto__', {}, undefined)), '__proto__')
})

test('the line for the timeline never fails, whatever the payload and the words hold', () => {
  const random = makeRandom(38)
  for (const [type] of definitions) {
    for (const version of [1, 2, 99]) {
      for (const payload of [{}, { reason: null, abandoned: null, entries: null, arguments: null, changed: null, digest: 5 }]) {
        for (const words of [undefined, {}, { arguments: 5, text: null }, { arguments: [null, 1] }]) {
          assert.type(describeEntry(entryOf(type, payload, words, version)), 'string')
        }
      }
    }
  }
  for (const { type, version, list } of sampled) {
    for (const { payload, words } of list) {
      for (const changed of changesOf(payload, random))
        assert.type(describeEntry(entryOf(type, changed, words, version)), 'string')
      for (const changed of changesOf(words ?? {}, random))
        assert.type(describeEntry(entryOf(type, payload, changed, version)), 'string')
    }
  }
})

/** What of the frozen list no longer holds. A schema that is not in the list yet is no breach. */
function frozenBreaches(list: Readonly<Record<string, string>>, current: readonly VersionedSchema[]): string[] {
  return Object.entries(list).flatMap(([name, digest]) => {
    const found = current.find((each) => each.name === name && each.released)
    if (found === undefined) return [`${name} is gone`]
    return schemaDigest(found) === digest ? [] : [`${name} was edited`]
  })
}

function releasedNames(list: readonly VersionedSchema[]): string[] {
  return list.filter(({ released }) => released).map(({ name }) => name)
}

function validatorsOf(whole: { $defs: Record<string, unknown> }): Map<string, ValidateFunction> {
  const ajv = new Ajv2020({ strict: false, logger: false })
  ajv.addSchema(whole, 'ledger')
  const released = releasedNames(schemas).flatMap((name) => [name, `${name} words`])
  const names = released.filter((name) => Object.hasOwn(whole.$defs, name))
  return new Map(names.map((name) => [name, ajv.compile({ $ref: `ledger#/$defs/${encodeURIComponent(name)}` })]))
}

/** By `type@version` or `type@version words`. */
function validatorOf(name: string): ValidateFunction {
  const found = validators.get(name)
  assert.ok(found !== undefined, name)
  return found
}

function wordsSchemaOf(type: string, version: number): z.ZodObject | undefined {
  const definition = definitionOf(type)
  return definition?.version === version ? definition.words : definition?.history?.find((past) => past.version === version)?.words
}

const otherValues: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 1.5, 2 ** 53 - 1, 2 ** 53, 1e300, '', 'x', 'a name with blanks', 'line\nfeed\n', 'x\n'],
  ...['0'.repeat(64), 'A'.repeat(64), '0'.repeat(63), `${'0'.repeat(64)}\n`, '0'.repeat(32), 'x'.repeat(96), 'x'.repeat(97)],
  ...['x'.repeat(100), 'x'.repeat(101), 'x'.repeat(2000), 'x'.repeat(2001), '\u{1F600}'.repeat(2000), '\u{1F600}'.repeat(2001)],
  ...[
    '2026-11-29T20:40:00.123Z',
    '2026-11-29T20:40:00Z',
    '2026-11-29T20:40:00.123+00:00',
    '2026-13-45T99:99:99.999Z',
    '+2026-11-29',
  ],
  ...[
    '2026-02-30T20:40:00.123Z',
    '2026-11-29 20:40:00.123Z',
    '\uff11',
    'attached',
    'announced',
    'owner',
    'syntax',
    'a+0123abcd+AA==',
  ],
  ...[
    [],
    [1],
    [[1, 2]],
    [[1]],
    [[1, 2, 3]],
    [[2, 1]],
    [[-1, 1]],
    [null],
    ['x'],
    {},
    { a: 1 },
    { name: 'x', bytes: 1, digest: 'x' },
  ],
]

/** Every single change (a member dropped, one added, a value of another type), and some double ones. */
function changesOf(sample: Record<string, unknown>, random: Random): Record<string, unknown>[] {
  const single = changedOnce(sample)
  const double = Array.from({ length: 40 }, () => random.pick(changedOnce(random.pick(single))))
  return [...single, ...double] as Record<string, unknown>[]
}

function changedOnce(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value
    return [
      ...list.map((_, place) => list.toSpliced(place, 1)),
      ...list.flatMap((item, place) => [...changedOnce(item), ...otherValues].map((other) => list.with(place, other))),
      ...otherValues.map((other) => [...list, other]),
    ]
  }
  if (typeof value !== 'object' || value === null) return []
  const members = Object.entries(value)
  return [
    ...members.map(([dropped]) => Object.fromEntries(members.filter(([name]) => name !== dropped))),
    ...['extra', 'words', 'repaired', '', 'constructor', '__proto__'].flatMap((added) =>
      [1, 'x', null, {}].map((other) => Object.fromEntries([...members, [added, other]])),
    ),
    ...members.flatMap(([changed, member]) =>
      [...changedOnce(member), ...otherValues].map((other) =>
        Object.fromEntries(members.map(([name, kept]) => [name, name === changed ? other : kept])),
      ),
    ),
  ]
}

function memberNames(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const own =
    'properties' in node && typeof node.properties === 'object' && node.properties !== null ? Object.keys(node.properties) : []
  return [...own, ...Object.values(node).flatMap(memberNames)]
}

function eachObject(node: unknown, visit: (object: Record<string, unknown>) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) visit(node as Record<string, unknown>)
  for (const child of Object.values(node)) eachObject(child, visit)
}

function entryOf(type: string, payload: Entry['payload'], words: Entry['words'], version = 1): Entry {
  const header = { v: 1, ledger: '0'.repeat(32), epoch: 0, index: 5, time, type, version, session: '', payload: hash, prev: hash }
  return { header, payload, words }
}

test.run()
