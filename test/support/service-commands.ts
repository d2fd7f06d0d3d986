// Runs the built program beside a test that goes on meanwhile, and holds what it says to the error page.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { type Ran, stele } from './stele-command.js'
import { temporaryFolder } from './temporary-folder.js'

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** No Hermes of whoever runs the tests. */
export const withoutHermes = { HERMES_HOME: join(temporaryFolder(), 'no-hermes') }

/** A command about a home. */
export const steleAt = (home: string, ...words: string[]): Ran => stele([...words, '--home', home], { env: withoutHermes })

/** One payload through `stele hook`. */
export const hookAt = (home: string, payload: object): Ran =>
  stele(['hook', '--home', home], { input: JSON.stringify(payload), env: withoutHermes })

/** The same for a program that somebody in this process answers; `before` are words of another program that runs it. */
export function steleBeside(words: readonly string[], input: string, before: readonly string[] = []): Promise<Ran> {
  const [command = '', ...rest] = [...before, process.execPath, program, ...words]
  const child = spawn(command, rest, { env: { ...process.env, ...withoutHermes, NO_COLOR: '1' } })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ status: code, stdout, stderr }))
  })
}

/** One error line, as docs/errors.md has it, and nothing on standard output. */
export function assertRefused({ status, stdout, stderr }: Ran, code: string, exit: number): void {
  assert.equal([status, stdout], [exit, ''], stderr)
  assert.match(stderr, new RegExp(`^stele: ${code}: .*\\n$`))
}
