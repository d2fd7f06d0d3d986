// Holds the event of what a call would reach to its facts, and to leaving no secret in any of its words.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ProposedAccess } from '../../../src/gates/capability/access.js'
import { accessProposed, isRemote } from '../../../src/hooks/hermes/access-proposed.js'
import { observing } from '../../../src/hooks/unjudged-answer.js'
import { testHouse, toolCall } from '../../support/hook-house.js'

const test = suite('access-proposed')

const token = `ghp_${'a1B2'.repeat(9)}`
const frame = {
  ...{ session: 's0123456789abcdef', call: 4, tool: 'terminal', isProbe: false, host: {} },
  ...{ lineage: [{ platform: 'cron', job: 'a1', subagent: false }], redact: (text: string) => text },
}
const nothing: ProposedAccess = { touches: [], commands: [] }

test('who asks, and whether a person would really be asked, stand among the facts', () => {
  const asks = (host: object) => {
    const { facts } = accessProposed(nothing, { ...frame, host })
    return 'asks' in facts ? [facts.attended, facts.asks] : []
  }
  assert.equal(asks({ attended: 'attended', last_in_order: true, approvals_off: false }), ['attended', 'yes'])
  assert.equal(asks({ attended: 'attended', last_in_order: false, approvals_off: false }), ['attended', 'not_last'])
  assert.equal(asks({ attended: 'attended', last_in_order: true, approvals_off: true }), ['attended', 'approvals_off'])
  assert.equal(asks({ attended: 'attended', last_in_order: true }), ['attended', 'unknown_host'])
  assert.equal(asks({ attended: 'unattended', approvals_off: false }), ['unattended', 'unknown_host'])
  assert.equal(asks({}), ['unknown', 'unknown_host'])
})

test('a tool on another machine is told from one here', () => {
  for (const terminal_backend of ['docker', 'ssh', 'modal']) assert.is(isRemote({ terminal_backend }), true)
  assert.is(isRemote({ terminal_backend: 'local' }), false)
  assert.is(isRemote({}), false)
  const { facts } = accessProposed(nothing, { ...frame, host: { terminal_backend: 'docker' } })
  assert.is('remote' in facts && facts.remote, true)
})

test('no word of a command holds a secret: neither an operand, nor the path that it could mean, nor what is assigned in front', async () => {
  const house = await testHouse({ modes: observing })
  const path = { typed: `/srv/agent/${token}`, resolved: `/srv/agent/${token}` }
  house.proposedAccess = async () => ({
    touches: [],
    commands: [
      { program: { text: `GITHUB_TOKEN=${token}` }, operands: [{ text: 'git' }, { text: 'push' }] },
      { program: { text: 'echo' }, operands: [{ text: token, path }] },
      { program: { text: 'git' }, operands: [{ text: `https://u:${token}@example.org/x`, path }] },
    ],
  })
  await house.send(toolCall({ command: 'whatever' }))
  const [entry] = await house.entries('access.proposed')
  const programs = (entry?.words?.['programs'] ?? []) as { text: string }[]
  assert.not.match(JSON.stringify(entry?.words), new RegExp(token))
  assert.equal(
    programs.map(({ text }) => text.split('=')[0]),
    ['GITHUB_TOKEN', 'echo', 'git'],
  )
})

test.run()
