// Holds catching up to its promises: from where it came to, over the right ledger, in bounded steps; and the index of words to the words.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSalted } from '../../src/events/entry.js'
import { type LedgerSource, ProjectionRunner, type StoredRows, viewAsOf } from '../../src/projections/projection-runner.js'
import { searchTermsOf } from '../../src/projections/search-terms.js'
import { openViewStore, type ViewChanges, type ViewStore } from '../../src/projections/view-store.js'
import { RandomHistory, randomHistory } from '../support/random-history.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { makeRandom } from '../support/seeded-random.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { bytesWithin, termKeys, viewRows } from '../support/view-rows.js'

const test = suite('projection runner')

const secret = Buffer.alloc(32, 7)
const owner = { name: 'this test', isAlive: () => false }
const handle = 's0123456789abcdef'
const digest = 'd1'.repeat(32)
const typed = { turn: 1, platform: 'cli', characters: 5, digest, source: 'unattested' }

async function withRunner(task: (runner: ProjectionRunner, store: ViewStore, folder: string) => Promise<void>): Promise<string> {
  const folder = temporaryFolder()
  const store = await openViewStore(folder, owner)
  try {
    await task(new ProjectionRunner(store, secret), store, folder)
  } finally {
    await store.close()
  }
  return folder
}

/** A source that remembers which entries were read. */
function watched(source: LedgerSource): LedgerSource & { readonly read: number[] } {
  const read: number[] = []
  return {
    ...source,
    read,
    storedEntries: async function* (from, to) {
      for await (const rows of source.storedEntries(from, to)) {
        read.push(rows.index)
        yield rows
      }
    },
  }
}

const positions = async (runner: ProjectionRunner, source: LedgerSource): Promise<number[]> => [
  ...new Set((await runner.state(source)).map(({ position }) => position)),
]

async function found(runner: ProjectionRunner, words: string, below = Number.MAX_SAFE_INTEGER): Promise<number[]> {
  const indices: number[] = []
  for await (const index of runner.candidates([...searchTermsOf([words])], below)) indices.push(index)
  return indices
}

test('what has been folded is not read again, and nothing new is nothing to do', async () => {
  const history = randomHistory(51, 60)
  await withRunner(async (runner) => {
    await runner.catchUp(history.source(40))
    const rest = watched(history.source())
    await runner.catchUp(rest)
    assert.equal([rest.read[0], rest.read.length], [40, 20])
    const again = watched(history.source())
    assert.is(await runner.catchUp(again), true)
    assert.equal(again.read, [])
  })
})

test('told to stop it keeps what is done and says that it is not all; then it goes on from there', async () => {
  const history = randomHistory(52, 2500)
  await withRunner(async (runner) => {
    const progress: number[] = []
    assert.is(
      await runner.catchUp(history.source(), { stop: () => progress.length === 1, onProgress: (done) => progress.push(done) }),
      false,
    )
    assert.equal([progress, await positions(runner, history.source())], [[500], [500]])
    assert.is(await runner.catchUp(history.source(), { onProgress: (done) => progress.push(done) }), true)
    assert.equal([progress, await positions(runner, history.source())], [[500, 1000, 1500, 2000, 2500], [2500]])
  })
})

test('a step ends with the bytes of its entries too: a thousand long ones are not held at once', async () => {
  const history = new RandomHistory(53)
  for (let at = 0; at < 40; at += 1)
    history.add('message.captured', 2, handle, typed, { text: `${at} ${'long '.repeat(60_000)}` })
  await withRunner(async (runner) => {
    const steps: number[] = []
    await runner.catchUp(history.source(), { onProgress: (done) => steps.push(done) })
    // 300 KB each, steps of 4 MiB.
    assert.equal(steps, [14, 28, 40])
    assert.equal(await found(runner, '39 long'), [39])
  })
})

test('a view over another ledger, a shorter one or another branch is at 0 and is begun anew', async () => {
  const history = randomHistory(54, 80)
  const other = randomHistory(55, 120)
  const sources: [string, LedgerSource][] = [
    ['another ledger', { ...history.source(), ledgerId: '0b'.repeat(16) }],
    ['an older copy', history.source(50)],
    ['another branch', other.source()],
  ]
  for (const [what, source] of sources) {
    await withRunner(async (runner) => {
      await runner.catchUp(history.source())
      assert.equal(await positions(runner, source), [0], what)
      const seen = watched(source)
      await runner.catchUp(seen)
      assert.equal([seen.read[0], seen.read.length], [0, source.size], what)
      const parts: [string, unknown][] = []
      for await (const part of runner.parts('sessions')) parts.push(part)
      const expected = await viewAsOf('sessions', source.storedEntries(0, source.size))
      assert.is(JSON.stringify(parts), JSON.stringify([...expected]), what)
    })
  }
})

