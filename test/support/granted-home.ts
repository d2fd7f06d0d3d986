// Homes with an allowlist in them, hosts that tell what the plugin tells, and what the capability gate decided there: for stories of it.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GateModes } from '../../src/gates/gate.js'
import type { Payload } from './attached-host.js'
import type { ExportedLine } from './exported-lines.js'
import { askedCall, type PayloadPlace } from './hermes-payloads.js'
import { homeForService, writeSettings } from './service-process.js'
import { type Ran, stele } from './stele-command.js'
import { temporaryFolder } from './temporary-folder.js'

/** What the plugin tells where somebody sits at the host, which asks before it runs what was questioned. */
export const personThere: Payload = { attended: 'attended', last_in_order: true, approvals_off: false }

export interface GrantedHome {
  readonly home: string
  /** Holds what only the owner knows. */
  readonly passphraseFile: string
  /** The owner speaks: with the passphrase, since hosts are attached. */
  owner(...words: string[]): Ran
  /** Any other command about the home. */
  stele(...words: string[]): Ran
  setMode(mode: GateModes['capability']): void
  writeAllowlist(text: string): void
}

export interface GrantedHomeOptions {
  readonly mode?: GateModes['capability']
  readonly allowlist?: string
  /** A folder that is the home; the parent is made. Another temporary one where it is left out. */
  readonly home?: string
}

export function grantedHome({ mode = 'observe', allowlist, home: folder }: GrantedHomeOptions = {}): GrantedHome {
  const home = folder ?? homeForService()
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const passphrase = join(temporaryFolder(), 'passphrase')
  writeFileSync(passphrase, 'correct horse battery\n', { mode: 0o600 })
  // Settings of nobody's Hermes.
  const env = { HERMES_HOME: '' }
  const made = stele(['init', '--passphrase-file', passphrase, '--quiet', '--home', home], { env })
  if (made.status !== 0) throw new Error(made.stderr)
  const granted: GrantedHome = {
    home,
    passphraseFile: passphrase,
    owner: (...words) => stele([...words, '--passphrase-file', passphrase, '--home', home], { env }),
    stele: (...words) => stele([...words, '--home', home], { env }),
    setMode: (wanted) => writeSettings(home, { capability: { mode: wanted } }),
    writeAllowlist: (text) => writeFileSync(join(home, 'allowlist.yaml'), text, { mode: 0o600 }),
  }
  granted.setMode(mode)
  if (allowlist !== undefined) granted.writeAllowlist(allowlist)
  return granted
}

/** A folder with something to read in it, under its real name. */
export function projectFolder(): string {
  const folder = realpathSync(temporaryFolder())
  mkdirSync(join(folder, 'docs'))
  writeFileSync(join(folder, 'docs', 'notes.md'), 'tidy me\n')
  return folder
}

/** A call as an attached host brings it, asked for in a folder. */
export function callIn(cwd: string, tool: string, args: object, place: PayloadPlace = {}, host: Payload = personThere): Payload {
  return { ...askedCall(tool, args, place), cwd, host }
}

/** The outcome of that call. */
export function outcomeOf(call: Payload, status: string): Payload {
  const extra = { ...(call['extra'] as Payload), status, result: '' }
  return { ...call, hook_event_name: 'post_tool_call', extra }
}

/** What the capability gate decided, oldest first. */
export function capabilityDecisions(lines: readonly ExportedLine[]): ExportedLine[] {
  return lines.filter(({ type, data }) => type === 'gate.decided' && data['gate'] === 'capability')
}

export const briefly = ({ data }: ExportedLine): string => `${data['verdict']} ${data['code']}`
