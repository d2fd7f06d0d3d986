// The families that entries are counted by in a report: what they are about, in an order that stays.

/** Each with the first words of its types. What is named nowhere is `other`: types that another version of Stele has made. */
const familyWords = {
  sessions: { label: 'Sessions and turns', of: ['session', 'turn', 'subagent'] },
  messages: { label: 'Messages', of: ['message'] },
  tools: { label: 'Tools', of: ['tool', 'access', 'write'] },
  decisions: { label: 'Decisions', of: ['gate', 'claim', 'jev', 'approval', 'verification', 'policy', 'review'] },
  coverage: { label: 'Gaps and foreign payloads', of: ['hook', 'gap', 'mismatch', 'file', 'entry'] },
  forgetting: { label: 'Forgetting', of: ['payload', 'erasure'] },
  housekeeping: { label: 'Housekeeping', of: ['ledger', 'key', 'clock', 'host', 'config', 'budget', 'service'] },
  other: { label: 'Other', of: [] },
} as const

export type EventFamily = keyof typeof familyWords

export const eventFamilies = Object.entries(familyWords).map(([key, { label }]) => ({ key: key as EventFamily, label }))

const familyOfWord = new Map<string, EventFamily>(
  Object.entries(familyWords).flatMap(([key, { of }]) => of.map((word) => [word, key as EventFamily] as const)),
)

export function eventFamily(type: string): EventFamily {
  return familyOfWord.get(type.slice(0, type.indexOf('.'))) ?? 'other'
}
