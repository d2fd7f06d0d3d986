// `stele policy suggest` and `stele report grants` from the command line, over the recorded session with its calls judged by hand.
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { recordedGrants } from '../support/recorded-grants.js'
import { json, type Ran, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('policy suggest')

let home = ''
const owner = temporaryFolder()
// The agent's project lies in a home folder here, so that `~` has something to stand for.
const env = { HOME: '/srv/agent', HERMES_HOME: '' }
const run = (...words: string[]): Ran => stele([...words, '--home', home], { env })

test.before(async () => {
  const { home: made } = await recordedGrants()
  await made.close()
  home = made.files.home
})

const expected = {
  version: 1,
  skills: {
    '*': {
      tools: ['memory', 'patch', 'read_file', 'search_files', 'skill_manage', 'write_file'],
      paths: [
        { path: '~/project/docs/**', access: 'read' },
        { path: '~/project/docs/notes.md', access: 'write' },
        { path: '~/project/docs/summary.md', access: 'write' },
      ],
      grants: [{ commands: ['ls -la docs', 'pytest -q --version'] }],
    },
  },
}

test('row C14: what the recorded session used becomes an allowlist: tools, the narrowest paths, commands word for word', () => {
  const { status, stdout, stderr } = run('policy', 'suggest', '--quiet')
  assert.equal([status, stderr], [0, ''])
  assert.equal(parse(stdout), expected)
  assert.match(stdout, /^# Seen: 10 of 10 calls judged by the capability gate \(100\.0 %\)\./m)
  assert.is(run('policy', 'suggest', '--quiet').stdout, stdout, 'the same bytes again')
  assert.match(run('policy', 'suggest').stderr, /11 lines, 11 marked for a second look; 0 left out\.\n$/)
})

test('it is written to a file that only its owner may read, and told in one line or as JSON', () => {
  const file = join(owner, 'allowlist.yaml')
  const { status, stdout } = run('policy', 'suggest', '--out', file)
  assert.equal([status, stdout], [0, `Wrote ${file}: 11 lines, 11 marked for a second look; 0 left out.\n`])
  assert.equal(parse(readFileSync(file, 'utf8')), expected)
  assert.is(statSync(file).mode & 0o777, 0o600)
  assert.equal(json<{ ok: boolean; problems: unknown[] }>(stele(['policy', 'lint', file, '--json'], { env })), {
    ...{ file, ok: true, problems: [] },
  })
  assert.equal(json(run('policy', 'suggest', '--out', file, '--json')), { granted: 11, marked: 11, leftOut: 0 })
  mkdirSync(join(owner, 'folder'))
  const refused = run('policy', 'suggest', '--out', join(owner, 'folder'))
  assert.equal([refused.status, refused.stdout], [6, ''])
  assert.match(refused.stderr, /FILE_UNWRITABLE/)
})

test('of another skill, or since a time at which nothing was used, there is nothing to grant', () => {
  for (const words of [
    ['--skill', 'notes'],
    ['--since', '2999-01-01'],
  ])
    assert.equal(parse(run('policy', 'suggest', '--quiet', ...words).stdout), { version: 1, skills: {} }, words.join(' '))
  assert.equal(parse(run('policy', 'suggest', '--quiet', '--skill', '*').stdout), expected)
  assert.match(run('policy', 'suggest', '--since', 'soon').stderr, /--since/)
})

test('row C14: the report of grants says the same counts on every face', () => {
  const report = json<{ figures: Record<string, number>; sections: Record<string, { rows: unknown[] }> }>(
    run('report', 'grants', '--json', '--quiet'),
  )
  assert.equal(
    ['asked', 'allowed', 'denied', 'toolsNotGranted'].map((name) => report.figures[name]),
    [10, 4, 6, 6],
  )
  assert.is(report.sections['unused']?.rows.length, 5)
  for (const format of ['text', 'md', 'html']) {
    const { status, stdout } = run('report', 'grants', '--format', format, '--quiet')
    assert.is(status, 0, format)
    for (const word of ['Tools used and not granted', 'Granted and not used', 'summary.md', 'write_file'])
      assert.ok(stdout.includes(word), `${word} in ${format}`)
  }
  assert.match(run('report', 'grants', '--limit', '1', '--quiet').stdout, /summary|notes|docs/)
})

test.run()
