// What came of replaying the operations of a call over the stored text: the texts to judge, and what each file would hold afterwards.
import type { SpanStrategy } from './span-search.js'

/** How a patch found its place: one of the host's ways; `entry` in a memory; `whole` where a whole file is written anew. */
export type PlaceStrategy = SpanStrategy | 'entry' | 'whole' | 'several' | 'none'

export interface ForetoldFile {
  /** `memory`, `user`, or the name of a skill and the path of a file in it. */
  readonly place: string
  /** Undefined where there was no file, or none that could be read. */
  readonly before: string | undefined
  /** Undefined where there will be none. */
  readonly after: string | undefined
  /** False where the host goes a way that is not followed here. */
  readonly foretold: boolean
}

export interface Replay {
  /** Each once, in the order of the file. */
  readonly judged: readonly string[]
  /** Stored text that the call changes or takes away. */
  readonly stored: readonly string[]
  /** One for each operation that looks for a place, in order. */
  readonly strategies: readonly PlaceStrategy[]
  readonly files: readonly ForetoldFile[]
}
