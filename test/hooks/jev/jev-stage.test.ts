// The semantic stage on the path of hooks: what each hook asks, tells and hears, with every vector that needs a clock, a host or other gates.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { handleHook } from '../../../src/hooks/handle-hook.js'
import { until } from '../../support/attached-host.js'
import { bytesOf, llmCall, toolCall } from '../../support/hook-house.js'
import { highRisk, riskOf, smallTalk } from '../../support/jev-desk.js'
import {
  attended,
  begin,
  call,
  callBack,
  ending,
  inShadow,
  over,
  request,
  run,
  type StagedHouse,
  shaped,
  stagedHouse,
  stageEntries,
} from '../../support/stage-house.js'

const test = suite('jev stage')

const command = { command: 'wc -l data.csv' }
const risky = { command: 'publish-report --to everyone' }
const actionOf = (directive: object): unknown => ('action' in directive ? directive.action : undefined)

/** Holds questions back until it is called. */
function held(staged: StagedHouse): () => void {
  let open: (() => void)[] = []
  staged.engine.during = () =>
    new Promise<void>((resolve) => {
      open.push(resolve)
    })
  return () => {
    for (const resolve of open) resolve()
    open = []
  }
}

const messageOf = (directive: object): string => ('message' in directive ? String(directive.message) : '')
const keyOf = (directive: object): string => ('rule_key' in directive ? String(directive.rule_key) : '')

async function riskyHouse(): Promise<StagedHouse> {
  const staged = await stagedHouse()
  staged.engine.risk = riskOf(highRisk)
  await begin(staged, 'publish the report to everyone')
  return staged
}

async function factsOf(staged: StagedHouse, type: string): Promise<Record<string, unknown>[]> {
  return (await staged.house.entries(type)).map(({ payload }) => payload)
}

test('a turn is classified once it is on disk, and the classification names its message', async () => {
  const staged = await stagedHouse()
  assert.equal(await begin(staged, 'hello'), {})
  const types = await staged.house.types()
  assert.ok(types.indexOf('message.captured') < types.indexOf('jev.classified'))
  const [message] = await staged.house.entries('message.captured')
  const [classified] = await factsOf(staged, 'jev.classified')
  assert.equal(
    [classified?.['about'], classified?.['intent'], classified?.['answered']],
    [message?.header.index, 'chat', 'jev-test'],
  )
  assert.is(staged.engine.sent[0]?.['user_message'], 'hello')
})

test('vectors C1 and C2: a turn that is told of again, or by eight at once, is asked about once', async () => {
  const staged = await stagedHouse()
  const open = held(staged)
  const all = Array.from({ length: 8 }, (_, at) =>
    // Told apart by what nobody looks at, so that each is a payload of its own.
    staged.host.send(llmCall({ user_message: 'hello', sender_id: `sender-${at}`, is_first_turn: true }), { host: attended }),
  )
  await new Promise((resolve) => setTimeout(resolve, 20))
  open()
  assert.equal(await Promise.all(all), Array(8).fill({}))
  assert.is(staged.engine.requests.turn, 1)
  staged.engine.during = async () => {}
  await begin(staged, 'hello')
  assert.is(staged.engine.requests.turn, 1)
})

test('vectors C3 and C6: the same turn of two sessions is two, and without a session nothing is asked', async () => {
  const staged = await stagedHouse()
  await begin(staged, 'hello', { session: 'one' })
  await begin(staged, 'hello', { session: 'two' })
  assert.is(staged.engine.requests.turn, 2)
  await begin(staged, 'hello', { session: '' })
  assert.is(staged.engine.requests.turn, 2)
})

test('vectors C4 and C5: a question that failed is told by its category, once, and the turn goes on without it', async () => {
  const staged = await stagedHouse()
  staged.engine.turn = undefined
  await begin(staged, 'list the docs folder')
  await begin(staged, 'list the docs folder')
  assert.equal(await stageEntries(staged), ['jev.failed turn timeout'])
  staged.engine.classifyTurn = () => Promise.reject(new Error('XYZZY-PRIVATE'))
  await begin(staged, 'list the docs folder', { turn: 'turn-2' })
  assert.equal(await stageEntries(staged), ['jev.failed turn timeout', 'jev.failed turn connection'])
  await run(staged, command)
  assert.is(staged.engine.sent.at(-1)?.['turn_intent'], 'unknown')
})

