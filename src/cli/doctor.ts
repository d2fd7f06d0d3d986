// stele doctor: looks at everything that must be well, asks for one real decision, and says how to mend what is not.
import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { SteleError } from '../foundation/stele-error.js'
import { probeSessionPrefix } from '../hooks/hook-house.js'
import { askService } from '../service/ask-service.js'
import { readHermesStatus } from '../service/hermes-setup.js'
import type { Home } from '../service/open-home.js'
import type { ServiceStatus } from '../service/service-status.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { configNoteLine } from './config-note.js'
import { detach } from './detach.js'
import { doctorCoverage } from './doctor-coverage.js'
import { hermesSetupOf } from './hermes.js'
import { budgetLines } from './size-words.js'
import { serviceStatus } from './status.js'
import { print, printData, printStyled, styled } from './terminal.js'

/** `note` is no fault: something that the owner may want to know. */
interface Finding {
  readonly about: string
  readonly state: 'well' | 'note' | 'wrong'
  readonly says: string
  /** What to do; empty where nothing is to be done. */
  readonly todo: string
}

export function doctorCommand() {
  return newCommand('doctor', 'look at everything, and say how to mend what is wrong', ['stele doctor', 'stele doctor --json'])
    .addHelpText('after', '\nLike a hook it starts a service where none runs. Exit code 1 where something is wrong.')
    .action(async (options: SharedOptions) => {
      const home = homeOf(options)
      const notes = home.notes.map((one) =>
        note('settings', configNoteLine(one), 'docs/settings.md tells what is taken from there'),
      )
      const findings = [...(await examine(home)), ...notes, ...aboutHermes(options)]
      const ok = findings.every(({ state }) => state !== 'wrong')
      if (!ok) process.exitCode = 1
      if (options.json) return printData(`${JSON.stringify({ ok, findings })}\n`)
      for (const { about, state, says, todo } of findings) {
        const mark =
          state === 'well' ? styled('green', 'ok   ') : state === 'note' ? styled('yellow', 'note ') : styled('red', 'WRONG')
        printStyled(`${mark}  ${styled('bold', about.padEnd(9))} ${styled('dim', '')}${says}`)
        if (todo !== '') print(`                  ${todo}`)
      }
    })
}

async function examine(home: Home): Promise<Finding[]> {
  const found = aboutHome(home)
  if (found.state === 'wrong') return [found]
  const running = await serviceStatus(home.files.home)
  const status = running ?? (await startedService(home))
  if (status === undefined) return [found, noService(home)]
  const started = running === undefined ? [note('service', 'none was running, so one was started', '')] : []
  const decision = await aboutDecision(home)
  const coverage = (await doctorCoverage(home, Date.now())).map((one): Finding => ({ about: 'coverage', ...one }))
  return [found, ...started, ...aboutService(status), decision, ...coverage]
}

function aboutHome({ files }: Home): Finding {
  if (!existsSync(files.store)) return wrong('home', `there is no ledger in ${files.home}`, 'run `stele init`')
  const open = process.platform !== 'win32' && (statSync(files.home).mode & 0o077) !== 0
  return open
    ? wrong('home', `others can reach into ${files.home}`, `run \`chmod 700 ${files.home}\``)
    : well('home', `${files.home} is there, and private`)
}

/** What a hook would do. Why it did not start is told by whoever tried. */
async function startedService({ files }: Home): Promise<ServiceStatus | undefined> {
  try {
    await detach({ home: files.home, listen: undefined, json: false, quiet: true })
    return await serviceStatus(files.home)
  } catch {
    return undefined
  }
}

function noService({ files }: Home): Finding {
  return wrong('service', `none of ${files.home} answers, and none can be started`, 'run `stele serve` and see what it says')
}

function aboutService(status: ServiceStatus): Finding[] {
  const { pid, ledger, checked, settings, spooled, hosts, size } = status
  return [
    well('service', `process ${pid} answers on its socket`),
    'failed' in ledger
      ? wrong('ledger', `it cannot be written (${ledger.failed})`, 'make room or mend the disk; it recovers by itself')
      : well('ledger', `${ledger.size} entries`),
    ...(checked.findings.length === 0
      ? []
      : [wrong('proof', `found at the start: ${checked.findings.join(', ')}`, 'run `stele verify`')]),
    ...(settings.rejected === null
      ? []
      : [
          wrong(
            'settings',
            `${settings.rejected['key'] ?? settings.rejected.code} in ${settings.rejected['place'] ?? settings.rejected['file'] ?? 'a file'} cannot be used`,
            'mend it; `stele config` shows what is in force',
          ),
        ]),
    ...settings.waiting.map(({ key, from, to }) =>
      note('settings', `${key} is to go from ${from} to ${to}`, 'accept it with `stele config accept`'),
    ),
    ...aboutGrants(status),
    spooled === 0
      ? well('spool', 'nothing waits')
      : note('spool', `${spooled} payloads wait`, 'they are taken in within seconds'),
    ...(size === undefined ? [] : budgetLines(size)).map((line) => note('size', line, '`stele status` tells what takes it')),
    hosts.alive === 0 ? note('hosts', 'no agent is attached just now', '') : well('hosts', `${hosts.alive} attached and alive`),
  ]
}

