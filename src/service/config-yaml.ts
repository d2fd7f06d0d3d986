// Settings in YAML: all of the home's own config.yaml, and in Hermes' config.yaml only what is ours.
import { type Document, isAlias, isMap, isScalar, LineCounter, type Pair, parseDocument } from 'yaml'
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

/** Hermes' own file: `plugins.entries.stele.settings`, and before it what another plugin's entry says of one of our keys. */
export function readHermesYaml(file: string, keys: readonly string[], seeds: Readonly<Record<string, string>>): PlacedValue[] {
  const page = readPage('Hermes config.yaml', file)
  if (page === undefined) return []
  const ofSeeds = Object.entries(seeds).flatMap(([path, key]) => {
    const found = memberAt(page, path.split('.'))
    return found === undefined
      ? []
      : [{ key, name: path, place: page.place, value: leafValue(page, found.value), line: found.line }]
  })
  return [...ofSeeds, ...settingsIn(page, memberAt(page, ['plugins', 'entries', 'stele', 'settings'])?.value, keys)]
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
  if (isNothing(node)) return []
  const { place } = page
  const sections = [...new Set(keys.map((key) => key.split('.')[0] ?? ''))]
  return membersOf(page, node, { allowed: sections.join(', ') }).flatMap(({ name, value, line }) => {
    if (!sections.includes(name)) throw configInvalid({ place, key: name, line, allowed: sections.join(', ') })
    if (keys.includes(name)) return [{ key: name, value: leafValue(page, value), place, line }]
    const allowed = keys.filter((key) => key.startsWith(`${name}.`)).map((key) => key.slice(name.length + 1))
    return membersOf(page, value, { key: name, line, allowed: allowed.join(', ') }).map((member) => {
      const key = `${name}.${member.name}`
      if (!allowed.includes(member.name)) throw configInvalid({ place, key, line: member.line, allowed: allowed.join(', ') })
      return { key, value: leafValue(page, member.value), place, line: member.line }
    })
  })
}

/** The members of a mapping, each name once. `told` says what to tell where it is no mapping. */
function membersOf(page: Page, node: unknown, told: { key?: string; line?: number; allowed: string }): Member[] {
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

/** Null, which no setting takes, for whatever is no scalar. */
function leafValue(page: Page, node: unknown): unknown {
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
export function withSetting(text: string, key: string, value: string | number): string {
  const document = parseDocument(text)
  document.setIn(key.split('.'), value)
  return document.toString({ lineWidth: 0 })
}
