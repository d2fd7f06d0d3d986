// Which places no grant reaches: of this home and host, of the program that runs, and where links among them lead.
import { mkdirSync, realpathSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot } from '../../scripts/project-tree.js'
import type { Policy } from '../../src/gates/capability/allowlist.js'
import { decide } from '../../src/gates/capability/decide.js'
import { FileLook } from '../../src/hooks/file-look.js'
import { type ProtectedOptions, protectedPlaces } from '../../src/service/protected-places.js'
import { socketPlace } from '../../src/service/socket-place.js'
import { callOf, policyOf, touching, touchOf } from '../support/capability-calls.js'
import { SleepingDisk } from '../support/sleeping-disk.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('protected-places')

const folder = realpathSync(temporaryFolder())
const program = resolve(projectRoot)
const home = join(folder, 'home')
const options: ProtectedOptions = {
  home,
  hermesHome: join(folder, 'hermes'),
  allowlist: join(folder, 'grants/allowlist.yaml'),
  environment: {},
}

const placesOf = async (more: Partial<ProtectedOptions> = {}): Promise<string[]> =>
  (await protectedPlaces({ ...options, ...more }, new FileLook())).places.map(({ what, path }) => `${what} ${path}`)

test('row P84: the home, the allowlist, the program, the sockets, the plugin and the settings of the host are protected', async () => {
  assert.equal(
    (await placesOf()).sort(),
    [
      `home ${home}`,
      `allowlist ${join(folder, 'grants/allowlist.yaml')}`,
      `program ${program}`,
      `socket ${join(home, 'service.sock')}`,
      `socket ${join(home, 'owner.sock')}`,
      `plugin ${join(folder, 'hermes/plugins/stele')}`,
      `host_settings ${join(folder, 'hermes/config.yaml')}`,
      `host_settings ${join(folder, 'hermes/.env')}`,
      `host_settings ${join(folder, 'hermes/shell-hooks-allowlist.json')}`,
    ].sort(),
  )
})

test('without a home of the host nothing of a host is protected', async () => {
  const places = await placesOf({ hermesHome: undefined })
  assert.equal(
    places.filter((place) => /^(?:plugin|host_settings) /.test(place)),
    [],
  )
  assert.ok(places.includes(`home ${home}`))
})

test('sockets that do not fit into the home are protected with the folder that holds them', async () => {
  const deep = join(folder, 'd'.repeat(120))
  const { service, owner } = socketPlace(deep, {})
  assert.is.not(dirname(service), deep)
  const sockets = (await placesOf({ home: deep })).filter((place) => place.startsWith('socket '))
  assert.equal(sockets.sort(), [`socket ${dirname(service)}`, `socket ${owner}`, `socket ${service}`].sort())
})

test('a place that is a link is protected under both of its names', async () => {
  mkdirSync(join(folder, 'elsewhere'), { recursive: true })
  writeFileSync(join(folder, 'elsewhere/grants.yaml'), 'version: 1\n')
  symlinkSync('elsewhere', join(folder, 'linked'))
  symlinkSync('elsewhere/grants.yaml', join(folder, 'grants.yaml'))
  const places = await placesOf({ home: join(folder, 'linked'), allowlist: join(folder, 'grants.yaml') })
  for (const place of ['home linked', 'home elsewhere', 'allowlist grants.yaml', 'allowlist elsewhere/grants.yaml']) {
    const [what, path = ''] = place.split(' ')
    assert.ok(places.includes(`${what} ${join(folder, path)}`), place)
  }
})

test('the running program is read and not written, whatever is granted', async () => {
  const places = (await protectedPlaces(options, new FileLook())).places.filter(({ what }) => what === 'program')
  const policy = policyOf('version: 1\nskills: { "*": { tools: ["*"], paths: [/**] } }\n', places)
  const file = join(program, 'dist/service/hook-routes.js')
  assert.is(codeOf(policy, file, 'write'), 'self_protected')
  assert.is(codeOf(policy, program, 'write'), 'self_protected')
  assert.is(codeOf(policy, dirname(program), 'write', true), 'self_protected')
  assert.is(codeOf(policy, file, 'read'), 'granted')
  assert.is(codeOf(policy, dirname(program), 'read', true), 'granted')
  assert.is(codeOf(policy, `${program}-of-mine/x`, 'write'), 'granted')
})

test('a look that never ends leaves every place protected under the name that it has', async () => {
  const never = () => new Promise<never>(() => undefined)
  const look = new FileLook({ lstat: never, readlink: never, realpath: never })
  const { places, isLate } = await protectedPlaces(options, look)
  assert.is(isLate, true)
  assert.ok(places.some(({ what, path }) => what === 'home' && path === home))
  assert.is(places.length, 9)
})

test('a place that does not answer is protected where it led before, and one that answers later where it leads then', async () => {
  const linked = join(folder, 'away')
  mkdirSync(join(folder, 'far'), { recursive: true })
  symlinkSync('far', linked)
  const disk = new SleepingDisk(linked)
  const look = new FileLook(disk)
  const led = new Map<string, string>()
  const seen = async () => {
    const { places, isLate } = await protectedPlaces({ ...options, home: linked }, look, led)
    const homes = places.filter(({ what }) => what === 'home').map(({ path }) => path)
    return { homes, isLate }
  }
  disk.sleep()
  assert.equal(await seen(), { homes: [linked], isLate: true })
  await disk.wake()
  assert.equal(await seen(), { homes: [linked, join(folder, 'far')], isLate: false })
  disk.sleep()
  assert.equal(await seen(), { homes: [linked, join(folder, 'far')], isLate: true })
  await disk.wake()
  unlinkSync(linked)
  mkdirSync(linked)
  assert.equal(await seen(), { homes: [linked], isLate: false })
})

function codeOf(policy: Policy, path: string, access: 'read' | 'write', tree = false): string {
  return decide(policy, callOf('any_tool'), touching(touchOf(path, access, { tree }))).code
}

test.run()