test('an engine that answers with what is no decision is told as malformed', async () => {
  const staged = await stagedHouse()
  staged.engine.turn = { ...smallTalk, needs_web: 1.2 }
  staged.engine.risk = { ...riskOf(highRisk), destructive: Number.NaN }
  await begin(staged, 'count the rows')
  assert.is(actionOf(await run(staged, command)), undefined)
  assert.equal(await stageEntries(staged), [
    'jev.failed turn malformed',
    'jev.failed risk malformed',
    'jev.abstained risk no_decision',
  ])
})

test('vectors C7 and C8: a turn without an id is found by its session alone, while it is the only one', async () => {
  const staged = await stagedHouse()
  await begin(staged, 'port the parser', { turn: null })
  assert.is(actionOf(await ending(staged, { turn_id: null })), 'continue')
  await begin(staged, 'port the lexer', { turn: null })
  assert.equal(await ending(staged, { turn_id: null, attempt: 1 }), {})
})

test('vector C9: where every place is taken by a turn that goes on, that is told and nothing is asked', async () => {
  const staged = await stagedHouse()
  staged.settings = { ...staged.settings, cache: { ...staged.settings.cache, turnsMax: 2 } }
  for (const turn of ['turn-1', 'turn-2', 'turn-3']) await begin(staged, 'count the rows', { turn })
  assert.is(staged.engine.requests.turn, 2)
  assert.is((await stageEntries(staged)).at(-1), 'jev.abstained turn cache_refused')
})

test('vector C15: without the classifier a call is asked about all the same', async () => {
  const staged = await stagedHouse()
  staged.settings = { ...staged.settings, classifies: false }
  await begin(staged, 'count the rows')
  await run(staged, command)
  assert.equal(staged.engine.requests, { turn: 0, risk: 1, completion: 0 })
  assert.is(staged.engine.sent[0]?.['turn_intent'], 'unknown')
})

test("the host's own review of a conversation begins no turn and is not sent anywhere", async () => {
  const staged = await stagedHouse()
  const origin = { ...attended, write_origin: 'background_review' }
  await staged.host.send(llmCall({ user_message: 'Review the conversation above.', turn_id: 'turn-9' }), { host: origin })
  const types = await staged.house.types()
  assert.ok(types.includes('message.skipped'), types.join(' '))
  assert.is(staged.engine.requests.turn, 0)
})

test('vector E1: a call of low risk runs, and that nothing was said is on record with its answers', async () => {
  const staged = await stagedHouse()
  await begin(staged, 'list the docs folder')
  assert.equal(await run(staged, command), {})
  const [told] = await factsOf(staged, 'jev.abstained')
  const [asked] = await factsOf(staged, 'tool.requested')
  assert.equal([told?.['stage'], told?.['why'], told?.['tool']], ['risk', 'low', 'terminal'])
  assert.is(
    told?.['arguments'],
    (asked?.['arguments'] as { digest: string } | undefined)?.digest,
    'it can be found from the call',
  )
})

test('a call of high risk becomes a question to a person, and its fate names the proposal and the call', async () => {
  const staged = await riskyHouse()
  const directive = await run(staged, risky)
  assert.is(actionOf(directive), 'approve')
  assert.match(messageOf(directive), /destructive/)
  assert.match(keyOf(directive), /^jev:[0-9a-f]{16}:/)
  const [proposed] = await staged.house.entries('jev.proposed')
  const [requested] = await staged.house.entries('tool.requested')
  const [settled] = await staged.house.entries('jev.settled')
  const { proposal, about, fate, action } = settled?.payload ?? {}
  assert.equal([proposal, about, fate, action], [proposed?.header.index, requested?.header.index, 'consumed', 'approve'])
  assert.is(settled?.words?.['message'], messageOf(directive))
})

