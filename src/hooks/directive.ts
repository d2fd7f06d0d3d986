// What the host is told, in its own words (Hermes' hook directives).

/** Empty: no opinion. */
export type Directive =
  | Readonly<Record<string, never>>
  | { readonly action: 'block'; readonly message: string }
  | { readonly action: 'approve'; readonly message: string; readonly rule_key?: string }
  /** Of an agent that would end: one more pass. */
  | { readonly action: 'continue'; readonly message: string }
  /** Of a request to the agent's model: these tools instead. */
  | { readonly request: { readonly tools: unknown }; readonly source: string; readonly reason: string }

export const noDirective: Directive = {}

/** The host ignores a block without a message. */
export function blockDirective(message: string): Directive {
  return { action: 'block', message: message === '' ? 'Blocked by Stele.' : message }
}
