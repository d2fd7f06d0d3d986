// Holds install, uninstall and status in a Hermes home to their promise: the owner's files to the byte, only our own goes again.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import {
  type HermesSetup,
  hermesHomeFolder,
  installHermesSetup,
  readHermesStatus,
  uninstallHermesSetup,
} from '../../src/service/hermes-setup.js'
import { createHome, findHome } from '../../src/service/open-home.js'
import { hermesConfigCases, replacedConfigCases } from '../support/hermes-configs.js'
import { rejectsWithCode, throwsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('hermes-setup')

const program = 'stele 0.1.0'
const main = '/opt/stele/dist/cli/main.js'
const command = `/usr/bin/node ${main} hook`
const hooks = [
  'pre_llm_call',
  'pre_tool_call',
  'post_tool_call',
  'on_session_start',
  'on_session_end',
  'on_session_finalize',
  'pre_verify',
]
const sharedHome = join(temporaryFolder(), 'home')
const packaged = {
  'plugin.yaml': 'name: stele\nversion: 0.1.0\n',
  '__init__.py': 'def register(ctx): ...\n',
  'deep/part.py': 'x = 1\n',
}
const pluginSource = folderWith({ ...packaged, 'tests/test_part.py': '', '__pycache__/part.pyc': '', '.hidden': '' })

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

/** A Hermes home with these files. The ledger's home is made once for all. */
function setupWith(files: Readonly<Record<string, string>>, more: Partial<HermesSetup> = {}): HermesSetup {
  return {
    hermesHome: folderWith(files),
    home: findHome(sharedHome),
    program,
    pluginSource,
    command: ['/usr/bin/node', main],
    ...more,
  }
}

function configOf({ hermesHome }: HermesSetup): string {
  return readFileSync(join(hermesHome, 'config.yaml'), 'utf8')
}

function backupsIn({ hermesHome }: HermesSetup): string[] {
  return readdirSync(hermesHome).filter((name) => name.startsWith('config.yaml.'))
}

/** Every file below a folder, with its content; a link with where it leads. */
function tree(folder: string, inside = ''): Record<string, string> {
  return Object.fromEntries(
    readdirSync(join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
      const path = join(inside, entry.name)
      if (entry.isDirectory()) return Object.entries(tree(folder, path))
      return [[path, entry.isSymbolicLink() ? readlinkSync(join(folder, path)) : readFileSync(join(folder, path), 'utf8')]]
    }),
  )
}

test('the Hermes home is the option, else the variable, else the usual folder', () => {
  assert.is(hermesHomeFolder('/a', { HERMES_HOME: '/b' }), '/a')
  assert.is(hermesHomeFolder(undefined, { HERMES_HOME: '/b' }), '/b')
  assert.match(hermesHomeFolder(undefined, { HERMES_HOME: '' }), /\/\.hermes$/)
})

for (const { name, before, enabled } of [...hermesConfigCases, ...replacedConfigCases]) {
  test(`${name}: installing twice is installing once, the backup is the original, and uninstalling gives it back`, async () => {
    const setup = setupWith({ 'config.yaml': before })
    const first = await installHermesSetup(setup, 'plugin')
    assert.is(configOf(setup), enabled)
    assert.is(first.backup, join(setup.hermesHome, backupsIn(setup)[0] ?? ''))
    assert.is(readFileSync(first.backup ?? '', 'utf8'), before)
    const again = await installHermesSetup(setup, 'plugin')
    assert.equal([again.configChanged, again.backup, again.plugin], [false, undefined, 'same'])
    assert.is(configOf(setup), enabled)
    assert.is(backupsIn(setup).length, 1)
    uninstallHermesSetup(setup)
    assert.is(configOf(setup), before)
  })
}

