// Views and search as their owner meets them on the command line: the same answers beside a service and without one, with views that are
// kept, deleted, not to be written, or of a copied home.
// time limit: 300 s
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { newProgram } from '../../src/cli/program.js'
import { typed } from '../support/running-service.js'
import { assertRefused, hookAt, steleAt } from '../support/service-commands.js'
import { endServices, homeForService, startServiceProcess } from '../support/service-process.js'
import { json, type Ran, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('views command')
test.after(endServices)

const home = homeForService()
const texts = ['We ship on Friday', '周五发布新版本', 'Nothing to see', 'the friday after next']

interface Status {
  readonly size: number
  readonly views: readonly {
    readonly name: string
    readonly version: number
    readonly position: number
    readonly behind: number
  }[]
}

/** Everything that views are asked for, as one text. */
function everything(at = home): string {
  const asked = [
    ['search', 'friday'],
    ['search', 'friday', '--limit', '1'],
    ['search', '周五', '--json'],
    ['search', 'session-one', '--json'],
    ['search', 'we', 'FRIDAY'],
    ['search', 'nowhere'],
  ]
  const rans = asked.map((words) => steleAt(at, ...words))
  for (const { status } of rans) assert.is(status, 0)
  return rans.map(({ stdout, stderr }) => stdout + stderr).join('\n---\n')
}

const lines = ({ stdout }: Ran): string[] => stdout.split('\n').filter((line) => line !== '')

test.before(async () => {
  const service = await startServiceProcess(home)
  for (const [turn, text] of texts.entries()) assert.is(hookAt(home, typed(text, String(turn))).status, 0)
  await service.end()
})

test('help names each command with an example, and completion knows them', () => {
  for (const words of [['search'], ['projections'], ['projections', 'status'], ['projections', 'rebuild']])
    assert.match(stele([...words, '--help']).stdout, /Examples:\n {2}\$ stele /, words.join(' '))
  const names = newProgram().commands.map((command) => command.name())
  assert.ok(names.includes('search') && names.includes('projections'))
  const { stdout } = stele(['completion', 'bash'])
  assert.match(stdout, /projections\) COMPREPLY=\(\$\(compgen -W "status rebuild/)
  assert.match(stdout, /search\) .*--since --limit/)
})

test('what is found is printed as log prints it, newest first, and finding nothing is an answer', () => {
  const found = lines(steleAt(home, 'search', 'friday'))
  assert.equal(found.length, 2)
  assert.match(found[0] ?? '', /the friday after next$/)
  assert.match(found[1] ?? '', /We ship on Friday$/)
  const logged = lines(steleAt(home, 'log', '--type', 'message.captured'))
  for (const line of found) assert.ok(logged.includes(line), line)
  const [line] = lines(steleAt(home, 'search', 'FRIDAY', 'ship', '--json'))
  const shown = JSON.parse(line ?? '') as { index: number }
  assert.equal(shown, json(steleAt(home, 'show', String(shown.index), '--json')))
  const none = steleAt(home, 'search', 'nowhere')
  assert.equal([none.status, none.stdout], [0, ''])
  assert.match(none.stderr, /^No entry holds these words/)
  assert.equal(
    [steleAt(home, 'search', 'nowhere', '--quiet').stderr, steleAt(home, 'search', 'friday', '--since', '2999-01-01').stdout],
    ['', ''],
  )
  assert.is(lines(steleAt(home, 'search', 'friday', '--limit', '1')).length, 1)
  assert.is(lines(steleAt(home, 'search', 'friday', '--limit', '0')).length, 0)
})

test('status says how far each view is; rebuilt they are up to date, with the rate', () => {
  rmSync(join(home, 'views'), { recursive: true, force: true })
  const before = json<Status>(steleAt(home, 'projections', 'status', '--json'))
  assert.equal(
    before.views.map(({ name, position, behind }) => [name, position, behind === before.size]),
    [
      ['sessions', 0, true],
      ['activity', 0, true],
      ['evidence', 0, true],
      ['grants', 0, true],
      ['decisions', 0, true],
      ['approvals', 0, true],
      ['jev', 0, true],
      ['coverage', 0, true],
      ['inbox', 0, true],
      ['files', 0, true],
      ['clock', 0, true],
      ['words', 0, true],
    ],
  )
  const rebuilt = json<{ rebuilt: string; size: number; seconds: number; entriesPerSecond: number }>(
    steleAt(home, 'projections', 'rebuild', '--json'),
  )
  assert.equal([rebuilt.rebuilt, rebuilt.size], ['all', before.size])
  assert.ok(rebuilt.seconds > 0 && rebuilt.entriesPerSecond > 0)
  assert.match(steleAt(home, 'projections', 'rebuild', 'clock').stdout, /^\d+ entries in \d+\.\d s: \d+ entries a second\n$/)
  const after = json<Status>(steleAt(home, 'projections', 'status', '--json'))
  assert.ok(after.views.every(({ position, behind }) => position === before.size && behind === 0))
  assert.match(
    steleAt(home, 'projections', 'status').stdout,
    new RegExp(`sessions +version 1 +${before.size} of ${before.size} +up to date`),
  )
})

test('views kept, deleted, left by a killed process or not to be written give the same answers', () => {
  const answers = everything()
  assert.match(answers, /周五发布新版本/)
  assert.is(everything(), answers, 'kept')
  const views = join(home, 'views')
  assert.is(statSync(views).mode & 0o777, 0o700)
  rmSync(views, { recursive: true })
  assert.is(everything(), answers, 'deleted')
  writeFileSync(join(views, 'in-use'), '999999999 1')
  assert.is(everything(), answers, 'left')
  assert.not.ok(existsSync(join(views, 'in-use')))
  // Nobody writes here, whoever runs this: what should be a folder is none.
  renameSync(views, `${views}-away`)
  writeFileSync(views, '')
  assert.is(everything(), answers, 'not to be written')
  assertRefused(steleAt(home, 'projections', 'rebuild'), 'STORE_UNREADABLE', 5)
  assert.match(steleAt(home, 'projections', 'status').stdout, /every answer is made from the ledger/)
  rmSync(views)
  renameSync(`${views}-away`, views)
  for (const folder of [views, join(views, 'store')]) chmodSync(folder, 0o500)
  assert.is(everything(), answers, 'read-only')
  for (const folder of [views, join(views, 'store')]) chmodSync(folder, 0o700)
})

test('a service answers the same, and makes them anew while it serves', async () => {
  const answers = everything()
  const { size } = json<Status>(steleAt(home, 'projections', 'status', '--json'))
  const service = await startServiceProcess(home)
  assert.is(everything(), answers)
  const rebuilt = json<{ size: number }>(steleAt(home, 'projections', 'rebuild', '--json'))
  assert.ok(rebuilt.size >= size)
  assert.is(hookAt(home, typed('beside a service, on Friday', '9')).status, 0)
  const beside = everything()
  assert.match(beside, /beside a service/)
  const state = json<Status>(steleAt(home, 'projections', 'status', '--json'))
  assert.ok(state.views.every(({ behind }) => behind === 0))
  assertRefused(steleAt(home, 'projections', 'rebuild', 'nothing'), 'VIEW_UNKNOWN', 2)
  await service.end('SIGKILL')
  assert.is(everything(), beside, 'and after it was killed')
})

test('a copy of the home, with its views or without, gives the answers of the home', () => {
  const answers = everything()
  for (const what of ['with', 'without']) {
    const copy = join(temporaryFolder(), 'copy')
    mkdirSync(copy, { mode: 0o700 })
    const left = ['LOCK', 'service.sock', 'owner.sock', 'service.json', ...(what === 'with' ? [] : ['views'])]
    cpSync(home, copy, { recursive: true, filter: (path) => !left.includes(basename(path)) })
    assert.is(everything(copy), answers, what)
  }
})

test('what is wrong is told by its code', () => {
  const nowhere = join(temporaryFolder(), 'nowhere')
  for (const words of [
    ['search', 'x'],
    ['projections', 'status'],
    ['projections', 'rebuild'],
  ])
    assertRefused(steleAt(nowhere, ...words), 'HOME_MISSING', 2)
  assert.not.ok(existsSync(nowhere), 'asking makes no home')
  assertRefused(steleAt(home, 'projections', 'rebuild', 'gate-context'), 'VIEW_UNKNOWN', 2)
  assertRefused(steleAt(home, 'search', ''), 'OPTION_INVALID', 2)
  assertRefused(steleAt(home, 'search', 'x'.repeat(1001)), 'OPTION_INVALID', 2)
  assertRefused(steleAt(home, 'search', 'x', '--limit', 'many'), 'OPTION_INVALID', 2)
  assertRefused(steleAt(home, 'search', 'x', '--since', 'soon'), 'OPTION_INVALID', 2)
  assert.is(steleAt(home, 'search').status, 2)
})

test.run()
