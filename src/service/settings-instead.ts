// The settings of a file as what is to hold instead of what was in force: only keys that stand in it. Of the environment, `.env` and Hermes'
// own file nothing counts here: the question is what this file would have changed.
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { SteleError } from '../foundation/stele-error.js'
import type { OtherSettings } from '../replay/other-settings.js'
import { type Config, readConfig } from './config.js'

/** Throws `FILE_UNREADABLE` and `CONFIG_INVALID`. */
export function settingsInstead(file: string): OtherSettings {
  if (!existsSync(file)) throw new SteleError('FILE_UNREADABLE', { option: '--config' })
  const path = resolve(file)
  const { config, from } = readConfig({ home: dirname(path), file: path, hermesHome: undefined, environment: {} })
  return settingsOf(config, (key) => from[key] !== undefined && from[key] !== 'default')
}

function settingsOf({ provenance, capability, retention }: Config, isSet: (key: string) => boolean): OtherSettings {
  const { mode, search, scope, evidence } = provenance
  return {
    provenance: {
      ...(isSet('provenance.mode') ? { mode } : {}),
      ...(isSet('provenance.search') ? { search } : {}),
      ...(isSet('provenance.scope') ? { scope } : {}),
      ...(evidence === undefined ? {} : { evidence }),
    },
    ...(isSet('retention.messagesDays') || isSet('retention.days') ? { messagesDays: retention.messagesDays } : {}),
    capability: { ...(isSet('capability.mode') ? { mode: capability.mode } : {}) },
  }
}
