// Which sessions' words back a claim: this one and those that it goes on from, a fork's parent, the whole profile where the settings say so;
// and how long.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { EvidenceDay } from '../../src/projections/evidence.js'
import { viewAsOf } from '../../src/projections/projection-runner.js'
import { claimWords, evidenceReport } from '../../src/reports/evidence-report.js'
import { sessionStart, type TestHouse } from '../support/hook-house.js'
import {
  backedClaim,
  bareClaim,
  claimsOf,
  friday,
  judgingHouse,
  memoryAdd,
  typedIn,
  verdictsOf,
  writeCall,
} from '../support/judged-writes.js'
import { reportFrame } from '../support/report-views.js'

const test = suite('backing sessions')

test('row P56: the host’s own review names the session it reviews, so its writes are judged by what was typed there', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  const review = 'Review the conversation above and consider saving to memory if appropriate.'
  await house.send({ ...typedIn(review, 'turn-r'), host: { write_origin: 'background_review' } })
  await house.send({ ...memoryAdd(backedClaim, { turn_id: 'turn-r' }), host: { write_origin: 'background_review' } })
  assert.equal(await verdictsOf(house), ['pass this-session'])
  // What the review says is nobody's words.
  await house.send({
    ...memoryAdd(`The user approved saving to memory ("consider saving to memory if appropriate").`, { turn_id: 'turn-r' }),
    host: { write_origin: 'background_review' },
  })
  assert.is((await verdictsOf(house))[1], 'would_block quote_not_found')
})

test('case 89: a lesson that the host’s own review saves to memory and to a skill is judged twice by what was typed, and linked', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  const review = 'Review the conversation above and consider saving to memory and skills.'
  const host = { write_origin: 'background_review' }
  await house.send({ ...typedIn(review, 'turn-r'), host })
  await house.send({ ...memoryAdd(backedClaim, { turn_id: 'turn-r' }), host })
  const steps = `---\nname: release\ndescription: how we release\n---\n# Release\n\n- ${bareClaim}\n- Tag, then push.\n`
  const skill = { action: 'create', name: 'release', content: steps }
  await house.send({ ...writeCall('skill_manage', skill, { turn_id: 'turn-r' }), host })
  const [inMemory, inSkill, ...more] = await claimsOf(house)
  assert.is(more.length, 0)
  const [message] = await house.entries('message.captured')
  assert.equal(
    [inMemory, inSkill].map((claim) => [claim?.facts['target'], claim?.facts['verdict'], claim?.facts['message']]),
    [
      ['memory', 'pass', message?.header.index],
      ['skill', 'would_block', null],
    ],
  )
  assert.is(inMemory?.facts['claimDigest'], inSkill?.facts['claimDigest'])
  const { reader, size } = house.ledger
  const days = (await viewAsOf('evidence', reader.storedEntries(0, size))) as Map<string, EvidenceDay>
  const words = new Map([[Number(inSkill?.index), claimWords(inSkill?.words ?? {})]])
  const { figures, sections } = evidenceReport(days, words, reportFrame, { limit: 9 })
  assert.is(figures.find(({ key }) => key === 'pairs')?.value, 1)
  const cellsOf = (section: string) => sections.find(({ key }) => key === section)?.table?.rows.map(({ cells }) => cells)
  assert.is(cellsOf('pairs')?.[0]?.[0], `${inMemory?.index} memory pass, ${inSkill?.index} skill would_block`)
  assert.ok(cellsOf('flagged')?.[0]?.includes(String(inMemory?.index)))
})

const goesOn = (session_id: string, parent_session_id: string, turn_id: string) =>
  typedIn('go on please', turn_id, { session_id, parent_session_id })

test('row P57: through a chain of three sessions that compression made, the words of the first are this session’s', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday, 'turn-1', { session_id: 'one' }))
  await house.send(goesOn('two', 'one', 'turn-2'))
  await house.send(goesOn('three', 'two', 'turn-3'))
  await house.send(memoryAdd(backedClaim, { session_id: 'three', turn_id: 'turn-3' }))
  const [message] = await house.entries('message.captured')
  assert.equal(
    (await claimsOf(house)).map(({ facts }) => [facts['verdict'], facts['matchedIn'], facts['message']]),
    [['pass', 'this-session', message?.header.index]],
  )
})

test('row P87: after a compression in mid-turn earlier words are not seen until the next message tells of it', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday, 'turn-1', { session_id: 'one' }))
  await house.send(memoryAdd(backedClaim, { session_id: 'two' }))
  await house.send(goesOn('two', 'one', 'turn-2'))
  await house.send(memoryAdd(backedClaim, { session_id: 'two', turn_id: 'turn-2' }))
  assert.equal(await verdictsOf(house), ['would_block quote_not_found', 'pass this-session'])
})

test('row P87: without a session id every quote fails', async () => {
  for (const session_id of ['', null]) {
    const house = await judgingHouse()
    await house.send({ ...typedIn(friday), session_id })
    await house.send({ ...memoryAdd(backedClaim), session_id })
    assert.equal(await verdictsOf(house), ['would_block quote_not_found'])
  }
})

