// Plays every case of the evaluation in four profiles, on the real path of hooks over a ledger of its own, with a model that says what an optimist
// would. Nothing leaves the machine. What the host does around us (another plugin's block) is played here.
import { randomBytes } from 'node:crypto'
import type { CompletionDecision, RiskDecision, TurnDecision } from '../gates/jev/decisions.js'
import type { JevAnswer, JevEngine } from '../gates/jev/engine.js'
import { Attaches, signedBy } from '../hooks/attach.js'
import type { Directive } from '../hooks/directive.js'
import { handleHook } from '../hooks/handle-hook.js'
import type { HookHouse } from '../hooks/hook-house.js'
import { makeJevStage } from '../hooks/jev/jev-stage.js'
import type { JevStageSettings } from '../hooks/jev/stage-house.js'
import { RateBound } from '../hooks/rate-bound.js'
import { SessionMemory } from '../hooks/session-memory.js'
import type { Ledger } from '../ledger/ledger.js'
import {
  type JevConfig,
  riskSettingsOf,
  sanitizeSettingsOf,
  shapingSettingsOf,
  turnCacheSettingsOf,
  verificationSettingsOf,
} from '../outbound/config.js'
import { makeRedactor } from '../redaction/redact.js'
import { completionAnswer, type JevCase, jevCases, riskAnswer, smallTalk } from './jev-cases.js'
import { processWatch } from './process-watch.js'

export const jevProfiles = ['disabled', 'shadow', 'risk_only', 'enforce'] as const
export type JevProfile = (typeof jevProfiles)[number]

export interface JevEvaluationRow {
  readonly case: string
  readonly original: boolean
  readonly profile: JevProfile
  readonly removed_tools: readonly string[]
  readonly approval: boolean
  readonly block: boolean
  readonly nudge: boolean
  readonly engine_calls: number
  readonly wall_ms: number
  /** Of it, what the model took. */
  readonly decision_ms: number
}

export interface JevEvaluationSummary {
  readonly false_tool_removals: number
  readonly unnecessary_approvals: number
  readonly missed_approvals: number
  readonly incorrect_verification_nudges: number
  readonly missed_verification_nudges: number
  readonly lost_blocks: number
  readonly behavior_differences_vs_disabled: number
  readonly cases: number
  readonly engine_calls: number
  readonly median_wall_ms: number
  readonly max_wall_ms: number
  readonly median_delta_vs_disabled_ms: number
}

export interface JevEvaluation {
  readonly scope: string
  readonly case_count: number
  readonly run_count: number
  /** Of the original's cases. */
  readonly summary: Readonly<Record<JevProfile, JevEvaluationSummary>>
  /** Of ours. */
  readonly own_summary: Readonly<Record<JevProfile, JevEvaluationSummary>>
  readonly rows: readonly JevEvaluationRow[]
}

/** `ledgerOf` opens an empty ledger for a profile and closes it when the cases are played. */
export async function evaluateJev(
  jev: JevConfig,
  ledgerOf: (profile: JevProfile, task: (ledger: Ledger) => Promise<void>) => Promise<void>,
): Promise<JevEvaluation> {
  const rows: JevEvaluationRow[] = []
  for (const profile of jevProfiles) {
    await ledgerOf(profile, async (ledger) => {
      for (const one of jevCases) rows.push(await playedCase(ledger, one, profile, jev))
    })
  }
  const of = (original: boolean) => {
    const some = rows.filter((row) => row.original === original)
    return Object.fromEntries(jevProfiles.map((profile) => [profile, summaryOf(some, profile)])) as JevEvaluation['summary']
  }
  return {
    scope: 'played, with a model of our own: no network, no live answers',
    case_count: jevCases.length,
    run_count: rows.length,
    summary: of(true),
    own_summary: of(false),
    rows,
  }
}

