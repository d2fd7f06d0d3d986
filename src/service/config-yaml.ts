// Settings in YAML: all of the home's own config.yaml, and in Hermes' config.yaml only what is ours.
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument } from 'yaml'
import { type ConfigPlace, configInvalid, type PlacedValue, readConfigFile } from './config-place.js'

interface Page {
  readonly place: ConfigPlace
  readonly document: Document
  readonly lines: LineCounter
}

interface Member {
  readonly name: string
  readonly value: unknown
  readonly line: number
}

/** The home's own file. Every key in it is ours, so one that we do not know is an error. */
export function readConfigYaml(file: string, keys: readonly string[]): PlacedValue[] {
  const page = readPage('config.yaml', file)
  return page === undefined ? [] : settingsIn(page, page.document.contents, keys)
}

/** What another plugin's entry says in Hermes' own file. */
export interface HermesSeeds {
  /** A single name there → the key that it sets. */
  readonly names: Readonly<Record<string, string>>
  /** The settings of a whole plugin there → what our keys for them begin with. */
  readonly trees: Readonly<Record<string, string>>
}

/** Something in a place that is not ours alone, which sets nothing and may have been meant to. */
export interface ConfigNote {
  readonly place: ConfigPlace
  readonly name: string
  readonly line: number
  /** `not_switched_on`: there are settings, and none that switches on what they are for. */
  readonly what: 'unknown_key' | 'not_switched_on'
}

export interface HermesSettings {
  readonly values: readonly PlacedValue[]
  readonly notes: readonly ConfigNote[]
}

/** Hermes' own file: `plugins.entries.stele.settings`, and before it what another plugin's entry says of our keys. */
export function readHermesYaml(file: string, keys: readonly string[], seeds: HermesSeeds): HermesSettings {
  const page = readPage('Hermes config.yaml', file)
  if (page === undefined) return { values: [], notes: [] }
  const ofNames = Object.entries(seeds.names).flatMap(([path, key]) => {
    const found = memberAt(page, path.split('.'))
    return found === undefined
      ? []
      : [{ key, name: path, place: page.place, value: leafValue(page, found.value), line: found.line }]
  })
  const trees = Object.entries(seeds.trees).map(([path, prefix]) => seedTree(page, path, prefix, keys))
  const ours = settingsIn(page, memberAt(page, ['plugins', 'entries', 'stele', 'settings'])?.value, keys)
  return {
    values: [...ofNames, ...trees.flatMap(({ values }) => values), ...ours],
    notes: trees.flatMap(({ notes }) => notes),
  }
}

/** The document is another plugin's: a name that we do not know is its own affair and is only noted. */
function seedTree(page: Page, path: string, prefix: string, keys: readonly string[]): HermesSettings {
  const found = memberAt(page, path.split('.'))
  const root = found === undefined ? undefined : resolved(page, found.value)
  if (found === undefined || isNothing(root)) return { values: [], notes: [] }
  const tree = seedBranch(page, { path, key: prefix, value: root, line: found.line }, keys)
  const isOn = tree.values.some(({ key }) => key === `${prefix}.enabled`)
  if (isOn || !keys.includes(`${prefix}.enabled`)) return tree
  const note = { place: page.place, name: path, line: found.line, what: 'not_switched_on' } as const
  return { ...tree, notes: [...tree.notes, note] }
}

interface Branch {
  readonly path: string
  readonly key: string
  readonly value: unknown
  readonly line: number
}

function seedBranch(page: Page, { path, key, value, line }: Branch, keys: readonly string[]): HermesSettings {
  const { place } = page
  const allowed = namesBelow(keys, key)
  const parts = membersOf(page, value, { key, name: path, line, allowed: allowed.join(', ') }).map((member): HermesSettings => {
    const inner = { path: `${path}.${member.name}`, key: `${key}.${member.name}`, value: member.value, line: member.line }
    if (!allowed.includes(member.name))
      return { values: [], notes: [{ place, name: inner.path, line: member.line, what: 'unknown_key' }] }
    if (!keys.includes(inner.key)) return seedBranch(page, inner, keys)
    const { line: at } = member
    return { values: [{ key: inner.key, name: inner.path, place, value: leafValue(page, member.value), line: at }], notes: [] }
  })
  return { values: parts.flatMap(({ values }) => values), notes: parts.flatMap(({ notes }) => notes) }
}

