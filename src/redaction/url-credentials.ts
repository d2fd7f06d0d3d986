// Finds user and password in addresses of any scheme, and in those that are written without one.
import { looksRandom } from './looks-random.js'
import { isMarker } from './markers.js'
import { isNoSecret } from './no-secret.js'
import type { Stretch } from './stretch.js'

const shapes: readonly RegExp[] = [
  /(?<=[A-Za-z][A-Za-z0-9+.-]{0,31}:\\?\/\\?\/)[^\s/?#"'<>`\\]{1,1024}@/g,
  // Of databases and mail: passwords there are seldom encoded.
  /(?<=(?:postgres|postgresql|mysql|mariadb|mongodb|mongodb\+srv|rediss?|amqps?|s?ftp|smtps?|ldaps?|mssql|sqlserver|clickhouse|oracle):\/\/)[^\s:/?#"'<>`\\@]{0,128}:(?![0-9]{1,5}[/?#])[^\s"'<>`\\@]{1,256}@(?=[\w[])/g,
  // `name:password@host:port`
  /(?<![\w/:.@%+-])(?!mailto:|xmpp:|acct:)[\w.-]{1,64}:[^\s:/@"'<>`\\]{1,128}@(?=[\w.-]{1,128}:[0-9]{2,5}(?![\w.-]))/g,
]
const oracle = /(?<=(?:jdbc:oracle:[a-z]{2,8}:|\bsqlplus (?:-\w{1,4} ){0,2})[\w.$]{1,64}\/)[^\s/@"'`\\]{1,128}(?=@)/g

/** Name and password before the host. A name alone is one where it looks like chance. */
export function* urlCredentials(text: string): Iterable<Stretch> {
  for (const shape of shapes) {
    for (const match of text.matchAll(shape)) {
      const user = match[0].slice(0, -1)
      const colon = user.indexOf(':')
      const password = colon < 0 ? '' : user.slice(colon + 1)
      const name = colon < 0 ? user : user.slice(0, colon)
      const to = match.index + user.length
      const isSecret = password === '' ? looksRandom(name) && !isPublicHost(text, to + 1) : !isNoSecret(password)
      if (isSecret && !isMarker(user)) yield { from: match.index, to }
    }
  }
  for (const match of text.matchAll(oracle))
    if (!isNoSecret(match[0])) yield { from: match.index, to: match.index + match[0].length }
}

/** Where errors of pages are sent to: such an address stands in every page. */
function isPublicHost(text: string, at: number): boolean {
  return /^(?:o[0-9]{1,12}\.)?(?:ingest\.(?:[a-z]{2}\.)?)?sentry\.io\//.test(text.slice(at, at + 64))
}
