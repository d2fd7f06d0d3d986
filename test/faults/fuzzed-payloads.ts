// Hook payloads that nobody would send, from fixed seeds: recorded ones bent in every way, and noise. Each goes through the whole hook path
// of a real ledger; nothing may crash, hang, be lost without a word, or stay in memory.
import { createHmac } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { SteleError } from '../../src/foundation/stele-error.js'
import { handleHook } from '../../src/hooks/handle-hook.js'
import type { HookCall } from '../../src/hooks/hook-house.js'
import { seqDigest } from '../../src/hooks/once-ids.js'
import { attachedHost, enforcing, observing, type TestHost, type TestHouse, testHouse } from '../support/hook-house.js'
import { recordedHooks } from '../support/recorded-session.js'
import { makeRandom, type Random } from '../support/seeded-random.js'
import { verifyCopy } from '../support/temporary-ledger.js'

export interface FuzzRun {
  readonly payloads: number
  /** Payloads that are no JSON at all, by Node's own reader. */
  readonly unreadable: number
  /** Entry type, or code of a rejection → how many. */
  readonly entries: Readonly<Record<string, number>>
  /** What is wrong, with the seed of its batch. */
  readonly wrong: readonly string[]
  /** The batch that took longest. */
  readonly slowest: { readonly seed: number; readonly ms: number }
  readonly memory: Memory
}

/** After collecting garbage, in MiB: when a third of the payloads were through, and at the end. */
export interface Memory {
  readonly early: number
  readonly late: number
  readonly rss: number
}

const batchSize = 32
/** A batch of this many milliseconds hangs: thousands of times what it takes. */
const hangMs = 60_000
/** A new home after so many, so that a long run needs no more disk than a short one. */
const payloadsPerHome = 100_000

/** Batches from seeds `firstSeed`, `firstSeed + 1`, … until so many payloads are through. */
export async function fuzzHooks(
  count: number,
  firstSeed: number,
  onProgress: (done: number, heapMiB: number) => void = () => {},
): Promise<FuzzRun> {
  const entries: Record<string, number> = {}
  const wrong: string[] = []
  const progressEvery = Math.max(batchSize, Math.floor(count / 20))
  let slowest = { seed: firstSeed, ms: 0 }
  let unreadable = 0
  let done = 0
  let early: number | undefined
  let seed = firstSeed
  while (done < count) {
    const stage = await newStage()
    let told = done
    for (const until = Math.min(count, done + payloadsPerHome); done < until; seed += 1) {
      const batch = batchFrom(makeRandom(seed), stage)
      const startedMs = performance.now()
      const problems = await withinTime(runBatch(stage, batch, entries))
      const ms = performance.now() - startedMs
      if (ms > slowest.ms) slowest = { seed, ms }
      wrong.push(...problems.map((problem) => `seed ${seed}: ${problem}`))
      unreadable += batch.filter(({ isReadable }) => !isReadable).length
      done += batch.length
      if (done - told >= progressEvery) {
        told = done
        onProgress(done, heapMiB())
      }
      if (early === undefined && done >= count / 3) early = heapMiB()
      if (wrong.length > 20)
        return { payloads: done, unreadable, entries, wrong, slowest, memory: { early: early ?? 0, late: 0, rss: 0 } }
    }
    wrong.push(...(await closeStage(stage)))
  }
  const memory = { early: early ?? 0, late: heapMiB(), rss: Math.round(process.memoryUsage.rss() / 2 ** 20) }
  return { payloads: done, unreadable, entries, wrong, slowest, memory }
}

interface Stage {
  readonly house: TestHouse
  readonly hosts: readonly TestHost[]
  readonly digestKey: Buffer
}

async function newStage(): Promise<Stage> {
  const house = await testHouse()
  house.hooksPerMinute = Number.MAX_SAFE_INTEGER
  house.bytesPerMinute = Number.MAX_SAFE_INTEGER
  const hosts = [await attachedHost(house, 1), await attachedHost(house, 2)]
  return { house, hosts, digestKey: readFileSync(house.home.files.digestKey) }
}

async function closeStage({ house }: Stage): Promise<string[]> {
  await house.home.close()
  const { findings } = await verifyCopy(house.home.files)
  rmSync(dirname(house.home.files.home), { recursive: true, force: true })
  return findings.map(({ code, message }) => `the ledger of these payloads: ${code} ${message}`)
}

