// Holds the view of grants to what was made: a count by another way of each day's calls and decisions, those of the doctor apart.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type GrantsDay, grants, listedOfCodeMax, newestDecisions, newestPolicy } from '../../src/projections/grants.js'
import { viewAsOf } from '../../src/projections/projection-runner.js'
import { type MadeEntry, RandomHistory, randomHistory } from '../support/random-history.js'

const test = suite('grants')

const session = 's0123456789abcdef'
const digest = 'd1'.repeat(32)

async function days(history: RandomHistory): Promise<Map<string, GrantsDay>> {
  return (await viewAsOf('grants', history.source().storedEntries(0, history.rows.length))) as Map<string, GrantsDay>
}

interface Decided {
  readonly verdict?: 'allow' | 'deny' | 'ask'
  readonly code?: string
  readonly enforced?: boolean
  readonly mode?: string
  readonly skill?: string
  readonly probe?: true
  readonly access?: Readonly<Record<string, unknown>>
}

/** A call, what it would reach and its decision, as they are written together. Returns the index of the call. */
function addCall(history: RandomHistory, tool: string, decided: Decided = {}): number {
  const { verdict = 'deny', code = 'tool_not_granted', enforced = false, mode = 'observe', skill, probe, access } = decided
  const asked = probe === undefined ? {} : { probe }
  const arguments_ = { count: 1, bytes: 2, digest }
  const call = history.add(
    'tool.requested',
    2,
    session,
    { turn: 1, tool, arguments: arguments_, source: 'unattested', ...asked },
    {},
  )
  const judges = history.add(
    'access.proposed',
    1,
    session,
    {
      ...{ call, tool, skill: skill ?? '', lineage: [], attended: 'attended', asks: 'yes', touches: 0, writes: 0, commands: 0 },
      ...access,
      ...asked,
    },
    { touches: [], programs: [], operands: [] },
  )
  const facts = { gate: 'capability', gateVersion: 1, judges, asOf: judges, mode, verdict, code, enforced, ...asked }
  history.add('gate.decided', 1, session, skill === undefined ? facts : { ...facts, skill }, { reason: 'r' })
  return call
}

test('row C14: each figure of each day is what a count by another way gives, for histories of any kind', async () => {
  for (const seed of [51, 52, 53]) {
    const history = randomHistory(seed, 500)
    const view = await days(history)
    const byDay = new Map<string, MadeEntry[]>()
    for (const entry of history.made.filter(({ type }) => spoken.includes(type))) {
      const day = entry.time.slice(0, 10)
      byDay.set(day, [...(byDay.get(day) ?? []), entry])
    }
    assert.ok(byDay.size > 2)
    assert.equal([...view.keys()], [...byDay.keys()].sort(), `the days of history ${seed}`)
    for (const [day, entries] of byDay) assert.equal(figures(view.get(day)), byHand(entries), `${day} of history ${seed}`)
  }
})

test('a call is counted by tool, verdict, code, mode, skill and session, and what it would reach by access', async () => {
  const history = new RandomHistory(54)
  const first = addCall(history, 'patch', { access: { touches: 3, writes: 1 } })
  addCall(history, 'patch', {
    verdict: 'allow',
    code: 'granted',
    mode: 'enforce',
    skill: 'notes',
    access: { touches: 1, writes: 1 },
  })
  addCall(history, 'terminal', {
    verdict: 'ask',
    code: 'command_opaque',
    enforced: true,
    mode: 'enforce',
    access: { commands: 2 },
  })
  const last = addCall(history, 'terminal', { code: 'command_opaque', access: { unread: 'unbalanced' } })
  const [day] = (await days(history)).values()
  assert.equal([day?.asked, day?.decided, day?.probes], [4, 4, 0])
  const { patch, terminal } = day?.tools ?? {}
  assert.equal([patch?.touches, terminal?.commands, terminal?.unread], [{ read: 2, write: 2 }, 2, { unbalanced: 1 }])
  assert.equal([patch?.asked, patch?.read, patch?.first.index, terminal?.last.index], [2, 2, first, last])
  assert.equal(patch?.codes['tool_not_granted']?.verdicts, { allow: 0, deny: 1, ask: 0 })
  assert.equal(terminal?.codes['command_opaque']?.verdicts, { allow: 0, deny: 1, ask: 1 })
  assert.is(terminal?.codes['command_opaque']?.enforced, 1)
  assert.equal(
    terminal?.codes['command_opaque']?.listed.map(({ index, judged, session: of }) => [index, judged, of]),
    [
      [8, 7, session],
      [11, 10, session],
    ],
  )
  assert.equal(day?.modes, { observe: counts(0, 2, 0, 0), enforce: counts(1, 0, 1, 1) })
  assert.equal(day?.skills, { '*': counts(0, 2, 1, 1), notes: counts(1, 0, 0, 0) })
  assert.equal(day?.sessions[session], { asked: 4, ...counts(1, 2, 1, 1) })
})

