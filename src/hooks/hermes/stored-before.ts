// The stored text that a memory or skill call touches, read before the writer's turn. Other tools and calls that nobody can read touch none.
import { nothingStored } from '../../gates/provenance/stored-text.js'
import { isWriteTool, writeArguments } from '../../gates/provenance/write-arguments.js'
import { removals } from '../../gates/provenance/written-text.js'
import { memoryWrites, type StoredRead } from './memory-writes.js'
import { profileHome } from './profile-home.js'
import { type SkillFolders, skillWrites } from './skill-writes.js'
import { type ReadingLimits, StoreReading } from './store-reading.js'

export interface ProposedCall {
  readonly tool_name?: string | null | undefined
  readonly tool_input?: unknown
  readonly profile?: string | null | undefined
}

export interface HermesStore {
  /** The home that the service belongs to; undefined where nobody said. */
  readonly hermesHome: string | undefined
  /** As of `SkillFolders`. */
  readonly external: SkillFolders['external']
  readonly limits?: ReadingLimits
}

export async function storedBefore(call: ProposedCall, { hermesHome, external, limits }: HermesStore): Promise<StoredRead> {
  const tool = call.tool_name ?? ''
  const read = isWriteTool(tool) ? writeArguments(tool, call.tool_input) : undefined
  if (read === undefined || read.kind === 'unreadable') return { stored: nothingStored }
  if (read.operations.every(({ action }) => removals.has(action))) return { stored: nothingStored }
  if (hermesHome === undefined) return { stored: nothingStored, unavailable: 'home_unknown' }
  const home = profileHome(hermesHome, call.profile)
  if (home === undefined) return { stored: nothingStored, unavailable: 'profile_unknown' }
  const reading = new StoreReading(limits)
  return read.kind === 'memory'
    ? memoryWrites(read.target, home, reading)
    : skillWrites(read.operations, { hermesHome: home, external }, reading)
}
