// Holds the reading of .env files to what the host reads in them, and to errors where readers would differ.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PlacedValue } from '../../src/service/config-place.js'
import { type ConfigVariables, readEnvFile, readEnvironment, variableOf } from '../../src/service/config-variables.js'
import { throwsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('config variables')

const file = join(temporaryFolder(), '.env')
const variables: ConfigVariables = new Map([
  ['SEED_MODE', 'gate.mode'],
  ['STELE_GATE_MODE', 'gate.mode'],
  ['STELE_GATE_PATH', 'gate.path'],
])

function read(text: string | Buffer): PlacedValue[] {
  writeFileSync(file, text)
  return readEnvFile(file, variables)
}

/** Name, value and line of what was found. */
function found(text: string | Buffer) {
  return read(text).map(({ name, value, line }) => [name, value, line])
}

test('a variable is STELE_ and its key, dots and humps as underscores', () => {
  assert.is(variableOf('service.idleExitMinutes'), 'STELE_SERVICE_IDLE_EXIT_MINUTES')
  assert.is(variableOf('highWater.mirror'), 'STELE_HIGH_WATER_MIRROR')
  assert.is(variableOf('reload'), 'STELE_RELOAD')
})

test('no file, and a file without our variables, give nothing', () => {
  assert.equal(readEnvFile(join(temporaryFolder(), '.env'), variables), [])
  for (const text of [
    '',
    '\n\n',
    '# STELE_GATE_MODE=a\n',
    'A=1\nB\n=5\nset -a\n\u0000\n',
    'XSTELE_GATE_MODE=a\n',
    'A=STELE_GATE_MODE=b\n',
  ])
    assert.equal(read(text), [], JSON.stringify(text))
})

test('a line may be spelled in every way that the host reads', () => {
  for (const line of [
    'STELE_GATE_PATH=/a b',
    'export STELE_GATE_PATH=/a b',
    '  \texport \t STELE_GATE_PATH \t= \t/a b \t',
    'STELE_GATE_PATH="/a b"',
    "STELE_GATE_PATH='/a b'",
    "'STELE_GATE_PATH'='/a b'",
    'STELE_GATE_PATH=/a b # ours',
    'STELE_GATE_PATH="/a b"# ours',
    "STELE_GATE_PATH='/a b' # it's ours",
  ]) {
    for (const text of [line, `${line}\n`, `${line}\r\nA=1\r\n`, `${line}\rA=1`])
      assert.equal(found(`A=1\n\n${text}`), [['STELE_GATE_PATH', '/a b', 3]], JSON.stringify(text))
  }
  assert.equal(found('\ufeffSTELE_GATE_MODE=a\n'), [['STELE_GATE_MODE', 'a', 1]])
})

test('a number sign within a value belongs to it, and so does an equals sign', () => {
  assert.equal(found('STELE_GATE_PATH=/a#b=c\n'), [['STELE_GATE_PATH', '/a#b=c', 1]])
  assert.equal(found('STELE_GATE_PATH="/a #b"\n'), [['STELE_GATE_PATH', '/a #b', 1]])
})

test('an empty value is found as one: whether it is allowed is not judged here', () => {
  for (const line of ['STELE_GATE_MODE=', 'STELE_GATE_MODE=""', "STELE_GATE_MODE=''", 'STELE_GATE_MODE= # none'])
    assert.equal(found(`${line}\n`), [['STELE_GATE_MODE', '', 1]], line)
})

test('values of other programs may go over several lines, and lines behind them are still found', () => {
  const text = `A="one\ntwo \\" three\n"\nB='\n\n'\nSTELE_GATE_MODE=a\nC="x\n# STELE_GATE_MODE=b\n"\n`
  assert.equal(found(text), [['STELE_GATE_MODE', 'a', 7]])
})

test('a quote of another program that is never closed hides nothing', () => {
  assert.equal(found(`A="one\nSTELE_GATE_MODE=a\n`), [['STELE_GATE_MODE', 'a', 2]])
  assert.equal(found(`A='it\nSTELE_GATE_MODE=a\n`), [['STELE_GATE_MODE', 'a', 2]])
})

test('a variable of ours within the quotes of another is an error with its line: the host would not see it', () => {
  for (const line of ['STELE_GATE_MODE=a', ' export SEED_MODE = a', 'STELE_GATE_MODUS=a']) {
    const { details } = throwsWithCode(() => read(`A='one\nB=2\n${line}\nC='x'\n`), 'CONFIG_INVALID')
    assert.equal([details['place'], details['line']], ['.env', 3], line)
  }
})

test('a value that other readers of the file would read otherwise is an error with its line', () => {
  for (const value of [
    '"a',
    "'a",
    '"a\nb"',
    '"a" b',
    '"a\\"b"',
    "'a\\'b'",
    'a\\b',
    `\${HOME}/a`,
    '"$HOME"',
    '`pwd`',
    'a"b"',
    "it's",
  ]) {
    const { details } = throwsWithCode(() => read(`A=1\nSTELE_GATE_PATH=${value}\nB=2\n`), 'CONFIG_INVALID')
    assert.equal(
      [details['key'], details['name'], details['place'], details['line']],
      ['gate.path', 'STELE_GATE_PATH', '.env', 2],
      value,
    )
  }
  for (const line of ['STELE_GATE_MODE', 'export STELE_GATE_MODE', 'STELE_GATE_MODE a'])
    assert.is(throwsWithCode(() => read(`${line}\n`), 'CONFIG_INVALID').details['line'], 1, line)
  assert.is(throwsWithCode(() => read('STELE_GATE_MODE: a\n'), 'CONFIG_INVALID').details['nearest'], 'STELE_GATE_MODE')
})

test('a variable of ours that stands twice is an error with the second line; those of others may', () => {
  const { details } = throwsWithCode(() => read('STELE_GATE_MODE=a\nA=1\nA=2\nSTELE_GATE_MODE=a\n'), 'CONFIG_INVALID')
  assert.equal([details['name'], details['line']], ['STELE_GATE_MODE', 4])
})

test('a file that is not UTF-8 is read, unless it is in a value of ours', () => {
  const bytes = (text: string) => Buffer.from(text, 'latin1')
  assert.equal(found(bytes('A=caf\u00e9\nSTELE_GATE_MODE=a\n')), [['STELE_GATE_MODE', 'a', 2]])
  throwsWithCode(() => read(bytes('STELE_GATE_PATH=/caf\u00e9\n')), 'CONFIG_INVALID')
})

test('nothing of another variable is kept, in what is found or in an error', () => {
  const secret = 'TOKEN=hunter2\nexport KEY="hunter2\nhunter2"\n'
  assert.not.match(inspect(read(`${secret}STELE_GATE_MODE=a\n`), { depth: 9 }), 'hunter2')
  for (const line of ['STELE_GATE_MODUS=a', 'STELE_GATE_MODE', 'STELE_GATE_MODE="hunter2', 'STELE_GATE_MODE=hunter2 "'])
    assert.not.match(
      inspect(
        throwsWithCode(() => read(`${secret}${line}\n`), 'CONFIG_INVALID'),
        { depth: 9 },
      ),
      'hunter2',
    )
})

test('what counts for more comes last, in whatever order it stands', () => {
  for (const lines of [
    ['STELE_GATE_MODE=a', 'SEED_MODE=b'],
    ['SEED_MODE=b', 'STELE_GATE_MODE=a'],
  ]) {
    assert.is(found(lines.join('\n')).at(-1)?.[0], 'STELE_GATE_MODE')
    const environment = Object.fromEntries(lines.map((line) => line.split('=')))
    assert.equal(
      readEnvironment(environment, variables).map(({ name, value }) => [name, value]),
      [
        ['SEED_MODE', 'b'],
        ['STELE_GATE_MODE', 'a'],
      ],
    )
  }
})

test('a large file of open quotes and blanks is read in no time to speak of', () => {
  assert.equal(found(`${'A="\n'.repeat(2001)}STELE_GATE_MODE=a\n`), [['STELE_GATE_MODE', 'a', 2002]])
  assert.equal(found(`A=${' '.repeat(100_000)}x\n${'export '.repeat(20_000)}\nSTELE_GATE_MODE=a\n`), [
    ['STELE_GATE_MODE', 'a', 3],
  ])
})

test('very many blanks within a value or before a comment are read in no time to speak of', () => {
  const blanks = ' '.repeat(200_000)
  const before = process.cpuUsage()
  assert.equal(found(`STELE_GATE_PATH=a${blanks}b\n`), [['STELE_GATE_PATH', `a${blanks}b`, 1]])
  assert.equal(found(`STELE_GATE_PATH=a${blanks}# ours\n`), [['STELE_GATE_PATH', 'a', 1]])
  assert.equal(found(`STELE_GATE_PATH=${'a#'.repeat(100_000)} # # ours\n`), [['STELE_GATE_PATH', 'a#'.repeat(100_000), 1]])
  const { user, system } = process.cpuUsage(before)
  assert.ok(user + system < 1_000_000, `microseconds: ${user + system}`)
})

test.run()
