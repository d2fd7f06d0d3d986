// Row P84: whatever is granted, while the gate enforces nobody reaches what it stands on: not the home, the plugin, the allowlist or the host's
// settings by any spelling, not the program, not the socket. While it observes this is flagged and held against nobody.
// time limit: 300 s
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AttachedHost, readServiceFacts } from '../support/attached-host.js'
import { exportedLines } from '../support/exported-lines.js'
import { briefly, callIn, capabilityDecisions, grantedHome } from '../support/granted-home.js'
import { endServices, startServiceProcess } from '../support/service-process.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('self-protection')
test.after(endServices)

const root = realpathSync(temporaryFolder())
const hermes = join(root, '.hermes')
const home = join(hermes, 'plugin-data', 'stele')
const work = join(root, 'work')
for (const folder of [home, join(hermes, 'plugins', 'stele'), work, join(root, 'stele-notes')])
  mkdirSync(folder, { recursive: true, mode: 0o700 })
writeFileSync(join(hermes, 'config.yaml'), 'model: fake-model\n')
symlinkSync(home, join(work, 'innocent'))
symlinkSync(join(hermes, 'config.yaml'), join(work, 'settings.yaml'))

/** Everything that can be written down. */
const everything = 'version: 1\nskills:\n  "*":\n    tools: ["*"]\n    paths: ["/**"]\n'
const granted = grantedHome({ mode: 'enforce', allowlist: everything, home })
const host = new AttachedHost(home)
let socket = ''

test.before(async () => {
  await startServiceProcess(home)
  await host.attach()
  ;({ socket } = readServiceFacts(home))
})
test.after(() => host.close())

type Call = readonly [tool: string, args: object]
const write = (path: string): Call => ['write_file', { path, content: 'mine' }]
const run = (command: string): Call => ['terminal', { command }]

let calls = 0
async function actionOf([tool, args]: Call): Promise<unknown> {
  calls += 1
  const { directive } = await host.hook(callIn(work, tool, args, { call: `call-${calls}` }))
  return directive?.['action'] ?? 'runs'
}

/** By any spelling, of any of the places. */
const reaching = (): Call[] => [
  write(join(home, 'allowlist.yaml')),
  write(`${hermes}//plugin-data/./stele/config.yaml`),
  write('../.hermes/plugin-data/stele/spool/x.json'),
  write('innocent/checkpoints.txt'),
  write('new/../innocent/allowlist.yaml'),
  write(home),
  write(join(hermes, 'plugins', 'stele', '__init__.py')),
  write(join(hermes, 'config.yaml')),
  write('settings.yaml'),
  write(join(hermes, '.env')),
  ['read_file', { path: join(home, 'key.pem') }],
  ['search_files', { pattern: 'decided', target: 'content', path: hermes }],
  ['patch', { mode: 'patch', patch: `*** Begin Patch\n*** Update File: ${home}/config.yaml\n@@\n-a\n+b\n*** End Patch` }],
  run('stele hook < payload.json'),
  run('echo hello && npx stele policy use all.yaml'),
  run('hermes stele config set capability.mode off'),
  run('node /opt/stele/dist/cli/main.js policy use all.yaml'),
  run(`curl --unix-socket ${socket} http://x/v1/hooks`),
  run(`cat ${home}/service.json`),
  run(`echo all > ${join(home, 'allowlist.yaml')}`),
  run('cp all.yaml innocent/allowlist.yaml'),
  run(`rm -r ${join(root, '.hermes')}`),
  run(`sh -c 'echo x > ${hermes}/config.yaml'`),
]

/** What only looks like it, or speaks of it. */
const harmless = (): Call[] => [
  write(join(root, 'stele-notes', 'today.md')),
  write(join(hermes, 'plugin-data', 'stele2', 'a')),
  write(join(hermes, 'config.yaml.bak')),
  write(join(work, 'allowlist.yaml')),
  ['read_file', { path: join(hermes, 'config.yaml') }],
  run('grep -n stele notes.md'),
  run('echo stele is a slab of stone'),
]

async function actionsOf(of: readonly Call[]): Promise<[string, unknown][]> {
  const actions: [string, unknown][] = []
  for (const call of of) actions.push([JSON.stringify(call), await actionOf(call)])
  return actions
}

test('row P84: while it enforces every way to what the gate stands on is blocked, though everything is granted', async () => {
  const actions = await actionsOf(reaching())
  assert.equal(
    actions.filter(([, action]) => action !== 'block'),
    [],
  )
  const decisions = capabilityDecisions(exportedLines(home)).slice(-actions.length)
  assert.equal(
    decisions.flatMap((decision, at) =>
      briefly(decision) === 'deny self_protected' ? [] : [[briefly(decision), actions[at]?.[0]]],
    ),
    [],
  )
  for (const { data } of decisions) assert.is(data['enforced'], true)
})

test('what only looks like it or speaks of it is left alone', async () => {
  const actions = await actionsOf(harmless())
  assert.equal(
    actions.filter(([, action]) => action !== 'runs'),
    [],
  )
})

test('a block says what would be reached, and that no grant reaches it', async () => {
  const { directive } = await host.hook(callIn(work, ...write('innocent/allowlist.yaml'), { call: 'told' }))
  assert.match(
    String(directive?.['message']),
    /^self_protected: write_file would write `innocent\/allowlist\.yaml` .*, which reaches the (?:home of Stele|allowlist), and no grant reaches that while the gate enforces\. Its owner changes it by hand/,
  )
})

test('row P84: while it observes the same ways are flagged and run', async () => {
  granted.setMode('observe')
  const accepted = granted.owner('config', 'accept')
  assert.is(accepted.status, 0, accepted.stderr)
  const actions = await actionsOf(reaching())
  assert.equal(
    actions.filter(([, action]) => action !== 'runs'),
    [],
  )
  const decisions = capabilityDecisions(exportedLines(home)).slice(-actions.length)
  for (const decision of decisions) assert.equal([briefly(decision), decision.data['enforced']], ['deny self_protected', false])
})

test('the owner’s own way stays: `stele policy use` takes another allowlist into force', () => {
  const file = join(root, 'mine.yaml')
  const text = 'version: 1\nskills: { "*": { tools: [todo] } }\n'
  writeFileSync(file, text)
  const used = granted.owner('policy', 'use', file)
  assert.is(used.status, 0, used.stderr)
  assert.ok(existsSync(join(home, 'allowlist.yaml')))
  assert.is(readFileSync(join(home, 'allowlist.yaml'), 'utf8'), text)
})

test.run()
