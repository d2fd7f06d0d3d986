// Knows a greeting that asks for nothing. A known one and no other: what is not surely small talk keeps its tools.

/** Each in lower case, without a sign at its end. */
export const greetings: ReadonlySet<string> = new Set([
  'hello',
  'hi',
  'hey',
  'good morning',
  'good evening',
  'hallo',
  'guten morgen',
  'guten abend',
  'how are you',
  'wie geht es dir',
])

/** No greeting is longer, whatever blanks and signs surround it. */
const charactersMax = 1800

export function isGreeting(text: unknown, known: ReadonlySet<string> = greetings): boolean {
  if (typeof text !== 'string' || text.length > charactersMax) return false
  const bare = text.trim().toLowerCase()
  let end = bare.length
  while (end > 0 && '.!?'.includes(bare.charAt(end - 1))) end -= 1
  return known.has(bare.slice(0, end))
}
