// Edits of Hermes' config.yaml as a text: one list item put in or taken out at a place that the parser names, every other byte as it was.
// It must not write the document anew: an owner's comments, quotes and blank lines are theirs.
import { isDeepStrictEqual } from 'node:util'
import {
  type Alias,
  type CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { SteleError } from '../foundation/stele-error.js'

/** A list inside a section: `plugins` `enabled`, or `hooks` and the name of a hook. */
export type ListPlace = readonly [section: string, list: string]

/** What we put into a list: a name, or one shell hook. */
export type ListItem = string | { readonly command: string; readonly timeout: number }

/** What stood at a place before we came: no such key, a key without a value, or a value. */
export type Former = 'none' | 'empty' | 'value'

export interface HermesConfig {
  readonly text: string
  readonly document: Document
  /** The settings as plain values, mappings as Map; an empty file is an empty Map. */
  readonly data: ReadonlyMap<unknown, unknown>
}

interface Splice {
  readonly from: number
  readonly to: number
  readonly text: string
}

type Collection = YAMLMap | YAMLSeq

/** Reads one YAML mapping as Hermes does (YAML 1.1). Throws `HERMES_CONFIG_UNREADABLE` with the line. */
export function parseHermesConfig(text: string): HermesConfig {
  // Python takes a carriage return alone for the end of a line, and the parser here does not: they would read two files.
  const loneReturn = /\r(?!\n)/.exec(text)
  if (loneReturn !== null) throw unreadable(lineAt(text, loneReturn.index), 'a carriage return that ends no line')
  const document = parseDocument(text, { keepSourceTokens: true, version: '1.1', logLevel: 'error' })
  const [mistake] = document.errors
  if (mistake !== undefined) {
    const reason = mistake.code === 'MULTIPLE_DOCS' ? 'a second document' : 'not YAML'
    throw unreadable(lineAt(text, mistake.pos[0]), mistake.code === 'DUPLICATE_KEY' ? 'a key that is there twice' : reason)
  }
  if (!isMap(document.contents) && !isNothing(document.contents))
    throw unreadable(lineAt(text, document.contents?.range?.[0] ?? 0), 'not a mapping')
  return { text, document, data: plainData(text, document) }
}

/** Name and version of a plugin, or undefined where the text is no manifest. */
export function readPluginManifest(text: string): { readonly name: string; readonly version: string } | undefined {
  const document = parseDocument(text, { version: '1.1', logLevel: 'error' })
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined
  const { contents } = document
  const wordsOf = (key: string): string => String(contents.get(key) ?? '')
  return { name: wordsOf('name'), version: wordsOf('version') }
}

/** The items of a list; none where it is not there or empty. Throws `HERMES_CONFIG_UNFIT` where something else stands there. */
export function itemsAt({ data, text, document }: HermesConfig, place: ListPlace): readonly unknown[] {
  const [section, list] = place
  const unfit = (): SteleError => unfitAt(text, document, place)
  const map = data.get(section) ?? new Map()
  if (!(map instanceof Map)) throw unfit()
  const items = map.get(list) ?? []
  if (!Array.isArray(items)) throw unfit()
  return items
}

/** What stands under these names. */
export function formerAt({ data }: HermesConfig, names: readonly string[]): Former {
  let value: unknown = data
  for (const name of names) {
    if (!(value instanceof Map) || !value.has(name)) return 'none'
    value = value.get(name)
  }
  return value === null ? 'empty' : 'value'
}

/** The text with one more item at the end of the list, which is made where it is not there yet. */
export function addItem(text: string, place: ListPlace, item: ListItem): string {
  const before = parseHermesConfig(text)
  const items = itemsAt(before, place)
  const [section, list] = place
  const wanted = new Map(before.data)
  const map = new Map((wanted.get(section) as ReadonlyMap<unknown, unknown> | null | undefined) ?? [])
  wanted.set(section, map.set(list, [...items, typeof item === 'string' ? item : new Map(Object.entries(item))]))
  const after = apply(text, [additionOf(before, place, item)])
  return checked(before, place, after, ({ data }) => isDeepStrictEqual(data, wanted))
}

/** The text with another command in one entry of a list. */
export function setCommand(text: string, place: ListPlace, index: number, command: string): string {
  const before = parseHermesConfig(text)
  const wanted = itemsAt(before, place).map((item, at) =>
    at === index && item instanceof Map ? new Map(item).set('command', command) : item,
  )
  const entry = listAt(before, place)?.items[index]
  const value = isMap(entry) ? pairOf(entry, 'command')?.value : undefined
  if (!isScalar(value) || !value.range) throw unfitAt(text, before.document, place)
  const after = apply(text, [{ from: value.range[0], to: value.range[1], text: quoted(command) }])
  return checkedItems(before, place, after, wanted)
}

/**
 * The text without the items that are ours. A list or section that is empty then goes where it was not there before us, loses
 * its value where it had none, and is written as an empty one where that is not known.
 */
export function removeItems(
  text: string,
  place: ListPlace,
  isOurs: (item: unknown) => boolean,
  former: (names: readonly string[]) => Former,
): string {
  const before = parseHermesConfig(text)
  const items = itemsAt(before, place)
  const kept = items.filter((item) => !isOurs(item))
  let after = text
  try {
    for (let left = items.length - kept.length; left > 0; left--) after = withoutOne(after, place, isOurs)
    if (kept.length === 0 && items.length > 0) {
      after = settleEmpty(after, place, former(place))
      const [section] = place
      if (sizeOf(parseHermesConfig(after).data.get(section)) === 0) after = settleEmpty(after, [section], former([section]))
    }
  } catch (error) {
    // What is left between two steps is ours to read: that it cannot be read is no fault of the file.
    throw error instanceof SteleError ? unfitAt(text, before.document, place) : error
  }
  return checkedItems(before, place, after, kept)
}

function withoutOne(text: string, place: ListPlace, isOurs: (item: unknown) => boolean): string {
  const config = parseHermesConfig(text)
  const index = itemsAt(config, place).findIndex(isOurs)
  const list = listAt(config, place)
  if (list === undefined || index < 0) throw unfitAt(text, config.document, place)
  if (list.flow) return apply(text, flowRemoval(text, list, index))
  return apply(text, blockRemoval(text, itemStart(list, index), list.items[index]))
}

function additionOf({ text, document }: HermesConfig, place: ListPlace, item: ListItem): Splice {
  const splice = placeFor(text, document, place, item)
  const isEnd = splice.from === text.length && text !== '' && !text.endsWith('\n')
  // Without a line break at the end of the file such a value would grow by one.
  if (isEnd && endsInBlockScalar(document.contents))
    throw new SteleError('HERMES_CONFIG_UNFIT', { line: lineAt(text, text.length), reason: 'the last line has no line break' })
  return splice
}

function placeFor(text: string, document: Document, place: ListPlace, item: ListItem): Splice {
  const root = document.contents
  if (!isMap(root)) return atDocumentEnd(text, document, blockLines(place, item, 0))
  const flow = flowWriter(root)
  let node: unknown = root
  for (const [depth, name] of place.entries()) {
    if (!isMap(node)) throw unfitAt(text, document, place)
    const inside = place.slice(depth + 1)
    const pair = pairOf(node, name)
    if (pair === undefined) {
      if (node.flow) return intoFlow(node, flow.pair(name, inside, item))
      const lines = blockLines([name, ...inside], item, indentOf(node))
      return depth === 0 ? atDocumentEnd(text, document, lines) : afterLine(text, endOf(node), lines)
    }
    if (isNothing(pair.value)) return intoNothing(text, node, pair, inside, item, flow)
    if (isScalar(pair.value) && pair.value.value === null && pair.value.range)
      return { from: pair.value.range[0], to: pair.value.range[1], text: flow.value(inside, item) }
    node = pair.value
  }
  if (!isSeq(node)) throw unfitAt(text, document, place)
  if (node.flow) return intoFlow(node, flow.item(item))
  return afterLine(text, endOf(node), itemLines(item, indentOf(node)))
}

/** A key without a value gets one: on lines of its own below a key of a block, right behind the colon in a flow mapping. */
function intoNothing(
  text: string,
  map: YAMLMap,
  pair: Pair,
  inside: readonly string[],
  item: ListItem,
  flow: FlowWriter,
): Splice {
  const colon = pair.srcToken?.sep?.find(({ type }) => type === 'map-value-ind')?.offset
  if (!map.flow && colon !== undefined) {
    const indent = indentOf(map) + 2
    return afterLine(text, colon + 1, inside.length === 0 ? itemLines(item, indent) : blockLines(inside, item, indent))
  }
  const at = colon === undefined ? endOf(pair) : colon + 1
  return { from: at, to: at, text: `${colon === undefined ? ': ' : ' '}${flow.value(inside, item)}` }
}

function intoFlow(collection: Collection, added: string): Splice {
  const last = collection.items.at(-1)
  const at = last === undefined ? (collection.range?.[0] ?? 0) + 1 : endOf(last)
  return { from: at, to: at, text: last === undefined ? added : `, ${added}` }
}

/** Behind everything, but before the mark that ends the document. */
function atDocumentEnd(text: string, document: Document, lines: readonly string[]): Splice {
  const contentEnd = document.range?.[1] ?? 0
  const mark = /^\.\.\.(?=\s|$)/m.exec(text.slice(contentEnd))
  const at = mark === null ? text.length : contentEnd + mark.index
  return insertLines(text, at, lines)
}

/** Behind the line that this offset is on, unless that line has just begun. */
function afterLine(text: string, offset: number, lines: readonly string[]): Splice {
  return insertLines(text, lineEnd(text, offset), lines)
}

function insertLines(text: string, at: number, lines: readonly string[]): Splice {
  const newline = /\r?\n/.exec(text)?.[0] ?? '\n'
  const block = lines.join(newline)
  const bare = text.replace(/^\uFEFF/, '') === ''
  return { from: at, to: at, text: bare || isLineStart(text, at) ? `${block}${newline}` : `${newline}${block}` }
}

function blockLines(names: readonly string[], item: ListItem, indent: number): string[] {
  const keys = names.map((name, depth) => `${' '.repeat(indent + 2 * depth)}${name}:`)
  return [...keys, ...itemLines(item, indent + 2 * names.length)]
}

function itemLines(item: ListItem, indent: number): string[] {
  const space = ' '.repeat(indent)
  if (typeof item === 'string') return [`${space}- ${item}`]
  return [`${space}- command: ${quoted(item.command)}`, `${space}  timeout: ${item.timeout}`]
}

interface FlowWriter {
  item(item: ListItem): string
  value(names: readonly string[], item: ListItem): string
  pair(name: string, inside: readonly string[], item: ListItem): string
}

/** Writes inside brackets and braces. A file that is JSON stays JSON. */
function flowWriter(root: YAMLMap): FlowWriter {
  const isJson = root.flow === true && root.items.every(({ key }) => isScalar(key) && key.type === 'QUOTE_DOUBLE')
  const word = (name: string): string => (isJson ? `"${name}"` : name)
  const writer: FlowWriter = {
    item: (item) =>
      typeof item === 'string'
        ? word(item)
        : `{${word('command')}: ${quoted(item.command)}, ${word('timeout')}: ${item.timeout}}`,
    value: (names, item) => names.reduceRight((inner, name) => `{${word(name)}: ${inner}}`, `[${writer.item(item)}]`),
    pair: (name, inside, item) => `${word(name)}: ${writer.value(inside, item)}`,
  }
  return writer
}

/** JSON, which YAML reads as well, without the characters that YAML takes for line breaks or refuses. */
function quoted(words: string): string {
  return JSON.stringify(words).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Takes an item with its comma, and leaves a comment that stands between the two. */
function flowRemoval(text: string, collection: Collection, index: number): Splice[] {
  const tokens = collection.srcToken?.type === 'flow-collection' ? collection.srcToken.items : []
  const commaOf = (at: number): number | undefined => tokens[at]?.start.find(({ type }) => type === 'comma')?.offset
  const from = startOf(collection.items[index])
  const to = endOf(collection.items[index])
  const before = index > 0 ? commaOf(index) : undefined
  if (before !== undefined) {
    if (text.slice(before + 1, from).trim() === '') return [{ from: before, to, text: '' }]
    return [
      { from: before, to: before + 1, text: '' },
      { from, to, text: '' },
    ]
  }
  const behind = commaOf(index + 1)
  if (behind === undefined) return [{ from, to, text: '' }]
  const space = /^[ \t]*/.exec(text.slice(behind + 1))?.[0].length ?? 0
  if (text.slice(to, behind).trim() === '') return [{ from, to: behind + 1 + space, text: '' }]
  return [
    { from, to, text: '' },
    { from: behind, to: behind + 1, text: '' },
  ]
}

/** Takes the lines of an item or a pair, and leaves comments and blank lines between them. */
function blockRemoval(text: string, start: number, node: unknown): Splice[] {
  const from = Math.max(text.lastIndexOf('\n', start - 1) + 1, text.startsWith('\uFEFF') ? 1 : 0)
  const to = lineEnd(text, Math.max(start + 1, endOf(node)))
  const kept = text
    .slice(from, to)
    .split(/(?<=\n)/)
    .filter((line, at) => at > 0 && /^\s*(#|$)/.test(line))
    .join('')
  if (kept !== '' || to < text.length || text.endsWith('\n') || from === 0) return [{ from, to, text: kept }]
  // The file ended without a line break; without these lines it does so again.
  return [{ from: text[from - 2] === '\r' ? from - 2 : from - 1, to, text: '' }]
}

/** A list or section without an item: gone, without a value, or empty in so many words. */
function settleEmpty(text: string, names: readonly string[], former: Former): string {
  const { document } = parseHermesConfig(text)
  let holder: unknown = document.contents
  for (const name of names.slice(0, -1)) holder = isMap(holder) ? pairOf(holder, name)?.value : undefined
  const name = names.at(-1) ?? ''
  const pair = isMap(holder) ? pairOf(holder, name) : undefined
  if (!isMap(holder) || pair === undefined) return text
  if (former === 'none') {
    const removal = holder.flow ? flowRemoval(text, holder, holder.items.indexOf(pair)) : blockRemoval(text, startOf(pair), pair)
    return apply(text, removal)
  }
  const colon = pair.srcToken?.sep?.find(({ type }) => type === 'map-value-ind')?.offset
  if (former === 'empty' || !isNothing(pair.value) || colon === undefined) return text
  return apply(text, [{ from: colon + 1, to: colon + 1, text: names.length === 1 ? ' {}' : ' []' }])
}

/** The parts of a text are independent of each other: the last one goes first. */
function apply(text: string, splices: readonly Splice[]): string {
  return [...splices]
    .sort((a, b) => b.from - a.from)
    .reduce((changed, { from, to, text: put }) => changed.slice(0, from) + put + changed.slice(to), text)
}

/** Where these are the items of the list, and nothing else is another than before. */
function checkedItems(before: HermesConfig, place: ListPlace, after: string, items: readonly unknown[]): string {
  return checked(
    before,
    place,
    after,
    (config) =>
      isDeepStrictEqual(itemsAt(config, place), items) &&
      isDeepStrictEqual(dataWithout(config, place), dataWithout(before, place)),
  )
}

/** Parses what an edit gave. Anything but the change that was meant is refused. */
function checked(before: HermesConfig, place: ListPlace, after: string, isAsMeant: (config: HermesConfig) => boolean): string {
  let good: boolean
  try {
    good = isAsMeant(parseHermesConfig(after))
  } catch (error) {
    if (!(error instanceof SteleError)) throw error
    good = false
  }
  if (!good) throw unfitAt(before.text, before.document, place)
  return after
}

/** Everything but this list; a section that holds nothing else counts as none. */
function dataWithout({ data }: HermesConfig, [section, list]: ListPlace): ReadonlyMap<unknown, unknown> {
  const rest = new Map(data)
  const map = rest.get(section)
  if (map instanceof Map) {
    const others = new Map(map)
    others.delete(list)
    rest.set(section, others)
  }
  if (sizeOf(rest.get(section)) === 0) rest.delete(section)
  return rest
}

function sizeOf(value: unknown): number {
  if (value === null || value === undefined) return 0
  return value instanceof Map ? value.size : 1
}

function listAt({ document }: HermesConfig, [section, list]: ListPlace): YAMLSeq | undefined {
  const map = isMap(document.contents) ? pairOf(document.contents, section)?.value : undefined
  const value = isMap(map) ? pairOf(map, list)?.value : undefined
  return isSeq(value) ? value : undefined
}

function pairOf(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === name)
}

/** No value at all, not even the word null. */
function isNothing(node: unknown): boolean {
  if (node === null || node === undefined) return true
  return isScalar(node) && node.value === null && (!node.range || node.range[0] === node.range[1])
}

function startOf(node: unknown): number {
  if (isPair(node)) return startOf(node.key)
  return isNode(node) ? (node.range?.[0] ?? 0) : 0
}

function itemStart(list: YAMLSeq, index: number): number {
  const tokens: readonly CST.CollectionItem[] = list.srcToken?.type === 'block-seq' ? list.srcToken.items : []
  return tokens[index]?.start.find(({ type }) => type === 'seq-item-ind')?.offset ?? startOf(list.items[index])
}

/** Where the last value inside ends, without the blanks, comments and line breaks behind it. */
function endOf(node: unknown): number {
  if (isPair(node)) return node.value === null || node.value === undefined ? endOf(node.key) : endOf(node.value)
  if (isCollection(node) && !node.flow && node.items.length > 0) return endOf(node.items.at(-1))
  return isNode(node) ? (node.range?.[1] ?? 0) : 0
}

function endsInBlockScalar(node: unknown): boolean {
  if (isPair(node)) return endsInBlockScalar(node.value)
  if (isCollection(node)) return endsInBlockScalar(node.items.at(-1))
  return isScalar(node) && node.type?.startsWith('BLOCK_') === true
}

function indentOf({ srcToken }: Collection): number {
  return srcToken !== undefined && 'indent' in srcToken ? srcToken.indent : 0
}

function isLineStart(text: string, at: number): boolean {
  return at > 0 ? text[at - 1] === '\n' : text.length > 0
}

function lineEnd(text: string, offset: number): number {
  if (isLineStart(text, offset)) return offset
  const newline = text.indexOf('\n', offset)
  return newline < 0 ? text.length : newline + 1
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

function plainData(text: string, document: Document): ReadonlyMap<unknown, unknown> {
  try {
    const data: unknown = document.toJS({ mapAsMap: true })
    return data instanceof Map ? data : new Map()
  } catch {
    throw unreadable(lineAt(text, firstAlias(document)), 'an alias that leads nowhere, or too many of them')
  }
}

/** Offset of the first alias that leads nowhere, else of the first one. */
function firstAlias(document: Document): number {
  const aliases: Alias[] = []
  visit(document, { Alias: (_, alias) => void aliases.push(alias) })
  const lost = aliases.find((alias) => alias.resolve(document) === undefined) ?? aliases[0]
  return lost?.range?.[0] ?? 0
}

function unreadable(line: number, reason: string): SteleError {
  return new SteleError('HERMES_CONFIG_UNREADABLE', { line, reason })
}

/** Names the deepest key of the place that is there. */
function unfitAt(text: string, document: Document, place: ListPlace): SteleError {
  let node: unknown = document.contents
  let line = 1
  for (const name of place) {
    const pair = isMap(node) ? pairOf(node, name) : undefined
    if (pair === undefined) break
    line = lineAt(text, startOf(pair))
    node = pair.value
  }
  const reason = isAlias(node) ? 'it is an alias' : 'no plain list, or something else depends on it'
  return new SteleError('HERMES_CONFIG_UNFIT', { key: place.join('.'), line, reason })
}
