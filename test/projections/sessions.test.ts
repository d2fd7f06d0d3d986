// Holds the view of sessions to what was made: a model that counts by hand, and one session told from its start to its end.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { viewAsOf } from '../../src/projections/projection-runner.js'
import type { SessionView } from '../../src/projections/sessions.js'
import { type MadeEntry, RandomHistory, randomHistory } from '../support/random-history.js'

const test = suite('sessions')

const handle = 's0123456789abcdef'
const parent = 's00000000000000aa'
const digest = 'd1'.repeat(32)

async function sessionsOf(history: RandomHistory): Promise<Map<string, SessionView>> {
  return (await viewAsOf('sessions', history.source().storedEntries(0, history.rows.length))) as Map<string, SessionView>
}

test('each figure of each session is what a count by hand of its entries gives, for histories of any kind', async () => {
  for (const seed of [41, 42, 43, 44]) {
    const history = randomHistory(seed, 400)
    const view = await sessionsOf(history)
    const handles = [...new Set(history.made.map(({ session }) => session))].filter((session) => session !== '')
    assert.equal([...view.keys()], handles.sort())
    for (const session of handles) {
      const entries = history.made.filter((entry) => entry.session === session)
      assert.equal(figures(view.get(session)), byHand(entries), `${session} of history ${seed}`)
    }
  }
})

test('a subagent’s session, told from its start to its end', async () => {
  const history = new RandomHistory(45)
  const attached = { source: 'attached', attach: 0, seq: 1 }
  const source = 'unattested'
  history.add('turn.ended', 2, '', { turn: 1, source })
  history.add(
    'session.started',
    2,
    handle,
    { platform: 'cli', model: 'vendor/model', how: 'announced', ...attached },
    { session: 'host' },
  )
  history.add('session.linked', 1, handle, { parent, why: 'subagent', ...attached }, { parent: 'old' })
  history.add('message.captured', 2, handle, { turn: 1, platform: 'cli', characters: 12, digest, source }, { text: 'hi' })
  history.add('tool.completed', 2, handle, {
    turn: 3,
    tool: 'terminal',
    requested: null,
    status: 'x',
    errorType: 'timeout',
    argumentsDigest: digest,
    source,
  })
  history.add('session.ended', 2, handle, { reason: 'shutdown', source })
  const at = (index: number): { index: number; time: string } => ({ index, time: history.made[index]?.time ?? '' })
  assert.equal(
    [...(await sessionsOf(history))],
    [
      [
        handle,
        {
          first: at(1),
          last: at(5),
          entries: 5,
          started: 1,
          platform: 'cli',
          model: 'vendor/model',
          parent: { handle: parent, why: 'subagent' },
          ended: { time: at(5).time, reason: 'shutdown' },
          turns: 3,
          messages: 1,
          characters: 12,
          skipped: 0,
          calls: { asked: 0, completed: 1, failed: 1 },
          gates: {},
          foreign: 0,
          probe: false,
          sources: { attached: true, unattested: true },
        },
      ],
    ],
  )
})

test('a session that the doctor began is marked', async () => {
  const history = new RandomHistory(46)
  history.add('session.started', 2, handle, { platform: 'cli', how: 'announced', source: 'unattested', probe: true })
  assert.is((await sessionsOf(history)).get(handle)?.probe, true)
})

function figures(view: SessionView | undefined): unknown {
  if (view === undefined) return undefined
  const { first, last, entries, started, turns, messages, characters, skipped, calls, foreign, sources } = view
  return {
    first,
    last,
    entries,
    started,
    turns,
    messages,
    characters,
    skipped,
    calls,
    foreign,
    sources,
    ended: view.ended?.time ?? null,
  }
}

function byHand(entries: readonly MadeEntry[]): unknown {
  const good = entries.filter(({ counts }) => counts)
  const of = (type: string): MadeEntry[] => good.filter((entry) => entry.type === type)
  const place = (entry: MadeEntry | undefined): unknown => ({ index: entry?.index, time: entry?.time })
  const number = ({ facts }: MadeEntry, name: string): number => Number(facts[name] ?? 0)
  const turning = ['message.captured', 'message.skipped', 'turn.ended', 'tool.requested', 'tool.completed'].flatMap(of)
  const speaking = [...turning, ...['session.started', 'session.linked', 'session.ended'].flatMap(of)]
  return {
    first: place(entries[0]),
    last: place(entries.at(-1)),
    entries: entries.length,
    started: of('session.started').at(-1)?.index ?? null,
    turns: Math.max(0, ...turning.map((entry) => number(entry, 'turn'))),
    messages: of('message.captured').length,
    characters: of('message.captured').reduce((sum, entry) => sum + number(entry, 'characters'), 0),
    skipped: of('message.skipped').length,
    calls: {
      asked: of('tool.requested').length,
      completed: of('tool.completed').length,
      failed: of('tool.completed').filter(({ facts }) => facts['errorType'] !== undefined).length,
    },
    foreign: of('hook.foreign').length,
    sources: {
      attached: speaking.some(({ facts }) => facts['source'] === 'attached'),
      unattested: speaking.some(({ facts }) => facts['source'] === 'unattested'),
    },
    ended: of('session.ended').at(-1)?.time ?? null,
  }
}

test.run()
