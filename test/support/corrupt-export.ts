// Breaks exports of reference ledgers in every way that the format page names, and says from the deed which word must be found.
import { isDeepStrictEqual } from 'node:util'
import type { Entry, Header, Json, JsonObject, ReferenceLedger } from './reference-ledger.js'
import {
  at,
  canonical,
  checkpointNote,
  earlier,
  epochAt,
  exportBytes,
  exportLines,
  exportObjects,
  firstVkey,
  isPlain,
  keyAt,
  keyInForce,
  keyName,
  livingCheckpoints,
  makeCheckpoint,
  makeKey,
  makeReferenceLedger,
  newestCheckpoint,
  notesText,
  payloadOf,
  rechained,
  signatureLine,
  vkeyOf,
  withHeader,
  withHeaderText,
  withPayloadText,
  wordsCommitment,
} from './reference-ledger.js'
import type { Random } from './seeded-random.js'

/** A finding to come; `*` where the page names no index for it. */
export type Expected = { code: string; index: number | null | '*' }
export type Found = { code: string; index: number | null }

/** What a verifier must say of a deed: `expect`, each once, and besides notes nothing else. */
export type Expectation = {
  expect: Expected[]
  /** Findings that the page leaves open: they may stand beside the others. */
  mayAlso?: Expected[]
  /** Other whole answers, where the page can be read in more than one way. */
  orElse?: Expected[][]
  /** Notes that must be there. */
  notes?: Expected[]
}

export type Corruption = Expectation & {
  name: string
  bytes: Buffer
  /** A vkey to be given with `--key`. */
  pinnedKey?: string
  /** The text of a file to be given with `--against`. */
  against?: string
}

export const noteCodes: ReadonlySet<string> = new Set([
  'schema_mismatch',
  'type_unknown',
  'clock_backwards',
  'erasure_unfinished',
  'words_withheld',
  'started_late',
  'not_covered',
])

export const headerFields = ['v', 'ledger', 'epoch', 'index', 'time', 'type', 'version', 'session', 'payload', 'prev'] as const

/** Says how findings differ from what was expected; null when they agree. */
export function disagreement(wanted: Expectation, found: readonly Found[]): string | null {
  const fits = (expected: Expected, said: Found): boolean =>
    expected.code === said.code && (expected.index === '*' || expected.index === said.index)
  const missingNotes = (wanted.notes ?? []).filter((note) => !found.some((said) => fits(note, said)))
  const answers = [wanted.expect, ...(wanted.orElse ?? [])]
  const agrees = answers.some((answer) => {
    const left = found.filter((said) => !noteCodes.has(said.code))
    for (const expected of answer) {
      const place = left.findIndex((said) => fits(expected, said))
      if (place === -1) return false
      left.splice(place, 1)
    }
    return left.every((said) => (wanted.mayAlso ?? []).some((expected) => fits(expected, said)))
  })
  if (agrees && missingNotes.length === 0) return null
  const show = (list: readonly { code: string; index: number | string | null }[]): string =>
    list.map(({ code, index }) => `${code}@${index ?? '-'}`).join(' ') || 'nothing'
  const notes = missingNotes.length === 0 ? '' : ` and the note ${show(missingNotes)}`
  return `expected ${answers.map(show).join(' or ')}${notes}, found ${show(found)}`
}

export function told(code: string, index: number | null | '*' = '*'): Expected {
  return { code, index }
}

/** The entries whose words are gone and whose erasure goes with the lost entries. */
export function unexplained(model: ReferenceLedger, lost: (index: number) => boolean): Expected[] {
  return model.entries
    .filter((entry) => entry.erasedBy !== null && lost(entry.erasedBy) && !lost(entry.header.index))
    .map((entry) => told('words_missing', entry.header.index))
}

/** What else may be said when this entry can no longer be read or trusted; the page says it only in part. */
export function cascade(model: ReferenceLedger, index: number): Expected[] {
  const { type } = at(model.entries, index).header
  const gone = unexplained(model, (lost) => lost === index)
  if (type === 'ledger.created' || type === 'key.rotated') gone.push(told('key_unknown'))
  if (type === 'ledger.reanchored') gone.push(told('key_unknown'), told('entry_foreign'), told('forked'))
  return gone
}

/** The first index behind everything that keys, epochs or erasures hang on. */
export function plainTail(model: ReferenceLedger): number {
  const special = model.entries.filter((entry) => !isPlain(entry)).map((entry) => entry.header.index)
  return Math.max(...special) + 1
}

/** Plain entries in the first and last index of one epoch, so that moving between them crosses no new start. */
export function plainRun(model: ReferenceLedger, random: Random): number[] {
  const runs = model.epochs.map(({ epoch }) => plainIndexes(model).filter((index) => epochAt(model, index) === epoch))
  return random.pick(runs.filter((run) => run.length >= 4))
}

export function plainIndexes(model: ReferenceLedger): number[] {
  return model.entries.filter(isPlain).map((entry) => entry.header.index)
}

export function spokenIndexes(model: ReferenceLedger): number[] {
  return model.entries.filter((entry) => entry.wordsText !== null && entry.erasedBy === null).map((entry) => entry.header.index)
}

export function forgottenIndexes(model: ReferenceLedger): number[] {
  return model.entries.filter((entry) => entry.erasedBy !== null).map((entry) => entry.header.index)
}

export function silentIndexes(model: ReferenceLedger): number[] {
  return model.entries.filter((entry) => isPlain(entry) && entry.wordsText === null).map((entry) => entry.header.index)
}

/** Another value that the field could have held. */
export function otherField(entry: Entry, field: keyof Header, model: ReferenceLedger, random: Random): string | number {
  const { header } = entry
  switch (field) {
    case 'v':
      return 2
    case 'epoch':
      return header.epoch + 1
    case 'index':
      return random.pick(model.entries.map((_, index) => index).filter((index) => index !== header.index))
    case 'version':
      return header.version + 1
    case 'time':
      return new Date(Date.parse(header.time) + 1 + random.int(900)).toISOString()
    case 'type':
      return header.type === 'gate.decided' ? 'turn.ended' : 'gate.decided'
    case 'session':
      return `s${random.hex(8)}`
    case 'ledger':
      return random.hex(16)
    case 'payload':
    case 'prev':
      return random.hex(32)
  }
}

/** The model with one entry put in the place of another. */
export function replaced(model: ReferenceLedger, index: number, entry: Entry): ReferenceLedger {
  return { ...model, entries: model.entries.map((kept, place) => (place === index ? entry : kept)) }
}

/** A consistent other history from an index on, as someone without the signing key can write it. */
export function rewritten(model: ReferenceLedger, from: number, random: Random): ReferenceLedger {
  const entry = at(model.entries, from)
  const payload = { ...payloadOf(entry), turn: 100 + random.int(1000) }
  return { ...model, entries: rechained(replaced(model, from, withPayloadText(entry, canonical(payload))).entries, from) }
}

