// Holds both stores to one contract, and the one on disk to what a ledger needs of it: its lock, its refusals, and rows that any reader can follow.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Level } from 'level'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openStore } from '../../src/ledger/store.js'
import { storeContract } from '../contracts/store-contract.js'
import { memoryStore } from '../support/memory-store.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { message, sessionStarted, temporaryLedger, turnEnded, withFullDisk } from '../support/temporary-ledger.js'

const newFolder = (): string => join(temporaryFolder(), 'store')

storeContract('in memory', async () => memoryStore()).run()
storeContract('on disk', () => openStore(newFolder(), { create: true })).run()

test('rows are there again after a store was closed and opened', async () => {
  const folder = newFolder()
  const store = await openStore(folder, { create: true })
  await store.write([{ key: Buffer.from('a'), value: Buffer.from('1') }])
  await store.close()
  const again = await openStore(folder)
  assert.is(Buffer.from((await again.get(Buffer.from('a'))) ?? []).toString(), '1')
  await again.close()
})

test('whoever shares a store of this process reads what the owner writes, and neither takes it from the owner nor keeps it open', async () => {
  const folder = newFolder()
  const store = await openStore(folder, { create: true })
  const sharing = await openStore(folder, { shared: true })
  await store.write([{ key: Buffer.from('a'), value: Buffer.from('1') }])
  assert.is(Buffer.from((await sharing.get(Buffer.from('a'))) ?? []).toString(), '1')
  await rejectsWithCode(openStore(folder), 'STORE_LOCKED')
  await sharing.close()
  await rejectsWithCode(openStore(folder), 'STORE_LOCKED')
  await store.write([{ key: Buffer.from('b'), value: Buffer.from('2') }])
  await store.close()
  const again = await openStore(folder)
  assert.is(Buffer.from((await again.get(Buffer.from('b'))) ?? []).toString(), '2')
  await again.close()
})

test('a second opener is told that the store is locked, and the first goes on', async () => {
  const folder = newFolder()
  const store = await openStore(folder, { create: true })
  await rejectsWithCode(openStore(folder), 'STORE_LOCKED')
  await store.write([{ key: Buffer.from('a'), value: Buffer.from('1') }])
  await store.close()
  await (await openStore(folder)).close()
})

test('a store that is not there is refused and never comes up empty, unless it is to be made', async () => {
  const folder = newFolder()
  await rejectsWithCode(openStore(folder), 'STORE_UNREADABLE')
  assert.not(existsSync(join(folder, 'CURRENT')))
  await (await openStore(folder, { create: true })).close()
  rmSync(join(folder, 'CURRENT'))
  await rejectsWithCode(openStore(folder), 'STORE_UNREADABLE')
  assert.not(existsSync(join(folder, 'CURRENT')), 'it made no new one')
})

test('making a store where one is already is refused', async () => {
  const folder = newFolder()
  const store = await openStore(folder, { create: true })
  await store.write([{ key: Buffer.from('a'), value: Buffer.from('1') }])
  await store.close()
  await rejectsWithCode(openStore(folder, { create: true }), 'STORE_UNREADABLE')
  const again = await openStore(folder)
  assert.ok(await again.get(Buffer.from('a')))
  await again.close()
})

test('a store whose CURRENT names nothing is unreadable', async () => {
  const folder = newFolder()
  await (await openStore(folder, { create: true })).close()
  writeFileSync(join(folder, 'CURRENT'), 'MANIFEST-009999\n')
  await rejectsWithCode(openStore(folder), 'STORE_UNREADABLE')
})

test('a write that the disk does not take says so, and nothing of it is there afterwards', async () => {
  const folder = newFolder()
  const store = await openStore(folder, { create: true })
  await store.write([{ key: Buffer.from('a'), value: Buffer.from('1') }])
  const possible = await withFullDisk(8192, async () => {
    const large = { key: Buffer.from('c'), value: Buffer.alloc(50_000, 'x') }
    await rejectsWithCode(store.write([{ key: Buffer.from('b'), value: Buffer.from('1') }, large]), 'STORE_WRITE_FAILED')
  })
  await store.close()
  if (!possible) return
  const again = await openStore(folder)
  assert.ok(await again.get(Buffer.from('a')))
  assert.equal(await again.getMany([Buffer.from('b'), Buffer.from('c')]), [undefined, undefined])
  await again.close()
})