test('a call that comes a second time hears what it heard first, and nothing is asked again', async () => {
  const staged = await riskyHouse()
  await request(staged, risky)
  const first = await call(staged, risky)
  const again = await call(staged, risky)
  assert.equal([actionOf(again), messageOf(again)], ['approve', messageOf(first)])
  assert.is(staged.engine.requests.risk, 1)
})

test('vector E28: arguments that were changed behind our back are asked about once, and use the proposal up', async () => {
  const staged = await riskyHouse()
  await request(staged, risky)
  const changed = await call(staged, { command: 'publish-report --to nobody' })
  assert.match(keyOf(changed), /:arguments_changed:/)
  assert.is(actionOf(await call(staged, risky)), undefined)
  const settled = await stageEntries(staged)
  assert.ok(settled.includes('jev.settled arguments_changed mismatched approve'), settled.join('\n'))
})

test('vectors E31 and E38 to E39: too late, nobody there, or another plugin behind us: nothing is said, and why is told', async () => {
  const late = await riskyHouse()
  await request(late, risky)
  late.house.nowMs += 10_001
  assert.equal(await call(late, risky), {})
  const unattended = await riskyHouse()
  await request(unattended, risky)
  assert.equal(await call(unattended, risky, { host: { attended: 'unknown', last_in_order: true } }), {})
  const behind = await riskyHouse()
  await request(behind, risky)
  assert.equal(await call(behind, risky, { host: { attended: 'attended', last_in_order: false } }), {})
  const fates = await Promise.all([late, unattended, behind].map(async (staged) => (await stageEntries(staged)).at(-1)))
  assert.equal(fates, ['jev.settled expired expired', 'jev.settled unattended consumed', 'jev.settled order_unsafe consumed'])
})

test('vectors E19 and E20: where nobody can be asked no question is sent, and in an unsafe order nothing is kept', async () => {
  const staged = await riskyHouse()
  await run(staged, risky, { host: { attended: 'unattended', last_in_order: true } })
  assert.is(staged.engine.requests.risk, 0)
  const host = { attended: 'attended', last_in_order: false }
  assert.equal(await run(staged, risky, { call: 'call-2', host }), {})
  assert.is(staged.engine.requests.risk, 1)
  const told = await stageEntries(staged)
  assert.ok(told.includes('jev.abstained risk unattended'), told.join('\n'))
  assert.ok(told.includes('jev.proposed risk approve order_unsafe'), told.join('\n'))
})

test('vector E35: a session or turn that ends during the question leaves no proposal, and one that ends before the call loses it', async () => {
  for (const hook of ['post_llm_call', 'on_session_end'] as const) {
    const staged = await riskyHouse()
    staged.engine.during = async () => {
      staged.engine.during = async () => {}
      await over(staged, hook)
    }
    assert.equal(await run(staged, risky), {}, hook)
    assert.is((await factsOf(staged, 'jev.proposed'))[0]?.['why'], 'turn_over', hook)
  }
  const staged = await riskyHouse()
  await request(staged, risky)
  await over(staged, 'on_session_end')
  assert.equal(await call(staged, risky), {})
  assert.ok((await stageEntries(staged)).includes('jev.settled ended'))
})

test('vectors E36 and E37: a call after the end of its turn is asked about in vain, one of a turn that nobody knows is not', async () => {
  const staged = await riskyHouse()
  await over(staged, 'post_llm_call')
  assert.equal(await run(staged, risky), {})
  assert.is(staged.engine.requests.risk, 1)
  assert.equal(await run(staged, risky, { turn: 'turn-7', call: 'call-7' }), {})
  assert.is(staged.engine.requests.risk, 1)
  const unknown = (await factsOf(staged, 'jev.abstained')).at(-1)
  assert.equal([unknown?.['why'], unknown?.['about']], ['turn_unknown', undefined])
})

test('vector E40: an answer behind the deadline is a failure, and says nothing of a call whose scope is plain', async () => {
  const staged = await riskyHouse()
  staged.engine.risk = undefined
  assert.equal(await run(staged, risky), {})
  assert.equal((await stageEntries(staged)).slice(1), ['jev.failed risk timeout', 'jev.abstained risk no_decision'])
})

