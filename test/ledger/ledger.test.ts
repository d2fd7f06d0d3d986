// Holds the open ledger to its promises: one gapless chain, nothing said that is not on disk, one entry for one event, words that go.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Header } from '../../src/events/entry.js'
import { AssertionFailed } from '../../src/foundation/assert.js'
import { hasCode, SteleError } from '../../src/foundation/stele-error.js'
import { newSigningKeyPem, readCheckpointText, readSigningKey } from '../../src/ledger/checkpoint.js'
import { CheckpointKeeper } from '../../src/ledger/checkpoint-keeper.js'
import { readCheckpointLines } from '../../src/ledger/checkpoint-lines.js'
import { readDedupe } from '../../src/ledger/dedupe.js'
import { readMark } from '../../src/ledger/high-water.js'
import { type HomeFiles, homeFiles } from '../../src/ledger/home-files.js'
import { Ledger } from '../../src/ledger/ledger.js'
import { openLedger } from '../../src/ledger/open-ledger.js'
import type { RedactedEvent } from '../../src/ledger/redacted-event.js'
import { openStore } from '../../src/ledger/store.js'
import { parseVkey } from '../../src/verify/verify-checkpoint.js'
import { parseReceipt, verifyProof } from '../../src/verify/verify-proof.js'
import { type MemoryStore, memoryStore } from '../support/memory-store.js'
import { referenceConsistency, referenceLeaf } from '../support/reference-tree.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import {
  copyHome,
  message,
  sessionStarted,
  startOfTime,
  type TestWorld,
  temporaryLedger,
  testWorld,
  turnEnded,
  verifyCopy,
  withFullDisk,
} from '../support/temporary-ledger.js'

const dedupe = 'd0'.repeat(32)

interface Batch {
  readonly puts: readonly string[]
  readonly deletes: readonly string[]
}

/** A ledger over a store in memory, with every batch that it wrote. */
function ledgerInMemory(): { ledger: Ledger; store: MemoryStore; world: TestWorld; batches: Batch[] } {
  const world = testWorld(7)
  const kept = memoryStore()
  const batches: Batch[] = []
  const store: MemoryStore = {
    ...kept,
    write: async (puts, deletes = []) => {
      batches.push({ puts: puts.map(({ key }) => nameOf(key)), deletes: deletes.map(nameOf) })
      await kept.write(puts, deletes)
    },
  }
  const file = join(temporaryFolder(), 'checkpoints.txt')
  const key = readSigningKey(newSigningKeyPem())
  const ledger = new Ledger({
    store,
    world,
    state: { ledger: '0'.repeat(32), epoch: 0, size: 0, head: '0'.repeat(64), lastTimeMs: undefined, edge: [] },
    digestKey: Buffer.alloc(32, 1),
    marks: [],
    watch: { assertThere: () => {}, assertWhole: () => {} },
    keeper: new CheckpointKeeper({ store, key, origin: 'stele.local', file, anchors: [], size: 0 }),
  })
  return { ledger, store, world, batches }
}

/** `h7` for the header of entry 7, the letter alone for rows that are not numbered. */
function nameOf(key: Uint8Array): string {
  const bytes = Buffer.from(key)
  const tag = bytes.toString('latin1', 0, 1)
  return 'hpw'.includes(tag) ? `${tag}${bytes.readBigUInt64BE(1)}` : tag
}

async function headersOf(ledger: Ledger): Promise<Header[]> {
  const headers: Header[] = []
  for await (const { header } of ledger.reader.storedEntries(0, ledger.size)) {
    headers.push(JSON.parse(Buffer.from(header).toString()) as Header)
  }
  return headers
}

/** Walks the chain as the format page says, with another hash implementation than the writer's. */
async function assertOneChain(ledger: Ledger): Promise<void> {
  let prev = '0'.repeat(64)
  let index = 0
  for await (const { header } of ledger.reader.storedEntries(0, ledger.size)) {
    const fields = JSON.parse(Buffer.from(header).toString()) as Header
    assert.is(fields.index, index)
    assert.is(fields.prev, prev)
    prev = createHash('sha256').update(Uint8Array.of(0)).update(header).digest('hex')
    index += 1
  }
  assert.is(index, ledger.size)
}

const sizesIn = (files: HomeFiles): (number | undefined)[] =>
  readCheckpointLines(files.checkpoints).map((note) => readCheckpointText(note)?.size)

test('a new ledger holds one entry, and appends are answered with the index of their first entry', async () => {
  const { ledger } = await temporaryLedger()
  assert.is(ledger.size, 1)
  assert.is(ledger.epoch, 0)
  assert.equal(await ledger.append([message('one')]), { index: 1, duplicate: false })
  assert.equal(await ledger.append([message('two'), message('three'), turnEnded(1)]), { index: 2, duplicate: false })
  assert.equal(await ledger.append([message('four')]), { index: 5, duplicate: false })
  assert.is(ledger.size, 6)
  const types = (await headersOf(ledger)).map(({ type }) => type)
  assert.equal(types, ['ledger.created', ...Array(3).fill('message.captured'), 'turn.ended', 'message.captured'])
  await ledger.close()
})

test('case 97: five hundred events appended at once become one gapless chain with nothing lost', async () => {
  const home = await temporaryLedger()
  const { ledger } = home
  const answers = await Promise.all(Array.from({ length: 500 }, (_, at) => ledger.append([message(`number ${at}`)])))
  assert.equal(
    answers.map(({ index }) => index),
    Array.from({ length: 500 }, (_, at) => at + 1),
  )
  assert.is(ledger.size, 501)
  await assertOneChain(ledger)
  for (const [at, { index }] of answers.entries()) {
    assert.equal((await ledger.reader.entry(index)).words, { text: `number ${at}` })
  }
  await home.close()
  const report = await verifyCopy(home.files)
  assert.equal([report.findings, report.notes, report.size, report.assurance], [[], [], 501, 'signed'])
})

test('case 97: writers of several events each get them in a row, whoever else is writing', async () => {
  const { ledger } = await temporaryLedger()
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    for (let at = 0; at < 8; at += 1) {
      const { index } = await ledger.append([message(`${writer} ${at} first`), message(`${writer} ${at} second`)])
      assert.equal((await ledger.reader.entry(index)).words, { text: `${writer} ${at} first` })
      assert.equal((await ledger.reader.entry(index + 1)).words, { text: `${writer} ${at} second` })
    }
  })
  await Promise.all(writers)
  assert.is(ledger.size, 1 + 6 * 8 * 2)
  await assertOneChain(ledger)
  await ledger.close()
})

