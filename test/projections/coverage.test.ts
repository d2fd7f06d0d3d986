// Holds the view of coverage to stories in which it is known what is missing: each is told entry by entry, and what should be found is said by hand.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type CoverageDay, coverage, holesOfDayMax, newestHoles } from '../../src/projections/coverage.js'
import { type CoverageWatch, type Hole, unsettledCall } from '../../src/projections/coverage-watch.js'
import { carriedKey } from '../../src/projections/projection.js'
import { viewAsOf } from '../../src/projections/projection-runner.js'
import { RandomHistory, randomHistory } from '../support/random-history.js'

const test = suite('coverage')

const session = 's0123456789abcdef'
const child = 's00000000000000c1'
const digest = 'd1'.repeat(32)
const source = { source: 'attached', attach: 0, seq: 1 }
const minuteMs = 60_000
const hourMs = 60 * minuteMs

interface View {
  readonly days: ReadonlyMap<string, CoverageDay>
  readonly watch: CoverageWatch
  /** The one day of a story that takes no longer. */
  readonly day: CoverageDay
}

async function viewOf({ history }: Story): Promise<View> {
  const parts = await viewAsOf('coverage', history.source().storedEntries(0, history.rows.length))
  const watch = parts.get(carriedKey) as CoverageWatch
  parts.delete(carriedKey)
  const days = parts as Map<string, CoverageDay>
  return { days, watch, day: [...days.values()].at(-1) ?? coverage.initial() }
}

class Story {
  readonly history: RandomHistory
  constructor(seed: number) {
    this.history = new RandomHistory(seed)
  }
  start(capabilityMode = 'observe', program: string | null = '0.3.0', provenanceMode = 'observe'): number {
    return this.history.add('config.activated', 2, '', {
      ...{ why: 'started', changed: [], provenanceMode, capabilityMode, captureArguments: 'judged', reload: 'owner' },
      ...(program === null ? {} : { program }),
    })
  }
  session(platform = 'cli', of = session): number {
    return this.history.add('session.started', 2, of, { platform, how: 'announced', ...source })
  }
  message(turn = 1): number {
    const facts = { turn, platform: 'cli', characters: 1, digest, ...source }
    return this.history.add('message.captured', 2, session, facts, { text: 'x' })
  }
  turnEnd(turn = 1, of = session): number {
    return this.history.add('turn.ended', 2, of, { turn, ...source })
  }
  call(tool = 'terminal', more: object = {}): number {
    const facts = { turn: 1, tool, arguments: { count: 0, bytes: 2, digest }, ...source, ...more }
    return this.history.add('tool.requested', 2, session, facts)
  }
  decide(judges: number, verdict = 'allow', enforced = false): number {
    const facts = { gate: 'capability', gateVersion: 1, judges, asOf: judges + 1, mode: 'observe', verdict, code: 'c', enforced }
    return this.history.add('gate.decided', 1, session, facts)
  }
  complete(requested: number | null, status = 'ok'): number {
    const facts = { turn: 1, tool: 'terminal', requested, status, argumentsDigest: digest, ...source }
    return this.history.add('tool.completed', 2, session, facts)
  }
  judgedCall(): number {
    const call = this.call()
    this.decide(call)
    this.complete(call)
    return call
  }
}

const told = ({ kind, index, begin, name, count }: Hole): unknown => [kind, index, begin, name, count]
const holes = ({ days }: View): unknown => newestHoles(days, 99).reverse().map(told)

