// Holds where the sockets lie to the interfaces page: in the home, or in a private folder elsewhere that nobody else can reach into.
import { chmodSync, chownSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertSafeFolder, knownSocketPlace, makeSocketFolder, socketPlace } from '../../src/service/socket-place.js'
import { throwsWithCode } from '../support/rejects-with-code.js'
import { quietSettings, refusesToStart, withService } from '../support/running-service.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('socket place')

/** A home whose socket would have a path of so many bytes. */
function homeOfSocketBytes(bytes: number, under = '/srv'): string {
  const home = `${under}/`.padEnd(bytes - '/service.sock'.length, 'h')
  assert.is(Buffer.byteLength(join(home, 'service.sock')), bytes)
  return home
}

/** A home too deep for a socket, and a runtime folder for it. */
function deepHome(): { home: string; environment: NodeJS.ProcessEnv; folder: string } {
  const home = join(temporaryFolder(), 'd'.repeat(100), 'home')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const environment = { XDG_RUNTIME_DIR: temporaryFolder() }
  return { home, environment, folder: dirname(socketPlace(home, environment).service) }
}

test('up to 100 bytes the sockets lie in the home', () => {
  for (const home of ['/h', homeOfSocketBytes(100)]) {
    const place = socketPlace(home, { XDG_RUNTIME_DIR: '/run/user/1000' })
    assert.equal(place, { service: join(home, 'service.sock'), owner: join(home, 'owner.sock') })
  }
})

test('beyond that, counted in bytes, both lie in a folder of their own under the runtime directory, or the temporary one', () => {
  for (const home of [homeOfSocketBytes(101), homeOfSocketBytes(3000), `/srv/${'ä'.repeat(50)}`]) {
    const inRuntime = socketPlace(home, { XDG_RUNTIME_DIR: '/run/user/1000' })
    assert.match(inRuntime.service, /^\/run\/user\/1000\/stele-[0-9a-f]{16}\/service\.sock$/)
    assert.is(dirname(inRuntime.owner), dirname(inRuntime.service))
    for (const environment of [{}, { XDG_RUNTIME_DIR: '' }, { XDG_RUNTIME_DIR: `/${'x'.repeat(90)}` }]) {
      const { service } = socketPlace(home, environment)
      assert.not.ok(service.startsWith(home))
      assert.ok(Buffer.byteLength(service) <= 100, service)
      // A folder that all users share: the name must be this user's own.
      assert.ok(dirname(service).endsWith(`-${process.getuid?.() ?? 0}`), service)
    }
  }
})

test('two homes never share a folder, and the same home always has the same', () => {
  const environment = { XDG_RUNTIME_DIR: '/run/user/1000' }
  const places = [homeOfSocketBytes(101), homeOfSocketBytes(102), homeOfSocketBytes(101, '/opt')].map(
    (home) => socketPlace(home, environment).service,
  )
  assert.is(new Set(places).size, 3)
  assert.equal(socketPlace(homeOfSocketBytes(101), environment).service, places[0])
})

test('the folder elsewhere is made for its owner alone, and taken as it is where it was there', () => {
  const { home, environment, folder } = deepHome()
  for (let at = 0; at < 2; at += 1) {
    makeSocketFolder(home, socketPlace(home, environment))
    assert.is(lstatSync(folder).mode & 0o777, 0o700)
    chmodSync(folder, 0o755)
  }
})

test('for sockets in the home no folder is made', () => {
  const home = join(temporaryFolder(), 'not there yet')
  makeSocketFolder(home, socketPlace(home, {}))
  assert.is(lstatSync(home, { throwIfNoEntry: false }), undefined)
})

