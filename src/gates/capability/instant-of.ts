// The instant that an owner names, from the text alone.

/** ISO 8601 in UTC. A day stands for its start in UTC; a time says which zone it is meant in. Undefined for anything else. */
export function instantOf(text: string): string | undefined {
  const [, year, month, day, zoned] =
    /^(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? []
  if (year === undefined) return undefined
  // A day that its month does not have would be taken for one of the next.
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)) return undefined
  const ms = Date.parse(zoned === undefined ? `${text}T00:00:00Z` : text)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}
