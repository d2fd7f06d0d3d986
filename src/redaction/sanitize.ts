// Makes data fit to leave the machine, in one pass: bounded, without secrets, cut where it must be, with an account of what it lost. The one
// redactor finds the secrets; this adds the bounds. Redaction always comes before cutting. Pure: the same data gives the same text.
import type { JsonObject, JsonValue } from '../foundation/canonical-json.js'
import { boundedCopy, copyLimits, type Losses, lose, memberPath, setOwn } from './bounded-copy.js'
import { charactersIn, cutText, excerptText } from './cut-text.js'
import { type InputMetadata, pathsMax, readInputMetadata } from './input-metadata.js'
import { isMarker, markers } from './markers.js'
import { endsInName, nameKind } from './name-kind.js'
import { takeOutboundShapes } from './outbound-shapes.js'
import type { Redactor } from './redact.js'
import { fitStateBudget, type OverflowRule, stateText } from './state-budget.js'

declare const sanitized: unique symbol

/** A state that has been through the sanitizer. The client sends nothing else; nobody can make one by hand. */
export interface Sanitized {
  /** What is sent: the fields, and `input_metadata` beside them. */
  readonly state: Readonly<Record<string, unknown>>
  readonly text: string
  readonly metadata: InputMetadata
  readonly [sanitized]: true
}

export interface SanitizeOptions {
  readonly redactor: Redactor
  /** UTF-8 bytes of the whole state, as it is sent. */
  readonly bytesMax?: number
  /** Characters of a text. */
  readonly textMax?: number
  /** `apart`: a single value that was taken out leaves the input complete. `incomplete`: any redaction makes it incomplete, as in the original. */
  readonly redaction?: 'apart' | 'incomplete'
  readonly overflow?: OverflowRule
  /** Top-level fields of whose texts beginning and end are enough: they are cut in the middle, with a mark, and stay complete. */
  readonly excerpts?: ReadonlySet<string>
}

export const sanitizeDefaults = { bytesMax: 8000, textMax: 1800, keyMax: 80 } as const

/** Longer than a single value is: then nobody knows how much of the scope went with it. */
const valueCharactersMax = 512
/** Cutting may show a secret, and taking it out may make the text longer than it may be. */
const roundsMax = 4

const made = new WeakSet<object>()

/** Whether a value came out of the sanitizer of this process, whatever its type says. */
export function isSanitized(value: unknown): value is Sanitized {
  return typeof value === 'object' && value !== null && made.has(value)
}

/**
 * A state for a request. What an earlier pass said in `input_metadata` is carried on, and completeness can only get lost.
 * Never throws, whatever it is handed.
 */
export function sanitizeState(given: unknown, options: SanitizeOptions): Sanitized {
  const root = rootOf(given)
  const earlier = readInputMetadata(root['input_metadata'])
  const { value, pass } = cleaned(withoutMetadata(root), options)
  const members = value as JsonObject
  const fitted = fitStateBudget(
    { members, metadata: metadataOf(pass, earlier, options) },
    options.bytesMax ?? sanitizeDefaults.bytesMax,
    options.overflow ?? 'shrink',
    (text) => settledText(text, options).text,
  )
  const text = stateText(fitted)
  const metadata = frozen(fitted.metadata)
  const plain: Pick<Sanitized, 'state' | 'text' | 'metadata'> = Object.freeze({
    state: frozen({ ...fitted.members, input_metadata: metadata }),
    text,
    metadata,
  })
  made.add(plain)
  return plain as Sanitized
}

export interface CleanValue {
  readonly value: JsonValue
  readonly complete: boolean
  readonly redacted: boolean
}

/** The same for a summary: the data as it is, without any metadata of its own or ours, whatever its members are called. */
export function sanitizeValue(given: unknown, options: SanitizeOptions): CleanValue {
  const { value, pass } = cleaned(given, options)
  const redacted = pass.redactions > 0
  return { value: frozen(value), complete: !pass.losses.isLost && (options.redaction !== 'incomplete' || !redacted), redacted }
}

interface Pass {
  readonly losses: Losses
  redactions: number
  /** Within a field of which beginning and end are enough. */
  isExcerpt: boolean
  readonly options: SanitizeOptions
}

function cleaned(given: unknown, options: SanitizeOptions): { readonly value: JsonValue; readonly pass: Pass } {
  const losses: Losses = { isLost: false, paths: [], lengths: [] }
  const pass: Pass = { losses, redactions: 0, isExcerpt: false, options }
  const copied = boundedCopy(given, losses)
  const { value, count } = options.redactor.value(copied)
  pass.redactions += count
  return { value: cleanValue(copied, value, 0, '', pass), pass }
}

/** `before` is the same value as it was before the redactor. */
function cleanValue(before: JsonValue | undefined, value: JsonValue, depth: number, path: string, pass: Pass): JsonValue {
  if (typeof value === 'string') return cleanText(before, value, path, pass)
  if (Array.isArray(value)) {
    const earlier = Array.isArray(before) ? before : []
    return value.map((item, at) => cleanValue(earlier[at], item, depth + 1, `${path === '' ? 'state' : path}[${at}]`, pass))
  }
  if (typeof value !== 'object' || value === null) return value
  return cleanMembers(before, value, depth, path, pass)
}

