// Makes random command lines: such of which every command runs, and such that are put together from signs without any grammar.
import type { Random } from './seeded-random.js'

const programs = ['one', 'two', 'three', 'git', 'ls', 'cat', 'whoami']
const plainWords = [
  'a',
  'b2',
  'x.y',
  '-la',
  '--k=v',
  'a/b',
  '@',
  '%',
  'a:b',
  '1',
  'do',
  'if',
  '}',
  'in',
  'time',
  '!',
  'é',
  'a#b',
  '=',
  '^',
]
const quotedInside = [
  'a',
  ' ',
  ';',
  '|',
  '&',
  '>',
  '<',
  '(',
  ')',
  '#',
  '{',
  '}',
  'if',
  '*',
  '?',
  '~',
  '\n',
  'git',
  ',',
  '..',
  '[x]',
  '!',
]

/** A line whose every command runs, and nothing else. */
export function runnableLine(random: Random): string {
  const line = list(random, random.int(3))
  return random.chance(4) ? `${line} ${random.pick(['# git evil', '#', '# `git` $(git)', "# '"])}` : line
}

function list(random: Random, depth: number): string {
  let line = andOr(random, depth)
  for (let more = random.int(3); more > 0; more -= 1)
    line += random.pick(['; ', ' ; ', '\n', '\n\n \t', '; \\\n', ' & ']) + andOr(random, depth)
  return line
}

function andOr(random: Random, depth: number): string {
  const first = pipeline(random, depth)
  if (random.chance(3)) return `${first}${random.pick(['&&', ' && ', ' &&\n', '&&\\\n'])}${pipeline(random, depth)}`
  return random.chance(6) ? `bad${random.pick(['||', ' || ', ' ||\n # x\n'])}${pipeline(random, depth)}` : first
}

function pipeline(random: Random, depth: number): string {
  const first = command(random, depth)
  return random.chance(5) ? `${first}${random.pick(['|', ' | ', ' |\n', ' |& '])}${command(random, depth)}` : first
}

function command(random: Random, depth: number): string {
  if (depth === 0 || !random.chance(3)) return simple(random, depth)
  const inner = (): string => list(random, depth - 1)
  const ended = (): string => `${inner().replace(/ & $/, '')}\n`
  return random.pick([
    () => `( ${inner()}\n)`,
    () => `{ ${ended()}}`,
    () => `if ${ended()}then ${ended()}fi`,
    () => `if bad; then :; elif bad\nthen :; else ${ended()}fi`,
    () => `while one\n${ended()}bad; do :; done`,
    () => `for v in ${spelled(random.pick(plainWords), random)}; do ${ended()}done`,
    () => `for ((;;)); do ${ended()}break; done`,
    () => `case ab in (a*) ${ended()};; esac`,
    () => `case x in y|x) ${ended()}esac`,
    () => `{ time ${simple(random, depth)}\n}`,
    () => `{ f() { ${ended()}}; f\n}`,
    () => `( function f { ${ended()}}\nf)`,
    () => `[[ a == a && ! b < a ]] && { ${ended()}}`,
    () => `(( 1 + 1 )) && ( ${inner()}\n)`,
    () => `bash -c ${single(inner())}`.replace(/^bash/, 'eval --').replace('-- -c', '--'),
  ])()
}

function simple(random: Random, depth: number): string {
  const parts = [spelled(random.pick(programs), random)]
  for (let count = random.int(4); count > 0; count -= 1) parts.push(word(random, depth))
  if (random.chance(5))
    parts.splice(
      random.int(parts.length + 1),
      0,
      random.pick(['>f', '2>&1', '2> g', '>>f', '</dev/null', '<<<"a b"', '>|f', '<>f']),
    )
  if (random.chance(8)) parts.unshift(random.pick(['A=b', "A='x y'", 'A=', 'A+=b', 'A=b B=c']))
  const line = parts.join(random.pick([' ', '  ', '\t', ' \\\n']))
  if (depth > 0 && random.chance(8))
    return `${line} <<${random.pick(["'E'", '"E"', '\\E'])}\n$(git evil) \`git\` ; git\n EOF\nE\n:`
  if (depth > 0 && random.chance(8)) return `${line} <<E\nx $(${list(random, 0)}\n) \\$(git evil) " ' ; git\nE\n:`
  return line
}

