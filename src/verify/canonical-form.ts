// Whether stored bytes are the one canonical form of the JSON they hold (RFC 8785): the verifier's own reading of that standard.
import { isUtf8 } from 'node:buffer'

/** The value of canonical JSON bytes, or undefined where the bytes are not canonical JSON. */
export function readCanonicalForm(bytes: Buffer): { readonly value: unknown } | undefined {
  if (!isUtf8(bytes)) return undefined
  const text = bytes.toString()
  let value: unknown
  try {
    value = JSON.parse(text)
    return canonicalText(value) === text ? { value } : undefined
  } catch {
    // No JSON, nested too deep to be walked, or holding a lone surrogate.
    return undefined
  }
}

function canonicalText(value: unknown): string {
  if (typeof value === 'string') return stringText(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  const members = value as Record<string, unknown>
  let text = ''
  // JavaScript sorts strings by UTF-16 units, as section 3.2.3 asks.
  for (const name of Object.keys(members).sort()) {
    text += `${text === '' ? '' : ','}${stringText(name)}:${canonicalText(members[name])}`
  }
  return `{${text}}`
}

// Quote, backslash, control characters, and surrogates, which may stand alone.
const needsCare = /["\\\u0000-\u001f\ud800-\udfff]/

function stringText(value: string): string {
  if (!needsCare.test(value)) return `"${value}"`
  if (!value.isWellFormed()) throw new TypeError('a lone surrogate has no canonical form')
  return JSON.stringify(value)
}
