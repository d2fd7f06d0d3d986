// Holds group commit to its promises: all or nothing, in order, bounded, nothing heard before it is on disk, and nobody left hanging.
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SteleError } from '../../src/foundation/stele-error.js'
import { type BatchRows, CommitQueue, type Job } from '../../src/ledger/commit-queue.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { makeRandom } from '../support/seeded-random.js'

interface Rig {
  readonly queue: CommitQueue<number>
  /** The entries of every batch that was handed to the disk, by name. */
  readonly batches: string[][]
  /** What happened, in order. */
  readonly events: string[]
  /** Jobs that are in a batch so far. */
  built: number
}

interface RigOptions {
  readonly perBatch?: number
  readonly waiting?: number
  readonly write?: (batch: readonly string[]) => Promise<void>
  readonly between?: () => Promise<void>
}

function rig({ perBatch = 100, waiting = 1000, write = () => sleep(1), between = async () => {} }: RigOptions = {}): Rig {
  const batches: string[][] = []
  const events: string[] = []
  let writing = false
  const made: Rig = {
    batches,
    events,
    built: 0,
    queue: new CommitQueue<number>({
      entriesPerBatchMax: perBatch,
      entriesWaitingMax: waiting,
      finish: ({ puts }) => {
        events.push(`finish ${puts.length}`)
        return made.built
      },
      write: async (rows) => {
        const batch = namesIn(rows)
        assert.not(writing, 'one write at a time')
        writing = true
        batches.push(batch)
        events.push(`write ${batch.join(' ')}`)
        try {
          await write(batch)
        } finally {
          writing = false
        }
        events.push('on disk')
      },
      written: (after) => {
        events.push(`written ${after}`)
      },
      between: async () => {
        assert.not(writing, 'nothing is written when it begins')
        await between()
        assert.not(writing, 'nor while it runs')
      },
    }),
  }
  return made
}

function namesIn({ puts }: BatchRows): string[] {
  return puts.map(({ key }) => Buffer.from(key).toString())
}

/** A job that puts one row for each of its entries; its result is how many jobs were built before it. */
function job(of: Rig, name: string, entries = 1): Job<number> {
  return {
    entries,
    build: ({ puts }) => {
      for (let at = 0; at < Math.max(entries, 1); at += 1) puts.push({ key: Buffer.from(name), value: Buffer.alloc(0) })
      of.built += 1
      return of.built - 1
    },
  }
}

const failure = () => new SteleError('STORE_WRITE_FAILED')

test('a job is heard of only when its batch is on disk and was acknowledged', async () => {
  const disk = gate()
  const of = rig({ write: () => disk.opened })
  let heard = false
  const added = of.queue.add(job(of, 'a')).then(() => {
    heard = true
  })
  await sleep(5)
  assert.equal(of.batches, [['a']])
  assert.not(heard)
  assert.not(of.events.includes('written 1'))
  disk.open()
  await added
  assert.equal(of.events, ['finish 1', 'write a', 'on disk', 'written 1'])
})

test('jobs of one turn go down together, in the order in which they were added, and get their own results', async () => {
  const of = rig()
  const results = await Promise.all(['a', 'b', 'c'].map((name) => of.queue.add(job(of, name))))
  assert.equal(results, [0, 1, 2])
  assert.equal(of.batches, [['a', 'b', 'c']])
})

test('jobs that come while the disk is busy go down together afterwards', async () => {
  const disk = gate()
  let writes = 0
  const of = rig({ write: () => (writes++ === 0 ? disk.opened : Promise.resolve()) })
  const first = of.queue.add(job(of, 'a'))
  await sleep(5)
  const later: Promise<number>[] = []
  for (let at = 0; at < 8; at += 1) {
    later.push(of.queue.add(job(of, `b${at}`)))
    await sleep(0)
  }
  disk.open()
  await Promise.all([first, ...later])
  assert.equal(of.batches, [['a'], Array.from({ length: 8 }, (_, at) => `b${at}`)])
})

