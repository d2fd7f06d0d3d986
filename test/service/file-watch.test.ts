// Holds the look at memory and skill files to what was done to them: what nobody judged is found, with the entries between which it changed.
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { NewEvent } from '../../src/events/event-catalog.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { type FilesView, filesPart } from '../../src/projections/files.js'
import { viewAsOf } from '../../src/projections/projection-runner.js'
import { makeRedactor } from '../../src/redaction/redact.js'
import { FileWatch } from '../../src/service/file-watch.js'
import { patient } from '../support/patient-limits.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { temporaryLedger } from '../support/temporary-ledger.js'

const test = suite('file watch')

const session = 's0123456789abcdef'
const digest = 'd1'.repeat(32)

class Stage {
  readonly home = temporaryFolder()
  readonly ledger: Ledger
  readonly failures: unknown[] = []
  watch: FileWatch
  now = 0
  constructor(ledger: Ledger) {
    this.ledger = ledger
    this.watch = this.newWatch()
  }
  /** As a service that starts would have it. */
  newWatch(): FileWatch {
    const { ledger } = this
    const redactor = makeRedactor()
    return new FileWatch({
      hermesHome: this.home,
      external: () => [],
      ledger: async () => ledger,
      known: async () =>
        (await viewAsOf('files', ledger.reader.storedEntries(0, ledger.size))).get(filesPart) as FilesView | undefined,
      redactor: () => redactor,
      now: () => this.now,
      failed: (error) => this.failures.push(error),
      limits: patient,
      walkEveryMs: 1000,
    })
  }
  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.home, path)), { recursive: true })
    writeFileSync(join(this.home, path), text)
  }
  remove(path: string): void {
    rmSync(join(this.home, path))
  }
  async record(event: NewEvent, late = false): Promise<number> {
    const index = this.ledger.size
    await this.ledger.append([event as never])
    this.watch.recorded([event], { index, profile: undefined, late })
    return index
  }
  /** A turn ends, and the look behind it is over. */
  async turn(late = false): Promise<number> {
    this.now += 1000
    const index = await this.record({ type: 'turn.ended', session, facts: { turn: 1, source: 'unattested' } }, late)
    await this.watch.settled()
    assert.equal(this.failures, [])
    return index
  }
  /** A judged write that left a memory file so. */
  landed(text: string): Promise<number> {
    const found = this.ledger.digest('file', text)
    const file = { found, compared: 'as_judged' as const, foretold: true }
    return this.record({ type: 'write.landed', session, facts: { call: 0, write: 0, files: [file] } })
  }
  proposed(text: string, call: number): Promise<number> {
    const after = this.ledger.digest('file', text)
    const none = { texts: 0, bytes: 0 }
    return this.record({
      type: 'write.proposed',
      session,
      facts: {
        ...{ call, tool: 'memory', target: 'memory', targetDigest: digest, readable: true, operations: 1, removedOnly: false },
        ...{ strategies: [], judged: none, stored: none, files: [{ before: null, after, foretold: true }] },
      },
    })
  }
  async noticed(): Promise<unknown[]> {
    const all: unknown[] = []
    for await (const { header, payload, words } of this.ledger.reader.entries()) {
      if (header.type !== 'file.noticed') continue
      const { files } = payload as {
        files: readonly { before?: string | null; found: string | null; since?: number; disturbed?: true }[]
      }
      const names = words?.['names'] as readonly string[]
      all.push(
        files.map(({ before, found, since, disturbed }, at) => [
          ...[
            names[at],
            before === undefined ? 'new' : before === null ? 'none' : 'other',
            found === null ? 'gone' : 'there',
            since ?? null,
          ],
          ...(disturbed === undefined ? [] : ['disturbed']),
        ]),
      )
    }
    return all
  }
}

async function stage(): Promise<Stage> {
  return new Stage((await temporaryLedger()).ledger)
}

const skill = 'skills/ops/release/SKILL.md'

test('row P90: what was there is noted once; what changes without a judged write is found at the next turn end, with the entry it was known by', async () => {
  const one = await stage()
  one.write('memories/MEMORY.md', 'a')
  one.write(skill, 's')
  const first = await one.turn()
  await one.turn()
  one.write('memories/MEMORY.md', 'b')
  await one.turn()
  one.remove(skill)
  await one.turn()
  assert.equal(await one.noticed(), [
    [
      ['memory', 'new', 'there', null],
      [skill, 'new', 'there', null],
    ],
    [['memory', 'other', 'there', first + 1]],
    [[skill, 'other', 'gone', first + 1]],
  ])
})

test('what a judged write left is explained, also one that has not come back; what comes on top of it is found', async () => {
  const one = await stage()
  one.write('memories/MEMORY.md', 'a')
  await one.turn()
  one.write('memories/MEMORY.md', 'judged')
  const landed = await one.landed('judged')
  await one.turn()
  await one.proposed('under way', 7)
  one.write('memories/MEMORY.md', 'under way')
  const under = await one.turn()
  one.write('memories/MEMORY.md', 'by hand')
  await one.turn()
  const told = (await one.noticed()).slice(1)
  assert.ok(landed < under)
  assert.equal(told, [[['memory', 'other', 'there', under, 'disturbed']]])
})

test('a file that was not there when everything was looked at has come since', async () => {
  const one = await stage()
  const first = await one.turn()
  one.write('memories/USER.md', 'u')
  one.write(skill, 's')
  await one.turn()
  assert.equal(await one.noticed(), [
    [
      ['user', 'none', 'there', first],
      [skill, 'none', 'there', first],
    ],
  ])
})

test('a service that starts goes on from what the ledger knows: a change in between is found', async () => {
  const one = await stage()
  one.write('memories/MEMORY.md', 'a')
  const first = await one.turn()
  one.watch = one.newWatch()
  await one.turn()
  assert.is((await one.noticed()).length, 1)
  one.write('memories/MEMORY.md', 'while nobody looked')
  one.watch = one.newWatch()
  await one.turn()
  assert.equal((await one.noticed()).slice(1), [[['memory', 'other', 'there', first + 1]]])
})

test('a file whose times were set back is found by what the system keeps itself; one that was only touched is not told', async () => {
  const one = await stage()
  const file = join(one.home, 'memories/MEMORY.md')
  one.write('memories/MEMORY.md', 'aaa')
  utimesSync(file, 1_700_000_000, 1_700_000_000)
  await one.turn()
  one.write('memories/MEMORY.md', 'bbb')
  utimesSync(file, 1_700_000_000, 1_700_000_000)
  await one.turn()
  utimesSync(file, 1_700_000_000, 1_700_000_000)
  await one.turn()
  assert.is((await one.noticed()).length, 2)
})

test('a turn that comes late is over: nothing is looked at for it', async () => {
  const one = await stage()
  one.write('memories/MEMORY.md', 'a')
  await one.turn(true)
  assert.equal(await one.noticed(), [])
})

test('skills are walked through no more often than is set, memories are looked at each time', async () => {
  const one = await stage()
  await one.turn()
  one.write(skill, 's')
  one.write('memories/MEMORY.md', 'a')
  one.now -= 500
  await one.turn()
  assert.equal(
    ((await one.noticed()) as unknown[][][]).map((files) => files.map(([name]) => name)),
    [['memory']],
  )
})

test.run()