test('row C23: of ten calls seven were judged, and the times are told in which the others were not', async () => {
  const story = new Story(81)
  story.start()
  story.session()
  story.message()
  for (let at = 0; at < 4; at += 1) story.judgedCall()
  story.history.wait(5 * minuteMs)
  // The hook before the call was not there; the one after it was, and then neither was asked a gate.
  story.complete(null)
  story.complete(null)
  story.complete(story.call())
  story.history.wait(5 * minuteMs)
  for (let at = 0; at < 3; at += 1) story.judgedCall()
  story.turnEnd()
  const view = await viewOf(story)
  assert.equal(view.day.calls, { judged: 7, unjudged: 3, off: 0 })
  const [stretch] = view.day.stretches
  assert.equal(
    [view.day.stretches.length, stretch?.calls, stretch?.before?.index, stretch?.first.index, stretch?.after?.index],
    [1, 3, 12, 15, 19],
  )
  const passedMs = Date.parse(stretch?.after?.time ?? '') - Date.parse(stretch?.before?.time ?? '')
  assert.is(passedMs, 10 * minuteMs)
  assert.equal(holes(view), [
    ['unrequested', 15, null, 'terminal', 1],
    ['unrequested', 16, null, 'terminal', 1],
    ['unjudged', 17, null, 'terminal', 1],
  ])
})

test('a call is not missed where no gate was on; memory is judged by the one that was', async () => {
  const story = new Story(82)
  story.start('off')
  story.call()
  story.call('memory')
  story.history.add('config.activated', 2, '', {
    ...{ why: 'changed', changed: [], provenanceMode: 'off', capabilityMode: 'off', captureArguments: 'none', reload: 'owner' },
  })
  story.call('memory')
  story.session()
  const view = await viewOf(story)
  assert.equal(view.day.calls, { judged: 0, unjudged: 1, off: 2 })
  assert.equal(holes(view), [['unjudged', 2, null, 'memory', 1]])
})

test('behind the newest call nothing stands yet: what is known of it is said apart', async () => {
  const story = new Story(83)
  const call = story.call()
  const waiting = await viewOf(story)
  assert.equal([waiting.day.calls.unjudged, unsettledCall(waiting.watch)?.hole?.index], [0, call])
  story.decide(call)
  assert.equal(unsettledCall((await viewOf(story)).watch), { isJudged: true, hole: undefined })
  story.complete(call)
  const done = await viewOf(story)
  assert.equal([unsettledCall(done.watch), done.day.calls.judged], [undefined, 1])
})

test('a call that was refused and came back as if it had run is told, with both entries', async () => {
  const story = new Story(84)
  for (const [enforced, status] of [
    [true, 'blocked'],
    [false, 'ok'],
    [true, 'ok'],
  ] as const) {
    const call = story.call()
    story.decide(call, 'deny', enforced)
    story.complete(call, status)
  }
  assert.equal(holes(await viewOf(story)), [['ran_denied', 8, 6, 'terminal', 1]])
})

test('a judged call whose outcome never came is told when its session ends, or when too many others are open', async () => {
  const story = new Story(85)
  const call = story.call()
  story.decide(call)
  const denied = story.call()
  story.decide(denied, 'deny', true)
  story.history.add('session.ended', 2, session, { reason: '', ...source })
  const view = await viewOf(story)
  assert.equal([holes(view), view.watch.open], [[['unfinished', 4, 0, 'terminal', 1]], []])
  const many = new Story(86)
  for (let at = 0; at < 130; at += 1) many.decide(many.call())
  const open = await viewOf(many)
  assert.equal([open.watch.open.length, open.day.kinds.unfinished?.count], [128, 2])
})

test('row C5: a turn of which no message was heard is told by its surface; the host’s own review is no turn', async () => {
  const story = new Story(87)
  story.session('telegram')
  story.turnEnd(0)
  story.message(1)
  // The review runs beside the turn and ends before it.
  story.history.add('message.skipped', 1, session, { turn: 0, platform: '', characters: 9, why: 'self_review', ...source })
  story.turnEnd(0)
  story.turnEnd(1)
  // The same number again: of this turn nothing was heard.
  story.turnEnd(1)
  const view = await viewOf(story)
  assert.equal(holes(view), [
    ['blind_turn', 1, null, 'telegram', 1],
    ['blind_turn', 6, null, 'telegram', 1],
  ])
  assert.equal(view.day.turns, { ended: 4, blind: 2 })
  assert.equal(view.day.surfaces, { telegram: { judged: 0, unjudged: 0, off: 0, turns: 4, blind: 2 } })
})

