// The doors of the house: one set of routes behind a Unix socket for hooks and readers, one for the owner, and loopback TCP for the page.
// It knows who may come in by which door and how errors are told; what the routes do is theirs.
import { timingSafeEqual } from 'node:crypto'
import { chmodSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { type ErrorKind, SteleError } from '../foundation/stele-error.js'
import type { ServiceLog } from './service-log.js'

export type Door = 'socket' | 'loopback' | 'owner'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** By which doors a route may be reached; the socket and loopback where it says nothing. */
    readonly doors?: readonly Door[]
  }
}

export interface HttpServerOptions {
  readonly routes: (app: FastifyInstance) => void
  readonly log: ServiceLog
  /** What is asked of whoever comes by loopback; undefined until it listens. */
  readonly token: string
  /** Told of every request, so that an idle service can leave. */
  readonly heard: () => void
}

const statusOf: Readonly<Record<ErrorKind, number>> = { input: 400, refused: 403, busy: 503, damaged: 500, unavailable: 502 }

/** Longer than a plugin rests between two hooks of a turn: a kept connection must not end under it. */
const keepAliveMs = 120_000
const endMs = 5000
const idleLookMs = 20
/** Below what systems let a process hold open. */
const connectionsMax = 400
const slowMs = 1000

export class HttpServer {
  readonly #app: FastifyInstance
  readonly #options: HttpServerOptions
  readonly #doors = new WeakMap<IncomingMessage, Door>()
  readonly #servers = new Map<Door, Server>()
  /** Identity of the file behind each Unix socket. */
  readonly #inodes = new Map<Door, number>()

