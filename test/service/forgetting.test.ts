// Holds forgetting to the forgetting page: step after step, the same end after a crash at any of them, an hour for what nobody confirmed.
// time limit: 400 s
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SteleError } from '../../src/foundation/stele-error.js'
import { exportLines } from '../../src/ledger/export.js'
import { ExportRegister } from '../../src/ledger/export-register.js'
import { readDigestKey } from '../../src/ledger/home-files.js'
import { reanchorLedger } from '../../src/ledger/open-ledger.js'
import { headerKey } from '../../src/ledger/row-keys.js'
import { takeSnapshot } from '../../src/ledger/snapshot.js'
import { openStore } from '../../src/ledger/store.js'
import type { WordsSelection } from '../../src/ledger/words-selection.js'
import { openViewStore, type ViewStore } from '../../src/projections/view-store.js'
import { ErasureJournal, type JournalledErasure } from '../../src/service/erasure-journal.js'
import { type Erased, type ErasureStep, Forgetting, type ForgettingOptions } from '../../src/service/forgetting.js'
import { ViewDesk } from '../../src/service/view-desk.js'
import { viewOwner } from '../../src/service/view-owner.js'
import { verifyExport } from '../../src/verify/verify-ledger.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import {
  copyHome,
  editStore,
  message,
  sessionStarted,
  startOfTime,
  type TemporaryLedger,
  temporaryLedger,
  turnEnded,
  verifyCopy,
} from '../support/temporary-ledger.js'
import { findWordRunsInHome } from '../support/words-in-home.js'

const test = suite('forgetting')

const hour = 60 * 60 * 1000
const steps: readonly ErasureStep[] = ['written-down', 'recorded', 'rows', 'terms', 'snapshots', 'put-aside', 'exports', 'done']

interface Stage {
  readonly home: TemporaryLedger
  readonly handles: { readonly gone: string; readonly kept: string }
  /** The same home as another process would find it: everything closed and opened again. */
  again(more?: Partial<ForgettingOptions>): Promise<Forgetting>
  readonly told: string[]
  readonly control: { nowMs: number }
  readonly exported: string
  close(): Promise<void>
}

const sixWords = (what: string, at: number): string =>
  ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf'].map((word) => `${word}${what}${at}`).join(' ')
const goneTexts = Array.from({ length: 12 }, (_, at) => sixWords('gone', at))
const keptTexts = Array.from({ length: 12 }, (_, at) => sixWords('kept', at))

