// Holds the judging of long writes to two things: nobody can tell from the record that a write was judged apart, and a verdict counts only
// where nothing that it was made from has changed meanwhile.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SteleError } from '../../src/foundation/stele-error.js'
import { makeRedactor } from '../../src/redaction/redact.js'
import { type HostPayload, llmCall, observing, type TestHouse, toolCall } from '../support/hook-house.js'
import {
  backedClaim,
  bareClaim,
  blocking,
  friday,
  judgingHouse,
  memoryAdd,
  typedIn,
  verdictsOf,
  writeCall,
} from '../support/judged-writes.js'
import { longTextsHere } from '../support/long-texts.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'

const test = suite('judge-apart')

/** Whether everything is long, or nothing. */
async function houseOf(judgedBytes: number, modes: TestHouse['modes'] = blocking): Promise<TestHouse> {
  return Object.assign(await judgingHouse(modes), { judgedBytes })
}

/** A house in which every write is judged apart, and what happens each time before the verdict comes. */
async function apartHouse(meanwhile: (house: TestHouse, round: number) => unknown, modes?: TestHouse['modes']) {
  const house = await houseOf(0, modes)
  const here = longTextsHere(() => house.gates)
  let rounds = 0
  house.longTexts = {
    ...here,
    judge: async (...asked) => {
      rounds += 1
      const verdict = await here.judge(...asked)
      await meanwhile(house, rounds)
      return verdict
    },
  }
  return { house, rounds: () => rounds }
}

/** All that was recorded; digests, whose key is each home's own, by the order in which they came. */
async function recordOf(house: TestHouse): Promise<unknown[]> {
  const names = new Map<string, string>()
  const entries = (await house.entries()).map(({ header, payload, words }) => {
    const { words: _, ...facts } = payload
    return { type: header.type, session: header.session, facts, words }
  })
  const text = JSON.stringify(entries).replace(/"(s?[0-9a-f]{64}|s[0-9a-f]{16})"/g, (digest) => {
    if (!names.has(digest)) names.set(digest, `"#${names.size}"`)
    return names.get(digest) ?? ''
  })
  return JSON.parse(text) as unknown[]
}

const token = `ghp_${'a1B2'.repeat(9)}`

/** A session of many kinds of writes, some of them refused again and again. */
function session(): HostPayload[] {
  return [
    memoryAdd(bareClaim, { session_id: 'before anything was said' }),
    typedIn(`${friday}. My key is ${token}.`),
    memoryAdd(bareClaim),
    memoryAdd(bareClaim),
    memoryAdd(bareClaim),
    memoryAdd(`${bareClaim} Again.`),
    memoryAdd(backedClaim),
    memoryAdd('Tabs are two wide.'),
    memoryAdd(`User decided ("${friday}. My key is ${token}"). The owner approved the refund. 负责人批准了退款。`),
    memoryAdd(`${bareClaim}\n`.repeat(120)),
    memoryAdd(7),
    writeCall('memory', { action: 'add', strange: bareClaim }),
    writeCall('memory', { action: 'remove', target: 'memory', old_text: bareClaim }),
    writeCall('memory', { action: 'replace', target: 'user', old_text: 'Tabs', content: `${backedClaim} Spaces.` }),
    writeCall('skill_manage', { action: 'create', name: 'ship', content: `# Ship\n\n${bareClaim}\n` }),
    toolCall({ command: 'ls' }),
    typedIn('Something else', 'turn-2'),
    memoryAdd(bareClaim, { turn_id: 'turn-2' }),
    memoryAdd('User wrote ("words of another day").', { turn_id: 'turn-2' }),
  ]
}

const surroundings: readonly (readonly [what: string, change: Partial<TestHouse>])[] = [
  ['while it blocks', {}],
  ['while it observes', { modes: observing }],
  ['in profile search', { provenance: { search: 'profile', scope: 'decisions+preferences', evidence: 'any' } }],
]

