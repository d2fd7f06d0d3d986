// stele hook: one payload from standard input, one directive on standard output. The agent is never broken by it: the exit code is 0.
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode, SteleError } from '../foundation/stele-error.js'
import { handleHook, payloadBytesMax } from '../hooks/handle-hook.js'
import type { Ledger } from '../ledger/ledger.js'
import { findHome, homeFolder, openHome } from '../service/open-home.js'
import { invalidOption } from './options.js'
import { programName } from './program-version.js'
import { printData, printError } from './terminal.js'

const help = `Usage: stele hook [--home <dir>]

Reads one Hermes payload from standard input, records it, and prints the directive.

Examples:
  $ stele hook < payload.json
`

// The largest payload that is read holds the lock for some eight seconds; words that wait must outlast it.
const lockedWaitMs = 20_000
const lockedPauseMs = 20

/** Until there is a service, each call opens the ledger itself. */
export async function runHook(argv: readonly string[]): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) return printData(help)
  try {
    const home = findHome(homeFolder(optionValue(argv, '--home'), process.env))
    const { bytes, total } = await readStandardInput()
    const ledger = await openWhenFree(() => openHome(home, programName))
    try {
      await handleHook(ledger, bytes, total)
    } finally {
      await ledger.close()
    }
  } catch (error) {
    // Every gate observes: what could not be recorded is told, and the host goes on.
    printError(`stele hook: not recorded: ${error instanceof SteleError ? error.line : 'INTERNAL: a mistake in Stele'}`)
  }
  await printData('{}\n')
}

function optionValue(argv: readonly string[], name: string): string | undefined {
  const at = argv.findIndex((word) => word === name || word.startsWith(`${name}=`))
  const word = argv[at]
  if (word === undefined) return undefined
  const value = word === name ? argv[at + 1] : word.slice(name.length + 1)
  if (value === undefined || value === '') throw invalidOption(name, 'a folder')
  return value
}

/** Hooks of parallel tool calls meet at the lock; each holds it for a moment only. */
async function openWhenFree(open: () => Promise<Ledger>): Promise<Ledger> {
  const deadline = performance.now() + lockedWaitMs
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!hasCode(error, 'STORE_LOCKED') || performance.now() > deadline) throw error
      await sleep(lockedPauseMs * (1 + Math.random()))
    }
  }
}

/** Keeps what may be read and counts the rest, so that a payload of any size leaves its mark without filling the memory. */
async function readStandardInput(): Promise<{ bytes: Buffer; total: number }> {
  const kept: Buffer[] = []
  let total = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    if (total <= payloadBytesMax) kept.push(chunk)
    total += chunk.length
  }
  return { bytes: Buffer.concat(kept), total }
}
