// stele hermes: puts Stele into a Hermes home, takes it out again, and tells what is there.
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import {
  type HermesInstalled,
  type HermesSetup,
  type HermesStatus,
  type HermesUninstalled,
  hermesHomeFolder,
  installHermesSetup,
  readHermesStatus,
  type ShellHooksState,
  uninstallHermesSetup,
} from '../service/hermes-setup.js'
import { homeFolder } from '../service/home-folder.js'
import { findHome } from '../service/open-home.js'
import { newCommand, type SharedOptions } from './command.js'
import { invalidOption } from './options.js'
import { programName } from './program-version.js'
import { print, printData } from './terminal.js'

interface HermesOptions extends SharedOptions {
  readonly hermesHome?: string
}

interface InstallOptions extends HermesOptions {
  readonly plugin?: boolean
  readonly shell?: boolean
}

export function hermesCommand() {
  return new Command('hermes')
    .description('put Stele into Hermes, take it out again, see what is there')
    .addHelpText('after', '\nExamples:\n  $ stele hermes install\n  $ stele hermes status\n  $ stele hermes uninstall')
    .addCommand(installCommand())
    .addCommand(uninstallCommand())
    .addCommand(statusCommand())
}

function installCommand() {
  return withHermesHome(
    newCommand('install', 'put the plugin or the shell hooks in, and make the home', [
      'stele hermes install',
      'stele hermes install --shell',
      'stele hermes install --hermes-home ~/.hermes/profiles/office',
    ]),
  )
    .option('--plugin', 'the plugin (default)')
    .option('--shell', 'shell hooks instead: a process for each hook')
    .action(async (options: InstallOptions) => {
      if (options.plugin && options.shell) throw invalidOption('--shell', 'one of --plugin and --shell')
      const setup = hermesSetupOf(options)
      const done = await installHermesSetup(setup, options.shell ? 'shell' : 'plugin')
      if (options.json) return printData(jsonLine({ ...done, home: setup.home.files.home }))
      print(installedLines(setup, done, options.quiet === true).join('\n'))
    })
}

function uninstallCommand() {
  return withHermesHome(
    newCommand('uninstall', 'take out what `stele hermes install` put in; the ledger stays', [
      'stele hermes uninstall',
      'stele hermes uninstall --hermes-home ~/.hermes/profiles/office',
    ]),
  ).action(async (options: HermesOptions) => {
    const setup = hermesSetupOf(options)
    const done = uninstallHermesSetup(setup)
    if (options.json) return printData(jsonLine({ ...done, home: setup.home.files.home }))
    print(uninstalledLines(setup, done, options.quiet === true).join('\n'))
  })
}

function statusCommand() {
  return withHermesHome(
    newCommand('status', 'tell what of Stele is in Hermes', ['stele hermes status', 'stele hermes status --json']),
  ).action(async (options: HermesOptions) => {
    const status = readHermesStatus(hermesSetupOf(options))
    if (options.json) return printData(jsonLine(status))
    print(statusLines(status).join('\n'))
  })
}

function withHermesHome(command: Command): Command {
  return command.option('--hermes-home <dir>', 'the Hermes home (default: $HERMES_HOME, else ~/.hermes)')
}

/** What the commands that speak of Hermes work on. */
export function hermesSetupOf({ home, hermesHome: asked }: HermesOptions): HermesSetup {
  const hermesHome = hermesHomeFolder(asked, process.env)
  return {
    hermesHome,
    home: findHome(homeFolder(home, { ...process.env, HERMES_HOME: hermesHome })),
    program: programName,
    pluginSource: inPackage('plugins/hermes'),
    command: [process.execPath, inPackage('dist/cli/main.js')],
  }
}

/** What is not there is null, so that every member is always there. */
function jsonLine(value: object): string {
  return `${JSON.stringify(value, (_, member: unknown) => member ?? null)}\n`
}

/** This file lies two folders deep, as a source and when it is built. */
function inPackage(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}

