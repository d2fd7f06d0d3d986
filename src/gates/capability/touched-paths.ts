// Every path that a call names, as it spells it, with what would be done there. Of the host's own tools by their arguments; of servers' and
// plugins' tools by what arguments are called, and then as writes, unless the tool is known to read.
import type { AccessUnread } from './access.js'
import { commandTools, hostTools, type PathArgument } from './host-tools.js'
import { isPatchBody, patchBodyPaths } from './patch-body.js'
import { type ArgumentReading, looksLikePath, memberReading, pathArgumentLikeness } from './path-argument.js'
import { isFileAddress, type SpellingKind } from './path-spelling.js'

export interface AskedPath {
  readonly asked: string
  readonly access: 'read' | 'write'
  /** If it is a folder, everything in it too. */
  readonly tree: boolean
  readonly kind: SpellingKind
}

export interface TouchedPaths {
  readonly paths: readonly AskedPath[]
  /** The arguments cannot be read: then it touches nobody knows what. */
  readonly unread?: Extract<AccessUnread, 'arguments' | 'too_many' | 'too_deep'>
}

const pathsMax = 256
const depthMax = 32
/** As many as a payload may have: a text that holds JSON can hold more. */
const valuesMax = 200_000

/** Tools of file servers that change nothing, by the name behind the server's. */
const readingTools: ReadonlySet<string> = new Set([
  'directory_tree',
  'get_file_info',
  'list_directory',
  'list_directory_with_sizes',
  'read_file',
  'read_media_file',
  'read_multiple_files',
  'read_text_file',
  'search_files',
])

export function touchedPaths(tool: string, args: unknown): TouchedPaths {
  if (!isRecord(args)) return { paths: [], unread: 'arguments' }
  const gathered = new GatheredPaths()
  const isRead = hostTools(tool) === undefined ? gatherByNames(tool, args, gathered) : gatherOfHost(tool, args, gathered)
  if (gathered.isTooMany) return { paths: [], unread: 'too_many' }
  return isRead === true ? { paths: gathered.paths } : { paths: [], unread: isRead }
}

type Unread = Exclude<TouchedPaths['unread'], undefined>

/** The same path asked for twice in the same way is asked for once. */
class GatheredPaths {
  readonly paths: AskedPath[] = []
  isTooMany = false
  readonly #seen = new Set<string>()

  add(asked: string, access: AskedPath['access'], tree = false, kind: SpellingKind = 'path'): void {
    const key = `${access} ${tree} ${kind} ${asked}`
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    if (this.paths.length >= pathsMax) this.isTooMany = true
    else this.paths.push({ asked, access, tree, kind })
  }
}

function gatherOfHost(tool: string, args: Members, gathered: GatheredPaths): true | Unread {
  const { paths, within } = hostTools(tool) ?? { paths: [] }
  if (commandTools.has(tool)) gatherPatches(args['command'], gathered)
  if (within === 'patch' && isPatchMode(args['mode'])) return gatherPatchBody(args['patch'], gathered)
  if (within === 'patch' && !isReplaceMode(args['mode'])) return 'arguments'
  if (within === 'message' && !gatherAttachments(args['message'], gathered)) return 'arguments'
  return paths.every((argument) => gatherArgument(argument, args[argument.name], gathered)) ? true : 'arguments'
}

function isPatchMode(mode: unknown): boolean {
  return mode === 'patch'
}

function isReplaceMode(mode: unknown): boolean {
  return mode === undefined || mode === null || mode === 'replace'
}

/** A body in which no file is found is not read: the host may find one. */
function gatherPatchBody(body: unknown, gathered: GatheredPaths): true | Unread {
  if (typeof body !== 'string') return 'arguments'
  const paths = patchBodyPaths(body)
  for (const path of paths) gathered.add(path, 'write')
  return paths.length === 0 ? 'arguments' : true
}

/** False where its value is of no shape that the tool takes. */
function gatherArgument(argument: PathArgument, value: unknown, gathered: GatheredPaths): boolean {
  const { access, tree, address, isNeeded, otherwise, isHostsOwnIfBare } = argument
  if (value === undefined || value === null || value === '') {
    if (otherwise !== undefined) gathered.add(otherwise, access, tree)
    else if (value === '' && isNeeded === true) gathered.add('', access, tree)
    return otherwise !== undefined || isNeeded !== true || value === ''
  }
  const texts = argument.isList === true ? listOf(value) : typeof value === 'string' ? [value] : undefined
  if (texts === undefined) return false
  for (const text of texts) {
    if (address !== undefined && isFileAddress(text)) gathered.add(text, access, tree, 'address')
    else if (address === 'only' || (address === 'also' && isOfWeb(text))) continue
    else if (isHostsOwnIfBare !== true || looksAnchored(text)) gathered.add(text, access, tree)
  }
  return true
}

