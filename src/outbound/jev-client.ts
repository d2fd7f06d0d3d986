// The only way out of the machine: asks the hosted decision model, through its vendor's SDK, and takes nothing that has not been through the
// sanitizer. One connection is kept, one request is sent for a decision, and one signal ends it at the deadline. No word of a reply, of an
// error or of the key goes further than this file: what went wrong is told by its category.
import {
  APIConnectionError,
  APIError,
  APITimeoutError,
  APIUserAbortError,
  AuthenticationError,
  InternalServerError,
  PermissionDeniedError,
  RateLimitError,
  TypeSafeClient,
} from '@typesafe-ai/sdk'
import type { CompletionDecision, RiskDecision, TurnDecision } from '../gates/jev/decisions.js'
import type { JevAnswer, JevEngine, JevFailure } from '../gates/jev/engine.js'
import {
  completionQuestions,
  type JevQuestions,
  type JevReply,
  readCompletionReply,
  readRiskReply,
  readTurnReply,
  riskQuestions,
  turnQuestions,
} from '../gates/jev/questions.js'
import { isSanitized, type Sanitized } from '../redaction/sanitize.js'
import { type CircuitPass, type CircuitState, makeCircuit } from './circuit.js'
import { makeDailyBudget, type SentToday } from './daily-budget.js'
import { isJevAddress, isJevKey } from './jev-address.js'

export interface JevClientOptions {
  readonly apiKey: string
  readonly baseUrl: string
  readonly model: string
  /** From the call to its answer, whatever happens. */
  readonly timeoutMs: number
  /** Requests at the same time; there is no queue behind them. */
  readonly workersMax: number
  /** 0: any number. */
  readonly requestsPerDay: number
  /** What was sent on this day before this client was made. */
  readonly sentToday?: SentToday
  /** Another model answers than was asked for, or than answered before. Told once for each. */
  readonly modelChanged?: (change: ModelChange) => void
  /** Milliseconds that never go back, and wall-clock time for the day. */
  readonly monotonicMs?: () => number
  readonly nowMs?: () => number
  readonly fetch?: Fetch
}

export interface ModelChange {
  readonly asked: string
  readonly before: string
  readonly answered: string
}

export interface JevClientState {
  readonly baseUrl: string
  readonly model: string
  readonly circuit: CircuitState
  readonly running: number
  readonly workersMax: number
  readonly sentToday: SentToday
  readonly requestsPerDay: number
  /** Models that have answered, in the order in which they first did. */
  readonly answered: readonly string[]
}

export interface JevClient extends JevEngine {
  /** For the status: nothing of the key. */
  state(): JevClientState
  /** Calls off what is under way, and sends nothing more. */
  close(): void
}

type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** Aliases of the vendor: which model answers them is not known before it does. */
const movingModels = ['jev-latest', 'jev-preview']
const replyBytesMax = 256 * 1024
/** A server that names itself anew in each reply is told of so often. */
const modelsMax = 16

/** Throws `TypeError` for a key or an address that cannot be one, without quoting it. Whoever reads settings has judged both before. */
export function makeJevClient(options: JevClientOptions): JevClient {
  if (!isJevKey(options.apiKey)) throw new TypeError('the key of the decision model is none')
  if (!isJevAddress(options.baseUrl)) throw new TypeError('the address of the decision model is none')
  return new HostedJev(options)
}

class HostedJev implements JevClient {
  readonly #sdk: TypeSafeClient
  readonly #options: Omit<JevClientOptions, 'apiKey'>
  readonly #circuit = makeCircuit()
  readonly #budget
  readonly #answered: string[] = []
  readonly #underWay = new Set<AbortController>()
  #expected: string | undefined
  #running = 0
  #isClosed = false

