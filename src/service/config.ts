// The settings in force: which keys there are, what each takes, and which of the five places it comes from.
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import type { WordKind } from '../events/word-kinds.js'
import { SteleError } from '../foundation/stele-error.js'
import { fieldBytesDefault, payloadBytesMax } from '../hooks/trim-payload.js'
import { defaultOrigin } from '../ledger/checkpoint.js'
import {
  isJevConfigKey,
  type JevConfig,
  jevConfigAllowed,
  jevConfigMember,
  jevConfigOf,
  jevConfigShape,
  jevReadings,
} from '../outbound/config.js'
import { areOwnPatterns } from '../redaction/own-pattern.js'
import { type ConfigPlace, configInvalid, type PlacedValue, readConfigFile } from './config-place.js'
import { type ConfigVariables, readEnvFile, readEnvironment, readEnvVariables, variableOf } from './config-variables.js'
import { type ConfigNote, readConfigYaml, readHermesYaml, withSetting } from './config-yaml.js'

/** The key of the decision model. No setting: it may stand in no settings file. */
export const jevKeyVariable = 'TYPESAFE_API_KEY'

const path = z.string().min(1)

/** So much text is judged in a few milliseconds: of the worst kind about six. */
const judgedBytesDefault = 64 * 1024

/** A hundred years. */
const daysMax = 36_500

function wholeNumber(least: number, most: number) {
  return z.int().min(least).max(most)
}

const listenSchema = z
  .string()
  .regex(/^(off|(127\.0\.0\.1|localhost|::1|\[::1\]):(0|[1-9][0-9]{0,4}))$/)
  .transform((text) => {
    if (text === 'off') return text
    const colon = text.lastIndexOf(':')
    return { host: text.slice(0, colon).replace(/[[\]]/g, ''), port: Number(text.slice(colon + 1)) }
  })
  .refine((listen) => listen === 'off' || listen.port <= 65_535)

/** Every key. A value as it is written goes in, the setting in force comes out. */
const settingsSchema = z.object({
  'provenance.mode': z.enum(['off', 'observe', 'block']).default('observe'),
  'provenance.search': z.enum(['session', 'profile']).default('session'),
  'provenance.scope': z.enum(['decisions', 'decisions+preferences']).default('decisions'),
  'provenance.evidence': z.enum(['any', 'attached']).optional(),
  'capability.mode': z.enum(['off', 'observe', 'enforce']).default('observe'),
  'capability.allowlist': path.default('allowlist.yaml'),
  'capture.arguments': z.enum(['judged', 'full', 'none']).default('judged'),
  'retention.days': wholeNumber(0, daysMax).default(30),
  'retention.messagesDays': wholeNumber(0, daysMax).optional(),
  'retention.toolsDays': wholeNumber(0, daysMax).optional(),
  'retention.sessionsDays': wholeNumber(0, daysMax).optional(),
  'retention.judgementsDays': wholeNumber(0, daysMax).optional(),
  reload: z.enum(['owner', 'auto']).default('owner'),
  'highWater.mirror': path.optional(),
  'checkpoint.anchor': z.enum(['syslog', 'none']).optional(),
  'checkpoint.mirror': path.optional(),
  // A name of a key: without blanks and plus signs (C2SP signed-note), and without a slash at its end.
  'checkpoint.origin': z
    .string()
    .regex(/^[^\s+]*[^\s+/]$/)
    .default(defaultOrigin),
  'service.listen': listenSchema.default({ host: '127.0.0.1', port: 0 }),
  'service.idleExitMinutes': wholeNumber(0, 1440).default(15),
  'redaction.patterns': z.string().refine(areOwnPatterns).optional(),
  'limits.hooksPerMinute': wholeNumber(1, 1_000_000).default(6000),
  'limits.bytesPerMinute': wholeNumber(1, 2 ** 40).default(2 ** 28),
  'limits.fieldBytes': wholeNumber(1024, payloadBytesMax).default(fieldBytesDefault),
  'limits.gapSeconds': wholeNumber(0, 3600).default(10),
  'limits.spoolWaitSeconds': wholeNumber(0, 3600).default(15),
  'limits.judgedBytes': wholeNumber(1024, payloadBytesMax).default(judgedBytesDefault),
  'limits.homeBytes': wholeNumber(0, 2 ** 50).default(10 * 2 ** 30),
  'limits.freeBytes': wholeNumber(0, 2 ** 50).default(2 ** 30),
  ...jevConfigShape,
})

type ConfigKey = keyof typeof settingsSchema.shape

const daysAllowed = 'a whole number of days from 1 to 36500, or 0 for ever'

