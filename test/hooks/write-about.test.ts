// Holds what is found out before a write is judged to what it needs, and to breaking nothing where it cannot be found out.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { HeldSession } from '../../src/hooks/session-memory.js'
import { writeAbout } from '../../src/hooks/write-about.js'
import { sessionContext } from '../../src/projections/session-context.js'
import { type HostPayload, llmCall, type TestHouse, toolCall } from '../support/hook-house.js'
import {
  bareClaim,
  blockingHouse,
  friday,
  judgingHouse,
  memoryAdd,
  typedIn,
  verdictsOf,
  writeCall,
} from '../support/judged-writes.js'

const test = suite('write-about')

const held = (): HeldSession => ({
  context: sessionContext.initial(),
  said: undefined,
  saidFrom: undefined,
  saidErasures: 0,
  origin: undefined,
  reading: undefined,
})
const read = (payload: HostPayload) => ({ payload, host: {}, repaired: 0 })
const about = (house: TestHouse, payload: HostPayload) =>
  writeAbout(house.house, { late: false }, read(payload), { handle: '', session: held() })

test('a payload that writes neither memory nor skills needs nothing, nor does one where the gate is off', async () => {
  const house = await judgingHouse()
  let asked = 0
  house.storedBefore = async () => {
    asked += 1
    throw new Error('not to be asked')
  }
  const written = memoryAdd(bareClaim)
  for (const payload of [
    llmCall({ user_message: 'hi' }),
    toolCall({ command: 'ls' }),
    { ...written, hook_event_name: 'post_tool_call' },
  ])
    assert.is(await about(house, payload), undefined)
  house.modes = { provenance: 'off', capability: 'enforce' }
  assert.is(await about(house, written), undefined)
  assert.is(asked, 0)
})

test('other sessions are looked into for the quotes of the text, and only where the whole profile counts', async () => {
  const house = await judgingHouse()
  const asked: unknown[] = []
  house.saidElsewhere = async (quotes, session) => {
    asked.push([quotes, session])
    return []
  }
  const call = memoryAdd(`User decided to ship ("${friday}") and 「周五发布新版本」.`)
  assert.equal((await about(house, call))?.elsewhere, [])
  house.provenance = { ...house.provenance, search: 'profile' }
  await about(house, call)
  await about(house, memoryAdd(bareClaim))
  assert.equal(asked, [[[friday, '周五发布新版本'], '']])
})

test('what fails on the way is told, and breaks no hook: stored text that cannot be read leaves the new text to judge', async () => {
  const house = await blockingHouse()
  house.storedBefore = async () => {
    throw new Error('a folder that is gone')
  }
  house.provenance = { ...house.provenance, search: 'profile' }
  house.saidElsewhere = async () => {
    throw new Error('no views')
  }
  const found = await about(house, memoryAdd(`User decided it ("${friday}").`))
  assert.equal([found?.proposed.facts.unavailable, found?.elsewhere, found?.isSaidHeld], ['not_readable', 'unavailable', true])
  await house.send(typedIn(friday))
  assert.ok('action' in (await house.send(memoryAdd(bareClaim))))
  assert.equal(await verdictsOf(house), ['blocked no_quote'])
  assert.is((await house.entries('write.proposed'))[0]?.payload['unavailable'], 'not_readable')
})

test('where what was typed cannot be read, that is told', async () => {
  const house = await judgingHouse()
  const { ledger, ...others } = house.house
  const broken = {
    ...others,
    ledger: Object.assign(Object.create(ledger) as typeof ledger, {
      appendMade: async () => {
        throw new Error('a store that is gone')
      },
      digest: ledger.digest.bind(ledger),
    }),
  }
  const found = await writeAbout(broken, { late: false }, read(memoryAdd(bareClaim)), {
    handle: 's0123456789abcdef',
    session: held(),
  })
  assert.is(found?.isSaidHeld, false)
})

test('a patch is judged with what lies stored: the whole entry, and a quote that is there already counts', async () => {
  const house = await judgingHouse()
  const stored = `User decided to shp on Friday ("${friday}").`
  house.storedBefore = async () => ({ stored: { memory: new Map([['memory', stored]]), skills: new Map() } })
  await house.send(
    writeCall('memory', { action: 'replace', target: 'memory', old_text: 'shp', content: stored.replace('shp', 'ship') }),
  )
  assert.equal(await verdictsOf(house), ['pass stored-text'])
  assert.equal((await house.entries('write.proposed'))[0]?.words?.['stored'], [stored])
})

test.run()
