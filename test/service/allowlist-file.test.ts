// Holds the reading of an allowlist's file to the places of its parts, counted by hand, and to what it refuses.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PlacedValue } from '../../src/gates/capability/placed-value.js'
import { allowlistBytesMax, allowlistFile } from '../../src/service/allowlist-file.js'

const test = suite('allowlist-file')

const read = (text: string | Uint8Array) => allowlistFile(typeof text === 'string' ? Buffer.from(text) : text)
const told = (text: string | Uint8Array): string[] =>
  read(text).problems.map(({ severity, code, line, column }) => `${line}:${column} ${severity} ${code}`)

test('every part has the line and column where it stands, from 1', () => {
  const text = 'version: 1\r\nskills:\r\n  "*":\r\n    tools: [read_file, "a b"]\r\n    paths:\r\n      - ~/desk/**\r\n'
  const { value, problems } = read(text)
  assert.equal(problems, [])
  assert.equal(value, {
    kind: 'map',
    line: 1,
    column: 1,
    members: [
      { name: 'version', at: { line: 1, column: 1 }, value: { kind: 'scalar', value: 1, line: 1, column: 10 } },
      {
        name: 'skills',
        at: { line: 2, column: 1 },
        value: {
          kind: 'map',
          line: 3,
          column: 3,
          members: [
            {
              name: '*',
              at: { line: 3, column: 3 },
              value: {
                kind: 'map',
                line: 4,
                column: 5,
                members: [
                  {
                    name: 'tools',
                    at: { line: 4, column: 5 },
                    value: {
                      kind: 'list',
                      line: 4,
                      column: 12,
                      items: [
                        { kind: 'scalar', value: 'read_file', line: 4, column: 13 },
                        { kind: 'scalar', value: 'a b', line: 4, column: 24 },
                      ],
                    },
                  },
                  {
                    name: 'paths',
                    at: { line: 5, column: 5 },
                    value: {
                      kind: 'list',
                      line: 6,
                      column: 7,
                      items: [{ kind: 'scalar', value: '~/desk/**', line: 6, column: 9 }],
                    },
                  },
                ],
              },
            },
          ],
        },
      },
    ],
  })
})

test('words of other versions of YAML stay words: a day, off, and a number in quotes', () => {
  const { value, problems } = read('a: 2027-01-01\nb: off\nc: "1"\nd: 0x10\ne: ~\n')
  assert.equal(problems, [])
  const values = value?.kind === 'map' ? value.members.map(({ value: one }) => (one.kind === 'scalar' ? one.value : one)) : []
  assert.equal(values, ['2027-01-01', 'off', '1', 16, null])
})

/** Name, text, and what is told of it. */
const refused: readonly (readonly [name: string, text: string, problems: readonly string[]])[] = [
  ['a key that stands twice', 'version: 1\nskills: {}\nversion: 1\n', ['3:1 error duplicate_key']],
  ['a key that stands twice within brackets', 'a: {b: 1, c: 2, b: 3}\n', ['1:17 error duplicate_key']],
  [
    'all keys that stand twice',
    'a: 1\na: 2\nb: 1\nb: 2\nb: 3\n',
    ['2:1 error duplicate_key', '4:1 error duplicate_key', '5:1 error duplicate_key'],
  ],
  ['a merge key', 'a: 1\n<<: {b: 1}\n', ['2:1 error merge_key']],
  ['an anchor and its alias', 'a: &x 1\nb: *x\n', ['1:7 error alias', '2:4 error alias']],
  ['a star without quotes', 'skills:\n  *: {}\n', ['2:3 error alias']],
  ['a pattern that begins with a star', 'tools: [*, x]\n', ['1:9 error alias']],
  ['a tag', 'a: !!str 1\nb: !own {}\n', ['1:10 error tag', '2:9 error tag']],
  ['a second document', 'a: 1\n---\nb: 2\n', ['3:1 error several_documents']],
  ['a directive that changes the version', '%YAML 1.1\n---\na: 1\n', ['1:1 error directive']],
  ['a bracket that is not closed', 'a: [1, 2\n', ['2:1 error not_yaml']],
  ['a tab for indentation', 'a:\n\tb: 1\n', ['2:1 error not_yaml']],
  ['a key that is a list', '? [a, b]\n: 1\n', ['1:3 error wrong_type']],
  ['a file with nothing in it', '', ['1:1 error wrong_type']],
  ['a file of comments', '# nothing yet\n', ['1:1 error wrong_type']],
]

for (const [name, text, problems] of refused) {
  test(`${name} is refused with its place`, () => {
    assert.equal(told(text), problems)
  })
}

test('a name like a merge key is a name in quotes', () => {
  assert.equal(told('"<<": 1\n'), [])
})

test('what is no UTF-8, too long, or nests without end is refused as a whole', () => {
  assert.equal(told(Buffer.from([0x61, 0x3a, 0x20, 0xff])), ['1:1 error not_utf8'])
  assert.equal(told(Buffer.alloc(allowlistBytesMax + 1, '#')), ['1:1 error file_too_long'])
  assert.equal(told(Buffer.alloc(allowlistBytesMax, '#')), ['1:1 error wrong_type'])
  const levels = Array.from({ length: 700 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')
  for (const text of [
    `a: ${'['.repeat(100_000)}`,
    '{'.repeat(200_000),
    `${'- '.repeat(100_000)}x\n`,
    '? '.repeat(100_000),
    `a: ${'{b: '.repeat(30)}1${'}'.repeat(30)}\n`,
    levels,
  ])
    assert.ok(
      told(text).includes('1:1 error too_deep') || told(text).some((problem) => problem.endsWith(' too_deep')),
      text.slice(0, 9),
    )
})

test('a value is plain data, whatever the file says', () => {
  const isPlain = (value: PlacedValue): boolean =>
    value.kind === 'scalar'
      ? value.value === null || ['string', 'number', 'boolean'].includes(typeof value.value)
      : value.kind === 'list'
        ? value.items.every(isPlain)
        : value.members.every((member) => isPlain(member.value))
  for (const [, text] of refused) {
    const { value } = read(text)
    assert.ok(value === undefined || isPlain(value))
  }
})

test.run()
