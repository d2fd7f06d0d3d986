// Holds judging again to its promise: the same code on the same words says the same, and where words are gone nothing is said.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { GateDefinition } from '../../src/gates/gate.js'
import { provenanceGate } from '../../src/gates/provenance/provenance-gate.js'
import { type JudgeAgainOptions, type JudgedAgain, judgedAgain } from '../../src/replay/judged-again.js'
import { provenanceReplay } from '../../src/replay/provenance-replay.js'
import { attachedHost, type TestHouse, toolCall } from '../support/hook-house.js'
import { backedClaim, bareClaim, blockingHouse, friday, judgingHouse, memoryAdd, typedIn } from '../support/judged-writes.js'
import { makeRandom } from '../support/seeded-random.js'

const test = suite('judged-again')

const ofProvenance = { gate: 'provenance' }
const blocking = { ...ofProvenance, instead: { provenance: { mode: 'block' } } } as const

async function again(house: TestHouse, options: JudgeAgainOptions = ofProvenance): Promise<JudgedAgain[]> {
  const judged: JudgedAgain[] = []
  for await (const one of judgedAgain(house.ledger.reader, options)) judged.push(one)
  return judged
}

/** `same`, the parts that differ, or why it cannot be said. */
function told(judged: readonly JudgedAgain[]): string[] {
  return judged.map(({ result }) =>
    result.kind === 'same' ? 'same' : result.kind === 'different' ? result.parts.join(' ') : result.why,
  )
}

const forget = (house: TestHouse, ...indices: number[]) =>
  house.ledger.forget(
    indices.map((index) => [index, index] as const),
    { by: 'owner', reason: 'asked' },
  )

async function indexOf(house: TestHouse, type: string, at = 0): Promise<number> {
  return (await house.entries(type))[at]?.header.index ?? -1
}

test('given a claim that is backed and one that is not, when they are judged again, then both get the same answer', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  await house.send(memoryAdd(bareClaim))
  await house.send(memoryAdd(backedClaim))
  const judged = await again(house)
  assert.equal(told(judged), ['same', 'same'])
  assert.equal(
    judged.map(({ before }) => [before.verdict, before.code, before.told]),
    [
      ['deny', 'no_quote', 'nothing'],
      ['allow', 'supported', 'nothing'],
    ],
  )
})

test('row D10: given an observing gate, when it is asked again as if it blocked, then what differs is what the host is told', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  await house.send(memoryAdd(bareClaim))
  await house.send(memoryAdd(backedClaim))
  assert.equal(told(await again(house, blocking)), ['told', 'same'])
})

test('given a blocking gate, when it is asked again as if it observed, then the refusal binds nobody', async () => {
  const house = await blockingHouse()
  await house.send(memoryAdd(bareClaim))
  const [judged] = await again(house, { ...ofProvenance, instead: { provenance: { mode: 'observe' } } })
  assert.is(judged?.result.kind, 'different')
  assert.equal([judged?.before.told, judged?.result.kind === 'different' && judged.result.after.told], ['block', 'nothing'])
})

test('given the words of a write forgotten, then its decision cannot be judged again, and others can', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  await house.send(memoryAdd(bareClaim))
  await house.send(memoryAdd(backedClaim))
  await forget(house, await indexOf(house, 'write.proposed', 0))
  assert.equal(told(await again(house)), ['forgotten', 'same'])
})

test('given what was typed forgotten since, then nothing is said of claims, and a write without any is judged again', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  await house.send(memoryAdd(backedClaim))
  await house.send(memoryAdd('The build takes two minutes.'))
  await forget(house, await indexOf(house, 'message.captured'))
  assert.equal(told(await again(house)), ['forgotten', 'same'])
})

test('given what was typed forgotten before a write, then the gate did not know it either, and the answer is the same', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  await forget(house, await indexOf(house, 'message.captured'))
  await house.send(memoryAdd(backedClaim))
  const judged = await again(house)
  assert.equal(told(judged), ['same'])
  assert.is(judged[0]?.before.code, 'words_unavailable')
})