for (const [what, change] of surroundings) {
  test(`${what}, a write leaves the same facts and words and gets the same answer, whether or not it was judged apart`, async () => {
    const payloads = session()
    const told: unknown[] = []
    const jobs: string[] = []
    for (const judgedBytes of [0, 2 ** 40]) {
      const house = Object.assign(await houseOf(judgedBytes), change)
      const memory = new Map([['user' as const, `Tabs\n§\n${bareClaim}`]])
      house.storedBefore = async () => ({ stored: { memory, skills: new Map() } })
      house.saidElsewhere = async (quotes) => [
        {
          ...{ index: 0, text: `words of another day ${quotes.length}`, session: 'other', sender: '', attested: true },
          time: new Date(house.home.world.time).toISOString(),
        },
      ]
      const here = longTextsHere(() => house.gates)
      house.longTexts = {
        judge: (...asked) => {
          jobs.push('judge')
          return here.judge(...asked)
        },
        quotes: (texts) => {
          jobs.push('quotes')
          return here.quotes(texts)
        },
      }
      const answers: unknown[] = []
      for (const payload of payloads) answers.push(await house.send(payload))
      told.push([answers, await recordOf(house)])
    }
    assert.equal(told[0], told[1])
    // Thirteen writes have texts to judge or stored ones; the others are nothing long.
    assert.is(jobs.filter((job) => job === 'judge').length, 13)
    assert.is(jobs.includes('quotes'), what === 'in profile search')
  })
}

test('a write is long by what is judged and what is stored together', async () => {
  const stored = 'x'.repeat(60)
  for (const [judgedBytes, rounds] of [
    [100, 0],
    [99, 1],
  ] as const) {
    const { house, rounds: judged } = await apartHouse(() => {})
    house.judgedBytes = judgedBytes
    house.storedBefore = async () => ({ stored: { memory: new Map([['memory', stored]]), skills: new Map() } })
    await house.send(writeCall('memory', { action: 'replace', target: 'memory', old_text: stored, content: 'y'.repeat(40) }))
    assert.is(judged(), rounds)
  }
})

test('what is typed, or refused, while it is judged counts: it is judged once more', async () => {
  const typing = await apartHouse((house, round) => (round === 1 ? house.send(typedIn(friday)) : undefined))
  assert.equal(await typing.house.send(memoryAdd(backedClaim)), {})
  assert.equal([await verdictsOf(typing.house), typing.rounds()], [['pass this-session'], 2])
  // The second refusal of a turn has other words than the first.
  const refusing = await apartHouse((house, round) => (round === 1 ? house.send(memoryAdd(bareClaim)) : undefined))
  const second = await refusing.house.send(memoryAdd(bareClaim))
  assert.is(refusing.rounds(), 3)
  const plain = await houseOf(2 ** 40)
  await plain.send(memoryAdd(bareClaim))
  assert.equal(await plain.send(memoryAdd(bareClaim)), second)
})

test('what is typed in another session or refused of another target changes nothing: it is judged once', async () => {
  const { house, rounds } = await apartHouse(async (one, round) => {
    if (round > 1) return
    await one.send(typedIn(friday, 'turn-1', { session_id: 'another' }))
    await one.send(writeCall('memory', { action: 'add', target: 'user', content: bareClaim }))
  })
  await house.send(memoryAdd(bareClaim))
  assert.equal([rounds(), await verdictsOf(house)], [2, ['blocked no_quote', 'blocked no_quote']])
})

test('settings that change while it is judged are those that it is judged by', async () => {
  const changes: readonly (readonly [change: Partial<TestHouse>, verdict: string[]])[] = [
    [{ modes: observing }, ['would_block no_quote']],
    [{ modes: { provenance: 'off', capability: 'observe' } }, []],
    [{ provenance: { search: 'session', scope: 'decisions', evidence: 'attached' } }, ['blocked no_quote']],
    [{ judgedBytes: 2 ** 40 }, ['blocked no_quote']],
  ]
  for (const [change, verdict] of changes) {
    const { house, rounds } = await apartHouse((one) => Object.assign(one, change))
    await house.send(memoryAdd(bareClaim))
    assert.equal(await verdictsOf(house), verdict)
    assert.is(rounds(), change.judgedBytes === undefined ? 2 : 1)
  }
})

test('a secret that becomes known while it is judged is in nothing that is kept', async () => {
  const secret = 'correct horse battery'
  const { house, rounds } = await apartHouse((one, round) => {
    if (round === 1) one.redactor = makeRedactor({ knownValues: [secret] })
  })
  await house.send(memoryAdd(`User decided on ${secret}.`))
  assert.is(rounds(), 2)
  assert.not.match(JSON.stringify(await house.entries()), new RegExp(secret))
})

test('words that are forgotten while it is judged back nothing', async () => {
  const { house, rounds } = await apartHouse(async (one, round) => {
    if (round > 1) return
    const [message] = await one.entries('message.captured')
    const index = message?.header.index ?? 0
    await one.ledger.forget([[index, index]], { by: 'owner', reason: 'asked' })
  })
  await house.send(typedIn(friday))
  assert.match(JSON.stringify(await house.send(memoryAdd(backedClaim))), /block/)
  assert.equal([rounds(), await verdictsOf(house)], [2, ['blocked words_unavailable']])
})