test('what was acknowledged is in a copy made at that moment, and the mark outside the store names it', async () => {
  const home = await temporaryLedger()
  for (let at = 1; at <= 3; at += 1) {
    const { index } = await home.ledger.append([message(`${at}`)])
    const copy = copyHome(home.files)
    const store = await openStore(copy.store)
    const key = Buffer.concat([Buffer.from('h'), Buffer.from(index.toString(16).padStart(16, '0'), 'hex')])
    const header = await store.get(key)
    assert.ok(header)
    const head = createHash('sha256')
      .update(Uint8Array.of(0))
      .update(header ?? Buffer.alloc(0))
      .digest('hex')
    assert.equal(readMark(copy.highWater), { epoch: 0, size: index + 1, head })
    await store.close()
  }
  await home.close()
})

test('an id that came before gives the first index and no entry, and its row counts how often it came again', async () => {
  const { ledger, store, world } = ledgerInMemory()
  await ledger.append([message('before')])
  assert.equal(await ledger.append([message('same'), turnEnded(1)], { dedupe }), { index: 1, duplicate: false })
  assert.equal(await readDedupe(store, dedupe), { index: 1, timeMs: startOfTime, again: 0 })
  world.advance(60_000)
  for (let times = 1; times <= 3; times += 1) {
    assert.equal(await ledger.append([message('same'), turnEnded(1)], { dedupe }), { index: 1, duplicate: true })
    assert.equal(await readDedupe(store, dedupe), { index: 1, timeMs: startOfTime, again: times })
  }
  assert.is(ledger.size, 3)
  assert.equal(await ledger.append([message('other')], { dedupe: 'd1'.repeat(32) }), { index: 3, duplicate: false })
})

test('the same id from many callers at once gives one entry, one first answer and a full count', async () => {
  const { ledger, store } = ledgerInMemory()
  // Entry 0 is never anybody's payload.
  await ledger.append([message('before')])
  const answers = await Promise.all(Array.from({ length: 6 }, () => ledger.append([message('same')], { dedupe })))
  assert.equal(new Set(answers.map(({ index }) => index)), new Set([1]))
  assert.is(answers.filter(({ duplicate }) => !duplicate).length, 1)
  assert.is(ledger.size, 2)
  // Six came; five of them came again.
  assert.equal(await readDedupe(store, dedupe), { index: 1, timeMs: startOfTime, again: 5 })
})

test('an id is still known when the ledger was opened again', async () => {
  const home = await temporaryLedger()
  assert.equal(await home.ledger.append([message('same')], { dedupe }), { index: 1, duplicate: false })
  const ledger = await home.reopen()
  assert.equal(await ledger.append([message('same')], { dedupe }), { index: 1, duplicate: true })
  assert.is(ledger.size, 2)
  await home.close()
})

test('callers who ask for a session at once get one handle, which is known only when its start is on disk', async () => {
  const { ledger } = await temporaryLedger()
  const handles = await Promise.all(Array.from({ length: 8 }, () => ledger.sessionHandle('host-session')))
  const [handle = ''] = handles
  assert.equal(new Set(handles), new Set([handle]))
  assert.match(handle, /^s[0-9a-f]{16}$/)
  assert.is.not(await ledger.sessionHandle('another'), handle)
  assert.is(await ledger.knownSession('host-session'), undefined)
  const starting = ledger.append([sessionStarted(handle, 'host-session')])
  assert.is(await ledger.sessionHandle('host-session'), handle, 'while its start is on the way')
  await starting
  assert.is(await ledger.knownSession('host-session'), handle)
  assert.is(await ledger.sessionHandle('host-session'), handle)
  assert.is(await ledger.knownSession('another'), undefined)
  await ledger.close()
})

test('a session whose start failed keeps its handle for whoever tries again', async () => {
  const { ledger } = ledgerInMemory()
  const handle = await ledger.sessionHandle('host-session')
  await rejectsWithCode(
    ledger.appendMade(
      () => {
        throw new SteleError('CANONICAL_JSON_REFUSED')
      },
      { entries: 1 },
    ),
    'CANONICAL_JSON_REFUSED',
  )
  assert.is(await ledger.sessionHandle('host-session'), handle)
  await ledger.appendMade(() => ({ events: [sessionStarted(handle, 'host-session')], result: undefined }), { entries: 1 })
  assert.is(await ledger.knownSession('host-session'), handle)
})

test('a handle that was given out before its words are forgotten goes on until the receipt is on disk, and then a new one holds', async () => {
  const { ledger } = ledgerInMemory()
  const handle = await ledger.sessionHandle('host-session')
  await ledger.append([sessionStarted(handle, 'host-session')])
  const forgetting = ledger.forget([[0, 0]], { by: 'owner', reason: 'a wish' })
  assert.is(await ledger.sessionHandle('host-session'), handle)
  await forgetting
  const again = await ledger.sessionHandle('host-session')
  assert.is.not(again, handle)
  assert.is(await ledger.knownSession('host-session'), undefined)
  await ledger.append([sessionStarted(again, 'host-session')])
  assert.is(await ledger.knownSession('host-session'), again)
})

test('very many sessions that are spoken of keep their handles, whether or not they are remembered', async () => {
  const { ledger } = ledgerInMemory()
  const names = Array.from({ length: 5000 }, (_, at) => `session ${at}`)
  const handles: string[] = []
  for (const name of names) {
    const handle = await ledger.sessionHandle(name)
    handles.push(handle)
    if (handles.length % 1250 === 0) {
      const newest = names.slice(handles.length - 1250, handles.length)
      await ledger.append(newest.map((each, at) => sessionStarted(handles[handles.length - 1250 + at] ?? '', each)))
    }
  }
  assert.is(new Set(handles).size, 5000)
  for (const at of [0, 1, 1249, 1250, 4999]) assert.is(await ledger.sessionHandle(`session ${at}`), handles[at], `session ${at}`)
})