test('vector E41: while one session waits for an answer, a call of another is answered at once', async () => {
  const staged = await riskyHouse()
  const open = held(staged)
  const slow = request(staged, risky)
  await until('the question is sent', () => staged.engine.requests.risk === 1)
  assert.equal(await call(staged, command, { session: 'other-session', call: 'call-9' }), {})
  open()
  await slow
})

test('vector E42: many calls at once are each asked about, and each proposal holds for its own call and once', async () => {
  const staged = await riskyHouse()
  const ids = Array.from({ length: 32 }, (_, at) => `call-${at}`)
  await Promise.all(ids.map((id) => request(staged, { command: `publish ${id}` }, { call: id })))
  const heard = await Promise.all(ids.map((id) => call(staged, { command: `publish ${id}` }, { call: id })))
  assert.equal(
    heard.map(actionOf),
    ids.map(() => 'approve'),
  )
  for (const [at, directive] of heard.entries())
    assert.ok(messageOf(directive).includes(`publish call-${at}"`), messageOf(directive))
  assert.is(new Set(heard.map(keyOf)).size, ids.length)
})

test('the same question is not asked twice in a turn', async () => {
  const staged = await riskyHouse()
  assert.is(actionOf(await run(staged, risky)), 'approve')
  assert.is(actionOf(await run(staged, risky, { call: 'call-2' })), 'approve')
  assert.is(staged.engine.requests.risk, 1)
})

test('vectors E48 and E49: a block of another gate is the answer, and the proposal is used up by it', async () => {
  const staged = await riskyHouse()
  staged.house.modes = { provenance: 'off', capability: 'enforce' }
  staged.house.gates = [
    {
      name: 'capability',
      version: 1,
      on: {
        'tool.requested': () => ({
          ...{ mode: 'enforce', verdict: 'deny', code: 'tool_not_granted', reason: 'not granted', enforced: true },
        }),
      },
      failed: () => {
        throw new Error('not asked')
      },
    },
  ] as never
  const directive = await run(staged, risky)
  assert.equal([actionOf(directive), messageOf(directive)], ['block', 'not granted'])
  assert.ok((await stageEntries(staged)).includes('jev.settled blocked consumed'))
})

test('vectors E22 to E24: arguments that nothing can be bound to are passed over, or blocked where the owner chose so', async () => {
  const huge = { content: 'x'.repeat(66_000) }
  const staged = await riskyHouse()
  assert.equal(await run(staged, huge), {})
  assert.is((await stageEntries(staged)).at(-1), 'jev.abstained risk unbound_input')
  const { settings } = staged
  staged.settings = { ...settings, risk: { ...settings.risk, blockUnbindable: true } }
  const unsafe = { host: { attended: 'attended', last_in_order: false }, call: 'call-2' }
  assert.is(actionOf(await run(staged, huge, unsafe)), 'block')
  assert.is(actionOf(await call(staged, huge, unsafe)), 'block', 'a second time too')
  staged.settings = inShadow(staged.settings)
  assert.equal(await run(staged, huge, { call: 'call-3' }), {})
})

test('with shell hooks alone no call is assessed, and that is told', async () => {
  const staged = await stagedHouse()
  const { house, engine } = staged
  await house.send(llmCall({ user_message: 'publish it', is_first_turn: true }, 'shell-session'))
  engine.risk = riskOf(highRisk)
  const bare = { ...toolCall(risky), session_id: 'shell-session' }
  await house.send({ ...bare, hook_event_name: 'tool_request' })
  assert.is(actionOf(await house.send(bare)), undefined)
  assert.is(engine.requests.risk, 0)
  assert.is((await stageEntries(staged)).at(-1), 'jev.abstained risk no_middleware')
})

test("nobody can speak for a host's session: what a stranger sends asks nothing and proposes nothing", async () => {
  const staged = await riskyHouse()
  const { house, engine } = staged
  await house.send(llmCall({ user_message: 'say yes', turn_id: 'turn-2' }))
  await house.send({ ...toolCall(command), hook_event_name: 'tool_request' })
  await house.send({ ...llmCall({ turn_id: 'turn-1' }), hook_event_name: 'on_session_end' })
  assert.equal(engine.requests, { turn: 1, risk: 0, completion: 0 })
  assert.is(actionOf(await run(staged, risky)), 'approve')
})

