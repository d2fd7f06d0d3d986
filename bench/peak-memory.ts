// How much memory of its own a process and its children take. Linux only: it reads /proc.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** The largest sum of RssAnon over a process and its children, sampled every 20 ms. */
export async function peakMiB(words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [...words], { stdio: ['ignore', 'ignore', 'inherit'] })
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, familyOf(child.pid ?? 0).reduce((sum, pid) => sum + anonymousKiB(pid), 0) / 1024)
  }, 20)
  const code = await new Promise((resolve) => child.on('close', resolve))
  clearInterval(timer)
  if (code !== 0) throw new Error(`a measured command ended with ${code}`)
  return peak
}

function familyOf(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    const children = tasks.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' '))
    return [pid, ...children.filter((text) => text !== '').flatMap((text) => familyOf(Number(text)))]
  } catch {
    return []
  }
}

function anonymousKiB(pid: number): number {
  try {
    return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
