// Reads the files of skills that a call is about to change: each skill is looked for as the host does it, in the folders of the host in their
// order, by the name of its folder, and the first one found counts.
import type { Dirent } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { skillFile, skillPath } from '../../gates/provenance/stored-text.js'
import type { SkillOperation } from '../../gates/provenance/write-arguments.js'
import type { StoredRead } from './memory-writes.js'
import { isMissing, type ReadFile, type StoreProblem, StoreReading } from './store-reading.js'

export interface SkillFolders {
  readonly hermesHome: string
  /** The folders of `skills.external_dirs`, absolute, in order; undefined where the host's settings cannot be read. */
  external(hermesHome: string): readonly string[] | undefined
}

export async function skillWrites(
  operations: readonly SkillOperation[],
  folders: SkillFolders,
  reading = new StoreReading(),
): Promise<StoredRead> {
  const { found, problem } = await skillFiles(operations, folders, reading)
  const skills = new Map<string, ReadonlyMap<string, string>>()
  let unavailable = problem
  for (const [name, reads] of found) {
    const files = new Map<string, string>()
    for (const [path, read] of reads) {
      // The host refuses a file that a link leads out of its skill, so what it holds is nothing to hold a write against.
      if ('problem' in read) unavailable ??= read.problem === 'outside' ? undefined : read.problem
      else if (read.text !== undefined) files.set(path, read.text)
    }
    skills.set(name, files)
  }
  return { stored: { memory: new Map(), skills }, ...(unavailable === undefined ? {} : { unavailable }) }
}

export interface SkillReads {
  /** Of each skill that was found what was read, by path. */
  readonly found: ReadonlyMap<string, ReadonlyMap<string, ReadFile>>
  /** Why a skill that was not found may be there all the same. */
  readonly problem: StoreProblem | undefined
}

/** The main file of each skill that the operations name, and every file of it that they name. */
export async function skillFiles(
  operations: readonly SkillOperation[],
  folders: SkillFolders,
  reading: StoreReading,
): Promise<SkillReads> {
  const wanted = wantedFiles(operations)
  const { skills, problem } = await findSkills(wanted, folders, reading)
  const found = new Map<string, ReadonlyMap<string, ReadFile>>()
  for (const [name, folder] of skills) {
    const reads = new Map<string, ReadFile>()
    for (const path of wanted.get(name) ?? []) reads.set(path, await skillRead(folder, path, reading))
    found.set(name, reads)
  }
  return { found, problem }
}

async function skillRead(folder: string, path: string, reading: StoreReading): Promise<ReadFile> {
  const lies = path === skillFile ? 'within' : await whereItLies(folder, path)
  if (lies === 'within') return reading.file(join(folder, ...path.split('/')))
  return lies === 'nowhere' ? { text: undefined } : { problem: 'outside' }
}

/** By skill the paths of its files. One that the call would make is looked for too: where there is one, the host refuses to make it. */
export function wantedFiles(operations: readonly SkillOperation[]): Map<string, Set<string>> {
  const wanted = new Map<string, Set<string>>()
  for (const { name, file } of operations) {
    const path = skillPath(name, file)
    const paths = wanted.get(name) ?? new Set([skillFile])
    wanted.set(name, path === undefined ? paths : paths.add(path))
  }
  return wanted
}

/** Outside where a link leads out of the skill, or where that cannot be told. */
async function whereItLies(folder: string, path: string): Promise<'within' | 'outside' | 'nowhere'> {
  try {
    const [root, file] = await Promise.all([realpath(folder), realpath(join(folder, path))])
    return file.startsWith(root + sep) ? 'within' : 'outside'
  } catch (error) {
    return isMissing(error) ? 'nowhere' : 'outside'
  }
}

async function findSkills(
  wanted: ReadonlyMap<string, unknown>,
  { hermesHome, external }: SkillFolders,
  reading: StoreReading,
): Promise<{ readonly skills: ReadonlyMap<string, string>; readonly problem: StoreProblem | undefined }> {
  const search = new SkillSearch([...wanted.keys()], reading)
  await search.root(join(hermesHome, 'skills'))
  if (search.isDone) return search
  const others = external(hermesHome)
  for (const folder of others ?? []) await search.root(folder)
  return others === undefined && search.problem === undefined ? { skills: search.skills, problem: 'config_unreadable' } : search
}

/** The host looks for no skills in folders of these names. */
export const passedOver: ReadonlySet<string> = new Set(
  '.git .github .hub .archive .venv venv node_modules site-packages __pycache__ .tox .nox .pytest_cache .mypy_cache .ruff_cache'.split(
    ' ',
  ),
)
/** Within a skill these hold its own files. */
export const supportFolders: ReadonlySet<string> = new Set(['references', 'templates', 'assets', 'scripts'])

const depthMax = 32
/** Some versions of the host follow links to folders and some do not. A link may lead anywhere, so not far. */
const linkedDepthMax = 4
const linkedFoldersMax = 500

class SkillSearch {
  readonly skills = new Map<string, string>()
  readonly #missing: Set<string>
  readonly #reading: StoreReading
  #linked: string[] = []
  #linkedLeft = linkedFoldersMax
  /** A folder that is closed to us may be open to the host. */
  #closed: StoreProblem | undefined
  /** There is no time or no room left for more. */
  #spent: StoreProblem | undefined

  constructor(names: readonly string[], reading: StoreReading) {
    this.#missing = new Set(names)
    this.#reading = reading
  }

  /** Everything is found, or nothing more can be. */
  get isDone(): boolean {
    return this.#missing.size === 0 || this.#spent !== undefined
  }

  /** Why a skill that was not found may be there all the same. */
  get problem(): StoreProblem | undefined {
    return this.#missing.size === 0 ? undefined : (this.#spent ?? this.#closed)
  }

  async root(folder: string): Promise<void> {
    if (this.isDone) return
    await this.#walk(folder, depthMax, false)
    const linked = this.#linked
    this.#linked = []
    for (const each of linked) if (await isFolder(each)) await this.#walk(each, linkedDepthMax, true)
  }

  async #walk(folder: string, depthLeft: number, isLinked: boolean): Promise<void> {
    if (this.isDone || depthLeft === 0 || (isLinked && this.#linkedLeft-- <= 0)) return
    const read = await this.#reading.folder(folder)
    if ('problem' in read) {
      if (read.problem === 'not_readable') this.#closed = read.problem
      else this.#spent = read.problem
      return
    }
    const isSkill = read.entries.some((entry) => entry.name === skillFile && !entry.isDirectory())
    const name = basename(folder)
    if (isSkill && this.#missing.delete(name)) this.skills.set(name, folder)
    for (const entry of read.entries) {
      if (passedOver.has(entry.name) || (isSkill && supportFolders.has(entry.name))) continue
      if (entry.isDirectory()) await this.#walk(join(folder, entry.name), depthLeft - 1, isLinked)
      else if (isLink(entry) && !isLinked) this.#linked.push(join(folder, entry.name))
    }
  }
}

function isLink(entry: Dirent): boolean {
  return entry.isSymbolicLink() && entry.name !== skillFile
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}
