// Reports from the command line: the recorded session counted by hand, in every face, and the same wherever the views come from.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { feedHome } from '../support/feed-home.js'
import { recordedHooks } from '../support/recorded-session.js'
import { assertRefused, steleAt } from '../support/service-commands.js'
import { endServices, homeForService, startServiceProcess } from '../support/service-process.js'
import { json } from '../support/stele-command.js'

const test = suite('report command')
test.after(endServices)

const home = homeForService()

interface ReportJson {
  readonly report: string
  readonly asOf: { readonly size: number }
  readonly figures: Readonly<Record<string, unknown>>
}

test.before(async () => {
  await feedHome(home, recordedHooks)
})

function figures(name: string, ...words: string[]): Readonly<Record<string, unknown>> {
  const { report, figures: told } = json(steleAt(home, 'report', name, '--json', ...words)) as unknown as ReportJson
  assert.is(report, name)
  return told
}

/** Without the line that says when it was made. */
function shown(...words: string[]): string {
  const { status, stdout, stderr } = steleAt(home, 'report', ...words)
  assert.is(status, 0, stderr)
  return stdout.replace(/^(.*Made.*|.*"madeAt".*)$/gm, '').replace(/"madeAt":"[^"]*"/g, '')
}

test('the recorded session is counted as a hand counts it: six messages, ten calls, a decision each', () => {
  const { messages, toolCalls: calls, sessions } = figures('activity')
  assert.equal({ messages, calls, sessions }, { messages: 6, calls: 10, sessions: 1 })
  const { sessions: some, messages: said, toolCalls: asked, turns } = figures('sessions')
  assert.equal({ some, said, asked, turns }, { some: 1, said: 6, asked: 10, turns: 6 })
})

test('as it was with fewer entries, it counts only these', () => {
  // The ledger's own entry, the session's start and what the user typed first.
  assert.is(figures('activity', '--as-of', '3')['messages'], 1)
  assert.is(figures('activity', '--as-of', '0')['messages'], 0)
})

test('what began after a time is all that is told since then', () => {
  assert.is(figures('sessions', '--since', '2100-01-01')['sessions'], 0)
  assert.is(figures('sessions', '--since', '1d')['sessions'], 1)
})

test('every face is written, to standard output and to a file', () => {
  for (const [format, begin] of [
    ['text', /^Activity\n=+\n/],
    ['md', /^# Activity\n/],
    ['html', /^<!doctype html>/i],
    ['json', /^\{/],
  ] as const) {
    assert.match(steleAt(home, 'report', 'activity', '--format', format).stdout, begin)
    const file = join(home, `report.${format}`)
    assert.is(steleAt(home, 'report', 'activity', '--format', format, '--out', file).status, 0)
    assert.match(readFileSync(file, 'utf8'), begin)
  }
})

test('it is the same with views that are kept, without any, and from a service', async () => {
  const reports = [
    ['activity', '--format', 'md'],
    ['sessions', '--format', 'md'],
  ]
  const kept = reports.map((words) => shown(...words))
  rmSync(join(home, 'views'), { recursive: true })
  assert.equal(
    reports.map((words) => shown(...words)),
    kept,
  )
  assert.ok(existsSync(join(home, 'views')))
  await startServiceProcess(home)
  // The service has begun with an entry of its own, so the sizes differ, and what was asked of them does not.
  assert.is(figures('activity')['messages'], 6)
  assert.is(figures('sessions')['toolCalls'], 10)
})

test('a report that there is not, and a face that there is not, are told what there is', () => {
  assert.is(steleAt(home, 'report', 'nothing').status, 2)
  assertRefused(steleAt(home, 'report', 'activity', '--format', 'pdf'), 'OPTION_INVALID', 2)
  assertRefused(steleAt(home, 'report', 'activity', '--as-of', 'yesterday'), 'OPTION_INVALID', 2)
  assertRefused(steleAt(homeForService(), 'report', 'activity'), 'HOME_MISSING', 2)
})

test.run()
