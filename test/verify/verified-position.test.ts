// The position that a quick verification goes on from is believed only as this version of Stele wrote it, with this home's key.

import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadVerifiedPosition, saveVerifiedPosition } from '../../src/verify/verified-position.js'
import { verifyStore } from '../../src/verify/verify-ledger.js'
import { soundStore, writeStore } from '../support/corrupt-store.js'
import { referenceLedgerOf } from '../support/corruption-cases.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('verified position')
const secret = Buffer.alloc(32, 7)
const file = join(temporaryFolder(), 'verified')

async function somePosition() {
  const { rows, checkpointsText } = soundStore(referenceLedgerOf(1))
  const store = join(temporaryFolder(), 'store')
  await writeStore(store, rows)
  const { position } = await verifyStore({ store, marks: [], checkpointsText })
  if (position === undefined) throw new Error('a sound store gives a position')
  return position
}

test('a position comes back as it was saved', async () => {
  const position = await somePosition()
  saveVerifiedPosition(file, position, secret)
  assert.equal(loadVerifiedPosition(file, secret), position)
})

test('a position under another key, with a changed byte, or from nowhere is none', async () => {
  saveVerifiedPosition(file, await somePosition(), secret)
  assert.is(loadVerifiedPosition(file, Buffer.alloc(32, 8)), undefined)
  assert.is(loadVerifiedPosition(`${file}.none`, secret), undefined)
  writeFileSync(file, readFileSync(file, 'utf8').replace('size', 'Size'))
  assert.is(loadVerifiedPosition(file, secret), undefined)
})

test('a position that an earlier version wrote in another shape is none, though its MAC holds', () => {
  const position = JSON.stringify({ ledger: '0'.repeat(32), size: 3, epoch: 0, head: '', time: '', edge: [], keys: {} })
  for (const label of ['stele/verified/v1', 'stele/verified/v2']) {
    const mac = createHmac('sha256', secret).update(`${label}\n${position}`).digest('hex')
    writeFileSync(file, JSON.stringify({ position, mac }))
    assert.is(loadVerifiedPosition(file, secret), undefined, label)
  }
})

test.run()
