// One agent of its own for one story: a real Hermes in its own home, Stele's plugin put in, a scripted model, and no service yet.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ran, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { modelSettings, type PlayedCall, type ScriptedCall, startScriptedModel } from './scripted-model.js'

/** As `stele log --json` prints it. */
export interface LoggedEntry {
  readonly index: number
  readonly type: string
  readonly session: string
  readonly data: Readonly<Record<string, unknown>>
  readonly words?: Readonly<Record<string, unknown>>
}

export interface Turn {
  readonly status: number | null
  readonly output: string
  /** What became of the calls of the script. */
  readonly calls: readonly PlayedCall[]
  /** Tools that the agent's model was offered first. */
  readonly offered: readonly string[]
}

export interface HermesStage {
  /** Where the agent works. */
  readonly work: string
  /** Stele's home, and the file of its settings. */
  readonly home: string
  readonly settings: string
  stele(...words: string[]): Ran
  /** One user turn of a new session, in a process of its own. */
  turn(words: string, script: readonly ScriptedCall[]): Promise<Turn>
  /** The newest `service.json`; undefined where there never was one. */
  service(): { readonly pid: number | null; readonly socket: string } | undefined
  /** All entries, oldest first. */
  entries(): LoggedEntry[]
  /** Payloads that wait in the spool. */
  spooled(): number
  /** Stops the service; throws where it had to be killed. */
  close(): Promise<void>
}

const turnMs = 120_000

/** Nothing of a test belongs into the machine's own log, and a host that has gone is not waited for as long as usual. */
const ownSettings = 'checkpoint: { anchor: none }\nlimits: { spoolWaitSeconds: 8 }\n'

/** `settings` are Stele's own, as YAML; `env` is what stands in the host's `.env`. */
export async function openHermesStage(hermes: string, settings = '', env = ''): Promise<HermesStage> {
  const folder = temporaryFolder()
  const hermesHome = join(folder, 'hermes')
  const home = join(hermesHome, 'plugin-data', 'stele')
  const work = join(folder, 'work')
  mkdirSync(work)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const settingsFile = join(home, 'config.yaml')
  writeFileSync(settingsFile, `${ownSettings}${settings}`, { mode: 0o600 })
  const model = await startScriptedModel()
  writeFileSync(join(hermesHome, 'config.yaml'), modelSettings(model))
  if (env !== '') writeFileSync(join(hermesHome, '.env'), env, { mode: 0o600 })

  const run = (...words: string[]) => stele(words, { env: { HOME: folder, STELE_HOME: home, HERMES_HOME: hermesHome } })
  const installed = run('hermes', 'install', '--hermes-home', hermesHome)
  if (installed.status !== 0) throw new Error(`stele hermes install: ${installed.stderr}`)

  const service = () => {
    const file = join(home, 'service.json')
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { pid: number | null; socket: string }) : undefined
  }
  return {
    work,
    home,
    settings: settingsFile,
    stele: run,
    service,
    turn: async (words, script) => {
      model.play(script)
      const ran = await runHermes(hermes, words, work, { HOME: folder, HERMES_HOME: hermesHome })
      return { ...ran, calls: model.played(), offered: model.toolsOffered() }
    },
    entries: () => {
      const log = run('log', '--json', '--limit', '100000')
      if (log.status !== 0) throw new Error(`stele log: ${log.stderr}`)
      const lines = log.stdout.split('\n').filter((line) => line !== '')
      return lines.map((line) => JSON.parse(line) as LoggedEntry).reverse()
    },
    spooled: () => {
      const spool = join(home, 'spool')
      return existsSync(spool) ? readdirSync(spool).filter((name) => name.endsWith('.json')).length : 0
    },
    close: async () => {
      await model.close()
      const pid = service()?.pid
      const { status, stderr } = run('stop')
      if (typeof pid !== 'number' || !isAlive(pid)) return
      process.kill(pid, 'SIGKILL')
      throw new Error(`stele stop left process ${pid} (exit code ${status}): ${stderr}`)
    },
  }
}

/** Resolves when it holds; fails when it did not within the time. */
export async function until(what: string, holds: () => boolean, withinMs = 30_000): Promise<void> {
  for (const end = Date.now() + withinMs; !holds(); await sleep(50)) {
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`)
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Sees nothing of this machine's environment but where programs are. */
function runHermes(
  hermes: string,
  words: string,
  cwd: string,
  home: Record<string, string>,
): Promise<Omit<Turn, 'calls' | 'offered'>> {
  const env = { ...home, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter), LANG: 'C.UTF-8' }
  const child = spawn(hermes, ['chat', '-Q', '-q', words, '-t', 'memory,file'], {
    cwd,
    env,
    timeout: turnMs,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    // Not `close`: a service that the plugin started must not be able to hold the turn open.
    child.once('exit', (status) => resolve({ status, output }))
  })
}
