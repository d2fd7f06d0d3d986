// Holds what gates say to the record and to the answer: every verdict is written down, and only one that is enforced binds the host.
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { definitionOf, type NewEvent } from '../../src/events/event-catalog.js'
import type { ClaimJudged, GateContext, GateDefinition, Verdict } from '../../src/gates/gate.js'
import { answerOf, type JudgeSettings, judge } from '../../src/hooks/judge.js'
import { makeRedactor } from '../../src/redaction/redact.js'
import { enforcing, observing } from '../support/hook-house.js'
import { noPolicy, someTime } from '../support/no-policy.js'

const test = suite('judge')

const handle = 's0123456789abcdef'
const digest = 'd1'.repeat(32)
const source = 'unattested' as const
const requested: Extract<NewEvent, { type: 'tool.requested' }> = {
  type: 'tool.requested',
  session: handle,
  facts: { turn: 1, tool: 'terminal', arguments: { count: 0, bytes: 2, digest }, source },
  words: { cwd: '/srv' },
}
const ended: NewEvent = { type: 'turn.ended', facts: { turn: 1, source } }
const settings: JudgeSettings = {
  modes: enforcing,
  provenance: { search: 'session', scope: 'decisions', attestedOnly: false },
  said: { messages: [], unavailable: false, refused: {} },
  capability: noPolicy,
  time: someTime,
  binding: true,
  probe: false,
  redactor: makeRedactor(),
  digest: (use, text) => createHash('sha256').update(`${use}\n${text}`).digest('hex'),
}

const deny: Verdict = { verdict: 'deny', code: 'not_granted', reason: 'no grant', mode: 'enforce', enforced: true }
const ask: Verdict = { verdict: 'ask', code: 'path_unresolved', reason: 'where is it?', mode: 'enforce', enforced: true }
const failed: Verdict = { verdict: 'deny', code: 'internal_error', reason: 'it failed', mode: 'enforce', enforced: true }
const allow: Verdict = { verdict: 'allow', code: 'granted', reason: '', mode: 'enforce', enforced: true }

/** A gate that says the same of every tool that is asked for. */
function gateOf(name: string, verdict: Verdict | undefined, heard: unknown[] = []): GateDefinition {
  return {
    name,
    version: 3,
    on: {
      'tool.requested': (entry, context) => {
        heard.push({ entry, context })
        return verdict
      },
    },
    failed: () => failed,
  }
}

test('a verdict becomes a decision about the entry, in the entry’s session, with the gate’s name and version', () => {
  const { decisions, answer } = judge([gateOf('capability', deny)], [ended, requested], 40, settings)
  assert.equal(decisions, [
    {
      type: 'gate.decided',
      session: handle,
      facts: {
        gate: 'capability',
        gateVersion: 3,
        judges: 41,
        asOf: 42,
        mode: 'enforce',
        verdict: 'deny',
        code: 'not_granted',
        enforced: true,
      },
      words: { reason: 'no grant' },
    },
  ])
  assert.equal(answer, { kind: 'block', message: 'no grant' })
  for (const { facts } of decisions) assert.is(definitionOf('gate.decided')?.facts.safeParse(facts).success, true)
})

test('the paths of a verdict are words, its policy and skill are facts, and every gate knows what is in force and since when', () => {
  const heard: { entry: { index: number; facts: unknown; words: unknown }; context: GateContext }[] = []
  const policy = 'ab'.repeat(32)
  const verdict = {
    ...allow,
    policy,
    skill: 'notes',
    paths: [
      { asked: 'a', resolved: '/w/a' },
      { asked: 'b', resolved: null },
    ],
  }
  const capability = { policy: undefined, digest: policy, unresolved: 'unreadable' }
  const [decision] = judge([gateOf('one', verdict, heard)], [requested], 1, { ...settings, capability }).decisions
  assert.is(factsOf(decision)['policy'], policy)
  assert.is(factsOf(decision)['skill'], 'notes')
  assert.equal(decision?.words, {
    reason: '',
    paths: [
      { asked: 'a', resolved: '/w/a' },
      { asked: 'b', resolved: null },
    ],
  })
  assert.is(definitionOf('gate.decided')?.facts.safeParse(decision?.facts).success, true)
  assert.equal([heard[0]?.context.capability, heard[0]?.context.time], [capability, someTime])
})