// The edits themselves are tried on every text by hermes-config.test.ts.
for (const { name, before } of [...hermesConfigCases, ...replacedConfigCases].filter((_, at) => at % 4 === 1)) {
  test(`${name}: shell hooks go in once and out again`, async () => {
    const setup = setupWith({ 'config.yaml': before })
    await installHermesSetup(setup, 'shell')
    const installed = configOf(setup)
    const found: unknown = parse(installed, { version: '1.1' }).hooks
    assert.equal(found, Object.fromEntries(hooks.map((hook) => [hook, [{ command, timeout: 10 }]])))
    assert.is((await installHermesSetup(setup, 'shell')).configChanged, false)
    assert.is(configOf(setup), installed)
    assert.is(uninstallHermesSetup(setup).hooksRemoved, 7)
    assert.is(configOf(setup), before)
  })
}

test('the plugin is copied without tests, caches, hidden files and links, readable for Hermes, with the way to start the service', async () => {
  symlinkSync('/etc/hostname', join(pluginSource, 'link.py'))
  const setup = setupWith({ 'config.yaml': 'a: 1\n', 'plugins/other/plugin.yaml': 'name: other\n' })
  const { plugin, pluginFolder } = await installHermesSetup(setup, 'plugin')
  assert.is(plugin, 'copied')
  const stele = `${JSON.stringify({ command: ['/usr/bin/node', main] }, null, 2)}\n`
  assert.equal(tree(pluginFolder), { ...packaged, 'stele.json': stele })
  for (const path of Object.keys(packaged)) assert.is(statSync(join(pluginFolder, path)).mode & 0o777, 0o644)
  assert.is(statSync(pluginFolder).mode & 0o777, 0o755)
  assert.equal(readdirSync(join(setup.hermesHome, 'plugins')).sort(), ['other', 'stele'])
})

test('a former copy is replaced as a whole, and what Python left in an equal one is no difference', async () => {
  const setup = setupWith({ 'plugins/stele/plugin.yaml': 'name: stele\nversion: 0.0.9\n', 'plugins/stele/gone.py': '' })
  assert.is(readHermesStatus(setup).plugin.state, 'differs')
  assert.is(readHermesStatus(setup).plugin.version, '0.0.9')
  const { plugin, pluginFolder } = await installHermesSetup(setup, 'plugin')
  assert.is(plugin, 'replaced')
  assert.equal(Object.keys(tree(pluginFolder)).sort(), [...Object.keys(packaged), 'stele.json'].sort())
  mkdirSync(join(pluginFolder, '__pycache__'))
  writeFileSync(join(pluginFolder, '__pycache__/x.pyc'), '')
  assert.is((await installHermesSetup(setup, 'plugin')).plugin, 'same')
  writeFileSync(join(pluginFolder, 'deep/part.py'), 'x = 2\n')
  assert.is((await installHermesSetup(setup, 'plugin')).plugin, 'replaced')
  assert.is(tree(pluginFolder)['deep/part.py'], 'x = 1\n')
})

test('what lies in the place of the plugin and is not ours stays, and nothing else is done', async () => {
  const foreign: Readonly<Record<string, string>>[] = [
    { 'plugins/stele/plugin.yaml': 'name: other\n' },
    { 'plugins/stele/notes.txt': 'mine' },
    { 'plugins/stele': 'a file' },
  ]
  for (const files of foreign) {
    const setup = setupWith({ 'config.yaml': 'a: 1\n', ...files })
    const before = tree(setup.hermesHome)
    const { kind } = await rejectsWithCode(installHermesSetup(setup, 'plugin'), 'HERMES_PLUGIN_FOREIGN')
    assert.is(kind, 'refused')
    assert.is(uninstallHermesSetup(setup).plugin, 'foreign')
    assert.equal(tree(setup.hermesHome), before)
  }
})

test('a plugin that its owner disabled is not enabled behind their back', async () => {
  const setup = setupWith({ 'config.yaml': 'plugins:\n  disabled:\n    - stele\n' })
  const before = tree(setup.hermesHome)
  await rejectsWithCode(installHermesSetup(setup, 'plugin'), 'HERMES_PLUGIN_DISABLED')
  assert.equal(tree(setup.hermesHome), before)
  assert.is(readHermesStatus(setup).plugin.enabled, 'disabled')
})