test('a view of another version is made anew, and the others stay as they are', async () => {
  const history = randomHistory(56, 60)
  await withRunner(async (runner, store) => {
    await runner.catchUp(history.source())
    const mark = await store.mark('activity')
    assert.ok(mark)
    const raised: ViewChanges = {
      marks: new Map([['activity', { ...mark, version: 99 }]]),
      parts: new Map([['activity', new Map([['1999-01-01', {}]])]]),
      terms: [],
    }
    await store.write(raised)
    const state = await runner.state(history.source())
    assert.equal(
      state.map(({ name, position }) => `${name} ${position}`),
      [
        'sessions 60',
        'activity 0',
        'evidence 60',
        'grants 60',
        'decisions 60',
        'approvals 60',
        'jev 60',
        'coverage 60',
        'inbox 60',
        'files 60',
        'clock 60',
        'words 60',
      ],
    )
    await runner.catchUp(history.source())
    const days: string[] = []
    for await (const [day] of runner.parts('activity')) days.push(day)
    assert.equal(days, [...(await viewAsOf('activity', history.source().storedEntries(0, 60))).keys()])
  })
})

test('a write that fails leaves nothing half: the next run folds the same entries once', async () => {
  const history = randomHistory(57, 90)
  await withRunner(async (_, store) => {
    let fails = 0
    const failing = Object.assign(Object.create(store) as ViewStore, {
      mark: (name: string) => store.mark(name),
      parts: (name: string, keys: readonly string[]) => store.parts(name, keys),
      allParts: (name: string) => store.allParts(name),
      clear: (name: string) => store.clear(name),
      clearTerms: (name: string) => store.clearTerms(name),
      write: async (changes: ViewChanges) => {
        fails += 1
        if (fails % 2 === 1) throw new Error('no room')
        await store.write(changes)
      },
    })
    const runner = new ProjectionRunner(failing, secret)
    for (const size of [30, 60, 90]) {
      let told = ''
      await runner.catchUp(history.source(size)).catch((error: Error) => {
        told = error.message
      })
      assert.is(told, 'no room')
      await runner.catchUp(history.source(size))
    }
    for (const name of ['sessions', 'activity', 'evidence', 'grants', 'clock'] as const) {
      const parts: [string, unknown][] = []
      for await (const part of runner.parts(name)) parts.push(part)
      assert.is(JSON.stringify(parts), JSON.stringify([...(await viewAsOf(name, history.source().storedEntries(0, 90)))]), name)
    }
  })
})

test('a source that fails while the entries before are written is told, and these are kept', async () => {
  const history = randomHistory(68, 1200)
  await withRunner(async (runner, store) => {
    let open = 0
    const source: LedgerSource = {
      ...history.source(),
      storedEntries: async function* (from, to) {
        open += 1
        try {
          if (from === 500) throw new Error('gone')
          yield* history.rows.slice(from, to)
        } finally {
          open -= 1
        }
      },
    }
    let told = ''
    await runner.catchUp(source).catch((error: Error) => {
      told = error.message
    })
    assert.equal([told, open, (await store.mark('clock'))?.position], ['gone', 0, 500])
    await runner.catchUp(history.source())
    const parts: [string, unknown][] = []
    for await (const part of runner.parts('activity')) parts.push(part)
    assert.is(JSON.stringify(parts), JSON.stringify([...(await viewAsOf('activity', history.source().storedEntries(0, 1200)))]))
  })
})

test('an entry that is missing, and one whose header cannot be read, are told by their codes', async () => {
  const history = randomHistory(58, 30)
  const without = { ...history.source(), storedEntries: () => rowsOf(history.rows.filter(({ index }) => index !== 7)) }
  const altered = history.rows.map((rows) => (rows.index === 7 ? { ...rows, header: Buffer.from('{"torn') } : rows))
  await withRunner(async (runner) => {
    const missing = await rejectsWithCode(runner.catchUp(without), 'LEDGER_ENTRY_MISSING')
    assert.equal(missing.details, { index: 7 })
    await rejectsWithCode(runner.catchUp({ ...history.source(), storedEntries: () => rowsOf([]) }), 'LEDGER_ENTRY_MISSING')
    const error = await rejectsWithCode(
      runner.catchUp({ ...history.source(), storedEntries: () => rowsOf(altered) }),
      'LEDGER_ENTRY_ALTERED',
    )
    assert.equal(error.details, { index: 7 })
  })
  await rejectsWithCode(viewAsOf('sessions', without.storedEntries()), 'LEDGER_ENTRY_MISSING')
  await rejectsWithCode(viewAsOf('sessions', rowsOf(altered)), 'LEDGER_ENTRY_ALTERED')
})

test('the index that forgets with each erasure is the one that is made anew behind them', async () => {
  for (const seed of [61, 62, 63]) {
    const history = new RandomHistory(seed)
    const incremental = await withRunner(async (runner) => {
      while (history.rows.length < 250) {
        const forgotten = history.addOne()
        // What a service does: the words go, the index forgets, and then it goes on.
        if (forgotten.length > 0) await runner.forget(forgotten)
        await runner.catchUp(history.source())
      }
    })
    const rebuilt = await withRunner(async (runner) => void (await runner.catchUp(history.source())))
    const keys = await termKeys(rebuilt)
    assert.ok(keys.length > 50)
    assert.equal(await termKeys(incremental), keys, `history ${seed}`)
  }
})