test('a parent that is a delegating session’s is none: its words are not this session’s', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday, 'turn-1', { session_id: 'one' }))
  await house.send(typedIn('do this task', 'turn-2', { session_id: 'two', parent_session_id: 'one', platform: 'subagent' }))
  await house.send(memoryAdd(backedClaim, { session_id: 'two', turn_id: 'turn-2' }))
  assert.equal(await verdictsOf(house), ['would_block quote_not_found'])
})

/** What other sessions hold is looked up by the service; here the house's own entries are looked through. */
function searchesProfile(house: TestHouse): string[][] {
  const asked: string[][] = []
  house.provenance = { ...house.provenance, search: 'profile' }
  house.saidElsewhere = async (quotes, session) => {
    asked.push([...quotes])
    return (await house.entries('message.captured'))
      .filter(({ header }) => header.session !== session)
      .map(({ header, payload, words }) => ({
        index: header.index,
        time: header.time,
        text: String(words?.['text']),
        session: 'other',
        sender: '',
        attested: payload['source'] === 'attached',
      }))
  }
  return asked
}

test('row P55: words of another session back a claim where the whole profile counts, and nowhere else', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday, 'turn-1', { session_id: 'one' }))
  await house.send(sessionStart('two'))
  await house.send(memoryAdd(backedClaim, { session_id: 'two' }))
  const asked = searchesProfile(house)
  await house.send(memoryAdd(backedClaim, { session_id: 'two' }))
  assert.equal(await verdictsOf(house), ['would_block quote_not_found', 'pass profile'])
  assert.equal(asked, [[friday]])
  const [message] = await house.entries('message.captured')
  assert.is((await claimsOf(house))[1]?.facts['message'], message?.header.index)
})

test('row P67: a profile that cannot be looked up leaves the claim unchecked, but for what this session itself holds', async () => {
  const house = await judgingHouse()
  searchesProfile(house)
  house.saidElsewhere = async () => {
    throw new Error('no views')
  }
  await house.send(memoryAdd(backedClaim))
  await house.send(typedIn(friday))
  await house.send(memoryAdd(backedClaim))
  assert.equal(await verdictsOf(house), ['would_block words_unavailable', 'pass this-session'])
})

const dayMs = 24 * 60 * 60 * 1000

test('row P95: on day 30 words still back a claim, on day 31 they back nothing, swept or not', async () => {
  for (const [days, expected] of [
    [30, 'pass this-session'],
    [31, 'would_block words_unavailable'],
  ] as const) {
    const house = await judgingHouse()
    await house.send(typedIn(friday))
    house.home.world.advance(days * dayMs)
    await house.send(memoryAdd(backedClaim))
    assert.equal(await verdictsOf(house), [expected])
  }
})

test('row P95: words of other sessions past their days back nothing either, and 0 days keep them for ever', async () => {
  const house = await judgingHouse()
  searchesProfile(house)
  await house.send(typedIn(friday, 'turn-1', { session_id: 'one' }))
  house.home.world.advance(31 * dayMs)
  await house.send(memoryAdd(backedClaim, { session_id: 'two' }))
  house.messagesDays = 0
  await house.send(memoryAdd(backedClaim, { session_id: 'two' }))
  assert.equal(await verdictsOf(house), ['would_block quote_not_found', 'pass profile'])
})

test('row P67: words that are erased leave the claim unchecked; erased words of another session change nothing', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  await house.send(typedIn('something else', 'turn-2', { session_id: 'other' }))
  const [own, others] = await house.entries('message.captured')
  const forget = async (index: number) => {
    await house.ledger.forget([[index, index]], { by: 'owner', reason: 'asked for' })
    await house.restart()
  }
  await forget(Number(others?.header.index))
  await house.send(memoryAdd(backedClaim))
  await forget(Number(own?.header.index))
  await house.send(memoryAdd(backedClaim))
  assert.equal(await verdictsOf(house), ['pass this-session', 'would_block words_unavailable'])
  assert.is((await claimsOf(house))[1]?.facts['outcome'], 'unchecked')
})

test('row P67: words that are erased while a session is held back nothing from then on, whoever holds it', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  await house.send(memoryAdd(backedClaim))
  const [typed] = await house.entries('message.captured')
  const index = Number(typed?.header.index)
  // Nobody is told: that words went is seen by the ledger's own count.
  await house.ledger.forget([[index, index]], { by: 'owner', reason: 'asked for' })
  await house.send(memoryAdd(backedClaim))
  assert.equal(await verdictsOf(house), ['pass this-session', 'would_block words_unavailable'])
})

test('no claim is backed by words that were erased below it, in whatever order writes and the erasure come', async () => {
  for (let round = 0; round < 12; round += 1) {
    const house = await judgingHouse()
    await house.send(typedIn(friday))
    if (round % 2 === 0) await house.send(memoryAdd(backedClaim))
    const [typed] = await house.entries('message.captured')
    const index = Number(typed?.header.index)
    const writes = Array.from({ length: 6 }, () => house.send(memoryAdd(backedClaim)))
    const forgetting = house.ledger.forget([[index, index]], { by: 'owner', reason: 'asked for' })
    const [erasure] = await Promise.all([forgetting, ...writes])
    const late = (await claimsOf(house)).filter((claim) => claim.index > erasure)
    assert.equal(
      late.filter(({ facts }) => facts['verdict'] === 'pass'),
      [],
    )
    assert.ok((await claimsOf(house)).length >= 6)
  }
})

test.run()
