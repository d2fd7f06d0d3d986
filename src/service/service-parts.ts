// The parts of a running service, put together: settings, hook path, views, forgetting, size. It opens nothing and listens to nobody.
import { FileLook } from '../hooks/file-look.js'
import { type ClockView, clockPart } from '../projections/clock.js'
import { type FilesView, filesPart } from '../projections/files.js'
import type { StoreCheck } from './check-store.js'
import { type Config, retentionDays } from './config.js'
import { FileWatch } from './file-watch.js'
import { Forgetting } from './forgetting.js'
import { GrowthWatch } from './growth-watch.js'
import { HermesSkillFolders } from './hermes-skill-folders.js'
import { HomeSizeMeter } from './home-size.js'
import { hookHouseOf, hookSettings, type RunningHookHouse } from './hook-house-of.js'
import { JevInForce, sentTodayOf } from './jev-in-force.js'
import { Judging } from './judging.js'
import type { LedgerOfHome } from './ledger-of-home.js'
import type { Home } from './open-home.js'
import { homeOf } from './policy-file.js'
import { type PolicyInForce, policyBefore } from './policy-in-force.js'
import { policyOfHome } from './policy-of-home.js'
import { RedactorInForce } from './redactor-in-force.js'
import type { ReserveFile } from './reserve-file.js'
import { Retention } from './retention.js'
import { OwnServiceFile } from './service-file.js'
import type { ServiceLog } from './service-log.js'
import { protectionBefore, SettingsInForce } from './settings-in-force.js'
import { type SocketPlace, socketPlace } from './socket-place.js'
import type { Views } from './views.js'

export interface ServiceOptions {
  readonly home: string
  readonly environment: NodeJS.ProcessEnv
  readonly program: string
  readonly version: string
  /** The words that start this Stele, for plugins. */
  readonly command: readonly string[]
  /** Overrides `service.listen`. */
  readonly listen?: Config['service']['listen'] | undefined
  /** Leaves when nobody has asked for `service.idleExitMinutes`. */
  readonly leavesWhenIdle: boolean
}

/** How long an erasure waits for whoever reads a snapshot. */
const readersWaitMs = 20_000

/** Everything that runs, as the parts of the service see it. */
export interface ServiceParts extends RunningHookHouse {
  readonly options: ServiceOptions
  readonly home: Home
  readonly log: ServiceLog
  readonly check: StoreCheck
  readonly ledger: LedgerOfHome
  readonly settings: SettingsInForce
  readonly policy: PolicyInForce
  readonly secrets: RedactorInForce
  readonly socket: SocketPlace
  readonly file: OwnServiceFile
  readonly views: Views
  readonly judging: Judging
  readonly jev: JevInForce
  readonly fileWatch: FileWatch
  readonly growth: GrowthWatch
  readonly forgetting: Forgetting
  readonly retention: Retention
  readonly reserve: ReserveFile
  readonly meter: HomeSizeMeter
  readonly started: string
  /** Size of the ledger when the views were told of it last. */
  viewedSize: number
  /** When somebody asked last, by a clock that never goes back. */
  heardMs: number
}

/** What was opened before the parts are put together. */
export interface OpenedParts extends Pick<ServiceParts, 'options' | 'home' | 'log' | 'check' | 'ledger' | 'reserve' | 'views'> {
  readonly token: string
}

