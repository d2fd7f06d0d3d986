// Holds the thread for long texts to its life: it says what the gate says, is begun when needed and anew when it died, and takes no more
// than its time, its memory and its row.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Facts } from '../../src/events/event-catalog.js'
import type { GateContext, JudgedEntry } from '../../src/gates/gate.js'
import { provenanceGate } from '../../src/gates/provenance/provenance-gate.js'
import { Judging, type JudgingOptions } from '../../src/service/judging.js'
import { backedClaim, bareClaim, friday } from '../support/judged-writes.js'
import { noPolicy, someTime } from '../support/no-policy.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'

const test = suite('judging')

interface Running {
  readonly judging: Judging
  readonly clock: { now: number }
  /** Reasons of what could not be judged. */
  readonly reasons: unknown[]
}

function running(options: Pick<JudgingOptions, 'jobMs' | 'memoryMb'> = {}): Running {
  const clock = { now: 0 }
  const reasons: unknown[] = []
  const failed = (error: unknown) => reasons.push((error as { details: { reason: unknown } }).details.reason)
  return { judging: new Judging({ failed, now: () => clock.now, ...options }), clock, reasons }
}

const digest = 'd1'.repeat(32)

function writing(judged: readonly string[], stored: readonly string[] = []): JudgedEntry<'write.proposed'> {
  const facts: Facts<'write.proposed'> = {
    ...{ call: 7, tool: 'memory', target: 'memory', targetDigest: digest, readable: true, operations: 1, removedOnly: false },
    ...{ strategies: [], judged: { texts: judged.length, bytes: 1 }, stored: { texts: stored.length, bytes: 0 }, files: [] },
  }
  return { index: 8, facts, words: { places: [], judged: [...judged], stored: [...stored] } }
}

function context(count = 0): GateContext {
  const said = { index: 3, text: friday, session: 'this', sender: 'ann', attested: true } as const
  return {
    capability: noPolicy,
    time: someTime,
    asOf: 9,
    modes: { provenance: 'block', capability: 'enforce' },
    provenance: { search: 'session', scope: 'decisions+preferences', attestedOnly: false },
    said: { messages: [said], unavailable: false, refused: { [digest]: { count } } },
  }
}

const allThreads = (): number => (process.report.getReport() as unknown as { workers: unknown[] }).workers.length
/** What reads TypeScript may have one of its own. */
const threadsBefore = allThreads()
const threads = (): number => allThreads() - threadsBefore

/** A text that keeps a thread busy for many seconds. */
const endless = Array.from({ length: 48 }, () => 'if the user approved it\n'.repeat(170_000))

test('it says what the gate says in the own thread, whatever is written', async () => {
  const { judging, reasons } = running()
  const writes = [
    writing(['Tabs are two wide.']),
    writing([bareClaim, `${backedClaim}\n`.repeat(20)]),
    writing([backedClaim.repeat(99)], [bareClaim]),
    writing([`The user prefers tabs. ${bareClaim}`.repeat(200)]),
    writing(['用户决定周五发布。“周五”']),
    writing([`${bareClaim} The owner approved the refund.`, 'a lone \ud800 half']),
    { ...writing([bareClaim]), words: undefined },
    { ...writing([]), facts: { ...writing([]).facts, readable: false } },
  ]
  for (const write of writes) {
    for (const given of [context(), context(2)])
      assert.equal(await judging.judge('provenance', write, given), provenanceGate.on['write.proposed']?.(write, given))
  }
  assert.is(await judging.judge('no such gate', writing([bareClaim]), context()), undefined)
  const texts = [`User said ("${friday}") and 「周五发布新版本」.`, 'nothing', '"a b" and "a b"']
  assert.equal(await judging.quotes(texts), [friday, '周五发布新版本', 'a b'])
  assert.equal(reasons, [])
  await judging.close()
})

test('it begins with the first job, ends when there was none for a while, and begins again with the next', async () => {
  const { judging, clock, reasons } = running()
  assert.is(threads(), 0)
  await judging.quotes(['"a b"'])
  assert.is(threads(), 1)
  clock.now += 20_000
  judging.look()
  assert.is(threads(), 1, 'twenty seconds are not too long')
  clock.now += 1
  judging.look()
  while (threads() > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(await judging.quotes(['"a b"']), ['a b'])
  await judging.close()
  assert.equal([threads(), reasons], [0, []])
})

test('several that ask at once are answered by one thread, each with its own answer', async () => {
  const { judging } = running()
  const asked = ['one', 'two', 'three', 'four'].map((word) => judging.quotes([`"${word} it is"`]))
  assert.equal(await Promise.all(asked), [['one it is'], ['two it is'], ['three it is'], ['four it is']])
  assert.is(threads(), 1)
  await judging.close()
})

test('a job that takes too long is given up with its thread, and the next gets another', async () => {
  const { judging, reasons } = running({ jobMs: 3000 })
  const long = judging.judge('provenance', writing(endless), context())
  const behind = judging.judge('provenance', writing([bareClaim]), context())
  await rejectsWithCode(long, 'JUDGING_FAILED')
  assert.is((await behind)?.code, 'no_quote')
  assert.equal(reasons, ['too_slow'])
  await judging.close()
})

test('a thread that has no memory left ends alone, and the next job gets another', async () => {
  const { judging, reasons } = running({ memoryMb: 32 })
  await rejectsWithCode(
    judging.judge('provenance', writing(endless.slice(0, 8).map((text) => `${text}.`)), context()),
    'JUDGING_FAILED',
  )
  assert.is((await judging.judge('provenance', writing([bareClaim]), context()))?.code, 'no_quote')
  assert.equal(reasons, ['thread_failed'])
  await judging.close()
})

test('eight may wait behind one; whoever comes then is turned away at once, and at the end all are told that it is the end', async () => {
  const { judging, reasons } = running()
  const refused = [
    rejectsWithCode(judging.judge('provenance', writing(endless), context()), 'LEDGER_CLOSED'),
    ...Array.from({ length: 8 }, () => rejectsWithCode(judging.quotes(['"a b"']), 'LEDGER_CLOSED')),
  ]
  const { details } = await rejectsWithCode(judging.quotes(['"a b"']), 'JUDGING_FAILED')
  assert.equal(details, { reason: 'too_many' })
  await judging.close()
  await Promise.all(refused)
  await rejectsWithCode(judging.quotes(['"a b"']), 'LEDGER_CLOSED')
  assert.equal([threads(), reasons], [0, ['too_many']])
})

test.run()
