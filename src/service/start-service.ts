// The running house: opens, wires, listens, closes. The only place where everything is put together.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { hasCode, SteleError } from '../foundation/stele-error.js'
import { gateCatalog } from '../gates/gate-catalog.js'
import { Attaches } from '../hooks/attach.js'
import { handleHook } from '../hooks/handle-hook.js'
import type { HookHouse } from '../hooks/hook-house.js'
import { RateBound } from '../hooks/rate-bound.js'
import { SessionMemory } from '../hooks/session-memory.js'
import { watchGaps } from '../hooks/watch-gaps.js'
import type { Ledger } from '../ledger/ledger.js'
import { removeOldSnapshots, takeSnapshot } from '../ledger/snapshot.js'
import { isServing } from './ask-service.js'
import { checkStore, type StoreCheck } from './check-store.js'
import { type Config, settingOf, writeSetting } from './config.js'
import { addHookRoutes } from './hook-routes.js'
import { HttpServer } from './http-server.js'
import { KeptLedger } from './kept-ledger.js'
import { openApiOf } from './open-api.js'
import { createHome, findHome, type Home, openHome, reanchorHome } from './open-home.js'
import { addOwnerRoutes } from './owner-routes.js'
import { processWatch } from './process-watch.js'
import { addReadingRoutes } from './reading-routes.js'
import { readServiceFile, writeServiceFile } from './service-file.js'
import { openServiceLog, type ServiceLog } from './service-log.js'
import { protectionBefore, SettingsInForce } from './settings-in-force.js'
import { makeSocketFolder, socketPlace } from './socket-place.js'
import { Spool } from './spool.js'

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

export interface Service {
  readonly home: string
  /** Base address on loopback; null where it is off. */
  readonly page: string | null
  /** What the check before the start found; empty where all is well. */
  readonly findings: readonly string[]
  /** Resolves when the service has ended, with the reason. */
  readonly ended: Promise<'stopped' | 'idle' | 'home_gone'>
  stop(): Promise<void>
}

const tickMs = 1000
const spoolEveryMs = 2000
/** How long a home may be gone before the service gives up on it. */
const homeGoneMs = 5000

