// Holds a search by fields to entries made by hand: which it finds, of which tool a decision is, and that it ends early and goes on.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RedactedEvent } from '../../src/ledger/redacted-event.js'
import { searchFields, splitSearch } from '../../src/service/search-fields.js'
import { loneDesk } from '../support/lone-desk.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { message, sessionStarted, temporaryLedger, turnEnded } from '../support/temporary-ledger.js'

const test = suite('search fields')

const digest = 'd1'.repeat(32)
const handle = 's0123456789abcdef'

const call = (tool: string): RedactedEvent => ({
  type: 'tool.requested',
  facts: { turn: 1, tool, arguments: { count: 0, bytes: 2, digest }, source: 'unattested' },
})

const decision = (judges: number, verdict: 'allow' | 'deny', code: string): RedactedEvent => ({
  type: 'gate.decided',
  facts: { gate: 'capability', gateVersion: 1, judges, asOf: judges + 1, mode: 'observe', verdict, code, enforced: false },
})

test('words of a form that is known are fields, all others are words', () => {
  assert.equal(splitSearch(['tool:terminal', 'friday', 'https://x.org', 'Tool:x', 'verdict:', 'verdict:deny']), {
    words: 'friday https://x.org Tool:x verdict:',
    fields: 'tool:terminal\nverdict:deny',
  })
  assert.equal(searchFields('tool:terminal\nverdict:deny\nnothing:x\nconstructor:y'), { tool: 'terminal', verdict: 'deny' })
  assert.equal(searchFields(''), {})
})

test('a decision is of the tool whose call it judges; fields hold together, and words beside them', async () => {
  const home = await temporaryLedger({ seed: 401 })
  const first = home.ledger.size
  await home.ledger.append([
    call('terminal'),
    decision(first, 'deny', 'tool_not_granted'),
    call('memory'),
    decision(first + 2, 'deny', 'no_quote'),
    decision(first, 'allow', 'granted'),
    message('ship on friday'),
    message('ship on monday', handle),
    turnEnded(1, handle),
    sessionStarted(handle, 'the host’s own id'),
  ])
  const desk = loneDesk(home.files)
  const found = async (fields: string, words = ''): Promise<number[]> => {
    const { lines, below } = await desk.answer({ ask: 'search', words, fields, limit: 100 })
    assert.is(below, null)
    return lines.map((line) => (JSON.parse(line) as { index: number }).index - first)
  }
  assert.equal(await found('tool:terminal\nverdict:deny'), [1])
  assert.equal(await found('tool:terminal'), [4, 1, 0])
  assert.equal(await found('verdict:deny'), [3, 1])
  assert.equal(await found('code:no_quote'), [3])
  assert.equal(await found('type:message.*', 'ship'), [6, 5])
  assert.equal(await found(`session:${handle}`, 'ship'), [6])
  assert.equal(await found('session:the host’s own id'), [8, 7, 6])
  assert.equal(await found('type:turn.ended'), [7])
  assert.equal(await found('gate:capability', 'ship'), [])
  assert.is(
    (await rejectsWithCode(() => desk.answer({ ask: 'search', words: '', fields: 'session:x', limit: 9 }), 'SESSION_UNKNOWN'))
      .kind,
    'input',
  )
  // Words that are none are words all the same.
  assert.equal([await found('', '…'), await found('type:turn.ended', '…')], [[], []])
  await desk.close()
  await home.close()
})

test('pages by fields alone follow each other, newest first, without a gap', async () => {
  const home = await temporaryLedger({ seed: 402 })
  for (let at = 0; at < 15; at += 1) await home.ledger.append([turnEnded(at), message(`word ${at}`)])
  const desk = loneDesk(home.files)
  const paged: number[] = []
  let pages = 0
  for (let below: number | null | undefined; below !== null; pages += 1) {
    const page = await desk.answer({ ask: 'search', words: '', fields: 'type:turn.ended', limit: 6, below })
    paged.push(...page.lines.map((line) => (JSON.parse(line) as { index: number }).index))
    below = page.below
  }
  assert.equal(
    paged,
    Array.from({ length: 15 }, (_, at) => 29 - 2 * at),
  )
  assert.is(pages, 3)
  await desk.close()
  await home.close()
})

test('what has lost its words is found by its fields, and says by which entry they were forgotten', async () => {
  const home = await temporaryLedger({ seed: 403 })
  const { index } = await home.ledger.append([message('forget me')])
  await home.ledger.forget([[index, index]], { by: 'owner', reason: 'a test' })
  const desk = loneDesk(home.files)
  const { lines } = await desk.answer({ ask: 'search', words: '', fields: 'type:message.captured', limit: 5 })
  const [told] = lines.map((line) => JSON.parse(line) as { index: number; words?: unknown; erased?: number })
  assert.equal([lines.length, told?.index, told?.words, told?.erased], [1, index, undefined, index + 1])
  assert.equal((await desk.answer({ ask: 'search', words: 'forget', fields: 'type:message.captured', limit: 5 })).lines, [])
  await desk.close()
  await home.close()
})

test.run()
