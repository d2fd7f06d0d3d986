// Holds the path of a payload with secrets in it: what gates see and what is kept has none, and the entry says how many there were.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { GateDefinition } from '../../src/gates/gate.js'
import { makeRedactor } from '../../src/redaction/redact.js'
import { attachedHost, enforcing, llmCall, testHouse, toolCall, toolResult } from '../support/hook-house.js'

const test = suite('redact-observed')

const token = `ghp_${'a1'.repeat(18)}`

test('a message loses its secrets, and its count of characters and its digest are those of the text that is kept', async () => {
  const house = await testHouse()
  await house.send(llmCall({ user_message: `my key is ${token} 😀` }))
  const [entry] = await house.entries('message.captured')
  assert.is(entry?.words?.['text'], 'my key is [REDACTED] 😀')
  assert.is(entry?.payload['characters'], 22)
  assert.is(entry?.payload['digest'], house.ledger.digest('text', 'my key is [REDACTED] 😀'))
  assert.is(entry?.payload['redacted'], 1)
})

test('what the plugin took out and what is taken out here are counted together, in the entry that held it alone', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await host.send(llmCall({ user_message: `[redacted:A_TOKEN] ${token} password=x1` }), { host: { redacted: 3 } })
  const [started] = await house.entries('session.started')
  const [entry] = await house.entries('message.captured')
  assert.is(started?.payload['redacted'], 3)
  assert.is(entry?.words?.['text'], '[redacted:A_TOKEN] [REDACTED] password=[REDACTED]')
  assert.is(entry?.payload['redacted'], 5)
})

test('a gate sees what is kept, and its reason and the answer are the same words', async () => {
  const seen: unknown[] = []
  const gate: GateDefinition = {
    name: 'reader',
    version: 1,
    on: {
      'tool.requested': ({ words }) => {
        seen.push(words)
        const [first] = words?.arguments ?? []
        return { verdict: 'deny', code: 'no', reason: `not ${String(first?.value)} ${token}`, mode: 'enforce', enforced: true }
      },
    },
    failed: () => ({ verdict: 'deny', code: 'internal_error', reason: '', mode: 'enforce', enforced: true }),
  }
  const house = await testHouse({ gates: [gate], modes: enforcing })
  const call = toolCall({ command: `TOKEN=abc curl -H 'Authorization: Bearer ${token}' x` })
  const directive = await house.send(call)
  const kept = "TOKEN=[REDACTED] curl -H 'Authorization: [AUTH REDACTED]' x"
  const [entry] = await house.entries('tool.requested')
  assert.equal(seen, [entry?.words])
  assert.is((entry?.words?.['arguments'] as { value: string }[] | undefined)?.[0]?.value, kept)
  const [decided] = await house.entries('gate.decided')
  assert.is(decided?.words?.['reason'], `not ${kept} [REDACTED]`)
  assert.is((directive as { message?: string }).message, `not ${kept} [REDACTED]`)
  // The same payload again: the first answer, and nothing new.
  assert.equal(await house.send(call), directive)
  assert.is((await house.entries('tool.requested')).length, 1)
})

test('digests of arguments stay those of what the host gave, so that an outcome finds its call', async () => {
  const house = await testHouse()
  const args = { command: `echo ${token}`, password: 'x' }
  await house.send(toolCall(args))
  await house.send(toolResult(args))
  const [requested] = await house.entries('tool.requested')
  const [completed] = await house.entries('tool.completed')
  const asked = requested?.payload['arguments'] as { digest: string } | undefined
  assert.is(completed?.payload['argumentsDigest'], asked?.digest)
  assert.is(completed?.payload['requested'], requested?.header.index)
  assert.equal(await house.entries('mismatch.found'), [])
})

test('no entry holds a secret that is known at that moment, and a harmless payload says nothing of redaction', async () => {
  const house = await testHouse({ keep: 'full' })
  await house.send(llmCall({ user_message: 'hunter-22 is fine' }))
  house.redactor = makeRedactor({ knownValues: ['hunter-22'] })
  await house.send(toolCall({ text: 'say hunter-22', list: [{ deep: 'hunter-22' }] }))
  const [message] = await house.entries('message.captured')
  assert.is(message?.words?.['text'], 'hunter-22 is fine')
  assert.is('redacted' in (message?.payload ?? {}), false)
  const [request] = await house.entries('tool.requested')
  assert.not.match(JSON.stringify(request), 'hunter-22')
  assert.is(request?.payload['redacted'], 2)
})

test.run()
