// Fits a state into its budget of bytes: first the oldest observations go, then long texts shrink alike, and only then whole fields.
import type { JsonObject, JsonValue } from '../foundation/canonical-json.js'
import { lossMarkers, setOwn } from './bounded-copy.js'
import { excerptText } from './cut-text.js'
import { compactMetadata, type InputMetadata } from './input-metadata.js'

/** How a state that is too large gets smaller. `replace`: the largest field goes whole, as the original does it. */
export type OverflowRule = 'shrink' | 'replace'

export interface FittedState {
  readonly members: JsonObject
  readonly metadata: InputMetadata
}

/** Longest texts that are tried, in characters. */
const shrinkSteps = [900, 450, 225, 112, 56]

/** The same where it fits. What had to go makes the input incomplete, always. `again` is run over each text that was cut. */
export function fitStateBudget(
  given: FittedState,
  bytesMax: number,
  overflow: OverflowRule,
  again: (text: string) => string,
): FittedState {
  if (bytesOf(given) <= bytesMax) return given
  let fitted: FittedState = { members: given.members, metadata: compactMetadata(given.metadata) }
  const fits = (): boolean => bytesOf(fitted) <= bytesMax
  if (overflow === 'shrink') {
    fitted = { ...fitted, members: withoutOldest(fitted, bytesMax) }
    for (const charactersMax of shrinkSteps) {
      if (fits()) return fitted
      fitted = { ...fitted, members: shrunk(fitted.members, charactersMax, again) as JsonObject }
    }
  }
  while (!fits()) {
    const largest = largestField(fitted.members)
    if (largest === undefined) return fitted
    fitted = { ...fitted, members: withoutField(fitted.members, largest) }
  }
  return fitted
}

export function stateText({ members, metadata }: FittedState): string {
  return JSON.stringify({ ...members, input_metadata: metadata })
}

function bytesOf(state: FittedState): number {
  return Buffer.byteLength(stateText(state))
}

/** Observations from the newest on, as many as there is room for, and one at least. */
function withoutOldest({ members, metadata }: FittedState, bytesMax: number): JsonObject {
  const evidence = members['verification_evidence']
  if (!Array.isArray(evidence) || evidence.length < 2) return members
  let over = bytesOf({ members, metadata }) - bytesMax
  let first = 0
  while (over > 0 && first < evidence.length - 1) {
    over -= Buffer.byteLength(JSON.stringify(evidence[first])) + 1
    first += 1
  }
  return { ...members, verification_evidence: evidence.slice(first) }
}

function shrunk(value: JsonValue, charactersMax: number, again: (text: string) => string): JsonValue {
  if (typeof value === 'string') {
    const text = excerptText(value, charactersMax)
    return text === value ? value : again(text)
  }
  if (Array.isArray(value)) return value.map((item) => shrunk(item, charactersMax, again))
  if (typeof value !== 'object' || value === null) return value
  const members: JsonObject = {}
  for (const [name, member] of Object.entries(value)) setOwn(members, name, shrunk(member, charactersMax, again))
  return members
}

function largestField(members: JsonObject): string | undefined {
  let largest: string | undefined
  let bytes = -1
  for (const [name, member] of Object.entries(members)) {
    const size = Buffer.byteLength(JSON.stringify(member))
    if (size > bytes) [largest, bytes] = [name, size]
  }
  return largest
}

function withoutField(members: JsonObject, name: string): JsonObject {
  const kept: JsonObject = {}
  for (const [other, member] of Object.entries(members)) {
    if (other !== name) setOwn(kept, other, member)
    else if (member !== lossMarkers.size) setOwn(kept, other, lossMarkers.size)
  }
  return kept
}