test('what is forgotten is gone from the files of the index too', async () => {
  const history = new RandomHistory(64)
  history.add('message.captured', 2, handle, typed, { text: 'onlyhere and everywhere' })
  history.add('message.captured', 2, handle, typed, { text: 'everywhere' })
  let before: Buffer[] = []
  const folder = await withRunner(async (runner, _, within) => {
    await runner.catchUp(history.source())
    assert.equal([await found(runner, 'onlyhere'), await found(runner, 'everywhere')], [[0], [1, 0]])
    before = rowsOfEntry(bytesWithin(within), 0)
    assert.is(await runner.forget([[0, 0]]), 3)
    assert.equal([await found(runner, 'onlyhere'), await found(runner, 'everywhere')], [[], [1]])
  })
  assert.is(before.length, 3, 'three words of the entry stood in the files')
  assert.equal(rowsOfEntry(bytesWithin(folder), 0), [])
})

test('no word of any entry stands in a key, a value or a file of the views', async () => {
  const history = randomHistory(65, 300)
  const texts = ['schubertstrasse', 'quokka', '発売日程', 'Überraschung']
  for (const text of texts) history.add('message.captured', 2, handle, typed, { text: `${text} again`, sender: `sender-${text}` })
  const folder = await withRunner(async (runner) => {
    await runner.catchUp(history.source())
    assert.equal(await found(runner, 'quokka again'), [301])
  })
  const rows = await viewRows(folder)
  const everything = [bytesWithin(folder), ...rows.flatMap(({ key, value }) => [key, value])]
  const words = history.rows.flatMap(({ words }) => (words === undefined ? [] : [...searchTermsOf([safeText(words)])]))
  // Shorter ones stand in names of members and in digests by chance.
  const long = [...new Set([...words, ...texts, ...texts.map((text) => text.toLowerCase())])].filter(
    (word) => Buffer.byteLength(word) >= 6,
  )
  const facts = JSON.stringify(history.made)
  let checked = 0
  for (const word of long.filter((word) => !facts.includes(word))) {
    checked += 1
    for (const bytes of everything) assert.is(bytes.includes(word), false, word)
  }
  assert.ok(checked >= texts.length)
})

test('another secret makes another index: who has not the one cannot ask what stands in the other', async () => {
  const history = randomHistory(66, 40)
  const [one, other] = [temporaryFolder(), temporaryFolder()]
  for (const [folder, key] of [
    [one, secret],
    [other, Buffer.alloc(32, 8)],
  ] as const) {
    const store = await openViewStore(folder, owner)
    await new ProjectionRunner(store, key).catchUp(history.source())
    await store.close()
  }
  const [ones, others] = [await termKeys(one), await termKeys(other)]
  assert.is(ones.length, others.length)
  assert.equal(
    ones.filter((key) => others.includes(key)),
    [],
  )
})

test('of several words the entries that hold all of them come, newest first, below an index', async () => {
  const history = new RandomHistory(67)
  const words = ['red', 'green', 'blue', 'grey']
  const random = makeRandom(67)
  const held = Array.from({ length: 300 }, () => words.filter(() => random.chance(2)))
  for (const some of held) history.add('message.captured', 2, handle, typed, { text: some.join(' ') })
  await withRunner(async (runner) => {
    await runner.catchUp(history.source())
    for (const asked of [['red'], ['red', 'blue'], ['grey', 'green', 'red'], words, ['red', 'none']]) {
      for (const below of [300, 120, 1, 0]) {
        const expected = held.flatMap((some, index) =>
          index < below && asked.every((word) => some.includes(word)) ? [index] : [],
        )
        assert.equal(await found(runner, asked.join(' '), below), expected.reverse(), `${asked} below ${below}`)
      }
    }
    for await (const index of runner.candidates([...searchTermsOf(['red blue'])], 300)) {
      assert.type(index, 'number')
      break
    }
    assert.equal(await found(runner, ''), [])
  })
})

async function* rowsOf(rows: readonly StoredRows[]): AsyncGenerator<StoredRows> {
  yield* rows
}

/** Keys of the index that stand whole in some bytes and lead to an entry: x, eight bytes, and eight bytes of its index. */
function rowsOfEntry(bytes: Buffer, index: number): Buffer[] {
  const rows: Buffer[] = []
  for (let at = bytes.indexOf('x'); at !== -1 && at + 17 <= bytes.length; at = bytes.indexOf('x', at + 1)) {
    const key = bytes.subarray(at, at + 17)
    // In the log each key stands behind its length.
    if (bytes[at - 1] === 17 && key.readBigUInt64BE(9) === BigInt(index)) rows.push(key)
  }
  return rows
}

function safeText(words: Uint8Array): string {
  try {
    return JSON.stringify(Object.values(JSON.parse(readSalted(words).text) as object))
  } catch {
    return ''
  }
}

test.run()