/** What must not happen: any of the first six, or shadow that is not like disabled. */
export function evaluationErrors({ summary, own_summary }: JevEvaluation): string[] {
  return [summary, own_summary].flatMap((all) =>
    jevProfiles.flatMap((profile) => {
      const { cases: _, engine_calls: __, behavior_differences_vs_disabled: different, ...rest } = all[profile]
      const errors = Object.entries(rest).filter(([name, count]) => !name.endsWith('_ms') && count > 0)
      return [
        ...errors.map(([name, count]) => `${profile}: ${name} ${count}`),
        ...(profile === 'shadow' && different > 0 ? [`shadow: differs from disabled in ${different} cases`] : []),
      ]
    }),
  )
}

async function playedCase(ledger: Ledger, one: JevCase, profile: JevProfile, jev: JevConfig): Promise<JevEvaluationRow> {
  const played = new PlayedCase(ledger, one, profile, jev)
  await played.attach()
  const begunMs = performance.now()
  const removed = await played.begin()
  const { approval, block } = await played.runCall()
  const nudge = await played.end()
  const wallMs = performance.now() - begunMs
  return {
    case: one.id,
    original: one.original,
    profile,
    removed_tools: removed,
    approval,
    block,
    nudge,
    engine_calls: played.engine.calls,
    wall_ms: hundredths(wallMs),
    decision_ms: hundredths(played.engine.tookMs),
  }
}

const toolNames = ['terminal', 'read_file', 'write_file', 'clarify'] as const

class PlayedCase {
  readonly engine: PlayedEngine
  readonly #one: JevCase
  readonly #house: HookHouse
  readonly #host = { id: randomBytes(16).toString('hex'), secret: randomBytes(32) }
  readonly #session: string
  #seq = 0

  constructor(ledger: Ledger, one: JevCase, profile: JevProfile, jev: JevConfig) {
    this.#one = one
    this.#session = `evaluation-${one.id}`
    this.engine = new PlayedEngine(one)
    const settings = settingsOf(profile, jev)
    const stage = makeJevStage({
      ledger,
      engine: () => (profile === 'disabled' ? undefined : this.engine),
      settings: () => settings,
      now: () => performance.now(),
      chance: () => randomBytes(16).toString('hex'),
    })
    this.#house = { ...quietHouse(ledger), stage }
  }

