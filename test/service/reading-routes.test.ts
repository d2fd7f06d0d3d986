// Holds what readers are told to the interfaces page: every entry exactly once, receipts and proofs that a verifier takes, a live tail.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { HttpServer } from '../../src/service/http-server.js'
import { addReadingRoutes } from '../../src/service/reading-routes.js'
import { parseVkey, readCheckpoint, verifyCheckpointSignature } from '../../src/verify/verify-checkpoint.js'
import { verifyExport, verifyStore } from '../../src/verify/verify-ledger.js'
import { parseReceipt, verifyConsistency, verifyProof } from '../../src/verify/verify-proof.js'
import { until } from '../support/attached-host.js'
import { referenceRoot } from '../support/reference-tree.js'
import {
  answered,
  askAt,
  codeOf,
  quietSettings,
  type RunningService,
  runService,
  type ShownEntry,
  typed,
} from '../support/running-service.js'
import { makeRandom } from '../support/seeded-random.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { message, sessionStarted, temporaryLedger, turnEnded } from '../support/temporary-ledger.js'

const test = suite('reading routes')

interface Line extends ShownEntry {
  readonly hash: string
  readonly erased?: number
}

interface Page {
  readonly entries: readonly Line[]
  readonly next: number | null
}

const handles = Array.from({ length: 6 }, (_, at) => `s${String(at).repeat(16)}`)
let running: RunningService
let all: readonly Line[] = []
let vkey = ''

/** More entries than one request looks at, of several sessions, some of them forgotten. */
test.before(async () => {
  const { ledger, world, files } = await temporaryLedger()
  const random = makeRandom(7)
  await ledger.append(handles.map((handle, at) => sessionStarted(handle, `host session ${at}`)))
  for (let at = 0; at < 46; at += 1) {
    const events = Array.from({ length: 100 }, (_, one) => {
      const session = random.pick(handles.slice(0, 5))
      return random.chance(4) ? turnEnded(one, session) : message(`words ${at} ${one}`, session)
    })
    await ledger.append(events)
    world.advance(1000)
  }
  await ledger.forget(
    [
      [10, 30],
      [4000, 4000],
    ],
    { by: 'owner', reason: 'a test' },
  )
  await ledger.close()
  running = await runService({ home: files.home, settings: quietSettings })
  all = await walk('limit=1000')
  vkey = String(all[0]?.data['vkey'])
})
test.after(() => running?.service.stop())

const page = async (query: string): Promise<Page> => answered<Page>(await running.ask(`/v1/entries?${query}`))

/** Goes from page to page as the answers say. */
async function walk(query: string): Promise<Line[]> {
  const seen: Line[] = []
  for (let from: number | null | undefined; from !== null; ) {
    const { entries, next }: Page = await page(from === undefined ? query : `${query}&from=${from}`)
    if (next !== null && from !== undefined) assert.ok(next !== from, `stands still at ${next}`)
    seen.push(...entries)
    from = next
  }
  return seen
}

const indices = (lines: readonly Line[]) => lines.map(({ index }) => index)

test('a walk through all pages visits every entry exactly once, in order, and newest first in reverse', async () => {
  assert.ok(all.length > 4600)
  assert.equal(
    indices(all),
    all.map((_, at) => at),
  )
  for (const limit of [97, 256, 1000]) {
    assert.equal(indices(await walk(`limit=${limit}`)), indices(all))
    assert.equal(indices(await walk(`order=desc&limit=${limit}`)), indices(all).reverse(), String(limit))
  }
})

