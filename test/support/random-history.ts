// Histories made of every type that views speak of and of what they do not know, with erasures in between, from a seed; and beside each
// entry what it is meant to count for, so that a model of views needs neither schemas nor folds.
import { commitDraft, sealHeader } from '../../src/events/entry.js'
import { leafHash, toHex } from '../../src/foundation/digest.js'
import type { LedgerSource, StoredRows } from '../../src/projections/projection-runner.js'
import { randomJevEvents } from './random-jev-events.js'
import { makeRandom, type Random } from './seeded-random.js'
import { startOfTime } from './temporary-ledger.js'

export interface MadeEntry {
  readonly index: number
  readonly time: string
  readonly session: string
  readonly type: string
  readonly facts: Readonly<Record<string, unknown>>
  /** False for entries that fit no schema of ours, so that their facts count for nothing. */
  readonly counts: boolean
  /** Bytes of header and payload. */
  readonly bytes: number
}

type Spoken = readonly [type: string, version: number, facts: Readonly<Record<string, unknown>>, words?: Record<string, unknown>]

const digest = 'd1'.repeat(32)
const ledgerId = '0a'.repeat(16)
const tools = ['terminal', 'read_file', '__proto__', 'constructor', 'other', '7', '12', 'toString']
const gates = ['null', 'provenance', 'capability', '__proto__']
const vocabulary = [
  'Friday',
  'élan',
  'zürich',
  'Ａｐｐｌｅ',
  '周五',
  '発売日',
  '한국어',
  'naïveté',
  'ﬁnal',
  'x2',
  '🙂',
  'ß',
  'Ωmega',
]

export class RandomHistory {
  /** As a ledger would store them now: words that were forgotten are gone. */
  readonly rows: StoredRows[] = []
  readonly made: MadeEntry[] = []
  readonly #random: Random
  readonly #sessions: readonly string[]
  #timeMs = startOfTime
  #prev = '0'.repeat(64)

  constructor(seed: number) {
    this.#random = makeRandom(seed)
    this.#sessions = Array.from({ length: 5 }, () => `s${this.#random.hex(8)}`)
  }

  /** The history as a ledger of so many entries; of all there are where it is left out. */
  source(size = this.rows.length): LedgerSource {
    const { rows } = this
    return {
      ledgerId,
      size,
      storedEntry: async (index) => rows[index] as StoredRows,
      storedEntries: async function* (from, to) {
        yield* rows.slice(from, to)
      },
    }
  }

