// Views made anew against reading and parsing the same store, the memory that it takes, and the first answer from views that are kept.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readEntry } from '../src/events/entry.js'
import type { NewEvent } from '../src/events/event-catalog.js'
import { homeFiles, readDigestKey } from '../src/ledger/home-files.js'
import type { Ledger } from '../src/ledger/ledger.js'
import { ledgerReader } from '../src/ledger/ledger-reader.js'
import { openStore } from '../src/ledger/store.js'
import { openViewStore } from '../src/projections/view-store.js'
import { ViewDesk } from '../src/service/view-desk.js'
import { viewOwner } from '../src/service/view-owner.js'
import { asRedacted, benchFolder, benchLedger, eventMaker, fill } from './bench-ledger.js'
import { type Measured, plain, ratio, rounds } from './measured.js'
import { peakMiB } from './peak-memory.js'

// Compiled into a folder of its own, the bench is started in the project's.
const program = join(process.cwd(), 'dist/cli/main.js')
const asking = join(process.cwd(), '.bench/bench/ask-views.js')
const moreMiBMax = 64
const firstAnswerMsMax = 300

export async function measureViews(entries: number): Promise<Measured[]> {
  const large = await makeHome(entries)
  const small = await makeHome(Math.round(entries / 100))
  return [
    ...(await rebuildRate(large, entries)),
    ...(await memory(large, small, entries)),
    ...(await firstAnswer(large, entries)),
  ]
}

/** Turns as they are: a message, a call with what it would reach, its decision and its outcome, an end; a new session every 198 entries. */
async function makeHome(entries: number): Promise<string> {
  const home = join(benchFolder(), 'home')
  const ledger = await benchLedger(home)
  const handles: string[] = []
  for (let at = 0; at <= entries / entriesOfSession; at += 1) handles.push(await ledger.sessionHandle(`bench-${at}`))
  const make = turnMaker(ledger, handles)
  await fill(ledger, (number) => asRedacted(make(number)), entries)
  await ledger.close()
  return home
}

const entriesOfSession = 198
const entriesOfTurn = 6

function turnMaker(ledger: Ledger, handles: readonly string[]): (number: number) => NewEvent {
  const digest = ledger.digest('text', 'bench')
  const source = 'unattested' as const
  return (number) => {
    const session = handles[Math.floor(number / entriesOfSession)] ?? ''
    const turn = Math.floor((number % entriesOfSession) / entriesOfTurn) + 1
    switch (number % entriesOfTurn) {
      case 0:
        return eventMaker(ledger, session)(number)
      case 1: {
        const value = `ls -la /srv/project-${number}/source and tell what is there`
        const facts = { turn, tool: 'terminal', arguments: { count: 1, bytes: 60, digest }, source }
        return { type: 'tool.requested', session, facts, words: { arguments: [{ name: 'command', bytes: 50, digest, value }] } }
      }
      case 2: {
        const facts = {
          ...{ call: number, tool: 'terminal', skill: '', lineage: [], attended: 'attended' as const, asks: 'yes' as const },
          ...{ touches: 0, writes: 0, commands: 1 },
        }
        const operands = ['-la', `/srv/project-${number}/source`].map((text) => ({ of: 0, text }))
        return { type: 'access.proposed', session, facts, words: { touches: [], programs: [{ text: 'ls' }], operands } }
      }
      case 3: {
        const rule = {
          gate: 'capability',
          gateVersion: 1,
          mode: 'observe',
          verdict: 'allow' as const,
          code: 'granted',
          enforced: false,
        }
        const facts = { ...rule, judges: number, asOf: number }
        return { type: 'gate.decided', session, facts, words: { reason: 'granted by a command' } }
      }
      case 4: {
        const facts = {
          turn,
          tool: 'terminal',
          requested: number - 2,
          status: 'ok',
          durationMs: 12,
          argumentsDigest: digest,
          source,
        }
        return { type: 'tool.completed', session, facts }
      }
      default:
        return { type: 'turn.ended', session, facts: { turn, completed: true, source } }
    }
  }
}

async function rebuildRate(home: string, entries: number): Promise<Measured[]> {
  const files = homeFiles(home)
  const baseline: number[] = []
  const rebuilt: number[] = []
  const desk = new ViewDesk({
    openStore: () => openStore(files.store),
    openViews: () => openViewStore(files.views, viewOwner()),
    digestKey: readDigestKey(files),
  })
  for (let round = 0; round < rounds; round += 1) {
    baseline.push(await timed(() => parseAll(files.store)))
    rebuilt.push(await timed(() => desk.answer({ ask: 'rebuild' })))
  }
  await desk.close()
  return [
    ratio(
      'all views and the index of words made anew, of the rate of reading and parsing the same store',
      baseline.map((ms, at) => ms / (rebuilt[at] ?? 1)),
      { least: 0.3 },
    ),
    plain(
      'views made anew',
      rebuilt.map((ms) => entries / (ms / 1000)),
      'entries/s',
    ),
  ]
}

async function parseAll(folder: string): Promise<void> {
  const store = await openStore(folder)
  try {
    const reader = ledgerReader(store)
    for await (const { header, payload, words } of reader.storedEntries(0, await reader.size())) readEntry(header, payload, words)
  } finally {
    await store.close()
  }
}

async function memory(large: string, small: string, entries: number): Promise<Measured[]> {
  if (!existsSync('/proc/self/status')) return []
  const rebuild = (home: string): Promise<number> => peakMiB([program, 'projections', 'rebuild', '--quiet', '--home', home])
  const least = await rebuild(small)
  const most = await rebuild(large)
  const more = most - least
  return [
    {
      what: `anonymous memory of \`projections rebuild\`, ${entries} entries against a hundredth`,
      figure: `+ ${more.toFixed(0)} MiB (${least.toFixed(0)} → ${most.toFixed(0)})`,
      target: `≤ + ${moreMiBMax} MiB`,
      met: more <= moreMiBMax,
      spread: 'one run',
    },
  ]
}

/** Sessions and activity, asked by a process of its own that has just begun: from its start to the answers. */
async function firstAnswer(home: string, entries: number): Promise<Measured[]> {
  const ask = (): Promise<number> => timed(() => ended(spawn(process.execPath, [asking, home], { stdio: 'inherit' })))
  await ask()
  const alone: number[] = []
  for (let round = 0; round < rounds; round += 1) alone.push(await ask())
  const service = spawn(process.execPath, [program, 'serve', '--json', '--listen', 'off', '--home', home], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const serviceEnded = ended(service)
  await new Promise((resolve) => service.stdout.once('data', resolve))
  await ask()
  const served: number[] = []
  for (let round = 0; round < rounds; round += 1) served.push(await ask())
  service.kill()
  await serviceEnded
  const what = (how: string): string => `first answer of sessions and activity in a new process, ${entries} entries, ${how}`
  return [
    ratio(what('without a service'), alone, { most: firstAnswerMsMax }, 'ms'),
    ratio(what('beside a service'), served, { most: firstAnswerMsMax }, 'ms'),
  ]
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function ended(child: ReturnType<typeof spawn>): Promise<void> {
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0 && code !== null) throw new Error(`a measured process ended with ${code}`)
}