function word(random: Random, depth: number): string {
  const kind = random.int(depth > 0 ? 9 : 7)
  if (kind < 3) return spelled(random.pick(plainWords), random)
  if (kind < 6) {
    const text = Array.from({ length: 1 + random.int(4) }, () => random.pick(quotedInside)).join('')
    return spelled(text, random, true)
  }
  if (kind === 6) return random.pick(['$x', '"$x"', `\${x:-y}`, `"\${#x}"`, '$((1+2))', '*.none', '{p,q}', '~', '$$', '$"q r"'])
  const inner = list(random, 0)
  return random.pick([
    `$(${inner}\n)`,
    `"$(${inner}\n)"`,
    `<(${inner}\n)`,
    `"a \${x:-$(${inner}\n)}"`,
    `\`${inner.replace(/[\\`$]/g, '\\$&')}\n\``,
  ])
}

/** One of the many ways to write a word. */
export function spelled(text: string, random: Random, mustQuote = false): string {
  const way = random.int(5)
  if (way === 0) return single(text)
  if (way === 1) return `"${text.replace(/[\\"$`]/g, '\\$&')}"`
  if (way === 2) return `$'${Array.from(text, (sign, at) => ansi(sign, at === 0)).join('')}'`
  if (way === 3 && !text.includes('\n'))
    return Array.from(text, (sign) => (random.chance(2) && sign > ' ' && !mustQuote ? sign : `\\${sign}`)).join('') || "''"
  return mustQuote || text === '' ? single(text) : text
}

function ansi(sign: string, asNumber: boolean): string {
  if (sign === '\n') return '\\n'
  if (asNumber && /[a-z]/.test(sign)) return `\\x${sign.charCodeAt(0).toString(16)}`
  return sign === '\\' || sign === "'" ? `\\${sign}` : sign
}

export function single(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** No loops among them that end only when told. */
const signs = [
  ...[
    'one',
    'two',
    'git',
    'ls',
    'x',
    'a=',
    '-c',
    'E',
    'f',
    'v',
    ' ',
    ' ',
    ' ',
    ' ',
    '\t',
    '\n',
    '\n',
    ';',
    ';',
    '&',
    '&&',
    '||',
    '|',
    '(',
    ')',
    '{ ',
    ' }',
    ';}',
  ],
  ...[
    "'",
    "'",
    '"',
    '"',
    '`',
    '`',
    '\\',
    '\\\n',
    '$',
    '$(',
    '$((',
    '))',
    '${',
    '}',
    '$x',
    "$'",
    '#',
    ' #',
    '<',
    '>',
    '>f',
    '2>&1',
    '<<',
    '<<E',
    '<<-E',
    "<<'E'",
    '\nE\n',
    '<<<',
    '<(',
    '>(',
  ],
  ...[
    'if ',
    'then ',
    ' fi',
    'for v in ',
    'do ',
    ' done',
    'case x in ',
    ' x)',
    ';;',
    ' esac',
    'function ',
    '()',
    '[[ ',
    ' ]]',
    '((',
    'time ',
    '! ',
    '!',
    '=(',
    '[',
    ']',
    '{',
    ',',
    '..',
    '*',
    '~',
    'eval ',
    ':-',
    '%',
    '/',
    'coproc ',
  ],
]

/**
 * Whether a damaged line may be run on somebody's machine: whatever it has become, it can name no file outside of the folder that it
 * runs in, by a path, a parent, a home, or a value that only the shell knows.
 */
export function staysInFolder(line: string): boolean {
  return !/[/~]|\.\.|\$_|>[&|\s]*[^\w\s&|]/.test(line.replaceAll('</dev/null', ''))
}

export function noiseLine(random: Random): string {
  return Array.from({ length: 2 + random.int(14) }, () => random.pick(signs)).join('')
}

/** One of the first kind with a few signs put in, taken out or moved. */
export function damagedLine(random: Random): string {
  let line = random.chance(2) ? command(random, 1) : list(random, 0)
  for (let count = 1 + random.int(3); count > 0; count -= 1) {
    const at = random.int(line.length + 1)
    const end = random.chance(2) ? at : Math.min(line.length, at + 1 + random.int(3))
    line = line.slice(0, at) + (random.chance(4) ? '' : random.pick(signs)) + line.slice(end)
  }
  // A loop that was told to end may have lost that.
  return line.replace(/while|until/g, 'if')
}
