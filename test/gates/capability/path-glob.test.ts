// Patterns of paths: what they match, against a slow matcher that follows the definition word by word; and that none of them takes long.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  canMatchWithin,
  compilePathGlob,
  coversTree,
  isNarrower,
  literalRoot,
  matchesPath,
  normalisedPattern,
  withLiteralRoot,
} from '../../../src/gates/capability/path-glob.js'

const matches = (pattern: string, path: string, foldsCase = false): boolean =>
  matchesPath(compilePathGlob(pattern, 'posix'), path, foldsCase)
const narrower = (pattern: string, other: string): boolean =>
  isNarrower(compilePathGlob(pattern, 'posix'), compilePathGlob(other, 'posix'))

/** By the definition: every way to share the names out is tried. */
function slowMatch(pattern: readonly string[], names: readonly string[]): boolean {
  const [first, ...rest] = pattern
  if (first === undefined) return names.length === 0
  if (first === '**') return slowMatch(rest, names) || (names.length > 0 && slowMatch(pattern, names.slice(1)))
  const [name, ...others] = names
  return name !== undefined && slowName([...first], [...name]) && slowMatch(rest, others)
}

function slowName(pattern: readonly string[], name: readonly string[]): boolean {
  const [first, ...rest] = pattern
  if (first === undefined) return name.length === 0
  if (first === '*') return slowName(rest, name) || (name.length > 0 && slowName(pattern, name.slice(1)))
  return name.length > 0 && (first === '?' || first === name[0]) && slowName(rest, name.slice(1))
}

const nameOf = (letters: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength }).map((found) => found.join(''))
const somePattern = fc.array(fc.oneof(fc.constantFrom('**', '*', 'a'), nameOf(['a', 'b', '*', '?'], 4)), { maxLength: 5 })
const somePath = fc.array(
  nameOf(['a', 'b', '.'], 3).filter((name) => !/^\.{1,2}$/.test(name)),
  { maxLength: 5 },
)

test('stars stay within a name, two stars go over any depth, and a folder’s pattern is the folder too', () => {
  for (const [pattern, path, expected] of [
    ['/a/*.md', '/a/b.md', true],
    ['/a/*.md', '/a/b/c.md', false],
    ['/a/*.md', '/a/.md', true],
    ['/a/?', '/a/b', true],
    ['/a/?', '/a/bc', false],
    ['/a/?', '/a/é', true],
    ['/a/?', '/a/😀', true],
    ['/a/**', '/a', true],
    ['/a/**', '/a/b/c', true],
    ['/a/**', '/ab', false],
    ['/a/**/c', '/a/c', true],
    ['/a/**/c', '/a/b/b/c', true],
    ['/a/**/c', '/a/b', false],
    ['/a', '/a/b', false],
    ['/a/*', '/a', false],
    ['/**', '/', true],
    ['/**', '/x/y', true],
    ['/', '/', true],
    ['/a/[bc]', '/a/b', false],
    ['/a/[bc]', '/a/[bc]', true],
    ['/a/{b,c}', '/a/b', false],
    ['/a/b**c', '/a/bxyc', true],
    ['/a/b**c', '/a/b/c', false],
    ['/a/.*', '/a/.ssh', true],
    ['/a/*', '/a/.ssh', true],
  ] as const) {
    assert.is(matches(pattern, path), expected, `${pattern} ${path}`)
  }
})

test('a relative path and one of the other system are matched by nothing', () => {
  assert.is(matches('/**', 'a/b'), false)
  assert.is(matches('/**', 'C:\\a'), false)
  assert.is(matchesPath(compilePathGlob('C:\\**', 'windows'), '/a'), false)
  assert.is(matches('a/**', '/a/b'), false, 'a pattern that is not absolute')
})

test('the matcher agrees with the definition, tried in every way', () => {
  fc.assert(
    fc.property(somePattern, somePath, (pattern, path) => {
      const expected = slowMatch(
        pattern.map((name) => (/^\*+$/.test(name) && name.length > 1 ? '**' : name)),
        path,
      )
      assert.is(matches(`/${pattern.join('/')}`, `/${path.join('/')}`), expected)
    }),
    { seed: 6, numRuns: 20_000 },
  )
})

test('no pattern takes more looks than its length for each name', () => {
  const looks = (pattern: string, path: string): number => {
    let count = 0
    const glob = compilePathGlob(pattern, 'posix')
    const counted = glob.exact.segments.map((segment) => {
      if (typeof segment === 'string' || segment.kind !== 'glob') return segment
      return {
        ...segment,
        tokens: new Proxy(segment.tokens, {
          get: (all, key) => {
            if (typeof key === 'string' && /^\d+$/.test(key)) count += 1
            return Reflect.get(all, key)
          },
        }),
      }
    })
    matchesPath({ ...glob, exact: { ...glob.exact, segments: counted } }, path)
    return count
  }
  const deep = (n: number): string => `/${'**/a*b/'.repeat(n)}x`
  const long = (n: number): string => `/${'aaab/'.repeat(n)}y`
  for (const n of [8, 16, 32]) assert.ok(looks(deep(n), long(n)) <= n * n * 12, `${n}: ${looks(deep(n), long(n))}`)
  const stars = (n: number): string => `/${'*a'.repeat(n)}b`
  for (const n of [50, 100, 200]) {
    const found = looks(stars(n), `/${'a'.repeat(n * 2)}`)
    assert.ok(found > 0 && found <= n * n * 12, `${n}: ${found}`)
  }
})

