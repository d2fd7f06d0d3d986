// A plugin that was not there: the turns and calls that it did not hear of are found afterwards, by the report and by the doctor.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { feedHome } from '../support/feed-home.js'
import { recordedHooks } from '../support/recorded-session.js'
import { steleAt } from '../support/service-commands.js'
import { endServices, homeForService } from '../support/service-process.js'
import { json } from '../support/stele-command.js'

const test = suite('absent plugin')
test.after(endServices)

interface ReportJson {
  readonly figures: Readonly<Record<string, unknown>>
  readonly sections: Readonly<
    Record<string, { readonly rows?: readonly Readonly<Record<string, unknown>>[]; readonly note?: string }>
  >
}

const report = (home: string, name: string, ...words: string[]): ReportJson =>
  json(steleAt(home, 'report', name, '--json', ...words)) as unknown as ReportJson

test('of the recorded session every call was judged and every turn heard; ten decisions, nobody to approve anything', async () => {
  const home = homeForService()
  await feedHome(home, recordedHooks)
  const { figures, sections } = report(home, 'coverage')
  const { calls, judged, share, turns, blindTurn, unrequested, unjudged, unfinished, open } = figures
  assert.equal({ calls, judged, share, turns, blindTurn }, { calls: 10, judged: 10, share: 1, turns: 6, blindTurn: 0 })
  assert.equal({ unrequested, unjudged, unfinished, open }, { unrequested: 0, unjudged: 0, unfinished: 0, open: 0 })
  assert.match(sections['holes']?.note ?? '', 'Nothing is known to be missing')
  const decided = report(home, 'decisions')
  const by = (section: string, key: string): unknown => decided.sections[section]?.rows?.map((row) => row[key])
  assert.ok(Number(decided.figures['decisions']) >= 10)
  assert.ok((by('gates', 'gate') as string[]).length > 0)
  assert.is(report(home, 'approvals').figures['requests'], 0)
})

test('row C5: where the hooks before a turn and before a call were not loaded, the report names them and the doctor is red', async () => {
  const home = homeForService()
  const isAbsent = (line: string): boolean => /"hook_event_name": ?"(pre_llm_call|pre_tool_call)"/.test(line)
  // What comes later than the first three calls is of a host in which only some hooks fired.
  const judged = recordedHooks.findIndex((line, at) => isCall(line) && recordedHooks.slice(0, at).filter(isCall).length === 3)
  await feedHome(
    home,
    recordedHooks.filter((line, at) => at < judged || !isAbsent(line)),
  )
  const { figures, sections } = report(home, 'coverage')
  assert.equal([figures['calls'], figures['judged'], figures['unrequested']], [10, 3, 7])
  assert.ok(Number(figures['blindTurn']) > 0)
  const [stretch] = sections['share']?.rows ?? []
  assert.equal([stretch?.['calls'], stretch?.['to']], [7, null])
  assert.match(sections['share']?.note ?? '', '3 of 10 calls were judged')

  const ran = steleAt(home, 'doctor', '--json')
  assert.is(ran.status, 1, ran.stderr)
  const { findings } = JSON.parse(ran.stdout) as { findings: readonly { about: string; state: string; says: string }[] }
  const red = findings.filter(({ about, state }) => about === 'coverage' && state === 'wrong').map(({ says }) => says)
  assert.match(red.join('\n'), /outcomes without a call: 7/)
  assert.match(red.join('\n'), /turns of which nothing was heard/)
  // What the doctor asked for itself is in no count.
  assert.is(report(home, 'coverage').figures['calls'], 10)
})

test('row D9: the same with the views deleted, and each as it was with fewer entries', async () => {
  const home = homeForService()
  await feedHome(home, recordedHooks)
  const names = ['decisions', 'approvals', 'coverage']
  const told = names.map((name) => report(home, name).sections)
  rmSync(join(home, 'views'), { recursive: true })
  assert.equal(
    names.map((name) => report(home, name).sections),
    told,
  )
  assert.is(report(home, 'coverage', '--as-of', '3').figures['calls'], 0)
  assert.is(report(home, 'decisions', '--as-of', '3').figures['decisions'], 0)
})

function isCall(line: string): boolean {
  return /"hook_event_name": ?"pre_tool_call"/.test(line)
}

test.run()
