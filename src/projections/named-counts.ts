// Counts under names that come from hosts and models: bounded, since a model can invent any number of them.

/** So many names are told apart; what comes beyond is counted together. */
const namesMax = 256
const otherName = 'other'

/** The counts of a name, made with `initial` where it is new. */
export function namedCounts<Counts>(of: Record<string, Counts>, name: string, initial: () => Counts): Counts {
  // A name may be called like a member that every object has.
  const known = Object.hasOwn(of, name) ? of[name] : undefined
  if (known !== undefined) return known
  if (name !== otherName && Object.keys(of).length >= namesMax) return namedCounts(of, otherName, initial)
  const counts = initial()
  Object.defineProperty(of, name, { value: counts, enumerable: true, configurable: true, writable: true })
  return counts
}