/** The whole history told anew under another key, with the same ledger id. */
export function retold(model: ReferenceLedger, random: Random): ReferenceLedger {
  return makeReferenceLedger({ random, size: model.entries.length, ledger: model.ledger, prefix: model.prefix })
}

/** Payload bytes that say the same but are not canonical. */
export function uncanonical(text: string, random: Random): string {
  return random.pick([
    text.replace('{', '{ '),
    text.replace(/\}$/, '}\n'),
    text.replace(/^\{"(.)/, (_, letter: string) => `{"\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
    text.replace(/^\{("[^"]*":)/, '{$10,$1'),
  ])
}

type Bench = {
  model: ReferenceLedger
  random: Random
  size: number
  lines: string[]
  objects: JsonObject[]
  /** An export of these line objects, with the checkpoint line as it was. */
  write(objects: readonly Json[]): Buffer
  /** An export with one line object changed. */
  edit(index: number, change: (line: JsonObject, raw: JsonObject) => void): Buffer
  put(name: string, bytes: Buffer | readonly string[], expect: Expected[], more?: Partial<Corruption>): void
}

/** Corruptions of the export of a ledger of at least 16 entries, one or more of every kind that fits the ledger. */
export function exportCorruptions(model: ReferenceLedger, random: Random): Corruption[] {
  const out: Corruption[] = []
  const lines = exportLines(model)
  const objects = exportObjects(model)
  const write = (changed: readonly Json[]): Buffer =>
    exportBytes([...changed.map((line) => JSON.stringify(line)), at(lines, lines.length - 1)])
  const bench: Bench = {
    model,
    random,
    size: model.entries.length,
    lines,
    objects,
    write,
    edit: (index, change) =>
      write(
        objects.map((line, place) => {
          if (place !== index) return line
          const copy = structuredClone(line)
          change(copy, copy['raw'] as JsonObject)
          return copy
        }),
      ),
    put: (name, bytes, expect, more = {}) => {
      out.push({ name, bytes: Buffer.isBuffer(bytes) ? bytes : exportBytes(bytes), expect, ...more })
    },
  }
  for (const deed of [
    editHeaders,
    editHashes,
    rehashHeaders,
    editPayloads,
    editWords,
    forgeErasures,
    moveLines,
    cutLines,
    junkLines,
    spliceForeign,
    editCheckpoints,
    rewriteHistory,
    commitBadly,
    forgeKeys,
    spareHarmless,
    flipBits,
  ])
    deed(bench)
  return out
}

function setRawField(raw: JsonObject, field: string, value: Json): void {
  raw['header'] = canonical({ ...(JSON.parse(String(raw['header'])) as JsonObject), [field]: value })
}

function editHeaders({ model, random, size, edit, put }: Bench): void {
  for (const field of headerFields) {
    const index = random.pick(plainIndexes(model))
    const value = otherField(at(model.entries, index), field, model, random)
    put(
      `header field ${field} edited`,
      edit(index, (line, raw) => {
        line[field] = value
        setRawField(raw, field, value)
      }),
      [told('header_altered', index)],
    )
    put(
      `header field ${field} edited beside raw only`,
      edit(index, (line) => {
        line[field] = value
      }),
      [told('header_altered', index)],
    )
    put(
      `header field ${field} edited in raw only`,
      edit(index, (_, raw) => setRawField(raw, field, value)),
      [told('header_altered', index)],
    )
  }
  const last = size - 1
  put(
    'header field time edited in the last entry',
    edit(last, (line, raw) => {
      line['time'] = '2027-01-01T00:00:00.000Z'
      setRawField(raw, 'time', '2027-01-01T00:00:00.000Z')
    }),
    [told('header_altered', last)],
  )
  // One word for one deed: the ids of all other entries still agree with each other.
  const value = random.hex(16)
  put(
    'header field ledger edited in the first entry',
    edit(0, (line, raw) => {
      line['ledger'] = value
      setRawField(raw, 'ledger', value)
    }),
    [told('header_altered', 0)],
  )

  const shapes: [string, (line: JsonObject, raw: JsonObject) => void][] = [
    [
      'raw.header removed',
      (_, raw) => {
        delete raw['header']
      },
    ],
    [
      'raw.header made a number',
      (_, raw) => {
        raw['header'] = 7
      },
    ],
    [
      'raw.header made an object',
      (_, raw) => {
        raw['header'] = JSON.parse(String(raw['header'])) as Json
      },
    ],
    [
      'raw.header is no JSON',
      (_, raw) => {
        raw['header'] = String(raw['header']).slice(0, -1)
      },
    ],
    [
      'raw removed',
      (line) => {
        delete line['raw']
      },
    ],
    [
      'a space in raw.header',
      (_, raw) => {
        raw['header'] = String(raw['header']).replace(',', ', ')
      },
    ],
    [
      'members of raw.header in another order',
      (_, raw) => {
        const members = Object.entries(JSON.parse(String(raw['header'])) as JsonObject)
        raw['header'] = JSON.stringify(Object.fromEntries(members.reverse()))
      },
    ],
    [
      'a field more in the header',
      (line, raw) => {
        line['extra'] = 1
        setRawField(raw, 'extra', 1)
      },
    ],
    [
      'a member more beside the header',
      (line) => {
        line['comment'] = 'hello'
      },
    ],
    [
      'a member more in raw',
      (_, raw) => {
        raw['comment'] = 'hello'
      },
    ],
    [
      'a header field removed beside raw',
      (line) => {
        delete line['session']
      },
    ],
    [
      'version beside raw made a string',
      (line) => {
        line['version'] = `${String(line['version'])}`
      },
    ],
  ]
  for (const [name, change] of shapes) {
    const index = random.pick(plainIndexes(model))
    put(name, edit(index, change), [told('header_altered', index)])
  }
}

function editHashes({ model, random, size, objects, write, edit, put }: Bench): void {
  const anywhere = (): number => random.int(size)
  const spoil = (line: JsonObject): void => {
    line['hash'] = random.hex(32)
  }
  // A fails, B holds.
  for (const [name, change] of [
    ['hash edited', spoil],
    [
      'hash removed',
      (line: JsonObject) => {
        delete line['hash']
      },
    ],
    [
      'hash cut short',
      (line: JsonObject) => {
        line['hash'] = String(line['hash']).slice(0, 62)
      },
    ],
    [
      'hash made a number',
      (line: JsonObject) => {
        line['hash'] = 12
      },
    ],
  ] as const) {
    const index = anywhere()
    put(name, edit(index, change), [told('tree_altered', index)])
  }
  put('hash of the last entry edited', edit(size - 1, spoil), [told('tree_altered', size - 1)])
  // The next entry's own A fails, so that nobody can judge B of the first.
  const index = random.int(size - 1)
  put(
    'hashes of two neighbours edited',
    write(objects.map((line, place) => (place === index || place === index + 1 ? { ...line, hash: random.hex(32) } : line))),
    [told('header_altered', index), told('tree_altered', index + 1)],
  )
  const plain = random.pick(plainIndexes(model).filter((place) => place < size - 1 && place > 1))
  put(
    'hash edited and the next line deleted',
    write(
      objects
        .map((line, place) => (place === plain - 1 ? { ...line, hash: random.hex(32) } : line))
        .filter((_, place) => place !== plain),
    ),
    [told('header_altered', plain - 1), told('entry_missing', plain)],
  )
}

/** Header edits whose own hash was made anew: A holds, the next entry tells. */
function rehashHeaders({ model, random, size, put }: Bench): void {
  const put1 = (name: string, index: number, entry: Entry, expect: Expected[], more: Partial<Corruption> = {}): void =>
    put(name, exportLines(replaced(model, index, entry)), expect, more)
  const broken = (index: number): Expected[] => (index === size - 1 ? [told('forked')] : [told('link_broken', index + 1)])
  for (const field of ['time', 'type', 'version', 'session'] as const) {
    const index = random.pick(plainIndexes(model))
    const entry = at(model.entries, index)
    const changed = withHeader(entry, { [field]: otherField(entry, field, model, random) })
    put1(`header field ${field} edited, hash recomputed`, index, changed, broken(index))
  }
  const last = at(model.entries, size - 1)
  const later = withHeader(last, { time: '2027-01-01T00:00:00.000Z' })
  put1('time of the last entry edited, hash recomputed', size - 1, later, [told('forked')])

  const known = plainIndexes(model).filter((index) => at(model.entries, index).erasedBy === null)
  const middle = random.pick(known.filter((index) => index > 1 && index < size - 1))
  const entry = at(model.entries, middle)
  put1('prev edited, hash recomputed', middle, withHeader(entry, { prev: random.hex(32) }), [
    told('link_broken', middle),
    told('link_broken', middle + 1),
  ])
  put1('payload commitment edited, hash recomputed', middle, withHeader(entry, { payload: random.hex(32) }), [
    told('payload_altered', middle),
    told('link_broken', middle + 1),
  ])
  const place = random.pick(plainIndexes(model))
  const placed = at(model.entries, place)
  put1('epoch raised, hash recomputed', place, withHeader(placed, { epoch: placed.header.epoch + 1 }), [
    told('entry_foreign', place),
  ])
  put1('ledger edited, hash recomputed', place, withHeader(placed, { ledger: random.hex(16) }), [told('entry_foreign', place)])
  const late = plainIndexes(model).filter((index) => at(model.entries, index).header.epoch > 0)
  if (late.length > 0) {
    const index = random.pick(late)
    const lowered = withHeader(at(model.entries, index), { epoch: 0 })
    put1('epoch lowered, hash recomputed', index, lowered, [told('entry_foreign', index)])
  }
  const other = random.pick(plainIndexes(model).filter((index) => Math.abs(index - middle) > 1))
  put1('index edited to one that exists, hash recomputed', middle, withHeader(entry, { index: other }), [
    told('entry_missing', middle),
    told('entry_duplicated', other),
  ])
  put1('a space in the header, hash recomputed', middle, withHeaderText(entry, entry.headerText.replace(',', ', ')), [
    told('header_altered', middle),
  ])
  // Behind an unknown version nothing is judged; the entry stands behind all erasures, so that none of them is lost.
  const tail = plainTail(model) + random.int(size - plainTail(model))
  const unknown = withHeader(at(model.entries, tail), { v: 2 })
  put1('unknown format version, hash recomputed', tail, unknown, [told('version_unknown', tail)])
  if (tail < size - 1) {
    const behind = replaced(
      replaced(model, tail, unknown),
      tail + 1,
      withHeader(at(model.entries, tail + 1), { time: 'whenever' }),
    )
    put('unknown format version, and a change behind it', exportLines(behind), [told('version_unknown', tail)])
  }
}

function editPayloads({ model, random, objects, edit, write, put }: Bench): void {
  const shift = (text: Json | undefined): string =>
    canonical({ ...(JSON.parse(String(text)) as JsonObject), added: random.int(99) })
  const changes: [string, (line: JsonObject, raw: JsonObject) => void][] = [
    [
      'payload edited',
      (line, raw) => {
        raw['payload'] = shift(raw['payload'])
        line['data'] = JSON.parse(raw['payload']) as Json
      },
    ],
    [
      'payload edited in data only',
      (line) => {
        line['data'] = { ...(line['data'] as JsonObject), added: 1 }
      },
    ],
    [
      'payload edited in raw only',
      (_, raw) => {
        raw['payload'] = shift(raw['payload'])
      },
    ],
    [
      'data removed',
      (line) => {
        delete line['data']
      },
    ],
    [
      'raw.payload removed',
      (_, raw) => {
        delete raw['payload']
      },
    ],
    [
      'raw.payload made an object',
      (line, raw) => {
        raw['payload'] = line['data'] as Json
      },
    ],
    [
      'salt edited',
      (line) => {
        line['salt'] = random.hex(16)
      },
    ],
    [
      'salt removed',
      (line) => {
        delete line['salt']
      },
    ],
    [
      'salt in upper case',
      (line) => {
        line['salt'] = `A${String(line['salt']).slice(1).toUpperCase()}`
      },
    ],
    [
      'a space in raw.payload',
      (_, raw) => {
        raw['payload'] = String(raw['payload']).replace(':', ': ')
      },
    ],
    [
      'a name twice in raw.payload',
      (_, raw) => {
        raw['payload'] = String(raw['payload']).replace(/^\{("[^"]*":)/, '{$10,$1')
      },
    ],
    [
      'raw.payload is no JSON',
      (_, raw) => {
        raw['payload'] = String(raw['payload']).slice(1)
      },
    ],
  ]
  for (const [name, change] of changes) {
    const index = random.pick(plainIndexes(model))
    put(name, edit(index, change), [told('payload_altered', index)])
  }
  for (const salted of [true, false]) {
    const index = random.pick(plainIndexes(model))
    put(
      `payload removed, ${salted ? 'its salt left' : 'its salt too'}`,
      edit(index, (line, raw) => {
        delete line['data']
        delete raw['payload']
        if (!salted) delete line['salt']
      }),
      [told('payload_missing', index)],
    )
  }
  const [one = 0, other = 0] = random.shuffle(plainIndexes(model))
  const swap = (whose: number, from: number): JsonObject => {
    const mine = at(objects, whose)
    const theirs = at(objects, from)
    const raw = { ...(mine['raw'] as JsonObject), payload: (theirs['raw'] as JsonObject)['payload'] as Json }
    return { ...mine, salt: theirs['salt'] as Json, data: theirs['data'] as Json, raw }
  }
  put(
    'payloads of two entries swapped',
    write(
      objects.map((line, place) => {
        if (place === one) return swap(one, other)
        return place === other ? swap(other, one) : line
      }),
    ),
    [told('payload_altered', one), told('payload_altered', other)],
  )
  put(
    'program of the created ledger edited',
    edit(0, (line, raw) => {
      raw['payload'] = String(raw['payload']).replace('reference 1', 'reference 2')
      line['data'] = JSON.parse(raw['payload']) as Json
    }),
    [told('payload_altered', 0)],
  )
}

function editWords({ model, random, edit, put }: Bench): void {
  const spoken = spokenIndexes(model)
  if (spoken.length === 0) return
  const reword = (raw: JsonObject): string =>
    canonical({ ...(JSON.parse(String(raw['words'])) as JsonObject), more: random.hex(2) })
  const altered: [string, (line: JsonObject, raw: JsonObject) => void][] = [
    [
      'words edited',
      (line, raw) => {
        raw['words'] = reword(raw)
        line['words'] = JSON.parse(raw['words']) as Json
      },
    ],
    [
      'words edited beside raw only',
      (line, raw) => {
        line['words'] = JSON.parse(reword(raw)) as Json
      },
    ],
    [
      'words edited in raw only',
      (_, raw) => {
        raw['words'] = reword(raw)
      },
    ],
    [
      'wordsSalt edited',
      (line) => {
        line['wordsSalt'] = random.hex(16)
      },
    ],
    [
      'wordsSalt removed',
      (line) => {
        delete line['wordsSalt']
      },
    ],
    [
      'words removed beside raw only',
      (line) => {
        delete line['words']
      },
    ],
    [
      'words removed in raw only',
      (_, raw) => {
        delete raw['words']
      },
    ],
    [
      'a space in raw.words',
      (_, raw) => {
        raw['words'] = String(raw['words']).replace(':', ': ')
      },
    ],
    [
      'a name twice in raw.words',
      (_, raw) => {
        raw['words'] = String(raw['words']).replace(/^\{("[^"]*":)/, '{$10,$1')
      },
    ],
  ]
  for (const [name, change] of altered) {
    const index = random.pick(spoken)
    put(name, edit(index, change), [told('words_altered', index)])
  }
  const remove = (line: JsonObject, raw: JsonObject): void => {
    delete line['words']
    delete line['wordsSalt']
    delete raw['words']
  }
  const missing: [string, (line: JsonObject, raw: JsonObject) => void][] = [
    ['words removed', remove],
    [
      'words removed, withheld is false',
      (line, raw) => {
        remove(line, raw)
        line['withheld'] = false
      },
    ],
    [
      'words removed, withheld is 1',
      (line, raw) => {
        remove(line, raw)
        line['withheld'] = 1
      },
    ],
    [
      'words removed, erased points at an entry that is no erasure',
      (line, raw) => {
        remove(line, raw)
        line['erased'] = random.pick(plainIndexes(model))
      },
    ],
    [
      'words removed, erased points behind the end',
      (line, raw) => {
        remove(line, raw)
        line['erased'] = model.entries.length + random.int(5)
      },
    ],
    ...model.erasures.slice(0, 1).map(({ by }): [string, (line: JsonObject, raw: JsonObject) => void] => [
      'words removed, erased points at an erasure that does not name the entry',
      (line, raw) => {
        remove(line, raw)
        line['erased'] = by
      },
    ]),
  ]
  for (const [name, change] of missing) {
    const index = random.pick(spoken)
    put(name, edit(index, change), [told('words_missing', index)])
  }
  const index = random.pick(spoken)
  // A lonely wordsSalt may also be read as a member that belongs to nothing.
  put(
    'words removed, their salt left',
    edit(index, (line, raw) => {
      delete line['words']
      delete raw['words']
    }),
    [told('words_missing', index)],
    { orElse: [[told('header_altered', index)]] },
  )
  put(
    'words replaced by withheld',
    edit(index, (line, raw) => {
      remove(line, raw)
      line['withheld'] = true
    }),
    [],
    { notes: [told('words_withheld')] },
  )

  const silent = silentIndexes(model)
  if (silent.length === 0) return
  const place = random.pick(silent)
  // "the word of the part it stands in": the parts named are raw and beside the header, yet words have a word of their own.
  put(
    'words added where the payload commits to none',
    edit(place, (line, raw) => {
      line['wordsSalt'] = random.hex(16)
      line['words'] = { text: 'never said' }
      raw['words'] = canonical(line['words'])
    }),
    [told('header_altered', place)],
    { orElse: [[told('words_altered', place)]] },
  )
}

function forgeErasures(bench: Bench): void {
  const { model, random, size, objects, edit, write, put } = bench
  const forgotten = forgottenIndexes(model)
  if (forgotten.length === 0) return
  const pointers: [string, (line: JsonObject, by: number) => void][] = [
    [
      'erased pointer forged: another entry',
      (line) => {
        line['erased'] = random.pick(plainIndexes(model))
      },
    ],
    [
      'erased pointer forged: behind the end',
      (line) => {
        line['erased'] = size + random.int(9)
      },
    ],
    [
      'erased pointer made a string',
      (line, by) => {
        line['erased'] = `${by}`
      },
    ],
    [
      'erased pointer removed',
      (line) => {
        delete line['erased']
      },
    ],
  ]
  for (const [name, change] of pointers) {
    const index = random.pick(forgotten)
    const by = at(model.entries, index).erasedBy ?? 0
    put(
      name,
      edit(index, (line) => change(line, by)),
      [told('words_missing', index)],
    )
  }
  const restored = random.pick(forgotten)
  const { wordsText, wordsSalt } = at(model.entries, restored)
  put(
    'forgotten words put back',
    edit(restored, (line, raw) => {
      delete line['erased']
      line['wordsSalt'] = wordsSalt
      line['words'] = JSON.parse(wordsText ?? '{}') as Json
      raw['words'] = wordsText
    }),
    [],
    { notes: [told('erasure_unfinished', restored)] },
  )

  const { by, ranges } = random.pick(model.erasures)
  const named = unexplained(model, (index) => index === by)
  const reword = (
    name: string,
    change: (payload: JsonObject) => void,
    expect: Expected[],
    more: Partial<Corruption> = {},
  ): void =>
    put(
      name,
      edit(by, (line, raw) => {
        const payload = JSON.parse(String(raw['payload'])) as JsonObject
        change(payload)
        raw['payload'] = canonical(payload)
        line['data'] = payload
      }),
      expect,
      more,
    )
  reword(
    "erasure's reason edited",
    (payload) => {
      payload['reason'] = 'never mind'
    },
    [told('payload_altered', by)],
  )
  reword(
    "erasure's bytes edited",
    (payload) => {
      payload['bytes'] = Number(payload['bytes']) + 1
    },
    [told('payload_altered', by)],
  )
  reword(
    "erasure's ranges widened",
    (payload) => {
      payload['entries'] = [[0, by - 1]]
    },
    [told('payload_altered', by)],
  )
  reword(
    "erasure's ranges made unreadable",
    (payload) => {
      payload['entries'] = 'all'
    },
    [told('payload_altered', by), ...named],
  )
  reword(
    "erasure's ranges emptied",
    (payload) => {
      payload['entries'] = []
    },
    [told('payload_altered', by), ...named],
  )
  put(
    "erasure's payload removed",
    edit(by, (line, raw) => {
      delete line['data']
      delete raw['payload']
    }),
    [told('payload_missing', by), ...named],
  )
  put('erasure deleted', write(objects.filter((_, place) => place !== by)), [told('entry_missing', by), ...named])
  put(
    "erasure's header field time edited",
    edit(by, (line, raw) => {
      line['time'] = '2027-01-01T00:00:00.000Z'
      setRawField(raw, 'time', '2027-01-01T00:00:00.000Z')
    }),
    [told('header_altered', by)],
  )
  const inside = at(ranges, 0)[0]
  put(
    'header of a forgotten entry edited',
    edit(inside, (line, raw) => {
      line['version'] = 9
      setRawField(raw, 'version', 9)
    }),
    [told('header_altered', inside)],
  )
}

function moveLines({ model, random, size, lines, objects, write, put }: Bench): void {
  const body = lines.slice(0, size)
  const last = at(lines, size)
  const without = (from: number, to = from): string[] => [...body.slice(0, from), ...body.slice(to + 1), last]
  const inner = plainIndexes(model).filter((index) => index < size - 1)
  const gone = random.pick(inner)
  put('line deleted', without(gone), [told('entry_missing', gone)])
  const tail = plainTail(model)
  if (size - tail >= 4) {
    const from = tail + random.int(size - tail - 3)
    put('several lines deleted', without(from, from + 1), [told('entry_missing', from)])
  }
  const apart = random
    .shuffle(inner)
    .slice(0, 2)
    .sort((one, other) => one - other)
  if (at(apart, 1) - at(apart, 0) > 1) {
    put(
      'two lines deleted in different places',
      [...body.filter((_, place) => !apart.includes(place)), last],
      apart.map((index) => told('entry_missing', index)),
    )
  }
  const run = plainRun(model, random)
  const [near = 0, far = 0] = random
    .shuffle(run)
    .slice(0, 2)
    .sort((one, other) => one - other)
  const swapped = [...objects]
  swapped[near] = at(objects, far)
  swapped[far] = at(objects, near)
  put('two lines swapped', write(swapped), [told('link_broken', far)])
  const pairs = plainIndexes(model).filter((index) => index + 1 < size && isPlain(at(model.entries, index + 1)))
  const pair = random.pick(pairs)
  const neighbours = [...objects]
  neighbours[pair] = at(objects, pair + 1)
  neighbours[pair + 1] = at(objects, pair)
  put('two neighbouring lines swapped', write(neighbours), [told('link_broken', pair + 1)])
  // The entry behind the moved one stands where the moved one was due; moved up, it stands itself where a lower one was due.
  const back = without(near).slice(0, -1)
  put('line moved far down', [...back.slice(0, far), at(body, near), ...back.slice(far), last], [told('link_broken', near + 1)])
  const up = without(far).slice(0, -1)
  put('line moved far up', [...up.slice(0, near), at(body, far), ...up.slice(near), last], [told('link_broken', far)])
  put(
    'line duplicated',
    [...body.slice(0, near + 1), at(body, near), ...body.slice(near + 1), last],
    [told('entry_duplicated', near)],
  )
  put(
    'line duplicated further down',
    [...body.slice(0, far + 1), at(body, near), ...body.slice(far + 1), last],
    [told('entry_duplicated', near)],
  )
  put('last line of an entry duplicated', [...body, at(body, size - 1), last], [told('entry_duplicated', size - 1)])

  // Renumbered after a deletion, behind everything that names indices.
  if (size - tail < 3) return
  const from = tail + random.int(size - tail - 2)
  const kept = model.entries.filter((_, place) => place !== from)
  const numbered = kept.map((entry, place) => (place < from ? entry : withHeader(entry, { index: place })))
  const chained: ReferenceLedger = { ...model, entries: rechained(numbered, from) }
  put('entry deleted, the others renumbered and chained anew', exportLines(chained), [told('truncated')])
  // Every link behind the deletion names a hash that is not there; the checkpoint still names one entry more.
  put('entry deleted, the others renumbered and only hashed anew', exportLines({ ...model, entries: numbered }), [
    ...numbered.slice(from).map((entry) => told('link_broken', entry.header.index)),
    told('truncated'),
  ])
}

function cutLines({ model, random, size, lines, put }: Bench): void {
  const body = lines.slice(0, size)
  const last = at(lines, size)
  const tail = plainTail(model)
  const kept = tail + random.int(size - tail)
  const whole = exportBytes(lines)
  const from = exportBytes(body.slice(0, kept)).length
  put('tail cut, checkpoint kept', [...body.slice(0, kept), last], [told('truncated')])
  put('tail cut, checkpoint lost', body.slice(0, kept), [told('truncated')])
  put('checkpoint line lost', body, [told('truncated')])
  put('last entry cut, checkpoint kept', [...body.slice(0, -1), last], [told('truncated')])
  put('cut in the middle of a line', whole.subarray(0, from + 1 + random.int(Buffer.byteLength(at(body, kept)) - 2)), [
    told('truncated'),
  ])
  put('cut before a line end', whole.subarray(0, from + Buffer.byteLength(at(body, kept))), [told('truncated')])
  put('cut in the middle of the checkpoint', whole.subarray(0, whole.length - 2 - random.int(Buffer.byteLength(last) - 2)), [
    told('truncated'),
  ])
  put('last line end cut', whole.subarray(0, -1), [])
  put('empty file', Buffer.alloc(0), [told('truncated')])
  // Nothing is there that could name a key, so that an unknown key may be told or not.
  put('every entry cut, checkpoint kept', [last], [told('truncated')], { mayAlso: [told('key_unknown')] })
  const erasure = model.erasures[0]
  if (
    erasure !== undefined &&
    !model.entries.some((entry) => !isPlain(entry) && entry.header.type !== 'payload.erased' && entry.header.index >= erasure.by)
  ) {
    put(
      'tail cut together with an erasure, checkpoint kept',
      [...body.slice(0, erasure.by), last],
      [told('truncated'), ...unexplained(model, (index) => index >= erasure.by)],
    )
  }
  // Who cuts the first lines takes the first key with them; that the key is then unknown is the same deed.
  const first = 1 + random.int(3)
  put('first lines cut', [...body.slice(first), last], [told('entry_missing', 0)], { mayAlso: [told('key_unknown')] })
  const rotation = model.keys[1]
  if (rotation !== undefined && model.epochs.every((epoch) => epoch.first <= rotation.from)) {
    // The key of the checkpoint is named in the part that was cut.
    put(
      'tail cut together with a rotation',
      [...body.slice(0, rotation.from), last],
      [told('truncated'), ...unexplained(model, (index) => index >= rotation.from)],
      {
        mayAlso: [told('key_unknown')],
        orElse: [[told('key_unknown'), ...unexplained(model, (index) => index >= rotation.from)]],
      },
    )
  }
}

function junkLines({ model, random, size, lines, put }: Bench): void {
  const body = lines.slice(0, size)
  const last = at(lines, size)
  const junk = (): string => random.pick(['not JSON', '[]', 'null', '17', '"text"', '{"v":1', '{}}', '\u0000'])
  const index = random.pick(plainIndexes(model).filter((place) => place < size - 1))
  put(
    'line replaced by junk',
    [...body.slice(0, index), junk(), ...body.slice(index + 1), last],
    [told('store_unreadable', index)],
  )
  put(
    'junk line between entries',
    [...body.slice(0, index), junk(), ...body.slice(index), last],
    [told('store_unreadable', index)],
  )
  put('empty line between entries', [...body.slice(0, index), '', ...body.slice(index), last], [told('store_unreadable', index)])
  const cut = Buffer.byteLength(at(body, index)) >> 1
  put(
    'line cut in its middle',
    [
      ...body.slice(0, index),
      Buffer.from(at(body, index))
        .subarray(0, cut)
        .toString('latin1')
        .replace(/[^ -~]/g, '?'),
      ...body.slice(index + 1),
      last,
    ],
    [told('store_unreadable', index)],
  )
  // The number that the line would have held is not told again: what stands there has no readable header.
  put(
    'line replaced by an empty object',
    [...body.slice(0, index), '{}', ...body.slice(index + 1), last],
    [told('header_altered', index)],
    { orElse: [[told('header_altered', index), told('entry_missing', index)]] },
  )
  put('last line replaced by junk', [...body, 'junk'], [told('checkpoint_forged')])
  put('last line replaced by another object', [...body, '{"checkpoint":7}'], [told('checkpoint_forged')])
  put('last line replaced by an empty note', [...body, '{"checkpoint":""}'], [told('checkpoint_forged')])
  const garbled = exportBytes(lines)
  const text = garbled.indexOf('"raw"', exportBytes(body.slice(0, index)).length) + '"raw":{"header":"{\\"'.length
  garbled[text] = 0xff
  put('a byte that is not UTF-8 in raw.header', garbled, [told('header_altered', index)])
}

function spliceForeign({ model, random, size, lines, objects, write, put }: Bench): void {
  const other = makeReferenceLedger({ random, size: size + 4 })
  const foreign = exportObjects(other)
  const spare = other.entries.filter((entry) => isPlain(entry) && entry.erasedBy === null).map((entry) => entry.header.index)
  const mine = plainIndexes(model).filter((index) => index < size && spare.includes(index))
  if (mine.length > 0) {
    const index = random.pick(mine)
    put(
      'line replaced by one of another ledger',
      write(objects.map((line, place) => (place === index ? at(foreign, index) : line))),
      [told('entry_foreign', index)],
    )
    // Whether its number, which now comes twice, is told as well is open.
    put(
      'line of another ledger put in',
      write([...objects.slice(0, index), at(foreign, index), ...objects.slice(index)]),
      [told('entry_foreign', index)],
      { orElse: [[told('entry_foreign', index), told('entry_duplicated', index)]] },
    )
  }
  if (spare.includes(size)) {
    put('line of another ledger put behind the end', write([...objects, at(foreign, size)]), [told('entry_foreign', size)])
  }
  put(
    'another ledger, checkpoint kept',
    [...exportLines(earlier(other, size)).slice(0, -1), at(lines, size)],
    [told('key_unknown')],
  )
}

function editCheckpoints({ model, random, size, lines, put }: Bench): void {
  const body = lines.slice(0, size)
  const { text } = newestCheckpoint(model)
  const [origin = '', , root = '', , signed = ''] = text.split('\n')
  const [dash = '', name = '', sealed = ''] = signed.split(' ')
  const deed = (what: string, note: string, expect: Expected[], more: Partial<Corruption> = {}): void =>
    put(what, [...body, JSON.stringify({ checkpoint: note })], expect, more)
  const seal = (change: (bytes: Buffer) => void): string => {
    const bytes = Buffer.from(sealed, 'base64')
    change(bytes)
    return text.replace(sealed, bytes.toString('base64'))
  }
  const spoil = (bytes: Buffer, from: number, length: number): void => {
    const place = from + random.int(length)
    bytes[place] = (bytes[place] ?? 0) ^ (1 << random.int(8))
  }
  const forged = [told('checkpoint_forged')]
  const rootBytes = Buffer.from(root, 'base64')
  spoil(rootBytes, 0, 32)
  deed(
    'checkpoint signature edited',
    seal((bytes) => spoil(bytes, 4, 64)),
    forged,
  )
  deed(
    'checkpoint key id edited',
    seal((bytes) => spoil(bytes, 0, 4)),
    [told('key_unknown')],
  )
  deed('checkpoint size raised', text.replace(`\n${size}\n`, `\n${size + 1}\n`), forged)
  deed('checkpoint size lowered', text.replace(`\n${size}\n`, `\n${size - 1}\n`), forged)
  deed('checkpoint size with a zero in front', text.replace(`\n${size}\n`, `\n0${size}\n`), forged)
  deed('checkpoint root edited', text.replace(root, rootBytes.toString('base64')), forged)
  deed('checkpoint root cut', text.replace(root, root.slice(4)), forged)
  deed('checkpoint origin edited in its first line', text.replace(origin, `${origin}0`), forged)
  deed('checkpoint origin edited in both lines', text.replaceAll(origin, `${origin}0`), [told('key_unknown')])
  deed('checkpoint key name edited', text.replace(signed, `${dash} ${name}0 ${sealed}`), [told('key_unknown')])
  deed('checkpoint without a signature', text.slice(0, text.indexOf('\n\n') + 2), forged)
  deed('checkpoint without its empty line', text.replace('\n\n', '\n'), forged)
  deed('checkpoint signature cut', text.replace(sealed, sealed.slice(0, 40)), forged)
  deed('checkpoint with other text', 'hello', forged)

  const stranger = makeKey(random.bytes(32))
  const signedText = text.slice(0, text.indexOf('\n\n') + 1)
  deed('signature of a stranger added', text + signatureLine(signedText, 'witness.example', stranger), [])
  deed(
    'checkpoint signed by a stranger under the same name',
    checkpointNote(origin, stranger, size, newestCheckpoint(model).root),
    [told('key_unknown')],
  )
  const older = livingCheckpoints(model).filter((checkpoint) => checkpoint.size < size)
  if (older.length > 0) deed('an older checkpoint of the same ledger', random.pick(older).text, [])
  const rotation = model.keys[1]
  if (rotation !== undefined) {
    const old = at(model.keys, 0).key
    const current = keyName(model.prefix, model.ledger, at(model.epochs, model.epochs.length - 1).epoch)
    deed('checkpoint signed by the key before the rotation', checkpointNote(current, old, size, newestCheckpoint(model).root), [
      told('key_unknown'),
    ])
  }
  const { key } = keyInForce(model)
  const wrong = checkpointNote(origin, key, size, random.hex(32))
  deed('checkpoint with another root, signed by the true key', wrong, [told('forked')])
  const beyond = checkpointNote(origin, key, size + 3, random.hex(32))
  deed('checkpoint beyond the end, signed by the true key', beyond, [told('truncated')])
}

function rewriteHistory({ model, random, size, lines, put }: Bench): void {
  const known = newestCheckpoint(model)
  const pinnedKey = firstVkey(model)
  const against = notesText([known.text])
  const other = retold(model, random)
  put('whole ledger rewritten under a new key', exportLines(other), [told('key_unknown', null)], { pinnedKey })
  put('whole ledger rewritten under a new key, an old checkpoint outside', exportLines(other), [told('key_unknown')], { against })
  const from = random.pick(plainIndexes(model))
  const changed = rewritten(model, from, random)
  put('suffix rewritten without the key', [...exportLines(changed).slice(0, size), at(lines, size)], [told('forked')])
  const resigned: ReferenceLedger = { ...changed, checkpoints: [makeCheckpoint(changed)] }
  put('suffix rewritten with the key, an old checkpoint outside', exportLines(resigned), [told('forked')], { against })
  put('suffix rewritten with the key, an old plain note outside', exportLines(resigned), [told('forked')], {
    against: known.text,
  })
  const tail = plainTail(model)
  const cut = earlier(model, tail + random.int(size - tail))
  const shorter: ReferenceLedger = { ...cut, checkpoints: [makeCheckpoint(cut)] }
  put('tail cut and signed with the key, an old checkpoint outside', exportLines(shorter), [told('truncated')], { against })
  const stranger = makeReferenceLedger({ random, size: 16 })
  const spoiled = [...lines.slice(0, size - 1), `${at(lines, size - 1).slice(0, -1)} }`, at(lines, size)]
  put('a checkpoint of another ledger outside', spoiled, [told('key_unknown')], { against: newestCheckpoint(stranger).text })
  const unpinned = vkeyOf(keyName(model.prefix, model.ledger, 0), makeKey(random.bytes(32)).publicKey)
  put('a key pinned that was never in force', spoiled, [told('key_unknown', null)], { pinnedKey: unpinned })
}

/** Bytes that the writer itself committed to, though they are not canonical: everything else is sound and signed. */
function commitBadly({ model, random, put }: Bench): void {
  const sealed = (index: number, entry: Entry): string[] => {
    const changed = { ...model, entries: rechained(replaced(model, index, entry).entries, index + 1) }
    return exportLines({ ...changed, checkpoints: [makeCheckpoint(changed)] })
  }
  const index = random.pick(plainIndexes(model))
  const entry = at(model.entries, index)
  put(
    'payload committed in other than canonical bytes',
    sealed(index, withPayloadText(entry, uncanonical(entry.payloadText, random))),
    [told('payload_altered', index)],
  )
  const spaced = entry.headerText.replace(',"index"', ', "index"')
  put('header chained in other than canonical bytes', sealed(index, withHeaderText(entry, spaced)), [
    told('header_altered', index),
  ])
  const spoken = spokenIndexes(model)
  if (spoken.length === 0) return
  const place = random.pick(spoken)
  const said = at(model.entries, place)
  const wordsText = uncanonical(said.wordsText ?? '{}', random)
  const payload = { ...payloadOf(said), words: wordsCommitment(said.wordsSalt ?? '', wordsText) }
  put(
    'words committed in other than canonical bytes',
    sealed(place, withPayloadText({ ...said, wordsText }, canonical(payload))),
    [told('words_altered', place)],
  )
}

/** Keys and epochs that change by entries which the true key sealed, but which do not hold what they must. */
function forgeKeys({ model, random, size, put }: Bench): void {
  const sealed = (index: number, payload: JsonObject): string[] => {
    const entry = withPayloadText(at(model.entries, index), canonical(payload))
    const changed = { ...model, entries: rechained(replaced(model, index, entry).entries, index + 1) }
    return exportLines({ ...changed, checkpoints: [makeCheckpoint(changed)] })
  }
  // What the true but unproven key signs afterwards is unknown too.
  const mayAlso = [told('key_unknown')]
  const rotation = model.keys[1]
  if (rotation !== undefined) {
    const payload = payloadOf(at(model.entries, rotation.from))
    for (const member of ['oldSignature', 'newSignature']) {
      const bytes = Buffer.from(String(payload[member]), 'base64')
      bytes[0] = (bytes[0] ?? 0) ^ 1
      put(
        `rotation with a wrong ${member}`,
        sealed(rotation.from, { ...payload, [member]: bytes.toString('base64') }),
        [told('key_unknown', rotation.from)],
        { mayAlso },
      )
    }
  }
  const epoch = model.epochs[1]
  if (epoch !== undefined) {
    const payload = payloadOf(at(model.entries, epoch.first))
    const vkey = vkeyOf(keyName(model.prefix, model.ledger, epoch.epoch), makeKey(random.bytes(32)).publicKey)
    put('new epoch under another key', sealed(epoch.first, { ...payload, vkey }), [told('key_unknown', epoch.first)], { mayAlso })
    const skipped = model.entries.map((entry) =>
      entry.header.index < epoch.first ? entry : withHeader(entry, { epoch: entry.header.epoch + 1 }),
    )
    const changed = { ...model, entries: rechained(skipped, epoch.first) }
    put('new epoch with another number, made to fit without the key', exportLines(changed), [told('forked')], {
      mayAlso: [
        ...[told('entry_foreign'), told('key_unknown'), told('forked')],
        ...unexplained(model, (index) => index >= epoch.first),
      ],
    })
    const abandoned = model.checkpoints.filter((checkpoint) => checkpoint.abandoned)
    if (abandoned.length > 0) {
      const lines = exportLines(model)
      put('an abandoned checkpoint outside', [...lines.slice(0, size - 1), `${at(lines, size - 1)} `, at(lines, size)], [], {
        against: notesText(abandoned.map((checkpoint) => checkpoint.text)),
      })
    }
  }
}

/** Changes that the page does not call damage. */
function spareHarmless({ model, random, size, lines, objects, write, put }: Bench): void {
  const index = random.int(size)
  const reordered = objects.map((line, place) => (place === index ? Object.fromEntries(Object.entries(line).reverse()) : line))
  put('members of a line in another order', write(reordered), [])
  const spaced = lines.map((line, place) => (place === index ? line.replace(/^\{/, '{ ').replace(/\}$/, ' }') : line))
  put('spaces between the members of a line', spaced, [])
  const escaped = lines.map((line, place) => (place === index ? line.replace('"hash"', '"\\u0068ash"') : line))
  put('a member name written with an escape', escaped, [])
  const notes = model.entries.some((entry) => entry.wordsText !== null && entry.erasedBy === null) ? [told('words_withheld')] : []
  if (notes.length === 0) return
  put('words withheld throughout', exportLines(model, true), [], { notes })
  const place = random.pick(plainIndexes(model))
  const facts = exportObjects(model, true).map((line) => (line['index'] === place ? { ...line, salt: random.hex(16) } : line))
  put('salt edited in an export without words', write(facts), [told('payload_altered', place)])
}

/** Single flipped bits; the word follows from the member that the byte belongs to. */
function flipBits({ model, random, lines, put }: Bench): void {
  const whole = exportBytes(lines)
  for (let turn = 0; turn < 24; turn += 1) {
    const place = random.int(whole.length)
    const bit = random.int(8)
    put(`bit ${bit} of byte ${place} flipped`, ...flipped(model, lines, place, bit))
  }
  const note = whole.length - 1 - Buffer.byteLength(at(lines, lines.length - 1))
  for (let turn = 0; turn < 6; turn += 1) {
    const place = note + random.int(whole.length - note)
    const bit = random.int(8)
    put(`bit ${bit} of byte ${place} flipped, in the checkpoint line`, ...flipped(model, lines, place, bit))
  }
}

/** The export with one bit flipped, and what must be said of it. */
export function flipped(
  model: ReferenceLedger,
  lines: readonly string[],
  place: number,
  bit: number,
): [bytes: Buffer, expect: Expected[], more: Partial<Corruption>] {
  const bytes = exportBytes(lines)
  let line = 0
  let start = 0
  while (start + Buffer.byteLength(at(lines, line)) < place) {
    start += Buffer.byteLength(at(lines, line)) + 1
    line += 1
  }
  const length = Buffer.byteLength(at(lines, line))
  const before = bytes[place]
  const after = (before ?? 0) ^ (1 << bit)
  bytes[place] = after
  const { expect, ...more } = judgeFlip(model, lines, line, before, after, bytes.subarray(start, start + length).toString('utf8'))
  return [bytes, expect, more]
}

const lineEnd = 0x0a

function judgeFlip(
  model: ReferenceLedger,
  lines: readonly string[],
  line: number,
  before: number | undefined,
  after: number,
  text: string,
): Expectation {
  const size = model.entries.length
  const lost = line < size ? cascade(model, line) : []
  if (before === lineEnd) {
    if (line === size) return { expect: [told('truncated')] }
    if (line === size - 1) return { expect: [told('checkpoint_forged')], mayAlso: lost }
    return { expect: [told('store_unreadable', line)], mayAlso: [...lost, ...cascade(model, line + 1)] }
  }
  if (after === lineEnd) {
    // One deed makes two lines that cannot be read; whether both are told is open.
    if (line === size) {
      return { expect: [told('store_unreadable', size), told('checkpoint_forged')], orElse: [[told('checkpoint_forged')]] }
    }
    return {
      expect: [told('store_unreadable', line), told('store_unreadable', line + 1)],
      orElse: [[told('store_unreadable', line)]],
      mayAlso: lost,
    }
  }
  const said = parsed(text)
  if (line === size) {
    const note = said?.['checkpoint']
    if (typeof note !== 'string') return { expect: [told('checkpoint_forged')] }
    return judgeNote(model, note)
  }
  if (said === null) return { expect: [told('store_unreadable', line)], mayAlso: lost }
  return judgeMembers(line, JSON.parse(at(lines, line)) as JsonObject, said, lost)
}

function parsed(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as Json
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

function judgeMembers(line: number, was: JsonObject, is: JsonObject, lost: Expected[]): Expectation {
  const header: Expectation = { expect: [told('header_altered', line)], mayAlso: lost }
  const added = Object.keys(is).some((name) => !(name in was))
  if (added) {
    // The member that lost its name is missing as well: only the hash is judged apart from the header.
    return 'hash' in is ? header : { ...header, mayAlso: [...lost, told('tree_altered', line)] }
  }
  const changed = Object.keys(was).filter((name) => !isDeepStrictEqual(was[name], is[name]))
  const name = changed[0]
  switch (name) {
    case undefined:
      return { expect: [] }
    case 'hash': {
      // A hexadecimal digit in upper case says the same number, though not as the page writes it.
      const same = String(was['hash']).toLowerCase() === String(is['hash']).toLowerCase()
      return { expect: [told('tree_altered', line)], ...(same ? { orElse: [[]] } : {}) }
    }
    case 'salt':
    case 'data':
      return { expect: [told('payload_altered', line)], mayAlso: lost }
    case 'wordsSalt':
    case 'words':
      return { expect: [told('words_altered', line)] }
    case 'erased':
      return { expect: [told('words_missing', line)] }
    case 'raw': {
      const rawWas = was['raw'] as JsonObject
      const rawIs = is['raw'] as JsonObject
      if (Object.keys(rawIs).some((member) => !(member in rawWas))) return header
      if (rawWas['header'] !== rawIs['header']) return header
      if (rawWas['payload'] !== rawIs['payload']) return { expect: [told('payload_altered', line)], mayAlso: lost }
      return { expect: [told('words_altered', line)] }
    }
    default:
      return header
  }
}

function judgeNote(model: ReferenceLedger, note: string): Expectation {
  const forged: Expectation = { expect: [told('checkpoint_forged')] }
  const was = newestCheckpoint(model)
  if (note === was.text) return { expect: [] }
  const shape = /^([^\n]+)\n(0|[1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\n\n— ([^\n]+) ([^\n ]+)\n$/.exec(note)
  if (shape === null) return forged
  const [, , size = '', , name = '', sealed = ''] = shape
  const [, , , , trueSigned = ''] = was.text.split('\n')
  const [, trueName = '', trueSealed = ''] = trueSigned.split(' ')
  const unknown: Expectation = { expect: [told('key_unknown')] }
  const isBase64 = /^[A-Za-z0-9+/]{91}=$/.test(sealed)
  // A signed note's key name holds neither spaces nor plus signs, so that such a note may count as unreadable.
  if (!isBase64 || /[\s+]/.test(name)) return { ...forged, orElse: [[told('key_unknown')]] }
  const bytes = Buffer.from(sealed, 'base64')
  const trueBytes = Buffer.from(trueSealed, 'base64')
  if (name !== trueName || !bytes.subarray(0, 4).equals(trueBytes.subarray(0, 4))) return unknown
  // Only the spare bits of the last character differ: decoders read the same signature.
  if (bytes.equals(trueBytes) && note.replace(sealed, '') === was.text.replace(trueSealed, '')) {
    return { expect: [], orElse: [[told('checkpoint_forged')]] }
  }
  const otherKey = Number(size) > 0 && keyAt(model, Number(size)) !== keyAt(model, was.size)
  return otherKey ? { ...forged, orElse: [[told('key_unknown')]] } : forged
}
