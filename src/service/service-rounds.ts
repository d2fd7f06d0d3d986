// What a service looks after while it runs: its home, its doors, its ledger, and everything that falls due.
import { existsSync } from 'node:fs'
import { watchGaps } from '../hooks/watch-gaps.js'
import type { HttpServer } from './http-server.js'
import type { LookedAfter } from './look-around.js'
import { type ServiceParts, toldSettings } from './service-parts.js'
import { SizeWatch } from './size-watch.js'
import { makeSocketFolder } from './socket-place.js'

export type WhyEnded = 'stopped' | 'idle' | 'home_gone'

/** How long a home may be gone before the service gives up on it. */
const homeGoneMs = 5000

/** What is looked after every second, in order. */
export function serviceRounds(running: ServiceParts, server: HttpServer, stop: (why: WhyEnded) => Promise<void>): LookedAfter[] {
  const { options, home, log, ledger, settings, policy, house, spool, socket, file, reserve, meter } = running
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
        if (goneMs === undefined && !file.isReadable()) file.write(toldSettings(settings.config))
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
    { what: 'policy', step: () => policy.refresh() },
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
          running.growth.grown()
        }
        running.growth.look().catch((error: unknown) => log.fail('growth_unknown', error))
        running.viewedSize = ledger.kept.ledger.size
        running.views.look()
      },
    },
    { what: 'judging', step: () => running.judging.look() },
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
