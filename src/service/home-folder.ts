// Which folder is the home. Apart, since the shell hook must find it without loading anything else.
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** `--home`, else `$STELE_HOME`, else `$HERMES_HOME/plugin-data/stele`, else `~/.hermes/plugin-data/stele`. */
export function homeFolder(asked: string | undefined, environment: NodeJS.ProcessEnv): string {
  if (asked !== undefined) return resolve(asked)
  if (environment['STELE_HOME']) return resolve(environment['STELE_HOME'])
  return resolve(environment['HERMES_HOME'] || join(homedir(), '.hermes'), 'plugin-data', 'stele')
}
