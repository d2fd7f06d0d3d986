// Flips a bit in the tables or logs of a home, one copy a flip, and starts a service on each copy: what it says before it serves.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { VerifyReport } from '../../src/verify/verify-ledger.js'
import { AttachedHost, until } from '../support/attached-host.js'
import { type ExportedLine, exportedLines } from '../support/exported-lines.js'
import { askedCall, typedMessage } from '../support/hermes-payloads.js'
import { makeRandom, type Random } from '../support/seeded-random.js'
import {
  endWithTest,
  homeForService,
  type ServiceProcess,
  serviceLogOf,
  startServiceProcess,
  statusOf,
  tryServiceProcess,
} from '../support/service-process.js'
import { json, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

export interface StartFlips {
  /** No service came up, and its last word was a code. */
  readonly refused: number
  /** A service came up and named what it had found, before it served anybody. */
  readonly told: number
  /** The same, but it was still looking when it began to serve. */
  readonly toldLater: number
  /** Everything was read back as it was written. */
  readonly unread: number
  readonly wrong: readonly string[]
}

/** What lies in tables is of the lives before; `old table` where a start has verified it already. */
export type FlippedFile = 'log' | 'table' | 'old table'

/** Each flip in a copy of a home that had three lives, whose last one ended without a proper close. */
export async function runStartFlips(seed: number, flips: number, where: FlippedFile): Promise<StartFlips> {
  const random = makeRandom(seed)
  const home = await homeOfThreeLives()
  if (where !== 'old table') rmSync(join(home, 'verified'), { force: true })
  // From a copy: where no service runs, an export opens the ledger to sign its head.
  const whole = exportedLines(copyOf(home))
  const counts = { refused: 0, told: 0, toldLater: 0, unread: 0 }
  const wrong: string[] = []
  for (let at = 0; at < flips; at += 1) {
    const copy = copyOf(home)
    const deed = flipIn(join(copy, 'store'), where === 'log' ? /\.log$/ : /\.(ldb|sst)$/, random)
    const outcome = await startOn(copy, whole)
    if (typeof outcome === 'string') wrong.push(`${deed}: ${outcome}`)
    else counts[outcome.kind] += 1
    rmSync(copy, { recursive: true, force: true })
  }
  return { ...counts, wrong }
}

function copyOf(home: string): string {
  const copy = join(temporaryFolder(), 'home')
  cpSync(home, copy, { recursive: true, filter: (path) => !/\.sock$|^LOCK$|^service\.log$/.test(basename(path)) })
  endWithTest(copy)
  return copy
}

async function startOn(
  home: string,
  whole: readonly ExportedLine[],
): Promise<string | { kind: keyof Omit<StartFlips, 'wrong'> }> {
  const found = await tryServiceProcess(home)
  if (!('pid' in found)) {
    if (found.signal !== null) return `the service died of ${found.signal}`
    return /^stele: [A-Z_]+: /m.test(found.stderr) && found.code !== 70
      ? { kind: 'refused' }
      : `ended with ${found.code}: ${found.stderr}`
  }
  const served = await serveOn(home, found)
  const { signal } = await found.end()
  if (signal !== null) return `the service died of ${signal}`
  if (served !== 'nothing') return { kind: served }
  const report = json<VerifyReport>(stele(['verify', '--json', '--home', home]))
  if (!report.ok) return `nothing was said at the start, and a verification finds ${report.findings[0]?.code}`
  const lines = exportedLines(home)
  const same = whole.every(({ hash, words }, at) => lines[at]?.hash === hash && isDeepStrictEqual(lines[at]?.words, words))
  return same ? { kind: 'unread' } : 'called sound, and it is not what was written'
}

/** What a service that came up had found, before its first hook or after it. */
async function serveOn(home: string, { findings }: ServiceProcess): Promise<'told' | 'toldLater' | 'nothing'> {
  const atStart = [...findings, ...serviceLogOf(home).filter((line) => / (finding|ledger_failed) /.test(line))]
  const host = new AttachedHost(home)
  await host.attach()
  await host.deliver(typedMessage('first hook', { session: 'afterwards' }))
  host.close()
  if (atStart.length > 0) return 'told'
  const checked = async () => (await statusOf(home))['checked'] as { done: boolean; findings: string[] }
  await until('the check is done', async () => (await checked()).done)
  return (await checked()).findings.length > 0 ? 'toldLater' : 'nothing'
}

async function homeOfThreeLives(): Promise<string> {
  const home = homeForService()
  const host = new AttachedHost(home)
  for (let life = 1; life <= 3; life += 1) {
    const service = await startServiceProcess(home)
    for (let at = 0; at < 30; at += 1) {
      const place = { session: `session-${life}`, turn: `turn-${life}-${at}`, call: `call-${life}-${at}` }
      const text = `life ${life} message ${at} ${'words '.repeat((at * 7) % 40)}`
      await host.deliver(at % 4 === 3 ? askedCall('memory', { content: text }, place) : typedMessage(text, place))
    }
    await service.end(life === 3 ? 'SIGKILL' : 'SIGTERM')
  }
  host.close()
  return home
}

/** One bit in each file of a kind, since some of them may be left over from a compaction and are read by nobody. */
function flipIn(store: string, ending: RegExp, random: Random): string {
  const deeds = readdirSync(store).flatMap((name) => {
    const bytes = ending.test(name) ? readFileSync(join(store, name)) : Buffer.alloc(0)
    if (bytes.length === 0) return []
    const at = random.int(bytes.length)
    const bit = random.int(8)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
    writeFileSync(join(store, name), bytes)
    return [`bit ${bit} of byte ${at} of ${bytes.length} of ${name}`]
  })
  return deeds.join(', ')
}
