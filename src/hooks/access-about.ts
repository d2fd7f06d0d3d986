// What a call would reach, worked out from its tool and arguments before it is judged: its paths and where they lead, the commands of a
// command line with theirs. Nothing is run, nothing is written, and nothing that goes wrong is an error: what cannot be found out is told.
import type { AccessUnread, CommandOperand, CommandPart, CommandWord, ProposedAccess, Touch } from '../gates/capability/access.js'
import { commandTools } from '../gates/capability/host-tools.js'
import { pathSpelling, type SpellingPlace } from '../gates/capability/path-spelling.js'
import { type ShellCommand, type ShellFolder, type ShellLine, shellWords } from '../gates/capability/shell-words.js'
import { type AskedPath, touchedPaths } from '../gates/capability/touched-paths.js'
import type { FileLook } from './file-look.js'
import { type OperandPlace, resolveOperands, resolvePaths, spelledTouches } from './resolve-paths.js'

export interface AccessAboutCall {
  readonly tool: string
  /** As the host hands them over. */
  readonly args: unknown
}

export interface AccessWorld extends SpellingPlace {
  readonly look: FileLook
  /** The tool runs on another machine: its paths are known by spelling alone. */
  readonly isRemote?: boolean
}

export async function proposedAccess({ tool, args }: AccessAboutCall, world: AccessWorld): Promise<ProposedAccess> {
  const { paths, unread } = touchedPaths(tool, args)
  if (unread !== undefined) return nothingKnown(unread)
  const touches = await touchesOf(paths, world)
  if (!commandTools.has(tool)) return { touches, commands: [] }
  const line = commandLine(args)
  if (line === undefined) return nothingKnown('arguments')
  const read = shellWords(line, world.home === null ? {} : { home: world.home })
  if (read.unread !== undefined) return nothingKnown(read.unread)
  const there = { ...world, cwd: workingFolder(args, world) }
  const redirected = await redirectTouches(read, there)
  return { touches: [...touches, ...redirected], commands: await partsOf(read, there) }
}

function nothingKnown(unread: AccessUnread): ProposedAccess {
  return { touches: [], commands: [], unread }
}

/** A line; of a list of words the line that stands for it. Undefined where neither is given. */
function commandLine(args: unknown): string | undefined {
  const command = memberOf(args, 'command')
  if (typeof command === 'string') return command
  if (!Array.isArray(command) || !command.every((word) => typeof word === 'string')) return undefined
  return command.map((word: string) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
}

/** Where the commands of the line start from. */
function workingFolder(args: unknown, { style, cwd, home }: SpellingPlace): string | null {
  const workdir = memberOf(args, 'workdir')
  if (typeof workdir !== 'string' || workdir === '') return cwd
  return pathSpelling(workdir, { style, cwd, home }).typed
}

function memberOf(args: unknown, name: string): unknown {
  return typeof args === 'object' && args !== null && Object.hasOwn(args, name)
    ? (args as Readonly<Record<string, unknown>>)[name]
    : undefined
}

async function touchesOf(paths: readonly AskedPath[], { look, isRemote, ...place }: AccessWorld): Promise<Touch[]> {
  return isRemote === true ? spelledTouches(paths, place) : resolvePaths(paths, place, look)
}

async function redirectTouches({ redirects }: ShellLine, world: AccessWorld): Promise<Touch[]> {
  const touches = await Promise.all(
    redirects.map(async ({ target, access, tree = false, folder }): Promise<Touch[]> => {
      const { text: asked, opaque } = target
      // Which file a shell would take for it, nobody can say.
      if (opaque !== undefined) return [{ asked, access, tree, typed: null, resolved: null, problem: 'unresolved' }]
      return touchesOf([{ asked, access, tree, kind: 'path' }], inFolder(world, folder))
    }),
  )
  return touches.flat()
}

async function partsOf({ commands }: ShellLine, world: AccessWorld): Promise<CommandPart[]> {
  return Promise.all(commands.map((command) => partOf(command, inFolder(world, command.folder))))
}

async function partOf({ program, operands }: ShellCommand, world: AccessWorld): Promise<CommandPart> {
  const paths = pathLike(operands)
  const places = await placesOf(
    paths.map((at) => operands[at]?.text ?? ''),
    world,
  )
  const placeAt = new Map(paths.map((at, place) => [at, places[place]]))
  return {
    program: wordOf(program),
    operands: operands.map((operand, at): CommandOperand => {
      const path = placeAt.get(at)
      return { ...wordOf(operand), ...(path === undefined ? {} : { path }) }
    }),
  }
}

/** Operands that can be meant as a path: what begins with `-` is an option until `--` has ended those. */
function pathLike(operands: readonly CommandWord[]): number[] {
  const end = operands.findIndex(({ text, opaque }) => text === '--' && opaque === undefined)
  return operands.flatMap(({ text, opaque }, at) => {
    const isOption = text.startsWith('-') && (end === -1 || at <= end)
    return opaque !== undefined || text === '' || isOption ? [] : [at]
  })
}

async function placesOf(texts: readonly string[], { look, isRemote, ...place }: AccessWorld): Promise<OperandPlace[]> {
  if (isRemote !== true) return resolveOperands(texts, place, look)
  const asked = texts.map((text): AskedPath => ({ asked: text, access: 'read', tree: false, kind: 'path' }))
  return spelledTouches(asked, place).map(({ typed, resolved, problem, foldsCase }) => ({
    ...{ typed, resolved },
    ...(problem === undefined ? {} : { problem }),
    ...(foldsCase === undefined ? {} : { foldsCase }),
  }))
}

/** Where each `cd` on the way leads by its spelling; nowhere where nobody can say. */
function inFolder(world: AccessWorld, folder: ShellFolder | undefined): AccessWorld {
  if (folder === undefined) return world
  if (folder === null) return { ...world, cwd: null }
  const { style, home } = world
  const cwd = folder.reduce<string | null>((from, word) => pathSpelling(word, { style, cwd: from, home }).typed, world.cwd)
  return { ...world, cwd }
}

function wordOf({ text, opaque, variable }: CommandWord): CommandWord {
  return { text, ...(opaque === undefined ? {} : { opaque }), ...(variable === undefined ? {} : { variable }) }
}
