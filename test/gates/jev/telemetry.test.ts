// Holds the list in memory to its bounds, and to holding nothing that anybody said.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeJevTelemetry, type TelemetryEvent, telemetryFields } from '../../../src/gates/jev/telemetry.js'

const test = suite('telemetry')

test('vector H3: of ten events the newest two are kept, ten are counted, and fields that are not on the list are dropped', () => {
  const told: TelemetryEvent[] = []
  const telemetry = makeJevTelemetry({ enabled: true, eventsMax: 2 }, (event) => told.push(event))
  for (let at = 0; at < 10; at += 1)
    telemetry.record('turn', { latency_ms: at, mode: 'shadow', fallback: true, error: null, state: 'words', arguments: { a: 1 } })
  assert.equal(telemetry.recent(), [
    { kind: 'turn', mode: 'shadow', latency_ms: 8, fallback: true, error: null },
    { kind: 'turn', mode: 'shadow', latency_ms: 9, fallback: true, error: null },
  ])
  assert.equal(telemetry.counts(), { turn: 10 })
  assert.is(told.length, 10)
})

test('vector H4: switched off, nothing is kept, counted or logged', () => {
  const told: TelemetryEvent[] = []
  const telemetry = makeJevTelemetry({ enabled: false, eventsMax: 8 }, (event) => told.push(event))
  telemetry.record('risk', { latency_ms: 1 })
  assert.equal([telemetry.recent(), telemetry.counts(), told], [[], {}, []])
})

test('with the kind there are 23 names, and a name of an object’s own is none', () => {
  assert.is(telemetryFields.length + 1, 23)
  const telemetry = makeJevTelemetry({ enabled: true, eventsMax: 8 })
  telemetry.record('turn', Object.create({ mode: 'shadow' }))
  telemetry.record('__proto__', { mode: 'shadow' })
  assert.equal(telemetry.recent(), [{ kind: 'turn' }, { kind: '__proto__', mode: 'shadow' }])
})

test('row J53: a value that could be a sentence, an object or endless is dropped', () => {
  const telemetry = makeJevTelemetry({ enabled: true, eventsMax: 8 })
  telemetry.record('turn', {
    reason: 'the user said',
    error: 'a\nb',
    model: 'x'.repeat(81),
    latency_ms: Number.NaN,
    risk: {},
    intent: ['a'],
  })
  telemetry.record('the user said', { mode: 'shadow' })
  assert.equal(telemetry.recent(), [{ kind: 'turn' }])
})

test('kinds are bounded too', () => {
  const telemetry = makeJevTelemetry({ enabled: true, eventsMax: 1 })
  for (let at = 0; at < 1000; at += 1) telemetry.record(`kind-${at}`, {})
  assert.is(Object.keys(telemetry.counts()).length, 64)
})

test.run()
