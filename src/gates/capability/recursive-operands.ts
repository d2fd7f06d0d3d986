// Which operands of a command are taken with everything beneath them, as far as its name and options tell.
import type { CommandPart } from './access.js'

/** They go down by themselves. */
const walkers: ReadonlySet<string> = new Set('7z ack ag du fd find rg tar tree zip'.split(' '))

/** They go down where an option says so, with the letters that say it. */
const walkersByOption: Readonly<Record<string, string>> = {
  ...{ chgrp: 'R', chmod: 'R', chown: 'R', cp: 'rRa', diff: 'r', egrep: 'rR', fgrep: 'rR', grep: 'rR', install: 'r' },
  ...{ ls: 'R', rm: 'rR', rsync: 'ra', scp: 'r', setfacl: 'R', shred: 'r' },
}

const longOptions: ReadonlySet<string> = new Set(['--recursive', '--dereference-recursive', '--archive', '--tree'])

/** Their places among the operands; none where nothing goes down. */
export function recursiveOperands({ program, operands }: CommandPart): ReadonlySet<number> {
  const words = [program, ...operands].map(({ text }) => text)
  const front = words.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word))
  const name = /[^\\/]*$/.exec(words[front] ?? '')?.[0] ?? ''
  const options = words.slice(front + 1).filter((word) => word.startsWith('-'))
  if (!walkers.has(name) && !options.some((option) => goesDown(option, walkersByOption[name] ?? ''))) return none
  return new Set(operands.flatMap(({ text }, at) => (at >= front && !text.startsWith('-') ? [at] : [])))
}

const none: ReadonlySet<number> = new Set()

function goesDown(option: string, letters: string): boolean {
  if (letters === '') return false
  if (option.startsWith('--')) return longOptions.has(option.replace(/=.*$/, ''))
  return [...letters].some((letter) => option.includes(letter))
}