test('a folder into which others can write, that is a link, or that is none, is refused', () => {
  const folder = join(temporaryFolder(), 'folder')
  mkdirSync(folder)
  chmodSync(folder, 0o700)
  assertSafeFolder(folder)
  for (const mode of [0o755, 0o750, 0o711]) {
    chmodSync(folder, mode)
    assertSafeFolder(folder)
  }
  for (const mode of [0o770, 0o777, 0o720, 0o702, 0o1777]) {
    chmodSync(folder, mode)
    throwsWithCode(() => assertSafeFolder(folder), 'SOCKET_FOLDER_UNSAFE')
  }
  chmodSync(folder, 0o700)
  const link = join(temporaryFolder(), 'link')
  symlinkSync(folder, link)
  throwsWithCode(() => assertSafeFolder(link), 'SOCKET_FOLDER_UNSAFE')
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  throwsWithCode(() => assertSafeFolder(file), 'SOCKET_FOLDER_UNSAFE')
  throwsWithCode(() => assertSafeFolder(join(folder, 'nowhere')), 'SOCKET_FOLDER_UNSAFE')
})

test('a folder of somebody else is refused, unless the home that is spoken about is theirs too', () => {
  let foreign = '/usr'
  let foreignHome = '/usr'
  if (process.getuid?.() === 0) {
    // Root can make some of another user’s.
    foreign = temporaryFolder()
    foreignHome = temporaryFolder()
    for (const folder of [foreign, foreignHome]) chownSync(folder, 54_321, 54_321)
  }
  throwsWithCode(() => assertSafeFolder(foreign), 'SOCKET_FOLDER_UNSAFE')
  throwsWithCode(() => assertSafeFolder(foreign, temporaryFolder()), 'SOCKET_FOLDER_UNSAFE')
  assertSafeFolder(foreign, foreignHome)
})

test('a folder elsewhere that somebody prepared is refused before anything is put into it', () => {
  for (const prepare of [
    (folder: string) => {
      mkdirSync(folder)
      chmodSync(folder, 0o777)
    },
    (folder: string) => symlinkSync(temporaryFolder(), folder),
  ]) {
    const { home, environment, folder } = deepHome()
    prepare(folder)
    throwsWithCode(() => makeSocketFolder(home, socketPlace(home, environment)), 'SOCKET_FOLDER_UNSAFE')
  }
})

test('a service does not start through a prepared folder, and lets the store go', async () => {
  const { home, environment, folder } = deepHome()
  mkdirSync(folder)
  chmodSync(folder, 0o777)
  await refusesToStart({ home, settings: quietSettings, environment }, 'SOCKET_FOLDER_UNSAFE')
  chmodSync(folder, 0o700)
  await withService({ home, environment }, async (running) => {
    assert.is(running.file().socket, join(folder, 'service.sock'))
    assert.is((await running.ask('/v1/status')).status, 200)
    assert.is((await running.askOwner('/v1/owner/config-accept', { body: {} })).status, 400)
  })
})

test('a client looks where service.json says, under whatever environment the service was started, but for no other home', () => {
  const home = homeOfSocketBytes(150)
  const told = socketPlace(home, { XDG_RUNTIME_DIR: '/run/user/1000' })
  assert.equal(knownSocketPlace(home, told.service, {}), told)
  // The service.json of a copied home still names the socket of the home that it was copied from.
  const copy = homeOfSocketBytes(151)
  assert.equal(knownSocketPlace(copy, told.service, {}), socketPlace(copy, {}))
  assert.equal(knownSocketPlace('/copy', '/home/service.sock', {}), socketPlace('/copy', {}))
  for (const nonsense of [undefined, null, '', 7, '/etc/passwd', '../x'])
    assert.equal(knownSocketPlace('/h', nonsense, {}), { service: '/h/service.sock', owner: '/h/owner.sock' })
})

test('a home whose path just fits is served in the home', async () => {
  const folder = temporaryFolder()
  const home = `${folder}/`.padEnd(100 - '/service.sock'.length, 'h')
  await withService({ home, settings: quietSettings }, async (running) => {
    assert.is(running.file().socket, join(home, 'service.sock'))
    assert.is((await running.ask('/v1/status')).status, 200)
  })
})

test.run()
