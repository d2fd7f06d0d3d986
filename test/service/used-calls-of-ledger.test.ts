// Holds what is read of a ledger's calls to the recorded session, whose calls were worked out by hand.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readUsedCalls } from '../../src/service/used-calls-of-ledger.js'
import { recordedGrants } from '../support/recorded-grants.js'
import { message } from '../support/temporary-ledger.js'

const test = suite('used-calls-of-ledger')

test('every call is read with its decision, whatever else stands in the ledger, and the policy in force', async () => {
  const { home } = await recordedGrants()
  await home.ledger.append([message('nothing about a call')])
  const seen: number[] = []
  const { ledger, size, used } = await readUsedCalls(home.ledger.reader, (done) => seen.push(done))
  const calls = [...used.calls.values()]
  assert.equal([ledger, size, calls.length, seen.at(-1)], [home.ledger.ledgerId, home.ledger.size, 10, home.ledger.size])
  assert.equal(
    calls.map(({ tool, reaches, decision }) => `${tool} ${reaches} ${decision?.code}`),
    [
      'memory 0 granted',
      'memory 0 granted',
      'memory 0 granted',
      'read_file 1 path_not_granted',
      'search_files 1 tool_not_granted',
      'patch 1 tool_not_granted',
      'terminal 2 tool_not_granted',
      'write_file 1 tool_not_granted',
      'memory 0 granted',
      'skill_manage 0 tool_not_granted',
    ],
  )
  assert.equal([calls[3]?.cwd, used.policy?.text?.startsWith('{"allowlists"')], ['/srv/agent/project', true])
  await home.close()
})

test('what is forgotten is no longer read: the calls stay, without paths, commands and policy', async () => {
  const { home } = await recordedGrants()
  await home.ledger.forget([[0, home.ledger.size - 1]], { by: 'owner', reason: 'a test' })
  const { used } = await readUsedCalls(home.ledger.reader)
  const calls = [...used.calls.values()]
  assert.equal([calls.length, calls.some(({ access }) => access !== undefined), used.policy], [10, false, { text: undefined }])
  assert.equal([calls[6]?.reaches, calls[6]?.decision?.code], [2, 'tool_not_granted'])
  await home.close()
})

test.run()
