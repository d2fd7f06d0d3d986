// Given a history, then what other settings would have decided: counted, and in one cluster for each cause.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { counterfactual } from '../../src/replay/counterfactual.js'
import type { TestHouse } from '../support/hook-house.js'
import { backedClaim, bareClaim, friday, judgingHouse, memoryAdd, typedIn, writeCall } from '../support/judged-writes.js'

const test = suite('counterfactual')

async function toldHouse(): Promise<TestHouse> {
  const house = await judgingHouse({ provenance: 'observe', capability: 'off' })
  await house.send(typedIn(friday))
  for (let at = 0; at < 3; at += 1) await house.send(memoryAdd(bareClaim))
  await house.send(memoryAdd(backedClaim))
  await house.send(memoryAdd('The owner approved skipping the changelog.'))
  await house.send(writeCall('skill_manage', { action: 'create', name: 'release', content: `# Release\n${bareClaim}\n` }))
  return house
}

const blocking = { provenance: { mode: 'block' } } as const

test('row D10: differences of one cause stand together with their count, the largest first, and of each the newest entries', async () => {
  const house = await toldHouse()
  const decisions = (await house.entries('gate.decided')).filter(({ payload }) => payload['verdict'] === 'deny')
  const [first, second, third] = decisions.map(({ header }) => header.index)
  const { counts, clusters } = await counterfactual(house.ledger.reader, { instead: blocking, listed: 2 })
  assert.equal(counts, {
    ...{ decisions: 6, same: 1, different: 5 },
    notAgain: { forgotten: 0, not_recorded: 0, failed_then: 0, gate_unknown: 0 },
  })
  assert.equal(
    clusters.map(({ gate, tool, rule, count, before, after }) => [gate, tool, rule, count, before.told, after.told]),
    [
      ['provenance', 'memory', 'decided', 3, 'nothing', 'block'],
      ['provenance', 'skill_manage', 'decided', 1, 'nothing', 'block'],
      ['provenance', 'memory', 'approved', 1, 'nothing', 'block'],
    ],
  )
  assert.equal(
    clusters[0]?.newest.map(({ index }) => index),
    [third, second],
  )
  assert.ok(Number(first) < Number(second))
})

test('with nothing else instead there are no differences, and what is forgotten is counted apart', async () => {
  const house = await toldHouse()
  assert.equal((await counterfactual(house.ledger.reader, { listed: 2 })).clusters, [])
  const [write] = await house.entries('write.proposed')
  const index = write?.header.index ?? -1
  await house.ledger.forget([[index, index]], { by: 'owner', reason: 'asked' })
  const { counts } = await counterfactual(house.ledger.reader, { listed: 2 })
  assert.equal([counts.same, counts.different, counts.notAgain.forgotten], [5, 0, 1])
})

test('a gate that is switched off says nothing of anything', async () => {
  const house = await toldHouse()
  const instead = { provenance: { mode: 'off' } } as const
  const { counts, clusters } = await counterfactual(house.ledger.reader, { instead, gate: 'provenance', listed: 1 })
  assert.equal([counts.decisions, counts.different], [6, 6])
  assert.ok(clusters.every(({ after }) => after.verdict === 'none'))
})

test.run()