test('a gate sees the entry with its place and what every entry below the decision’s own place is', () => {
  const heard: { entry: { index: number; facts: unknown; words: unknown }; context: GateContext }[] = []
  judge([gateOf('one', allow, heard), gateOf('two', allow, heard)], [requested, ended], 7, settings)
  assert.equal(
    heard.map(({ entry, context }) => [entry.index, context.asOf]),
    [
      [7, 9],
      [7, 10],
    ],
  )
  assert.equal(heard[0]?.entry, { index: 7, facts: requested.facts, words: { cwd: '/srv' } })
  assert.equal(heard[0]?.context.modes, enforcing)
})

test('a reason that is empty leaves no words, and an event of no session leaves a decision of none', () => {
  const { session: _, ...ofNoSession } = requested
  const [decision] = judge([gateOf('one', allow)], [ofNoSession], 1, settings).decisions
  assert.ok(decision !== undefined)
  assert.not.ok('words' in decision)
  assert.not.ok('session' in decision)
})

test('a gate that has nothing to say leaves nothing', () => {
  assert.equal(judge([gateOf('one', undefined)], [requested], 1, settings), {
    decisions: [],
    answer: { kind: 'none', message: '' },
  })
  assert.equal(judge([gateOf('one', deny)], [ended], 1, settings).decisions, [])
  assert.equal(judge([], [requested], 1, settings).decisions, [])
})

test('every verdict is recorded, whatever the answer is', () => {
  const gates = [gateOf('one', allow), gateOf('two', ask), gateOf('three', deny)]
  const { decisions, answer } = judge(gates, [requested], 1, settings)
  assert.equal(
    decisions.map((decision) => factsOf(decision)['verdict']),
    ['allow', 'ask', 'deny'],
  )
  assert.is(answer.kind, 'block')
})

test('where the host is no longer waiting, verdicts are recorded as they are and none is enforced', () => {
  const { decisions, answer } = judge([gateOf('one', deny)], [requested], 1, { ...settings, binding: false })
  const { verdict, enforced, mode } = factsOf(decisions[0])
  assert.equal([verdict, enforced, mode], ['deny', false, 'enforce'])
  assert.is(answer.kind, 'none')
})

test('a verdict that its gate does not enforce binds nobody', () => {
  const observed = { ...deny, mode: 'observe', enforced: false }
  const { decisions, answer } = judge([gateOf('one', observed)], [requested], 1, { ...settings, modes: observing })
  assert.is(factsOf(decisions[0])['enforced'], false)
  assert.equal(answer, { kind: 'none', message: '' })
})

test('a decision about a question of the doctor says so, and no other does', () => {
  const probed = judge([gateOf('one', allow)], [requested], 1, { ...settings, probe: true })
  assert.is(factsOf(probed.decisions[0])['probe'], true)
  const [plain] = judge([gateOf('one', allow)], [requested], 1, settings).decisions
  assert.not.ok(Object.hasOwn(factsOf(plain), 'probe'))
})

test('the same events at the same place give the same decisions', () => {
  const once = judge([gateOf('one', ask), gateOf('two', deny)], [requested], 5, settings)
  assert.equal(judge([gateOf('one', ask), gateOf('two', deny)], [requested], 5, settings), once)
})

const claimed: ClaimJudged = {
  facts: {
    ...{ call: 4, tool: 'memory', target: 'memory', targetDigest: digest, outcome: 'unsupported', reason: 'no_quote' },
    ...{ detail: null, matchedIn: null, message: null, rule: 'decided', tier: 1 },
  },
  words: { claim: 'User decided.', quote: null, sender: null, nearest: null, target: 'memory' },
}
const supported: ClaimJudged = { ...claimed, facts: { ...claimed.facts, outcome: 'supported', reason: null } }

test('claims stand before the decision that they belong to, in order, and name the entry that was judged', () => {
  const verdict = { ...deny, claims: [supported, claimed] }
  const { decisions } = judge([gateOf('one', verdict), gateOf('two', allow)], [requested], 40, settings)
  assert.equal(
    decisions.map(({ type }) => type),
    ['claim.judged', 'claim.judged', 'gate.decided', 'gate.decided'],
  )
  assert.equal(
    decisions.map((decision) => factsOf(decision)['write'] ?? factsOf(decision)['judges']),
    [40, 40, 40, 40],
  )
  // What a gate knows is what stands below: the claims of the one before it too.
  assert.equal(
    decisions.slice(2).map((decision) => factsOf(decision)['asOf']),
    [41, 44],
  )
  for (const { type, facts, session } of decisions) {
    assert.is(definitionOf(type)?.facts.safeParse(facts).success, true, type)
    assert.is(session, handle)
  }
})