test('settings that cannot be read or edited are refused before anything is touched', async () => {
  const refused = [
    ['a: 1\n---\nb: 2\n', 'HERMES_CONFIG_UNREADABLE', 2],
    ['a: [\n', 'HERMES_CONFIG_UNREADABLE', 2],
    ['plugins: []\nhooks: []\n', 'HERMES_CONFIG_UNFIT', 1],
  ] as const
  for (const [text, code, line] of refused) {
    for (const way of ['plugin', 'shell'] as const) {
      const setup = setupWith({ 'config.yaml': text }, { home: findHome(join(temporaryFolder(), 'none')) })
      const before = tree(setup.hermesHome)
      const { details } = await rejectsWithCode(installHermesSetup(setup, way), code)
      assert.is(details['line'], code === 'HERMES_CONFIG_UNFIT' && way === 'shell' ? 2 : line)
      assert.equal(tree(setup.hermesHome), before)
      assert.not.ok(existsSync(setup.home.files.home))
    }
  }
  const latin = setupWith({})
  writeFileSync(join(latin.hermesHome, 'config.yaml'), Buffer.from('a: 1\nname: J\xf6rg\n', 'latin1'))
  const { details } = await rejectsWithCode(installHermesSetup(latin, 'plugin'), 'HERMES_CONFIG_UNREADABLE')
  assert.equal(details, { line: 2, reason: 'not UTF-8' })
  throwsWithCode(() => uninstallHermesSetup(latin), 'HERMES_CONFIG_UNREADABLE')
})

test('a folder that is no Hermes home is not made into one', async () => {
  const setup = setupWith({}, { hermesHome: join(temporaryFolder(), 'none') })
  await rejectsWithCode(installHermesSetup(setup, 'plugin'), 'HERMES_HOME_MISSING')
  throwsWithCode(() => uninstallHermesSetup(setup), 'HERMES_HOME_MISSING')
  throwsWithCode(() => readHermesStatus(setup), 'HERMES_HOME_MISSING')
  assert.not.ok(existsSync(setup.hermesHome))
  const inFile = setupWith({}, { hermesHome: join(pluginSource, 'plugin.yaml', 'none') })
  throwsWithCode(() => readHermesStatus(inFile), 'HERMES_HOME_MISSING')
  const withFile = setupWith({ plugins: 'a file' })
  await rejectsWithCode(installHermesSetup(withFile, 'plugin'), 'FILE_UNREADABLE')
})

test('a package without the plugin is told, and nothing is touched', async () => {
  const setup = setupWith({ 'config.yaml': '' }, { pluginSource: temporaryFolder() })
  await rejectsWithCode(installHermesSetup(setup, 'plugin'), 'FILE_UNREADABLE')
  assert.equal(tree(setup.hermesHome), { 'config.yaml': '' })
})

test('without a config.yaml one is made, and goes again where nothing else came into it', async () => {
  for (const way of ['plugin', 'shell'] as const) {
    const setup = setupWith({})
    const { backup, configChanged } = await installHermesSetup(setup, way)
    assert.equal([backup, configChanged], [undefined, true])
    assert.is(statSync(join(setup.hermesHome, 'config.yaml')).mode & 0o777, 0o600)
    assert.is(uninstallHermesSetup(setup).configRemoved, true)
    assert.not.ok(existsSync(join(setup.hermesHome, 'config.yaml')))
  }
  const setup = setupWith({})
  await installHermesSetup(setup, 'plugin')
  writeFileSync(join(setup.hermesHome, 'config.yaml'), `${configOf(setup)}model: m\n`)
  assert.is(uninstallHermesSetup(setup).configRemoved, false)
  assert.equal(parse(configOf(setup)), { model: 'm' })
})

