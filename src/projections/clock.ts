// What the ledger tells of its own clock: how long it has run without a step or an unlikely leap, and when retention last forgot
// anything. Nothing is forgotten for its age while the clock cannot be believed.
import type { KeptProjection } from './projection.js'

export interface ClockView {
  /** Time of the newest entry. */
  lastTime: string
  /** Since when no step and no leap was seen. */
  steadySince: string
  /** Time of the newest erasure for age; null where there was none. */
  lastSweep: string | null
}

/** Nobody leaves an agent alone for longer and then wants its words forgotten within the hour. */
const leapMs = 30 * 24 * 60 * 60 * 1000

/** As much a clock that is kept right may go back. */
const slackMs = 1000

export const clock: KeptProjection<ClockView> = {
  name: 'clock',
  version: 1,
  partOf: () => clockPart,
  initial: () => ({ lastTime: '', steadySince: '', lastSweep: null }),
  each: (view, { time }) => {
    const onMs = view.lastTime === '' ? Number.POSITIVE_INFINITY : Date.parse(time) - Date.parse(view.lastTime)
    if (onMs > leapMs || onMs < -slackMs) view.steadySince = time
    view.lastTime = time
    return view
  },
  on: {
    'clock.stepped': (view, { time }) => {
      view.steadySince = time
      return view
    },
    'payload.erased': (view, { time, facts }) => {
      if (facts.by === 'retention') view.lastSweep = time
      return view
    },
  },
}

/** The one part of this view. */
export const clockPart = 'ledger'
