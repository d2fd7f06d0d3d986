// A decision model on loopback that writes down what it is asked and answers as it is told to: each reply and each fault of the wire.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

export type Question = { readonly type: string; readonly criteria?: Readonly<Record<string, unknown>> | null }
export type Respond = (response: ServerResponse, request: SeenRequest) => void

export interface JevServer {
  readonly url: string
  readonly requests: SeenRequest[]
  /** Sockets that were ever opened. */
  readonly connections: () => number
  respond: Respond
  close(): Promise<void>
}

const open = new Set<JevServer>()

export async function startJevServer(respond: Respond = answerAll()): Promise<JevServer> {
  const sockets = new Set<Socket>()
  let connections = 0
  const requests: SeenRequest[] = []
  const http = createServer((request, response) => {
    readBody(request).then(
      (text) => {
        const seen = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, text, body: parsed(text) }
        requests.push(seen)
        server.respond(response, seen)
      },
      () => response.destroy(),
    )
  })
  http.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const server: JevServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
    respond,
    close: () =>
      new Promise((resolve) => {
        open.delete(server)
        for (const socket of sockets) socket.destroy()
        http.close(() => resolve())
      }),
  }
  open.add(server)
  return server
}

/** For the end of a test file: a server that a failed test left would keep the process. */
export async function closeJevServers(): Promise<void> {
  await Promise.all([...open].map((server) => server.close()))
}

/** Each question by its type: 0.01, or the first label with 0.99. */
export function answersTo(questions: unknown): Record<string, Record<string, unknown>> {
  const asked = Object.entries((questions ?? {}) as Readonly<Record<string, Question>>)
  return Object.fromEntries(
    asked.map(([id, { type, criteria }]) => {
      if (type === 'noul') return [id, { type, noul: 0.01 }]
      const labels = Object.keys(criteria ?? {})
      const probabilities = Object.fromEntries(labels.map((label, at) => [label, at === 0 ? 0.99 : 0.01 / (labels.length - 1)]))
      return [id, { type, choice: labels[0], confidence: 0.99, probabilities }]
    }),
  )
}

export function replyTo(request: SeenRequest, changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    model: 'jev-test',
    answers: answersTo(request.body['questions']),
    usage: { input_tokens: 80, output_tokens: 10 },
    ...changes,
  }
}

export function answerAll(changes: Readonly<Record<string, unknown>> = {}): Respond {
  return (response, request) => sendJson(response, 200, replyTo(request, changes))
}

/** The usual reply with one answer of it replaced, or taken out where `answer` is undefined. */
export function answerWith(id: string, answer: unknown): Respond {
  return (response, request) => {
    const answers: Record<string, unknown> = answersTo(request.body['questions'])
    if (answer === undefined) delete answers[id]
    else answers[id] = answer
    sendJson(response, 200, replyTo(request, { answers }))
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}
