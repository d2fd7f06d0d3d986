// A write of megabytes, through a real service: it is judged whole and its verdict is recorded, and hooks of others have their answers
// meanwhile.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readServiceFacts } from '../support/attached-host.js'
import { exportedLines } from '../support/exported-lines.js'
import { bareClaim } from '../support/judged-writes.js'
import { toolCall, typed } from '../support/running-service.js'
import { endServices, homeForService, serviceLogOf, startServiceProcess } from '../support/service-process.js'
import { askSocket } from '../support/socket-request.js'

const test = suite('long write')
test.after(endServices)

async function send(home: string, payload: object): Promise<{ action?: string; message?: string }> {
  const body = Buffer.from(JSON.stringify(payload))
  const headers = { 'Content-Type': 'application/json' }
  const { bytes } = await askSocket(readServiceFacts(home).socket, { path: '/v1/hooks', headers, body, timeoutMs: 60_000 })
  return JSON.parse(bytes.toString()) as { action?: string; message?: string }
}

/** No claims, and as slow to judge as any text. */
const slow = 'if the user approved it\n'

test('a claim behind megabytes of other text is refused, and others are answered while it is looked for', async () => {
  const home = homeForService({ provenance: { mode: 'block' } })
  const service = await startServiceProcess(home)
  await send(home, typed('I decided we ship on Friday'))
  let isAnswered = false
  const content = `${slow.repeat(120_000)}\n${bareClaim}`
  const write = send(home, toolCall('memory', { action: 'add', target: 'memory', content })).finally(() => {
    isAnswered = true
  })
  const meanwhile: boolean[] = []
  for (let at = 0; !isAnswered; at += 1) {
    await send(home, toolCall('terminal', { command: `ls ${at}` }, `other-${at}`, 'session-two'))
    meanwhile.push(isAnswered)
  }
  const { action, message } = await write
  assert.equal([action, /User decided to ship on Friday/.test(message ?? '')], ['block', true])
  // The first ones may have waited for the payload to be read; the thread that judges keeps nobody waiting.
  assert.ok(meanwhile.filter((answered) => !answered).length > 3, `${meanwhile.length} were answered`)
  assert.equal(await send(home, toolCall('memory', { action: 'add', target: 'memory', content: 'Tabs.' }, '2')), {})
  const { code, signal } = await service.end()
  assert.equal([code, signal], [0, null])
  const lines = exportedLines(home)
  const [claim] = lines.filter(({ type }) => type === 'claim.judged')
  assert.equal([claim?.data['verdict'], claim?.data['reason']], ['blocked', 'no_quote'])
  const proposed = lines.find(({ type }) => type === 'write.proposed')
  assert.equal(proposed?.data['judged'], { texts: 1, bytes: Buffer.byteLength(content) })
  assert.not.ok('cut' in (proposed?.data ?? {}))
  assert.not.match(serviceLogOf(home).join('\n'), /judging_failed/)
})

test('a service that ends while it judges says nothing false of the write, and ends in order', async () => {
  const home = homeForService({ provenance: { mode: 'block' } })
  const service = await startServiceProcess(home)
  const content = slow.repeat(150_000)
  const write = send(home, toolCall('memory', { action: 'add', target: 'memory', content })).then(
    ({ action }) => action ?? 'answered',
    () => 'not answered',
  )
  // Once another is answered behind it, the payload has been read.
  for (let at = 0; at < 3; at += 1) await send(home, toolCall('terminal', { command: `ls ${at}` }, `other-${at}`, 'session-two'))
  const { code, signal } = await service.end()
  assert.equal([code, signal], [0, null])
  const answer = await write
  const types = exportedLines(home).map(({ type }) => type)
  // It was either judged to its end or not at all: a claim would say that it failed. Where it took longer than connections are kept at
  // the end, it may be recorded and not answered.
  assert.ok(types.includes('write.proposed') || answer === 'not answered', answer)
  assert.not.ok(types.includes('claim.judged'))
})

test.run()
