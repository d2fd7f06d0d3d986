// RFC 8785 (JCS): the one text that a JSON value has. It refuses what has no such text instead of guessing.
import stringify from 'fast-json-stable-stringify'
import { SteleError } from './stele-error.js'

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue }
export type JsonObject = { [name: string]: JsonValue }

/** Deeper nesting than this is refused, so that nothing runs out of stack. */
export const depthMax = 256

/**
 * The canonical text of a value (RFC 8785, section 3.2). `-0` is written `0`; names are ordered by UTF-16 units.
 * Throws `CANONICAL_JSON_REFUSED` with the reason for anything that is not plain, finite, well-formed JSON.
 */
export function canonicalJson(value: unknown): string {
  refuseWhatIsNotJson(value, 0)
  return stringify(value)
}

function refuseWhatIsNotJson(value: unknown, depth: number): void {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) refuse('lone_surrogate')
      return
    case 'number':
      if (!Number.isFinite(value)) refuse('number_not_finite')
      return
    case 'boolean':
      return
    case 'object':
      break
    default:
      refuse(typeof value)
  }
  if (value === null) return
  // A cycle shows itself as endless depth.
  if (depth >= depthMax) refuse('too_deep')
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') refuse('to_json')
  if (Array.isArray(value)) {
    refuseOddArray(value)
    for (const item of value) refuseWhatIsNotJson(item, depth + 1)
    return
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) refuse('not_a_plain_object')
  const members = value as Record<string, unknown>
  let shown = 0
  for (const name in members) {
    shown += 1
    if (!name.isWellFormed()) refuse('lone_surrogate')
    refuseWhatIsNotJson(members[name], depth + 1)
  }
  // Members that are symbols, or that do not show, would be left out in silence.
  if (Reflect.ownKeys(members).length !== shown) refuse('hidden_member')
}

function refuseOddArray(value: unknown[]): void {
  // A hole is not among the keys; a named or hidden member is one too many. `length` is a hidden one of every array.
  if (Object.keys(value).length !== value.length || Reflect.ownKeys(value).length !== value.length + 1) refuse('odd_array')
  if (Object.getPrototypeOf(value) !== Array.prototype) refuse('not_a_plain_array')
}

function refuse(reason: string): never {
  throw new SteleError('CANONICAL_JSON_REFUSED', { reason })
}
