// stele stop: ends the service of a home, and waits until it has let go.
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode, SteleError } from '../foundation/stele-error.js'
import { askService } from '../service/ask-service.js'
import { homeFolder } from '../service/home-folder.js'
import { newCommand, type SharedOptions } from './command.js'
import { runningProcess } from './status.js'
import { print, printData } from './terminal.js'

const stopMs = 15_000
const lookEveryMs = 20

export function stopCommand() {
  return newCommand('stop', 'end the service', ['stele stop', 'stele stop --home ./audit']).action(
    async (options: SharedOptions) => {
      const home = homeFolder(options.home, process.env)
      const pid = await servingProcess(home)
      if (pid !== undefined) await end(pid)
      if (options.json) return printData(`${JSON.stringify({ home, stopped: pid !== undefined, pid: pid ?? null })}\n`)
      if (!options.quiet)
        print(pid === undefined ? `No service of ${home} is running.` : `Ended the service of ${home} (process ${pid}).`)
    },
  )
}

/** Its own answer says who it is; undefined where none answers. */
async function servingProcess(home: string): Promise<number | undefined> {
  try {
    return (await askService<{ pid: number }>(home, '/v1/status')).pid
  } catch (error) {
    if (!hasCode(error, 'SERVICE_UNREACHABLE')) throw error
    // It may hang: then its process is there and does not answer.
    const pid = runningProcess(home)
    if (pid !== undefined) throw new SteleError('SERVICE_UNREACHABLE', { pid }, { cause: error })
    return undefined
  }
}

async function end(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    // It has ended by itself meanwhile; where it is not ours to end, it goes on and is told below.
  }
  const deadline = performance.now() + stopMs
  while (runs(pid)) {
    if (performance.now() > deadline) throw new SteleError('SERVICE_UNREACHABLE', { pid })
    await sleep(lookEveryMs)
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
