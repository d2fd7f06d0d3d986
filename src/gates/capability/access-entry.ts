// What a call would reach, as an entry keeps it, and back: the paths of operands stand flat among the words, so that each can be taken out
// or forgotten by its kind.
import type { Facts, Words } from '../../events/event-catalog.js'
import type { CommandOperand, CommandWord, ProposedAccess, Touch } from './access.js'

type AccessWords = Words<'access.proposed'>

export function accessWords({ touches, commands }: ProposedAccess): AccessWords {
  return {
    touches: touches.map(({ asked, access, tree, ...place }) => ({ asked, access, tree, ...placeOf(place) })),
    programs: commands.map(({ program }) => wordOf(program)),
    operands: commands.flatMap(({ operands }, of) =>
      operands.map((operand) => ({ of, ...wordOf(operand), ...(operand.path === undefined ? {} : placeOf(operand.path)) })),
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

export function accessOfEntry({ unread }: Pick<Facts<'access.proposed'>, 'unread'>, words: AccessWords): ProposedAccess {
  const operands = words.programs.map((): CommandOperand[] => [])
  for (const { of, typed, resolved, problem, foldsCase, ...word } of words.operands) {
    const path = typed === undefined ? undefined : placeOf({ typed, resolved: resolved ?? null, problem, foldsCase })
    operands[of]?.push({ ...wordOf(word), ...(path === undefined ? {} : { path }) })
  }
  return {
    touches: words.touches.map(({ asked, access, tree, ...place }): Touch => ({ asked, access, tree, ...placeOf(place) })),
    commands: words.programs.map((program, at) => ({ program: wordOf(program), operands: operands[at] ?? [] })),
    ...(unread === undefined ? {} : { unread }),
  }
}

type PlaceOfEntry = Pick<AccessWords['touches'][number], 'typed' | 'resolved' | 'problem' | 'foldsCase'>

function placeOf({
  typed,
  resolved,
  problem,
  foldsCase,
}: PlaceOfEntry): Pick<Touch, 'typed' | 'resolved' | 'problem' | 'foldsCase'> {
  return { typed, resolved, ...(problem === undefined ? {} : { problem }), ...(foldsCase === undefined ? {} : { foldsCase }) }
}

type WordOfEntry = Pick<AccessWords['programs'][number], 'text' | 'opaque' | 'variable'>

function wordOf({ text, opaque, variable }: WordOfEntry): CommandWord {
  return { text, ...(opaque === undefined ? {} : { opaque }), ...(variable === undefined ? {} : { variable }) }
}
