// What the system tells of other processes: whether one still runs, and what it holds. On Linux by /proc, elsewhere by asking for it.
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import type { ProcessWatch } from '../hooks/attach.js'

export const processWatch: ProcessWatch = {
  startedAt: (pid) => startTicks(pid) ?? (process.platform === 'linux' ? undefined : presence(pid)),
  readDescriptor: (pid, fd, bytes) => {
    let file: number | undefined
    try {
      // A pipe that nobody writes into would keep the whole service waiting.
      file = openSync(`/proc/${pid}/fd/${fd}`, constants.O_RDONLY | constants.O_NONBLOCK)
      // What has a name anybody may have written; only what has none is the process's own.
      if (fstatSync(file).nlink > 0) return undefined
      const buffer = Buffer.alloc(bytes)
      const length = readSync(file, buffer, 0, bytes, 0)
      return buffer.toString('latin1', 0, length)
    } catch {
      return undefined
    } finally {
      if (file !== undefined) closeSync(file)
    }
  },
}

/** The 22nd field of /proc/PID/stat; names may hold blanks and brackets, so it is counted from the last bracket. */
function startTicks(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, ticks] = [fields[0], Number(fields[19])]
    // A zombie has ended; only its parent has not looked yet.
    return state === 'Z' || state === 'X' || !Number.isSafeInteger(ticks) ? undefined : ticks
  } catch {
    return undefined
  }
}

/** Without /proc a process is known by its number alone. */
function presence(pid: number): number | undefined {
  try {
    process.kill(pid, 0)
    return 0
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? 0 : undefined
  }
}
