// One HTTP request over a Unix socket, and what came back. For tests that speak with a service from outside.
import { type Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface SocketRequest {
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  readonly timeoutMs?: number
  /** Keeps connections; without it each request has one of its own. */
  readonly agent?: Agent
}

export interface SocketAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

const timeoutMsDefault = 15_000

/** Rejects where nobody listens, the connection breaks, or the answer takes longer than `timeoutMs`. */
export function askSocket(socketPath: string, asked: SocketRequest): Promise<SocketAnswer> {
  const {
    path,
    method = asked.body === undefined ? 'GET' : 'POST',
    headers = {},
    body,
    timeoutMs = timeoutMsDefault,
    agent,
  } = asked
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path, method, headers: { ...headers, ...length }, agent: agent ?? false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }))
      answer.on('error', reject)
    })
    const timer = setTimeout(() => sent.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
    sent.on('close', () => clearTimeout(timer))
    sent.on('error', reject)
    sent.end(body)
  })
}
