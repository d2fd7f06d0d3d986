// Whether a call may run: pure code over the grants in force and what the call would reach. Nothing that is not granted is allowed. Whatever
// stands in arguments is text: there is nobody here to talk to.
import type { CommandPart, CommandWord, ProposedAccess, Touch } from './access.js'
import type { Allowlist, PathGrant, PathStyle, Policy } from './allowlist.js'
import { type CommandPath, commandScope, isDeniedCommand } from './command-scope.js'
import { decisionReason } from './decision-reason.js'
import { commandTools } from './host-tools.js'
import { type CallContext, type LiveGrants, toolGrants } from './live-grants.js'
import { pathDenial, pathScope } from './path-scope.js'
import { recursiveOperands } from './recursive-operands.js'
import { commandProtection, type SelfProtection, touchProtection } from './self-protection.js'
import { withUnknownText } from './unknown-text.js'

export type DecisionCode =
  | 'granted'
  | 'skill_not_listed'
  | 'tool_not_granted'
  | 'path_not_granted'
  | 'path_dangling'
  | 'path_looping'
  | 'path_unreadable'
  | 'path_unresolved'
  | 'approval_required'
  | 'denied_explicitly'
  | 'grant_expired'
  | 'command_not_granted'
  | 'command_opaque'
  | 'self_protected'
  | 'policy_unavailable'

export interface CapabilityCall {
  readonly tool: string
  /** Empty where the host names none: then the grants of `*` count. */
  readonly skill: string
  /** Who asks, and then who sent them. */
  readonly lineage: readonly CallContext[]
  /** Instant as ISO 8601 in UTC. */
  readonly time: string
}

export interface Decision {
  readonly verdict: 'allow' | 'deny' | 'ask'
  readonly code: DecisionCode
  /** For the model and its owner; empty where the call is allowed. */
  readonly reason: string
  /** What decided: the place of a touch, or of a command. */
  readonly place?: DecisionPlace
}

export type DecisionPlace = { readonly kind: 'touch'; readonly at: number } | { readonly kind: 'command'; readonly at: number }

/** A verdict with what its reason tells; the reason is put into words once, of the one that counts. */
export interface Finding {
  readonly verdict: 'deny' | 'ask'
  readonly code: Exclude<DecisionCode, 'granted'>
  readonly place?: DecisionPlace
  /** The path that is meant, where one is. */
  readonly touch?: Touch
  /** No grant covers the path as it is spelled, or the one that it leads to. */
  readonly lacks?: 'typed' | 'resolved'
  readonly part?: CommandPart
  readonly word?: CommandWord
  readonly protection?: SelfProtection
  /** The entry of the deny list. */
  readonly denied?: string
}

const allowed: Decision = { verdict: 'allow', code: 'granted', reason: '' }

export function decide(policy: Policy, call: CapabilityCall, access: ProposedAccess): Decision {
  const found = strictest(findings(policy, call, access))
  if (found === undefined) return allowed
  const { verdict, code, place } = found
  return { verdict, code, reason: decisionReason(found, call), ...(place === undefined ? {} : { place }) }
}

/** The first denial, else the first question; undefined where there is neither. */
function strictest(found: Iterable<Finding>): Finding | undefined {
  let question: Finding | undefined
  for (const finding of found) {
    if (finding.verdict === 'deny') return finding
    question ??= finding
  }
  return question
}

/** In the order in which they count. Whoever looks for the first denial need not hear the rest. */
function* findings(policy: Policy, call: CapabilityCall, access: ProposedAccess): Generator<Finding> {
  const { allowlists, protected: places, pathStyle } = policy
  if (allowlists.length === 0) yield deny('policy_unavailable')
  yield* protections(access, places, pathStyle)
  if (access.unread !== undefined)
    yield deny(access.unread === 'arguments' || !commandTools.has(call.tool) ? 'path_unreadable' : 'command_opaque')
  // A child never has more than those who sent it.
  for (const allowlist of allowlists)
    for (const context of call.lineage.length === 0 ? [undefined] : call.lineage)
      yield* findingsUnder(allowlist, context, { call, access, style: pathStyle })
}

