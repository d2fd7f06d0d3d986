// The home of the profile that a payload comes from: profiles of one Hermes lie beside each other, and each has memories and skills of its own.
import { basename, dirname, join } from 'node:path'

/** The host's own names for the home at the root, and for one that lies anywhere else. */
const rootName = 'default'
const elsewhereName = 'custom'

/** `hermesHome` is the home that the service belongs to. Undefined for a name that is none. */
export function profileHome(hermesHome: string, profile: string | null | undefined): string | undefined {
  const isOneOfMany = basename(dirname(hermesHome)) === 'profiles'
  const own = isOneOfMany ? basename(hermesHome) : rootName
  if (profile === null || profile === undefined || profile === '' || profile === own || profile === elsewhereName)
    return hermesHome
  const root = isOneOfMany ? dirname(dirname(hermesHome)) : hermesHome
  if (profile === rootName) return root
  return /^[a-z0-9][a-z0-9_-]{0,63}$/.test(profile) ? join(root, 'profiles', profile) : undefined
}
