// Holds what is worked out of a call to real files: its paths, those of its commands from where they would run, and what cannot be read.
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type AccessWorld, proposedAccess } from '../../src/hooks/access-about.js'
import { FileLook } from '../../src/hooks/file-look.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('access-about')

const folder = realpathSync(temporaryFolder())
mkdirSync(join(folder, 'sub'))
writeFileSync(join(folder, 'a.txt'), 'a')
symlinkSync('/etc/passwd', join(folder, 'sub', 'link'))
const world: AccessWorld = { style: 'posix', cwd: folder, home: folder, look: new FileLook() }

const run = (command: unknown, more: Partial<AccessWorld> = {}, args: object = {}) =>
  proposedAccess({ tool: 'terminal', args: { command, ...args } }, { ...world, ...more })

test('a file tool touches the path that it names, where it leads', async () => {
  assert.equal(await proposedAccess({ tool: 'read_file', args: { path: 'sub/link' } }, world), {
    touches: [{ asked: 'sub/link', access: 'read', tree: false, typed: join(folder, 'sub', 'link'), resolved: '/etc/passwd' }],
    commands: [],
  })
})

test('a command has its words, and its operands the places that they would be as paths', async () => {
  const { touches, commands, unread } = await run('cat -n a.txt -- -x $Y > out.txt')
  assert.is(unread, undefined)
  assert.equal(
    touches.map(({ asked, access, resolved }) => [asked, access, resolved]),
    [['out.txt', 'write', join(folder, 'out.txt')]],
  )
  assert.equal(
    commands[0]?.operands.map(({ text, path, variable }) => [text, path?.resolved, variable]),
    [
      ['-n', undefined, undefined],
      ['a.txt', join(folder, 'a.txt'), undefined],
      ['--', undefined, undefined],
      ['-x', join(folder, '-x'), undefined],
      ['$Y', undefined, 'Y'],
    ],
  )
})

test('what stands behind a cd is looked for where that leads, and nowhere once nobody can say', async () => {
  const placeOf = async (line: string, more: Partial<AccessWorld> = {}, args: object = {}) => {
    const { commands } = await run(line, more, args)
    return commands.at(-1)?.operands[0]?.path?.resolved
  }
  assert.is(await placeOf('cd sub && cat link'), '/etc/passwd')
  assert.is(await placeOf('cd $X && cat link'), null)
  assert.is(await placeOf('cat link', {}, { workdir: 'sub' }), '/etc/passwd')
  assert.is(await placeOf('cat link', { cwd: null }), null)
})

test('on another machine paths are known by spelling alone', async () => {
  const { touches, commands } = await run('cat sub/link > out.txt', { isRemote: true })
  for (const place of [touches[0], commands[0]?.operands[0]?.path])
    assert.equal([place?.resolved, place?.problem], [null, 'unresolved'])
  assert.is(commands[0]?.operands[0]?.path?.typed, join(folder, 'sub', 'link'))
})

test('a redirect to what only a shell knows is a touch of nobody knows what', async () => {
  const { touches } = await run('echo x > $OUT')
  assert.equal(
    touches.map(({ access, typed, resolved, problem }) => [access, typed, resolved, problem]),
    [['write', null, null, 'unresolved']],
  )
})

test('a command that comes as a list of words is read as those words', async () => {
  const { commands } = await run(['cat', 'a b', "it's"])
  assert.equal([commands[0]?.program.text, commands[0]?.operands.map(({ text }) => text)], ['cat', ['a b', "it's"]])
  const inner = await run(['bash', '-lc', 'rm x'])
  assert.ok(inner.commands.some(({ program }) => program.text === 'rm'))
})

test('what cannot be read says why, and nothing else', async () => {
  assert.equal(await proposedAccess({ tool: 'read_file', args: 'x' }, world), { touches: [], commands: [], unread: 'arguments' })
  assert.equal(await run(7), { touches: [], commands: [], unread: 'arguments' })
  assert.is((await run('echo "')).unread, 'unbalanced')
})

test.run()