  constructor(options: HttpServerOptions) {
    this.#options = options
    this.#app = Fastify({
      logger: false,
      bodyLimit: 1024 * 1024,
      forceCloseConnections: true,
      // Whoever came in before the doors were shut is answered.
      return503OnClosing: false,
      // An address that cannot be read never comes to a route: without this the framework answers, and repeats it.
      frameworkErrors: (error, _, { raw }) => {
        const { status, body } = toldError(error)
        raw.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify({ error: body }))
      },
    })
    this.#app.setValidatorCompiler(validatorCompiler)
    this.#app.setSerializerCompiler(serializerCompiler)
    this.#app.addHook('onRequest', async (request) => {
      options.heard()
      this.#admit(request)
    })
    this.#app.addHook('onResponse', async (request, reply) => {
      const { url = '' } = request.routeOptions
      // What went well and fast is told by the ledger itself.
      if (reply.statusCode < 400 && reply.elapsedTime < slowMs) return
      options.log.write('request', {
        door: this.#doorOf(request),
        method: request.method,
        route: url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      })
    })
    this.#app.setErrorHandler((error, request, reply) => {
      const told = toldError(error)
      if (told.status >= 500) options.log.fail(`failed route=${request.routeOptions.url ?? ''}`, error)
      return reply.code(told.status).send({ error: told.body })
    })
    this.#app.setNotFoundHandler((_, reply) => {
      const { message } = new SteleError('ROUTE_UNKNOWN')
      return reply.code(404).send({ error: { code: 'ROUTE_UNKNOWN', message } })
    })
    options.routes(this.#app)
  }

  async ready(): Promise<void> {
    await this.#app.ready()
  }

  /** Listens on a Unix socket. The caller holds the home, so whatever lies there is left over from a service that has gone. */
  async listenOnSocket(door: 'socket' | 'owner', path: string): Promise<void> {
    rmSync(path, { force: true })
    const server = this.#newServer(door)
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => reject(new SteleError('FILE_UNWRITABLE', { file: 'socket' }, { cause })))
      server.listen(path, resolve)
    })
    chmodSync(path, 0o600)
    this.#inodes.set(door, statSync(path).ino)
  }

  /** Listens on loopback and returns the base address. */
  async listenOnLoopback(host: string, port: number): Promise<string> {
    const server = this.#newServer('loopback')
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => reject(new SteleError('LISTEN_FAILED', { host, port }, { cause })))
      server.listen(port, host, resolve)
    })
    const { port: taken } = server.address() as AddressInfo
    return `http://${host.includes(':') ? `[${host}]` : host}:${taken}`
  }

  /** Whether the file of a socket is still the one that we listen on. */
  isInPlace(door: 'socket' | 'owner', path: string): boolean {
    return statSync(path, { throwIfNoEntry: false })?.ino === this.#inodes.get(door)
  }

  /** Takes no more, and resolves when what was under way is answered, or has had its time. */
  async close(): Promise<void> {
    const ended = [...this.#servers.values()].map((server) => endServer(server))
    // At the same time: routes that would go on for ever are told here.
    await Promise.all([...ended, this.#app.close()])
  }

  #newServer(door: Door): Server {
    const before = this.#servers.get(door)
    if (before !== undefined) void endServer(before)
    const server = createServer((request, response) => {
      this.#doors.set(request, door)
      this.#app.routing(request, response)
    })
    server.keepAliveTimeout = keepAliveMs
    server.headersTimeout = 10_000
    server.maxConnections = connectionsMax
    server.requestTimeout = 60_000
    this.#servers.set(door, server)
    return server
  }

  #doorOf(request: FastifyRequest): Door {
    return this.#doors.get(request.raw) ?? 'loopback'
  }

  #admit(request: FastifyRequest): void {
    const door = this.#doorOf(request)
    const allowed = request.routeOptions.config.doors ?? ['socket', 'loopback']
    if (door === 'loopback') this.#admitFromLoopback(request)
    if (!allowed.includes(door) && !request.is404) throw new SteleError('ROUTE_UNKNOWN')
  }

  /** A page of another origin, a name that was bound to our address, and whoever has no token stay outside. */
  #admitFromLoopback({ headers, socket }: FastifyRequest): void {
    const port = socket.localPort
    const names = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]
    if (!names.includes(headers.host ?? '')) throw new SteleError('ORIGIN_REFUSED')
    const { origin } = headers
    if (origin !== undefined && !names.some((name) => origin === `http://${name}`)) throw new SteleError('ORIGIN_REFUSED')
    const given = Buffer.from(/^Bearer ([0-9a-f]{64})$/.exec(headers.authorization ?? '')?.[1] ?? '')
    const expected = Buffer.from(this.#options.token)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new SteleError('TOKEN_REFUSED')
  }
}

/** Idle connections go at once, the others when they are answered or their time is over. */
function endServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), endMs)
    // A connection whose answer is still on its way is idle a moment later, and its client would keep it.
    const looking = setInterval(() => server.closeIdleConnections(), idleLookMs)
    timer.unref()
    looking.unref()
    server.close(() => {
      clearTimeout(timer)
      clearInterval(looking)
      resolve()
    })
    server.closeIdleConnections()
  })
}

interface ToldError {
  readonly status: number
  readonly body: { readonly code: string; readonly message: string; readonly details?: SteleError['details'] }
}

/** What is said outside: our own codes. Of everything else only that it happened. */
function toldError(error: unknown): ToldError {
  if (error instanceof SteleError) {
    const { code, message, details, kind } = error
    const status =
      code === 'HOOKS_TOO_MANY' ? 429 : code === 'TOKEN_REFUSED' ? 401 : code === 'ROUTE_UNKNOWN' ? 404 : statusOf[kind]
    return { status, body: { code, message, details } }
  }
  const status = (error as { statusCode?: unknown }).statusCode
  if (typeof status === 'number' && status >= 400 && status < 500) {
    const { code, message, kind } = new SteleError('REQUEST_INVALID')
    return { status: statusOf[kind], body: { code, message } }
  }
  return { status: 500, body: { code: 'INTERNAL', message: 'a mistake in Stele; service.log names the place' } }
}
