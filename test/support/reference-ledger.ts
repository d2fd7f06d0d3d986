// Makes small Stele ledgers from docs/format.md alone, with node:crypto, as the yardstick that the verifier is held against.
import { createHash, createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Random } from './seeded-random.js'

export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [name: string]: Json }

export type Header = {
  v: number
  ledger: string
  epoch: number
  index: number
  time: string
  type: string
  version: number
  session: string
  payload: string
  prev: string
}

export type Entry = {
  header: Header
  /** The stored header, which is what is hashed. */
  headerText: string
  hash: string
  salt: string
  payloadText: string
  wordsSalt: string | null
  /** The maker remembers words also when the ledger has forgotten them: `erasedBy` tells. */
  wordsText: string | null
  /** The index of the `payload.erased` that names this entry. */
  erasedBy: number | null
}

export type Checkpoint = { epoch: number; size: number; root: string; text: string; abandoned: boolean }
export type SigningKey = { seed: Buffer; publicKey: Buffer; sign(bytes: Buffer): Buffer }
/** A key signs the checkpoints of every size above `from`. */
export type KeyPeriod = { from: number; key: SigningKey }
export type Abandoned = { epoch: number; size: number; head: string; root: string | null }
export type Epoch = { epoch: number; first: number; vkey: string; abandoned: Abandoned | null }
export type Erasure = { by: number; ranges: [number, number][] }
export type Session = { handle: string; hostId: string; started: number }

export type ReferenceLedger = {
  ledger: string
  prefix: string
  entries: Entry[]
  /** In the order in which they were made, those of abandoned branches among them. */
  checkpoints: Checkpoint[]
  /** The mark as it stood when a branch was abandoned. */
  abandonedMark: Buffer | null
  keys: KeyPeriod[]
  epochs: Epoch[]
  erasures: Erasure[]
  sessions: Session[]
  digestKey: Buffer
}

/** What an entry is made of. `payload.words`, where given without `words`, stands for words that nobody knows any more. */
export type Draft = {
  time: string
  type: string
  version?: number
  session?: string
  payload: JsonObject
  salt: string
  words?: JsonObject
  wordsSalt?: string
  /** The payload's bytes, where they are to differ from its canonical form. */
  payloadText?: string
  wordsText?: string
}

export type Row = { key: Buffer; value: Buffer }

export type ReferenceOptions = {
  random: Random
  /** Entries in the ledger, at least 16. */
  size?: number
  /** The 32 bytes of the first Ed25519 key. */
  seed?: Buffer
  ledger?: string
  prefix?: string
  words?: boolean
  erasures?: number
  rotateKey?: boolean
  /** A branch is rolled back and a new epoch begins. */
  reanchor?: boolean
  clockStep?: boolean
  checkpointEvery?: number
}

const zeroHash = '0'.repeat(64)
const pkcs8Start = Buffer.from('302e020100300506032b657004220420', 'hex')

