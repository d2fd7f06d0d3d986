// Reads header bytes the way a stranger would: ten members, their types, and the canonical form.
import { readCanonicalForm } from './canonical-form.js'

export interface StoredHeader {
  readonly v: number
  readonly ledger: string
  readonly epoch: number
  readonly index: number
  readonly time: string
  readonly type: string
  readonly version: number
  readonly session: string
  readonly payload: string
  readonly prev: string
}

const names = ['epoch', 'index', 'ledger', 'payload', 'prev', 'session', 'time', 'type', 'v', 'version']
const wholeNumbers = ['v', 'epoch', 'index', 'version'] as const
const patterns: readonly (readonly [keyof StoredHeader, RegExp])[] = [
  ['ledger', /^[0-9a-f]{32}$/],
  ['time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
  ['session', /^(s[0-9a-f]{16})?$/],
  ['payload', /^[0-9a-f]{64}$/],
  ['prev', /^[0-9a-f]{64}$/],
]

const whole = '(0|[1-9][0-9]{0,15})'
const hex = (digits: number) => `"([0-9a-f]{${digits}})"`
// The canonical form of a header whose type needs no escapes: names in order, nothing between them.
const canonicalHeader = new RegExp(
  `^{"epoch":${whole},"index":${whole},"ledger":${hex(32)},"payload":${hex(64)},"prev":${hex(64)},"session":"((?:s[0-9a-f]{16})?)",` +
    `"time":"(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)","type":"([ !#-\\[\\]-~]*)","v":${whole},"version":${whole}}$`,
)

/** The header in canonical bytes; undefined where they are not the canonical form of a header. */
export function readStoredHeader(bytes: Buffer): StoredHeader | undefined {
  const match = canonicalHeader.exec(bytes.toString('latin1'))
  if (match !== null) return headerOf(match)
  // A type name with escapes is read at length: rare, and as good a header.
  const value = readCanonicalForm(bytes)?.value
  return isHeader(value) ? value : undefined
}

function headerOf(match: RegExpExecArray): StoredHeader | undefined {
  const [, epoch, index, ledger = '', payload = '', prev = '', session = '', time = '', type = '', v, version] = match
  const header = {
    v: Number(v),
    ledger,
    epoch: Number(epoch),
    index: Number(index),
    time,
    type,
    version: Number(version),
    session,
    payload,
    prev,
  }
  return wholeNumbers.every((name) => Number.isSafeInteger(header[name])) ? header : undefined
}

function isHeader(value: unknown): value is StoredHeader {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const members = value as Record<string, unknown>
  const found = Object.keys(members)
  if (found.length !== names.length || !names.every((name) => Object.hasOwn(members, name))) return false
  if (!wholeNumbers.every((name) => Number.isSafeInteger(members[name]) && Number(members[name]) >= 0)) return false
  if (typeof members['type'] !== 'string') return false
  return patterns.every(([name, pattern]) => typeof members[name] === 'string' && pattern.test(String(members[name])))
}
