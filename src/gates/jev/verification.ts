// Verification: what the agent's own checks showed in this turn, and whether its claim to be done calls for one more pass. What was seen is never
// presented as what holds now, and missing evidence alone asks for nothing.
//
// How the pieces fit: `observeCall` behind each tool call, `planVerification` when the agent would end, `settleVerification` with the answer.
import { parseLossless } from '../../foundation/lossless-json.js'
import { excerptText } from '../../redaction/cut-text.js'
import { type Sanitized, type SanitizeOptions, sanitizeState } from '../../redaction/sanitize.js'
import { commandOf, onlyLooks, readCheckCommand } from './check-command.js'
import { asThreshold, type CompletionDecision, checkedCompletionDecision, completionConfidence, ownMember } from './decisions.js'
import { readOnlyTools } from './risk.js'
import { shownText } from './shown-text.js'
import { completionState } from './states.js'
import type { TurnEntry } from './turn-cache.js'

/** Tools that change what was checked, whatever else is said of them. */
export const mutatingTools: ReadonlySet<string> = new Set([
  'write_file',
  'patch',
  'edit_file',
  'apply_patch',
  'terminal',
  'execute_code',
])

export interface VerificationSettings {
  readonly enabled: boolean
  readonly mode: 'shadow' | 'enforce'
  readonly continueThreshold: number
  readonly maxNudges: number
  readonly readOnlyTools: readonly string[]
  /** `deciding`: whether evidence was seen does not count for how sure the answer is. */
  readonly confidenceOver: 'all' | 'deciding'
  /** Long output and answers are cut in the middle, many paths are counted, and that leaves the input complete. */
  readonly excerpts: boolean
  /** `stale`: what was checked before a change stays, marked, and a command that only looks changes nothing. */
  readonly otherCalls: 'clear' | 'stale'
}

export const verificationDefaults: VerificationSettings = {
  enabled: false,
  mode: 'shadow',
  continueThreshold: 0.85,
  maxNudges: 2,
  readOnlyTools,
  confidenceOver: 'all',
  excerpts: false,
  otherCalls: 'clear',
}

const observationsMax = 8
const resultCharactersMax = 100_000
const pathsMax = 16

export interface Observation {
  readonly runner: string
  /** True and false as the run ended; null where that cannot be said. */
  readonly success: boolean | null
  readonly exitCode: number | null
  readonly failure: 'exit_code' | 'tool_error' | 'status' | undefined
  readonly counts: CheckCounts | undefined
  readonly generation: number
  /** Tool, command, success, excerpt: as it may leave the machine. */
  readonly state: Sanitized
}

export interface CheckCounts {
  readonly passed: number
  readonly failed: number
}

export interface ObservedCall {
  readonly tool: unknown
  readonly args: unknown
  readonly result: unknown
  readonly status?: unknown
}

export type Observed =
  | { readonly kind: 'observed'; readonly observation: Observation }
  /** What was checked before no longer counts as it did. */
  | { readonly kind: 'invalidated'; readonly observations: number }
  | { readonly kind: 'nothing' }

/** Keeps in the turn's entry what a finished call says of the state of the work. */
export function observeCall(
  entry: TurnEntry,
  call: ObservedCall,
  settings: VerificationSettings,
  sanitize: SanitizeOptions,
): Observed {
  if (!settings.enabled || typeof call.tool !== 'string') return { kind: 'nothing' }
  entry.toolsStarted = true
  const check = readCheckCommand(call.tool, call.args)
  if (check !== undefined) {
    const observation = observationOf(call, check.runner, entry.generation, settings, sanitize)
    entry.observations = [...entry.observations, observation].slice(-observationsMax)
    return { kind: 'observed', observation }
  }
  if (!changesWork(call.tool, call.args, settings)) return { kind: 'nothing' }
  const { length } = entry.observations
  entry.generation += 1
  if (settings.otherCalls === 'clear') entry.observations = []
  return { kind: 'invalidated', observations: length }
}

function changesWork(tool: string, args: unknown, settings: VerificationSettings): boolean {
  if (!mutatingTools.has(tool)) return !settings.readOnlyTools.includes(tool)
  if (settings.otherCalls === 'clear' || tool !== 'terminal') return true
  const command = commandOf(args)
  return command === undefined || !onlyLooks(command)
}