test('a linked config.yaml stays a link, and the file behind it keeps its mode', async () => {
  const setup = setupWith({ 'dotfiles/hermes.yaml': 'a: 1\n' })
  const target = join(setup.hermesHome, 'dotfiles/hermes.yaml')
  chmodSync(target, 0o640)
  symlinkSync('dotfiles/hermes.yaml', join(setup.hermesHome, 'config.yaml'))
  const { backup = '' } = await installHermesSetup(setup, 'plugin')
  assert.ok(lstatSync(join(setup.hermesHome, 'config.yaml')).isSymbolicLink())
  assert.is(readFileSync(target, 'utf8'), 'a: 1\nplugins:\n  enabled:\n    - stele\n')
  assert.is(statSync(target).mode & 0o777, 0o640)
  assert.is(statSync(backup).mode & 0o777, 0o640)
  assert.equal(readdirSync(join(setup.hermesHome, 'dotfiles')), ['hermes.yaml'])
  uninstallHermesSetup(setup)
  assert.is(readFileSync(target, 'utf8'), 'a: 1\n')
})

test('a link that leads nowhere is told, and not followed', async () => {
  const setup = setupWith({})
  symlinkSync('gone.yaml', join(setup.hermesHome, 'config.yaml'))
  await rejectsWithCode(installHermesSetup(setup, 'plugin'), 'FILE_UNREADABLE')
})

test('what the owner changes between install and uninstall stays, and lists that were made go', async () => {
  const setup = setupWith({ 'config.yaml': 'model: m # one\n' })
  await installHermesSetup(setup, 'plugin')
  const edited = configOf(setup).replace('m # one', 'n # two').concat('memory: {} # new\n')
  writeFileSync(join(setup.hermesHome, 'config.yaml'), edited)
  uninstallHermesSetup(setup)
  assert.is(configOf(setup), 'model: n # two\nmemory: {} # new\n')
})

test("a list that may have been the owner's stays where no backup can tell", async () => {
  const setup = setupWith({ 'config.yaml': 'plugins:\n  enabled:\n    - stele\n' })
  uninstallHermesSetup(setup)
  assert.is(configOf(setup), 'plugins:\n  enabled: []\n')
})

test('hooks of the owner stay when ours go, also where they came later', async () => {
  const before = 'hooks:\n  pre_tool_call:\n    - command: ~/bin/mine # first\n'
  const setup = setupWith({ 'config.yaml': before })
  await installHermesSetup(setup, 'shell')
  const installed = configOf(setup)
  assert.equal(parse(installed).hooks.pre_tool_call, [{ command: '~/bin/mine' }, { command, timeout: 10 }])
  const later = installed.replace('  post_tool_call:\n', '  post_tool_call:\n    - command: ~/bin/later\n')
  writeFileSync(join(setup.hermesHome, 'config.yaml'), later)
  uninstallHermesSetup(setup)
  assert.is(configOf(setup), `${before}  post_tool_call:\n    - command: ~/bin/later\n`)
})

test('an entry of a Stele that has moved gets the new command and keeps what the owner set in it', async () => {
  const setup = setupWith({
    'config.yaml':
      'hooks:\n  pre_tool_call:\n    - command: /old/node /old/lib/stele/dist/cli/main.js hook\n      timeout: 25 # mine\n      fail_closed: true\n',
  })
  assert.is(readHermesStatus(setup).shell.outdated, 1)
  await installHermesSetup(setup, 'shell')
  assert.equal(parse(configOf(setup)).hooks.pre_tool_call, [{ command, timeout: 25, fail_closed: true }])
  assert.ok(configOf(setup).includes('timeout: 25 # mine\n'))
  assert.equal([readHermesStatus(setup).shell.outdated, readHermesStatus(setup).shell.hooks], [0, 7])
})

test('a command with blanks and quotes in its paths is quoted for a tokeniser', async () => {
  const setup = setupWith({ 'config.yaml': '' }, { command: ['/my node/node', "/it's/main.js"] })
  await installHermesSetup(setup, 'shell')
  assert.is(parse(configOf(setup)).hooks.pre_verify[0].command, `'/my node/node' '/it'"'"'s/main.js' hook`)
  assert.is(readHermesStatus(setup).shell.hooks, 7)
  uninstallHermesSetup(setup)
  assert.is(configOf(setup), '')
})

