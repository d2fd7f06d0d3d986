// An owner's allowlist, from the value that its file holds to what the gate judges by. Everything that is wrong with it is told, each with
// its place: a grant that silently means nothing, or something else, is worse than none.

import { nearWord } from '../../foundation/edit-distance.js'
import type { Allowlist, CommandGrant, DenyList, Grant, GrantContext, PathGrant, SkillGrants } from './allowlist.js'
import { type CommandGrantProblem, readCommandGrant } from './command-grant.js'
import { commandTools, hostTools, knownTools, pathlessTools } from './host-tools.js'
import { instantOf } from './instant-of.js'
import { type PatternWorld, pathPatternOf } from './path-pattern-of.js'
import type { Place, PlacedMember, PlacedValue } from './placed-value.js'
import { inFileOrder, type PolicyProblem, type PolicyProblemCode, problemAt } from './policy-problem.js'
import { hasWildcard, isAmbiguousServer, matchesToolPattern } from './tool-pattern.js'

export interface AllowlistWorld extends PatternWorld {
  /** Instant as ISO 8601 in UTC: what has expired by then is told. */
  readonly now: string
}

export interface ReadAllowlist {
  /** Undefined where there is an error: half an allowlist is never in force. */
  readonly allowlist: Allowlist | undefined
  /** In the order of the file. */
  readonly problems: readonly PolicyProblem[]
}

export interface PlacedAllowlist {
  readonly value: PlacedValue | undefined
  /** What is wrong with the file itself. */
  readonly problems: readonly PolicyProblem[]
}

export function readAllowlist({ value, problems }: PlacedAllowlist, world: AllowlistWorld): ReadAllowlist {
  const reading = new Reading(world)
  const allowlist = value === undefined ? undefined : reading.allowlist(value)
  const all = inFileOrder([...problems, ...reading.problems])
  return { allowlist: all.some(({ severity }) => severity === 'error') ? undefined : allowlist, problems: all }
}

/** What a list says, and where. */
interface Placed<Value> {
  readonly value: Value
  readonly at: Place
}

/** A grant with the places that are needed to tell what is odd about it. */
interface PlacedGrant {
  readonly grant: Grant
  readonly tools: readonly Placed<string>[]
  /** Some are written, though they may be wrong. */
  readonly hasPaths: boolean
}

class Reading {
  readonly problems: PolicyProblem[] = []
  readonly #world: AllowlistWorld

  constructor(world: AllowlistWorld) {
    this.#world = world
  }

  allowlist(value: PlacedValue): Allowlist {
    const members = this.#members(value, 'an allowlist', ['version', 'skills', 'require_approval', 'deny'])
    this.#version(members?.get('version'), value, members !== undefined)
    const approvals = members?.get('require_approval')
    return {
      version: 1,
      skills: this.#skills(members?.get('skills')),
      requireApproval: this.#toolPatterns(approvals?.value).map(({ value: pattern }) => pattern),
      deny: this.#deny(members?.get('deny')),
    }
  }

