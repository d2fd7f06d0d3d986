// Holds the view of evidence to what was made: a count by hand of each day's claims, those of the doctor and of what could not be checked apart.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type EvidenceDay, evidence, listedOfDayMax, newestClaims } from '../../src/projections/evidence.js'
import { viewAsOf } from '../../src/projections/projection-runner.js'
import { type MadeEntry, RandomHistory, randomHistory } from '../support/random-history.js'

const test = suite('evidence')

const session = 's0123456789abcdef'

async function days(history: RandomHistory): Promise<Map<string, EvidenceDay>> {
  return (await viewAsOf('evidence', history.source().storedEntries(0, history.rows.length))) as Map<string, EvidenceDay>
}

const supported = { outcome: 'supported', verdict: 'pass', reason: null, matchedIn: 'this-session', message: 1 }
const unsupported = { outcome: 'unsupported', verdict: 'would_block', reason: 'no_quote', matchedIn: null, message: null }
const unchecked = { outcome: 'unchecked', verdict: 'blocked', reason: 'words_unavailable', matchedIn: null, message: null }

function addClaim(history: RandomHistory, facts: Readonly<Record<string, unknown>>): number {
  const rest = { call: 0, write: 0, tool: 'memory', target: 'memory', targetDigest: 'd1'.repeat(32), detail: null }
  const words = { claim: 'User decided it.', quote: null, sender: null, nearest: null, target: 'memory' }
  return history.add('claim.judged', 1, session, { ...rest, rule: 'decided', tier: 1, ...facts }, words)
}

test('row P17: each figure of each day is what a count by hand of that day’s claims gives, for histories of any kind', async () => {
  for (const seed of [41, 42, 43]) {
    const history = randomHistory(seed, 500)
    const view = await days(history)
    const byDay = new Map<string, MadeEntry[]>()
    for (const entry of history.made.filter(({ type }) => type === 'claim.judged')) {
      const day = entry.time.slice(0, 10)
      byDay.set(day, [...(byDay.get(day) ?? []), entry])
    }
    assert.ok(byDay.size > 2)
    assert.equal([...view.keys()], [...byDay.keys()].sort(), `the days of history ${seed}`)
    for (const [day, entries] of byDay) assert.equal(figures(view.get(day)), byHand(entries), `${day} of history ${seed}`)
  }
})

test('what could not be checked is in no count of the unsupported, and questions of the doctor are in none at all', async () => {
  const history = new RandomHistory(44)
  for (const facts of [supported, unsupported, unchecked, { ...unsupported, probe: true }]) addClaim(history, facts)
  const [day] = (await days(history)).values()
  assert.equal([day?.claims, day?.outcomes, day?.probes], [3, { supported: 1, unsupported: 1, unchecked: 1 }, 1])
  assert.equal([day?.verdicts, day?.reasons], [{ pass: 1, would_block: 1, blocked: 0 }, { no_quote: 1 }])
  assert.equal(day?.unchecked, { verdicts: { pass: 0, would_block: 0, blocked: 1 }, reasons: { words_unavailable: 1 } })
  assert.equal(
    [day?.listed.unsupported, day?.listed.unchecked].map((listed) => listed?.map(({ index }) => index)),
    [[1], [2]],
  )
})

test('of a day the newest are listed, as many as may be, and all are counted', async () => {
  const history = new RandomHistory(45)
  for (let at = 0; at < listedOfDayMax + 7; at += 1) addClaim(history, unsupported)
  const view = await days(history)
  const [day] = view.values()
  assert.is(day?.outcomes.unsupported, 107)
  assert.equal([day?.listed.unsupported.length, day?.listed.unsupported[0]?.index], [100, 7])
  assert.equal(
    newestClaims(view, 'unsupported', 3).map(({ index }) => index),
    [106, 105, 104],
  )
  assert.equal(newestClaims(view, 'unchecked', 3), [])
})

test('more tools than are told apart are counted together', async () => {
  const history = new RandomHistory(46)
  for (let at = 0; at < 260; at += 1) addClaim(history, { ...supported, tool: `tool-${at}` })
  const [day] = (await days(history)).values()
  assert.equal([Object.keys(day?.tools ?? {}).length, day?.tools['other']?.supported], [257, 4])
})

test('an entry that is no claim has no part in it', () => {
  assert.is(evidence.partOf({ time: '2026-01-01T00:00:00.000Z', session, type: 'gate.decided' }), undefined)
})

type Counts = Readonly<Record<string, number>>

const sorted = (of: Counts): string[] =>
  Object.entries(of)
    .map(([name, count]) => `${name} ${count}`)
    .sort()

function figures(day: EvidenceDay | undefined): unknown {
  if (day === undefined) return undefined
  const outcomesBy = (of: EvidenceDay['tools']): string[] =>
    Object.entries(of)
      .map(([name, { supported, unsupported, unchecked }]) => `${name} ${supported} ${unsupported} ${unchecked}`)
      .sort()
  const { claims, outcomes, verdicts, reasons, details, matchedIn, tools, targets, tiers, unchecked, probes, listed } = day
  return {
    ...{ claims, outcomes, verdicts, probes, uncheckedVerdicts: unchecked.verdicts },
    ...{ reasons: sorted(reasons), details: sorted(details), matchedIn: sorted(matchedIn), unchecked: sorted(unchecked.reasons) },
    ...{ tools: outcomesBy(tools), targets: outcomesBy(targets), tiers: outcomesBy(tiers) },
    listed: [listed.unsupported, listed.unchecked].map((some) => some.map(({ index }) => index)),
  }
}

function byHand(entries: readonly MadeEntry[]): unknown {
  const good = entries.filter(({ counts }) => counts)
  const real = good.filter(({ facts }) => facts['probe'] !== true)
  const where = (outcome: string): MadeEntry[] => real.filter(({ facts }) => facts['outcome'] === outcome)
  const outcomes = ['supported', 'unsupported', 'unchecked'].map((outcome) => where(outcome))
  const [backed = [], flagged = [], unknown = []] = outcomes
  const count = (of: readonly MadeEntry[], name: string): string[] => {
    const values = of.map(({ facts }) => facts[name]).filter((value) => value !== null)
    return [...new Set(values)].map((value) => `${value} ${values.filter((one) => one === value).length}`).sort()
  }
  const by = (name: string): string[] =>
    [...new Set(real.map(({ facts }) => facts[name]))]
      .map((value) => [value, ...outcomes.map((of) => of.filter(({ facts }) => facts[name] === value).length)].join(' '))
      .sort()
  const verdicts = (of: readonly MadeEntry[]) => ({
    pass: of.filter(({ facts }) => facts['verdict'] === 'pass').length,
    would_block: of.filter(({ facts }) => facts['verdict'] === 'would_block').length,
    blocked: of.filter(({ facts }) => facts['verdict'] === 'blocked').length,
  })
  return {
    claims: real.length,
    outcomes: { supported: backed.length, unsupported: flagged.length, unchecked: unknown.length },
    verdicts: verdicts([...backed, ...flagged]),
    probes: good.length - real.length,
    uncheckedVerdicts: verdicts(unknown),
    reasons: count(flagged, 'reason'),
    details: count(flagged, 'detail'),
    matchedIn: count(backed, 'matchedIn'),
    unchecked: count(unknown, 'reason'),
    tools: by('tool'),
    targets: by('target'),
    tiers: by('tier'),
    listed: [flagged, unknown].map((of) => of.map(({ index }) => index)),
  }
}

test.run()
