// What grants of paths reach: pure cases by hand, then real links, and every spelling of a target outside that chance comes upon.
import { spawnSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, realpathSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Touch } from '../../../src/gates/capability/access.js'
import type { PathGrant } from '../../../src/gates/capability/allowlist.js'
import { pathDenial, pathScope } from '../../../src/gates/capability/path-scope.js'
import { FileLook } from '../../../src/hooks/file-look.js'
import { resolvePaths, resolvePatternRoot } from '../../../src/hooks/resolve-paths.js'
import { makeRandom } from '../../support/seeded-random.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const look = new FileLook()

const anything = (...patterns: string[]): PathGrant[] => patterns.map((pattern) => ({ pattern, access: 'any' }))

const reading = (typed: string, resolved: string | null = typed, more: Partial<Touch> = {}): Touch => ({
  asked: typed,
  access: 'read',
  tree: false,
  typed,
  resolved,
  ...more,
})

const verdictOf = (touch: Touch, grants: readonly PathGrant[]): string => {
  const scope = pathScope(touch, grants, 'posix')
  return scope.verdict === 'granted' ? 'granted' : scope.verdict === 'doubtful' ? `doubtful ${scope.code}` : scope.code
}

/** The worst of the touches of a path, on real files. */
async function realVerdict(
  asked: string,
  cwd: string,
  grants: readonly PathGrant[],
  access: 'read' | 'write' = 'read',
): Promise<string> {
  const touches = await resolvePaths([{ asked, access, tree: false, kind: 'path' }], { style: 'posix', cwd, home: cwd }, look)
  const verdicts = touches.map((touch) => verdictOf(touch, grants))
  return verdicts.find((verdict) => verdict !== 'granted') ?? 'granted'
}

/** A granted folder, and a key beside it that nobody is granted. */
function plot(): { readonly folder: string; readonly grants: PathGrant[] } {
  const folder = realpathSync(temporaryFolder())
  mkdirSync(join(folder, 'in/sub'), { recursive: true })
  mkdirSync(join(folder, 'out'))
  writeFileSync(join(folder, 'in/a.md'), 'mine')
  writeFileSync(join(folder, 'out/id_ed25519'), 'secret')
  return { folder, grants: anything(join(folder, 'in/**')) }
}

test('both the path as spelled and the one it leads to have to be granted', () => {
  const grants = anything('/in/**')
  assert.is(verdictOf(reading('/in/a'), grants), 'granted')
  assert.is(verdictOf(reading('/in/a', '/out/a'), grants), 'path_not_granted')
  assert.is(verdictOf(reading('/out/a', '/in/a'), grants), 'path_not_granted')
  assert.equal(pathScope(reading('/in/a', '/out/a'), grants, 'posix'), {
    verdict: 'denied',
    code: 'path_not_granted',
    lacks: 'resolved',
  })
  assert.equal(pathScope(reading('/out/a', '/in/a'), grants, 'posix'), {
    verdict: 'denied',
    code: 'path_not_granted',
    lacks: 'typed',
  })
  assert.is(verdictOf(reading('/in/a'), []), 'path_not_granted')
})

test('two grants may cover one path between them, and are told', () => {
  const grants = anything('/in/**', '/out/**')
  assert.equal(pathScope(reading('/in/a', '/out/a'), grants, 'posix'), { verdict: 'granted', by: grants })
})

test('row C24: dangling, looping and unreadable links are denials with codes of their own, whatever is granted', () => {
  const grants = anything('/**')
  for (const problem of ['dangling', 'looping', 'unreadable'] as const) {
    assert.is(verdictOf(reading('/in/a', null, { problem }), grants), `path_${problem}`)
  }
})

test('what only spelling knows is at best a doubt', () => {
  const grants = anything('/in/**')
  assert.is(verdictOf(reading('/in/a', null, { problem: 'unresolved' }), grants), 'doubtful path_unresolved')
  assert.is(verdictOf(reading('/in/a', '/in/a', { problem: 'unresolved' }), grants), 'doubtful path_unresolved')
  assert.is(verdictOf(reading('/in/a', null), grants), 'doubtful path_unresolved')
  assert.is(verdictOf(reading('/out/a', null, { problem: 'unresolved' }), grants), 'path_not_granted')
  assert.is(verdictOf({ ...reading('~bob', null), typed: null, problem: 'unresolved' }, anything('/**')), 'path_unresolved')
})

