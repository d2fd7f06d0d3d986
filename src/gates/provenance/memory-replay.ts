// Replays operations on a memory: entries are found, changed and taken away as the host does it, and whole entries are judged.
import { hostStrip } from './host-strip.js'
import type { PlaceStrategy, Replay } from './replay.js'
import { textHolds, textSearch } from './sequence-search.js'
import type { MemoryTarget } from './stored-text.js'
import type { MemoryOperation } from './write-arguments.js'

/** Between the entries of a memory file. */
export const entryDelimiter = '\n§\n'

/** The entries of a memory file, each once. */
function memoryEntries(text: string): string[] {
  const entries = text.split(entryDelimiter).map(hostStrip)
  return [...new Set(entries.filter((entry) => entry !== ''))]
}

interface Entry {
  readonly text: string
  /** What it was in the file; undefined for a new one. */
  readonly was: string | undefined
}

/**
 * `stored` is the file's text, undefined where there is none or it could not be read. An operation that finds no entry, or several, makes the
 * host refuse the call: the new text alone is judged, and the rest is replayed all the same.
 */
export function memoryReplay(
  operations: readonly MemoryOperation[],
  target: MemoryTarget,
  stored: string | undefined,
  isForetold = true,
): Replay {
  const initial = memoryEntries(stored ?? '')
  const entries: Entry[] = initial.map((text) => ({ text, was: text }))
  const changed = new Set<string>()
  const alone: string[] = []
  const strategies: PlaceStrategy[] = []
  let isTaken = isForetold

  for (const operation of operations) {
    if (operation.action === 'add') {
      const text = hostStrip(operation.text)
      if (text !== '' && !entries.some((entry) => entry.text === text)) entries.push({ text, was: undefined })
      continue
    }
    const old = hostStrip(operation.old)
    const found = old === '' ? 'none' : findEntry(entries, old)
    strategies.push(typeof found === 'string' ? found : 'entry')
    const text = operation.action === 'remove' ? '' : hostStrip(operation.text)
    if (typeof found === 'string') {
      isTaken = false
      if (text !== '') alone.push(text)
      continue
    }
    const { text: before, was } = entries[found.at] as Entry
    if (was !== undefined) changed.add(was)
    const after = operation.action === 'patch' ? hostStrip(spliced(before, old, text)) : text
    if (after === '') entries.splice(found.at, 1)
    else entries[found.at] = { text: after, was }
  }

  const known = new Set(initial)
  const written = entries.flatMap(({ text }) => (known.has(text) ? [] : [text]))
  const after = entries.map(({ text }) => text).join(entryDelimiter)
  return {
    judged: [...new Set([...written, ...alone])],
    stored: initial.filter((text) => changed.has(text)),
    strategies,
    files: [{ place: target, before: stored, after, foretold: isTaken }],
  }
}

/** An entry that is the text goes before entries that hold it. Of several equal ones the first is meant. */
function findEntry(entries: readonly Entry[], old: string): { readonly at: number } | 'none' | 'several' {
  const equal = entries.findIndex(({ text }) => text === old)
  if (equal >= 0) return { at: equal }
  let first: number | undefined
  for (const [at, { text }] of entries.entries()) {
    if (!textHolds(text, old)) continue
    if (first === undefined) first = at
    else if (text !== entries[first]?.text) return 'several'
  }
  return first === undefined ? 'none' : { at: first }
}

function spliced(entry: string, old: string, text: string): string {
  let result = ''
  let done = 0
  for (const at of textSearch(entry, old)) {
    result += entry.slice(done, at) + text
    done = at + old.length
  }
  return result + entry.slice(done)
}
