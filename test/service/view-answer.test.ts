// Holds what is answered of a view to what was asked: as of which entry or time, of which session, since when.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readHeader } from '../../src/events/entry.js'
import type { SessionView } from '../../src/projections/sessions.js'
import type { ViewAnswer, ViewQuestion } from '../../src/service/view-questions.js'
import { asRedacted } from '../support/as-redacted.js'
import { lockedViews, loneDesk } from '../support/lone-desk.js'
import { grantedPolicy, recordedGrants } from '../support/recorded-grants.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import {
  message,
  sessionStarted,
  startOfTime,
  type TemporaryLedger,
  temporaryLedger,
  turnEnded,
} from '../support/temporary-ledger.js'

const test = suite('view answer')

const hourMs = 3_600_000
const iso = (ms: number): string => new Date(startOfTime + ms).toISOString()

interface Told extends TemporaryLedger {
  readonly one: string
  readonly two: string
}

/** Two sessions: the first at 0 and 1 h, the second at 2 h; then the clock goes back by half an hour, and a turn of the first ends. */
async function told(): Promise<Told> {
  const home = await temporaryLedger({ seed: 83 })
  const { ledger, world } = home
  const [one, two] = [await ledger.sessionHandle('host-one'), await ledger.sessionHandle('host-two')]
  await ledger.append([sessionStarted(one, 'host-one')])
  world.advance(hourMs)
  await ledger.append([message('hello', one)])
  world.advance(hourMs)
  await ledger.append([sessionStarted(two, 'host-two'), message('there', two)])
  world.time -= hourMs / 2
  await ledger.append([turnEnded(4, one)])
  return Object.assign(home, { one, two })
}

/** Asks twice, of views that are kept and of the ledger alone, and wants one answer. */
async function answers(home: TemporaryLedger, question: Omit<ViewQuestion, 'ask'>): Promise<ViewAnswer> {
  const [kept, alone] = [loneDesk(home.files), loneDesk(home.files, { openViews: lockedViews(home.files) })]
  const answer = await kept.answer({ ask: 'view', ...question })
  assert.equal(await alone.answer({ ask: 'view', ...question }), answer)
  await kept.close()
  return answer
}

const sessionsIn = ({ parts }: ViewAnswer): Record<string, SessionView> => parts as Record<string, SessionView>

test('an answer names the view, the ledger, its entries and the time of the last; sessions have their hosts’ ids', async () => {
  const home = await told()
  const answer = await answers(home, { name: 'sessions' })
  const { size, ledgerId } = home.ledger
  const last = readHeader((await home.ledger.reader.storedEntry(size - 1)).header)
  assert.equal([answer.name, answer.ledger, answer.size, answer.time], ['sessions', ledgerId, size, last.time])
  assert.equal(answer.names, { [home.one]: 'host-one', [home.two]: 'host-two' })
  assert.equal([sessionsIn(answer)[home.one]?.messages, sessionsIn(answer)[home.one]?.turns], [1, 4])
  assert.is((await answers(home, { name: 'activity' })).names, undefined)
  await home.close()
})

test('as of an index the entries below it count, and no size beyond the end', async () => {
  const home = await told()
  const sizes = await Promise.all([0, 1, 2, 3, 999].map(async (asOf) => (await answers(home, { name: 'sessions', asOf })).size))
  assert.equal(sizes, [0, 1, 2, 3, home.ledger.size])
  const empty = await answers(home, { name: 'sessions', asOf: 0 })
  assert.equal([empty.time, empty.parts, empty.names], ['', {}, {}])
  const early = await answers(home, { name: 'sessions', asOf: 2 })
  assert.equal(Object.keys(early.parts), [home.one])
  await home.close()
})

test('as of a time everything up to the last entry that is no later counts, however the time is written', async () => {
  const home = await told()
  const size = async (asOf: string): Promise<number> => (await answers(home, { name: 'activity', asOf })).size
  const whole = home.ledger.size
  assert.equal([await size(iso(-1)), await size(iso(0)), await size(iso(hourMs)), await size(iso(hourMs + 1))], [0, 2, 3, 3])
  // The clock went back: the last entry is of half past one, so what came before it counts too.
  assert.equal([await size(iso(1.5 * hourMs)), await size(iso(9 * hourMs))], [whole, whole])
  assert.equal([await size(iso(hourMs).replace('.000Z', 'Z')), await size(iso(hourMs).replace('.000Z', '.000000Z'))], [3, 3])
  await home.close()
})

