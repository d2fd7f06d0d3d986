// Holds who is blocked without a judgement to docs/service.md, by the cases that the Hermes plugin is held to as well.
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { GateModes } from '../../src/gates/gate.js'
import { noDirective } from '../../src/hooks/directive.js'
import {
  stricterAnswer,
  stricterModes,
  toldModes,
  type UnjudgedCall,
  unjudgedAnswer,
  unreadableAnswer,
  unrecordedAnswer,
} from '../../src/hooks/unjudged-answer.js'

const test = suite('unjudged answer')

interface Case {
  readonly modes: unknown
  readonly call: UnjudgedCall
  readonly blocks: boolean
}

const cases = JSON.parse(readFileSync(new URL('../fixtures/unjudged-answers.json', import.meta.url), 'utf8')) as Case[]

test('a call that nobody judged is blocked in the cases that all clients and the service have in common', () => {
  assert.ok(cases.length > 20)
  for (const { modes, call, blocks } of cases)
    assert.equal(
      unjudgedAnswer(call, toldModes(modes), 'why'),
      blocks ? { action: 'block', message: 'why' } : {},
      JSON.stringify(call),
    )
})

test('every answer without a judgement follows the same rule, and a block has a message that says why', () => {
  const messages = new Set<string>()
  for (const answer of [stricterAnswer, unreadableAnswer, unrecordedAnswer]) {
    for (const { modes, call, blocks } of cases) {
      const directive = answer(call, toldModes(modes)) as { action?: string; message?: string }
      if (!blocks) {
        assert.equal(directive, noDirective)
        continue
      }
      assert.is(directive.action, 'block')
      messages.add(directive.message ?? '')
    }
  }
  assert.is(messages.size, 3)
  for (const message of messages) assert.ok(message.length > 20, message)
})

test('of two readings the stricter counts, each gate for itself', () => {
  const loose: GateModes = { provenance: 'off', capability: 'enforce' }
  const tight: GateModes = { provenance: 'block', capability: 'observe' }
  const both: GateModes = { provenance: 'block', capability: 'enforce' }
  for (const [one, other] of [
    [loose, tight],
    [tight, loose],
    [both, loose],
    [both, both],
  ] as const)
    assert.equal(stricterModes(one, other), both)
  const off: GateModes = { provenance: 'off', capability: 'off' }
  const observe: GateModes = { provenance: 'observe', capability: 'observe' }
  assert.equal([stricterModes(off, observe), stricterModes(observe, off), stricterModes(off, off)], [observe, observe, off])
})

test.run()
