// Holds `stele config` to its job: every key with its value and its place, for a person and for a machine.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { configCommand } from '../../src/cli/config.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('stele config')

const hermesHome = temporaryFolder()
const home = join(hermesHome, 'plugin-data', 'stele')
mkdirSync(home, { recursive: true })
writeFileSync(join(home, 'config.yaml'), 'checkpoint:\n  anchor: none\nservice:\n  idleExitMinutes: 60\n')
writeFileSync(join(hermesHome, '.env'), 'TOKEN=hunter2-secret\nPROVENANCE_GATE_MODE=block\n')

interface Told {
  readonly settings: readonly {
    readonly key: string
    readonly value: string | number | boolean | null
    readonly from: string
    readonly file: string | null
  }[]
  readonly files: readonly string[]
}

async function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const write = process.stdout.write
  let printed = ''
  process.stdout.write = (text: string | Uint8Array) => {
    printed += String(text)
    return true
  }
  Object.assign(process.env, environment)
  try {
    await configCommand().parseAsync(['--home', home, ...words], { from: 'user' })
  } finally {
    process.stdout.write = write
    for (const name of Object.keys(environment)) delete process.env[name]
  }
  return printed
}

test('for a machine it is one JSON value: each key with its value, its place and the file', async () => {
  const { settings, files } = JSON.parse(await run(['--json'], { STELE_CAPABILITY_MODE: 'enforce' })) as Told
  const told = (key: string) => settings.find((setting) => setting.key === key)
  assert.is(settings.length, 28 + 36)
  for (const expected of [
    { key: 'provenance.mode', value: 'block', from: '.env PROVENANCE_GATE_MODE', file: join(hermesHome, '.env') },
    { key: 'capability.mode', value: 'enforce', from: 'environment STELE_CAPABILITY_MODE', file: null },
    { key: 'service.idleExitMinutes', value: 60, from: 'config.yaml', file: join(home, 'config.yaml') },
    { key: 'service.listen', value: '127.0.0.1:0', from: 'default', file: null },
  ])
    assert.equal(told(expected.key), expected)
  assert.equal(files, [join(hermesHome, '.env'), join(hermesHome, 'config.yaml'), join(home, 'config.yaml')])
})

test('for a person it is a line for each key, and the files in their order', async () => {
  const lines = (await run([])).split('\n')
  assert.ok(lines.some((line) => /^provenance\.mode +block +\.env PROVENANCE_GATE_MODE$/.test(line)))
  assert.ok(lines.some((line) => /^checkpoint\.anchor +none +config\.yaml$/.test(line)))
  assert.ok(lines.some((line) => /^reload +owner +default$/.test(line)))
  assert.ok(lines.some((line) => /^highWater\.mirror +none +default$/.test(line)))
  const files = lines.filter((line) => line.startsWith('  '))
  assert.equal(files, [
    `  ${join(hermesHome, '.env')}`,
    `  ${join(hermesHome, 'config.yaml')} (not there)`,
    `  ${join(home, 'config.yaml')}`,
  ])
})

test('quiet leaves the files out', async () => {
  const lines = (await run(['--quiet'])).trimEnd().split('\n')
  // A line for each key, and one for the key of the decision model.
  assert.is(lines.length, 28 + 36 + 1)
})

test('settings of the jev-router plugin that switch nothing on, and a name there that is not known, are named', async () => {
  const file = join(hermesHome, 'config.yaml')
  writeFileSync(file, 'plugins:\n  entries:\n    jev-router:\n      settings:\n        mode: enforce\n        colour: hunter2\n')
  try {
    const printed = await run([])
    assert.match(printed, /settings\.colour in Hermes config\.yaml, line 6, is no setting that Stele knows/)
    assert.match(printed, /jev-router\.settings in Hermes config\.yaml, line 4, does not say enabled: true/)
    assert.match(printed, /jev\.mode +enforce +Hermes config\.yaml plugins\.entries\.jev-router\.settings\.mode/)
    assert.not.match(printed, 'hunter2')
    assert.is((JSON.parse(await run(['--json'])) as { notes: unknown[] }).notes.length, 2)
  } finally {
    rmSync(file)
  }
})

test('nothing of the other variables of the .env file is shown', async () => {
  for (const words of [[], ['--json']]) assert.not.match(await run(words), 'hunter2')
})

test('settings with a mistake are an error and no settings', async () => {
  await rejectsWithCode(run([], { STELE_CAPABILITY_MODE: 'never' }), 'CONFIG_INVALID')
  await rejectsWithCode(run([], { STELE_CAPABILTY_MODE: 'off' }), 'CONFIG_INVALID')
})

test.run()
