// An allowlist of a file as the grants that are to hold instead of those that were in force: read, expanded and followed on this machine as
// it is now.
import { resolve } from 'node:path'
import type { Policy } from '../gates/capability/allowlist.js'
import { FileLook } from '../hooks/file-look.js'
import type { Home } from './open-home.js'
import { followedPolicy, pathStyle, policyFile, readPolicy, usablePolicy } from './policy-file.js'
import { protectedPlaces } from './protected-places.js'

/** Throws `FILE_UNREADABLE` and `POLICY_INVALID`. */
export async function policyInstead(file: string, { places }: Home): Promise<Policy> {
  const { home, hermesHome, environment } = places
  const look = new FileLook()
  const allowlist = usablePolicy(readPolicy(policyFile(file), environment), { file })
  const followed = await followedPolicy(allowlist, look)
  const { places: found } = await protectedPlaces({ home, hermesHome, allowlist: resolve(file), environment }, look)
  return { allowlists: [followed.allowlist], protected: found, pathStyle }
}
