// Each call of the store under a hook fails, one after the other, in each way that it can: no answer without a record, and nothing twice.
// time limit: 180 s
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Entry } from '../../src/events/entry.js'
import { SteleError } from '../../src/foundation/stele-error.js'
import type { GateDefinition } from '../../src/gates/gate.js'
import { gateCatalog } from '../../src/gates/gate-catalog.js'
import type { Directive } from '../../src/hooks/directive.js'
import { unrecordedAnswer } from '../../src/hooks/unjudged-answer.js'
import { readSigningKey } from '../../src/ledger/checkpoint.js'
import { CheckpointKeeper } from '../../src/ledger/checkpoint-keeper.js'
import { openHighWater } from '../../src/ledger/high-water.js'
import { homeFiles, readDigestKey, readKeyPem } from '../../src/ledger/home-files.js'
import { watchHome } from '../../src/ledger/home-watch.js'
import { Ledger } from '../../src/ledger/ledger.js'
import { createLedger, type LedgerSettings, openLedger } from '../../src/ledger/open-ledger.js'
import { openStore, type Store } from '../../src/ledger/store.js'
import { walkTail } from '../../src/ledger/tail-walk.js'
import { enforcing, llmCall, TestHost, TestHouse, toolCall, toolResult } from '../support/hook-house.js'
import { backedClaim, bareClaim, friday, memoryAdd, typedIn, verdictsOf } from '../support/judged-writes.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { type TemporaryLedger, testWorld, verifyCopy } from '../support/temporary-ledger.js'

const test = suite('hook faults')

type Call = 'get' | 'getNow' | 'getMany' | 'range' | 'write'
type Fault = 'fails' | 'done, but told no'

/** A store that counts its calls, and fails at one of them. */
interface CountedStore extends Store {
  readonly counts: Record<Call, number>
  /** While a test looks by itself, nothing is counted and nothing fails. */
  watched: boolean
  failAt: { readonly call: Call; readonly number: number; readonly fault: Fault } | undefined
}

function counted(inner: Store): CountedStore {
  const counts = { get: 0, getNow: 0, getMany: 0, range: 0, write: 0 }
  const store: CountedStore = {
    counts,
    watched: false,
    failAt: undefined,
    get: async (key) => {
      refuse('get')
      return inner.get(key)
    },
    getNow: (key) => {
      refuse('getNow')
      return inner.getNow(key)
    },
    getMany: async (keys) => {
      refuse('getMany')
      return inner.getMany(keys)
    },
    async *range(options) {
      refuse('range')
      yield* inner.range(options)
    },
    approximate: (range) => inner.approximate(range),
    write: async (puts, deletes) => {
      const fault = faultAt('write')
      if (fault !== 'fails') await inner.write(puts, deletes)
      if (fault !== undefined) throw new SteleError('STORE_WRITE_FAILED')
    },
    compact: (range) => inner.compact(range),
    drained: () => inner.drained(),
    close: () => inner.close(),
  }
  const faultAt = (call: Call): Fault | undefined => {
    if (!store.watched) return undefined
    counts[call] += 1
    const { failAt } = store
    return failAt?.call === call && failAt.number === counts[call] ? failAt.fault : undefined
  }
  const refuse = (call: Call): void => {
    if (faultAt(call) !== undefined) throw new SteleError('STORE_UNREADABLE', { reason: 'a fault of the test' })
  }
  return store
}

/** A house over a store that can be made to fail; what it opens again is the store on disk. */
async function houseOverFaults(gates: readonly GateDefinition[]): Promise<{ house: TestHouse; store: CountedStore }> {
  const files = homeFiles(join(temporaryFolder(), 'home'))
  const settings: LedgerSettings = {
    origin: 'stele.local',
    anchors: [],
    markMirror: undefined,
    world: testWorld(),
    program: 'faults',
  }
  await (await createLedger(files, settings)).ledger.close()
  const store = counted(await openStore(files.store))
  const key = readSigningKey(readKeyPem(files))
  const { state, checkpointSize } = await walkTail(store, { marks: [], lastCheckpoint: undefined, logBytes: 0, key })
  let ledger = new Ledger({
    store,
    state,
    digestKey: readDigestKey(files),
    world: settings.world,
    marks: [openHighWater(files.highWater)],
    watch: watchHome(files),
    keeper: new CheckpointKeeper({
      store,
      key,
      origin: settings.origin,
      file: files.checkpoints,
      anchors: [],
      size: checkpointSize,
    }),
  })
  const home: TemporaryLedger = {
    files,
    world: testWorld(),
    settings,
    get ledger() {
      return ledger
    },
    close: () => ledger.close(),
    reopen: async () => {
      // What brought us here is that its head can no longer be signed.
      await ledger.close().catch(() => {})
      ledger = await openLedger(files, settings)
      return ledger
    },
  }
  return { house: Object.assign(new TestHouse(home), { gates, modes: enforcing }), store }
}

