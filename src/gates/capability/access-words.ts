// What a call would reach, as an entry keeps it, and back: the paths of operands stand flat among the words, so that each can be taken out
// or forgotten by its kind.
import type { Facts, Words } from '../../events/event-catalog.js'
import type { CommandOpacity, CommandOperand, CommandWord, ProposedAccess, Touch, TouchProblem } from './access.js'

type AccessWords = Words<'access.proposed'>

export function accessWords({ touches, commands }: ProposedAccess): AccessWords {
  return {
    touches: touches.map(({ asked, access, tree, ...place }) => ({ asked, access, tree, ...entryPlace(place) })),
    programs: commands.map(({ program }) => entryWord(program)),
    operands: commands.flatMap(({ operands }, of) =>
      operands.map((operand) => ({ of, ...entryWord(operand), ...(operand.path === undefined ? {} : entryPlace(operand.path)) })),
    ),
  }
}

/** The counts that stand among the facts. */
export function accessFacts({
  touches,
  commands,
  unread,
}: ProposedAccess): Pick<Facts<'access.proposed'>, 'touches' | 'writes' | 'commands' | 'unread'> {
  const writes = touches.filter(({ access }) => access === 'write').length
  return { touches: touches.length, writes, commands: commands.length, ...(unread === undefined ? {} : { unread }) }
}

type PathOfOperand = NonNullable<CommandOperand['path']>

function entryPlace({ typed, resolved, problem, foldsCase }: PathOfOperand): PathOfOperand {
  return { typed, resolved, ...(problem === undefined ? {} : { problem }), ...(foldsCase === undefined ? {} : { foldsCase }) }
}

function entryWord({ text, opaque, variable }: CommandWord): CommandWord {
  return { text, ...(opaque === undefined ? {} : { opaque }), ...(variable === undefined ? {} : { variable }) }
}

type Member = Readonly<Record<string, unknown>>

const problems: readonly unknown[] = ['dangling', 'looping', 'unreadable', 'unresolved'] satisfies TouchProblem[]
const opacities: readonly unknown[] = ['variable', 'substitution', 'expansion', 'glob'] satisfies CommandOpacity[]

/** The words of an `access.proposed` as what they say. They may be of another version of Stele: what does not fit is left out. */
export function accessOfWords(words: Member): Pick<ProposedAccess, 'touches' | 'commands'> {
  const programs = members(words, 'programs')
  const operands = programs.map((): CommandOperand[] => [])
  for (const operand of members(words, 'operands')) operands[Number(operand['of'])]?.push(operandOf(operand))
  return {
    touches: members(words, 'touches').flatMap(touchOf),
    commands: programs.map((program, at) => ({ program: wordOf(program), operands: operands[at] ?? [] })),
  }
}

function members(words: Member, name: string): Member[] {
  const list: unknown = words[name]
  return Array.isArray(list) ? list.filter((one): one is Member => typeof one === 'object' && one !== null) : []
}

function touchOf(of: Member): Touch[] {
  const { asked, access } = of
  if (typeof asked !== 'string' || (access !== 'read' && access !== 'write')) return []
  return [{ asked, access, tree: of['tree'] === true, ...placeOf(of) }]
}

function placeOf({ typed, resolved, problem, foldsCase }: Member): PathOfOperand {
  return {
    typed: typeof typed === 'string' ? typed : null,
    resolved: typeof resolved === 'string' ? resolved : null,
    ...(problems.includes(problem) ? { problem: problem as TouchProblem } : {}),
    ...(foldsCase === true ? { foldsCase } : {}),
  }
}

function wordOf({ text, opaque, variable }: Member): CommandWord {
  return {
    text: typeof text === 'string' ? text : '',
    ...(opacities.includes(opaque) ? { opaque: opaque as CommandOpacity } : {}),
    ...(typeof variable === 'string' ? { variable } : {}),
  }
}

function operandOf(of: Member): CommandOperand {
  const hasPath = of['typed'] !== undefined || of['resolved'] !== undefined || of['problem'] !== undefined
  return { ...wordOf(of), ...(hasPath ? { path: placeOf(of) } : {}) }
}