/**
 * Starts the service of a home, making the home where there is none. Resolves when it answers. Throws `SERVICE_RUNNING` where another has
 * it, and what opening a ledger throws. Order matters: the store first, since its lock says who may touch the sockets.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const home = findHome(options.home, options.environment)
  if (await isServing(options.home)) throw runningError(options.home)
  const log = openServiceLog(home.files.log)
  const check = await checkStore(home, log)
  const ledger = await openFirst(home, options.program)
  const witnesses = { config: home.config }
  const kept = new KeptLedger(ledger, {
    // Settings that the ledger cannot be opened with, such as a mirror on a disk that is gone, must not keep it shut.
    open: () => openHome({ ...home, ...witnesses }, options.program).catch(() => openHome(home, options.program)),
    reopened: () => {
      log.write('ledger_reopened')
      sessions.forgetAll()
    },
    failed: (error) => log.fail('ledger_failed', error),
    now: () => performance.now(),
  })
  const sessions = new SessionMemory((handle, newest) => kept.ledger.reader.sessionEntries(handle, { newest }))
  try {
    return await serve(options, home, log, kept, witnesses, sessions, check)
  } catch (error) {
    await kept.close()
    throw error
  }
}

async function serve(
  options: ServiceOptions,
  home: Home,
  log: ServiceLog,
  kept: KeptLedger,
  witnesses: { config: Config },
  sessions: SessionMemory,
  check: StoreCheck,
): Promise<Service> {
  const { files } = home
  const startedAt = new Date().toISOString()
  const token = randomBytes(32).toString('hex')
  const socket = socketPlace(files.home, options.environment)
  let page: string | null = null
  let heardMs = performance.now()
  const heard = (): void => {
    heardMs = performance.now()
  }

  const tellModes = (pid: number | null = process.pid): void => {
    const { provenance, capability, limits } = settings.config
    writeServiceFile(files.home, {
      socket: socket.service,
      pid,
      version: options.version,
      page: pid === null ? null : page,
      token: pid === null || page === null ? null : token,
      modes: { provenance: provenance.mode, capability: capability.mode },
      command: options.command,
      started: startedAt,
      fieldBytes: limits.fieldBytes,
    })
  }

  const settings = new SettingsInForce({
    places: home.places,
    before: await protectionBefore(kept.ledger.reader.entries({ newestFirst: true })),
    record: async (events) => {
      await kept.ledger.append(events)
    },
    changed: () => {
      try {
        tellModes()
      } catch (error) {
        log.fail('modes_not_told', error)
        throw error
      }
      const { checkpoint, highWater } = settings.config
      const before = witnesses.config
      // The origin is the ledger's own for ever; a start with another is refused.
      const next = { ...before, highWater, checkpoint: { ...checkpoint, origin: before.checkpoint.origin } }
      if (isDeepStrictEqual(next, before)) return
      witnesses.config = next
      kept.without(async () => {}).catch((error: unknown) => log.fail('witnesses_not_taken_up', error))
    },
  })
  await kept.ledger.append(settings.firstEvents())

  const house: HookHouse = {
    get ledger() {
      return kept.ledger
    },
    attaches: new Attaches(() => kept.ledger, processWatch),
    sessions,
    gates: gateCatalog,
    unattachedRate: new RateBound(),
    attachRate: new RateBound(),
    settings: () => {
      const { provenance, capability, capture, limits } = settings.config
      const modes = { provenance: provenance.mode, capability: capability.mode }
      return { modes, keep: capture.arguments, hooksPerMinute: limits.hooksPerMinute, bytesPerMinute: limits.bytesPerMinute }
    },
    now: () => performance.now(),
    takeSpool: () => spool.takeAll(),
  }
  const spool = new Spool({
    folder: files.spool,
    waitMs: () => settings.config.limits.spoolWaitSeconds * 1000,
    knows: (attach) => [...house.attaches.all].some(({ id }) => id === attach),
    take: async (spooled) => {
      await kept.ready()
      const noSignature = { attach: '', seq: '', mac: '' }
      if ('unreadable' in spooled) {
        const { unreadable: bytes, bytesTotal } = spooled
        await handleHook(house, { bytes, bytesTotal, signature: noSignature, late: true })
      } else {
        const { body: bytes, signature } = spooled
        await handleHook(house, { bytes, bytesTotal: bytes.length, signature, late: true })
      }
    },
    now: () => Date.now(),
    monotonic: () => performance.now(),
  })
  const takeSpool = () => spool.takeAll().catch((error: unknown) => log.fail('spool_waits', error))

  const ready = async (): Promise<Ledger> => {
    const ledger = await kept.ready()
    await settings.refresh()
    return ledger
  }
  const status = async () => ({
    ok: kept.failure === undefined && check.findings.length === 0 && settings.rejected === undefined,
    home: files.home,
    pid: process.pid,
    version: options.version,
    started: startedAt,
    page,
    ledger: kept.failure === undefined ? ledgerState(kept.ledger) : { failed: kept.failure.code },
    checked: check,
    modes: house.settings().modes,
    settings: {
      waiting: settings.waiting,
      rejected: settings.rejected === undefined ? null : { code: settings.rejected.code, ...settings.rejected.details },
    },
    hosts: { attached: [...house.attaches.all].length, alive: house.attaches.alive() },
    spooled: spool.waiting(),
  })
  const routes: Parameters<typeof openApiOf>[0] = (app) => {
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
        return status()
      },
      snapshot: async () => {
        const ledger = await ready()
        const snapshot = await ledger.exclusive(() => takeSnapshot(files))
        return { folder: snapshot.leave(), size: ledger.size }
      },
      openApi: () => openApiOf(routes, options.version),
      heard,
    })
    addOwnerRoutes(app, {
      passphraseFile: files.passphrase,
      hostsAlive: () => house.attaches.alive(),
      acceptSettings: () => settings.accept(),
      setSetting: async (key, value) => {
        writeSetting(home.places, key, value)
        await settings.refresh()
        // The owner has said so here and now: nothing of it waits.
        if (settings.waiting.some((one) => one.key === key)) await settings.accept(key)
        return { key, value: settingOf(settings.config, key) ?? null, from: settings.from[key] }
      },
      reanchor: (reason) =>
        kept.without(async () => {
          const start = await reanchorHome(home, options.program, reason)
          // The entries that they are named by may be abandoned.
          house.attaches.forgetAll()
          return start
        }),
    })
  }
  const server = new HttpServer({
    routes,
    log,
    token,
    heard,
  })

  makeSocketFolder(files.home, socket)
  await server.ready()
  await spool.takeAll().catch((error: unknown) => log.fail('spool_waits', error))
  const { listen } = options.listen === undefined ? settings.config.service : { listen: options.listen }
  if (listen !== 'off') page = await server.listenOnLoopback(listen.host, listen.port)
  await server.listenOnSocket('owner', socket.owner)
  tellModes()
  // Last: whoever finds this socket finds a service that answers.
  await server.listenOnSocket('socket', socket.service)
  log.write('started', { pid: process.pid, version: options.version, size: kept.ledger.size, findings: check.findings.length })

  let end: (reason: 'stopped' | 'idle' | 'home_gone') => void = () => {}
  const ended = new Promise<'stopped' | 'idle' | 'home_gone'>((resolve) => {
    end = resolve
  })
  let stopping: Promise<void> | undefined
  let spoolMs = performance.now()
  let goneMs: number | undefined
  let ticking = false
  const tick = async (): Promise<void> => {
    const now = performance.now()
    if (existsSync(files.home)) goneMs = undefined
    else {
      goneMs ??= now
      if (now - goneMs > homeGoneMs) return void stop('home_gone')
      return
    }
    for (const [door, path] of [
      ['socket', socket.service],
      ['owner', socket.owner],
    ] as const) {
      // Somebody took the socket away under us: nobody could reach us, and nobody else could start.
      if (!server.isInPlace(door, path)) {
        // Unless the home was made anew and is another's: then it is ours no more.
        if (isTakenOver(files.home, startedAt)) return void stop('home_gone')
        makeSocketFolder(files.home, socket)
        await server.listenOnSocket(door, path)
        log.write('socket_restored', { door })
      }
    }
    // Without it clients take everything to be forbidden.
    if (!isThere(files.home)) tellModes()
    await settings.refresh()
    await watchGaps(house, settings.config.limits.gapSeconds * 1000)
    if (now - spoolMs > spoolEveryMs) {
      spoolMs = now
      await takeSpool()
    }
    const idleMs = settings.config.service.idleExitMinutes * 60_000
    if (options.leavesWhenIdle && idleMs > 0 && now - heardMs > idleMs) void stop('idle')
  }
  const timer = setInterval(() => {
    if (ticking) return
    ticking = true
    tick()
      .catch((error: unknown) => log.fail('tick_failed', error))
      .finally(() => {
        ticking = false
      })
  }, tickMs)

  const stop = (reason: 'stopped' | 'idle' | 'home_gone'): Promise<void> => {
    stopping ??= (async () => {
      clearInterval(timer)
      log.write('stopping', { reason })
      // The sockets go first: while the store is locked nobody else may listen there.
      await server.close()
      try {
        await watchGaps(house, settings.config.limits.gapSeconds * 1000, true)
      } catch (error) {
        log.fail('gaps_not_recorded', error)
      }
      if (reason !== 'home_gone') tellModes(null)
      await kept.close().catch((error: unknown) => log.fail('close_failed', error))
      log.write('stopped')
      end(reason)
    })()
    return stopping
  }
  removeOldSnapshots(files, 24 * 60 * 60 * 1000, Date.now())
  return { home: files.home, page, findings: check.findings, ended, stop: () => stop('stopped') }
}

/** Opens the home's ledger, making it where there is none. Throws `SERVICE_RUNNING` where a service has it. */
async function openFirst(home: Home, program: string): Promise<Ledger> {
  try {
    const { ledger } = await createHome(home, program)
    return ledger
  } catch (error) {
    if (!hasCode(error, 'STORE_LOCKED')) throw error
    throw runningError(home.files.home)
  }
}

/** Names the process that says of itself that it serves a home. */
function runningError(home: string): SteleError {
  let pid: number | null | undefined
  try {
    pid = readServiceFile(home)?.pid
  } catch {
    // Then it is another that cannot be named.
  }
  return new SteleError('SERVICE_RUNNING', typeof pid === 'number' ? { pid } : {})
}

function ledgerState(ledger: Ledger) {
  return { id: ledger.ledgerId, size: ledger.size, epoch: ledger.epoch }
}

/** Whether service.json can be read, whosever it is. */
function isThere(home: string): boolean {
  try {
    return readServiceFile(home) !== undefined
  } catch {
    return false
  }
}

/** Whether service.json speaks of another service that runs, by its own word. */
function isTakenOver(home: string, startedAt: string): boolean {
  try {
    const told = readServiceFile(home)
    return typeof told?.pid === 'number' && (told.pid !== process.pid || told.started !== startedAt)
  } catch {
    return false
  }
}
