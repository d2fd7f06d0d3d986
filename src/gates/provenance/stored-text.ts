// What stood in the host's files just before a call, as far as the call touches them. Somebody else reads it: the same text here gives the
// same judgement later.

export type MemoryTarget = 'memory' | 'user'

export interface StoredText {
  /** The text of a memory file. One that is not there has none. */
  readonly memory: ReadonlyMap<MemoryTarget, string>
  /** By the name of a skill the text of its files, by their path within it. A skill that is not there has none. */
  readonly skills: ReadonlyMap<string, ReadonlyMap<string, string>>
}

export const nothingStored: StoredText = { memory: new Map(), skills: new Map() }

/** The main file of a skill. */
export const skillFile = 'SKILL.md'

const pathPartsMax = 32

/**
 * The path of a file within its skill as the host means it; undefined for one that the host refuses: outside the skill, or no path at all.
 * Both of the host's spellings of the main file, `SKILL.md` and `<name>/SKILL.md`, are that file.
 */
export function skillPath(skill: string, given: string | undefined): string | undefined {
  if (given === undefined || given === '') return skillFile
  if (given.startsWith('/') || given.includes('\\') || given.includes('\0')) return undefined
  const parts = given.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.length === 0 || parts.length > pathPartsMax || parts.includes('..')) return undefined
  const path = parts.join('/')
  return path === `${skill}/${skillFile}` ? skillFile : path
}
