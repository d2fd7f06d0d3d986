// How a command speaks with the service of a home: one request over its socket, one JSON answer.
import { request } from 'node:http'
import { dirname } from 'node:path'
import { errorCodes, hasCode, SteleError, type SteleErrorCode } from '../foundation/stele-error.js'
import { readServiceFile } from './service-file.js'
import { assertSafeFolder, knownSocketPlace } from './socket-place.js'

export interface AskOptions {
  readonly method?: 'GET' | 'POST'
  readonly body?: unknown
  readonly door?: 'service' | 'owner'
  readonly timeoutMs?: number
}

const timeoutMsDefault = 10_000

/** Throws `SERVICE_UNREACHABLE` where nobody answers, and the service's own error where it refuses. */
export async function askService<Answer>(home: string, path: string, options: AskOptions = {}): Promise<Answer> {
  return parseAnswer(await ask(home, path, options)) as Answer
}

/** The same for an answer that is text; undefined where no service runs. */
export async function askServiceText(home: string, path: string): Promise<string | undefined> {
  try {
    return await ask(home, path, {})
  } catch (error) {
    if (hasCode(error, 'SERVICE_UNREACHABLE')) return undefined
    throw error
  }
}

async function ask(home: string, path: string, options: AskOptions): Promise<string> {
  const { method = 'GET', body, door = 'service', timeoutMs = timeoutMsDefault } = options
  const socketPath = knownSocketPlace(home, toldSocket(home))[door]
  const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const headers = sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(sent.length) }
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    try {
      assertSafeFolder(dirname(socketPath), home)
    } catch (error) {
      reject(new SteleError('SERVICE_UNREACHABLE', {}, { cause: error }))
      return
    }
    // A connection of its own: one that was kept may lead to a service that has gone.
    const asked = request({ socketPath, path, method, headers, timeout: timeoutMs, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      answer.on('error', (cause) => reject(new SteleError('SERVICE_UNREACHABLE', {}, { cause })))
    })
    asked.on('timeout', () => asked.destroy(new Error('timeout')))
    asked.on('error', (cause) => reject(new SteleError('SERVICE_UNREACHABLE', {}, { cause })))
    asked.end(sent)
  })
  if (status >= 200 && status < 300) return text
  const { code, details } =
    (parseAnswer(text) as { error?: { code?: string; details?: Record<string, string | number> } } | null)?.error ?? {}
  if (code !== undefined && Object.hasOwn(errorCodes, code)) throw new SteleError(code as SteleErrorCode, details)
  throw new SteleError('SERVICE_UNREACHABLE', { status })
}

/** Undefined where service.json does not say; then it is where this process would put it. */
function toldSocket(home: string): string | undefined {
  try {
    return readServiceFile(home)?.socket
  } catch {
    return undefined
  }
}

/** Whether a service of this home answers. */
export async function isServing(home: string, timeoutMs = 1000): Promise<boolean> {
  try {
    await askService(home, '/v1/status', { timeoutMs })
    return true
  } catch {
    return false
  }
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new SteleError('SERVICE_UNREACHABLE', {}, { cause })
  }
}
