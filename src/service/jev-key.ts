// The key of the decision model: from the service's own environment or the host's `.env`, and from no settings file. It is handed to the client
// and to the redactor, and shown nowhere: what may be told is whether there is one.
import { isJevKey } from '../outbound/jev-address.js'
import { type ConfigPlaces, configFileOf, jevKeyVariable } from './config.js'
import { readEnvVariables } from './config-variables.js'

/** `unfit`: what stands there cannot be a key, so nothing is asked. */
export type JevKey =
  | { readonly state: 'missing'; readonly from?: undefined; readonly key?: undefined }
  | { readonly state: 'unfit'; readonly from: 'environment' | '.env'; readonly key?: undefined }
  | { readonly state: 'present'; readonly from: 'environment' | '.env'; readonly key: string }

/** The environment has the last word, as for settings. Throws `FILE_UNREADABLE` or `CONFIG_INVALID` for a `.env` that cannot be read. */
export function readJevKey(places: ConfigPlaces): JevKey {
  const inEnvironment = places.environment[jevKeyVariable]?.trim() ?? ''
  if (inEnvironment !== '') return judged(inEnvironment, 'environment')
  const file = configFileOf(places, '.env')
  const inFile = file === undefined ? '' : (lastOf(readEnvVariables(file)) ?? '').trim()
  return inFile === '' ? { state: 'missing' } : judged(inFile, '.env')
}

/** Of lines that say it twice the host believes the last. */
function lastOf(variables: readonly (readonly [name: string, value: string])[]): string | undefined {
  return variables.findLast(([name]) => name === jevKeyVariable)?.[1]
}

function judged(text: string, from: 'environment' | '.env'): JevKey {
  return isJevKey(text) ? { state: 'present', from, key: text } : { state: 'unfit', from }
}
