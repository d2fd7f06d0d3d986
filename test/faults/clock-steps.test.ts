// A wall clock that is set back, runs ahead, or wakes up in another century under a service: order is by index, and each step back is told.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { VerifyReport } from '../../src/verify/verify-ledger.js'
import { AttachedHost } from '../support/attached-host.js'
import { type ExportedLine, exportedLines } from '../support/exported-lines.js'
import { askedCall, typedMessage } from '../support/hermes-payloads.js'
import { endServices, homeForService, startServiceProcess } from '../support/service-process.js'
import { json, stele } from '../support/stele-command.js'

const test = suite('clock steps')
test.after(endServices)
const preload = new URL('../support/shifted-clock.mjs', import.meta.url).href
const hourMs = 3_600_000
/** What may pass between a hook and its entry on a slow machine. */
const slackMs = 60_000

/** A home whose services see a clock that can be set. */
function clockedHome() {
  const home = homeForService()
  const file = join(home, '..', 'clock')
  let shift = 0
  const set = (ms: number) => {
    shift = ms
    writeFileSync(file, String(ms))
  }
  set(0)
  return {
    home,
    set,
    /** What the clock shows. */
    now: () => Date.now() + shift,
    start: () => startServiceProcess(home, { env: { NODE_OPTIONS: `--import=${preload}`, STELE_TEST_CLOCK_FILE: file } }),
  }
}

const ofType = (lines: readonly ExportedLine[], type: string) => lines.filter((line) => line.type === type)

function assertNear(time: unknown, ms: number, what: string): void {
  const off = Math.abs(Date.parse(String(time)) - ms)
  assert.ok(off < slackMs, `${what}: ${time} is ${Math.round(off / 1000)} s from ${new Date(ms).toISOString()}`)
}

function assertSoundChain(home: string, lines: readonly ExportedLine[]): void {
  const report = json<VerifyReport>(stele(['verify', '--json', '--home', home]))
  assert.equal(report.findings, [])
  for (const [at, { index, prev }] of lines.entries()) {
    assert.is(index, at)
    assert.is(prev, at === 0 ? '0'.repeat(64) : lines[at - 1]?.hash)
  }
}

test('a clock that is set back under a running service is told once, order stays by index, and times are those of the clock again', async () => {
  const clock = clockedHome()
  const service = await clock.start()
  const host = new AttachedHost(clock.home)
  await host.attach()
  const shown: number[] = []
  const say = async (at: number) => {
    shown.push(clock.now())
    const place = { turn: `turn-${at}`, call: `call-${at}` }
    await host.hook(typedMessage(`message ${at}`, place))
    await host.hook(askedCall('terminal', { command: `echo ${at}` }, place))
  }
  await say(0)
  clock.set(-hourMs)
  await say(1)
  await say(2)
  // Within a second: no step.
  clock.set(-hourMs - 400)
  await say(3)
  // Ahead is not told; back from there is.
  clock.set(5 * hourMs)
  await say(4)
  clock.set(0)
  await say(5)
  await say(6)
  host.close()
  await service.end()

  const lines = exportedLines(clock.home)
  assertSoundChain(clock.home, lines)
  const messages = ofType(lines, 'message.captured')
  assert.equal(
    messages.map(({ words, data }) => [words?.['text'], data['turn']]),
    shown.map((_, at) => [`message ${at}`, at + 1]),
  )
  for (const [at, { time }] of messages.entries()) assertNear(time, shown[at] ?? 0, `message ${at}`)
  const steps = ofType(lines, 'clock.stepped')
  assert.equal(
    steps.map(({ index }) => lines[index + 1]?.words?.['text']),
    ['message 1', 'message 5'],
  )
  for (const { data, time } of steps) {
    const back = Date.parse(String(data['from'])) - Date.parse(String(data['to']))
    assert.ok(back > hourMs / 2, `${back} ms back`)
    assert.is(data['to'], time)
    // By the clock that never goes back, next to nothing had passed.
    assert.ok(Number(data['elapsedMs']) < slackMs, `elapsed ${data['elapsedMs']}`)
  }
})

test('a service that starts in the year 2100, and another that starts today again: one step is told, and times are true afterwards', async () => {
  const clock = clockedHome()
  const host = new AttachedHost(clock.home)
  const live = async (name: string, shift: number) => {
    clock.set(shift)
    const service = await clock.start()
    for (const at of [1, 2]) {
      const { how } = await host.deliver(typedMessage(`${name} ${at}`, { turn: `${name}-${at}` }))
      assert.is(how, 'answered', name)
    }
    assert.equal(await service.end(), { code: 0, signal: null, stderr: '' }, name)
  }
  const ahead = Date.UTC(2100, 0, 1) - Date.now()
  await live('before', 0)
  await live('future', ahead)
  await live('after', 0)
  await live('much later', 0)
  host.close()

  const lines = exportedLines(clock.home)
  assertSoundChain(clock.home, lines)
  const steps = ofType(lines, 'clock.stepped')
  assert.is(steps.length, 1)
  assert.match(String(steps[0]?.data['from']), /^2100-01-01T/)
  assertNear(steps[0]?.data['to'], Date.now(), 'the step')
  assert.is(steps[0]?.data['elapsedMs'], null, 'another process wrote the entry before')
  const [first] = lines.filter(({ words }) => words?.['text'] === 'after 1')
  assert.ok((steps[0]?.index ?? Number.POSITIVE_INFINITY) < (first?.index ?? 0))
  for (const { words, time } of ofType(lines, 'message.captured')) {
    const wanted = String(words?.['text']).startsWith('future') ? Date.now() + ahead : Date.now()
    assertNear(time, wanted, String(words?.['text']))
  }
  // One host, one session, one count of turns through all of it.
  assert.equal(
    ofType(lines, 'message.captured').map(({ data }) => data['turn']),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
  const attached = ofType(lines, 'host.attached')
  assert.equal(
    attached.map(({ data }) => data['first']),
    [null, ...attached.slice(1).map(() => attached[0]?.index)],
  )
})

test('what waits in the spool is taken in when the clock stands before the time at which it was written', async () => {
  const clock = clockedHome()
  const host = new AttachedHost(clock.home)
  const first = await clock.start()
  await host.deliver(typedMessage('before'))
  await first.end()
  const { spooled } = await host.deliver(askedCall('terminal', { command: 'make' }))
  assert.ok(spooled !== undefined)
  clock.set(-400 * 24 * hourMs)
  const second = await clock.start()
  assert.is((await host.deliver(typedMessage('after', { turn: 'turn-2' }))).how, 'answered')
  host.close()
  await second.end()
  const lines = exportedLines(clock.home)
  assertSoundChain(clock.home, lines)
  assert.equal(
    lines.filter(({ type }) => type === 'tool.requested' || type === 'message.captured').map(({ data }) => data['seq']),
    [1, 2, 3],
  )
  assert.is(ofType(lines, 'clock.stepped').length, 1)
})

test.run()
