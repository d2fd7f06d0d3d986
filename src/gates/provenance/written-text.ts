// What a memory or skill call will produce, worked out from its arguments and the stored text: the texts to judge, and the stored text that they
// are to be held against. A sentence that stands unchanged in `stored` is not news; whoever splits into sentences leaves it out.
import { memoryReplay } from './memory-replay.js'
import type { ForetoldFile, PlaceStrategy, Replay } from './replay.js'
import { skillReplay } from './skill-replay.js'
import { nothingStored, type StoredText } from './stored-text.js'
import { isWriteTool, type MemoryOperation, type SkillOperation, type Unreadable, writeArguments } from './write-arguments.js'

export interface WriteTarget {
  readonly kind: 'memory' | 'user' | 'skill' | 'unknown'
  /** Of a skill; of several in one call all of them, with commas. `memory` or `user` for those; empty where the arguments cannot be read. */
  readonly name: string
}

export interface WrittenText {
  readonly readable: boolean
  readonly unreadable?: Unreadable
  readonly target: WriteTarget
  readonly operations: number
  /** True where every operation takes something away. */
  readonly removedOnly: boolean
  /** What is to be judged: whole entries of a memory, lines of a file with those that hang together with them, new texts. */
  readonly judged: readonly string[]
  /** Stored text that the call changes or takes away. None where nothing is judged. */
  readonly stored: readonly string[]
  readonly strategies: readonly PlaceStrategy[]
  readonly files: readonly ForetoldFile[]
}

/**
 * Undefined for a tool that writes neither. `input` are the arguments as parsed JSON. `isStoreKnown` is false where some of the stored text could
 * not be read: what is judged is then the new text alone where the old one would be needed.
 */
export function writtenText(
  tool: string,
  input: unknown,
  stored: StoredText = nothingStored,
  isStoreKnown = true,
): WrittenText | undefined {
  if (!isWriteTool(tool)) return undefined
  const read = writeArguments(tool, input)
  if (read.kind === 'unreadable') return { ...unreadableText, unreadable: read.unreadable }
  const { operations } = read
  if (read.kind === 'memory') {
    const { target } = read
    const replay = memoryReplay(read.operations, target, stored.memory.get(target), isStoreKnown)
    return written({ kind: target, name: target }, operations, replay)
  }
  const names = [...new Set(read.operations.map(({ name }) => name))]
  return written({ kind: 'skill', name: names.join(',') }, operations, skillReplay(read.operations, stored.skills, isStoreKnown))
}

/** Whatever is said with these, nothing is written. */
export const removals: ReadonlySet<string> = new Set(['remove', 'remove_file', 'delete'])

const unreadableText: WrittenText = {
  readable: false,
  target: { kind: 'unknown', name: '' },
  operations: 0,
  removedOnly: false,
  judged: [],
  stored: [],
  strategies: [],
  files: [],
}

function written(
  target: WriteTarget,
  operations: readonly (MemoryOperation | SkillOperation)[],
  { judged, stored, strategies, files }: Replay,
): WrittenText {
  const common = { readable: true, target, operations: operations.length }
  // For removals nothing was read, so where they find something is not known.
  if (operations.every(({ action }) => removals.has(action)))
    return { ...common, removedOnly: true, judged: [], stored: [], strategies: [], files: [] }
  return { ...common, removedOnly: false, judged, stored: judged.length === 0 ? [] : stored, strategies, files }
}