test('row P95: given words past their days when a write came, then they back nothing when it is judged again, and under more days they do', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  house.home.world.advance(31 * 24 * 60 * 60 * 1000)
  await house.send(memoryAdd(backedClaim))
  const [judged] = await again(house)
  assert.equal([told(await again(house)), judged?.before.code], [['same'], 'words_unavailable'])
  assert.equal(told(await again(house, { ...ofProvenance, instead: { messagesDays: 32 } })), ['verdict code claims'])
})

test('given a session that goes on from a compressed one, then what was typed there backs it again', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday, 'turn-1', { session_id: 'one' }))
  await house.send(typedIn('go on', 'turn-2', { session_id: 'two', parent_session_id: 'one' }))
  await house.send(memoryAdd(backedClaim, { session_id: 'two', turn_id: 'turn-2' }))
  const judged = await again(house)
  assert.equal([told(judged), judged[0]?.before.code], [['same'], 'supported'])
})

test('given a write that was judged with the whole profile, then the messages it was held against are known, and without them it fails', async () => {
  const house = await judgingHouse()
  house.provenance = { ...house.provenance, search: 'profile' }
  await house.send(typedIn(friday, 'turn-1', { session_id: 'one' }))
  const [message] = await house.entries('message.captured')
  house.saidElsewhere = async () => [
    {
      ...{ index: message?.header.index ?? -1, time: String(message?.header.time), text: friday },
      ...{ session: 'other', sender: '', attested: false },
    },
  ]
  await house.send(memoryAdd(backedClaim, { session_id: 'two' }))
  const judged = await again(house)
  assert.equal([told(judged), judged[0]?.before.code], [['same'], 'supported'])
  const alone = { ...ofProvenance, instead: { provenance: { search: 'session' } } } as const
  assert.equal(told(await again(house, alone)), ['verdict code claims'])
  await forget(house, message?.header.index ?? -1)
  assert.equal(told(await again(house)), ['forgotten'])
})

test('given other sessions could not be read then, then they are not read now either, and the answer is the same', async () => {
  const house = await judgingHouse()
  house.provenance = { ...house.provenance, search: 'profile' }
  house.saidElsewhere = () => Promise.reject(new Error('no views'))
  await house.send(memoryAdd(backedClaim))
  const judged = await again(house)
  assert.equal([told(judged), judged[0]?.before.code], [['same'], 'words_unavailable'])
  const [write] = await house.entries('write.proposed')
  assert.equal(write?.payload['known'], {
    ...{ search: 'profile', scope: 'decisions', days: 30, attached: false, elsewhereUnread: true },
  })
})

test('given a write that was judged with its session alone, then nobody looked elsewhere, and the whole profile cannot be said to refuse it', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  await house.send(memoryAdd(bareClaim))
  await house.send(memoryAdd(backedClaim))
  const profile = { ...ofProvenance, instead: { provenance: { search: 'profile' } } } as const
  assert.equal(told(await again(house, profile)), ['not_recorded', 'same'])
})

test('given a host that vouches for its words, then words of nobody count only where the gate observes, whenever it is asked', async () => {
  const house = await judgingHouse()
  await attachedHost(house)
  await house.send(typedIn(friday))
  await house.send(memoryAdd(backedClaim))
  assert.equal(told(await again(house)), ['same'])
  assert.equal(told(await again(house, blocking)), ['verdict code told claims'])
  const anybodys = { ...ofProvenance, instead: { provenance: { mode: 'block', evidence: 'any' } } } as const
  assert.equal(told(await again(house, anybodys)), ['same'])
})

test('given preferences are to be backed too, then a preference that was none of its business is refused', async () => {
  const house = await judgingHouse()
  await house.send(memoryAdd('The user prefers tabs over spaces.'))
  const wider = { ...ofProvenance, instead: { provenance: { scope: 'decisions+preferences' } } } as const
  assert.equal(told(await again(house, wider)), ['verdict code claims'])
})

