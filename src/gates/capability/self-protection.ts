// What no grant reaches while the gate enforces: Stele's own home, its plugin, the allowlist, the host's settings of plugins, and the program:
// neither is its folder written, nor does it run. Else whoever may write anything could grant itself the rest.
import type { CommandPart, Touch } from './access.js'
import type { PathStyle, ProtectedPlace } from './allowlist.js'
import { type ComparedPath, comparedPath } from './path-glob.js'
import { foldedName } from './path-spelling.js'

/** Which place, or by which word that the program itself would run. */
export type SelfProtection =
  | { readonly what: ProtectedPlace['what']; readonly path: string }
  | { readonly what: 'program'; readonly word: string }

export function touchProtection(touch: Touch, places: readonly ProtectedPlace[], style: PathStyle): SelfProtection | undefined {
  const foldsCase = touch.foldsCase === true
  const table = comparedPlaces(places, style, foldsCase)
  for (const path of touch.typed === touch.resolved ? [touch.typed] : [touch.typed, touch.resolved]) {
    const compared = path === null ? undefined : comparedPath(path, style, foldsCase)
    if (compared === undefined) continue
    const found = table.find(({ place, names }) => isDeniedTo(touch.access, place) && isReached(compared, touch.tree, names))
    if (found !== undefined) return { what: found.place.what, path: found.place.path }
  }
  return undefined
}

export function commandProtection(
  part: CommandPart,
  places: readonly ProtectedPlace[],
  style: PathStyle,
): SelfProtection | undefined {
  const words = [part.program, ...part.operands].map(({ text }) => text)
  const at = words.findIndex((word) => !isAssignment(word))
  const program = words[at]
  if (program === undefined) return undefined
  if (namesStele(program)) return { what: 'program', word: program }
  const name = programName(program)
  const naming = mentioners.has(name) ? undefined : words.slice(at + 1).find(speaksOfStele)
  if (naming !== undefined) return { what: 'program', word: naming }
  const socket = socketNamedBy(words, places, mentioners.has(name))
  if (socket !== undefined) return { what: 'socket', path: socket.path }
  const held = saysOnly(program) ? undefined : places.find((place) => words.slice(at + 1).some((word) => holdsHome(word, place)))
  return held === undefined ? operandProtection(part, name, places, style) : { what: held.what, path: held.path }
}

const sayers: ReadonlySet<string> = new Set(['echo', 'printf', 'true', ':'])

/** Whether a program only says its words: it opens none of them. */
export function saysOnly(program: string): boolean {
  return sayers.has(programName(program))
}

/** The home by its own spelling within a word, as options and small languages have it: `--file=/home/ada/.stele/key`, `w /home/…`. */
function holdsHome(word: string, { what, path }: ProtectedPlace): boolean {
  if (what !== 'home') return false
  for (let at = word.indexOf(path); at >= 0; at = word.indexOf(path, at + 1))
    if (!/[\w.-]/.test(word.charAt(at + path.length))) return true
  return false
}

/** Keys and words lie in the home: there reading is denied too. Through the socket reading is speaking. */
function isDeniedTo(access: Touch['access'], { what }: ProtectedPlace): boolean {
  return access === 'write' || what === 'home' || what === 'socket'
}

function isReached(path: ComparedPath, tree: boolean, place: ComparedPath): boolean {
  return isWithin(path, place) || (tree && isWithin(place, path))
}

interface ComparedPlace {
  readonly place: ProtectedPlace
  readonly names: ComparedPath
}

const knownPlaces = new WeakMap<readonly ProtectedPlace[], Map<string, readonly ComparedPlace[]>>()

function comparedPlaces(places: readonly ProtectedPlace[], style: PathStyle, foldsCase: boolean): readonly ComparedPlace[] {
  const forms = knownPlaces.get(places) ?? new Map<string, readonly ComparedPlace[]>()
  knownPlaces.set(places, forms)
  const form = `${style} ${foldsCase}`
  const known = forms.get(form)
  if (known !== undefined) return known
  const compared = places.flatMap((place) => {
    const names = comparedPath(place.path, style, foldsCase)
    return names === undefined ? [] : [{ place, names }]
  })
  forms.set(form, compared)
  return compared
}

/** By whole names: what only begins alike is another folder. */
function isWithin(path: ComparedPath, folder: ComparedPath): boolean {
  return path.root === folder.root && folder.names.every((name, at) => path.names[at] === name)
}

