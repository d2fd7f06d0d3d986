// Holds the items of the review inbox to what a person puts together: by cause and shape, by the claim, with the answers that make sense.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type FlaggedCause, type FlaggedEntry, type GivenAnswer, type InboxDay, inbox } from '../../src/projections/inbox.js'
import { itemOfId, reviewInbox, reviewLabels } from '../../src/reports/review-items.js'

const test = suite('review-items')

type Words = Readonly<Record<string, unknown>>

const entry = (index: number, more: Partial<FlaggedEntry> = {}): FlaggedEntry => ({
  ...{ index, time: `2026-03-04T10:00:${String(index % 60).padStart(2, '0')}.000Z`, session: 's1', judged: index - 1 },
  ...{ enforced: false, digest: null, ...more },
})

function day(
  causes: Readonly<Record<string, readonly FlaggedEntry[]>>,
  more: Partial<InboxDay> = {},
): ReadonlyMap<string, InboxDay> {
  const of = Object.entries(causes).map(([key, listed]) => {
    const enforced = listed.filter((one) => one.enforced).length
    return [key, { flagged: listed.length, enforced, listed: [...listed] }] as [string, FlaggedCause]
  })
  return new Map([['2026-03-04', { ...inbox.initial(), causes: Object.fromEntries(of), ...more }]])
}

const touching = (typed: string, access = 'read', more: object = {}): Words => ({
  touches: [{ asked: typed, access, tree: false, typed, resolved: typed, ...more }],
  ...{ programs: [], operands: [] },
})

const running = (...commands: readonly (readonly string[])[]): Words => ({
  touches: [],
  programs: commands.map(([text]) => ({ text })),
  operands: commands.flatMap(([, ...operands], of) => operands.map((text) => ({ of, text }))),
})

const reading = 'capability path_not_granted  read_file notes'
const shell = 'capability command_not_granted  terminal '
const claims = 'provenance no_quote en-decided memory memory'

test('calls that reached into one folder are one item, whichever file it was; another folder and another access are others', () => {
  const listed = [11, 21, 31, 41].map((index) => entry(index, index === 31 ? { session: 's2', enforced: true } : {}))
  const words = new Map<number, Words>([
    [10, touching('/srv/docs/a.md')],
    [20, touching('/srv/other/b.md')],
    [30, touching('/srv/docs/c.md')],
    [40, touching('/srv/docs/a.md', 'write')],
    [31, { reason: 'path_not_granted: c.md' }],
  ])
  const { items } = reviewInbox(day({ [reading]: listed }), words)
  assert.equal(
    items.map(({ what, entries, judged, count, enforced, sessions }) => [what, entries, judged, count, enforced, sessions]),
    [
      ['read_file: read in /srv/docs', [11, 31], [10, 30], 2, 1, 2],
      ['read_file: write in /srv/docs', [41], [40], 1, 0, 1],
      ['read_file: read in /srv/other', [21], [20], 1, 0, 1],
    ],
  )
  const [first] = items
  assert.equal([first?.gate, first?.code, first?.tool, first?.of], ['capability', 'path_not_granted', 'read_file', 'notes'])
  assert.equal(
    first?.examples.map(({ index, text, said }) => [index, text, said]),
    [
      [31, 'read /srv/docs/c.md', 'path_not_granted: c.md'],
      [11, 'read /srv/docs/a.md', null],
    ],
  )
  assert.is(first?.why, 'a path that it would reach is not granted')
})

test('of a folder that is asked for with all beneath it is the folder itself, and of a root file the root', () => {
  const words = new Map([
    [10, touching('/srv/docs', 'read', { tree: true })],
    [20, touching('/notes.md')],
    [30, touching('C:\\work\\notes.md')],
  ])
  const listed = [11, 21, 31].map((index) => entry(index))
  assert.equal(
    reviewInbox(day({ [reading]: listed }), words).items.map(({ what }) => what),
    ['read_file: read in C:/work', 'read_file: read in /', 'read_file: read in /srv/docs'],
  )
})

test('commands are one item by the program and what it is told to do; of programs that run others each line is one of its own', () => {
  const lines = [
    [['git', 'push', 'origin', 'main']],
    [['git', 'push', 'backup']],
    [['git', 'push']],
    [['bash', '-c', 'make clean']],
    [['bash', '-c', 'make all']],
    [
      ['rm', '-rf', 'build'],
      ['git', 'push', '--force'],
    ],
  ]
  const words = new Map(lines.map((line, at) => [at * 10, running(...line)] as const))
  const listed = lines.map((_, at) => entry(at * 10 + 1))
  assert.equal(
    reviewInbox(day({ [shell]: listed }), words).items.map(({ what, count }) => `${count} ${what}`),
    [
      '2 terminal: run git push …',
      '1 terminal: run git push …; run rm -rf build',
      '1 terminal: run bash -c make all',
      '1 terminal: run bash -c make clean',
      '1 terminal: run git push',
    ],
  )
})

