// What an owner has granted, as the gate reads it: variables and `~` are expanded, so that the same grants are judged years later on
// another machine. Plain JSON; whoever reads the file says where in it something is wrong.

export interface Allowlist {
  readonly version: 1
  /** By name; `*` are the calls of a host that names no skill. A skill that is not here has nothing. */
  readonly skills: readonly SkillGrants[]
  /** Anchored patterns of tools that a person has to approve each time, though they are granted. */
  readonly requireApproval: readonly string[]
  /** What nobody has, whatever is granted. */
  readonly deny: DenyList
}

export interface SkillGrants {
  readonly name: string
  /** What stands directly under the skill comes first. */
  readonly grants: readonly Grant[]
}

export interface Grant {
  /** Anchored patterns: `*` stands for any run of characters, `?` for one. */
  readonly tools: readonly string[]
  readonly paths: readonly PathGrant[]
  /** Of the tools that run commands. A grant that names such a tool under `tools` grants every command. */
  readonly commands: readonly CommandGrant[]
  readonly when?: GrantContext
  /** Instant as ISO 8601 in UTC, from which on it grants nothing. */
  readonly expires?: string
}

export interface PathGrant {
  /** Absolute, without `.` and `..`: `*` and `?` within a name, `**` over any depth, `dir/**` the folder itself too. */
  readonly pattern: string
  readonly access: 'read' | 'write' | 'any'
  /** The same with its folder as it led when the file was read, where a link stood in the way: what is asked for through it leads there. */
  readonly resolvedPattern?: string
}

/** Word by word. */
export type CommandGrant = readonly CommandGrantWord[]

export type CommandGrantWord =
  /** An anchored pattern of one word. */
  | { readonly kind: 'word'; readonly pattern: string }
  /** One word that is a path, which needs its own grant. */
  | { readonly kind: 'path'; readonly access: 'read' | 'write' }
  /** As the last: any further words, or any further paths. */
  | { readonly kind: 'rest'; readonly of: 'words' }
  | { readonly kind: 'rest'; readonly of: 'paths'; readonly access: 'read' | 'write' }

/** All that are named have to hold. */
export interface GrantContext {
  readonly platform?: readonly string[]
  readonly job?: readonly string[]
  readonly subagent?: boolean
}

export interface DenyList {
  readonly tools: readonly string[]
  readonly paths: readonly PathGrant[]
  readonly commands: readonly CommandGrant[]
}

/** What is in force: one allowlist; two while a wider one waits for the owner, and then only what both grant is granted. */
export interface Policy {
  readonly allowlists: readonly Allowlist[]
  /** Nothing that is granted may write here, while the gate enforces. */
  readonly protected: readonly ProtectedPlace[]
  /** How the paths of this machine are written. */
  readonly pathStyle: PathStyle
}

export type PathStyle = 'posix' | 'windows'

export interface ProtectedPlace {
  readonly what: 'home' | 'plugin' | 'allowlist' | 'host_settings' | 'socket' | 'program'
  /** Absolute and resolved; all that lies beneath it too. */
  readonly path: string
}
