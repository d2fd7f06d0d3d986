// The bytes of each kind of rows, over a store whose rows are counted by hand.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  checkpointKey,
  dedupeKey,
  headerKey,
  metaKey,
  payloadKey,
  sessionKey,
  treeKey,
  wordsKey,
} from '../../src/ledger/row-keys.js'
import { rowSizes } from '../../src/ledger/row-sizes.js'
import { memoryStore } from '../support/memory-store.js'
import { message, temporaryLedger } from '../support/temporary-ledger.js'

const test = suite('row sizes')

test('each kind is the keys and values of its own rows', async () => {
  const value = (bytes: number): Uint8Array => new Uint8Array(bytes)
  const store = memoryStore([
    { key: headerKey(0), value: value(100) },
    { key: headerKey(1), value: value(100) },
    { key: payloadKey(0), value: value(50) },
    { key: wordsKey(0), value: value(1000) },
    { key: treeKey(0, 0), value: value(32) },
    { key: sessionKey('s0011223344556677', 0), value: value(0) },
    { key: dedupeKey('0'.repeat(64)), value: value(7) },
    { key: checkpointKey(0, 1), value: value(200) },
    { key: metaKey('size'), value: value(5000) },
  ])
  // A number in a key is 8 bytes behind the tag, a handle 8, a digest 32.
  assert.equal(await rowSizes(store), {
    headers: 2 * 109,
    facts: 59,
    words: 1009,
    tree: 17 + 32,
    indexes: 17 + 33 + 7,
    checkpoints: 17 + 200,
  })
})

test('of a real ledger long words are most of what there is', async () => {
  const { ledger, close } = await temporaryLedger()
  try {
    // What is not compressible, and more than LevelDB keeps in its log before it makes a table.
    const text = Array.from({ length: 1000 }, (_, at) => ledger.digest('text', `${at}`)).join('')
    for (let at = 0; at < 200; at += 1) await ledger.append([message(`${at} ${ledger.digest('text', `b${at}`)} ${text}`)])
    const { words, headers, facts } = await ledger.rowSizes()
    assert.ok(words > 1024 * 1024, `words ${words}`)
    assert.ok(words > 10 * (headers + facts), `${words} over ${headers} and ${facts}`)
  } finally {
    await close()
  }
})

test.run()