test('a grant to read is none to write, and the other way round', () => {
  const grants: PathGrant[] = [
    { pattern: '/in/**', access: 'read' },
    { pattern: '/drop/**', access: 'write' },
  ]
  assert.is(verdictOf(reading('/in/a'), grants), 'granted')
  assert.is(verdictOf(reading('/in/a', '/in/a', { access: 'write' }), grants), 'path_not_granted')
  assert.is(verdictOf(reading('/drop/a'), grants), 'path_not_granted')
  assert.is(verdictOf(reading('/drop/a', '/drop/a', { access: 'write' }), grants), 'granted')
})

test('case 8: a tree is granted as a whole or not at all', () => {
  assert.is(verdictOf(reading('/in', '/in', { tree: true }), anything('/in/**')), 'granted')
  assert.is(verdictOf(reading('/in', '/in', { tree: true }), anything('/in/*', '/in')), 'path_not_granted')
  assert.is(verdictOf(reading('/', '/', { tree: true }), anything('/in/**')), 'path_not_granted')
})

test('case 8: a deny list reaches a tree that holds what it names', () => {
  const denied = anything('/home/ann/.ssh/**')
  const isDenied = (touch: Touch): boolean => pathDenial(touch, denied, 'posix') !== undefined
  assert.is(isDenied(reading('/home/ann/.ssh/id')), true)
  assert.is(isDenied(reading('/in/link', '/home/ann/.ssh/id')), true)
  assert.is(isDenied(reading('/home/ann/.ssh/../.ssh', null, { typed: '/home/ann/.ssh' })), true)
  assert.is(isDenied(reading('/home/ann')), false)
  assert.is(isDenied(reading('/home/ann', '/home/ann', { tree: true })), true)
  assert.is(isDenied(reading('/home/ann/.ssh2', '/home/ann/.ssh2', { tree: true })), false)
  assert.equal(pathDenial(reading('/home/ann/.ssh/id'), denied, 'posix'), denied[0])
  const writes: PathGrant[] = [{ pattern: '/in/**', access: 'write' }]
  assert.is(pathDenial(reading('/in/a'), writes, 'posix'), undefined)
  assert.is(pathDenial(reading('/in/a', '/in/a', { access: 'write' }), writes, 'posix'), writes[0])
})

test('case 5: where a volume tells no case, every case of a name has the same answer', () => {
  const spellings = ['/home/ann/.ssh/id', '/home/ann/.SSH/id', '/Home/ANN/.Ssh/ID']
  for (const typed of spellings) {
    const touch = reading(typed, typed, { foldsCase: true })
    assert.ok(pathDenial(touch, anything('/home/ann/.ssh/**'), 'posix'), typed)
    assert.is(verdictOf(touch, anything('/home/ann/.ssh/**')), 'granted', typed)
    assert.is(verdictOf(touch, anything('/home/ann/docs/**')), 'path_not_granted', typed)
  }
  assert.is(pathDenial(reading('/home/ann/.SSH/id'), anything('/home/ann/.ssh/**'), 'posix'), undefined)
})

test('case 11: drives and names of Windows are judged without case', () => {
  const scope = pathScope(
    { ...reading('C:\\Users\\Ann\\a.md'), asked: 'c:\\users\\ann\\a.md' },
    anything('c:\\users\\ann\\**'),
    'windows',
  )
  assert.is(scope.verdict, 'granted')
})

test('case 4: a granted root behind a link is no false denial, through the link or past it', async () => {
  const folder = realpathSync(temporaryFolder())
  mkdirSync(join(folder, 'disk/desk'), { recursive: true })
  writeFileSync(join(folder, 'disk/desk/a.md'), '')
  symlinkSync(join(folder, 'disk/desk'), join(folder, 'desk'))
  const written = anything(join(folder, 'desk/**'))
  assert.is(await realVerdict('desk/a.md', folder, written), 'path_not_granted', 'without its root followed')
  const grants = await Promise.all(written.map(async (grant) => (await resolvePatternRoot(grant, 'posix', look)) ?? grant))
  for (const asked of ['desk/a.md', 'desk/new.md', 'disk/desk/a.md', 'disk/../desk/a.md']) {
    assert.is(await realVerdict(asked, folder, grants, 'write'), 'granted', asked)
  }
  assert.is(await realVerdict('disk/b', folder, grants), 'path_not_granted')
})

