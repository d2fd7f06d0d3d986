// Finds user and password in addresses of any scheme.
import type { Stretch } from './assigned-values.js'
import { looksRandom } from './looks-random.js'
import { isMarker } from './markers.js'
import { isNoSecret } from './no-secret.js'

/** Name and password before the host. A name alone is one where it looks like chance. */
export function* urlCredentials(text: string): Iterable<Stretch> {
  const users = /(?<=[A-Za-z][A-Za-z0-9+.-]{0,31}:\/\/)[^\s/?#"'<>`\\]{1,1024}@/g
  for (let match = users.exec(text); match !== null; match = users.exec(text)) {
    const user = match[0].slice(0, -1)
    const colon = user.indexOf(':')
    const password = colon < 0 ? '' : user.slice(colon + 1)
    const name = colon < 0 ? user : user.slice(0, colon)
    const isSecret = password === '' ? looksRandom(name) : !isNoSecret(password)
    if (isSecret && !isMarker(user)) yield { from: match.index, to: match.index + user.length }
  }
}