function observationOf(
  call: ObservedCall,
  runner: string,
  generation: number,
  settings: VerificationSettings,
  sanitize: SanitizeOptions,
): Observation {
  const result = readResult(call.result)
  const exitCode = ownMember(result, 'exit_code')
  const ended = outcomeOf(call, result, exitCode)
  const output = ownMember(result, 'output')
  const counts = typeof output === 'string' ? readCounts(output) : undefined
  const state = sanitizeState(
    {
      tool: 'terminal',
      command: commandOf(call.args) ?? '',
      success: ended.success,
      summary: output ?? '',
      generation,
      ...(settings.excerpts && counts !== undefined ? { counts: { ...counts } } : {}),
    },
    settings.excerpts ? { ...sanitize, excerpts: new Set(['summary']) } : sanitize,
  )
  const code = typeof exitCode === 'number' && Number.isSafeInteger(exitCode) ? exitCode : null
  return { runner, ...ended, exitCode: code, counts, generation, state }
}

function outcomeOf({ args, status }: ObservedCall, result: unknown, exitCode: unknown): Pick<Observation, 'success' | 'failure'> {
  if (isGiven(ownMember(result, 'error'))) return { success: false, failure: 'tool_error' }
  if (status !== undefined && status !== null && status !== 'ok') return { success: false, failure: 'status' }
  // In the background it is not over yet.
  if (isGiven(ownMember(result, 'session_id')) || isGiven(ownMember(args, 'background')))
    return { success: null, failure: undefined }
  if (typeof exitCode !== 'number' || !Number.isInteger(exitCode)) return { success: null, failure: undefined }
  return exitCode === 0 ? { success: true, failure: undefined } : { success: false, failure: 'exit_code' }
}

/** An object, or a text that holds one; else one with nothing in it. */
function readResult(result: unknown): unknown {
  if (typeof result !== 'string') return result
  if (result.length > resultCharactersMax) return {}
  try {
    return parseLossless(result).value
  } catch {
    // Whatever the tool wrote, it is no result that can be read.
    return {}
  }
}

