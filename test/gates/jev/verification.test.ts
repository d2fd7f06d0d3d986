// Holds verification to its vectors: what was observed is shown as a thing of the past, and only strong signs about a whole input ask for more.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readCounts, type VerificationOutcome } from '../../../src/gates/jev/verification.js'
import { type CompletionTuple, completionOf, type DeskOptions, JevDesk } from '../../support/jev-desk.js'

const test = suite('verification')

interface Given {
  readonly message?: unknown
  readonly completion?: CompletionTuple
  readonly options?: DeskOptions
}

function deskOf({ message = 'port the parser', completion, options }: Given = {}): JevDesk {
  const desk = new JevDesk(options)
  if (completion !== undefined) desk.answers.completion = completionOf(completion)
  desk.begin(message)
  return desk
}

const continues = (outcome: VerificationOutcome | undefined): boolean => outcome?.directive?.action === 'continue'

const run = (command: string, result: unknown = { exit_code: 0, output: 'ok' }, more: object = {}) => ({
  tool: 'terminal',
  args: { command },
  result,
  ...more,
})
const passed = run('pytest -q', { exit_code: 0, output: '3 passed' })

/** What the question would show. */
function evidenceOf(desk: JevDesk): readonly Readonly<Record<string, unknown>>[] {
  desk.end()
  const plan = desk.lastEnding
  return plan?.kind === 'ask' ? (plan.state.state['verification_evidence'] as readonly Readonly<Record<string, unknown>>[]) : []
}

test('vector F1 and row J38: a claim that contradicts the work asks for one more pass', () => {
  const outcome = deskOf().end()
  assert.ok(continues(outcome))
  for (const part of ['files that changed', 'checks', 'what keeps you', 'evidence'])
    assert.match(outcome?.directive?.message ?? '', part)
})

test('vector F2: without changed files, and switched off, nothing is asked', () => {
  const desk = deskOf()
  assert.is(desk.end({ changedPaths: [] }), undefined)
  const off = deskOf({ options: { verification: { enabled: false } } })
  assert.is(off.end(), undefined)
  assert.equal([desk.requests.completion, off.requests.completion], [0, 0])
})

test('vector F3 and row J6: in shadow nothing is said, and what would have been is told', () => {
  const outcome = deskOf({ options: { mode: 'shadow' } }).end()
  assert.equal([outcome?.wouldNudge, outcome?.nudge, outcome?.directive], [true, false, undefined])
})

test('vector F4 and row J42: each attempt is asked about once, and only those within the bound', () => {
  const desk = deskOf()
  assert.equal(
    [0, 0, 1, 2, -1, true, 0.5].map((attempt) => continues(desk.end({ attempt }))),
    [true, false, true, false, false, false, false],
  )
  assert.is(desk.requests.completion, 2)
})

test('vector F5 and row J41: a pass that was seen is a thing of the past', () => {
  const desk = deskOf()
  desk.observe(passed)
  const [evidence] = evidenceOf(desk)
  assert.equal([evidence?.['success'], evidence?.['observed_success'], evidence?.['freshness']], [null, true, 'unverified'])
  assert.ok(continues(desk.end({ attempt: 1 })))
})

test('vector F6 and compat W30: a failure stays one, and the message names it, which the original’s did not', () => {
  const desk = deskOf()
  desk.observe(run('pytest -q', { exit_code: 2, output: '1 failed' }))
  const [evidence] = evidenceOf(desk)
  assert.is(evidence?.['success'], false)
  const message = desk.end({ attempt: 1 })?.directive?.message ?? ''
  assert.match(message, '`pytest -q`')
  assert.match(message, 'exit code 2, 1 failed')
})

test('vector F7 and row J40: a change, a command that is no check and an unknown tool take all evidence away', () => {
  for (const call of [{ tool: 'write_file', args: {}, result: {} }, run('ls'), { tool: 'mystery', args: {}, result: {} }]) {
    const desk = deskOf()
    desk.observe(passed)
    assert.equal(desk.observe(call), { kind: 'invalidated', observations: 1 })
    assert.equal(evidenceOf(desk), [])
  }
})