test('no batch of single entries is larger than it may be, and none is smaller than what waits', async () => {
  const of = rig({ perBatch: 4 })
  await Promise.all(Array.from({ length: 10 }, (_, at) => of.queue.add(job(of, `${at}`))))
  assert.equal(
    of.batches.map((batch) => batch.length),
    [4, 4, 2],
  )
  assert.equal(
    of.batches.flat(),
    Array.from({ length: 10 }, (_, at) => `${at}`),
  )
})

test('a job larger than a batch goes down whole', async () => {
  const of = rig({ perBatch: 4 })
  await Promise.all([of.queue.add(job(of, 'a')), of.queue.add(job(of, 'large', 9)), of.queue.add(job(of, 'b'))])
  assert.ok(of.batches.some((batch) => batch.filter((name) => name === 'large').length === 9))
  assert.equal([...new Set(of.batches.flat())], ['a', 'large', 'b'])
})

test('what waits is bounded, and what was refused leaves the others as they are', async () => {
  const of = rig({ waiting: 5 })
  const taken = Array.from({ length: 5 }, (_, at) => of.queue.add(job(of, `${at}`)))
  await rejectsWithCode(of.queue.add(job(of, 'too much')), 'LEDGER_QUEUE_FULL')
  await Promise.all(taken)
  assert.is(await of.queue.add(job(of, 'again')), 5)
  assert.equal(of.batches.flat(), ['0', '1', '2', '3', '4', 'again'])
})

test('there is room at once where little waits, and after a while where much did', async () => {
  const disk = gate()
  let writes = 0
  const of = rig({ waiting: 6, perBatch: 2, write: () => (writes++ === 0 ? disk.opened : Promise.resolve()) })
  await of.queue.room()
  const added = Array.from({ length: 6 }, (_, at) => of.queue.add(job(of, `${at}`)))
  let room = false
  const waited = of.queue.room().then(() => {
    room = true
  })
  await sleep(5)
  assert.not(room)
  disk.open()
  await waited
  await of.queue.add(job(of, 'with room'))
  await Promise.all(added)
})

test('a write that fails rejects its callers, those built ahead, those waiting and all that come later', async () => {
  const disk = gate()
  const of = rig({
    perBatch: 40,
    write: async () => {
      await disk.opened
      throw failure()
    },
  })
  // Forty in the batch that fails, forty built while it is written, and a few that wait.
  const callers = Array.from({ length: 90 }, (_, at) => of.queue.add(job(of, `${at}`)))
  const codes = Promise.all(callers.map((caller) => codeOf(caller)))
  await sleep(5)
  disk.open()
  assert.equal(new Set(await withinTime(codes)), new Set(['STORE_WRITE_FAILED']))
  assert.is(of.batches.length, 1, 'nothing is written behind a write that failed')
  assert.not(of.events.some((event) => event.startsWith('written')))
  await rejectsWithCode(of.queue.add(job(of, 'later')), 'STORE_WRITE_FAILED')
  await rejectsWithCode(of.queue.add(job(of, 'later', 0)), 'STORE_WRITE_FAILED')
  await withinTime(of.queue.room())
  await withinTime(of.queue.drain())
  assert.is(of.batches.length, 1)
})

test('a failure that has no code of its own becomes one for everybody who comes later', async () => {
  const of = rig({ write: () => Promise.reject(new Error('EIO')) })
  assert.ok(await codeOf(of.queue.add(job(of, 'a'))), 'it is rejected')
  await of.queue.drain()
  await rejectsWithCode(of.queue.add(job(of, 'b')), 'STORE_WRITE_FAILED')
})

test('an acknowledgement that fails rejects its callers and all that come later', async () => {
  const queue = new CommitQueue<number>({
    entriesPerBatchMax: 10,
    entriesWaitingMax: 10,
    finish: () => 0,
    write: async () => {},
    written: () => {
      throw new SteleError('STORE_GONE')
    },
    between: async () => {},
  })
  const nothing = { entries: 1, build: () => 0 }
  await rejectsWithCode(withinTime(queue.add(nothing)), 'STORE_GONE')
  await rejectsWithCode(withinTime(queue.add(nothing)), 'STORE_GONE')
})