test('row C25: case 1: a link inside a grant to a key outside is denied', async () => {
  const { folder, grants } = plot()
  symlinkSync(join(folder, 'out/id_ed25519'), join(folder, 'in/notes.md'))
  assert.is(await realVerdict('in/notes.md', folder, grants), 'path_not_granted')
  assert.is(await realVerdict('in/a.md', folder, grants), 'granted')
})

test('case 2: a folder in the middle that is a link out of the grant is denied, for what is there and what is not', async () => {
  const { folder, grants } = plot()
  symlinkSync('../../out', join(folder, 'in/sub/up'))
  assert.is(await realVerdict('in/sub/up/id_ed25519', folder, grants), 'path_not_granted')
  assert.is(await realVerdict('in/sub/up/new', folder, grants, 'write'), 'path_not_granted')
  assert.is(await realVerdict('in/sub/up/../../in/a.md', folder, grants), 'path_not_granted')
})

test('row C24: on real links, last, middle, dangling and looping, each has its answer', async () => {
  const { folder, grants } = plot()
  symlinkSync('a.md', join(folder, 'in/alias'))
  symlinkSync('nothing', join(folder, 'in/dangling'))
  symlinkSync('loop', join(folder, 'in/loop'))
  symlinkSync('sub', join(folder, 'in/inner'))
  for (const [asked, expected] of [
    ['in/alias', 'granted'],
    ['in/inner/new.md', 'granted'],
    ['in/dangling', 'path_dangling'],
    ['in/loop', 'path_looping'],
    ['in/loop/x', 'path_looping'],
    ['in/a.md/x', 'path_unreadable'],
    ['in/\0', 'path_unreadable'],
    ['', 'path_unreadable'],
    ['~bob/x', 'path_unresolved'],
    ['in/../out/id_ed25519', 'path_not_granted'],
  ] as const) {
    assert.is(await realVerdict(asked, folder, grants), expected, JSON.stringify(asked))
  }
})

test('row C24: a `..` behind a link is judged for both readings of it', async () => {
  const { folder, grants } = plot()
  // Followed first it stays inside; climbed first it is a link to the key.
  mkdirSync(join(folder, 'in/sub/deep'))
  symlinkSync(join(folder, 'in/sub/deep'), join(folder, 'in/jump'))
  symlinkSync(join(folder, 'out/id_ed25519'), join(folder, 'in/x'))
  assert.is(await realVerdict('in/jump/../x', folder, grants), 'path_not_granted')
  assert.is(await realVerdict('in/jump/../y', folder, grants), 'granted')
})

test('no spelling of a denied path is granted, on real files', async () => {
  const { folder, grants } = plot()
  const random = makeRandom(24)
  mkdirSync(join(folder, 'in/sub/deep'))
  symlinkSync(join(folder, 'out'), join(folder, 'in/door'))
  symlinkSync('../..', join(folder, 'in/sub/up'))
  symlinkSync('sub/deep', join(folder, 'in/down'))
  symlinkSync('door/id_ed25519', join(folder, 'in/key'))
  const places = [folder, join(folder, 'in'), join(folder, 'in/sub'), join(folder, 'in/sub/deep'), join(folder, 'out')]
  const steps = ['in', 'out', 'sub', 'deep', 'up', 'door', 'down', 'key', 'id_ed25519', '..', '..', '.', '']
  const target = join(folder, 'out/id_ed25519')
  let hits = 0
  for (let n = 0; n < 12_000; n++) {
    const cwd = random.pick(places)
    const walk = Array.from({ length: random.int(7) }, () => random.pick(steps)).join('/')
    const tail = random.pick(['', 'key', 'door/id_ed25519', '../out/id_ed25519', 'id_ed25519', 'up/in/key'])
    const start = random.pick(['', `${cwd}/`, '/', `${relative('/', folder).replace(/[^/]+/g, '..')}/`])
    const asked = `${start}${walk}/${tail}`.replace(/\/$/, '')
    if (asked === '') continue
    let real: string
    try {
      real = realpathSync.native(asked.startsWith('/') ? asked : `${cwd}/${asked}`)
    } catch {
      continue
    }
    const verdict = await realVerdict(asked, cwd, grants)
    if (real === target || real === join(folder, 'out')) {
      hits += 1
      assert.is.not(verdict, 'granted', asked)
    }
  }
  assert.ok(hits > 150, `only ${hits} spellings reached it`)
})