/** Two sessions whose words alternate, with an export, a snapshot that nobody removes, and a quarantine that holds a log. */
async function stage(more: Partial<ForgettingOptions> = {}): Promise<Stage & { forgetting: Forgetting }> {
  const home = await temporaryLedger()
  const { files } = home
  const [gone, kept] = [await home.ledger.sessionHandle('host-gone'), await home.ledger.sessionHandle('host-kept')]
  await home.ledger.append([sessionStarted(gone, 'host-gone')])
  await home.ledger.append([sessionStarted(kept, 'host-kept')])
  for (const [at, text] of goneTexts.entries()) {
    await home.ledger.append([message(text, gone)])
    await home.ledger.append([message(keptTexts[at] ?? '', kept), turnEnded(at, gone)])
  }
  const exported = join(temporaryFolder(), 'ledger.jsonl')
  const made = await home.ledger.checkpoint()
  const lines: string[] = []
  for await (const line of exportLines(home.ledger.reader, made?.size ?? 0, made?.note ?? '')) lines.push(line)
  writeFileSync(exported, `${lines.join('\n')}\n`)
  new ExportRegister(files).remember(exported)
  ;(await takeSnapshot(files)).leave()
  mkdirSync(join(files.quarantine, '2026'), { recursive: true })
  writeFileSync(join(files.quarantine, '2026', '000001.log'), goneTexts.join('\n'))
  const [abandonedGone, abandonedFacts] = [
    `${JSON.stringify({ row: 'w', index: 900, base64: Buffer.from(goneTexts[0] ?? '').toString('base64') })}\n`,
    `${JSON.stringify({ row: 'h', index: 900, base64: 'AAAA' })}\n`,
  ]
  writeFileSync(join(files.quarantine, 'abandoned-1.jsonl'), abandonedFacts + abandonedGone)
  const control = { nowMs: startOfTime }
  const told: string[] = []
  let views: ViewStore | undefined
  let desk: ViewDesk | undefined
  const closeViews = async (): Promise<void> => {
    await desk?.close()
    views = undefined
    desk = undefined
  }
  const open = async (options: Partial<ForgettingOptions>): Promise<Forgetting> => {
    const opened = new ViewDesk({
      openStore: () => openStore(files.store, { shared: true }),
      openViews: async () => {
        views = await openViewStore(files.views, viewOwner())
        return views
      },
      digestKey: readDigestKey(files),
    })
    desk = opened
    await opened.answer({ ask: 'catch-up' })
    return new Forgetting({
      files,
      ledger: async () => home.ledger,
      ask: (question) => opened.answer(question),
      apart: async (task) => {
        await opened.letGo()
        try {
          return await task()
        } finally {
          opened.goOn()
        }
      },
      takeSpool: async (which) => void told.push(`spool ${which}`),
      forgetSessions: () => void told.push('sessions'),
      readersWaitMs: 150,
      now: () => control.nowMs,
      ...options,
    })
  }
  return {
    home,
    handles: { gone, kept },
    told,
    control,
    exported,
    forgetting: await open(more),
    again: async (options = {}) => {
      await closeViews()
      await home.reopen()
      return open(options)
    },
    close: async () => {
      await closeViews()
      await home.close()
    },
  }
}

const wish = (selection: WordsSelection, more: { reason?: string; confirmed?: boolean } = {}) => ({
  selection,
  by: 'owner' as const,
  reason: 'asked for',
  confirmed: true,
  ...more,
})

const erasedOf = (done: unknown): Erased => {
  assert.ok(typeof done === 'object' && done !== null && 'erasure' in done)
  return done as Erased
}

/** Everything that an erasure of the one session must have come to, told in a form that two runs can be compared by. */
async function endState({ home, handles, exported }: Stage): Promise<unknown> {
  const { files, ledger } = home
  const entries: unknown[] = []
  for await (const { header, payload, words } of ledger.reader.entries())
    entries.push([header.index, header.type, header.session, words?.['text'] ?? null, payload['entries'] ?? null])
  const { ok, findings, notes, erased } = await verifyCopy(files)
  const { report } = await verifyExport(exported)
  return {
    entries,
    verified: { ok, findings, notes, erased },
    gone: findWordRunsInHome(files.home, goneTexts),
    kept: new Set(findWordRunsInHome(files.home, keptTexts).map((found) => found.split(': ')[1])).size,
    knows: [await ledger.knownSession('host-gone'), (await ledger.knownSession('host-kept')) === handles.kept],
    journal: existsSync(files.erasures) ? readdirSync(files.erasures) : [],
    snapshots: readdirSync(files.snapshots),
    quarantine: readdirSync(files.quarantine).filter((name) => name.startsWith('abandoned-')),
    abandoned: readFileSync(join(files.quarantine, 'abandoned-1.jsonl'), 'utf8'),
    exported: [
      report.ok,
      report.notes.map(({ code }) => code),
      goneTexts.some((text) => readFileSync(exported, 'utf8').includes(text)),
    ],
  }
}

test('a preview says what would go, changes nothing, and takes in what is ready in the spool first', async () => {
  const here = await stage()
  try {
    const { home, forgetting, handles, told } = here
    const { size } = home.ledger
    const words = await forgetting.preview({ by: 'session', handle: handles.gone })
    assert.equal(words.types, { 'session.started': 1, 'message.captured': 12 })
    assert.is(words.entries, 13)
    assert.equal([home.ledger.size, told, forgetting.waiting], [size, ['spool ready'], []])
  } finally {
    await here.close()
  }
})

