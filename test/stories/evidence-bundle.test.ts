// A bundle of evidence: what somebody without the ledger and without Stele can prove with one file and Python.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { feedHome } from '../support/feed-home.js'
import { recordedHooks } from '../support/recorded-session.js'
import { assertRefused, steleAt } from '../support/service-commands.js'
import { homeForService } from '../support/service-process.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('evidence bundle')

const home = homeForService()
const folder = temporaryFolder()
const verifier = fileURLToPath(new URL('../../examples/verify_bundle.py', import.meta.url))

interface Verdict {
  readonly ok: boolean
  readonly entries: number
  readonly size: number
  readonly withheld: number
  readonly findings: readonly { readonly code: string; readonly index: number | null }[]
}

test.before(() => feedHome(home, recordedHooks))

function bundle(name: string, ...words: string[]): { readonly file: string; readonly command: string; readonly entries: number } {
  const file = join(folder, name)
  const { status, stdout, stderr } = steleAt(home, 'report', 'evidence', '--bundle', file, '--json', ...words)
  assert.is(status, 0, stderr)
  return { file, ...(JSON.parse(stdout) as { command: string; entries: number }) }
}

/** As a stranger would: in an empty folder, with nothing but the command. */
function run(command: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync('sh', ['-c', command], { cwd: temporaryFolder(), encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '' } })
}

function verify(file: string, ...words: string[]): Verdict {
  const { stdout, stderr } = spawnSync('python3', [verifier, file, '--json', ...words], { encoding: 'utf8' })
  assert.is(stderr, '')
  return JSON.parse(stdout) as Verdict
}

const vkey = (): string => steleAt(home, 'key', 'show').stdout.trim()

test('one file verifies with one command, in an empty folder, with Python alone', () => {
  const { command, entries } = bundle('one.jsonl', '--index', '2', '--index', '7', '--index', '2')
  assert.is(entries, 2)
  const { status, stdout, stderr } = run(command)
  assert.is(status, 0, stderr)
  assert.match(stdout, /^sound: 2 entries, each proved under the signed head/)
})

test('a whole session, or what came since a time; the key that was pinned is held against it', () => {
  const session = bundle('session.jsonl', '--session', sessionId())
  const since = bundle('since.jsonl', '--since', '1d')
  // All but the ledger's own entry belong to the one session.
  assert.is(since.entries, session.entries + 1)
  const verdict = verify(session.file, '--key', vkey())
  assert.equal([verdict.ok, verdict.entries, verdict.findings], [true, session.entries, []])
  const other = `${vkey().split('+')[0]}+${'0'.repeat(8)}+x`
  assert.is(spawnSync('python3', [verifier, session.file, '--key', other]).status, 2, 'no key')
  const stranger = homeForService()
  assert.is(steleAt(stranger, 'init').status, 0)
  const foreign = verify(session.file, '--key', steleAt(stranger, 'key', 'show').stdout.trim())
  assert.ok(!foreign.ok && foreign.findings.every(({ code }) => code === 'key_unknown'))
})

test('what was changed in it is named: a word, a fact, a time, an entry taken out, put in twice or given another’s proof', () => {
  const { file } = bundle('changed.jsonl', '--index', '2', '--index', '7', '--index', '9')
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const codesOf = (changed: readonly (string | undefined)[]): readonly string[] => {
    const copy = join(folder, 'copy.jsonl')
    writeFileSync(copy, `${changed.filter((line) => line !== undefined).join('\n')}\n`)
    const { ok, findings } = verify(copy)
    assert.is(ok, findings.length === 0)
    return findings.map(({ code }) => code)
  }
  const [first = '', receipt, second, secondReceipt, ...rest] = lines
  assert.equal(codesOf(lines), [])
  const entry = JSON.parse(first) as { words: Record<string, string>; raw: Record<string, string>; data: object; time: string }
  const withWord = { ...entry, words: { ...entry.words, text: 'never said' } }
  assert.equal(codesOf([JSON.stringify(withWord), ...lines.slice(1)]), ['words_altered'])
  const withFact = { ...entry, data: { ...entry.data, characters: 1 } }
  assert.equal(codesOf([JSON.stringify(withFact), ...lines.slice(1)]), ['payload_altered'])
  const withTime = { ...entry, time: '2020-01-01T00:00:00.000Z' }
  assert.equal(codesOf([JSON.stringify(withTime), ...lines.slice(1)]), ['header_altered'])
  assert.equal(codesOf([first, receipt, ...rest]), ['truncated'])
  assert.equal(codesOf([first, receipt, first, receipt, second, secondReceipt, ...rest]), ['entry_duplicated', 'truncated'])
  assert.ok(codesOf([first, secondReceipt, second, receipt, ...rest]).includes('receipt_foreign'))
  assert.equal(codesOf(lines.slice(0, -1)).at(-1), 'truncated')
  assert.equal(codesOf([first, ...lines.slice(2)]), ['receipt_unreadable'])
})

test('words that are forgotten later are forgotten in it too, and it still verifies', () => {
  const { file, command } = bundle('forgotten.jsonl', '--index', '2')
  const said = (JSON.parse(readFileSync(file, 'utf8').split('\n')[0] ?? '') as { words: { text: string } }).words.text
  assert.ok(readFileSync(file, 'utf8').includes(said))
  assert.is(steleAt(home, 'erase', '--index', '2', '--reason', 'a test', '--yes').status, 0)
  assert.not.ok(readFileSync(file, 'utf8').includes(said))
  const { status, stdout } = run(command)
  assert.is(status, 0, stdout)
  assert.match(stdout, /the words of 1 entries are not in it/)
})

test('without a choice, or with another report, it says what to give', () => {
  const file = join(folder, 'refused.jsonl')
  assertRefused(steleAt(home, 'report', 'evidence', '--bundle', file), 'OPTION_INVALID', 2)
  assertRefused(steleAt(home, 'report', 'activity', '--bundle', file, '--index', '1'), 'OPTION_INVALID', 2)
  assertRefused(steleAt(home, 'report', 'evidence', '--index', '1'), 'OPTION_INVALID', 2)
  assertRefused(steleAt(home, 'report', 'evidence', '--bundle', file, '--index', '100000'), 'ENTRY_UNKNOWN', 2)
})

function sessionId(): string {
  const [line = ''] = recordedHooks
  return (JSON.parse(line) as { session_id: string }).session_id
}

test.run()
