// What kind of words an event holds: how long they are kept is said by kind.

export const wordKinds = ['messages', 'tools', 'sessions', 'judgements'] as const
export type WordKind = (typeof wordKinds)[number]

const kindOfFamily: Readonly<Record<string, WordKind>> = {
  message: 'messages',
  tool: 'tools',
  session: 'sessions',
  subagent: 'sessions',
  turn: 'sessions',
  access: 'judgements',
  write: 'judgements',
  file: 'judgements',
  claim: 'judgements',
  gate: 'judgements',
  jev: 'judgements',
  approval: 'judgements',
  verification: 'judgements',
  review: 'judgements',
}

/** Undefined for words that no retention touches: a policy's text, and what was brought in from elsewhere. */
export function wordKindOf(type: string): WordKind | undefined {
  const family = type.slice(0, type.indexOf('.'))
  return Object.hasOwn(kindOfFamily, family) ? kindOfFamily[family] : undefined
}
