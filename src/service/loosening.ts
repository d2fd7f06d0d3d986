// What one state of the settings protects less than another, and what of a change may be in force before the owner accepts it.
import { patternTexts } from '../redaction/own-pattern.js'
import { type Config, settingOf } from './config.js'

export interface Loosening {
  readonly key: string
  readonly from: string
  readonly to: string
}

interface Guard {
  readonly key: string
  readonly isLooser: (from: Config, to: Config) => boolean
  /** `to` with this key as it is in `from`. */
  readonly takeBack: (from: Config, to: Config) => Config
  /** How a value is told; as it is written, where this is left out. */
  readonly told?: (config: Config) => string
}

type Section = Exclude<keyof Config, 'reload'>

const guards: readonly Guard[] = [
  guard('provenance', 'mode', lower(['off', 'observe', 'block'])),
  guard('provenance', 'search', lower(['profile', 'session'])),
  guard('provenance', 'scope', lower(['decisions', 'decisions+preferences'])),
  guard('provenance', 'evidence', (from, to) => (from === 'attached' ? to !== 'attached' : from === undefined && to === 'any')),
  guard('capability', 'mode', lower(['off', 'observe', 'enforce'])),
  guard('capture', 'arguments', (from, to) => from !== 'none' && to === 'none'),
  guard('retention', 'days', isShorter),
  guard('retention', 'messagesDays', isShorter),
  guard('retention', 'toolsDays', isShorter),
  guard('retention', 'sessionsDays', isShorter),
  guard('retention', 'judgementsDays', isShorter),
  guard('highWater', 'mirror', isLostOrMoved),
  guard('checkpoint', 'anchor', (from, to) => from === 'syslog' && to === 'none'),
  guard('checkpoint', 'mirror', isLostOrMoved),
  // What is beyond a bound is counted and not recorded.
  guard('limits', 'hooksPerMinute', (from, to) => to < from),
  guard('limits', 'bytesPerMinute', (from, to) => to < from),
  {
    ...guard('redaction', 'patterns', (from, to) => patternTexts(from).some((pattern) => !patternTexts(to).includes(pattern))),
    // What the owner hides is not told on.
    told: ({ redaction }) => `${patternTexts(redaction.patterns).length}-of-them`,
  },
  {
    key: 'reload',
    isLooser: (from, to) => from.reload === 'owner' && to.reload === 'auto',
    takeBack: (from, to) => ({ ...to, reload: from.reload }),
  },
]

/** Keys that `to` protects less than `from`. */
export function loosened(from: Config, to: Config): readonly Loosening[] {
  return looserGuards(from, to).map(({ key, told = (config) => String(settingOf(config, key) ?? 'none') }) => ({
    key,
    from: told(from),
    to: told(to),
  }))
}

/** `to` with every looser key taken back to `from`, but for those that the owner has `accepted`: what is in force meanwhile. */
export function tightenedOnly(from: Config, to: Config, accepted: readonly string[] = []): Config {
  const guarded = looserGuards(from, to).filter(({ key }) => !accepted.includes(key))
  return guarded.reduce((config, { takeBack }) => takeBack(from, config), to)
}

function looserGuards(from: Config, to: Config): readonly Guard[] {
  return guards.filter(({ isLooser }) => isLooser(from, to))
}

function guard<S extends Section, M extends keyof Config[S] & string>(
  section: S,
  member: M,
  isLooser: (from: Config[S][M], to: Config[S][M]) => boolean,
): Guard {
  return {
    key: `${section}.${member}`,
    isLooser: (from, to) => isLooser(from[section][member], to[section][member]),
    takeBack: (from, to) => ({ ...to, [section]: { ...to[section], [member]: from[section][member] } }),
  }
}

/** The modes from the weakest to the strictest. */
function lower<Mode>(modes: readonly Mode[]): (from: Mode, to: Mode) => boolean {
  return (from, to) => modes.indexOf(to) < modes.indexOf(from)
}

function isLostOrMoved(from: string | undefined, to: string | undefined): boolean {
  return from !== undefined && to !== from
}

/** Words are evidence: 0 keeps them for ever. */
function isShorter(from: number, to: number): boolean {
  return to !== 0 && (from === 0 || to < from)
}
