// Holds receipts to the C2SP tlog-proof form and to the vector made by another program, and lets none pass that was tampered with.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot } from '../../scripts/project-tree.js'
import { openLedger, reanchorLedger } from '../../src/ledger/open-ledger.js'
import { readHome } from '../../src/ledger/read-home.js'
import { makeReceipt } from '../../src/ledger/receipt.js'
import { parseVkey } from '../../src/verify/verify-checkpoint.js'
import { parseReceipt, type Receipt, rootFromInclusion, verifyConsistency, verifyProof } from '../../src/verify/verify-proof.js'
import {
  canonical,
  checkpointNote,
  firstVkey,
  headerHash,
  leavesOf,
  livingCheckpoints,
  makeKey,
  makeReferenceLedger,
  payloadCommitment,
  rootOf,
  signatureLine,
  vkeyOf,
} from '../support/reference-ledger.js'
import { referencePath } from '../support/reference-tree.js'
import { rejectsWithCode, throwsWithCode } from '../support/rejects-with-code.js'
import { makeRandom } from '../support/seeded-random.js'
import { message, temporaryLedger, turnEnded } from '../support/temporary-ledger.js'

const vectors = join(projectRoot, 'test/fixtures/vectors')
const vectorVkey = 'stele.local/000102030405060708090a0b0c0d0e0f+84cb1e05+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'
const vectorReceipt = readFileSync(join(vectors, 'proof-4.txt'), 'utf8')
const vectorEntries = readFileSync(join(vectors, 'ledger-v1.jsonl'), 'utf8')
  .split('\n')
  .slice(0, 6)
  .map((line) => JSON.parse(line) as { salt: string; raw: { header: string; payload: string } })
const besideOf = (index: number) => {
  const { salt, raw } = vectorEntries[index] ?? { salt: '', raw: { header: '', payload: '' } }
  return { header: raw.header, salt, payload: raw.payload }
}
const signer = makeKey(Buffer.from(Array.from({ length: 32 }, (_, at) => at)))
const vectorKey = parseVkey(vectorVkey)

/** Receipts of a small real ledger, each with its vkey. */
async function realReceipts(): Promise<{ vkey: string; receipts: string[] }> {
  const home = await temporaryLedger({ seed: 8 })
  for (let at = 0; at < 6; at += 1) await home.ledger.append([message(`a message with words ${at}`), turnEnded(at)])
  const vkey = String((await home.ledger.reader.entry(0)).payload['vkey'])
  await home.close()
  const receipts = await readHome(home.files, async (reader, store) => {
    const made: string[] = []
    for (let index = 0; index < 13; index += 1) made.push(await makeReceipt(store, reader, index))
    return made
  })
  return { vkey, receipts }
}

test('the receipt vector proves entry 4 under its vkey, with the entry beside it', () => {
  const receipt = parseReceipt(vectorReceipt)
  assert.is(receipt.index, 4)
  assert.is(receipt.extra, undefined)
  assert.equal(
    receipt.proof.map((hash) => hash.toString('base64')),
    ['i02ngUu9hQ9SrBRzN9b6Bj7YYidjydaCrsp2SiRuoyU=', 'LH9jlZIEuDuk9SELwAHmND+XfmH0CTP4rrIoquyJ/5Q='],
  )
  const verdict = verifyProof(receipt, vectorKey, besideOf(4))
  assert.equal([verdict.ok, verdict.fault, verdict.index, verdict.size], [true, null, 4, 6])
  assert.is(verdict.origin, 'stele.local/000102030405060708090a0b0c0d0e0f')
  assert.is(verdict.header?.type, 'gate.decided')
  assert.equal(verdict.payload, JSON.parse(besideOf(4).payload))
})

test('the receipt vector proves it under the same public key with another name, and under no other key', () => {
  const receipt = parseReceipt(vectorReceipt)
  for (const name of ['somebody.example', 'stele.local/000102030405060708090a0b0c0d0e0f/7']) {
    assert.ok(verifyProof(receipt, parseVkey(vkeyOf(name, signer.publicKey)), besideOf(4)).ok, name)
  }
  const stranger = makeKey(Buffer.alloc(32, 1))
  for (const name of ['stele.local/000102030405060708090a0b0c0d0e0f', 'somebody.example']) {
    const verdict = verifyProof(receipt, parseVkey(vkeyOf(name, stranger.publicKey)), besideOf(4))
    assert.equal([verdict.ok, verdict.fault, verdict.header, verdict.payload], [false, 'key_unknown', null, null])
  }
})

