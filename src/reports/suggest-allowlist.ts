// Distils an allowlist from what was used: tools by their names, the narrowest paths, commands word for word, each line with what speaks for
// it. It grants nothing that a person has refused, or the deny list in force names, and never a home folder or a root with all beneath it.
// An agent that was steered while it was observed would write its own allowlist: what was seen once only, or right behind text from outside,
// is marked for whoever reads it.
import { nearWord } from '../foundation/edit-distance.js'
import type { CommandPart, Touch } from '../gates/capability/access.js'
import type { Allowlist, DenyList, PathStyle, Policy } from '../gates/capability/allowlist.js'
import { commandGrantText } from '../gates/capability/command-grant.js'
import { isDeniedCommand } from '../gates/capability/command-scope.js'
import { commandTools, knownTools, opaqueTools } from '../gates/capability/host-tools.js'
import { canMatchWithin, compilePathGlob } from '../gates/capability/path-glob.js'
import { pathDenial } from '../gates/capability/path-scope.js'
import { matchesToolPattern } from '../gates/capability/tool-pattern.js'
import { notRun, type UsedCall } from '../projections/used-calls.js'
import { allowlistYaml, type Commented, type WrittenGrant, type WrittenPath, yamlText } from './allowlist-yaml.js'
import { type DeniedByHand, deniedByHand, deniesCommand, deniesPath, isBeneath, sameName } from './denied-by-hand.js'
import { counted, daysText, evidenceText, sessionsOf } from './evidence-text.js'
import { shownText } from './shown-text.js'
import { shownValue } from './shown-value.js'
import { type CommandUse, suggestedCommands } from './suggested-commands.js'
import { type PathUse, slashed, suggestedPaths } from './suggested-paths.js'

export interface SuggestOptions {
  readonly ledger: string
  /** Entries that count. */
  readonly size: number
  /** As entries write their times: what was used before is left out; what was refused by hand before is not. */
  readonly since?: string
  /** One skill alone; `*` are the calls of a host that names none. */
  readonly skill?: string
  /** By index, calls that the owner wants let through, these alone: whether they ran makes no difference. */
  readonly wanted?: ReadonlySet<number>
  /** What is in force: its deny list holds, and is taken over. Undefined where nothing is, null where its words cannot be read. */
  readonly policy: Policy | null | undefined
  readonly style: PathStyle
  /** What `~` and `$HERMES_HOME` stand for, where they can be written. */
  readonly home: string | undefined
  readonly hermesHome: string | undefined
}

export interface SuggestedAllowlist {
  readonly text: string
  /** Lines that grant something, how many of them want a second look, and what was used and is left out. */
  readonly granted: number
  readonly marked: number
  readonly leftOut: number
}

const leftOutWords = {
  by_hand: 'a person refused it',
  deny_list: 'the deny list in force names it',
  self_protected: 'it reaches Stele itself, or what holds it in place',
  refused: 'it was refused, and so not used',
  not_judged: 'nobody worked out what it would reach',
  forgotten: 'the words of what it would reach are forgotten',
  unread: 'what it would reach cannot be read',
  opaque: 'what it would run cannot be known beforehand',
  no_path: 'where the path leads cannot be known, or nowhere',
  too_wide: 'a home folder, a root, or what holds Stele, with all beneath it is never suggested',
  no_name: 'it cannot be written in an allowlist',
} as const

type LeftOutWhy = keyof typeof leftOutWords

/** Lines of what is left out; the rest is counted. */
const leftOutMax = 100
const textCharactersMax = 120

export function suggestAllowlist(calls: readonly UsedCall[], options: SuggestOptions): SuggestedAllowlist {
  return new Suggestion(calls, options).made()
}

interface UsesOfSkill {
  readonly tools: Map<string, UsedCall[]>
  readonly paths: PathUse[]
  readonly commands: CommandUse[]
  /** Of redirects. */
  readonly commandPaths: PathUse[]
}

class Suggestion {
  readonly #options: SuggestOptions
  readonly #calls: readonly UsedCall[]
  readonly #deny: DenyList
  readonly #byHand: DeniedByHand
  readonly #skills = new Map<string, UsesOfSkill>()
  readonly #leftOut = new Map<string, { why: LeftOutWhy; what: string; calls: UsedCall[] }>()