test('a confirmed erasure goes through its steps in order, and no file of the home holds the words afterwards', async () => {
  const seen: string[] = []
  const here = await stage({ onStep: (step, { entry }) => seen.push(`${step} ${entry === null ? '' : 'recorded'}`) })
  try {
    const { home, forgetting, handles, told } = here
    assert.ok(findWordRunsInHome(home.files.home, goneTexts).length > 0, 'they were there')
    const size = home.ledger.size
    const done = erasedOf(await forgetting.ask(wish({ by: 'session', handle: handles.gone })))
    assert.equal(
      seen.map((one) => one.trim()),
      ['written-down', ...steps.slice(1).map((step) => `${step} recorded`)],
    )
    assert.equal([done.erasure, done.entries], [size, 13])
    assert.equal(done.copies, { snapshots: 1, putAside: 2, exports: 1, exportsMissing: 0 })
    assert.ok(done.receipt.startsWith(`c2sp.org/tlog-proof@v1\n`) && done.receipt.includes(`\nindex ${size}\n`))
    assert.equal(told, ['spool all', 'sessions'])
    const { payload } = await home.ledger.reader.entry(size)
    assert.equal([payload['by'], payload['reason'], payload['bytes']], ['owner', 'asked for', done.bytes])
    const state = (await endState(here)) as { gone: string[]; kept: number; verified: { ok: boolean; erased: number } }
    assert.equal([state.gone, state.verified.ok, state.verified.erased], [[], true, 13])
    // Seven words make two runs of six; none of the other session's is missing.
    assert.is(state.kept, 2 * keptTexts.length)
  } finally {
    await here.close()
  }
})

let expected: Promise<unknown> | undefined

/** The end of an erasure that nothing has disturbed. */
function undisturbed(): Promise<unknown> {
  expected ??= (async () => {
    const here = await stage()
    try {
      await here.forgetting.ask(wish({ by: 'session', handle: here.handles.gone }))
      return await endState(here)
    } finally {
      await here.close()
    }
  })()
  return expected
}

const crash = (at: ErasureStep) => (step: ErasureStep) => {
  if (step === at) throw new Error('crashed')
}

async function crashes(task: () => Promise<unknown>): Promise<void> {
  let failed = false
  await task().catch((error: unknown) => {
    failed = true
    assert.ok(error instanceof Error && error.message === 'crashed', String(error))
  })
  assert.ok(failed, 'it ended at the step')
}

for (const step of steps) {
  test(`a crash after "${step}", and another at the same place, is finished by the next run, and ends as if there had been none`, async () => {
    const here = await stage({ onStep: crash(step) })
    try {
      const { forgetting, handles, again } = here
      await crashes(() => forgetting.ask(wish({ by: 'session', handle: handles.gone })))
      const second = await again({ onStep: crash(step) })
      // What was written down and no more is past that step when it is taken up again, and what is done is not taken up.
      if (step === 'written-down' || step === 'done') await second.look()
      else await crashes(() => second.look())
      const third = await again()
      await third.look()
      assert.equal(third.waiting, [])
      assert.equal(await endState(here), await undisturbed())
    } finally {
      await here.close()
    }
  })
}

test('an erasure that is in the ledger while the journal does not know it is not recorded a second time', async () => {
  const here = await stage({ onStep: crash('recorded') })
  try {
    const { home, forgetting, handles, again } = here
    await crashes(() => forgetting.ask(wish({ by: 'session', handle: handles.gone })))
    const journal = new ErasureJournal(home.files.erasures)
    const [left] = journal.all()
    assert.is(typeof left?.entry, 'number')
    journal.save({ ...(left as JournalledErasure), entry: null })
    await (await again()).look()
    assert.equal(await endState(here), await undisturbed())
  } finally {
    await here.close()
  }
})

