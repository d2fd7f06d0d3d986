// Patterns of paths: `*` and `?` within a name, `**` over any depth, `dir/**` the folder itself too; everything else stands for itself.
// A pattern is compiled once. Matching walks the names of a path with the set of places in the pattern where it may be, so that no pattern
// takes longer than its own length for each name.
import type { PathStyle } from './allowlist.js'
import { type NameGlob, nameGlob, nameIsNarrower, nameMatches } from './name-glob.js'
import { composedName, foldedName } from './path-spelling.js'
import { windowsRoot } from './windows-spelling.js'

export interface PathGlob {
  readonly pattern: string
  readonly style: PathStyle
  /** As it is written, and for volumes that do not tell case. */
  readonly exact: CompiledGlob
  readonly folded: CompiledGlob
}

export interface CompiledGlob {
  /** Of Windows the drive or share; empty elsewhere. */
  readonly root: string
  /** How many names stand at the beginning without a wildcard. */
  readonly literals: number
  readonly segments: readonly GlobSegment[]
}

type GlobSegment = NameGlob | typeof anyDepth

const anyDepth = '**'

/** A path in the form that is compared: its root, and its names. */
export interface ComparedPath {
  readonly root: string
  readonly names: readonly string[]
}

export type PatternProblem =
  | 'empty'
  /** NUL, or what Unicode cannot write. */
  | 'unreadable'
  /** Under no root: relative, or a wildcard in the place of the root. */
  | 'not_absolute'
  /** `..` behind a wildcard: nobody can say where that is. */
  | 'climbs'
  /** No name can be so on this system. */
  | 'never'

