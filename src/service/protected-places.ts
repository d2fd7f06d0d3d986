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

/** Each as it is spelled, and as it leads where that is another place. */
export async function protectedPlaces(
  { home, hermesHome, allowlist, environment }: ProtectedOptions,
  look: FileLook,
): Promise<ProtectedPlace[]> {
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
  const places = await Promise.all(
    named.map(async (place) => {
      const timed = look.within(lookMilliseconds)
      try {
        const followed = await followPath(place.path, pathStyle, timed)
        const isElsewhere = !('problem' in followed) && followed.resolved !== place.path
        return isElsewhere ? [place, { ...place, path: followed.resolved }] : [place]
      } finally {
        timed.end()
      }
    }),
  )
  return places.flat()
}
