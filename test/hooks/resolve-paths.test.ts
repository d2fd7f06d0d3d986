// Where paths lead, on real links in a folder of its own, against Node's realpath; and what hangs, is forbidden or tells no case, from a
// source of files that behaves so.
import { spawnSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, readlinkSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Touch } from '../../src/gates/capability/access.js'
import type { PathGrant } from '../../src/gates/capability/allowlist.js'
import { FileLook, type FileSource, type FileThere } from '../../src/hooks/file-look.js'
import { resolveOperands, resolvePaths, resolvePatternRoot, spelledTouches } from '../../src/hooks/resolve-paths.js'
import { makeRandom } from '../support/seeded-random.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const look = new FileLook()

/** A folder whose own name holds no link. */
function realFolder(): string {
  return realpathSync(temporaryFolder())
}

async function touchOf(asked: string, cwd: string | null = null, tree = false): Promise<Touch> {
  const touches = await resolvePaths([{ asked, access: 'read', tree, kind: 'path' }], { style: 'posix', cwd, home: null }, look)
  assert.is(touches.length, 1, asked)
  return touches[0] as Touch
}

function codeError(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** Files that are only told: `null` is a folder, a text where a link leads, a number a file; a function is what happens. */
type ToldFiles = Readonly<Record<string, null | string | number | (() => Promise<never>)>>

function toldSource(files: ToldFiles, { foldsCase = false } = {}): FileSource & { looks: string[] } {
  const keyOf = (path: string): string | undefined =>
    Object.keys(files).find((key) => key === path || (foldsCase && key.toLowerCase() === path.toLowerCase()))
  const looks: string[] = []
  return {
    looks,
    lstat: async (path): Promise<FileThere> => {
      looks.push(path)
      const key = keyOf(path)
      if (key === undefined) throw codeError('ENOENT')
      const value = files[key]
      if (typeof value === 'function') return await value()
      return { kind: value === null ? 'folder' : typeof value === 'string' ? 'link' : 'file', identity: key }
    },
    readlink: async (path) => {
      const value = files[keyOf(path) ?? '']
      if (typeof value !== 'string') throw codeError('EINVAL')
      return value
    },
    realpath: async (path) => {
      const key = keyOf(path)
      if (key === undefined) throw codeError('ENOENT')
      return key
    },
  }
}

test('row C24: a link is followed wherever it stands in the path', async () => {
  const folder = realFolder()
  mkdirSync(join(folder, 'in/deep'), { recursive: true })
  mkdirSync(join(folder, 'out'))
  writeFileSync(join(folder, 'out/key'), '')
  symlinkSync(join(folder, 'out/key'), join(folder, 'in/last'))
  symlinkSync('../out', join(folder, 'in/middle'))
  symlinkSync('middle', join(folder, 'in/chain'))
  for (const [asked, resolved] of [
    ['in/last', 'out/key'],
    ['in/middle/key', 'out/key'],
    ['in/chain/key', 'out/key'],
    ['in/deep', 'in/deep'],
    ['in/middle', 'out'],
    ['in/middle/', 'out'],
  ] as const) {
    const touch = await touchOf(asked, folder)
    assert.is(touch.typed, join(folder, asked).replace(/\/$/, ''))
    assert.is(touch.resolved, join(folder, resolved), asked)
    assert.is(touch.resolved, realpathSync(join(folder, asked)))
    assert.is(touch.problem, undefined)
  }
})

test('what is yet to be made lies in its nearest existing folder, through the links on the way', async () => {
  const folder = realFolder()
  mkdirSync(join(folder, 'out'))
  symlinkSync('out', join(folder, 'link'))
  assert.is((await touchOf('link/new.md', folder)).resolved, join(folder, 'out/new.md'))
  assert.is((await touchOf('link/a/b/new.md', folder)).resolved, join(folder, 'out/a/b/new.md'))
  assert.is((await touchOf('none/a', folder)).resolved, join(folder, 'none/a'))
})

test('a name that is not there is passed by its `..`, and links behind it are followed again', async () => {
  const folder = realFolder()
  mkdirSync(join(folder, 'out'))
  symlinkSync('out', join(folder, 'link'))
  assert.is((await touchOf('none/../link/a', folder)).resolved, join(folder, 'out/a'))
  assert.is((await touchOf('none/deeper/../../link/a', folder)).resolved, join(folder, 'out/a'))
})

test('a link to nothing, links in a circle and a file used as a folder each have their own problem', async () => {
  const folder = realFolder()
  writeFileSync(join(folder, 'file'), '')
  symlinkSync('nothing', join(folder, 'dangling'))
  symlinkSync('nothing/deeper', join(folder, 'far'))
  symlinkSync('b', join(folder, 'a'))
  symlinkSync('a', join(folder, 'b'))
  symlinkSync('self', join(folder, 'self'))
  for (const [asked, problem] of [
    ['dangling', 'dangling'],
    ['dangling/x', 'dangling'],
    ['far', 'dangling'],
    ['a', 'looping'],
    ['a/x', 'looping'],
    ['self/self', 'looping'],
    ['file/x', 'unreadable'],
    ['file/../file', 'unreadable'],
    [`${'x'.repeat(300)}/y`, 'unreadable'],
  ] as const) {
    const touches = await resolvePaths(
      [{ asked, access: 'write', tree: false, kind: 'path' }],
      { style: 'posix', cwd: folder, home: null },
      look,
    )
    assert.is(touches[0]?.problem, problem, asked)
    assert.is(touches[0]?.resolved, null, asked)
  }
})

test('as many links as the system follows are followed, and no more', async () => {
  const folder = realFolder()
  writeFileSync(join(folder, 'end'), '')
  symlinkSync('end', join(folder, 'l1'))
  for (let n = 2; n <= 41; n++) symlinkSync(`l${n - 1}`, join(folder, `l${n}`))
  assert.is((await touchOf('l40', folder)).resolved, join(folder, 'end'))
  assert.is((await touchOf('l41', folder)).problem, 'looping')
})

test('a `..` behind a link is two places, for tools that climb first and for those that follow first', async () => {
  const folder = realFolder()
  mkdirSync(join(folder, 'in'))
  mkdirSync(join(folder, 'out/deep'), { recursive: true })
  symlinkSync(join(folder, 'out/deep'), join(folder, 'in/link'))
  const touches = await resolvePaths(
    [{ asked: 'in/link/../x', access: 'write', tree: false, kind: 'path' }],
    { style: 'posix', cwd: folder, home: null },
    look,
  )
  assert.equal(
    touches.map(({ typed, resolved }) => [typed, resolved]),
    [
      [join(folder, 'in/x'), join(folder, 'out/x')],
      [join(folder, 'in/x'), join(folder, 'in/x')],
    ],
  )
  const [operand] = await resolveOperands(['in/link/../x'], { style: 'posix', cwd: folder, home: null }, look)
  assert.equal(operand, { typed: join(folder, 'in/x'), resolved: null, problem: 'unresolved' })
})

test('a tree is one only where a folder is', async () => {
  const folder = realFolder()
  writeFileSync(join(folder, 'file'), '')
  symlinkSync('.', join(folder, 'here'))
  assert.is((await touchOf('file', folder, true)).tree, false)
  assert.is((await touchOf('none', folder, true)).tree, false)
  assert.is((await touchOf('.', folder, true)).tree, true)
  assert.is((await touchOf('here', folder, true)).tree, true)
  assert.is((await touchOf('.', folder, false)).tree, false)
})

test('random trees of links lead where Node says, and Python where nothing is', async () => {
  const random = makeRandom(6)
  const folder = realFolder()
  const names = ['a', 'b', 'c', 'd']
  mkdirSync(join(folder, 'a/b/c'), { recursive: true })
  mkdirSync(join(folder, 'b/d'), { recursive: true })
  writeFileSync(join(folder, 'a/b/d'), '')
  for (const [at, place] of ['c', 'd', 'a/c', 'a/d', 'b/a', 'b/b', 'a/b/a', 'b/d/c'].entries()) {
    const target = Array.from({ length: 1 + random.int(3) }, () => random.pick([...names, '..'])).join('/')
    symlinkSync(at % 2 === 0 ? target : join(folder, target), join(folder, place))
  }
  const told = { led: 0, failed: 0 }
  const missing: { path: string; resolved: string | null }[] = []
  for (let n = 0; n < 1500; n++) {
    const asked = Array.from({ length: 1 + random.int(6) }, () => random.pick([...names, 'a', 'b', '.', '..', ''])).join('/')
    const path = `${folder}/${asked}`
    const [touch] = await resolvePaths(
      [{ asked: path, access: 'read', tree: false, kind: 'path' }],
      { style: 'posix', cwd: null, home: null },
      look,
    )
    let expected: string | undefined
    let code = ''
    try {
      expected = realpathSync.native(path)
    } catch (error) {
      code = (error as NodeJS.ErrnoException).code ?? ''
    }
    if (expected !== undefined) {
      told.led += 1
      assert.is(touch?.resolved, expected, asked)
    } else if (code === 'ELOOP') {
      told.failed += 1
      assert.is(touch?.problem, 'looping', asked)
    } else if (code === 'ENOENT') {
      if (touch?.problem === undefined) missing.push({ path, resolved: touch?.resolved ?? null })
      // Behind what is not there, a `..` can climb to links again.
      else if (!asked.includes('..')) assert.is(touch.problem, 'dangling', asked)
    } else assert.is(touch?.problem, 'unreadable', `${asked} ${code}`)
  }
  assert.ok(told.led > 200 && missing.length > 100 && told.failed > 50, JSON.stringify({ ...told, missing: missing.length }))
  const program = 'import sys, json, os; print(json.dumps([os.path.realpath(x) for x in json.load(sys.stdin)]))'
  const run = spawnSync('python3', ['-c', program], { input: JSON.stringify(missing.map(({ path }) => path)), encoding: 'utf8' })
  if (run.status !== 0) process.stdout.write('\nnote: no python3 here, so its way to what is not there was not compared\n')
  else
    assert.equal(
      missing.map(({ resolved }) => resolved),
      JSON.parse(run.stdout),
    )
})

test('case 13: a hard link and what others see are not links that can be followed', async () => {
  const folder = realFolder()
  mkdirSync(join(folder, 'in'))
  mkdirSync(join(folder, 'out'))
  writeFileSync(join(folder, 'out/key'), 'secret')
  linkSync(join(folder, 'out/key'), join(folder, 'in/twin'))
  // Known hole S2: nothing in a hard link tells of its other name.
  assert.is((await touchOf('in/twin', folder)).resolved, join(folder, 'in/twin'))
})

test('row C30: the links of a process are no way to a path, because they lead each process elsewhere', async () => {
  for (const asked of [
    '/proc/self/root/etc/hostname',
    '/proc/self/cwd/x',
    `/proc/${process.pid}/root`,
    '/proc/self/exe',
    '/dev/fd/0',
    '/proc/thread-self/root/etc',
  ]) {
    const touch = await touchOf(asked)
    assert.is(touch.problem, 'unreadable', asked)
  }
  assert.is((await touchOf('/proc/self/status')).resolved, `/proc/${readlinkSync('/proc/self')}/status`)
  const folder = realFolder()
  symlinkSync('/proc/self/root', join(folder, 'root'))
  assert.is((await touchOf('root/etc/passwd', folder)).problem, 'unreadable')
})

test('a folder that may not be looked into is told so', async () => {
  const source = toldSource({ '/a': null, '/a/closed': null, '/a/closed/key': () => Promise.reject(codeError('EACCES')) })
  const [touch] = await resolvePaths(
    [{ asked: '/a/closed/key', access: 'read', tree: false, kind: 'path' }],
    { style: 'posix', cwd: null, home: null },
    new FileLook(source),
  )
  assert.equal(touch, {
    asked: '/a/closed/key',
    access: 'read',
    tree: false,
    typed: '/a/closed/key',
    resolved: null,
    problem: 'unreadable',
  })
  if (process.getuid?.() === 0) {
    process.stdout.write('\nnote: root looks into every folder, so a closed one was only told\n')
    return
  }
  const folder = realFolder()
  mkdirSync(join(folder, 'closed'))
  chmodSync(join(folder, 'closed'), 0)
  assert.is((await touchOf('closed/key', folder)).problem, 'unreadable')
  chmodSync(join(folder, 'closed'), 0o700)
})

test('case 5: where case is not told, the touch says so and bears the true names', async () => {
  const folding = new FileLook(
    toldSource({ '/Users': null, '/Users/Ann': null, '/Users/Ann/.ssh': null, '/Users/Ann/.ssh/id': 1 }, { foldsCase: true }),
  )
  const place = { style: 'posix', cwd: '/users/ann', home: null } as const
  const [there, made] = await resolvePaths(
    [
      { asked: '.SSH/ID', access: 'read', tree: false, kind: 'path' },
      { asked: '.SSH/New', access: 'write', tree: false, kind: 'path' },
    ],
    place,
    folding,
  )
  assert.equal(there, {
    asked: '.SSH/ID',
    access: 'read',
    tree: false,
    typed: '/users/ann/.SSH/ID',
    resolved: '/Users/Ann/.ssh/id',
    foldsCase: true,
  })
  assert.is(made?.resolved, '/Users/Ann/.ssh/New')
  assert.is(made?.foldsCase, true)
})

test('where case is told, two names that differ in it are two', async () => {
  const folder = realFolder()
  writeFileSync(join(folder, 'key'), '')
  writeFileSync(join(folder, 'KEY'), '')
  const touch = await touchOf('key', folder)
  assert.is(touch.resolved, join(folder, 'key'))
  assert.is(touch.foldsCase, undefined)
  assert.is((await touchOf('Key', folder)).resolved, join(folder, 'Key'))
})

test('a second name of a file in other letters does not make the volume look as if it told no case', async () => {
  const folder = realFolder()
  mkdirSync(join(folder, 'desk'))
  writeFileSync(join(folder, 'desk/key'), '')
  linkSync(join(folder, 'desk/key'), join(folder, 'desk/KEY'))
  assert.is((await touchOf('desk/key', folder)).foldsCase, undefined)
})

test('case 7: a short name is lengthened where the files are, and stays a doubt where they are not', async () => {
  const source: FileSource = {
    ...toldSource({ 'C:\\PROGRA~1': null, 'C:\\PROGRA~1\\key': 1 }, { foldsCase: true }),
    realpath: async (path) => path.replace('PROGRA~1', 'Program Files'),
  }
  const place = { style: 'windows', cwd: 'C:\\desk', home: null } as const
  const asked = (text: string) => ({ asked: text, access: 'read', tree: false, kind: 'path' }) as const
  const touches = await resolvePaths(
    [asked('C:\\PROGRA~1\\key'), asked('C:\\PROGRA~1\\new'), asked('C:\\PROGRA~1\\NEWFIL~1')],
    place,
    new FileLook(source),
  )
  assert.equal(
    touches.map(({ typed, resolved, problem }) => [typed, resolved, problem]),
    [
      ['C:\\Program Files\\key', 'C:\\Program Files\\key', undefined],
      ['C:\\Program Files\\new', 'C:\\Program Files\\new', undefined],
      ['C:\\PROGRA~1\\NEWFIL~1', null, 'unresolved'],
    ],
  )
  const [spelled] = spelledTouches([asked('C:\\PROGRA~1\\key')], place)
  assert.is(spelled?.problem, 'unresolved')
})

test('a junction is followed as a link', async () => {
  const source = toldSource({
    'C:\\in': null,
    'C:\\in\\j': 'D:\\out\\',
    'D:\\out': null,
    'D:\\out\\key': 1,
    'C:\\in\\k': '\\\\?\\D:\\out',
  })
  const place = { style: 'windows', cwd: 'C:\\in', home: null } as const
  for (const text of ['j\\key', 'k\\key']) {
    const [touch] = await resolvePaths([{ asked: text, access: 'read', tree: false, kind: 'path' }], place, new FileLook(source))
    assert.is(touch?.resolved, 'D:\\out\\key', text)
  }
})

test('a mount that does not answer costs its time once, and what is known is still told', async () => {
  const hang = (): Promise<never> => new Promise(() => undefined)
  const source = toldSource({ '/a': null, '/a/x': 1, '/net': hang, '/net2': hang })
  const hanging = new FileLook(source)
  const place = { style: 'posix', cwd: '/a', home: null } as const
  const asked = ['x', '/net/y'].map((text) => ({ asked: text, access: 'read', tree: false, kind: 'path' }) as const)
  const started = performance.now()
  const touches = await resolvePaths(asked, place, hanging, { milliseconds: 60 })
  assert.ok(performance.now() - started < 5000)
  assert.equal(
    touches.map(({ typed, resolved, problem }) => [typed, resolved, problem]),
    [
      ['/a/x', '/a/x', undefined],
      ['/net/y', null, 'unresolved'],
    ],
  )
  assert.is(hanging.hanging, 1)
  // The same mount is not waited for again, and holds up nothing else.
  const again = await resolvePaths(asked, place, hanging, { milliseconds: 60_000 })
  assert.equal(
    again.map(({ problem }) => problem),
    [undefined, 'unresolved'],
  )
  assert.is(source.looks.filter((path) => path === '/net').length, 1)
  const others = ['/net2/y', 'x'].map((text) => ({ asked: text, access: 'read', tree: false, kind: 'path' }) as const)
  await resolvePaths(others, place, hanging, { milliseconds: 30 })
  assert.is(hanging.hanging, 2)
  // Two threads hang now. The others are kept for the rest of the service: nothing more is tried.
  const before = source.looks.length
  const later = await resolvePaths(asked, place, hanging, { milliseconds: 60_000 })
  assert.equal(
    later.map(({ problem }) => problem),
    ['unresolved', 'unresolved'],
  )
  assert.is(source.looks.length, before)
})

test('a mount that answers late is trusted again', async () => {
  let answer: () => void = () => undefined
  const late = new Promise<never>((_, refuse) => {
    answer = () => refuse(codeError('EIO'))
  })
  const hanging = new FileLook(toldSource({ '/net': () => late }))
  await resolvePaths(
    [{ asked: '/net', access: 'read', tree: false, kind: 'path' }],
    { style: 'posix', cwd: null, home: null },
    hanging,
    { milliseconds: 20 },
  )
  assert.is(hanging.hanging, 1)
  answer()
  await new Promise((done) => setTimeout(done, 5))
  assert.is(hanging.hanging, 0)
})

test('few looks are out at once, and the same is looked at once', async () => {
  let out = 0
  let most = 0
  const told = toldSource(
    Object.fromEntries(['/a', ...Array.from({ length: 40 }, (_, n) => `/a/${n}x`)].map((path) => [path, null])),
  )
  const source: FileSource = {
    ...told,
    lstat: async (path) => {
      out += 1
      most = Math.max(most, out)
      await new Promise((done) => setTimeout(done, 1))
      out -= 1
      return await told.lstat(path)
    },
  }
  const asked = Array.from({ length: 40 }, (_, n) => ({ asked: `/a/${n}x`, access: 'read', tree: false, kind: 'path' }) as const)
  const touches = await resolvePaths(asked, { style: 'posix', cwd: null, home: null }, new FileLook(source), {
    milliseconds: 60_000,
  })
  assert.equal(
    touches.map(({ resolved }) => resolved),
    asked.map(({ asked: path }) => path),
  )
  assert.ok(most <= 3, `${most} at once`)
  assert.is(told.looks.filter((path) => path === '/a').length, 1)
})

test('case 4: a grant behind a link is told where it really leads, and a file’s own name is left as it is', async () => {
  const folder = realFolder()
  mkdirSync(join(folder, 'disk/desk'), { recursive: true })
  symlinkSync(join(folder, 'disk'), join(folder, 'home'))
  writeFileSync(join(folder, 'disk/key'), '')
  symlinkSync(join(folder, 'disk/key'), join(folder, 'disk/desk/link'))
  const grant = (pattern: string): PathGrant => ({ pattern, access: 'any' })
  for (const [pattern, resolved] of [
    ['home/desk/**', 'disk/desk/**'],
    ['home/desk/*.md', 'disk/desk/*.md'],
    ['home/desk/link', 'disk/desk/link'],
    ['home/new/**', 'disk/new/**'],
  ] as const) {
    assert.equal(await resolvePatternRoot(grant(join(folder, pattern)), 'posix', look), {
      ...grant(join(folder, pattern)),
      resolvedPattern: join(folder, resolved),
    })
  }
  for (const pattern of ['disk/desk/**', 'disk/desk/link']) {
    assert.equal(await resolvePatternRoot(grant(join(folder, pattern)), 'posix', look), grant(join(folder, pattern)))
  }
  symlinkSync('nothing', join(folder, 'dangling'))
  assert.equal(await resolvePatternRoot(grant(join(folder, 'dangling/**')), 'posix', look), grant(join(folder, 'dangling/**')))
})

test('what a remote tool touches is known by its spelling alone', () => {
  const place = { style: 'posix', cwd: '/srv', home: '/root' } as const
  const touches = spelledTouches(
    [
      { asked: 'a/../b', access: 'write', tree: true, kind: 'path' },
      { asked: '~bob', access: 'read', tree: false, kind: 'path' },
      { asked: '', access: 'read', tree: false, kind: 'path' },
    ],
    place,
  )
  assert.equal(touches, [
    { asked: 'a/../b', access: 'write', tree: true, typed: '/srv/b', resolved: null, problem: 'unresolved' },
    { asked: '~bob', access: 'read', tree: false, typed: null, resolved: null, problem: 'unresolved' },
    { asked: '', access: 'read', tree: false, typed: null, resolved: null, problem: 'unreadable' },
  ])
})

test('operands come back in their order, with what is wrong with each', async () => {
  const folder = realFolder()
  writeFileSync(join(folder, 'a'), '')
  symlinkSync('nothing', join(folder, 'd'))
  const places = await resolveOperands(
    ['a', 'd', '~bob', `../${basename(folder)}/a`],
    { style: 'posix', cwd: folder, home: null },
    look,
  )
  assert.equal(places, [
    { typed: join(folder, 'a'), resolved: join(folder, 'a') },
    { typed: join(folder, 'd'), resolved: null, problem: 'dangling' },
    { typed: null, resolved: null, problem: 'unresolved' },
    { typed: join(folder, 'a'), resolved: join(folder, 'a') },
  ])
})

test.run()