  /** One more entry, whatever comes. Returns the ranges that it forgot; none where it is no erasure. */
  addOne(): [number, number][] {
    const random = this.#random
    this.#passTime()
    if (this.rows.length > 3 && random.chance(12)) return this.#erase()
    const [type, version, facts, words] = random.pick(this.#kinds())(this.rows.length)
    const session = random.chance(6) ? '' : random.pick(this.#sessions)
    const isKnown = version < 90 && type !== 'made.up'
    if (isKnown && random.chance(15))
      this.#append(type, version, session, { ...facts, turn: -1, count: 'x', gate: 3, entries: [] }, words, false)
    else this.#append(type, version, session, facts, words, isKnown)
    // Bytes that the disk has altered: no JSON any more.
    if (random.chance(25)) this.#damage()
    return []
  }

  /** What comes next comes so much later. */
  wait(ms: number): void {
    this.#timeMs += ms
  }

  /** Puts an entry of a test's own behind the others. */
  add(
    type: string,
    version: number,
    session: string,
    facts: Readonly<Record<string, unknown>>,
    words?: Record<string, unknown>,
  ): number {
    this.#append(type, version, session, facts, words, true)
    return this.rows.length - 1
  }

  #passTime(): void {
    const random = this.#random
    if (random.chance(20)) this.#timeMs -= random.int(5000)
    else if (random.chance(40)) this.#timeMs += 40 * 24 * 3_600_000
    else this.#timeMs += random.int(3_600_000)
  }

  #append(
    type: string,
    version: number,
    session: string,
    facts: Readonly<Record<string, unknown>>,
    words: Record<string, unknown> | undefined,
    counts: boolean,
  ): void {
    const index = this.rows.length
    const time = new Date(this.#timeMs).toISOString()
    const draft = commitDraft({ type, version, session, facts, words }, this.#random.hex(16), this.#random.hex(16))
    const header = sealHeader(draft, { ledger: ledgerId, epoch: 0, index, time, prev: this.#prev })
    this.#prev = toHex(leafHash(header))
    this.rows.push({ index, header, payload: draft.payloadRow, words: draft.wordsRow })
    const bytes = header.length + draft.payloadRow.length
    this.made.push({ index, time, session, type, facts, counts, bytes })
  }

  #erase(): [number, number][] {
    const random = this.#random
    const ranges: [number, number][] = []
    for (let from = random.int(4); from < this.rows.length && ranges.length < 3; from += 2 + random.int(this.rows.length)) {
      const to = Math.min(this.rows.length - 1, from + random.int(5))
      ranges.push([from, to])
      from = to
    }
    if (ranges.length === 0) ranges.push([0, 0])
    for (const [first, last] of ranges)
      for (let index = first; index <= last; index += 1)
        this.rows[index] = { ...(this.rows[index] as StoredRows), words: undefined }
    const by = random.pick(['owner', 'terminal', 'retention'])
    this.#append('payload.erased', 1, '', { entries: ranges, by, reason: 'a test', bytes: random.int(500) }, undefined, true)
    return ranges
  }

  #damage(): void {
    const index = this.rows.length - 1
    const rows = this.rows[index] as StoredRows
    const garbage = Buffer.from(`${'0'.repeat(32)}{"torn`)
    if (this.#random.chance(2) && rows.words !== undefined) {
      this.rows[index] = { ...rows, words: garbage }
    } else {
      this.rows[index] = { ...rows, payload: garbage }
      const made = this.made[index] as MadeEntry
      this.made[index] = { ...made, counts: false, bytes: rows.header.length + garbage.length }
    }
  }

  #text(): string {
    return Array.from({ length: 1 + this.#random.int(8) }, () => this.#random.pick(vocabulary)).join(' ')
  }

  /** What was judged of a claim: what goes together is the gate's own matter, what is counted is the view's. */
  #claim(index: number): Readonly<Record<string, unknown>> {
    const random = this.#random
    const outcome = random.pick(['supported', 'unsupported', 'unchecked'])
    const reason = random.pick(
      outcome === 'unsupported' ? ['no_quote', 'quote_not_found', 'quote_negated'] : ['too_many_claims', 'words_unavailable'],
    )
    return {
      ...{
        call: random.int(index + 1),
        write: random.int(index + 1),
        tool: random.pick(tools),
        targetDigest: random.pick([digest, 'd2'.repeat(32)]),
        outcome,
      },
      ...{ target: random.pick(['memory', 'user', 'skill', 'unknown']), rule: 'decided', tier: random.int(3) },
      claimDigest: random.chance(4) ? null : random.pick([digest, 'd2'.repeat(32), 'd3'.repeat(32)]),
      verdict: outcome === 'supported' ? 'pass' : random.pick(['would_block', 'blocked']),
      reason: outcome === 'supported' ? null : reason,
      detail: reason === 'quote_not_found' ? random.pick([null, 'stitched', 'cut_word']) : null,
      matchedIn: outcome === 'supported' ? random.pick(['this-session', 'profile', 'stored-text']) : null,
      message: outcome === 'supported' ? random.int(index + 1) : null,
      ...(random.chance(6) ? { probe: true } : {}),
    }
  }

  /** Of entries before it, which need not be such that anything was flagged in. */
  #answer(index: number): Readonly<Record<string, unknown>> {
    const random = this.#random
    const entries = [...new Set([random.int(index + 1), random.int(index + 1), random.int(index + 1)])]
    return {
      ...{ label: random.pick(['grant', 'refuse', 'false_alarm']), gate: random.pick(gates), code: 'tool_not_granted', rule: '' },
      ...{ tool: random.pick(tools), entries: entries.sort((one, other) => one - other), by: random.pick(['owner', 'terminal']) },
    }
  }

  #access(index: number): Readonly<Record<string, unknown>> {
    const random = this.#random
    const writes = random.int(3)
    return {
      ...{ call: Math.max(0, index - 1), tool: random.pick(tools), skill: random.pick(['', 'notes']), lineage: [] },
      ...{ attended: 'unknown', asks: 'yes', touches: writes + random.int(3), writes, commands: random.int(3) },
      ...(random.chance(5) ? { unread: random.pick(['arguments', 'syntax']) } : {}),
      ...(random.chance(6) ? { probe: true } : {}),
    }
  }

