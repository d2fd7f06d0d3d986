// When to leave the decision model alone: after failures in a row, and for as long as its server says. Then one request tries, and its outcome
// decides for the others. Without it every hook would wait out the deadline of a service that is down. The clock is handed in.

/** Failures in a row that open it. */
export const failuresToOpen = 3
const firstPauseMs = 5000
const pauseMaxMs = 60_000
/** A server may ask for longer than ours. */
const askedPauseMaxMs = 3_600_000

/** `through`: sent. `probe`: sent, and the only one until its outcome is known. */
export type CircuitPass = 'through' | 'probe'

export interface CircuitState {
  readonly state: 'closed' | 'open' | 'half_open'
  /** Until the next request may try; 0 unless it is open. */
  readonly retryInMs: number
  readonly failuresInRow: number
}

export interface Circuit {
  /** Undefined while nothing may be sent. Whoever gets a pass says what came of it, once. */
  enter(nowMs: number): CircuitPass | undefined
  succeed(pass: CircuitPass): void
  /** `retryAfterMs`: how long the server asked to be left alone. */
  fail(pass: CircuitPass, nowMs: number, retryAfterMs?: number): void
  /** Nothing was learnt: it was called off, or the fault lay in what was asked. */
  leave(pass: CircuitPass): void
  at(nowMs: number): CircuitState
}

export function makeCircuit(): Circuit {
  let failuresInRow = 0
  let openUntilMs: number | undefined
  let pauseMs = firstPauseMs
  let isProbing = false

  const open = (nowMs: number, retryAfterMs: number | undefined): void => {
    const asked = Math.min(retryAfterMs ?? 0, askedPauseMaxMs)
    openUntilMs = Math.max(openUntilMs ?? 0, nowMs + Math.max(pauseMs, asked))
    pauseMs = Math.min(pauseMs * 2, pauseMaxMs)
  }
  const close = (): void => {
    failuresInRow = 0
    openUntilMs = undefined
    pauseMs = firstPauseMs
  }
  const ended = (pass: CircuitPass): void => {
    if (pass === 'probe') isProbing = false
  }

  return {
    enter: (nowMs) => {
      if (openUntilMs === undefined) return 'through'
      if (nowMs < openUntilMs || isProbing) return undefined
      isProbing = true
      return 'probe'
    },
    succeed: (pass) => {
      ended(pass)
      // What was sent before it opened says nothing of the server as it is now.
      if (pass === 'probe' || openUntilMs === undefined) close()
    },
    fail: (pass, nowMs, retryAfterMs) => {
      ended(pass)
      failuresInRow += 1
      const isOpen = openUntilMs !== undefined
      if (pass === 'probe' || retryAfterMs !== undefined || (!isOpen && failuresInRow >= failuresToOpen))
        open(nowMs, retryAfterMs)
    },
    leave: ended,
    at: (nowMs) => {
      if (openUntilMs === undefined) return { state: 'closed', retryInMs: 0, failuresInRow }
      const retryInMs = Math.max(0, openUntilMs - nowMs)
      return { state: retryInMs > 0 ? 'open' : 'half_open', retryInMs, failuresInRow }
    },
  }
}