test('a session that was started is known by the same handle after the ledger was opened again', async () => {
  const home = await temporaryLedger()
  const handle = await home.ledger.sessionHandle('host-session')
  await home.ledger.append([sessionStarted(handle, 'host-session'), message('hello', handle)])
  await home.ledger.append([message('somebody else')])
  await home.ledger.append([turnEnded(1, handle)])
  const ledger = await home.reopen()
  assert.is(await ledger.sessionHandle('host-session'), handle)
  assert.is(await ledger.knownSession('host-session'), handle)
  const indices: number[] = []
  for await (const { header } of ledger.reader.sessionEntries(handle)) indices.push(header.index)
  assert.equal(indices, [1, 2, 4])
  await home.close()
})

test('events that are made in their turn know their place, and what they give comes back when they are on disk', async () => {
  const { ledger } = await temporaryLedger()
  const places: unknown[] = []
  const made = await Promise.all(
    [2, 1, 3].map((count) =>
      ledger.appendMade(
        (place) => {
          places.push(place)
          const events = Array.from({ length: count }, () => message(`made at ${place.index}`))
          return { events, result: `${count} of them` }
        },
        { entries: count },
      ),
    ),
  )
  assert.equal(made, [
    { index: 1, duplicate: false, result: '2 of them' },
    { index: 3, duplicate: false, result: '1 of them' },
    { index: 4, duplicate: false, result: '3 of them' },
  ])
  const time = '2026-11-29T20:40:00.000Z'
  assert.equal(
    places,
    [1, 3, 4].map((index) => ({ index, time })),
  )
  for (const index of [1, 2, 3, 4, 5, 6]) {
    const { header, words } = await ledger.reader.entry(index)
    assert.is(header.time, time)
    assert.equal(words, { text: `made at ${[1, 1, 3, 4, 4, 4][index - 1]}` })
  }
  await ledger.close()
})

test('an event is made when everything with a lower index has been made, though it is not on disk yet', async () => {
  const { ledger } = ledgerInMemory()
  let turns = 0
  const sizes: number[] = []
  const next = () =>
    ledger.appendMade(
      () => {
        sizes.push(ledger.size)
        turns += 1
        return { events: [turnEnded(turns)], result: turns }
      },
      { entries: 1 },
    )
  const made = await Promise.all(Array.from({ length: 20 }, next))
  assert.equal(
    made.map(({ index, result }) => [index, result]),
    Array.from({ length: 20 }, (_, at) => [at, at + 1]),
  )
  assert.equal(new Set(sizes), new Set([0]), 'they went down together')
})

test('an error of make is its caller’s alone: nothing is added, the others are written, and later appends hold', async () => {
  const home = await temporaryLedger()
  const { ledger } = home
  const refuse = () => {
    throw new SteleError('CANONICAL_JSON_REFUSED')
  }
  const outcomes = await withinTime(
    Promise.allSettled([
      ledger.append([message('before')]),
      ledger.appendMade(refuse, { entries: 2, known: [dedupe], leave: [dedupe] }),
      ledger.append([message('behind')]),
      ledger.appendMade(refuse, { entries: 1 }),
    ]),
    'callers beside one that fails',
  )
  assert.equal(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.index : String(outcome.reason.code))),
    [1, 'CANONICAL_JSON_REFUSED', 2, 'CANONICAL_JSON_REFUSED'],
  )
  assert.is(ledger.failure, undefined)
  assert.is(await ledger.firstUnder(dedupe), undefined, 'an id is left with what was written')
  assert.is((await ledger.append([message('later')])).index, 3)
  await assertOneChain(ledger)
  await home.close()
  const report = await verifyCopy(home.files)
  assert.equal([report.findings, report.notes, report.size], [[], [], 4])
})

test('words that have no canonical form are refused in the turn, and leave nothing of their events behind', async () => {
  const { ledger } = ledgerInMemory()
  const odd = { ...message('x'), words: { text: '\ud800' } } as RedactedEvent
  await rejectsWithCode(
    ledger.appendMade(() => ({ events: [message('fits'), odd], result: undefined }), { entries: 2 }),
    'CANONICAL_JSON_REFUSED',
  )
  assert.is((await ledger.append([message('next')])).index, 0)
})