  constructor({ apiKey, ...options }: JevClientOptions) {
    this.#options = options
    this.#budget = makeDailyBudget(options.requestsPerDay, options.sentToday)
    this.#expected = movingModels.includes(options.model) ? undefined : options.model
    // Each of these has a fallback in the environment, which would redirect the key and the words, or print them.
    this.#sdk = new TypeSafeClient({
      apiKey,
      baseURL: options.baseUrl,
      defaultModel: options.model,
      timeout: options.timeoutMs,
      retry: { maxRetries: 0 },
      logLevel: 'off',
      logger: silent,
      fetch: wholeReplies(options.fetch ?? ((url, init) => fetch(url, init))),
    })
  }

  classifyTurn(state: Sanitized): Promise<JevAnswer<TurnDecision>> {
    return this.#decide(state, turnQuestions, readTurnReply)
  }

  assessRisk(state: Sanitized): Promise<JevAnswer<RiskDecision>> {
    return this.#decide(state, riskQuestions, readRiskReply)
  }

  assessCompletion(state: Sanitized): Promise<JevAnswer<CompletionDecision>> {
    return this.#decide(state, completionQuestions, readCompletionReply)
  }

  state(): JevClientState {
    const { baseUrl, model, workersMax, requestsPerDay } = this.#options
    return {
      baseUrl,
      model,
      circuit: this.#circuit.at(this.#monotonicMs()),
      running: this.#running,
      workersMax,
      sentToday: this.#budget.at(this.#nowMs()),
      requestsPerDay,
      answered: [...this.#answered],
    }
  }

  close(): void {
    this.#isClosed = true
    for (const controller of this.#underWay) controller.abort()
  }

  async #decide<Decision>(
    state: Sanitized,
    questions: JevQuestions,
    read: (reply: unknown) => JevReply<Decision>,
  ): Promise<JevAnswer<Decision>> {
    const begunAtMs = this.#monotonicMs()
    const { model } = this.#options
    const outcome = await this.#outcome(state, questions, read)
    const shared = { asked: model, latencyMs: Math.max(0, this.#monotonicMs() - begunAtMs) }
    if (typeof outcome === 'string') return { isDecided: false, failure: outcome, ...shared }
    return { isDecided: true, decision: outcome.decision, answered: outcome.model, tokens: outcome.tokens, ...shared }
  }

  async #outcome<Decision>(
    state: Sanitized,
    questions: JevQuestions,
    read: (reply: unknown) => JevReply<Decision>,
  ): Promise<ValidReply<Decision> | JevFailure> {
    // Whatever its type says: what has not been through the sanitizer is not sent.
    if (!isSanitized(state)) return 'bad_request'
    if (this.#isClosed) return 'cancelled'
    if (this.#running >= this.#options.workersMax) return 'capacity'
    const pass = this.#circuit.enter(this.#monotonicMs())
    if (pass === undefined) return 'circuit_open'
    if (!this.#budget.spend(this.#nowMs())) {
      this.#circuit.leave(pass)
      return 'budget_spent'
    }
    return this.#withDeadline(pass, (signal) => this.#ask(state, questions, read, signal))
  }

  /** The caller hears at the deadline; the place is free again only when the work has really ended. A late answer changes nothing. */
  async #withDeadline<Outcome>(
    pass: CircuitPass,
    work: (signal: AbortSignal) => Promise<Outcome | Failed>,
  ): Promise<Outcome | JevFailure> {
    const controller = new AbortController()
    this.#underWay.add(controller)
    this.#running += 1
    let timer: NodeJS.Timeout | undefined
    const cutOff = new Promise<Failed>((resolve) => {
      controller.signal.addEventListener('abort', () => resolve({ failure: this.#isClosed ? 'cancelled' : 'timeout' }), {
        once: true,
      })
      timer = setTimeout(() => controller.abort(), this.#options.timeoutMs)
    })
    const working = work(controller.signal).finally(() => {
      this.#underWay.delete(controller)
      this.#running -= 1
    })
    const outcome = await Promise.race([working, cutOff])
    clearTimeout(timer)
    this.#learn(pass, outcome)
    return isFailed(outcome) ? outcome.failure : outcome
  }

  /** Never rejects. */
  async #ask<Decision>(
    state: Sanitized,
    questions: JevQuestions,
    read: (reply: unknown) => JevReply<Decision>,
    signal: AbortSignal,
  ): Promise<ValidReply<Decision> | Failed> {
    try {
      // The SDK promises a typed result and checks nothing of it.
      const reply: unknown = await this.#sdk.systemOne(
        { model: this.#options.model, state: state.state as SdkState, questions },
        { signal },
      )
      const judged = read(reply)
      if (!judged.isValid) return { failure: 'malformed' }
      return judged
    } catch (error) {
      return failureOf(error, this.#nowMs())
    }
  }

  #learn(pass: CircuitPass, outcome: unknown): void {
    if (!isFailed(outcome)) {
      this.#circuit.succeed(pass)
      this.#noteModel((outcome as ValidReply<unknown>).model)
      return
    }
    const { failure, retryAfterMs } = outcome
    if (failure === 'cancelled' || failure === 'bad_request') this.#circuit.leave(pass)
    else this.#circuit.fail(pass, this.#monotonicMs(), retryAfterMs)
  }

  #noteModel(answered: string): void {
    const before = this.#expected
    this.#expected = answered
    if (this.#answered.includes(answered) || this.#answered.length >= modelsMax) return
    this.#answered.push(answered)
    if (before === undefined || before === answered) return
    try {
      this.#options.modelChanged?.({ asked: this.#options.model, before, answered })
    } catch {
      // Whoever wanted to be told cannot be; the decision stands.
    }
  }

  #monotonicMs(): number {
    return (this.#options.monotonicMs ?? (() => performance.now()))()
  }

  #nowMs(): number {
    return (this.#options.nowMs ?? Date.now)()
  }
}

type SdkState = Parameters<TypeSafeClient['systemOne']>[0]['state']
type ValidReply<Decision> = Extract<JevReply<Decision>, { readonly isValid: true }>

interface Failed {
  readonly failure: JevFailure
  readonly retryAfterMs?: number
}

function isFailed(outcome: unknown): outcome is Failed {
  return typeof outcome === 'object' && outcome !== null && Object.hasOwn(outcome, 'failure')
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Of an error nothing is read but its kind, its status and when to come again: the rest may quote the key. */
function failureOf(error: unknown, nowMs: number): Failed {
  if (error instanceof APITimeoutError || error instanceof APIUserAbortError) return { failure: 'timeout' }
  if (error instanceof APIConnectionError) return { failure: 'connection' }
  if (!(error instanceof APIError)) return { failure: 'malformed' }
  const retryAfterMs = retryAfter(error.headers, nowMs)
  return { failure: failureOfStatus(error), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

function failureOfStatus(error: APIError): JevFailure {
  if (error instanceof AuthenticationError || error instanceof PermissionDeniedError) return 'auth'
  if (error instanceof RateLimitError) return 'rate_limit'
  if (error instanceof InternalServerError) return error.status === 529 ? 'overloaded' : 'server'
  return error.status < 400 ? 'malformed' : 'bad_request'
}

/** Undefined where the server does not say, or says at once. */
function retryAfter(headers: Headers, nowMs: number): number | undefined {
  const inMs = headers.get('retry-after-ms') ?? ''
  const said = headers.get('retry-after') ?? ''
  const count = /^\d{1,9}$/
  const asked = count.test(inMs) ? Number(inMs) : count.test(said) ? Number(said) * 1000 : Date.parse(said) - nowMs
  return asked > 0 ? asked : undefined
}

/**
 * Reads the whole body before anybody else sees the reply: the SDK reads it behind its own timer, and what is aborted there rejects where nobody
 * listens, which ends the process. Redirects are refused: the key and the words were meant for one address.
 */
function wholeReplies(fetching: Fetch): Fetch {
  return async (url, init) => {
    const reply = await fetching(url, { ...init, redirect: 'error' })
    const body = await wholeBody(reply)
    // The connection is free for the next request only after this turn of the loop; without it a second one would be opened.
    await new Promise((resolve) => setImmediate(resolve))
    const headers = new Headers(reply.headers)
    // The body is decoded already.
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name)
    return new Response(mayHaveBody(reply.status) && body.byteLength > 0 ? body : null, { status: reply.status, headers })
  }
}

function mayHaveBody(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304
}

async function wholeBody({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  const reader = body?.getReader()
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    size += part.value.byteLength
    if (size > replyBytesMax) {
      await reader?.cancel().catch(() => {})
      throw new Error('the reply is too large')
    }
    parts.push(part.value)
  }
  return new Uint8Array(Buffer.concat(parts))
}
