// What every store must do, as tests that take a factory: the one on disk and the one in memory both pass them.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RangeOptions, Row, Store } from '../../src/ledger/store.js'
import { makeRandom } from '../support/seeded-random.js'

/** A suite over stores that a factory makes, each new and empty; the caller runs it. */
export function storeContract(name: string, makeStore: () => Promise<Store>) {
  const contract = suite(`the store ${name}`)

  const withStore = async (task: (store: Store) => Promise<void>): Promise<void> => {
    const store = await makeStore()
    try {
      await task(store)
    } finally {
      await store.close()
    }
  }

  contract('gives back the bytes that were put, and nothing for a key that was not', () =>
    withStore(async (store) => {
      const value = Uint8Array.of(0, 255, 10, 13, 0)
      await store.write([{ key: Uint8Array.of(104, 0, 255), value }])
      assert.is(hex(await store.get(Uint8Array.of(104, 0, 255))), '00ff0a0d00')
      assert.is(await store.get(Uint8Array.of(104, 0)), undefined)
      assert.is(await store.get(Uint8Array.of(104, 0, 255, 0)), undefined)
    }),
  )

  contract('keeps an empty value apart from none', () =>
    withStore(async (store) => {
      await store.write([row('s1', '')])
      assert.is((await store.get(bytes('s1')))?.length, 0)
      assert.is(await store.get(bytes('s2')), undefined)
    }),
  )

  contract('gives many values in the order of their keys, with holes', () =>
    withStore(async (store) => {
      await store.write([row('a', '1'), row('b', '2'), row('c', '3')])
      assert.equal(store.getNow(bytes('x')), undefined)
      assert.equal(Buffer.from(store.getNow(bytes('a')) ?? []), Buffer.from((await store.get(bytes('a'))) ?? []))
      const values = await store.getMany([bytes('c'), bytes('x'), bytes('a'), bytes('c')])
      assert.equal(values.map(text), ['3', undefined, '1', '3'])
      assert.equal(await store.getMany([]), [])
    }),
  )

  contract('replaces the value of a key that is put again', () =>
    withStore(async (store) => {
      await store.write([row('a', 'old')])
      await store.write([row('a', 'new')])
      assert.is(text(await store.get(bytes('a'))), 'new')
    }),
  )

  contract('does deletes before puts within one write', () =>
    withStore(async (store) => {
      await store.write([row('a', '1'), row('b', '1')])
      await store.write([row('a', '2')], [bytes('a'), bytes('b'), bytes('never-there')])
      assert.is(text(await store.get(bytes('a'))), '2')
      assert.is(await store.get(bytes('b')), undefined)
    }),
  )

  contract('takes a write that brings nothing', () =>
    withStore(async (store) => {
      await store.write([])
      await store.write([], [])
      assert.equal(await keysOf(store, { from: bytes('\0'), to: Uint8Array.of(255) }), [])
    }),
  )

  contract('ranges over keys as bytes, first key included, last excluded', () =>
    withStore(async (store) => {
      const keys = [[0x68], [0x68, 0x00], [0x68, 0x7f], [0x68, 0x80], [0x68, 0xff, 0xff], [0x69], [0x67, 0xff]]
      await store.write(keys.map((key) => ({ key: Uint8Array.from(key), value: Uint8Array.of(1) })))
      const all = { from: Uint8Array.of(0x68), to: Uint8Array.of(0x69) }
      assert.equal(await keysOf(store, all), ['68', '6800', '687f', '6880', '68ffff'])
      assert.equal(await keysOf(store, { ...all, reverse: true }), ['68ffff', '6880', '687f', '6800', '68'])
      assert.equal(await keysOf(store, { ...all, limit: 2 }), ['68', '6800'])
      assert.equal(await keysOf(store, { ...all, reverse: true, limit: 1 }), ['68ffff'])
      assert.equal(await keysOf(store, { from: Uint8Array.of(0x68, 0x01), to: Uint8Array.of(0x68, 0x80) }), ['687f'])
      assert.equal(await keysOf(store, { from: Uint8Array.of(0x70), to: Uint8Array.of(0x71) }), [])
    }),
  )

  contract('ranges over more rows than fit one chunk, each once and in order', () =>
    withStore(async (store) => {
      const rows = Array.from({ length: 2500 }, (_, at) => row(`h${String(at).padStart(6, '0')}`, `${at}`))
      await store.write(rows)
      const found: string[] = []
      for await (const chunk of store.range({ from: bytes('h'), to: bytes('i') })) {
        for (const { value } of chunk) found.push(String(text(value)))
      }
      assert.equal(
        found,
        Array.from({ length: 2500 }, (_, at) => `${at}`),
      )
    }),
  )

  contract('lets a reader leave a range early and goes on working', () =>
    withStore(async (store) => {
      await store.write(Array.from({ length: 300 }, (_, at) => row(`h${String(at).padStart(4, '0')}`, 'x')))
      for await (const chunk of store.range({ from: bytes('h'), to: bytes('i') })) {
        assert.ok(chunk.length > 0)
        break
      }
      await store.write([row('h0000', 'y')])
      assert.is(text(await store.get(bytes('h0000'))), 'y')
    }),
  )

  contract('ranges over what was there when reading began, whatever is written meanwhile', () =>
    withStore(async (store) => {
      await store.write(Array.from({ length: 1500 }, (_, at) => row(`h${String(at).padStart(4, '0')}`, 'old')))
      const values = new Set<string | undefined>()
      let count = 0
      for await (const chunk of store.range({ from: bytes('h'), to: bytes('i') })) {
        if (count === 0) await store.write([row('h1499', 'new'), row('h2000', 'new')], [bytes('h1498')])
        count += chunk.length
        for (const { value } of chunk) values.add(text(value))
      }
      assert.is(count, 1500)
      assert.equal([...values], ['old'])
    }),
  )

  contract('does not change what it holds when a caller changes the bytes it gave', () =>
    withStore(async (store) => {
      const key = bytes('a')
      const value = bytes('value')
      await store.write([{ key, value }])
      value.fill(0)
      key.fill(0)
      assert.is(text(await store.get(bytes('a'))), 'value')
    }),
  )

  contract('takes writes that run at the same time, each whole', () =>
    withStore(async (store) => {
      await Promise.all(Array.from({ length: 20 }, (_, at) => store.write([row(`a${at}`, 'x'), row(`b${at}`, 'x')])))
      assert.is((await keysOf(store, { from: bytes('a'), to: bytes('c') })).length, 40)
    }),
  )

  contract('takes a write that need not be on disk at once, and shows it all the same', () =>
    withStore(async (store) => {
      await store.write([row('a', '1'), row('b', '1')])
      await store.write([row('a', '2')], [bytes('b')], { sync: false })
      assert.is(text(await store.get(bytes('a'))), '2')
      assert.is(await store.get(bytes('b')), undefined)
    }),
  )

  contract('shows the same rows after a range was compacted, in it and beside it', () =>
    withStore(async (store) => {
      await store.write(Array.from({ length: 500 }, (_, at) => row(`h${String(at).padStart(4, '0')}`, `${at}`)))
      await store.write([row('h0100', 'new')], [bytes('h0200')])
      const all = { from: bytes('h'), to: bytes('i') }
      const before = await rowsOf(store, all)
      await store.compact({ from: bytes('h0050'), to: bytes('h0300') })
      await store.compact({ from: bytes('x'), to: bytes('y') })
      assert.equal(await rowsOf(store, all), before)
      assert.is(before.length, 499)
    }),
  )

  contract('is drained at once where nothing is being read', () =>
    withStore(async (store) => {
      await store.write([row('h1', 'x')])
      await store.drained()
      await keysOf(store, { from: bytes('h'), to: bytes('i') })
      for await (const _ of store.range({ from: bytes('h'), to: bytes('i') })) break
      // Asked for, but never begun.
      store.range({ from: bytes('h'), to: bytes('i') })
      await store.drained()
    }),
  )

  contract('is drained when the ranges that were being read have ended, whatever began since', () =>
    withStore(async (store) => {
      await store.write(Array.from({ length: 2500 }, (_, at) => row(`h${String(at).padStart(4, '0')}`, 'x')))
      const begin = async () => {
        const reader = store.range({ from: bytes('h'), to: bytes('i') })[Symbol.asyncIterator]()
        await reader.next()
        return reader
      }
      const ended: string[] = []
      const [one, other] = [await begin(), await begin()]
      const drained = store.drained().then(() => ended.push('drained'))
      const later = await begin()
      ended.push('one ends')
      await one.return?.()
      await store.get(bytes('h0000'))
      ended.push('other ends')
      for (let rows = await other.next(); rows.done !== true; rows = await other.next());
      await drained
      assert.equal(ended, ['one ends', 'other ends', 'drained'])
      await later.return?.()
      await store.drained()
    }),
  )

  contract('says about how many bytes a range takes, and nothing of what is outside of it', () =>
    withStore(async (store) => {
      // More than a store keeps in its log before it makes a table of it.
      const random = makeRandom(7)
      for (let at = 0; at < 12; at += 1)
        await store.write([{ key: bytes(`w${String(at).padStart(2, '0')}`), value: Buffer.from(random.hex(1024 * 1024), 'hex') }])
      const all = await store.approximate({ from: bytes('w'), to: bytes('x') })
      const mib = 1024 * 1024
      assert.ok(all >= 3 * mib && all <= 13 * mib, `${all} bytes of twelve MiB`)
      assert.equal(await store.approximate({ from: bytes('x'), to: bytes('y') }), 0)
      assert.equal(await store.approximate({ from: bytes('a'), to: bytes('b') }), 0)
    }),
  )

  return contract
}

function bytes(of: string): Buffer {
  return Buffer.from(of, 'latin1')
}

function row(key: string, value: string): Row {
  return { key: bytes(key), value: bytes(value) }
}

function text(value: Uint8Array | undefined): string | undefined {
  return value === undefined ? undefined : Buffer.from(value).toString()
}

function hex(value: Uint8Array | undefined): string | undefined {
  return value === undefined ? undefined : Buffer.from(value).toString('hex')
}

async function keysOf(store: Store, options: RangeOptions): Promise<(string | undefined)[]> {
  const keys: (string | undefined)[] = []
  for await (const chunk of store.range(options)) for (const { key } of chunk) keys.push(hex(key))
  return keys
}

async function rowsOf(store: Store, options: RangeOptions): Promise<string[]> {
  const rows: string[] = []
  for await (const chunk of store.range(options)) for (const { key, value } of chunk) rows.push(`${hex(key)}=${hex(value)}`)
  return rows
}