/** What each key takes, for the error that names it. */
const allowed: Readonly<Record<ConfigKey, string>> = {
  'provenance.mode': 'off, observe or block',
  'provenance.search': 'session or profile',
  'provenance.scope': 'decisions or decisions+preferences',
  'provenance.evidence': 'any or attached',
  'capability.mode': 'off, observe or enforce',
  'capability.allowlist': 'a path',
  'capture.arguments': 'judged, full or none',
  'retention.days': daysAllowed,
  'retention.messagesDays': daysAllowed,
  'retention.toolsDays': daysAllowed,
  'retention.sessionsDays': daysAllowed,
  'retention.judgementsDays': daysAllowed,
  reload: 'owner or auto',
  'highWater.mirror': 'a path',
  'checkpoint.anchor': 'syslog or none',
  'checkpoint.mirror': 'a path',
  'checkpoint.origin': 'a name such as example.com/agents, without blanks or +',
  'service.listen': 'off, or 127.0.0.1, ::1 or localhost with a port, such as 127.0.0.1:0',
  'service.idleExitMinutes': 'a whole number from 1 to 1440, or 0 for never',
  'redaction.patterns':
    'texts of four characters or more with a comma between them, * at most once in each, as in acme-*, ticket-*-key',
  'limits.hooksPerMinute': 'a whole number from 1 to 1000000',
  'limits.bytesPerMinute': 'a whole number from 1 to 1099511627776',
  'limits.fieldBytes': 'a whole number from 1024 to 16777216',
  'limits.gapSeconds': 'a whole number from 0 to 3600',
  'limits.spoolWaitSeconds': 'a whole number from 0 to 3600',
  'limits.judgedBytes': 'a whole number from 1024 to 16777216',
  'limits.homeBytes': 'a whole number from 1 to 1125899906842624, or 0 for none',
  'limits.freeBytes': 'a whole number from 1 to 1125899906842624, or 0 for never',
  ...jevConfigAllowed,
}

// There it is a plugin's own, and 0 means that nothing is kept.
const seedRetention = 'PROVENANCE_GATE_RETENTION_DAYS'

const mayBeOff: readonly ConfigKey[] = ['provenance.mode', 'capability.mode', 'service.listen']

const keys = Object.keys(settingsSchema.shape) as ConfigKey[]

// The places that people know from the plugins that Stele takes over from. Each counts for less than our own beside it.
const variables: ConfigVariables = new Map([
  ['PROVENANCE_GATE_MODE', 'provenance.mode'],
  ['PROVENANCE_GATE_SEARCH', 'provenance.search'],
  ['PROVENANCE_GATE_SCOPE', 'provenance.scope'],
  [seedRetention, 'retention.days'],
  ...keys.map((key): [string, string] => [variableOf(key), key]),
])
const hermesSeeds = {
  names: { 'plugins.entries.capability-gate.mode': 'capability.mode' },
  trees: { 'plugins.entries.jev-router.settings': 'jev' },
}

type Settings = z.output<typeof settingsSchema>

export interface Config {
  readonly provenance: {
    readonly mode: Settings['provenance.mode']
    readonly search: Settings['provenance.search']
    readonly scope: Settings['provenance.scope']
    /** Undefined: whatever was typed while the gate observes; what an attached host vouches for while it blocks and one is attached. */
    readonly evidence: 'any' | 'attached' | undefined
  }
  readonly capability: {
    readonly mode: Settings['capability.mode']
    /** The owner's file of grants. */
    readonly allowlist: string
  }
  readonly capture: { readonly arguments: Settings['capture.arguments'] }
  /** Days that words are kept, by kind; 0 for ever. */
  readonly retention: {
    readonly days: number
    readonly messagesDays: number
    readonly toolsDays: number
    readonly sessionsDays: number
    readonly judgementsDays: number
  }
  readonly reload: Settings['reload']
  readonly highWater: { readonly mirror: string | undefined }
  readonly checkpoint: {
    readonly anchor: 'syslog' | 'none'
    readonly mirror: string | undefined
    readonly origin: string
  }
  readonly service: {
    readonly listen: { readonly host: string; readonly port: number } | 'off'
    /** 0: never. */
    readonly idleExitMinutes: number
  }
  readonly redaction: { readonly patterns: string | undefined }
  readonly limits: {
    readonly hooksPerMinute: number
    readonly bytesPerMinute: number
    readonly fieldBytes: number
    readonly gapSeconds: number
    readonly spoolWaitSeconds: number
    readonly judgedBytes: number
    /** What the whole home may take before it is told; 0: anything. */
    readonly homeBytes: number
    /** With less free on its disk that is told; 0: never. */
    readonly freeBytes: number
  }
  readonly jev: JevConfig
}

