// Holds the desk to its answers: the same whether views are kept, locked, damaged or gone, whatever is asked at the same time, and however
// often it must let go of the ledger in the middle.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { HomeFiles } from '../../src/ledger/home-files.js'
import { openStore, type Store } from '../../src/ledger/store.js'
import { viewNames } from '../../src/projections/projection-catalog.js'
import { openViewStore } from '../../src/projections/view-store.js'
import type { ViewDesk } from '../../src/service/view-desk.js'
import { lockedViews, loneDesk } from '../support/lone-desk.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { message, sessionStarted, type TemporaryLedger, temporaryLedger, turnEnded } from '../support/temporary-ledger.js'

const test = suite('view desk')

const owner = { name: 'this test', isAlive: () => false }

async function filled(entries: number): Promise<TemporaryLedger> {
  const home = await temporaryLedger({ seed: 81 })
  const handle = await home.ledger.sessionHandle('host-one')
  await home.ledger.append([sessionStarted(handle, 'host-one')])
  for (let at = 2; at < entries; at += 400) {
    const some = Array.from({ length: Math.min(400, entries - at) }, (_, more) =>
      more % 2 === 0 ? message(`word${at + more} common`, handle) : turnEnded(1, handle),
    )
    await home.ledger.append(some)
  }
  assert.is(home.ledger.size, entries)
  return home
}

/** Everything that can be asked of a ledger, as one text. */
async function everything(desk: ViewDesk): Promise<string> {
  const views = []
  for (const name of viewNames) for (const asOf of [undefined, 7]) views.push(await desk.answer({ ask: 'view', name, asOf }))
  const found = await desk.answer({ ask: 'search', words: 'COMMON', limit: 10 })
  const context = await desk.answer({ ask: 'view', name: 'gate-context', session: 'host-one', asOf: 9 })
  return JSON.stringify([views, found, context])
}

test('views that are kept, locked, impossible, damaged, left behind or deleted give the same answers', async () => {
  const { files, close } = await filled(40)
  const kept = loneDesk(files)
  const answers = await everything(kept)
  assert.match(answers, /word2 common/)
  assert.is(await everything(kept), answers, 'asked again')
  await rejectsWithCode(loneDesk(files, { openViews: lockedViews(files) }).answer({ ask: 'rebuild' }), 'STORE_LOCKED')
  assert.is(await everything(loneDesk(files, { openViews: lockedViews(files) })), answers, 'locked')
  await kept.close()
  const tables = join(files.views, 'store')
  // Once more, so that the rows stand in a table.
  await (await openViewStore(files.views, owner)).close()
  for (const name of readdirSync(tables).filter((one) => one.endsWith('.ldb'))) truncateSync(join(tables, name), 10)
  const damaged = loneDesk(files)
  assert.is(await everything(damaged), answers, 'damaged')
  await damaged.close()
  writeFileSync(join(files.views, 'in-use'), 'somebody who is dead')
  const left = loneDesk(files)
  assert.is(await everything(left), answers, 'left behind')
  await left.close()
  rmSync(files.views, { recursive: true })
  const deleted = loneDesk(files)
  assert.is(await everything(deleted), answers, 'deleted')
  await deleted.close()
  rmSync(files.views, { recursive: true })
  writeFileSync(files.views, 'no folder')
  assert.is(await everything(loneDesk(files)), answers, 'impossible')
  await rejectsWithCode(loneDesk(files).answer({ ask: 'rebuild' }), 'STORE_UNREADABLE')
  await close()
})

test('views that are damaged while they are open are thrown away, and the question is answered', async () => {
  const { files, close } = await filled(40)
  let opened = 0
  const desk = loneDesk(files, {
    openViews: async () => {
      const store = await openViewStore(files.views, owner)
      opened += 1
      // The first is closed under the desk, as a disk that fails would have it.
      if (opened === 1) await store.close()
      return store
    },
  })
  const { parts, size } = await desk.answer({ ask: 'view', name: 'activity' })
  assert.equal([size, Object.keys(parts).length, opened], [40, 1, 2])
  await desk.close()
  await close()
})

