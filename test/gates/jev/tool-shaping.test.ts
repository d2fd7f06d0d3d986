// Holds shaping to its vectors, and to two things that always hold: the request stays as it was, and what comes out is a part of it in order.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { TurnDecision } from '../../../src/gates/jev/decisions.js'
import { removableTools, type ShapingOutcome, shapeRequest } from '../../../src/gates/jev/tool-shaping.js'
import { type DeskOptions, JevDesk, smallTalk } from '../../support/jev-desk.js'

const test = suite('tool-shaping')

const chatTool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } })
const flatTool = (name: string) => ({ type: 'function', name, parameters: { type: 'object' } })
const names = ['terminal', 'read_file', 'web_search', 'clarify', 'todo', 'mystery_tool']
const user = (content: unknown = 'hello') => ({ role: 'user', content })
const base = { model: 'm', messages: [user()], tools: names.map(chatTool) }

function deepFrozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFrozen(member)
    Object.freeze(value)
  }
  return value
}

interface Given {
  readonly request?: unknown
  readonly message?: unknown
  readonly decision?: TurnDecision | undefined
  readonly options?: DeskOptions
  readonly firstTurn?: unknown
  readonly count?: unknown
}

function shaped(given: Given = {}): ShapingOutcome | undefined {
  const { request = base, message = 'hello', options, firstTurn = true, count = 1 } = given
  const desk = new JevDesk(options)
  desk.answers.turn = 'decision' in given ? given.decision : smallTalk
  desk.begin(message, { firstTurn })
  return desk.shape(deepFrozen(request), count)
}

function namesOf(outcome: ShapingOutcome | undefined): readonly string[] | undefined {
  const tools = outcome?.request?.['tools'] as readonly { name?: string; function?: { name: string } }[] | undefined
  return tools?.map((tool) => tool.function?.name ?? tool.name ?? '')
}

const isShaped = (given: Given): boolean => namesOf(shaped(given)) !== undefined
const reasonOf = (given: Given): string | undefined => {
  const outcome = shaped(given)
  assert.is(outcome?.request, undefined)
  return outcome?.reason
}

test('vector D1 and row J21: only removable tools go, in order, and the request stays as it was', () => {
  const before = structuredClone(base)
  const outcome = shaped()
  assert.equal(namesOf(outcome), ['clarify', 'todo', 'mystery_tool'])
  assert.equal(base, before)
  assert.is.not(outcome?.request, base)
  assert.is((outcome?.request?.['tools'] as readonly unknown[] | undefined)?.[0], base.tools[3])
  assert.equal([outcome?.toolsBefore, outcome?.toolsAfter], [6, 3])
})

test('vector D2 and row J6: in shadow nothing is handed on, and what would have been is told', () => {
  const outcome = shaped({ options: { mode: 'shadow' } })
  assert.equal(outcome, { reason: 'fresh_standalone_chat', wouldShape: true, shaped: false, toolsBefore: 6, toolsAfter: 3 })
})

test('vector D3: switched off, and from the second request on, there is nothing to tell', () => {
  assert.is(shaped({ options: { shaping: { enabled: false } } }), undefined)
  for (const count of [2, 0, '1', null, true]) assert.is(shaped({ count }), undefined)
})

test('vector D4: system and developer items may stand beside the message, whatever is in them', () => {
  const messages = [{ role: 'system', content: 'x' }, { role: 'developer', content: [{ type: 'text' }] }, user()]
  assert.is(isShaped({ request: { ...base, messages } }), true)
})

test('vector D5: the flat shape of tools and an input list are shaped too', () => {
  assert.equal(namesOf(shaped({ request: { input: [user()], tools: names.map(flatTool) } })), ['clarify', 'todo', 'mystery_tool'])
})

test('vector D6: an input that is a text keeps all tools', () => {
  assert.is(reasonOf({ request: { input: 'hello', tools: base.tools } }), 'unknown_context')
})

test('vector D7: messages and input together keep all tools', () => {
  assert.is(reasonOf({ request: { ...base, input: [user()] } }), 'unknown_context')
})

