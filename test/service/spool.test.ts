// Holds the spool to docs/service.md: whole files in the order of their names, once, marked late, and each only when it is on disk.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SteleError } from '../../src/foundation/stele-error.js'
import { Spool, type SpoolOptions } from '../../src/service/spool.js'
import { AttachedHost, until, writeSpoolFile } from '../support/attached-host.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import {
  answered,
  newHome,
  quietSettings,
  type RunningService,
  type ShownEntry,
  typed,
  withService,
  writeSettings,
} from '../support/running-service.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('spool')

interface Stage {
  readonly folder: string
  readonly spool: Spool
  /** What was taken: the body of a line, or the size of what is none. */
  readonly taken: string[]
  readonly control: { take: (what: string) => Promise<void>; known: Set<string>; nowMs: number; waitMs: number }
  put(name: string, content: string | Buffer): string
  names(): string[]
}

function stage(): Stage {
  const folder = join(temporaryFolder(), 'spool')
  const taken: string[] = []
  const control = { take: async (_: string): Promise<void> => {}, known: new Set<string>(), nowMs: Date.now(), waitMs: 15_000 }
  const options: SpoolOptions = {
    folder,
    waitMs: () => control.waitMs,
    knows: (attach) => control.known.has(attach),
    take: async (spooled) => {
      const what = 'unreadable' in spooled ? `${spooled.unreadable.length} of ${spooled.bytesTotal}` : spooled.body.toString()
      await control.take(what)
      taken.push(what)
    },
    now: () => Date.now(),
    monotonic: () => control.nowMs,
  }
  const spool = new Spool(options)
  return {
    folder,
    spool,
    taken,
    control,
    put: (name, content) => {
      const file = join(folder, name)
      writeFileSync(file, content)
      return file
    },
    names: () => readdirSync(folder).sort(),
  }
}

const attach = 'ab'.repeat(16)
const line = (body: string, of = '', seq = 0) => `${JSON.stringify({ attach: of, seq, mac: '', body })}\n`
const nameOf = (at: number, ms = 1_700_000_000_000, who = '00000000') =>
  `${String(ms).padStart(13, '0')}-${who}-${String(at).padStart(8, '0')}.json`

test('the folder is made when it is not there, for the owner alone', () => {
  const { folder } = stage()
  assert.is(statSync(folder).mode & 0o777, 0o700)
})

test('whole files are taken in the order of their names, whatever order they were written in, and are gone afterwards', async () => {
  const { spool, taken, put, names } = stage()
  put(nameOf(10), line('d'))
  put(nameOf(1, 1_700_000_000_001), line('e'))
  put(nameOf(9), line('c'))
  put(nameOf(2, 999), line('a'))
  put(nameOf(1), line('b'))
  put(nameOf(123_456_789, 1_700_000_000_002), line('f'))
  assert.is(spool.waiting(), 6)
  await spool.takeAll()
  assert.equal(taken, ['a', 'b', 'c', 'd', 'e', 'f'])
  assert.equal([names(), spool.waiting()], [[], 0])
})

test('what is being written, and what is no file of the spool by its name, is left alone', async () => {
  const { spool, taken, put, names } = stage()
  const others = [
    `${nameOf(1)}.tmp`,
    'notes.txt',
    '1-00000000-00000001.json',
    nameOf(2).replace('.json', '.jsonl'),
    nameOf(3).toUpperCase(),
  ]
  for (const name of others) put(name, line('never'))
  put(nameOf(4, 1_700_000_000_000, 'zzzzzzzz'), line('never'))
  assert.is(spool.waiting(), 0)
  await spool.takeAll()
  assert.equal(taken, [])
  assert.is(names().length, others.length + 1)
})

test('where words are to be forgotten nothing waits for its host, and what comes meanwhile is taken in too', async () => {
  const { spool, taken, control, put, names } = stage()
  put(nameOf(1), line('a', attach, 1))
  await spool.takeAll()
  assert.equal([taken, spool.waiting()], [[], 1])
  control.take = async (what) => {
    await new Promise((resolve) => setImmediate(resolve))
    if (what !== 'a') return
    put(nameOf(2), line('b', attach, 2))
    void spool.takeAll()
  }
  await spool.emptyOut()
  assert.equal([taken, names()], [['a', 'b'], []])
  put(nameOf(3), line('c', attach, 3))
  await spool.takeAll()
  assert.equal(names(), [nameOf(3)], 'afterwards a line waits as before')
})