test('a claim passes where it is supported, is blocked where the verdict binds, and would be where it does not', () => {
  const of = (verdict: Verdict, more: Partial<JudgeSettings> = {}) =>
    judge([gateOf('one', { ...verdict, claims: [supported, claimed] })], [requested], 1, { ...settings, ...more })
      .decisions.slice(0, 2)
      .map((decision) => factsOf(decision)['verdict'])
  assert.equal(of(deny), ['pass', 'blocked'])
  assert.equal(of({ ...deny, enforced: false }), ['pass', 'would_block'])
  assert.equal(of(deny, { binding: false }), ['pass', 'would_block'])
})

test('a claim is known by a digest of what it says, without the quote that backs it; where none is meant there is no digest', () => {
  const said = ['User decided.', '- User  **decided** ("we do")!', 'User decided', 'Nothing.', ''].map((claim) => ({
    ...claimed,
    words: { ...claimed.words, claim },
  }))
  const { decisions } = judge([gateOf('one', { ...deny, claims: said })], [requested], 1, settings)
  const decided = createHash('sha256').update('text\nuser decided').digest('hex')
  const nothing = createHash('sha256').update('text\nnothing').digest('hex')
  assert.equal(
    decisions.slice(0, 5).map((decision) => factsOf(decision)['claimDigest']),
    [decided, decided, decided, nothing, null],
  )
})

test('a claim about a question of the doctor says so', () => {
  const [claim] = judge([gateOf('one', { ...deny, claims: [claimed] })], [requested], 1, { ...settings, probe: true }).decisions
  assert.is(factsOf(claim)['probe'], true)
})

test('secrets in the words of a claim are taken out', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`
  const told = { ...claimed, words: { ...claimed.words, claim: `User decided on ${token}.`, nearest: token } }
  const { decisions } = judge([gateOf('one', { ...deny, claims: [told] })], [requested], 1, settings)
  assert.not.match(JSON.stringify(decisions), token)
})

test('row P68: a gate that throws is asked what holds then, and the others are asked as ever', () => {
  const broken: GateDefinition = {
    ...gateOf('broken', undefined),
    on: {
      'tool.requested': () => {
        throw new Error('words of a secret')
      },
    },
  }
  const blocked = judge([broken, gateOf('two', allow)], [requested], 1, settings)
  assert.equal(
    blocked.decisions.map((decision) => [factsOf(decision)['gate'], factsOf(decision)['verdict'], factsOf(decision)['code']]),
    [
      ['broken', 'deny', 'internal_error'],
      ['two', 'allow', 'granted'],
    ],
  )
  assert.equal(blocked.answer, { kind: 'block', message: 'it failed' })
  assert.not.match(JSON.stringify(blocked), /words of a secret/)
  const observed: GateDefinition = { ...broken, failed: () => ({ ...failed, mode: 'observe', enforced: false }) }
  assert.equal(judge([observed], [requested], 1, { ...settings, modes: observing }).answer, { kind: 'none', message: '' })
})

test('a block from any gate is the answer, with the reasons of those that block', () => {
  const other = { ...deny, reason: 'nor that' }
  assert.equal(answerOf([ask, deny, allow, other]), { kind: 'block', message: 'no grant\nnor that' })
})

test('without a block, one request for approval carries the reasons of all that ask', () => {
  const other = { ...ask, reason: 'and what is it?' }
  assert.equal(answerOf([allow, ask, other]), { kind: 'ask', message: 'where is it?\nand what is it?' })
})

test('a verdict without a reason is told by its code', () => {
  assert.is(answerOf([{ ...deny, reason: '' }]).message, 'not_granted')
  assert.is(answerOf([{ ...ask, reason: '' }]).message, 'path_unresolved')
})

test('nothing but allowing, nothing enforced, or nothing at all is no answer', () => {
  for (const verdicts of [[], [allow, allow], [{ ...deny, enforced: false }, allow]])
    assert.equal(answerOf(verdicts), { kind: 'none', message: '' })
  assert.is(answerOf([{ ...deny, enforced: false }, ask]).kind, 'ask')
})

function factsOf(decision: NewEvent | undefined): Record<string, unknown> {
  assert.ok(decision !== undefined)
  return { ...decision.facts }
}

test.run()