test('an answer says of how many entries it is, and is of exactly these, while entries and questions come at once', async () => {
  const { files, ledger, close } = await filled(50)
  const desk = loneDesk(files)
  const asked = []
  for (let round = 0; round < 40; round += 1) {
    asked.push(desk.answer({ ask: 'view', name: 'activity' }), desk.answer({ ask: 'view', name: 'activity', asOf: ledger.size }))
    asked.push(desk.answer({ ask: 'view', name: 'sessions' }))
    await ledger.append([message('more')])
    if (round % 10 === 9) await Promise.all(asked)
  }
  let answered = 0
  for (const { name, size, parts } of await Promise.all(asked)) {
    if (name === 'activity') {
      const days = Object.values(parts) as { entries: number }[]
      assert.is(
        days.reduce((sum, { entries }) => sum + entries, 0),
        size,
      )
      answered += 1
    }
  }
  assert.is(answered, 80)
  await desk.answer({ ask: 'catch-up' })
  const { views, size } = await desk.answer({ ask: 'state' })
  assert.equal([size, ...new Set(views.map(({ position }) => position))], [90, 90])
  await desk.close()
  await close()
})

test('a search during a rebuild misses nothing', async () => {
  const { files, close } = await filled(2000)
  const desk = loneDesk(files)
  const asked = []
  for (let round = 0; round < 6; round += 1) {
    asked.push(desk.answer({ ask: 'search', words: 'common', limit: 1000 }).then(({ lines }) => lines.length))
    asked.push(desk.answer({ ask: 'rebuild', name: round % 2 === 0 ? 'words' : undefined }).then(({ done }) => (done ? 999 : 0)))
  }
  assert.equal([...new Set(await Promise.all(asked))], [999])
  await desk.close()
  await close()
})

/** Opens stores and counts those that are open. */
function counting(files: HomeFiles): { openStore: () => Promise<Store>; open: () => number } {
  let open = 0
  return {
    open: () => open,
    openStore: async () => {
      const store = await openStore(files.store, { shared: true })
      open += 1
      return {
        ...store,
        close: async () => {
          await store.close()
          open -= 1
        },
      }
    },
  }
}

test('told to let go it closes the ledger, whatever is being answered; the questions are answered when it may go on', async () => {
  const { files, close } = await filled(3000)
  const { openStore, open } = counting(files)
  const desk = loneDesk(files, { openStore })
  const answered: string[] = []
  const asked = [
    desk.answer({ ask: 'rebuild' }).then(({ done }) => answered.push(`rebuild ${done}`)),
    desk.answer({ ask: 'view', name: 'activity', asOf: 2900 }).then(({ size }) => answered.push(`as of ${size}`)),
    desk.answer({ ask: 'view', name: 'sessions' }).then(({ size }) => answered.push(`sessions ${size}`)),
    desk.answer({ ask: 'search', words: 'word2', limit: 5 }).then(({ lines }) => answered.push(`found ${lines.length}`)),
    desk.answer({ ask: 'select', selection: { by: 'all' } }).then(({ entries }) => answered.push(`selected ${entries}`)),
  ]
  for (let round = 0; round < 5; round += 1) {
    while (open() === 0 && answered.length < asked.length) await new Promise(setImmediate)
    await desk.letGo()
    assert.is(open(), 0, 'let go')
    const before = answered.length
    asked.push(desk.answer({ ask: 'view', name: 'clock' }).then(() => answered.push('asked meanwhile')))
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    assert.equal([open(), answered.length], [0, before], 'nothing is answered meanwhile')
    desk.goOn()
  }
  await Promise.all(asked)
  assert.equal(answered.filter((one) => one !== 'asked meanwhile').sort(), [
    'as of 2900',
    'found 1',
    'rebuild true',
    'selected 1500',
    'sessions 3000',
  ])
  assert.is(open(), 0)
  await desk.close()
  await close()
})

