// Holds the folders in which a Hermes looks for skills to what its config.yaml says at the moment.
import { execFileSync } from 'node:child_process'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { HermesSkillFolders } from '../../src/service/hermes-skill-folders.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('hermes-skill-folders')

test('row P26: folders come in the order of the settings, absolute, each once, without the host’s own', () => {
  const home = homeWith(
    'skills:\n  external_dirs:\n    - /srv/one\n    - shared/two\n    - " /srv/one/ "\n    - skills\n    - ""\n    - ./three/../four\n',
  )
  assert.equal(new HermesSkillFolders({}).of(home), ['/srv/one', join(home, 'shared/two'), join(home, 'four')])
})

test('a single folder may stand without a list', () => {
  assert.equal(new HermesSkillFolders({}).of(homeWith('skills: { external_dirs: /srv/one }\n')), ['/srv/one'])
})

test('the home of the user and variables are filled in; one that is not set stays as it is written', () => {
  const braced = ['$', '{TEAM}/c'].join('')
  const home = homeWith(`skills:\n  external_dirs: ["~/a", "~", "$TEAM/b", "${braced}", "/x/$NONE/y", "~other"]\n`)
  const folders = new HermesSkillFolders({ HOME: '/home/dana', TEAM: '/srv/team' }).of(home)
  assert.equal(folders, ['/home/dana/a', '/home/dana', '/srv/team/b', '/srv/team/c', '/x/$NONE/y', join(home, '~other')])
})

test('without settings, or with others in their place, there are none', () => {
  for (const text of [
    undefined,
    '',
    'model: x\n',
    'skills:\n',
    'skills: []\n',
    'skills: { external_dirs: }\n',
    'skills: { external_dirs: 5 }\n',
  ])
    assert.equal(new HermesSkillFolders({}).of(text === undefined ? temporaryFolder() : homeWith(text)), [], text)
})

test('settings that cannot be read are told apart from settings that name none', () => {
  assert.is(new HermesSkillFolders({}).of(homeWith('skills: [\n')), undefined)
  assert.is(new HermesSkillFolders({}).of(homeWith(`# ${'a'.repeat(1024 * 1024)}\n`)), undefined)
  const piped = temporaryFolder()
  execFileSync('mkfifo', [join(piped, 'config.yaml')])
  assert.is(new HermesSkillFolders({}).of(piped), undefined)
})

test('what changes in the file is seen at the next call', () => {
  const home = homeWith('skills: { external_dirs: /srv/one }\n')
  const folders = new HermesSkillFolders({})
  assert.equal(folders.of(home), ['/srv/one'])
  writeFileSync(join(home, 'config.yaml'), 'skills: { external_dirs: /srv/two }\n')
  utimesSync(join(home, 'config.yaml'), 1, 1)
  assert.equal(folders.of(home), ['/srv/two'])
})

function homeWith(config: string): string {
  const home = temporaryFolder()
  writeFileSync(join(home, 'config.yaml'), config)
  return home
}

test.run()