test('what waited in the spool is recorded and asks nobody', async () => {
  const staged = await stagedHouse()
  await staged.host.send(llmCall({ user_message: 'hello' }), { late: true })
  assert.is(staged.engine.requests.turn, 0)
  assert.equal(await stageEntries(staged), [])
})

test('vectors D1 and D2: a plain greeting is sent with the tools that it may need, in shadow with all', async () => {
  const staged = await stagedHouse()
  await begin(staged, 'hello')
  const kept = [{ type: 'function', function: { name: 'clarify', parameters: {} } }]
  const directive = await shaped(staged, 'hello')
  assert.equal('request' in directive ? directive.request : undefined, { tools: kept })
  const shadow = await stagedHouse()
  shadow.settings = inShadow(shadow.settings)
  await begin(shadow, 'hello')
  assert.equal(await shaped(shadow, 'hello'), {})
  const [proposed] = await factsOf(shadow, 'jev.proposed')
  const [classified] = await shadow.house.entries('jev.classified')
  const shaping = proposed?.['shaping'] as Record<string, unknown>
  assert.equal([proposed?.['applied'], proposed?.['why'], shaping['classified']], [false, 'shadow', classified?.header.index])
})

test('vectors D3, D25, D26 and D28: shaping waits for nothing and is told of where it had a say', async () => {
  const staged = await stagedHouse()
  assert.equal(await shaped(staged, 'hello'), {})
  assert.is((await stageEntries(staged)).at(-1), 'jev.abstained shaping incomplete_input')
  const open = held(staged)
  const begun = begin(staged, 'hello')
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(await shaped(staged, 'hello'), {})
  assert.is((await stageEntries(staged)).at(-1), 'jev.abstained shaping no_decision')
  open()
  await begun
  const before = (await stageEntries(staged)).length
  assert.equal(await shaped(staged, 'hello', ['terminal', 'clarify'], { api_call_count: 2 }), {})
  assert.is((await stageEntries(staged)).length, before)
  staged.engine.during = async () => {}
  await request(staged, {}, { tool: 'read_file' })
  assert.equal(await shaped(staged, 'hello'), {})
  assert.is((await stageEntries(staged)).at(-1), 'jev.abstained shaping no_decision')
})

test('vectors F1, F3 and F4: an ending that contradicts its checks is asked for one more pass, each attempt once', async () => {
  const staged = await stagedHouse()
  await begin(staged, 'port the parser')
  const heard: unknown[] = []
  for (const attempt of [0, 0, 1, 2, -1, true]) heard.push(actionOf(await ending(staged, { attempt })))
  assert.equal(heard, ['continue', undefined, 'continue', undefined, undefined, undefined])
  assert.is(staged.engine.requests.completion, 2)
  const shadow = await stagedHouse()
  shadow.settings = inShadow(shadow.settings)
  await begin(shadow, 'port the parser')
  assert.equal(await ending(shadow), {})
  assert.is((await factsOf(shadow, 'verification.proposed'))[0]?.['applied'], false)
})

test('vectors F6 and F7: a check that failed is on record with its end, and a change behind it takes it back', async () => {
  const staged = await stagedHouse()
  await begin(staged, 'port the parser')
  const check = { command: 'pytest -q' }
  await call(staged, check)
  await callBack(staged, check, { exit_code: 2, output: '2 failed, 10 passed' })
  const [observed] = await staged.house.entries('verification.observed')
  const [completed] = await staged.house.entries('tool.completed')
  const { about, runner, success, exitCode, failed } = observed?.payload ?? {}
  assert.equal([about, runner, success, exitCode, failed], [completed?.header.index, 'pytest', false, 2, 2])
  assert.is(observed?.words?.['command'], 'pytest -q')
  assert.match(messageOf(await ending(staged)), /`pytest -q` \(exit code 2, 2 failed\)/)
  const write = { path: 'a.ts', content: 'x' }
  await call(staged, write, { tool: 'write_file', call: 'call-2' })
  await callBack(staged, write, 'ok', { tool: 'write_file', call: 'call-2' })
  assert.equal(await factsOf(staged, 'verification.invalidated').then((all) => all.map((one) => one['observations'])), [1])
})

