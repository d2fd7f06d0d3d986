// Holds a dry run of the provenance gate to what the gate itself would be handed of a home: whose words, from where, and which still count.
import { writeFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findHome, type Home } from '../../src/service/open-home.js'
import { saidInSession } from '../../src/service/said-in-session.js'
import { asRedacted } from '../support/as-redacted.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { message, sessionStarted, temporaryLedger } from '../support/temporary-ledger.js'

const test = suite('said in session')

const hourMs = 3_600_000
const claim = 'User decided to ship on Friday ("we ship on Friday then").'
const typed = 'we ship on Friday then'
const secret = `ghp_${'Ab3dEf6hIj'.repeat(4).slice(0, 36)}`

interface Made {
  readonly home: (settings?: object) => Home
  readonly one: string
}

/** Three sessions: the second goes on from the first, and the third is another. One message is too old, one is forgotten. */
async function made(): Promise<Made> {
  const { ledger, world, files, close } = await temporaryLedger({ seed: 91 })
  world.time = Date.now() - 40 * 24 * hourMs
  const [one, two, other] = await Promise.all(['host-one', 'host-two', 'host-three'].map((name) => ledger.sessionHandle(name)))
  if (one === undefined || two === undefined || other === undefined) throw new Error('no handle')
  await ledger.append([sessionStarted(one, 'host-one'), message('from long ago', one)])
  world.time = Date.now() - hourMs
  const { index: forgotten } = await ledger.append([message('to be forgotten', one)])
  await ledger.append([message('the first says this', one), sessionStarted(two, 'host-two')])
  const linked = { parent: one, why: 'compression', source: 'unattested' } as const
  await ledger.append([asRedacted({ type: 'session.linked', session: two, facts: linked, words: { parent: 'host-one' } })])
  await ledger.append([message(`the key is ${secret}`, two), sessionStarted(other, 'host-three'), message(typed, other)])
  await ledger.forget([[forgotten, forgotten]], { by: 'owner', reason: 'a test' })
  await close()
  return {
    one,
    home: (settings = {}) => {
      writeFileSync(files.config, JSON.stringify({ checkpoint: { anchor: 'none' }, ...settings }), { mode: 0o600 })
      return findHome(files.home, {})
    },
  }
}

let ledger: Made

test.before(async () => {
  ledger = await made()
})

test('the words are those of the session and of the one it goes on from; forgotten ones and old ones have no text', async () => {
  const { said, judged } = await saidInSession(ledger.home(), 'host-two', claim)
  assert.equal(
    said.messages.map(({ text, session }) => [session, text]),
    [
      ['this', undefined],
      ['this', undefined],
      ['this', 'the first says this'],
      ['this', 'the key is [REDACTED]'],
    ],
  )
  assert.equal([judged, said.profile, said.attestedOnly, said.unavailable], [claim, false, false, false])
  const forEver = await saidInSession(ledger.home({ retention: { days: 0 } }), 'host-two', claim)
  assert.is(forEver.said.messages[0]?.text, 'from long ago')
})

test('a handle names a session as well, and one that is not known is refused', async () => {
  const { said } = await saidInSession(ledger.home(), ledger.one, claim)
  assert.is(said.messages.length, 3)
  await rejectsWithCode(saidInSession(ledger.home(), 'host-four', claim), 'SESSION_UNKNOWN')
})

test('in profile search the other sessions are looked into for the quotes of the text', async () => {
  const home = ledger.home({ provenance: { search: 'profile' } })
  const others = async (text: string) =>
    (await saidInSession(home, 'host-two', text)).said.messages
      .filter(({ session }) => session === 'other')
      .map(({ text: of }) => of)
  assert.equal(await others(claim), [typed])
  assert.equal(await others('User decided to ship on Friday.'), [])
  const many = 'User decided on "something of no account". '.repeat(60)
  assert.equal(await others(`It is 3" wide. ${many}${claim}`), [typed])
  // A quote that is longer than a question may be is looked for by its beginning.
  assert.equal(await others(`User decided it ("${'we ship on Friday then '.repeat(60).trim()}").`), [typed])
})

test('the setting says whose words count, and where it says nothing, block mode wants a host that vouches', async () => {
  const attestedOnly = async (provenance: object) =>
    (await saidInSession(ledger.home({ provenance }), 'host-two', claim)).said.attestedOnly
  assert.equal(
    await Promise.all([
      attestedOnly({ evidence: 'attached' }),
      attestedOnly({ mode: 'block', evidence: 'any' }),
      attestedOnly({ mode: 'block' }),
    ]),
    [true, false, false],
  )
})

test('the text is judged as the ledger would keep it: without its secrets', async () => {
  const { judged } = await saidInSession(ledger.home(), 'host-two', `User decided that "the key is ${secret}".`)
  assert.is(judged, 'User decided that "the key is [REDACTED]".')
})

test.run()