test('each fault of a receipt has its word', () => {
  const receipt = parseReceipt(vectorReceipt)
  const entry = besideOf(4)
  const faultOf = (bent: Partial<Receipt>, beside: Partial<typeof entry> = {}) => {
    const verdict = verifyProof({ ...receipt, ...bent }, vectorKey, { ...entry, ...beside })
    assert.is(verdict.ok, verdict.fault === null)
    return verdict.fault
  }
  assert.is(faultOf({}), null)
  assert.is(verifyProof(receipt, vectorKey).fault, 'entry_needed')

  assert.is(faultOf({}, { header: entry.header.replace('{', '{ ') }), 'header_altered', 'not canonical')
  assert.is(faultOf({}, { header: entry.header.replace('"v":1', '"more":1,"v":1') }), 'header_altered', 'a member more')
  assert.is(faultOf({}, { header: 'no JSON' }), 'header_altered')
  assert.is(faultOf({}, { header: entry.header.replace('20:49:04', '20:49:05') }), 'not_included', 'another header')

  assert.is(faultOf({}, { payload: entry.payload.replace('deny', 'allow') }), 'payload_altered')
  assert.is(faultOf({}, { payload: `${entry.payload} ` }), 'payload_altered')
  assert.is(faultOf({}, { salt: '0'.repeat(32) }), 'payload_altered')

  assert.is(faultOf({}, besideOf(3)), 'index_differs')
  assert.is(faultOf({ index: 5 }), 'index_differs')

  const [first = Buffer.alloc(32), second = Buffer.alloc(32)] = receipt.proof
  for (const proof of [[second, first], [first], [first, second, second], [second], [], [Buffer.alloc(32), second]]) {
    assert.is(faultOf({ proof }), 'not_included')
  }

  const forged = parseReceipt(vectorReceipt.replace('hMseBXy78JAq', 'hMseBXy78JAr')).checkpoint
  assert.is(faultOf({ checkpoint: forged }), 'checkpoint_forged')
  const { origin } = receipt.checkpoint
  const root = Buffer.from(receipt.checkpoint.root, 'hex').toString('base64')
  const text = `${origin}\n6\n${root}\n`
  const byStranger = `${text}\n${signatureLine(text, 'a.example', makeKey(Buffer.alloc(32, 1)))}`
  assert.is(
    faultOf({ checkpoint: parseReceipt(`${vectorReceipt.slice(0, vectorReceipt.indexOf('\n\n') + 2)}${byStranger}`).checkpoint }),
    'key_unknown',
  )
})

test('a payload whose commitment holds but whose bytes are not canonical is altered', () => {
  const salt = 'ab'.repeat(16)
  const payload = '{ "turn":1}'
  const header = JSON.parse(besideOf(0).header) as Record<string, string | number>
  const text = canonical({ ...header, payload: payloadCommitment(salt, payload) })
  const leaf = Buffer.from(headerHash(text), 'hex')
  const note = checkpointNote(vectorKey.name, signer, 1, leaf.toString('hex'))
  const receipt = parseReceipt(`c2sp.org/tlog-proof@v1\nindex 0\n\n${note}`)
  assert.is(verifyProof(receipt, vectorKey, { header: text, salt, payload }).fault, 'payload_altered')
})

test('receipts made from a reference ledger by hand verify at every index and size', () => {
  const model = makeReferenceLedger({ random: makeRandom(21), size: 24, checkpointEvery: 5 })
  const key = parseVkey(firstVkey(model))
  let verified = 0
  for (const { size, text } of livingCheckpoints(model)) {
    const leaves = leavesOf(model.entries.slice(0, size))
    for (const [index, entry] of model.entries.slice(0, size).entries()) {
      const extra = canonical({ header: entry.headerText, salt: entry.salt, payload: entry.payloadText })
      const hashes = referencePath(index, leaves).map((hash) => `${hash.toString('base64')}\n`)
      const receipt = `c2sp.org/tlog-proof@v1\nextra ${Buffer.from(extra).toString('base64')}\nindex ${index}\n${hashes.join('')}\n${text}`
      const verdict = verifyProof(parseReceipt(receipt), key)
      assert.equal([verdict.fault, verdict.index, verdict.size], [null, index, size])
      verified += 1
    }
  }
  assert.ok(verified > 30)
})

