// Tries stores whose tables are sound and such whose tables are not what was written, whatever LevelDB itself makes of them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openStore } from '../../src/ledger/store.js'
import { storeTrial } from '../../src/ledger/store-trial.js'
import { makeRandom } from '../support/seeded-random.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const random = makeRandom(31)
/** Bytes that do not shrink, so that they stand in the table as they are. */
const value = Uint8Array.from({ length: 3000 }, () => random.int(256))

/** A store with one table, and the path of that table. */
async function storeOfOneTable(): Promise<{ folder: string; table: string }> {
  const folder = join(temporaryFolder(), 'store')
  const store = await openStore(folder, { create: true })
  for (let at = 1; at < 10; at += 1) await store.write([{ key: Uint8Array.of(at), value }])
  await store.compact({ from: Uint8Array.of(0), to: Uint8Array.of(255) })
  await store.close()
  const tables = readdirSync(folder).filter((name) => name.endsWith('.ldb'))
  assert.is(tables.length, 1)
  return { folder, table: join(folder, tables[0] ?? '') }
}

test('a store whose tables are sound can be lived with, whatever its rows say', async () => {
  const { folder } = await storeOfOneTable()
  assert.ok(await storeTrial(folder))
})

test('one flipped bit of a value is enough to say no, though LevelDB reads it without a word', async () => {
  const { folder, table } = await storeOfOneTable()
  const bytes = readFileSync(table)
  const place = bytes.indexOf(value)
  assert.ok(place > 0, 'the value stands in the table as it is')
  bytes[place + 1500] = (bytes[place + 1500] ?? 0) ^ 4
  writeFileSync(table, bytes)
  const store = await openStore(folder)
  const first = await store.get(Uint8Array.of(1))
  await store.close()
  assert.is(first?.length, value.length)
  assert.not.equal(first, value)
  assert.not.ok(await storeTrial(folder))
})

test('a folder without a store cannot be lived with', async () => {
  assert.not.ok(await storeTrial(temporaryFolder()))
})

test.run()
