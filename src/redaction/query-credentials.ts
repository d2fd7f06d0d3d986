// Finds credentials in the query of an address under names that say nothing elsewhere: `?code=…`, `&key=…`, `&sig=…`.
import { looksRandom } from './looks-random.js'
import { isNoSecret } from './no-secret.js'
import type { Stretch } from './stretch.js'

const parameter =
  /(?<=[?&#;])(?:key|code|auth|sig|(?:x-(?:amz|goog)-)?signature|ticket|appid|sid|session|jwt|oobcode|hash|k|invite|hapikey|pwd|pass|samlresponse|code_verifier)(?:=|%3d)([\w.~+/%:=-]{4,4096})/gi

export function* queryCredentials(text: string): Iterable<Stretch> {
  for (const match of text.matchAll(parameter)) {
    const [whole, value = ''] = match
    const name = whole.slice(0, whole.length - value.length).replace(/=|%3d$/i, '')
    const to = match.index + whole.length
    const isOne = /^(?:pwd|pass)$/i.test(name) ? !isNoSecret(value) : value.length >= 16 && looksRandom(value)
    if (isOne) yield { from: to - value.length, to }
  }
}
