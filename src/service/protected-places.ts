// What no grant reaches while the gate enforces: whoever could write here could grant himself the rest.
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProtectedPlace } from '../gates/capability/allowlist.js'
import type { FileLook } from '../hooks/file-look.js'
import { followPath } from '../hooks/follow-path.js'
import { pathStyle } from './policy-file.js'
import { socketPlace } from './socket-place.js'

export interface ProtectedOptions {
  /** The folder that is the home of Stele. */
  readonly home: string
  /** The home of the host, where one is known. */
  readonly hermesHome: string | undefined
  /** The file of grants. */
  readonly allowlist: string
  readonly environment: NodeJS.ProcessEnv
}

/** What of the host's home says which plugins and hooks run, and how. */
const hostSettings = ['config.yaml', '.env', 'shell-hooks-allowlist.json']

/** The package that runs at this moment: who writes there decides from the next start on. */
const programFolder = resolve(fileURLToPath(new URL('../..', import.meta.url)))

const lookMilliseconds = 500

export interface FoundPlaces {
  readonly places: readonly ProtectedPlace[]
  /** Some of them did not answer in time: where they lead is to be looked for again. */
  readonly isLate: boolean
}

/**
 * Each as it is spelled, and as it leads where that is another place. `led` is where each led when it last answered: there it is protected too
 * while it does not answer.
 */
export async function protectedPlaces(
  { home, hermesHome, allowlist, environment }: ProtectedOptions,
  look: FileLook,
  led = new Map<string, string>(),
): Promise<FoundPlaces> {
  const sockets = socketPlace(home, environment)
  const named: ProtectedPlace[] = [
    { what: 'home', path: home },
    { what: 'allowlist', path: allowlist },
    { what: 'program', path: programFolder },
    ...[sockets.service, sockets.owner].map((path) => ({ what: 'socket' as const, path })),
    ...(dirname(sockets.service) === home ? [] : [{ what: 'socket' as const, path: dirname(sockets.service) }]),
    ...(hermesHome === undefined
      ? []
      : [
          { what: 'plugin' as const, path: join(hermesHome, 'plugins', 'stele') },
          ...hostSettings.map((name) => ({ what: 'host_settings' as const, path: join(hermesHome, name) })),
        ]),
  ]
  let isLate = false
  const places = await Promise.all(
    named.map(async (place) => {
      const followed = await placeOf(place.path, look)
      if (followed === 'late') isLate = true
      else if (followed === undefined) led.delete(place.path)
      else led.set(place.path, followed)
      const path = led.get(place.path)
      return path === undefined || path === place.path ? [place] : [place, { ...place, path }]
    }),
  )
  return { places: places.flat(), isLate }
}

/** Undefined for what leads nowhere. */
async function placeOf(path: string, look: FileLook): Promise<string | 'late' | undefined> {
  const timed = look.within(lookMilliseconds)
  try {
    const followed = await followPath(path, pathStyle, timed)
    if (!('problem' in followed)) return followed.resolved
    return followed.problem === 'unresolved' ? 'late' : undefined
  } finally {
    timed.end()
  }
}
