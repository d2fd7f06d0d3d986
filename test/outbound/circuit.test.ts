// Holds the circuit to what it must do to a service that is down: leave it alone, try it once, and believe what comes of that.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Circuit, makeCircuit } from '../../src/outbound/circuit.js'

const test = suite('circuit')

function failed(times: number, nowMs = 0): Circuit {
  const circuit = makeCircuit()
  for (let time = 0; time < times; time += 1) circuit.fail(circuit.enter(nowMs) ?? 'probe', nowMs)
  return circuit
}

test('two failures in a row leave it closed, the third opens it for five seconds', () => {
  assert.is(failed(2).enter(0), 'through')
  const circuit = failed(3)
  assert.equal(circuit.at(0), { state: 'open', retryInMs: 5000, failuresInRow: 3 })
  assert.is(circuit.enter(4999), undefined)
  assert.is(circuit.enter(5000), 'probe')
})

test('an answer between failures begins the count anew', () => {
  const circuit = failed(2)
  circuit.succeed('through')
  circuit.fail('through', 0)
  circuit.fail('through', 0)
  assert.is(circuit.at(0).state, 'closed')
})

test('only one probes at a time, and the others are held back until its outcome is known', () => {
  const circuit = failed(3)
  assert.equal([circuit.enter(5000), circuit.enter(5000), circuit.enter(9999)], ['probe', undefined, undefined])
  circuit.succeed('probe')
  assert.equal([circuit.enter(9999), circuit.enter(9999)], ['through', 'through'])
})

test('each probe that fails doubles the pause, up to a minute, and an answer sets it back', () => {
  const circuit = failed(3)
  let now = 0
  for (const pause of [5000, 10_000, 20_000, 40_000, 60_000, 60_000]) {
    assert.is(circuit.at(now).retryInMs, pause)
    now += pause
    assert.is(circuit.enter(now), 'probe')
    circuit.fail('probe', now)
  }
  now += 60_000
  circuit.enter(now)
  circuit.succeed('probe')
  for (let time = 0; time < 3; time += 1) circuit.fail('through', now)
  assert.is(circuit.at(now).retryInMs, 5000)
})

test('a probe that was called off lets the next one try at once', () => {
  const circuit = failed(3)
  circuit.enter(5000)
  circuit.leave('probe')
  assert.is(circuit.enter(5000), 'probe')
})

test('what a server asks for counts at once and for as long as it asks, up to an hour, and never for less than ours', () => {
  for (const [askedMs, pauseMs] of [
    [1, 5000],
    [90_000, 90_000],
    [3_600_000, 3_600_000],
    [86_400_000, 3_600_000],
  ] as const) {
    const circuit = makeCircuit()
    circuit.fail('through', 0, askedMs)
    assert.is(circuit.at(0).retryInMs, pauseMs)
  }
})

test('what was sent before it opened and comes back later neither closes it nor makes the pause longer', () => {
  const circuit = failed(3)
  circuit.succeed('through')
  circuit.fail('through', 1000)
  assert.equal([circuit.at(1000).state, circuit.at(1000).retryInMs], ['open', 4000])
})

test.run()
