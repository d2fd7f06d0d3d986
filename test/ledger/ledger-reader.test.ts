// Holds the reader to what it says of words and of hosts' sessions; what it reads otherwise is held by the tests of the ledger.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { message, sessionStarted, temporaryLedger, turnEnded } from '../support/temporary-ledger.js'

const test = suite('ledger reader')

test('words of some entries come in the order that was asked for, with holes where there are none', async () => {
  const { ledger, close } = await temporaryLedger()
  const handle = await ledger.sessionHandle('host')
  await ledger.append([message('one'), turnEnded(1), sessionStarted(handle, 'host'), message('two')])
  const { reader } = ledger
  const wordsOf = async (...indices: number[]) => reader.wordsOf(indices)
  assert.equal(await wordsOf(4, 2, 1, 3, 99), [{ text: 'two' }, undefined, { text: 'one' }, { session: 'host' }, undefined])
  assert.equal(await wordsOf(), [])
  await ledger.forget([[1, 3]], { by: 'owner', reason: 'a test' })
  assert.equal(await wordsOf(1, 3, 4), [undefined, undefined, { text: 'two' }])
  assert.is(await reader.handleOf(ledger.digest('session', 'host')), undefined, 'a host’s session goes with its words')
  await close()
})

test.run()