test('a job that refuses to be built is its caller’s alone, and the others of its batch go down', async () => {
  const of = rig()
  const refusing: Job<number> = {
    entries: 3,
    build: () => {
      throw new SteleError('CANONICAL_JSON_REFUSED')
    },
  }
  const codes = [job(of, 'a'), refusing, job(of, 'b')].map((each) => codeOf(of.queue.add(each)))
  assert.equal(await withinTime(Promise.all(codes)), ['ok', 'CANONICAL_JSON_REFUSED', 'ok'])
  assert.equal(of.batches, [['a', 'b']])
  assert.is(of.queue.failure, undefined)
  assert.is(await codeOf(of.queue.add(refusing)), 'CANONICAL_JSON_REFUSED', 'also where it is alone')
  assert.is(await withinTime(of.queue.add(job(of, 'c'))), 2)
  await withinTime(of.queue.drain())
})

test('jobs that refuse to be built give back the room that they took', async () => {
  const of = rig({ waiting: 5 })
  const refusing: Job<number> = {
    entries: 5,
    build: () => {
      throw new SteleError('CANONICAL_JSON_REFUSED')
    },
  }
  for (let times = 0; times < 3; times += 1) assert.is(await codeOf(of.queue.add(refusing)), 'CANONICAL_JSON_REFUSED')
  await withinTime(of.queue.room())
  assert.is(await of.queue.add(job(of, 'a', 5)), 0)
})

test('a build that breaks fails its batch and all that come later, and what is on its way to the disk is still told truly', async () => {
  const disk = gate()
  const of = rig({ perBatch: 40, write: () => disk.opened })
  const breaking: Job<number> = {
    entries: 1,
    build: ({ puts }) => {
      puts.push({ key: Buffer.from('half'), value: Buffer.alloc(0) })
      throw new TypeError('a mistake of ours')
    },
  }
  const first = Array.from({ length: 40 }, (_, at) => codeOf(of.queue.add(job(of, `${at}`))))
  const behind = Array.from({ length: 35 }, (_, at) => codeOf(of.queue.add(job(of, `behind ${at}`))))
  const broken = codeOf(of.queue.add(breaking))
  const later = Array.from({ length: 60 }, (_, at) => codeOf(of.queue.add(job(of, `later ${at}`))))
  await sleep(5)
  let drained = false
  const draining = of.queue.drain().then(() => {
    drained = true
  })
  await sleep(5)
  assert.not(drained, 'while the first batch is on its way to the disk')
  disk.open()
  assert.equal(new Set(await withinTime(Promise.all(first))), new Set(['ok']))
  for (const code of await withinTime(Promise.all([...behind, broken, ...later]))) assert.is.not(code, 'ok')
  await withinTime(draining)
  assert.is(of.batches.length, 1, 'nothing of a batch that broke is written')
  assert.is(of.queue.failure?.code, 'STORE_WRITE_FAILED')
  await rejectsWithCode(of.queue.add(job(of, 'after')), 'STORE_WRITE_FAILED')
})

test('what runs between two batches runs while nothing is being written, also behind the last', async () => {
  let ran = 0
  const of = rig({
    perBatch: 32,
    write: () => sleep(2),
    between: async () => {
      ran += 1
      await sleep(1)
    },
  })
  await Promise.all(Array.from({ length: 100 }, (_, at) => of.queue.add(job(of, `${at}`))))
  await of.queue.drain()
  assert.is(of.batches.length, 4)
  assert.ok(ran >= of.batches.length, `${ran} times`)
})