function listOf(value: unknown): readonly string[] | undefined {
  return typeof value === 'string' ? [value, ...listedTexts(value)] : textsOf(value)
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined
}

/** A list that was sent as its JSON text, which the host decodes. */
function listedTexts(text: string): readonly string[] {
  return textsOf(heldInText(text)) ?? []
}

function isOfWeb(text: string): boolean {
  return /^(?:https?:\/\/|data:)/i.test(text.trimStart())
}

function looksAnchored(text: string): boolean {
  return /^(?:[~/\\]|[a-z]:)/i.test(text) || climbs(text)
}

/** `MEDIA:` and a path, which the host takes out of a message and sends the file. */
function gatherAttachments(message: unknown, gathered: GatheredPaths): boolean {
  if (message === undefined || message === null) return true
  if (typeof message !== 'string') return false
  for (const found of message.matchAll(/MEDIA:[ \t]*(?:"([^"\n]+)"|'([^'\n]+)'|`([^`\n]+)`|([^\s"'`]+))/gi)) {
    const path = found[1] ?? found[2] ?? found[3] ?? found[4] ?? ''
    if (!isOfWeb(path)) gathered.add(path, 'read', false, 'address')
  }
  return true
}

/** The body of a patch in whatever a tool of another name was handed: as a text, or as the words of a command. */
function gatherPatches(value: unknown, gathered: GatheredPaths): void {
  const texts = typeof value === 'string' ? [value] : (textsOf(value) ?? [])
  for (const text of texts) {
    if (isPatchBody(text)) for (const path of patchBodyPaths(text, true)) gathered.add(path, 'write')
  }
}

function gatherByNames(tool: string, args: Members, gathered: GatheredPaths): true | Unread {
  const access = commandTools.has(tool) || isReadingTool(tool) ? 'read' : 'write'
  let values = 0
  const walk = (value: unknown, reading: ArgumentReading, depth: number): boolean => {
    values += 1
    if (values > valuesMax) gathered.isTooMany = true
    if (depth > depthMax || gathered.isTooMany) return false
    if (Array.isArray(value)) return value.every((item) => walk(item, reading, depth + 1))
    if (isRecord(value)) return walkMembers(value, reading, depth)
    if (typeof value !== 'string') return true
    gatherText(value, reading, access, gathered)
    const held = reading === 'none' ? undefined : heldInText(value)
    return held === undefined || walk(held, reading, depth + 1)
  }
  const walkMembers = (members: Members, outer: ArgumentReading, depth: number): boolean => {
    const entries = Object.entries(members)
    const isBesidePath = entries.some(([name, value]) => typeof value === 'string' && namesPath(name))
    return entries.every(([name, value]) => {
      // `files: {"a/b.txt": "text"}` names paths too.
      if (outer !== 'none' && looksLikePath(name)) gathered.add(name, access, true)
      return walk(value, memberReading(name, outer, isBesidePath), depth + 1)
    })
  }
  return walkMembers(args, 'none', 0) ? true : 'too_deep'
}

function namesPath(name: string): boolean {
  const likeness = pathArgumentLikeness(name)
  return likeness === 'path' || likeness === 'maybe'
}

/** A list or an object that was sent as its JSON text. */
function heldInText(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isReadingTool(tool: string): boolean {
  if (tool.startsWith('mcp__')) return readingTools.has(tool.split('__').at(-1) ?? '')
  return [...readingTools].some((name) => tool === name || (tool.startsWith('mcp_') && tool.endsWith(`_${name}`)))
}

function gatherText(text: string, reading: ArgumentReading, access: AskedPath['access'], gathered: GatheredPaths): void {
  gatherPatches(text, gathered)
  if (isFileAddress(text) && (reading !== 'none' || /^file:\/\S*$/i.test(text))) gathered.add(text, access, true, 'address')
  if (reading === 'address' || reading === 'none') return
  if (reading !== 'path' && (!looksLikePath(text) || (isOfWeb(text) && !climbs(text)))) return
  // What takes a path takes `https:` for a folder, and from there it is not far to `..`.
  gathered.add(text, access, true)
}

function climbs(text: string): boolean {
  return /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(text)
}

type Members = Readonly<Record<string, unknown>>

function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