/** They do not run what they are handed: a word of theirs is a mention. Whoever is not here may run it. */
const mentioners: ReadonlySet<string> = new Set(
  'basename cat cd chgrp chmod chown cmp comm cp diff dirname du echo egrep fgrep file git grep head jq less ln ls mkdir more mv nl printf pwd readlink realpath rg rm rmdir sed sort stat tail tee test touch tr true type uniq wc which ['.split(
    ' ',
  ),
)

/** They read what they are handed, and nothing else. */
const readers: ReadonlySet<string> = new Set(
  'basename cat cd cmp comm diff dirname du echo egrep fgrep file grep head jq less ls more nl printf pwd readlink realpath rg stat tail test tr type uniq wc which ['.split(
    ' ',
  ),
)

/** They take a folder with all that is in it, by default or by an option. */
const treeTakers: ReadonlySet<string> = new Set(
  '7z chgrp chmod chown cp del find install ln move mv rd rm rmdir robocopy rsync scp shred tar trash unlink xcopy zip'.split(
    ' ',
  ),
)

/** The last operand of these is where things go, not what is taken. */
const carriers: ReadonlySet<string> = new Set('cp install ln move mv robocopy rsync scp xcopy'.split(' '))

function operandProtection(
  part: CommandPart,
  name: string,
  places: readonly ProtectedPlace[],
  style: PathStyle,
): SelfProtection | undefined {
  const access = readers.has(name) ? 'read' : 'write'
  const takesTrees = treeTakers.has(name) || readsTrees(name, part)
  for (const [at, { path, text }] of part.operands.entries()) {
    if (path === undefined) continue
    const isTaken = takesTrees && !(carriers.has(name) && at > 0 && at === part.operands.length - 1)
    const touch: Touch = {
      asked: text,
      access,
      tree: isTaken,
      typed: path.typed ?? null,
      resolved: path.resolved ?? null,
      ...folds(path.foldsCase),
    }
    const found = touchProtection(touch, places, style)
    if (found !== undefined) return found
  }
  return undefined
}

/** `rg` always, `grep` where it is told to. */
function readsTrees(name: string, { operands }: CommandPart): boolean {
  if (name === 'rg' || name === 'ag' || name === 'ack') return true
  return (
    /^[ef]?grep$/.test(name) &&
    operands.some(({ text }) => /^(?:-[a-zA-Z]*[rR]|--(?:dereference-)?recursive$|--directories=recurse$)/.test(text))
  )
}

function folds(foldsCase: true | undefined): Pick<Touch, 'foldsCase'> {
  return foldsCase === undefined ? {} : { foldsCase }
}

function socketNamedBy(
  words: readonly string[],
  places: readonly ProtectedPlace[],
  isMention: boolean,
): ProtectedPlace | undefined {
  return places.find(({ what, path }) => {
    if (what !== 'socket') return false
    const name = path.split(/[\\/]/).at(-1) ?? path
    return words.some((word) => word.includes(path) || (!isMention && word.split(/[:=]/).at(-1) === name))
  })
}

function speaksOfStele(word: string): boolean {
  // A word with blanks or quotes in it may be a command line of its own.
  return namesStele(word) || word.split(/[\s;&|()<>`$"'{},]+/).some(namesStele)
}

/** `stele`, `/usr/bin/stele`, `stele.cmd`, `stele@1.2.0`, `--package=stele`, and the program's own file below a folder of that name. */
function namesStele(word: string): boolean {
  const folded = foldedName(word.slice(word.lastIndexOf('=') + 1))
  const names = folded.split(/[\\/]/).map(withoutVersion)
  const last = (names.at(-1) ?? '').replace(/\.(?:exe|cmd|bat|ps1|sh|[cm]?[jt]s)$/, '')
  if (last === 'stele') return true
  const at = names.indexOf('stele')
  return (
    at !== -1 &&
    (names.slice(at + 1).includes('dist') || names.slice(at + 1).includes('cli')) &&
    /^(?:main|start|cli)$/.test(last)
  )
}

/** `@` in front is a scope, behind a name it is a version. */
function withoutVersion(name: string): string {
  const at = name.indexOf('@', 1)
  return at === -1 ? name : name.slice(0, at)
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(word)
}

function programName(word: string): string {
  return foldedName(lastName(word)).replace(/\.(?:exe|cmd|bat)$/, '')
}

function lastName(word: string): string {
  return word.split(/[\\/:=]/).at(-1) ?? word
}