/** Puts the parts together over an open ledger, and records the settings in force. */
export async function serviceParts({
  options,
  home,
  log,
  check,
  ledger,
  reserve,
  views,
  token,
}: OpenedParts): Promise<ServiceParts> {
  const { files, places } = home
  const { kept } = ledger
  const started = new Date().toISOString()
  const socket = socketPlace(files.home, options.environment)
  const { version, command } = options
  const file = new OwnServiceFile(files.home, { socket: socket.service, version, command, started, token })
  const policyWas = await policyBefore(kept.ledger.reader.entries({ newestFirst: true }))
  const settings: SettingsInForce = new SettingsInForce({
    places,
    version,
    before: await protectionBefore(kept.ledger.reader.entries({ newestFirst: true })),
    record: async (events) => {
      await (await kept.ready()).append(events)
    },
    changed: (config) => {
      ledger.want(config)
      file.write(toldSettings(config))
    },
  })
  await kept.ledger.append(settings.firstEvents())
  const secrets = new RedactorInForce(places, settings.config.redaction.patterns)
  const look = new FileLook()
  const { environment } = options
  const policy = await policyOfHome({ home, environment, ledger, settings, secrets, look, before: policyWas })
  const judging = new Judging({ failed: (error) => log.fail('judging_failed', error), now: () => performance.now() })
  const skillFolders = new HermesSkillFolders(options.environment)
  const fileWatch = new FileWatch({
    hermesHome: places.hermesHome,
    external: (hermesHome) => skillFolders.of(hermesHome),
    ledger: () => kept.ready(),
    known: async () => (await views.ask({ ask: 'view', name: 'files' })).parts[filesPart] as FilesView | undefined,
    redactor: () => secrets.redactor(settings.config.redaction.patterns),
    now: () => performance.now(),
    failed: (error) => log.fail('files_not_looked_at', error),
  })
  const sentBefore = settings.config.jev.enabled
    ? await sentTodayOf(kept.ledger.reader.entries({ newestFirst: true }), Date.now())
    : undefined
  const jev = new JevInForce({
    places,
    config: () => settings.config.jev,
    redactor: () => secrets.redactor(settings.config.redaction.patterns),
    sentBefore,
    log,
  })
  const hookHouse = hookHouseOf({
    kept,
    spoolFolder: files.spool,
    config: () => settings.config,
    capability: () => ({ ...policy.standing, unresolved: unresolvedMode(settings) }),
    userHome: homeOf(options.environment),
    look,
    secrets,
    hermesHome: places.hermesHome,
    skillFolders,
    search: (question) => views.ask(question),
    longTexts: judging,
    jev,
    recorded: (events, about) => fileWatch.recorded(events, about),
    log,
  })
  const forgetting = new Forgetting({
    files,
    ledger: () => kept.ready(),
    ask: (question) => views.ask(question),
    apart: (task) => views.apart(task),
    takeSpool: (which) => (which === 'all' ? hookHouse.spool.emptyOut() : hookHouse.spool.takeAll()),
    forgetSessions: hookHouse.forgetWords,
    readersWaitMs,
    now: () => Date.now(),
    onStep: (step, { id }) => log.write('forgetting', { step, id }),
  })
  const clocks = { now: () => Date.now(), monotonic: () => performance.now() }
  const growth = new GrowthWatch({ ask: (question) => views.ask(question), clocks })
  const retention = new Retention({
    clocks,
    days: () => retentionDays(settings.config),
    clock: async () => (await views.ask({ ask: 'view', name: 'clock' })).parts[clockPart] as ClockView | undefined,
    forget: async (selection) => {
      await forgetting.ask({ selection, by: 'retention', reason: 'retention', confirmed: true })
    },
  })
  const meter = new HomeSizeMeter({
    files,
    rows: () => (kept.failure === undefined ? kept.ledger.rowSizes() : undefined),
    now: () => performance.now(),
  })
  const own = {
    options,
    home,
    log,
    check,
    ledger,
    settings,
    policy,
    secrets,
    socket,
    file,
    reserve,
    meter,
    views,
    judging,
    jev,
    fileWatch,
    growth,
    forgetting,
    retention,
    started,
  }
  return { ...hookHouse, ...own, viewedSize: 0, heardMs: performance.now() }
}

/** What service.json says of the settings in force. */
export function toldSettings(config: Config) {
  return { modes: hookSettings(config).modes, fieldBytes: config.limits.fieldBytes, stageMs: stageMsOf(config) }
}

/** How long the decision model may take; 0 where none is asked. */
export function stageMsOf({ jev }: Config): number {
  return jev.enabled ? Math.round(jev.timeoutSeconds * 1000) : 0
}

/** While its files cannot be read, nobody can say that the gate is not to enforce. One that is off judges nothing, whatever they say. */
function unresolvedMode({ rejected, config }: SettingsInForce): string | undefined {
  return rejected === undefined || config.capability.mode === 'off' ? undefined : rejected.code.toLowerCase()
}