test('words that are gone, or never were, make no erasure; too many pieces make none either', async () => {
  const here = await stage()
  try {
    const { home, forgetting, handles, again } = here
    await forgetting.ask(wish({ by: 'index', indices: [3] }))
    const { size } = home.ledger
    await rejectsWithCode(() => forgetting.ask(wish({ by: 'index', indices: [0, 3] })), 'ERASURE_EMPTY')
    await rejectsWithCode(() => forgetting.ask(wish({ by: 'sender', sender: 'nobody' })), 'ERASURE_EMPTY')
    const pieces = Array.from({ length: 200_001 }, (_, at) => [2 * at, 2 * at] as const)
    const words = { ranges: pieces, entries: 200_001, bytes: 1, types: {}, first: null, last: null, hostSessions: [] }
    const wide = await again({ ask: async () => words as never })
    const error = await rejectsWithCode(() => wide.ask(wish({ by: 'session', handle: handles.gone })), 'ERASURE_TOO_WIDE')
    assert.equal(error.details, { ranges: 200_001, most: 200_000 })
    assert.equal([home.ledger.size, wide.waiting], [size, []])
  } finally {
    await here.close()
  }
})

test('where the disk still holds the words that is said, they are forgotten all the same, and it is tried again in an hour', async () => {
  const here = await stage()
  try {
    const { home, handles, again, control } = here
    let tries = 0
    const apart = async (): Promise<never> => {
      tries += 1
      throw new SteleError('ERASURE_UNFINISHED', { files: 1, attempts: 5 })
    }
    const failing = await again({ apart })
    await rejectsWithCode(() => failing.ask(wish({ by: 'session', handle: handles.gone })), 'ERASURE_UNFINISHED')
    assert.is((await home.ledger.reader.entry(3)).words?.['text'] ?? null, null, 'nobody can read them')
    assert.equal(
      failing.waiting.map(({ entries, due }) => [entries, due]),
      [[13, null]],
    )
    await rejectsWithCode(() => failing.look(), 'ERASURE_UNFINISHED')
    await failing.look()
    control.nowMs += hour - 1
    await failing.look()
    assert.is(tries, 2)
    control.nowMs += 1
    await rejectsWithCode(() => failing.look(), 'ERASURE_UNFINISHED')
    control.nowMs -= 10 * hour
    await rejectsWithCode(() => failing.look(), 'ERASURE_UNFINISHED')
    assert.is(tries, 4, 'a clock that is set back keeps nothing from being tried')
    await (await again()).look()
    assert.equal(await endState(here), await undisturbed())
  } finally {
    await here.close()
  }
})

test('what nobody confirmed waits an hour, is told, and is then done by whoever has the home', async () => {
  const here = await stage()
  try {
    const { home, forgetting, handles, again, control } = here
    const asked = await forgetting.ask(wish({ by: 'session', handle: handles.gone }, { confirmed: false }))
    assert.ok('due' in asked && asked.due === new Date(startOfTime + hour).toISOString())
    assert.equal(forgetting.waiting, [asked])
    const { payload } = await home.ledger.reader.entry(home.ledger.size - 1)
    assert.equal(
      [payload['selected'], payload['entries'], payload['due']],
      ['session', 13, new Date(startOfTime + hour).toISOString()],
    )
    control.nowMs += hour - 1
    await forgetting.look()
    assert.ok((await home.ledger.reader.entry(3)).words !== undefined)
    const next = await again()
    control.nowMs += 1
    await next.look()
    assert.equal(next.waiting, [])
    const state = (await endState(here)) as { gone: string[]; verified: { erased: number } }
    assert.equal([state.gone, state.verified.erased], [[], 13])
  } finally {
    await here.close()
  }
})

test('a clock that is set back gives what waits an hour from then on: never less than anybody had to call it off', async () => {
  const here = await stage()
  try {
    const { home, forgetting, control, handles } = here
    await forgetting.ask(wish({ by: 'session', handle: handles.gone }, { confirmed: false }))
    control.nowMs -= 24 * hour
    await forgetting.look()
    assert.is(forgetting.waiting[0]?.due, new Date(control.nowMs + hour).toISOString())
    assert.ok((await home.ledger.reader.entry(3)).words !== undefined)
    control.nowMs += hour
    await forgetting.look()
    assert.equal(forgetting.waiting, [])
    assert.is((await home.ledger.reader.entry(3)).words, undefined)
  } finally {
    await here.close()
  }
})