function installedLines(setup: HermesSetup, done: HermesInstalled, quiet: boolean): string[] {
  const lines: string[] = []
  if (done.plugin === 'same') lines.push(`The plugin in ${done.pluginFolder} is up to date.`)
  else if (done.plugin !== undefined)
    lines.push(`${done.plugin === 'copied' ? 'Copied the plugin to' : 'Replaced the plugin in'} ${done.pluginFolder}`)
  if (done.tookOut !== undefined)
    lines.push(
      `Took out the ${done.tookOut === 'shell' ? 'shell hooks' : 'plugin'}: with both, everything would be recorded twice.`,
    )
  const what = done.way === 'plugin' ? 'The plugin is enabled' : `${done.shell.hooks} shell hooks are set`
  lines.push(`${what} in ${done.config}${done.configChanged ? '' : ', as it was before'}`, ...backupLines(done.backup))
  lines.push(`${done.homeCreated ? 'Made' : 'Found'} the home ${setup.home.files.home}`)
  if (quiet) return lines
  lines.push('', ...(done.way === 'shell' ? consentLines(done.shell) : []), ...homeLines(setup))
  lines.push('Next: start Hermes anew. Sessions and gateways that are running are not restarted for you.')
  return lines
}

/** Consent is the owner's to give, and Hermes asks for it. */
function consentLines({ command, accepted, of }: ShellHooksState): string[] {
  const observed =
    'Where Stele does not answer, Hermes goes on. To have it refuse the tool call (from 0.21), add fail_closed: true to the entry of pre_tool_call.'
  if (accepted === of) return [`You have let Hermes run all ${of} hooks.`, observed]
  return [
    `Hermes runs a hook only with your consent: at its next start in a terminal it asks, for each of the ${of} hooks, whether it may run`,
    `  ${command}`,
    'Without a terminal it skips them, until you have said yes once, or start it with --accept-hooks or HERMES_ACCEPT_HOOKS=1.',
    observed,
  ]
}

/** Hermes' hooks find the home by themselves only where it is the usual one, or where their environment names it. */
function homeLines({ hermesHome, home }: HermesSetup): string[] {
  const folder = home.files.home
  if (folder === homeFolder(undefined, { HERMES_HOME: hermesHome })) return []
  return [`This is not the home that hooks look for: start Hermes with STELE_HOME=${folder} in its environment.`]
}

function backupLines(backup: string | undefined): string[] {
  return backup === undefined ? [] : [`As it was before: ${backup}`]
}

function uninstalledLines(setup: HermesSetup, done: HermesUninstalled, quiet: boolean): string[] {
  const lines: string[] = []
  if (done.plugin === 'removed') lines.push(`Removed the plugin from ${done.pluginFolder}`)
  if (done.plugin === 'foreign') lines.push(`Left ${done.pluginFolder} alone: it is not the plugin of Stele.`)
  if (done.configRemoved) lines.push(`Removed ${done.config}, which held nothing else`)
  else if (done.configChanged) lines.push(`Took Stele out of ${done.config}`)
  lines.push(...backupLines(done.backup))
  if (!done.configChanged && done.plugin !== 'removed') lines.push(`Nothing of Stele was in ${setup.hermesHome}`)
  if (quiet) return lines
  if (done.consents > 0)
    lines.push(
      'Hermes still holds your consent to the shell hooks; to take it back, run `hermes hooks revoke` with',
      `  ${done.command}`,
    )
  lines.push(`The ledger stays in ${setup.home.files.home}`)
  if (done.configChanged || done.plugin === 'removed')
    lines.push('Next: start Hermes anew. Sessions and gateways that are running are not restarted for you.')
  return lines
}

function statusLines({ hermesHome, config, plugin, shell, home }: HermesStatus): string[] {
  const version = plugin.version === undefined ? '' : ` ${plugin.version}`
  const copied = {
    absent: 'not there',
    same: `there,${version}, as in this package`,
    differs: `there,${version}, not as in this package: run \`stele hermes install\``,
    foreign: 'something else lies in its place',
  }[plugin.state]
  const enabled = { yes: 'yes', no: 'no', disabled: 'no: plugins.disabled lists it' }[plugin.enabled]
  const outdated = shell.outdated === 0 ? '' : `, ${shell.outdated} by another command: run \`stele hermes install --shell\``
  return [
    `Hermes home   ${hermesHome}`,
    `settings      ${config}`,
    `plugin        ${copied}`,
    `  folder      ${plugin.folder}`,
    `  enabled     ${enabled}`,
    `shell hooks   ${shell.hooks} of ${shell.of}${outdated}`,
    `  consented   ${shell.accepted} of ${shell.of}`,
    `home          ${home.folder}${home.made ? '' : ' (not made yet)'}`,
  ]
}
