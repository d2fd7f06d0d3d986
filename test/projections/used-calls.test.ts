// Holds what is read of calls to entries made by hand: what belongs to a call, what came behind text from outside, what did not run.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { NewEvent } from '../../src/events/event-catalog.js'
import { bringsOutsideText, isOutsideTool } from '../../src/projections/outside-text.js'
import { foldEvents } from '../../src/projections/projection.js'
import { notRun, type UsedCall, usedCalls } from '../../src/projections/used-calls.js'
import { proposed, requested, toolDecided } from '../support/judged-calls.js'

const test = suite('used-calls')

function read(...events: readonly NewEvent[]) {
  return foldEvents(usedCalls, usedCalls.initial(), events, { index: 0, time: '2026-03-01T10:00:00.000Z' })
}

const callsOf = (...events: readonly NewEvent[]): UsedCall[] => [...read(...events).calls.values()]

test('a call has what it would reach, the skill, the decision and what came of it', () => {
  const [call] = callsOf(
    requested('read_file', { cwd: '/srv' }),
    proposed(0, { skill: 'notes', touches: [{ asked: 'a', typed: '/srv/a' }] }),
    toolDecided(1, { verdict: 'deny', code: 'path_not_granted' }),
    {
      type: 'tool.completed',
      session: 's1',
      facts: {
        turn: 1,
        tool: 'read_file',
        requested: 0,
        status: 'blocked',
        argumentsDigest: 'd1'.repeat(32),
        source: 'unattested',
      },
    },
  )
  assert.equal([call?.tool, call?.skill, call?.cwd, call?.reaches], ['read_file', 'notes', '/srv', 1])
  assert.equal(call?.decision, { verdict: 'deny', code: 'path_not_granted', enforced: false })
  assert.equal(call?.access?.touches, [{ asked: 'a', access: 'read', tree: false, typed: '/srv/a', resolved: '/srv/a' }])
  assert.is(call?.cameBackRefused, true)
})

test('a call was not run where the host was held to a denial, where it came back refused, and where a person said no', () => {
  const ran = (...more: NewEvent[]): unknown => {
    const [call] = callsOf(requested('memory'), proposed(0, {}), ...more)
    return call === undefined ? 'no call' : notRun(call)
  }
  assert.is(ran(toolDecided(1, { verdict: 'deny' })), undefined, 'while it observes')
  assert.is(ran(toolDecided(1, { verdict: 'ask', enforced: true })), undefined, 'somebody may have said yes')
  assert.is(ran(toolDecided(1, { verdict: 'deny', enforced: true })), 'refused')
  const asked: NewEvent = {
    type: 'approval.requested',
    facts: { call: 0, surface: 'cli', asked: 'rule', shown: 'd1'.repeat(32), shownBytes: 1, source: 'unattested' },
    words: { command: 'ls', description: '', keys: [] },
  }
  const answered = (answer: string): NewEvent => ({
    type: 'approval.answered',
    facts: { request: 3, call: 0, answer, by: 'person', source: 'unattested' },
    words: { keys: [] },
  })
  const ask = toolDecided(1, { verdict: 'ask', enforced: true })
  assert.equal([ran(ask, asked, answered('deny')), ran(ask, asked, answered('once'))], ['by_hand', undefined])
})

test('what comes behind text from outside is of the same session and turn, and of no other', () => {
  const calls = callsOf(
    requested('memory', { turn: 1 }),
    requested('web_search', { turn: 1 }),
    requested('memory', { turn: 1 }),
    requested('memory', { turn: 2 }),
    requested('memory', { turn: 1, session: 's2' }),
  )
  assert.equal(
    calls.map(({ afterOutside }) => afterOutside),
    [false, false, true, false, false],
  )
})

test('a file from outside the folder of the call, and a command that fetches, bring text from outside', () => {
  const after = (first: Parameters<typeof proposed>[1], cwd: string | undefined = '/srv'): boolean | undefined =>
    callsOf(requested('terminal', { cwd }), proposed(0, first), requested('memory'))[1]?.afterOutside
  assert.is(after({ touches: [{ asked: 'a', typed: '/srv/a' }] }), false)
  assert.is(after({ touches: [{ asked: 'b', typed: '/srv2/b' }] }), true)
  assert.is(after({ touches: [{ asked: 'a', typed: '/srv/a', resolved: '/etc/a' }] }), true, 'by a link')
  assert.is(after({ touches: [{ asked: 'a', typed: '/srv/a' }] }, ''), true, 'where nobody knows the folder')
  assert.is(after({ touches: [{ asked: 'b', typed: '/etc/b', access: 'write' }] }), false, 'what is written brings nothing in')
  assert.equal([after({ commands: [['/usr/bin/curl', 'x']] }), after({ commands: [['git', 'curl']] })], [true, false])
})

test('the tools that bring text from outside are those of the web, of browsers, of pictures and of servers', () => {
  for (const tool of ['web_search', 'web_extract', 'browser_navigate', 'vision_analyze', 'mcp__github__get', 'mcp_github_get'])
    assert.is(isOutsideTool(tool), true, tool)
  for (const tool of ['read_file', 'memory', 'websearch', 'my_web_search', 'terminal'])
    assert.is(isOutsideTool(tool), false, tool)
  assert.is(bringsOutsideText({ tool: 'memory', cwd: undefined, touches: [], commands: [] }), false)
})

test('what the doctor asks is left out, and words that are gone leave the counts', () => {
  const view = read(
    { type: 'tool.requested', facts: { ...requestedFacts(), probe: true } },
    { type: 'tool.requested', facts: requestedFacts() },
    { ...proposed(1, { touches: [{ asked: 'a', typed: '/a' }] }), words: undefined } as unknown as NewEvent,
    {
      type: 'policy.activated',
      facts: { policy: 'p', digest: 'd1'.repeat(32), how: 'edited' },
      words: { text: '', policy: '{}' },
    },
  )
  assert.equal([...view.calls.keys()], [1])
  assert.equal([view.calls.get(1)?.access, view.calls.get(1)?.reaches, view.policy], [undefined, 1, { text: '{}' }])
})

function requestedFacts() {
  const { facts } = requested('memory')
  return facts as Extract<NewEvent, { type: 'tool.requested' }>['facts']
}

test.run()