test('compat W27: the original forgets all checks after `ls`; ours can keep them, and marks those before a change', () => {
  const desk = deskOf({ options: { verification: { otherCalls: 'stale' } } })
  desk.observe(passed)
  assert.equal(desk.observe(run('git status && ls -la')), { kind: 'nothing' })
  assert.is(evidenceOf(desk)[0]?.['freshness'], 'unverified')
  assert.equal(desk.observe({ tool: 'write_file', args: {}, result: {} }), { kind: 'invalidated', observations: 1 })
  desk.end({ attempt: 1 })
  const plan = desk.lastEnding
  assert.ok(plan?.kind === 'ask')
  assert.is((plan.state.state['verification_evidence'] as { freshness: string }[])[0]?.freshness, 'stale')
})

test('vector F8: a tool that only reads leaves the evidence', () => {
  const desk = deskOf()
  desk.observe(passed)
  assert.equal(desk.observe({ tool: 'read_file', args: {}, result: {} }), { kind: 'nothing' })
  assert.is(evidenceOf(desk).length, 1)
})

test('vector F9 and row J39: the newest eight are kept', () => {
  const desk = deskOf()
  for (let at = 1; at <= 9; at += 1) desk.observe(run(`pytest t${at}.py`))
  assert.equal(
    evidenceOf(desk).map(({ command }) => command),
    [2, 3, 4, 5, 6, 7, 8, 9].map((at) => `pytest t${at}.py`),
  )
})

test('vector F10: a result may be a text, and one that is too long is none', () => {
  const desk = deskOf()
  const read = desk.observe(run('pytest', '{"exit_code": 0, "output": "fine"}'))
  assert.ok(read.kind === 'observed' && read.observation.success === true)
  for (const result of [JSON.stringify({ exit_code: 0, output: 'x'.repeat(100_000) }), 'no json', 7, null]) {
    const none = desk.observe(run('pytest', result))
    assert.ok(none.kind === 'observed')
    assert.equal([none.observation.success, none.observation.state.state['summary']], [null, ''])
  }
})

test('vector F11 and row J43: 1,800 characters of output are whole, one more keeps us silent', () => {
  for (const [length, asks] of [
    [1800, true],
    [1801, false],
  ] as const) {
    const desk = deskOf()
    desk.observe(run('pytest', { exit_code: 1, output: 'x'.repeat(length) }))
    assert.is(continues(desk.end()), asks)
  }
})

test('compat W26: the original keeps the beginning of long output and falls silent; ours can keep both ends, and the counts', () => {
  const output = `${'x'.repeat(5000)}\n2 failed, 7 passed in 3s`
  const plain = deskOf()
  plain.observe(run('pytest', { exit_code: 1, output }))
  assert.is(continues(plain.end()), false)
  assert.not.match(JSON.stringify(evidenceOf(plain)), '2 failed')
  const excerpts = deskOf({ options: { verification: { excerpts: true } } })
  excerpts.observe(run('pytest', { exit_code: 1, output }))
  assert.ok(
    continues(excerpts.end({ finalResponse: 'y'.repeat(4000), changedPaths: Array.from({ length: 40 }, (_, at) => `f${at}`) })),
  )
  const plan = excerpts.lastEnding
  assert.ok(plan?.kind === 'ask')
  const { verification_evidence: evidence, changed_paths: paths } = plan.state.state as {
    verification_evidence: { summary: string; counts: object }[]
    changed_paths: string[]
  }
  assert.match(evidence[0]?.summary ?? '', /2 failed, 7 passed in 3s$/)
  assert.equal(evidence[0]?.counts, { passed: 7, failed: 2 })
  assert.is(paths.length, 16)
  assert.is(paths[15], '… and 25 more, 40 in all')
})