test('a half whose writer has ended is removed before words are forgotten, and one that is being written becomes whole and is taken', async () => {
  const { spool, taken, put, names, folder } = stage()
  put(`${nameOf(1)}.tmp`, line('half').slice(0, 20))
  const writing = put(`${nameOf(2)}.tmp`, 'x')
  const emptied = spool.emptyOut()
  setTimeout(() => {
    writeFileSync(writing, line('whole'))
    renameSync(writing, join(folder, nameOf(2)))
  }, 500)
  await emptied
  assert.equal([taken, names()], [['whole'], []])
})

test('where what waits cannot be taken in, nothing is taken for emptied out', async () => {
  const { spool, control, put } = stage()
  put(nameOf(1), line('a'))
  control.take = () => Promise.reject(new SteleError('STORE_WRITE_FAILED'))
  await rejectsWithCode(() => spool.emptyOut(), 'STORE_WRITE_FAILED')
  assert.is(spool.waiting(), 1)
})

test('a file is deleted only when what it says is on disk; where that fails it stays, and everything behind it waits', async () => {
  const { spool, taken, control, put, names } = stage()
  for (const [at, body] of ['a', 'b', 'c'].entries()) put(nameOf(at + 1), line(body))
  control.take = async (what) => {
    assert.ok(names().length === (what === 'a' ? 3 : 2))
    if (what === 'b') throw new SteleError('STORE_WRITE_FAILED')
  }
  await rejectsWithCode(spool.takeAll(), 'STORE_WRITE_FAILED')
  assert.equal([taken, names()], [['a'], [nameOf(2), nameOf(3)]])
  control.take = async () => {}
  await spool.takeAll()
  assert.equal([taken, names()], [['a', 'b', 'c'], []])
})

test('a line waits for its attach, and others do not wait for it', async () => {
  const { spool, taken, control, put, names } = stage()
  put(nameOf(1, 1_700_000_000_000, attach.slice(0, 8)), line('theirs', attach, 1))
  put(nameOf(2), line('nobody’s'))
  await spool.takeAll()
  assert.equal([taken, names().length], [['nobody’s'], 1])
  control.known.add(attach)
  await spool.takeAll()
  assert.equal([taken, names()], [['nobody’s', 'theirs'], []])
})

test('a line whose attach does not come is taken when its time is over, whatever the file says of its own age', async () => {
  const { spool, taken, control, put } = stage()
  for (const [at, ageMs] of [0, 86_400_000, -86_400_000].entries()) {
    const when = new Date(Date.now() - ageMs)
    utimesSync(put(nameOf(at + 1), line(`line ${at + 1}`, attach, at + 1)), when, when)
  }
  await spool.takeAll()
  control.nowMs += 14_999
  await spool.takeAll()
  assert.equal(taken, [])
  control.nowMs += 1
  await spool.takeAll()
  assert.equal(taken, ['line 1', 'line 2', 'line 3'])
})

test('a file that holds no line is taken as its bytes, one that is too large as its size, and neither keeps others waiting', async () => {
  const { spool, taken, put, names } = stage()
  put(nameOf(1), '')
  put(nameOf(2), 'no JSON')
  put(nameOf(3), Buffer.from([0xff, 0xfe, 0x00]))
  put(nameOf(4), '{"attach":"","seq":1}\n')
  put(nameOf(5), `${line('a')}${line('b')}`)
  put(nameOf(6), 'null')
  const huge = put(nameOf(7), '')
  const hugeBytes = 3 * 1024 ** 3
  truncateSync(huge, hugeBytes)
  put(nameOf(8), line('last'))
  await spool.takeAll()
  const twoLines = Buffer.byteLength(`${line('a')}${line('b')}`)
  assert.equal(taken, [
    '0 of 0',
    '7 of 7',
    '3 of 3',
    '22 of 22',
    `${twoLines} of ${twoLines}`,
    '4 of 4',
    `0 of ${hugeBytes}`,
    'last',
  ])
  assert.equal(names(), [])
})