function cleanMembers(before: JsonValue | undefined, value: JsonObject, depth: number, path: string, pass: Pass): JsonObject {
  const earlier = typeof before === 'object' && before !== null && !Array.isArray(before) ? Object.entries(before) : []
  const members: JsonObject = {}
  for (const [at, [name, member]] of Object.entries(value).slice(0, copyLimits.fields).entries()) {
    const [nameBefore = name, memberBefore] = earlier[at] ?? []
    const where = memberPath(path, depth, nameBefore, at)
    const key = cleanName(name, where, pass)
    if (Object.hasOwn(members, key)) {
      lose(pass.losses, where)
      continue
    }
    if (depth === 0) pass.isExcerpt = pass.options.excerpts?.has(nameBefore) === true
    const isSecret = isSecretMember(nameBefore, member)
    setOwn(members, key, isSecret ? takenOut(member, where, pass) : cleanValue(memberBefore, member, depth + 1, where, pass))
  }
  return members
}

function cleanName(given: string, path: string, pass: Pass): string {
  const { text, count } = takeOutboundShapes(given)
  pass.redactions += count
  const key = cutText(text, sanitizeDefaults.keyMax)
  if (key !== text) lose(pass.losses, path)
  return key
}

/** Under the name of a secret anything that could be one goes, also what the redactor would let stand: references and paths. */
function isSecretMember(name: string, member: JsonValue): boolean {
  const kind = nameKind(name)
  if ((kind !== 'password' && kind !== 'secret') || endsInName(name)) return false
  if (typeof member === 'string')
    return !isMarker(member) && !/^\s*(?:[-+]?[0-9]{1,5}|true|false|null|none|yes|no)?\s*$/i.test(member)
  return typeof member === 'object' && member !== null && Object.keys(member).length > 0
}

function takenOut(member: JsonValue, path: string, pass: Pass): string {
  pass.redactions += 1
  if (typeof member === 'object') lose(pass.losses, path)
  return markers.secret
}

function cleanText(before: JsonValue | undefined, value: string, path: string, pass: Pass): string {
  const { losses, options } = pass
  const outbound = takeOutboundShapes(value)
  pass.redactions += outbound.count
  if (holdsMarker(outbound.text)) pass.redactions += 1
  if (outbound.text !== before && !isSingleValue(before, outbound.text)) lose(losses, path)
  const max = options.textMax ?? sanitizeDefaults.textMax
  if (outbound.text.length <= max) return outbound.text
  const characters = charactersIn(outbound.text)
  if (characters <= max) return outbound.text
  const text = settledText(outbound.text, options, pass.isExcerpt)
  pass.redactions += text.count
  if (!pass.isExcerpt) {
    lose(losses, path)
    losses.lengths.push({
      field: path === '' ? 'state' : path,
      original_chars: characters,
      processed_chars: charactersIn(text.text),
    })
  }
  return text.text
}

/** Cut, and looked over again, until neither changes it. */
function settledText(
  given: string,
  options: SanitizeOptions,
  isExcerpt = false,
): { readonly text: string; readonly count: number } {
  const max = options.textMax ?? sanitizeDefaults.textMax
  let text = given
  let count = 0
  for (let round = 0; round < roundsMax; round += 1) {
    const cut = isExcerpt ? excerptText(text, max) : cutText(text, max)
    const redacted = options.redactor.text(cut)
    const outbound = takeOutboundShapes(redacted.text)
    count += redacted.count + outbound.count
    text = outbound.text
    if (text === cut) break
  }
  return { text: cutText(text, max), count }
}

/** Whether what was taken out of a text was no more than single values: what they were does not change what the rest means. */
function isSingleValue(before: JsonValue | undefined, after: string): boolean {
  if (typeof before !== 'string') return typeof before !== 'object' || before === null
  const standing = after.match(/\[(?:[A-Z ]*REDACTED|redacted:\w{1,128})\]/g) ?? []
  const gone = before.length - after.length + standing.join('').length
  return gone <= valueCharactersMax * Math.max(1, standing.length)
}

function holdsMarker(text: string): boolean {
  return text.includes('REDACTED]') || text.includes('[redacted:')
}

function metadataOf(
  { losses, redactions }: Pass,
  earlier: InputMetadata | undefined,
  { redaction }: SanitizeOptions,
): InputMetadata {
  const isRedacted = redactions > 0 || earlier?.redacted === true
  const isLost = losses.isLost
  const isWhole = !isLost && (redaction !== 'incomplete' || !isRedacted)
  if (earlier !== undefined && !earlier.input_complete && !isLost) return { ...earlier, redacted: isRedacted }
  const inherited = earlier !== undefined && !earlier.input_complete
  const fields = inherited ? [...earlier.truncated_fields, ...losses.paths] : losses.paths
  const lengths = inherited ? [...earlier.field_lengths, ...losses.lengths] : losses.lengths
  return {
    input_complete: isWhole && !inherited,
    truncated: isLost || (inherited && earlier.truncated),
    redacted: isRedacted,
    truncated_fields: [...new Set(fields)].slice(0, pathsMax),
    field_lengths: lengths.slice(0, pathsMax),
  }
}

/** The members of a plain object; anything else is wrapped, also what cannot be read. */
function rootOf(given: unknown): Readonly<Record<string, unknown>> {
  try {
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) {
      const prototype: unknown = Object.getPrototypeOf(given)
      if (prototype === null || prototype === Object.prototype) return Object.fromEntries(Object.entries(given))
    }
  } catch {
    // A getter or a proxy that throws: the walk over the value says what is lost.
  }
  return { value: given }
}

function withoutMetadata({ input_metadata: _, ...root }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return root
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}