test('a payload that came late binds nobody, however strict the gate is when it is asked again', async () => {
  const house = await blockingHouse()
  await house.send(memoryAdd(bareClaim), { late: true })
  assert.equal(told(await again(house)), ['same'])
  assert.equal(told(await again(house, blocking)), ['same'])
})

test('the gate that lets everything through is asked again too, and one that this version has not is told apart', async () => {
  const house = await judgingHouse()
  await house.send(toolCall({ command: 'ls' }))
  assert.equal(told(await again(house, {})), ['same'])
  assert.equal(told(await again(house, { replays: [] })), ['gate_unknown'])
  assert.equal(told(await again(house, { since: '2100-01-01T00:00:00.000Z' })), [])
})

test('where judging failed then, a verdict today is no difference; where it fails today, that is one', async () => {
  const failing: GateDefinition = {
    ...provenanceGate,
    on: {
      'write.proposed': () => {
        throw new Error('a mistake')
      },
    },
  }
  const house = await judgingHouse()
  house.gates = [failing]
  await house.send(memoryAdd(bareClaim))
  assert.equal(told(await again(house)), ['failed_then'])
  assert.equal(told(await again(house, { replays: [{ ...provenanceReplay, gate: failing }] })), ['same'])
  house.gates = [provenanceGate]
  await house.send(memoryAdd(backedClaim))
  assert.equal(told(await again(house, { replays: [{ ...provenanceReplay, gate: failing }] })), ['same', 'code claims'])
})

test('questions of the doctor are not judged again', async () => {
  const house = await judgingHouse()
  await house.send({ ...memoryAdd(bareClaim, { session_id: 'stele-doctor-1' }), host: { probe: true } })
  const probes = (await house.entries('gate.decided')).filter(({ payload }) => payload['probe'] === true)
  assert.ok(probes.length > 0)
  assert.equal(await again(house, {}), [])
})

test('of any history with settings that change and words that are forgotten, what can be judged again is the same', async () => {
  for (const seed of [1, 2, 3]) {
    const random = makeRandom(seed)
    const house = await judgingHouse()
    const [host, sessions] = [await attachedHost(house), ['one', 'two', 'three']]
    for (let at = 0; at < 120; at += 1) {
      const session_id = random.pick(sessions)
      const ids = { session_id, turn_id: `turn-${at}` }
      const sender = random.int(2) === 0 ? host : house
      const words = random.pick([friday, 'never deploy on Monday', 'shall we ship on Friday?', 'yes do that'])
      switch (random.int(6)) {
        case 0:
        case 1:
          await sender.send(
            typedIn(words, ids.turn_id, { session_id, ...(random.int(5) === 0 ? { parent_session_id: 'one' } : {}) }),
          )
          break
        case 2:
        case 3:
          await sender.send(
            memoryAdd(random.pick([bareClaim, backedClaim, 'a note', `User decided to deploy ("${words}").`]), ids),
          )
          break
        case 4:
          house.modes = { provenance: random.pick(['observe', 'block'] as const), capability: 'observe' }
          house.provenance = {
            search: 'session',
            scope: 'decisions',
            evidence: random.pick([undefined, 'any', 'attached'] as const),
          }
          house.home.world.advance(random.int(3) * 24 * 60 * 60 * 1000)
          break
        default: {
          const messages = await house.entries('message.captured')
          const message = messages[random.int(messages.length + 1)]
          if (message?.words !== undefined && random.int(3) === 0) await forget(house, message.header.index)
        }
      }
    }
    const judged = await again(house, {})
    assert.ok(judged.length > 20)
    assert.equal(
      judged.filter(({ result }) => result.kind === 'different'),
      [],
      `seed ${seed}`,
    )
    assert.ok(told(judged).filter((one) => one === 'same').length > judged.length / 3, `seed ${seed}`)
  }
})

test.run()