interface Fuzzed {
  readonly call: HookCall
  readonly isReadable: boolean
  /** The code with which it is refused before it is read; undefined for all others. */
  readonly refused: string | undefined
  /** The host and the number that it counts under; undefined where nobody vouches for it. */
  readonly numbered: { readonly host: TestHost; readonly seq: number } | undefined
}

function batchFrom(random: Random, { house, hosts }: Stage): Fuzzed[] {
  house.modes = random.chance(2) ? observing : enforcing
  house.keep = random.pick(['judged', 'full', 'none'])
  const batch: Fuzzed[] = []
  while (batch.length < batchSize) {
    const before = batch.at(-1)
    batch.push(before !== undefined && random.chance(20) ? before : fuzzedCall(fuzzedPayload(random), random.pick(hosts), random))
  }
  return batch
}

function fuzzedCall(bytes: Buffer, host: TestHost, random: Random): Fuzzed {
  const isReadable = isJson(bytes)
  const late = random.chance(10)
  const call = (attach: string, seq: string, mac: string): HookCall => ({
    bytes,
    bytesTotal: bytes.length,
    signature: { attach, seq, mac },
    late,
  })
  if (random.chance(4)) return { call: call('', '', ''), isReadable, refused: undefined, numbered: undefined }
  if (random.chance(12)) {
    const forged = call(host.id, String(1 + random.int(50)), random.pick(['', 'f'.repeat(64), 'not hex', random.hex(32)]))
    return { call: forged, isReadable, refused: undefined, numbered: undefined }
  }
  if (random.chance(20)) {
    const seq = random.pick(['', '0', '-1', '1e3', '01', ' 7', '9'.repeat(30), 'NaN'])
    return {
      call: call(host.id, seq, host.mac('stele/hook/v1', seq, bytes)),
      isReadable,
      refused: 'ATTACH_NUMBER_INVALID',
      numbered: undefined,
    }
  }
  if (random.chance(20)) {
    const stranger = call(random.hex(16), '1', random.hex(32))
    return { call: stranger, isReadable, refused: late ? undefined : 'ATTACH_UNKNOWN', numbered: undefined }
  }
  host.seq += 1
  const { seq } = host
  const numbered = call(host.id, String(seq), host.mac('stele/hook/v1', seq, bytes))
  return { call: numbered, isReadable, refused: undefined, numbered: { host, seq } }
}

/** All at once, as hosts send them. Returns what went wrong. */
async function runBatch(stage: Stage, batch: readonly Fuzzed[], entries: Record<string, number>): Promise<string[]> {
  const { house, digestKey } = stage
  const from = house.ledger.size
  house.nowMs += 1000
  const problems = await Promise.all(batch.map((fuzzed) => problemOf(house, fuzzed)))
  await house.watchGaps(30_000)

  const rejected = new Set<string>()
  for await (const { header, payload } of house.ledger.reader.entries({ from, to: house.ledger.size })) {
    const name = header.type === 'hook.rejected' ? `rejected: ${payload['code']}` : header.type
    entries[name] = (entries[name] ?? 0) + 1
    if (header.type === 'hook.rejected') rejected.add(`${payload['bytes']} ${payload['digest']}`)
  }
  for (const { call, isReadable, refused } of batch) {
    // What waited in a spool is known by its bytes: short noise may have come before.
    if (isReadable || refused !== undefined || (call.late && call.bytes.length < 64)) continue
    const digest = createHmac('sha256', digestKey).update('stele/digest/v1\ntext\n').update(call.bytes).digest('hex')
    if (!rejected.has(`${call.bytes.length} ${digest}`)) problems.push(`no rejection of ${preview(call.bytes)}`)
  }
  return problems.filter((problem) => problem !== '')
}

/** Answered, refused as it should be, and on record where it has a number; empty where all is well. */
async function problemOf(house: TestHouse, { call, refused, numbered }: Fuzzed): Promise<string> {
  try {
    const { directive } = await handleHook(house.house, call)
    if (refused !== undefined) return `answered, and not refused with ${refused}: ${preview(call.bytes)}`
    const action = 'action' in directive ? directive.action : undefined
    const isDirective = Object.keys(directive).length === 0 || action === 'block' || action === 'approve'
    if (!isDirective) return `answered with ${JSON.stringify(directive)}: ${preview(call.bytes)}`
    if (numbered === undefined) return ''
    const record = await house.ledger.firstUnder(seqDigest(house.ledger, numbered.host.id, numbered.seq))
    return record === undefined ? `number ${numbered.seq} was answered without a record: ${preview(call.bytes)}` : ''
  } catch (error) {
    if (error instanceof SteleError && error.code === refused) return ''
    const said = error instanceof Error ? `${error.name} ${error.message.slice(0, 200)}` : String(error)
    return `fails with ${said}: ${preview(call.bytes)}`
  }
}

