// Holds the view of decisions to what was made: a count by hand of each day's decisions, those of the doctor apart.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DecisionsDay, decisions, decisionsOfDayMax, newestDecisions } from '../../src/projections/decisions.js'
import { viewAsOf } from '../../src/projections/projection-runner.js'
import { RandomHistory, randomHistory } from '../support/random-history.js'

const test = suite('decisions')

const session = 's0123456789abcdef'
const digest = 'd1'.repeat(32)

async function days(history: RandomHistory): Promise<Map<string, DecisionsDay>> {
  return (await viewAsOf('decisions', history.source().storedEntries(0, history.rows.length))) as Map<string, DecisionsDay>
}

function addCall(history: RandomHistory, tool: string): number {
  const facts = { turn: 1, tool, arguments: { count: 0, bytes: 2, digest }, source: 'unattested' }
  return history.add('tool.requested', 2, session, facts)
}

function addWrite(history: RandomHistory, call: number): number {
  const none = { texts: 0, bytes: 0 }
  return history.add('write.proposed', 1, session, {
    ...{ call, tool: 'memory', target: 'memory', targetDigest: digest, readable: true, operations: 1, removedOnly: false },
    ...{ strategies: [], judged: none, stored: none, files: [] },
  })
}

function decide(history: RandomHistory, judges: number, facts: Readonly<Record<string, unknown>> = {}): number {
  const index = history.rows.length
  return history.add('gate.decided', 1, session, {
    ...{ gate: 'capability', gateVersion: 1, judges, asOf: index, mode: 'observe', verdict: 'allow', code: 'granted' },
    enforced: false,
    ...facts,
  })
}

test('the sums of each day are what a count by hand of that day’s decisions gives, for histories of any kind', async () => {
  for (const seed of [61, 62]) {
    const history = randomHistory(seed, 500)
    const view = await days(history)
    const made = history.made.filter(({ type, counts }) => type === 'gate.decided' && counts)
    for (const [date, day] of view) {
      const all = made.filter(({ time }) => time.startsWith(date))
      const real = all.filter(({ facts }) => facts['probe'] !== true)
      assert.equal([day.decisions, day.probes], [real.length, all.length - real.length], date)
      const gates = [...new Set(real.map(({ facts }) => String(facts['gate'])))].sort()
      assert.equal(Object.keys(day.gates).sort(), gates)
      for (const gate of gates) {
        const own = real.filter(({ facts }) => facts['gate'] === gate)
        const count = (verdict: string): number => own.filter(({ facts }) => facts['verdict'] === verdict).length
        const held = own.filter(({ facts }) => facts['enforced'] === true && facts['verdict'] !== 'allow').length
        const counts = Object.getOwnPropertyDescriptor(day.gates, gate)?.value as unknown
        assert.equal(counts, { allow: count('allow'), deny: count('deny'), ask: count('ask'), enforced: held })
      }
      for (const verdict of ['deny', 'ask'] as const)
        assert.equal(
          day.listed[verdict].map(({ index }) => index),
          real.filter(({ facts }) => facts['verdict'] === verdict).map(({ index }) => index),
        )
    }
  }
})

test('a decision counts for the tool of the call that it is about, also where it is about what the call would write', async () => {
  const history = new RandomHistory(63)
  const call = addCall(history, 'memory')
  const write = addWrite(history, call)
  decide(history, call)
  decide(history, write, { gate: 'provenance', verdict: 'deny', code: 'no_quote', enforced: true, mode: 'block' })
  // About no call: nobody says for which tool it counts.
  const other = history.add('message.skipped', 1, session, { turn: 1, platform: '', characters: 0, why: 'x', source: 'attached' })
  decide(history, other, { verdict: 'ask', code: 'odd' })
  const [day] = (await days(history)).values()
  assert.equal(day?.tools, { memory: { allow: 1, deny: 1, ask: 0, enforced: 1 } })
  assert.equal(day?.modes, {
    'capability observe': { allow: 1, deny: 0, ask: 1, enforced: 0 },
    'provenance block': { allow: 0, deny: 1, ask: 0, enforced: 1 },
  })
  assert.equal(day?.codes, {
    'capability allow granted': { decisions: 1, enforced: 0 },
    'provenance deny no_quote': { decisions: 1, enforced: 1 },
    'capability ask odd': { decisions: 1, enforced: 0 },
  })
  assert.equal(
    [...(day?.listed.deny ?? []), ...(day?.listed.ask ?? [])].map(({ index, tool, call: of }) => [index, tool, of]),
    [
      [3, 'memory', 0],
      [5, '', null],
    ],
  )
})

test('of a day the newest are listed, as many as may be, and all are counted; questions of the doctor are in none', async () => {
  const history = new RandomHistory(64)
  const call = addCall(history, 'terminal')
  for (let at = 0; at < decisionsOfDayMax + 5; at += 1) decide(history, call, { verdict: 'deny', code: 'tool_not_granted' })
  decide(history, call, { verdict: 'deny', code: 'tool_not_granted', probe: true })
  const view = await days(history)
  const [day] = view.values()
  assert.equal([day?.decisions, day?.listed.deny.length, day?.listed.deny[0]?.index, day?.probes], [105, 100, 6, 1])
  assert.equal(
    newestDecisions(view, 'deny', 2).map(({ index }) => index),
    [105, 104],
  )
  assert.equal(newestDecisions(view, 'ask', 2), [])
})

test('an entry that is neither a call nor a decision has no part in it', () => {
  assert.is(decisions.partOf({ time: '2026-01-01T00:00:00.000Z', session, type: 'turn.ended' }), undefined)
})

test.run()
