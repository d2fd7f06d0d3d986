// What the routes of a service do: hands each of them the parts that it needs.
import type { FastifyInstance } from 'fastify'
import type { SteleError } from '../foundation/stele-error.js'
import { grantsEveryCommand } from '../gates/capability/live-grants.js'
import type { Ledger } from '../ledger/ledger.js'
import { takeSnapshot } from '../ledger/snapshot.js'
import { settingOf, writeSetting } from './config.js'
import { hookSettings } from './hook-house-of.js'
import { addHookRoutes } from './hook-routes.js'
import type { JevStatus } from './jev-in-force.js'
import { openApiOf } from './open-api.js'
import { addOwnerRoutes } from './owner-routes.js'
import { policyTextOf } from './policy-in-force.js'
import { addReadingRoutes } from './reading-routes.js'
import { cancelReview, recordReview } from './review-answers.js'
import { type ServiceParts, stageMsOf } from './service-parts.js'
import type { PolicyStatus, ServiceStatus } from './service-status.js'
import { exceededBudgets } from './size-watch.js'
import { addViewRoutes } from './view-routes.js'

/** How old the size may be that `status` tells. */
const sizeAgeMs = 10_000

/** Every route, over the parts of a service. `heard` is called where somebody listens. */
export function serviceRoutes(running: ServiceParts, heard: () => void): (app: FastifyInstance) => void {
  const { options, home, ledger, settings, policy, house, secrets } = running
  const ready = async (): Promise<Ledger> => {
    await ledger.kept.ready()
    await settings.refresh()
    await policy.refresh()
    // Other settings may have opened it anew.
    return ledger.kept.ready()
  }
  const routes = (app: FastifyInstance): void => {
    addHookRoutes(app, {
      house: async () => {
        await ready()
        return house
      },
      stageMs: () => stageMsOf(settings.config),
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
      usePolicy: async ({ text, digest }) => {
        const { reader } = await ready()
        const wanted = digest === undefined ? text : await policyTextOf(reader.newestOfType('policy.activated', ''), digest)
        const { digest: inForce } = await policy.use(wanted)
        return { digest: inForce, file: settings.config.capability.allowlist }
      },
      forgetting: running.forgetting,
      knownSession: async (session) => (await ready()).knownSession(session),
      reanchor: async (reason) => {
        const start = await ledger.reanchor(reason)
        // The entries that hosts are named by may be abandoned.
        house.attaches.forgetAll()
        return start
      },
      review: async (answer) => recordReview(await ready(), answer, secrets.redactor(settings.config.redaction.patterns)),
      cancelReview: async (answer, by) => cancelReview(await ready(), answer, by),
    })
  }
  return routes
}

function policyStatus({ policy, settings }: ServiceParts): PolicyStatus {
  const { standing, waiting, rejected, text } = policy
  const { allowlists = [] } = standing.policy ?? {}
  return {
    file: settings.config.capability.allowlist,
    digest: standing.digest ?? null,
    text: text ?? null,
    everyCommand: allowlists.length > 0 && allowlists.every(grantsEveryCommand),
    waiting: waiting === undefined ? null : { text: waiting.text, change: waiting.change },
    rejected: rejected === undefined ? null : { ...rejected.details, code: whatIsWrong(rejected) },
  }
}

/** With the file, where its reader says it: that is what its owner can mend. */
function whatIsWrong({ code, details }: SteleError): string {
  return String(details['code'] ?? code)
}

/** What the semantic stage did since the service began. */
function stageTelemetry({ house }: ServiceParts): JevStatus['telemetry'] {
  const telemetry = house.stage.telemetry()
  return { counts: telemetry?.counts() ?? {}, recent: telemetry?.recent() ?? [] }
}

async function statusOf(running: ServiceParts): Promise<ServiceStatus> {
  const { options, home, ledger, settings, house, spool, file, check, forgetting, meter, started } = running
  const size = await meter.take(sizeAgeMs)
  const { kept, unusable } = ledger
  const rejected = settings.rejected ?? unusable
  const isUsable = rejected === undefined && running.policy.rejected === undefined
  return {
    ok: kept.failure === undefined && check.findings.length === 0 && isUsable,
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
      rejected: rejected === undefined ? null : { ...rejected.details, code: rejected.code },
    },
    policy: policyStatus(running),
    jev: running.jev.status(stageTelemetry(running)),
    erasures: forgetting.waiting,
    hosts: { attached: [...house.attaches.all].length, alive: house.attaches.alive() },
    spooled: spool.waiting(),
    ...(running.growth.days === undefined ? {} : { growth: running.growth.days }),
    size: { ...size, budget: settings.config.limits.homeBytes, exceeded: exceededBudgets(size, settings.config.limits) },
  }
}
