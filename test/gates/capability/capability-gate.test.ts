// Holds the gate to its modes: what it records and binds in each, whom it asks, and that whatever goes wrong on the way is a denial.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { definitionOf, type Facts, type NewEvent } from '../../../src/events/event-catalog.js'
import type { ProposedAccess } from '../../../src/gates/capability/access.js'
import { accessFacts, accessOfWords, accessWords } from '../../../src/gates/capability/access-words.js'
import { capabilityGate } from '../../../src/gates/capability/capability-gate.js'
import type { CapabilityInForce, GateContext, GateModes, Verdict } from '../../../src/gates/gate.js'
import { type JudgeSettings, judge } from '../../../src/hooks/judge.js'
import { makeRedactor } from '../../../src/redaction/redact.js'
import { noon, policyOf, randomCall, running, touching, touchOf } from '../../support/capability-calls.js'
import { makeRandom } from '../../support/seeded-random.js'

const test = suite('capability-gate')

const digest = 'ab'.repeat(32)
const policy = policyOf(`version: 1
require_approval: [write_file]
skills:
  "*":
    tools: [read_file, write_file, todo]
    paths: [~/desk/**]
    commands: ["cat {read}..."]
    grants: [{ tools: [web_search], expires: 2026-12-01 }]
`)
const inForce: CapabilityInForce = { policy, digest, unresolved: undefined }

type Proposed = Facts<'access.proposed'>

const allowedPath = touching(touchOf('a.txt'))
const deniedPath = touching(touchOf('/etc/passwd'))
const askedPath = touching(touchOf('a.txt', 'write'))

function proposed(access: ProposedAccess, more: Partial<Proposed> = {}): NewEvent & { type: 'access.proposed' } {
  const facts: Proposed = {
    ...{ call: 4, tool: access.touches[0]?.access === 'write' ? 'write_file' : 'read_file', skill: '' },
    ...{ lineage: [{ platform: 'cli', subagent: false }], attended: 'attended', asks: 'yes' },
    ...accessFacts(access),
    ...more,
  }
  return { type: 'access.proposed', facts, words: accessWords(access) }
}

function contextOf(capability: GateModes['capability'], more: Partial<GateContext> = {}): GateContext {
  return {
    ...{ asOf: 9, time: noon, modes: { provenance: 'off', capability } },
    provenance: { search: 'session', scope: 'decisions', attestedOnly: false },
    said: { messages: [], unavailable: false, refused: {} },
    capability: inForce,
    ...more,
  }
}

function verdictOn(event: ReturnType<typeof proposed>, context: GateContext): Verdict | undefined {
  return capabilityGate.on['access.proposed']?.({ index: 5, facts: event.facts, words: event.words }, context)
}

const brief = (verdict: Verdict | undefined): string =>
  verdict === undefined ? 'nothing' : `${verdict.verdict} ${verdict.code} ${verdict.mode}${verdict.enforced ? ' enforced' : ''}`

test('row C10, row C11: observe says the same as enforce and binds nobody; off says nothing', () => {
  for (const [access, said] of [
    [allowedPath, 'allow granted'],
    [deniedPath, 'deny path_not_granted'],
    [askedPath, 'ask approval_required'],
  ] as const) {
    assert.is(brief(verdictOn(proposed(access), contextOf('enforce'))), `${said} enforce enforced`)
    assert.is(brief(verdictOn(proposed(access), contextOf('observe'))), `${said} observe`)
    assert.is(brief(verdictOn(proposed(access), contextOf('off'))), 'nothing')
    const { mode: _, enforced: __, ...observed } = verdictOn(proposed(access), contextOf('observe')) ?? {}
    const { mode: ___, enforced: ____, ...enforcing } = verdictOn(proposed(access), contextOf('enforce')) ?? {}
    assert.equal(observed, enforcing)
  }
})

test('a verdict carries the paths, the skill and the policy that it was judged by', () => {
  const verdict = verdictOn(
    proposed(touching(touchOf('a.txt'), touchOf('l', 'read', { resolved: null, problem: 'dangling' }))),
    contextOf('enforce'),
  )
  assert.equal([verdict?.skill, verdict?.policy], ['', digest])
  assert.equal(verdict?.paths, [
    { asked: 'a.txt', resolved: '/home/ann/desk/a.txt' },
    { asked: 'l', resolved: null },
  ])
})

test('grants are judged at the time of the entry', () => {
  const call = proposed(touching(), { tool: 'web_search' })
  assert.is(brief(verdictOn(call, contextOf('enforce'))), 'allow granted enforce enforced')
  const later = contextOf('enforce', { time: '2026-12-01T00:00:00.000Z' })
  assert.is(brief(verdictOn(call, later)), 'deny grant_expired enforce enforced')
})

