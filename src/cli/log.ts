// stele log: entries, newest first, one line each.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Entry, readEntry } from '../events/entry.js'
import { definitionOf, describeEntry } from '../events/event-catalog.js'
import { keyedDigest } from '../foundation/digest.js'
import { terminalLine } from '../foundation/terminal-text.js'
import { type ErasedBy, exportLine, readErasures } from '../ledger/export.js'
import { readDigestKey } from '../ledger/home-files.js'
import type { LedgerReader } from '../ledger/ledger-reader.js'
import { readHome } from '../ledger/read-home.js'
import type { Home } from '../service/open-home.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { invalidOption, timeSince, wholeNumber } from './options.js'
import { printData, printStyled, styled } from './terminal.js'

interface LogOptions extends SharedOptions {
  readonly type?: string
  readonly session?: string
  readonly gate?: string
  readonly verdict?: string
  readonly since?: string
  readonly limit?: number
  readonly follow?: boolean
}

const limitDefault = 50
const followMs = 1000
const claimVerdicts = ['pass', 'would_block', 'blocked']
const decisionVerdicts = ['allow', 'deny', 'ask']

export function logCommand() {
  return newCommand('log', 'show entries, newest first', [
    'stele log --limit 20',
    'stele log --type message.captured --since 2h',
    'stele log --session 20261129_210901_59bcc3 --json',
    'stele log --gate provenance --verdict would_block',
    'stele log -f',
  ])
    .option('--type <type>', 'only this type, or a family such as `tool.*`')
    .option('--session <id>', 'only this session: its handle, or the host’s own id')
    .option('--gate <gate>', 'only decisions of this gate; of `provenance`, the claims that it judged')
    .option('--verdict <verdict>', `only this verdict: ${decisionVerdicts.join(', ')}; of claims ${claimVerdicts.join(', ')}`)
    .option('--since <time>', 'ISO 8601, or a span such as 30d or 2h', timeSince('--since'))
    .option('--limit <count>', `at most so many entries (default ${limitDefault})`, wholeNumber('--limit'))
    .option('-f, --follow', 'oldest first, and go on with what is added')
    .action(async (options: LogOptions) => {
      if (options.type !== undefined && !options.type.endsWith('.*') && definitionOf(options.type) === undefined) {
        throw invalidOption('--type', 'a type such as message.captured, or a family such as tool.*')
      }
      checkVerdict(options)
      const home = homeOf(options)
      const shown = await showLatest(home, options)
      if (options.follow) await follow(home, options, shown)
    })
}

function checkVerdict(options: LogOptions): void {
  const { verdict } = options
  if (verdict === undefined) return
  const allowed = allowedVerdicts(options)
  if (!allowed.includes(verdict)) throw invalidOption('--verdict', allowed.join(', '))
}

function allowedVerdicts(options: LogOptions): readonly string[] {
  const type = typeOf(options)
  if (type === 'claim.judged') return claimVerdicts
  return type === 'gate.decided' || options.gate !== undefined ? decisionVerdicts : [...decisionVerdicts, ...claimVerdicts]
}

/** What the provenance gate has to show are the claims that it judged; its decisions on whole writes are asked for by their type. */
function typeOf({ type, gate }: LogOptions): string | undefined {
  return type ?? (gate === 'provenance' ? 'claim.judged' : undefined)
}

/** Returns the size of the ledger that was shown. */
function showLatest(home: Home, options: LogOptions): Promise<number> {
  return readHome(home.files, async (reader) => {
    const size = await reader.size()
    const matching = await matcher(home, reader, options)
    const found: number[] = []
    for await (const entry of reader.entries({ newestFirst: true })) {
      // Times may step back, so an old entry does not end the search.
      if (found.length >= (options.limit ?? limitDefault)) break
      if (matching(entry)) found.push(entry.header.index)
    }
    if (options.follow) found.reverse()
    await showAll(reader, found, options)
    return size
  })
}

async function follow(home: Home, options: LogOptions, from: number): Promise<never> {
  for (let next = from; ; ) {
    await sleep(followMs)
    next = await readHome(home.files, async (reader) => {
      const size = await reader.size()
      const matching = await matcher(home, reader, options)
      const found: number[] = []
      for await (const entry of reader.entries({ from: next, to: size })) if (matching(entry)) found.push(entry.header.index)
      await showAll(reader, found, options)
      return size
    })
  }
}

async function matcher(home: Home, reader: LedgerReader, options: LogOptions): Promise<(entry: Entry) => boolean> {
  const { gate, verdict, since } = options
  const type = typeOf(options)
  const handle = options.session === undefined ? undefined : await handleOf(home, reader, options.session)
  return ({ header, payload }) =>
    (type === undefined || (type.endsWith('.*') ? header.type.startsWith(type.slice(0, -1)) : header.type === type)) &&
    (handle === undefined || header.session === handle) &&
    (gate === undefined || gateOf(header.type, payload) === gate) &&
    (verdict === undefined || payload['verdict'] === verdict) &&
    (since === undefined || header.time >= since)
}

function gateOf(type: string, payload: Entry['payload']): unknown {
  return type === 'claim.judged' ? 'provenance' : payload['gate']
}

async function handleOf(home: Home, reader: LedgerReader, session: string): Promise<string> {
  if (/^s[0-9a-f]{16}$/.test(session)) return session
  const handle = await reader.handleOf(keyedDigest(readDigestKey(home.files), 'session', session))
  if (handle === undefined) throw invalidOption('--session', 'a session of this ledger whose id is not forgotten')
  return handle
}

async function showAll(reader: LedgerReader, indices: readonly number[], options: LogOptions): Promise<void> {
  const erasedBy: ErasedBy = options.json ? await readErasures(reader, await reader.size()) : () => undefined
  for (const index of indices) {
    const stored = await reader.storedEntry(index)
    if (options.json) await printData(`${exportLine(stored, erasedBy)}\n`)
    else printStyled(entryLine(readEntry(stored.header, stored.payload, stored.words)))
  }
}

const lineCharactersMax = 160

/** One line for a person: index, time, type, and what it says; `marked` may colour that, which is escaped by then. */
export function entryLine(entry: Entry, marked = (said: string): string => said): string {
  const { index, time, type } = entry.header
  const said = marked(terminalLine(describeEntry(entry), lineCharactersMax))
  return `${styled('dim', String(index).padStart(6))} ${styled('dim', time)} ${styled('bold', type.padEnd(16))} ${said}`
}
