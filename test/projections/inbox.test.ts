// Holds the view of what was flagged to what was made: causes and answers counted by hand, and what is open to a model without folds.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  answersThatHold,
  type CauseName,
  causeOf,
  type InboxDay,
  inbox,
  listedOfCauseMax,
  openEntries,
} from '../../src/projections/inbox.js'
import { viewAsOf } from '../../src/projections/projection-runner.js'
import { RandomHistory, randomHistory } from '../support/random-history.js'

const test = suite('inbox')

const session = 's0123456789abcdef'
const digest = 'd1'.repeat(32)
const dayMs = 24 * 3_600_000

async function days(history: RandomHistory): Promise<Map<string, InboxDay>> {
  return (await viewAsOf('inbox', history.source().storedEntries(0, history.rows.length))) as Map<string, InboxDay>
}

function addAccess(history: RandomHistory, tool: string, skill = ''): number {
  return history.add('access.proposed', 1, session, {
    ...{ call: 0, tool, skill, lineage: [], attended: 'unknown', asks: 'yes', touches: 0, writes: 0, commands: 0 },
  })
}

function decide(history: RandomHistory, judges: number, facts: Readonly<Record<string, unknown>> = {}): number {
  return history.add('gate.decided', 1, session, {
    ...{ gate: 'capability', gateVersion: 1, judges, asOf: judges, mode: 'observe', verdict: 'deny', code: 'tool_not_granted' },
    enforced: false,
    ...facts,
  })
}

function claim(history: RandomHistory, facts: Readonly<Record<string, unknown>> = {}): number {
  return history.add('claim.judged', 1, session, {
    ...{
      call: 0,
      write: 0,
      tool: 'memory',
      target: 'memory',
      targetDigest: digest,
      verdict: 'would_block',
      outcome: 'unsupported',
    },
    ...{ reason: 'no_quote', detail: null, matchedIn: null, message: null, rule: 'en-decided', tier: 1, claimDigest: digest },
    ...facts,
  })
}

function answer(history: RandomHistory, entries: readonly number[], label = 'refuse'): number {
  const facts = { label, gate: 'capability', code: 'tool_not_granted', rule: '', tool: 'terminal', entries, by: 'terminal' }
  return history.add('review.answered', 1, '', facts)
}

const open = async (history: RandomHistory): Promise<number[]> => openEntries(await days(history)).map(({ index }) => index)

test('a denial and a flagged claim each count for their cause; what passes, a question, and what the doctor asked for do not', async () => {
  const history = new RandomHistory(81)
  const call = addAccess(history, 'terminal', 'notes')
  const denied = decide(history, call)
  const held = decide(history, call, { enforced: true, skill: 'notes' })
  decide(history, call, { verdict: 'ask', code: 'approval_required' })
  decide(history, call, { verdict: 'allow', code: 'granted' })
  decide(history, call, { probe: true })
  // The claim stands for itself, and its write's decision for nothing more.
  decide(history, call, { gate: 'provenance', code: 'no_quote' })
  const claimed = claim(history)
  const blocked = claim(history, { verdict: 'blocked', claimDigest: null })
  claim(history, { verdict: 'pass', outcome: 'supported', reason: null })
  claim(history, { probe: true })
  const [day] = (await days(history)).values()
  const of = { time: history.made[0]?.time, session, enforced: false }
  assert.equal(day?.causes, {
    'capability tool_not_granted  terminal notes': {
      ...{ flagged: 2, enforced: 1 },
      listed: [
        { ...of, index: denied, judged: call, digest: null },
        { ...of, index: held, judged: call, digest: null, enforced: true },
      ],
    },
    'provenance no_quote en-decided memory memory': {
      ...{ flagged: 2, enforced: 1 },
      listed: [
        { ...of, index: claimed, judged: 0, digest },
        { ...of, index: blocked, judged: 0, digest: null, enforced: true },
      ],
    },
  })
  assert.equal([day?.probes, day?.first], [2, denied])
})