test('a claim is one item wherever it comes again, and what is no single claim stands for itself', () => {
  const [one, other] = ['d1'.repeat(32), 'd2'.repeat(32)]
  const listed = [entry(1, { digest: one }), entry(2, { digest: other }), entry(3, { digest: one }), entry(4), entry(5)]
  const said = (claim: string, quote: string | null = null): Words => ({
    claim,
    quote,
    nearest: 'ship it',
    target: 'memory',
    sender: null,
  })
  const words = new Map([
    [1, said('User decided to ship.')],
    [2, said('User decided to wait.', 'wait')],
    [3, said('The user decided to ship.')],
    [4, said('')],
    [5, said('')],
  ])
  const { items } = reviewInbox(day({ [claims]: listed }), words)
  assert.equal(
    items.map(({ what, entries }) => [what, entries]),
    [
      ['memory would write to memory: The user decided to ship.', [1, 3]],
      ['memory would write to memory: ', [5]],
      ['memory would write to memory: ', [4]],
      ['memory would write to memory: User decided to wait.', [2]],
    ],
  )
  assert.equal(
    items.at(-1)?.examples.map(({ text, said: none, quote, nearest }) => [text, none, quote, nearest]),
    [['User decided to wait.', null, 'wait', 'ship it']],
  )
  assert.is(items[0]?.why, 'no quote of the user stands beside it')
})

test('what makes no sense is not offered: nothing grants a claim, nor what no line of an allowlist would let through', () => {
  assert.equal(reviewLabels('capability', 'tool_not_granted'), ['grant', 'refuse', 'false_alarm'])
  for (const [gate, code] of [
    ['provenance', 'no_quote'],
    ['capability', 'self_protected'],
    ['capability', 'denied_explicitly'],
  ] as const)
    assert.equal(reviewLabels(gate, code), ['refuse', 'false_alarm'], code)
})

test('what is forgotten, not read yet, beyond the list and without an allowlist is no item and is counted, by gate too', () => {
  const causes = { [reading]: [entry(11), entry(21), entry(31)], [claims]: [entry(41)] }
  const days = day(causes)
  const of = days.get('2026-03-04')
  if (of === undefined) throw new Error('no day')
  of.causes['capability policy_unavailable  terminal '] = { flagged: 7, enforced: 0, listed: [] }
  of.causes['other'] = { flagged: 2, enforced: 0, listed: [entry(51)] }
  ;(of.causes[reading] as { flagged: number }).flagged = 8
  const words = new Map<number, Words | null>([
    [10, touching('/srv/docs/a.md')],
    [20, null],
    [41, null],
  ])
  const { items, ...beside } = reviewInbox(days, words)
  assert.equal([items.length, beside], [1, { forgotten: 2, later: 1, beyond: 7, withoutPolicy: 7 }])
  const { items: none, ...ofClaims } = reviewInbox(days, words, { gate: 'provenance' })
  assert.equal([none.length, ofClaims], [0, { forgotten: 1, later: 0, beyond: 0, withoutPolicy: 0 }])
  assert.is(reviewInbox(days, words, { since: '2026-03-04T10:00:12.000Z' }).items.length, 0)
})

test('an answered entry is in no item, and its id means the entries that there were when it was told', () => {
  const words = new Map([10, 20, 30].map((index) => [index, touching('/srv/docs/a.md')] as const))
  const days = day({ [reading]: [entry(11), entry(21)] })
  const [told] = reviewInbox(days, words).items
  assert.ok(told)
  assert.match(told.id, /^[0-9a-f]{10}\.21$/)
  const grown = reviewInbox(day({ [reading]: [entry(11), entry(21), entry(31)] }), words)
  assert.equal(itemOfId(grown, told.id)?.entries, [11, 21])
  assert.equal(itemOfId(grown, told.id)?.judged, [10, 20])
  assert.equal(itemOfId(grown, told.id.slice(0, 10))?.entries, [11, 21, 31])
  const given: GivenAnswer = {
    ...{
      index: 50,
      label: 'refuse',
      gate: 'capability',
      code: 'path_not_granted',
      rule: '',
      tool: 'read_file',
      entries: [11, 21],
    },
  }
  const answered = reviewInbox(day({ [reading]: [entry(11), entry(21), entry(31)] }, { answers: [given] }), words)
  assert.equal(
    answered.items.map(({ entries }) => entries),
    [[31]],
  )
  assert.is(itemOfId(answered, told.id), undefined)
  for (const id of ['', 'x', `${told.id}.1`, '0000000000.21', told.id.slice(0, 9)]) assert.is(itemOfId(grown, id), undefined, id)
})

test.run()
