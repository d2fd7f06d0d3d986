// What a call would reach, worked out before it is judged: its paths, as they were asked for and as they lead, and the commands it would run.
// Facts of the world at that moment: the gate itself looks at no file.

export interface Touch {
  /** As the call spells it. */
  readonly asked: string
  readonly access: 'read' | 'write'
  /** Everything beneath it too: searches, listings, recursive commands. */
  readonly tree: boolean
  /** Absolute by its spelling alone; null where that cannot be said. */
  readonly typed: string | null
  /** Where it leads, every component followed; of what is yet to be made, from its nearest existing ancestor. Null where that cannot be said. */
  readonly resolved: string | null
  readonly problem?: TouchProblem
  /** The volume that it lies on does not tell upper from lower case. */
  readonly foldsCase?: true
}

export type TouchProblem =
  /** A link to nothing; links in a circle; what we may not look into, or a path that is no path. */
  | 'dangling'
  | 'looping'
  | 'unreadable'
  /** It lies on another machine, or its spelling holds what only a shell knows: known by spelling alone. */
  | 'unresolved'

/** One simple command of a command line, in the order of the line, those within substitutions and groups too. */
export interface CommandPart {
  /** What runs. An assignment in front of it (`A=b git`) is the program here: it changes what runs, so it wants a grant of its own. */
  readonly program: CommandWord
  readonly operands: readonly CommandOperand[]
}

export interface CommandWord {
  /** What the shell would hand over; of an opaque word, as it stands in the line. */
  readonly text: string
  /** Why nobody can say what it will be. */
  readonly opaque?: CommandOpacity
  /** The name of the variable, where that is why. */
  readonly variable?: string
}

export interface CommandOperand extends CommandWord {
  /** Where it leads if it is meant as a path; absent where it can be none, and beyond the bound of how many are looked at. */
  readonly path?: Pick<Touch, 'typed' | 'resolved' | 'problem' | 'foldsCase'>
}

export type CommandOpacity = 'variable' | 'substitution' | 'expansion' | 'glob'

export interface ProposedAccess {
  readonly touches: readonly Touch[]
  readonly commands: readonly CommandPart[]
  /** Why the call cannot be read; absent where it can. Then nothing but its tool is known. */
  readonly unread?: AccessUnread
}

/** `arguments`: of a shape that the tool does not take. The others are of a command line. */
export type AccessUnread = 'arguments' | 'unbalanced' | 'too_long' | 'too_deep' | 'too_many' | 'syntax'
