// What of an allowlist counts for a call: the grants of its skill that name its tool, in the context that it comes from, at its time.
import type { Allowlist, CommandGrant, Grant, PathGrant } from './allowlist.js'
import { commandTools } from './host-tools.js'
import { matchesToolPattern } from './tool-pattern.js'

export interface CallContext {
  readonly platform: string
  readonly job?: string | undefined
  readonly subagent: boolean
}

export interface LiveGrants {
  /** A grant names the tool, or commands, where the tool runs those. */
  readonly isToolGranted: boolean
  /** The tool runs command lines and is granted as a tool: then all of them are. */
  readonly isEveryCommand: boolean
  /** Of all the grants together. The same list each time, so that what is worked out of it once need not be again. */
  readonly paths: readonly PathGrant[]
  readonly commands: readonly CommandGrant[]
}

/** What of an allowlist is about a tool, whatever the context. */
export interface ToolGrants {
  readonly isDenied: boolean
  readonly isApprovalNeeded: boolean
  /** Undefined where the skill is not listed. */
  readonly skill: SkillReach | undefined
}

export interface SkillReach {
  /** `time` in ISO 8601 in UTC. With `expired`, what has run out counts too. */
  live(context: CallContext | undefined, time: string, expired?: 'expired'): LiveGrants
}

/** Whether some grant lets a tool run any command line: then whatever is protected is within its reach. */
export function grantsEveryCommand({ skills }: Allowlist): boolean {
  const tools = skills.flatMap(({ grants }) => grants.flatMap((grant) => grant.tools))
  return [...commandTools].some((tool) => tools.some((pattern) => matchesToolPattern(pattern, tool)))
}

/** An allowlist is judged by thousands of times, for a few tools, and is looked through once for each. */
const known = new WeakMap<Allowlist, Map<string, ToolGrants>>()

/** Names come from the host: a flood of them must not fill the memory. */
const knownMax = 1024

export function toolGrants(allowlist: Allowlist, skill: string, tool: string): ToolGrants {
  let ofTools = known.get(allowlist)
  if (ofTools === undefined) {
    ofTools = new Map()
    known.set(allowlist, ofTools)
  }
  const key = `${skill}\0${tool}`
  let found = ofTools.get(key)
  if (found === undefined) {
    if (ofTools.size >= knownMax) ofTools.clear()
    found = lookThrough(allowlist, skill, tool)
    ofTools.set(key, found)
  }
  return found
}

function lookThrough({ skills, deny, requireApproval }: Allowlist, skill: string, tool: string): ToolGrants {
  const isNamed = (pattern: string): boolean => matchesToolPattern(pattern, tool)
  const listed = skills.find(({ name }) => name === skill)
  return {
    isDenied: deny.tools.some(isNamed),
    isApprovalNeeded: requireApproval.some(isNamed),
    skill: listed === undefined ? undefined : new GrantsOfTool(listed.grants, tool),
  }
}

interface ReachingGrant {
  readonly grant: Grant
  /** By its name, and not by commands alone. */
  readonly isByName: boolean
}

interface KnownGrants {
  readonly grants: LiveGrants
  readonly from: string
  readonly until: string
}

/** Behind every time that is written in ISO 8601. */
const endOfTime = '~'

class GrantsOfTool implements SkillReach {
  readonly #reaching: readonly ReachingGrant[]
  readonly #conditional: readonly (readonly [at: number, grant: Grant])[]
  readonly #runsCommands: boolean
  /** By which of the grants are live: in another context they may be the same ones. */
  readonly #merged = new Map<string, LiveGrants>()
  /** By context: as long as nothing runs out, the same grants are live. */
  readonly #known = new Map<string, KnownGrants>()

  constructor(grants: readonly Grant[], tool: string) {
    this.#runsCommands = commandTools.has(tool)
    this.#reaching = grants.flatMap((grant) => {
      const isByName = grant.tools.some((pattern) => matchesToolPattern(pattern, tool))
      return isByName || (this.#runsCommands && grant.commands.length > 0) ? [{ grant, isByName }] : []
    })
    this.#conditional = [...this.#reaching.entries()].flatMap(([at, { grant }]) =>
      grant.when === undefined && grant.expires === undefined ? [] : [[at, grant] as const],
    )
  }

  live(context: CallContext | undefined, time: string, expired?: 'expired'): LiveGrants {
    if (expired !== undefined) return this.#look(context, undefined)
    const key = context === undefined ? '' : `${context.platform} ${context.subagent} ${context.job ?? ' '}`
    const known = this.#known.get(key)
    if (known !== undefined && known.from <= time && time < known.until) return known.grants
    if (this.#known.size >= knownMax) this.#known.clear()
    const grants = this.#look(context, time)
    this.#known.set(key, { grants, ...this.#spanOf(time) })
    return grants
  }

  /** Without a time nothing has run out. */
  #look(context: CallContext | undefined, time: string | undefined): LiveGrants {
    const without = this.#conditional.flatMap(([at, grant]) =>
      holds(grant, context) && (time === undefined || !isExpired(grant, time)) ? [] : [at],
    )
    const key = without.join()
    let merged = this.#merged.get(key)
    if (merged === undefined) {
      if (this.#merged.size >= knownMax) this.#merged.clear()
      const left = new Set(without)
      merged = this.#merge(this.#reaching.filter((_, at) => !left.has(at)))
      this.#merged.set(key, merged)
    }
    return merged
  }

  /** The time around an instant in which no grant runs out. */
  #spanOf(time: string): Pick<KnownGrants, 'from' | 'until'> {
    let from = ''
    let until = endOfTime
    for (const [, { expires }] of this.#conditional) {
      if (expires === undefined) continue
      if (expires <= time) from = expires > from ? expires : from
      else if (expires < until) until = expires
    }
    return { from, until }
  }

  #merge(live: readonly ReachingGrant[]): LiveGrants {
    return {
      isToolGranted: live.length > 0,
      isEveryCommand: this.#runsCommands && live.some(({ isByName }) => isByName),
      paths: live.flatMap(({ grant }) => grant.paths),
      commands: live.flatMap(({ grant }) => grant.commands),
    }
  }
}

/** Of an unknown context nothing holds that names one. */
function holds({ when }: Grant, context: CallContext | undefined): boolean {
  if (when === undefined) return true
  if (context === undefined) return false
  const { platform, job, subagent } = when
  return (
    (platform === undefined || platform.includes(context.platform)) &&
    (job === undefined || (context.job !== undefined && job.includes(context.job))) &&
    (subagent === undefined || subagent === context.subagent)
  )
}

function isExpired({ expires }: Grant, time: string): boolean {
  return expires !== undefined && expires <= time
}
