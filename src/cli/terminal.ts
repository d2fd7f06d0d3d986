// Everything that reaches a person or a pipe goes through here: escaped, coloured only on a terminal, JSON where a machine asks.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { SingleBar } from 'cli-progress'
import picocolors from 'picocolors'
import { terminalText } from '../foundation/terminal-text.js'

export type Colour = 'bold' | 'dim' | 'green' | 'red' | 'yellow'

/** Text for a person on standard output: no stored text can steer their terminal. */
export function print(text: string): void {
  process.stdout.write(`${terminalText(text)}\n`)
}

/** Text that was put together from escaped parts and colours. */
export function printStyled(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Data for a machine, as it is. Waits where the reader is slower than we are. */
export async function printData(text: string): Promise<void> {
  if (!process.stdout.write(text)) await new Promise((resolve) => process.stdout.once('drain', resolve))
}

/** What stood on the terminal goes; on one that cannot do that an empty line stands between. */
export function clearScreen(): void {
  process.stdout.write(process.env['TERM'] === 'dumb' ? '\n' : '\u001b[2J\u001b[H')
}

export function printError(text: string): void {
  process.stderr.write(`${terminalText(text)}\n`)
}

// The package also colours wherever CI or FORCE_COLOR is set; here only a terminal is coloured, and never with NO_COLOR.
const colours = picocolors.createColors(process.stdout.isTTY === true && !process.env['NO_COLOR'])

/** Escapes, then colours. */
export function styled(colour: Colour, text: string): string {
  return colours[colour](terminalText(text))
}

export interface Progress {
  update(done: number, of: number): void
  stop(): void
}

const shownAfterMs = 1000

/** A bar on standard error for work that takes more than a second; nothing where standard error is no terminal, or when quiet. */
export function progressBar(what: string, quiet: boolean): Progress {
  const silent: Progress = { update: () => {}, stop: () => {} }
  if (quiet || !process.stderr.isTTY) return silent
  const bar = new SingleBar({
    format: `${what} {bar} {percentage}% | {value} of {total} | {eta_formatted} left`,
    stream: process.stderr,
    clearOnComplete: true,
  })
  const started = performance.now()
  let running = false
  return {
    update(done, of) {
      if (!running && performance.now() - started > shownAfterMs) {
        running = true
        bar.start(Math.max(of, done), done)
      } else if (running) {
        bar.setTotal(Math.max(of, done))
        bar.update(done)
      }
    },
    stop() {
      if (running) bar.stop()
    },
  }
}

function openTerminal(): number | undefined {
  try {
    return openSync('/dev/tty', 'r+')
  } catch {
    return undefined
  }
}

/** Asks the person at the terminal itself, wherever standard input leads. Undefined where there is no terminal to ask at. */
export function confirmAtTerminal(question: string): boolean | undefined {
  const terminal = openTerminal()
  if (terminal === undefined) return undefined
  try {
    writeSync(terminal, `${terminalText(question)} [yes/no] `)
    const answer = Buffer.alloc(64)
    const length = readSync(terminal, answer, 0, answer.length, null)
    return answer.toString('utf8', 0, length).trim().toLowerCase() === 'yes'
  } catch {
    return false
  } finally {
    closeSync(terminal)
  }
}

/** Asks for a line that is not shown. Undefined where there is no terminal. */
export function askSecretAtTerminal(question: string): string | undefined {
  const terminal = openTerminal()
  if (terminal === undefined) return undefined
  const echo = (state: 'echo' | '-echo') => spawnSync('stty', [state], { stdio: [terminal, 'ignore', 'ignore'] }).status === 0
  try {
    // Without a way to hide what is typed, nothing is asked.
    if (!echo('-echo')) return undefined
    writeSync(terminal, terminalText(question))
    const line = Buffer.alloc(1024)
    const length = readSync(terminal, line, 0, line.length, null)
    writeSync(terminal, '\n')
    return line.toString('utf8', 0, length).replace(/\r?\n$/, '')
  } finally {
    echo('echo')
    closeSync(terminal)
  }
}