  /** Of one of the entries before it, which need not be one that can be judged. */
  #capability(index: number): Readonly<Record<string, unknown>> {
    const random = this.#random
    return {
      ...{ gate: 'capability', gateVersion: 1, judges: Math.max(0, index - random.int(6)), asOf: index },
      ...{ mode: random.pick(['observe', 'enforce']), verdict: random.pick(['allow', 'deny', 'ask']) },
      ...{ code: random.pick(['granted', 'tool_not_granted', 'constructor']), enforced: random.chance(2) },
      ...(random.chance(2) ? { skill: random.pick(['notes', '']) } : {}),
      ...(random.chance(6) ? { probe: true } : {}),
    }
  }

  #kinds(): readonly ((index: number) => Spoken)[] {
    const random = this.#random
    const from = () => {
      const probe = random.chance(6) ? { probe: true } : {}
      return random.chance(2)
        ? { source: 'attached', attach: 0, seq: 1 + random.int(9), ...probe }
        : { source: 'unattested', ...probe }
    }
    const before = { source: 'unattested' }
    const turn = () => random.int(9)
    const tool = () => random.pick(tools)
    const arguments_ = { count: 1, bytes: 2, digest }
    const typed = () => ({ turn: turn(), platform: 'cli', characters: random.int(900), digest })
    const started = () => ({ platform: random.pick(['cli', 'telegram', '']), how: 'announced' })
    const some = (index: number) => (random.chance(4) ? null : random.int(index + 1))
    const shown = { shown: digest, shownBytes: 4 }
    const attachFacts = {
      ...{ attach: '0b'.repeat(16), secret: digest, first: null, next: 1, host: 'hermes', hostVersion: '0.19.0' },
      ...{ files: digest, pid: 7, peer: 'claimed' },
    }
    const completed = (index: number) => {
      const failed = random.chance(3) ? { errorType: 'timeout' } : {}
      const lasted = random.chance(3) ? {} : { durationMs: random.int(5000) }
      return {
        turn: turn(),
        tool: tool(),
        requested: random.int(index + 1),
        status: random.pick(['ok', 'blocked']),
        argumentsDigest: digest,
        ...failed,
        ...lasted,
      }
    }
    return [
      () => [
        'session.started',
        2,
        { ...started(), ...(random.chance(2) ? { model: 'vendor/m:1' } : {}), ...from() },
        { session: `host ${random.int(9)}` },
      ],
      () => ['session.started', 1, { ...started(), ...before }, { session: `host ${random.int(9)}` }],
      () => [
        'session.linked',
        1,
        { parent: random.pick([null, ...this.#sessions]), why: random.pick(['compression', 'subagent']), ...from() },
        { parent: 'p' },
      ],
      () => ['session.ended', 2, { reason: 'shutdown', ...from() }],
      () => ['session.ended', 1, { reason: '', ...before }],
      () => ['message.captured', 2, { ...typed(), ...from() }, { text: this.#text(), sender: 'ann' }],
      () => ['message.captured', 2, { ...typed(), ...from() }, { text: this.#text() }],
      () => ['message.captured', 1, { ...typed(), ...before }, { text: this.#text() }],
      () => ['message.skipped', 1, { turn: turn(), platform: 'cron', characters: 3, why: 'cron', ...from() }],
      () => ['turn.ended', 2, { turn: turn(), completed: true, ...from() }, { turn: 'host-turn' }],
      () => ['tool.requested', 2, { turn: turn(), tool: tool(), arguments: arguments_, ...from() }, { call: this.#text() }],
      () => ['tool.requested', 1, { turn: turn(), tool: tool(), arguments: arguments_, ...before }, { call: 'old' }],
      (index) => ['tool.completed', 2, { ...completed(index), ...from() }, { call: 'c' }],
      (index) => ['tool.completed', 1, { ...completed(index), ...before }],
      (index) => [
        'gate.decided',
        1,
        {
          ...{ gate: random.pick(gates), gateVersion: 1, judges: index, asOf: index, mode: 'observe', code: 'c' },
          ...{
            verdict: random.pick(['allow', 'deny', 'ask']),
            enforced: random.chance(2),
            ...(random.chance(6) ? { probe: true } : {}),
          },
        },
        { reason: this.#text() },
      ],
      (index) => ['access.proposed', 1, this.#access(index), { touches: [], programs: [], operands: [] }],
      (index) => ['gate.decided', 1, this.#capability(index), { reason: this.#text() }],
      () => ['policy.activated', 1, { policy: 'allowlist', digest, how: 'edited' }, { text: this.#text(), policy: '{}' }],
      (index) => [
        'claim.judged',
        1,
        this.#claim(index),
        { claim: this.#text(), quote: null, sender: null, nearest: null, target: 'memory' },
      ],
      (index) => [
        'claim.judged',
        1,
        this.#claim(index),
        { claim: this.#text(), quote: this.#text(), sender: null, nearest: null, target: 'x' },
      ],
      () => ['hook.rejected', 2, { hook: '', code: 'syntax', bytes: 3, digest, ...from() }],
      () => ['hook.rejected', 1, { hook: '', code: 'syntax', bytes: 3, digest }],
      () => ['hook.foreign', 1, { hook: 'pre_tool_call', why: 'no_attach', attach: 0, bytes: 3, digest }],
      () => ['gap.recorded', 1, { kind: 'rate', count: 1 + random.int(9) }],
      (index) => [
        'write.landed',
        1,
        {
          ...{ call: random.int(index + 1), write: random.int(index + 1), ...(random.chance(6) ? { probe: true } : {}) },
          files: [{ compared: random.pick(['as_judged', 'unchanged', 'otherwise', 'unread']), foretold: random.chance(2) }],
        },
      ],
      () => ['mismatch.found', 1, { kind: 'arguments', judged: 0 }],
      (index) => [
        'mismatch.found',
        2,
        { kind: 'written', judged: random.int(index + 1), file: 0, found: random.pick([null, digest]) },
      ],
      () => [
        'clock.stepped',
        1,
        { from: new Date(this.#timeMs + 5000).toISOString(), to: new Date(this.#timeMs).toISOString(), elapsedMs: 1 },
      ],
      (index) => [
        'approval.requested',
        1,
        { call: some(index), surface: 'cli', asked: random.pick(['rule', 'host']), ...shown, ...from() },
      ],
      (index) => [
        'approval.answered',
        1,
        {
          ...{ request: some(index), call: some(index), answer: random.pick(['once', 'always', 'deny', 'timeout']) },
          ...{ by: random.pick(['person', 'model', 'nobody', 'unknown']), ...from() },
        },
      ],
      () => ['subagent.started', 1, { role: 'worker', child: random.pick([null, ...this.#sessions]), ...from() }],
      () => ['subagent.stopped', 1, { role: 'worker', status: 'ok', child: random.pick([null, ...this.#sessions]), ...from() }],
      () => [
        'config.activated',
        2,
        {
          ...{ why: random.pick(['started', 'changed']), changed: [], captureArguments: 'judged', reload: 'owner' },
          ...{ provenanceMode: random.pick(['off', 'block']), capabilityMode: random.pick(['off', 'observe', 'enforce']) },
          ...(random.chance(2) ? { program: '0.3.0' } : {}),
        },
      ],
      () => ['service.continued', 1, { ranMs: 3_600_000 }],
      () => ['service.ended', 1, { why: random.pick(['stopped', 'idle']) }],
      () => ['host.attached', 1, { ...attachFacts, pluginVersion: random.pick(['0.2.0', '0.3.0', 'x']) }],
      (index) => [
        'file.noticed',
        1,
        {
          turn: index,
          files: [{ target: 'memory', place: digest, found: digest, ...(random.chance(2) ? { before: null, since: 0 } : {}) }],
        },
        { names: ['memory'] },
      ],
      ...randomJevEvents(random),
      (index) => ['review.answered', 1, this.#answer(index), { note: this.#text() }],
      (index) => ['review.answered', 1, this.#answer(index)],
      (index) => ['review.cancelled', 1, { answer: random.int(index + 1), by: 'owner' }],
      () => ['made.up', 1, { turn: 3, source: 'unattested' }, { text: this.#text() }],
      () => ['message.captured', 99, { turn: 3, source: 'unattested' }, { text: this.#text() }],
    ]
  }
}

/** A history of so many entries, with whatever its erasures forgot. */
export function randomHistory(seed: number, entries: number): RandomHistory {
  const history = new RandomHistory(seed)
  while (history.rows.length < entries) history.addOne()
  return history
}
