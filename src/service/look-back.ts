// The history that a replay reads: a snapshot of a home, or the lines of an export. Neither is proved by it; that is what `verify` is for.
import { existsSync } from 'node:fs'
import { type Entry, readEntry, readHeader } from '../events/entry.js'
import { keyedDigest, leafHash, toHex } from '../foundation/digest.js'
import { SteleError } from '../foundation/stele-error.js'
import { readDigestKey } from '../ledger/home-files.js'
import type { LedgerReader } from '../ledger/ledger-reader.js'
import { readHome } from '../ledger/read-home.js'
import type { History } from '../replay/history.js'
import { readExportLines } from '../verify/read-export.js'
import type { Home } from './open-home.js'

/** On which head an answer was made: of the ledger with so many entries the hash of the last. */
export interface Head {
  readonly ledger: string
  readonly size: number
  readonly head: string
}

export interface LookedAt {
  readonly history: History
  readonly head: Head
  /** The handle of a session, by that or by the host's own id. Throws `SESSION_UNKNOWN`. */
  handleOf(session: string): Promise<string>
}

const isHandle = (session: string): boolean => /^s[0-9a-f]{16}$/.test(session)

/**
 * Looks back over a home as it is at this moment. Throws `HOME_MISSING`, `SNAPSHOT_REMOVED` where words were forgotten meanwhile, and what
 * reading a ledger throws.
 */
export function lookBack<Result>({ files }: Home, look: (looked: LookedAt) => Promise<Result>): Promise<Result> {
  return readHome(files, async (reader, _, assertStillThere) => {
    const result = await look({
      history: reader,
      head: await headOf(reader),
      handleOf: async (session) => {
        const handle = isHandle(session) ? session : await reader.handleOf(keyedDigest(readDigestKey(files), 'session', session))
        if (handle === undefined || !(await hasEntries(reader, handle))) throw new SteleError('SESSION_UNKNOWN', {})
        return handle
      },
    })
    assertStillThere()
    return result
  })
}

async function headOf(reader: LedgerReader): Promise<Head> {
  const size = await reader.size()
  const { header } = await reader.storedEntry(size - 1)
  return { ledger: readHeader(header).ledger, size, head: toHex(leafHash(header)) }
}

async function hasEntries(reader: LedgerReader, handle: string): Promise<boolean> {
  for await (const _ of reader.sessionEntries(handle)) return true
  return false
}

/** The same over an export. Throws `FILE_UNREADABLE`, also for a line that is no entry. */
export async function lookBackAtExport<Result>(file: string, look: (looked: LookedAt) => Promise<Result>): Promise<Result> {
  if (!existsSync(file)) throw new SteleError('FILE_UNREADABLE', { option: '--export' })
  let last: Exported | undefined
  for await (const one of exportedEntries(file)) last = one
  if (last === undefined) throw new SteleError('FILE_UNREADABLE', { option: '--export' })
  const { header } = last.entry
  const head = { ledger: header.ledger, size: header.index + 1, head: toHex(leafHash(last.headerBytes)) }
  const history = historyOfExport(file, head.size)
  return look({ history, head, handleOf: (session) => handleInExport(history, session) })
}

interface Exported {
  readonly entry: Entry
  readonly headerBytes: Uint8Array
}

async function* exportedEntries(file: string): AsyncGenerator<Exported> {
  for await (const line of readExportLines(file)) {
    if (line.kind !== 'entry') continue
    const { header, payload, words } = line.entry
    if (header === undefined || payload === undefined) throw new SteleError('FILE_UNREADABLE', { option: '--export' })
    yield { entry: readEntry(header, payload, words), headerBytes: header }
  }
}

/** The file is read again for a session or an entry that is not at hand: slow for a large one, and flat. */
function historyOfExport(file: string, size: number): History {
  async function* entries(of: (entry: Entry) => boolean = () => true): AsyncGenerator<Entry> {
    for await (const { entry } of exportedEntries(file)) if (of(entry)) yield entry
  }
  return {
    size: async () => size,
    entries: () => entries(),
    sessionEntries: (handle) => entries(({ header }) => header.session === handle),
    entry: async (index) => {
      for await (const entry of entries(({ header }) => header.index === index)) return entry
      throw new SteleError('ENTRY_UNKNOWN', { index })
    },
  }
}

async function handleInExport(history: History, session: string): Promise<string> {
  for await (const { header, words } of history.entries()) {
    const isNamed = header.type === 'session.started' && words?.['session'] === session
    if (header.session !== '' && (header.session === session || isNamed)) return header.session
  }
  throw new SteleError('SESSION_UNKNOWN', {})
}
