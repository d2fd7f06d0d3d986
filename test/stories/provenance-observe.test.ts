// The recorded session under the gate as it comes: nothing is refused, and every claim has its verdict, with the message that backs it.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { definitionOf } from '../../src/events/event-catalog.js'
import { parseVkey } from '../../src/verify/verify-checkpoint.js'
import { parseReceipt, verifyProof } from '../../src/verify/verify-proof.js'
import type { TestHouse } from '../support/hook-house.js'
import {
  backedClaim,
  bareClaim,
  claimsOf,
  friday,
  judgingHouse,
  memoryAdd,
  typedIn,
  verdictsOf,
} from '../support/judged-writes.js'
import { recordedHooks, recordedPayloads } from '../support/recorded-session.js'

const test = suite('provenance observes')

const verdicts = [
  'would_block no_quote',
  'pass this-session',
  'would_block quote_negated',
  'pass this-session',
  'would_block quote_negated',
  'would_block no_quote',
]

async function recorded(): Promise<TestHouse> {
  const house = await judgingHouse()
  for (const line of recordedHooks) await house.send(line)
  return house
}

test('row P3: each of the ten calls of the recorded session is answered {}, with two claims that pass and four that would be blocked', async () => {
  const house = await judgingHouse()
  for (const [at, line] of recordedHooks.entries()) assert.equal(await house.send(line), {}, `hook ${at + 1}`)
  assert.is(recordedPayloads.filter(({ hook_event_name }) => hook_event_name === 'pre_tool_call').length, 10)
  assert.equal(await verdictsOf(house), verdicts)
  for (const { payload } of await house.entries('gate.decided')) assert.is(payload['enforced'], false)
})

/** HMAC-SHA-256 under the home's key, after docs/format.md. */
function keyedDigestOf(house: TestHouse, use: string, text: string): string {
  const secret = readFileSync(house.home.files.digestKey)
  return createHmac('sha256', secret).update(`stele/digest/v1\n${use}\n`).update(text).digest('hex')
}

test('row P5: the first claim of the recorded session stands field by field as its page tells it', async () => {
  const house = await recorded()
  const [first] = await claimsOf(house)
  const [requested] = await house.entries('tool.requested')
  const [proposed] = await house.entries('write.proposed')
  assert.equal(first?.facts, {
    call: requested?.header.index,
    write: proposed?.header.index,
    tool: 'memory',
    target: 'memory',
    targetDigest: keyedDigestOf(house, 'target', 'memory:memory'),
    verdict: 'would_block',
    outcome: 'unsupported',
    reason: 'no_quote',
    detail: null,
    matchedIn: null,
    message: null,
    rule: 'decided',
    tier: 1,
    claimDigest: keyedDigestOf(house, 'text', 'user decided to ship on friday'),
  })
  assert.equal(first?.words, {
    claim: 'User decided to ship on Friday.',
    quote: null,
    sender: null,
    nearest: null,
    target: 'memory',
  })
})

test('row P7: the corrected write passes, and a receipt proves the message that backs it', async () => {
  const house = await recorded()
  const [, second] = await claimsOf(house)
  assert.equal(second?.words, {
    claim: 'User decided to ship on Friday ("I decided we ship on Friday")',
    quote: friday,
    sender: '',
    nearest: null,
    target: 'memory',
  })
  const { verdict, outcome, reason, matchedIn, message } = second?.facts ?? {}
  assert.equal([verdict, outcome, reason, matchedIn], ['pass', 'supported', null, 'this-session'])
  const typed = await house.ledger.reader.entry(Number(message))
  assert.equal([typed.header.type, typed.words?.['text']], ['message.captured', friday])
  const key = parseVkey(String((await house.ledger.reader.entry(0)).payload['vkey']))
  const receipt = parseReceipt(await house.ledger.receipt(Number(message)))
  assert.is(verifyProof(receipt, key).fault, null)
})

test('row P24: what was judged and what it was compared with are kept, each entry fits its schema, and the call stands before them', async () => {
  const house = await recorded()
  for (const type of ['write.proposed', 'claim.judged'] as const) {
    for (const { header, payload, words } of await house.entries(type)) {
      const { words: _, ...facts } = payload
      assert.is(definitionOf(type)?.facts.safeParse(facts).success, true, `facts of ${type} ${header.index}`)
      assert.is(definitionOf(type)?.words?.safeParse(words).success, true, `words of ${type} ${header.index}`)
      const call = await house.ledger.reader.entry(Number(payload['call']))
      assert.equal([call.header.type, call.header.session], ['tool.requested', header.session])
      assert.ok(call.header.index < header.index)
    }
  }
  assert.equal((await house.entries('write.proposed'))[0]?.words, {
    ...{ places: ['memory'], judged: ['User decided to ship on Friday.'], stored: [] },
  })
})

test('row P89: the gate never hands changed arguments back: an answer is empty, or a block with words', async () => {
  for (const modes of [
    { provenance: 'observe', capability: 'observe' },
    { provenance: 'block', capability: 'observe' },
  ] as const) {
    const house = await judgingHouse(modes)
    for (const line of recordedHooks) {
      const directive = await house.send(line)
      assert.ok(['', 'action,message'].includes(Object.keys(directive).sort().join()), JSON.stringify(directive))
    }
  }
})

test('secrets are gone from what a write says before it is kept or judged', async () => {
  const house = await judgingHouse()
  const token = `ghp_${'a1B2'.repeat(9)}`
  await house.send(typedIn(`I decided we use ${token} here`))
  await house.send(memoryAdd(`User decided to use ${token} ("I decided we use ${token} here").`))
  for (const { words } of await house.entries()) assert.not.ok(JSON.stringify(words ?? null).includes(token))
  assert.equal(await verdictsOf(house), ['pass this-session'])
})

test('where the gate is off nothing is worked out and nothing judged', async () => {
  const house = await judgingHouse({ provenance: 'off', capability: 'observe' })
  await house.send(typedIn(friday))
  for (const content of [bareClaim, backedClaim]) assert.equal(await house.send(memoryAdd(content)), {})
  assert.equal([...(await house.entries('write.proposed')), ...(await house.entries('claim.judged'))], [])
})

test.run()
