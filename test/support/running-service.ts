// A service within the test's own process, in a home of its own, and plain HTTP to each of its doors.
import { mkdirSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { dirname, join } from 'node:path'
import type { SteleError, SteleErrorCode } from '../../src/foundation/stele-error.js'
import type { Config } from '../../src/service/config.js'
import { readServiceFile, type ServiceFile } from '../../src/service/service-file.js'
import { type Service, startService } from '../../src/service/start-service.js'
import { rejectsWithCode } from './rejects-with-code.js'
import { temporaryFolder } from './temporary-folder.js'

export type Payload = Readonly<Record<string, unknown>>

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface AskOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | object
}

/** Where a request goes: the path of a Unix socket, or a base address on loopback. */
export type Target = { readonly socketPath: string } | { readonly base: string }

/** One request on a connection of its own. An object is sent as JSON; a body makes it a POST. */
export function askAt(target: Target, path: string, { method, headers = {}, body }: AskOptions = {}): Promise<Answer> {
  const sent = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const type = sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(sent)) }
  const place =
    'socketPath' in target
      ? { socketPath: target.socketPath }
      : { host: new URL(target.base).hostname.replace(/^\[|\]$/g, ''), port: new URL(target.base).port }
  return new Promise((resolve, reject) => {
    const options = { ...place, path, method: method ?? (body === undefined ? 'GET' : 'POST'), agent: false as const }
    const asked = request({ ...options, headers: { ...type, ...headers } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() }),
      )
    })
    asked.on('error', reject)
    asked.end(sent)
  })
}

/** The JSON value of an answer that went well. */
export function answered<Value>({ status, text }: Answer): Value {
  if (status !== 200) throw new Error(`answered ${status}: ${text}`)
  return JSON.parse(text) as Value
}

/** The code of an answer that is an error. */
export function codeOf({ status, text }: Answer): string {
  const { error } = JSON.parse(text) as { error?: { code?: string } }
  return error?.code ?? `no error: ${status} ${text}`
}

export interface RunningService {
  readonly service: Service
  readonly home: string
  /** What service.json says now. */
  file(): ServiceFile
  /** Through the socket of hooks and readers. */
  ask(path: string, options?: AskOptions): Promise<Answer>
  askOwner(path: string, options?: AskOptions): Promise<Answer>
  /** Over loopback, with the token unless `headers` say otherwise. */
  askLoopback(path: string, options?: AskOptions): Promise<Answer>
  hook(payload: object, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Entries from an index on, as lines of an export. */
  entries(query?: string): Promise<ShownEntry[]>
}

export interface ShownEntry {
  readonly index: number
  readonly time: string
  readonly type: string
  readonly session: string
  readonly data: Readonly<Record<string, unknown>>
  readonly words?: Readonly<Record<string, unknown>>
}

export interface RunOptions {
  /** The home; a new one where it is left out. */
  readonly home?: string
  /** What config.yaml says; left as it is where this is left out. */
  readonly settings?: string
  readonly listen?: Config['service']['listen']
  readonly environment?: NodeJS.ProcessEnv
  readonly leavesWhenIdle?: boolean
}

/** Nobody's system log hears of tests. */
export const quietSettings = 'checkpoint:\n  anchor: none\n'

export function newHome(): string {
  return join(temporaryFolder(), 'home')
}

export function writeSettings(home: string, settings: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeFileSync(join(home, 'config.yaml'), settings, { mode: 0o600 })
}

export async function runService(options: RunOptions = {}): Promise<RunningService> {
  const { home = newHome(), settings, listen = 'off', environment = {}, leavesWhenIdle = false } = options
  if (settings !== undefined || options.home === undefined) writeSettings(home, settings ?? quietSettings)
  const service = await startService({
    home,
    environment,
    program: 'stele test',
    version: '0.0.0-test',
    command: ['node', 'stele'],
    listen,
    leavesWhenIdle,
  })
  const file = (): ServiceFile => {
    const found = readServiceFile(home)
    if (found === undefined) throw new Error('there is no service.json')
    return found
  }
  const ask: RunningService['ask'] = (path, asked) => askAt({ socketPath: file().socket }, path, asked)
  return {
    service,
    home,
    file,
    ask,
    askOwner: (path, asked) => askAt({ socketPath: join(dirname(file().socket), 'owner.sock') }, path, asked),
    askLoopback: (path, asked = {}) => {
      const { page, token } = file()
      const headers = { authorization: `Bearer ${token}`, ...asked.headers }
      return askAt({ base: page ?? '' }, path, { ...asked, headers })
    },
    hook: (payload, headers = {}) => ask('/v1/hooks', { body: payload, headers }),
    entries: async (query = 'limit=1000') => answered<{ entries: ShownEntry[] }>(await ask(`/v1/entries?${query}`)).entries,
  }
}

/** Runs a task with a service, and ends the service whatever becomes of the task. */
export async function withService(options: RunOptions, task: (running: RunningService) => Promise<void>): Promise<void> {
  const running = await runService(options)
  try {
    await task(running)
  } finally {
    await running.service.stop()
  }
}

/** Wants a start to be refused with this code; a service that starts all the same is ended. */
export async function refusesToStart(options: RunOptions, code: SteleErrorCode): Promise<SteleError> {
  let running: RunningService | undefined
  try {
    return await rejectsWithCode(async () => {
      running = await runService(options)
      return 'a service'
    }, code)
  } finally {
    await running?.service.stop()
  }
}

/** What Hermes sends when a user has typed something. */
export function typed(text: string, turn = '1', session = 'session-one'): Payload {
  return {
    hook_event_name: 'pre_llm_call',
    tool_name: null,
    tool_input: null,
    session_id: session,
    cwd: '/srv/agent',
    profile: 'default',
    extra: { turn_id: `turn-${turn}`, user_message: text, is_first_turn: false, platform: 'cli', sender_id: '' },
  }
}

/** What Hermes sends before a tool runs. */
export function toolCall(tool: string, input: object, call = '1', session = 'session-one'): Payload {
  return {
    hook_event_name: 'pre_tool_call',
    tool_name: tool,
    tool_input: input,
    session_id: session,
    cwd: '/srv/agent',
    profile: 'default',
    extra: { tool_call_id: `call-${call}`, turn_id: 'turn-1', task_id: '' },
  }
}