export interface ConfigPlaces {
  readonly home: string
  /** config.yaml in the home. */
  readonly file: string
  readonly hermesHome: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
}

export interface ReadConfig {
  readonly config: Config
  /** Key → the place of its value, with the name it has there where that is not the key: `default`, `environment STELE_RELOAD`. */
  readonly from: Readonly<Record<string, string>>
  /** What stands in another plugin's own place and sets nothing. */
  readonly notes: readonly ConfigNote[]
}

/** Reads the settings of a home; what is set nowhere has its default. Throws `CONFIG_INVALID` or `FILE_UNREADABLE`. */
export function readConfig(places: ConfigPlaces): ReadConfig {
  const from = new Map<string, string>(keys.map((key) => [key, 'default']))
  const written = new Map<string, unknown>()
  const { values, notes } = placedValues(places)
  for (const placed of values) {
    written.set(placed.key, judgedValue(placed))
    from.set(placed.key, placed.name === undefined ? placed.place : `${placed.place} ${placed.name}`)
  }
  const settings = settingsSchema.parse(Object.fromEntries(written))
  return { config: configOf(settings, places.home), from: Object.fromEntries(from), notes }
}

/** Days that words are kept, by kind; 0 for ever. */
export function retentionDays({ retention }: Config): Readonly<Record<WordKind, number>> {
  return {
    messages: retention.messagesDays,
    tools: retention.toolsDays,
    sessions: retention.sessionsDays,
    judgements: retention.judgementsDays,
  }
}

/** The files whose change may change the settings, for watching. */
export function configFiles(places: ConfigPlaces): readonly string[] {
  return Object.values(filesOf(places))
}

/** The file behind a place as `from` names it; undefined for the environment and defaults. */
export function configFileOf(places: ConfigPlaces, from: string): string | undefined {
  return Object.entries(filesOf(places)).find(([place]) => from === place || from.startsWith(`${place} `))?.[1]
}

export type SettingValue = string | number | boolean

/** A setting as it would be written in a variable; undefined where there is none. */
export function settingOf(config: Config, key: string): SettingValue | undefined {
  if (isJevConfigKey(key)) {
    const value = config.jev[jevConfigMember(key)]
    return typeof value === 'object' ? value.join(', ') || '[]' : value
  }
  const { listen } = config.service
  if (key === 'service.listen')
    return listen === 'off' ? listen : `${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}`
  const [section = '', member] = key.split('.')
  const found = new Map<string, unknown>(Object.entries(config)).get(section)
  const value = member === undefined ? found : new Map<string, unknown>(Object.entries(found ?? {})).get(member)
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

function filesOf({ file, hermesHome }: ConfigPlaces): Partial<Record<ConfigPlace, string>> {
  if (hermesHome === undefined) return { 'config.yaml': file }
  return { '.env': join(hermesHome, '.env'), 'Hermes config.yaml': join(hermesHome, 'config.yaml'), 'config.yaml': file }
}

/**
 * The environment for a service that a host's process starts: the host has put its `.env` into its own environment, and there a value would
 * stay what it was when the file is edited.
 */
export function serviceEnvironment({ environment, ...places }: ConfigPlaces): Record<string, string | undefined> {
  const file = filesOf({ environment, ...places })['.env']
  const named = file === undefined ? [] : readEnvFile(file, variables).map(({ name }) => name)
  const inFile = new Set<string | undefined>(file === undefined ? [] : [...named, ...standing(file)])
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !inFile.has(name)))
}

/** Variables of the file that are no settings, and yet are looked up there while a service runs. */
function standing(file: string): string[] {
  return readEnvVariables(file).flatMap(([name]) => (name === jevKeyVariable ? [name] : []))
}

/**
 * Writes one key into the home's own file, as a person would type its value. Throws `CONFIG_INVALID` where the settings could not be read
 * with it; then the file is as it was.
 */
export function writeSetting(places: ConfigPlaces, key: string, value: string): void {
  const draft = `${places.file}.new`
  const before = readConfigFile('config.yaml', places.file)?.toString() ?? ''
  try {
    writeFileSync(draft, withSetting(before, key, typedValue(key, value)), { mode: 0o600, flush: true })
    readConfig({ ...places, file: draft })
    renameSync(draft, places.file)
  } catch (cause) {
    rmSync(draft, { force: true })
    throw cause instanceof SteleError ? cause : new SteleError('FILE_UNWRITABLE', { file: 'config.yaml' }, { cause })
  }
}

