// Holds the event of a memory or skill call to what may stand for ever and what can be forgotten, and to its bound.
import { createHmac } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventCatalog, type NewEvent } from '../../../src/events/event-catalog.js'
import type { MemoryTarget } from '../../../src/gates/provenance/stored-text.js'
import type { StoredRead } from '../../../src/hooks/hermes/memory-writes.js'
import { writeProposed } from '../../../src/hooks/hermes/write-proposed.js'

const test = suite('write-proposed')

const handle = 's0123456789abcdef'
const chose = 'The user chose Postgres.'
const evaluates = 'The user is evaluating Postgres.'

test('a patch says target, counts, bytes, way and files; the texts and the stored one are words', () => {
  const event = proposed(
    'memory',
    { action: 'patch', old_text: 'is evaluating', content: 'chose' },
    memoryOf(`Tabs.\n§\n${evaluates}`),
  )
  assert.is(event.session, handle)
  assert.equal(event.facts, {
    call: 17,
    tool: 'memory',
    target: 'memory',
    targetDigest: hmac('target', 'memory:memory'),
    readable: true,
    operations: 1,
    removedOnly: false,
    strategies: ['entry'],
    judged: { texts: 1, bytes: 24 },
    stored: { texts: 1, bytes: 32 },
    files: [{ before: hmac('file', `Tabs.\n§\n${evaluates}`), after: hmac('file', `Tabs.\n§\n${chose}`), foretold: true }],
  })
  assert.equal(event.words, { places: ['memory'], judged: [chose], stored: [evaluates] })
})

test('the name of a skill is a word, and of a target only a keyed digest stays', () => {
  const event = proposed('skill_manage', { action: 'create', name: 'acme-merger', content: chose })
  const { target, targetDigest, files } = factsOf(event)
  assert.equal([target, targetDigest], ['skill', hmac('target', 'skill:acme-merger')])
  assert.equal(files, [{ before: null, after: hmac('file', chose), foretold: true }])
  assert.equal(event.words, { name: 'acme-merger', places: ['acme-merger/SKILL.md'], judged: [chose], stored: [] })
  assert.not.ok(JSON.stringify(event.facts).includes('acme'))
})

test('row P31: arguments that cannot be read say why and where; the name of a member that nobody knows is a word', () => {
  const unread = proposed('memory', { operations: [{ action: 'add', content: 7 }] })
  const { readable, unreadable, target, operations } = factsOf(unread)
  assert.equal([readable, target, operations], [false, 'unknown', 0])
  assert.equal(unreadable, { code: 'not_text', operation: 0, field: 'content' })
  const strange = proposed('memory', { action: 'add', 'what the user said': chose })
  assert.equal(factsOf(strange).unreadable, { code: 'unknown_field' })
  assert.equal(strange.words, { field: 'what the user said', places: [], judged: [], stored: [] })
})

test('row P30: a removal says that it only takes away', () => {
  const { removedOnly, judged, files } = factsOf(proposed('skill_manage', { action: 'delete', name: 'release' }))
  assert.equal([removedOnly, judged, files], [true, { texts: 0, bytes: 0 }, []])
})

test('why stored text could not be read is told, and what the file will hold is not foretold then', () => {
  const read: StoredRead = { stored: { memory: new Map(), skills: new Map() }, unavailable: 'not_a_file' }
  const { unavailable, files } = factsOf(proposed('memory', { action: 'add', content: chose }, read))
  assert.equal([unavailable, files.map(({ foretold }) => foretold)], ['not_a_file', [false]])
})

test('what is beyond the bound is cut behind a whole character, and told in bytes; nothing behind it is kept', () => {
  const operations = ['aaaa', '茶茶茶', 'bbbb'].map((content) => ({ action: 'add', content }))
  const texts = (keptBytes: number) => {
    const { facts, words } = proposed('memory', { operations }, memoryOf(''), keptBytes)
    return [words?.judged, facts.judged, facts.cut]
  }
  const all = { texts: 3, bytes: 17 }
  assert.equal(texts(17), [['aaaa', '茶茶茶', 'bbbb'], all, undefined])
  assert.equal(texts(16), [['aaaa', '茶茶茶', 'bbb'], all, { judged: 1, stored: 0 }])
  assert.equal(texts(12), [['aaaa', '茶茶'], all, { judged: 7, stored: 0 }])
  assert.equal(texts(3), [['aaa'], all, { judged: 14, stored: 0 }])
  assert.equal(texts(0), [[], all, { judged: 17, stored: 0 }])
})

test('every event fits its schema and has its line in a timeline', () => {
  const rows: readonly (readonly [tool: string, input: unknown, line: RegExp])[] = [
    ['memory', { action: 'add', content: chose }, /^would write 1 text of 24 bytes to memory$/],
    ['memory', { action: 'add', target: 'user', content: '' }, /^would write nothing new to user$/],
    ['memory', { action: 'remove', old_text: 'a' }, /^would only take away from memory$/],
    ['skill_manage', { action: 'create', name: 'db', content: chose }, /^would write 1 text of 24 bytes to skill db$/],
    ['skill_manage', { operations: 'no' }, /^would write what cannot be read \(operations_not_json\)$/],
  ]
  for (const [tool, input, line] of rows) {
    const { facts, words } = proposed(tool, input)
    const definition = eventCatalog['write.proposed']
    assert.ok(definition.facts.safeParse(facts).success, JSON.stringify(facts))
    assert.ok(definition.words?.safeParse(words).success)
    assert.match(definition.describe(facts, words ?? {}), line)
  }
  assert.is(writeProposed({ tool_name: 'terminal', tool_input: {} }, memoryOf(''), frame()), undefined)
})

type Proposed = Extract<NewEvent, { type: 'write.proposed' }>

function proposed(tool_name: string, tool_input: unknown, read: StoredRead = memoryOf(''), keptBytes?: number): Proposed {
  const event = writeProposed({ tool_name, tool_input }, read, frame(keptBytes))
  assert.ok(event !== undefined && event.type === 'write.proposed')
  return event as Proposed
}

const factsOf = (event: Proposed) => event.facts

function frame(keptBytes?: number) {
  return { session: handle, call: 17, digest: hmac, ...(keptBytes === undefined ? {} : { keptBytes }) }
}

function memoryOf(text: string): StoredRead {
  return { stored: { memory: new Map<MemoryTarget, string>([['memory', text]]), skills: new Map() } }
}

function hmac(use: string, text: string): string {
  return createHmac('sha256', 'key').update(`${use}\n${text}`).digest('hex')
}

test.run()
