// Sums of the days of a view: numbers are added, records of them name by name. Lists are nobody's sum and are left out.

type Counted = Readonly<Record<string, unknown>>

/** What all of some days come to; an `initial` of the view says what there is. Names may be called like what every object has. */
export function summedCounts<Counts extends object>(days: Iterable<Counts>, initial: Counts): Counts {
  const sum = copyOf(initial as Counted)
  for (const day of days) addTo(sum, day as Counted)
  return sum as Counts
}

function copyOf(counts: Counted): Record<string, unknown> {
  const copy = Object.create(null) as Record<string, unknown>
  for (const [name, value] of Object.entries(counts)) copy[name] = isRecord(value) ? copyOf(value) : value
  return copy
}

function addTo(sum: Record<string, unknown>, more: Counted): void {
  for (const [name, value] of Object.entries(more)) {
    const own = sum[name]
    if (typeof value === 'number') sum[name] = (typeof own === 'number' ? own : 0) + value
    else if (isRecord(value)) {
      const of = isRecord(own) ? (own as Record<string, unknown>) : (Object.create(null) as Record<string, unknown>)
      sum[name] = of
      addTo(of, value)
    }
  }
}

function isRecord(value: unknown): value is Counted {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
