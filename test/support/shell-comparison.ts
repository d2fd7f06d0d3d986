// Compares what a shell ran with what was read of its line: which runs were not foreseen, and which commands were foreseen and did not run.
import type { CommandPart, CommandWord } from '../../src/gates/capability/access.js'
import type { ShellLine } from '../../src/gates/capability/shell-words.js'
import { type ShellRun, stubNames } from './shell-runs.js'

export interface ShellComparison {
  readonly unforeseen: readonly (readonly string[])[]
  readonly notRun: readonly string[]
  readonly unforeseenFiles: readonly string[]
}

/** `repeats`: one command may run more than once. */
export function shellComparison({ commands, redirects }: ShellLine, run: ShellRun, repeats: boolean): ShellComparison {
  const parts = commands.map(withoutAssignments).filter(([program]) => program !== undefined && isStub(program))
  const taken = new Map<number, number>()
  const unforeseen = run.ran.filter((ran, at) =>
    repeats ? !parts.some((part) => fits(part, ran)) : !takes(at, run.ran, parts, taken, new Set()),
  )
  const targets = redirects.filter(({ access }) => access === 'write').map(({ target }) => target)
  return {
    unforeseen,
    notRun: repeats ? [] : parts.filter((_, at) => !taken.has(at)).map((part) => part.map(({ text }) => text).join(' ')),
    unforeseenFiles: run.files.filter(
      (file) => !targets.some(({ text, opaque }) => opaque !== undefined || text === file || text === `./${file}`),
    ),
  }
}

function withoutAssignments({ program, operands }: CommandPart): CommandWord[] {
  const words = [program, ...operands]
  const front = words.findIndex(({ text }) => !/^[A-Za-z_]\w*(?:\[[\s\S]*\])?\+?=/.test(text))
  return front < 0 ? [] : words.slice(front)
}

function isStub({ text, opaque }: CommandWord): boolean {
  return opaque !== undefined || stubNames.includes(text)
}

/** Finds a part for a run, moving other runs to other parts where that makes room. */
function takes(
  at: number,
  ran: ShellRun['ran'],
  parts: readonly CommandWord[][],
  taken: Map<number, number>,
  tried: Set<number>,
): boolean {
  for (const [place, part] of parts.entries()) {
    if (tried.has(place) || !fits(part, ran[at] ?? [])) continue
    tried.add(place)
    const holder = taken.get(place)
    if (holder === undefined || takes(holder, ran, parts, taken, tried)) {
      taken.set(place, at)
      return true
    }
  }
  return false
}

/** An opaque word may have become any number of words. */
function fits(part: readonly CommandWord[], ran: readonly string[]): boolean {
  const [word, ...more] = part
  if (word === undefined) return ran.length === 0
  if (word.opaque === undefined) return word.text === ran[0] && fits(more, ran.slice(1))
  return Array.from({ length: ran.length + 1 }, (_, count) => count).some((count) => fits(more, ran.slice(count)))
}