test('vector F23: a turn or session that ends during the question is not asked to go on', async () => {
  for (const hook of ['post_llm_call', 'on_session_end'] as const) {
    const staged = await stagedHouse()
    await begin(staged, 'port the parser')
    staged.engine.during = async () => {
      await over(staged, hook)
    }
    assert.equal(await ending(staged), {}, hook)
    assert.equal(await factsOf(staged, 'verification.proposed'), [], hook)
    assert.is((await factsOf(staged, 'jev.abstained')).at(-1)?.['why'], 'turn_over', hook)
  }
})

test('a session that is forgotten during a question leaves nothing of it, and no proposal', async () => {
  const staged = await riskyHouse()
  const { house } = staged
  staged.engine.during = async () => {
    const last = house.ledger.size - 1
    await house.ledger.forget([[1, last]], { by: 'owner', reason: 'all that was said', since: last + 1 })
  }
  await request(staged, risky)
  assert.equal(await stageEntries(staged), ['jev.classified'])
  assert.is(actionOf(await call(staged, risky)), undefined)
})

test('shadow is like off for the host: every answer is the same', async () => {
  const answers = async (change: (staged: StagedHouse) => void): Promise<unknown[]> => {
    const staged = await riskyHouse()
    change(staged)
    const heard: unknown[] = [
      await begin(staged, 'hello', { turn: 'turn-2' }),
      await shaped(staged, 'hello', undefined, { turn_id: 'turn-2' }),
    ]
    heard.push(await run(staged, risky), await run(staged, { content: 'x'.repeat(66_000) }, { call: 'call-2' }))
    heard.push(await callBack(staged, { command: 'pytest' }, { exit_code: 1 }), await ending(staged))
    heard.push(await over(staged, 'post_llm_call'), await over(staged, 'on_session_end'))
    return heard
  }
  const off = await answers((staged) => {
    staged.isOff = true
  })
  const shadow = await answers((staged) => {
    const { risk } = staged.settings
    staged.settings = inShadow({ ...staged.settings, risk: { ...risk, blockUnbindable: true } })
  })
  assert.equal(shadow, off)
  assert.equal(off, Array(8).fill({}))
})

test('what is asked for by middleware follows the settings, and is nothing while the stage is off', async () => {
  const staged = await stagedHouse()
  const { stage } = staged.house
  assert.equal(stage.wants(), ['llm_request', 'tool_request'])
  const { settings } = staged
  staged.settings = { ...settings, shaping: { ...settings.shaping, enabled: false } }
  assert.equal(stage.wants(), ['tool_request'])
  staged.settings = { ...settings, risk: { ...settings.risk, enabled: false } }
  assert.equal(stage.wants(), ['llm_request'])
  staged.isOff = true
  assert.equal([stage.wants(), stage.telemetry()], [[], undefined])
})

test('the status of a running service counts what the ledger has in full', async () => {
  const staged = await riskyHouse()
  await run(staged, risky)
  await ending(staged)
  const counts = staged.house.stage.telemetry()?.counts()
  assert.equal(counts, { sdk: 3, turn: 1, risk: 1, risk_result: 1, completion: 1, verification: 1 })
})

test('where the ledger cannot be written nothing comes of an answer', async () => {
  const staged = await riskyHouse()
  const { house } = staged
  staged.engine.during = () => house.ledger.close()
  const payload = { ...toolCall(risky), hook_event_name: 'tool_request', host: attended }
  const bytes = bytesOf(payload)
  staged.host.seq += 1
  const signature = {
    attach: staged.host.id,
    seq: String(staged.host.seq),
    mac: staged.host.mac('stele/hook/v1', staged.host.seq, bytes),
  }
  const failed = await handleHook(house.house, { bytes, bytesTotal: bytes.length, signature, late: false }).then(
    () => undefined,
    (error: { code?: string }) => error.code,
  )
  assert.is(failed, 'LEDGER_CLOSED')
})

test.run()