test('a receipt of our own carries header, salt and payload as stored, and verifies without the ledger', async () => {
  const { vkey, receipts } = await realReceipts()
  for (const [index, text] of receipts.entries()) {
    const receipt = parseReceipt(text)
    const lines = text.split('\n')
    assert.is(lines[0], 'c2sp.org/tlog-proof@v1')
    assert.is(lines[2], `index ${index}`)
    const extra = Buffer.from(lines[1]?.slice('extra '.length) ?? '', 'base64').toString()
    assert.is(extra, canonical({ ...receipt.extra }), 'canonical JSON of the three strings')
    assert.equal(Object.keys(receipt.extra ?? {}).sort(), ['header', 'payload', 'salt'])
    const verdict = verifyProof(receipt, parseVkey(vkey))
    assert.equal([verdict.ok, verdict.fault, verdict.index, verdict.size], [true, null, index, 13])
    assert.is(verdict.header?.index, index)
    assert.not(text.includes(Buffer.from('a message with words').toString('base64').slice(0, 12)), 'and no words')
  }
})

test('an entry that no checkpoint covers has no receipt', async () => {
  const home = await temporaryLedger()
  await home.ledger.append([message('one')])
  await readHome(home.files, async (reader, store) => {
    assert.ok(await makeReceipt(store, reader, 0))
    await rejectsWithCode(makeReceipt(store, reader, 1), 'ENTRY_UNKNOWN')
    await rejectsWithCode(makeReceipt(store, reader, 2), 'ENTRY_UNKNOWN')
  })
  await home.close()
})

test('a key pinned in the first epoch verifies receipts of a later one', async () => {
  const home = await temporaryLedger()
  const pinned = parseVkey(String((await home.ledger.reader.entry(0)).payload['vkey']))
  await home.ledger.append([message('one')])
  await home.close()
  rmSync(home.files.highWater)
  const { writeFileSync } = await import('node:fs')
  writeFileSync(home.files.highWater, 'spoilt')
  await reanchorLedger(home.files, home.settings, 'a spoilt mark')
  const ledger = await openLedger(home.files, home.settings)
  await ledger.append([message('two')])
  await ledger.close()
  const text = await readHome(home.files, (reader, store) => makeReceipt(store, reader, 3))
  const receipt = parseReceipt(text)
  assert.match(receipt.checkpoint.origin, /\/1$/)
  assert.ok(verifyProof(receipt, pinned).ok)
})

test('no bit of a receipt can be flipped: it is then unreadable or proves nothing', async () => {
  const { vkey, receipts } = await realReceipts()
  const key = parseVkey(vkey)
  const text = receipts[5] ?? ''
  const bytes = Buffer.from(text)
  const whole = parseReceipt(text)
  const random = makeRandom(5)
  let readable = 0
  for (let at = 0; at < bytes.length; at += 1) {
    // One bit of every byte, and all of them for every seventh.
    const bits = at % 7 === 0 ? [0, 1, 2, 3, 4, 5, 6, 7] : [random.int(8)]
    for (const bit of bits) {
      const bent = Buffer.from(bytes)
      bent[at] = (bent[at] ?? 0) ^ (1 << bit)
      const receipt = parsed(bent.toString())
      if (receipt === undefined) continue
      readable += 1
      const { ok } = verifyProof(receipt, key)
      if (ok) assert.equal(receipt, whole, `bit ${bit} of byte ${at}`)
    }
  }
  assert.ok(readable > 100, 'some are still receipts')
})

test('no line of a receipt can be left out, doubled or moved', async () => {
  const { vkey, receipts } = await realReceipts()
  const key = parseVkey(vkey)
  const lines = (receipts[6] ?? '').split('\n')
  const holds = (of: readonly string[]): boolean => {
    const receipt = parsed(of.join('\n'))
    return receipt !== undefined && verifyProof(receipt, key).ok
  }
  assert.ok(holds(lines))
  for (let at = 0; at < lines.length; at += 1) {
    assert.not(holds(lines.filter((_, place) => place !== at)), `without line ${at}`)
    const next = lines[at + 1]
    if (next !== undefined && next !== lines[at])
      assert.not(holds([...lines.slice(0, at), next, lines[at] ?? '', ...lines.slice(at + 2)]), `lines ${at} and ${at + 1}`)
    // The signature twice is still a signature.
    if (!(lines[at] ?? '').startsWith('\u2014'))
      assert.not(holds([...lines.slice(0, at), lines[at] ?? '', ...lines.slice(at)]), `line ${at} twice`)
  }
})