  #version(version: PlacedMember | undefined, { line, column }: Place, isMap: boolean): void {
    if (version === undefined) {
      if (isMap) this.#error({ line, column }, 'wrong_version', 'the version is missing: begin with `version: 1`')
    } else if (version.value.kind !== 'scalar' || version.value.value !== 1)
      this.#error(version.value, 'wrong_version', 'this version is not known here: write `version: 1`')
  }

  #skills(skills: PlacedMember | undefined): SkillGrants[] {
    if (skills === undefined) return []
    const named = this.#map(skills.value, 'skills, each by its name')
    return named.map(({ name, at, value }) => {
      if (name.trim() === '') this.#error(at, 'empty_pattern', 'a skill without a name; calls that name none belong to `"*"`')
      return { name, grants: this.#skill(name, value) }
    })
  }

  #skill(name: string, value: PlacedValue): Grant[] {
    const members = this.#members(value, 'a skill', ['tools', 'paths', 'commands', 'grants'])
    if (members === undefined) return []
    const own = ['tools', 'paths', 'commands'].some((key) => members.has(key)) ? [this.#grant(members)] : []
    const further = members.get('grants')
    const items = further === undefined ? [] : this.#items(further.value, 'a list of grants, each begun with `- `')
    const grants = [...own, ...items.map((item) => this.#furtherGrant(item))].filter((grant) => grant !== undefined)
    this.#tellPathless(name, grants)
    return grants.map(({ grant }) => grant)
  }

  #furtherGrant(value: PlacedValue): PlacedGrant | undefined {
    const members = this.#members(value, 'a grant', ['tools', 'paths', 'commands', 'when', 'expires'])
    if (members === undefined) return undefined
    const grant = this.#grant(members)
    if (!isWritten(members.get('tools')) && !isWritten(members.get('commands')) && !isWritten(members.get('paths')))
      this.#error(value, 'never_matches', 'this grant names no tool, so it grants nothing: add `tools` or `commands`')
    return grant
  }

  #grant(members: ReadonlyMap<string, PlacedMember>): PlacedGrant {
    const tools = this.#toolPatterns(members.get('tools')?.value)
    const paths = members.get('paths')
    const commands = members.get('commands')
    const when = this.#when(members.get('when'))
    const expires = this.#expires(members.get('expires'))
    const grant: Grant = {
      tools: tools.map(({ value }) => value),
      paths: this.#pathGrants(paths?.value),
      commands: this.#commandGrants(commands?.value),
      ...(when === undefined ? {} : { when }),
      ...(expires === undefined ? {} : { expires }),
    }
    this.#tellCommandTools(tools, commands)
    // Where tools or commands are written and wrong, that is told already.
    const isReached = isWritten(members.get('tools')) || isWritten(commands)
    if (paths !== undefined && grant.paths.length > 0) this.#tellUselessPaths(grant, paths, isReached)
    return { grant, tools, hasPaths: isWritten(paths) }
  }

  /** A tool that runs command lines, granted as a tool, may run all of them. */
  #tellCommandTools(tools: readonly Placed<string>[], commands: PlacedMember | undefined): void {
    const wide = tools.find(({ value }) => [...commandTools].some((tool) => matchesToolPattern(value, tool)))
    if (wide === undefined) return
    if (commands !== undefined) {
      const message = `\`${wide.value}\` under \`tools\` grants every command, and \`commands\` beside it only some: keep one of the two`
      this.#error(commands.at, 'command_and_tool', message)
      return
    }
    const message = `\`${wide.value}\` under \`tools\` grants every command, also those that write the gate's own files: self-protection is void; grant \`commands\` instead`
    this.problems.push(problemAt(wide.at, 'every_command', message, 'warning'))
  }

  #tellUselessPaths({ tools, commands }: Grant, paths: PlacedMember, isReached: boolean): void {
    if (!isReached) this.#error(paths.at, 'never_matches', 'these paths are granted to no tool: add `tools` or `commands`')
    else if (commands.length === 0 && tools.length > 0 && tools.every((pattern) => pathlessTools.has(pattern)))
      this.#error(
        paths.at,
        'never_matches',
        `no path is ever touched by ${tools.map(quoted).join(', ')}: take the paths out, or add a tool that has paths`,
      )
  }

  /** A file tool that no grant of its skill gives a path is granted for nothing. */
  #tellPathless(skill: string, grants: readonly PlacedGrant[]): void {
    for (const { tools } of grants)
      for (const { value: tool, at } of tools) {
        if (!alwaysHasPath(tool)) continue
        const reaches = grants.some(
          ({ grant, hasPaths }) => hasPaths && grant.tools.some((pattern) => matchesToolPattern(pattern, tool)),
        )
        if (!reaches)
          this.problems.push(
            problemAt(
              at,
              'no_paths',
              `\`${tool}\` always touches a path, and skill \`${skill}\` has none for it: every call is denied`,
              'warning',
            ),
          )
      }
  }

  #deny(deny: PlacedMember | undefined): DenyList {
    const members = deny === undefined ? undefined : this.#members(deny.value, 'a deny list', ['tools', 'paths', 'commands'])
    return {
      tools: this.#toolPatterns(members?.get('tools')?.value).map(({ value }) => value),
      paths: this.#pathGrants(members?.get('paths')?.value),
      commands: this.#commandGrants(members?.get('commands')?.value),
    }
  }

  #toolPatterns(value: PlacedValue | undefined): Placed<string>[] {
    const patterns = this.#texts(value, 'a list of tools, such as `[read_file, "mcp__github__*"]`')
    return patterns.filter(({ value: pattern, at }) => {
      if (pattern.trim() === '' || /[\s\u0000-\u001f]/.test(pattern)) {
        this.#error(at, 'empty_pattern', 'the name of a tool has no blanks and is not empty; take it out, or name the tool')
        return false
      }
      if (isAmbiguousServer(pattern)) this.#tellAmbiguous(pattern, at)
      if (hasWildcard(pattern) || knownTools.has(pattern) || pattern.startsWith('mcp_')) return true
      const near = nearWord(pattern, knownTools)
      if (near === undefined) return true
      const way = `${pattern.slice(0, -1)}?`
      this.#error(
        at,
        'misspelt_tool',
        `\`${pattern}\` is no tool of the host: did you mean \`${near}\`? If a plugin calls a tool so, write \`"${way}"\``,
      )
      return false
    })
  }

  #tellAmbiguous(pattern: string, at: Place): void {
    const message = `\`${pattern}\` is taken for one tool: write \`mcp__SERVER\` for all tools of a server, \`mcp__SERVER__TOOL\` for one`
    this.problems.push(problemAt(at, 'ambiguous_server', message, 'warning'))
  }

  #pathGrants(value: PlacedValue | undefined): PathGrant[] {
    if (value === undefined) return []
    return this.#items(value, 'a list of paths, such as `["~/projects/**"]`').flatMap((item) => {
      const [text, access] = item.kind === 'map' ? this.#pathWithAccess(item) : [item, 'any' as const]
      const written = text === undefined ? undefined : this.#text(text, 'a path in quotes, or `{ path: …, access: read }`')
      if (written === undefined || text === undefined) return []
      const found = pathPatternOf(written, this.#world)
      if ('code' in found) {
        this.#error(text, found.code, found.message)
        return []
      }
      if (found.isFolderAlone)
        this.problems.push(
          problemAt(text, 'no_paths', `\`${written}\` is the folder itself and nothing in it: write \`${written}**\``, 'warning'),
        )
      return [{ pattern: found.pattern, access }]
    })
  }

  #pathWithAccess(value: PlacedValue): readonly [PlacedValue | undefined, PathGrant['access']] {
    const members = this.#members(value, 'a path', ['path', 'access'])
    const path = members?.get('path')
    if (members !== undefined && path === undefined)
      this.#error(value, 'wrong_type', 'the path is missing: write `{ path: …, access: read }`')
    const access = members?.get('access')
    if (access === undefined) return [path?.value, 'any']
    const written = access.value.kind === 'scalar' ? access.value.value : undefined
    if (written === 'read' || written === 'write' || written === 'any') return [path?.value, written]
    this.#error(access.value, 'wrong_value', '`access` is `read`, `write` or `any`')
    return [path?.value, 'any']
  }

  #commandGrants(value: PlacedValue | undefined): CommandGrant[] {
    return this.#texts(value, 'a list of commands, such as `["git status", "cat {read}..."]`').flatMap(({ value: text, at }) => {
      const read = readCommandGrant(text)
      if ('grant' in read) return [read.grant]
      this.#error(at, ...commandMistakes[read.problem])
      return []
    })
  }

  #when(when: PlacedMember | undefined): GrantContext | undefined {
    const members = when === undefined ? undefined : this.#members(when.value, 'a context', ['platform', 'job', 'subagent'])
    if (members === undefined || when === undefined) return undefined
    if (when.value.kind === 'map' && when.value.members.length === 0)
      this.#error(when.value, 'wrong_value', '`when` names nothing: take it out, or name platform, job or subagent')
    const platform = this.#names(members.get('platform'))
    const job = this.#names(members.get('job'))
    const subagent = this.#subagent(members.get('subagent'))
    // True and false together are met by every call.
    if (platform === undefined && job === undefined && subagent === undefined) return undefined
    return {
      ...(platform === undefined ? {} : { platform }),
      ...(job === undefined ? {} : { job }),
      ...(subagent === undefined ? {} : { subagent }),
    }
  }

  #names(member: PlacedMember | undefined): readonly string[] | undefined {
    if (member === undefined) return undefined
    const { value } = member
    const wanted = 'a name, or a list of names'
    const texts = value.kind === 'list' ? this.#texts(value, wanted) : this.#placedText(value, wanted)
    if (value.kind === 'list' && value.items.length === 0)
      this.#error(value, 'never_matches', 'an empty list is met by no call: name one, or take it out')
    for (const { value: text, at } of texts)
      if (text.trim() === '') this.#error(at, 'empty_pattern', 'an empty name is met by no call: name one, or take it out')
    return texts.map(({ value: text }) => text)
  }

  #subagent(member: PlacedMember | undefined): boolean | undefined {
    if (member === undefined) return undefined
    const values = member.value.kind === 'list' ? member.value.items : [member.value]
    const flags = values.flatMap((one) => (one.kind === 'scalar' && typeof one.value === 'boolean' ? [one.value] : []))
    if (flags.length !== values.length || flags.length === 0) {
      this.#error(member.value, 'wrong_type', '`subagent` is true or false')
      return undefined
    }
    if (new Set(flags).size === 2) return undefined
    if (flags[0] === true)
      this.problems.push(
        problemAt(
          member.at,
          'children_only',
          'a child never has more than the one who sent it: without a grant for both this one grants nothing',
          'warning',
        ),
      )
    return flags[0]
  }

  #expires(member: PlacedMember | undefined): string | undefined {
    if (member === undefined) return undefined
    const wanted = 'a day such as 2027-01-01, or a time such as 2027-01-01T12:00:00Z'
    const text = this.#text(member.value, wanted)
    if (text === undefined) return undefined
    const instant = instantOf(text)
    if (instant === undefined) this.#error(member.value, 'wrong_value', `\`expires\` is ${wanted}`)
    else if (instant <= this.#world.now)
      this.problems.push(
        problemAt(
          member.value,
          'expired',
          'this grant has expired and grants nothing: take it out, or set a later day',
          'warning',
        ),
      )
    return instant
  }

  /** Undefined where it is no mapping. Names that are not known here are told with the one that was meant. */
  #members(value: PlacedValue, what: string, names: readonly string[]): ReadonlyMap<string, PlacedMember> | undefined {
    if (value.kind !== 'map') {
      this.#error(value, 'wrong_type', `${what} is a mapping here: names with a colon, such as \`${names[0]}: …\``)
      return undefined
    }
    for (const { name, at } of value.members) {
      if (names.includes(name)) continue
      const near = nearWord(name, names)
      const meant = near === undefined ? `${what} has ${names.join(', ')}` : `did you mean \`${near}\`?`
      this.#error(at, 'unknown_key', `\`${shortened(name)}\` means nothing here: ${meant}`)
    }
    return new Map(value.members.filter(({ name }) => names.includes(name)).map((member) => [member.name, member]))
  }

  #map(value: PlacedValue, what: string): readonly PlacedMember[] {
    if (value.kind === 'map') return value.members
    this.#error(value, 'wrong_type', `here stand ${what}, with a colon: \`"*": { tools: […] }\``)
    return []
  }

  #items(value: PlacedValue, wanted: string): readonly PlacedValue[] {
    if (value.kind === 'list') return value.items
    this.#error(value, 'wrong_type', `here stands ${wanted}`)
    return []
  }

  #texts(value: PlacedValue | undefined, wanted: string): Placed<string>[] {
    if (value === undefined) return []
    return this.#items(value, wanted).flatMap((item) => this.#placedText(item, 'a text; put it into quotes'))
  }

  #placedText(value: PlacedValue, wanted: string): Placed<string>[] {
    const text = this.#text(value, wanted)
    return text === undefined ? [] : [{ value: text, at: value }]
  }

  #text(value: PlacedValue, wanted: string): string | undefined {
    if (value.kind === 'scalar' && typeof value.value === 'string') {
      if (value.value.isWellFormed()) return value.value
      this.#error(value, 'matches_nothing', 'it holds half of a character: type it anew')
      return undefined
    }
    this.#error(value, 'wrong_type', `here stands ${wanted}`)
    return undefined
  }

  #error(at: Place, code: PolicyProblemCode, message: string): void {
    this.problems.push(problemAt(at, code, message))
  }
}

