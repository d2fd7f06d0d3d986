// What a service looks after while nobody asks: a list of small steps, each on its own, so that one that fails keeps none of the others.
import { failureFacts, type ServiceLog } from './service-log.js'

export interface LookedAfter {
  readonly what: string
  readonly step: () => void | Promise<void>
}

/** Runs the steps in order every so often, one round after the other. Returns how to end it. */
export function lookAround(steps: readonly LookedAfter[], everyMs: number, log: ServiceLog): () => void {
  const failing = new Map<string, string>()
  let busy = false
  const round = async (): Promise<void> => {
    for (const { what, step } of steps) {
      try {
        await step()
        failing.delete(what)
      } catch (error) {
        // Told once, not every second.
        const told = JSON.stringify(failureFacts(error))
        if (failing.get(what) !== told) log.fail(`failed_${what}`, error)
        failing.set(what, told)
      }
    }
  }
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    void round().finally(() => {
      busy = false
    })
  }, everyMs)
  return () => clearInterval(timer)
}