test('a file that is no tlog-proof is unreadable', () => {
  const [head = '', note = ''] = [
    vectorReceipt.slice(0, vectorReceipt.indexOf('\n\n')),
    vectorReceipt.slice(vectorReceipt.indexOf('\n\n') + 2),
  ]
  const hash = 'i02ngUu9hQ9SrBRzN9b6Bj7YYidjydaCrsp2SiRuoyU='
  const withExtra = (extra: string): string => vectorReceipt.replace('index 4', `extra ${extra}\nindex 4`)
  const json = (value: unknown): string => withExtra(Buffer.from(JSON.stringify(value)).toString('base64'))
  const bad: Record<string, string> = {
    empty: '',
    'another version': vectorReceipt.replace('@v1', '@v2'),
    'no first line': vectorReceipt.slice(vectorReceipt.indexOf('\n') + 1),
    'no checkpoint': `${head}\n\n`,
    'no blank line': `${head}\n${note}`,
    'a checkpoint that is none': `${head}\n\nhello\n`,
    'no index': vectorReceipt.replace('index 4\n', ''),
    'an index with a leading zero': vectorReceipt.replace('index 4', 'index 04'),
    'a negative index': vectorReceipt.replace('index 4', 'index -4'),
    'an index that is no number': vectorReceipt.replace('index 4', 'index four'),
    'a blank behind the index': vectorReceipt.replace('index 4', 'index 4 '),
    'the index twice': vectorReceipt.replace('index 4', 'index 4\nindex 4'),
    'a hash of 31 bytes': vectorReceipt.replace(hash, Buffer.alloc(31).toString('base64')),
    'a hash without padding': vectorReceipt.replace(hash, hash.slice(0, -1)),
    'a hash that is no base64': vectorReceipt.replace(hash, '*'.repeat(44)),
    'extra behind the index': vectorReceipt.replace('index 4', 'index 4\nextra e30='),
    'extra that is no base64': withExtra('***'),
    'extra that is no JSON': withExtra(Buffer.from('hello').toString('base64')),
    'extra without salt': json({ header: 'h', payload: 'p' }),
    'extra with more': json({ header: 'h', more: 1, payload: 'p', salt: 's' }),
    'extra with a number for a string': json({ header: 'h', payload: 1, salt: 's' }),
    'extra that is an array': json(['h', 's', 'p']),
    'extra that is null': json(null),
    'extra that is not canonical': withExtra(Buffer.from('{"header":"h","payload":"p", "salt":"s"}').toString('base64')),
    'carriage returns': vectorReceipt.replaceAll('\n', '\r\n'),
  }
  for (const [name, text] of Object.entries(bad)) {
    assert.is(parsed(text), undefined, name)
    throwsWithCode(() => parseReceipt(text), 'PROOF_UNREADABLE')
  }
})

test('the mathematics refuses an index outside of the tree and sizes in the wrong order', () => {
  const leaf = Buffer.alloc(32, 1)
  assert.is(rootFromInclusion(leaf, 0, 0, []), undefined)
  assert.is(rootFromInclusion(leaf, 1, 1, []), undefined)
  assert.is(rootFromInclusion(leaf, 5, 3, [leaf, leaf]), undefined)
  assert.ok(rootFromInclusion(leaf, 0, 1, [])?.equals(leaf))
  const root = rootOf([leaf])
  assert.not(verifyConsistency(2, 1, root, root, []))
  assert.not(verifyConsistency(1, 2, root, root, []))
  assert.ok(verifyConsistency(1, 1, root, root, []))
})

test('proofs in trees larger than 2^32 leaves are checked without losing a digit', () => {
  // A made-up path: one leaf at the far right of a tree of 2^33 + 1 leaves has one sibling, the root of the rest.
  const leaf = Buffer.alloc(32, 1)
  const rest = Buffer.alloc(32, 2)
  const size = 2 ** 33 + 1
  const root = rootFromInclusion(leaf, size - 1, size, [rest])
  assert.is(root?.toString('hex'), rootOf([rest, leaf]).toString('hex'))
  assert.is(rootFromInclusion(leaf, size - 2, size, [rest]), undefined)
})

/** The receipt, or undefined where it cannot be read; anything else it throws is a fault. */
function parsed(text: string): Receipt | undefined {
  try {
    return parseReceipt(text)
  } catch (error) {
    throwsWithCode(() => {
      throw error
    }, 'PROOF_UNREADABLE')
    return undefined
  }
}

test.run()