test('row D5: the raw keys of a ledger, read with level alone, give the chain by the rules of the format page', async () => {
  const home = await temporaryLedger({ seed: 5 })
  const handle = await home.ledger.sessionHandle('host-session-1')
  await home.ledger.append([sessionStarted(handle, 'host-session-1')])
  for (let turn = 1; turn <= 6; turn += 1) {
    home.world.advance(1234)
    await home.ledger.append([message(`I decided number ${turn}: ja, 好, 😀`, handle), turnEnded(turn, handle)])
  }
  await home.ledger.forget([[2, 2]], { by: 'owner', reason: 'a test' })
  await home.close()
  const rows = await readRaw(home.files.store)

  const ledgerId = textOf(rows, 'mledger')
  const size = Number(textOf(rows, 'msize'))
  // created, session.started, six pairs, payload.erased.
  assert.is(size, 1 + 1 + 12 + 1)
  assert.match(ledgerId, /^[0-9a-f]{32}$/)
  assert.is(textOf(rows, 'mepoch'), '0')
  const tagged = (tag: string): string[] => [...rows.keys()].filter((key) => key.startsWith(Buffer.from(tag).toString('hex')))
  assert.is(tagged('h').length, size)
  assert.is(tagged('p').length, size)

  let prev = '0'.repeat(64)
  const leaves: Buffer[] = []
  for (let index = 0; index < size; index += 1) {
    const bytes = rowAt(rows, 'h', index)
    const header = JSON.parse(bytes.toString()) as Record<string, string | number>
    assert.equal(
      Object.keys(header),
      'epoch index ledger payload prev session time type v version'.split(' '),
      'the ten members, in canonical order',
    )
    assert.is(bytes.toString(), JSON.stringify(header), 'without blanks')
    assert.is(header['v'], 1)
    assert.is(header['index'], index)
    assert.is(header['ledger'], ledgerId)
    assert.is(header['prev'], prev)
    const hash = sha256(Buffer.of(0), bytes)
    assert.is(rowAt(rows, 't', 0, index).toString('hex'), hash.toString('hex'))
    leaves.push(hash)
    prev = hash.toString('hex')

    const payload = rowAt(rows, 'p', index).toString()
    assert.is(sha256('stele/payload/v1\n', payload.slice(0, 32), '\n', payload.slice(32)).toString('hex'), header['payload'])
    const committed = (JSON.parse(payload.slice(32)) as { words?: string }).words
    const words = rows.get(keyHex('w', index))?.toString()
    if (index === 2) assert.is(words, undefined, 'forgotten')
    else assert.is(words === undefined, committed === undefined)
    if (words !== undefined)
      assert.is(sha256('stele/words/v1\n', words.slice(0, 32), '\n', words.slice(32)).toString('hex'), committed)
    const session = String(header['session'])
    if (session !== '') {
      const key = Buffer.concat([Buffer.from('s'), Buffer.from(session.slice(1), 'hex'), bytes8(index)]).toString('hex')
      assert.is(rows.get(key)?.length, 0, 'its row from the session, with an empty value')
    }
  }
  assert.is(textOf(rows, 'mhead'), prev)

  const note = rowAt(rows, 'c', 0, size).toString()
  const root = treeRoot(leaves).toString('base64')
  assert.ok(note.startsWith(`stele.local/${ledgerId}\n${size}\n${root}\n\n— stele.local/${ledgerId} `))
  const created = JSON.parse(rowAt(rows, 'p', 0).toString().slice(32)) as { vkey: string; ledger: string; format: number }
  assert.is(created.ledger, ledgerId)
  assert.is(created.format, 1)
  const signature = Buffer.from(note.slice(note.lastIndexOf(' ') + 1, -1), 'base64')
  const publicKey = Buffer.from(created.vkey.split('+').slice(2).join('+'), 'base64').subarray(1)
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') },
    format: 'jwk',
  })
  const signed = note.slice(0, note.lastIndexOf('\n\n') + 1)
  assert.ok(verify(null, Buffer.from(signed), key, signature.subarray(4)))
  assert.is(
    signature.subarray(0, 4).toString('hex'),
    sha256(`stele.local/${ledgerId}\n`, Buffer.of(1), publicKey).toString('hex').slice(0, 8),
  )

  const mark = readFileSync(home.files.highWater)
  const said = Buffer.concat([Buffer.from('STELEHW1'), bytes8(0), bytes8(size), Buffer.from(prev, 'hex')])
  assert.is(mark.toString('hex'), Buffer.concat([said, sha256(said).subarray(0, 8)]).toString('hex'))
})

async function readRaw(folder: string): Promise<Map<string, Buffer>> {
  const db = new Level<Buffer, Buffer>(folder, { createIfMissing: false, keyEncoding: 'buffer', valueEncoding: 'buffer' })
  const rows = new Map<string, Buffer>()
  for await (const [key, value] of db.iterator()) rows.set(key.toString('hex'), value)
  await db.close()
  return rows
}

function keyHex(tag: string, ...numbers: readonly number[]): string {
  return Buffer.concat([Buffer.from(tag), ...numbers.map(bytes8)]).toString('hex')
}

function rowAt(rows: ReadonlyMap<string, Buffer>, tag: string, ...numbers: readonly number[]): Buffer {
  const value = rows.get(keyHex(tag, ...numbers))
  assert.ok(value, `a row ${tag} ${numbers.join(' ')}`)
  return value ?? Buffer.alloc(0)
}

function textOf(rows: ReadonlyMap<string, Buffer>, key: string): string {
  return rows.get(Buffer.from(key).toString('hex'))?.toString() ?? ''
}

function bytes8(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

function sha256(...parts: (Buffer | string)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function treeRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0] as Buffer
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return sha256(Buffer.of(1), treeRoot(leaves.slice(0, split)), treeRoot(leaves.slice(split)))
}

test.run()
