// What the host says of a tool call: before it runs, and after it came back.
import { z } from 'zod'
import type { Facts, NewEvent } from '../../events/event-catalog.js'
import { asName } from '../../events/event-definition.js'
import { canonicalJson } from '../../foundation/canonical-json.js'
import type { OpenCall } from '../../projections/session-context.js'
import { blockDirective, type Directive, noDirective } from '../directive.js'
import { type HookContext, type HookPayload, hook, type KeyedAnswer } from '../hook.js'
import { keptArguments } from './kept-arguments.js'
import { turnOf, turnWords } from './session.js'

const callExtra = z.looseObject({
  tool_call_id: z.string().nullish(),
  turn_id: z.string().nullish(),
  task_id: z.string().nullish(),
  api_request_id: z.string().nullish(),
})

/** What a client sends in place of a long text. */
const trimmedSchema = z.strictObject({ count: z.int().min(0), bytes: z.int().min(0), digest: z.string() })

export const toolCallHooks = {
  pre_tool_call: hook({
    extra: callExtra,
    observe: (payload, extra, context) => {
      const tool = payload.tool_name ?? ''
      const all = argumentsOf(payload, context)
      const surroundings = surroundingsOf(context)
      const facts = {
        turn: turnOf(extra, context),
        tool: asName(tool),
        arguments: all.facts,
        ...(surroundings === undefined ? {} : { surroundings }),
        ...context.provenance,
      }
      const cwd = typeof payload.cwd === 'string' ? { cwd: payload.cwd } : {}
      const judged = keptArguments(tool, all.value, context)
      return [
        {
          type: 'tool.requested',
          session: context.session,
          facts,
          words: { ...callWords(tool, extra), ...cwd, ...(judged.length === 0 ? {} : { arguments: judged }) },
        },
      ]
    },
    reply: callDirective,
  }),
  post_tool_call: hook({
    extra: z.looseObject({
      ...callExtra.shape,
      result: z.unknown().optional(),
      status: z.string().nullish(),
      error_type: z.string().nullish(),
      duration_ms: z.number().nullish(),
    }),
    observe: (payload, extra, context) => {
      const tool = payload.tool_name ?? ''
      const { digest } = argumentsOf(payload, context).facts
      const request = requestOf(tool, extra.tool_call_id, digest, context)
      const facts = {
        turn: turnOf(extra, context),
        tool: asName(tool),
        requested: request?.index ?? null,
        status: asName(extra.status ?? ''),
        ...(typeof extra.error_type === 'string' ? { errorType: asName(extra.error_type) } : {}),
        ...(typeof extra.duration_ms === 'number' ? { durationMs: wholeMs(extra.duration_ms) } : {}),
        ...resultFacts(extra.result, context),
        argumentsDigest: digest,
        ...context.provenance,
      }
      const completed: NewEvent = { type: 'tool.completed', session: context.session, facts, words: callWords(tool, extra) }
      return [completed, ...mismatches(request, facts, context)]
    },
  }),
  transform_tool_result: hook({ extra: z.looseObject({}), observe: () => [] }),
  tool_request: hook({ extra: z.looseObject({}), comesAgain: true, observe: () => [] }),
}

/** What ran otherwise than it was judged: other arguments, against a refusal, or with no gate asked. */
function mismatches(
  request: OpenCall | undefined,
  { status, argumentsDigest: ran }: Pick<Facts<'tool.completed'>, 'status' | 'argumentsDigest'>,
  { session, judged }: HookContext,
): NewEvent[] {
  const found: Facts<'mismatch.found'>[] = []
  // Another plugin may have changed the arguments behind our back, between the judgement and the run.
  if (request !== undefined && request.argumentsDigest !== ran) found.push({ kind: 'arguments', judged: request.index, ran })
  if (request?.denied !== undefined && ranStatus.has(status))
    found.push({ kind: 'denied', judged: request.index, decision: request.denied })
  if (request === undefined && judged && ranStatus.has(status)) found.push({ kind: 'undecided', judged: null, ran })
  return found.map((facts) => ({ type: 'mismatch.found', ...(session === '' ? {} : { session }), facts }))
}

/** A call that a plugin refused comes back as blocked. */
const ranStatus: ReadonlySet<string> = new Set(['ok', 'error', 'timeout'])

function callDirective({ kind, message, key }: KeyedAnswer): Directive {
  if (kind === 'block') return blockDirective(message)
  return kind === 'ask' ? { action: 'approve', message, rule_key: key } : noDirective
}

/** What the plugin told of the host's process; undefined where it told nothing. */
function surroundingsOf({ host }: HookContext) {
  const { attended, write_origin, last_in_order, approvals_off, terminal_backend } = host
  const told = {
    ...(attended === undefined ? {} : { attended }),
    ...(write_origin === undefined ? {} : { writeOrigin: asName(write_origin) }),
    ...(last_in_order === undefined ? {} : { lastInOrder: last_in_order }),
    ...(approvals_off === undefined ? {} : { approvalsOff: approvals_off }),
    ...(terminal_backend === undefined ? {} : { terminalBackend: asName(terminal_backend) }),
  }
  return Object.keys(told).length === 0 ? undefined : told
}

/** A host's number may be anything that JSON can say. */
function wholeMs(value: number): number {
  return Math.min(Math.max(0, Math.round(value)), Number.MAX_SAFE_INTEGER)
}

function argumentsOf({ tool_input }: HookPayload, { argumentsText: text, digest }: HookContext) {
  const value = tool_input ?? {}
  const count = typeof value === 'object' ? Object.keys(value).length : 1
  return { value, facts: { count, bytes: Buffer.byteLength(text), digest: digest('arguments', text) } }
}

/** The request that an outcome answers: the one with its call id, else the oldest open one with the same tool and arguments. */
function requestOf(
  tool: string,
  call: string | null | undefined,
  argumentsDigest: string,
  { seen: { openCalls } }: HookContext,
): OpenCall | undefined {
  if (typeof call === 'string' && call !== '') return openCalls.filter((request) => request.call === call).at(-1)
  return openCalls.find((request) => request.tool === asName(tool) && request.argumentsDigest === argumentsDigest)
}

function resultFacts(result: unknown, { digest }: HookContext) {
  if (result === undefined || result === null) return {}
  const text = typeof result === 'string' ? result : canonicalJson(result)
  const trimmed = trimmedSchema.safeParse(result)
  return { result: { bytes: trimmed.success ? trimmed.data.bytes : Buffer.byteLength(text), digest: digest('text', text) } }
}

function callWords(tool: string, extra: z.infer<typeof callExtra>) {
  return {
    ...turnWords(extra),
    ...(typeof extra.tool_call_id === 'string' ? { call: extra.tool_call_id } : {}),
    ...(typeof extra.api_request_id === 'string' ? { request: extra.api_request_id } : {}),
    // A name that is no name is kept as what it is: something that a model wrote.
    ...(asName(tool) === tool ? {} : { tool }),
  }
}
