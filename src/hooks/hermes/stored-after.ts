// The files that a memory or skill call names, read once more when it has come back: where they lie now, and what they hold at this moment.
import { isWriteTool, type SkillOperation, writeArguments } from '../../gates/provenance/write-arguments.js'
import { memoryFile } from './memory-writes.js'
import { profileHome } from './profile-home.js'
import { type SkillFolders, skillFiles, wantedFiles } from './skill-writes.js'
import { type ReadFile, StoreReading } from './store-reading.js'
import type { HermesStore, ProposedCall } from './stored-before.js'

/** By place, as `write.proposed` names them. */
export type FoundFiles = ReadonlyMap<string, ReadFile>

/** Undefined where there is nothing to look at: for another tool, arguments that cannot be read, and a home that nobody knows. */
export async function storedAfter(
  call: ProposedCall,
  { hermesHome, external, limits }: HermesStore,
): Promise<FoundFiles | undefined> {
  const tool = call.tool_name ?? ''
  const read = isWriteTool(tool) ? writeArguments(tool, call.tool_input) : undefined
  const home = hermesHome === undefined ? undefined : profileHome(hermesHome, call.profile)
  if (read === undefined || read.kind === 'unreadable' || home === undefined) return undefined
  const reading = new StoreReading(limits)
  return read.kind === 'memory'
    ? new Map([[read.target, await memoryFile(read.target, home, reading)]])
    : skillPlaces(read.operations, { hermesHome: home, external }, reading)
}

async function skillPlaces(
  operations: readonly SkillOperation[],
  folders: SkillFolders,
  reading: StoreReading,
): Promise<FoundFiles> {
  const { found, problem } = await skillFiles(operations, folders, reading)
  const places = new Map<string, ReadFile>()
  for (const [name, paths] of wantedFiles(operations))
    for (const path of paths) {
      const missing: ReadFile = problem === undefined ? { text: undefined } : { problem }
      places.set(`${name}/${path}`, found.get(name)?.get(path) ?? missing)
    }
  return places
}
