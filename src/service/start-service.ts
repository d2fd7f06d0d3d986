// The running house: opens, wires, listens, closes. The only place where everything is put together.
import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { watchGaps } from '../hooks/watch-gaps.js'
import type { Ledger } from '../ledger/ledger.js'
import { removeOldSnapshots, takeSnapshot } from '../ledger/snapshot.js'
import { type ClockView, clockPart } from '../projections/clock.js'
import { isServing } from './ask-service.js'
import { checkStore, type StoreCheck } from './check-store.js'
import { type Config, retentionDays, settingOf, writeSetting } from './config.js'
import { Forgetting } from './forgetting.js'
import { GrowthWatch } from './growth-watch.js'
import { HomeSizeMeter } from './home-size.js'
import { hookHouseOf, hookSettings, type RunningHookHouse } from './hook-house-of.js'
import { addHookRoutes } from './hook-routes.js'
import { HttpServer } from './http-server.js'
import { LedgerOfHome, runningError } from './ledger-of-home.js'
import { type LookedAfter, lookAround } from './look-around.js'
import { openApiOf } from './open-api.js'
import { findHome, type Home } from './open-home.js'
import { addOwnerRoutes } from './owner-routes.js'
import { addReadingRoutes } from './reading-routes.js'
import { RedactorInForce } from './redactor-in-force.js'
import { ReserveFile } from './reserve-file.js'
import { Retention } from './retention.js'
import { OwnServiceFile } from './service-file.js'
import { openServiceLog, type ServiceLog } from './service-log.js'
import type { ServiceStatus } from './service-status.js'
import { protectionBefore, SettingsInForce } from './settings-in-force.js'
import { exceededBudgets, SizeWatch } from './size-watch.js'
import { makeSocketFolder, type SocketPlace, socketPlace } from './socket-place.js'
import { addViewRoutes } from './view-routes.js'
import { Views } from './views.js'

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

export type WhyEnded = 'stopped' | 'idle' | 'home_gone'

export interface Service {
  readonly home: string
  /** Base address on loopback; null where it is off. */
  readonly page: string | null
  /** What the check before the start found; empty where all is well. */
  readonly findings: readonly string[]
  /** Resolves when the service has ended, with the reason. */
  readonly ended: Promise<WhyEnded>
  stop(): Promise<void>
}

const lookEveryMs = 1000
/** How long a home may be gone before the service gives up on it. */
const homeGoneMs = 5000
const spoolWaitMs = 1500
/** How old the size may be that `status` tells. */
const sizeAgeMs = 10_000
const snapshotLeftMs = 24 * 60 * 60 * 1000
/** How long an erasure waits for whoever reads a snapshot. */
const readersWaitMs = 20_000

