// Puts a home together: where it is, its settings, and the ledger that follows from them. The only place that knows all of these.
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Anchor, mirrorAnchor, syslogAnchor } from '../ledger/anchor.js'
import { type HomeFiles, homeFiles } from '../ledger/home-files.js'
import type { Ledger } from '../ledger/ledger.js'
import { createLedger, type LedgerSettings, type NewStart, openLedger, reanchorLedger } from '../ledger/open-ledger.js'
import { systemWorld } from '../ledger/system-world.js'
import { type Config, readConfig } from './config.js'

export interface Home {
  readonly files: HomeFiles
  readonly config: Config
}

/** `--home`, else `$STELE_HOME`, else `$HERMES_HOME/plugin-data/stele`, else `~/.hermes/plugin-data/stele`. */
export function homeFolder(asked: string | undefined, environment: NodeJS.ProcessEnv): string {
  if (asked !== undefined) return resolve(asked)
  if (environment['STELE_HOME']) return resolve(environment['STELE_HOME'])
  return resolve(environment['HERMES_HOME'] || join(homedir(), '.hermes'), 'plugin-data', 'stele')
}

/** The files and settings of a home, whether or not it has been made yet. Throws `CONFIG_INVALID`. */
export function findHome(folder: string): Home {
  const files = homeFiles(folder)
  return { files, config: readConfig(folder, files.config) }
}

export function createHome({ files, config }: Home, program: string): Promise<{ ledger: Ledger; created: boolean }> {
  return createLedger(files, settingsOf(config, program))
}

export function openHome({ files, config }: Home, program: string): Promise<Ledger> {
  return openLedger(files, settingsOf(config, program))
}

export function reanchorHome({ files, config }: Home, program: string, reason: string): Promise<NewStart> {
  return reanchorLedger(files, settingsOf(config, program), reason)
}

function settingsOf({ checkpoint, highWater }: Config, program: string): LedgerSettings {
  const anchors: Anchor[] = []
  if (checkpoint.anchor === 'syslog') anchors.push(syslogAnchor())
  if (checkpoint.mirror !== undefined) anchors.push(mirrorAnchor(checkpoint.mirror))
  return { origin: checkpoint.origin, anchors, markMirror: highWater.mirror, world: systemWorld(), program }
}
