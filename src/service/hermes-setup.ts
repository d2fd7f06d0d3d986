// Puts Stele into a Hermes home and takes it out again: the plugin or the shell hooks, the settings that name them, and the home.
// It must never start or stop a gateway, and never gives Hermes' consent in its owner's place.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { hasCode, SteleError } from '../foundation/stele-error.js'
import { addItem, formerAt, itemsAt, type ListPlace, parseHermesConfig, removeItems, setCommand } from './hermes-config.js'
import { backupTexts, readHermesConfigFile, writeHermesConfigFile } from './hermes-config-file.js'
import {
  type HermesPlugin,
  lookAtHermesPlugin,
  placeHermesPlugin,
  readPackagedPlugin,
  removeHermesPlugin,
} from './hermes-plugin.js'
import { createHome, type Home } from './open-home.js'

/** How payloads reach Stele: by the plugin, or by a process for each hook. */
export type HermesWay = 'plugin' | 'shell'

export interface HermesSetup {
  readonly hermesHome: string
  readonly home: Home
  /** Program name and version, for a ledger that is made. */
  readonly program: string
  /** The package's folder of the plugin. */
  readonly pluginSource: string
  /** Node and the program. */
  readonly command: readonly [node: string, main: string]
}

export interface HermesInstalled {
  readonly way: HermesWay
  /** The path of config.yaml. */
  readonly config: string
  readonly configChanged: boolean
  /** Where the former config.yaml lies, if there was one and it changed. */
  readonly backup: string | undefined
  /** What was done to the plugin's folder; undefined for shell hooks. */
  readonly plugin: 'copied' | 'replaced' | 'same' | undefined
  readonly pluginFolder: string
  /** The other way, where it had been put in before: both would record everything twice. */
  readonly tookOut: HermesWay | undefined
  readonly homeCreated: boolean
  readonly shell: ShellHooksState
}

export interface HermesUninstalled {
  readonly config: string
  readonly configChanged: boolean
  /** The file had been made by the install and held nothing else. */
  readonly configRemoved: boolean
  readonly backup: string | undefined
  readonly plugin: 'removed' | 'absent' | 'foreign'
  readonly pluginFolder: string
  readonly hooksRemoved: number
  /** Consents to hooks that are not there any more; Hermes keeps them. */
  readonly consents: number
  readonly command: string
}

export interface HermesStatus {
  readonly hermesHome: string
  readonly config: string
  readonly plugin: HermesPlugin & { readonly enabled: 'yes' | 'no' | 'disabled' }
  readonly shell: ShellHooksState
  readonly home: { readonly folder: string; readonly made: boolean }
}

export interface ShellHooksState {
  readonly command: string
  /** Hooks that run this command. */
  readonly hooks: number
  /** Hooks that run a Stele, but not by this command. */
  readonly outdated: number
  readonly of: number
  /** Hooks that the owner has let Hermes run. */
  readonly accepted: number
}

const shellHooks = [
  'pre_llm_call',
  'pre_tool_call',
  'post_tool_call',
  'on_session_start',
  'on_session_end',
  'on_session_finalize',
  'pre_verify',
]
const shellTimeoutSeconds = 10
const enabledPlace: ListPlace = ['plugins', 'enabled']
const disabledPlace: ListPlace = ['plugins', 'disabled']
// The first line of a config.yaml that was not there before, so that it can go again.
const madeLine = '# Made by `stele hermes install`.\n'

/** `--hermes-home`, else `$HERMES_HOME`, else `~/.hermes`. */
export function hermesHomeFolder(asked: string | undefined, environment: NodeJS.ProcessEnv): string {
  return resolve(asked ?? (environment['HERMES_HOME'] || join(homedir(), '.hermes')))
}