test('hostile patterns against a long path end at once', () => {
  const pattern = compilePathGlob(`/${'**/'.repeat(500)}x`, 'posix')
  assert.is(matchesPath(pattern, `/${'a/'.repeat(2000)}y`), false)
  assert.is(matchesPath(compilePathGlob(`/${'**/*?*/'.repeat(60)}x`, 'posix'), `/${'ab/'.repeat(400)}y`), false)
  assert.is(matchesPath(compilePathGlob(`/${'*'.repeat(3000)}x`, 'posix'), `/${'a'.repeat(3000)}`), false)
})

test('case 5: names fold where the volume does not tell case, and only there', () => {
  assert.is(matches('/home/ann/.ssh/**', '/home/ann/.SSH/id'), false)
  assert.is(matches('/home/ann/.ssh/**', '/Home/ANN/.SSH/id', true), true)
  assert.is(matches('/home/É*', '/home/e\u0301t', true), true)
})

test('the two forms of one accent are one name', () => {
  assert.is(matches('/home/caf\u00e9/**', '/home/cafe\u0301/a'), true)
  assert.is(matches('/home/cafe\u0301/?', '/home/caf\u00e9/\u00e9'), true)
})

test('case 11: patterns of Windows know drives and shares in either case, and both slashes', () => {
  const at = (pattern: string, path: string): boolean => matchesPath(compilePathGlob(pattern, 'windows'), path)
  assert.is(at('C:\\Users\\**', 'c:\\users\\x'), true)
  assert.is(at('c:/Users/**', 'C:\\Users\\x'), true)
  assert.is(at('D:\\Users\\**', 'C:\\Users\\x'), false)
  assert.is(at('\\\\Server\\Share\\**', '\\\\server\\share\\x'), true)
  assert.is(at('\\\\server\\share\\**', '\\\\server\\share2\\x'), false)
  assert.is(at('C:\\**', 'C:\\'), true)
})

test('a pattern has one normal form, or a reason why it is none', () => {
  for (const [pattern, expected] of [
    ['/a//b/./c/', '/a/b/c'],
    ['/a/../b/**', '/b/**'],
    ['/../a', '/a'],
    ['/a/**/', '/a/**'],
    ['/', '/'],
  ] as const) {
    assert.equal(normalisedPattern(pattern, 'posix'), { pattern: expected }, pattern)
  }
  for (const [pattern, problem] of [
    ['', 'empty'],
    ['a/b', 'not_absolute'],
    ['**/a', 'not_absolute'],
    ['*', 'not_absolute'],
    ['~/a', 'not_absolute'],
    ['/a/*/../b', 'climbs'],
    ['/**/..', 'climbs'],
    ['/a\0b', 'unreadable'],
    ['/a\ud800', 'unreadable'],
  ] as const) {
    assert.equal(normalisedPattern(pattern, 'posix'), { problem }, pattern)
  }
  assert.equal(normalisedPattern('c:/Users/./x/', 'windows'), { pattern: 'C:\\Users\\x' })
  assert.equal(normalisedPattern('\\\\server\\share\\a\\..\\b', 'windows'), { pattern: '\\\\server\\share\\b' })
  assert.equal(normalisedPattern('C:\\a\\b:stream', 'windows'), { problem: 'never' })
  assert.equal(normalisedPattern('C:a', 'windows'), { problem: 'not_absolute' })
  assert.equal(normalisedPattern('/a', 'windows'), { problem: 'not_absolute' })
})

test('normalising a pattern twice is normalising it once', () => {
  const piece = fc.constantFrom('a', '..', '.', '', '*', '**', 'b?', 'C:', 'x. ')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 7 }), fc.constantFrom('posix', 'windows'), (pieces, style) => {
      const once = normalisedPattern(pieces.join('/'), style)
      if ('pattern' in once) assert.equal(normalisedPattern(once.pattern, style), once)
    }),
    { seed: 6, numRuns: 3000 },
  )
})

test('only a pattern that ends in any depth covers a tree', () => {
  for (const [pattern, path, expected] of [
    ['/a/**', '/a', true],
    ['/a/**', '/a/b', true],
    ['/a/**', '/', false],
    ['/a/*', '/a/b', false],
    ['/a/**/x', '/a/x', false],
    ['/a/**/*', '/a/b', true],
    ['/a/**/*', '/a', false],
    ['/a/*/**', '/a/b', true],
    ['/a/b', '/a/b', false],
  ] as const) {
    assert.is(coversTree(compilePathGlob(pattern, 'posix'), path), expected, `${pattern} ${path}`)
  }
})

