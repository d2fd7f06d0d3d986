// Finds secrets in tables whose head names them: comma-separated values, and tables of Markdown.
import { fitsKind, looksChosen } from './looks-chosen.js'
import { looksRandom } from './looks-random.js'
import { type NameKind, nameKind, wordsOf } from './name-kind.js'
import { isNoSecret } from './no-secret.js'
import type { Stretch } from './stretch.js'

const headCharactersMax = 512
const columnsMax = 32
const lineCharactersMax = 4096
const mayName = /pass|pwd|pw\b|token|secret|key|密码|passwort/i
const users: ReadonlySet<string> = new Set(
  'user username login email mail account benutzer utilisateur usuario 用户名'.split(' '),
)

interface Cell extends Stretch {
  readonly text: string
}

interface Column {
  readonly at: number
  readonly kind: NameKind
}

interface Table {
  readonly sign: string
  readonly width: number
  readonly columns: readonly Column[]
  /** A column says whose secret it is: then a plain word is one too. */
  readonly hasUser: boolean
}

export function* tableColumns(text: string): Iterable<Stretch> {
  let table: Table | undefined
  for (let from = 0; from < text.length; ) {
    const found = text.indexOf('\n', from)
    const to = found < 0 ? text.length : found
    const line = to - from > lineCharactersMax ? '' : text.slice(from, to)
    const cells = table === undefined ? [] : cellsOf(line, from, table.sign)
    if (table !== undefined && cells.length === table.width) yield* secretsOf(cells, table)
    else table = to - from > headCharactersMax || !mayName.test(line) ? undefined : tableOf(line, from)
    from = to + 1
  }
}

/** What a line begins as its head: all of its cells are names, and one of them says that it is a secret. */
function tableOf(line: string, from: number): Table | undefined {
  const sign = ['|', '\t', ',', ';'].find((one) => line.includes(one))
  if (sign === undefined) return undefined
  const cells = cellsOf(line, from, sign)
  if (cells.length < 2 || cells.length > columnsMax || !cells.every(({ text }) => /^[\p{L}][\p{L}\p{N} _.-]{0,40}$/u.test(text)))
    return undefined
  const columns = cells.flatMap(({ text }, at) => {
    const kind = nameKind(text)
    return kind === undefined ? [] : [{ at, kind }]
  })
  if (columns.length === 0) return undefined
  const hasUser = cells.some(({ text }) => users.has(wordsOf(text).at(-1) ?? ''))
  return { sign, width: cells.length, columns, hasUser }
}

function* secretsOf(cells: readonly Cell[], { columns, hasUser }: Table): Iterable<Stretch> {
  for (const { at, kind } of columns) {
    const cell = cells[at]
    if (cell === undefined || isNoSecret(cell.text) || /\s/.test(cell.text)) continue
    const isOne =
      kind === 'password' && hasUser
        ? cell.text.length >= 4
        : fitsKind(kind, cell.text) && (looksChosen(cell.text) || looksRandom(cell.text))
    if (isOne) yield { from: cell.from, to: cell.to }
  }
}

/** Without the quotes and blanks around them; those at the borders of a Markdown table are none. */
function cellsOf(line: string, from: number, sign: string): Cell[] {
  const bare = line.replace(/\r$/, '')
  const isBordered = sign === '|' && bare.startsWith('|')
  const parts = bare.split(sign)
  const cells: Cell[] = []
  let place = from
  for (const [at, part] of parts.entries()) {
    const text = part.replace(/^[\s"']+|[\s"']+$/g, '')
    const start = place + part.indexOf(text)
    if (!isBordered || (at > 0 && at < parts.length - 1)) cells.push({ text, from: start, to: start + text.length })
    place += part.length + sign.length
  }
  return cells
}