test('a failure between two batches fails everything that is not on disk', async () => {
  let runs = 0
  const of = rig({
    perBatch: 2,
    between: async () => {
      runs += 1
      if (runs === 2) throw failure()
    },
  })
  const callers = Array.from({ length: 7 }, (_, at) => codeOf(of.queue.add(job(of, `${at}`))))
  const codes = await withinTime(Promise.all(callers))
  const onDisk = of.batches.flat().length
  assert.ok(onDisk < 7)
  assert.equal(codes, [...Array(onDisk).fill('ok'), ...Array(7 - onDisk).fill('STORE_WRITE_FAILED')])
  await rejectsWithCode(of.queue.add(job(of, 'later')), 'STORE_WRITE_FAILED')
})

test('draining waits for all that was added', async () => {
  const of = rig({ perBatch: 3, write: () => sleep(2) })
  await of.queue.drain()
  const added = Array.from({ length: 8 }, (_, at) => of.queue.add(job(of, `${at}`)))
  await of.queue.drain()
  assert.is(of.batches.flat().length, 8)
  await Promise.all(added)
})

test('a caller that adds again any number of turns after it was answered is answered again', async () => {
  for (let turns = 0; turns < 40; turns += 1) {
    const of = rig({ write: async () => {} })
    await of.queue.add(job(of, 'a'))
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
    await withinTime(of.queue.add(job(of, 'b')), `added ${turns} microtasks after an answer`)
    assert.equal(of.batches, [['a'], ['b']])
  }
})

test('draining any number of turns after an answer ends, and finds everything written', async () => {
  for (let turns = 0; turns < 40; turns += 1) {
    const of = rig({ write: async () => {} })
    await of.queue.add(job(of, 'a'))
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
    const added = of.queue.add(job(of, 'b'))
    await withinTime(of.queue.drain(), `drained ${turns} microtasks after an answer`)
    assert.equal(of.batches, [['a'], ['b']], `drained ${turns} microtasks after an answer`)
    await added
  }
})

test('in random runs every caller is answered once, in order, and only what is on disk is acknowledged', async () => {
  for (let seed = 0; seed < 60; seed += 1) {
    const random = makeRandom(seed)
    const failsAt = random.chance(2) ? random.int(8) : -1
    const onDisk = new Set<string>()
    let writes = 0
    const of = rig({
      perBatch: 1 + random.int(5),
      waiting: 4 + random.int(40),
      write: async (batch) => {
        if (random.chance(2)) await sleep(random.int(2))
        if (writes++ === failsAt) throw failure()
        for (const name of batch) onDisk.add(name)
      },
      between: async () => {
        if (random.chance(3)) await Promise.resolve()
      },
    })
    const answered: string[] = []
    const callers: Promise<void>[] = []
    for (let at = 0; at < 40; at += 1) {
      const name = `${at}`
      const added = of.queue.add(job(of, name, random.int(4)))
      callers.push(
        added.then(
          () => {
            assert.ok(onDisk.has(name), `seed ${seed}: ${name} is acknowledged and on disk`)
            answered.push(name)
          },
          (error: unknown) => {
            assert.ok(error instanceof SteleError, `seed ${seed}`)
          },
        ),
      )
      for (let turn = random.int(12); turn > 0; turn -= 1) await Promise.resolve()
      if (random.chance(6)) await sleep(0)
    }
    await withinTime(Promise.all(callers), `seed ${seed}`)
    assert.equal(
      answered,
      [...answered].sort((one, other) => Number(one) - Number(other)),
      `seed ${seed}: answered in order`,
    )
    const written = [...new Set(of.batches.flat())]
    assert.equal(
      written,
      [...written].sort((one, other) => Number(one) - Number(other)),
      `seed ${seed}: written in order`,
    )
  }
})

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'ok'
  } catch (error) {
    return error instanceof SteleError ? error.code : 'another error'
  }
}

/** A promise that is left hanging fails the test instead of ending the process without a word. */
async function withinTime<Value>(promise: Promise<Value>, what = 'a promise'): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} was left hanging`)), 2000)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

test.run()