/** A pattern in the one form in which it is compiled, shown and compared; or why it is none. Variables and `~` are expanded before. */
export function normalisedPattern(
  pattern: string,
  style: PathStyle,
): { readonly pattern: string } | { readonly problem: PatternProblem } {
  if (pattern === '') return { problem: 'empty' }
  if (pattern.includes('\0') || !pattern.isWellFormed()) return { problem: 'unreadable' }
  const split = splitPath(pattern, style)
  if (split === undefined || hasWildcard(split.root)) return { problem: 'not_absolute' }
  const kept: string[] = []
  for (const name of split.names) {
    if (name === '' || name === '.') continue
    if (name !== '..') kept.push(style === 'windows' ? name.replace(/(?<=[^. *?])[. ]+$/, '') : name)
    else if (kept.some(hasWildcard)) return { problem: 'climbs' }
    else kept.pop()
  }
  if (style === 'windows' && kept.some((name) => /[<>"|:\0-\x1f]/.test(name))) return { problem: 'never' }
  return { pattern: joinedPath({ root: split.root, names: kept }, style) }
}

/** Of a normalised pattern; of another one the normal form is compiled where it has one, else what nothing matches. */
export function compilePathGlob(pattern: string, style: PathStyle): PathGlob {
  const normal = normalisedPattern(pattern, style)
  const text = 'pattern' in normal ? normal.pattern : undefined
  const compiled = (fold: (text: string) => string): CompiledGlob => {
    const split = text === undefined ? undefined : splitPath(text, style)
    if (split === undefined) return { root: '\0', literals: 0, segments: [] }
    const segments = orderedSegments(split.names.map((name) => (/^\*{2,}$/.test(name) ? anyDepth : nameGlob(fold(name)))))
    const first = segments.findIndex((segment) => segment === anyDepth || segment.kind !== 'literal')
    return { root: foldedName(split.root), literals: first === -1 ? segments.length : first, segments }
  }
  return { pattern: text ?? pattern, style, exact: compiled(composedName), folded: compiled(foldedName) }
}

/** Undefined for what is not absolute. */
export function comparedPath(path: string, style: PathStyle, foldsCase: boolean): ComparedPath | undefined {
  if (style === 'windows') {
    const split = splitPath(foldedName(path), style)
    return split === undefined ? undefined : { root: foldedName(split.root), names: split.names.filter((name) => name !== '') }
  }
  if (!path.startsWith('/')) return undefined
  const names = (foldsCase ? foldedName(path) : composedName(path)).split('/')
  // A path that was spelled out has no empty names but the one before its first slash.
  return { root: '', names: names.includes('', 1) ? names.filter((name) => name !== '') : names.slice(1) }
}

export function matchesPath(glob: PathGlob, path: string, foldsCase = false): boolean {
  const compared = comparedPath(path, glob.style, foldsCase)
  return compared !== undefined && globMatches(chosen(glob, foldsCase), compared)
}

/** Whether it stands for the path and all that can ever lie beneath it. */
export function coversTree(glob: PathGlob, path: string, foldsCase = false): boolean {
  return matchesEverythingBeneath(chosen(glob, foldsCase)) && matchesPath(glob, path, foldsCase)
}

/** Whether it stands for the path or for anything that could lie beneath it. */
export function canMatchWithin(glob: PathGlob, path: string, foldsCase = false): boolean {
  const compared = comparedPath(path, glob.style, foldsCase)
  return compared !== undefined && globReaches(chosen(glob, foldsCase), compared)
}

/** The deepest folder or file that everything it stands for is, or lies beneath. */
export function literalRoot({ pattern, style, exact }: PathGlob): string {
  const split = splitPath(pattern, style)
  return split === undefined ? pattern : joinedPath({ root: split.root, names: split.names.slice(0, exact.literals) }, style)
}

/** The same pattern under another root, which is what its literal root really leads to. */
export function withLiteralRoot(glob: PathGlob, root: string): string {
  const rest = (splitPath(glob.pattern, glob.style)?.names ?? []).slice(glob.exact.literals)
  const split = splitPath(root, glob.style)
  if (split === undefined) return glob.pattern
  return joinedPath({ root: split.root, names: [...split.names.filter((name) => name !== ''), ...rest] }, glob.style)
}

/** True only if every path of the one is a path of the other; false also where that is hard to say. */
export function isNarrower(glob: PathGlob, other: PathGlob): boolean {
  if (glob.style !== other.style) return false
  const [a, b] = glob.style === 'windows' ? [glob.folded, other.folded] : [glob.exact, other.exact]
  return a.root === b.root && a.root !== '\0' && segmentsAreNarrower(a.segments, b.segments)
}

/** Whether the glob, of which the first names are known to fit, fits the rest of the path. */
export function globMatches(glob: CompiledGlob, path: ComparedPath): boolean {
  if (glob.root !== path.root) return false
  const { segments, literals } = glob
  // The usual forms need no set of places.
  if (literals === segments.length && path.names.length !== literals) return false
  for (let at = 0; at < literals; at++) {
    const segment = segments[at]
    const name = path.names[at]
    if (name === undefined || segment === undefined || segment === anyDepth || segment.kind !== 'literal') return false
    if (segment.text !== name) return false
  }
  if (literals === segments.length || (literals === segments.length - 1 && segments[literals] === anyDepth)) return true
  return placesAfter(glob, path)?.[segments.length] === 1
}

export function globReaches(glob: CompiledGlob, path: ComparedPath): boolean {
  return glob.root === path.root && placesAfter(glob, path) !== undefined
}

export function matchesEverythingBeneath({ segments }: CompiledGlob): boolean {
  return segments.at(-1) === anyDepth
}

function chosen(glob: PathGlob, foldsCase: boolean): CompiledGlob {
  return foldsCase || glob.style === 'windows' ? glob.folded : glob.exact
}

/** Where in the pattern one may be once all names are read: a flag for each segment still to come, and one for the end; undefined if nowhere. */
function placesAfter({ segments }: CompiledGlob, { names }: ComparedPath): Uint8Array | undefined {
  const end = segments.length
  let places = new Uint8Array(end + 1)
  places[0] = 1
  passOverDepths(places, segments)
  for (const name of names) {
    const next = new Uint8Array(end + 1)
    let isAnywhere = false
    for (let at = 0; at < end; at++) {
      if (places[at] !== 1) continue
      const segment = segments[at]
      if (segment === anyDepth) next[at] = 1
      else if (segment !== undefined && nameMatches(segment, name)) next[at + 1] = 1
      else continue
      isAnywhere = true
    }
    if (!isAnywhere) return undefined
    passOverDepths(next, segments)
    places = next
  }
  return places
}

function passOverDepths(places: Uint8Array, segments: readonly GlobSegment[]): void {
  for (const [at, segment] of segments.entries()) if (places[at] === 1 && segment === anyDepth) places[at + 1] = 1
}

/** Runs of `*` and `**` mean the same in any order: the `**` once, and last. */
function orderedSegments(segments: readonly GlobSegment[]): GlobSegment[] {
  const ordered: GlobSegment[] = []
  let isDeep = false
  for (const segment of segments) {
    if (segment === anyDepth) {
      isDeep = true
      continue
    }
    if (isDeep && segment.kind !== 'any') {
      ordered.push(anyDepth)
      isDeep = false
    }
    ordered.push(segment)
  }
  return isDeep ? [...ordered, anyDepth] : ordered
}

/** For each pair of places whether the rest of one lies within the rest of the other, from the end on. */
function segmentsAreNarrower(a: readonly GlobSegment[], b: readonly GlobSegment[]): boolean {
  let row = new Uint8Array(b.length + 1)
  for (let i = a.length; i >= 0; i--) {
    const next = new Uint8Array(b.length + 1)
    for (let j = b.length; j >= 0; j--)
      next[j] = restIsNarrower(a[i], b[j], { both: row[j + 1], one: row[j], other: next[j + 1] }) ? 1 : 0
    row = next
  }
  return row[0] === 1
}

/** What is known already: past both segments, past the one alone, past the other alone. */
interface KnownRests {
  readonly both: number | undefined
  readonly one: number | undefined
  readonly other: number | undefined
}

function restIsNarrower(a: GlobSegment | undefined, b: GlobSegment | undefined, known: KnownRests): boolean {
  if (b === undefined) return a === undefined
  // A `**` takes none of what comes, or what comes next and still the rest.
  if (b === anyDepth) return known.other === 1 || (a !== undefined && known.one === 1)
  if (a === undefined || a === anyDepth) return false
  return known.both === 1 && nameIsNarrower(a, b)
}

function hasWildcard(name: string): boolean {
  return /[*?]/.test(name)
}

function splitPath(path: string, style: PathStyle): ComparedPath | undefined {
  if (style === 'posix') return path.startsWith('/') ? { root: '', names: namesOf(path.slice(1), '/') } : undefined
  const rooted = windowsRoot(path.replaceAll('/', '\\'))
  return rooted === undefined ? undefined : { root: rooted.root, names: namesOf(rooted.rest, '\\') }
}

function namesOf(rest: string, slash: string): string[] {
  return rest === '' ? [] : rest.split(slash)
}

function joinedPath({ root, names }: ComparedPath, style: PathStyle): string {
  if (style === 'posix') return `/${names.join('/')}`
  return names.length === 0 && root.length === 2 ? `${root}\\` : [root, ...names].join('\\')
}
