// How a process that has the views of a home open says who it is, so that another can tell whether it still runs.
import type { ViewOwner } from '../projections/view-store.js'
import { processWatch } from './process-watch.js'

export function viewOwner(): ViewOwner {
  const nameOf = (pid: number): string | undefined => {
    const started = processWatch.startedAt(pid)
    return started === undefined ? undefined : `${pid} ${started}`
  }
  return {
    name: nameOf(process.pid) ?? String(process.pid),
    // The same number with another start is another process.
    isAlive: (name) => nameOf(Number(name.split(' ')[0])) === name,
  }
}
