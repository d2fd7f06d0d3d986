// Runs the built program as a stranger would: a process of its own, a home of its own, nothing of this machine's environment.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** `npm test` builds the program first; a test that is run alone must find it built. */
export function stele(words: readonly string[], options: { input?: string | Buffer; env?: NodeJS.ProcessEnv } = {}): Ran {
  if (!existsSync(program)) throw new Error('the program is not built: run `npm run build`')
  const env = { ...process.env, NO_COLOR: '1', ...options.env }
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    input: options.input ?? '',
    encoding: 'utf8',
    env,
  })
  return { status, stdout, stderr }
}

/** The one JSON value that a command printed with `--json`. */
export function json<Value>(ran: Ran): Value {
  return JSON.parse(ran.stdout) as Value
}
