// Finds values under names that say that they are secrets, wherever such names stand in a text: `NAME=value`, `name: "two words"`, JSON with or
// without escaped quotes, `name => value`, `<name>value</name>`, `--name value`. One walk from left to right; nothing is looked at twice.
import { nameKind } from './name-kind.js'
import { passwordNamesAbroad, secretNamesAbroad } from './names-abroad.js'
import { isNoSecret } from './no-secret.js'
import { isSecretHere } from './secret-here.js'
import { signBehind } from './sign-behind.js'
import type { Stretch } from './stretch.js'
import { BareEnds, elementValue, type NameInText, valueAt } from './value-at.js'

export interface AssignedValue extends Stretch {
  /** `command-flag` where the name is one of a command line and nothing but a blank stands between. */
  readonly how: 'assigned-value' | 'command-flag'
}

/** Parts of names that may make one a secret's. What is found is judged by its whole words. */
const partOfName = new RegExp(
  'pass|pwd|pw\\b|token|secret|credential|cookie|auth|key|bearer|mnemonic|wort|\\bpat|_pat|jwt|sessid|jsession|_session|connect\\.sid|' +
    `(?:\\b|_)(?:pin|otp|psk|puk|cvv)\\b|${passwordNamesAbroad}|${secretNamesAbroad}`,
  'gi',
)
/** Values under secret names, in order, none within another. */
export function assignedValues(text: string): AssignedValue[] {
  const found: AssignedValue[] = []
  const parts = new RegExp(partOfName)
  const ends = new BareEnds(text)
  let done = 0
  for (let part = parts.exec(text); part !== null; part = parts.exec(text)) {
    let start = part.index
    while (start > done && isNameCharacter(text.charCodeAt(start - 1))) start -= 1
    // The letter of an escaped line break, where a text stands in JSON.
    if (text[start - 1] === '\\' && /[nrt]/.test(text[start] ?? '') && start < part.index) start += 1
    let end = parts.lastIndex
    while (end < text.length && isNameCharacter(text.charCodeAt(end))) end += 1
    parts.lastIndex = end
    done = end
    const name = text.slice(start, end)
    const kind = nameKind(/^keys?$/i.test(name) ? wholeName(text, start, end) : name)
    if (kind === undefined) continue
    const value = valueBehind({ text, start, end, name, kind, ends })
    if (value === undefined) continue
    parts.lastIndex = Math.max(end, value.to)
    done = parts.lastIndex
    if (value.how !== undefined) found.push({ ...value, how: value.how })
  }
  return found
}

/** `API key`: the word before says whose key it is. */
function wholeName(text: string, start: number, end: number): string {
  const before = /\b(api|access|secret|private|encryption|master|signing|auth|account|shared) $/i.exec(
    text.slice(Math.max(0, start - 16), start),
  )
  return `${before?.[1] ?? ''}_${text.slice(start, end)}`
}

/** Without `how` it only says where a secret is: nothing is looked for in it. */
function valueBehind(named: NameInText): (Stretch & { how?: AssignedValue['how'] }) | undefined {
  const { text } = named
  const sign = signBehind(named)
  if (sign === undefined) return undefined
  const value = sign.style === 'element' ? elementValue(text, sign.at) : valueAt(named, sign)
  if (value === undefined || value.to <= value.from) return undefined
  const { from, to, quoted } = value
  if (isSecretHere(named, sign, value)) return { from, to, how: sign.style === 'flag' ? 'command-flag' : 'assigned-value' }
  return !quoted &&
    /^(?:arn|(?:ref\+)?[a-z]{2,16}):/.test(text.slice(from, from + 24)) &&
    isNoSecret(text.slice(from, Math.min(to, from + 512)))
    ? { from, to }
    : undefined
}

function isNameCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e
  )
}
