// Holds fact C to the format page ("One word for one deed", 5): what never came, what came twice, what came in another order.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { EntryOrder } from '../../src/verify/entry-order.js'
import { makeRandom } from '../support/seeded-random.js'

interface Told {
  readonly steps: string
  readonly missing: string
  readonly duplicated: readonly number[]
  /** The first entry of each disturbance. */
  readonly disturbed: readonly number[]
  readonly due: number
}

/** `null` is something unreadable. */
function tell(numbers: readonly (number | null)[], due = 0): Told {
  const order = new EntryOrder(due)
  const steps: string[] = []
  const duplicated: number[] = []
  for (const number of numbers) {
    if (number === null) {
      order.passHole()
      continue
    }
    const step = order.take(number)
    steps.push(step)
    if (step === 'duplicate') duplicated.push(number)
  }
  const missing = order.missing().map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
  return { steps: steps.join(' '), missing: missing.join(' '), duplicated, disturbed: order.disturbed(), due: order.due }
}

test('numbers that come once and in order leave nothing to tell', () => {
  assert.equal(tell([0, 1, 2, 3]), { steps: 'next next next next', missing: '', duplicated: [], disturbed: [], due: 4 })
  assert.equal(tell([7, 8], 7), { steps: 'next next', missing: '', duplicated: [], disturbed: [], due: 9 })
  assert.equal(tell([]), { steps: '', missing: '', duplicated: [], disturbed: [], due: 0 })
})

test('a number that never comes, with higher ones behind, is missing, one range a gap', () => {
  assert.equal(tell([0, 1, 3, 4]), { steps: 'next next gap next', missing: '2', duplicated: [], disturbed: [], due: 5 })
  assert.is(tell([0, 5, 6, 9]).missing, '1-4 7-8')
  assert.is(tell([3]).missing, '0-2', 'also at the beginning')
  assert.is(tell([0, 1]).missing, '', 'nobody knows of one at the end')
})

test('a number that comes twice is duplicated, and nothing is missing for it', () => {
  assert.equal(tell([0, 1, 1, 2]), { steps: 'next next duplicate next', missing: '', duplicated: [1], disturbed: [], due: 3 })
  assert.equal(tell([0, 1, 2, 0]).duplicated, [0])
  assert.equal(tell([0, 1, 1, 1]).duplicated, [1, 1])
  assert.equal(tell([0, 3, 1, 1]).duplicated, [1], 'also of one that came late')
})

test('two neighbours that changed places are one disturbance, at the first that stands where a lower one was due', () => {
  assert.equal(tell([0, 2, 1, 3]), { steps: 'next gap late next', missing: '', duplicated: [], disturbed: [2], due: 4 })
})

test('an entry that moved back or forth is one disturbance', () => {
  assert.equal(tell([0, 2, 3, 4, 1, 5]).disturbed, [2], '1 moved back')
  assert.equal(tell([0, 4, 1, 2, 3, 5]).disturbed, [4], '4 moved forth')
  assert.is(tell([0, 4, 1, 2, 3, 5]).missing, '')
})

test('disturbances apart are told apart', () => {
  assert.equal(tell([0, 2, 1, 3, 5, 4, 6]).disturbed, [2, 5])
})

test('an entry that was copied to an earlier place is a repetition and no disturbance besides', () => {
  assert.equal(tell([0, 3, 1, 2, 3, 4]), {
    steps: 'next gap late late duplicate next',
    missing: '',
    duplicated: [3],
    disturbed: [],
    due: 5,
  })
})

test('a gap that is filled in part is a disturbance, and the rest of it is missing', () => {
  assert.equal(tell([0, 5, 3, 6]), { steps: 'next gap late next', missing: '1-2 4', duplicated: [], disturbed: [5], due: 7 })
})

test('what is not read is not missed, and what stands behind it counts on', () => {
  assert.is(tell([0, 1, null, 3, 4]).missing, '')
  assert.is(tell([0, null, 7, 8]).missing, '')
  assert.is(tell([0, null, 7, 9]).missing, '8', 'a hole explains only what stands behind it')
  assert.is(tell([null, 2, 3]).missing, '')
  assert.is(tell([0, null, 1, 2]).missing, '')
})

test('in random disorder the answers are those of sets', () => {
  for (let seed = 0; seed < 400; seed += 1) {
    const random = makeRandom(seed)
    const size = 1 + random.int(30)
    let numbers = Array.from({ length: size }, (_, at) => at)
    if (random.chance(3)) numbers = random.shuffle(numbers)
    for (let deeds = random.int(5); deeds > 0; deeds -= 1) {
      const at = random.int(numbers.length)
      const kind = random.int(3)
      if (kind === 0 && numbers.length > 1) numbers.splice(at, 1)
      if (kind === 1) numbers.splice(random.int(numbers.length + 1), 0, numbers[at] ?? 0)
      if (kind === 2) numbers.splice(random.int(numbers.length), 0, ...numbers.splice(at, 1))
    }
    const seen = new Set<number>()
    const steps: string[] = []
    const duplicated: number[] = []
    const disturbed: number[] = []
    /** For each number that was passed over, the entry that stood in its place, until its disturbance is told. */
    const passedBy = new Map<number, number>()
    let due = 0
    for (const number of numbers) {
      if (seen.has(number)) {
        steps.push('duplicate')
        duplicated.push(number)
      } else if (number >= due) {
        steps.push(number === due ? 'next' : 'gap')
        for (let passed = due; passed < number; passed += 1) passedBy.set(passed, number)
        due = number + 1
      } else {
        steps.push('late')
        const behind = passedBy.get(number)
        if (behind !== undefined && !disturbed.includes(behind)) disturbed.push(behind)
      }
      seen.add(number)
    }
    const runs: string[] = []
    for (let number = 0; number < due; number += 1) {
      if (seen.has(number)) continue
      const first = number
      while (!seen.has(number + 1) && number + 1 < due) number += 1
      runs.push(first === number ? `${first}` : `${first}-${number}`)
    }
    const expected = {
      steps: steps.join(' '),
      missing: runs.join(' '),
      duplicated,
      disturbed: disturbed.filter((number) => !duplicated.includes(number)),
      due,
    }
    assert.equal(tell(numbers), expected, `seed ${seed}: ${numbers.join(' ')}`)
  }
})

test.run()
