// `npm run demo` shows what it says, and touches nothing that the settings of whoever runs it name.
// time limit: 180 s
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('demo')

test('the demo runs beside the settings of its owner, and leaves their mirrors, home and Hermes home as they were', () => {
  const folder = temporaryFolder()
  const mirrors = { STELE_HIGH_WATER_MIRROR: join(folder, 'mark.json'), STELE_CHECKPOINT_MIRROR: join(folder, 'checkpoints.txt') }
  for (const file of Object.values(mirrors)) writeFileSync(file, 'the owner’s\n')
  const hermes = join(folder, 'hermes')
  mkdirSync(hermes)
  // A setting that nobody knows ends every command that reads it.
  writeFileSync(join(hermes, '.env'), 'STELE_NO_SUCH_KEY=1\n')
  const env = {
    ...process.env,
    ...mirrors,
    TMPDIR: folder,
    HERMES_HOME: hermes,
    STELE_HOME: join(folder, 'home'),
    STELE_PROVENANCE_MODE: 'block',
    STELE_CAPABILITY_MODE: 'enforce',
    STELE_CHECKPOINT_ANCHOR: 'syslog',
    PROVENANCE_GATE_MODE: 'nonsense',
  }
  const demo = fileURLToPath(new URL('../../scripts/demo.mjs', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [demo], { encoding: 'utf8', env })
  assert.is(status, 0, stderr)
  assert.match(stdout, /The key was pinned/)
  for (const file of Object.values(mirrors)) assert.is(readFileSync(file, 'utf8'), 'the owner’s\n')
  assert.equal(readdirSync(folder).sort(), ['checkpoints.txt', 'hermes', 'mark.json'])
  assert.equal(readdirSync(hermes), ['.env'])
})

test.run()