  constructor(calls: readonly UsedCall[], options: SuggestOptions) {
    const { since = '', skill, wanted } = options
    this.#options = options
    this.#deny = denyOf(options.policy)
    this.#byHand = deniedByHand(calls, options.style)
    this.#calls = calls
      .filter((call) => call.time >= since && (skill === undefined || skillOf(call) === skill))
      .flatMap((call) => (wanted === undefined ? [call] : wanted.has(call.index) ? [asIfObserved(call)] : []))
    for (const call of this.#calls) this.#take(call)
  }

  made(): SuggestedAllowlist {
    const skills = [...this.#skills]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, uses]) => ({ name, own: this.#own(uses), grants: [this.#commandGrant(uses)] }))
      .filter(({ own, grants }) => [own, ...grants].some((grant) => linesOf(grant).length > 0))
    const comments = skills.flatMap(({ own, grants }) => [own, ...grants].flatMap(linesOf))
    const text = allowlistYaml({
      head: this.#head(),
      requireApproval: approvalsOf(this.#options.policy),
      skills,
      deny: {
        tools: this.#deny.tools,
        paths: this.#deny.paths.map(({ pattern, access }) => ({
          path: this.#placed(slashed(pattern, this.#options.style)),
          access,
        })),
        commands: this.#deny.commands.map(commandGrantText),
      },
      foot: this.#foot(),
    })
    const marked = comments.filter((comment) => comment.includes('; ! ')).length
    return { text, granted: comments.length, marked, leftOut: this.#leftOut.size }
  }

  #take(call: UsedCall): void {
    const { tool, access, reaches } = call
    const why = this.#whyNotTool(call) ?? whyNotCall(call)
    if (why !== undefined) {
      this.#leave(why, tool, call)
      return
    }
    const uses = this.#usesOf(skillOf(call) ?? '*')
    if (!commandTools.has(tool)) addTo(uses.tools, tool, call)
    if (access === undefined) {
      if (reaches > 0 || commandTools.has(tool)) this.#leave('forgotten', tool, call)
      return
    }
    const paths = commandTools.has(tool) ? uses.commandPaths : uses.paths
    for (const touch of access.touches) paths.push(...this.#pathUses(touch, call))
    for (const part of access.commands) uses.commands.push(...this.#commandUses(part, call))
  }

  #whyNotTool(call: UsedCall): LeftOutWhy | undefined {
    const { tool } = call
    if (skillOf(call) === undefined) return 'not_judged'
    if (tool === '' || tool === 'unnamed') return 'no_name'
    if (this.#deny.tools.some((pattern) => matchesToolPattern(pattern, tool))) return 'deny_list'
    return this.#byHand.tools.has(tool) ? 'by_hand' : undefined
  }

  #usesOf(skill: string): UsesOfSkill {
    const known = this.#skills.get(skill)
    if (known !== undefined) return known
    const uses: UsesOfSkill = { tools: new Map(), paths: [], commands: [], commandPaths: [] }
    this.#skills.set(skill, uses)
    return uses
  }

  #pathUses(touch: Touch, call: UsedCall): PathUse[] {
    const { access, tree, typed, resolved, asked, problem } = touch
    const what = `${access} ${shownText(typed ?? asked, textCharactersMax)}${tree ? ' and all beneath' : ''}`
    const paths = typed === null ? [] : [...new Set([typed, ...(resolved === null ? [] : [resolved])])]
    const slashes = paths.map((path) => slashed(path, this.#options.style))
    const why = this.#whyNotPath(touch, slashes)
    if (why !== undefined || (problem !== undefined && problem !== 'unresolved')) {
      this.#leave(why ?? 'no_path', what, call)
      return []
    }
    return slashes.map((path, at) => ({ path, access, tree, led: at > 0, call }))
  }

  #whyNotPath(touch: Touch, paths: readonly string[]): LeftOutWhy | undefined {
    const { access, tree } = touch
    if (paths.length === 0) return 'no_path'
    if (paths.some((path) => !path.isWellFormed() || path.includes('\0') || path.includes('REDACTED]'))) return 'no_name'
    if (pathDenial(touch, this.#deny.paths, this.#options.style) !== undefined) return 'deny_list'
    if (paths.some((path) => deniesPath(this.#byHand, path, access, tree))) return 'by_hand'
    return tree && paths.some((path) => this.#isTooWide(path, access)) ? 'too_wide' : undefined
  }

  /** The root, every home folder, what is above one, and what is above a place that the gate protects. The program may be read. */
  #isTooWide(folder: string, access: 'read' | 'write'): boolean {
    const { home, hermesHome, policy, style } = this.#options
    if (folder === '/' || /^[A-Za-z]:\/?$/.test(folder)) return true
    if (/^(?:[A-Za-z]:)?\/(?:home|Users)(?:\/[^/]+)?$/i.test(folder) || folder === '/root') return true
    const held = policy?.protected.filter(({ what }) => access === 'write' || what !== 'program') ?? []
    const places = [home, hermesHome, ...held.map(({ path }) => path)]
    return places.some((place) => {
      const path = place === undefined || place === '' ? undefined : slashed(place, style)
      return path !== undefined && (sameName(folder, path) || isBeneath(folder, path))
    })
  }

  #mayStand(folder: string, access: 'read' | 'write'): boolean {
    const { style } = this.#options
    const isDenied = this.#deny.paths.some(
      (denied) =>
        (denied.access === 'any' || denied.access === access) &&
        canMatchWithin(compilePathGlob(denied.pattern, style), folder, true),
    )
    return !isDenied && !this.#isTooWide(folder, access) && !deniesPath(this.#byHand, folder, access, true)
  }

  #commandUses(part: CommandPart, call: UsedCall): CommandUse[] {
    const words = [part.program, ...part.operands].map(({ text }) => text)
    const why = this.#whyNotCommand(part, words)
    if (why === undefined) return [{ words, call }]
    this.#leave(why, `run ${shownText(words.join(' '), textCharactersMax)}`, call)
    return []
  }

  #whyNotCommand(part: CommandPart, words: readonly string[]): LeftOutWhy | undefined {
    const { paths, commands } = this.#deny
    const touches = part.operands.flatMap(({ text, path }) =>
      path === undefined ? [] : (['read', 'write'] as const).map((access) => ({ asked: text, access, tree: false, ...path })),
    )
    const isDenied = touches.some((touch) => pathDenial(touch, paths, this.#options.style) !== undefined)
    if (isDenied || commands.some((denied) => isDeniedCommand(part, denied))) return 'deny_list'
    if (deniesCommand(this.#byHand, words)) return 'by_hand'
    if ([part.program, ...part.operands].some(({ opaque }) => opaque !== undefined)) return 'opaque'
    return words.some((word) => !word.isWellFormed()) || words[0] === '' ? 'no_name' : undefined
  }

  #own({ tools, paths }: UsesOfSkill): WrittenGrant {
    return {
      tools: [...tools]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([tool, calls]) => ({
          value: toolPattern(tool),
          comment: evidenceText(calls, isOpaqueTool(tool) ? [opaqueTool] : []),
        })),
      paths: this.#paths(paths),
      commands: [],
    }
  }

  /** Commands are a grant of their own, with the files that their redirects open and no others. */
  #commandGrant({ commands, commandPaths }: UsesOfSkill): WrittenGrant {
    const suggested = suggestedCommands(commands, this.#byHand.commands).map(({ text, calls, isWidened, hadSecret }) => ({
      value: text,
      comment: evidenceText(calls, [
        ...(isWidened ? ['the last words stand for several that were seen'] : []),
        ...(hadSecret ? ['a secret stood here: `*` takes any'] : []),
      ]),
    }))
    // Without a command there is nothing that could open them.
    return { tools: [], commands: suggested.sort(byValue), paths: suggested.length === 0 ? [] : this.#paths(commandPaths) }
  }

  #paths(uses: readonly PathUse[]): Commented<WrittenPath>[] {
    const mayStand = (folder: string, access: 'read' | 'write'): boolean => this.#mayStand(folder, access)
    return suggestedPaths(uses, { style: this.#options.style, mayStand })
      .map(({ pattern, access, calls, isWidened, isLed, isLoose }) => ({
        value: { path: this.#placed(pattern), access },
        comment: evidenceText(calls, [
          ...(access === 'write' ? ['writes'] : []),
          ...(isWidened ? ['stands for several files that were used'] : []),
          ...(isLed ? ['a link led here'] : []),
          ...(isLoose ? ['`?` stands for any one character'] : []),
        ]),
      }))
      .sort((one, other) => byText(`${one.value.path}\0${one.value.access}`, `${other.value.path}\0${other.value.access}`))
  }

  /** With what the owner's folders are called, where it lies in one. */
  #placed(pattern: string): string {
    const { home, hermesHome, style } = this.#options
    const names = [
      { name: '$HERMES_HOME', folder: hermesHome },
      { name: '~', folder: home },
    ]
    for (const { name, folder } of names) {
      if (folder === undefined || folder === '' || /[*?$]/.test(folder)) continue
      const path = slashed(folder, style)
      if (path !== '/' && (pattern === path || pattern.startsWith(`${path}/`))) return `${name}${pattern.slice(path.length)}`
    }
    return pattern
  }

  #leave(why: LeftOutWhy, what: string, call: UsedCall): void {
    const key = `${why}\0${what}`
    const known = this.#leftOut.get(key) ?? { why, what, calls: [] }
    known.calls.push(call)
    this.#leftOut.set(key, known)
  }

  #head(): string[] {
    const { ledger, size, since, skill } = this.#options
    const judged = this.#calls.filter(({ decision }) => decision !== undefined).length
    const all = this.#calls.length
    const share = all === 0 ? '' : ` (${shownValue('share', judged / all).replace(/\s/g, ' ')})`
    const of = skill === undefined ? '' : ` of skill ${yamlText(skill)}`
    return [
      'An allowlist distilled from what was used. Read every line before it is in force: `!` marks what wants a second look.',
      `Ledger ${ledger}, as of ${counted(size, 'entry').replace('entrys', 'entries')}${since === undefined ? '' : `, since ${since}`}.`,
      ...(this.#options.wanted === undefined
        ? []
        : ['Only calls of which you said in `stele review` that they should be granted.']),
      all === 0
        ? `No call${of} was seen.`
        : `${counted(all, 'call')}${of} in ${counted(sessionsOf(this.#calls), 'session')}, ${daysText(this.#calls)}.`,
      `Seen: ${judged} of ${counted(all, 'call')} judged by the capability gate${share}. What was not seen is not here.`,
      ...(this.#options.policy === null
        ? ['! What is in force cannot be read: its deny list and what needs approval are not taken over.']
        : []),
    ]
  }

  #foot(): string[] {
    const all = [...this.#leftOut.values()].sort((one, other) => byText(`${one.why}\0${one.what}`, `${other.why}\0${other.what}`))
    if (all.length === 0) return []
    const told = all.slice(0, leftOutMax).map(({ why, what, calls }) => `  ${what}: ${leftOutWords[why]}; ${entriesOf(calls)}`)
    const more = all.length - told.length
    return ['', 'Used or asked for, and left out:', ...told, ...(more === 0 ? [] : [`  and ${more} more`])]
  }
}

function entriesOf(calls: readonly UsedCall[]): string {
  return evidenceText(calls).split('; ').slice(0, 2).join('; ')
}

/** A call that the gate has refused, as it would stand here if it had only looked on. */
function asIfObserved(call: UsedCall): UsedCall {
  const { decision } = call
  return { ...call, cameBackRefused: false, decision: decision === undefined ? undefined : { ...decision, enforced: false } }
}

/** Why nothing of a call was used, or may be granted. */
function whyNotCall(call: UsedCall): LeftOutWhy | undefined {
  const { decision, unread } = call
  if (decision?.code === 'self_protected') return 'self_protected'
  if (decision?.code === 'denied_explicitly') return 'deny_list'
  return notRun(call) ?? (unread === undefined ? undefined : 'unread')
}

function addTo(of: Map<string, UsedCall[]>, name: string, call: UsedCall): void {
  const known = of.get(name)
  if (known === undefined) of.set(name, [call])
  else known.push(call)
}

/** Undefined where nobody has said. */
function skillOf({ skill }: UsedCall): string | undefined {
  return skill === '' ? '*' : skill
}

function denyOf(policy: Policy | null | undefined): DenyList {
  const all = (policy?.allowlists ?? []).map(({ deny }: Allowlist) => deny)
  return {
    tools: unique(all.flatMap(({ tools }) => tools)),
    paths: unique(all.flatMap(({ paths }) => paths)),
    commands: unique(all.flatMap(({ commands }) => commands)),
  }
}

function approvalsOf(policy: Policy | null | undefined): readonly string[] {
  return unique((policy?.allowlists ?? []).flatMap(({ requireApproval }) => requireApproval))
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

const opaqueTool = 'opaque: what it does is not seen in its arguments'

/** Tools whose arguments do not say what they will reach. */
function isOpaqueTool(tool: string): boolean {
  return opaqueTools.has(tool) || /^(?:process|process_manage|delegate_task|cronjob|mixture_of_agents|mcp_.*)$/.test(tool)
}

/**
 * A name that would be read as that of a whole server stands for one tool, and one that nearly is a tool of the host is meant as it is: with
 * a wildcard in the place of its last character neither is taken for something else.
 */
function toolPattern(tool: string): string {
  const isServer = /^mcp_{1,2}[^_]+_*$/.test(tool)
  const isSlip = !knownTools.has(tool) && !tool.startsWith('mcp_') && nearWord(tool, knownTools) !== undefined
  return isServer || isSlip ? `${tool.slice(0, -1)}?` : tool
}

function linesOf({ tools, paths, commands }: WrittenGrant): string[] {
  return [...tools, ...paths, ...commands].map(({ comment }) => comment)
}

function byValue(one: Commented<string>, other: Commented<string>): number {
  return byText(one.value, other.value)
}

function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
