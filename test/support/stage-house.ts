// A house for hooks with the semantic stage in it: a model that answers as a test says, and a host that sends what our plugin would.
import type { CompletionDecision, RiskDecision, TurnDecision } from '../../src/gates/jev/decisions.js'
import type { JevAnswer, JevEngine } from '../../src/gates/jev/engine.js'
import { riskDefaults } from '../../src/gates/jev/risk.js'
import { turnCacheDefaults } from '../../src/gates/jev/turn-cache.js'
import { verificationDefaults } from '../../src/gates/jev/verification.js'
import type { Directive } from '../../src/hooks/directive.js'
import { makeJevStage } from '../../src/hooks/jev/jev-stage.js'
import type { JevStageSettings } from '../../src/hooks/jev/stage-house.js'
import {
  attachedHost,
  type HostPayload,
  llmCall,
  type TestHost,
  type TestHouse,
  testHouse,
  toolCall,
  toolResult,
} from './hook-house.js'
import { badCompletion, completionOf, lowRisk, riskOf, smallTalk } from './jev-desk.js'

/** Undefined stands for a request that failed. */
export class ScriptedEngine implements JevEngine {
  turn: TurnDecision | undefined = smallTalk
  risk: RiskDecision | undefined = riskOf(lowRisk)
  completion: CompletionDecision | undefined = completionOf(badCompletion)
  readonly requests = { turn: 0, risk: 0, completion: 0 }
  /** States as they were sent, oldest first. */
  readonly sent: Readonly<Record<string, unknown>>[] = []
  /** While a request is under way. */
  during: () => Promise<void> = async () => {}

  classifyTurn = (state: { readonly state: Readonly<Record<string, unknown>> }) => this.#answer('turn', state, () => this.turn)
  assessRisk = (state: { readonly state: Readonly<Record<string, unknown>> }) => this.#answer('risk', state, () => this.risk)
  assessCompletion = (state: { readonly state: Readonly<Record<string, unknown>> }) =>
    this.#answer('completion', state, () => this.completion)

  async #answer<Decision>(
    kind: 'turn' | 'risk' | 'completion',
    { state }: { readonly state: Readonly<Record<string, unknown>> },
    decision: () => Decision | undefined,
  ): Promise<JevAnswer<Decision>> {
    this.requests[kind] += 1
    this.sent.push(state)
    await this.during()
    const given = decision()
    const about = { asked: 'jev-test', latencyMs: 12 }
    if (given === undefined) return { isDecided: false, failure: 'timeout', ...about }
    return { isDecided: true, decision: given, answered: 'jev-test', tokens: { input: 80, output: 10 }, ...about }
  }
}

export interface StagedHouse {
  readonly house: TestHouse
  readonly engine: ScriptedEngine
  readonly host: TestHost
  settings: JevStageSettings
  /** The stage is off, as without a key. */
  isOff: boolean
}

export const enforcedSettings = {
  mode: 'enforce',
  model: 'jev-test',
  classifies: true,
  risk: { ...riskDefaults, mode: 'enforce' },
  shaping: { mode: 'enforce', enabled: true, minConfidence: 0.95 },
  verification: { ...verificationDefaults, enabled: true, mode: 'enforce' },
  cache: turnCacheDefaults,
  telemetry: { enabled: true, eventsMax: 128 },
} as const satisfies Omit<JevStageSettings, 'sanitize'>

export function inShadow(settings: JevStageSettings): JevStageSettings {
  const { risk, shaping, verification } = settings
  const mode = 'shadow'
  return { ...settings, mode, risk: { ...risk, mode }, shaping: { ...shaping, mode }, verification: { ...verification, mode } }
}

/** Its stage enforces, its gates only watch, and a host with our plugin has attached. */
export async function stagedHouse(): Promise<StagedHouse> {
  const house = await testHouse()
  const engine = new ScriptedEngine()
  let chance = 0
  const staged: StagedHouse = {
    house,
    engine,
    host: await attachedHost(house),
    settings: { ...enforcedSettings, sanitize: { redactor: house.redactor } },
    isOff: false,
  }
  house.stage = makeJevStage({
    get ledger() {
      return house.ledger
    },
    engine: () => (staged.isOff ? undefined : engine),
    settings: () => staged.settings,
    now: () => house.nowMs,
    chance: () => {
      chance += 1
      return chance.toString(16).padStart(32, '0')
    },
  })
  return staged
}