  async attach(): Promise<void> {
    await this.#house.attaches.attach({
      attach: this.#host.id,
      secret: this.#host.secret.toString('hex'),
      next: 1,
      pid: process.pid,
      host: 'hermes',
      host_version: '0.0.0',
      plugin_version: '0.0.0',
      files: '00'.repeat(32),
    })
  }

  /** Resolves to the names of tools that were left out of the first request. */
  async begin(): Promise<readonly string[]> {
    const { message, history, codedBefore } = this.#one
    if (codedBefore === true) {
      await this.#send('pre_llm_call', { turn_id: 'turn-0', user_message: 'port the parser', is_first_turn: true })
      await this.#send('post_llm_call', { turn_id: 'turn-0' })
    }
    await this.#send('pre_llm_call', { user_message: message, is_first_turn: history !== true && codedBefore !== true })
    if (!this.#house.stage.wants().includes('llm_request')) return []
    const before =
      history === true
        ? [
            { role: 'user', content: 'look at it' },
            { role: 'assistant', content: [] },
          ]
        : []
    const request = {
      messages: [...before, { role: 'user', content: message }],
      tools: toolNames.map((name) => ({ type: 'function', function: { name, parameters: {} } })),
      tool_choice: null,
    }
    const directive = await this.#send('llm_request', { api_call_count: 1, request })
    if (!('request' in directive)) return []
    const kept = directive.request.tools as readonly { readonly function: { readonly name: string } }[]
    return toolNames.filter((name) => !kept.some((tool) => tool.function.name === name))
  }

  /** A host that takes the first block or approval in the order of its plugins. */
  async runCall(): Promise<{ readonly approval: boolean; readonly block: boolean }> {
    const { tool, block, runsInstead } = this.#one
    if (tool === undefined) return { approval: false, block: false }
    if (this.#house.stage.wants().includes('tool_request')) await this.#send('tool_request', {}, tool)
    if (block === 'before') return { approval: false, block: true }
    const directive = await this.#send('pre_tool_call', {}, { ...tool, args: runsInstead ?? tool.args })
    const action = 'action' in directive ? directive.action : undefined
    return { approval: action === 'approve', block: action === 'block' || (action !== 'approve' && block === 'behind') }
  }

  async end(): Promise<boolean> {
    const { ending } = this.#one
    if (ending === undefined) return false
    const directive = await this.#send('pre_verify', {
      changed_paths: ['a.ts'],
      final_response: ending.response,
      attempt: 0,
    })
    return 'action' in directive && directive.action === 'continue'
  }

  async #send(
    hook: string,
    extra: Readonly<Record<string, unknown>>,
    tool?: { readonly name: string; readonly args: Readonly<Record<string, unknown>> },
  ): Promise<Directive> {
    const { isUnattended, isOrderUnsafe, block } = this.#one
    this.#seq += 1
    const payload = {
      hook_event_name: hook,
      tool_name: tool?.name ?? null,
      tool_input: tool?.args ?? null,
      session_id: this.#session,
      cwd: '/',
      profile: null,
      extra: {
        turn_id: 'turn-1',
        platform: 'cli',
        model: 'agent-model',
        ...(tool === undefined ? {} : { tool_call_id: 'call-1' }),
        ...extra,
      },
      host: {
        attended: isUnattended === true ? 'unattended' : 'attended',
        last_in_order: isOrderUnsafe !== true && block !== 'behind',
      },
    }
    const bytes = Buffer.from(JSON.stringify(payload))
    const signature = signedBy(this.#host, this.#seq, bytes)
    return (await handleHook(this.#house, { bytes, bytesTotal: bytes.length, signature, late: false })).directive
  }
}

/** Answers at once, as the case wants it. */
class PlayedEngine implements JevEngine {
  calls = 0
  tookMs = 0
  readonly #one: JevCase

  constructor(one: JevCase) {
    this.#one = one
  }

  classifyTurn = (): Promise<JevAnswer<TurnDecision>> => this.#answer(smallTalk)
  assessRisk = (): Promise<JevAnswer<RiskDecision>> => this.#answer(riskAnswer(this.#one.isRisky === true))
  assessCompletion = (): Promise<JevAnswer<CompletionDecision>> =>
    this.#answer(completionAnswer(this.#one.ending?.finished === true))

  async #answer<Decision>(decision: Decision): Promise<JevAnswer<Decision>> {
    const begunMs = performance.now()
    this.calls += 1
    await Promise.resolve()
    const latencyMs = performance.now() - begunMs
    this.tookMs += latencyMs
    const asked = smallTalk.model
    if (this.#one.isOut === true) return { isDecided: false, failure: 'connection', asked, latencyMs }
    return { isDecided: true, decision, asked, answered: asked, tokens: { input: 80, output: 10 }, latencyMs }
  }
}

/** As the owner has set it, but for what a profile is. */
function settingsOf(profile: JevProfile, owners: JevConfig): JevStageSettings {
  const isWhole = profile !== 'risk_only'
  const jev: JevConfig = {
    ...owners,
    mode: profile === 'shadow' ? 'shadow' : 'enforce',
    turnClassifierEnabled: true,
    riskGateEnabled: true,
    toolShapingEnabled: isWhole,
    verifyEnabled: isWhole,
  }
  return {
    mode: jev.mode,
    model: smallTalk.model,
    classifies: true,
    risk: riskSettingsOf(jev),
    shaping: shapingSettingsOf(jev),
    verification: verificationSettingsOf(jev),
    cache: turnCacheSettingsOf(jev),
    sanitize: { ...sanitizeSettingsOf(jev), redactor: makeRedactor() },
    telemetry: { enabled: false, eventsMax: 1 },
  }
}

/** The path of hooks with no gate but the stage, and nothing of this machine in sight. */
function quietHouse(ledger: Ledger): Omit<HookHouse, 'stage'> {
  const redactor = makeRedactor()
  return {
    ledger,
    attaches: new Attaches(() => ledger, processWatch),
    sessions: new SessionMemory((handle, newest) => ledger.reader.sessionEntries(handle, { newest })),
    gates: [],
    unattachedRate: new RateBound(),
    attachRate: new RateBound(),
    settings: () => ({
      modes: { provenance: 'off', capability: 'off' },
      keep: 'judged',
      provenance: { search: 'session', scope: 'decisions', evidence: undefined },
      capability: { policy: undefined, digest: undefined, unresolved: undefined },
      messagesDays: 0,
      judgedBytes: Number.MAX_SAFE_INTEGER,
      hooksPerMinute: Number.MAX_SAFE_INTEGER,
      bytesPerMinute: Number.MAX_SAFE_INTEGER,
    }),
    redactor: () => redactor,
    proposedAccess: async () => ({ touches: [], commands: [] }),
    storedBefore: async () => ({ stored: { memory: new Map(), skills: new Map() } }),
    storedAfter: async () => undefined,
    saidElsewhere: async () => [],
    longTexts: { judge: async () => undefined, quotes: async () => [] },
    now: () => performance.now(),
    recorded: () => {},
    takeSpool: async () => {},
  }
}

function summaryOf(rows: readonly JevEvaluationRow[], profile: JevProfile): JevEvaluationSummary {
  const own = rows.filter((row) => row.profile === profile)
  const count = (is: (row: JevEvaluationRow, one: JevCase) => boolean) => own.filter((row) => is(row, caseOf(row))).length
  const wants = {
    approval: profile === 'risk_only' || profile === 'enforce',
    other: profile === 'enforce',
  }
  const expects = ({ expects: expected = {} }: JevCase) => ({
    approval: wants.approval && expected.approval === true,
    removal: wants.other && expected.removal === true,
    nudge: wants.other && expected.nudge === true,
  })
  const disabledOf = (row: JevEvaluationRow) => rows.find((other) => other.profile === 'disabled' && other.case === row.case)
  const walls = own.map((row) => row.wall_ms)
  return {
    false_tool_removals: count((row, one) => row.removed_tools.length > 0 && !expects(one).removal),
    unnecessary_approvals: count((row, one) => row.approval && !expects(one).approval),
    missed_approvals: count((row, one) => !row.approval && expects(one).approval),
    incorrect_verification_nudges: count((row, one) => row.nudge && !expects(one).nudge),
    missed_verification_nudges: count((row, one) => !row.nudge && expects(one).nudge),
    lost_blocks: count((row, one) => one.block !== undefined && !row.block),
    behavior_differences_vs_disabled: count((row) => effectOf(row) !== effectOf(disabledOf(row) ?? row)),
    cases: own.length,
    engine_calls: own.reduce((sum, row) => sum + row.engine_calls, 0),
    median_wall_ms: medianOf(walls),
    max_wall_ms: Math.max(0, ...walls),
    median_delta_vs_disabled_ms: hundredths(medianOf(own.map((row) => row.wall_ms - (disabledOf(row)?.wall_ms ?? 0)))),
  }
}

function caseOf(row: JevEvaluationRow): JevCase {
  const one = jevCases.find(({ id }) => id === row.case)
  if (one === undefined) throw new TypeError('a row of no case')
  return one
}

function effectOf({ removed_tools, approval, block, nudge }: JevEvaluationRow): string {
  return JSON.stringify([removed_tools, approval, block, nudge])
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

function hundredths(ms: number): number {
  return Math.round(ms * 100) / 100
}