test('row C13: a question is asked only where a person answers it; else it is a denial that says why', () => {
  for (const [more, why] of [
    [{ attended: 'unattended' }, /unattended/],
    [{ attended: 'unknown' }, /not known whether anybody is there/],
    [{ asks: 'not_last' }, /another plugin answers behind/],
    [{ asks: 'approvals_off' }, /approvals switched off/],
    [{ asks: 'unknown_host' }, /this version of the host/],
  ] as const) {
    const verdict = verdictOn(proposed(askedPath, more), contextOf('enforce'))
    assert.is(brief(verdict), 'deny nobody_to_ask enforce enforced', JSON.stringify(more))
    assert.match(verdict?.reason ?? '', why)
    assert.match(verdict?.reason ?? '', /^nobody_to_ask: .*approval_required: /)
    // What needs no answer gets none.
    assert.is(brief(verdictOn(proposed(allowedPath, more), contextOf('enforce'))), 'allow granted enforce enforced')
    assert.is(brief(verdictOn(proposed(deniedPath, more), contextOf('enforce'))), 'deny path_not_granted enforce enforced')
  }
})

test('row C12: a mode that cannot be confirmed blocks whatever is granted, and says why', () => {
  for (const mode of ['off', 'observe', 'enforce'] as const) {
    const context = contextOf(mode, { capability: { ...inForce, unresolved: 'config_unreadable' } })
    const verdict = verdictOn(proposed(allowedPath), context)
    assert.is(brief(verdict), 'deny mode_unresolved unresolved enforced')
    assert.ok(verdict?.reason.startsWith('mode_unresolved_fail_closed:config_unreadable'))
  }
})

test('row C8: without a policy everything is denied', () => {
  const context = contextOf('enforce', { capability: { policy: undefined, digest: undefined, unresolved: undefined } })
  const verdict = verdictOn(proposed(allowedPath), context)
  assert.is(brief(verdict), 'deny policy_unavailable enforce enforced')
  assert.not.ok('policy' in (verdict ?? {}))
})

function codeOf([decision]: readonly { readonly facts: unknown }[]): string | undefined {
  return (decision?.facts as { code?: string } | undefined)?.code
}

const settings: JudgeSettings = {
  modes: { provenance: 'off', capability: 'enforce' },
  provenance: { search: 'session', scope: 'decisions', attestedOnly: false },
  said: { messages: [], unavailable: false, refused: {} },
  capability: inForce,
  ...{ time: noon, binding: true, probe: false, redactor: makeRedactor(), digest: () => '0'.repeat(64) },
}

test('row C7: an error on the way to a decision is a denial that blocks in enforce, and is recorded in observe', () => {
  const broken: CapabilityInForce = {
    ...inForce,
    policy: {
      ...policy,
      get allowlists(): never {
        throw new Error('no')
      },
    },
  }
  const event = proposed(allowedPath)
  const enforced = judge([capabilityGate], [event], 5, { ...settings, capability: broken })
  assert.is(enforced.answer.kind, 'block')
  assert.match(enforced.answer.message, /^gate_error: /)
  const observed = judge([capabilityGate], [event], 5, {
    ...settings,
    capability: broken,
    modes: { provenance: 'off', capability: 'observe' },
  })
  assert.is(observed.answer.kind, 'none')
  for (const { decisions } of [enforced, observed]) assert.is(codeOf(decisions), 'gate_error')
})

test('row C7: words that are missing are nothing to judge by: the call is denied', () => {
  const { words: _, ...wordless } = proposed(allowedPath)
  const { decisions, answer } = judge([capabilityGate], [wordless], 5, settings)
  assert.equal([codeOf(decisions), answer.kind], ['gate_error', 'block'])
  const nothing = judge(
    [capabilityGate],
    [{ type: 'access.proposed', facts: proposed(touching(), { tool: 'todo' }).facts }],
    5,
    settings,
  )
  assert.is(codeOf(nothing.decisions), 'granted', 'a call without paths has no words to miss')
})

test('a decision is an entry as its schema has it, with its paths as words', () => {
  const { decisions, answer } = judge([capabilityGate], [proposed(deniedPath)], 5, settings)
  assert.is(definitionOf('gate.decided')?.facts.safeParse(decisions[0]?.facts).success, true)
  assert.equal((decisions[0]?.words as { paths?: unknown } | undefined)?.paths, [
    { asked: '/etc/passwd', resolved: '/etc/passwd' },
  ])
  assert.match(answer.message, /^path_not_granted: `\/etc\/passwd`/)
})

test('what a call would reach comes back out of its entry as it went in, and the entry is as its schema has it', () => {
  const random = makeRandom(67)
  const accesses = [
    ...Array.from({ length: 300 }, () => randomCall(random).access),
    running('cat a $X; A=b ./x --y "z w" > out 2> /dev/null'),
    running('echo "'),
  ]
  for (const access of accesses) {
    const event = proposed(access)
    const { unread: _unread, ...said } = access
    assert.equal(accessOfWords(accessWords(access)), said)
    const definition = definitionOf('access.proposed')
    assert.is(definition?.facts.safeParse(event.facts).success, true)
    assert.is(definition?.words?.safeParse(event.words).success, true)
  }
  const { touches, writes, commands, unread } = accessFacts(running('cat a > b; ls'))
  assert.equal([touches, writes, commands, unread], [1, 1, 2, undefined])
  assert.is(accessFacts(running('echo "')).unread, 'unbalanced')
})

test.run()
