// Makes expressions of a language's patterns, once for each scope; again only for a text that calls the user by name.
import type { ClaimRow, ExemptionPlace, ExemptionRow, LanguagePatterns } from './language-patterns.js'
import { lowered } from './marked-form.js'

export interface CompiledPatterns {
  readonly subject: RegExp
  readonly strangers: RegExp
  readonly between: RegExp
  readonly betweenMore: RegExp
  readonly word: RegExp
  readonly leading: ReadonlyMap<string, readonly LeadingRow[]>
  readonly direct: readonly LeadingRow[]
  readonly trailing: ReadonlyMap<string, readonly TrailingRow[]>
  readonly exemptions: readonly (readonly [ExemptionPlace, Exemptions])[]
  readonly contrast: RegExp
  readonly asks: RegExp
  readonly tag: RegExp
  readonly negation: RegExp
}

export type LeadingRow = readonly [after: RegExp, row: ClaimRow]
export type TrailingRow = readonly [before: RegExp, after: RegExp, row: ClaimRow]

interface Exemptions {
  readonly any: RegExp
  readonly rows: readonly {
    readonly pattern: RegExp
    readonly unless: RegExp | undefined
    readonly besides: { readonly where: ExemptionPlace; readonly pattern: RegExp } | undefined
    readonly exemption: ExemptionRow
  }[]
}

export function compiledPatterns(
  patterns: LanguagePatterns,
  names: readonly string[],
  scope: 'decisions' | 'decisions+preferences',
): CompiledPatterns {
  const known = `${patterns.language} ${scope}`
  const before = names.length === 0 ? compiledBefore.get(known) : undefined
  if (before !== undefined) return before
  const rows = patterns.claims.filter(({ kind }) => kind !== 'preference' || scope === 'decisions+preferences')
  const leading = new Map<string, LeadingRow[]>()
  const direct: LeadingRow[] = []
  const trailing = new Map<string, TrailingRow[]>()
  for (const row of rows) {
    const after = new RegExp(`(?:${row.after ?? ''})${patterns.ends}`, 'y')
    if (row.direct === true) direct.push([after, row])
    else if (row.before === undefined) for (const word of row.at.split(' ')) into(leading, word, [after, row])
    else {
      const ahead = new RegExp(`(?:${row.before})$`)
      for (const word of row.at.split(' ')) into(trailing, word, [ahead, after, row])
    }
  }
  const nameList = names.length === 0 ? '(?!)' : names.map((name) => escaped(lowered(name))).join('|')
  const compiled: CompiledPatterns = {
    subject: new RegExp(patterns.subjects.replaceAll('NAMES', nameList), 'g'),
    strangers: new RegExp(patterns.strangers),
    between: new RegExp(patterns.between.pattern, 'y'),
    betweenMore: new RegExp(patterns.betweenMore.pattern, 'y'),
    word: new RegExp(patterns.word, 'y'),
    leading,
    direct,
    trailing,
    exemptions: exemptionPlaces.map((where) => [where, exemptionsOf(patterns, where)]),
    contrast: new RegExp(patterns.contrast, 'g'),
    asks: new RegExp(patterns.asks, 'i'),
    tag: new RegExp(patterns.tag, 'i'),
    negation: new RegExp(patterns.negation),
  }
  // Names differ from text to text; what has none is compiled once.
  if (names.length === 0) compiledBefore.set(known, compiled)
  return compiled
}

function into<Row>(map: Map<string, Row[]>, word: string, row: Row): void {
  const rows = map.get(word)
  if (rows === undefined) map.set(word, [row])
  else rows.push(row)
}

const compiledBefore = new Map<string, CompiledPatterns>()

const exemptionPlaces = ['line', 'key', 'clause', 'before', 'after', 'rest', 'whole'] as const

function exemptionsOf(patterns: LanguagePatterns, where: ExemptionPlace): Exemptions {
  const rows = patterns.exemptions.filter((row) => row.where === where)
  return {
    any: rows.length === 0 ? /(?!)/ : new RegExp(rows.map((row) => placed(where, row.pattern)).join('|')),
    rows: rows.map((row) => ({
      pattern: new RegExp(placed(where, row.pattern)),
      unless: row.unless === undefined ? undefined : new RegExp(placed(where, row.unless)),
      besides:
        row.besides === undefined
          ? undefined
          : { where: row.besides.where, pattern: new RegExp(placed(row.besides.where, row.besides.pattern)) },
      exemption: row,
    })),
  }
}

function placed(where: ExemptionPlace, pattern: string): string {
  if (where === 'before') return `(?:${pattern})$`
  return where === 'line' || where === 'key' || where === 'after' || where === 'whole' ? `^(?:${pattern})` : `(?:${pattern})`
}

/** At most eight. */
export function namesIn(text: string, patterns: LanguagePatterns['names']): string[] {
  const found = new Set<string>()
  for (const { needs, pattern } of patterns) {
    if (!needs.test(text) || !pattern.test(text)) continue
    for (const { groups } of text.matchAll(new RegExp(pattern, 'gu'))) {
      const name = groups?.['name']
      if (name !== undefined && !noNames.test(name)) found.add(name)
      if (found.size >= 8) return [...found]
    }
  }
  return [...found]
}

/** What stands in such places and is nobody's name. */
const noNames =
  /^(?:I|We|You|He|She|They|It|The|This|That|Admin|Owner|User|Root|System|Slack|Email|Discord|Telegram|Yes|No|Not|Also|Via|In|On|At|By|All|Any|If|When|Never|Always|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)(?:day)?$|^(?:January|February|March|April|May|June|July|August|September|October|November|December)$/i

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