function* protections({ touches, commands }: ProposedAccess, places: Policy['protected'], style: PathStyle): Generator<Finding> {
  for (const [at, touch] of touches.entries()) {
    const protection = touchProtection(oncePlaced(touch), places, style)
    if (protection !== undefined) yield { ...deny('self_protected'), place: { kind: 'touch', at }, touch, protection }
  }
  for (const [at, part] of commands.entries()) {
    const protection = commandProtection(part, places, style)
    if (protection !== undefined) yield { ...deny('self_protected'), place: { kind: 'command', at }, part, protection }
  }
}

interface Judged {
  readonly call: CapabilityCall
  readonly access: ProposedAccess
  readonly style: PathStyle
}

function* findingsUnder(allowlist: Allowlist, context: CallContext | undefined, judged: Judged): Generator<Finding> {
  const { call } = judged
  const { isDenied, isApprovalNeeded, skill } = toolGrants(allowlist, call.skill === '' ? '*' : call.skill, call.tool)
  if (isDenied) yield { ...deny('denied_explicitly'), denied: call.tool }
  yield* denials(allowlist, judged)
  if (skill === undefined) {
    yield deny('skill_not_listed')
    return
  }
  const live = skill.live(context, call.time)
  const late = (): LiveGrants => skill.live(context, call.time, 'expired')
  if (!live.isToolGranted) {
    yield deny(late().isToolGranted ? 'grant_expired' : 'tool_not_granted')
    return
  }
  yield* lacking(live, late, judged)
  if (isApprovalNeeded) yield { verdict: 'ask', code: 'approval_required' }
}

function* denials({ deny: list }: Allowlist, { access, style }: Judged): Generator<Finding> {
  const { touches, commands } = access
  if (list.paths.length > 0) {
    for (const [at, touch] of touches.entries()) {
      const found = pathDenial(oncePlaced(touch), list.paths, style)
      if (found !== undefined) yield { ...deny('denied_explicitly'), place: { kind: 'touch', at }, touch, denied: found.pattern }
    }
    for (const [at, part] of commands.entries()) {
      const found = operandDenial(part, list.paths, style)
      if (found !== undefined) yield { ...deny('denied_explicitly'), place: { kind: 'command', at }, part, denied: found.pattern }
    }
  }
  if (list.commands.length === 0) return
  for (const [at, part] of commands.entries()) {
    const place = { kind: 'command', at } as const
    if (list.commands.some((command) => isDeniedCommand(part, command)))
      yield { ...deny('denied_explicitly'), place, part, denied: part.program.text }
    // It may be what is denied.
    else if (part.program.opaque !== undefined) yield { verdict: 'ask', code: 'command_opaque', place, part, word: part.program }
  }
}

/** Where a path leads to itself, one look at it is enough. */
function oncePlaced(touch: Touch): Touch {
  return touch.resolved !== null && touch.resolved === touch.typed ? { ...touch, resolved: null } : touch
}

