// Ledgers for measuring: events of about 500 bytes, in a folder that goes away with the process.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NewEvent } from '../src/events/event-catalog.js'
import { homeFiles } from '../src/ledger/home-files.js'
import type { Ledger } from '../src/ledger/ledger.js'
import { createLedger, type LedgerSettings } from '../src/ledger/open-ledger.js'
import { type RedactedEvent, redactEvent } from '../src/ledger/redacted-event.js'
import { systemWorld } from '../src/ledger/system-world.js'
import { makeRedactor } from '../src/redaction/redact.js'

export const benchSettings: LedgerSettings = {
  origin: 'stele.local',
  anchors: [],
  markMirror: undefined,
  world: systemWorld(),
  program: 'bench',
}

const folders: string[] = []
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export function benchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stele-bench-'))
  folders.push(folder)
  return folder
}

export async function benchLedger(home: string): Promise<Ledger> {
  return (await createLedger(homeFiles(home), benchSettings)).ledger
}

export const benchRedactor = makeRedactor()

export function asRedacted(event: NewEvent): RedactedEvent {
  return redactEvent(event, benchRedactor).event
}

/** Payload and words of about 500 bytes of canonical JSON. */
export function eventMaker(ledger: Pick<Ledger, 'digest'>, session: string): (number: number) => RedactedEvent {
  const digest = ledger.digest('text', 'bench')
  return (number) => {
    const text = `message ${number} ${'of words that somebody typed '.repeat(7)}`
    const facts = { turn: 1, platform: 'cli', characters: text.length, digest, source: 'unattested' as const }
    return asRedacted({ type: 'message.captured', session, facts, words: { text, sender: '', turn: `turn-${number}` } })
  }
}

/** Callers that wait side by side, each for its own append, until all entries are in. Resolves to entries a second. */
export async function appendSideBySide(
  ledger: Ledger,
  event: (number: number) => RedactedEvent,
  entries: number,
  callers: number,
): Promise<number> {
  let sent = 0
  const started = performance.now()
  const caller = async () => {
    while (sent < entries) {
      sent += 1
      await ledger.append([event(sent)])
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return entries / ((performance.now() - started) / 1000)
}

/** Fills a ledger quickly: large groups, as many as it takes. */
export async function fill(ledger: Ledger, event: (number: number) => RedactedEvent, entries: number): Promise<void> {
  const group = 64
  for (let sent = 0; sent < entries; ) {
    await ledger.room()
    const appends: Promise<unknown>[] = []
    for (let caller = 0; caller < 16 && sent < entries; caller += 1) {
      const events = Array.from({ length: Math.min(group, entries - sent) }, (_, at) => event(sent + at))
      sent += events.length
      appends.push(ledger.append(events))
    }
    await Promise.all(appends)
  }
}