test('a folder, a link or a pipe under the name of a file neither stops the spool nor leads out of it', async () => {
  const { folder, spool, taken, put, names } = stage()
  const outside = join(temporaryFolder(), 'outside.json')
  writeFileSync(outside, line('outside'))
  mkdirSync(join(folder, nameOf(1)))
  writeFileSync(join(folder, nameOf(1), 'inner'), 'x')
  symlinkSync(outside, join(folder, nameOf(2)))
  symlinkSync('/dev/zero', join(folder, nameOf(3)))
  symlinkSync('nowhere', join(folder, nameOf(4)))
  const pipe = spawnSync('mkfifo', [join(folder, nameOf(5))]).status === 0
  put(nameOf(6), line('last'))
  await spool.takeAll()
  assert.is(taken.at(-1), 'last')
  assert.is(taken.includes('outside'), false)
  for (const what of taken.slice(0, -1)) assert.match(what, /^0 of \d+$/)
  assert.equal(names(), [])
  assert.ok(existsSync(outside))
  if (!pipe) process.stdout.write('\nnote: no pipe could be made here\n')
})

test('calls that meet take each file once, and resolve when what has come meanwhile is taken too', async () => {
  const { spool, taken, control, put } = stage()
  for (let at = 1; at <= 5; at += 1) put(nameOf(at), line(String(at)))
  control.take = async (what) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    if (what === '5') put(nameOf(6), line('6'))
  }
  const calls = [spool.takeAll(), spool.takeAll(), spool.takeAll()]
  put(nameOf(0), line('0'))
  await Promise.all(calls)
  assert.equal([...taken].sort(), ['0', '1', '2', '3', '4', '5', '6'])
  assert.is(new Set(taken).size, taken.length)
})

test('a spool whose folder has gone has nothing waiting', async () => {
  const { folder, spool, taken } = stage()
  rmSync(folder, { recursive: true })
  await spool.takeAll()
  assert.equal([spool.waiting(), taken], [0, []])
})

// In the running service.

const settings = (waitSeconds: number) => `${quietSettings}limits:\n  spoolWaitSeconds: ${waitSeconds}\n`

const words = (entries: readonly ShownEntry[]) =>
  entries.filter(({ type }) => type === 'message.captured').map((entry) => entry.words?.['text'])

const fromHooks = (entries: readonly ShownEntry[]) =>
  entries.filter(({ type }) => /^(message|hook)\./.test(type)).map(({ index, type }) => `${index} ${type}`)

async function emptied(running: RunningService): Promise<void> {
  await until('the spool is empty', async () => answered<{ spooled: number }>(await running.ask('/v1/status')).spooled === 0)
}

test('what lay in the spool before the start is recorded before the first answer, in order, late and once', async () => {
  const home = newHome()
  writeSettings(home, settings(15))
  for (const at of [3, 1, 2]) {
    const body = JSON.stringify({ ...typed(`spooled ${at}`, String(at)), host: { at: `2026-11-30T09:00:0${at}.000Z` } })
    writeSpoolFile(home, nameOf(at), { attach: '', seq: 0, mac: '', body })
  }
  writeSpoolFile(home, nameOf(4), 'no line at all')
  const again = mkdtempSync(join(temporaryFolder(), 'again-'))
  for (const name of readdirSync(join(home, 'spool'))) copyFileSync(join(home, 'spool', name), join(again, name))
  let before: readonly ShownEntry[] = []
  await withService({ home }, async (running) => {
    before = await running.entries()
    const captured = before.filter(({ type }) => type === 'message.captured')
    assert.equal(words(before), ['spooled 1', 'spooled 2', 'spooled 3'])
    assert.equal(
      captured.map(({ data }) => [data['late'], data['at'], data['source']]),
      [1, 2, 3].map((at) => [true, `2026-11-30T09:00:0${at}.000Z`, 'unattested']),
    )
    const rejected = before.filter(({ type }) => type === 'hook.rejected')
    assert.equal(
      rejected.map(({ data }) => [data['late'], data['bytes']]),
      [[true, 14]],
    )
    assert.equal(readdirSync(join(home, 'spool')), [])
  })
  // As if it had been killed between the appending and the deleting.
  for (const name of readdirSync(again)) copyFileSync(join(again, name), join(home, 'spool', name))
  await withService({ home }, async (running) => {
    await emptied(running)
    const after = await running.entries()
    assert.equal(fromHooks(after), fromHooks(before))
    assert.equal(readdirSync(join(home, 'spool')), [])
  })
})