export async function installHermesSetup(setup: HermesSetup, way: HermesWay): Promise<HermesInstalled> {
  const { hermesHome } = setup
  assertHermesHome(hermesHome)
  const files = way === 'plugin' ? readPackagedPlugin(setup.pluginSource, setup.command) : new Map()
  const plugin = lookAtHermesPlugin(hermesHome, files)
  if (way === 'plugin' && plugin.state === 'foreign') throw new SteleError('HERMES_PLUGIN_FOREIGN', { folder: 'plugins/stele' })
  const config = readHermesConfigFile(hermesHome)
  const former = config.text ?? madeLine
  if (way === 'plugin' && itemsAt(parseHermesConfig(former), disabledPlace).includes('stele'))
    throw new SteleError('HERMES_PLUGIN_DISABLED')
  const other: HermesWay = way === 'plugin' ? 'shell' : 'plugin'
  const without = withoutStele(former, originalsOf(setup, former), [other], setup)
  const text = withStele(without, [way], shellCommand(setup), setup)
  const hasOtherFolder = way === 'shell' && isOurs(plugin)
  // Whatever can be refused has been by now.
  const homeCreated = await makeHome(setup)
  if (way === 'plugin' && plugin.state !== 'same') placeHermesPlugin(hermesHome, files)
  const configChanged = text !== config.text
  const backup = configChanged ? writeHermesConfigFile(config, text) : undefined
  if (hasOtherFolder) removeHermesPlugin(hermesHome)
  const done = plugin.state === 'absent' ? 'copied' : 'replaced'
  return {
    way,
    config: config.path,
    configChanged,
    backup,
    plugin: way === 'shell' ? undefined : plugin.state === 'same' ? 'same' : done,
    pluginFolder: plugin.folder,
    tookOut: without !== former || hasOtherFolder ? other : undefined,
    homeCreated,
    shell: shellHooksState(setup, text),
  }
}

/** Takes out whatever of Stele is there. The ledger's home stays. */
export function uninstallHermesSetup(setup: HermesSetup): HermesUninstalled {
  const { hermesHome } = setup
  assertHermesHome(hermesHome)
  const plugin = lookAtHermesPlugin(hermesHome, new Map())
  const config = readHermesConfigFile(hermesHome)
  const former = config.text ?? ''
  const text = withoutStele(former, originalsOf(setup, former), ['plugin', 'shell'], setup)
  const configChanged = text !== former
  const configRemoved = configChanged && text === madeLine
  const backup = configChanged ? writeHermesConfigFile(config, configRemoved ? undefined : text) : undefined
  if (isOurs(plugin)) removeHermesPlugin(hermesHome)
  return {
    config: config.path,
    configChanged,
    configRemoved,
    backup,
    plugin: isOurs(plugin) ? 'removed' : plugin.state === 'foreign' ? 'foreign' : 'absent',
    pluginFolder: plugin.folder,
    hooksRemoved: hookEntries(former, setup).length,
    consents: shellHooksState(setup, text).accepted,
    command: shellCommand(setup),
  }
}

export function readHermesStatus(setup: HermesSetup): HermesStatus {
  const { hermesHome, home } = setup
  assertHermesHome(hermesHome)
  const config = readHermesConfigFile(hermesHome)
  const parsed = parseHermesConfig(config.text ?? '')
  const isIn = (place: ListPlace): boolean => itemsAt(parsed, place).includes('stele')
  return {
    hermesHome,
    config: config.path,
    plugin: {
      ...lookAtHermesPlugin(hermesHome, readPackagedPlugin(setup.pluginSource, setup.command)),
      enabled: isIn(disabledPlace) ? 'disabled' : isIn(enabledPlace) ? 'yes' : 'no',
    },
    shell: shellHooksState(setup, config.text ?? ''),
    home: { folder: home.files.home, made: existsSync(home.files.store) },
  }
}

function assertHermesHome(folder: string): void {
  try {
    if (statSync(folder).isDirectory()) return
  } catch (cause) {
    throw new SteleError('HERMES_HOME_MISSING', {}, { cause })
  }
  throw new SteleError('HERMES_HOME_MISSING')
}

function isOurs({ state }: HermesPlugin): boolean {
  return state === 'same' || state === 'differs'
}

/** Whether it was made just now. While a service holds the store it is there already. */
async function makeHome({ home, program }: HermesSetup): Promise<boolean> {
  try {
    const { ledger, created } = await createHome(home, program)
    await ledger.close()
    return created
  } catch (error) {
    if (hasCode(error, 'STORE_LOCKED')) return false
    throw error
  }
}

function withStele(text: string, ways: readonly HermesWay[], command: string, setup: HermesSetup): string {
  let changed = text
  if (ways.includes('plugin') && !itemsAt(parseHermesConfig(changed), enabledPlace).includes('stele'))
    changed = addItem(changed, enabledPlace, 'stele')
  if (ways.includes('shell')) {
    for (const hook of shellHooks) {
      const entries = hookEntries(changed, setup).filter((entry) => entry.hook === hook)
      if (entries.length === 0) changed = addItem(changed, ['hooks', hook], { command, timeout: shellTimeoutSeconds })
      // What else the owner has set in our entry stays.
      for (const { index, command: former } of entries)
        if (former !== command) changed = setCommand(changed, ['hooks', hook], index, command)
    }
  }
  return changed
}

