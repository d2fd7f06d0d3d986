// Holds the order of sessions to the links, also to those that somebody made up.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { SessionView } from '../../src/projections/sessions.js'
import { sessionTree } from '../../src/reports/session-tree.js'
import { sessionView } from '../support/report-views.js'

const test = suite('session-tree')

/** By name: the index of its entry, and the name that it goes on from. */
function sessionsOf(
  links: Readonly<Record<string, readonly [index: number, parent?: string | null | undefined]>>,
): Map<string, SessionView> {
  return new Map(
    Object.entries(links).map(([name, [index, parent]]) => [
      name,
      sessionView(index, parent === undefined ? {} : { parent: { handle: parent, why: 'compression' } }),
    ]),
  )
}

function shown(sessions: ReadonlyMap<string, SessionView>): string[] {
  return sessionTree(sessions).map(({ handle, depth }) => `${'-'.repeat(depth)}${handle}`)
}

test('sessions without links stand newest first', () => {
  assert.equal(shown(sessionsOf({ a: [0], b: [2], c: [1] })), ['b', 'c', 'a'])
})

test('what goes on from another stands below it, where the newest of the tree belongs', () => {
  assert.equal(shown(sessionsOf({ old: [0], alone: [5], child: [9, 'old'], grandchild: [3, 'child'], second: [7, 'old'] })), [
    'old',
    '-child',
    '--grandchild',
    '-second',
    'alone',
  ])
})

test('a link to nobody, to a session that is not here, or to itself makes no tree', () => {
  assert.equal(shown(sessionsOf({ a: [0, null], b: [1, 'gone'], c: [2, 'c'] })), ['c', 'b', 'a'])
})

test('a circle is cut at its oldest session', () => {
  assert.equal(shown(sessionsOf({ b: [5, 'a'], a: [2, 'c'], c: [7, 'b'], tail: [9, 'c'] })), ['a', '-b', '--c', '---tail'])
})

test('whatever the links say, each session stands there once and below its parent', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat({ max: 14 })), { minLength: 1, maxLength: 15 }), (links) => {
      const sessions = sessionsOf(
        Object.fromEntries(links.map((parent, at) => [`n${at}`, [at, parent === null ? undefined : `n${parent}`]])),
      )
      const placed = sessionTree(sessions)
      assert.equal(placed.map(({ handle }) => handle).sort(), [...sessions.keys()].sort())
      for (const [at, { handle, depth }] of placed.entries()) {
        if (depth === 0) continue
        const above = placed.slice(0, at).findLast((one) => one.depth === depth - 1)
        assert.is(above?.handle, sessions.get(handle)?.parent?.handle)
      }
    }),
  )
})

test('a chain and a star of 20,000 sessions take a few looks each', () => {
  class CountedMap extends Map<string, SessionView> {
    looks = 0
    override get(key: string): SessionView | undefined {
      this.looks += 1
      return super.get(key)
    }
  }
  for (const parentOf of [(at: number) => at - 1, () => 0, (at: number) => (at + 1) % 20_000]) {
    const sessions = new CountedMap()
    for (let at = 0; at < 20_000; at += 1) {
      const parent = at === 0 && parentOf(0) < 1 ? null : { handle: `n${parentOf(at)}`, why: 'subagent' as const }
      sessions.set(`n${at}`, sessionView(at, { parent }))
    }
    assert.is(sessionTree(sessions).length, 20_000)
    assert.ok(sessions.looks <= 6 * 20_000, `${sessions.looks} looks`)
  }
})

test.run()
