// What a search can ask of the facts of an entry beside its words: `tool:terminal verdict:deny`. Read from a text, since it comes over sockets too.

import { readHeader, readSalted } from '../events/entry.js'
import type { LedgerReader, StoredEntry } from '../ledger/ledger-reader.js'

/** Members of the facts that can be asked for, and two of the header. */
export const searchFieldNames = ['type', 'session', 'tool', 'verdict', 'code', 'gate', 'mode', 'status', 'answer', 'by'] as const

export type SearchFieldName = (typeof searchFieldNames)[number]
export type SearchFields = Readonly<Partial<Record<SearchFieldName, string>>>

/** Words that are `name:value` with a name that is known; others are words. The fields are a line each. */
export function splitSearch(asked: readonly string[]): { readonly words: string; readonly fields: string } {
  const isField = (word: string): boolean => fieldOf(word) !== undefined
  return { words: asked.filter((word) => !isField(word)).join(' '), fields: asked.filter(isField).join('\n') }
}

export function searchFields(lines: string): SearchFields {
  return Object.fromEntries(
    lines
      .split('\n')
      .flatMap((line) => fieldOf(line) ?? [])
      .map(({ name, value }) => [name, value]),
  )
}

function fieldOf(word: string): { readonly name: SearchFieldName; readonly value: string } | undefined {
  const [, said, value] = /^([a-z]+):(.+)$/su.exec(word) ?? []
  const name = searchFieldNames.find((one) => one === said)
  return name === undefined || value === undefined ? undefined : { name, value }
}

type Facts = Readonly<Record<string, unknown>>

/**
 * Whether an entry has all of the fields. `session` is a handle. A decision, an approval and an outcome are of the tool whose call they
 * are about: that one's entry is looked up.
 */
export async function hasFields(
  reader: Pick<LedgerReader, 'storedEntry'>,
  { header, payload }: StoredEntry,
  { type, session, tool, code, ...others }: SearchFields,
): Promise<boolean> {
  const { type: ownType, session: ownSession } = readHeader(header)
  if (session !== undefined && ownSession !== session) return false
  if (type !== undefined && !(type.endsWith('.*') ? ownType.startsWith(type.slice(0, -1)) : ownType === type)) return false
  const asked = Object.entries(others)
  if (tool === undefined && code === undefined && asked.length === 0) return true
  const facts = factsIn(payload)
  if (facts === undefined || asked.some(([name, value]) => facts[name] !== value)) return false
  // What a decision calls its code, a judged claim calls its reason.
  if (code !== undefined && facts['code'] !== code && facts['reason'] !== code) return false
  return tool === undefined || (await toolOf(reader, facts)) === tool
}

async function toolOf(reader: Pick<LedgerReader, 'storedEntry'>, facts: Facts): Promise<unknown> {
  if (facts['tool'] !== undefined) return facts['tool']
  const about = [facts['judges'], facts['call'], facts['judged']].find((index) => typeof index === 'number')
  if (typeof about !== 'number') return undefined
  return factsIn((await reader.storedEntry(about)).payload)?.['tool']
}

/** Undefined for a payload that is no JSON (any more). */
function factsIn(payload: Uint8Array): Facts | undefined {
  try {
    const facts: unknown = JSON.parse(readSalted(payload).text)
    return typeof facts === 'object' && facts !== null ? (facts as Facts) : undefined
  } catch {
    return undefined
  }
}
