// The paths of Windows: drives, shares, and the many ways to write one name. What its own programs would trim is trimmed; where they
// disagree, or a device is meant, there is no path.
import type { PathSpelling } from './path-spelling.js'
import { trimmedEnd } from './trimmed-text.js'

/** `C:` or `\\server\share`, and what comes after it. */
interface Rooted {
  readonly root: string
  readonly rest: string
}

type Segment = { readonly name: string; readonly isShort: boolean; readonly isDoubtful: boolean }

const devicePattern = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i

/** Absolute by spelling; drives in upper case, backslashes throughout. */
export function windowsSpelling(text: string, cwd: string | null): PathSpelling {
  const slashed = text.replaceAll('/', '\\')
  const verbatim = /^\\\\[?.]\\/.exec(slashed)
  const inner = verbatim === null ? slashed : plainOfVerbatim(text, slashed.slice(verbatim[0].length))
  if (inner === undefined) return nowhere('unresolved')
  const unixDrive = verbatim === null ? driveOfUnixPath(text) : undefined
  const rooted = rootOf(unixDrive ?? inner, cwd)
  if (rooted === undefined) return nowhere('unresolved')
  const spelled = spelledUnder(rooted)
  // Whether a tool takes `/c/x` for `C:\x` is not in the spelling.
  return unixDrive !== undefined && spelled.typed !== null ? { ...spelled, problem: 'unresolved' } : spelled
}

/** The root of an absolute path as it is compared: shares do not tell case, drives are upper case already. */
export function windowsRoot(path: string): Rooted | undefined {
  const drive = /^([a-z]:)(?:\\|$)/i.exec(path)
  if (drive !== null) return { root: (drive[1] ?? '').toUpperCase(), rest: path.slice(drive[0].length) }
  const share = /^\\\\([^\\]+)\\+([^\\]+)(?:\\|$)/.exec(path)
  if (share === null) return undefined
  return { root: `\\\\${share[1]}\\${share[2]}`, rest: path.slice(share[0].length) }
}

function nowhere(problem: 'unreadable' | 'unresolved'): PathSpelling {
  return { typed: null, walk: null, problem }
}

/** `\\?\` switches all trimming off; where that would make a difference, the name is left alone. */
function plainOfVerbatim(text: string, rest: string): string | undefined {
  if (text.slice(4).includes('/')) return undefined
  if (rest.split('\\').some((segment) => /^\.{1,2}$|[. ]$/.test(segment))) return undefined
  if (/^unc\\/i.test(rest)) return `\\\\${rest.slice(4)}`
  return /^[a-z]:\\/i.test(rest) ? rest : undefined
}

/** `/c/x`, `/cygdrive/c/x`, `/mnt/c/x`: what the shells of other systems call a drive. */
function driveOfUnixPath(path: string): string | undefined {
  const found = /^\/(?:cygdrive\/|mnt\/)?([a-z])(?=[\\/]|$)/i.exec(path)
  return found === null ? undefined : `${found[1]}:\\${path.slice(found[0].length + 1).replaceAll('/', '\\')}`
}

function rootOf(path: string, cwd: string | null): Rooted | undefined {
  if (path.startsWith('\\\\')) {
    const share = windowsRoot(path)
    return share === undefined || isOwnMachine(share.root) ? undefined : share
  }
  const absolute = windowsRoot(path)
  if (absolute !== undefined && path[2] === '\\') return absolute
  const base = cwd === null ? undefined : windowsRoot(cwd.replaceAll('/', '\\'))
  if (base === undefined) return undefined
  if (path.startsWith('\\')) return { root: base.root, rest: path.slice(1) }
  const relative = /^([a-z]:)(.*)$/is.exec(path)
  if (relative === null) return { root: base.root, rest: `${base.rest}\\${path}` }
  // `C:x` starts from where that drive was last; only of the current one is that known.
  if ((relative[1] ?? '').toUpperCase() !== base.root) return undefined
  return { root: base.root, rest: `${base.rest}\\${relative[2]}` }
}

/** A share that is a drive of this machine under another name, as far as a name tells. */
function isOwnMachine(root: string): boolean {
  const [, , server = '', share = ''] = root.split('\\')
  return /^[a-z]\$$/i.test(share) || /^(?:localhost|127(?:\.\d+){1,3}|::1|0--1\.ipv6-literal\.net|\.)$/i.test(server)
}

function spelledUnder({ root, rest }: Rooted): PathSpelling {
  const raw = rest.split('\\').filter((segment) => segment !== '' && segment !== '.')
  const kept: Segment[] = []
  for (const [at, text] of raw.entries()) {
    if (text === '..') {
      kept.pop()
      continue
    }
    const segment = segmentOf(text, at === raw.length - 1)
    if (segment === undefined) return nowhere('unreadable')
    kept.push(segment)
  }
  const typed = joined(
    root,
    kept.map(({ name }) => name),
  )
  // Here a `..` is taken away before any link is followed.
  const walk = typed
  if (kept.some(({ isDoubtful }) => isDoubtful)) return { typed, walk, problem: 'unresolved' }
  return kept.some(({ isShort }) => isShort) ? { typed, walk, problem: 'unresolved', short: true } : { typed, walk }
}

/** A drive alone keeps its backslash: `C:` is where that drive was last. */
function joined(root: string, names: readonly string[]): string {
  const path = [root, ...names].join('\\')
  return names.length === 0 && root.length === 2 ? `${path}\\` : path
}

/** Without a stream's name and what is trimmed at the end; undefined where it names no file. */
function segmentOf(text: string, isLast: boolean): Segment | undefined {
  const colon = text.indexOf(':')
  // `x:$I30:$INDEX_ALLOCATION\y` is a folder with its stream named: a file system follows it, and nobody writes it in earnest.
  if (colon === 0 || (colon > 0 && !isLast)) return undefined
  const stem = colon === -1 ? text : text.slice(0, colon)
  const name = trimmedEnd(stem, (character) => character === '.' || character === ' ')
  if (name === '' || /[<>"|?*\0-\x1f]/.test(stem)) return undefined
  if (devicePattern.test((name.split('.')[0] ?? '').trimEnd())) return undefined
  // Within a path some programs trim these and some do not.
  const isDoubtful = !isLast && name !== stem
  return { name, isShort: /^[^. ]{1,6}~\d{1,6}(?:\.[^. ]{0,3})?$/.test(name), isDoubtful }
}
