// What a path is by its spelling alone, against Node's and Python's own arithmetic of paths and against the rules of Windows by hand.
import { spawnSync } from 'node:child_process'
import { posix } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  composedName,
  foldedName,
  isFileAddress,
  pathSpelling,
  type SpellingKind,
} from '../../../src/gates/capability/path-spelling.js'

const unix = { style: 'posix', cwd: '/srv/desk', home: '/home/ann' } as const
const windows = { style: 'windows', cwd: 'C:\\desk', home: 'C:\\Users\\ann' } as const

const typed = (asked: string, kind?: SpellingKind): string | null => pathSpelling(asked, unix, kind).typed
const onWindows = (asked: string): string | null => pathSpelling(asked, windows).typed

test('a path becomes absolute and loses its dots, doubled and trailing slashes', () => {
  for (const [asked, expected] of [
    ['a.md', '/srv/desk/a.md'],
    ['./a.md', '/srv/desk/a.md'],
    ['../a.md', '/srv/a.md'],
    ['../../../../a.md', '/a.md'],
    ['/a//b///c/', '/a/b/c'],
    ['//a', '/a'],
    ['/a/./b/../c', '/a/c'],
    ['.', '/srv/desk'],
    ['/', '/'],
    ['/..', '/'],
    ['/a/...', '/a/...'],
    ['a b ', '/srv/desk/a b '],
    ['a\\b', '/srv/desk/a\\b'],
    ['$HOME/a', '/srv/desk/$HOME/a'],
    ['*.md', '/srv/desk/*.md'],
    ['file:///etc/passwd', '/srv/desk/file:/etc/passwd'],
  ] as const) {
    assert.is(typed(asked), expected, asked)
  }
})

test('the way to walk keeps each `..`, because a file system follows links before it climbs', () => {
  assert.is(pathSpelling('/a/link/../b', unix).walk, '/a/link/../b')
  assert.is(pathSpelling('link/../b', unix).walk, '/srv/desk/link/../b')
})

test('`~` is the home, and another user’s home is not in the spelling', () => {
  assert.is(typed('~'), '/home/ann')
  assert.is(typed('~/notes/a.md'), '/home/ann/notes/a.md')
  assert.is(typed('~/../bob/a.md'), '/home/bob/a.md')
  assert.is(typed('a/~/b'), '/srv/desk/a/~/b')
  for (const asked of ['~bob', '~bob/a', '~+', '~-/a', '~;ls']) {
    assert.equal(pathSpelling(asked, unix), { typed: null, walk: null, problem: 'unresolved' }, asked)
  }
  assert.is(pathSpelling('~/a', { ...unix, home: null }).typed, null)
})

test('row C24: a relative path without a working directory has no place', () => {
  for (const cwd of [null, '', 'desk']) {
    assert.equal(pathSpelling('a.md', { ...unix, cwd }), { typed: null, walk: null, problem: 'unresolved' })
  }
  assert.is(pathSpelling('/a.md', { ...unix, cwd: null }).typed, '/a.md')
})

test('what no file system takes is no path', () => {
  for (const asked of ['', '/a\0b', '\0', '/a\ud800', `/${'a'.repeat(40_000)}`]) {
    assert.equal(pathSpelling(asked, unix), { typed: null, walk: null, problem: 'unreadable' })
  }
})

test('an address is a path where the tool takes addresses, and as a browser reads it', () => {
  for (const asked of [
    'file:///etc/passwd',
    'FILE:///etc/passwd',
    ' file:///etc/passwd\n',
    'fi\nle:///etc/passwd',
    'file:/etc/passwd',
  ]) {
    assert.is(typed(asked, 'address'), '/etc/passwd', asked)
  }
  assert.is(typed('file://localhost/etc/passwd', 'address'), '/etc/passwd')
  assert.is(typed('view-source:file:///etc/passwd', 'address'), '/etc/passwd')
  assert.is(typed('file:///etc/../tmp/%41%20b', 'address'), '/tmp/A b')
  assert.is(typed('file:///a/%2e%2e/b', 'address'), '/b')
  assert.is(typed('file:\\\\\\etc\\passwd', 'address'), '/etc/passwd')
  assert.is(typed('docs/a.png', 'address'), '/srv/desk/docs/a.png')
  for (const asked of ['file://host/a', 'file:///a%2fb', 'file:///a%zz', 'file:///a?b', 'file:///a#b', 'file:', 'file:a']) {
    assert.is(typed(asked, 'address'), null, asked)
  }
  assert.is(pathSpelling('file:///a%00b', unix, 'address').problem, 'unreadable')
})

test('an address that Node makes of a path leads back to it', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    .filter((text) => !/[\0/\\?#%]/.test(text) && !/^\.{1,2}$/.test(text))
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (names) => {
      const path = `/${names.join('/')}`
      const address = pathToFileURL(path)
      assert.is(isFileAddress(address.href), true)
      assert.is(typed(address.href, 'address'), fileURLToPath(address))
    }),
    { seed: 6, numRuns: 500 },
  )
})

