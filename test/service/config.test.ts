// Holds the settings file to the interfaces page: every key, the defaults, and errors that name key, place and what is allowed.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { SteleError } from '../../src/foundation/stele-error.js'
import { type Config, readConfig } from '../../src/service/config.js'
import { throwsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('config')

const home = temporaryFolder()

function settings(text: string): Config {
  return readConfig(home, fileWith(text))
}

function refused(text: string): SteleError {
  const error = throwsWithCode(() => settings(text), 'CONFIG_INVALID')
  assert.is(error.kind, 'input')
  return error
}

function fileWith(text: string): string {
  const file = join(home, 'config.yaml')
  writeFileSync(file, text)
  return file
}

const nothingSet: Config = settings('')

test('a home without a settings file has the defaults', () => {
  const config = readConfig(home, join(home, 'none.yaml'))
  assert.is(config.highWater.mirror, undefined)
  assert.is(config.checkpoint.mirror, undefined)
  // `syslog` where there is one: these are the sockets of Linux, of systemd alone, and of macOS.
  const sockets = ['/dev/log', '/run/systemd/journal/socket', '/var/run/syslog']
  assert.ok(['syslog', 'none'].includes(config.checkpoint.anchor))
  if (!sockets.some((path) => existsSync(path))) assert.is(config.checkpoint.anchor, 'none')
  // The format page: the origin of an untouched ledger is stele.local/<ledger id>.
  assert.is(config.checkpoint.origin, 'stele.local')
})

test('a file that is empty, or holds blanks and comments alone, is all defaults', () => {
  const defaults = readConfig(home, join(home, 'none.yaml'))
  for (const text of ['', '\n\n', '# nothing yet\n', '---\n', '{}\n', 'checkpoint: {}\nhighWater: {}\n'])
    assert.equal(settings(text), defaults, text)
})

test('every key is taken', () => {
  assert.equal(
    settings(
      'highWater:\n  mirror: /mnt/other/high-water\n' +
        'checkpoint:\n  anchor: none\n  mirror: /mnt/other/checkpoints.txt\n  origin: example.com/agents\n',
    ),
    {
      highWater: { mirror: '/mnt/other/high-water' },
      checkpoint: { anchor: 'none', mirror: '/mnt/other/checkpoints.txt', origin: 'example.com/agents' },
    },
  )
})

test('each key alone changes that setting and no other', () => {
  const { highWater, checkpoint } = nothingSet
  assert.equal(settings('highWater:\n  mirror: /m\n'), { highWater: { mirror: '/m' }, checkpoint })
  assert.equal(settings('checkpoint:\n  anchor: none\n'), { highWater, checkpoint: { ...checkpoint, anchor: 'none' } })
  assert.equal(settings('checkpoint:\n  anchor: syslog\n'), { highWater, checkpoint: { ...checkpoint, anchor: 'syslog' } })
  assert.equal(settings('checkpoint:\n  mirror: /c\n'), { highWater, checkpoint: { ...checkpoint, mirror: '/c' } })
  assert.equal(settings('checkpoint:\n  origin: a.b/c\n'), { highWater, checkpoint: { ...checkpoint, origin: 'a.b/c' } })
})

test('a path may begin with the home of its owner, or be relative to the Stele home', () => {
  assert.is(settings('highWater:\n  mirror: ~/marks/high-water\n').highWater.mirror, join(homedir(), 'marks/high-water'))
  assert.is(settings('checkpoint:\n  mirror: ~/c.txt\n').checkpoint.mirror, join(homedir(), 'c.txt'))
  assert.is(settings('highWater:\n  mirror: marks/high-water\n').highWater.mirror, join(home, 'marks/high-water'))
  assert.is(settings('checkpoint:\n  mirror: ./c.txt\n').checkpoint.mirror, join(home, 'c.txt'))
  assert.is(settings('checkpoint:\n  mirror: ../c.txt\n').checkpoint.mirror, join(home, '..', 'c.txt'))
})

test('a tilde inside a path, or before a name, is part of the name', () => {
  assert.is(settings('checkpoint:\n  mirror: a/~/c.txt\n').checkpoint.mirror, join(home, 'a/~/c.txt'))
  assert.is(settings('checkpoint:\n  mirror: "/a/~b"\n').checkpoint.mirror, '/a/~b')
})

const spellings = [
  'checkpoint: {anchor: none, origin: example.com}\n',
  '"checkpoint":\n    "anchor": \'none\'\n    origin: "example.com" # ours\n',
  '\ufeffcheckpoint:\n  anchor: none\n  origin: example.com\n',
  'checkpoint:\r\n  anchor: none\r\n  origin: example.com\r\n',
]

test('the same settings may be spelled in every way of YAML', () => {
  for (const text of spellings) {
    const { checkpoint } = settings(text)
    assert.equal([checkpoint.anchor, checkpoint.origin], ['none', 'example.com'], JSON.stringify(text))
  }
})

/** The text, the key that is wrong, its line, and what the error must say is allowed. */
const wrong: readonly (readonly [what: string, text: string, key: string, line: number, allowed: readonly string[]])[] = [
  ['an unknown key at the top', 'checkpoints:\n  anchor: none\n', 'checkpoints', 1, ['highWater', 'checkpoint']],
  [
    'an unknown key further down',
    '# ours\n\nhighWater:\n  mirror: /m\nretension: 5\n',
    'retension',
    5,
    ['highWater', 'checkpoint'],
  ],
  ['an unknown key inside', 'checkpoint:\n  origin: a\n  anchr: none\n', 'checkpoint.anchr', 3, ['anchor', 'mirror', 'origin']],
  ['a key of another section', 'highWater:\n  anchor: none\n', 'highWater.anchor', 2, ['mirror']],
  ['a key in other letters', 'highwater:\n  mirror: /m\n', 'highwater', 1, ['highWater']],
  ['a wrong word', 'checkpoint:\n  anchor: journal\n', 'checkpoint.anchor', 2, ['syslog', 'none']],
  ['a word in other letters', 'checkpoint:\n  anchor: None\n', 'checkpoint.anchor', 2, ['syslog', 'none']],
  ['a truth value for a word', 'checkpoint:\n  mirror: /m\n  anchor: false\n', 'checkpoint.anchor', 3, ['syslog', 'none']],
  ['a number for a path', 'highWater:\n  mirror: 5\n', 'highWater.mirror', 2, ['path']],
  ['a list for a path', 'checkpoint:\n  mirror: [a, b]\n', 'checkpoint.mirror', 2, ['path']],
  ['an empty path', 'checkpoint:\n  mirror: ""\n', 'checkpoint.mirror', 2, ['path']],
  ['an empty origin', 'checkpoint:\n  origin: ""\n', 'checkpoint.origin', 2, []],
  ['an origin with a blank', 'checkpoint:\n  origin: my ledger\n', 'checkpoint.origin', 2, []],
  ['an origin with a plus', 'checkpoint:\n  origin: a+b\n', 'checkpoint.origin', 2, []],
  ['an origin with a line feed', 'checkpoint:\n  origin: "a\\nb"\n', 'checkpoint.origin', 2, []],
  ['an origin with a no-break space', 'checkpoint:\n  origin: "a\u00a0b"\n', 'checkpoint.origin', 2, []],
  ['a list for a section', 'checkpoint:\n  - anchor\n', 'checkpoint', 1, ['anchor', 'mirror', 'origin']],
  ['a word for a section', 'highWater: /mnt\n', 'highWater', 1, ['mirror']],
  [
    'a key called __proto__',
    'highWater:\n  mirror: /m\n__proto__:\n  checkpoint: {}\n',
    '__proto__',
    3,
    ['highWater', 'checkpoint'],
  ],
  ['a key called constructor', 'checkpoint:\n  constructor: x\n', 'checkpoint.constructor', 2, ['anchor', 'mirror', 'origin']],
]

for (const [what, text, key, line, allowed] of wrong) {
  test(`${what} is an error that names the key, its line and what is allowed`, () => {
    const error = refused(text)
    assert.is(error.details['key'], key)
    const place = error.details['line']
    // A section of the wrong kind may be told where it is named or where its value begins.
    assert.ok(place === line || (text.includes('- anchor') && place === 2), `line ${place}`)
    for (const part of [key, String(place), ...allowed]) assert.ok(error.line.includes(part), `${part} stands in: ${error.line}`)
  })
}

test('an error never shows the value, which may be a secret', () => {
  for (const text of [
    'checkpoint:\n  anchor: hunter2-secret\n',
    'checkpoint:\n  origin: hunter2-secret and more\n',
    'highWater: hunter2-secret\n',
    'highWater:\n  mirror: [hunter2-secret]\n',
    'checkpoint: {anchor: hunter2-secret\n',
    'hunter2-secret\n',
  ]) {
    const error = refused(text)
    assert.not.match(error.line, 'hunter2')
    assert.not.match(inspect(error, { depth: 5 }), 'hunter2', text)
  }
})

test('text that is no YAML, or not one mapping, is an error with a line', () => {
  for (const [text, line] of [
    ['checkpoint: {anchor: none\n', undefined],
    ['checkpoint:\n  anchor: none\n anchor: none\n', undefined],
    ['a: b: c\n', 1],
    ['- checkpoint\n', 1],
    ['just words\n', 1],
    ['5\n', 1],
    ['checkpoint:\n\tanchor: none\n', 2],
  ] as const) {
    const error = refused(text)
    assert.type(error.details['line'], 'number', JSON.stringify(text))
    if (line !== undefined) assert.is(error.details['line'], line, JSON.stringify(text))
  }
})

test('a key that stands twice, and a second document, are errors: no setting is taken in silence', () => {
  refused('checkpoint:\n  anchor: none\n  anchor: syslog\n')
  refused('checkpoint:\n  anchor: none\ncheckpoint:\n  origin: a\n')
  refused('checkpoint:\n  anchor: syslog\n---\ncheckpoint:\n  anchor: none\n')
})

test('an alias that multiplies itself is refused and does not run out of memory', () => {
  const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x]']
  for (let level = 1; level < 12; level += 1)
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(',')}]`,
    )
  refused(`${lines.join('\n')}\n`)
})

test('a settings file that is there but cannot be read is an error and never all defaults', () => {
  const folder = join(home, 'a-folder.yaml')
  mkdirSync(folder)
  throwsWithCode(() => readConfig(home, folder), 'FILE_UNREADABLE')
  const file = join(home, 'locked.yaml')
  writeFileSync(file, 'checkpoint:\n  anchor: none\n')
  chmodSync(file, 0)
  // The superuser reads it all the same.
  if (process.getuid?.() !== 0) throwsWithCode(() => readConfig(home, file), 'FILE_UNREADABLE')
})

test('a settings file that is not UTF-8 is an error', () => {
  const file = join(home, 'latin.yaml')
  writeFileSync(file, Buffer.concat([Buffer.from('checkpoint:\n  mirror: /caf'), Buffer.from([0xe9]), Buffer.from('\n')]))
  const codes = ['CONFIG_INVALID', 'FILE_UNREADABLE']
  try {
    readConfig(home, file)
  } catch (error) {
    assert.ok(codes.includes((error as SteleError).code))
    return
  }
  assert.unreachable('another path than the one in the file would be used')
})

test.run()
