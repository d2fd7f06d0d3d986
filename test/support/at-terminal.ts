// Runs the built program at a terminal of its own, with keys pressed as the screen comes to ask for them. Python's `pty` makes the terminal.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** What is waited for on the screen, since the key before, and what is pressed then. */
export type PressedKey = readonly [seen: string, key: string]

export interface RanAtTerminal {
  readonly status: number
  /** Everything that was written to the terminal. */
  readonly screen: string
  /** Whether the terminal echoed and waited for lines again when the program had ended. */
  readonly restored: boolean
}

const driver = `
import json, os, pty, select, sys, termios, time
words, steps, limit = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(words[0], words)
screen, seen, end = b"", 0, time.monotonic() + limit
def flags():
    return termios.tcgetattr(terminal)[3] & (termios.ECHO | termios.ICANON)
restored = False
while time.monotonic() < end:
    if steps and steps[0][0].encode() in screen[seen:]:
        seen = len(screen)
        os.write(terminal, steps.pop(0)[1].encode())
    ready, _, _ = select.select([terminal], [], [], 0.1)
    if not ready:
        continue
    try:
        read = os.read(terminal, 65536)
    except OSError:
        break
    if not read:
        break
    screen += read
    restored = flags() == termios.ECHO | termios.ICANON
else:
    os.kill(pid, 9)
_, status = os.waitpid(pid, 0)
json.dump([os.waitstatus_to_exitcode(status), screen.decode("utf-8", "replace"), restored, len(steps)], sys.stdout)
`

/** Throws where Python is missing, and where the screen never asked for one of the keys. */
export function atTerminal(words: readonly string[], keys: readonly PressedKey[], env: NodeJS.ProcessEnv = {}): RanAtTerminal {
  const asked = JSON.stringify([[process.execPath, program, ...words], keys, 60])
  const ran = spawnSync('python3', ['-c', driver, asked], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', TERM: 'xterm', ...env },
  })
  if (ran.error !== undefined) throw ran.error
  if (ran.status !== 0) throw new Error(ran.stderr)
  const [status, screen, restored, left] = JSON.parse(ran.stdout) as [number, string, boolean, number]
  if (left > 0) throw new Error(`${left} keys were never asked for:\n${screen}`)
  return { status, screen, restored }
}