test('no case and no form of accents gets round a denied name where the volume knows neither', () => {
  const random = makeRandom(5)
  const denied = anything('/home/rené/Schlüssel/**')
  for (let n = 0; n < 2000; n++) {
    const spelled = [...'/home/rené/Schlüssel/id'].map((letter) => (random.chance(2) ? letter.toUpperCase() : letter)).join('')
    const typed = random.pick(['NFC', 'NFD'] as const) === 'NFC' ? spelled : spelled.normalize('NFD')
    assert.ok(pathDenial(reading(typed, null, { foldsCase: true, problem: 'unresolved' }), denied, 'posix'), typed)
    assert.is(pathScope(reading(typed, typed, { foldsCase: true }), anything('/home/rené/notes/**'), 'posix').verdict, 'denied')
  }
})

test('adding a grant never takes a path away', () => {
  const random = makeRandom(9)
  const pieces = ['a', 'b', '*', '**', 'a*']
  const somePattern = (): string => `/${Array.from({ length: 1 + random.int(3) }, () => random.pick(pieces)).join('/')}`
  for (let n = 0; n < 3000; n++) {
    const grants = anything(somePattern(), somePattern())
    const path = `/${Array.from({ length: 1 + random.int(3) }, () => random.pick(['a', 'b', 'ab'])).join('/')}`
    const touch = reading(path, path, { tree: random.chance(2) })
    const more = [...anything(somePattern()), ...grants]
    if (pathScope(touch, grants, 'posix').verdict === 'granted') assert.is(pathScope(touch, more, 'posix').verdict, 'granted')
  }
})

test('row C29: case 13: known hole: after the verdict the name can be made to lead elsewhere', async () => {
  const { folder, grants } = plot()
  const name = join(folder, 'in/a.md')
  assert.is(await realVerdict('in/a.md', folder, grants), 'granted')
  symlinkSync(join(folder, 'out/id_ed25519'), join(folder, 'in/b'))
  renameSync(join(folder, 'in/b'), name)
  // The tool opens the name that was judged, and reads the key.
  assert.is(readFileSync(name, 'utf8'), 'secret')
  assert.is(await realVerdict('in/a.md', folder, grants), 'path_not_granted', 'asked again, it is seen')
})

test('row C30: case 13: known hole: a hard link is a name like any other', async () => {
  const { folder, grants } = plot()
  linkSync(join(folder, 'out/id_ed25519'), join(folder, 'in/twin'))
  assert.is(await realVerdict('in/twin', folder, grants), 'granted')
  assert.is(readFileSync(join(folder, 'in/twin'), 'utf8'), 'secret')
})

test('row C30: case 13: known hole: a bind mount shows another folder under a granted name', async () => {
  const { folder, grants } = plot()
  mkdirSync(join(folder, 'in/mnt'))
  const mounted = spawnSync('mount', ['--bind', join(folder, 'out'), join(folder, 'in/mnt')])
  if (mounted.status !== 0) {
    process.stdout.write('\nnote: nothing can be mounted here, so the bind mount was not tried\n')
    return
  }
  try {
    assert.is(await realVerdict('in/mnt/id_ed25519', folder, grants), 'granted')
    assert.is(readFileSync(join(folder, 'in/mnt/id_ed25519'), 'utf8'), 'secret')
  } finally {
    assert.is(spawnSync('umount', [join(folder, 'in/mnt')]).status, 0)
  }
})

test('row C30: case 13: the root of a process is caught, as a path and behind a link', async () => {
  const { folder, grants } = plot()
  symlinkSync('/proc/self/root', join(folder, 'in/root'))
  assert.is(await realVerdict(`in/root${folder}/out/id_ed25519`, folder, grants), 'path_unreadable')
  assert.is(await realVerdict(`/proc/self/root${folder}/in/a.md`, folder, anything('/**')), 'path_unreadable')
  unlinkSync(join(folder, 'in/root'))
})

test('a thousand grants are looked through by the folders of the path, not one by one', () => {
  const grants = anything(...Array.from({ length: 1000 }, (_, n) => `/srv/project-${n}/**`))
  let compared = 0
  const counted = grants.map((grant) => ({
    pattern: grant.pattern,
    get access(): PathGrant['access'] {
      compared += 1
      return grant.access
    },
  }))
  assert.is(verdictOf(reading('/srv/project-777/src/a.ts'), counted), 'granted')
  assert.is(verdictOf(reading('/srv/project-1000/src/a.ts'), counted), 'path_not_granted')
  assert.ok(compared <= 4, `${compared} grants were looked at`)
})

test.run()
