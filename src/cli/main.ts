#!/usr/bin/env node
// Words in, words and an exit code out. A hook is dispatched before the rest is loaded: the host waits for it.
import { setFlagsFromString } from 'node:v8'
import { exitCodes, SteleError } from '../foundation/stele-error.js'
import { terminalText } from '../foundation/terminal-text.js'

// Whatever is written, by LevelDB too, is the owner's alone.
process.umask(0o077)
// Commands that go through a whole ledger make much garbage and keep little: a lazy heap would grow to several times of that.
setFlagsFromString('--heap-growing-percent=20')
setFlagsFromString('--max-semi-space-size=4')
// Through `exit`, so that snapshots are removed.
process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))

const [first, ...rest] = process.argv.slice(2)
if (first === 'hook') {
  await tellDirective()
} else {
  // A reader that closes the pipe early (`| head`) is no error, and takes no verdict away.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) =>
    process.exit(process.exitCode ?? (code === 'EPIPE' ? 0 : exitCodes.unavailable)),
  )
  await tellingFailure(first === 'serve' && rest.includes('--detach') ? runDetach : runCommand)
}

/**
 * One directive and exit 0, whatever happens: hosts take any other end for leave to go on. But for 2, by which the newer ones block, and
 * which is left where a directive cannot be printed.
 */
async function tellDirective(): Promise<void> {
  let isTold = false
  const tell = (text: string, told: () => void = () => {}): void => {
    isTold = true
    process.stdout.write(text, (error) => {
      if (error == null) return told()
      // Help and an empty directive stop nothing, printed or not.
      if (!text.startsWith('{') || text === '{}\n') process.exit(0)
      process.stderr.write(`stele hook: ${nameOf(error)}: the answer could not be printed, so the call is blocked\n`)
      process.exit(2)
    })
  }
  const fail = async (error: unknown): Promise<void> => {
    if (isTold) return
    process.stderr.write(`stele hook: ${nameOf(error)}: it failed, and the payload may be lost\n`)
    const hook = await import('./hook.js').catch(() => undefined)
    const blocked = '{"action":"block","message":"Stele failed, and nobody knows which mode is in force."}\n'
    tell(hook?.hookFailed(rest) ?? blocked, () => process.exit(0))
  }
  // Each failure is told by the write itself; and where nobody reads standard error, the directive goes out all the same.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  process.on('uncaughtException', fail)
  try {
    const { runHook } = await import('./hook.js')
    tell(await runHook(rest))
  } catch (error) {
    await fail(error)
  }
}

/** The name of an error, and nothing that it says. */
function nameOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^[A-Z][A-Z0-9_]*$/.test(code) ? code : 'INTERNAL'
}

/** Hosts wait for it too, so what it does not need is not loaded. */
async function runDetach(): Promise<void> {
  const { detach, readDetachWords } = await import('./detach.js')
  const options = readDetachWords(rest)
  await (options === undefined ? runCommand() : detach(options))
}

async function runCommand(): Promise<void> {
  const { newProgram } = await import('./program.js')
  const { CommanderError } = await import('commander')
  const program = newProgram()
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)])
    command.exitOverride()
  try {
    await program.parseAsync()
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Commander has printed its own line; help and version are fine.
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.input
  }
}

async function tellingFailure(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    const known = error instanceof SteleError
    const line = known
      ? error.line
      : 'INTERNAL: a mistake in Stele, not in your command; please report it with the command you ran'
    process.stderr.write(`${terminalText(`stele: ${line}`)}\n`)
    process.exitCode = known ? exitCodes[error.kind] : 70
  }
}
