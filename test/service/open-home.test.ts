// Holds the finding of a home, of the Hermes home it belongs to, and of its settings to the interfaces page.
import { mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { homeFolder } from '../../src/service/home-folder.js'
import { findHome } from '../../src/service/open-home.js'
import { throwsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('open home')

test('the home is the one asked for, else that of the environment, else in the Hermes home', () => {
  const environment = { STELE_HOME: '/stele', HERMES_HOME: '/hermes' }
  assert.is(homeFolder('/asked', environment), '/asked')
  assert.is(homeFolder(undefined, environment), '/stele')
  assert.is(homeFolder(undefined, { ...environment, STELE_HOME: '' }), '/hermes/plugin-data/stele')
  assert.is(homeFolder(undefined, {}), join(homedir(), '.hermes/plugin-data/stele'))
})

test('a home in a Hermes home belongs to that one, whatever the environment says', () => {
  const hermesHome = temporaryFolder()
  const folder = join(hermesHome, 'plugin-data', 'stele')
  for (const spelled of [folder, `${folder}/`, join(hermesHome, 'plugin-data', 'x', '..', 'stele')])
    for (const environment of [{}, { HERMES_HOME: '/elsewhere' }])
      assert.is(findHome(spelled, environment).places.hermesHome, hermesHome, spelled)
})

test('any other home belongs to the Hermes home of the environment, or to none', () => {
  const other = temporaryFolder()
  for (const folder of [
    join(other, 'stele'),
    join(other, 'plugin-data', 'stele-2'),
    join(other, 'plugin-data', 'stele', 'copy'),
  ]) {
    assert.is(findHome(folder, { HERMES_HOME: other }).places.hermesHome, other, folder)
    assert.is(findHome(folder, { HERMES_HOME: '' }).places.hermesHome, undefined, folder)
    assert.is(findHome(folder, {}).places.hermesHome, undefined, folder)
  }
})

test('the settings of a home come from its own file, from its Hermes home and from the environment handed in', () => {
  const hermesHome = temporaryFolder()
  const folder = join(hermesHome, 'plugin-data', 'stele')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'config.yaml'), 'checkpoint:\n  anchor: none\nreload: auto\n')
  writeFileSync(join(hermesHome, '.env'), 'STELE_RELOAD=owner\nPROVENANCE_GATE_MODE=block\n')
  writeFileSync(
    join(hermesHome, 'config.yaml'),
    'plugins:\n  entries:\n    stele:\n      settings: { limits: { gapSeconds: 1 } }\n',
  )
  const { config, from, files } = findHome(folder, { STELE_LIMITS_SPOOL_WAIT_SECONDS: '2' })
  assert.is(files.home, folder)
  assert.equal(
    [config.checkpoint.anchor, config.reload, config.provenance.mode, config.limits.gapSeconds, config.limits.spoolWaitSeconds],
    ['none', 'owner', 'block', 1, 2],
  )
  assert.equal(
    ['checkpoint.anchor', 'reload', 'limits.gapSeconds', 'limits.spoolWaitSeconds', 'capability.mode'].map((key) => from[key]),
    ['config.yaml', '.env STELE_RELOAD', 'Hermes config.yaml', 'environment STELE_LIMITS_SPOOL_WAIT_SECONDS', 'default'],
  )
  throwsWithCode(() => findHome(folder, { STELE_RELOAD: 'never' }), 'CONFIG_INVALID')
})

test.run()
