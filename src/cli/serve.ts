// stele serve: the service of a home, in the foreground, or detached for whoever needs one to be there.
import { fileURLToPath } from 'node:url'
import { SteleError } from '../foundation/stele-error.js'
import { homeFiles } from '../ledger/home-files.js'
import { type Config, serviceEnvironment } from '../service/config.js'
import { homeFolder } from '../service/home-folder.js'
import { findHome } from '../service/open-home.js'
import { openServiceLog } from '../service/service-log.js'
import type { Service } from '../service/start-service.js'
import { newCommand, type SharedOptions } from './command.js'
import { type DetachOptions, detach } from './detach.js'
import { invalidOption } from './options.js'
import { programName, programVersion } from './program-version.js'
import { print, printData, printError } from './terminal.js'

interface ServeOptions extends SharedOptions {
  readonly detach?: boolean
  readonly listen?: Config['service']['listen']
  readonly idleExit?: boolean
}

const program = fileURLToPath(new URL('./main.js', import.meta.url))

export function serveCommand() {
  return newCommand('serve', 'run the service of a home', [
    'stele serve',
    'stele serve --detach',
    'stele serve --listen 127.0.0.1:4410',
    'stele serve --listen off',
  ])
    .option('--detach', 'return when it answers, and leave it running')
    .option('--listen <host:port>', 'loopback address for the page, or off (default: service.listen)', listenAddress)
    .option('--idle-exit', 'leave after service.idleExitMinutes without a request; --detach does')
    .action(async (options: ServeOptions) => (options.detach ? detach(detachOptions(options)) : serve(options)))
}

async function serve(options: ServeOptions): Promise<void> {
  process.on('uncaughtException', (error) => {
    openServiceLog(homeFiles(homeFolder(options.home, process.env)).log).fail('crashed', error)
    process.exit(70)
  })
  // Loaded here alone: the web server is half of what there is to load, and no other command needs it.
  const { startService } = await import('../service/start-service.js')
  const home = homeFolder(options.home, process.env)
  const service = await startService({
    home,
    // Whoever started us detached is a host, or was started by one.
    environment: options.idleExit === true ? serviceEnvironment(findHome(home).places) : process.env,
    program: programName,
    version: programVersion,
    command: [process.execPath, program],
    listen: options.listen,
    leavesWhenIdle: options.idleExit === true,
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal)
    process.on(signal, () => void service.stop())
  }
  // Whoever started us detached has stopped listening.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  await tell(service, options)
  if ((await service.ended) === 'home_gone') throw new SteleError('STORE_GONE')
  process.exit(0)
}

async function tell(service: Service, options: ServeOptions): Promise<void> {
  const { home, page, findings } = service
  if (options.json) return printData(`${JSON.stringify({ home, page, findings, pid: process.pid })}\n`)
  if (findings.length > 0) printError(`stele: the ledger is damaged (${findings.slice(0, 3).join(', ')}); run \`stele verify\``)
  print(`Serving ${home}${page === null ? '' : ` (loopback: ${page}, token in service.json)`}`)
  if (!options.quiet) print('Connect Hermes with `stele hermes install`; `stele status` shows how it fares. Ctrl-C ends it.')
}

function detachOptions({ home, listen, json, quiet }: ServeOptions): DetachOptions {
  const address = listen === undefined || listen === 'off' ? listen : `${listen.host}:${listen.port}`
  return { home: homeFolder(home, process.env), listen: address, json: json === true, quiet: quiet === true }
}

function listenAddress(text: string): Config['service']['listen'] {
  if (text === 'off') return text
  const [, host, port] = /^(127\.0\.0\.1|localhost|\[?::1\]?):([0-9]{1,5})$/.exec(text) ?? []
  if (host === undefined || Number(port) > 65_535)
    throw invalidOption('--listen', 'off, or a loopback address such as 127.0.0.1:0')
  return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port) }
}
