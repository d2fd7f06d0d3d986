// stele status: how the service of a home fares, or, where none runs, what its files say.
import { existsSync, readdirSync } from 'node:fs'
import { hasCode, SteleError } from '../foundation/stele-error.js'
import { readMark } from '../ledger/high-water.js'
import { askService } from '../service/ask-service.js'
import { waitingErasures } from '../service/erasure-journal.js'
import { measureHomeSize } from '../service/home-size.js'
import type { JevStatus } from '../service/jev-in-force.js'
import { processWatch } from '../service/process-watch.js'
import { readServiceFile, type ServiceFile } from '../service/service-file.js'
import type { PolicyStatus, ServiceStatus, SizeStatus } from '../service/service-status.js'
import { exceededBudgets } from '../service/size-watch.js'
import { knownSocketPlace } from '../service/socket-place.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { budgetLines, growthWords, sizeWords } from './size-words.js'
import { print, printData, printStyled, styled } from './terminal.js'

export function statusCommand() {
  return newCommand('status', 'how the service fares', ['stele status', 'stele status --json']).action(
    async (options: SharedOptions) => {
      const { files, config } = homeOf(options)
      const status = await serviceStatus(files.home)
      if (status !== undefined)
        return options.json ? printData(`${JSON.stringify({ serving: true, ...status })}\n`) : tell(status)
      if (!existsSync(files.store)) throw new SteleError('HOME_MISSING')
      const hung = runningProcess(files.home)
      if (hung !== undefined) throw new SteleError('SERVICE_UNREACHABLE', { process: hung })
      const mark = readMark(files.highWater)
      const measured = await measureHomeSize(files)
      const { limits } = config
      const told = {
        serving: false,
        home: files.home,
        ledger: mark === undefined || mark === 'unreadable' ? null : { size: mark.size, epoch: mark.epoch },
        modes: knownServiceFile(files.home)?.modes ?? null,
        erasures: waitingErasures(files.erasures),
        spooled: existsSync(files.spool) ? readdirSync(files.spool).filter((name) => name.endsWith('.json')).length : 0,
        size: { ...measured, budget: limits.homeBytes, exceeded: exceededBudgets(measured, limits) },
      }
      if (options.json) return printData(`${JSON.stringify(told)}\n`)
      print(`No service of ${told.home} is running; it starts with the next hook, or with \`stele serve --detach\`.`)
      print(`Ledger: ${told.ledger === null ? 'empty' : `${told.ledger.size} entries, epoch ${told.ledger.epoch}`}`)
      for (const { entries, selected, due } of told.erasures)
        print(`Erasure: words of ${entries} entries (by ${selected}) ${dueText(due)}, by the next service`)
      print(`Waiting in the spool: ${told.spooled}`)
      tellSize(told.size)
    },
  )
}

/** Null: it has begun, and is not finished. */
function dueText(due: string | null): string {
  return due === null
    ? 'are not all forgotten yet; it is tried again'
    : `are forgotten at ${due}; \`stele erase --cancel\` calls it off`
}

const patienceMs = 3000

/** A file that cannot be read says nothing, and is mended by the next service. */
function knownServiceFile(home: string): ServiceFile | undefined {
  try {
    return readServiceFile(home)
  } catch {
    return undefined
  }
}

/** The process that says that it serves the home and runs; it may hang, or be on its way. */
export function runningProcess(home: string): number | undefined {
  const { pid, socket } = knownServiceFile(home) ?? {}
  // A home that was copied speaks of the service of another.
  if (typeof pid !== 'number' || knownSocketPlace(home, socket).service !== socket) return undefined
  return processWatch.startedAt(pid) === undefined ? undefined : pid
}

/** Undefined where no service answers. */
export async function serviceStatus(home: string): Promise<ServiceStatus | undefined> {
  try {
    return await askService<ServiceStatus>(home, '/v1/status', { timeoutMs: patienceMs })
  } catch (error) {
    if (hasCode(error, 'SERVICE_UNREACHABLE')) return undefined
    throw error
  }
}

function tellSize(size: SizeStatus): void {
  print(`Size:     ${sizeWords(size)}`)
  for (const line of budgetLines(size)) printStyled(`Budget:   ${styled('yellow', line)}`)
}

function tellPolicy({ file, digest, waiting, rejected }: PolicyStatus): void {
  print(`Grants:   ${digest === null ? `none; write them into ${file}` : `${digest.slice(0, 12)}, from ${file}`}`)
  if (waiting !== null)
    print('Waiting:  an allowlist that grants more; see `stele policy show`, take it up with `stele policy use`')
  if (rejected !== null) print(`Rejected: the allowlist (${rejected.code}); the last good one holds`)
}

function jevWords({ active, enabled, mode, model, base_url, client, api_key_configured }: JevStatus): string {
  if (!enabled) return 'off'
  const asks = `${mode}, asks ${model} at ${base_url}`
  if (!active || client === null) return `${asks}; not active${api_key_configured ? '' : ', there is no key'}`
  const { circuit, sentToday, requestsPerDay } = client
  const pause = circuit.state === 'closed' ? '' : `; left alone after failures (${circuit.state})`
  return `${asks}; ${sentToday.requests}${requestsPerDay > 0 ? ` of ${requestsPerDay}` : ''} requests today${pause}`
}

function tell(status: ServiceStatus): void {
  const { home, pid, version, started, page, ledger, checked, modes, settings, erasures, hosts, spooled, size, growth, ok } =
    status
  printStyled(
    `${styled(ok ? 'green' : 'red', ok ? 'fine' : 'not fine')}  service ${version} of ${home}, process ${pid}, since ${started}`,
  )
  print(
    `Ledger:   ${'failed' in ledger ? `cannot be written (${ledger.failed})` : `${ledger.size} entries, epoch ${ledger.epoch}, ${ledger.id}`}`,
  )
  print(
    `Checked:  ${checked.findings.length > 0 ? `${checked.findings.join(', ')}; run \`stele verify\`` : checked.done ? 'nothing found at the start' : 'not finished yet'}`,
  )
  print(`Modes:    provenance ${modes.provenance}, capability ${modes.capability}`)
  for (const { key, from, to } of settings.waiting)
    print(`Waiting:  ${key} from ${from} to ${to}; accept it with \`stele config accept\``)
  if (status.policy !== undefined) tellPolicy(status.policy)
  if (status.jev !== undefined) print(`Jev:      ${jevWords(status.jev)}`)
  if (settings.rejected !== null)
    print(
      `Rejected: settings (${settings.rejected['key'] ?? settings.rejected.code} in ${settings.rejected['place'] ?? settings.rejected['file'] ?? 'a file'}); the last good ones hold`,
    )
  for (const { entries, selected, due } of erasures)
    print(`Erasure:  words of ${entries} entries (by ${selected}) ${dueText(due)}`)
  print(`Hosts:    ${hosts.alive} alive of ${hosts.attached} attached`)
  print(`Spool:    ${spooled} waiting`)
  if (size !== undefined) tellSize(size)
  if (growth !== undefined && growth.length > 0) print(`Growth:   ${growthWords(growth)}`)
  if (page !== null) print(`Loopback: ${page}`)
}
