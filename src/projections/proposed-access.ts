// The words of an `access.proposed` as the gate was handed them. They may be of another version of Stele: what does not fit is left out.
import type {
  CommandOpacity,
  CommandOperand,
  CommandPart,
  ProposedAccess,
  Touch,
  TouchProblem,
} from '../gates/capability/access.js'

type Member = Readonly<Record<string, unknown>>

const problems: readonly unknown[] = ['dangling', 'looping', 'unreadable', 'unresolved'] satisfies TouchProblem[]
const opacities: readonly unknown[] = ['variable', 'substitution', 'expansion', 'glob'] satisfies CommandOpacity[]

export function proposedAccess(words: Member): Pick<ProposedAccess, 'touches' | 'commands'> {
  return { touches: members(words, 'touches').flatMap(touchOf), commands: commandsOf(words) }
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

function placeOf({ typed, resolved, problem, foldsCase }: Member): Pick<Touch, 'typed' | 'resolved' | 'problem' | 'foldsCase'> {
  return {
    typed: typeof typed === 'string' ? typed : null,
    resolved: typeof resolved === 'string' ? resolved : null,
    ...(problems.includes(problem) ? { problem: problem as TouchProblem } : {}),
    ...(foldsCase === true ? { foldsCase } : {}),
  }
}

function commandsOf(words: Member): CommandPart[] {
  const operands = members(words, 'operands')
  return members(words, 'programs').map((program, at) => ({
    program: wordOf(program),
    operands: operands.filter(({ of }) => of === at).map(operandOf),
  }))
}

function wordOf({ text, opaque, variable }: Member): CommandPart['program'] {
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