/** A text as the value that it stands for. One that fits nothing stays a text, which the reading refuses. */
function typedValue(key: string, text: string): unknown {
  if (!isJevConfigKey(key)) return /^[0-9]+$/.test(text) ? Number(text) : text
  return jevReadings(text).find((value) => jevConfigShape[key].safeParse(value).success) ?? text
}

/** What every place says, the ones that count for less first. */
function placedValues(places: ConfigPlaces): { values: readonly PlacedValue[]; notes: readonly ConfigNote[] } {
  const files = filesOf(places)
  const file = files['Hermes config.yaml']
  const own = readConfigYaml(places.file, keys)
  const hermes = file === undefined ? undefined : readHermesYaml(file, keys, hermesSeeds)
  return {
    values: [
      ...own,
      ...(hermes?.values ?? []),
      ...(files['.env'] === undefined ? [] : readEnvFile(files['.env'], variables)),
      ...readEnvironment(places.environment, variables),
    ],
    notes: hermes?.notes ?? [],
  }
}

/** A value is judged where it stands, also where another place has the last word: a mistake must not wait there. */
function judgedValue(placed: PlacedValue): unknown {
  const { place, name, line } = placed
  const key = placed.key as ConfigKey
  if (name === seedRetention && Number(placed.value) === 0)
    throw configInvalid({
      key,
      name,
      place,
      line,
      allowed: `${daysAllowed.replace(', or 0 for ever', '')}; for ever is retention.days: 0`,
    })
  const fitting = readings(placed, key).find((value) => settingsSchema.shape[key].safeParse(value).success)
  if (fitting === undefined) throw configInvalid({ key, name, place, line, allowed: allowed[key] })
  return fitting
}

function readings({ place, value }: PlacedValue, key: ConfigKey): readonly unknown[] {
  // Hermes reads `off` as YAML 1.1 has it, and writes `false` whenever it saves the file.
  if (place === 'Hermes config.yaml' && value === false && mayBeOff.includes(key)) return ['off']
  const isVariable = place === 'environment' || place === '.env'
  if (isVariable && isJevConfigKey(key)) return jevReadings(String(value))
  return isVariable && /^(0|[1-9][0-9]{0,15})$/.test(String(value)) ? [value, Number(value)] : [value]
}

function configOf(settings: Settings, home: string): Config {
  const days = settings['retention.days']
  return {
    provenance: {
      mode: settings['provenance.mode'],
      search: settings['provenance.search'],
      scope: settings['provenance.scope'],
      evidence: settings['provenance.evidence'],
    },
    capability: { mode: settings['capability.mode'], allowlist: pathIn(home, settings['capability.allowlist']) },
    capture: { arguments: settings['capture.arguments'] },
    retention: {
      days,
      messagesDays: settings['retention.messagesDays'] ?? days,
      toolsDays: settings['retention.toolsDays'] ?? days,
      sessionsDays: settings['retention.sessionsDays'] ?? days,
      judgementsDays: settings['retention.judgementsDays'] ?? days,
    },
    reload: settings.reload,
    highWater: { mirror: pathIn(home, settings['highWater.mirror']) },
    checkpoint: {
      anchor: settings['checkpoint.anchor'] ?? (hasSyslog() ? 'syslog' : 'none'),
      mirror: pathIn(home, settings['checkpoint.mirror']),
      origin: settings['checkpoint.origin'],
    },
    service: {
      listen: settings['service.listen'],
      idleExitMinutes: settings['service.idleExitMinutes'],
    },
    redaction: { patterns: settings['redaction.patterns'] },
    limits: {
      hooksPerMinute: settings['limits.hooksPerMinute'],
      bytesPerMinute: settings['limits.bytesPerMinute'],
      fieldBytes: settings['limits.fieldBytes'],
      gapSeconds: settings['limits.gapSeconds'],
      spoolWaitSeconds: settings['limits.spoolWaitSeconds'],
      judgedBytes: settings['limits.judgedBytes'],
      homeBytes: settings['limits.homeBytes'],
      freeBytes: settings['limits.freeBytes'],
    },
    jev: jevConfigOf(settings),
  }
}

function pathIn<Value extends string | undefined>(home: string, value: Value): Value extends string ? string : undefined
function pathIn(home: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const expanded = value === '~' || value.startsWith('~/') ? join(homedir(), value.slice(1)) : value
  return isAbsolute(expanded) ? expanded : resolve(home, expanded)
}

function hasSyslog(): boolean {
  return existsSync(process.platform === 'darwin' ? '/var/run/syslog' : '/dev/log')
}