test('a mistake of ours in the turn ends the ledger: what it had added nobody knows', async () => {
  const { ledger, batches } = ledgerInMemory()
  await ledger.append([message('one')])
  const misfit = { type: 'turn.ended', facts: { turn: -1, source: 'unattested' } } as RedactedEvent
  const beside = ledger.append([message('beside')])
  const outcomes = await withinTime(
    Promise.allSettled([beside, ledger.appendMade(() => ({ events: [misfit], result: undefined }), { entries: 1 })]),
    'callers beside a mistake',
  )
  assert.equal(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.is(ledger.failure?.code, 'STORE_WRITE_FAILED')
  await rejectsWithCode(ledger.append([message('later')]), 'STORE_WRITE_FAILED')
  assert.is(batches.filter(({ puts }) => puts.includes('h1')).length, 0)
})

test('what came before under any of its known ids adds nothing, is not made, and names the first entry', async () => {
  const { ledger, store } = ledgerInMemory()
  await ledger.append([message('before')])
  const [one, two, three] = ['d1', 'd2', 'd3'].map((hex) => hex.repeat(32)) as [string, string, string]
  let times = 0
  const send = (known: string[], leave: string[]) =>
    ledger.appendMade(
      () => {
        times += 1
        return { events: [turnEnded(times), turnEnded(times)], result: times }
      },
      { entries: 2, known, leave },
    )
  assert.equal(await send([one, two], [one, two]), { index: 1, duplicate: false, result: 1 })
  assert.equal(await send([three, two], [three]), { index: 1, duplicate: true, result: undefined })
  assert.equal(await send([one], [one]), { index: 1, duplicate: true, result: undefined })
  assert.equal([times, ledger.size], [1, 3])
  assert.equal(await readDedupe(store, two), { index: 1, timeMs: startOfTime, again: 1 })
  assert.equal(await readDedupe(store, one), { index: 1, timeMs: startOfTime, again: 1 })
  assert.equal(await ledger.firstUnder(three), { index: 1, timeMs: startOfTime, again: 0 }, 'it is found under its own id too')
})

test('an id that is left and not asked for is no duplicate the next time', async () => {
  const { ledger } = ledgerInMemory()
  await ledger.append([message('before')])
  const send = () => ledger.appendMade(() => ({ events: [turnEnded(1)], result: 'made' }), { entries: 1, leave: [dedupe] })
  assert.equal(await send(), { index: 1, duplicate: false, result: 'made' })
  assert.equal(await send(), { index: 2, duplicate: false, result: 'made' })
  assert.is((await ledger.firstUnder(dedupe))?.index, 2)
})

test('ids are left where no entry was made, and tell that there is none', async () => {
  const home = await temporaryLedger()
  const nothing = () =>
    home.ledger.appendMade(() => ({ events: [], result: 'nothing' }), { entries: 1, known: [dedupe], leave: [dedupe] })
  assert.equal(await nothing(), { index: null, duplicate: false, result: 'nothing' })
  assert.equal(await nothing(), { index: null, duplicate: true, result: undefined })
  assert.is((await home.ledger.firstUnder(dedupe))?.index, null)
  assert.is(await home.ledger.firstUnder('d9'.repeat(32)), undefined)
  assert.is(home.ledger.size, 1)
  const ledger = await home.reopen()
  assert.is((await ledger.firstUnder(dedupe))?.index, null)
  await home.close()
})

test('which ids are left may be chosen in the turn', async () => {
  const { ledger } = ledgerInMemory()
  await ledger.append([message('before')])
  const other = 'd1'.repeat(32)
  await ledger.appendMade(() => ({ events: [turnEnded(1)], result: undefined, leave: [other] }), {
    entries: 1,
    known: [dedupe],
    leave: [dedupe, other],
  })
  assert.is(await ledger.firstUnder(dedupe), undefined)
  assert.is((await ledger.firstUnder(other))?.index, 1)
})

test('whoever brings the same while the first is on the way waits for it, under whichever of its ids', async () => {
  const { ledger } = ledgerInMemory()
  await ledger.append([message('before')])
  const [one, two] = ['d1'.repeat(32), 'd2'.repeat(32)]
  const send = (known: string[], leave: string[]) =>
    ledger.appendMade(() => ({ events: [turnEnded(1)], result: 'made' }), { entries: 1, known, leave })
  const made = await withinTime(
    Promise.all([send([one], [one, two]), send([two], [two]), send([one, two], []), send([two, one], [one])]),
    'the same four times',
  )
  assert.equal(
    made.map(({ index, duplicate }) => [index, duplicate]),
    [
      [1, false],
      [1, true],
      [1, true],
      [1, true],
    ],
  )
  assert.is(ledger.size, 2)
})

test('where the first of the same fails, the next one is the first', async () => {
  const { ledger } = ledgerInMemory()
  await ledger.append([message('before')])
  let fails = true
  const send = () =>
    ledger.appendMade(
      () => {
        const failing = fails
        fails = false
        if (failing) throw new SteleError('CANONICAL_JSON_REFUSED')
        return { events: [turnEnded(1)], result: 'made' }
      },
      { entries: 1, known: [dedupe], leave: [dedupe] },
    )
  const [first, second, third] = await Promise.allSettled([send(), send(), send()])
  assert.is(first.status, 'rejected')
  assert.equal(second, { status: 'fulfilled', value: { index: 1, duplicate: false, result: 'made' } })
  assert.equal(third, { status: 'fulfilled', value: { index: 1, duplicate: true, result: undefined } })
})

test('a step of the clock stands before what is made, which knows its own place behind it', async () => {
  const { ledger, world } = ledgerInMemory()
  await ledger.append([message('one')])
  world.time -= 5000
  const { index, result } = await ledger.appendMade((place) => ({ events: [message('two')], result: place }), {
    entries: 1,
    known: [dedupe],
    leave: [dedupe],
  })
  assert.is(index, 2)
  assert.equal(result, { index: 2, time: '2026-11-29T20:39:55.000Z' })
  assert.is((await ledger.firstUnder(dedupe))?.index, 2)
  assert.equal(
    (await headersOf(ledger)).map(({ type }) => type),
    ['message.captured', 'clock.stepped', 'message.captured'],
  )
})

test('a step of the clock is told with the entry that shows it, however many made none or failed before', async () => {
  const { ledger, world } = ledgerInMemory()
  await ledger.append([message('one')])
  world.time -= 5000
  world.elapsed += 100
  assert.is((await ledger.appendMade(() => ({ events: [], result: undefined }), { entries: 1 })).index, null)
  world.elapsed += 100
  await rejectsWithCode(
    ledger.appendMade(
      () => {
        throw new SteleError('CANONICAL_JSON_REFUSED')
      },
      { entries: 1 },
    ),
    'CANONICAL_JSON_REFUSED',
  )
  assert.is(ledger.size, 1)
  world.elapsed += 100
  await ledger.append([message('two')])
  assert.equal((await ledger.reader.entry(1)).payload, {
    from: '2026-11-29T20:40:00.000Z',
    to: '2026-11-29T20:39:55.000Z',
    // What really passed since the entry before, not since somebody asked.
    elapsedMs: 300,
  })
  await assertOneChain(ledger)
})

test('whoever listens hears whenever entries have come to be on disk, until it stops', async () => {
  const { ledger } = ledgerInMemory()
  const heard: number[] = []
  const stop = ledger.onGrowth(() => heard.push(ledger.size))
  await ledger.append([message('one')])
  await ledger.append([message('two'), message('three')])
  assert.equal(heard, [1, 3])
  stop()
  await ledger.append([message('four')])
  assert.equal(heard, [1, 3])
})

test('a receipt proves an entry to whoever has the vkey alone, also one that no checkpoint covered yet', async () => {
  const home = await temporaryLedger()
  for (let at = 1; at <= 5; at += 1) await home.ledger.append([message(`${at}`)])
  const key = parseVkey(String((await home.ledger.reader.entry(0)).payload['vkey']))
  for (const index of [0, 3, 5]) {
    const { fault } = verifyProof(parseReceipt(await home.ledger.receipt(index)), key)
    assert.is(fault, null, `entry ${index}`)
  }
  assert.equal(sizesIn(home.files), [1, 6])
  await rejectsWithCode(home.ledger.receipt(6), 'ENTRY_UNKNOWN')
  await home.close()
})

test('the tree of fewer entries is proven to be the beginning of the tree of more', async () => {
  const { ledger } = ledgerInMemory()
  for (let at = 0; at < 9; at += 1) await ledger.append([message(`${at}`)])
  const leaves: Buffer[] = []
  for await (const { header } of ledger.reader.storedEntries(0, ledger.size)) leaves.push(referenceLeaf(header))
  for (const [first, second] of [
    [1, 9],
    [3, 7],
    [4, 8],
    [9, 9],
  ] as const) {
    const proof = (await ledger.consistency(first, second)).map((hash) => Buffer.from(hash))
    assert.equal(proof, referenceConsistency(first, leaves.slice(0, second)), `${first} to ${second}`)
  }
})

test('a step of the clock back by more than a second is recorded before the first entry with the earlier time', async () => {
  const { ledger, world } = ledgerInMemory()
  await ledger.append([message('one')])
  world.time -= 1001
  world.elapsed += 250
  assert.equal(await ledger.append([message('two'), message('three')]), { index: 2, duplicate: false })
  const step = await ledger.reader.entry(1)
  assert.is(step.header.type, 'clock.stepped')
  assert.is(step.header.time, '2026-11-29T20:39:58.999Z')
  assert.is(step.header.session, '')
  assert.equal(step.payload, { from: '2026-11-29T20:40:00.000Z', to: '2026-11-29T20:39:58.999Z', elapsedMs: 250 })
  assert.equal(
    (await headersOf(ledger)).map(({ time }) => time),
    ['2026-11-29T20:40:00.000Z', ...Array(3).fill('2026-11-29T20:39:58.999Z')],
  )
})

test('a step back of a second or less, or one forward, is not recorded', async () => {
  const { ledger, world } = ledgerInMemory()
  await ledger.append([message('one')])
  world.time -= 1000
  await ledger.append([message('two')])
  world.time -= 1
  await ledger.append([message('three')])
  world.time += 3_600_000
  await ledger.append([message('four')])
  assert.is((await headersOf(ledger)).filter(({ type }) => type === 'clock.stepped').length, 0)
})

test('a step is recorded once, however much is written behind it, and each later step again', async () => {
  const { ledger, world } = ledgerInMemory()
  await ledger.append([message('one')])
  world.time -= 10_000
  await Promise.all(Array.from({ length: 5 }, (_, at) => ledger.append([message(`after ${at}`)])))
  world.advance(500)
  await ledger.append([message('later')])
  world.time -= 5_000
  await ledger.append([message('again')])
  const steps = (await headersOf(ledger)).filter(({ type }) => type === 'clock.stepped').map(({ index }) => index)
  assert.equal(steps, [1, 8])
})

test('the year 2100 and back is one step, and times are true again afterwards', async () => {
  const { ledger, world } = ledgerInMemory()
  await ledger.append([message('one')])
  world.time = Date.UTC(2100, 0, 1)
  world.elapsed += 1000
  await ledger.append([message('far away')])
  world.time = startOfTime + 3000
  world.elapsed += 2000
  await ledger.append([message('back')])
  world.advance(1000)
  await ledger.append([message('later')])
  const headers = await headersOf(ledger)
  assert.equal(
    headers.map(({ type, time }) => `${type} ${time}`),
    [
      'message.captured 2026-11-29T20:40:00.000Z',
      'message.captured 2100-01-01T00:00:00.000Z',
      'clock.stepped 2026-11-29T20:40:03.000Z',
      'message.captured 2026-11-29T20:40:03.000Z',
      'message.captured 2026-11-29T20:40:04.000Z',
    ],
  )
  assert.equal((await ledger.reader.entry(2)).payload, {
    from: '2100-01-01T00:00:00.000Z',
    to: '2026-11-29T20:40:03.000Z',
    elapsedMs: 2000,
  })
})

test('a step over a restart is recorded without a monotonic difference, and the verifier has nothing to say of it', async () => {
  const home = await temporaryLedger()
  await home.ledger.append([message('one')])
  await home.close()
  home.world.time -= 86_400_000
  const ledger = await openLedger(home.files, home.settings)
  assert.is((await ledger.append([message('two')])).index, 3)
  const { header, payload } = await ledger.reader.entry(2)
  assert.is(header.type, 'clock.stepped')
  assert.equal(payload, { from: '2026-11-29T20:40:00.000Z', to: '2026-11-28T20:40:00.000Z', elapsedMs: null })
  await ledger.close()
  const report = await verifyCopy(home.files)
  assert.equal([report.findings, report.notes], [[], []])
})

test('what is still being written when the close begins is under the last checkpoint too', async () => {
  const home = await temporaryLedger()
  const appending = Promise.all(Array.from({ length: 300 }, (_, at) => home.ledger.append([message(`under way ${at}`)])))
  await home.ledger.close()
  await appending
  const lines = readFileSync(home.files.checkpoints, 'utf8').trimEnd().split('\n')
  assert.is((JSON.parse(lines.at(-1) ?? '') as string).split('\n')[1], '301')
})

test('a checkpoint is made after 1,024 entries and at the close, and none where nothing is new', async () => {
  const home = await temporaryLedger()
  assert.equal(sizesIn(home.files), [1])
  const { ledger } = home
  for (let at = 0; at < 10; at += 1) await ledger.append(Array.from({ length: 100 }, () => turnEnded(at)))
  assert.equal(sizesIn(home.files), [1], '1,001 entries, a thousand since the last')
  await ledger.append(Array.from({ length: 100 }, () => turnEnded(11)))
  await ledger.exclusive(async () => {})
  assert.equal(sizesIn(home.files), [1, 1101])
  await ledger.append([turnEnded(12)])
  await ledger.close()
  assert.equal(sizesIn(home.files), [1, 1101, 1102])
  const again = await openLedger(home.files, home.settings)
  assert.is(await again.checkpoint(), undefined, 'no new one to tell of')
  await again.close()
  assert.equal(sizesIn(home.files), [1, 1101, 1102])
})

test('a checkpoint that is asked for covers what is on disk and is the same in the store and in the file', async () => {
  const home = await temporaryLedger()
  await home.ledger.append([message('one')])
  const made = await home.ledger.checkpoint()
  assert.is(made?.size, 2)
  assert.equal(await home.ledger.checkpoint(), made)
  assert.is(await home.ledger.reader.newestCheckpoint(), made?.note)
  assert.is(readCheckpointLines(home.files.checkpoints).at(-1), made?.note)
  assert.equal(sizesIn(home.files), [1, 2])
  await home.close()
})

test('a checkpoint is made within a minute of an entry, and no clock runs where nothing is new', async () => {
  const minutes: (() => void)[] = []
  const timeout = globalThis.setTimeout
  const patched = (run: () => void, ms?: number): NodeJS.Timeout => {
    if (ms !== undefined && ms > 1000 && ms <= 60_000) minutes.push(run)
    return timeout(run, ms)
  }
  globalThis.setTimeout = Object.assign(patched, timeout)
  try {
    const home = await temporaryLedger()
    await home.ledger.append([message('one')])
    await home.ledger.append([message('two')])
    assert.is(minutes.length, 1)
    minutes[0]?.()
    await until(() => sizesIn(home.files).length === 2)
    assert.equal(sizesIn(home.files), [1, 3])
    assert.is(minutes.length, 1)
    await home.ledger.append([message('three')])
    assert.is(minutes.length, 2, 'again for the next entry')
    await home.close()
  } finally {
    globalThis.setTimeout = timeout
  }
})

test('forgetting deletes the words and says so in the same batch', async () => {
  const { ledger, store, batches } = ledgerInMemory()
  for (const text of ['zero', 'one', 'two', 'three']) await ledger.append([message(text)])
  const bytes = ((await store.get(wordsKeyOf(1)))?.length ?? 0) + ((await store.get(wordsKeyOf(2)))?.length ?? 0)
  batches.length = 0
  const index = await ledger.forget([[1, 2]], { by: 'owner', reason: 'a wish' })
  assert.is(index, 4)
  const [batch, ...more] = batches.filter(({ puts }) => puts.includes('h4'))
  assert.is(more.length, 0)
  assert.equal(batch?.deletes, ['w1', 'w2'])
  const { header, payload } = await ledger.reader.entry(4)
  assert.is(header.type, 'payload.erased')
  assert.equal(payload, { entries: [[1, 2]], by: 'owner', reason: 'a wish', bytes })
  for (const at of [1, 2]) {
    const { words, payload: facts } = await ledger.reader.entry(at)
    assert.is(words, undefined)
    assert.match(String(facts['words']), /^[0-9a-f]{64}$/, 'the commitment stays')
  }
  assert.equal((await ledger.reader.entry(3)).words, { text: 'three' })
})

test('forgetting the words of a started session also deletes the way from its host id, in the same batch', async () => {
  const { ledger, batches } = ledgerInMemory()
  const handle = await ledger.sessionHandle('host-session')
  await ledger.append([sessionStarted(handle, 'host-session'), message('hello', handle)])
  batches.length = 0
  await ledger.forget([[0, 1]], { by: 'retention', reason: 'old' })
  const batch = batches.find(({ puts }) => puts.includes('h2'))
  assert.equal([...(batch?.deletes ?? [])].sort(), ['i', 'w0', 'w1'])
  assert.is(await ledger.knownSession('host-session'), undefined)
  assert.is.not(await ledger.sessionHandle('host-session'), handle, 'a session that returns afterwards gets a new one')
})

test('a session whose words were forgotten gets a new handle after a restart too, and the ledger is sound', async () => {
  const home = await temporaryLedger()
  const handle = await home.ledger.sessionHandle('host-session')
  await home.ledger.append([sessionStarted(handle, 'host-session')])
  await home.ledger.append([message('hello', handle)])
  await home.ledger.forget([[1, 1]], { by: 'owner', reason: 'a wish' })
  const ledger = await home.reopen()
  const again = await ledger.sessionHandle('host-session')
  assert.is(await ledger.knownSession('host-session'), undefined)
  assert.is.not(again, handle)
  await ledger.append([sessionStarted(again, 'host-session')])
  assert.equal((await ledger.reader.entry(2)).words, { text: 'hello' }, 'other words of the session stay')
  await home.close()
  const report = await verifyCopy(home.files)
  assert.equal([report.findings, report.notes, report.erased], [[], [], 1])
})

test('words that are not there any more can be asked to be forgotten again', async () => {
  const home = await temporaryLedger()
  await home.ledger.append([message('one'), turnEnded(1), message('two')])
  await home.ledger.forget([[1, 1]], { by: 'owner', reason: 'first' })
  const index = await home.ledger.forget([[0, 3]], { by: 'owner', reason: 'second' })
  assert.is(index, 5)
  await home.close()
  const report = await verifyCopy(home.files)
  assert.equal([report.findings, report.notes], [[], []])
})

test('entries that are not there cannot be forgotten', async () => {
  const { ledger } = ledgerInMemory()
  await ledger.append([message('one')])
  await failsAsOurMistake(() => ledger.forget([[0, 1]], { by: 'owner', reason: '' }))
  assert.is((await ledger.append([message('two')])).index, 1)
})

test('what does not fit its schema is a mistake of ours, and the ledger stays usable', async () => {
  const { ledger } = await temporaryLedger()
  const misfits: unknown[] = [
    { type: 'turn.ended', facts: { turn: -1, source: 'unattested' } },
    { type: 'turn.ended', facts: { turn: 1, source: 'somebody' } },
    { type: 'turn.ended', facts: { turn: 1, source: 'unattested', more: 1 } },
    { type: 'turn.ended', facts: { turn: 1, source: 'unattested' }, words: { secret: 'x' } },
    { type: 'message.captured', facts: { turn: 1 }, words: { text: 'x' } },
    { type: 'no.such', facts: {} },
    { type: 'toString', facts: {} },
  ]
  for (const misfit of misfits) {
    const event = misfit as RedactedEvent
    await failsAsOurMistake(() => ledger.append([event]))
    await failsAsOurMistake(() => ledger.append([message('fits'), event]))
  }
  await failsAsOurMistake(() => ledger.append([]))
  assert.is(ledger.size, 1, 'all or none')
  assert.is((await ledger.append([message('fits')])).index, 1)
  await ledger.close()
})

test('a closed ledger takes nothing more', async () => {
  const { ledger, files } = await temporaryLedger()
  await ledger.close()
  await rejectsWithCode(() => ledger.append([message('late')]), 'LEDGER_CLOSED')
  await rejectsWithCode(() => ledger.append([message('late')], { dedupe }), 'LEDGER_CLOSED')
  await rejectsWithCode(() => ledger.appendMade(() => ({ events: [], result: 1 }), { entries: 1 }), 'LEDGER_CLOSED')
  await rejectsWithCode(() => ledger.forget([[0, 0]], { by: 'owner', reason: '' }), 'LEDGER_CLOSED')
  await rejectsWithCode(() => ledger.checkpoint(), 'LEDGER_CLOSED')
  await rejectsWithCode(() => ledger.exclusive(async () => {}), 'LEDGER_CLOSED')
  await ledger.close()
  assert.equal(sizesIn(files), [1])
})

test('appends that a close overtakes are answered, and what was acknowledged is there afterwards', async () => {
  for (let turns = 0; turns < 8; turns += 1) {
    const home = await temporaryLedger()
    const answers: Promise<number | undefined>[] = []
    const add = (): void => {
      const answer = home.ledger.append([message('x')]).then(({ index }) => index)
      answers.push(answer.catch(() => undefined))
    }
    for (let at = 0; at < 5; at += 1) add()
    const closed = home.ledger.close()
    for (let turn = 0; turn < turns; turn += 1) await (turn % 3 === 2 ? sleep(0) : Promise.resolve())
    for (let at = 0; at < 5; at += 1) add()
    const outcome = await withinTime(Promise.allSettled([closed, ...answers]), `${turns} turns`)
    assert.is(outcome[0]?.status, 'fulfilled', `${turns} turns: the close itself`)
    const acknowledged = (await Promise.all(answers)).filter((index) => index !== undefined)
    assert.ok(acknowledged.length >= 5, 'those before the close')
    const ledger = await openLedger(home.files, home.settings)
    assert.is(ledger.size, 1 + acknowledged.length, `${turns} turns`)
    await assertOneChain(ledger)
    await ledger.close()
  }
})

test('a ledger that is closed twice at once is closed once', async () => {
  const home = await temporaryLedger()
  await home.ledger.append([message('one')])
  await Promise.all([home.ledger.close(), home.ledger.close()])
  assert.is((await openAndClose(home.files, home)).size, 2)
})

test('an append is refused where the home was removed under it, and every later one too', async () => {
  const home = await temporaryLedger()
  await home.ledger.append([message('one')])
  rmSync(home.files.home, { recursive: true })
  await rejectsWithCode(home.ledger.append([message('two')]), 'STORE_GONE')
  await rejectsWithCode(home.ledger.append([message('three')]), 'STORE_GONE')
  assert.is(home.ledger.size, 2)
  await home.ledger.close().catch(() => {})
})

test('an append is refused where another home stands in the place of the one that was opened', async () => {
  const home = await temporaryLedger()
  await home.ledger.append([message('one')])
  const copy = copyHome(home.files)
  renameSync(home.files.home, `${home.files.home}-away`)
  renameSync(copy.home, home.files.home)
  await rejectsWithCode(home.ledger.append([message('two')]), 'STORE_GONE')
  await rejectsWithCode(home.ledger.append([message('three')]), 'STORE_GONE')
  await home.ledger.close().catch(() => {})
})

test('a checkpoint is refused where the store lost its CURRENT', async () => {
  const home = await temporaryLedger()
  await home.ledger.append([message('one')])
  rmSync(join(home.files.store, 'CURRENT'))
  await rejectsWithCode(home.ledger.checkpoint(), 'STORE_GONE')
  await rejectsWithCode(home.ledger.append([message('two')]), 'STORE_GONE')
  await home.ledger.close().catch(() => {})
})

test('callers who wait while a checkpoint fails are told, and none is left hanging', async () => {
  const home = await temporaryLedger()
  await home.ledger.append([message('one')])
  rmSync(join(home.files.store, 'CURRENT'))
  const callers = [
    home.ledger.append([message('two')]),
    home.ledger.checkpoint(),
    ...Array.from({ length: 200 }, (_, at) => home.ledger.append([message(`${at}`)])),
    home.ledger.checkpoint(),
  ]
  const outcome = await withinTime(Promise.allSettled(callers), 'callers behind a failed checkpoint')
  assert.ok(outcome.some(({ status }) => status === 'rejected'))
  await home.ledger.close().catch(() => {})
})

test('a full disk refuses the append and all later ones, also when there is room again, and no acknowledged entry is lost', async () => {
  const home = await temporaryLedger()
  let acknowledged = home.ledger.size
  const append = async (text: string): Promise<void> => {
    await home.ledger.append([message(text)])
    acknowledged += 1
  }
  for (let at = 0; at < 5; at += 1) await append(`${at}`)
  const possible = await withFullDisk(16_384, async () => {
    await rejectsWithCode(append('x'.repeat(50_000)), 'STORE_WRITE_FAILED')
  })
  if (possible) {
    // LevelDB would take this one, and lose it: its log has a torn record before it.
    await rejectsWithCode(append('later'), 'STORE_WRITE_FAILED')
  }
  await home.ledger.close().catch(() => {})
  assert.is((await openAndClose(home.files, home)).size, acknowledged)
})

test('a write that fails is told to every caller, and nothing is taken afterwards', async () => {
  const { ledger, store } = ledgerInMemory()
  await ledger.append([message('one')])
  assert.is(ledger.failure, undefined)
  store.failNextWrite(new SteleError('STORE_WRITE_FAILED'))
  const callers: Promise<unknown>[] = [
    ledger.append([message('two')]),
    ledger.append([message('three'), turnEnded(1)]),
    ledger.appendMade(() => ({ events: [message('four')], result: 'made' }), { entries: 1, leave: [dedupe] }),
  ]
  for (const outcome of await withinTime(Promise.allSettled(callers), 'callers of a failed write'))
    assert.ok(outcome.status === 'rejected' && hasCode(outcome.reason, 'STORE_WRITE_FAILED'))
  assert.is(ledger.size, 1)
  assert.is(ledger.failure?.code, 'STORE_WRITE_FAILED')
  assert.is(await ledger.firstUnder(dedupe), undefined)
  await rejectsWithCode(ledger.append([message('four')]), 'STORE_WRITE_FAILED')
  await rejectsWithCode(ledger.append([message('five')], { dedupe }), 'STORE_WRITE_FAILED')
  await rejectsWithCode(ledger.forget([[0, 0]], { by: 'owner', reason: '' }), 'STORE_WRITE_FAILED')
  await rejectsWithCode(ledger.checkpoint(), 'STORE_WRITE_FAILED')
})

test('the write of a checkpoint that fails is as fatal as that of an entry: nothing is taken afterwards', async () => {
  const { ledger, store } = ledgerInMemory()
  await ledger.append([message('one')])
  store.failNextWrite(new SteleError('STORE_WRITE_FAILED'))
  await rejectsWithCode(withinTime(ledger.checkpoint(), 'a checkpoint'), 'STORE_WRITE_FAILED')
  await rejectsWithCode(withinTime(ledger.append([message('two')]), 'an append'), 'STORE_WRITE_FAILED')
})

test('a disk that is full when a checkpoint is made costs no acknowledged entry', async () => {
  const home = await temporaryLedger()
  for (let at = 0; at < 5; at += 1) await home.ledger.append([message(`${at}`)])
  const log = readdirSync(home.files.store).find((name) => name.endsWith('.log')) ?? ''
  const bytes = statSync(join(home.files.store, log)).size
  let acknowledged = home.ledger.size
  await withFullDisk(bytes + 100, async () => {
    await rejectsWithCode(home.ledger.checkpoint(), 'STORE_WRITE_FAILED')
  })
  for (let at = 0; at < 3; at += 1) {
    const taken = await home.ledger.append([message('later')]).catch(() => undefined)
    if (taken !== undefined) acknowledged = taken.index + 1
  }
  await home.ledger.close().catch(() => {})
  assert.is((await openAndClose(home.files, home)).size, acknowledged)
})

test('too much that waits is refused as busy, and what was taken is written', async () => {
  const { ledger } = ledgerInMemory()
  const burst = (): RedactedEvent[] => Array.from({ length: 1000 }, () => turnEnded(1))
  const taken = Array.from({ length: 8 }, () => ledger.append(burst()))
  await rejectsWithCode(ledger.append(burst()), 'LEDGER_QUEUE_FULL')
  await Promise.all(taken)
  await ledger.room()
  assert.is((await ledger.append(burst())).index, 8000)
})

test('a task that must be alone runs while nothing is written, and its result and its failure come back', async () => {
  const { ledger, batches } = ledgerInMemory()
  const appends = Array.from({ length: 300 }, () => ledger.append([message('x')]))
  const before = { start: 0, end: 0 }
  const task = ledger.exclusive(async () => {
    before.start = batches.length
    await sleep(3)
    before.end = batches.length
    return 'done'
  })
  assert.is(await task, 'done')
  assert.is(before.start, before.end)
  await Promise.all(appends)
  let told: unknown
  await ledger
    .exclusive(() => Promise.reject(new Error('a task')))
    .catch((error: unknown) => {
      told = error
    })
  assert.match(String(told), 'a task')
  assert.is((await ledger.append([message('goes on')])).index, 300)
})

test('digests of the ledger are keyed: HMAC-SHA-256 with the digest key of the home', async () => {
  const home = await temporaryLedger()
  const { createHmac } = await import('node:crypto')
  const secret = readFileSync(home.files.digestKey)
  assert.is(secret.length, 32)
  const expected = createHmac('sha256', secret).update('stele/digest/v1\nsession\nhost-session').digest('hex')
  assert.is(home.ledger.digest('session', 'host-session'), expected)
  await home.close()
})

function wordsKeyOf(index: number): Buffer {
  return Buffer.concat([Buffer.from('w'), Buffer.from(index.toString(16).padStart(16, '0'), 'hex')])
}

async function openAndClose(files: HomeFiles, home: { settings: Parameters<typeof openLedger>[1] }): Promise<{ size: number }> {
  // uvu cannot print an error that has details of its own.
  const ledger = await openLedger(homeFiles(files.home), home.settings).catch((error: unknown) => {
    throw new Error(error instanceof SteleError ? error.line : 'it cannot be opened', { cause: error })
  })
  const { size } = ledger
  await assertOneChain(ledger)
  await ledger.close()
  return { size }
}

async function failsAsOurMistake(call: () => Promise<unknown>): Promise<void> {
  let error: unknown
  try {
    await call()
  } catch (caught) {
    error = caught
  }
  assert.instance(error, AssertionFailed)
}

async function until(holds: () => boolean): Promise<void> {
  for (let times = 0; times < 200; times += 1) {
    if (holds()) return
    await sleep(10)
  }
}

async function withinTime<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  const end = new AbortController()
  const late = sleep(5000, undefined, { signal: end.signal, ref: true }).then(() => {
    throw new Error(`${what}: a promise was left hanging`)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    late.catch(() => {})
    end.abort()
  }
}

test('a session whose start is forgotten has another handle afterwards, and the old one is known to be forgotten', async () => {
  const { ledger } = await temporaryLedger()
  const handle = await ledger.sessionHandle('host')
  await ledger.append([sessionStarted(handle, 'host'), message('one', handle)])
  assert.is(ledger.hasForgotten(handle), false)
  await ledger.forget([[1, 2]], { by: 'owner', reason: 'all of it' })
  assert.equal([await ledger.knownSession('host'), ledger.hasForgotten(handle)], [undefined, true])
  assert.is.not(await ledger.sessionHandle('host'), handle)
  await ledger.close()
})

test('a session that has said something since its words were chosen keeps its handle, on disk or still in the queue', async () => {
  for (const waits of [true, false]) {
    const { ledger } = await temporaryLedger()
    const handle = await ledger.sessionHandle('host')
    await ledger.append([sessionStarted(handle, 'host'), message('one', handle)])
    const since = ledger.size
    const saying = ledger.append([message('two', handle)])
    if (waits) await saying
    await ledger.forget([[1, 2]], { by: 'owner', reason: 'what was chosen', since })
    await saying
    assert.equal([await ledger.knownSession('host'), ledger.hasForgotten(handle)], [handle, false])
    assert.is((await ledger.reader.entry(1)).words, undefined)
    await ledger.close()
  }
})

test('forgetting an older session leaves the way to one that began later under the same id', async () => {
  const { ledger } = await temporaryLedger()
  const first = await ledger.sessionHandle('host')
  await ledger.append([sessionStarted(first, 'host')])
  const digest = ledger.digest('session', 'host')
  await ledger.forget([[1, 1]], { by: 'owner', reason: 'the first' })
  const second = await ledger.sessionHandle('host')
  await ledger.append([sessionStarted(second, 'host')])
  // As an erasure that waited for an hour: it still names the way.
  const known = { bytes: 1, hostSessions: [digest] }
  await ledger.forget([[1, 1]], { by: 'owner', reason: 'the first, again', known })
  assert.is(await ledger.knownSession('host'), second)
  await ledger.close()
})

test.run()