test('the parts of a cause come back from its key, and what was counted together has none', () => {
  const cause: CauseName = { gate: 'capability', code: 'skill_not_listed', rule: '', tool: '', of: '' }
  assert.equal(causeOf('capability skill_not_listed   '), cause)
  assert.is(causeOf('other'), undefined)
})

test('what was denied for want of any allowlist is counted, and nobody is asked about it', async () => {
  const history = new RandomHistory(82)
  decide(history, addAccess(history, 'terminal'), { code: 'policy_unavailable' })
  const [day] = (await days(history)).values()
  assert.is(day?.causes['capability policy_unavailable  terminal ']?.flagged, 1)
  assert.equal(await open(history), [])
})

test('an answer closes the entries that it names, on whatever day, and no later one of the same cause', async () => {
  const history = new RandomHistory(83)
  const call = addAccess(history, 'terminal')
  const [first, second] = [decide(history, call), decide(history, call)]
  assert.equal(await open(history), [second, first])
  history.wait(3 * dayMs)
  // Its time is that of the entry after the wait.
  history.addOne()
  answer(history, [first, second])
  assert.equal(await open(history).then((found) => found.filter((index) => index <= second)), [])
  const third = decide(history, call)
  assert.ok((await open(history)).includes(third))
})

test('of several answers about an entry the last holds; one that is taken back does not, and the one before it does again', async () => {
  const history = new RandomHistory(84)
  const denied = decide(history, addAccess(history, 'terminal'))
  const one = answer(history, [denied], 'refuse')
  const other = answer(history, [denied], 'grant')
  const holds = async () => answersThatHold(await days(history)).get(denied)
  assert.equal([(await holds())?.index, (await holds())?.label], [other, 'grant'])
  history.add('review.cancelled', 1, '', { answer: other, by: 'owner' })
  assert.equal([(await holds())?.index, (await holds())?.label], [one, 'refuse'])
  history.add('review.cancelled', 1, '', { answer: one, by: 'owner' })
  assert.is(await holds(), undefined)
  assert.equal(await open(history), [denied])
})

test('of a cause the newest of a day are listed, and all are counted', async () => {
  const history = new RandomHistory(85)
  const call = addAccess(history, 'terminal')
  for (let at = 0; at < listedOfCauseMax + 3; at += 1) decide(history, call)
  const [day] = (await days(history)).values()
  const cause = day?.causes['capability tool_not_granted  terminal ']
  assert.equal([cause?.flagged, cause?.listed.length, cause?.listed[0]?.index], [53, 50, 4])
  assert.equal((await open(history)).length, 50)
})

test('in histories of any kind, with erasures, what is open is what a model says: flagged, listed, and under no answer that holds', async () => {
  let answered = 0
  for (const seed of [86, 87, 88]) {
    const history = randomHistory(seed, 600)
    const made = history.made.filter(({ counts, facts }) => counts && facts['probe'] !== true)
    const flagged = made.filter(({ type, facts }) =>
      type === 'gate.decided'
        ? facts['verdict'] === 'deny' && facts['gate'] !== 'provenance'
        : type === 'claim.judged' && facts['verdict'] !== 'pass',
    )
    const cancelled = made.filter(({ type }) => type === 'review.cancelled').map(({ facts }) => facts['answer'])
    const closed = new Set(
      made
        .filter(({ type, index }) => type === 'review.answered' && !cancelled.includes(index))
        .flatMap(({ facts }) => facts['entries'] as number[]),
    )
    const expected = flagged.map(({ index }) => index).filter((index) => !closed.has(index))
    answered += flagged.length - expected.length
    // Few enough of one day and cause that all of them are listed.
    assert.equal(
      (await open(history)).sort((a, b) => a - b),
      expected,
    )
    const counts = [...(await days(history)).values()].flatMap(({ causes }) => Object.values(causes))
    assert.is(
      counts.reduce((sum, cause) => sum + cause.flagged, 0),
      flagged.length,
    )
  }
  assert.ok(answered > 0, 'some of what was flagged is answered')
})

test('an entry that nothing of it speaks of has no part in it', () => {
  assert.is(inbox.partOf({ time: '2026-01-01T00:00:00.000Z', session, type: 'turn.ended' }), undefined)
})

test.run()
