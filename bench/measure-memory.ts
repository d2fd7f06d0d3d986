// Anonymous memory of whole commands on a large ledger, against the same on one a hundredth the size. Linux only: it reads /proc.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { benchFolder, benchLedger, eventMaker, fill } from './bench-ledger.js'
import type { Measured } from './measured.js'
import { peakMiB } from './peak-memory.js'

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
    const least = await peakMiB([program, ...words, '--home', small])
    const most = await peakMiB([program, ...words, '--home', large])
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
