// What the host says of a tool call: before it runs, and after it came back.
import { z } from 'zod'
import { asName } from '../../events/event-definition.js'
import { canonicalJson } from '../../foundation/canonical-json.js'
import { type HookContext, type HookPayload, hook, hookFactsOf } from '../hook.js'
import { judgedArguments } from './judged-arguments.js'
import { turnOf, turnWords } from './session.js'

const callExtra = z.looseObject({
  tool_call_id: z.string().nullish(),
  turn_id: z.string().nullish(),
  task_id: z.string().nullish(),
  api_request_id: z.string().nullish(),
})

export const toolCallHooks = {
  pre_tool_call: hook({
    extra: callExtra,
    observe: (payload, extra, context) => {
      const tool = payload.tool_name ?? ''
      const all = argumentsOf(payload, context)
      const facts = { turn: turnOf(extra, context), tool: asName(tool), arguments: all.facts, ...hookFactsOf(context) }
      const cwd = typeof payload.cwd === 'string' ? { cwd: payload.cwd } : {}
      const judged = judgedArguments(tool, all.value, context)
      return [
        {
          type: 'tool.requested',
          session: context.session,
          facts,
          words: { ...callWords(tool, extra), ...cwd, ...(judged.length === 0 ? {} : { arguments: judged }) },
        },
      ]
    },
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
      const facts = {
        turn: turnOf(extra, context),
        tool: asName(tool),
        requested: requestOf(tool, extra.tool_call_id, digest, context),
        status: asName(extra.status ?? ''),
        ...(typeof extra.error_type === 'string' ? { errorType: asName(extra.error_type) } : {}),
        ...(typeof extra.duration_ms === 'number' ? { durationMs: wholeMs(extra.duration_ms) } : {}),
        ...resultFacts(extra.result, context),
        argumentsDigest: digest,
        ...hookFactsOf(context),
      }
      return [{ type: 'tool.completed', session: context.session, facts, words: callWords(tool, extra) }]
    },
  }),
  transform_tool_result: hook({ extra: z.looseObject({}), observe: () => [] }),
}

/** A host's number may be anything that JSON can say. */
function wholeMs(value: number): number {
  return Math.min(Math.max(0, Math.round(value)), Number.MAX_SAFE_INTEGER)
}

function argumentsOf({ tool_input }: HookPayload, { digest }: HookContext) {
  const value = tool_input ?? {}
  const text = canonicalJson(value)
  const count = typeof value === 'object' ? Object.keys(value).length : 1
  return { value, facts: { count, bytes: Buffer.byteLength(text), digest: digest('arguments', text) } }
}

/** The request that an outcome answers: the one with its call id, else the oldest open one with the same tool and arguments. */
function requestOf(tool: string, call: string | null | undefined, argumentsDigest: string, { seen }: HookContext): number | null {
  const open = seen?.openCalls ?? []
  const named = typeof call === 'string' && call !== '' ? open.filter((request) => request.call === call) : []
  const same = open.filter((request) => request.tool === asName(tool) && request.argumentsDigest === argumentsDigest)
  return (named.at(-1) ?? (named.length === 0 && !call ? same[0] : undefined))?.index ?? null
}

function resultFacts(result: unknown, { digest }: HookContext) {
  if (result === undefined || result === null) return {}
  const text = typeof result === 'string' ? result : canonicalJson(result)
  return { result: { bytes: Buffer.byteLength(text), digest: digest('text', text) } }
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