/** Everything that runs, as the parts of the service see it. */
interface Running extends RunningHookHouse {
  readonly options: ServiceOptions
  readonly home: Home
  readonly log: ServiceLog
  readonly check: StoreCheck
  readonly ledger: LedgerOfHome
  readonly settings: SettingsInForce
  readonly socket: SocketPlace
  readonly file: OwnServiceFile
  readonly views: Views
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

/**
 * Starts the service of a home, making the home where there is none. Resolves when it answers. Throws `SERVICE_RUNNING` where another has
 * it, and what opening a ledger throws. Order matters: the store first, since its lock says who may touch the sockets.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const home = findHome(options.home, options.environment)
  if (await isServing(options.home)) throw runningError(options.home)
  const log = openServiceLog(home.files.log)
  const reserve = new ReserveFile(home.files.reserve, log)
  // What an earlier service left in reserve is for this too: on a full disk nothing can be opened.
  await reserve.giveBackWhenFull()
  const check = await checkStore(home, log)
  let forget = (): void => {}
  const views = new Views({
    home: home.files.home,
    failed: (error) => log.fail('views_failed', error),
    now: () => performance.now(),
  })
  const ledger = await LedgerOfHome.open(home, options.program, log, {
    reopened: () => forget(),
    reserve,
    // Another thread that has the store open would keep it from being closed.
    apart: (task) => views.apart(task),
  })
  const token = randomBytes(32).toString('hex')
  let server: HttpServer | undefined
  try {
    const running = await putTogether({ options, home, log, check, ledger, reserve, views, token })
    forget = running.forget
    const heard = (): void => {
      running.heardMs = performance.now()
    }
    server = new HttpServer({ routes: routesOf(running, heard), log, token, heard })
    await listen(running, server)
    removeOldSnapshots(home.files, snapshotLeftMs, Date.now())
    log.write('started', {
      pid: process.pid,
      version: options.version,
      size: ledger.kept.ledger.size,
      findings: check.findings.length,
    })
    return keepRunning(running, server)
  } catch (error) {
    // Nobody may be left listening to a house that never came up.
    await server?.close()
    await views.close()
    await ledger.kept.close()
    throw error
  }
}

interface Parts extends Pick<Running, 'options' | 'home' | 'log' | 'check' | 'ledger' | 'reserve' | 'views'> {
  readonly token: string
}

async function putTogether({ options, home, log, check, ledger, reserve, views, token }: Parts): Promise<Running> {
  const { files, places } = home
  const { kept } = ledger
  const started = new Date().toISOString()
  const socket = socketPlace(files.home, options.environment)
  const { version, command } = options
  const file = new OwnServiceFile(files.home, { socket: socket.service, version, command, started, token })
  const settings: SettingsInForce = new SettingsInForce({
    places,
    before: await protectionBefore(kept.ledger.reader.entries({ newestFirst: true })),
    record: async (events) => {
      await (await kept.ready()).append(events)
    },
    changed: (config) => {
      ledger.want(config)
      file.write(told(config))
    },
  })
  await kept.ledger.append(settings.firstEvents())
  const secrets = new RedactorInForce(places, settings.config.redaction.patterns)
  const hookHouse = hookHouseOf({ kept, spoolFolder: files.spool, config: () => settings.config, secrets, log })
  const forgetting = new Forgetting({
    files,
    ledger: () => kept.ready(),
    ask: (question) => views.ask(question),
    apart: (task) => views.apart(task),
    takeSpool: (which) => (which === 'all' ? hookHouse.spool.emptyOut() : hookHouse.spool.takeAll()),
    forgetSessions: hookHouse.forget,
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
    socket,
    file,
    reserve,
    meter,
    views,
    growth,
    forgetting,
    retention,
    started,
  }
  return { ...hookHouse, ...own, viewedSize: 0, heardMs: performance.now() }
}

/** The socket of the hooks last: whoever finds it finds a service that answers, and that has taken in what was spooled. */
async function listen({ options, home, log, ledger, settings, spool, socket, file }: Running, server: HttpServer): Promise<void> {
  makeSocketFolder(home.files.home, socket)
  await server.ready()
  // A long spool is taken in beside the service: what is said now comes after what has been taken by then.
  const taken = spool.takeAll().catch((error: unknown) => log.fail('spool_waits', error))
  await Promise.race([taken, sleep(spoolWaitMs)])
  const address = options.listen ?? settings.config.service.listen
  if (address !== 'off') file.page = await server.listenOnLoopback(address.host, address.port)
  await server.listenOnSocket('owner', socket.owner)
  ledger.want(settings.config)
  file.write(told(settings.config))
  await server.listenOnSocket('socket', socket.service)
}

/** Looks after the service until it ends, and ends it in order. */
function keepRunning(running: Running, server: HttpServer): Service {
  const { home, log, ledger, settings, house, file, check, reserve } = running
  const end = new EventEmitter<{ ended: [WhyEnded] }>()
  const ended = once(end, 'ended').then(([why]) => why as WhyEnded)
  let stopping: Promise<void> | undefined
  const stop = (why: WhyEnded): Promise<void> => {
    stopping ??= (async () => {
      stopLooking()
      log.write('stopping', { why })
      // The sockets go first: while the store is locked nobody else may listen there. Whatever fails, the store is let go.
      const steps: readonly LookedAfter[] = [
        { what: 'server', step: () => server.close() },
        { what: 'reserve', step: () => reserve.giveBackWhenFull() },
        { what: 'gaps', step: () => watchGaps(house, settings.config.limits.gapSeconds * 1000, true) },
        { what: 'service_file', step: () => (why === 'home_gone' ? undefined : file.leave(told(settings.config))) },
        { what: 'forgetting', step: () => running.forgetting.close() },
        { what: 'views', step: () => running.views.close() },
        { what: 'ledger', step: () => ledger.kept.close() },
      ]
      for (const { what, step } of steps) {
        try {
          await step()
        } catch (error) {
          log.fail(`not_closed_${what}`, error)
        }
      }
      log.write('stopped')
      end.emit('ended', why)
    })()
    return stopping
  }
  const stopLooking = lookAround(lookedAfter(running, server, stop), lookEveryMs, log)
  return { home: home.files.home, page: file.page, findings: check.findings, ended, stop: () => stop('stopped') }
}

function lookedAfter(running: Running, server: HttpServer, stop: (why: WhyEnded) => Promise<void>): LookedAfter[] {
  const { options, home, log, ledger, settings, house, spool, socket, file, reserve, meter } = running
  const { files } = home
  const sizeWatch = new SizeWatch({
    meter,
    reserve,
    kept: ledger.kept,
    budgets: () => settings.config.limits,
    now: () => Date.now(),
    monotonic: () => performance.now(),
  })
  let goneMs: number | undefined
  return [
    {
      what: 'home',
      step: () => {
        const now = performance.now()
        goneMs = existsSync(files.home) ? undefined : (goneMs ?? now)
        if (goneMs !== undefined && now - goneMs > homeGoneMs) void stop('home_gone')
      },
    },
    {
      what: 'sockets',
      step: async () => {
        for (const [door, path] of [
          ['socket', socket.service],
          ['owner', socket.owner],
        ] as const) {
          if (goneMs !== undefined || server.isInPlace(door, path)) continue
          // Somebody took it away under us: nobody could reach us, and nobody else could start. Unless the home was made anew and is another's.
          if (file.isAnothers()) return void stop('home_gone')
          makeSocketFolder(files.home, socket)
          await server.listenOnSocket(door, path)
          log.write('socket_restored', { door })
        }
      },
    },
    {
      what: 'service_file',
      step: () => {
        // Without it clients take everything to be forbidden.
        if (goneMs === undefined && !file.isReadable()) file.write(told(settings.config))
      },
    },
    {
      what: 'ledger',
      step: async () => {
        if (goneMs === undefined) await ledger.kept.ready()
      },
    },
    {
      what: 'size',
      step: async () => {
        if (goneMs === undefined) await sizeWatch.look()
      },
    },
    { what: 'settings', step: () => settings.refresh() },
    { what: 'gaps', step: () => watchGaps(house, settings.config.limits.gapSeconds * 1000) },
    {
      what: 'spool',
      step: () => {
        // A long spool goes on beside the other steps; calls that meet share one pass.
        void spool.takeAll().catch((error: unknown) => log.fail('spool_waits', error))
      },
    },
    {
      what: 'views',
      step: () => {
        if (goneMs !== undefined || ledger.kept.failure !== undefined) return
        if (ledger.kept.ledger.size !== running.viewedSize) {
          running.views.grown()
          running.growth.look().catch((error: unknown) => log.fail('growth_unknown', error))
        }
        running.viewedSize = ledger.kept.ledger.size
        running.views.look()
      },
    },
    {
      what: 'forgetting',
      step: () => {
        if (goneMs !== undefined) return
        // Beside the other steps: an erasure takes as long as it takes.
        running.forgetting.look().catch((error: unknown) => log.fail('forgetting_waits', error))
      },
    },
    {
      what: 'retention',
      step: () => {
        if (goneMs !== undefined) return
        running.retention.look().catch((error: unknown) => log.fail('retention_waits', error))
      },
    },
    {
      what: 'idle',
      step: () => {
        const idleMs = settings.config.service.idleExitMinutes * 60_000
        // What is to be forgotten within the hour does not wait for the next hook.
        if (running.forgetting.waiting.length > 0) return
        if (options.leavesWhenIdle && idleMs > 0 && performance.now() - running.heardMs > idleMs) void stop('idle')
      },
    },
  ]
}

function routesOf(running: Running, heard: () => void): (app: FastifyInstance) => void {
  const { options, home, ledger, settings, house } = running
  const ready = async (): Promise<Ledger> => {
    await ledger.kept.ready()
    await settings.refresh()
    // Other settings may have opened it anew.
    return ledger.kept.ready()
  }
  const routes = (app: FastifyInstance): void => {
    addHookRoutes(app, {
      house: async () => {
        await ready()
        return house
      },
    })
    addReadingRoutes(app, {
      ledger: ready,
      status: async () => {
        await ready().catch(() => {})
        return statusOf(running)
      },
      snapshot: async () => {
        const open = await ready()
        const snapshot = await open.exclusive(() => takeSnapshot(home.files))
        return { folder: snapshot.leave(), size: open.size }
      },
      openApi: () => openApiOf(routes, options.version),
      heard,
    })
    addViewRoutes(app, {
      ask: async (question) => {
        await ready()
        return running.views.ask(question)
      },
    })
    addOwnerRoutes(app, {
      passphraseFile: home.files.passphrase,
      hostsAlive: () => house.attaches.alive(),
      acceptSettings: () => settings.accept(),
      setSetting: async (key, value) => {
        writeSetting(home.places, key, value)
        await settings.refresh()
        // The owner has said so here and now: nothing of it waits.
        if (settings.waiting.some((one) => one.key === key)) await settings.accept(key)
        return { key, value: settingOf(settings.config, key) ?? null, from: settings.from[key] }
      },
      forgetting: running.forgetting,
      knownSession: async (session) => (await ready()).knownSession(session),
      reanchor: async (reason) => {
        const start = await ledger.reanchor(reason)
        // The entries that hosts are named by may be abandoned.
        house.attaches.forgetAll()
        return start
      },
    })
  }
  return routes
}

async function statusOf(running: Running): Promise<ServiceStatus> {
  const { options, home, ledger, settings, house, spool, file, check, forgetting, meter, started } = running
  const size = await meter.take(sizeAgeMs)
  const { kept, unusable } = ledger
  const rejected = settings.rejected ?? unusable
  return {
    ok: kept.failure === undefined && check.findings.length === 0 && rejected === undefined,
    home: home.files.home,
    pid: process.pid,
    version: options.version,
    started,
    page: file.page,
    ledger:
      kept.failure === undefined
        ? { id: kept.ledger.ledgerId, size: kept.ledger.size, epoch: kept.ledger.epoch }
        : { failed: kept.failure.code },
    checked: check,
    modes: hookSettings(settings.config).modes,
    settings: {
      waiting: settings.waiting,
      rejected: rejected === undefined ? null : { code: rejected.code, ...rejected.details },
    },
    erasures: forgetting.waiting,
    hosts: { attached: [...house.attaches.all].length, alive: house.attaches.alive() },
    spooled: spool.waiting(),
    ...(running.growth.days === undefined ? {} : { growth: running.growth.days }),
    size: { ...size, budget: settings.config.limits.homeBytes, exceeded: exceededBudgets(size, settings.config.limits) },
  }
}

/** What service.json says of the settings in force. */
function told(config: Config) {
  return { modes: hookSettings(config).modes, fieldBytes: config.limits.fieldBytes }
}
