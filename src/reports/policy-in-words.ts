// The policy that an entry says was in force, out of its words. They may be of another version of Stele: then nobody can say what it grants.
import type { Policy } from '../gates/capability/allowlist.js'

type Member = Readonly<Record<string, unknown>>

/** Null for what is no policy as the gate reads it now. */
export function policyInWords(text: unknown): Policy | null {
  if (typeof text !== 'string') return null
  try {
    const read: unknown = JSON.parse(text)
    return isPolicy(read) ? read : null
  } catch {
    return null
  }
}

function isPolicy(read: unknown): read is Policy {
  return (
    isMember(read) &&
    (read['pathStyle'] === 'posix' || read['pathStyle'] === 'windows') &&
    listOf(read['allowlists'], isAllowlist) &&
    listOf(read['protected'], (place) => hasText(place, 'path'))
  )
}

function isAllowlist(of: Member): boolean {
  const { skills, requireApproval, deny } = of
  return (
    listOf(skills, (skill) => hasText(skill, 'name') && listOf(skill['grants'], hasGrants)) &&
    areTexts(requireApproval) &&
    isMember(deny) &&
    hasGrants(deny)
  )
}

function hasGrants({ tools, paths, commands }: Member): boolean {
  return (
    areTexts(tools) &&
    listOf(paths, (path) => hasText(path, 'pattern') && hasText(path, 'access')) &&
    Array.isArray(commands) &&
    commands.every((command) => listOf(command, isWord))
  )
}

function isWord(word: Member): boolean {
  const { kind, of } = word
  if (kind === 'word') return hasText(word, 'pattern')
  if (kind === 'rest' && of === 'words') return true
  return (kind === 'path' || (kind === 'rest' && of === 'paths')) && hasText(word, 'access')
}

function listOf(list: unknown, fits: (one: Member) => boolean): boolean {
  return Array.isArray(list) && list.every((one: unknown) => isMember(one) && fits(one))
}

function areTexts(list: unknown): boolean {
  return Array.isArray(list) && list.every((one: unknown) => typeof one === 'string')
}

function hasText(of: Member, name: string): boolean {
  return typeof of[name] === 'string'
}

function isMember(value: unknown): value is Member {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
