// A model that tries the same write again and again is told, from the third refusal in a turn on, to stop and ask the user.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Directive } from '../../src/hooks/directive.js'
import { type HostPayload, llmCall, type TestHouse } from '../support/hook-house.js'
import { bareClaim, blockingHouse, claimsOf, judgingHouse, memoryAdd, typedIn, writeCall } from '../support/judged-writes.js'

const test = suite('third refusal')

const stops = (directive: Directive): boolean => /stop retrying it and ask the user/.test(JSON.stringify(directive))
const isBlock = (directive: Directive): boolean => 'action' in directive && directive.action === 'block'

async function sendAll(house: TestHouse, calls: readonly HostPayload[]): Promise<Directive[]> {
  const directives: Directive[] = []
  for (const call of calls) directives.push(await house.send(call))
  return directives
}

const inTurn = (turn_id: string) => memoryAdd(bareClaim, { turn_id })

test('row P9: the third and fourth refusal of a target in a turn say it and still refuse, the first and second do not', async () => {
  const house = await blockingHouse()
  await house.send(typedIn('hello there'))
  const directives = await sendAll(
    house,
    [1, 2, 3, 4].map(() => inTurn('turn-1')),
  )
  assert.equal(directives.map(stops), [false, false, true, true])
  assert.equal(directives.map(isBlock), [true, true, true, true])
})

test('row P9: the count outlives a restart of the service', async () => {
  const house = await blockingHouse()
  await house.send(typedIn('hello there'))
  await sendAll(house, [inTurn('turn-1'), inTurn('turn-1')])
  await house.restart()
  assert.ok(stops(await house.send(inTurn('turn-1'))))
})

test('row P9: another target has a count of its own', async () => {
  const house = await blockingHouse()
  await house.send(typedIn('hello there'))
  await sendAll(house, [inTurn('turn-1'), inTurn('turn-1')])
  const user = writeCall('memory', { action: 'add', target: 'user', content: bareClaim })
  const skill = writeCall('skill_manage', { action: 'create', name: 'one', content: bareClaim })
  const other = writeCall('skill_manage', { action: 'create', name: 'two', content: bareClaim })
  assert.equal((await sendAll(house, [user, skill, other, skill, other])).map(stops), [false, false, false, false, false])
  assert.ok(stops(await house.send(inTurn('turn-1'))))
})

test('row P9: the next turn starts again, also one whose words are not the user’s', async () => {
  for (const next of [typedIn('go on please', 'turn-2'), llmCall({ user_message: '[System: go on]', turn_id: 'turn-2' })]) {
    const house = await blockingHouse()
    await house.send(typedIn('hello there'))
    await sendAll(house, [inTurn('turn-1'), inTurn('turn-1')])
    await house.send(next)
    const directives = await sendAll(house, [inTurn('turn-2'), inTurn('turn-2'), inTurn('turn-2')])
    assert.equal(directives.map(stops), [false, false, true])
  }
})

test('row P9: a write of many claims is refused once, and one that comes again is not counted twice', async () => {
  const house = await blockingHouse()
  await house.send(typedIn('hello there'))
  const many = memoryAdd(`${bareClaim} The owner approved the refund. The user confirmed the date.`)
  await sendAll(house, [many, many, many])
  assert.equal((await sendAll(house, [inTurn('turn-1'), inTurn('turn-1')])).map(stops), [false, true])
})

test('row P9: in observe mode nobody is told to stop, and what was observed is not counted when the gate blocks', async () => {
  const house = await judgingHouse()
  await house.send(typedIn('hello there'))
  await sendAll(
    house,
    [1, 2, 3, 4].map(() => inTurn('turn-1')),
  )
  assert.is((await claimsOf(house)).length, 4)
  for (const { words } of await house.entries('gate.decided')) assert.not.match(JSON.stringify(words ?? {}), /stop retrying/)
  house.modes = { provenance: 'block', capability: 'observe' }
  assert.not.ok(stops(await house.send(inTurn('turn-1'))))
})

test('refusals of one turn that come at once are counted one after the other', async () => {
  const house = await blockingHouse()
  await house.send(typedIn('hello there'))
  const directives = await Promise.all([1, 2, 3, 4].map(() => house.send(inTurn('turn-1'))))
  assert.is(directives.filter(stops).length, 2)
})

test.run()
