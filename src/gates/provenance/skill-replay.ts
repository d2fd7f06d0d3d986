// Replays operations on skills: each file is changed as the host does it, and the lines that were touched are judged.
import { type Edit, EditedText } from './edited-text.js'
import type { ForetoldFile, PlaceStrategy, Replay } from './replay.js'
import { replacements, type Span, spanSearch } from './span-search.js'
import { type StoredText, skillFile, skillPath } from './stored-text.js'
import type { SkillOperation } from './write-arguments.js'

/** A file of a skill during the call; undefined once it is gone. */
type Files = Map<string, EditedText>

/**
 * What an operation would do that the host refuses is judged by its new text alone. From there on the host may have stopped or not, so what
 * stood in the files until then is judged as well.
 */
export function skillReplay(operations: readonly SkillOperation[], stored: StoredText['skills'], isForetold = true): Replay {
  const replay = new SkillReplay(stored)
  for (const operation of operations) replay.run(operation)
  return replay.result(isForetold)
}

class SkillReplay {
  readonly #stored: StoredText['skills']
  readonly #skills = new Map<string, Files>()
  readonly #judged = new Set<string>()
  readonly #strategies: PlaceStrategy[] = []
  /** Files that were there before the call and are changed or taken away by it, by place. */
  readonly #touched = new Map<string, string | undefined>()
  /** Places whose text is not foretold to the last character. */
  readonly #inexact = new Set<string>()
  #isRefused = false

  constructor(stored: StoredText['skills']) {
    this.#stored = stored
    for (const [name, files] of stored)
      this.#skills.set(name, new Map([...files].map(([path, text]) => [path, new EditedText(text)])))
  }

  run(operation: SkillOperation): void {
    const { action, name, content, fileContent } = operation
    const path = skillPath(name, operation.file)
    switch (action) {
      case 'create':
        this.#create(name, content ?? '')
        break
      case 'edit':
        this.#write(name, skillFile, content ?? '', this.#skills.get(name)?.has(skillFile) === true)
        break
      case 'write_file':
        this.#write(name, path, fileContent ?? '', this.#skills.has(name))
        break
      case 'patch':
        this.#patch(operation, path)
        break
      case 'remove_file':
        this.#remove(name, path === undefined ? [] : [path])
        break
      case 'delete':
        this.#remove(name, [...(this.#skills.get(name)?.keys() ?? [])])
        this.#skills.delete(name)
        break
    }
  }

  result(isForetold: boolean): Replay {
    this.#judgeFiles()
    const files = [...this.#touched].map(([place, before]): ForetoldFile => {
      const [name, path] = splitPlace(place)
      const foretold = isForetold && !this.#isRefused && !this.#inexact.has(place)
      return { place, before, after: this.#skills.get(name)?.get(path)?.text, foretold }
    })
    const judged = [...this.#judged].filter((text) => text.trim() !== '')
    return { judged, stored: [...this.#storedTexts()], strategies: this.#strategies, files }
  }

  #create(name: string, content: string): void {
    const isFree = skillNamePattern.test(name) && !this.#skills.has(name)
    if (isFree) this.#skills.set(name, new Map())
    this.#write(name, skillFile, content, isFree)
  }

  #write(name: string, path: string | undefined, text: string, isTaken: boolean): void {
    if (path === undefined || !isTaken) {
      this.#refused(text)
    } else {
      this.#strategies.push('whole')
      this.#fileOf(name, path).rewrite(text)
    }
  }

  #patch(operation: SkillOperation, path: string | undefined): void {
    const { name, content = '', oldString = '', newString } = operation
    const file = path === undefined ? undefined : this.#skills.get(name)?.get(path)
    if (content !== '' && (oldString === '' || newString === undefined)) {
      this.#write(name, path, content, file !== undefined)
    } else {
      // A host that goes by `content` all the same writes that.
      if (content !== '') this.#refused(content)
      if (file === undefined || path === undefined || !this.#splice(operation, path, file)) this.#refused(newString ?? '')
    }
  }

  /** False where the host would not: no match, or several that were not meant. */
  #splice({ name, oldString = '', newString = '', replaceAll }: SkillOperation, path: string, file: EditedText): boolean {
    const found = file.text.length > searchedCharactersMax ? undefined : spanSearch(file.text, oldString)
    const isMeant = found !== undefined && (found.spans.length === 1 || replaceAll)
    this.#strategies.push(found === undefined ? 'none' : isMeant ? found.strategy : 'several')
    if (!isMeant) return false
    // There the host keeps white space and typographic characters of the file, and after some folded ones more than it means to.
    if (found.strategy === 'whitespace_normalized' || found.strategy === 'unicode_normalized')
      this.#inexact.add(`${name}/${path}`)
    const texts = replacements(file.text, found, oldString, newString)
    this.#fileOf(name, path).edit(editsOf(file.text, found.spans, texts))
    return true
  }

  #remove(name: string, paths: readonly string[]): void {
    const files = this.#skills.get(name)
    for (const path of paths) {
      const file = files?.get(path)
      if (file === undefined) continue
      this.#touch(name, path, file)
      files?.delete(path)
    }
  }

  #fileOf(name: string, path: string): EditedText {
    const files = this.#skills.get(name) ?? new Map<string, EditedText>()
    this.#skills.set(name, files)
    // One that was taken away in this very call is held against what it was.
    const file = files.get(path) ?? new EditedText(this.#stored.get(name)?.get(path))
    files.set(path, file)
    this.#touch(name, path, file)
    return file
  }

  #touch(name: string, path: string, file: EditedText): void {
    const place = `${name}/${path}`
    if (!this.#touched.has(place)) this.#touched.set(place, file.was)
  }

  #refused(text: string): void {
    this.#isRefused = true
    this.#judgeFiles()
    this.#judged.add(text)
  }

  #judgeFiles(): void {
    for (const place of this.#touched.keys()) {
      const [name, path] = splitPlace(place)
      for (const text of this.#skills.get(name)?.get(path)?.judged() ?? []) this.#judged.add(text)
    }
  }

  #storedTexts(): Set<string> {
    return new Set([...this.#touched.values()].filter((text): text is string => text !== undefined && text !== ''))
  }
}

/** What the host takes as the name of a new skill. */
const skillNamePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/

/** No name of a skill holds a slash: it is the name of its folder. */
function splitPlace(place: string): readonly [name: string, path: string] {
  const at = place.indexOf('/')
  return [place.slice(0, at), place.slice(at + 1)]
}

/** The host writes no file of more than 100,000 characters, so in a larger one it replaces nothing but most of it. */
const searchedCharactersMax = 250_000

/** More places than this are one: all between the first and the last counts as touched. */
const editsMax = 1000

/** Matches by lines may overlap, and the host then writes into its own replacement: the first of them counts. */
function editsOf(text: string, spans: readonly Span[], texts: readonly string[]): Edit[] {
  const edits: Edit[] = []
  const parts: string[] = []
  const start = spans[0]?.from ?? 0
  let done = start
  for (let at = 0; at < spans.length; at += 1) {
    const { from, to } = spans[at] as Span
    if (from < done) continue
    const put = texts[at] as string
    if (spans.length > editsMax) parts.push(text.slice(done, from), put)
    else edits.push({ from, to, text: put })
    done = to
  }
  return spans.length > editsMax ? [{ from: start, to: done, text: parts.join('') }] : edits
}
