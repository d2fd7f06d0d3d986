// Holds what the ledger takes: words without secrets, with ids, paths and command words as they came.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { definitionOf, eventCatalog, type NewEvent } from '../../src/events/event-catalog.js'
import { redactEvent } from '../../src/ledger/redacted-event.js'
import { makeRedactor } from '../../src/redaction/redact.js'

const test = suite('redacted-event')

const token = `ghp_${'a1'.repeat(18)}`
const redactor = makeRedactor({ knownValues: ['hunter-22', 'python3'] })
const digest = 'd1'.repeat(32)

function requestWith(words: Record<string, unknown>): NewEvent {
  const facts = { turn: 1, tool: 'terminal', arguments: { count: 1, bytes: 2, digest }, source: 'unattested' as const }
  return { type: 'tool.requested', session: 's0123456789abcdef', facts, words }
}

function argument(name: string, value: unknown): unknown {
  const event = requestWith({ arguments: [{ name, bytes: 9, digest, value }] })
  const { words } = redactEvent(event, redactor).event
  const [kept] = (words as { arguments: Record<string, unknown>[] }).arguments
  assert.equal([kept?.['name'], kept?.['bytes'], kept?.['digest']], [name, 9, digest])
  return kept?.['value']
}

test('a text loses its secrets and is counted; without any, the words are the same object', () => {
  const facts = { turn: 1, platform: 'cli', characters: 1, digest, source: 'unattested' as const }
  const event: NewEvent = { type: 'message.captured', facts, words: { text: `use ${token} and hunter-22`, senderLabel: token } }
  const { event: kept, count } = redactEvent(event, redactor)
  assert.equal([kept.words, count], [{ text: 'use [REDACTED] and [REDACTED]', senderLabel: '[REDACTED]' }, 3])
  const harmless: NewEvent = { ...event, words: { text: 'use it' } }
  assert.is(redactEvent(harmless, redactor).event, harmless)
})

test('ids stay as they came, whatever they look like', () => {
  const words = { turn: token, task: 'hunter-22', call: token, request: token, tool: token }
  assert.equal(redactEvent(requestWith(words), redactor).event.words, words)
  const started: NewEvent = {
    type: 'session.started',
    facts: { platform: 'cli', how: 'announced', source: 'unattested' },
    words: { session: token },
  }
  assert.is(redactEvent(started, redactor).event, started)
})

test('paths stay as they came, and an address or a text of many lines is none', () => {
  assert.equal(redactEvent(requestWith({ cwd: '/srv/hunter-22' }), redactor).event.words, { cwd: '/srv/hunter-22' })
  assert.is(argument('path', `/tmp/${token}/hunter-22`), `/tmp/${token}/hunter-22`)
  assert.equal(argument('files', ['/a/hunter-22', 'https://u:pw@h/x']), ['/a/hunter-22', 'https://[REDACTED]@h/x'])
  assert.is(argument('source', 'a\npassword: hunter2'), 'a\npassword: [REDACTED]')
  assert.is(argument('url', 'https://h/?access_token=abc'), 'https://h/?access_token=[REDACTED]')
})

test('a command keeps its command words and loses its secrets', () => {
  assert.is(
    argument('command', 'TOKEN=abc python3 -c "python3" --password swordfish | curl -u bob:pw x'),
    'TOKEN=[REDACTED] python3 -c "[REDACTED]" --password [REDACTED] | curl -u bob:[REDACTED] x',
  )
  assert.equal(argument('command', ['x', '--password', 'swordfish', '--token-limit', '5']), [
    'x',
    '--password',
    '[REDACTED]',
    '--token-limit',
    '5',
  ])
})

test('an argument whose name is a secret one is replaced whole, and a name that holds a secret loses it', () => {
  assert.is(argument('password', 'correct horse'), '[REDACTED]')
  assert.is(argument('api_key', { a: 1 }), '[REDACTED]')
  assert.is(argument('max_tokens', 200), 200)
  assert.equal(argument('body', { headers: { Cookie: 'a=b' }, n: 1 }), { headers: { Cookie: '[REDACTED]' }, n: 1 })
  const event = requestWith({ arguments: [{ name: token, bytes: 9, digest }] })
  const { event: kept, count } = redactEvent(event, redactor)
  assert.equal([kept.words, count], [{ arguments: [{ name: '[REDACTED]', bytes: 9, digest }] }, 1])
})

test('an event without words needs no redactor', () => {
  const event: NewEvent = { type: 'turn.ended', facts: { turn: 1, source: 'unattested' } }
  assert.equal(redactEvent(event, redactor), { event, count: 0 })
})

test('redacting an event again changes nothing', () => {
  const event = requestWith({
    cwd: '/x',
    arguments: [
      { name: 'command', bytes: 1, digest, value: `x ${token}` },
      { name: 'password', bytes: 1, digest, value: 'y' },
    ],
  })
  const { event: once } = redactEvent(event, redactor)
  assert.equal(redactEvent(once, redactor), { event: once, count: 0 })
})

test('ids and paths of the catalogue are members of the words of their event', () => {
  for (const type of Object.keys(eventCatalog)) {
    const { words, ids = [], paths = [] } = definitionOf(type) ?? {}
    for (const name of [...ids, ...paths]) assert.ok((name.split('.')[0] ?? '') in (words?.shape ?? {}), `${type}: ${name}`)
  }
})

test.run()
