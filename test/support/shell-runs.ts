// Runs a command line in a real shell where nothing but logging stubs can be found, and tells which of them ran with which words.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ShellRun {
  /** Program and words of each stub that ran, in no certain order. */
  readonly ran: readonly (readonly string[])[]
  /** Names of the files that are there afterwards. */
  readonly files: readonly string[]
}

/** `bad` fails, all others succeed. */
export const stubNames: readonly string[] = ['one', 'two', 'three', 'git', 'ls', 'cat', 'whoami', 'bad']

/** Each in a file of its own, since several may run at once. */
const stub = `#!/bin/sh
printf '%s\\0' "\${0##*/}" "$@" > "$STUB_LOG.$$"
case "$0" in */bad) exit 1 ;; esac
`

export function shellAt(name: 'bash' | 'dash'): string | undefined {
  return ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}

/** `folder` is the test's own. */
export function shellRuns(shell: string, folder: string): (line: string) => ShellRun {
  const stubs = join(folder, 'stubs')
  mkdirSync(stubs, { recursive: true })
  for (const name of stubNames) {
    writeFileSync(join(stubs, name), stub)
    chmodSync(join(stubs, name), 0o755)
  }
  let runs = 0
  return (line) => {
    runs += 1
    const logs = join(folder, `logs-${runs}`)
    const place = join(folder, `place-${runs}`)
    for (const made of [logs, place]) mkdirSync(made)
    // As the host does: the line is evaluated, and what it left behind is waited for.
    spawnSync(shell, ['-c', 'eval "$1"\nwait', 'line', line], {
      cwd: place,
      env: { PATH: stubs, STUB_LOG: join(logs, 'log'), HOME: '/nowhere/home', LC_ALL: 'C.UTF-8' },
      // The last pipe is left alone by all that runs, so it closes when the last of them has ended, whoever started it.
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      timeout: 10_000,
    })
    const ran = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8').split('\0').slice(0, -1))
    return { ran, files: readdirSync(place) }
  }
}