test('spelling a spelled path again changes nothing', () => {
  const piece = fc.constantFrom(
    'a',
    'b.',
    ' ',
    '..',
    '.',
    '',
    '~',
    'é',
    'e\u0301',
    'C:',
    'x:y',
    'NUL',
    'PROGRA~1',
    '\\',
    '\\\\?\\',
    'file:',
    '%2e',
    '...',
  )
  const asked = fc.array(piece, { maxLength: 8 })
  fc.assert(
    fc.property(asked, fc.constantFrom('/', '\\', ''), fc.constantFrom(unix, windows), (pieces, slash, place) => {
      const once = pathSpelling(pieces.join(slash), place)
      if (once.typed === null) return
      const twice = pathSpelling(once.typed, { ...place, cwd: null, home: null })
      assert.is(twice.typed, once.typed)
    }),
    { seed: 6, numRuns: 3000 },
  )
})

test('Node’s own arithmetic agrees with it', () => {
  const text = fc
    .array(fc.constantFrom('a', 'bc', '.', '..', '', ' ', '...', 'é', '$X', '*'), { maxLength: 9 })
    .map((names) => names.join('/'))
  fc.assert(
    fc.property(text, (asked) => {
      if (asked === '') return
      const expected = posix.resolve('/srv/desk', asked)
      assert.is(typed(asked), expected)
    }),
    { seed: 7, numRuns: 3000 },
  )
})