test('vector D8 and row J19: an earlier response keeps all tools, an empty id is none', () => {
  assert.is(reasonOf({ request: { ...base, previous_response_id: 'r1' } }), 'unknown_context')
  assert.is(isShaped({ request: { ...base, previous_response_id: '' } }), true)
})

test('vector D9: a conversation that the provider keeps keeps all tools', () => {
  assert.is(reasonOf({ request: { ...base, conversation: { id: 'x' } } }), 'unknown_context')
})

test('vector D10: content in parts keeps all tools', () => {
  assert.is(reasonOf({ request: { ...base, messages: [user([{ type: 'text', text: 'hello' }])] } }), 'prior_or_unknown_context')
})

test('vector D11: a message that somebody added to keeps all tools', () => {
  assert.is(reasonOf({ request: { ...base, messages: [user('hello\n\n<memory>…</memory>')] } }), 'prior_or_unknown_context')
})

test('vector D12: an earlier answer keeps all tools', () => {
  assert.is(
    reasonOf({ request: { ...base, messages: [{ role: 'assistant', content: 'hi' }, user()] } }),
    'prior_or_unknown_context',
  )
})

test('vector D13: an earlier call keeps all tools', () => {
  for (const call of [{ tool_calls: [{ id: 'x' }] }, { function_call: { name: 'x' } }])
    assert.is(
      reasonOf({ request: { ...base, messages: [{ role: 'assistant', content: '', ...call }, user()] } }),
      'ongoing_tool_workflow',
    )
})

test('vector D14: the message twice keeps all tools', () => {
  assert.is(reasonOf({ request: { ...base, messages: [user(), user()] } }), 'prior_or_unknown_context')
})

test('vector D15: 32 items are looked at, 33 keep all tools', () => {
  const system = (count: number) => Array.from({ length: count }, () => ({ role: 'system', content: 'x' }))
  assert.is(isShaped({ request: { ...base, messages: [...system(31), user()] } }), true)
  assert.is(reasonOf({ request: { ...base, messages: [...system(32), user()] } }), 'unknown_context')
  assert.is(reasonOf({ request: { ...base, messages: [] } }), 'unknown_context')
})

test('vector D16 and row J22: a forced choice keeps all tools', () => {
  for (const choice of ['auto', 'none', null]) assert.is(isShaped({ request: { ...base, tool_choice: choice } }), true)
  for (const choice of ['required', { type: 'function' }, 5])
    assert.is(isShaped({ request: { ...base, tool_choice: choice } }), false)
})

test('vector D17: where nothing would go, or nothing would stay, all tools stay', () => {
  assert.is(shaped({ request: { ...base, tools: [chatTool('terminal'), chatTool('patch')] } })?.kept, 'nothing_left')
  assert.is(shaped({ request: { ...base, tools: [chatTool('clarify')] } })?.kept, 'nothing_to_remove')
})

test('vector D18: double names, built-in tools, mixed and unfinished shapes keep all tools', () => {
  for (const tools of [
    [...base.tools, chatTool('clarify')],
    [...base.tools, { type: 'web_search' }],
    [...base.tools, flatTool('other')],
    [...base.tools, { type: 'function', function: { name: 'other' } }],
    [...base.tools, { ...chatTool('other'), ...flatTool('other') }],
    [],
    undefined,
    'x',
  ])
    assert.is(shaped({ request: { ...base, tools } })?.kept, 'tools_unfit')
})

test('vector D19 and row J20: the confidence must reach 0.95', () => {
  assert.is(isShaped({ decision: { ...smallTalk, confidence: 0.949 } }), false)
  assert.is(isShaped({ decision: { ...smallTalk, confidence: 0.95 } }), true)
})

test('vector D20: no need may be over 0.05', () => {
  assert.is(isShaped({ decision: { ...smallTalk, needs_web: 0.05 } }), true)
  assert.is(isShaped({ decision: { ...smallTalk, needs_web: 0.051 } }), false)
  assert.is(isShaped({ decision: { ...smallTalk, should_delegate: 0.051 } }), false)
})

test('vector D21: only simple chat without side effects is shaped', () => {
  assert.is(isShaped({ decision: { ...smallTalk, complexity: 'simple' } }), true)
  assert.is(isShaped({ decision: { ...smallTalk, complexity: 'moderate' } }), false)
  assert.is(isShaped({ decision: { ...smallTalk, side_effect_likelihood: 'medium' } }), false)
  assert.is(isShaped({ decision: { ...smallTalk, intent: 'coding' } }), false)
})

