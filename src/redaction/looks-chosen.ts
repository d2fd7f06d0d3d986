// Whether a text looks like a password that somebody chose, and whether a value fits what its name says of it.
import { looksRandom } from './looks-random.js'
import type { NameKind } from './name-kind.js'

const charactersMin = 6

/** Letters with digits or signs among them, as `hunter2`, and neither a measure, a version nor the name of a coding. */
export function looksChosen(value: string): boolean {
  if (value.length < charactersMin || value.length > 256 || /\s/.test(value)) return false
  if (!/[A-Za-z]/.test(value) || !/[0-9!@#$%^&*+]/.test(value)) return false
  if (
    /^(?:v?[0-9]+(?:[.,-][0-9]+)*[-_ ]?[a-z]*|[a-z]+[-_][0-9]|[A-Z]{2,5}-[0-9]+)[.,;:!?]?$/i.test(value) &&
    !/[!@#$%^&*]/.test(value)
  )
    return false
  if (/[()[\]{}<>=]|:\/\/|\.\w{1,5}$/.test(value) && !/[0-9].*[!@#$%^&*]|[!@#$%^&*].*[0-9]/.test(value)) return false
  return !isNameOfACoding(value)
}

function isNameOfACoding(value: string): boolean {
  return /^(?:base(?:16|32|58|64)|sha-?[0-9]+|md[45]|utf-?(?:8|16)|argon2(?:id?)?|pbkdf2|oauth2?|ed25519|x509|aes-?[0-9]+|rs256|hs256|es256|http2|saml2?)(?![a-z0-9])/i.test(
    value,
  )
}

/** Whether a value is one where its name says so much of it. */
export function fitsKind(kind: NameKind, value: string): boolean {
  switch (kind) {
    case 'password':
    case 'secret':
      return true
    case 'code':
      return /^[0-9]{4,10}$/.test(value)
    case 'chosen':
      return looksChosen(value) || looksRandom(value)
    case 'auth':
      return looksRandom(value) || isUserAndPassword(value) || /^[A-Za-z]{16,}={0,2}$/.test(value)
    case 'perhaps':
      return looksRandom(value.replace(/^(?:Bearer|Basic) /i, ''))
  }
}

/** `name:password`, as it is or in base64. */
function isUserAndPassword(value: string): boolean {
  if (/^[\w.@-]{1,64}:[^\s:/{}[\]]{3,128}$/.test(value)) return true
  if (!/^[A-Za-z0-9+/_-]{6,4096}={0,2}$/.test(value)) return false
  try {
    const text = atob(value.replaceAll('-', '+').replaceAll('_', '/'))
    return /:/.test(text) && /^[\x20-\x7e\x80-\xff]+$/.test(text)
  } catch {
    return false
  }
}