/** Whatever a command does with it: nobody is to reach what is denied. */
function operandDenial(part: CommandPart, denied: readonly PathGrant[], style: PathStyle): PathGrant | undefined {
  const trees = recursiveOperands(part)
  for (const [at, { path, text }] of part.operands.entries()) {
    if (path === undefined) continue
    for (const access of ['read', 'write'] as const) {
      const found = pathDenial({ asked: text, access, tree: trees.has(at), ...path }, denied, style)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** What the live grants do not cover; with the expired ones beside them, to tell what is missing from what has run out. */
function* lacking(live: LiveGrants, late: () => LiveGrants, { call, access, style }: Judged): Generator<Finding> {
  for (const [at, touch] of access.touches.entries()) {
    const found = touchFinding(touch, live.paths, style)
    if (found === undefined) continue
    const isLate = found.code === 'path_not_granted' && touchFinding(touch, late().paths, style)?.code !== 'path_not_granted'
    yield { ...found, ...(isLate ? { code: 'grant_expired' } : {}), place: { kind: 'touch', at }, touch }
  }
  if (!commandTools.has(call.tool) || live.isEveryCommand) return
  if (access.commands.length === 0) yield deny('command_not_granted')
  for (const [at, part] of access.commands.entries()) {
    const found = commandFinding(part, live, style)
    if (found === undefined) continue
    const isLate = found.verdict === 'deny' && commandFinding(part, late(), style)?.verdict !== 'deny'
    yield { ...found, ...(isLate ? { code: 'grant_expired' } : {}), place: { kind: 'command', at }, part }
  }
}

function touchFinding(touch: Touch, grants: readonly PathGrant[], style: PathStyle): Finding | undefined {
  const found = pathScope(touch, grants, style)
  if (found.verdict === 'granted') return undefined
  if (found.verdict === 'doubtful') return { verdict: 'ask', code: found.code }
  return { ...deny(found.code), ...(found.lacks === undefined ? {} : { lacks: found.lacks }) }
}

/** Undefined where one of the grants covers it; else the mildest of what speaks against each of them. */
function commandFinding(part: CommandPart, { commands, paths }: LiveGrants, style: PathStyle): Finding | undefined {
  let mildest: Finding = deny('command_not_granted')
  const lookAt = operandLook(part, paths, style)
  for (const grant of commands) {
    const found = commandScope(part, grant)
    if (found.scope === 'covered') return undefined
    if (found.scope === 'not') continue
    const finding: Finding | undefined =
      found.scope === 'opaque'
        ? { verdict: 'ask', code: 'command_opaque', word: found.word }
        : strictest(operandFindings(found.paths, lookAt))
    if (finding === undefined) return undefined
    if (isMilder(finding, mildest)) mildest = finding
  }
  return mildest
}

type OperandLook = (path: CommandPath) => Finding | undefined

/** What speaks against an operand as a path: worked out once, however many grants ask for it. */
function operandLook(part: CommandPart, grants: readonly PathGrant[], style: PathStyle): OperandLook {
  const trees = recursiveOperands(part)
  const known = new Map<string, Finding | undefined>()
  return ({ operand, access }) => {
    const key = `${access} ${operand}`
    if (known.has(key)) return known.get(key)
    const { text, path } = part.operands[operand] ?? { text: '' }
    // Beyond the bound of how many are looked at, or no path at all.
    const place = path ?? { typed: null, resolved: null, problem: 'unresolved' as const }
    const touch: Touch = { asked: text, access, tree: trees.has(operand), ...place }
    const found = touchFinding(withUnknownNames(touch), grants, style)
    const finding = found === undefined ? undefined : { ...found, touch }
    known.set(key, finding)
    return finding
  }
}

/** A name of which something was taken out is granted where any name is. */
function withUnknownNames(touch: Touch): Touch {
  const { typed, resolved } = touch
  return {
    ...touch,
    typed: typed === null ? null : withUnknownText(typed),
    resolved: resolved === null ? null : withUnknownText(resolved),
  }
}

function* operandFindings(paths: readonly CommandPath[], lookAt: OperandLook): Generator<Finding> {
  for (const path of paths) {
    const found = lookAt(path)
    if (found !== undefined) yield found
  }
}

/** A question is milder than a denial, and of two denials that which tells of a path tells more than that no grant names the command. */
function isMilder(one: Finding, other: Finding): boolean {
  if (one.verdict !== other.verdict) return one.verdict === 'ask'
  return one.verdict === 'deny' && other.code === 'command_not_granted'
}

function deny(code: Finding['code']): Finding {
  return { verdict: 'deny', code }
}
