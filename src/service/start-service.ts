// Starts a service: opens, puts together, listens, looks after it, closes. The order in which that is done is this file's business.
import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchGaps } from '../hooks/watch-gaps.js'
import { removeOldSnapshots } from '../ledger/snapshot.js'
import { isServing } from './ask-service.js'
import { checkStore } from './check-store.js'
import { HttpServer } from './http-server.js'
import { LedgerOfHome, runningError } from './ledger-of-home.js'
import { type LookedAfter, lookAround } from './look-around.js'
import { findHome } from './open-home.js'
import { ReserveFile } from './reserve-file.js'
import { openServiceLog } from './service-log.js'
import { type ServiceOptions, type ServiceParts, serviceParts, toldSettings } from './service-parts.js'
import { serviceRounds, type WhyEnded } from './service-rounds.js'
import { serviceRoutes } from './service-routes.js'
import { makeSocketFolder } from './socket-place.js'
import { Views } from './views.js'

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
const spoolWaitMs = 1500
const snapshotLeftMs = 24 * 60 * 60 * 1000

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
    const running = await serviceParts({ options, home, log, check, ledger, reserve, views, token })
    forget = running.forget
    const heard = (): void => {
      running.heardMs = performance.now()
    }
    server = new HttpServer({ routes: serviceRoutes(running, heard), log, token, heard })
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

/** The socket of the hooks last: whoever finds it finds a service that answers, and that has taken in what was spooled. */
async function listen(
  { options, home, log, ledger, settings, spool, socket, file }: ServiceParts,
  server: HttpServer,
): Promise<void> {
  makeSocketFolder(home.files.home, socket)
  await server.ready()
  // A long spool is taken in beside the service: what is said now comes after what has been taken by then.
  const taken = spool.takeAll().catch((error: unknown) => log.fail('spool_waits', error))
  await Promise.race([taken, sleep(spoolWaitMs)])
  const address = options.listen ?? settings.config.service.listen
  if (address !== 'off') file.page = await server.listenOnLoopback(address.host, address.port)
  await server.listenOnSocket('owner', socket.owner)
  ledger.want(settings.config)
  file.write(toldSettings(settings.config))
  await server.listenOnSocket('socket', socket.service)
}

/** Looks after the service until it ends, and ends it in order. */
function keepRunning(running: ServiceParts, server: HttpServer): Service {
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
        // A hook that waits for an answer has none to wait for now.
        { what: 'jev', step: () => running.jev.close() },
        { what: 'server', step: () => server.close() },
        { what: 'reserve', step: () => reserve.giveBackWhenFull() },
        { what: 'gaps', step: () => watchGaps(house, settings.config.limits.gapSeconds * 1000, true) },
        { what: 'service_file', step: () => (why === 'home_gone' ? undefined : file.leave(toldSettings(settings.config))) },
        // First of these: what they wait for may wait for it.
        { what: 'judging', step: () => running.judging.close() },
        { what: 'file_watch', step: () => running.fileWatch.close() },
        { what: 'forgetting', step: () => running.forgetting.close() },
        { what: 'views', step: () => running.views.close() },
        // The last thing that this service has to say.
        { what: 'end_recorded', step: () => recordEnd(running, why) },
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
  const stopLooking = lookAround(serviceRounds(running, server, stop), lookEveryMs, log)
  return { home: home.files.home, page: file.page, findings: check.findings, ended, stop: () => stop('stopped') }
}

/** Where it cannot be written there is no entry, and the next start is taken for one after a death. */
async function recordEnd({ ledger: { kept } }: ServiceParts, why: WhyEnded): Promise<void> {
  if (why === 'home_gone' || kept.failure !== undefined) return
  await kept.ledger.append([{ type: 'service.ended', facts: { why } }])
}
