// Holds the store to single use, to ten seconds and to exactly one call; and to telling what became of each proposal.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { blockDirective } from '../../../src/gates/jev/approve-directive.js'
import { type CallKey, callKey, type JevProposal, makeProposalStore, noDigest } from '../../../src/gates/jev/proposal-store.js'

const test = suite('proposal-store')

const key: CallKey = { session: 's', turn: 't', call: 'c', tool: 'terminal' }

function proposal(over: Partial<JevProposal> = {}): JevProposal {
  return {
    key,
    digest: 'd1',
    directive: { action: 'approve', rule_key: 'jev:x', message: 'm' },
    triggers: ['destructive'],
    about: 7,
    proposedAtMs: 1000,
    ...over,
  }
}

test('vector E30: a proposal can be taken once', () => {
  const store = makeProposalStore(4)
  store.put(proposal())
  assert.is(store.take(key, 'd1', 1000)?.fate, 'consumed')
  assert.is(store.take(key, 'd1', 1000), undefined)
})

test('vector E31: after ten seconds it is valid, a moment later it is not', () => {
  const store = makeProposalStore(4)
  store.put(proposal())
  assert.is(store.take(key, 'd1', 11_000)?.fate, 'consumed')
  store.put(proposal())
  assert.is(store.take(key, 'd1', 11_010)?.fate, 'expired')
  assert.is(store.size, 0)
})

test('vector E28, store: other arguments use it up, and the right ones come too late', () => {
  const store = makeProposalStore(4)
  store.put(proposal())
  assert.is(store.take(key, 'd2', 1000)?.fate, 'mismatched')
  assert.is(store.take(key, 'd1', 1000), undefined)
})

test('vector E32: beyond its capacity the oldest goes, and that is told', () => {
  const store = makeProposalStore(1)
  const other = { ...key, call: 'c2' }
  assert.equal(store.put(proposal()), [])
  const gone = store.put(proposal({ key: other }))
  assert.equal(
    gone.map(({ fate, proposal: { key } }) => [fate, key.call]),
    [['evicted', 'c']],
  )
  assert.is(store.take(key, 'd1', 1000), undefined)
  assert.is(store.take(other, 'd1', 1000)?.fate, 'consumed')
})

test('storing a call again makes it the newest, and the earlier one is told as replaced', () => {
  const store = makeProposalStore(2)
  store.put(proposal())
  store.put(proposal({ key: { ...key, call: 'c2' } }))
  assert.is(store.put(proposal({ digest: 'd9' }))[0]?.fate, 'replaced')
  assert.is(store.put(proposal({ key: { ...key, call: 'c3' } }))[0]?.proposal.key.call, 'c2')
})

test('vector E33: session, turn, call and tool must all be the same', () => {
  const store = makeProposalStore(4)
  store.put(proposal())
  for (const part of ['session', 'turn', 'call', 'tool'] as const)
    assert.is(store.take({ ...key, [part]: 'other' }, 'd1', 1000), undefined, part)
  assert.is(store.take(key, 'd1', 1000)?.fate, 'consumed')
})

test('parts of a key cannot run into each other', () => {
  const store = makeProposalStore(4)
  store.put(proposal({ key: { session: 'a","b', turn: 'c', call: 'd', tool: 'e' } }))
  assert.is(store.take({ session: 'a', turn: 'b","c', call: 'd', tool: 'e' }, 'd1', 1000), undefined)
})

test('vector E34: a part that is missing, empty or over 512 characters makes no key', () => {
  assert.equal(callKey('s', 't', 'c', 'x'.repeat(512))?.tool.length, 512)
  for (const bad of ['', 'x'.repeat(513), undefined, null, 5]) {
    assert.is(callKey(bad, 't', 'c', 'x'), undefined)
    assert.is(callKey('s', bad, 'c', 'x'), undefined)
    assert.is(callKey('s', 't', bad, 'x'), undefined)
    assert.is(callKey('s', 't', 'c', bad), undefined)
  }
})

test('a block is bound to the missing digest alone', () => {
  const store = makeProposalStore(4)
  store.put(proposal({ digest: noDigest, directive: blockDirective() }))
  assert.is(store.take(key, noDigest, 1000)?.fate, 'consumed')
})

test('row J26: what nobody asked for in time is told by a sweep, once', () => {
  const store = makeProposalStore(4)
  store.put(proposal())
  store.put(proposal({ key: { ...key, call: 'c2' }, proposedAtMs: 5000 }))
  assert.equal(store.sweep(11_000), [])
  assert.equal(
    store.sweep(11_001).map(({ fate, proposal: { about } }) => [fate, about]),
    [['expired', 7]],
  )
  assert.equal(store.sweep(11_001), [])
  assert.is(store.size, 1)
})

test('vector E35 and C18, store: the end of a session takes its proposals, and no others', () => {
  const store = makeProposalStore(4)
  store.put(proposal())
  store.put(proposal({ key: { ...key, session: 'other' } }))
  assert.equal(
    store.endSession('s', 1000).map(({ fate }) => fate),
    ['ended'],
  )
  assert.is(store.size, 1)
})

test('vector E42, pure part: of 128 calls each proposal is exact and single use, and nothing is left', () => {
  const store = makeProposalStore(128)
  const calls = Array.from({ length: 128 }, (_, at) => ({ ...key, call: `c${at}` }))
  for (const [at, call] of calls.entries()) assert.equal(store.put(proposal({ key: call, digest: `d${at}` })), [])
  for (const [at, call] of calls.toReversed().entries()) {
    assert.is(store.take(call, `d${127 - at}`, 1000)?.fate, 'consumed')
    assert.is(store.take(call, `d${127 - at}`, 1000), undefined)
  }
  assert.is(store.size, 0)
})

test.run()
