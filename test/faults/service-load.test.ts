// A service under many clients at once, and under one that sends without end; `npm run soak:kill` has them speak for a whole minute.
// time limit: 180 s
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AttachedHost, type HookAnswer, readServiceFacts } from '../support/attached-host.js'
import { loggedLines } from '../support/exported-lines.js'
import { askedCall, typedMessage } from '../support/hermes-payloads.js'
import { endServices, homeForService, startServiceProcess } from '../support/service-process.js'
import { askSocket, type SocketAnswer } from '../support/socket-request.js'
import { manyClients } from './service-load.js'
import { timesInWords } from './service-rounds.js'

const test = suite('service load')
test.after(endServices)

test('64 clients at once make one chain without a gap, and everything that was answered is in it once', async () => {
  const seconds = 5
  const { answered, times, wrong } = await manyClients(64, seconds)
  console.log(
    `note: 64 clients for ${seconds} s: ${answered} payloads answered; from sending to the answer: ${timesInWords(times)}`,
  )
  assert.equal(wrong.slice(0, 10), [])
  assert.ok(answered >= 64, 'each came to speak')
})

const bound = 40
const sent = 300

/** So many at once, as a loop in a host would have them. */
async function flood<Answer>(send: (at: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  let at = 0
  const caller = async (): Promise<void> => {
    while (at < sent) {
      at += 1
      answers.push(await send(at))
    }
  }
  await Promise.all(Array.from({ length: 16 }, caller))
  return answers
}

test('a loop that floods the hooks from one host is bounded and counted, while another host is served', async () => {
  const home = homeForService({ limits: { hooksPerMinute: bound } })
  const service = await startServiceProcess(home)
  const [loud, quiet] = [new AttachedHost(home), new AttachedHost(home)]
  await loud.attach()
  await quiet.attach()
  await quiet.hook(typedMessage('hello', { session: 'quiet' }))
  const served: HookAnswer[] = []
  const flooding = flood((at) =>
    loud.hook(askedCall('terminal', { command: `echo ${at}` }, { session: 'loud', call: `call-${at}` })),
  )
  for (let at = 0; at < 20; at += 1) {
    served.push(await quiet.hook(askedCall('read_file', { path: `${at}` }, { session: 'quiet', call: `quiet-${at}` })))
  }
  const answers = await flooding
  loud.close()
  quiet.close()
  assert.is((await service.end()).code, 0)

  const taken = answers.filter(({ status }) => status === 200).length
  const away = answers.filter(({ status }) => status === 429).length
  assert.equal([taken + away, served.map(({ status }) => status)], [sent, Array.from({ length: 20 }, () => 200)])
  // A minute may have turned meanwhile.
  assert.ok(taken >= bound && taken <= 2 * bound, `${taken} were taken`)
  assert.equal([...new Set(answers.flatMap(({ code }) => code ?? []))], ['HOOKS_TOO_MANY'])
  const gaps = loggedLines(home, 'gap.recorded').map(({ data }) => data)
  assert.is(gaps.filter(({ kind }) => kind === 'numbers').length, 0, 'what was turned away is counted, and not missing')
  assert.is(
    gaps.reduce((sum, { count }) => sum + Number(count), 0),
    away,
  )
  for (const gap of gaps) assert.equal([gap['kind'], gap['attach']], ['rate', loud.index])
  assert.ok(gaps.every(({ bytes }) => Number(bytes) > 0))
})

test('a flood from whoever has no name is bounded and counted as well, and hosts that attached are served beside it', async () => {
  const home = homeForService({ limits: { hooksPerMinute: bound } })
  const service = await startServiceProcess(home)
  const host = new AttachedHost(home)
  await host.attach()
  await host.hook(typedMessage('hello', { session: 'mine' }))
  const { socket } = readServiceFacts(home)
  const flooding = flood((at): Promise<SocketAnswer> => {
    const body = JSON.stringify(askedCall('terminal', { command: `echo ${at}` }, { session: 'nobody', call: `call-${at}` }))
    return askSocket(socket, { path: '/v1/hooks', body, headers: { 'Content-Type': 'application/json' } })
  })
  const statuses: number[] = []
  for (let at = 0; at < 20; at += 1) {
    statuses.push((await host.hook(askedCall('read_file', { path: `${at}` }, { session: 'mine', call: `mine-${at}` }))).status)
  }
  const away = (await flooding).filter(({ status }) => status === 429).length
  host.close()
  assert.is((await service.end()).code, 0)
  assert.equal(
    statuses,
    Array.from({ length: 20 }, () => 200),
  )
  const gaps = loggedLines(home, 'gap.recorded').map(({ data }) => data)
  assert.equal(
    [gaps.reduce((sum, { count }) => sum + Number(count), 0), gaps.some(({ attach }) => attach !== undefined)],
    [away, false],
  )
  assert.ok(away >= sent - 2 * bound)
})

test('a bound in bytes holds as well: what is beyond it in a minute is turned away and counted', async () => {
  const home = homeForService({ limits: { bytesPerMinute: 100_000 } })
  const service = await startServiceProcess(home)
  const host = new AttachedHost(home)
  await host.attach()
  const statuses: number[] = []
  for (let at = 0; at < 6; at += 1) {
    statuses.push((await host.hook(typedMessage('x'.repeat(40_000), { turn: `turn-${at}` }))).status)
  }
  host.close()
  await service.end()
  const away = statuses.filter((status) => status === 429).length
  assert.ok(away >= 2 && away <= 4, statuses.join())
  const gaps = loggedLines(home, 'gap.recorded').map(({ data }) => data)
  assert.is(
    gaps.reduce((sum, { count }) => sum + Number(count), 0),
    away,
  )
  assert.ok(gaps.reduce((sum, { bytes }) => sum + Number(bytes), 0) > away * 40_000)
})

test.run()
