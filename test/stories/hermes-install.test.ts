// The way into Hermes and out again, as an owner walks it: install, look, install again, take out.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { json, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('hermes install')

const settings = '# my agent\nmodel:\n  default: m   # the big one\n\nplugins:\n    enabled: [ other ]   # mine\n'

interface Status {
  readonly plugin: { readonly state: string; readonly version: string | null; readonly enabled: string; readonly folder: string }
  readonly shell: { readonly hooks: number; readonly of: number; readonly accepted: number }
  readonly home: { readonly folder: string; readonly made: boolean }
}

function newHermesHome(): { hermesHome: string; config: string; env: NodeJS.ProcessEnv } {
  const hermesHome = join(temporaryFolder(), 'hermes')
  mkdirSync(hermesHome)
  const config = join(hermesHome, 'config.yaml')
  writeFileSync(config, settings)
  return { hermesHome, config, env: { HERMES_HOME: hermesHome, STELE_HOME: '' } }
}

function statusOf(env: NodeJS.ProcessEnv): Status {
  const ran = stele(['hermes', 'status', '--json'], { env })
  assert.is(ran.status, 0, ran.stderr)
  return json<Status>(ran)
}

test('row P11: the plugin is installed, enabled and checked, twice is once, and uninstalling removes only its own', () => {
  const { hermesHome, config, env } = newHermesHome()
  assert.equal([statusOf(env).plugin.state, statusOf(env).home.made], ['absent', false])
  const installed = stele(['hermes', 'install'], { env })
  assert.is(installed.status, 0, installed.stderr)
  const enabled = settings.replace('[ other ]', '[ other, stele ]')
  assert.is(readFileSync(config, 'utf8'), enabled)
  const [backup = ''] = readdirSync(hermesHome).filter((name) => name.startsWith('config.yaml.stele-backup-'))
  assert.is(readFileSync(join(hermesHome, backup), 'utf8'), settings)
  assert.ok(installed.stdout.includes(join(hermesHome, backup)), 'says where the backup lies')
  const { plugin, home } = statusOf(env)
  assert.equal([plugin.state, plugin.enabled], ['same', 'yes'])
  assert.equal(home, { folder: join(hermesHome, 'plugin-data/stele'), made: true })
  const { command } = JSON.parse(readFileSync(join(plugin.folder, 'stele.json'), 'utf8')) as { command: string[] }
  assert.is(command[0], process.execPath)
  assert.match(command[1] ?? '', /\/dist\/cli\/main\.js$/)
  assert.ok(existsSync(command[1] ?? ''), 'the program that the plugin starts is there')

  const again = stele(['hermes', 'install', '--plugin', '--json'], { env })
  assert.equal(
    [json<{ configChanged: boolean; backup: null }>(again).configChanged, json<{ plugin: string }>(again).plugin],
    [false, 'same'],
  )
  assert.is(readFileSync(config, 'utf8'), enabled)

  assert.is(stele(['hermes', 'uninstall'], { env }).status, 0)
  assert.is(readFileSync(config, 'utf8'), settings)
  assert.not.ok(existsSync(plugin.folder))
  assert.is(stele(['verify'], { env }).status, 0, 'the ledger stays')
  assert.match(stele(['hermes', 'uninstall'], { env }).stdout, /Nothing of Stele was in/)
})

test('row J8: other settings stay to the byte, and gateways are left to their owner', () => {
  const { hermesHome, config, env } = newHermesHome()
  writeFileSync(join(hermesHome, 'gateway.pid'), '1')
  const { stdout } = stele(['hermes', 'install'], { env })
  assert.is(readFileSync(config, 'utf8').replace(', stele', ''), settings)
  assert.match(stdout, /gateways that are running are not restarted/)
  assert.is(readFileSync(join(hermesHome, 'gateway.pid'), 'utf8'), '1')
})

test('shell hooks are put in with the words that Hermes will ask, and record what it sends', () => {
  const { config, env } = newHermesHome()
  const { stdout, status } = stele(['hermes', 'install', '--shell'], { env })
  assert.is(status, 0)
  const { command } = parse(readFileSync(config, 'utf8')).hooks.pre_tool_call[0] as { command: string }
  for (const words of [command, '--accept-hooks', 'HERMES_ACCEPT_HOOKS=1', 'fail_closed'])
    assert.ok(stdout.includes(words), words)
  assert.equal(statusOf(env).shell.hooks, 7)
  assert.match(command, / hook$/)
  stele(['hermes', 'uninstall'], { env })
  assert.is(readFileSync(config, 'utf8'), settings)
})

test('a home elsewhere is named, with what Hermes needs to find it', () => {
  const { hermesHome, env } = newHermesHome()
  const home = join(temporaryFolder(), 'ledger')
  const { stdout } = stele(['hermes', 'install', '--home', home, '--hermes-home', hermesHome], {
    env: { ...env, HERMES_HOME: '/nowhere' },
  })
  assert.ok(stdout.includes(`STELE_HOME=${home}`))
  assert.ok(existsSync(join(home, 'store')))
})

test('what cannot be done is told with what to do, and both ways at once are no choice', () => {
  const { hermesHome, config, env } = newHermesHome()
  writeFileSync(config, 'plugins:\n  disabled: [stele]\n')
  const disabled = stele(['hermes', 'install'], { env })
  assert.is(disabled.status, 3)
  assert.match(disabled.stderr, /^stele: HERMES_PLUGIN_DISABLED: .*take stele out of that list/)
  assert.is(stele(['hermes', 'install', '--plugin', '--shell'], { env }).status, 2)
  assert.is(stele(['hermes', 'status', '--hermes-home', join(hermesHome, 'none')], { env }).status, 2)
})

test.run()
