// Holds the sums over session rows to what they are for: equal for equal sets in any order, and another for every small change.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type IndexSum, SessionIndexSummer, sameSum } from '../../src/verify/session-index.js'
import { makeRandom, type Random } from '../support/seeded-random.js'

type Member = readonly [handle: string, index: number]

function sumOf(members: readonly Member[], from?: IndexSum): IndexSum {
  const summer = new SessionIndexSummer(from)
  for (const [handle, index] of members) summer.add(handle, index)
  return summer.sum
}

const newHandle = (random: Random): string => `s${random.hex(8)}`

function someMembers(random: Random): Member[] {
  const handles = Array.from({ length: 1 + random.int(5) }, () => newHandle(random))
  return Array.from({ length: 1 + random.int(60) }, (_, index) => [random.pick(handles), index])
}

test('the sum of no rows is the sum to begin with', () => {
  assert.ok(sameSum(sumOf([]), { count: 0, first: 0, second: 0 }))
})

test('the order of the rows does not matter', () => {
  for (let seed = 0; seed < 50; seed += 1) {
    const random = makeRandom(seed)
    const members = someMembers(random)
    assert.ok(sameSum(sumOf(members), sumOf(random.shuffle(members))), `seed ${seed}`)
  }
})

test('a sum can be gone on from', () => {
  const random = makeRandom(1)
  const members = someMembers(random)
  for (let at = 0; at <= members.length; at += 1) {
    assert.ok(sameSum(sumOf(members.slice(at), sumOf(members.slice(0, at))), sumOf(members)))
  }
})

test('a row more, a row less, another handle, another index and handles that changed places are seen', () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const random = makeRandom(seed)
    const members = someMembers(random)
    const sum = sumOf(members)
    const at = random.int(members.length)
    const [handle, index] = members[at] as Member
    const without = members.filter((_, place) => place !== at)
    const other = random.int(members.length)
    const [otherHandle, otherIndex] = members[other] as Member
    const changed: Record<string, Member[]> = {
      'a row less': without,
      'a row twice': [...members, [handle, index]],
      'a row more': [...members, [newHandle(random), random.int(1000)]],
      'another handle': [...without, [newHandle(random), index]],
      'another index': [...without, [handle, index + 1 + random.int(1000)]],
      'the next index': [...without, [handle, index + 1]],
      'one digit of the handle': [...without, [handle.slice(0, -1) + (handle.endsWith('0') ? '1' : '0'), index]],
    }
    if (handle !== otherHandle) {
      const rest = members.filter((_, place) => place !== at && place !== other)
      changed['handles that changed places'] = [...rest, [handle, otherIndex], [otherHandle, index]]
    }
    for (const [name, set] of Object.entries(changed)) assert.not(sameSum(sum, sumOf(set)), `seed ${seed}: ${name}`)
  }
})

test('any two entries of two sessions that changed places are seen', () => {
  const random = makeRandom(2)
  const [one, other] = [newHandle(random), newHandle(random)]
  for (let first = 0; first < 64; first += 1) {
    for (let second = first + 1; second < 64; second += 1) {
      const before = sumOf([
        [one, first],
        [other, second],
      ])
      const after = sumOf([
        [one, second],
        [other, first],
      ])
      assert.not(sameSum(before, after), `${first} and ${second}`)
    }
  }
})

test('sums differ where only one of their parts does', () => {
  const sum = { count: 3, first: 5, second: 7 }
  assert.ok(sameSum(sum, { ...sum }))
  for (const part of ['count', 'first', 'second'] as const) assert.not(sameSum(sum, { ...sum, [part]: 1 }), part)
})

test.run()
