// Each call of the store and of the files beside it fails in both ways: "not stored", and "stored, but we were told no".
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SteleError } from '../../src/foundation/stele-error.js'
import { type Anchor, mirrorAnchor } from '../../src/ledger/anchor.js'
import { readSigningKey } from '../../src/ledger/checkpoint.js'
import { CheckpointKeeper } from '../../src/ledger/checkpoint-keeper.js'
import { openHighWater } from '../../src/ledger/high-water.js'
import { homeFiles, readDigestKey, readKeyPem } from '../../src/ledger/home-files.js'
import { watchHome } from '../../src/ledger/home-watch.js'
import { Ledger } from '../../src/ledger/ledger.js'
import { createLedger, type LedgerSettings, openLedger } from '../../src/ledger/open-ledger.js'
import type { RedactedEvent } from '../../src/ledger/redacted-event.js'
import { openStore, type Store } from '../../src/ledger/store.js'
import { systemWorld } from '../../src/ledger/system-world.js'
import { walkTail } from '../../src/ledger/tail-walk.js'
import { asRedacted } from '../support/as-redacted.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('store faults')
const settings: LedgerSettings = {
  origin: 'stele.local',
  anchors: [],
  markMirror: undefined,
  world: systemWorld(),
  program: 'faults',
}
const digest = 'ab'.repeat(32)

const message = (text: string): RedactedEvent =>
  asRedacted({
    type: 'message.captured',
    facts: { turn: 1, platform: 'cli', characters: text.length, digest, source: 'unattested' },
    words: { text },
  })

type Fault = 'not stored' | 'stored, but told no'

/** A store whose next write, or next read, fails once it is armed. */
function faulty(store: Store): Store & { arm(call: 'write' | 'get', fault: Fault): void } {
  let armed: { call: 'write' | 'get'; fault: Fault } | undefined
  const take = (call: 'write' | 'get') => {
    if (armed?.call !== call) return undefined
    const { fault } = armed
    armed = undefined
    return fault
  }
  return {
    ...store,
    arm: (call, fault) => {
      armed = { call, fault }
    },
    get: async (key) => {
      if (take('get') !== undefined) throw new SteleError('STORE_UNREADABLE', { reason: 'a fault of the test' })
      return store.get(key)
    },
    getNow: (key) => {
      if (take('get') !== undefined) throw new SteleError('STORE_UNREADABLE', { reason: 'a fault of the test' })
      return store.getNow(key)
    },
    write: async (puts, deletes) => {
      const fault = take('write')
      if (fault !== 'not stored') await store.write(puts, deletes)
      if (fault !== undefined) throw new SteleError('STORE_WRITE_FAILED')
    },
  }
}

/** A ledger over a faulty store, put together as `openLedger` does. */
async function openFaulty(anchors: readonly Anchor[] = []) {
  const files = homeFiles(join(temporaryFolder(), 'home'))
  await (await createLedger(files, settings)).ledger.close()
  const store = faulty(await openStore(files.store))
  const key = readSigningKey(readKeyPem(files))
  const { state, checkpointSize } = await walkTail(store, { marks: [], lastCheckpoint: undefined, logBytes: 0, key })
  const ledger = new Ledger({
    store,
    state,
    digestKey: readDigestKey(files),
    world: settings.world,
    marks: [openHighWater(files.highWater)],
    watch: watchHome(files),
    keeper: new CheckpointKeeper({ store, key, origin: settings.origin, file: files.checkpoints, anchors, size: checkpointSize }),
  })
  return { files, store, ledger }
}

async function textsOf(files: ReturnType<typeof homeFiles>): Promise<unknown[]> {
  const ledger = await openLedger(files, settings)
  const texts: unknown[] = []
  for await (const { header, words } of ledger.reader.entries())
    if (header.type === 'message.captured') texts.push(words?.['text'])
  await ledger.close()
  return texts
}

test('an append whose write fails is refused, and so is everything after it, until the ledger is opened again', async () => {
  const { files, store, ledger } = await openFaulty()
  await ledger.append([message('before')])
  store.arm('write', 'not stored')
  await rejectsWithCode(ledger.append([message('lost')]), 'STORE_WRITE_FAILED')
  await rejectsWithCode(ledger.append([message('after')]), 'STORE_WRITE_FAILED')
  await rejectsWithCode(ledger.close(), 'STORE_WRITE_FAILED')
  assert.equal(await textsOf(files), ['before'])
})

test('an append that was stored though we were told no is there after opening, and its retry is a duplicate', async () => {
  const { files, store, ledger } = await openFaulty()
  store.arm('write', 'stored, but told no')
  await rejectsWithCode(ledger.append([message('unsure')], { dedupe: digest }), 'STORE_WRITE_FAILED')
  await rejectsWithCode(ledger.close(), 'STORE_WRITE_FAILED')
  const again = await openLedger(files, settings)
  assert.equal(await again.append([message('unsure')], { dedupe: digest }), { index: 1, duplicate: true })
  await again.close()
  assert.equal(await textsOf(files), ['unsure'])
})

test('an append that was not stored is added by its retry', async () => {
  const { files, store, ledger } = await openFaulty()
  store.arm('write', 'not stored')
  await rejectsWithCode(ledger.append([message('unsure')], { dedupe: digest }), 'STORE_WRITE_FAILED')
  await rejectsWithCode(ledger.close(), 'STORE_WRITE_FAILED')
  const again = await openLedger(files, settings)
  assert.equal(await again.append([message('unsure')], { dedupe: digest }), { index: 1, duplicate: false })
  await again.close()
})

for (const fault of ['not stored', 'stored, but told no'] as const) {
  test(`a checkpoint whose write fails (${fault}) ends the ledger and loses no entry`, async () => {
    const { files, store, ledger } = await openFaulty()
    await ledger.append([message('kept')])
    store.arm('write', fault)
    await rejectsWithCode(ledger.checkpoint(), 'STORE_WRITE_FAILED')
    await rejectsWithCode(ledger.close(), 'STORE_WRITE_FAILED')
    assert.equal(await textsOf(files), ['kept'])
  })
}

test('a read that fails before anything was written refuses that append alone', async () => {
  const { files, store, ledger } = await openFaulty()
  store.arm('get', 'not stored')
  await rejectsWithCode(ledger.append([message('first')], { dedupe: digest }), 'STORE_UNREADABLE')
  assert.equal(await ledger.append([message('second')], { dedupe: digest }), { index: 1, duplicate: false })
  await ledger.close()
  assert.equal(await textsOf(files), ['second'])
})

test('a checkpoints.txt that cannot be written ends the ledger and loses no entry', async () => {
  const { files, ledger } = await openFaulty()
  await ledger.append([message('kept')])
  rmSync(files.checkpoints)
  mkdirSync(files.checkpoints)
  await rejectsWithCode(ledger.checkpoint(), 'FILE_UNWRITABLE')
  await rejectsWithCode(ledger.close(), 'FILE_UNWRITABLE')
  rmSync(files.checkpoints, { recursive: true })
  assert.equal(await textsOf(files), ['kept'])
})

test('an anchor that does not take its copy is told, and the ledger goes on', async () => {
  const { ledger } = await openFaulty([mirrorAnchor(join(temporaryFolder(), 'no such folder', 'mirror.txt'))])
  await ledger.append([message('kept')])
  const made = await ledger.checkpoint()
  assert.equal(made?.anchors, [{ name: 'mirror', taken: false }])
  await ledger.append([message('more')])
  await ledger.close()
})

test.run()