test('what waits can be called off, which the ledger tells; what is done, or was called off, cannot', async () => {
  const here = await stage()
  try {
    const { home, forgetting, handles, control } = here
    await rejectsWithCode(() => forgetting.cancel(), 'ERASURE_NOTHING_WAITS')
    const asked = home.ledger.size
    const waiting = await forgetting.ask(wish({ by: 'session', handle: handles.gone }, { confirmed: false }))
    assert.equal(await forgetting.cancel(), [waiting])
    assert.equal((await home.ledger.reader.entry(home.ledger.size - 1)).payload, { asked })
    await rejectsWithCode(() => forgetting.cancel(), 'ERASURE_NOTHING_WAITS')
    control.nowMs += 2 * hour
    await forgetting.look()
    assert.ok((await home.ledger.reader.entry(3)).words !== undefined)
    await forgetting.ask(wish({ by: 'session', handle: handles.gone }))
    await rejectsWithCode(() => forgetting.cancel(), 'ERASURE_NOTHING_WAITS')
  } finally {
    await here.close()
  }
})

test('what was called off stays so where a crash left it in the journal', async () => {
  const here = await stage()
  try {
    const { home, forgetting, handles, control, again } = here
    await forgetting.ask(wish({ by: 'session', handle: handles.gone }, { confirmed: false }))
    const [before] = new ErasureJournal(home.files.erasures).all()
    await forgetting.cancel()
    new ErasureJournal(home.files.erasures).save(before as JournalledErasure)
    control.nowMs += 2 * hour
    const next = await again()
    await next.look()
    assert.equal(next.waiting, [])
    assert.ok((await home.ledger.reader.entry(3)).words !== undefined)
  } finally {
    await here.close()
  }
})

test('two wishes at once are fulfilled one after the other, and what the first has taken the second does not name', async () => {
  const here = await stage()
  try {
    const { home, forgetting, handles } = here
    const [first, second, third] = await Promise.allSettled([
      forgetting.ask(wish({ by: 'session', handle: handles.gone })),
      forgetting.ask(wish({ by: 'all' }, { reason: 'the rest' })),
      forgetting.ask(wish({ by: 'all' }, { reason: 'again' })),
    ])
    assert.ok(first?.status === 'fulfilled' && second?.status === 'fulfilled')
    assert.equal([erasedOf(first.value).entries, erasedOf(second.value).entries], [13, 13])
    assert.ok(third?.status === 'rejected')
    await rejectsWithCode(() => Promise.reject(third.reason), 'ERASURE_EMPTY')
    assert.equal(findWordRunsInHome(home.files.home, [...goneTexts, ...keptTexts]), [])
    const { ok, erased } = await verifyCopy(home.files)
    assert.equal([ok, erased], [true, 26])
  } finally {
    await here.close()
  }
})

const lateTexts = Array.from({ length: 6 }, (_, at) => sixWords('late', at))

/** The home as a crash leaves it at this moment, with a hole in its end, and a new start at the hole. */
async function startAnew({ home }: Stage, hole: number): Promise<void> {
  const { files, settings } = home
  const copy = copyHome(files)
  await home.close()
  rmSync(files.home, { recursive: true })
  cpSync(copy.home, files.home, { recursive: true })
  await editStore(files, [], [headerKey(hole)])
  const start = await reanchorLedger(files, settings, 'a hole')
  assert.equal([start.index, start.epoch], [hole, 1])
}

