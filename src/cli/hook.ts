// stele hook: one payload from standard input to the service, one directive to standard output. The agent waits for it, so it loads
// nothing that it can do without. What cannot be delivered is spooled, and the modes in force say whether a call may go on.
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { GateModes } from '../gates/gate.js'
import type { Directive } from '../hooks/directive.js'
import { fieldBytesDefault, payloadBytesMax, trimPayload } from '../hooks/trim-payload.js'
import {
  observing,
  stricterModes,
  strictest,
  toldModes,
  type UnjudgedCall,
  unreadableAnswer,
  unrecordedAnswer,
} from '../hooks/unjudged-answer.js'
import { homeFolder } from '../service/home-folder.js'
import { assertSafeFolder, knownSocketPlace } from '../service/socket-place.js'

const help = `Usage: stele hook [--home <dir>]

Gives one Hermes payload from standard input to the service, which records it, and prints the directive.

Examples:
  $ stele hook < payload.json
`

/** A conversation of this size is read, so that what is left without it can be sent. */
const readBytesMax = 4 * payloadBytesMax
/** For an answer of a service that runs, and for all where one must be started first. The host's own patience is ten seconds and more. */
const answerMs = 2000
const startMs = 8000
/** The longest that the settings allow the decision model. */
const stageMsMax = 10_000

interface KnownService {
  readonly socket: string
  readonly modes: GateModes
  readonly fieldBytes: number
  /** How long the decision model may take. */
  readonly stageMs: number
}

/** `never`: there was no service yet, so nothing enforces. `unreadable`: then everything might. */
type Known = KnownService | 'never' | 'unreadable'

/** What is to be printed: the directive, or the help. */
export async function runHook(argv: readonly string[]): Promise<string> {
  if (argv.includes('--help') || argv.includes('-h')) return help
  const home = homeFolder(optionValue(argv, '--home'), process.env)
  const known = readKnown(home)
  const { bytes, total } = await readStandardInput()
  const whole = total > bytes.length ? bytes : trimmed(bytes, typeof known === 'object' ? known.fieldBytes : fieldBytesDefault)
  // Of what the service would not take anyway it needs only the size.
  const body = whole.subarray(0, payloadBytesMax)
  const answer = await ask(home, known, body, Math.max(whole.length, total - bytes.length + whole.length))
  return typeof answer === 'object' ? `${answer.directive}\n` : lineOf(withoutAnswer(home, known, body, answer))
}

/** What is printed where `runHook` failed: of a call that nobody has read nothing is known but the modes. */
export function hookFailed(argv: readonly string[]): string {
  let modes = strictest
  try {
    modes = modesOf(readKnown(homeFolder(optionValue(argv, '--home'), process.env)))
  } catch {
    // No home can be named, so no mode is known.
  }
  return lineOf(unreadableAnswer({}, modes))
}

function lineOf(directive: Directive): string {
  return `${JSON.stringify(directive)}\n`
}

/** Why there is no service, in its own words; empty where it did not say. */
let whyNot = ''

/** `nobody`: there is no service to ask. `turned_away`: more than it takes in a minute, and counted by it. */
type Answer = { readonly directive: string } | 'nobody' | 'unanswered' | 'turned_away'

async function ask(home: string, known: Known, body: Buffer, total: number): Promise<Answer> {
  const deadline = performance.now() + startMs
  const stageMs = typeof known === 'object' && known.stageMs > 0 && mayAskModel(body) ? known.stageMs : 0
  const first = await post(home, known, body, total, answerMs + stageMs)
  if (first !== 'nobody') return first
  // Nobody listens: start a service and try once more, while the host is patient.
  if (!(await startService(home, deadline - performance.now()))) return 'nobody'
  return post(home, readKnown(home), body, total, deadline - performance.now())
}

/** Whether the hook is one in which the service may ask the decision model. Only these wait for it. */
function mayAskModel(body: Buffer): boolean {
  return /"hook_event_name"\s*:\s*"(?:pre_llm_call|pre_verify)"/.test(body.toString())
}

function post(home: string, known: Known, body: Buffer, total: number, timeoutMs: number): Promise<Answer> {
  if (typeof known !== 'object') return Promise.resolve('nobody')
  const socketPath = knownSocketPlace(home, known.socket).service
  return new Promise((resolve) => {
    if (!isSafeFolder(dirname(socketPath), home)) {
      whyNot = 'SOCKET_FOLDER_UNSAFE'
      resolve('unanswered')
      return
    }
    const size = total > body.length ? { 'stele-bytes': String(total) } : {}
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length), ...size }
    const asked = request({ socketPath, path: '/v1/hooks', method: 'POST', headers, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => {
        if (answer.statusCode === 200 && isDirective(text)) resolve({ directive: text })
        else resolve(answer.statusCode === 429 ? 'turned_away' : 'unanswered')
      })
      answer.on('error', () => resolve('unanswered'))
    })
    const timer = setTimeout(() => asked.destroy(), Math.max(1, timeoutMs))
    asked.on('close', () => clearTimeout(timer))
    asked.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'ENOENT' || code === 'ECONNREFUSED' ? 'nobody' : 'unanswered'),
    )
    asked.end(body)
  })
}