test('what was held of the session and is let go meanwhile is read again', async () => {
  const { house, rounds } = await apartHouse((one, round) => (round === 1 ? one.house.sessions.forgetWords() : undefined))
  await house.send(typedIn(friday))
  assert.equal(await house.send(memoryAdd(backedClaim)), {})
  assert.equal(await verdictsOf(house), ['pass this-session'])
  assert.is(rounds(), 2)
})

test('where that goes on all the time, there is an end of it', async () => {
  const { house, rounds } = await apartHouse((one) => one.house.sessions.forgetWords())
  await house.send(typedIn(friday))
  await house.send(memoryAdd(backedClaim))
  assert.equal([rounds(), await verdictsOf(house)], [3, ['blocked internal_error']])
})

test('a session in which something is typed all the time gets no verdict from an earlier moment, and an end', async () => {
  const { house, rounds } = await apartHouse((one, round) => one.send(typedIn(`word ${round}`)))
  assert.match(JSON.stringify(await house.send(memoryAdd(backedClaim))), /error of the gate itself/)
  assert.equal([rounds(), await verdictsOf(house)], [3, ['blocked internal_error']])
})

test('row P68: a write that cannot be judged apart is refused in block mode, would be in observe, and is recorded in both', async () => {
  for (const [modes, verdict] of [
    [blocking, 'blocked'],
    [observing, 'would_block'],
  ] as const) {
    const { house } = await apartHouse(() => {
      throw new SteleError('JUDGING_FAILED', { reason: 'too_slow' })
    }, modes)
    const answer = JSON.stringify(await house.send(memoryAdd('Tabs are two wide.')))
    assert.is(/error of the gate itself/.test(answer), modes === blocking)
    assert.equal(await verdictsOf(house), [`${verdict} internal_error`])
    const [claim] = await house.entries('claim.judged')
    const [proposed] = await house.entries('write.proposed')
    const decided = (await house.entries('gate.decided')).at(-1)
    // Between the tool's request and what it would write stands what it would reach.
    assert.is(claim?.payload['call'], (proposed?.header.index ?? 0) - 2)
    assert.equal([decided?.payload['code'], decided?.payload['verdict']], ['internal_error', 'deny'])
  }
})

test('where quotes cannot be looked for apart, no claim is said to be unsupported', async () => {
  const { house } = await apartHouse(() => {})
  house.provenance = { search: 'profile', scope: 'decisions', evidence: 'any' }
  house.longTexts = {
    ...house.longTexts,
    quotes: async () => {
      throw new SteleError('JUDGING_FAILED', { reason: 'too_many' })
    },
  }
  await house.send(memoryAdd(backedClaim))
  assert.equal(await verdictsOf(house), ['blocked words_unavailable'])
})

test('where the service ends while it is judged, nothing is said of the write: its payload is kept by whoever sent it', async () => {
  const { house } = await apartHouse(() => {
    throw new SteleError('LEDGER_CLOSED')
  })
  await house.send(typedIn(friday))
  const before = await house.types()
  await rejectsWithCode(house.send(memoryAdd(backedClaim)), 'LEDGER_CLOSED')
  assert.equal(await house.types(), before)
})

test('other hooks have their answers while a long write is judged, those of its own session too', async () => {
  let judged = (): void => {}
  let begun = (): void => {}
  const isBegun = new Promise<void>((resolve) => (begun = resolve))
  const { house } = await apartHouse((_, round) => {
    if (round > 1) return undefined
    begun()
    return new Promise<void>((resolve) => (judged = resolve))
  })
  await house.send(typedIn(friday))
  let isAnswered = false
  const write = house.send(memoryAdd(bareClaim)).finally(() => {
    isAnswered = true
  })
  await isBegun
  await house.send(llmCall({ user_message: 'hello' }, 'another'))
  await house.send(toolCall({ command: 'ls' }))
  assert.is(isAnswered, false)
  judged()
  assert.match(JSON.stringify(await write), /block/)
  // It stands where it was decided: behind what was answered meanwhile.
  const types = await house.types()
  assert.ok(types.indexOf('write.proposed') > types.lastIndexOf('message.captured'))
})

test('the same call that comes twice while it is judged is recorded once, and answered the same', async () => {
  const { house } = await apartHouse(() => {})
  const call = memoryAdd(bareClaim)
  const [one, other] = await Promise.all([house.send(call), house.send(call)])
  assert.equal(one, other)
  assert.equal(await verdictsOf(house), ['blocked no_quote'])
})

test.run()