test('vector D22: what is no probability keeps all tools', () => {
  for (const bad of [Number.NaN, 1.1, -0.1, true as unknown as number]) {
    assert.is(isShaped({ decision: { ...smallTalk, needs_web: bad } }), false)
    assert.is(isShaped({ decision: { ...smallTalk, confidence: bad } }), false)
  }
})

test('vector D23: small talk that is no greeting keeps all tools', () => {
  assert.is(reasonOf({ message: 'thanks', request: { ...base, messages: [user('thanks')] } }), 'followup_or_task')
})

test('vector D24 and row J50: a greeting with a task far behind it keeps all tools', () => {
  const message = `hello${' '.repeat(1900)}and delete the backups`
  assert.is(reasonOf({ message, request: { ...base, messages: [user(message)] } }), 'incomplete_input')
})

test('vector D25: without a decision, or before there is one, all tools stay', () => {
  assert.is(shaped({ decision: undefined })?.kept, 'no_decision')
  const desk = new JevDesk()
  const entry = desk.begin('hello')
  if (entry !== undefined) entry.isReady = false
  assert.is(desk.shape(base)?.kept, 'no_decision')
})

test('vector D26: once a tool was asked for in the turn, all tools stay, also for one that only reads', () => {
  const desk = new JevDesk()
  desk.begin('hello')
  desk.assess({ tool: 'read_file', args: { path: 'a' } })
  assert.is(desk.requests.risk, 0)
  assert.is(desk.shape(base)?.kept, 'no_decision')
})

test('vector D27 and row J19: a host that knows of an earlier turn keeps all tools', () => {
  assert.is(reasonOf({ firstTurn: false }), 'prior_or_unknown_context')
})

test('vector D28: a turn that is not known keeps all tools', () => {
  assert.equal(new JevDesk().shape(base), { reason: 'incomplete_input', wouldShape: false, shaped: false })
})

test('compat W31: the original told one reason for every greeting that kept its tools; ours tells why, and takes lists', () => {
  assert.is(shaped({ decision: { ...smallTalk, intent: 'coding' } })?.kept, 'decision_unfit')
  const options = { shaping: { greetings: new Set(['moin']), removable: new Set(['mystery_tool']) } }
  const request = { ...base, messages: [user('Moin')] }
  assert.equal(namesOf(shaped({ message: 'Moin', request, options })), ['terminal', 'read_file', 'web_search', 'clarify', 'todo'])
})

test('row J21: there are fifteen removable tools', () => assert.is(removableTools.size, 15))

test('property: the result is a part of a deep-frozen input, in order, with everything that is not removable', () => {
  const toolNames = fc.uniqueArray(fc.oneof(fc.constantFrom(...removableTools), fc.string({ minLength: 1, maxLength: 8 })), {
    maxLength: 24,
  })
  fc.assert(
    fc.property(toolNames, fc.boolean(), fc.dictionary(fc.string(), fc.jsonValue()), (given, flat, rest) => {
      const { tools: _tools, tool_choice: _choice, ...others } = rest
      const request = deepFrozen({ ...others, tools: given.map((name): unknown => (flat ? flatTool(name) : chatTool(name))) })
      const result = shapeRequest(request, smallTalk, { minConfidence: 0.95 })
      if (typeof result === 'string') return
      const kept = result.request['tools'] as readonly unknown[]
      assert.equal(
        kept,
        request.tools.filter((_, at) => !removableTools.has(given[at] ?? '')),
      )
      assert.ok(kept.every((tool) => request.tools.includes(tool)))
      assert.equal({ ...result.request, tools: 0 }, { ...request, tools: 0 })
    }),
    { seed: 21 },
  )
})

test('property: random requests and counts never throw', () => {
  const desk = new JevDesk()
  desk.begin('hello')
  fc.assert(
    fc.property(
      fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom('messages', 'input', 'tools', 'conversation'), fc.jsonValue())),
      (request) => {
        desk.shape(request)
      },
    ),
    { seed: 22 },
  )
})

test.run()