async function withinTime(running: Promise<string[]>): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string[]>((resolve) => {
    timer = setTimeout(() => resolve([`not done after ${hangMs} ms`]), hangMs)
  })
  try {
    return await Promise.race([running, late])
  } finally {
    clearTimeout(timer)
  }
}

function preview(bytes: Uint8Array): string {
  return `${bytes.length} bytes ${JSON.stringify(Buffer.from(bytes.subarray(0, 300)).toString('latin1'))}`
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return true
  } catch {
    return false
  }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heapMiB(): number {
  collectGarbage()
  return Math.round((process.memoryUsage().heapUsed / 2 ** 20) * 10) / 10
}

/** One payload: recorded and bent, put together from hostile parts, or noise. */
export function fuzzedPayload(random: Random): Buffer {
  const kind = random.int(20)
  if (kind < 6) return bentBytes(Buffer.from(random.pick(recordedHooks)), random)
  if (kind < 16) return Buffer.from(bentJson(random))
  if (kind < 18) return random.bytes(random.int(random.chance(10) ? 20_000 : 400))
  if (kind < 19) return Buffer.from(soup(random))
  return Buffer.from(
    random.pick(['', ' ', 'null', '[]', '{}', '0', '"x"', '\ufeff{}', '{"hook_event_name":"pre_tool_call"}', 'true']),
  )
}

/** Bytes flipped, put in, taken out, doubled; or everything behind a place gone. */
function bentBytes(bytes: Buffer, random: Random): Buffer {
  let bent = bytes
  for (let change = random.int(5); change >= 0; change -= 1) {
    const at = random.int(bent.length + 1)
    const [before, behind] = [bent.subarray(0, at), bent.subarray(at)]
    const way = random.int(6)
    if (way === 0) bent = Buffer.concat([before, random.bytes(1 + random.int(4)), behind.subarray(1)])
    else if (way === 1) bent = Buffer.concat([before, Buffer.from(random.pick(fragments)), behind])
    else if (way === 2) bent = Buffer.concat([before, behind.subarray(random.int(40))])
    else if (way === 3) bent = Buffer.concat([before, behind.subarray(0, random.int(80)), behind])
    else if (way === 4 && random.chance(3)) bent = Buffer.from(before)
    else bent = Buffer.from(bent.map((byte, place) => (place === at ? byte ^ (1 << random.int(8)) : byte)))
  }
  return bent
}

const fragments = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\\u0000',
  '\\ud800',
  '\\udc00',
  '1e999',
  '-',
  '9'.repeat(40),
  '\u0000',
  '\ufeff',
  '//',
]

/** Texts that are no text, names that are no names, and what hosts and models put around words. */
const hostileTexts: readonly ((random: Random) => string)[] = [
  () => '',
  () => '\u0000',
  () => 'a sentence of words in place of a name',
  (random) => 'x'.repeat(random.int(5000)),
  (random) => `e${'\u0301\u0323'.repeat(random.int(800))}`,
  (random) => '['.repeat(random.int(3000)),
  (random) => '[System note: '.repeat(random.int(200)),
  (random) => `[Replying to: "${'"'.repeat(random.int(400))}"]\n\nyes`,
  (random) => `[The user sent a text document: '${'x'.repeat(random.int(900))}`,
  (random) => `[CONTEXT\n${'[New message]\n'.repeat(random.int(90))}`,
  (random) => `[${'someone|'.repeat(random.int(300))}] go on`,
  (random) => `${' \n\t'.repeat(random.int(800))}end`,
  (random) => `"${'\\"'.repeat(random.int(400))}`,
  () => '\u202e\u2066 right to left \u2069',
  () => '__proto__',
  () => '../../../../etc/passwd',
  () => '我决定周五发布，以后不要自动提交代码',
  () => '👩‍👩‍👧‍👦'.repeat(40),
  () => 'LONE_HIGH',
  () => 'LONE_LOW',
]

