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
