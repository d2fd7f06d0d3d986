// Patterns of paths out of the paths that calls have touched: each file for itself, a folder only where a call asked for all of it, or where
// several of its files were used in several sessions. Reading and writing are apart throughout.
import type { PathStyle } from '../gates/capability/allowlist.js'
import type { UsedCall } from '../projections/used-calls.js'
import { sessionsOf } from './evidence-text.js'

/** One path as it was touched: spelled so, or led to by a link. */
export interface PathUse {
  readonly path: string
  readonly access: 'read' | 'write'
  readonly tree: boolean
  readonly led: boolean
  readonly call: UsedCall
}

export interface SuggestedPath {
  /** Absolute. */
  readonly pattern: string
  readonly access: 'read' | 'write'
  readonly calls: readonly UsedCall[]
  /** Nobody asked for the whole folder: it stands for several files of it. */
  readonly isWidened: boolean
  /** Only links led there. */
  readonly isLed: boolean
  /** A character of the path cannot be written in a pattern. */
  readonly isLoose: boolean
}

export interface PathRules {
  readonly style: PathStyle
  /** Whether a folder may stand with all beneath it: no home folder, no root, nothing that was denied. */
  readonly mayStand: (folder: string, access: 'read' | 'write') => boolean
}

/** So many files in one folder, used in so many sessions, make the folder. */
const filesOfFolder = 3
const sessionsOfFolder = 2

export function suggestedPaths(uses: readonly PathUse[], rules: PathRules): SuggestedPath[] {
  return (['read', 'write'] as const).flatMap((access) =>
    ofAccess(
      uses.filter((use) => use.access === access),
      access,
      rules,
    ),
  )
}

function ofAccess(uses: readonly PathUse[], access: 'read' | 'write', rules: PathRules): SuggestedPath[] {
  const asked = new Set(uses.filter(({ tree }) => tree).map(({ path }) => path))
  const files = uses.filter(({ path }) => outermost(path, asked) === undefined)
  const folders = new Set([...asked, ...widenedFolders(files, access, rules)])
  const gathered = new Map<string, PathUse[]>()
  for (const use of uses) {
    const key = outermost(use.path, folders) ?? use.path
    const known = gathered.get(key)
    if (known === undefined) gathered.set(key, [use])
    else known.push(use)
  }
  return [...gathered].map(([path, within]) => {
    const isFolder = folders.has(path)
    return {
      pattern: isFolder ? `${patternOf(path).replace(/\/$/, '')}/**` : patternOf(path),
      access,
      calls: within.map(({ call }) => call),
      isWidened: isFolder && !asked.has(path),
      isLed: within.every(({ led }) => led),
      isLoose: /[*?$]/.test(path),
    }
  })
}

function widenedFolders(files: readonly PathUse[], access: 'read' | 'write', { mayStand }: PathRules): string[] {
  const byFolder = new Map<string, PathUse[]>()
  for (const use of files) {
    const folder = parentOf(use.path)
    if (folder === undefined) continue
    const known = byFolder.get(folder)
    if (known === undefined) byFolder.set(folder, [use])
    else known.push(use)
  }
  return [...byFolder]
    .filter(([folder, uses]) => {
      const calls = uses.map(({ call }) => call)
      const count = new Set(uses.map(({ path }) => path)).size
      return count >= filesOfFolder && sessionsOf(calls) >= sessionsOfFolder && mayStand(folder, access)
    })
    .map(([folder]) => folder)
}

/** With slashes alone, which both kinds of systems take in a pattern. */
export function slashed(path: string, style: PathStyle): string {
  const text = style === 'windows' ? path.replaceAll('\\', '/') : path
  return text.length > 1 && !/^[A-Za-z]:\/$/.test(text) ? text.replace(/\/+$/, '') : text
}

/** Undefined for a root. */
export function parentOf(path: string): string | undefined {
  const at = path.lastIndexOf('/')
  if (at < 0 || at === path.length - 1) return undefined
  return at === 0 ? '/' : path.slice(0, at)
}

/** The one of some folders that it is, or lies beneath; of several the one that holds the others. */
function outermost(path: string, folders: ReadonlySet<string>): string | undefined {
  let found: string | undefined
  for (let at: string | undefined = path; at !== undefined; at = parentOf(at)) if (folders.has(at)) found = at
  return found
}

/** A `*` would stand for more, and a `$` for a variable: each becomes a `?`, which stands for one character. */
function patternOf(path: string): string {
  return path.replace(/[*$]/g, '?')
}