/**
 * Where doing it again to one of the originals gives this very text, that original is what was there before, to the byte.
 * Else somebody has changed the file since: our items are taken out one by one.
 */
function withoutStele(text: string, originals: readonly string[], ways: readonly HermesWay[], setup: HermesSetup): string {
  const present = waysIn(text, setup).filter((way) => ways.includes(way))
  if (present.length === 0) return text
  const before = originals.filter((original) => !waysIn(original, setup).some((way) => present.includes(way)))
  const [command = '', ...others] = new Set(hookEntries(text, setup).map((entry) => entry.command))
  const original = before.find((each) => others.length === 0 && attempt(() => withStele(each, present, command, setup)) === text)
  if (original !== undefined) return original
  const [newest] = before
  const known = newest === undefined ? undefined : parseHermesConfig(newest)
  const former = (names: readonly string[]) => (known === undefined ? 'value' : formerAt(known, names))
  let changed = text
  if (present.includes('plugin')) changed = removeItems(changed, enabledPlace, (item) => item === 'stele', former)
  if (present.includes('shell'))
    for (const hook of shellHooks)
      changed = removeItems(changed, ['hooks', hook], (item) => isOurHook(commandOf(item), setup), former)
  return changed
}

/** What config.yaml may have been before: its backups, and nothing at all where we made it. */
function originalsOf({ hermesHome }: HermesSetup, text: string): string[] {
  const readable = backupTexts(hermesHome).filter((backup) => attempt(() => parseHermesConfig(backup)) !== undefined)
  return text.startsWith(madeLine) ? [...readable, madeLine] : readable
}

/** A place that holds no list holds nothing of ours. Throws where the text is no settings at all. */
function waysIn(text: string, setup: HermesSetup): HermesWay[] {
  const ways: HermesWay[] = []
  const config = parseHermesConfig(text)
  if (attempt(() => itemsAt(config, enabledPlace))?.includes('stele')) ways.push('plugin')
  if (hookEntries(text, setup).length > 0) ways.push('shell')
  return ways
}

function hookEntries(text: string, setup: HermesSetup): { hook: string; index: number; command: string }[] {
  const config = parseHermesConfig(text)
  return shellHooks.flatMap((hook) =>
    (attempt(() => itemsAt(config, ['hooks', hook])) ?? []).flatMap((item, index) => {
      const command = commandOf(item)
      return isOurHook(command, setup) ? [{ hook, index, command }] : []
    }),
  )
}

function commandOf(item: unknown): string {
  const command: unknown = item instanceof Map ? item.get('command') : undefined
  return typeof command === 'string' ? command : ''
}

/** Of this program, or of one that an update or a move has left behind. */
function isOurHook(command: string, { command: [, main] }: HermesSetup): boolean {
  return command.endsWith(` ${shellWord(main)} hook`) || /[\\/]stele[\\/]dist[\\/]cli[\\/]main\.js['"]? hook$/.test(command)
}

function shellCommand({ command }: HermesSetup): string {
  return [...command.map(shellWord), 'hook'].join(' ')
}

/** One word for a tokeniser that knows the quotes of a shell. */
function shellWord(word: string): string {
  return /^[\w/.:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`
}

function shellHooksState(setup: HermesSetup, text: string): ShellHooksState {
  const command = shellCommand(setup)
  const entries = hookEntries(text, setup)
  const current = entries.filter((entry) => entry.command === command)
  const consents = new Set(
    consentsIn(setup.hermesHome).flatMap((consent) => (consent.command === command ? [consent.event] : [])),
  )
  return {
    command,
    hooks: new Set(current.map(({ hook }) => hook)).size,
    outdated: entries.length - current.length,
    of: shellHooks.length,
    accepted: shellHooks.filter((hook) => consents.has(hook)).length,
  }
}

/** Hermes' own list of what its owner has let it run; read, and never written. */
function consentsIn(hermesHome: string): { event?: unknown; command?: unknown }[] {
  try {
    const { approvals } = JSON.parse(readFileSync(join(hermesHome, 'shell-hooks-allowlist.json'), 'utf8')) as {
      approvals: unknown
    }
    return Array.isArray(approvals) ? approvals.filter((each) => typeof each === 'object' && each !== null) : []
  } catch {
    return []
  }
}

function attempt<Value>(call: () => Value): Value | undefined {
  try {
    return call()
  } catch (error) {
    if (error instanceof SteleError) return undefined
    throw error
  }
}
