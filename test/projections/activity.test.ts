// Holds the view of days to what was made: a model that knows of every entry what it is meant to count for, and no fold.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { DayView } from '../../src/projections/activity.js'
import { viewAsOf } from '../../src/projections/projection-runner.js'
import { type MadeEntry, RandomHistory, randomHistory } from '../support/random-history.js'

const test = suite('activity')

const digest = 'd1'.repeat(32)

async function days(history: RandomHistory): Promise<Map<string, DayView>> {
  return (await viewAsOf('activity', history.source().storedEntries(0, history.rows.length))) as Map<string, DayView>
}

test('each figure of each day is what a count by hand of that day’s entries gives, for histories of any kind', async () => {
  for (const seed of [21, 22, 23, 24]) {
    const history = randomHistory(seed, 400)
    const view = await days(history)
    const byDay = grouped(history.made, ({ time }) => time.slice(0, 10))
    assert.equal([...view.keys()], [...byDay.keys()].sort(), `the days of history ${seed}`)
    for (const [day, entries] of byDay) assert.equal(figures(view.get(day)), byHand(entries), `${day} of history ${seed}`)
  }
})

test('questions of the doctor are counted apart, and only there', async () => {
  const history = new RandomHistory(31)
  const probe = { source: 'unattested', probe: true }
  history.add('session.started', 2, 's0123456789abcdef', { platform: 'cli', how: 'announced', ...probe })
  history.add('tool.requested', 2, 's0123456789abcdef', {
    turn: 1,
    tool: 'stele_probe',
    arguments: { count: 0, bytes: 2, digest },
    ...probe,
  })
  const [day] = (await days(history)).values()
  assert.equal([day?.entries, day?.probes, day?.sessions, day?.tools], [2, 2, 0, {}])
})

test('more names than are told apart are counted together', async () => {
  const history = new RandomHistory(32)
  for (let at = 0; at < 300; at += 1) {
    const facts = { turn: 1, tool: `tool-${at}`, arguments: { count: 0, bytes: 2, digest }, source: 'unattested' }
    history.add('tool.requested', 2, 's0123456789abcdef', facts)
  }
  const [day] = (await days(history)).values()
  const tools = new Map(Object.entries(day?.tools ?? {}))
  assert.equal(
    [tools.size, tools.get('tool-255')?.asked, tools.get('tool-256'), tools.get('other')?.asked],
    [257, 1, undefined, 44],
  )
})

function figures(day: DayView | undefined): unknown {
  if (day === undefined) return undefined
  const { entries, bytes, sessions, turns, messages, characters, rejected, foreign, missing, mismatches, forgotten, probes } = day
  const tools = Object.entries(day.tools).map(([name, { asked, completed, failed, durationMs }]) =>
    [name, asked, completed, failed, durationMs].join(' '),
  )
  const gates = Object.entries(day.gates).map(([name, { allow, deny, ask, enforced }]) =>
    [name, allow, deny, ask, enforced].join(' '),
  )
  const types = Object.entries(day.types).map(([name, of]) => `${name} ${of.entries} ${of.bytes}`)
  return {
    ...{ entries, bytes, sessions, turns, messages, characters, rejected, foreign, missing, mismatches, forgotten, probes },
    ...{ tools: tools.sort(), gates: gates.sort(), types: types.sort() },
  }
}

function byHand(entries: readonly MadeEntry[]): unknown {
  const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0)
  const asked = new Set([
    'session.started',
    'turn.ended',
    'message.captured',
    'tool.requested',
    'tool.completed',
    'gate.decided',
    'hook.rejected',
  ])
  const good = entries.filter(({ counts }) => counts)
  const of = (type: string): Record<string, never>[] =>
    good
      .filter((entry) => entry.type === type && entry.facts['probe'] !== true)
      .map(({ facts }) => facts as Record<string, never>)
  const erasures = good.flatMap(({ type, facts }) =>
    type === 'payload.erased' ? [facts as { entries: [number, number][]; bytes: number }] : [],
  )
  const names = (facts: readonly Record<string, never>[], name: string): string[] => [
    ...new Set(facts.map((one) => String(one[name]))),
  ]
  const tools = names([...of('tool.requested'), ...of('tool.completed')], 'tool').map((tool) => {
    const completed = of('tool.completed').filter((facts) => facts['tool'] === tool)
    const failed = completed.filter((facts) => Object.hasOwn(facts, 'errorType'))
    const asks = of('tool.requested').filter((facts) => facts['tool'] === tool)
    return [tool, asks.length, completed.length, failed.length, sum(completed.map((facts) => facts['durationMs'] ?? 0))].join(' ')
  })
  const gates = names(of('gate.decided'), 'gate').map((gate) => {
    const own = of('gate.decided').filter((facts) => facts['gate'] === gate)
    const said = (verdict: string): number => own.filter((facts) => facts['verdict'] === verdict).length
    const held = own.filter((facts) => facts['enforced'] === true && facts['verdict'] !== 'allow')
    return [gate, said('allow'), said('deny'), said('ask'), held.length].join(' ')
  })
  const types = [...grouped(entries, ({ type }) => type)].map(
    ([type, all]) => `${type} ${all.length} ${sum(all.map(({ bytes }) => bytes))}`,
  )
  return {
    entries: entries.length,
    bytes: sum(entries.map(({ bytes }) => bytes)),
    sessions: of('session.started').length,
    turns: of('turn.ended').length,
    messages: of('message.captured').length,
    characters: sum(of('message.captured').map((facts) => facts['characters'] ?? 0)),
    rejected: of('hook.rejected').length,
    foreign: of('hook.foreign').length,
    missing: sum(of('gap.recorded').map((facts) => facts['count'] ?? 0)),
    mismatches: of('mismatch.found').length,
    forgotten: {
      erasures: erasures.length,
      entries: sum(erasures.flatMap((facts) => facts.entries.map(([first, last]) => last - first + 1))),
      bytes: sum(erasures.map((facts) => facts.bytes)),
    },
    probes: good.filter((entry) => asked.has(entry.type) && entry.facts['probe'] === true).length,
    tools: tools.sort(),
    gates: gates.sort(),
    types: types.sort(),
  }
}

function grouped(entries: readonly MadeEntry[], by: (entry: MadeEntry) => string): Map<string, MadeEntry[]> {
  const groups = new Map<string, MadeEntry[]>()
  for (const entry of entries) groups.set(by(entry), [...(groups.get(by(entry)) ?? []), entry])
  return groups
}

test.run()