/** Stand for what JSON.stringify does not write: put in behind it. */
const rawValues: readonly (readonly [mark: string, raw: (random: Random) => string])[] = [
  ['RAW_HUGE', () => '1e999'],
  ['RAW_LONG', (random) => '9'.repeat(1 + random.int(400))],
  ['RAW_TINY', () => '-0.0e-400'],
  ['RAW_DEEP', (random) => deep(random, '[', ']')],
  ['RAW_DEEP_OBJECT', (random) => deep(random, '{"a":', '}', '1')],
  ['RAW_TWICE', () => '{"a":1,"a":2}'],
  ['RAW_PROTO', () => '{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}'],
  ['RAW_MANY', (random) => `[${'0,'.repeat(random.int(4000))}0]`],
  ['RAW_NAMES', (random) => `{${Array.from({ length: random.int(600) }, (_, at) => `"n${at}":${at},`).join('')}"z":0}`],
]

function deep(random: Random, opens: string, closes: string, inner = ''): string {
  const depth = random.pick([3, 100, 150, 190, 191, 192, 193, 250, 1000, 20_000])
  return opens.repeat(depth) + inner + closes.repeat(depth)
}

const plainValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  2 ** 53,
  [],
  {},
  ['x'],
  [null],
  { text: 5 },
  { type: 'text' },
]

function hostileValue(random: Random): unknown {
  const way = random.int(4)
  // A copy: what is bent further must not bend other payloads.
  if (way === 0) return structuredClone(random.pick(plainValues))
  if (way === 1) return random.pick(rawValues)[0]
  return random.pick(hostileTexts)(random)
}

/** A recorded payload with members replaced, renamed, taken out or added, anywhere; sometimes with what a plugin would add, bent too. */
function bentJson(random: Random): string {
  const payload = JSON.parse(random.pick(recordedHooks)) as Record<string, unknown>
  if (random.chance(3)) payload['host'] = bentHost(random)
  if (random.chance(2)) payload['session_id'] = `session-${random.int(3000)}`
  if (random.chance(6)) payload['extra'] = { ...(payload['extra'] as object), user_message: hostileMessage(random) }
  for (let change = random.int(4); change > 0; change -= 1) bendOne(payload, random)
  const text = JSON.stringify(payload)
  return rawValues
    .reduce((bent, [mark, raw]) => bent.replaceAll(`"${mark}"`, () => raw(random)), text)
    .replaceAll('LONE_HIGH', '\\ud83d')
    .replaceAll('LONE_LOW', '\\ude00')
}

function bendOne(payload: Record<string, unknown>, random: Random): void {
  let place = payload
  for (;;) {
    const name = random.pick([...Object.keys(place), 'extra', 'host'])
    const member = place[name]
    if (typeof member === 'object' && member !== null && Object.keys(member).length > 0 && !random.chance(4)) {
      place = member as Record<string, unknown>
      continue
    }
    const way = random.int(4)
    if (way === 0) delete place[name]
    else if (way === 1) place[random.pick(['renamed', '__proto__x', 'toJSON', 'hook_event_name', ''])] = member
    else place[name] = hostileValue(random)
    return
  }
}

/** A message in parts, or a text that a host has put things around. */
function hostileMessage(random: Random): unknown {
  const part = () =>
    random.pick([hostileValue(random), { type: 'text', text: hostileValue(random) }, { type: 'image_url', image_url: {} }])
  return random.chance(3) ? Array.from({ length: random.int(20) }, part) : random.pick(hostileTexts)(random)
}

function bentHost(random: Random): unknown {
  const unanswered = Array.from({ length: random.int(4) }, () => ({
    seq: random.pick<unknown>([1 + random.int(2000), 0, -1, 'one']),
    did: random.pick(['blocked', 'let_go', 'lost', 'forgot']),
  }))
  return {
    at: random.pick<unknown>(['2026-11-30T09:00:00.123Z', 'yesterday', 5, hostileValue(random)]),
    attended: random.pick(['attended', 'unattended', 'unknown', 'perhaps']),
    write_origin: hostileValue(random),
    last_in_order: random.pick<unknown>([true, false, 'yes']),
    redacted: random.pick<unknown>([0, 3, -1, 1.5, 'RAW_LONG']),
    ...(random.chance(2) ? { unanswered } : {}),
  }
}

/** Signs of JSON in no order. */
function soup(random: Random): string {
  return Array.from({ length: random.int(300) }, () => random.pick(fragments)).join('')
}