const counts = (allow: number, deny: number, ask: number, enforced: number) => ({ allow, deny, ask, enforced })

test('what the doctor asks is counted apart and is in no other figure; decisions of other gates are not counted', async () => {
  const history = new RandomHistory(55)
  addCall(history, 'read_file', { probe: true, access: { touches: 1 } })
  const call = addCall(history, 'read_file')
  history.add('gate.decided', 1, session, {
    ...{
      gate: 'provenance',
      gateVersion: 1,
      judges: call,
      asOf: call,
      mode: 'observe',
      verdict: 'allow',
      code: 'c',
      enforced: false,
    },
  })
  const [day] = (await days(history)).values()
  assert.equal([day?.asked, day?.decided, day?.probes], [1, 1, 1])
  assert.equal([day?.tools['read_file']?.touches.read, day?.tools['read_file']?.read], [0, 1])
})

test('of each tool and code the newest decisions are listed, as many as may be, and all are counted', async () => {
  const history = new RandomHistory(56)
  for (let at = 0; at < listedOfCodeMax + 5; at += 1) addCall(history, 'patch')
  addCall(history, 'patch', { verdict: 'allow', code: 'granted' })
  const view = await days(history)
  const [day] = view.values()
  const code = day?.tools['patch']?.codes['tool_not_granted']
  assert.equal([code?.verdicts.deny, code?.listed.length, code?.first.index, code?.listed[0]?.index], [25, 20, 2, 17])
  const newest = newestDecisions(view, 3)
  assert.equal(
    newest.map(({ index, code: of, tool }) => `${index} ${of} ${tool}`),
    ['74 tool_not_granted patch', '71 tool_not_granted patch', '68 tool_not_granted patch'],
    'what is not granted before what is, newest first',
  )
  assert.is(newestDecisions(view, 99).at(-1)?.code, 'granted')
})

test('a decision about an entry that this day does not have is of a tool that nobody knows', async () => {
  const history = new RandomHistory(57)
  history.add('gate.decided', 1, '', {
    ...{
      gate: 'capability',
      gateVersion: 1,
      judges: 4711,
      asOf: 0,
      mode: 'enforce',
      verdict: 'deny',
      code: 'gate_error',
      enforced: true,
    },
  })
  const [day] = (await days(history)).values()
  assert.equal([day?.asked, day?.decided, day?.sessions], [0, 1, {}])
  assert.is(day?.tools['']?.codes['gate_error']?.enforced, 1)
})

test('what is open stays within bounds, so that a part does not grow by calls without a decision', async () => {
  const history = new RandomHistory(58)
  for (let at = 0; at < 100; at += 1)
    history.add('tool.requested', 2, '', {
      ...{ turn: 1, tool: `tool-${at % 3}`, arguments: { count: 0, bytes: 2, digest }, source: 'unattested' },
    })
  const [day] = (await days(history)).values()
  assert.equal([day?.asked, day?.open.length, day?.open[0]?.index], [100, 16, 84])
})

test('the policy that came into force last is found, on whatever day that was', async () => {
  const history = new RandomHistory(59)
  assert.is(newestPolicy(await days(history)), undefined)
  for (const how of ['edited', 'used'])
    history.add('policy.activated', 1, '', { policy: 'allowlist', digest, how }, { text: '', policy: '{}' })
  addCall(history, 'patch')
  assert.is(newestPolicy(await days(history))?.index, 1)
})

test('an entry that is about no call has no part in it', () => {
  const time = '2026-01-01T00:00:00.000Z'
  for (const type of ['message.captured', 'claim.judged', 'made.up'])
    assert.is(grants.partOf({ time, session, type }), undefined, type)
  assert.is(grants.partOf({ time, session, type: 'gate.decided' }), '2026-01-01')
})

const spoken = ['tool.requested', 'access.proposed', 'gate.decided', 'tool.completed', 'policy.activated']

