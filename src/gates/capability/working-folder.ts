// Follows the `cd` of a command line: where it surely leads, or that nobody can say any more.
import type { ShellReading, ShellWord } from './shell-reading.js'

const movers = ['cd', 'chdir', 'pushd', 'popd']
/** They run what their words say within the shell itself. */
const carriers = ['command', 'builtin', '.', 'source']

/** `words`: the program first, without assignments in front. */
export function followWorkingFolder(reading: ShellReading, words: readonly ShellWord[], assigned: boolean): void {
  const [program, ...operands] = words
  if (program === undefined || !mayMove(program, operands)) return
  const target = program.text === 'cd' && program.opaque === undefined && !assigned ? targetOf(reading, operands) : undefined
  if (target === undefined || reading.folder === null) reading.folder = target?.startsWith('/') === true ? [target] : null
  else reading.folder = target.startsWith('/') ? [target] : [...(reading.folder ?? []), target]
}

function mayMove(program: ShellWord, operands: readonly ShellWord[]): boolean {
  if (program.opaque !== undefined || movers.includes(program.text)) return true
  if (program.text === '.' || program.text === 'source') return true
  return carriers.includes(program.text) && operands.some(({ text, opaque }) => opaque !== undefined || movers.includes(text))
}

function targetOf(reading: ShellReading, operands: readonly ShellWord[]): string | undefined {
  const [target, ...more] = operands[0]?.text === '--' ? operands.slice(1) : operands
  if (target === undefined) return operands.length === 0 ? reading.home : undefined
  if (more.length > 0 || target.opaque !== undefined || target.text === '' || target.text.startsWith('-')) return undefined
  // The shell goes back along the names it came by, not along the folders they lead to.
  return /[^/.][^/]*\/+\.\.(?:\/|$)|[^/]{3,}\/+\.\.(?:\/|$)/.test(target.text) ? undefined : target.text
}