test('filters by type, family, session and time leave out exactly what does not fit, both ways, at any page size', async () => {
  const middle = all[2300]?.time ?? ''
  const filters: readonly (readonly [query: string, fits: (line: Line) => boolean])[] = [
    ['type=message.captured', ({ type }) => type === 'message.captured'],
    ['type=session.started', ({ type }) => type === 'session.started'],
    ['type=session.*', ({ type }) => type.startsWith('session.')],
    ['type=config.activated', ({ type }) => type === 'config.activated'],
    ['type=session', () => false],
    ['type=nothing.such', () => false],
    [`session=${handles[3]}`, ({ session }) => session === handles[3]],
    ['session=host%20session%203', ({ session }) => session === handles[3]],
    [`session=${handles[5]}`, ({ session }) => session === handles[5]],
    ['session=nobody', () => false],
    [`since=${middle}`, ({ time }) => time >= middle],
    ['since=2100-01-01T00:00:00Z', () => false],
    [
      `since=${middle}&type=turn.ended&session=${handles[1]}`,
      ({ time, type, session }) => time >= middle && type === 'turn.ended' && session === handles[1],
    ],
  ]
  for (const [at, [query, fits]] of filters.entries()) {
    const expected = indices(all.filter(fits))
    const [one, other] = at % 2 === 0 ? [311, 1000] : [1000, 311]
    assert.equal(indices(await walk(`${query}&limit=${one}`)), expected, query)
    assert.equal(indices(await walk(`${query}&limit=${other}&order=desc`)), [...expected].reverse(), `${query} newest first`)
  }
})

test('a page holds as many as it was asked for, and a walk one by one is the same', async () => {
  const query = `type=session.*&session=${handles[5]}`
  assert.equal(indices(await walk(`${query}&limit=1`)), [6])
  for (const order of ['asc', 'desc']) {
    const started = await walk(`type=session.started&limit=1&order=${order}`)
    assert.equal(indices(started), order === 'asc' ? [1, 2, 3, 4, 5, 6] : [6, 5, 4, 3, 2, 1])
  }
  assert.is((await page('limit=7')).entries.length, 7)
  assert.is((await page('')).entries.length, 100)
})

test('from is the first to look at, or the last when it goes back; beyond the end there is nothing', async () => {
  const last = all.length - 1
  assert.equal(indices((await page(`from=${last - 1}`)).entries), [last - 1, last])
  assert.equal(indices((await page('from=1&order=desc')).entries), [1, 0])
  assert.equal(await page(`from=${last + 1}`), { entries: [], next: null })
  assert.equal(await page(`from=${last + 5000}`), { entries: [], next: null })
  assert.is((await page(`from=${last + 5000}&order=desc&limit=1`)).entries[0]?.index, last)
  assert.equal((await page('from=0&order=desc')).next, null)
})

test('what is not allowed in a query is refused', async () => {
  for (const query of [
    'limit=0',
    'limit=1001',
    'limit=',
    'limit=1e9',
    'order=up',
    'from=-1',
    'since=yesterday',
    'since=2026-02-30T00:00:00Z',
    'reverse=1',
    'from=1&from=2',
  ])
    assert.is(codeOf(await running.ask(`/v1/entries?${query}`)), 'REQUEST_INVALID', query)
})

test('entries are lines of an export, forgotten ones too: with a signed head behind them they verify', async () => {
  const { text: note } = await running.ask('/v1/checkpoint')
  const lines: string[] = []
  for (let from: number | null = 0; from !== null; ) {
    const { text } = await running.ask(`/v1/entries?limit=1000&from=${from}`)
    const read = JSON.parse(text) as Page
    lines.push(...read.entries.map((entry) => JSON.stringify(entry)))
    from = read.next
  }
  const file = join(temporaryFolder(), 'export.jsonl')
  writeFileSync(file, `${[...lines, JSON.stringify({ checkpoint: note })].join('\n')}\n`)
  const { report } = await verifyExport(file, { key: vkey })
  assert.equal(report.findings, [])
  assert.equal([report.assurance, report.size], ['signed', lines.length])
})

test('an entry alone is the same line as in the list, and says which entry forgot its words', async () => {
  const receipt = all.find(({ type }) => type === 'payload.erased')?.index
  for (const index of [0, 1, 10, 31, 4000, 4001, all.length - 1]) {
    const alone = answered<Line>(await running.ask(`/v1/entries/${index}`))
    assert.equal(alone, all[index])
    const forgotten = (index === 10 || index === 4000) && alone.data['words'] !== undefined
    assert.equal([alone.erased, alone.words !== undefined && forgotten], [forgotten ? receipt : undefined, false], String(index))
  }
})

