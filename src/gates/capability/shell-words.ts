// Reads a command line as bash would, without running anything: which simple commands it would run, in their order, with which words, and
// which files its redirects would open. What is not understood for certain is not guessed at: then the whole line counts as unread.
import type { AccessUnread, CommandPart, CommandWord } from './access.js'
import { readShellCommands } from './shell-commands.js'
import { ShellReading } from './shell-reading.js'
import { type ShellDialect, ShellText } from './shell-text.js'

export interface ShellLine {
  readonly commands: readonly ShellCommand[]
  readonly redirects: readonly ShellRedirect[]
  /** Then the lists are empty: nothing is said of a line that is not understood as a whole. */
  readonly unread?: AccessUnread
}

/** Its operands tell no paths yet: whoever may look at files adds them. */
export interface ShellCommand extends CommandPart {
  readonly folder?: ShellFolder
}

/** A file that the line itself names for reading or writing, whatever its commands do. */
export interface ShellRedirect {
  /** Where it is opaque, nobody can say which file: a touch without a typed path. */
  readonly target: CommandWord
  readonly access: 'read' | 'write'
  /** Everything beneath it too. */
  readonly tree?: true
  readonly folder?: ShellFolder
}

/** Where it stands when it is not the folder of the call: the words of each `cd` on the way, one after the other; null where nobody can say. */
export type ShellFolder = readonly string[] | null

export interface ShellWordsOptions {
  /** What `~` and `$HOME` stand for in the shell that will run the line. Without it both are opaque. */
  readonly home?: string
  /** `posix`: the line may be run by another shell than bash, so what the two read differently is unread. Else it is bash. */
  readonly dialect?: ShellDialect
}

export function shellWords(line: string, options: ShellWordsOptions = {}): ShellLine {
  const reading = new ShellReading(options.home)
  if (line.length > ShellReading.mostUnits) reading.fail('too_long')
  else if (line.includes('\0')) reading.fail('syntax')
  else readShellCommands(new ShellText(line, reading, options.dialect ?? 'bash'))
  return reading.line()
}
