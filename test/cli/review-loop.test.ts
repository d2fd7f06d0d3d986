// Holds the review's loop to its keys: what each one does, that an answer counts only once it is written down, and how the end comes.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { reviewLoop } from '../../src/cli/review-loop.js'
import { SteleError } from '../../src/foundation/stele-error.js'
import type { ReviewItem } from '../../src/reports/review-items.js'

const test = suite('review-loop')

function item(name: string, more: Partial<ReviewItem> = {}): ReviewItem {
  return {
    ...{
      id: `${name}.7`,
      gate: 'capability',
      code: 'tool_not_granted',
      rule: '',
      tool: 'terminal',
      of: '',
      what: `call ${name}`,
    },
    ...{ why: 'no grant', labels: ['grant', 'refuse', 'false_alarm'], count: 1, enforced: 0, sessions: 1 },
    ...{ first: '2026-03-04T10:00:00.000Z', last: '2026-03-04T10:00:00.000Z', entries: [7], judged: [6], examples: [] },
    ...more,
  }
}

const claim = item('claim', { gate: 'provenance', code: 'no_quote', labels: ['refuse', 'false_alarm'] })
const three = [item('one'), item('two'), claim]

/** What was done, screen by screen; a screen is told by its first line, and by the item below it. */
async function gone(
  items: readonly ReviewItem[],
  keys: readonly string[],
  fails: (done: readonly string[]) => boolean = () => false,
) {
  const waiting = [...keys]
  const said: string[] = []
  const done: string[] = []
  let entry = 100
  const act = (what: string): void => {
    if (fails(done)) {
      done.push(`failed ${what}`)
      throw new SteleError('SERVICE_UNREACHABLE')
    }
    done.push(what)
  }
  const tally = await reviewLoop(items, {
    nextKey: async () => waiting.shift(),
    show: (lines) => said.push(`screen: ${lines.slice(0, 4).join(' | ')}`),
    tell: (line) => said.push(line),
    answer: async ({ what }, label) => {
      act(`${label} ${what}`)
      entry += 1
      return entry
    },
    takeBack: async (answer) => act(`back ${answer}`),
  })
  const given = tally.given.map(({ item: { what }, label, answer }) => `${answer} ${label} ${what}`)
  return { given, left: tally.left, said, done, unread: waiting }
}

test('each key gives its answer and goes on to the next item; behind the last any key ends', async () => {
  const { given, left, done, unread } = await gone(three, ['g', 'f', 'r', 'x', 'r'])
  assert.equal(given, ['101 grant call one', '102 false_alarm call two', '103 refuse call claim'])
  assert.equal([left, done.length, unread], [0, 3, ['r']])
})

test('a screen says where it stands and what the last key did, with the entry that says so', async () => {
  const { said } = await gone(three, ['r', 'l', 'q'])
  assert.match(said[0] ?? '', /^screen: \[1 of 3\] \| call one \|/)
  assert.match(said[1] ?? '', /^screen: Entry 101: rightly flagged\. \| {2}\| \[2 of 3\] \| call two/)
  assert.match(said[2] ?? '', /^screen: \[3 of 3\] \| call claim/)
})

test('later writes nothing down; quitting leaves the rest, by a letter, by Control-C, and where the keys end', async () => {
  for (const end of ['q', 'Q', '\u0003', '\u0004', undefined]) {
    const { given, left, done } = await gone(three, ['l', 'r', ...(end === undefined ? [] : [end, 'r'])])
    assert.equal([given, left, done], [['101 refuse call two'], 2, ['refuse call two']])
  }
})

test('undo takes the last answer back and shows its item again; of one that was put off it only goes back', async () => {
  const { given, left, done, said } = await gone(three, ['g', 'l', 'u', 'u', 'f', 'q'])
  assert.equal(done, ['grant call one', 'back 101', 'false_alarm call one'])
  assert.equal([given, left], [['102 false_alarm call one'], 2])
  assert.ok(said.some((line) => /^screen: The answer of entry 101 is taken back\. \| {2}\| \[1 of 3\]/.test(line)))
})

test('undo works behind the last item too, and with nothing to take back it says so', async () => {
  const { done, said } = await gone([three[0] as ReviewItem], ['u', 'r', 'u', 'q'])
  assert.equal(done, ['refuse call one', 'back 101'])
  assert.ok(said.includes('There is nothing to take back.'))
})

test('a key that means nothing, or makes no sense of this item, changes nothing and says what does', async () => {
  const { given, done, said } = await gone([claim], ['x', '\u001b', 'g', '?', 'q'])
  assert.equal([given, done], [[], []])
  assert.is(said.filter((line) => line.startsWith('That key means nothing here. r refuse   f false alarm   l later')).length, 2)
  assert.is(said.filter((line) => line.startsWith('No line of an allowlist would let this through. r refuse')).length, 1)
  assert.ok(said.some((line) => line.startsWith('l  later: nothing is written down')))
  // None of it has taken the screen away.
  assert.is(said.filter((line) => line.startsWith('screen: ')).length, 1)
})

test('an answer that could not be written down counts as none, and the item stays to be answered again', async () => {
  const { given, left, done, said } = await gone(three, ['r', 'r', 'q'], (before) => before.length === 0)
  assert.equal(done, ['failed refuse call one', 'refuse call one'])
  assert.equal([given, left], [['101 refuse call one'], 2])
  assert.ok(said.some((line) => line.startsWith('Not confirmed, press it again: SERVICE_UNREACHABLE: ')))
})

test('an answer that could not be taken back stands', async () => {
  const { given, done } = await gone(three, ['r', 'u', 'q'], (before) => before.length === 1)
  assert.equal([given, done], [['101 refuse call one'], ['refuse call one', 'failed back 101']])
})

test('without items it says so and waits for no key', async () => {
  const { said, unread } = await gone([], ['r'])
  assert.equal([said, unread], [['screen: Nothing waits for an answer.'], ['r']])
})

test('what is no failure of the world ends it', async () => {
  const broken = async (): Promise<never> => {
    throw new RangeError('our own')
  }
  const desk = { nextKey: async () => 'r', show: () => {}, tell: () => {}, answer: broken, takeBack: broken }
  let thrown: unknown
  await reviewLoop(three, desk).catch((error: unknown) => {
    thrown = error
  })
  assert.instance(thrown, RangeError)
})

test.run()