test('one session is named by its handle or by its host’s id; one that is not known is refused', async () => {
  const home = await told()
  for (const session of [home.two, 'host-two'])
    assert.equal(Object.keys((await answers(home, { name: 'sessions', session })).parts), [home.two])
  const past = await answers(home, { name: 'sessions', session: 'host-two', asOf: 3 })
  assert.equal(past.parts, {})
  const desk = loneDesk(home.files)
  await rejectsWithCode(desk.answer({ ask: 'view', name: 'sessions', session: 'host-three' }), 'SESSION_UNKNOWN')
  await rejectsWithCode(desk.answer({ ask: 'view', name: 'activity', session: 'host-one' }), 'VIEW_UNKNOWN')
  await desk.close()
  await home.close()
})

test('since a time, only what went on then is shown: sessions by their last entry, days by their date', async () => {
  const home = await told()
  const last = sessionsIn(await answers(home, { name: 'sessions' }))
  assert.ok((last[home.one]?.last.time ?? '') < (last[home.two]?.last.time ?? ''))
  const shown = async (since: string): Promise<string[]> =>
    Object.keys((await answers(home, { name: 'sessions', since })).parts).sort()
  assert.equal(await shown(iso(0)), [home.one, home.two].sort())
  assert.equal(await shown(last[home.two]?.last.time ?? ''), [home.two])
  assert.equal(await shown(iso(99 * hourMs)), [])
  const day = iso(0).slice(0, 10)
  assert.ok(Object.keys((await answers(home, { name: 'activity', since: `${day}T23:59:59Z` })).parts).includes(day))
  await home.close()
})

test('case 89: of a claim that went to several places the words of its newest entry come too, though nothing flags it', async () => {
  const home = await told()
  const claim = (target: 'memory' | 'skill', targetDigest: string) =>
    asRedacted({
      type: 'claim.judged',
      session: home.one,
      facts: {
        ...{ call: 0, write: 0, tool: 'memory', target, targetDigest, verdict: 'pass', outcome: 'supported', reason: null },
        ...{ detail: null, matchedIn: 'this-session', message: 1, rule: 'decided', tier: 1, claimDigest: 'c1'.repeat(32) },
      },
      words: { claim: `in a ${target}`, quote: null, sender: null, nearest: null, target },
    })
  const { index } = await home.ledger.append([claim('memory', 'd1'.repeat(32)), claim('skill', 'd2'.repeat(32))])
  const { words = {} } = await answers(home, { name: 'evidence', listed: 9 })
  assert.equal(
    Object.entries(words).map(([at, said]) => [Number(at) - index, said?.['claim']]),
    [[1, 'in a skill']],
  )
  await home.close()
})

test('what the view of evidence lists comes with its words where that is asked for, newest first; null is forgotten', async () => {
  const home = await told()
  const claim = (text: string, outcome: 'unsupported' | 'unchecked') =>
    asRedacted({
      type: 'claim.judged',
      session: home.one,
      facts: {
        ...{
          call: 0,
          write: 0,
          tool: 'memory',
          target: 'memory',
          targetDigest: 'd1'.repeat(32),
          verdict: 'would_block',
          outcome,
        },
        reason: outcome === 'unchecked' ? 'too_many_claims' : 'no_quote',
        ...{ detail: null, matchedIn: null, message: null, rule: 'decided', tier: 1, claimDigest: null },
      },
      words: { claim: text, quote: null, sender: null, nearest: null, target: 'memory' },
    })
  const { index: first } = await home.ledger.append([claim('one', 'unsupported')])
  await home.ledger.append([claim('two', 'unsupported'), claim('three', 'unchecked')])
  const claims = async (question: object = {}): Promise<unknown> => {
    const { words } = await answers(home, { name: 'evidence', ...question })
    return words === undefined
      ? undefined
      : Object.entries(words).map(([index, said]) => `${Number(index) - first} ${said?.['claim']}`)
  }
  assert.is(await claims(), undefined)
  assert.equal(await claims({ listed: 9 }), ['0 one', '1 two', '2 three'])
  assert.equal(await claims({ listed: 1 }), ['1 two', '2 three'])
  assert.equal(await claims({ listed: 0 }), [])
  assert.equal(await claims({ listed: 9, since: iso(99 * hourMs) }), [])
  assert.is((await answers(home, { name: 'activity', listed: 9 })).words, undefined)
  await home.ledger.forget([[first, first]], { by: 'owner', reason: 'a test' })
  assert.equal(await claims({ listed: 9 }), ['0 undefined', '1 two', '2 three'])
  await home.close()
})