test('the signed head covers every entry, is signed by the key of the ledger, and stays the same while nothing comes', async () => {
  const answer = await running.ask('/v1/checkpoint')
  assert.match(answer.headers['content-type'] ?? '', /^text\/plain/)
  const checkpoint = readCheckpoint(answer.text)
  assert.ok(checkpoint)
  assert.is(checkpoint.size, all.length)
  assert.is(verifyCheckpointSignature(checkpoint, parseVkey(vkey)), 'good')
  assert.is(checkpoint.root, rootOf(all.length).toString('hex'))
  assert.is((await running.ask('/v1/checkpoint')).text, answer.text)
})

const roots = new Map<number, Buffer>()

/** By the recursion of the RFC, over the hashes of the lines. */
function rootOf(size: number): Buffer {
  const root = roots.get(size) ?? referenceRoot(all.slice(0, size).map(({ hash }) => Buffer.from(hash, 'hex')))
  roots.set(size, root)
  return root
}

test('a receipt proves any entry under the key, to somebody who has nothing else', async () => {
  for (const index of [0, 1, 17, 1023, 1024, 4000, all.length - 1]) {
    const answer = await running.ask(`/v1/entries/${index}/proof`)
    assert.is(answer.status, 200)
    const verdict = verifyProof(parseReceipt(answer.text), parseVkey(vkey))
    assert.equal([verdict.ok, verdict.fault, verdict.index, verdict.size], [true, null, index, all.length])
    assert.equal(verdict.payload, all[index]?.data)
  }
})

test('a consistency proof shows any size to be the beginning of any later one, and fits no other root', async () => {
  const sizes = [1, 2, 3, 127, 128, 129, 1000, 1024, 2047, all.length - 1, all.length]
  for (const [at, from] of sizes.entries()) {
    for (const to of sizes.slice(at)) {
      const told = answered<{ from: number; to: number; hashes: string[] }>(
        await running.ask(`/v1/consistency?from=${from}&to=${to}`),
      )
      assert.equal([told.from, told.to], [from, to])
      const proof = told.hashes.map((hash) => Buffer.from(hash, 'base64'))
      assert.ok(verifyConsistency(from, to, rootOf(from), rootOf(to), proof), `${from} to ${to}`)
      assert.not.ok(verifyConsistency(from, to, rootOf(from), Buffer.alloc(32, 1), proof), `${from} to another`)
    }
  }
})

test('a consistency proof of what is not there is refused, with the size there is', async () => {
  for (const query of [
    'from=0&to=1',
    'from=2&to=1',
    `from=1&to=${all.length + 1}`,
    `from=${all.length + 1}&to=${all.length + 2}`,
  ]) {
    const answer = await running.ask(`/v1/consistency?${query}`)
    assert.is(codeOf(answer), 'REQUEST_INVALID', query)
    assert.is((JSON.parse(answer.text) as { error: { details: { size: number } } }).error.details.size, all.length)
  }
})

test('a snapshot is a whole store of its own, which whoever asked for it removes', async () => {
  const { folder, size } = answered<{ folder: string; size: number }>(await running.ask('/v1/snapshots', { method: 'POST' }))
  assert.is(size, all.length)
  const { report } = await verifyStore({ store: join(folder, 'store'), marks: [], checkpointsText: '' }, { key: vkey })
  assert.equal([report.ok, report.size], [true, size])
  assert.ok(existsSync(join(running.home, 'store', 'CURRENT')))
  rmSync(folder, { recursive: true })
  assert.equal(readdirSync(join(running.home, 'snapshots')), [])
})

/** A live tail: the events that came so far. */
interface Tail {
  readonly answer: IncomingMessage
  readonly events: { readonly id: number; readonly entry: Line }[]
  readonly text: () => string
}

