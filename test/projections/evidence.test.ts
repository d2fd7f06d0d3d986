// Holds the view of evidence to what was made: a count by hand of each day's claims, those of the doctor and of what could not be checked apart.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type EvidenceDay,
  entriesOfClaimMax,
  evidence,
  listedOfDayMax,
  newestClaims,
  newestOtherwise,
  newestPairs,
  repeatedOfDayMax,
} from '../../src/projections/evidence.js'
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

function addClaim(history: RandomHistory, facts: Readonly<Record<string, unknown>>, of = session): number {
  const rest = { call: 0, write: 0, tool: 'memory', target: 'memory', targetDigest: 'd1'.repeat(32), detail: null }
  const words = { claim: 'User decided it.', quote: null, sender: null, nearest: null, target: 'memory' }
  return history.add('claim.judged', 1, of, { ...rest, rule: 'decided', tier: 1, claimDigest: null, ...facts }, words)
}

test('row P17: each figure of each day is what a count by hand of that day’s claims gives, for histories of any kind', async () => {
  for (const seed of [41, 42, 43]) {
    const history = randomHistory(seed, 500)
    const view = await days(history)
    const byDay = new Map<string, MadeEntry[]>()
    for (const entry of history.made.filter(({ type }) => type === 'claim.judged' || type === 'write.landed')) {
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

const one = 'e1'.repeat(32)
const memory = 'd1'.repeat(32)
const skill = 'd2'.repeat(32)
const inSkill = { target: 'skill', targetDigest: skill, tool: 'skill_manage' }

test('case 89: the same claim that one session wrote to several targets is linked, and counted once', async () => {
  const history = new RandomHistory(47)
  const claims = [
    { ...unsupported, claimDigest: one },
    { ...unsupported, claimDigest: one },
    { ...supported, claimDigest: one, ...inSkill },
    { ...unsupported, claimDigest: one, target: 'user', targetDigest: 'd3'.repeat(32) },
    // Another claim, one that means no single claim, and a question of the doctor.
    { ...unsupported, claimDigest: 'e2'.repeat(32) },
    { ...unchecked, claimDigest: null },
    { ...unchecked, claimDigest: null, ...inSkill },
    { ...unsupported, claimDigest: 'e2'.repeat(32), ...inSkill, probe: true },
  ]
  for (const facts of claims) addClaim(history, facts)
  const view = await days(history)
  assert.is([...view.values()][0]?.pairs, 1)
  assert.equal(
    newestPairs(view, 9).map(({ index, digest, entries }) => [
      index,
      digest,
      entries.map((place) => [place.index, place.target]),
    ]),
    [
      [
        3,
        one,
        [
          [0, 'memory'],
          [1, 'memory'],
          [2, 'skill'],
          [3, 'user'],
        ],
      ],
    ],
  )
})

test('the same claim in another session, in no session, or twice in one place is no pair', async () => {
  const history = new RandomHistory(48)
  addClaim(history, { ...unsupported, claimDigest: one })
  addClaim(history, { ...unsupported, claimDigest: one }, 'sfedcba9876543210')
  addClaim(history, { ...unsupported, claimDigest: one, ...inSkill }, '')
  addClaim(history, { ...unsupported, claimDigest: one }, '')
  addClaim(history, { ...unsupported, claimDigest: one, ...inSkill }, 's00000000000000ff')
  const view = await days(history)
  assert.equal([[...view.values()][0]?.pairs, newestPairs(view, 9)], [0, []])
})

test('so many claims are known again, pairs before others, and of each so many entries, every target before others', async () => {
  const history = new RandomHistory(49)
  const digestOf = (at: number): string => at.toString(16).padStart(64, '0')
  addClaim(history, { ...unsupported, claimDigest: one })
  addClaim(history, { ...unsupported, claimDigest: one, ...inSkill })
  for (let at = 0; at < 20; at += 1) addClaim(history, { ...unsupported, claimDigest: one })
  for (let at = 0; at < repeatedOfDayMax + 20; at += 1) addClaim(history, { ...unsupported, claimDigest: digestOf(at) })
  // The first of those are known no more, the last are.
  for (const at of [0, repeatedOfDayMax + 19]) addClaim(history, { ...unsupported, claimDigest: digestOf(at), ...inSkill })
  const view = await days(history)
  const [day] = view.values()
  assert.equal([day?.pairs, day?.repeated.length], [2, repeatedOfDayMax])
  const [newer, first] = newestPairs(view, 9)
  assert.equal([newer?.digest, first?.digest, first?.entries.length], [digestOf(repeatedOfDayMax + 19), one, entriesOfClaimMax])
  assert.equal([first?.entries[0]?.target, first?.entries.at(-1)?.index], ['skill', 21])
})

test('case 88: a write counts as the worst of its files did, and one that contradicts what was foretold is listed', async () => {
  const history = new RandomHistory(50)
  const asJudged = { found: memory, compared: 'as_judged', foretold: true }
  const unchanged = { found: null, compared: 'unchanged', foretold: true }
  const otherwise = { found: skill, compared: 'otherwise', foretold: true }
  const unread = { compared: 'unread', unread: 'too_slow', foretold: true }
  const writes = [
    [asJudged, asJudged],
    [asJudged, unchanged],
    [asJudged, { ...otherwise, foretold: false }, unchanged],
    [{ ...otherwise, disturbed: true }],
    [unread, asJudged],
    [asJudged, otherwise, unread, otherwise],
  ]
  for (const files of writes) history.add('write.landed', 1, session, { call: 3, write: 4, files })
  history.add('write.landed', 1, session, { call: 3, write: 4, files: [otherwise], probe: true })
  const view = await days(history)
  const [day] = view.values()
  assert.equal(day?.landed, { as_judged: 1, unchanged: 1, otherwise: 1, open: 2, unread: 1 })
  assert.equal([day?.claims, day?.probes], [0, 1])
  assert.equal(
    newestOtherwise(view, 9).map(({ index, write, files }) => [index, write, files]),
    [[5, 4, [1, 3]]],
  )
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
    ...{ pairs: day.pairs, landed: day.landed, otherwise: listed.otherwise.map(({ index }) => index) },
    ...{ claims, outcomes, verdicts, probes, uncheckedVerdicts: unchecked.verdicts },
    ...{ reasons: sorted(reasons), details: sorted(details), matchedIn: sorted(matchedIn), unchecked: sorted(unchecked.reasons) },
    ...{ tools: outcomesBy(tools), targets: outcomesBy(targets), tiers: outcomesBy(tiers) },
    listed: [listed.unsupported, listed.unchecked].map((some) => some.map(({ index }) => index)),
  }
}

function byHand(all: readonly MadeEntry[]): unknown {
  const ofType = (type: string): MadeEntry[] => all.filter((entry) => entry.type === type && entry.counts)
  const good = ofType('claim.judged')
  const landed = ofType('write.landed')
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
  // In these histories a claim and a target are known by one digest of each of theirs, and a write has one file.
  const saved = real.filter(({ facts, session: of }) => facts['claimDigest'] !== null && of !== '')
  const claims = new Map<string, MadeEntry[]>()
  for (const entry of saved) {
    const key = `${entry.session} ${entry.facts['claimDigest']}`
    claims.set(key, [...(claims.get(key) ?? []), entry])
  }
  const isPair = (of: readonly MadeEntry[]): boolean => new Set(of.map(({ facts }) => facts['targetDigest'])).size > 1
  const looked = landed.filter(({ facts }) => facts['probe'] !== true)
  const filesOf = ({ facts }: MadeEntry) => (facts['files'] as readonly { compared: string; foretold: boolean }[])[0]
  const came = (compared: string): MadeEntry[] => looked.filter((entry) => filesOf(entry)?.compared === compared)
  const otherwise = came('otherwise').filter((entry) => filesOf(entry)?.foretold === true)
  return {
    pairs: [...claims.values()].filter(isPair).length,
    landed: {
      as_judged: came('as_judged').length,
      unchanged: came('unchanged').length,
      otherwise: otherwise.length,
      open: came('otherwise').length - otherwise.length,
      unread: came('unread').length,
    },
    otherwise: otherwise.map(({ index }) => index),
    claims: real.length,
    outcomes: { supported: backed.length, unsupported: flagged.length, unchecked: unknown.length },
    verdicts: verdicts([...backed, ...flagged]),
    probes: good.length - real.length + landed.length - looked.length,
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
