// A model server that says what a test wrote down: an OpenAI-compatible endpoint on loopback, streamed or whole.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ScriptedCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** Done once, before the agent is told to make the call. */
  readonly before?: () => void | Promise<void>
}

/** What became of a call: what the agent was told of it, and how long after our answer. */
export interface PlayedCall {
  readonly result: string
  readonly ms: number
}

export interface ScriptedModel {
  readonly baseUrl: string
  /** From now on each turn makes these calls, one after another, and then ends with words. */
  play(script: readonly ScriptedCall[]): void
  /** The names of the tools that came with the first request of the newest turn. */
  toolsOffered(): readonly string[]
  /** The calls of the newest turn that came back. */
  played(): readonly PlayedCall[]
  close(): Promise<void>
}

export const finalWords = 'Done.'

const modelName = 'scripted-model'
const modelList = { object: 'list', data: [{ id: modelName, object: 'model', context_length: 131_072 }] }

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
  readonly tools?: readonly unknown[]
  readonly stream?: boolean
}

type Message = { readonly content: string } | { readonly tool_calls: readonly object[] }

export async function startScriptedModel(): Promise<ScriptedModel> {
  let script: readonly ScriptedCall[] = []
  let played: PlayedCall[] = []
  let offered: readonly string[] | undefined
  let askedAt = 0

  async function nextMessage({ messages, tools }: ChatRequest): Promise<Message> {
    // A request without tools is one of the host's side questions.
    if (tools === undefined) return { content: finalWords }
    offered ??= tools.map(nameOfTool)
    // By roles and not by a counter: a host may ask twice for one step.
    const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
    const results = turn.filter(({ role }) => role === 'tool').map(({ content }) => String(content))
    const isNew = results.length === played.length + 1
    if (isNew) played.push({ result: results.at(-1) ?? '', ms: performance.now() - askedAt })
    const call = script[results.length]
    if (call === undefined) return { content: finalWords }
    if (isNew || results.length === 0) await call.before?.()
    askedAt = performance.now()
    const asked = { name: call.tool, arguments: JSON.stringify(call.arguments) }
    return { tool_calls: [{ index: 0, id: `call_${results.length + 1}`, type: 'function', function: asked }] }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') return sendJson(response, modelList)
    const chat = JSON.parse(await bodyOf(request)) as ChatRequest
    const message = await nextMessage(chat)
    if (chat.stream === true) sendStream(response, message)
    else sendJson(response, completion('chat.completion', { message: { role: 'assistant', ...message } }, message))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      response.writeHead(500).end(error.message)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    play: (calls) => {
      script = calls
      played = []
      offered = undefined
    },
    toolsOffered: () => offered ?? [],
    played: () => played,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The part of Hermes' `config.yaml` that leads to this model and nowhere else. */
export function modelSettings({ baseUrl }: ScriptedModel): string {
  return `model:
  default: ${modelName}
  provider: custom
  base_url: ${baseUrl}
  api_key: not-a-key
  context_length: 131072
auxiliary:
  title_generation: { enabled: false }
memory: { nudge_interval: 0 }
skills: { creation_nudge_interval: 0 }
# It would be fetched from the network.
security: { tirith_enabled: false }
`
}

function completion(object: string, choice: object, ended?: Message): object {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const reason = ended === undefined ? null : 'tool_calls' in ended ? 'tool_calls' : 'stop'
  const choices = [{ index: 0, ...choice, finish_reason: reason }]
  return { id: 'scripted', object, created: 1, model: modelName, choices, ...(ended === undefined ? {} : { usage }) }
}

function sendStream(response: ServerResponse, message: Message): void {
  const chunk = (delta: object, ended?: Message) => completion('chat.completion.chunk', { delta }, ended)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const part of [chunk({ role: 'assistant', content: '' }), chunk(message), chunk({}, message)]) {
    response.write(`data: ${JSON.stringify(part)}\n\n`)
  }
  response.end('data: [DONE]\n\n')
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function nameOfTool(tool: unknown): string {
  const { function: inner } = tool as { readonly function?: { readonly name?: string } }
  return inner?.name ?? ''
}