function isDirective(text: string): boolean {
  try {
    return /^\s*\{/.test(text) && JSON.parse(text) !== undefined
  } catch {
    return false
  }
}

function isSafeFolder(folder: string, home: string): boolean {
  try {
    assertSafeFolder(folder, home)
    return true
  } catch {
    // A folder that is not there holds no socket either.
    return !existsSync(folder)
  }
}

async function startService(home: string, timeoutMs: number): Promise<boolean> {
  // Loaded where it is needed: nearly always a service runs.
  const { spawn } = await import('node:child_process')
  const program = fileURLToPath(new URL('./main.js', import.meta.url))
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, 'serve', '--detach', '--home', home], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    })
    // Its pipe would keep us running for as long as it writes to it; the agent waits for our end.
    const end = (isStarted: boolean): void => {
      clearTimeout(timer)
      child.stderr.destroy()
      child.unref()
      resolve(isStarted)
    }
    const timer = setTimeout(() => end(false), Math.max(1, timeoutMs))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      whyNot = (whyNot + text).slice(0, 500)
    })
    child.once('error', () => end(false))
    child.once('close', (code) => end(code === 0))
  })
}

/** Keeps the payload for later, unless the service has counted it, and answers by the modes. */
function withoutAnswer(home: string, known: Known, body: Buffer, answer: Exclude<Answer, object>): Directive {
  const kept = answer === 'turned_away' ? 'counted by the service' : spool(home, body) ? 'kept in the spool' : 'lost'
  const unsaid = answer === 'turned_away' ? 'more is being sent than is taken in a minute' : 'no answer from the service'
  const [said = ''] = whyNot
    .trim()
    .replace(/^stele: /, '')
    .split('\n', 1)
  process.stderr.write(`stele hook: ${said || unsaid}; the payload is ${kept}\n`)
  // The service that was started meanwhile may have told stricter modes than the one before it.
  return unrecordedAnswer(callIn(body), stricterModes(modesOf(known), modesOf(readKnown(home))))
}

function modesOf(known: Known): GateModes {
  if (known === 'never') return observing
  return known === 'unreadable' ? strictest : known.modes
}

/** The names in a payload; none where it cannot be read. */
function callIn(body: Buffer): UnjudgedCall {
  try {
    return (JSON.parse(body.toString()) as UnjudgedCall | null) ?? {}
  } catch {
    return {}
  }
}

/** One file a payload, whole or not there. False where it could not be written. */
function spool(home: string, body: Buffer): boolean {
  const folder = join(home, 'spool')
  const name = `${String(Date.now()).padStart(13, '0')}-00000000-${String(process.pid).padStart(8, '0')}.json`
  const temporary = join(folder, `${name}.tmp`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = openSync(temporary, 'wx', 0o600)
    try {
      // All of it, or an error: a single write may end before a full disk does.
      writeFileSync(file, `${JSON.stringify({ attach: '', seq: 0, mac: '', body: body.toString() })}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, join(folder, name))
    const within = openSync(folder, 'r')
    fsyncSync(within)
    closeSync(within)
    return true
  } catch {
    rmQuietly(temporary)
    return false
  }
}

function rmQuietly(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // It lies where nothing could be written either.
  }
}

function readKnown(home: string): Known {
  let text: string
  try {
    text = readFileSync(join(home, 'service.json'), 'utf8')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'never' : 'unreadable'
  }
  try {
    const { socket, modes, fieldBytes, stageMs } = JSON.parse(text) as Partial<Record<keyof KnownService, unknown>>
    if (typeof socket !== 'string' || typeof modes !== 'object' || modes === null) return 'unreadable'
    return {
      socket,
      modes: toldModes(modes),
      fieldBytes: typeof fieldBytes === 'number' ? fieldBytes : fieldBytesDefault,
      stageMs: typeof stageMs === 'number' ? Math.min(Math.max(stageMs, 0), stageMsMax) : 0,
    }
  } catch {
    return 'unreadable'
  }
}

function trimmed(bytes: Buffer, fieldBytes: number): Buffer {
  const text = bytes.toString()
  // Bytes that are no UTF-8 go as they are: the service says what they were.
  return Buffer.byteLength(text) === bytes.length && !text.includes('\uFFFD') ? Buffer.from(trimPayload(text, fieldBytes)) : bytes
}

function optionValue(argv: readonly string[], name: string): string | undefined {
  const at = argv.findIndex((word) => word === name || word.startsWith(`${name}=`))
  const word = argv[at]
  return word === name ? argv[at + 1] : word?.slice(name.length + 1)
}

/** Keeps what may be read and counts the rest. */
async function readStandardInput(): Promise<{ bytes: Buffer; total: number }> {
  const kept: Buffer[] = []
  let total = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    if (total + chunk.length <= readBytesMax) kept.push(chunk)
    total += chunk.length
  }
  return { bytes: Buffer.concat(kept), total }
}