test('a line of an attached host waits for it to attach again, and is then its own, late', async () => {
  const home = newHome()
  writeSettings(home, settings(600))
  const host = new AttachedHost(home)
  try {
    await withService({ home }, async () => {
      await host.attach()
      assert.is((await host.hook(typed('answered', '1'))).status, 200)
    })
    host.spool(host.sign(typed('spooled', '2')))
    await withService({ home }, async (running) => {
      assert.is(answered<{ spooled: number }>(await running.ask('/v1/status')).spooled, 1)
      await host.attach()
      await emptied(running)
      const [entry] = await running.entries('type=message.captured&order=desc&limit=1')
      assert.equal(
        [entry?.words?.['text'], entry?.data['source'], entry?.data['attach'], entry?.data['seq'], entry?.data['late']],
        ['spooled', 'attached', host.index, 2, true],
      )
    })
  } finally {
    host.close()
  }
})

test('where its host does not come back a line is taken without anybody vouching for it', async () => {
  const home = newHome()
  writeSettings(home, settings(0))
  const host = new AttachedHost(home)
  host.spool(host.sign(typed('of nobody we know', '1')))
  await withService({ home }, async (running) => {
    await emptied(running)
    const [entry] = await running.entries('type=message.captured')
    assert.equal([entry?.words?.['text'], entry?.data['source'], entry?.data['late']], ['of nobody we know', 'unattested', true])
  })
})

test('a payload that came over the socket and lies in the spool too is one entry', async () => {
  const home = newHome()
  writeSettings(home, settings(0))
  const host = new AttachedHost(home)
  try {
    await withService({ home }, async (running) => {
      await host.attach()
      const signed = host.sign(typed('twice', '1'))
      assert.is((await host.send(signed)).status, 200)
      host.spool(signed)
      await emptied(running)
      assert.equal(words(await running.entries()), ['twice'])
      assert.is((await running.entries('type=gap.recorded')).length, 0)
    })
  } finally {
    host.close()
  }
})

test('a line in the name of a host without its secret is foreign, and never what it says', async () => {
  const home = newHome()
  writeSettings(home, settings(0))
  const host = new AttachedHost(home)
  try {
    await withService({ home }, async (running) => {
      await host.attach()
      const name = nameOf(1, Date.now(), host.id.slice(0, 8))
      writeSpoolFile(home, name, { attach: host.id, seq: 1, mac: '0'.repeat(64), body: JSON.stringify(typed('forged', '1')) })
      await emptied(running)
      const entries = await running.entries()
      assert.equal(words(entries), [])
      const foreign = entries.filter(({ type }) => type === 'hook.foreign')
      assert.equal(
        foreign.map(({ data }) => [data['why'], data['attach']]),
        [['bad_mac', host.index]],
      )
    })
  } finally {
    host.close()
  }
})

test('a spool that holds more than is taken in a minute is recorded whole, and nothing of it counts as turned away', async () => {
  const home = newHome()
  writeSettings(home, `${quietSettings}limits:\n  hooksPerMinute: 3\n`)
  for (let at = 1; at <= 12; at += 1)
    writeSpoolFile(home, nameOf(at), { attach: '', seq: 0, mac: '', body: JSON.stringify(typed(`spooled ${at}`, String(at))) })
  await withService({ home }, async (running) => assert.is(words(await running.entries()).length, 12))
  await withService({ home }, async (running) => assert.is((await running.entries('type=gap.recorded')).length, 0))
})

test.run()
