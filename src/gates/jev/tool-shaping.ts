// Leaves tools out of the first request of a turn that is surely a greeting and nothing else. A guard of plain rules comes first; only then does
// the classification count, and each of its answers must agree. Reads the request, changes nothing in it.

import { asProbability, capabilities, type TurnDecision } from './decisions.js'
import { isGreeting, greetings as knownGreetings } from './greetings.js'
import type { TurnEntry } from './turn-cache.js'

export const shapingReasons = [
  'fresh_standalone_chat',
  'incomplete_input',
  'prior_or_unknown_context',
  'followup_or_task',
  'unknown_context',
  'ongoing_tool_workflow',
] as const
export type ShapingReason = (typeof shapingReasons)[number]

/** Why a fresh greeting keeps its tools all the same. */
export const shapingKept = ['no_decision', 'decision_unfit', 'tools_unfit', 'nothing_to_remove', 'nothing_left'] as const
export type ShapingKept = (typeof shapingKept)[number]

export const removableTools: ReadonlySet<string> = new Set([
  'terminal',
  'read_file',
  'write_file',
  'patch',
  'search_files',
  'web_search',
  'web_extract',
  'web_search_plus',
  'web_extract_plus',
  'browser_navigate',
  'browser_snapshot',
  'browser_click',
  'browser_type',
  'browser_scroll',
  'browser_press_key',
])

export interface ShapingSettings {
  readonly mode: 'shadow' | 'enforce'
  readonly enabled: boolean
  /** Not below 0.95. */
  readonly minConfidence: number
  readonly greetings?: ReadonlySet<string>
  readonly removable?: ReadonlySet<string>
}

export type ProviderRequest = Readonly<Record<string, unknown>>

export interface ShapingOutcome {
  readonly reason: ShapingReason
  /** Present where the guard held and the tools stay. */
  readonly kept?: ShapingKept
  readonly wouldShape: boolean
  readonly shaped: boolean
  readonly toolsBefore?: number
  readonly toolsAfter?: number
  /** Only where it is to be sent instead: never in shadow. */
  readonly request?: ProviderRequest
}

export interface ShapingInput {
  readonly request: unknown
  /** Undefined where the turn is not known. */
  readonly entry: TurnEntry | undefined
  /** Which request of the turn it is, from 1. */
  readonly apiCallCount: unknown
}

/** Undefined where shaping has no say at all: it is off, or this is not the first request. */
export function judgeToolShaping(
  { request, entry, apiCallCount }: ShapingInput,
  settings: ShapingSettings,
): ShapingOutcome | undefined {
  if (!settings.enabled || apiCallCount !== 1) return undefined
  const reason = shapingGuard(request, entry, settings.greetings)
  if (reason !== 'fresh_standalone_chat') return { reason, wouldShape: false, shaped: false }
  const decision = entry?.isReady === true && !entry.toolsStarted ? entry.decision : undefined
  if (decision === undefined) return { reason, kept: 'no_decision', wouldShape: false, shaped: false }
  const shaped = shapeRequest(request as ProviderRequest, decision, settings)
  if (typeof shaped === 'string') return { reason, kept: shaped, wouldShape: false, shaped: false }
  const counts = { toolsBefore: shaped.toolsBefore, toolsAfter: shaped.toolsAfter }
  if (settings.mode !== 'enforce') return { reason, wouldShape: true, shaped: false, ...counts }
  return { reason, wouldShape: true, shaped: true, ...counts, request: shaped.request }
}

