// Services that are killed at random points under load, and services that several starters want at once: again and again on one home.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { homeFiles } from '../../src/ledger/home-files.js'
import { takeSnapshot } from '../../src/ledger/snapshot.js'
import { verifyInChild } from '../../src/verify/verify-in-child.js'
import { AttachedHost, readServiceFacts, until } from '../support/attached-host.js'
import { exportedLines } from '../support/exported-lines.js'
import { askedCall, typedMessage } from '../support/hermes-payloads.js'
import type { Random } from '../support/seeded-random.js'
import { endProcessesOf, homeForService, processesOf, startServiceProcess, statusOf } from '../support/service-process.js'

export interface ServiceKillRounds {
  /** Payloads whose answer a host had got, under a good MAC. */
  readonly acknowledged: number
  /** Payloads that no service answered and that went into the spool. */
  readonly spooled: number
  /** What is wrong, in words; empty where nothing is. */
  readonly wrong: readonly string[]
  /** From each start to the answer. */
  readonly readyMs: readonly number[]
}

/** What became of a text, and the file of the spool that took it. */
interface Said {
  readonly round: number
  readonly how: 'answered' | 'spooled' | 'lost'
  readonly file: string | undefined
}

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const afterFirstMsMax = 300
const callersMax = 12

/**
 * Each round starts a service, lets two hosts with several callers speak at once, and kills it with SIGKILL. What is not answered is spooled,
 * as the plugin does. In the end every text must be there, those that were answered and those that were spooled, each of them once.
 */
export async function killServiceRounds(
  rounds: number,
  random: Random,
  onRound: (round: number) => void = () => {},
): Promise<ServiceKillRounds> {
  const home = homeForService({ limits: { spoolWaitSeconds: 60, hooksPerMinute: 1_000_000 } })
  const hosts = [new AttachedHost(home), new AttachedHost(home)]
  /** Text → the round in which it was said, and what became of it. */
  const said = new Map<string, Said>()
  const wrong: string[] = []
  const readyMs: number[] = []
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const service = await startServiceProcess(home)
      readyMs.push(service.readyMs)
      const [first] = hosts
      // The next hook is served, by a service that has just come up from the crash of the last.
      const opening = `round ${round} opens`
      const opened = await first?.deliver(typedMessage(opening, { session: 'session-0', turn: opening }))
      if (opened?.how !== 'answered') wrong.push(`round ${round}: the first hook after the start was ${opened?.how}`)
      said.set(opening, { round, how: opened?.how === 'answered' ? 'answered' : 'lost', file: undefined })

      let killed = false
      const speak = async (caller: number): Promise<void> => {
        for (let at = 0; !killed; at += 1) {
          const text = `round ${round} caller ${caller} says ${at} ${'.'.repeat((at * 37) % 300)}`
          const place = { session: `session-${caller % hosts.length}`, turn: text, call: text }
          const payload = at % 3 === 2 ? askedCall('memory', { content: text }, place) : typedMessage(text, place)
          const delivery = await hosts[caller % hosts.length]?.deliver(payload)
          const how = delivery?.how === 'answered' ? 'answered' : delivery?.spooled === undefined ? 'lost' : 'spooled'
          said.set(text, { round, how, file: delivery?.spooled })
        }
      }
      const speaking = Array.from({ length: 1 + random.int(callersMax) }, (_, caller) => speak(caller))
      await sleep(random.int(afterFirstMsMax))
      const ending = service.end('SIGKILL')
      killed = true
      const ended = await ending
      await Promise.all(speaking)
      if (ended.signal !== 'SIGKILL') wrong.push(`round ${round}: it had ended before with ${ended.code}: ${ended.stderr}`)
      for (const finding of await findingsIn(home)) wrong.push(`round ${round}: ${finding}`)
      onRound(round)
    }
    const last = await startServiceProcess(home)
    readyMs.push(last.readyMs)
    for (const host of hosts) await host.deliver(typedMessage('the end', { session: `end-${host.id}` }))
    await until('the spool is taken in', async () => (await statusOf(home))['spooled'] === 0, 60_000)
    await last.end()
    wrong.push(...(await findingsIn(home)), ...misplaced(home, said))
  } finally {
    for (const host of hosts) host.close()
    endProcessesOf(home)
  }
  const count = (wanted: string) => [...said.values()].filter(({ how }) => how === wanted).length
  return { acknowledged: count('answered'), spooled: count('spooled'), wrong, readyMs }
}

