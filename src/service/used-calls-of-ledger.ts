// Reads every call of a ledger with what became of it. Entries that nothing is read of are passed over by their headers.
import { type Entry, readEntry, readHeader } from '../events/entry.js'
import type { LedgerReader } from '../ledger/ledger-reader.js'
import { fold } from '../projections/projection.js'
import { type UsedCalls, usedCalls } from '../projections/used-calls.js'

export interface UsedCallsOfLedger {
  readonly ledger: string
  readonly size: number
  readonly used: UsedCalls
}

const entriesPerProgress = 1000

export async function readUsedCalls(
  reader: LedgerReader,
  onProgress: (done: number, of: number) => void = () => {},
): Promise<UsedCallsOfLedger> {
  const [ledger, size] = [await reader.ledgerId(), await reader.size()]
  let used = usedCalls.initial()
  for await (const { index, header, payload, words } of reader.storedEntries(0, size)) {
    if (index % entriesPerProgress === 0) onProgress(index, size)
    if (!Object.hasOwn(usedCalls.on, readHeader(header).type)) continue
    const entry = readable(() => readEntry(header, payload, words))
    if (entry !== undefined) used = fold(usedCalls, used, entry)
  }
  onProgress(size, size)
  return { ledger, size, used }
}

/** Undefined for bytes that the disk has altered: `verify` tells of them. */
function readable(read: () => Entry): Entry | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
