// Services as processes of their own, on homes of their own. Whatever a test starts here is ended with it, also when the test fails.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readServiceFacts } from './attached-host.js'
import { askSocket } from './socket-request.js'
import { temporaryFolder } from './temporary-folder.js'

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export interface ServiceProcess {
  readonly home: string
  readonly pid: number
  /** From the start of the process to the moment when it answers. */
  readonly readyMs: number
  /** What its check of the store found before it answered. */
  readonly findings: readonly string[]
  readonly ended: Promise<Ended>
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<Ended>
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderr: string
}

export interface ServiceProcessOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly words?: readonly string[]
  /** User and group to run as; only root may. */
  readonly uid?: number
}

const homes = new Set<string>()
const children = new Set<ChildProcess>()

/** A home that a service can be started on, with settings if you want; the system log is left alone. */
export function homeForService(settings: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {}): string {
  const home = join(temporaryFolder(), 'home')
  mkdirSync(home, { mode: 0o700 })
  writeSettings(home, settings)
  return home
}

export function writeSettings(home: string, settings: Readonly<Record<string, Readonly<Record<string, string | number>>>>): void {
  // Every JSON text is YAML.
  const all = { ...settings, checkpoint: { anchor: 'none', ...settings['checkpoint'] } }
  writeFileSync(join(home, 'config.yaml'), `${JSON.stringify(all)}\n`, { mode: 0o600 })
  endWithTest(home)
}

/** Starts `stele serve` and resolves when it answers. Throws what it said where it ends before. */
export async function startServiceProcess(home: string, options: ServiceProcessOptions = {}): Promise<ServiceProcess> {
  const { child, ended } = spawnService(home, options)
  const startedMs = performance.now()
  const told = await Promise.race([firstLineOf(child), ended])
  const readyMs = performance.now() - startedMs
  if (typeof told !== 'string') throw new Error(`the service ended with ${told.code ?? told.signal}: ${told.stderr}`)
  const { pid, findings } = JSON.parse(told) as { pid: number; findings: readonly string[] }
  return {
    home,
    pid,
    readyMs,
    findings,
    ended,
    end: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}

/** Starts `stele serve` where it is expected to refuse, and resolves to how it ended, or to the service where it did not. */
export async function tryServiceProcess(home: string, options: ServiceProcessOptions = {}): Promise<Ended | ServiceProcess> {
  try {
    return await startServiceProcess(home, options)
  } catch (error) {
    const ended = lastEnded.get(home)
    if (ended === undefined) throw error
    return ended
  }
}

const lastEnded = new Map<string, Ended>()

function spawnService(
  home: string,
  { env, words = [], uid }: ServiceProcessOptions,
): { child: ChildProcess; ended: Promise<Ended> } {
  if (!existsSync(program)) throw new Error('the program is not built: run `npm run build`')
  endWithTest(home)
  const child = spawn(process.execPath, [program, 'serve', '--json', '--listen', 'off', '--home', home, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', ...env },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  children.add(child)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      children.delete(child)
      const how = { code, signal, stderr }
      lastEnded.set(home, how)
      resolve(how)
    })
  })
  return { child, ended }
}

function firstLineOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (more: string) => {
      text += more
      if (text.includes('\n')) resolve(text.split('\n')[0] ?? '')
    })
  })
}

/** What the service says of itself. Rejects where none answers. */
export async function statusOf(home: string): Promise<Record<string, unknown> & { pid: number; ok: boolean }> {
  const answer = await askSocket(readServiceFacts(home).socket, { path: '/v1/status', timeoutMs: 3000 })
  return JSON.parse(answer.bytes.toString()) as Record<string, unknown> & { pid: number; ok: boolean }
}

/** What it has written into service.log, line by line. */
export function serviceLogOf(home: string): string[] {
  const file = join(home, 'service.log')
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
}

/** Processes that were started on this home: `stele serve`, its readers, and hooks, detached ones too. */
export function processesOf(home: string): { readonly pid: number; readonly words: readonly string[] }[] {
  return numbersIn('/proc').flatMap((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      return words.includes(home) && words.includes(program) ? [{ pid, words }] : []
    } catch {
      return []
    }
  })
}

/** Ends every process of a home, by its number. */
export function endProcessesOf(home: string): void {
  for (const { pid } of processesOf(home)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It went by itself.
    }
  }
}

/** Whatever runs on this home when the test ends is ended. */
export function endWithTest(home: string): void {
  // Before the temporary folders go.
  if (homes.size === 0) process.prependOnceListener('exit', endServices)
  homes.add(home)
}

/** For `after` of every suite that starts services: one that a failed test left would keep the test process waiting. */
export function endServices(): void {
  for (const child of children) child.kill('SIGKILL')
  for (const home of homes) endProcessesOf(home)
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).flatMap((name) => (/^[0-9]+$/.test(name) ? [Number(name)] : []))
  } catch {
    // No /proc: then only our own children are ended.
    return []
  }
}