/** What a verification of the home as it lies there says. */
async function findingsIn(home: string): Promise<string[]> {
  const files = homeFiles(home)
  const snapshot = await takeSnapshot(files)
  try {
    const marks = [{ name: 'high-water', bytes: readFileSync(snapshot.highWater) }]
    const { report } = await verifyInChild({
      store: snapshot.store,
      marks,
      checkpointsText: readFileSync(snapshot.checkpoints, 'utf8'),
    })
    return report.findings.map(({ code, message }) => `${code} ${message}`)
  } finally {
    snapshot.remove()
  }
}

/** Every text once; those of a spool marked late, and each host's in the order of its files. */
function misplaced(home: string, said: ReadonlyMap<string, Said>): string[] {
  const wrong: string[] = []
  const kept = new Map<string, number>()
  /** By host: what waits for its own host to attach is overtaken by others. */
  const fileBefore = new Map<unknown, string>()
  for (const { index, type, data, words } of exportedLines(home)) {
    const content = (words?.['arguments'] as { name: string; value: string }[] | undefined)?.find(
      ({ name }) => name === 'content',
    )
    const text = type === 'message.captured' ? words?.['text'] : type === 'tool.requested' ? content?.value : undefined
    if (typeof text !== 'string' || !text.startsWith('round ')) continue
    kept.set(text, (kept.get(text) ?? 0) + 1)
    const { how, file } = said.get(text) ?? {}
    if (data['source'] !== 'attached') wrong.push(`entry ${index}: nobody vouches for it`)
    if (data['late'] !== true) continue
    if (how === 'answered') wrong.push(`entry ${index} was answered and is marked late`)
    const before = fileBefore.get(data['attach']) ?? ''
    if (file !== undefined && file < before) wrong.push(`entry ${index}: ${file} came behind ${before}`)
    fileBefore.set(data['attach'], file ?? before)
  }
  for (const [text, { round, how }] of said) {
    const times = kept.get(text) ?? 0
    if (how === 'lost') wrong.push(`round ${round}: not even the spool took it`)
    else if (times !== 1) wrong.push(`round ${round}: what was ${how} is there ${times} times (${text.slice(0, 60)})`)
  }
  return wrong
}

export interface StarterRounds {
  readonly wrong: readonly string[]
  readonly readyMs: readonly number[]
}

/** Each round finds the socket of a service that was killed, lets so many starters loose at once, and wants one reachable service. */
export async function starterRounds(
  rounds: number,
  starters = 4,
  onRound: (round: number) => void = () => {},
): Promise<StarterRounds> {
  const home = homeForService()
  const wrong: string[] = []
  const readyMs: number[] = []
  try {
    await (await startServiceProcess(home)).end('SIGKILL')
    for (let round = 1; round <= rounds; round += 1) {
      const started = await Promise.all(Array.from({ length: starters }, () => detached(home)))
      for (const { code, stderr } of started)
        if (code !== 0) wrong.push(`round ${round}: a starter ended with ${code}: ${stderr}`)
      readyMs.push(...started.map(({ ms }) => ms))
      // Whoever lost the race for the store may still be on its way out.
      const serving = () => processesOf(home).filter(({ words }) => words.includes('serve') && !words.includes('--detach'))
      await until('one service is left', () => serving().length <= 1)
      const status = await statusOf(home).catch(() => undefined)
      const [left] = serving()
      if (left === undefined || status === undefined) wrong.push(`round ${round}: no service is reachable`)
      else if (left.pid !== status.pid) wrong.push(`round ${round}: process ${status.pid} answers and ${left.pid} is left`)
      const { pid } = readServiceFacts(home)
      if (pid !== status?.pid) wrong.push(`round ${round}: service.json names ${pid}, and ${status?.pid} answers`)
      if (left !== undefined) process.kill(left.pid, 'SIGKILL')
      await until('it is gone', () => serving().length === 0)
      onRound(round)
    }
    wrong.push(...(await findingsIn(home)))
  } finally {
    endProcessesOf(home)
  }
  return { wrong, readyMs }
}

function detached(home: string): Promise<{ code: number | null; stderr: string; ms: number }> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, [program, 'serve', '--detach', '--quiet', '--listen', 'off', '--home', home], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stderr, ms: performance.now() - startedMs }))
  })
}

/** Times in words: for notes that a person reads. */
export function timesInWords(times: readonly number[]): string {
  const sorted = [...times].sort((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${Math.round(sorted.at(-1) ?? 0)} ms of ${sorted.length}`
}
