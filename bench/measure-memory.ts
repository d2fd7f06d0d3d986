// Anonymous memory of whole commands on a large ledger, against the same on one a hundredth the size. Linux only: it reads /proc.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchFolder, benchLedger, eventMaker, fill } from './bench-ledger.js'
import type { Measured } from './measured.js'

// Compiled into a folder of its own, the bench is started in the project's.
const program = join(process.cwd(), 'dist/cli/main.js')
const moreMiBMax = 64

export async function measureMemory(entries: number): Promise<Measured[]> {
  if (!existsSync('/proc/self/status')) return []
  const large = await makeHome(entries)
  const small = await makeHome(Math.round(entries / 100))
  const measured: Measured[] = []
  for (const [name, words] of [
    ['verify', ['verify', '--json']],
    ['export', ['export', '--quiet', '--out', join(benchFolder(), 'export.jsonl')]],
  ] as const) {
    const least = await peakMiB([...words, '--home', small])
    const most = await peakMiB([...words, '--home', large])
    const more = most - least
    measured.push({
      what: `anonymous memory of \`${name}\`, ${entries} entries against a hundredth`,
      figure: `+ ${more.toFixed(0)} MiB (${least.toFixed(0)} → ${most.toFixed(0)})`,
      target: `≤ + ${moreMiBMax} MiB`,
      met: more <= moreMiBMax,
      spread: 'one run',
    })
  }
  return measured
}

async function makeHome(entries: number): Promise<string> {
  const home = join(benchFolder(), 'home')
  const ledger = await benchLedger(home)
  const handle = await ledger.sessionHandle('bench')
  await fill(ledger, eventMaker(ledger, handle), entries)
  await ledger.close()
  return home
}

/** The largest sum of RssAnon over a process and its children, sampled every 20 ms. */
async function peakMiB(words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'ignore', 'inherit'] })
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
