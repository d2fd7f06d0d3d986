// Given the entries of a session, then its steps: in turns, what belongs to one call together, each line with its entry, words gone or not.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ForensicTurn, forensic } from '../../src/replay/forensic.js'
import { attachedHost, llmCall, type TestHouse, toolCall, toolResult } from '../support/hook-house.js'
import { backedClaim, bareClaim, friday, judgingHouse, memoryAdd, typedIn } from '../support/judged-writes.js'

const test = suite('forensic')

async function walked(house: TestHouse, until?: number): Promise<ForensicTurn[]> {
  const turns: ForensicTurn[] = []
  const handle = await house.ledger.sessionHandle('host-session')
  for await (const turn of forensic(house.ledger.reader.sessionEntries(handle), { until })) turns.push(turn)
  return turns
}

const linesOf = (turns: readonly ForensicTurn[]) => turns.flatMap(({ steps }) => steps.flatMap(({ lines }) => lines))

/** Kinds of the steps of a turn: those of one call in brackets. */
const shape = ({ steps }: ForensicTurn): string =>
  steps
    .map(({ call, lines }) => (call === null ? '' : '[') + lines.map(({ kind }) => kind).join(' ') + (call === null ? '' : ']'))
    .join(' ')

test('row D10: given a refused write, then it is told what was typed, proposed, judged by which rule on which words, and told to the host', async () => {
  const house = await judgingHouse({ provenance: 'block', capability: 'observe' })
  await house.send(typedIn(friday))
  await house.send(memoryAdd(bareClaim))
  const turns = await walked(house)
  assert.equal(turns.map(shape), ['session', 'typed [proposed proposed proposed judged judged judged told]'])
  const [, typed, , , , , claim, decision, told] = linesOf(turns)
  assert.is(typed?.text, `typed: ${friday}`)
  assert.match(
    claim?.text ?? '',
    /rule decided \(tier 1\) takes for a claim: "User decided to ship on Friday\."; unsupported \(no_quote\)/,
  )
  assert.match(told?.text ?? '', /^the host was told to block: Stele, provenance gate: /)
  assert.equal([told?.index, told?.about], [decision?.index, [decision?.index]])
})

test('given a backed claim, then the message that backs it is named by its entry', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  await house.send(memoryAdd(backedClaim))
  const [message] = await house.entries('message.captured')
  const claim = linesOf(await walked(house)).find(({ type }) => type === 'claim.judged')
  assert.ok(claim?.text.includes(`supported by entry ${message?.header.index} (this-session), quoted: "${friday}"`), claim?.text)
  assert.ok(claim?.about.includes(message?.header.index ?? -1))
})

test('each line but the answers is one entry of the session, in order within its call, and none is left out', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  await house.send(memoryAdd(bareClaim))
  await house.send(toolCall({ command: 'ls' }))
  await house.send(toolResult({ command: 'ls' }))
  await house.send(typedIn('go on', 'turn-2'))
  const entries = await house.entries()
  const lines = linesOf(await walked(house)).filter(({ kind }) => kind !== 'told')
  assert.equal(
    lines.map(({ index }) => index),
    entries.map(({ header }) => header.index),
  )
  for (const { index, type, time } of lines) {
    const { header } = await house.ledger.reader.entry(index)
    assert.equal([header.type, header.time], [type, time])
  }
})

test('two calls that run at once stand each by itself, with what came of it', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  for (const tool_call_id of ['a', 'b']) await house.send(toolCall({ command: tool_call_id }, { tool_call_id }))
  for (const tool_call_id of ['a', 'b']) await house.send(toolResult({ command: tool_call_id }, { tool_call_id }))
  const turns = await walked(house)
  assert.is(
    shape(turns[1] as ForensicTurn),
    'typed [proposed proposed judged told happened] [proposed proposed judged told happened]',
  )
})

test('until an index, nothing behind it is told', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  await house.send(memoryAdd(bareClaim))
  const [call] = await house.entries('tool.requested')
  const lines = linesOf(await walked(house, call?.header.index))
  assert.is(lines.at(-1)?.type, 'tool.requested')
  assert.equal(await walked(house, 0), [])
})

test('words that are forgotten are told as forgotten, and the steps stay', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  await house.send(memoryAdd(bareClaim))
  const before = await walked(house)
  await house.ledger.forget([[0, house.ledger.size - 1]], { by: 'owner', reason: 'asked' })
  const turns: ForensicTurn[] = []
  const session = (await house.entries('message.captured'))[0]?.header.session ?? ''
  for await (const turn of forensic(house.ledger.reader.sessionEntries(session))) turns.push(turn)
  assert.equal(turns.map(shape), before.map(shape))
  assert.match(JSON.stringify(turns), /characters, forgotten/)
  assert.not.match(JSON.stringify(turns), /Friday/)
})

test('a session without turns, and a host that says who typed, are told too', async () => {
  const house = await judgingHouse()
  const host = await attachedHost(house)
  await host.send(llmCall({ user_message: 'hello', sender_id: 'ann' }))
  const typed = linesOf(await walked(house)).find(({ kind }) => kind === 'typed')
  assert.is(typed?.text, 'ann typed: hello')
})

test.run()