test('after a new start an erasure means only what lies before it, and takes the words of the branch that was abandoned', async () => {
  const here = await stage()
  try {
    const { home, forgetting, handles, control, again } = here
    const { files } = home
    const begin = home.ledger.size
    for (const text of lateTexts) await home.ledger.append([message(text, handles.gone)])
    await forgetting.ask(wish({ by: 'index', indices: [3, begin, begin + 1, begin + 3, begin + 4] }, { confirmed: false }))
    await startAnew(here, begin + 2)
    const next = await again()
    // Where its words stood there are now others, and the branch that was abandoned reached further than they do.
    for (const text of keptTexts.slice(0, 3)) await home.ledger.append([message(text, handles.kept)])
    assert.ok(findWordRunsInHome(files.home, lateTexts.slice(5)).length > 0, 'the abandoned branch is there')
    control.nowMs += hour
    await next.look()
    assert.equal(next.waiting, [])
    const { payload } = await home.ledger.reader.entry(home.ledger.size - 1)
    assert.equal(payload['entries'], [
      [3, 3],
      [begin, begin + 1],
    ])
    const texts: unknown[] = []
    for await (const { header, words } of home.ledger.reader.entries({ from: begin }))
      if (header.type === 'message.captured') texts.push(words?.['text'])
    assert.equal(texts, [undefined, undefined, ...keptTexts.slice(0, 3)], 'no word of the new branch is lost')
    assert.equal(findWordRunsInHome(files.home, lateTexts), [])
    const { ok, findings } = await verifyCopy(files)
    assert.equal([ok, findings], [true, []])
  } finally {
    await here.close()
  }
})

test('an erasure whose own entry was abandoned by a new start is recorded anew', async () => {
  const here = await stage({ onStep: crash('recorded') })
  try {
    const { home, forgetting, handles, again } = here
    await crashes(() => forgetting.ask(wish({ by: 'session', handle: handles.gone })))
    const recorded = home.ledger.size - 1
    await startAnew(here, recorded)
    await (await again()).look()
    const { header, payload } = await home.ledger.reader.entry(home.ledger.size - 1)
    assert.equal([header.type, header.index > recorded, payload['reason']], ['payload.erased', true, 'asked for'])
    const { ok, findings, erased } = await verifyCopy(home.files)
    assert.equal([ok, findings, erased], [true, [], 13])
    assert.equal(findWordRunsInHome(home.files.home, goneTexts), [])
  } finally {
    await here.close()
  }
})

test('a journal that reaches behind the end of the ledger takes what is there, and nothing where nothing is', async () => {
  const here = await stage()
  try {
    const { home, forgetting, handles } = here
    const { size, epoch } = home.ledger
    const words = await forgetting.preview({ by: 'session', handle: handles.gone })
    const wished = {
      selected: 'session',
      by: 'owner',
      reason: '',
      size,
      epoch,
      words,
      due: null,
      asked: null,
      entry: null,
    } as const
    const journal = new ErasureJournal(home.files.erasures)
    const behind = { ...words, ranges: [[size + 5, size + 9]] as const }
    journal.add({ ...wished, words: behind })
    journal.add({ ...wished, words: behind, entry: size + 100 })
    await forgetting.look()
    assert.equal([home.ledger.size, forgetting.waiting], [size, []])
    journal.add({ ...wished, words: { ...words, ranges: [...words.ranges, ...behind.ranges] } })
    await forgetting.look()
    assert.equal([home.ledger.size, forgetting.waiting], [size + 1, []])
    assert.equal(findWordRunsInHome(home.files.home, goneTexts), [])
  } finally {
    await here.close()
  }
})

test('when the service ends no further step begins, and the next one goes on', async () => {
  const here = await stage()
  try {
    const { handles, again } = here
    let ended: Promise<void> | undefined
    const ending: Forgetting = await again({
      onStep: (step) => {
        if (step === 'rows') ended = ending.close()
      },
    })
    await rejectsWithCode(() => ending.ask(wish({ by: 'session', handle: handles.gone })), 'LEDGER_CLOSED')
    await ended
    assert.is(ending.waiting.length, 1)
    await (await again()).look()
    assert.equal(await endState(here), await undisturbed())
  } finally {
    await here.close()
  }
})

test.run()
