// Puts a home together: where it is, its settings, and the ledger that follows from them. The only place that knows all of these.
import { basename, dirname, resolve } from 'node:path'
import { type Anchor, mirrorAnchor, syslogAnchor } from '../ledger/anchor.js'
import { type HomeFiles, homeFiles } from '../ledger/home-files.js'
import type { Ledger } from '../ledger/ledger.js'
import { createLedger, type LedgerSettings, type NewStart, openLedger, reanchorLedger } from '../ledger/open-ledger.js'
import { systemWorld } from '../ledger/system-world.js'
import { type Config, type ConfigPlaces, type ReadConfig, readConfig } from './config.js'

export interface Home extends ReadConfig {
  readonly files: HomeFiles
  /** Where the settings were read, to read them again. */
  readonly places: ConfigPlaces
}

/** The files and settings of a home, whether or not it has been made yet. Throws `CONFIG_INVALID` or `FILE_UNREADABLE`. */
export function findHome(folder: string, environment: NodeJS.ProcessEnv = process.env): Home {
  const files = homeFiles(folder)
  const places = { home: folder, file: files.config, hermesHome: hermesHomeOf(folder, environment), environment }
  return { files, places, ...readConfig(places) }
}

/** A home in a Hermes home belongs to that one, whatever the environment says: each profile has its own. */
export function hermesHomeOf(folder: string, environment: NodeJS.ProcessEnv): string | undefined {
  const data = dirname(resolve(folder))
  if (basename(resolve(folder)) === 'stele' && basename(data) === 'plugin-data') return dirname(data)
  return environment['HERMES_HOME'] ? resolve(environment['HERMES_HOME']) : undefined
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
