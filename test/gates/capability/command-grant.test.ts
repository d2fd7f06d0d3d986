// Holds the reading of command grants: which words they are, what is refused and where, and that their text comes back the same.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { CommandGrant, CommandGrantWord } from '../../../src/gates/capability/allowlist.js'
import { commandGrantText, readCommandGrant } from '../../../src/gates/capability/command-grant.js'
import { makeRandom } from '../../support/seeded-random.js'

const test = suite('command grant')

const word = (pattern: string): CommandGrantWord => ({ kind: 'word', pattern })
const rest: CommandGrantWord = { kind: 'rest', of: 'words' }

test('words are split at blanks and by quotes, and nothing in them is expanded', () => {
  const kinds: readonly (readonly [string, CommandGrant])[] = [
    ['git status', [word('git'), word('status')]],
    ['  git\t log  ...', [word('git'), word('log'), rest]],
    ['npm run *', [word('npm'), word('run'), word('*')]],
    ['cp {read} {write}', [word('cp'), { kind: 'path', access: 'read' }, { kind: 'path', access: 'write' }]],
    ['cat {read}...', [word('cat'), { kind: 'rest', of: 'paths', access: 'read' }]],
    ['touch {write}...', [word('touch'), { kind: 'rest', of: 'paths', access: 'write' }]],
    ['git commit -m "two words"', [word('git'), word('commit'), word('-m'), word('two words')]],
    ["a'b c'\\ d \"e\\\"f\" ''", [word('ab c d'), word('e"f'), word('')]],
    ["echo '{read}' '...' \\$HOME '~'", [word('echo'), word('{read}'), word('...'), word('$HOME'), word('~')]],
    ['find . -exec grep x {} +', [word('find'), word('.'), word('-exec'), word('grep'), word('x'), word('{}'), word('+')]],
    ['A=* ./run.sh --n=?', [word('A=*'), word('./run.sh'), word('--n=?')]],
    ['[ -f {read} ]', [word('['), word('-f'), { kind: 'path', access: 'read' }, word(']')]],
  ]
  for (const [text, grant] of kinds) assert.equal(readCommandGrant(text), { grant }, text)
})

test('what is wrong with a grant is said, and where', () => {
  const kinds: readonly (readonly [string, string, number])[] = [
    ['', 'empty', 0],
    [' \t', 'empty', 0],
    ["git 'log", 'unbalanced', 4],
    ['git "log', 'unbalanced', 4],
    ['git log\\', 'unbalanced', 7],
    ['{read}', 'no_program', 0],
    ['... git', 'no_program', 0],
    ['git ... log', 'rest_not_last', 4],
    ['cat {read}... {write}', 'rest_not_last', 4],
    ['cat {raed}', 'unknown_marker', 4],
    ['cat {path}...', 'unknown_marker', 4],
    ["ls 'a*'", 'quoted_wildcard', 3],
    ['ls \\?', 'quoted_wildcard', 3],
    ['git log; rm', 'shell_syntax', 7],
    ['a | b', 'shell_syntax', 2],
    ['a > f', 'shell_syntax', 2],
    ['a `b`', 'shell_syntax', 2],
    ['a\nb', 'shell_syntax', 1],
    ['a # b', 'shell_syntax', 2],
    ['ls $HOME', 'never_matches', 3],
    ['ls ~/x', 'never_matches', 3],
    ['ls {a,b}', 'never_matches', 3],
  ]
  for (const [text, problem, at] of kinds) assert.equal(readCommandGrant(text), { problem, at }, text)
})

test('all spellings of a grant have one text, and that text is the same grant', () => {
  assert.is(commandGrantText([word('git'), word('log'), rest]), 'git log ...')
  assert.is(
    commandGrantText([word('a'), word('b c'), word(''), word('{read}'), word("d'e*f g")]),
    "a 'b c' '' '{read}' 'd'\\''e'*'f g'",
  )
  const random = makeRandom(71)
  const pieces = [
    'git',
    '*',
    '?',
    ' ',
    "'",
    '"',
    '\\',
    '{read}',
    '...',
    '{',
    '}',
    ',',
    '..',
    '$',
    '~',
    '#',
    ';',
    '\n',
    'é',
    '{x}',
    '/',
    '=',
  ]
  const ends: readonly CommandGrantWord[] = [
    rest,
    { kind: 'rest', of: 'paths', access: 'read' },
    { kind: 'path', access: 'write' },
  ]
  for (let round = 0; round < 3_000; round += 1) {
    const grant = Array.from({ length: 1 + random.int(4) }, () =>
      word(Array.from({ length: random.int(5) }, () => random.pick(pieces)).join('')),
    )
    const whole: CommandGrant = random.chance(2) ? grant : [...grant, random.pick(ends)]
    const text = commandGrantText(whole)
    assert.equal(readCommandGrant(text), { grant: whole }, text)
  }
})

test.run()
