// Looking back from the command line over the recorded session: what was typed, judged, answered and done, step by step, each with its index.
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ForensicTurn } from '../../src/replay/forensic.js'
import { exportedLines } from '../support/exported-lines.js'
import { feedHome } from '../support/feed-home.js'
import { recordedHooks, recordedPayloads } from '../support/recorded-session.js'
import { assertRefused, steleAt } from '../support/service-commands.js'
import { json, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('forensics')

const home = join(temporaryFolder(), 'home')
const hostSession = recordedPayloads[0]?.session_id ?? ''

interface Walked {
  readonly session: string
  readonly computedOn: { readonly size: number; readonly head: string }
  readonly turns: readonly ForensicTurn[]
}

test.before(() => feedHome(home, recordedHooks))

const walk = (...words: string[]): Walked => json<Walked>(steleAt(home, 'replay', 'session', hostSession, '--json', ...words))
const linesOf = ({ turns }: Walked) => turns.flatMap(({ steps }) => steps.flatMap(({ lines }) => lines))

test('row D10: every entry of the session is a step with its index, in six turns, and each call stands together with what came of it', () => {
  const walked = walk()
  const entries = exportedLines(home)
  const ofSession = entries.filter(({ session }) => session === walked.session)
  assert.equal(
    linesOf(walked)
      .filter(({ kind }) => kind !== 'told')
      .map(({ index, type }) => [index, type]),
    ofSession.map(({ index, type }) => [index, type]),
  )
  assert.equal(
    walked.turns.map(({ turn }) => turn),
    [0, 1, 2, 3, 4, 5, 6],
  )
  const calls = walked.turns.flatMap(({ steps }) => steps.filter(({ call }) => call !== null))
  assert.is(calls.length, recordedPayloads.filter(({ hook_event_name }) => hook_event_name === 'pre_tool_call').length)
  for (const { call, lines } of calls) {
    assert.equal([lines[0]?.index, lines.at(-1)?.kind], [call, 'happened'])
    assert.is(lines.filter(({ kind }) => kind === 'told').length, 1)
  }
  assert.equal(walked.computedOn, { ...walked.computedOn, size: entries.length, head: entries.at(-1)?.hash })
})

test('row D10: who approved a write and with which words is one step: the claim, the message that backs it, and its words', () => {
  const claims = linesOf(walk()).filter(({ type }) => type === 'claim.judged')
  const backed = claims.find(({ text }) => text.includes('supported by entry'))
  const message = backed?.about.at(-1)
  const typed = linesOf(walk()).find(({ index }) => index === message)
  assert.equal([typed?.kind, typed?.text], ['typed', 'typed: I decided we ship on Friday'])
  assert.ok(backed?.text.includes('quoted: "I decided we ship on Friday"'))
  // The number of a step is what a receipt is asked for by.
  assert.is(steleAt(home, 'prove', String(backed?.index)).status, 0)
})

test('for a person it is an outline with the same numbers, and until an index it ends there', () => {
  const { status, stdout, stderr } = steleAt(home, 'replay', 'session', hostSession, '--quiet')
  assert.is(status, 0, stderr)
  const numbers = [...stdout.matchAll(/^ *([0-9]+) /gm)].map(([, index]) => Number(index))
  assert.equal(
    numbers,
    linesOf(walk()).map(({ index }) => index),
  )
  assert.match(stdout, /^turn 1\n +2 +typed/m)
  const until = linesOf(walk('--until', '12')).map(({ index }) => index)
  assert.is(Math.max(...until), 12)
})

test('an export tells the same as the home, and a handle names the same session as the host’s id', () => {
  const file = join(temporaryFolder(), 'ledger.jsonl')
  assert.is(steleAt(home, 'export', '--quiet', '--out', file).status, 0)
  const { turns, session } = walk()
  const exported = json<Walked>(stele(['replay', 'session', hostSession, '--export', file, '--json']))
  assert.equal([exported.turns, exported.session], [turns, session])
  assert.equal(json<Walked>(steleAt(home, 'replay', 'session', session, '--json')).turns, turns)
})

test('a session that nobody knows, and a file that is none, are refused in one line', () => {
  assertRefused(steleAt(home, 'replay', 'session', 'nobody'), 'SESSION_UNKNOWN', 2)
  assertRefused(steleAt(home, 'replay', 'session', 's0123456789abcdef'), 'SESSION_UNKNOWN', 2)
  assertRefused(steleAt(home, 'replay', 'check', '--export', join(home, 'none.jsonl')), 'FILE_UNREADABLE', 2)
})

test.run()