/** How many tests a runner says passed and failed: of the last place where it says so. */
export function readCounts(output: string): CheckCounts | undefined {
  const end = output.slice(-20_000)
  const passed = lastCount(end, /(?:^|[^\w.])(\d{1,7}) (?:tests? )?(?:passed|passing)\b|^(?:# |ℹ )pass (\d{1,7})$/gm)
  const failed = lastCount(end, /(?:^|[^\w.])(\d{1,7}) (?:tests? )?(?:failed|failing)\b|^(?:# |ℹ )fail (\d{1,7})$/gm)
  return passed === undefined && failed === undefined ? undefined : { passed: passed ?? 0, failed: failed ?? 0 }
}

function lastCount(text: string, pattern: RegExp): number | undefined {
  const last = [...text.matchAll(pattern)].at(-1)
  const digits = last?.[1] ?? last?.[2]
  return digits === undefined ? undefined : Number(digits)
}

export interface EndingTurn {
  readonly changedPaths: unknown
  readonly finalResponse: unknown
  readonly attempt: unknown
}

/** Why nothing is asked, or nothing said. */
export const verificationAbstentions = [
  'stage_off',
  'nothing_changed',
  'attempt_out_of_bounds',
  'turn_unknown',
  'asked_already',
  'no_decision',
  'turn_over',
  'incomplete_input',
  'low',
  'shadow',
] as const
export type VerificationAbstention = (typeof verificationAbstentions)[number]

export type VerificationPlan = { readonly kind: 'abstain'; readonly why: VerificationAbstention } | VerificationQuestion

export interface VerificationQuestion {
  readonly kind: 'ask'
  readonly entry: TurnEntry
  readonly attempt: number
  readonly changed: number
  /** Those that the question shows. */
  readonly observations: readonly Observation[]
  readonly state: Sanitized
  readonly isComplete: boolean
}

/** Whether there is something to ask when the agent would end. Each attempt is used up by asking, whatever comes of it. */
export function planVerification(
  ending: EndingTurn,
  entry: TurnEntry | undefined,
  settings: VerificationSettings,
  sanitize: SanitizeOptions,
): VerificationPlan {
  const { changedPaths, attempt } = ending
  if (!settings.enabled) return { kind: 'abstain', why: 'stage_off' }
  if (!Array.isArray(changedPaths) || changedPaths.length === 0) return { kind: 'abstain', why: 'nothing_changed' }
  if (typeof attempt !== 'number' || !Number.isInteger(attempt) || attempt < 0 || attempt >= settings.maxNudges)
    return { kind: 'abstain', why: 'attempt_out_of_bounds' }
  if (entry === undefined) return { kind: 'abstain', why: 'turn_unknown' }
  if (entry.attempts.has(attempt)) return { kind: 'abstain', why: 'asked_already' }
  entry.attempts.add(attempt)
  const observations = settings.otherCalls === 'stale' ? entry.observations : currentObservations(entry)
  const state = completionState(
    entry,
    {
      changedPaths: settings.excerpts ? countedPaths(changedPaths) : changedPaths,
      finalResponse: ending.finalResponse,
      evidence: observations.map((observation) => shownObservation(observation, entry.generation)),
      isEvidenceCut: observations.some((observation) => !observation.state.metadata.input_complete),
    },
    settings.excerpts ? { ...sanitize, excerpts: new Set(['final_response']) } : sanitize,
  )
  return {
    kind: 'ask',
    entry,
    attempt,
    changed: changedPaths.length,
    observations,
    state,
    isComplete: state.metadata.input_complete,
  }
}

export interface VerificationOutcome {
  readonly wouldNudge: boolean
  readonly nudge: boolean
  readonly confidence: number | undefined
  /** Why nothing is said; undefined where something is. */
  readonly why: VerificationAbstention | undefined
  readonly directive: { readonly action: 'continue'; readonly message: string } | undefined
}

/** `given` is what an engine answered. What comes too late, for a turn that is over, says nothing. */
export function settleVerification(
  question: VerificationQuestion,
  given: unknown,
  settings: VerificationSettings,
  isCurrent: boolean,
): VerificationOutcome {
  const decision = checkedCompletionDecision(given)
  if (!isCurrent) return silent('turn_over')
  if (decision === undefined) return silent('no_decision')
  const confidence = completionConfidence(decision, settings.confidenceOver)
  if (!question.isComplete) return silent('incomplete_input', confidence)
  if (!callsForMore(decision, confidence, settings.continueThreshold)) return silent('low', confidence)
  if (settings.mode !== 'enforce') return { wouldNudge: true, nudge: false, confidence, why: 'shadow', directive: undefined }
  const directive = { action: 'continue', message: continueMessage(question) } as const
  return { wouldNudge: true, nudge: true, confidence, why: undefined, directive }
}

/** Also for judging again from what was recorded. */
export function callsForMore(decision: CompletionDecision, confidence: number, threshold: number): boolean {
  const { claims_complete: claims, inconsistent, needs_iteration: unfinished } = decision
  return [confidence, claims, inconsistent, unfinished].every((value) => value >= asThreshold(threshold))
}

function silent(why: VerificationAbstention, confidence?: number): VerificationOutcome {
  return { wouldNudge: false, nudge: false, confidence, why, directive: undefined }
}

const continueText =
  'Before you end: hold your claim that the work is done against the files that changed and against the results of your checks. Run the checks that matter, or say plainly what keeps you from it. Claim no success without evidence.'

const commandCharactersMax = 160

/** Names the newest check that failed, where there is one. */
function continueMessage({ observations, entry }: VerificationQuestion): string {
  const failed = observations.findLast(({ success, generation }) => success === false && generation === entry.generation)
  if (failed === undefined) return continueText
  const command = shownText(excerptText(String(failed.state.state['command'] ?? ''), commandCharactersMax))
  return `${continueText}\nThe last check that failed: \`${command}\` (${reasonOf(failed)}).`
}

function reasonOf({ failure, exitCode, counts }: Observation): string {
  const ended =
    failure === 'exit_code'
      ? `exit code ${exitCode}`
      : failure === 'status'
        ? 'the call did not end well'
        : 'the tool reports an error'
  return counts !== undefined && counts.failed > 0 ? `${ended}, ${counts.failed} failed` : ended
}

function currentObservations({ observations, generation }: TurnEntry): readonly Observation[] {
  return observations.filter((observation) => observation.generation === generation)
}

/** A pass that was seen is a thing of the past: it is never shown as one that holds. */
function shownObservation({ state, generation }: Observation, now: number): Readonly<Record<string, unknown>> {
  const freshness = generation === now ? 'unverified' : 'stale'
  return state.state['success'] === true
    ? { ...state.state, freshness, success: null, observed_success: true }
    : { ...state.state, freshness }
}

function countedPaths(paths: readonly unknown[]): readonly unknown[] {
  if (paths.length <= pathsMax) return paths
  return [...paths.slice(0, pathsMax - 1), `… and ${paths.length - pathsMax + 1} more, ${paths.length} in all`]
}

/** There, and not empty. */
function isGiven(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value)
}
