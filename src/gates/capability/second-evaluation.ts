// Where bash takes a text that it has expanded for code once more: calculations, subscripts, offsets, names of names, prompts, and builtins
// that are handed such names. What the text says then may run anything, and nobody can know it: a value of a variable (`$_` is the last word
// of the command before), or what a file holds. Only what is written out as a number is known.
import type { ShellWord } from './shell-reading.js'

/** Values that are numbers whatever happens. */
const numbers = /\$(?:[?#$!]|\{(?:[?#$!]|#[A-Za-z_]\w*)\})/g
const comparing: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])
/** They ask for a name, and calculate its subscript. */
const asksName: ReadonlySet<string> = new Set(['-v', '-R'])
const binary: ReadonlySet<string> = new Set([...comparing, '=', '==', '!=', '<', '>', '-ef', '-nt', '-ot', '-a', '-o'])

/** Whether there is any, by where the text stands. */
export const secondEvaluation = { arithmetic, parameter, condition, builtin }

/** What stands between `((` and `))`. */
function arithmetic(content: string): boolean {
  return /[A-Za-z_$`]/.test(content.replace(numbers, ' '))
}

/** What stands between `${` and `}`; `named`: how much of it is the name. */
function parameter(content: string, named: number): boolean {
  if (content.startsWith('!') && named > 1) return true
  const rest = content.slice(named)
  const subscript = /^\[([^\]]*)\]/.exec(rest)
  if (rest.startsWith('[') && !/^(?:-?\d+|[@*])$/.test(subscript?.[1] ?? '')) return true
  const behind = rest.slice(subscript?.[0].length ?? 0)
  if (behind.startsWith('@')) return behind.includes('P')
  return /^:(?![-=?+])/.test(behind) && !/^:\s*-?\d+(?::\s*-?\d+)?$/.test(behind)
}

/** The words of `[[ … ]]`. */
function condition(words: readonly ShellWord[]): boolean {
  return words.some(({ text }, at) => {
    const [before, after] = [words[at - 1], words[at + 1]]
    if (asksName.has(text)) return after !== undefined && (after.opaque !== undefined || after.text.includes('['))
    return comparing.has(text) && [before, after].some((word) => word !== undefined && !isNumber(word))
  })
}

/** The words of a builtin that evaluates some of them, without its name. */
function builtin(name: string, operands: readonly ShellWord[]): boolean {
  if (name === 'printf') return printfEvaluates(operands)
  if (name === 'test' || name === '[') return testEvaluates(name === '[' ? operands.slice(0, -1) : operands)
  if (name === 'let') return operands.some((word) => word.opaque !== undefined || !/^(?:[a-z_]\w*=)?\d+$/.test(word.text))
  if (/^(?:set|export|readonly)$/.test(name)) return false
  if (/^(?:declare|typeset|local)$/.test(name) && operands.some(({ text }) => /^[-+][A-Za-z]*[in]/.test(text))) return true
  const takesNames = /^(?:read|mapfile|readarray|getopts)$/.test(name)
  return operands.some((word) => {
    const isAssigned = /^[A-Za-z_]\w*\+?=/.test(word.text)
    if (isAssigned) return false
    return (word.opaque !== undefined && !isNumber(word)) || word.text.includes('[') || (takesNames && /[A-Z]/.test(word.text))
  })
}

/** `-v` names a variable: one with a subscript is calculated, one with a capital is listened to. */
function printfEvaluates([first, second]: readonly ShellWord[]): boolean {
  if (first === undefined) return false
  if (first.opaque !== undefined) return true
  if (!first.text.startsWith('-v')) return false
  const name = first.text === '-v' ? second : { ...first, text: first.text.slice(2) }
  return name === undefined || name.opaque !== undefined || !/^[a-z_][a-z\d_]*$/.test(name.text)
}

/** How many words there are, and which are operators, has to be sure. */
function testEvaluates(operands: readonly ShellWord[]): boolean {
  const asks = operands.findIndex(({ text }) => asksName.has(text))
  if (asks >= 0) return operands.some(({ text, opaque }) => opaque !== undefined || text.includes('['))
  const unsure = operands.filter((word) => word.opaque !== undefined && !isNumber(word))
  if (unsure.length === 0) return false
  if (!unsure.every(isOneWord)) return true
  if (operands.length === 2) return operands[0]?.opaque !== undefined
  return operands.length !== 3 || operands[1]?.opaque !== undefined || !binary.has(operands[1]?.text ?? '')
}

function isNumber({ text, opaque }: ShellWord): boolean {
  return opaque === undefined ? /^[-+]?\d+$/.test(text) : text.replace(numbers, '') === ''
}

/** Quoted as a whole, so that blanks in its value make no more words of it. */
function isOneWord({ text }: ShellWord): boolean {
  return /^"(?:[^"\\`$]|\$\w+|\$\{\w+\})*"$/.test(text)
}