export function sha256(...parts: (Buffer | string)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** RFC 8785: names by UTF-16 code unit, strings and numbers as ECMAScript writes them. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name] as Json)}`)
  return `{${members.join(',')}}`
}

export function at<T>(items: readonly T[], place: number): T {
  if (place < 0 || place >= items.length) throw new RangeError(`nothing at ${place} of ${items.length}`)
  return items[place] as T
}

export function headerHash(text: string): string {
  return sha256(Buffer.from([0]), text).toString('hex')
}

export function payloadCommitment(salt: string, text: string): string {
  return sha256('stele/payload/v1\n', salt, '\n', text).toString('hex')
}

export function wordsCommitment(salt: string, text: string): string {
  return sha256('stele/words/v1\n', salt, '\n', text).toString('hex')
}

export function nodeHash(left: Buffer, right: Buffer): Buffer {
  return sha256(Buffer.from([1]), left, right)
}

/** The RFC 6962 root over leaf hashes. */
export function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256('')
  if (leaves.length === 1) return at(leaves, 0)
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return nodeHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}

/** The complete subtrees, level by level; level 0 holds the leaf hashes. */
export function treeLevels(leaves: readonly Buffer[]): Buffer[][] {
  const levels: Buffer[][] = [[...leaves]]
  for (let below = at(levels, 0); below.length > 1; ) {
    const level: Buffer[] = []
    for (let left = 0; left + 1 < below.length; left += 2) level.push(nodeHash(at(below, left), at(below, left + 1)))
    levels.push(level)
    below = level
  }
  return levels
}

export function makeKey(seed: Buffer): SigningKey {
  const secret = createPrivateKey({ key: Buffer.concat([pkcs8Start, seed]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(secret).export({ format: 'der', type: 'spki' })
  return { seed, publicKey: spki.subarray(spki.length - 32), sign: (bytes) => sign(null, bytes, secret) }
}

export function keyId(name: string, publicKey: Buffer): Buffer {
  return sha256(name, Buffer.from([0x0a, 0x01]), publicKey).subarray(0, 4)
}

export function vkeyOf(name: string, publicKey: Buffer): string {
  const key = Buffer.concat([Buffer.from([1]), publicKey]).toString('base64')
  return `${name}+${keyId(name, publicKey).toString('hex')}+${key}`
}

export function keyName(prefix: string, ledger: string, epoch: number): string {
  return epoch === 0 ? `${prefix}${ledger}` : `${prefix}${ledger}/${epoch}`
}

/** One signature line over a note's text, which ends in a newline. */
export function signatureLine(text: string, name: string, key: SigningKey): string {
  const signature = Buffer.concat([keyId(name, key.publicKey), key.sign(Buffer.from(text))])
  return `— ${name} ${signature.toString('base64')}\n`
}

export function checkpointNote(name: string, key: SigningKey, size: number, root: string): string {
  const text = `${name}\n${size}\n${Buffer.from(root, 'hex').toString('base64')}\n`
  return `${text}\n${signatureLine(text, name, key)}`
}

/** The key that signs a checkpoint of this size. */
export function keyAt(model: ReferenceLedger, size: number): SigningKey {
  const periods = model.keys.filter((period) => size > period.from)
  return at(periods, periods.length - 1).key
}

/** The epoch that the entry at this index belongs to. */
export function epochAt(model: ReferenceLedger, index: number): number {
  const begun = model.epochs.filter((epoch) => epoch.first <= index)
  return at(begun, begun.length - 1).epoch
}

/** The key that signs now, and the vkey string that names it. */
export function keyInForce(model: ReferenceLedger): { key: SigningKey; vkey: string } {
  const key = at(model.keys, model.keys.length - 1).key
  const epoch = at(model.epochs, model.epochs.length - 1).epoch
  return { key, vkey: vkeyOf(keyName(model.prefix, model.ledger, epoch), key.publicKey) }
}

export function firstVkey(model: ReferenceLedger): string {
  return at(model.epochs, 0).vkey
}

/** The signed head over the first `size` entries, as the writer of that time would have made it. */
export function makeCheckpoint(model: ReferenceLedger, size = model.entries.length): Checkpoint {
  const epoch = epochAt(model, size - 1)
  const root = rootOf(leavesOf(model.entries.slice(0, size))).toString('hex')
  const text = checkpointNote(keyName(model.prefix, model.ledger, epoch), keyAt(model, size), size, root)
  return { epoch, size, root, text, abandoned: false }
}

export function leavesOf(entries: readonly Entry[]): Buffer[] {
  return entries.map((entry) => Buffer.from(entry.hash, 'hex'))
}

export function livingCheckpoints(model: ReferenceLedger): Checkpoint[] {
  return model.checkpoints.filter((checkpoint) => !checkpoint.abandoned)
}

export function newestCheckpoint(model: ReferenceLedger): Checkpoint {
  const living = livingCheckpoints(model)
  return at(living, living.length - 1)
}

/** The same entry with other header fields; its text and hash are made anew. */
export function withHeader(entry: Entry, change: Partial<Header>): Entry {
  const header = { ...entry.header, ...change }
  const headerText = canonical(header)
  return { ...entry, header, headerText, hash: headerHash(headerText) }
}

/** The same entry with these header bytes, its hash made anew. */
export function withHeaderText(entry: Entry, headerText: string): Entry {
  return { ...entry, headerText, hash: headerHash(headerText) }
}

/** The same entry with another payload under the same salt; commitment, text and hash are made anew. */
export function withPayloadText(entry: Entry, payloadText: string): Entry {
  return withHeader({ ...entry, payloadText }, { payload: payloadCommitment(entry.salt, payloadText) })
}

export function payloadOf(entry: Entry): JsonObject {
  return JSON.parse(entry.payloadText) as JsonObject
}

/** The chain made anew from an index on: every `prev` and hash fits again. */
export function rechained(entries: readonly Entry[], from: number): Entry[] {
  const out = entries.slice(0, from)
  for (const entry of entries.slice(from)) {
    out.push(withHeader(entry, { prev: out.length === 0 ? zeroHash : at(out, out.length - 1).hash }))
  }
  return out
}

export function startLedger(prefix: string, ledger: string, seed: Buffer, digestKey: Buffer): ReferenceLedger {
  const key = makeKey(seed)
  const vkey = vkeyOf(keyName(prefix, ledger, 0), key.publicKey)
  return {
    ledger,
    prefix,
    digestKey,
    entries: [],
    checkpoints: [],
    abandonedMark: null,
    erasures: [],
    sessions: [],
    keys: [{ from: -1, key }],
    epochs: [{ epoch: 0, first: 0, vkey, abandoned: null }],
  }
}

export function appendEntry(model: ReferenceLedger, draft: Draft): Entry {
  const index = model.entries.length
  const wordsText = draft.wordsText ?? (draft.words === undefined ? null : canonical(draft.words))
  const wordsSalt = wordsText === null ? null : (draft.wordsSalt ?? null)
  const payload = { ...draft.payload }
  if (wordsText !== null && wordsSalt !== null) payload['words'] = wordsCommitment(wordsSalt, wordsText)
  const payloadText = draft.payloadText ?? canonical(payload)
  const header: Header = {
    v: 1,
    ledger: model.ledger,
    epoch: at(model.epochs, model.epochs.length - 1).epoch,
    index,
    time: draft.time,
    type: draft.type,
    version: draft.version ?? 1,
    session: draft.session ?? '',
    payload: payloadCommitment(draft.salt, payloadText),
    prev: index === 0 ? zeroHash : at(model.entries, index - 1).hash,
  }
  const headerText = canonical(header)
  const entry: Entry = {
    header,
    headerText,
    hash: headerHash(headerText),
    salt: draft.salt,
    payloadText,
    wordsSalt,
    wordsText,
    erasedBy: null,
  }
  model.entries.push(entry)
  return entry
}

/** The high-water record: where the ledger stood after its last acknowledged batch. */
export function highWaterBytes(model: ReferenceLedger): Buffer {
  const { epoch } = at(model.epochs, model.epochs.length - 1)
  return markBytes(epoch, model.entries.length, at(model.entries, model.entries.length - 1).hash)
}

export function markBytes(epoch: number, size: number, head: string): Buffer {
  const said = Buffer.concat([Buffer.from('STELEHW1'), number8(epoch), number8(size), Buffer.from(head, 'hex')])
  return Buffer.concat([said, sha256(said).subarray(0, 8)])
}

export function number8(value: number): Buffer {
  const out = Buffer.alloc(8)
  out.writeBigUInt64BE(BigInt(value))
  return out
}

/** checkpoints.txt: one JSON string a line, in the order in which they were made. */
export function checkpointsText(model: ReferenceLedger): string {
  return notesText(model.checkpoints.map((checkpoint) => checkpoint.text))
}

export function notesText(notes: readonly string[]): string {
  return notes.map((note) => `${JSON.stringify(note)}\n`).join('')
}

/** The lines of an export as objects, without the checkpoint. With `facts`, words are withheld. */
export function exportObjects(model: ReferenceLedger, facts = false): JsonObject[] {
  return model.entries.map((entry) => {
    const line: JsonObject = { ...(JSON.parse(entry.headerText) as JsonObject) }
    const ordered: JsonObject = {}
    for (const name of ['v', 'ledger', 'epoch', 'index', 'time', 'type', 'version', 'session', 'payload', 'prev']) {
      if (line[name] !== undefined) ordered[name] = line[name] as Json
    }
    const payload = payloadOf(entry)
    const raw: JsonObject = { header: entry.headerText, payload: entry.payloadText }
    const out: JsonObject = { ...ordered, hash: entry.hash, salt: entry.salt, data: payload }
    if (payload['words'] !== undefined) {
      if (entry.erasedBy !== null) out['erased'] = entry.erasedBy
      else if (facts) out['withheld'] = true
      else if (entry.wordsSalt !== null && entry.wordsText !== null) {
        out['wordsSalt'] = entry.wordsSalt
        out['words'] = JSON.parse(entry.wordsText) as Json
        raw['words'] = entry.wordsText
      }
    }
    return { ...out, raw }
  })
}

/** The lines of an export, the checkpoint last, as `stele export` (or `--facts`) writes them. */
export function exportLines(model: ReferenceLedger, facts = false): string[] {
  const lines = exportObjects(model, facts).map((line) => JSON.stringify(line))
  return [...lines, JSON.stringify({ checkpoint: newestCheckpoint(model).text })]
}

export function exportBytes(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''))
}

export function rowKey(tag: string, ...parts: (Buffer | number | string)[]): Buffer {
  const bytes = parts.map((part) => {
    if (typeof part === 'number') return number8(part)
    return typeof part === 'string' ? Buffer.from(part) : part
  })
  return Buffer.concat([Buffer.from(tag), ...bytes])
}

export function sessionRowKey(handle: string, index: number): Buffer {
  return rowKey('s', Buffer.from(handle.slice(1), 'hex'), index)
}

/** The keyed digest of a text: HMAC-SHA-256 under the ledger's own secret. */
export function keyedDigest(model: ReferenceLedger, use: string, text: string): Buffer {
  return createHmac('sha256', model.digestKey).update(`stele/digest/v1\n${use}\n${text}`).digest()
}

/** Every row that the store of this ledger holds, in the order of its keys. */
export function storeRows(model: ReferenceLedger): Row[] {
  const rows: Row[] = []
  const put = (key: Buffer, value: Buffer | string): void => {
    rows.push({ key, value: typeof value === 'string' ? Buffer.from(value) : value })
  }
  model.entries.forEach((entry, place) => {
    put(rowKey('h', place), entry.headerText)
    put(rowKey('p', place), entry.salt + entry.payloadText)
    if (entry.wordsSalt !== null && entry.wordsText !== null && entry.erasedBy === null) {
      put(rowKey('w', place), entry.wordsSalt + entry.wordsText)
    }
    if (entry.header.session !== '') put(sessionRowKey(entry.header.session, place), '')
    if (entry.header.type === 'message.captured') {
      const counts = Buffer.concat([number8(place), number8(Date.parse(entry.header.time)), number8(place % 3)])
      put(rowKey('d', keyedDigest(model, 'dedupe', `${place}`)), counts)
    }
  })
  treeLevels(leavesOf(model.entries)).forEach((level, height) => {
    level.forEach((node, position) => {
      put(rowKey('t', height, position), node)
    })
  })
  for (const { handle, hostId, started } of model.sessions) {
    if (started < model.entries.length && at(model.entries, started).erasedBy === null) {
      put(rowKey('i', keyedDigest(model, 'session', hostId)), Buffer.from(handle.slice(1), 'hex'))
    }
  }
  for (const { epoch, size, text } of livingCheckpoints(model)) put(rowKey('c', epoch, size), text)
  put(rowKey('m', 'ledger'), model.ledger)
  put(rowKey('m', 'epoch'), `${at(model.epochs, model.epochs.length - 1).epoch}`)
  put(rowKey('m', 'size'), `${model.entries.length}`)
  put(rowKey('m', 'head'), at(model.entries, model.entries.length - 1).hash)
  return rows.sort((one, other) => Buffer.compare(one.key, other.key))
}

/** The ledger as it stood when it had `size` entries: words erased later are still there. */
export function earlier(model: ReferenceLedger, size: number): ReferenceLedger {
  const epochs = model.epochs.filter((epoch) => epoch.first < size)
  const entries = model.entries.slice(0, size).map((entry) => ({
    ...entry,
    erasedBy: entry.erasedBy !== null && entry.erasedBy < size ? entry.erasedBy : null,
  }))
  return {
    ...model,
    entries,
    epochs,
    checkpoints: model.checkpoints.filter((checkpoint) =>
      checkpoint.abandoned ? checkpoint.epoch < at(epochs, epochs.length - 1).epoch : checkpoint.size <= size,
    ),
    keys: model.keys.filter((period) => period.from < size),
    erasures: model.erasures.filter((erasure) => erasure.by < size),
    sessions: model.sessions.filter((session) => session.started < size),
  }
}

/** The payload of a `key.rotated` at this index, signed by both keys. */
export function rotationPayload(ledger: string, index: number, name: string, old: SigningKey, fresh: SigningKey): JsonObject {
  const oldVkey = vkeyOf(name, old.publicKey)
  const newVkey = vkeyOf(name, fresh.publicKey)
  const text = Buffer.from(`stele/key-rotated/v1\n${ledger}\n${index}\n${oldVkey}\n${newVkey}\n`)
  return {
    oldVkey,
    newVkey,
    oldSignature: old.sign(text).toString('base64'),
    newSignature: fresh.sign(text).toString('base64'),
  }
}

const texts = [
  'please do not commit on your own',
  '我决定周五发布，以后不要自动提交代码',
  'emoji 😀 and ﬃ, in that order',
  'a "quote", a \\ and a / slash',
  'tab\tand\nline\u0000null\u001f',
  '\u2028line\u2029paragraph\u007f',
  'łódź — ünïcode é',
  '',
  'rm -rf ./build && make',
]
const erasable = new Set(['session.started', 'message.captured', 'tool.requested', 'gate.decided', 'turn.ended'])

/** Whether an entry carries nothing that other entries, keys or epochs hang on. */
export function isPlain(entry: Entry): boolean {
  return erasable.has(entry.header.type)
}

function isForgettable(entry: Entry): boolean {
  return isPlain(entry) && entry.wordsText !== null && entry.erasedBy === null
}

function plainDraft(random: Random, session: string, words: boolean): Omit<Draft, 'time' | 'salt'> {
  const type = random.pick(['message.captured', 'message.captured', 'tool.requested', 'gate.decided', 'turn.ended'])
  const text = random.pick(texts)
  const said = words && (type === 'message.captured' || random.chance(2))
  const facts: JsonObject = {
    turn: random.int(9),
    characters: text.length,
    code: random.pick(['pass', 'deny', 'tool_not_granted']),
  }
  if (random.chance(3)) facts['confidence'] = random.pick([0.30000000000000004, 1e-7, 1e21, 0, -1.5, 100])
  if (random.chance(4)) facts['list'] = [1, 'two', null, true, { ﬃ: 1, '😀': 2 }]
  const spoken: JsonObject = { text, sender: random.hex(4) }
  if (random.chance(3)) spoken['arguments'] = { id: { $int: '1234567890123456789' }, path: `/home/${random.hex(2)}` }
  return { type, session, version: 1 + random.int(2), payload: facts, ...(said ? { words: spoken } : {}) }
}

/** A sound ledger with the asked-for events; the last fifth of its entries is plain. */
export function makeReferenceLedger(options: ReferenceOptions): ReferenceLedger {
  const { random } = options
  const size = options.size ?? 24
  if (size < 16) throw new RangeError('a reference ledger has at least 16 entries')
  const prefix = options.prefix ?? 'stele.local/'
  const model = startLedger(prefix, options.ledger ?? random.hex(16), options.seed ?? random.bytes(32), random.bytes(32))
  const every = options.checkpointEvery ?? 7
  const words = options.words ?? true
  const asked = [
    ...(options.rotateKey === true ? ['key.rotated'] : []),
    ...(options.reanchor === true ? ['ledger.reanchored'] : []),
    ...(options.clockStep === true ? ['clock.stepped'] : []),
    ...Array.from({ length: words ? (options.erasures ?? 1) : 0 }, () => 'payload.erased'),
  ]
  const slots = random.shuffle(Array.from({ length: Math.floor(size * 0.8) - 6 }, (_, slot) => slot + 6)).slice(0, asked.length)
  const plan = new Map(random.shuffle(asked).map((type, place) => [at(slots, place), type]))
  let clock = Date.parse('2026-11-29T20:40:00.123Z') + random.int(10 ** 8)
  let session = ''
  const append = (branch: ReferenceLedger, draft: Omit<Draft, 'time' | 'salt'>): Entry => {
    clock += draft.type === 'clock.stepped' ? -(1500 + random.int(600_000)) : 20 + random.int(40_000)
    const salts = { salt: random.hex(16), wordsSalt: random.hex(16) }
    return appendEntry(branch, { ...draft, ...salts, time: new Date(clock).toISOString() })
  }
  const startSession = (): void => {
    const started = model.entries.length
    session = `s${random.hex(8)}`
    const hostId = `${random.int(10 ** 6)}_${random.hex(3)}`
    model.sessions.push({ handle: session, hostId, started })
    append(model, {
      type: 'session.started',
      session,
      payload: { platform: 'cli' },
      ...(words ? { words: { session: hostId } } : {}),
    })
  }

  append(model, {
    type: 'ledger.created',
    payload: { ledger: model.ledger, format: 1, program: 'reference 1', vkey: firstVkey(model) },
  })
  startSession()
  while (model.entries.length < size) {
    const planned = plan.get(model.entries.length)
    if (planned === 'key.rotated') rotate(model, random, append)
    else if (planned === 'ledger.reanchored') reanchor(model, random, append, session)
    else if (planned === 'clock.stepped')
      append(model, { type: planned, payload: { from: clock, to: clock - 2000, monotonic: 12 } })
    else if (planned === 'payload.erased' && model.entries.some(isForgettable)) erase(model, random, append)
    else if (random.chance(9)) startSession()
    else append(model, plainDraft(random, session, words))
    if (model.entries.length % every === 0 || model.entries.length === size) model.checkpoints.push(makeCheckpoint(model))
  }
  return model
}

type Append = (branch: ReferenceLedger, draft: Omit<Draft, 'time' | 'salt'>) => Entry

function rotate(model: ReferenceLedger, random: Random, append: Append): void {
  const index = model.entries.length
  const { epoch } = at(model.epochs, model.epochs.length - 1)
  const fresh = makeKey(random.bytes(32))
  const name = keyName(model.prefix, model.ledger, epoch)
  append(model, { type: 'key.rotated', payload: rotationPayload(model.ledger, index, name, keyInForce(model).key, fresh) })
  model.keys.push({ from: index, key: fresh })
}

/** A branch runs on for some entries and checkpoints, is lost, and the ledger starts a new epoch without it. */
function reanchor(model: ReferenceLedger, random: Random, append: Append, session: string): void {
  const first = model.entries.length
  const lost: ReferenceLedger = { ...model, entries: [...model.entries], checkpoints: [] }
  const length = 2 + random.int(5)
  for (let step = 0; step < length; step += 1) {
    append(lost, plainDraft(random, session, true))
    if (random.chance(2)) lost.checkpoints.push({ ...makeCheckpoint(lost), abandoned: true })
  }
  const known = lost.checkpoints.find((checkpoint) => checkpoint.size === lost.entries.length)
  const { epoch } = at(model.epochs, model.epochs.length - 1)
  const head = at(lost.entries, lost.entries.length - 1).hash
  const abandoned: Abandoned = { epoch, size: lost.entries.length, head, root: known?.root ?? null }
  const { key } = keyInForce(model)
  const vkey = vkeyOf(keyName(model.prefix, model.ledger, epoch + 1), key.publicKey)
  model.checkpoints.push(...lost.checkpoints)
  model.abandonedMark = markBytes(epoch, lost.entries.length, head)
  model.epochs.push({ epoch: epoch + 1, first, vkey, abandoned })
  append(model, { type: 'ledger.reanchored', payload: { vkey, abandoned, reason: 'the disk went back' } })
}

function erase(model: ReferenceLedger, random: Random, append: Append): void {
  const by = model.entries.length
  const spoken = model.entries.filter(isForgettable)
  const named = new Set<number>()
  for (const start of random.shuffle(spoken).slice(0, 1 + random.int(3))) {
    for (let index = start.header.index; index < by && index < start.header.index + 1 + random.int(3); index += 1) {
      const entry = at(model.entries, index)
      if (!isPlain(entry) || entry.erasedBy !== null) break
      named.add(index)
    }
  }
  const ranges: [number, number][] = []
  for (const index of [...named].sort((one, other) => one - other)) {
    const last = ranges[ranges.length - 1]
    if (last !== undefined && last[1] === index - 1) last[1] = index
    else ranges.push([index, index])
  }
  let bytes = 0
  for (const index of named) {
    const entry = at(model.entries, index)
    if (entry.wordsText === null) continue
    bytes += Buffer.byteLength(entry.wordsText)
    model.entries[index] = { ...entry, erasedBy: by }
  }
  model.erasures.push({ by, ranges })
  append(model, {
    type: 'payload.erased',
    payload: { entries: ranges, by: random.pick(['owner', 'terminal', 'retention']), reason: 'asked for', bytes },
  })
}

/** Makes the shared vectors again from their inputs; gives back what differs, nothing when all is well. */
export function vectorDifferences(exportText: string): string[] {
  const lines = exportText
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject)
  const given = lines.slice(0, -1)
  const seed = Buffer.from(Array.from({ length: 32 }, (_, byte) => byte))
  const model = startLedger('stele.local/', String(at(given, 0)['ledger']), seed, Buffer.alloc(32))
  for (const line of given) {
    appendEntry(model, {
      time: String(line['time']),
      type: String(line['type']),
      version: Number(line['version']),
      session: String(line['session']),
      payload: line['data'] as JsonObject,
      salt: String(line['salt']),
      ...(line['words'] === undefined ? {} : { words: line['words'] as JsonObject, wordsSalt: String(line['wordsSalt']) }),
    })
  }
  model.entries.forEach((entry, index) => {
    const erased = at(given, index)['erased']
    if (erased !== undefined) model.entries[index] = { ...entry, erasedBy: Number(erased) }
  })
  model.checkpoints.push(makeCheckpoint(model))
  const made = exportLines(model).map((line) => JSON.parse(line) as JsonObject)
  return lines.flatMap((line, place) => {
    const again = at(made, place)
    const names = new Set([...Object.keys(line), ...Object.keys(again)])
    return [...names].filter((name) => !isDeepStrictEqual(line[name], again[name])).map((name) => `line ${place}: ${name}`)
  })
}
