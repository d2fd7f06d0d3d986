// Finds credentials in headers: `Authorization`, cookies, and `Bearer …` on its own.

import { looksRandom } from './looks-random.js'
import { isMarker, markerEnd } from './markers.js'
import { isNoSecret } from './no-secret.js'
import type { Stretch } from './stretch.js'

const headerCharactersMax = 4096

/** All parts of the value, to the quote that closes it or to the end of the line. */
export function* authorizationHeaders(text: string): Iterable<Stretch> {
  const names = /(?:proxy-)?authorization(?:\\{0,8}["'])?[ \t]{0,8}(?:[:=]|=>)[ \t]{0,8}(?:\\{0,8}["'`])?/gi
  for (let name = names.exec(text); name !== null; name = names.exec(text)) {
    const from = names.lastIndex
    const to = headerEnd(text, name.index, from)
    const value = text.slice(from, to)
    const [, scheme = '', rest = ''] = /^([A-Za-z][\w-]{1,32})[ \t]+([^\n]*)$/.exec(value) ?? []
    const isKnown = schemes.has(scheme.toLowerCase())
    if (isKnown) {
      if (rest.trim() === '' || isNoSecret(rest.trim()) || isMarker(rest.trim())) continue
      const behind = manyParts.has(scheme.toLowerCase()) ? to : from + value.length - rest.length + firstWord(rest)
      yield { from, to: behind }
    } else {
      const behind = from + firstWord(value)
      const word = text.slice(from, behind)
      if (!isNoSecret(word) && looksRandom(word)) yield { from, to: behind }
      else continue
    }
    names.lastIndex = to
  }
}

const schemes: ReadonlySet<string> = new Set(
  'bearer basic digest token apikey api-key negotiate ntlm aws4-hmac-sha256 oauth hawk ssws geniekey key splunk bot signature mac dpop sso-key'.split(
    ' ',
  ),
)
const manyParts: ReadonlySet<string> = new Set('digest aws4-hmac-sha256 oauth hawk signature mac'.split(' '))

function firstWord(text: string): number {
  const marker = markerEnd(text, 0)
  if (marker !== undefined) return marker
  const end = text.search(/[\s"'`\\]/)
  return end < 0 ? text.length : end
}

/** A quote before the name or before the value closes the header. */
function headerEnd(text: string, nameAt: number, from: number): number {
  const line = text.slice(from, from + headerCharactersMax)
  const newline = line.search(/[\r\n]/)
  const limit = newline < 0 ? line.length : newline
  const opened = /["'`]/.exec(text[from - 1] ?? '')?.[0] ?? /["'`]/.exec(text[nameAt - 1] ?? '')?.[0]
  if (opened === undefined) {
    const escaped = line.slice(0, limit).search(/\\[nr]/)
    return from + (escaped < 0 ? limit : escaped)
  }
  const close = line.slice(0, limit).indexOf(opened)
  if (close < 0) return from + limit
  let end = close
  while (end > 0 && line[end - 1] === '\\') end -= 1
  return from + end
}

/** `Bearer` or `Basic` and what follows, where that is a credential and no word of a sentence. */
export function* schemeCredentials(text: string): Iterable<Stretch> {
  const schemes = /(?<![A-Za-z0-9_-])(bearer|basic)[ \t]{1,8}([A-Za-z0-9+/_.=:~-]{1,8192})/gi
  for (let match = schemes.exec(text); match !== null; match = schemes.exec(text)) {
    const [whole, scheme = '', run = ''] = match
    const value = run.replace(/[.:,]+$/, '')
    const isCredential = scheme.toLowerCase() === 'basic' ? isBasic(value) : isBearer(value)
    if (isCredential) yield { from: match.index, to: match.index + whole.length - (run.length - value.length) }
    else schemes.lastIndex = match.index + scheme.length
  }
}

function isBearer(value: string): boolean {
  if (looksRandom(value)) return true
  if (value.length >= 8 && /[0-9]/.test(value) && /[A-Za-z]/.test(value) && !/^[A-Za-z]+[-_.]?[0-9]{1,3}$/.test(value))
    return true
  if (
    /^[A-Za-z0-9_-]{3,}(?:\.[A-Za-z0-9_-]{3,})+$/.test(value) &&
    !/\.(?:com|org|net|io|dev|md|js|ts|py|txt|json|html)$/i.test(value)
  )
    return true
  return value.length >= 8 && (/=$/.test(value) || (value.length >= 24 && /^[A-Za-z]+$/.test(value)))
}

/** Base64 of a name, a colon and a password. */
function isBasic(value: string): boolean {
  if (!/^[A-Za-z0-9+/_-]{6,}={0,2}$/.test(value)) return false
  let text: string
  try {
    text = atob(value.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return value.length >= 16 && looksRandom(value)
  }
  return (/:/.test(text) && /^[\x20-\x7e\x80-\xff]+$/.test(text)) || (value.length >= 16 && looksRandom(value))
}

/** The values of a cookie header, which always are `name=value`. */
export function* cookieHeaders(text: string): Iterable<Stretch> {
  const names =
    /(?<![A-Za-z0-9_-])(?:set-)?cookie(?:\\{0,8}["'])?[ \t]{0,8}:[ \t]{0,8}(?:\\{0,8}["'`])?(?=[\w.!#$%&'*+^|~-]{1,128}=)/gi
  for (let name = names.exec(text); name !== null; name = names.exec(text)) {
    const from = names.lastIndex
    const to = headerEnd(text, name.index, from)
    const value = text.slice(from, to)
    if (isNoSecret(value.slice(value.indexOf('=') + 1).slice(0, 512))) continue
    yield { from, to }
    names.lastIndex = to
  }
}
