// How long requests took, in fixed buckets: so that days can be added up, and what half of them and all but a twentieth stayed within can be
// said without keeping each.

export interface JevLatency {
  requests: number
  sumMs: number
  maxMs: number
  /** By the upper end of the bucket, in milliseconds; `more` is beyond the last. */
  buckets: Record<string, number>
}

/** Each is at most a third above the one before, or one millisecond: so far can a part be told too high, and never too low. */
export const latencyEnds: readonly number[] = [
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500, 600, 800],
  ...[1000, 1200, 1500, 2000, 2500, 3000, 4000, 5000, 6000, 8000, 10_000],
]
const beyond = 'more'

export function noJevLatency(): JevLatency {
  return { requests: 0, sumMs: 0, maxMs: 0, buckets: {} }
}

export function addLatency(counts: JevLatency, ms: number): void {
  counts.requests += 1
  counts.sumMs += ms
  counts.maxMs = Math.max(counts.maxMs, ms)
  const end = String(latencyEnds.find((one) => ms <= one) ?? beyond)
  counts.buckets[end] = (counts.buckets[end] ?? 0) + 1
}

/** The longest is no sum. */
export function summedLatency(all: readonly JevLatency[]): JevLatency {
  const sum = noJevLatency()
  for (const { requests, sumMs, maxMs, buckets } of all) {
    sum.requests += requests
    sum.sumMs += sumMs
    sum.maxMs = Math.max(sum.maxMs, maxMs)
    for (const [end, count] of Object.entries(buckets)) sum.buckets[end] = (sum.buckets[end] ?? 0) + count
  }
  return sum
}

/** What so large a part of them stayed within: the end of its bucket, or the longest where that is less. Null where there is none. */
export function latencyWithin({ requests, maxMs, buckets }: JevLatency, part: number): number | null {
  if (requests === 0) return null
  const wanted = Math.ceil(requests * part)
  let seen = 0
  for (const end of latencyEnds) {
    seen += buckets[String(end)] ?? 0
    if (seen >= wanted) return Math.min(end, maxMs)
  }
  return maxMs
}

/** Null where there is none. */
export function meanLatency({ requests, sumMs }: JevLatency): number | null {
  return requests === 0 ? null : sumMs / requests
}