test('Python’s arithmetic agrees with it, for both kinds of systems', () => {
  const parts = ['a', 'B', '.', '..', '', 'c d', '...x', 'é']
  const posixPaths: string[] = []
  const windowsPaths: string[] = []
  for (const one of parts) {
    for (const two of parts) {
      for (const three of parts) {
        posixPaths.push(`/${one}/${two}/${three}`, `${one}/${two}/./${three}/`)
        windowsPaths.push(
          `D:\\${one}\\${two}/${three}`,
          `\\\\server\\share\\${one}\\${two}\\${three}`,
          `\\x\\${one}\\${two}/${three}`,
        )
      }
    }
  }
  const program = [
    'import sys, json, ntpath, posixpath',
    'p, w = json.load(sys.stdin)',
    'print(json.dumps([[posixpath.normpath(posixpath.join("/srv/desk", x)) for x in p], [ntpath.normpath(ntpath.join("C:\\\\desk", x)) for x in w]]))',
  ].join('\n')
  const run = spawnSync('python3', ['-c', program], { input: JSON.stringify([posixPaths, windowsPaths]), encoding: 'utf8' })
  if (run.status !== 0) {
    process.stdout.write('\nnote: no python3 here, so its arithmetic was not compared\n')
    return
  }
  const [posixExpected, windowsExpected] = JSON.parse(run.stdout) as [string[], string[]]
  for (const [at, asked] of posixPaths.entries()) {
    // Two slashes in front are a root of their own there, and one slash on every system that the host runs on.
    if (asked !== '') assert.is(typed(asked), posixExpected[at]?.replace(/^\/\//, '/'), asked)
  }
  for (const [at, asked] of windowsPaths.entries()) {
    assert.is(onWindows(asked), windowsExpected[at]?.replace(/(?<=^\\\\server\\share)\\$/, ''), asked)
  }
})

test('case 11: drive letters are the same in either case', () => {
  assert.is(onWindows('c:\\Work\\a.md'), 'C:\\Work\\a.md')
  assert.is(onWindows('c:/Work/a.md'), 'C:\\Work\\a.md')
})

test('a path of Windows without a drive lies on that of the working directory', () => {
  assert.is(onWindows('\\a'), 'C:\\a')
  assert.is(onWindows('/ab/c'), 'C:\\ab\\c')
  assert.is(onWindows('a.md'), 'C:\\desk\\a.md')
  assert.is(onWindows('c:a.md'), 'C:\\desk\\a.md')
  assert.equal(pathSpelling('d:a.md', windows), { typed: null, walk: null, problem: 'unresolved' })
  assert.is(onWindows('C:\\..\\..\\a'), 'C:\\a')
  assert.is(onWindows('C:\\'), 'C:\\')
  assert.is(onWindows('~\\a'), 'C:\\Users\\ann\\a')
})

test('case 10: trailing dots and blanks and the names of streams are trimmed or there is no path', () => {
  for (const [asked, expected] of [
    ['C:\\a\\key.pem.', 'C:\\a\\key.pem'],
    ['C:\\a\\key.pem. . ', 'C:\\a\\key.pem'],
    ['C:\\a\\key.pem::$DATA', 'C:\\a\\key.pem'],
    ['C:\\a\\key.pem:hidden', 'C:\\a\\key.pem'],
    ['C:\\a\\key.pem.:x:$DATA', 'C:\\a\\key.pem'],
  ] as const) {
    assert.equal(pathSpelling(asked, windows), { typed: expected, walk: expected }, asked)
  }
  // Within a path, programs differ: a person may be asked, nobody is told yes.
  assert.equal(pathSpelling('C:\\a. \\b', windows), { typed: 'C:\\a\\b', walk: 'C:\\a\\b', problem: 'unresolved' })
  for (const asked of [
    'C:\\a\\...',
    'C:\\a\\ ',
    'C:\\a\\:x',
    'C:\\a:$I30:$INDEX_ALLOCATION\\b',
    'C:\\a\\b|c',
    'C:\\a\\*',
    'C:\\a\\b\u0007',
  ]) {
    assert.is(pathSpelling(asked, windows).problem, 'unreadable', asked)
  }
})

test('the names of devices are no files, with whatever ending', () => {
  for (const name of ['NUL', 'con', 'Aux.txt', 'COM1', 'lpt9.log', 'COM¹', 'CONIN$', 'nul .txt', 'PRN:']) {
    assert.is(pathSpelling(`C:\\a\\${name}`, windows).problem, 'unreadable', name)
  }
  for (const name of ['CONSOLE', 'NULL', 'COM', 'COM10', 'aux2']) assert.is(onWindows(`C:\\a\\${name}`), `C:\\a\\${name}`)
  assert.is(typed('/a/NUL'), '/a/NUL')
})

test('shares, and the prefixes that switch trimming off', () => {
  assert.is(onWindows('\\\\server\\share\\a\\..\\b'), '\\\\server\\share\\b')
  assert.is(onWindows('//server/share/b'), '\\\\server\\share\\b')
  assert.is(onWindows('\\\\server\\share\\..\\..'), '\\\\server\\share')
  assert.is(onWindows('\\\\?\\c:\\a\\b'), 'C:\\a\\b')
  assert.is(onWindows('\\\\.\\c:\\a\\b'), 'C:\\a\\b')
  assert.is(onWindows('\\\\?\\UNC\\server\\share\\b'), '\\\\server\\share\\b')
  for (const asked of [
    '\\\\?\\C:\\a\\..\\b',
    '\\\\?\\C:\\a/b',
    '\\\\?\\C:\\a.',
    '\\\\?\\GLOBALROOT\\Device\\HarddiskVolume1\\a',
    '\\\\?\\Volume{0}\\a',
    '\\\\.\\PhysicalDrive0',
    '\\\\.\\pipe\\a',
    '\\??\\C:\\a',
    '\\\\server',
    '\\\\localhost\\share\\a',
    '\\\\127.0.0.1\\c$\\a',
    '\\\\server\\C$\\a',
  ]) {
    assert.is(pathSpelling(asked, windows).typed, null, asked)
  }
})

test('case 7: a short name is told as one that spelling cannot lengthen', () => {
  for (const asked of ['C:\\PROGRA~1\\a', 'C:\\a\\SECRET~1.TXT', 'C:\\MICROS~12\\a']) {
    assert.equal(pathSpelling(asked, windows), { typed: asked, walk: asked, problem: 'unresolved', short: true })
  }
  for (const asked of ['C:\\a~b', 'C:\\notes~', 'C:\\verylongname~1', 'C:\\~1'])
    assert.is(pathSpelling(asked, windows).problem, undefined, asked)
  assert.is(pathSpelling('/srv/PROGRA~1', unix).problem, undefined)
})

test('a drive in the way of other shells is only taken with a doubt', () => {
  for (const asked of ['/c/Users/x', '/mnt/c/Users/x', '/cygdrive/C/Users/x']) {
    assert.equal(pathSpelling(asked, windows), { typed: 'C:\\Users\\x', walk: 'C:\\Users\\x', problem: 'unresolved' }, asked)
  }
})

test('case 5: names that differ in case alone, or in the form of their accents, fold to the same', () => {
  for (const [one, other] of [
    ['.SSH', '.ssh'],
    ['STRASSE', 'straße'],
    ['ÉTÉ', 'e\u0301te\u0301'],
    ['ΟΔΟΣ', 'οδος'],
    ['\u212aey', 'KEY'],
    ['ſecret', 'SECRET'],
  ] as const) {
    assert.is(foldedName(one), foldedName(other), one)
  }
  assert.is.not(foldedName('ssh'), foldedName('ssh2'))
  assert.is(composedName('e\u0301'), composedName('é'))
  assert.is.not(composedName('É'), composedName('é'))
})

test('blanks and dots by the hundred thousand are read in one go', () => {
  const many = 400_000
  assert.is(isFileAddress(`${' '.repeat(many)}x${' '.repeat(many)}y`), false)
  assert.is(isFileAddress(`${'\t'.repeat(many)}file:///a`), true)
  assert.is(pathSpelling(`C:\\a${'.'.repeat(30_000)}b`, windows).problem, undefined)
  assert.is(pathSpelling(`/${'../'.repeat(10_000)}a`, unix).typed, '/a')
  assert.is(pathSpelling(`/${'a/'.repeat(10_000)}`, unix).problem, 'unreadable')
})

test('folding twice is folding once, and a name folds as its upper and lower case do', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), (name) => {
      assert.is(foldedName(foldedName(name)), foldedName(name))
      assert.is(foldedName(name.toUpperCase()), foldedName(name))
    }),
    { seed: 6, numRuns: 2000 },
  )
})

test.run()