test('catching up that is broken off says that it is not done', async () => {
  const { files, close } = await filled(3000)
  const desk = loneDesk(files)
  let steps = 0
  const caughtUp = desk.answer({ ask: 'catch-up' }, () => {
    steps += 1
    if (steps === 1) void desk.letGo()
  })
  assert.equal(await caughtUp, { done: false, size: 3000 })
  desk.goOn()
  assert.equal(await desk.answer({ ask: 'catch-up' }), { done: true, size: 3000 })
  await desk.close()
  await close()
})

test('a view that is none is refused, asked for or rebuilt', async () => {
  const { files, close } = await filled(5)
  const desk = loneDesk(files)
  for (const name of ['nothing', 'gate-context', '__proto__'])
    await rejectsWithCode(desk.answer({ ask: 'rebuild', name }), 'VIEW_UNKNOWN')
  for (const name of ['nothing', 'words', '__proto__']) await rejectsWithCode(desk.answer({ ask: 'view', name }), 'VIEW_UNKNOWN')
  await desk.close()
  await close()
})

test('words that cannot be forgotten because another has the views are not told as forgotten', async () => {
  const { files, close } = await filled(5)
  const desk = loneDesk(files, { openViews: lockedViews(files) })
  mkdirSync(files.views)
  writeFileSync(join(files.views, 'in-use'), 'somebody else')
  await rejectsWithCode(desk.answer({ ask: 'forget-terms', ranges: [[0, 3]] }), 'STORE_LOCKED')
  rmSync(join(files.views, 'in-use'))
  assert.equal(await desk.answer({ ask: 'forget-terms', ranges: [[0, 3]] }), { rows: 0 }, 'tried again with the next question')
  await desk.close()
  await close()
})

test('one view is made anew without the others; the state says how far each is', async () => {
  const { files, close } = await filled(20)
  const desk = loneDesk(files)
  const state = async (): Promise<string[]> =>
    (await desk.answer({ ask: 'state' })).views.map(({ name, position }) => `${name} ${position}`)
  assert.equal(await state(), [
    'sessions 0',
    'activity 0',
    'evidence 0',
    'grants 0',
    'decisions 0',
    'approvals 0',
    'jev 0',
    'coverage 0',
    'inbox 0',
    'files 0',
    'clock 0',
    'words 0',
  ])
  const progress: [number, number][] = []
  assert.equal(await desk.answer({ ask: 'rebuild', name: 'clock' }, (done, of) => progress.push([done, of])), {
    done: true,
    size: 20,
  })
  assert.equal(
    [await state(), progress],
    [
      [
        'sessions 20',
        'activity 20',
        'evidence 20',
        'grants 20',
        'decisions 20',
        'approvals 20',
        'jev 20',
        'coverage 20',
        'inbox 20',
        'files 20',
        'clock 20',
        'words 20',
      ],
      [[20, 20]],
    ],
  )
  await desk.close()
  await close()
})

test('closed in order it leaves views that are gone on with; a copy of them for another ledger is not believed', async () => {
  const { files, close } = await filled(20)
  const desk = loneDesk(files)
  await desk.answer({ ask: 'catch-up' })
  assert.ok(existsSync(join(files.views, 'in-use')))
  await desk.close()
  assert.not.ok(existsSync(join(files.views, 'in-use')))
  const again = loneDesk(files)
  const { views } = await again.answer({ ask: 'state' })
  assert.ok(views.every(({ position }) => position === 20))
  await again.close()
  const other = await temporaryLedger({ seed: 82 })
  cpSync(files.views, other.files.views, { recursive: true })
  const mistaken = loneDesk(other.files)
  const { parts } = await mistaken.answer({ ask: 'view', name: 'activity' })
  assert.equal(
    Object.values(parts as Record<string, { entries: number }>).map(({ entries }) => entries),
    [other.ledger.size],
  )
  await mistaken.close()
  await other.close()
  await close()
})

test('a desk that was never asked makes no views', async () => {
  const { files, close } = await filled(5)
  await loneDesk(files).close()
  assert.not.ok(existsSync(files.views))
  await close()
})

test.run()
