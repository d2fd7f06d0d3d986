// The allowlist of a home, put into force for a service: from its file, by the environment of the service, with the places that it protects.
import type { FileLook } from '../hooks/file-look.js'
import { allowlistFile } from './allowlist-file.js'
import type { LedgerOfHome } from './ledger-of-home.js'
import type { Home } from './open-home.js'
import { followedPolicy, policyBytes, readPolicy, usablePolicy, writePolicy } from './policy-file.js'
import { PolicyInForce, type ReadPolicyText } from './policy-in-force.js'
import { protectedPlaces } from './protected-places.js'
import type { RedactorInForce } from './redactor-in-force.js'
import type { SettingsInForce } from './settings-in-force.js'

export interface PolicyOfHomeOptions {
  readonly home: Home
  readonly environment: NodeJS.ProcessEnv
  readonly ledger: LedgerOfHome
  readonly settings: SettingsInForce
  readonly secrets: RedactorInForce
  readonly look: FileLook
  /** What the ledger says was taken up last, before this service began. */
  readonly before: ReadPolicyText | undefined
}

export function policyOfHome(options: PolicyOfHomeOptions): Promise<PolicyInForce> {
  const { home, ledger, settings, secrets, look, before } = options
  const { files, places } = home
  const { kept } = ledger
  const variables = { ...options.environment, ...(places.hermesHome === undefined ? {} : { HERMES_HOME: places.hermesHome }) }
  const ledPatterns = new Map<string, string | undefined>()
  const ledPlaces = new Map<string, string>()
  return PolicyInForce.open({
    file: () => settings.config.capability.allowlist,
    guards: () => settings.config.capability.mode === 'enforce' && settings.config.reload !== 'auto',
    bytesOf: policyBytes,
    read: async (bytes) => followedPolicy(usablePolicy(readPolicy(allowlistFile(bytes), variables)), look, ledPatterns),
    write: writePolicy,
    protectedPlaces: (allowlist) => {
      const named = { home: files.home, hermesHome: places.hermesHome, allowlist, environment: options.environment }
      return protectedPlaces(named, look, ledPlaces)
    },
    now: () => performance.now(),
    before,
    digest: (text) => kept.ledger.digest('file', text),
    redactor: () => secrets.redactor(settings.config.redaction.patterns),
    record: async (events) => {
      await (await kept.ready()).append(events)
    },
  })
}
