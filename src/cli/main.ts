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
// A reader that closes the pipe early (`| head`) is no error, and takes no verdict away.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  const failed = error.code === 'EPIPE' || process.argv[2] === 'hook' ? 0 : exitCodes.unavailable
  process.exit(process.exitCode ?? failed)
})
// Through `exit`, so that snapshots are removed.
process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))

const [first, ...rest] = process.argv.slice(2)
if (first === 'hook') {
  const { runHook } = await import('./hook.js')
  await runHook(rest)
} else {
  await tellingFailure(first === 'serve' && rest.includes('--detach') ? runDetach : runCommand)
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