test('case 53: turns and calls are counted by surface', async () => {
  const story = new Story(88)
  story.session('cli')
  story.judgedCall()
  story.session('tui', child)
  story.turnEnd(0, child)
  const { day } = await viewOf(story)
  assert.equal(day.surfaces, {
    cli: { judged: 1, unjudged: 0, off: 0, turns: 0, blind: 0 },
    tui: { judged: 0, unjudged: 0, off: 0, turns: 1, blind: 1 },
  })
})

test('case 35: a child that was sent out and never spoke is told; one that spoke is not, and one without a session says so', async () => {
  const story = new Story(89)
  const send = (of: string | null): number =>
    story.history.add('subagent.started', 1, session, { role: 'worker', child: of, ...source })
  const stop = (of: string | null): number =>
    story.history.add('subagent.stopped', 1, session, { role: 'worker', status: 'ok', child: of, ...source })
  send(child)
  // The link is written by our own hook, before the child has spoken.
  story.history.add('session.linked', 1, child, { parent: session, why: 'subagent', ...source }, { parent: 'p' })
  stop(child)
  send(child)
  story.session('subagent', child)
  stop(child)
  send(null)
  assert.equal(holes(await viewOf(story)), [
    ['blind_child', 2, 0, 'worker', 1],
    ['unnamed_child', 6, null, 'worker', 1],
  ])
})

test('case 34: a tool that calls others over a channel of its own is named', async () => {
  const story = new Story(90)
  const call = story.call('execute_code')
  story.decide(call)
  assert.equal(holes(await viewOf(story)), [['inner_calls', 0, null, 'execute_code', 1]])
})

test('numbers and rates, foreign and unreadable payloads, late ones, mismatches and files keep their entries', async () => {
  const story = new Story(91)
  const { history } = story
  history.add('gap.recorded', 1, '', { kind: 'numbers', attach: 0, from: 3, to: 7, count: 5 })
  history.add('gap.recorded', 1, '', { kind: 'rate', count: 40 })
  history.add('hook.foreign', 1, session, { hook: 'x', why: 'bad_mac', attach: 0, bytes: 1, digest })
  history.add('hook.rejected', 2, '', { hook: '', code: 'syntax', bytes: 3, digest, ...source })
  story.decide(story.call('terminal', { late: true, at: '2026-01-01T00:00:00.000Z' }))
  history.add('mismatch.found', 2, session, { kind: 'arguments', judged: 4, ran: digest })
  const files = [
    { target: 'memory', place: digest, before: digest, found: null, since: 2 },
    { target: 'skill', place: digest, found: digest },
  ]
  history.add('file.noticed', 1, session, { turn: 5, files }, { names: ['memory', 'x'] })
  assert.equal(holes(await viewOf(story)), [
    ['numbers', 0, 0, '3-7', 5],
    ['rate', 1, null, '', 40],
    ['foreign', 2, null, 'bad_mac', 1],
    ['rejected', 3, null, 'syntax', 1],
    ['late', 4, null, '', 1],
    ['mismatch', 6, 4, 'arguments', 1],
    ['file_changed', 7, 2, 'memory', 1],
  ])
})

test('a plugin that is older than the service is told, one that is not, or says nothing, is not', async () => {
  const story = new Story(92)
  story.start()
  for (const pluginVersion of ['0.2.0', '0.3.0', '', '0.10.0'])
    story.history.add('host.attached', 1, '', {
      ...{ attach: '0b'.repeat(16), secret: digest, first: null, next: 1, host: 'hermes', hostVersion: '0.19.0' },
      ...{ files: digest, pid: 7, peer: 'claimed', pluginVersion },
    })
  assert.equal(holes(await viewOf(story)), [['older_plugin', 1, null, '0.2.0', 1]])
})

