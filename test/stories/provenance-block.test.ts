// In block mode a claim without the user's words is refused, with words that say how to mend it; whatever the surface, nobody is asked.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Directive } from '../../src/hooks/directive.js'
import { attachedHost } from '../support/hook-house.js'
import {
  backedClaim,
  bareClaim,
  blockingHouse,
  claimsOf,
  friday,
  judgingHouse,
  memoryAdd,
  typedIn,
  verdictsOf,
  writeCall,
} from '../support/judged-writes.js'
import { recordedHooks } from '../support/recorded-session.js'

const test = suite('provenance blocks')

function refusalIn(directive: Directive): string {
  assert.is((directive as { action?: string }).action, 'block')
  return String((directive as { message?: string }).message)
}

/** How a call comes on each surface: who speaks there, and what the plugin says of its origin. */
const surfaces = [
  ['the command line', 'cli', {}],
  ['a gateway', 'telegram', { sender_id: 'ann' }],
  ['a cron job', 'cron', {}],
  ['a run that nobody attends', 'cli', { session_id: 'unattended' }],
] as const

for (const [what, platform, more] of surfaces) {
  test(`row P4: on ${what} an unbacked claim is refused and never becomes a request for approval`, async () => {
    const house = await blockingHouse()
    const host = await attachedHost(house)
    await host.send(typedIn(friday, 'turn-1', { platform, ...more }))
    const directives = [
      await host.send(memoryAdd(bareClaim, { ...more, platform })),
      await host.send(writeCall('skill_manage', { action: 'create', name: 'ship', content: bareClaim }, { ...more, platform })),
    ]
    for (const directive of directives) {
      const message = refusalIn(directive)
      assert.match(message, /^Stele, provenance gate:/)
      assert.ok(message.includes(`("${bareClaim}")`))
      assert.match(message, /Nothing was written\./)
    }
    assert.equal(await verdictsOf(house), ['blocked no_quote', 'blocked no_quote'])
    for (const { payload } of await house.entries('gate.decided')) assert.is.not(payload['verdict'], 'ask')
  })
}

test('row P7: the corrected write is let through, with the message that backs it', async () => {
  const house = await blockingHouse()
  const host = await attachedHost(house)
  await host.send(typedIn(friday))
  refusalIn(await host.send(memoryAdd(bareClaim)))
  assert.equal(await host.send(memoryAdd(backedClaim)), {})
  assert.equal(await verdictsOf(house), ['blocked no_quote', 'pass this-session'])
})

test('rows P6 and P8: the refusal says why: no key words in common, a negation before it, and how many claims more', async () => {
  const house = await blockingHouse()
  const host = await attachedHost(house)
  await host.send(typedIn('can you look at the logs for me. Never delete the prod database without asking me'))
  const deleting = 'The user approved deleting the prod database'
  const unrelated = refusalIn(await host.send(memoryAdd(`${deleting} ("can you look at the logs for me").`)))
  assert.match(unrelated, /share no key words with the decision/)
  const negated = refusalIn(await host.send(memoryAdd(`${deleting} ("delete the prod database").`)))
  assert.match(negated, /follow a negation in what the user typed/)
  const two = refusalIn(await host.send(memoryAdd('User decided to ship. The owner approved the refund.', { turn_id: 'turn-1' })))
  assert.match(two, /One more claim in it has the same need/)
})

test('the recorded session in block mode: the four claims that nothing backs refuse their calls, the others run', async () => {
  const house = await blockingHouse()
  const refused: boolean[] = []
  for (const line of recordedHooks) {
    const directive = await house.send(line)
    if (line.includes('"pre_tool_call"')) refused.push('action' in directive)
  }
  // Of the batch one claim is backed: the whole call is refused for the other.
  assert.equal(refused, [true, false, true, false, false, false, false, false, true, true])
  assert.equal(
    (await claimsOf(house)).map(({ facts }) => facts['verdict']),
    ['blocked', 'pass', 'blocked', 'pass', 'blocked', 'blocked'],
  )
})

test('row P31: arguments that cannot be read are refused in block mode and would be in observe', async () => {
  const unreadable: readonly (readonly [string, Record<string, unknown>])[] = [
    ['memory', { action: 'add', target: 'memory', content: 7 }],
    ['memory', { target: 'memory', operations: '[{"action": "add", "content":' }],
    ['memory', { target: 'memory', operations: [7] }],
    ['skill_manage', { action: 'create', name: 'ship', content: ['a'] }],
  ]
  for (const [tool, input] of unreadable) {
    const blocking = await blockingHouse()
    assert.match(refusalIn(await blocking.send(writeCall(tool, input))), /arguments of this call cannot be read/)
    assert.equal(await verdictsOf(blocking), ['blocked unreadable_arguments'])
    const observing = await judgingHouse()
    assert.equal(await observing.send(writeCall(tool, input)), {})
    assert.equal(await verdictsOf(observing), ['would_block unreadable_arguments'])
  }
})