function follow(socketPath: string, query = ''): Promise<Tail> {
  return new Promise((resolve, reject) => {
    const asked = get({ socketPath, path: `/v1/live${query}`, agent: false }, (answer) => {
      const events: Tail['events'] = []
      let text = ''
      let rest = ''
      answer.setEncoding('utf8').on('data', (more: string) => {
        text += more
        const blocks = (rest + more).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) {
          const [, id, data] = /^id: ([0-9]+)\ndata: (.*)$/.exec(block) ?? []
          if (id !== undefined) events.push({ id: Number(id), entry: JSON.parse(data ?? '') as Line })
        }
      })
      answer.on('error', () => {})
      resolve({ answer, events, text: () => text })
    })
    asked.on('error', reject)
  })
}

test('the live tail tells what is on disk from a place on, and then what comes, each once and in order', async () => {
  const from = all.length - 700
  const tail = await follow(running.file().socket, `?from=${from}`)
  const fromNow = await follow(running.file().socket)
  try {
    assert.equal([tail.answer.statusCode, tail.answer.headers['content-type']], [200, 'text/event-stream'])
    assert.is(tail.answer.headers['cache-control'], 'no-store')
    await until('what is on disk is told', () => tail.events.length === 700)
    assert.equal(
      tail.events.map(({ entry }) => entry),
      all.slice(from),
    )
    assert.equal(fromNow.events, [])
    for (let at = 0; at < 5; at += 1) assert.is((await running.hook(typed(`live ${at}`, `${at}`, 'live'))).status, 200)
    await Promise.all(Array.from({ length: 20 }, (_, at) => running.hook(typed(`at once ${at}`, `at once ${at}`, 'live'))))
    await until('what comes is told', () => fromNow.events.length === 26)
    await until('also to the other', () => tail.events.length === 726)
    const expected = Array.from({ length: 726 }, (_, at) => from + at)
    assert.equal(
      tail.events.map(({ id, entry }) => [id, entry.index]),
      expected.map((index) => [index, index]),
    )
    assert.equal(
      fromNow.events.map(({ id }) => id),
      expected.slice(700),
    )
    const written = answered<Page>(await running.ask(`/v1/entries?from=${all.length}&limit=1000`)).entries
    assert.equal(
      fromNow.events.map(({ entry }) => entry),
      written,
    )
    assert.ok(tail.text().startsWith(': '), 'it begins with a comment, so that the client sees that it is there')
  } finally {
    tail.answer.destroy()
    fromNow.answer.destroy()
  }
})

test('a client that has gone is let go at once, and a stop ends the ones that are left', async () => {
  const { ledger } = await temporaryLedger()
  let listeners = 0
  const onGrowth = ledger.onGrowth.bind(ledger)
  ledger.onGrowth = (listener) => {
    const stop = onGrowth(listener)
    listeners += 1
    return () => {
      listeners -= 1
      return stop()
    }
  }
  const server = new HttpServer({
    routes: (app) =>
      addReadingRoutes(app, {
        ledger: async () => ledger,
        status: async () => ({}),
        snapshot: () => Promise.reject(new Error('not asked for')),
        openApi: async () => ({}),
        heard: () => {},
      }),
    log: { write: () => {}, fail: () => {} },
    token: 'a'.repeat(64),
    heard: () => {},
  })
  const socketPath = join(temporaryFolder(), 'x.sock')
  await server.ready()
  try {
    await server.listenOnSocket('socket', socketPath)
    const tails = await Promise.all([follow(socketPath), follow(socketPath, '?from=0'), follow(socketPath)])
    await until('three listen', () => listeners === 3)
    tails[0].answer.destroy()
    await until('the first is let go', () => listeners === 2)
    await ledger.append([message('one more')])
    await until('the others go on', () => tails[1].events.length === 2 && tails[2].events.length === 1)
    assert.is((await askAt({ socketPath }, '/v1/live', { method: 'HEAD' })).status, 200)
    const ended = tails.slice(1).map(({ answer }) => new Promise((resolve) => answer.once('close', resolve)))
    await server.close()
    await Promise.all(ended)
    await until('nobody listens any more', () => listeners === 0)
  } finally {
    await server.close()
    await ledger.close()
  }
})

test.run()