const noShells: GateDefinition = {
  name: 'no-shells',
  version: 1,
  on: {
    'tool.requested': ({ facts }) => ({
      verdict: facts.tool === 'terminal' ? 'deny' : 'allow',
      code: facts.tool === 'terminal' ? 'no_shells' : 'fine',
      reason: facts.tool === 'terminal' ? 'No shells today.' : '',
      mode: 'enforce',
      enforced: true,
    }),
  },
  failed: () => ({ verdict: 'deny', code: 'internal_error', reason: '', mode: 'enforce', enforced: true }),
}

const read = { ...toolCall({ path: 'notes.md' }, { tool_call_id: 'call-2' }), tool_name: 'read_file' }
/** What a host says in two turns, each under its number: words, a call that is denied, one that is not, its outcome, and noise. */
const payloads: readonly unknown[] = [
  llmCall({ user_message: 'look at my notes' }),
  toolCall({ command: 'rm -rf /' }),
  read,
  { ...toolResult({ path: 'notes.md' }, { tool_call_id: 'call-2' }), tool_name: 'read_file' },
  '{"hook_event_name": "pre_tool_call", "session_id": ',
  { ...llmCall({ user_message: 'and now?', turn_id: 'turn-2', parent_session_id: 'another' }) },
  { ...llmCall({ turn_id: 'turn-2', completed: true }), hook_event_name: 'on_session_end' },
]
/** The second number once more, as after an answer that was lost; and a shell hook that brings the same. */
const again = 2

interface Life {
  readonly directives: readonly Directive[]
  readonly types: readonly string[]
  readonly wrong: readonly string[]
  readonly failures: number
  readonly counts: Record<Call, number>
}

/** Sends everything, and again what is refused, until it is answered. */
async function live(failAt?: CountedStore['failAt']): Promise<Life> {
  const { house, store } = await houseOverFaults([noShells])
  store.failAt = failAt
  const host = new TestHost(house, 1)
  const directives: Directive[] = []
  const wrong: string[] = []
  let failures = 0
  const persist = async <Result>(what: string, step: () => Promise<Result>): Promise<Result> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await step()
      } catch (error) {
        failures += 1
        if (!(error instanceof SteleError)) wrong.push(`${what}: fails with ${String(error)}`)
        if (attempt > 3) throw error
        if (house.ledger.failure === undefined) continue
        await house.restart()
        await host.attach({ next: 1 })
      }
    }
  }
  const isThere = async (seq: number): Promise<boolean> => {
    for await (const { payload } of house.ledger.reader.entries()) if (payload['seq'] === seq) return true
    return false
  }
  store.watched = true
  await persist('attaching', () => host.attach())
  for (const [at, payload] of payloads.entries()) {
    directives.push(await persist(`number ${at + 1}`, () => host.send(payload, { seq: at + 1 })))
    store.watched = false
    if (!(await isThere(at + 1))) wrong.push(`number ${at + 1} was answered and is not there`)
    store.watched = true
  }
  directives.push(await persist('again', () => host.send(payloads[again - 1], { seq: again })))
  directives.push(await persist('by the shell hook', () => house.send(payloads[again - 1])))
  store.watched = false
  const entries: Entry[] = await house.entries()
  await house.home.close()
  const { findings } = await verifyCopy(house.home.files)
  wrong.push(...findings.map(({ code, message }) => `${code} ${message}`))
  return { directives, types: entries.map(({ header }) => header.type), wrong, failures, counts: store.counts }
}

/** A host that had to attach again says so; nothing else may differ. */
const withoutAttaches = (types: readonly string[]) => types.filter((type) => type !== 'host.attached')

const denied = { action: 'block', message: 'No shells today.' }
let faultless: Life