type Named = Readonly<Record<string, unknown>>
const sorted = (of: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(of)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .sort()

function figures(day: GrantsDay | undefined): unknown {
  if (day === undefined) return undefined
  const { asked, decided, modes, skills, sessions, policy, probes, tools } = day
  return {
    ...{ asked, decided, policy: policy?.index ?? null, probes, modes: sorted(modes), skills: sorted(skills) },
    sessions: sorted(sessions),
    tools: Object.entries(tools)
      .map(([name, { codes, first, last, ...of }]) => ({
        ...{ name, ...of, unread: sorted(of.unread), first: first.index, last: last.index },
        codes: Object.entries(codes)
          .map(([code, one]) => ({
            ...{ code, ...one.verdicts, enforced: one.enforced, first: one.first.index, last: one.last.index },
            listed: one.listed.map(({ index, judged }) => [index, judged]),
          }))
          .sort((one, other) => (one.code < other.code ? -1 : 1)),
      }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  }
}

/** The same by filters over the list of entries, without any fold. */
function byHand(entries: readonly MadeEntry[]): unknown {
  const good = entries.filter(({ counts: does }) => does)
  const real = good.filter(({ facts }) => facts['probe'] !== true)
  const of = (type: string): MadeEntry[] => real.filter((entry) => entry.type === type)
  const [asked, read, completed] = ['tool.requested', 'access.proposed', 'tool.completed'].map((type) => of(type))
  const decided = of('gate.decided').filter(({ facts }) => facts['gate'] === 'capability')
  const opened = [...(asked ?? []), ...(read ?? [])].sort((one, other) => one.index - other.index)
  const toolOf = ({ index, facts }: MadeEntry): string => {
    const open = opened.filter((one) => one.index < index).slice(-16)
    return String(open.find((one) => one.index === facts['judges'])?.facts['tool'] ?? '')
  }
  const total = (some: readonly MadeEntry[], what: (facts: Named) => number): number =>
    some.reduce((sum, { facts }) => sum + what(facts), 0)
  const verdicts = (some: readonly MadeEntry[]) => ({
    allow: some.filter(({ facts }) => facts['verdict'] === 'allow').length,
    deny: some.filter(({ facts }) => facts['verdict'] === 'deny').length,
    ask: some.filter(({ facts }) => facts['verdict'] === 'ask').length,
    enforced: some.filter(({ facts }) => facts['enforced'] === true && facts['verdict'] !== 'allow').length,
  })
  const groups = (some: readonly MadeEntry[], name: (entry: MadeEntry) => string): [string, MadeEntry[]][] =>
    [...new Set(some.map(name))].map((key) => [key, some.filter((entry) => name(entry) === key)])
  const tools = [
    ...[...opened, ...(completed ?? [])].map(({ facts }) => String(facts['tool'])),
    ...decided.map((entry) => toolOf(entry)),
  ]
  return {
    ...{ asked: asked?.length, decided: decided.length, policy: of('policy.activated').at(-1)?.index ?? null },
    probes: good.filter(({ type, facts }) => type === 'tool.requested' && facts['probe'] === true).length,
    modes: groups(decided, ({ facts }) => String(facts['mode']))
      .map(([mode, some]) => `${mode} ${JSON.stringify(verdicts(some))}`)
      .sort(),
    skills: groups(decided, ({ facts }) => String(facts['skill'] ?? '') || '*')
      .map(([skill, some]) => `${skill} ${JSON.stringify(verdicts(some))}`)
      .sort(),
    sessions: groups(
      [...(asked ?? []), ...decided].filter((entry) => entry.session !== ''),
      (entry) => entry.session,
    )
      .map(([handle, some]) => {
        const calls = some.filter(({ type }) => type === 'tool.requested').length
        return `${handle} ${JSON.stringify({ asked: calls, ...verdicts(some) })}`
      })
      .sort(),
    tools: [...new Set(tools)].sort().map((name) => {
      const own = (some: readonly MadeEntry[] | undefined): MadeEntry[] =>
        (some ?? []).filter(({ facts }) => String(facts['tool']) === name)
      const writes = total(own(read), (facts) => Number(facts['writes']))
      return {
        ...{ name, asked: own(asked).length, read: own(read).length, completed: own(completed).length },
        blocked: own(completed).filter(({ facts }) => facts['status'] === 'blocked').length,
        touches: { read: total(own(read), (facts) => Number(facts['touches'])) - writes, write: writes },
        commands: total(own(read), (facts) => Number(facts['commands'])),
        unread: groups(
          own(read).filter(({ facts }) => facts['unread'] !== undefined),
          ({ facts }) => String(facts['unread']),
        )
          .map(([why, some]) => `${why} ${some.length}`)
          .sort(),
        first: own(asked)[0]?.index ?? -1,
        last: own(asked).at(-1)?.index ?? -1,
        codes: groups(
          decided.filter((entry) => toolOf(entry) === name),
          ({ facts }) => String(facts['code']),
        )
          .map(([code, some]) => ({
            ...{ code, ...verdicts(some), first: some[0]?.index, last: some.at(-1)?.index },
            listed: some.slice(-20).map(({ index, facts }) => [index, facts['judges']]),
          }))
          .sort((one, other) => (one.code < other.code ? -1 : 1)),
      }
    }),
  }
}

test.run()