test('vector F12: what runs in the background has not ended', () => {
  const desk = deskOf()
  for (const call of [
    run('pytest', { exit_code: 0, session_id: 'x' }),
    { tool: 'terminal', args: { command: 'pytest', background: true }, result: { exit_code: 0 } },
  ]) {
    const seen = desk.observe(call)
    assert.ok(seen.kind === 'observed' && seen.observation.success === null)
  }
})

test('vector F13: an error in the result, or a call that did not end well, is a failure whatever the exit code', () => {
  const desk = deskOf()
  for (const [call, failure] of [
    [run('pytest', { exit_code: 0, error: 'killed' }), 'tool_error'],
    [run('pytest', { exit_code: 0 }, { status: 'timeout' }), 'status'],
    [run('pytest', { exit_code: 0, session_id: 'x' }, { status: 'error' }), 'status'],
  ] as const) {
    const seen = desk.observe(call)
    assert.ok(seen.kind === 'observed')
    assert.equal([seen.observation.success, seen.observation.failure], [false, failure])
  }
  const fine = desk.observe(run('pytest', { exit_code: 0 }, { status: 'ok' }))
  assert.ok(fine.kind === 'observed' && fine.observation.success === true)
})

test('vector F14: an exit code that is no whole number says nothing', () => {
  const desk = deskOf()
  for (const result of [{ exit_code: true }, {}, { exit_code: '0' }, { exit_code: 0.5 }]) {
    const seen = desk.observe(run('pytest', result))
    assert.ok(seen.kind === 'observed' && seen.observation.success === null)
  }
})

test('vector F15: an answer of 1,800 characters is whole, a longer one keeps us silent', () => {
  assert.ok(continues(deskOf().end({ finalResponse: 'x'.repeat(1800) })))
  const desk = deskOf()
  assert.is(continues(desk.end({ finalResponse: 'x'.repeat(1801) })), false)
  assert.is(desk.requests.completion, 1)
})

