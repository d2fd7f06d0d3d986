// The settings of a file as what is to hold instead of what was in force: only keys that stand in it. Of the environment, `.env` and Hermes'
// own file nothing counts here: the question is what this file would have changed.
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { SteleError } from '../foundation/stele-error.js'
import { millionths } from '../gates/jev/decisions.js'
import { riskSettingsOf, verificationSettingsOf } from '../outbound/config.js'
import type { OtherSettings } from '../replay/other-settings.js'
import { type Config, readConfig } from './config.js'

/** Throws `FILE_UNREADABLE` and `CONFIG_INVALID`. */
export function settingsInstead(file: string): OtherSettings {
  if (!existsSync(file)) throw new SteleError('FILE_UNREADABLE', { option: '--config' })
  const path = resolve(file)
  const { config, from } = readConfig({ home: dirname(path), file: path, hermesHome: undefined, environment: {} })
  return settingsOf(config, (key) => from[key] !== undefined && from[key] !== 'default')
}

function settingsOf({ provenance, capability, retention, jev }: Config, isSet: (key: string) => boolean): OtherSettings {
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
    jev: jevInstead(jev, isSet),
  }
}

function jevInstead(jev: Config['jev'], isSet: (key: string) => boolean): NonNullable<OtherSettings['jev']> {
  const { approvalThreshold, uncertainBelow, thresholds = {}, requestedExternal, plainlyDestructive } = riskSettingsOf(jev)
  const { continueThreshold, confidenceOver } = verificationSettingsOf(jev)
  // A threshold of a dimension has no default: where there is one it stands in the file.
  const dimensions = Object.fromEntries(Object.entries(thresholds).map(([name, value]) => [name, millionths(value)]))
  return {
    ...(isSet('jev.risk_gate.approval_threshold') ? { approval: millionths(approvalThreshold) } : {}),
    ...(isSet('jev.risk_gate.uncertain_below') ? { uncertain: millionths(uncertainBelow) } : {}),
    dimensions,
    rules: {
      ...(isSet('jev.risk_gate.requested_external') ? { requestedExternal } : {}),
      ...(isSet('jev.risk_gate.plainly_destructive') ? { plainlyDestructive } : {}),
    },
    ...(isSet('jev.verify.continue_threshold') ? { continueAt: millionths(continueThreshold) } : {}),
    ...(isSet('jev.verify.confidence_over') ? { confidenceOver } : {}),
  }
}
