// The order in which sessions are shown: newest first, and below each those that go on from it, whatever the links say.
import type { SessionView } from '../projections/sessions.js'

export interface PlacedSession {
  readonly handle: string
  readonly session: SessionView
  /** How many sessions stand above it in its tree. */
  readonly depth: number
}

/**
 * Each session once. A tree stands where its newest session would stand alone. A link to a session that is not here makes no tree, and
 * of a circle the oldest session stands above the others. Links come from hosts: no chain is too long and no circle turns for ever.
 */
export function sessionTree(sessions: ReadonlyMap<string, SessionView>): PlacedSession[] {
  const newestFirst = [...sessions].sort(([, a], [, b]) => b.last.index - a.last.index).map(([handle]) => handle)
  const parents = parentsOf(newestFirst, sessions)
  const children = new Map<string, string[]>()
  for (const handle of newestFirst) {
    const parent = parents.get(handle)
    if (parent === undefined) continue
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [handle])
    else siblings.push(handle)
  }
  const placed: PlacedSession[] = []
  for (const root of rootsOf(newestFirst, parents)) {
    const open = [{ handle: root, depth: 0 }]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { handle, depth } = next
      const session = sessions.get(handle)
      if (session !== undefined) placed.push({ handle, session, depth })
      for (const child of (children.get(handle) ?? []).toReversed()) open.push({ handle: child, depth: depth + 1 })
    }
  }
  return placed
}

/** Each is walked once: upwards until a session that was walked before, or until the walk meets itself. */
function parentsOf(handles: readonly string[], sessions: ReadonlyMap<string, SessionView>): Map<string, string> {
  const parents = new Map<string, string>()
  const walked = new Set<string>()
  for (const start of handles) {
    const path = new Set<string>()
    let handle: string | undefined = start
    while (handle !== undefined && !walked.has(handle) && !path.has(handle)) {
      path.add(handle)
      const above: string | null | undefined = sessions.get(handle)?.parent?.handle
      if (typeof above !== 'string' || !sessions.has(above)) break
      parents.set(handle, above)
      handle = above
    }
    if (handle !== undefined && path.has(handle) && parents.has(handle)) parents.delete(oldestOfCircle(handle, parents, sessions))
    for (const one of path) walked.add(one)
  }
  return parents
}

function oldestOfCircle(from: string, parents: ReadonlyMap<string, string>, sessions: ReadonlyMap<string, SessionView>): string {
  let oldest = from
  for (let handle = parents.get(from); handle !== undefined && handle !== from; handle = parents.get(handle)) {
    if ((sessions.get(handle)?.first.index ?? 0) < (sessions.get(oldest)?.first.index ?? 0)) oldest = handle
  }
  return oldest
}

/** In the order of the newest session of each tree. */
function rootsOf(newestFirst: readonly string[], parents: ReadonlyMap<string, string>): Set<string> {
  const rootOf = new Map<string, string>()
  for (const start of newestFirst) {
    const path: string[] = []
    let top = start
    for (let above = parents.get(top); above !== undefined && !rootOf.has(top); above = parents.get(top)) {
      path.push(top)
      top = above
    }
    const root = rootOf.get(top) ?? top
    for (const handle of [...path, top]) rootOf.set(handle, root)
  }
  return new Set(rootOf.values())
}
