// Which arguments of a tool that nobody described are paths: by their names, and where a name can mean anything by what stands there.
import { argumentKind } from '../../events/argument-kind.js'

/** `maybe`: the name is used for paths and for much else. `address`: of URLs, some of which are files. */
export type PathLikeness = 'path' | 'maybe' | 'address' | 'none'

const ambiguous: ReadonlySet<string> = new Set([
  'source',
  'target',
  'root',
  'destination',
  'src',
  'dst',
  'dest',
  'from',
  'to',
  'file',
  'files',
  'input',
  'output',
])
const pathEndings: ReadonlySet<string> = new Set([
  'path',
  'paths',
  'dir',
  'dirs',
  'directory',
  'directories',
  'folder',
  'folders',
  'file',
  'files',
  'filename',
  'filepath',
  'filepaths',
  'workdir',
  'cwd',
])
const addressEndings: ReadonlySet<string> = new Set(['uri', 'uris', 'url', 'urls'])

export function pathArgumentLikeness(name: string): PathLikeness {
  const words = wordsOf(name)
  const whole = words.join('_')
  if (ambiguous.has(whole)) return 'maybe'
  if (argumentKind(whole) === 'path' || argumentKind(name) === 'path') return 'path'
  const last = words.at(-1) ?? ''
  if (pathEndings.has(last)) return last === 'file' || last === 'files' ? 'maybe' : 'path'
  return addressEndings.has(last) ? 'address' : 'none'
}

/** How what stands in an argument is taken: `inside`: beneath a name of paths, and by a name that says nothing itself. */
export type ArgumentReading = PathLikeness | 'inside'

/** Names of what an object is about, rather than of one of its properties. */
const valueNames: ReadonlySet<string> = new Set(['value', 'values', 'val', 'name', 'names', 'location', 'absolute', 'relative'])

/** How a member of an object is taken, that is itself taken so. `isBesidePath`: another member is the path that the object speaks of. */
export function memberReading(name: string, outer: ArgumentReading, isBesidePath: boolean): ArgumentReading {
  const own = pathArgumentLikeness(name)
  if (own !== 'none' || outer === 'none' || outer === 'address') return own === 'none' ? outer : own
  if (valueNames.has(name.toLowerCase())) return outer
  // `files: {"a/b.txt": "text"}` and `{path: "a", content: "text"}` bring what is to stand in a file.
  return outer === 'maybe' || isBesidePath || looksLikePath(name) ? 'none' : 'inside'
}

/** A text with something in it that a name of a thing seldom has. */
export function looksLikePath(text: string): boolean {
  if (text.includes('\n')) return false
  return /[\\/]/.test(text) || text.startsWith('~') || text.startsWith('.') || /^[^\s]+\.[a-z0-9]{1,10}$/i.test(text)
}

/** `filePath`, `file-path` and `FILE_PATH` are one name. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}
