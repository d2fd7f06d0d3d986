// Where the paths of a call lead, found before it is judged: the touches that the gate reads. Never throws and never waits long; what could
// not be found out in time is `unresolved`.
import type { Touch } from '../gates/capability/access.js'
import type { PathGrant, PathStyle } from '../gates/capability/allowlist.js'
import { compilePathGlob, literalRoot, withLiteralRoot } from '../gates/capability/path-glob.js'
import { type PathSpelling, pathSpelling, type SpellingPlace } from '../gates/capability/path-spelling.js'
import type { AskedPath } from '../gates/capability/touched-paths.js'
import type { FileLook, TimedLook } from './file-look.js'
import { type FollowedPath, followPath } from './follow-path.js'

export interface ResolveOptions {
  /** For all of them together. */
  readonly milliseconds?: number
}

const onWindows: SpellingPlace = { style: 'windows', cwd: null, home: null }
const patience = 500
const pathsMax = 512

/**
 * One touch for each path, in their order. Two where a `..` comes behind a link: tools differ in whether they climb before they follow,
 * and both places are touched then.
 */
export async function resolvePaths(
  asked: readonly AskedPath[],
  place: SpellingPlace,
  look: FileLook,
  { milliseconds = patience }: ResolveOptions = {},
): Promise<Touch[]> {
  const timed = look.within(milliseconds)
  try {
    const touches = await Promise.all(
      asked.map(async (path, at) => (at < pathsMax ? await touchesOf(path, place, timed) : [spelledTouch(path, place)])),
    )
    return touches.flat()
  } finally {
    timed.end()
  }
}

/** The touches of a tool that runs on another machine: known by spelling alone. */
export function spelledTouches(asked: readonly AskedPath[], place: SpellingPlace): Touch[] {
  return asked.map((path) => spelledTouch(path, place))
}

/** Where the operands of commands lead, if they are meant as paths; in their order. */
export async function resolveOperands(
  texts: readonly string[],
  place: SpellingPlace,
  look: FileLook,
  { milliseconds = patience }: ResolveOptions = {},
): Promise<OperandPlace[]> {
  const timed = look.within(milliseconds)
  try {
    return await Promise.all(texts.map((text, at) => operandPlace(text, place, at < pathsMax ? timed : undefined)))
  } finally {
    timed.end()
  }
}

export type OperandPlace = Pick<Touch, 'typed' | 'resolved' | 'problem' | 'foldsCase'>

async function operandPlace(text: string, place: SpellingPlace, timed: TimedLook | undefined): Promise<OperandPlace> {
  const asked: AskedPath = { asked: text, access: 'read', tree: false, kind: 'path' }
  const [touch, other] = timed === undefined ? [] : await touchesOf(asked, place, timed)
  const { typed, resolved, problem, foldsCase } = touch ?? spelledTouch(asked, place)
  const known = { typed, ...(foldsCase === undefined ? {} : { foldsCase }) }
  // It leads to two places: which, only its program knows.
  if (other !== undefined) return { ...known, resolved: null, problem: problem ?? other.problem ?? 'unresolved' }
  return { ...known, resolved, ...(problem === undefined ? {} : { problem }) }
}

/**
 * The grant, with its pattern under the folder to which its own really leads. Of a pattern without wildcards the last name is left as it
 * is: who may write a file could put a link in its place. Undefined where it does not answer in time.
 */
export async function resolvePatternRoot(
  grant: PathGrant,
  style: PathStyle,
  look: FileLook,
  milliseconds = patience,
): Promise<PathGrant | undefined> {
  const glob = compilePathGlob(grant.pattern, style)
  const root = literalRoot(glob)
  const isWhole = root === glob.pattern
  const slash = style === 'posix' ? '/' : '\\'
  const folder = isWhole ? root.slice(0, Math.max(root.lastIndexOf(slash), style === 'posix' ? 1 : 0)) : root
  if (folder === '') return grant
  const timed = look.within(milliseconds)
  try {
    const followed = await followPath(folder, style, timed)
    if ('problem' in followed) return followed.problem === 'unresolved' ? undefined : grant
    if (followed.resolved === folder) return grant
    const last = isWhole ? root.slice(root.lastIndexOf(slash) + 1) : ''
    const real = followed.resolved.endsWith(slash) ? followed.resolved : followed.resolved + slash
    return { ...grant, resolvedPattern: isWhole ? real + last : withLiteralRoot(glob, followed.resolved) }
  } finally {
    timed.end()
  }
}

async function touchesOf(path: AskedPath, place: SpellingPlace, timed: TimedLook): Promise<Touch[]> {
  const spelled = pathSpelling(path.asked, place, path.kind)
  const { typed, walk, problem, short } = spelled
  if (typed === null || walk === null || (problem !== undefined && short !== true)) return [touchOf(path, spelled)]
  const followed = await followPath(walk, place.style, timed)
  const touch = touchOf(path, spelled, followed)
  if (!hasClimb(walk)) return [touch]
  const other = touchOf(path, spelled, await followPath(typed, place.style, timed))
  return isSamePlace(touch, other) ? [touch] : [touch, other]
}

function spelledTouch(path: AskedPath, place: SpellingPlace): Touch {
  return touchOf(path, pathSpelling(path.asked, place, path.kind))
}

function touchOf({ asked, access, tree }: AskedPath, spelled: PathSpelling, followed?: FollowedPath): Touch {
  const known = { asked, access, tree, typed: spelled.typed }
  if (followed === undefined) return { ...known, resolved: null, problem: spelled.problem ?? 'unresolved' }
  if ('problem' in followed) return { ...known, resolved: null, problem: followed.problem }
  const { resolved, there, foldsCase } = followed
  // Short names are known once they have been looked up: the long ones are what grants speak of.
  const isStillShort = spelled.short === true && there === undefined && pathSpelling(resolved, onWindows).short === true
  if (isStillShort) return { ...known, resolved: null, problem: 'unresolved' }
  return {
    ...known,
    tree: tree && there === 'folder',
    typed: spelled.short === true ? resolved : spelled.typed,
    resolved,
    ...(foldsCase ? { foldsCase } : {}),
  }
}

function hasClimb(walk: string): boolean {
  return walk.includes('/../') || walk.endsWith('/..')
}

function isSamePlace(one: Touch, other: Touch): boolean {
  return one.resolved === other.resolved && one.problem === other.problem
}