test('one way takes the place of the other: both would record everything twice', async () => {
  const setup = setupWith({ 'config.yaml': 'a: 1\n' })
  await installHermesSetup(setup, 'plugin')
  assert.is((await installHermesSetup(setup, 'shell')).tookOut, 'plugin')
  const asShell = readHermesStatus(setup)
  assert.equal([asShell.plugin.state, asShell.plugin.enabled, asShell.shell.hooks], ['absent', 'no', 7])
  assert.is((await installHermesSetup(setup, 'plugin')).tookOut, 'shell')
  const asPlugin = readHermesStatus(setup)
  assert.equal([asPlugin.plugin.state, asPlugin.plugin.enabled, asPlugin.shell.hooks], ['same', 'yes', 0])
  assert.is(configOf(setup), 'a: 1\nplugins:\n  enabled:\n    - stele\n')
  uninstallHermesSetup(setup)
  assert.is(configOf(setup), 'a: 1\n')
})

test('at most five backups are kept: the first and the newest', async () => {
  const setup = setupWith({ 'config.yaml': 'step: 0\n' })
  for (let step = 1; step <= 8; step++) {
    await installHermesSetup(setup, 'plugin')
    uninstallHermesSetup(setup)
    writeFileSync(join(setup.hermesHome, 'config.yaml'), `step: ${step}\n`)
  }
  const texts = backupsIn(setup)
    .sort()
    .map((name) => readFileSync(join(setup.hermesHome, name), 'utf8'))
  assert.is(texts.length, 5)
  assert.is(texts[0], 'step: 0\n')
  assert.is(texts[4], 'step: 7\nplugins:\n  enabled:\n    - stele\n')
})

test('consent to shell hooks is read and never written', async () => {
  const consents = JSON.stringify({
    approvals: [
      { event: 'pre_tool_call', command },
      { event: 'pre_llm_call', command: 'other' },
      { event: 'strange', command },
    ],
  })
  const setup = setupWith({ 'config.yaml': '', 'shell-hooks-allowlist.json': consents })
  assert.is((await installHermesSetup(setup, 'shell')).shell.accepted, 1)
  assert.is(uninstallHermesSetup(setup).consents, 1)
  assert.is(readFileSync(join(setup.hermesHome, 'shell-hooks-allowlist.json'), 'utf8'), consents)
  const fresh = setupWith({ 'config.yaml': '' })
  await installHermesSetup(fresh, 'shell')
  assert.not.ok(existsSync(join(fresh.hermesHome, 'shell-hooks-allowlist.json')))
})

test('a home that a running service holds is fine as it is', async () => {
  const { ledger } = await createHome(findHome(sharedHome), program)
  try {
    const setup = setupWith({ 'config.yaml': '' })
    assert.is((await installHermesSetup(setup, 'plugin')).homeCreated, false)
    assert.is(readHermesStatus(setup).home.made, true)
  } finally {
    await ledger.close()
  }
})

test('nothing else in the Hermes home is touched, and the ledger stays', async () => {
  const setup = setupWith({
    'config.yaml': 'a: 1\n',
    '.env': 'KEY=1\n',
    'plugins/other/plugin.yaml': 'name: other\n',
    'gateway.pid': '1',
  })
  const before = tree(setup.hermesHome)
  const ledgerHome = findHome(join(setup.hermesHome, 'plugin-data/stele'))
  const { homeCreated } = await installHermesSetup({ ...setup, home: ledgerHome }, 'plugin')
  assert.is(homeCreated, true)
  uninstallHermesSetup({ ...setup, home: ledgerHome })
  assert.ok(existsSync(ledgerHome.files.store))
  renameSync(join(setup.hermesHome, 'plugin-data'), join(temporaryFolder(), 'kept'))
  const after = tree(setup.hermesHome)
  for (const name of backupsIn(setup)) delete after[name]
  assert.equal(after, before)
})

test.run()
