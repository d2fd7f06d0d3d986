// Holds `stele redact` to its job: where secrets stand and what kind they are, never what they are; or the text without them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { redactCommand } from '../../src/cli/redact.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('stele redact')

const hermesHome = temporaryFolder()
const home = join(hermesHome, 'plugin-data', 'stele')
mkdirSync(home, { recursive: true })
writeFileSync(join(home, 'config.yaml'), 'checkpoint:\n  anchor: none\nredaction:\n  patterns: acme-*\n')
writeFileSync(join(hermesHome, '.env'), 'VENDOR_TOKEN=north-star-77\n')

const token = `ghp_${'a1'.repeat(18)}`
const clean = join(hermesHome, 'clean.txt')
writeFileSync(clean, 'max_tokens: 4096\n')
const dirty = join(hermesHome, 'dirty.txt')
writeFileSync(
  dirty,
  `one\n-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\npassword: hunter2 and ${token}\n\nnorth-star-77 acme-1\n`,
)
const withoutSecrets = 'one\n[PRIVATE KEY REDACTED]\npassword: [REDACTED] and [REDACTED]\n\n[REDACTED] [REDACTED]\n'

async function run(words: readonly string[]): Promise<{ printed: string; code: typeof process.exitCode }> {
  const write = process.stdout.write
  let printed = ''
  process.stdout.write = (text: string | Uint8Array) => {
    printed += String(text)
    return true
  }
  try {
    await redactCommand().parseAsync(['--home', home, ...words], { from: 'user' })
    return { printed, code: process.exitCode }
  } finally {
    process.stdout.write = write
    process.exitCode = undefined
  }
}

test('--check tells line, name and length of each, in order, and never the secret itself', async () => {
  const { printed, code } = await run(['--check', dirty])
  assert.is(
    printed,
    [
      'line 2  private-key  57 characters',
      'line 5  assigned-value  7 characters',
      'line 5  github-token  40 characters',
      'line 7  known-value  13 characters',
      'line 7  own-pattern  6 characters\n',
    ].join('\n'),
  )
  assert.is(code, 1)
})

test('--check --json is the same for machines, and --quiet leaves the exit code alone', async () => {
  const { printed, code } = await run(['--check', '--json', dirty])
  const { count, found, ...more } = JSON.parse(printed) as { count: number; found: unknown[] }
  assert.equal([count, found.length, found[0], more, code], [5, 5, { line: 2, name: 'private-key', length: 57 }, {}, 1])
  assert.equal(await run(['--check', '--quiet', dirty]), { printed: '', code: 1 })
})

test('where nothing is found the exit code is 0', async () => {
  assert.equal(await run(['--check', clean]), { printed: 'nothing found\n', code: undefined })
  assert.equal(await run(['--check', '--json', clean]), { printed: '{"count":0,"found":[]}\n', code: undefined })
})

test('without --check the text is printed as it would be kept', async () => {
  assert.equal(await run([dirty]), { printed: withoutSecrets, code: undefined })
  assert.equal(await run([clean]), { printed: 'max_tokens: 4096\n', code: undefined })
  assert.is((JSON.parse((await run(['--json', dirty])).printed) as { text: string }).text, withoutSecrets)
})

test('a file that is not there is told as such', async () => {
  await rejectsWithCode(run(['--check', join(hermesHome, 'none')]), 'FILE_UNREADABLE')
})

test.run()