function aboutGrants({ modes, policy }: ServiceStatus): Finding[] {
  if (policy === undefined || modes.capability === 'off') return []
  const { digest, everyCommand, file, rejected, waiting } = policy
  const enforces = modes.capability === 'enforce'
  if (rejected !== null)
    return [wrong('grants', `${file} cannot be used (${rejected.code})`, `run \`stele policy lint ${file}\``)]
  const found = enforces ? [note('grants', 'what a check by name cannot see: docs/capability.md, "Paths"', '')] : []
  if (digest === null)
    return enforces
      ? [
          wrong(
            'grants',
            'calls are held to grants, and there are none',
            `write them into ${file}; \`stele policy suggest\` helps`,
          ),
        ]
      : [note('grants', 'there are none yet', 'after a while `stele policy suggest` distils them from what was used')]
  if (everyCommand)
    found.push(
      enforces
        ? wrong('grants', 'a grant allows every command, so nothing is out of its reach', 'grant commands instead of the tool')
        : note('grants', 'a grant allows every command', 'grant commands instead of the tool'),
    )
  if (waiting !== null) found.push(note('grants', 'an allowlist that grants more waits', 'see `stele policy show`'))
  return found.length === 0 ? [well('grants', `${digest.slice(0, 12)} in force`)] : found
}

function aboutHermes(options: SharedOptions): Finding[] {
  try {
    const { plugin, shell } = readHermesStatus(hermesSetupOf(options))
    const hooked = shell.hooks > 0 || shell.outdated > 0
    if (shell.outdated > 0) return [wrong('hermes', 'its shell hooks run another Stele', 'run `stele hermes install --shell`')]
    if (hooked) return [well('hermes', `${shell.hooks} of ${shell.of} shell hooks are set, ${shell.accepted} accepted`)]
    if (plugin.state === 'absent') return [note('hermes', 'the plugin is not installed', 'run `stele hermes install`')]
    if (plugin.enabled !== 'yes')
      return [wrong('hermes', 'the plugin is installed and not enabled', 'run `stele hermes install`')]
    // Put in by hand it has no `stele.json`, and finds the command otherwise.
    if (plugin.state !== 'same')
      return [note('hermes', 'the plugin is not as this Stele would install it', 'run `stele hermes install`')]
    return [well('hermes', 'the plugin is installed, enabled, and the one of this Stele')]
  } catch (error) {
    if (!(error instanceof SteleError)) throw error
    return [note('hermes', `not looked at (${error.code})`, error.code === 'HERMES_HOME_MISSING' ? '' : error.line)]
  }
}

/** One real call through the whole path; its entries are marked, and no report counts them. */
async function aboutDecision({ files }: Home): Promise<Finding> {
  const session = `${probeSessionPrefix}${randomBytes(8).toString('hex')}`
  const payload = (hook: string, extra: object) => ({
    hook_event_name: hook,
    tool_name: hook === 'pre_tool_call' ? 'stele_doctor' : null,
    tool_input: hook === 'pre_tool_call' ? {} : null,
    session_id: session,
    cwd: '',
    host: { probe: true },
    extra: { platform: 'probe', ...extra },
  })
  try {
    const started = performance.now()
    await askService(files.home, '/v1/hooks', { method: 'POST', body: payload('pre_tool_call', { tool_call_id: session }) })
    const ms = Math.round(performance.now() - started)
    await askService(files.home, '/v1/hooks', { method: 'POST', body: payload('on_session_finalize', { reason: 'probe' }) })
    const { entries } = await askService<{ entries: { type: string; data: { verdict?: string; gate?: string } }[] }>(
      files.home,
      `/v1/entries?order=desc&limit=16&session=${session}`,
    )
    const decisions = entries.filter(({ type }) => type === 'gate.decided')
    if (decisions.length === 0)
      return wrong('decision', 'a call was answered and no decision is on record', 'run `stele verify` and report this')
    const told = decisions.map(({ data }) => `${data.gate}: ${data.verdict}`).join(', ')
    return well('decision', `a probe was judged and recorded in ${ms} ms (${told})`)
  } catch (error) {
    const code = error instanceof SteleError ? error.code : 'INTERNAL'
    return wrong('decision', `a probe was not answered (${code})`, 'see service.log in the home')
  }
}

const well = (about: string, says: string): Finding => ({ about, state: 'well', says, todo: '' })
const note = (about: string, says: string, todo: string): Finding => ({ about, state: 'note', says, todo })
const wrong = (about: string, says: string, todo: string): Finding => ({ about, state: 'wrong', says, todo })