/** What the plugin says of a host with a person in front of it. */
export const attended = { attended: 'attended', last_in_order: true }

export interface CallIds {
  readonly session?: string
  readonly turn?: string
  readonly call?: string
  readonly tool?: string
  readonly host?: Readonly<Record<string, unknown>>
}

export function begin(
  { host }: StagedHouse,
  message: unknown,
  { session = 'host-session', turn = 'turn-1', first = true }: { session?: string; turn?: string | null; first?: boolean } = {},
): Promise<Directive> {
  const ids = turn === null ? { turn_id: null } : { turn_id: turn }
  return host.send(llmCall({ user_message: message, model: 'agent-model', is_first_turn: first, ...ids }, session), {
    host: attended,
  })
}

/** The middleware of a call. */
export function request({ host }: StagedHouse, args: Record<string, unknown>, ids: CallIds = {}): Promise<Directive> {
  return host.send({ ...callOf(args, ids), hook_event_name: 'tool_request' }, { host: ids.host ?? attended })
}

/** The call is about to run. */
export function call({ host }: StagedHouse, args: Record<string, unknown>, ids: CallIds = {}): Promise<Directive> {
  return host.send(callOf(args, ids), { host: ids.host ?? attended })
}

export async function run(staged: StagedHouse, args: Record<string, unknown>, ids: CallIds = {}): Promise<Directive> {
  await request(staged, args, ids)
  return call(staged, args, ids)
}

export function callBack(
  { host }: StagedHouse,
  args: Record<string, unknown>,
  result: unknown,
  ids: CallIds = {},
): Promise<Directive> {
  const { session = 'host-session', turn = 'turn-1', call: id = 'call-1', tool = 'terminal' } = ids
  const payload = { ...toolResult(args, { turn_id: turn, tool_call_id: id, result }), tool_name: tool, session_id: session }
  return host.send(payload, { host: attended })
}

export function ending({ host }: StagedHouse, extra: Record<string, unknown> = {}, session = 'host-session'): Promise<Directive> {
  const said = { turn_id: 'turn-1', changed_paths: ['a.ts'], final_response: 'All done.', attempt: 0, ...extra }
  return host.send({ ...llmCall(said, session), hook_event_name: 'pre_verify' }, { host: attended })
}

export function over(
  { host }: StagedHouse,
  hook: 'post_llm_call' | 'on_session_end',
  session = 'host-session',
): Promise<Directive> {
  return host.send({ ...llmCall({ turn_id: 'turn-1' }, session), hook_event_name: hook })
}

export function shaped(
  { host }: StagedHouse,
  message: string,
  tools = ['terminal', 'read_file', 'clarify'],
  extra: Record<string, unknown> = {},
): Promise<Directive> {
  const made = tools.map((name) => ({ type: 'function', function: { name, parameters: {} } }))
  const body = { messages: [{ role: 'system' }, { role: 'user', content: message }], tools: made, tool_choice: null }
  const said = { turn_id: 'turn-1', api_call_count: 1, request: body, ...extra }
  return host.send({ ...llmCall(said), hook_event_name: 'llm_request' }, { host: attended })
}

function callOf(args: Record<string, unknown>, ids: CallIds): HostPayload {
  const { session = 'host-session', turn = 'turn-1', call: id = 'call-1', tool = 'terminal' } = ids
  return { ...toolCall(args, { turn_id: turn, tool_call_id: id }), tool_name: tool, session_id: session }
}

/** Entries of the stage, by type and what they say most of all. */
export async function stageEntries({ house }: StagedHouse): Promise<string[]> {
  const entries = await house.entries()
  return entries.flatMap(({ header: { type }, payload }) => {
    if (!/^(?:jev|verification)\./.test(type)) return []
    const said = ['stage', 'proposal', 'why', 'category', 'fate', 'action', 'success'].map((name) => payload[name])
    const words = said.filter((value) => typeof value === 'string' || typeof value === 'boolean')
    return [[type, ...words].join(' ')]
  })
}
