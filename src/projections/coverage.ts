// What should have been recorded on each day (UTC) and was not, and how much of the calls was judged: counts by kind, and where the newest
// of each kind stand. Questions of `stele doctor` are counted apart.
import { type CoverageWatch, coverageWatch, type Hole, type HoleKind, type Stretch, type Told } from './coverage-watch.js'
import { namedCounts } from './named-counts.js'
import type { KeptProjection } from './projection.js'

export interface CallCounts {
  /** A gate was to judge them and did, or did not; and no gate was on. */
  judged: number
  unjudged: number
  off: number
}

export interface SurfaceCounts extends CallCounts {
  turns: number
  /** Of which no hook of ours heard anything before they ended. */
  blind: number
}

export interface HolesOfKind {
  /** Holes, and what is in them: calls, payloads, files. */
  holes: number
  count: number
  /** Of those that are times: together, by the clock of the machine. */
  awayMs: number
  /** The newest of the day, oldest first. */
  listed: Hole[]
}

export interface CoverageDay {
  calls: CallCounts
  turns: { ended: number; blind: number }
  /** By the host's name of the surface. */
  surfaces: Record<string, SurfaceCounts>
  kinds: Partial<Record<HoleKind, HolesOfKind>>
  /** Times in which calls were seen and not judged that ended on this day, oldest first. */
  stretches: Stretch[]
  /** Starts of the service, and hours in which it said that nothing came. */
  starts: number
  beats: number
  probes: number
}

/** So many of a day are listed of each kind; the counts have all. */
export const holesOfDayMax = 20

export const coverage: KeptProjection<CoverageDay, CoverageWatch> = {
  name: 'coverage',
  version: 1,
  partOf: ({ time }) => time.slice(0, 10),
  initial: () => ({
    calls: { judged: 0, unjudged: 0, off: 0 },
    turns: { ended: 0, blind: 0 },
    surfaces: {},
    kinds: {},
    stretches: [],
    starts: 0,
    beats: 0,
    probes: 0,
  }),
  carried: coverageWatch,
  each: (day, _, { told }) => {
    for (const one of told) count(day, one)
    return day
  },
  on: {},
}

function count(day: CoverageDay, told: Told): void {
  switch (told.what) {
    case 'hole':
      addHole(day, told.hole)
      return
    case 'call':
      day.calls[told.how] += 1
      surfaceOf(day, told.surface)[told.how] += 1
      return
    case 'turn':
      day.turns.ended += 1
      surfaceOf(day, told.surface).turns += 1
      if (!told.isBlind) return
      day.turns.blind += 1
      surfaceOf(day, told.surface).blind += 1
      return
    case 'stretch':
      day.stretches.push(told.stretch)
      if (day.stretches.length > holesOfDayMax) day.stretches.shift()
      return
    case 'start':
      day.starts += 1
      return
    case 'beat':
      day.beats += 1
      return
    case 'probe':
      day.probes += 1
  }
}

function addHole(day: CoverageDay, hole: Hole): void {
  const of = day.kinds[hole.kind] ?? { holes: 0, count: 0, awayMs: 0, listed: [] }
  day.kinds[hole.kind] = of
  of.holes += 1
  of.count += hole.count
  if (isTime(hole.kind) && hole.from !== null) of.awayMs += Math.max(0, Date.parse(hole.time) - Date.parse(hole.from))
  of.listed.push(hole)
  if (of.listed.length > holesOfDayMax) of.listed.shift()
}

/** Whether holes of a kind are times in which no service was awake. */
export function isTime(kind: HoleKind): boolean {
  return kind === 'killed' || kind === 'silent' || kind === 'untold' || kind === 'stopped'
}

function surfaceOf(day: CoverageDay, surface: string): SurfaceCounts {
  return namedCounts(day.surfaces, surface, () => ({ judged: 0, unjudged: 0, off: 0, turns: 0, blind: 0 }))
}

/** What a report lists of some days, newest first. */
export function newestHoles(days: ReadonlyMap<string, CoverageDay>, limit: number, only?: HoleKind): Hole[] {
  return [...days.values()]
    .flatMap(({ kinds }) => Object.values(kinds))
    .flatMap(({ listed }) => listed)
    .filter(({ kind }) => only === undefined || kind === only)
    .sort((one, other) => other.index - one.index)
    .slice(0, limit)
}
