// Which values of variables are secrets by the variable's name, so that they are taken out wherever they stand.
import { fitsKind } from './looks-chosen.js'
import { looksRandom } from './looks-random.js'
import { isMarker, markers } from './markers.js'
import { nameKind } from './name-kind.js'
import { isNoSecret } from './no-secret.js'

/**
 * The values that are taken out wherever they stand. A value is one where its name says that it is a secret and where it can be nothing else:
 * `SERVICE_TOKEN=production` must not blank out that word everywhere. So plain words, numbers, paths and addresses are none, and nothing below
 * six characters, or below eight without a digit among letters.
 */
export function knownValues(variables: Iterable<readonly [name: string, value: string | undefined]>): string[] {
  const known = new Set<string>()
  for (const [name, value] of variables)
    if (value !== undefined && isKnownSecret(name, value)) for (const form of formsOf(value)) known.add(form)
  return [...known]
}

export function isKnownSecret(name: string, value: string): boolean {
  const text = value.trim()
  const kind = nameKind(name)
  if (kind === undefined || text.length < 6 || isNoSecret(text) || isMarker(text)) return false
  if (Object.values(markers).some((marker) => marker.includes(text))) return false
  if (!fitsKind(kind, text)) return false
  if (/^(?:~|\.{1,2})?\/(?:[\w.@+-]+\/){0,32}[\w.@+-]*$/.test(text) && !looksRandom(text.slice(1))) return false
  if (/^https?:\/\/[^@\s]{1,256}$/.test(text) && !/[\w-]{16,}/.test(text)) return false
  if (/^[0-9.,:-]+$/.test(text)) return text.replace(/[^0-9]/g, '').length >= 8
  // One word, or some: people write these for other reasons too.
  if (/^[A-Za-z]+(?:[-_. ][A-Za-z]+)*$/.test(text)) return text.length >= 20 || /[a-z][A-Z][a-z]+[A-Z]/.test(text)
  return text.length >= 8 || (/[0-9]/.test(text) && /[A-Za-z]/.test(text))
}

/** As it is, as it stands inside a JSON string, and as it stands in an address. */
function formsOf(value: string): string[] {
  const text = value.trim()
  const forms = [text, JSON.stringify(text).slice(1, -1)]
  try {
    forms.push(encodeURIComponent(text))
  } catch {
    // Half a character has no place in an address.
  }
  return forms
}
