// Policies and calls for tests of the capability gate: allowlists as an owner writes them, calls worked out by spelling alone, and both at random.
import type { CommandPart, ProposedAccess, Touch } from '../../src/gates/capability/access.js'
import type { Allowlist, CommandGrant, Grant, PathGrant, Policy, ProtectedPlace } from '../../src/gates/capability/allowlist.js'
import type { CapabilityCall } from '../../src/gates/capability/decide.js'
import type { CallContext } from '../../src/gates/capability/live-grants.js'
import { pathSpelling } from '../../src/gates/capability/path-spelling.js'
import { readAllowlist } from '../../src/gates/capability/read-allowlist.js'
import { shellWords } from '../../src/gates/capability/shell-words.js'
import { allowlistFile } from '../../src/service/allowlist-file.js'
import type { Random } from './seeded-random.js'

export const annsHome = '/home/ann'
export const noon = '2026-11-30T12:00:00.000Z'

/** Throws where the text is no allowlist that can be used. */
export function allowlistOf(yaml: string): Allowlist {
  const world = { home: annsHome, variables: {}, pathStyle: 'posix', now: noon } as const
  const { allowlist, problems } = readAllowlist(allowlistFile(Buffer.from(yaml)), world)
  if (allowlist === undefined) throw new Error(JSON.stringify(problems))
  return allowlist
}

export function policyOf(allowlists: readonly (string | Allowlist)[] | string, places: readonly ProtectedPlace[] = []): Policy {
  const all = typeof allowlists === 'string' ? [allowlists] : allowlists
  return {
    allowlists: all.map((one) => (typeof one === 'string' ? allowlistOf(one) : one)),
    protected: places,
    pathStyle: 'posix',
  }
}

export const cli: CallContext = { platform: 'cli', subagent: false }

export function callOf(tool: string, more: Partial<CapabilityCall> = {}): CapabilityCall {
  return { tool, skill: '', lineage: [cli], time: noon, ...more }
}

const place = { style: 'posix', cwd: `${annsHome}/desk`, home: annsHome } as const

/** Where nothing is a link. */
export function touchOf(asked: string, access: Touch['access'] = 'read', more: Partial<Touch> = {}): Touch {
  const { typed } = pathSpelling(asked, place)
  return { asked, access, tree: false, typed, resolved: typed, ...more }
}

export function touching(...touches: readonly Touch[]): ProposedAccess {
  return { touches, commands: [] }
}

/** A command line, in the working folder of the home. */
export function running(line: string): ProposedAccess {
  const { commands, redirects, unread } = shellWords(line, { home: annsHome })
  if (unread !== undefined) return { touches: [], commands: [], unread }
  return {
    touches: redirects.map(({ target, access }) =>
      target.opaque === undefined
        ? touchOf(target.text, access)
        : { asked: target.text, access, tree: false, typed: null, resolved: null, problem: 'unresolved' },
    ),
    commands: commands.map(({ program, operands }) => ({
      program,
      operands: operands.map((operand) => {
        if (operand.opaque !== undefined || operand.text.startsWith('-')) return operand
        const { typed } = pathSpelling(operand.text, place)
        return { ...operand, path: { typed, resolved: typed } }
      }),
    })),
  }
}

const skills = ['*', 'notes', 'build']
const platforms = ['cli', 'cron']
const jobs = ['nightly', 'weekly']
const tools = ['read_file', 'write_file', 'web_search', 'terminal', 'mcp__git__log', 'mcp_git_log', 'mcp__git_hub__log']
const toolPatterns = [...tools, '*', 'mcp__git', 'mcp__git__*', 'mcp_git', 'mcp__*', '*_file', 'w*']
const names = ['a', 'b', 'A', 'x1']
const patternNames = [...names, '*', '**', 'x?', '?']
const words = ['git', 'log', 'cat', 'a', 'b', '-r', '$X', './a', 'a/../b', '../a']
const wordPatterns = ['git', 'log', 'cat', 'a', '*', 'l*', '-r', './a', 'a/*', '../*', 'a/../b']

const some = <Value>(random: Random, least: number, most: number, make: () => Value): Value[] =>
  Array.from({ length: least + random.int(most - least + 1) }, make)

function randomPathGrant(random: Random): PathGrant {
  const pattern = `/${some(random, 1, 3, () => random.pick(patternNames)).join('/')}`
  const access = random.pick(['any', 'read', 'write'] as const)
  return random.chance(5) ? { pattern, access, resolvedPattern: `/r${pattern}` } : { pattern, access }
}

function randomCommand(random: Random): CommandGrant {
  const first = { kind: 'word', pattern: random.pick(['git', 'cat', '*', './a', 'g*']) } as const
  const middle = some(random, 0, 2, () =>
    random.chance(3)
      ? ({ kind: 'path', access: random.pick(['read', 'write'] as const) } as const)
      : ({ kind: 'word', pattern: random.pick(wordPatterns) } as const),
  )
  const rest = random.pick([
    [],
    [{ kind: 'rest', of: 'words' }],
    [{ kind: 'rest', of: 'paths', access: random.pick(['read', 'write'] as const) }],
  ] as const)
  return [first, ...middle, ...rest]
}