/** The plain rules, in their order; the first that fails is the reason. */
export function shapingGuard(
  request: unknown,
  entry: TurnEntry | undefined,
  greetings: ReadonlySet<string> = knownGreetings,
): ShapingReason {
  if (entry?.state === undefined || !entry.state.metadata.input_complete) return 'incomplete_input'
  const { user_message: said, conversation } = entry.state.state
  if (memberOf(conversation, 'prior_turn_seen') !== false) return 'prior_or_unknown_context'
  if (!isGreeting(said, greetings)) return 'followup_or_task'
  if (!isObject(request) || isGiven(request['previous_response_id']) || isGiven(request['conversation'])) return 'unknown_context'
  if (Object.hasOwn(request, 'messages') && Object.hasOwn(request, 'input')) return 'unknown_context'
  const items = Object.hasOwn(request, 'messages') ? request['messages'] : request['input']
  if (!Array.isArray(items) || items.length < 1 || items.length > 32) return 'unknown_context'
  const contents: unknown[] = []
  for (const item of items as readonly unknown[]) {
    if (!isObject(item) || isGiven(item['tool_calls']) || isGiven(item['function_call'])) return 'ongoing_tool_workflow'
    const { role, content } = item
    if (role === 'system' || role === 'developer') continue
    if (role !== 'user' || typeof content !== 'string') return 'prior_or_unknown_context'
    contents.push(content)
  }
  return contents.length === 1 && contents[0] === said ? 'fresh_standalone_chat' : 'prior_or_unknown_context'
}

interface ShapedRequest {
  readonly request: ProviderRequest
  readonly toolsBefore: number
  readonly toolsAfter: number
}

/** A changed copy, or why there is none. The request, its list and its tools stay as they are. */
export function shapeRequest(
  request: ProviderRequest,
  decision: TurnDecision,
  { minConfidence, removable = removableTools }: Pick<ShapingSettings, 'minConfidence' | 'removable'>,
): ShapedRequest | Exclude<ShapingKept, 'no_decision'> {
  if (!isSmallTalk(decision, minConfidence)) return 'decision_unfit'
  const choice = request['tool_choice']
  if (choice !== undefined && choice !== null && choice !== 'auto' && choice !== 'none') return 'tools_unfit'
  const tools = request['tools']
  const names = toolNames(tools)
  if (names === undefined || !Array.isArray(tools)) return 'tools_unfit'
  const kept = (tools as readonly unknown[]).filter((_, at) => !removable.has(names[at] ?? ''))
  if (kept.length === tools.length) return 'nothing_to_remove'
  if (kept.length === 0) return 'nothing_left'
  return { request: { ...request, tools: kept }, toolsBefore: tools.length, toolsAfter: kept.length }
}

function isSmallTalk(decision: TurnDecision, minConfidence: number): boolean {
  const { intent, complexity, side_effect_likelihood: sideEffects } = decision
  if (intent !== 'chat' || sideEffects !== 'low' || (complexity !== 'trivial' && complexity !== 'simple')) return false
  const confidence = asProbability(decision.confidence)
  const needs = capabilities.map((name) => asProbability(decision[name]))
  if (confidence === undefined || !(confidence >= minConfidence)) return false
  return needs.every((need) => need !== undefined && need <= 1 - minConfidence)
}

/** Undefined unless all tools are functions of one and the same shape, each with a name of its own. */
function toolNames(tools: unknown): readonly string[] | undefined {
  if (!Array.isArray(tools) || tools.length === 0) return undefined
  const named = (tools as readonly unknown[]).map(nameOfTool)
  const shapes = new Set(named.map((tool) => tool?.shape))
  const names = named.map((tool) => tool?.name ?? '')
  if (shapes.size !== 1 || shapes.has(undefined) || new Set(names).size !== names.length) return undefined
  return names
}

function nameOfTool(tool: unknown): { readonly name: string; readonly shape: 'chat' | 'responses' } | undefined {
  if (!isObject(tool) || tool['type'] !== 'function') return undefined
  const inner = tool['function']
  const isFlat = typeof tool['name'] === 'string' && isObject(tool['parameters'])
  if (Object.hasOwn(tool, 'function')) {
    if (isFlat || !isObject(inner) || typeof inner['name'] !== 'string' || !isObject(inner['parameters'])) return undefined
    return { name: inner['name'], shape: 'chat' }
  }
  return isFlat ? { name: String(tool['name']), shape: 'responses' } : undefined
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** There, and not empty. */
function isGiven(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value)
}
