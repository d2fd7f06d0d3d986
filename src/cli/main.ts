#!/usr/bin/env node
// Words in, words and an exit code out. A hook is dispatched before the rest is loaded: the host waits for it.
import { setFlagsFromString } from 'node:v8'
import { exitCodes, SteleError } from '../foundation/stele-error.js'

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
  await runCommand()
}

async function runCommand(): Promise<void> {
  const { newProgram } = await import('./program.js')
  const { CommanderError } = await import('commander')
  const { printError } = await import('./terminal.js')
  const program = newProgram()
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)])
    command.exitOverride()
  try {
    await program.parseAsync()
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed its own line; help and version are fine.
      process.exitCode = error.exitCode === 0 ? 0 : exitCodes.input
    } else if (error instanceof SteleError) {
      printError(`stele: ${error.line}`)
      process.exitCode = exitCodes[error.kind]
    } else {
      printError('stele: INTERNAL: a mistake in Stele, not in your command; please report it with the command you ran')
      process.exitCode = 70
    }
  }
}