test('without a fault the denied call is blocked, once and again and by either way, and everything else is let go', async () => {
  faultless = await live()
  assert.equal([faultless.wrong, faultless.failures], [[], 0])
  const unreadable = { action: 'block', message: 'Stele: this call could not be read, so it cannot be judged.' }
  assert.equal(faultless.directives, [{}, denied, {}, {}, unreadable, {}, {}, denied, denied])
  assert.equal(faultless.types, [
    'host.attached',
    'session.started',
    'message.captured',
    'tool.requested',
    'access.proposed',
    'gate.decided',
    'tool.requested',
    'access.proposed',
    'gate.decided',
    'tool.completed',
    'hook.rejected',
    'session.linked',
    'message.captured',
    'turn.ended',
  ])
})

for (const [call, faults] of [
  ['write', ['fails', 'done, but told no']],
  ['get', ['fails']],
  ['getNow', ['fails']],
  ['getMany', ['fails']],
  ['range', ['fails']],
] as const) {
  for (const fault of faults) {
    test(`a ${call} of the store that ${fault === 'fails' ? fault : `is ${fault}`} refuses its hook; sent again it is answered as before, and recorded once`, async () => {
      const wrong: string[] = []
      const calls = faultless.counts[call]
      let refused = 0
      for (let number = 1; number <= calls; number += 1) {
        const life = await live({ call, number, fault })
        const told = (what: string) => wrong.push(`${call} ${number} of ${calls}: ${what}`)
        for (const what of life.wrong) told(what)
        refused += life.failures
        if (!isDeepStrictEqual(life.directives, faultless.directives)) told(`answers ${JSON.stringify(life.directives)}`)
        if (!isDeepStrictEqual(withoutAttaches(life.types), withoutAttaches(faultless.types)))
          told(`records ${life.types.join()}`)
      }
      console.log(`note: ${call} ${fault}: ${calls} calls, ${refused} hooks refused`)
      assert.equal(wrong, [])
      if (call === 'write') assert.ok(refused >= calls, 'a write that fails is always told')
    })
  }
}

test('row P66: a write that cannot be recorded is refused in block mode, with the reason, and goes on in observe; once the store is well it is judged late', async () => {
  for (const [modes, answer] of [
    [{ provenance: 'block', capability: 'observe' }, 'block'],
    [{ provenance: 'observe', capability: 'observe' }, undefined],
  ] as const) {
    for (const [content, verdict] of [
      [bareClaim, 'would_block no_quote'],
      [backedClaim, 'pass this-session'],
    ] as const) {
      const { house, store } = await houseOverFaults(gateCatalog)
      house.modes = modes
      await house.send(typedIn(friday))
      const call = memoryAdd(content)
      store.failAt = { call: 'write', number: store.counts.write + 1, fault: 'fails' }
      store.watched = true
      await rejectsWithCode(house.send(call), 'STORE_WRITE_FAILED')
      store.watched = false
      // What whoever asked us says then: no verdict stands that is not on disk.
      const directive = unrecordedAnswer(call, modes)
      assert.is('action' in directive ? directive.action : undefined, answer)
      if ('message' in directive) assert.match(directive.message, /could not record this call/)
      await house.restart()
      assert.equal(await house.entries('claim.judged'), [])
      assert.equal(await house.send(call, { late: true }), {})
      assert.equal(await verdictsOf(house), [verdict])
      await house.home.close()
    }
  }
})

test('row P67: a store whose words cannot be read leaves every claim unchecked: refused in block mode, and told apart from one that nobody backs', async () => {
  for (const [modes, verdict] of [
    [{ provenance: 'block', capability: 'observe' }, 'blocked'],
    [{ provenance: 'observe', capability: 'observe' }, 'would_block'],
  ] as const) {
    const { house, store } = await houseOverFaults(gateCatalog)
    house.modes = modes
    await house.send(typedIn(friday))
    // The first looks for who sent the session, the second for what was typed.
    store.failAt = { call: 'range', number: store.counts.range + 2, fault: 'fails' }
    store.watched = true
    const directive = await house.send(memoryAdd(backedClaim))
    store.watched = false
    assert.is('action' in directive, verdict === 'blocked')
    if ('message' in directive) assert.match(directive.message, /whether they did cannot be checked/)
    // Well again, it is read again.
    assert.equal(await house.send(memoryAdd(backedClaim)), {})
    assert.equal(await verdictsOf(house), [`${verdict} words_unavailable`, 'pass this-session'])
    await house.home.close()
  }
})

test.run()
