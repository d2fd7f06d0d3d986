// Holds every event that has words to one kind, or to the short list of those that no retention touches.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { definitionOf, eventCatalog } from '../../src/events/event-catalog.js'
import { wordKindOf, wordKinds } from '../../src/events/word-kinds.js'

const test = suite('word kinds')

test('whatever has words is of some kind, but for the text of a policy and what was brought in from elsewhere', () => {
  const withWords = Object.keys(eventCatalog).filter((type) => definitionOf(type)?.words !== undefined)
  const without = withWords.filter((type) => wordKindOf(type) === undefined)
  assert.equal(
    without.filter((type) => !type.startsWith('policy.') && !type.startsWith('entry.')),
    [],
  )
})

test('each kind is some event’s, and names that no version knows have none', () => {
  const kinds = new Set(Object.keys(eventCatalog).map(wordKindOf))
  for (const kind of wordKinds) assert.ok(kinds.has(kind), kind)
  for (const type of ['', 'message', 'constructor.x', '__proto__.y', 'toString.z', 'payload.erased', 'config.activated'])
    assert.is(wordKindOf(type), undefined, type)
  assert.equal(['message.captured', 'tool.requested', 'session.started', 'claim.judged'].map(wordKindOf), [...wordKinds])
})

test.run()