test('times without a service: an end in order, a death, a silence, and one of which nobody can tell', async () => {
  const story = new Story(93)
  const { history } = story
  history.add('ledger.created', 1, '', { ledger: '0a'.repeat(16), format: 1, program: 'stele 0.3.0', vkey: 'a+0123abcd+AA==' })
  // One that says nothing of its end, then one that does.
  story.start('observe', null)
  history.wait(3 * hourMs)
  story.start()
  history.wait(hourMs)
  history.add('service.continued', 1, '', { ranMs: hourMs })
  history.wait(minuteMs)
  history.add('service.ended', 1, '', { why: 'idle' })
  history.wait(2 * hourMs)
  story.start()
  history.wait(2 * minuteMs)
  story.session()
  history.wait(10 * minuteMs)
  story.start()
  history.wait(66 * minuteMs)
  story.message()
  const view = await viewOf(story)
  assert.equal(
    newestHoles(view.days, 9)
      .reverse()
      .map(({ kind, index, begin, time, from }) => [kind, index, begin, (Date.parse(time) - Date.parse(from ?? '')) / minuteMs]),
    [
      ['untold', 2, 1, 180],
      ['stopped', 5, 4, 120],
      ['killed', 7, 6, 10],
      ['silent', 8, 7, 66],
    ],
  )
  const away = (kind: 'killed' | 'stopped'): number | undefined =>
    [...view.days.values()].find(({ kinds }) => kinds[kind] !== undefined)?.kinds[kind]?.awayMs
  assert.equal([away('killed'), away('stopped')], [10 * minuteMs, 2 * hourMs])
  const sum = (of: 'starts' | 'beats'): number => [...view.days.values()].reduce((all, day) => all + day[of], 0)
  assert.equal([sum('starts'), sum('beats')], [4, 1])
})

test('what stele doctor asks for is in no count but its own', async () => {
  const story = new Story(94)
  const probe = { probe: true }
  story.history.add('session.started', 2, session, { platform: 'probe', how: 'first_seen', source: 'unattested', ...probe })
  story.call('stele_doctor', probe)
  story.history.add('session.ended', 2, session, { reason: 'probe', source: 'unattested', ...probe })
  const { day, days } = await viewOf(story)
  assert.equal([day.calls, day.surfaces, newestHoles(days, 9), day.probes], [{ judged: 0, unjudged: 0, off: 0 }, {}, [], 2])
})

test('of a day so many of each kind are listed, and all are counted', async () => {
  const story = new Story(95)
  for (let at = 0; at < holesOfDayMax + 4; at += 1) story.complete(null)
  const { day, days } = await viewOf(story)
  assert.equal([day.kinds.unrequested?.holes, day.kinds.unrequested?.listed.length], [24, 20])
  assert.equal(
    newestHoles(days, 2).map(({ index }) => index),
    [23, 22],
  )
})

test('calls, turns and holes of a kind are what a count by hand gives, for histories of any kind', async () => {
  for (const seed of [96, 97]) {
    const history = randomHistory(seed, 500)
    const story = Object.assign(new Story(seed), { history })
    const view = await viewOf(story)
    const real = history.made.filter(({ counts, facts }) => counts && facts['probe'] !== true)
    const of = (type: string): typeof real => real.filter((entry) => entry.type === type)
    const sum = (count: (day: CoverageDay) => number): number => [...view.days.values()].reduce((all, day) => all + count(day), 0)
    const kind = (name: 'numbers' | 'rate' | 'foreign' | 'mismatch' | 'rejected' | 'inner_calls'): number =>
      sum(({ kinds }) => kinds[name]?.holes ?? 0)
    assert.is(
      sum(({ turns }) => turns.ended),
      of('turn.ended').length,
    )
    const open = unsettledCall(view.watch) === undefined ? 0 : 1
    const known = of('tool.requested').length + of('tool.completed').filter(({ facts }) => facts['requested'] === null).length
    assert.is(
      sum(({ calls }) => calls.judged + calls.unjudged + calls.off),
      known - open,
    )
    assert.equal(
      [kind('rate'), kind('foreign'), kind('mismatch'), kind('rejected')],
      ['gap.recorded', 'hook.foreign', 'mismatch.found', 'hook.rejected'].map((type) => of(type).length),
    )
  }
})

test.run()