test('vector F16: sixteen changed files are whole, seventeen keep us silent', () => {
  const paths = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`)
  assert.ok(continues(deskOf().end({ changedPaths: paths(16) })))
  assert.is(continues(deskOf().end({ changedPaths: paths(17) })), false)
})

const withPassword = 'port the parser, password=abc'

test('vector F17: with any redaction counted as a loss, as in the original, a password in the message keeps us silent', () => {
  const outcome = deskOf({ message: withPassword, options: { sanitize: { redaction: 'incomplete' } } }).end()
  assert.equal([continues(outcome), outcome?.why], [false, 'incomplete_input'])
})

test('compat W1 (vector F17): for the original a redacted password made the input incomplete; ours judges what is there', () => {
  const desk = deskOf({ message: withPassword })
  assert.ok(continues(desk.end()))
  assert.not.match(desk.lastEnding?.kind === 'ask' ? desk.lastEnding.state.text : 'abc', 'abc')
})

test('vectors F18, F19 and F21: each of the deciding answers must be strong', () => {
  const asks = (completion: CompletionTuple) => continues(deskOf({ completion }).end())
  assert.is(asks([0.84, 0.01, 0.99, 0.99]), false)
  assert.is(asks([0.85, 0.15, 0.85, 0.85]), true)
  assert.is(asks([0.99, 0.01, 0.99, 0.01]), false)
})

test('vector F20: not to know whether evidence was seen keeps us silent', () => {
  const outcome = deskOf({ completion: [0.99, 0.5, 0.99, 0.99] }).end()
  assert.equal([continues(outcome), outcome?.confidence, outcome?.why], [false, 0.5, 'low'])
})

test('compat W29: in the original that one answer vetoes; ours can look at the three that decide', () => {
  const options = { verification: { confidenceOver: 'deciding' as const } }
  assert.ok(continues(deskOf({ completion: [0.99, 0.5, 0.99, 0.99], options }).end()))
})

test('vector F22 and row J16: of two open turns without an id none is meant', () => {
  const desk = deskOf()
  desk.begin('and the lexer', { turn: 't2' })
  assert.is(desk.end({}, 's1', ''), undefined)
  assert.is(desk.requests.completion, 0)
  assert.ok(continues(desk.end({}, 's1', 't2')))
  desk.cache.complete('s1', 't2', 0)
  assert.ok(continues(desk.end({}, 's1', '')))
})

test('vector F23: where turn or session ends meanwhile, the answer comes too late', () => {
  for (const end of [(desk: JevDesk) => desk.endSession('s1'), (desk: JevDesk) => desk.cache.complete('s1', 't1', 0)]) {
    const desk = deskOf()
    desk.during = () => end(desk)
    const outcome = desk.end()
    assert.equal([outcome?.wouldNudge, outcome?.why], [false, 'turn_over'])
  }
})

test('vector F24: work that is done, after a pass, asks for nothing', () => {
  const desk = deskOf({ completion: [0.99, 0.99, 0.01, 0.01] })
  desk.observe(passed)
  assert.is(continues(desk.end()), false)
  assert.is(desk.requests.completion, 1)
})

function withObservations(count: number, overflow: 'shrink' | 'replace'): JevDesk {
  const desk = deskOf({ options: { sanitize: { bytesMax: 8000, overflow } } })
  for (let at = 0; at < count; at += 1) desk.observe(run(`pytest t${at}.py`, { exit_code: 1, output: 'x'.repeat(900) }))
  return desk
}

test('vector F25 and compat W8: seven observations of 900 characters lose all evidence in the original; ours drops the oldest first', () => {
  assert.ok(continues(withObservations(6, 'replace').end()))
  const original = withObservations(7, 'replace')
  assert.is(continues(original.end()), false)
  assert.is(original.lastEnding?.kind === 'ask' && original.lastEnding.state.state['verification_evidence'], '[size limit]')
  const ours = withObservations(7, 'shrink')
  assert.is(continues(ours.end()), false)
  assert.ok(ours.lastEnding?.kind === 'ask')
  const kept = ours.lastEnding.state.state['verification_evidence'] as readonly { command: string; summary: string }[]
  assert.equal(
    kept.map(({ command }) => command),
    [1, 2, 3, 4, 5, 6].map((at) => `pytest t${at}.py`),
  )
  assert.ok(kept.every(({ summary }) => summary.length === 900))
})

test('a failed request spends the attempt', () => {
  const desk = deskOf()
  desk.answers.completion = undefined
  assert.is(desk.end()?.why, 'no_decision')
  assert.is(desk.end(), undefined)
})

test('a hostile command in the message is one line and short', () => {
  const desk = deskOf()
  desk.observe(run(`pytest "\u001b[2J\u202e${'x'.repeat(500)}"`, { exit_code: 1, output: '' }))
  const message = desk.end()?.directive?.message ?? ''
  assert.not.match(message, /[\u001b\u202e]/)
  assert.ok(message.length < 800)
})

test('tests are counted as runners count them', () => {
  assert.equal(readCounts('=== 2 failed, 7 passed in 1.2s ==='), { passed: 7, failed: 2 })
  assert.equal(readCounts('Tests:       1 failed, 12 passed, 13 total'), { passed: 12, failed: 1 })
  assert.equal(readCounts('test result: FAILED. 3 passed; 1 failed; 0 ignored'), { passed: 3, failed: 1 })
  assert.equal(readCounts('  5 passing (20ms)\n  1 failing'), { passed: 5, failed: 1 })
  assert.equal(readCounts('# tests 4\n# pass 3\n# fail 1'), { passed: 3, failed: 1 })
  assert.is(readCounts('all good'), undefined)
})

test('property: random results, endings and answers never throw, and no answer asks about an incomplete input', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (result, response, answer) => {
      const desk = deskOf()
      desk.observe(run('pytest', result))
      desk.answers.completion = answer as never
      const outcome = desk.end({ finalResponse: response })
      if (desk.lastEnding?.kind === 'ask' && !desk.lastEnding.isComplete) assert.is(outcome?.wouldNudge, false)
    }),
    { seed: 41 },
  )
})

test.run()