export function randomGrant(random: Random): Grant {
  const when = random.chance(3)
    ? {
        ...(random.chance(2) ? { platform: some(random, 1, 2, () => random.pick(platforms)) } : {}),
        ...(random.chance(2) ? { job: some(random, 1, 2, () => random.pick(jobs)) } : {}),
        ...(random.chance(2) ? { subagent: random.chance(2) } : {}),
      }
    : undefined
  return {
    tools: some(random, 0, 2, () => random.pick(toolPatterns)),
    paths: some(random, 0, 3, () => randomPathGrant(random)),
    commands: some(random, 0, 2, () => randomCommand(random)),
    ...(when === undefined ? {} : { when }),
    ...(random.chance(4) ? { expires: random.pick(['2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z']) } : {}),
  }
}

export function randomAllowlist(random: Random): Allowlist {
  return {
    version: 1,
    skills: skills
      .filter(() => !random.chance(4))
      .map((name) => ({ name, grants: some(random, 0, 3, () => randomGrant(random)) })),
    requireApproval: random.chance(3) ? [random.pick(toolPatterns)] : [],
    deny: {
      tools: random.chance(5) ? [random.pick(toolPatterns)] : [],
      paths: random.chance(4) ? [randomPathGrant(random)] : [],
      commands: random.chance(4) ? [randomCommand(random)] : [],
    },
  }
}

/** The same with one or a few things taken away, added or narrowed. */
export function changedAllowlist(random: Random, allowlist: Allowlist): Allowlist {
  const changed = <Value>(list: readonly Value[], make: () => Value): Value[] =>
    random.chance(3) ? list.filter(() => !random.chance(3)) : random.chance(5) ? [...list, make()] : [...list]
  return {
    version: 1,
    skills: allowlist.skills.map(({ name, grants }) => ({
      name,
      grants: grants.map((grant) => {
        const { expires: _, ...unending } = grant
        const { when: __, ...anywhere } = grant
        return {
          ...(random.chance(8) ? unending : random.chance(8) ? anywhere : grant),
          ...(random.chance(8) ? { expires: '2026-06-01T00:00:00.000Z' } : {}),
          ...(random.chance(8) ? { when: { platform: ['cron'], ...(random.chance(2) ? { subagent: false } : {}) } } : {}),
          tools: changed(grant.tools, () => random.pick(toolPatterns)),
          paths: changed(grant.paths, () => randomPathGrant(random)),
          commands: changed(grant.commands, () => randomCommand(random)),
        }
      }),
    })),
    requireApproval: changed(allowlist.requireApproval, () => random.pick(toolPatterns)),
    deny: {
      tools: changed(allowlist.deny.tools, () => random.pick(toolPatterns)),
      paths: changed(allowlist.deny.paths, () => randomPathGrant(random)),
      commands: changed(allowlist.deny.commands, () => randomCommand(random)),
    },
  }
}

export interface RandomCall {
  readonly call: CapabilityCall
  readonly access: ProposedAccess
}

export function randomCall(random: Random): RandomCall {
  const tool = random.pick(tools)
  const contexts = some(
    random,
    1,
    2,
    (): CallContext => ({
      platform: random.pick(platforms),
      ...(random.chance(2) ? { job: random.pick(jobs) } : {}),
      subagent: random.chance(3),
    }),
  )
  const touches = some(random, 0, 2, () => randomTouch(random))
  const commands = tool === 'terminal' ? some(random, 0, 2, () => randomPart(random)) : []
  const time = random.pick([noon, '2026-03-01T00:00:00.000Z', '2027-06-01T00:00:00.000Z'])
  return { call: { tool, skill: random.pick(['', 'notes', 'build']), lineage: contexts, time }, access: { touches, commands } }
}

function randomPath(random: Random): string {
  return `${random.chance(6) ? '/r' : ''}/${some(random, 1, 3, () => random.pick(names)).join('/')}`
}

function randomTouch(random: Random): Touch {
  const typed = randomPath(random)
  return {
    asked: typed,
    access: random.pick(['read', 'write'] as const),
    tree: random.chance(5),
    typed,
    resolved: random.chance(4) ? randomPath(random) : typed,
    ...(random.chance(12) ? { problem: random.pick(['unresolved', 'dangling'] as const) } : {}),
    ...(random.chance(5) ? { foldsCase: true as const } : {}),
  }
}

function randomPart(random: Random): CommandPart {
  const word = () => {
    const text = random.pick(words)
    return text === '$X' ? { text, opaque: 'variable' as const, variable: 'X' } : { text }
  }
  return {
    program: word(),
    operands: some(random, 0, 3, word).map((operand) => {
      if ('opaque' in operand || operand.text.startsWith('-')) return operand
      const typed = randomPath(random)
      return { ...operand, path: { typed, resolved: random.chance(5) ? randomPath(random) : typed } }
    }),
  }
}
