// The text of an allowlist as a plain value with the place of every part of it. It refuses what two readers of YAML could read in two ways.
import {
  CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
} from 'yaml'
import type { Place, PlacedMember, PlacedValue } from '../gates/capability/placed-value.js'
import { inFileOrder, type PolicyProblem, problemAt } from '../gates/capability/policy-problem.js'

export interface AllowlistFile {
  /** Undefined where nothing can be made of the file at all. */
  readonly value: PlacedValue | undefined
  readonly problems: readonly PolicyProblem[]
}

/** No allowlist comes near it. */
export const allowlistBytesMax = 256 * 1024

/** Deeper than an allowlist goes, and far from what would run out of stack. */
const depthMax = 16

const start: Place = { line: 1, column: 1 }

export function allowlistFile(bytes: Uint8Array): AllowlistFile {
  if (bytes.length > allowlistBytesMax)
    return refused('file_too_long', `the file has ${bytes.length} bytes; at most ${allowlistBytesMax} are read`)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return refused('not_utf8', 'the file is not UTF-8; save it as UTF-8')
  }
  return nestsTooDeep(text) ? refused('too_deep', `it nests deeper than ${depthMax} levels`) : new Reading(text).file()
}

/** Wider indentation than this is a level without end too. */
const indentationMax = 128

/**
 * Looked at before anything is parsed: the library goes down for each bracket, dash and step of indentation, and a process that runs out of
 * stack there does not survive it.
 */
function nestsTooDeep(text: string): boolean {
  let brackets = 0
  let dashes = 0
  let isLineStart = true
  for (const word of new Lexer().lex(text)) {
    const kind = CST.tokenType(word)
    if (kind === 'flow-seq-start' || kind === 'flow-map-start') brackets += 1
    else if (kind === 'flow-seq-end' || kind === 'flow-map-end') brackets -= 1
    else if (kind === 'seq-item-ind' || kind === 'explicit-key-ind') dashes += 1
    else if (kind === 'newline') dashes = 0
    if (brackets + dashes > depthMax || (isLineStart && kind === 'space' && word.length > indentationMax)) return true
    isLineStart = kind === 'newline'
  }
  return false
}

function refused(code: 'file_too_long' | 'not_utf8' | 'too_deep', message: string): AllowlistFile {
  return { value: undefined, problems: [problemAt(start, code, message)] }
}

class Reading {
  readonly #text: string
  readonly #lines = new LineCounter()
  readonly #problems: PolicyProblem[] = []

  constructor(text: string) {
    this.#text = text
  }

  file(): AllowlistFile {
    // Doubled names are found here, all of them and with their places, in a fraction of the library's time.
    const options = { lineCounter: this.#lines, uniqueKeys: false, strict: true } as const
    const [document, second] = [...parseAllDocuments<Node, false>(this.#text, options)] as Document<Node>[]
    if (document === undefined)
      return { value: undefined, problems: [problemAt(start, 'wrong_type', 'the file is empty; begin with `version: 1`')] }
    if (second !== undefined)
      this.#problem(
        second.contents?.range?.[0] ?? second.range?.[0] ?? 0,
        'several_documents',
        'a second document begins here; keep one',
      )
    const { directives, contents } = document
    if (directives?.yaml.explicit === true || Object.keys(directives?.tags ?? {}).length > 1)
      this.#problem(0, 'directive', 'lines that begin with `%` change how YAML is read; take them out')
    const value = contents === null ? undefined : this.#value(contents, 0)
    this.#tellMistakes(document)
    return { value, problems: inFileOrder(this.#problems) }
  }

  /** What a reference broke is told where it stands, and not again as a mistake of the line. */
  #tellMistakes({ errors }: Document<Node>): void {
    const told = new Set(this.#problems.map(({ line }) => line))
    for (const { code, pos } of errors) {
      const { line } = this.#place(pos[0])
      if (told.has(line)) continue
      told.add(line)
      this.#problem(pos[0], 'not_yaml', mistakes[code] ?? 'this is not YAML; look at the indentation, quotes and brackets here')
    }
  }

  #value(node: Node, depth: number): PlacedValue {
    const place = this.#placeOf(node)
    const nothing: PlacedValue = { kind: 'scalar', value: null, ...place }
    if (depth > depthMax) {
      this.#problems.push(problemAt(place, 'too_deep', `it nests deeper than ${depthMax} levels`))
      return nothing
    }
    if (isAlias(node)) {
      const advice = 'a word that begins with `*` refers to another place in YAML; put the pattern into quotes'
      this.#problems.push(problemAt(place, 'alias', advice))
      return nothing
    }
    if (node.anchor !== undefined && node.anchor !== '')
      this.#problems.push(problemAt(place, 'alias', 'a name with `&` makes a reference; write the value out where it is meant'))
    if (node.tag !== undefined)
      this.#problems.push(problemAt(place, 'tag', 'a tag with `!` changes what a value is; take it out'))
    if (isMap(node)) return { kind: 'map', members: this.#members(node.items as Pair<Node, Node | null>[], depth), ...place }
    if (isSeq(node)) {
      const items = (node.items as Node[]).filter(isNode)
      return { kind: 'list', items: items.map((item) => this.#value(item, depth + 1)), ...place }
    }
    const value: unknown = isScalar(node) ? node.value : null
    return isPlain(value) ? { ...place, kind: 'scalar', value } : nothing
  }

  #members(pairs: readonly Pair<Node, Node | null>[], depth: number): PlacedMember[] {
    const seen = new Map<string, Place>()
    return pairs.flatMap(({ key, value }): PlacedMember[] => {
      const at = this.#placeOf(key)
      const name = this.#name(key, at)
      if (name === undefined) return []
      const first = seen.get(name)
      if (first !== undefined)
        this.#problems.push(
          problemAt(at, 'duplicate_key', `\`${name}\` stands in line ${first.line} already; keep one of the two`),
        )
      else seen.set(name, at)
      const read: PlacedValue = value === null ? { kind: 'scalar', value: null, ...at } : this.#value(value, depth + 1)
      return first === undefined ? [{ name, at, value: read }] : []
    })
  }

  /** Undefined for a name that is none, which is told. */
  #name(key: Node, at: Place): string | undefined {
    const read = isScalar(key) || isAlias(key) ? this.#value(key, 0) : undefined
    if (isAlias(key)) return undefined
    if (read?.kind !== 'scalar' || read.value === null) {
      this.#problems.push(problemAt(at, 'wrong_type', 'a name is wanted here; put it into quotes'))
      return undefined
    }
    // In quotes it is a name like any other.
    if (read.value === '<<' && isScalar(key) && key.type === 'PLAIN') {
      this.#problems.push(problemAt(at, 'merge_key', '`<<` takes in another part of the file; write out what is meant'))
      return undefined
    }
    return String(read.value)
  }

  #placeOf({ range }: Node): Place {
    return this.#place(range?.[0] ?? 0)
  }

  #place(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }

  #problem(offset: number, code: PolicyProblem['code'], message: string): void {
    this.#problems.push(problemAt(this.#place(offset), code, message))
  }
}

/** What the library finds, in words of ours: its own would quote the line. */
const mistakes: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'a tab indents this line; use blanks',
  BAD_INDENT: 'the indentation does not fit, or a bracket above is not closed',
  MISSING_CHAR: 'a quote, bracket, comma or colon is missing here',
  MULTILINE_IMPLICIT_KEY: 'a name goes over several lines; a quote or bracket above may be open',
  BLOCK_AS_IMPLICIT_KEY: 'two names stand in one line; begin a new line, or use brackets',
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