test('what the view of grants lists comes with the words of each decision and of what it judged, and with the policy in force', async () => {
  const { home, decisions } = await recordedGrants()
  const told = async (question: object): Promise<ViewAnswer> => answers(home, { name: 'grants', ...question })
  const plain = await told({})
  assert.equal([plain.words, plain.policy], [undefined, undefined])
  const all = await told({ listed: 1000 })
  const policyAt = all.policy ?? -1
  assert.equal(
    Object.keys(all.words ?? {}).map(Number),
    [policyAt, ...decisions.flatMap((index) => [index - 1, index])].sort((one, other) => one - other),
  )
  assert.equal(JSON.parse(String(all.words?.[policyAt]?.['policy'])), grantedPolicy)
  // What is not granted comes first: skill_manage is the last call.
  const one = await told({ listed: 1 })
  const last = decisions.at(-1) ?? 0
  assert.equal(Object.keys(one.words ?? {}).map(Number), [policyAt, last - 1, last])
  assert.is(one.words?.[last]?.['reason'], 'because of skill_manage')
  // The policy is the one in force, however long ago it came into force.
  const late = await told({ listed: 9, since: iso(99 * 24 * hourMs) })
  assert.equal([late.parts, late.policy, Object.keys(late.words ?? {}).map(Number)], [{}, policyAt, [policyAt]])
  await home.ledger.forget([[last, last]], { by: 'owner', reason: 'a test' })
  assert.is((await told({ listed: 1 })).words?.[last], null)
  await home.close()
})

test('of the inbox what nobody has answered comes with its words and those of what it judged, newest first; null is forgotten', async () => {
  const { home, decisions } = await recordedGrants()
  const wordsOf = async (listed: number, since?: string): Promise<number[]> =>
    Object.keys((await answers(home, { name: 'inbox', listed, ...(since === undefined ? {} : { since }) })).words ?? {}).map(
      Number,
    )
  // Memory is granted, three times at the beginning and once before the last call.
  const denied = decisions.filter((_, at) => ![0, 1, 2, 8].includes(at))
  assert.equal(
    await wordsOf(1000),
    denied.flatMap((index) => [index - 1, index]),
  )
  const last = denied.at(-1) ?? 0
  assert.equal(await wordsOf(1), [last - 1, last])
  assert.equal(await wordsOf(9, iso(99 * 24 * hourMs)), [])
  assert.is((await answers(home, { name: 'inbox' })).words, undefined)
  const about = { gate: 'capability', code: 'tool_not_granted', rule: '', tool: 'skill_manage' }
  await home.ledger.append([{ type: 'review.answered', facts: { label: 'refuse', ...about, entries: [last], by: 'owner' } }])
  const before = denied.at(-2) ?? 0
  assert.equal(await wordsOf(1), [before - 1, before])
  await home.ledger.forget([[before - 1, before]], { by: 'owner', reason: 'a test' })
  const { words } = await answers(home, { name: 'inbox', listed: 1 })
  assert.equal(words, { [before - 1]: null, [before]: null })
  await home.close()
})

test('the context of a gate is of one session, as of any index, and never kept', async () => {
  const home = await told()
  const view = await answers(home, { name: 'gate-context', session: 'host-one', asOf: 3 })
  const context = view.parts[home.one] as { messages: { index: number; text: string }[] }
  assert.equal([view.size, context.messages.map(({ index, text }) => `${index} ${text}`)], [3, ['2 hello']])
  const desk = loneDesk(home.files)
  await rejectsWithCode(desk.answer({ ask: 'view', name: 'gate-context' }), 'VIEW_UNKNOWN')
  await desk.close()
  await home.close()
})

test('of a session whose words are forgotten everything but its host’s id stays', async () => {
  const home = await told()
  const before = await answers(home, { name: 'sessions' })
  await home.ledger.forget([[0, home.ledger.size - 1]], { by: 'owner', reason: 'a test' })
  const after = await answers(home, { name: 'sessions' })
  assert.equal([after.parts, after.names], [before.parts, { [home.one]: null, [home.two]: null }])
  const desk = loneDesk(home.files)
  await rejectsWithCode(desk.answer({ ask: 'view', name: 'sessions', session: 'host-one' }), 'SESSION_UNKNOWN')
  assert.equal((await answers(home, { name: 'gate-context', session: home.one })).parts[home.one], {
    messages: [{ index: 2, time: iso(hourMs), turn: 1, source: 'unattested', text: undefined, sender: '' }],
    goesOnFrom: undefined,
    goesOnAt: 0,
    turn: 1,
    refused: {},
  })
  await desk.close()
  await home.close()
})

test.run()