function readPage(place: ConfigPlace, file: string): Page | undefined {
  const bytes = readConfigFile(place, file)
  if (bytes === undefined) return undefined
  const lines = new LineCounter()
  // What stands twice in the rest of Hermes' file is not ours to refuse; in what is ours we look ourselves, in a fraction of the time.
  const document = parseDocument(decoded(place, bytes), { lineCounter: lines, uniqueKeys: false })
  const [mistake] = document.errors
  if (mistake !== undefined) throw configInvalid({ place, line: lines.linePos(mistake.pos[0]).line, reason: 'not YAML' })
  const { contents } = document
  if (!isMap(contents) && !isNothing(contents))
    throw configInvalid({ place, line: lines.linePos(contents?.range?.[0] ?? 0).line, allowed: 'one mapping' })
  return { place, document, lines }
}

/** The library's own errors quote the text, so none of them is handed on as a cause. */
function decoded(place: ConfigPlace, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw configInvalid({ place, line: 1, reason: 'not UTF-8' })
  }
}

function settingsIn(page: Page, node: unknown, keys: readonly string[]): PlacedValue[] {
  return isNothing(node) ? [] : sectionIn(page, node, keys, { allowed: namesBelow(keys).join(', ') })
}

function sectionIn(page: Page, node: unknown, keys: readonly string[], told: { key?: string; line?: number; allowed: string }) {
  const { place } = page
  return membersOf(page, node, told).flatMap(({ name, value, line }): PlacedValue[] => {
    const key = told.key === undefined ? name : `${told.key}.${name}`
    if (!namesBelow(keys, told.key).includes(name)) throw configInvalid({ place, key, line, allowed: told.allowed })
    if (keys.includes(key)) return [{ key, value: leafValue(page, value), place, line }]
    return sectionIn(page, value, keys, { key, line, allowed: namesBelow(keys, key).join(', ') })
  })
}

/** Of keys that go on behind a section, or of all, the next name. */
function namesBelow(keys: readonly string[], section?: string): string[] {
  const start = section === undefined ? '' : `${section}.`
  const below = keys.filter((key) => key.startsWith(start)).map((key) => key.slice(start.length).split('.')[0] ?? '')
  return [...new Set(below)]
}

/** The members of a mapping, each name once. `told` says what to tell where it is no mapping. */
function membersOf(page: Page, node: unknown, told: { key?: string; name?: string; line?: number; allowed: string }): Member[] {
  const map = resolved(page, node)
  if (!isMap(map)) throw configInvalid({ place: page.place, line: 1, ...told })
  const members = map.items.map((pair) => memberOf(page, pair))
  const seen = new Set<string>()
  const twice = members.find(({ name }) => seen.size === seen.add(name).size)
  if (twice === undefined) return members
  const key = told.key === undefined ? twice.name : `${told.key}.${twice.name}`
  throw configInvalid({ place: page.place, key, line: twice.line, reason: 'stands twice' })
}

/** Follows names through mappings that are not ours: nothing there is judged but that each name on the way stands once. */
function memberAt(page: Page, path: readonly string[]): Member | undefined {
  let found: Member | undefined
  for (const [at, name] of path.entries()) {
    const map = resolved(page, at === 0 ? page.document.contents : found?.value)
    if (!isMap(map)) return undefined
    const named = map.items.map((pair) => memberOf(page, pair)).filter((member) => member.name === name)
    const [first, second] = named
    if (second !== undefined) {
      const key = path.slice(0, at + 1).join('.')
      throw configInvalid({ place: page.place, key, line: second.line, reason: 'stands twice' })
    }
    found = first
  }
  return found
}

function memberOf({ lines }: Page, { key, value }: Pair): Member {
  const offset = (key as { range?: readonly number[] | null } | null)?.range?.[0] ?? 0
  return { name: isScalar(key) ? String(key.value) : '?', value, line: lines.linePos(offset).line }
}

/** Null, which no setting takes, for whatever is neither a scalar nor a list of them. */
function leafValue(page: Page, node: unknown): unknown {
  const leaf = resolved(page, node)
  if (isSeq(leaf)) return leaf.items.map((item) => scalarOf(page, item))
  return scalarOf(page, leaf)
}

function scalarOf(page: Page, node: unknown): unknown {
  const leaf = resolved(page, node)
  return isScalar(leaf) ? leaf.value : null
}

function resolved({ document }: Page, node: unknown): unknown {
  return isAlias(node) ? node.resolve(document) : node
}

function isNothing(node: unknown): boolean {
  return node === undefined || node === null || (isScalar(node) && node.value === null)
}

/** The text of a home's own file with one key set; comments and every other key stay. */
export function withSetting(text: string, key: string, value: unknown): string {
  const document = parseDocument(text)
  document.setIn(key.split('.'), value)
  return document.toString({ lineWidth: 0 })
}
