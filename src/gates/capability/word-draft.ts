// Holds a word of a command line while it is read: its text so far, and whether and why it is opaque.
import type { CommandOpacity } from './access.js'
import type { ShellWord } from './shell-reading.js'

export interface WordDraft {
  text: string
  quoted: boolean
  opaque: CommandOpacity | undefined
  variable: string | undefined
}

export function blur(draft: WordDraft, opaque: CommandOpacity, variable?: string): void {
  if (draft.opaque !== undefined) return
  draft.opaque = opaque
  draft.variable = variable
}

export function wordOf(draft: WordDraft, raw: string, pipe = false): ShellWord {
  const { text, quoted, opaque, variable } = draft
  if (opaque === undefined) return { text, quoted, pipe }
  return { text: raw, quoted, pipe, opaque, ...(variable === undefined ? {} : { variable }) }
}
