// Whether grants of paths reach what a call would touch. Both have to be granted: the path as it is spelled, and the one it leads to.
import type { Touch } from './access.js'
import type { PathGrant, PathStyle } from './allowlist.js'
import {
  type ComparedPath,
  type CompiledGlob,
  comparedPath,
  compilePathGlob,
  globMatches,
  globReaches,
  matchesEverythingBeneath,
} from './path-glob.js'

export type PathCode = 'path_not_granted' | 'path_dangling' | 'path_looping' | 'path_unreadable' | 'path_unresolved'

export type PathScope =
  /** `by`: the grants of the path as spelled, and of where it leads. */
  | { readonly verdict: 'granted'; readonly by: readonly [typed: PathGrant, resolved: PathGrant] }
  /** Granted by its spelling; where it leads cannot be said. A person may know. */
  | { readonly verdict: 'doubtful'; readonly code: 'path_unresolved'; readonly by: PathGrant }
  /** `lacks`: which of the two no grant covers. */
  | { readonly verdict: 'denied'; readonly code: PathCode; readonly lacks?: 'typed' | 'resolved' }

const codeOfProblem = { dangling: 'path_dangling', looping: 'path_looping', unreadable: 'path_unreadable' } as const

export function pathScope(touch: Touch, grants: readonly PathGrant[], style: PathStyle): PathScope {
  const { problem, typed, resolved } = touch
  if (problem !== undefined && problem !== 'unresolved') return { verdict: 'denied', code: codeOfProblem[problem] }
  if (typed === null) return { verdict: 'denied', code: 'path_unresolved' }
  const table = tableOf(grants, style)
  const byTyped = table.covering(typed, touch)
  if (byTyped === undefined) return { verdict: 'denied', code: 'path_not_granted', lacks: 'typed' }
  if (problem === 'unresolved' || resolved === null) return { verdict: 'doubtful', code: 'path_unresolved', by: byTyped }
  const byResolved = resolved === typed ? byTyped : table.covering(resolved, touch)
  if (byResolved === undefined) return { verdict: 'denied', code: 'path_not_granted', lacks: 'resolved' }
  return { verdict: 'granted', by: [byTyped, byResolved] }
}

/** The first entry of a deny list that names the path, what it leads to, or, of a tree, anything that could lie beneath it. */
export function pathDenial(touch: Touch, denied: readonly PathGrant[], style: PathStyle): PathGrant | undefined {
  const table = tableOf(denied, style)
  for (const path of touch.typed === touch.resolved ? [touch.typed] : [touch.typed, touch.resolved]) {
    const found = path === null ? undefined : table.reaching(path, touch)
    if (found !== undefined) return found
  }
  return undefined
}

/** Grants by the folder under which each of them lies: a path has few folders above it, an allowlist may have many grants. */
class GrantTable {
  readonly #rows: readonly GrantRow[]
  readonly #style: PathStyle
  readonly #exact: ReadonlyMap<string, readonly GrantRow[]>
  readonly #folded: ReadonlyMap<string, readonly GrantRow[]>
  /** No grant has more names before its first wildcard. */
  readonly #deepest: number

  constructor(grants: readonly PathGrant[], style: PathStyle) {
    this.#style = style
    this.#rows = grants.flatMap((grant) => {
      const patterns = [grant.pattern, ...(grant.resolvedPattern === undefined ? [] : [grant.resolvedPattern])]
      return patterns.map((pattern) => ({ grant, ...compilePathGlob(pattern, style) }))
    })
    this.#exact = byLiteralRoot(this.#rows, 'exact')
    this.#folded = byLiteralRoot(this.#rows, 'folded')
    this.#deepest = this.#rows.reduce((most, { exact }) => Math.max(most, exact.literals), 0)
  }

  covering(path: string, { access, tree, foldsCase }: Touch): PathGrant | undefined {
    const compared = comparedPath(path, this.#style, foldsCase === true)
    if (compared === undefined) return undefined
    const form = this.#form(foldsCase)
    const rows = form === 'folded' ? this.#folded : this.#exact
    for (const key of keysAbove(compared, this.#deepest)) {
      for (const row of rows.get(key) ?? []) {
        if (!hasAccess(row.grant, access) || (tree && !matchesEverythingBeneath(row[form]))) continue
        if (globMatches(row[form], compared)) return row.grant
      }
    }
    return undefined
  }

  /** Both forms are tried: what only looks the same to a careless volume is denied too. */
  reaching(path: string, { access, tree, foldsCase }: Touch): PathGrant | undefined {
    const forms = foldsCase === true ? (['folded', 'exact'] as const) : ([this.#form(foldsCase)] as const)
    for (const form of forms) {
      const compared = comparedPath(path, this.#style, form === 'folded')
      if (compared === undefined) continue
      const isReached = tree ? globReaches : globMatches
      const row = this.#rows.find((one) => hasAccess(one.grant, access) && isReached(one[form], compared))
      if (row !== undefined) return row.grant
    }
    return undefined
  }

  #form(foldsCase: true | undefined): 'exact' | 'folded' {
    return foldsCase === true || this.#style === 'windows' ? 'folded' : 'exact'
  }
}

interface GrantRow {
  readonly grant: PathGrant
  readonly exact: CompiledGlob
  readonly folded: CompiledGlob
}

/** An allowlist is judged by thousands of times and compiled once. */
const tables = new WeakMap<readonly PathGrant[], Map<PathStyle, GrantTable>>()

function tableOf(grants: readonly PathGrant[], style: PathStyle): GrantTable {
  let ofStyles = tables.get(grants)
  if (ofStyles === undefined) {
    ofStyles = new Map()
    tables.set(grants, ofStyles)
  }
  let table = ofStyles.get(style)
  if (table === undefined) {
    table = new GrantTable(grants, style)
    ofStyles.set(style, table)
  }
  return table
}

function byLiteralRoot(rows: readonly GrantRow[], form: 'exact' | 'folded'): ReadonlyMap<string, readonly GrantRow[]> {
  const found = new Map<string, GrantRow[]>()
  for (const row of rows) {
    const { root, literals, segments } = row[form]
    const names = segments
      .slice(0, literals)
      .flatMap((segment) => (segment !== '**' && segment.kind === 'literal' ? [segment.text] : []))
    const key = [root, ...names].join('\0')
    const there = found.get(key)
    if (there === undefined) found.set(key, [row])
    else there.push(row)
  }
  return found
}

/** The path and each folder above it, as the tables are keyed. */
function* keysAbove({ root, names }: ComparedPath, deepest: number): Generator<string> {
  let key = root
  yield key
  for (const name of names.slice(0, deepest)) {
    key += `\0${name}`
    yield key
  }
}

function hasAccess(grant: PathGrant, access: Touch['access']): boolean {
  return grant.access === 'any' || grant.access === access
}
