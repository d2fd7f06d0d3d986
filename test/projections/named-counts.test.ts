// Holds counts under foreign names to their bound, whatever the names are.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { namedCounts } from '../../src/projections/named-counts.js'

const test = suite('named counts')

interface Seen {
  times: number
}

function count(of: Record<string, Seen>, name: string): void {
  namedCounts(of, name, () => ({ times: 0 })).times += 1
}

test('each name is counted for itself, called like a member of every object or not', () => {
  const of: Record<string, Seen> = {}
  for (const name of ['a', '__proto__', 'constructor', 'toString', 'a', '__proto__', '']) count(of, name)
  assert.equal(
    Object.entries(of).map(([name, { times }]) => `${name} ${times}`),
    ['a 2', '__proto__ 2', 'constructor 1', 'toString 1', ' 1'],
  )
  assert.is(Object.getPrototypeOf(of), Object.prototype)
  assert.is(JSON.stringify(JSON.parse(JSON.stringify(of))), JSON.stringify(of), 'and comes back from JSON')
})

test('beyond 256 names the others are counted together, and those that are known go on', () => {
  const of: Record<string, Seen> = {}
  for (let at = 0; at < 1000; at += 1) count(of, `name-${at}`)
  count(of, 'name-3')
  count(of, 'name-999')
  const counts = new Map(Object.entries(of))
  assert.equal(
    [counts.size, counts.get('name-3')?.times, counts.get('name-999'), counts.get('other')?.times],
    [257, 2, undefined, 745],
  )
})

test('a name that is `other` itself is counted with the others', () => {
  const of: Record<string, Seen> = {}
  count(of, 'other')
  for (let at = 0; at < 256; at += 1) count(of, `name-${at}`)
  count(of, 'one-more')
  assert.equal([Object.keys(of).length, of['other']?.times], [256, 3])
})

test.run()
