// The owner's allowlist on the disk: read, expanded by an environment, and with the folders of its paths followed to where they lead.
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { SteleError } from '../foundation/stele-error.js'
import type { Allowlist, Grant, PathGrant, PathStyle, SkillGrants } from '../gates/capability/allowlist.js'
import { type PlacedAllowlist, type ReadAllowlist, readAllowlist } from '../gates/capability/read-allowlist.js'
import type { FileLook } from '../hooks/file-look.js'
import { resolvePatternRoot } from '../hooks/resolve-paths.js'
import { allowlistBytesMax, allowlistFile } from './allowlist-file.js'

type Environment = Readonly<Record<string, string | undefined>>

/** How this machine writes paths. */
export const pathStyle: PathStyle = process.platform === 'win32' ? 'windows' : 'posix'

/** The file as it is. Throws `FILE_UNREADABLE` with its name where it is missing, no file, or not to be read. */
export function policyFile(file: string): PlacedAllowlist {
  return allowlistFile(policyBytes(file))
}

/** The same, not read yet. Of one that is too long no more than tells that it is. */
export function policyBytes(file: string): Uint8Array {
  try {
    const found = statSync(file)
    // Reading a pipe would wait for its writer, for ever.
    if (!found.isFile()) throw new SteleError('FILE_UNREADABLE', { file })
    return found.size > allowlistBytesMax ? new Uint8Array(allowlistBytesMax + 1) : readFileSync(file)
  } catch (cause) {
    throw cause instanceof SteleError ? cause : new SteleError('FILE_UNREADABLE', { file }, { cause })
  }
}

/** The text stands there whole, or what was there before does. Throws `FILE_UNWRITABLE`. */
export function writePolicy(file: string, text: string): void {
  try {
    const place = existsSync(file) ? realpathSync(file) : file
    if (existsSync(place) && readFileSync(place, 'utf8') === text) return
    // Made anew: through a link that lies there, something else would be written.
    rmSync(`${place}.new`, { force: true })
    writeFileSync(`${place}.new`, text, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(`${place}.new`, place)
  } catch (cause) {
    throw new SteleError('FILE_UNWRITABLE', { file }, { cause })
  }
}

/** `~` is the home folder that the environment names, else that of the user. */
export function readPolicy(placed: PlacedAllowlist, environment: Environment, now = new Date()): ReadAllowlist {
  return readAllowlist(placed, {
    home: homeOf(environment),
    variables: environment,
    pathStyle,
    now: now.toISOString(),
  })
}

export function homeOf(environment: Environment): string {
  return (pathStyle === 'windows' ? environment['USERPROFILE'] : environment['HOME']) || homedir()
}

/** Throws `POLICY_INVALID` with the place of the first error. */
export function usablePolicy(
  { allowlist, problems }: ReadAllowlist,
  details: Readonly<Record<string, string | number>> = {},
): Allowlist {
  if (allowlist !== undefined) return allowlist
  const errors = problems.filter(({ severity }) => severity === 'error')
  const [first] = errors
  throw new SteleError('POLICY_INVALID', {
    ...details,
    ...(first === undefined ? {} : { line: first.line, column: first.column, code: first.code }),
    errors: errors.length,
  })
}

export interface FollowedPolicy {
  readonly allowlist: Allowlist
  /** Some of its folders did not answer in time: where they lead is to be looked for again. */
  readonly isLate: boolean
}

/**
 * With where the folders of its paths lead at this moment, so that a grant behind a link is no false denial. `led` is where the folder of each
 * pattern led when it last answered: that is taken while it does not answer.
 */
export async function followedPolicy(
  allowlist: Allowlist,
  look: FileLook,
  led = new Map<string, string | undefined>(),
): Promise<FollowedPolicy> {
  let isLate = false
  const followedPath = async (path: PathGrant): Promise<PathGrant> => {
    const found = await resolvePatternRoot(path, pathStyle, look)
    if (found === undefined) isLate = true
    else led.set(path.pattern, found.resolvedPattern)
    const resolvedPattern = led.get(path.pattern)
    return resolvedPattern === undefined ? path : { ...path, resolvedPattern }
  }
  // One after the other: each has a deadline of its own, and a thousand at once would keep each other waiting.
  const followed = async (paths: readonly PathGrant[]): Promise<PathGrant[]> => {
    const found: PathGrant[] = []
    for (const path of paths) found.push(await followedPath(path))
    return found
  }
  const skills: SkillGrants[] = []
  for (const { name, grants } of allowlist.skills) {
    const known: Grant[] = []
    for (const grant of grants) known.push({ ...grant, paths: await followed(grant.paths) })
    skills.push({ name, grants: known })
  }
  const deny = { ...allowlist.deny, paths: await followed(allowlist.deny.paths) }
  return { allowlist: { ...allowlist, skills, deny }, isLate }
}