test('a tree that is covered has nothing in it that is not matched', () => {
  fc.assert(
    fc.property(somePattern, somePath, somePath, (pattern, path, below) => {
      const glob = compilePathGlob(`/${pattern.join('/')}`, 'posix')
      const top = `/${path.join('/')}`
      if (coversTree(glob, top)) assert.is(matchesPath(glob, `/${[...path, ...below].join('/')}`), true)
    }),
    { seed: 8, numRuns: 20_000 },
  )
})

test('case 8: a pattern reaches a tree where anything in it could match', () => {
  for (const [pattern, path, expected] of [
    ['/home/ann/.ssh/**', '/home/ann', true],
    ['/home/ann/.ssh/**', '/', true],
    ['/home/ann/.ssh/**', '/home/ann/.ssh/id', true],
    ['/home/ann/.ssh/**', '/home/ann/.ssh2', false],
    ['/home/ann/.ssh/**', '/home/bob', false],
    ['/**/*.pem', '/srv', true],
    ['/srv/*.pem', '/srv/a', false],
    ['/srv/*/key', '/srv/a', true],
    ['/srv/*/key', '/srv/a/b', false],
  ] as const) {
    assert.is(canMatchWithin(compilePathGlob(pattern, 'posix'), path), expected, `${pattern} ${path}`)
  }
})

test('what a pattern does not reach holds nothing that it matches', () => {
  fc.assert(
    fc.property(somePattern, somePath, somePath, (pattern, path, below) => {
      const glob = compilePathGlob(`/${pattern.join('/')}`, 'posix')
      if (matchesPath(glob, `/${[...path, ...below].join('/')}`)) assert.is(canMatchWithin(glob, `/${path.join('/')}`), true)
    }),
    { seed: 9, numRuns: 20_000 },
  )
})

test('the literal root is the deepest place that all of it lies in, and can be changed for another', () => {
  for (const [pattern, root] of [
    ['/a/b/*.md', '/a/b'],
    ['/a/**', '/a'],
    ['/a/b', '/a/b'],
    ['/*', '/'],
    ['/a*/b', '/'],
  ] as const) {
    assert.is(literalRoot(compilePathGlob(pattern, 'posix')), root, pattern)
  }
  assert.is(withLiteralRoot(compilePathGlob('/a/b/**/*.md', 'posix'), '/x'), '/x/**/*.md')
  assert.is(withLiteralRoot(compilePathGlob('/a/**', 'posix'), '/'), '/**')
  assert.is(literalRoot(compilePathGlob('c:/a/*', 'windows')), 'C:\\a')
  assert.is(literalRoot(compilePathGlob('c:/*', 'windows')), 'C:\\')
  assert.is(withLiteralRoot(compilePathGlob('c:/a/*', 'windows'), 'D:\\x'), 'D:\\x\\*')
})

test('one pattern is narrower than another where all of it lies within', () => {
  for (const [one, other] of [
    ['/a/b', '/a/*'],
    ['/a/b', '/a/**'],
    ['/a/**', '/a/**'],
    ['/a/b/**', '/a/**'],
    ['/a/*/c', '/a/**/c'],
    ['/a/*.md', '/a/*'],
    ['/a/x*.md', '/a/*.md'],
    ['/a/??', '/a/?*'],
    ['/a/**/b/**/c', '/a/**/c'],
    ['/a/**/*', '/a/*/**'],
    ['/a/caf\u00e9', '/a/cafe\u0301'],
  ] as const) {
    assert.is(narrower(one, other), true, `${one} ${other}`)
  }
  for (const [one, other] of [
    ['/a/**', '/a/*'],
    ['/a/*', '/a/b'],
    ['/a/*', '/a/*.md'],
    ['/a/?*', '/a/??'],
    ['/a/**', '/a/*/**'],
    ['/a', '/b'],
    ['/a/B', '/a/b'],
  ] as const) {
    assert.is(narrower(one, other), false, `${one} ${other}`)
  }
  assert.is(isNarrower(compilePathGlob('c:/A/b', 'windows'), compilePathGlob('C:\\a\\*', 'windows')), true)
})

test('every path of the narrower pattern is one of the other', () => {
  let hits = 0
  fc.assert(
    fc.property(somePattern, somePattern, fc.array(somePath, { minLength: 12, maxLength: 12 }), (one, other, paths) => {
      const [a, b] = [`/${one.join('/')}`, `/${other.join('/')}`]
      if (!narrower(a, b)) return
      for (const path of paths) {
        if (!matches(a, `/${path.join('/')}`)) continue
        hits += 1
        assert.is(matches(b, `/${path.join('/')}`), true, `${a} within ${b}: /${path.join('/')}`)
      }
    }),
    { seed: 10, numRuns: 30_000 },
  )
  assert.ok(hits > 1000, `only ${hits} paths told anything`)
})

test.run()
