// Holds the key of a lasting approval to one call: another tool, folder or argument is another key.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { callKey } from '../../src/hooks/call-key.js'
import { type ReadPayload, readPayload } from '../../src/hooks/read-payload.js'
import { bytesOf, testHouse, toolCall } from '../support/hook-house.js'

const test = suite('call-key')

test('row J34: a key names tool, folder and arguments, and tells nothing of them', async () => {
  const { ledger } = await testHouse()
  const keyOf = (payload: object) => {
    const bytes = bytesOf(payload)
    return callKey(ledger, readPayload(bytes, bytes.length) as ReadPayload)
  }
  const call = toolCall({ command: 'rm -rf build' })
  const key = keyOf(call)
  assert.match(key, /^stele:[0-9a-f]{32}$/)
  assert.is(keyOf(toolCall({ command: 'rm -rf build' }, { turn_id: 'another', tool_call_id: 'another' })), key)
  const others = [
    keyOf(toolCall({ command: 'rm -rf builds' })),
    keyOf({ ...call, tool_name: 'process' }),
    keyOf({ ...call, cwd: '/srv/other' }),
    keyOf({ ...call, tool_input: null }),
  ]
  assert.is(new Set([key, ...others]).size, 5)
})

test.run()