test('a long write is judged whole, and one of more than sixteen megabytes is not judged by its beginning', async () => {
  const house = Object.assign(await blockingHouse(), { judgedBytes: 1024 })
  assert.equal(await house.send(memoryAdd('x'.repeat(1024))), {})
  refusalIn(await house.send(memoryAdd(`${'x'.repeat(1024)}. ${bareClaim}`)))
  assert.equal(await verdictsOf(house), ['blocked no_quote'])
  // No payload is longer than that; what it makes of stored text may be.
  const stored = new Map([['ship', new Map([['SKILL.md', 'here\n'.repeat(17)]])]])
  house.storedBefore = async () => ({ stored: { memory: new Map(), skills: stored } })
  const patch = { action: 'patch', name: 'ship', old_string: 'here', new_string: 'x'.repeat(1024 * 1024), replace_all: true }
  refusalIn(await house.send(writeCall('skill_manage', patch)))
  assert.equal((await verdictsOf(house)).slice(1), ['blocked unreadable_arguments'])
  const [, , proposed] = await house.entries('write.proposed')
  // Seventeen lines with the feeds between them, of which 2^24 bytes are kept.
  assert.equal(proposed?.payload['cut'], { judged: 17 * 1024 * 1024 + 16 - 2 ** 24, stored: 0 })
})

test('a call that comes again gets its refusal again, and is not judged twice', async () => {
  const house = await blockingHouse()
  const host = await attachedHost(house)
  await host.send(typedIn(friday))
  const call = memoryAdd('User decided to ship on Friday. The owner approved the refund.')
  const first = await host.send(call)
  const before = await house.types()
  assert.equal(await host.send(call, { seq: 2 }), first)
  assert.equal(await host.send(call), first)
  assert.equal(await house.send(call), first)
  assert.equal(await house.types(), before)
  refusalIn(first)
})

test('a call that came too late is judged, and refused for nobody', async () => {
  const house = await blockingHouse()
  await house.send(typedIn(friday))
  assert.equal(await house.send(memoryAdd(bareClaim), { late: true }), {})
  assert.equal(await verdictsOf(house), ['would_block no_quote'])
})

test('row P84: once a host has attached, words that nobody vouches for back nothing in block mode, unless the owner says any do', async () => {
  const house = await blockingHouse()
  await house.send(typedIn(friday))
  assert.equal(await house.send(memoryAdd(backedClaim)), {})
  await attachedHost(house)
  refusalIn(await house.send(memoryAdd(backedClaim)))
  house.provenance = { ...house.provenance, evidence: 'any' }
  assert.equal(await house.send(memoryAdd(backedClaim)), {})
  assert.equal(await verdictsOf(house), ['pass this-session', 'blocked quote_not_found', 'pass this-session'])
})

test('row P84: in observe mode any words count, unless the owner says that only attached ones do', async () => {
  const house = await judgingHouse()
  await attachedHost(house)
  await house.send(typedIn(friday))
  await house.send(memoryAdd(backedClaim))
  house.provenance = { ...house.provenance, evidence: 'attached' }
  await house.send(memoryAdd(backedClaim))
  assert.equal(await verdictsOf(house), ['pass this-session', 'would_block quote_not_found'])
})

test('row P64: each claim needs its own quote: one of a sentence passes, the other refuses the write', async () => {
  const house = await blockingHouse()
  await house.send(typedIn(friday))
  refusalIn(await house.send(memoryAdd(`User decided to ship on Friday ("${friday}") and the user approved the refund.`)))
  assert.equal(await verdictsOf(house), ['pass this-session', 'blocked no_quote'])
})

test('row P65: a hundred claims are judged one by one, a hundred and one are refused as too many', async () => {
  const claims = (count: number) => Array.from({ length: count }, (_, at) => `User decided to ship number ${at}.`).join('\n')
  const house = await judgingHouse()
  await house.send(memoryAdd(claims(100)))
  assert.is((await claimsOf(house)).length, 100)
  await house.send(memoryAdd(claims(101)))
  assert.equal((await verdictsOf(house)).slice(100), ['would_block too_many_claims'])
})

test('the answer to a write with a hundred claims is the same when it comes again', async () => {
  const house = await blockingHouse()
  const call = memoryAdd(Array.from({ length: 100 }, (_, at) => `User decided to ship number ${at}.`).join('\n'))
  const first = await house.send(call)
  assert.match(refusalIn(first), /99 more claims/)
  assert.equal(await house.send(call), first)
})

test.run()