const commandMistakes: Readonly<Record<CommandGrantProblem, readonly [code: PolicyProblemCode, message: string]>> = {
  empty: ['empty_pattern', 'an empty command matches nothing; name one, such as `git status`'],
  unbalanced: ['command_unreadable', 'a quote is not closed, or a backslash stands at the end'],
  no_program: [
    'command_unreadable',
    'the program comes first and has to be named; `{read}`, `{write}` and `...` stand behind it',
  ],
  rest_not_last: ['command_unreadable', '`...` takes all further words, so nothing can stand behind it'],
  unknown_marker: ['command_unreadable', 'in braces stand `{read}` and `{write}` only; put other braces into quotes'],
  quoted_wildcard: ['command_unreadable', '`*` and `?` always stand for other characters here: take them out of the quotes'],
  shell_syntax: [
    'command_unreadable',
    'each command of a line is granted on its own, and a redirect by the path that it writes: take out `;`, `&`, `|`, `<`, `>`, `#` and brackets',
  ],
  never_matches: [
    'never_matches',
    'a shell expands `$` and `~` before the program sees them: write the word as it will be, or `*`',
  ],
}

function isWritten(member: PlacedMember | undefined): boolean {
  return member !== undefined && !(member.value.kind === 'list' && member.value.items.length === 0)
}

function alwaysHasPath(tool: string): boolean {
  const paths = hostTools(tool)?.paths ?? []
  return paths.some(({ address, isNeeded, otherwise }) => address === undefined && (isNeeded === true || otherwise !== undefined))
}

function quoted(text: string): string {
  return `\`${text}\``
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
