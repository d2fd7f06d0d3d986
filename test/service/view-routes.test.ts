// Holds the routes of views and of search to their doors, to what they take, and to what the ledger says by its other routes.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ViewAnswer } from '../../src/service/view-questions.js'
import {
  answered,
  codeOf,
  type RunningService,
  runService,
  type ShownEntry,
  toolCall,
  typed,
} from '../support/running-service.js'

const test = suite('view routes')

let running: RunningService

test.before(async () => {
  running = await runService({ listen: { host: '127.0.0.1', port: 0 } })
  for (const [turn, text] of ['We ship on Friday', '周五发布', 'nothing else'].entries())
    answered(await running.hook(typed(text, String(turn))))
  answered(await running.hook(typed('of another', '1', 'session-two')))
  answered(await running.hook(toolCall('terminal', { command: 'ls' })))
})
test.after(() => running?.service.stop())

const ask = async <Value>(path: string): Promise<Value> => answered<Value>(await running.ask(path))
const refused = async (path: string): Promise<string> => codeOf(await running.ask(path))

test('the views there are, each with its version and how far it has come of how many entries', async () => {
  await ask('/v1/views/clock')
  const entries = await running.entries()
  const { size, views } = await ask<{ size: number; views: { name: string; version: number; position: number }[] }>('/v1/views')
  assert.is(size, entries.length)
  assert.equal(
    views.map(({ name, position }) => `${name} ${position === size}`),
    [
      'sessions true',
      'activity true',
      'evidence true',
      'grants true',
      'decisions true',
      'approvals true',
      'jev true',
      'coverage true',
      'inbox true',
      'files true',
      'clock true',
      'words true',
    ],
  )
  assert.ok(views.every(({ version }) => Number.isSafeInteger(version) && version > 0))
})

test('a view is brought up to the ledger before it is answered', async () => {
  answered(await running.hook(typed('one more', '9', 'session-two')))
  const entries = await running.entries()
  const answer = await ask<ViewAnswer>('/v1/views/sessions')
  assert.equal([answer.size, answer.time], [entries.length, entries.at(-1)?.time])
  assert.equal(Object.values(answer.names ?? {}).sort(), ['session-one', 'session-two'])
})

test('as of an index or a time, of one session, since a time', async () => {
  const entries = await running.entries()
  const started = entries.filter(({ type }) => type === 'session.started') as [ShownEntry, ShownEntry]
  const early = await ask<ViewAnswer>(`/v1/views/sessions?asOf=${started[1].index}`)
  assert.equal(Object.keys(early.parts), [started[0].session])
  const at = await ask<ViewAnswer>(`/v1/views/activity?asOf=${encodeURIComponent(entries.at(-1)?.time ?? '')}`)
  assert.is(at.size, entries.length)
  const one = await ask<ViewAnswer>('/v1/views/sessions?session=session-two')
  assert.equal(Object.keys(one.parts), [started[1].session])
  const none = await ask<ViewAnswer>('/v1/views/sessions?since=2999-01-01T00:00:00Z')
  assert.equal(none.parts, {})
  const context = await ask<ViewAnswer>('/v1/views/gate-context?session=session-two')
  assert.match(JSON.stringify(context.parts), /one more/)
})

test('what a view lists comes with its words where that is asked for, and no more than a thousand at once', async () => {
  assert.equal((await ask<ViewAnswer>('/v1/views/evidence?listed=1000')).words, {})
  assert.is((await ask<ViewAnswer>('/v1/views/evidence')).words, undefined)
  for (const listed of ['1001', '-1', 'all']) assert.is(await refused(`/v1/views/evidence?listed=${listed}`), 'REQUEST_INVALID')
})

test('entries are found by their words, as the route of entries shows them', async () => {
  const all = await running.entries()
  for (const [words, texts] of [
    ['FRIDAY ship', ['We ship on Friday']],
    ['周五', ['周五发布']],
    ['of', ['of another']],
    ['nowhere', []],
  ] as const) {
    const { entries, below } = await ask<{ entries: ShownEntry[]; below: number | null }>(
      `/v1/search?words=${encodeURIComponent(words)}`,
    )
    assert.equal([entries.map(({ words: said }) => said?.['text']), below], [texts, null], words)
    for (const entry of entries) assert.equal(entry, all[entry.index])
  }
  const page = await ask<{ entries: ShownEntry[]; below: number }>('/v1/search?words=session-one&limit=1')
  assert.is(page.entries.length, 1)
})

test('what is not allowed in a query is refused, and no view is made of it', async () => {
  for (const query of ['asOf=-1', 'asOf=1.5', 'asOf=soon', 'since=yesterday', 'session=a&session=b', 'other=1'])
    assert.is(await refused(`/v1/views/activity?${query}`), 'REQUEST_INVALID', query)
  for (const query of [
    '',
    'words=',
    'words=a&limit=0',
    'words=a&limit=1001',
    'words=a&below=-1',
    'words=a&since=x',
    `words=${'a'.repeat(1001)}`,
    'words=a&more=1',
  ])
    assert.is(await refused(`/v1/search?${query}`), 'REQUEST_INVALID', query)
  assert.is(await refused('/v1/views/nothing'), 'VIEW_UNKNOWN')
  assert.is(await refused('/v1/views/gate-context'), 'VIEW_UNKNOWN')
  assert.is(await refused('/v1/views/sessions?session=nobody'), 'SESSION_UNKNOWN')
})

test('over loopback whoever has the token reads views; making them anew is for the socket alone', async () => {
  for (const path of ['/v1/views', '/v1/views/activity', '/v1/search?words=friday']) {
    assert.is((await running.askLoopback(path)).status, 200, path)
    assert.is(codeOf(await running.askLoopback(path, { headers: { authorization: '' } })), 'TOKEN_REFUSED', path)
    assert.is(codeOf(await running.askOwner(path)), 'ROUTE_UNKNOWN', path)
  }
  assert.is(codeOf(await running.askLoopback('/v1/views/rebuild', { body: {} })), 'ROUTE_UNKNOWN')
  const { done, size } = answered<{ done: boolean; size: number }>(
    await running.ask('/v1/views/rebuild', { body: { name: 'words' } }),
  )
  assert.equal([done, size], [true, (await running.entries()).length])
  assert.is(codeOf(await running.ask('/v1/views/rebuild', { body: { name: 'nothing' } })), 'VIEW_UNKNOWN')
  assert.is(codeOf(await running.ask('/v1/views/rebuild', { body: { names: 'x' } })), 'REQUEST_INVALID')
})

test('a service that stops with a question under way answers it or refuses it, and leaves the views closed', async () => {
  const other = await runService()
  for (let turn = 0; turn < 20; turn += 1) await other.hook(typed(`turn ${turn}`, String(turn)))
  const rebuilding = other.ask('/v1/views/rebuild', { body: {} }).then(
    ({ status }) => status,
    () => 0,
  )
  await other.ask('/v1/status')
  await other.service.stop()
  assert.ok([200, 502, 0].includes(await rebuilding))
  assert.not.ok(existsSync(join(other.home, 'views', 'in-use')))
})

test.run()
