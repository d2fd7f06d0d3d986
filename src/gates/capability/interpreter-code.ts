// Tells where a command hands an interpreter code instead of a script: inline, as a module, or by its input. A grant of paths covers
// scripts only, so that it has to name such a word itself.
import type { CommandWord } from './access.js'

interface Interpreter {
  readonly names: RegExp
  /** An option that brings code. */
  readonly code: RegExp
  /** One whose next word belongs to it. */
  readonly takesNext?: RegExp
}

const interpreters: readonly Interpreter[] = [
  {
    names: /^(?:r?bash|sh|dash|ash|[mo]?ksh\d*|zsh|fish|t?csh)$/,
    code: /^-[A-Za-z]*[cs]|^--(?:command|init-command)\b|^-C/,
    takesNext: /^[-+][A-Za-z]*[oO]|^--(?:rcfile|init-file)$/,
  },
  { names: /^(?:python|pypy)[\d.]*w?$/, code: /^-[A-Za-z]*[cm]/, takesNext: /^-[WX]$/ },
  {
    names: /^(?:node|nodejs|bun|deno|tsx|ts-node)[\d.]*$/,
    code: /^-[a-z]*[epr]|^--(?:eval|print|require|import|loader|experimental-loader)\b|^eval$/,
  },
  { names: /^(?:perl|ruby|jruby)[\d.]*$/, code: /^-[A-Za-z\d]*[eEMmr]/, takesNext: /^-[IC]$/ },
  {
    names: /^(?:php|lua|luajit|Rscript|osascript|julia|elixir|groovy|scala)[\d.]*$/,
    code: /^-[A-Za-z]*[BEelRr]|^--(?:eval|execute|run|process-code)\b/,
  },
]

const powerShells = /^(?:powershell|pwsh)(?:-preview)?$/i
const commandShell = /^cmd$/i

/** Place among the words, the program being 0, of the one that is code or makes the next one code; the number of words where the code is
 * read from the input. Nothing where a script is run, and for other programs. `words`: without assignments in front. */
export function interpreterCode(words: readonly CommandWord[]): number | undefined {
  const program = words[0]?.text ?? ''
  const name = program.slice(program.search(/[^/\\]*$/)).replace(/\.exe$/i, '')
  if (powerShells.test(name)) return powerShellCode(words, /^powershell/i.test(name))
  if (commandShell.test(name)) return words.some(({ text }) => /^\/[a-z]/i.test(text)) ? 1 : words.length
  const interpreter = interpreters.find(({ names }) => names.test(name))
  return interpreter === undefined ? undefined : firstCode(words, interpreter)
}

function firstCode(words: readonly CommandWord[], { code, takesNext }: Interpreter): number | undefined {
  for (let at = 1; at < words.length; at += 1) {
    const { text = '' } = words[at] ?? {}
    if (code.test(text) || text === '-') return at
    if (text === '--') return at + 1 < words.length ? undefined : words.length
    if (!/^[-+]/.test(text)) return undefined
    if (takesNext?.test(text) === true) at += 1
  }
  return words.length
}

/** `-File` and its short forms name a script; `-Command` and `-EncodedCommand` bring code. A bare word is code to the older of the two and a
 * script to the newer. */
function powerShellCode(words: readonly CommandWord[], bareIsCode: boolean): number | undefined {
  for (let at = 1; at < words.length; at += 1) {
    const text = (words[at]?.text ?? '').toLowerCase()
    const [, dashed, slashed] = /^(?:-([a-z]+)|\/([a-z]+)$)/.exec(text) ?? []
    const option = dashed ?? slashed
    if (option === undefined) return bareIsCode || text === '-' ? at : undefined
    if ('file'.startsWith(option)) return undefined
    if (
      'command'.startsWith(option) ||
      'encodedcommand'.startsWith(option) ||
      option === 'ec' ||
      'commandwithargs'.startsWith(option)
    )
      return at
    if (/^(?:ex|ep$|w|psc|v|o|in(?!t)|conf|cus)/.test(option)) at += 1
  }
  return words.length
}
