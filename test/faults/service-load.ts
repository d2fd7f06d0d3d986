// Many host processes that speak at once, and one that speaks too much: what came of it, read from the ledger afterwards.
import type { VerifyReport } from '../../src/verify/verify-ledger.js'
import { AttachedHost } from '../support/attached-host.js'
import { exportedLines } from '../support/exported-lines.js'
import { askedCall, typedMessage } from '../support/hermes-payloads.js'
import { homeForService, startServiceProcess } from '../support/service-process.js'
import { json, stele } from '../support/stele-command.js'

export interface Load {
  readonly answered: number
  /** From sending to the answer, of each. */
  readonly times: readonly number[]
  readonly wrong: readonly string[]
}

/** So many clients, each a host of its own, speak for some seconds; then every number of each must be there once, in one sound chain. */
export async function manyClients(clients: number, seconds: number): Promise<Load> {
  const home = homeForService({ limits: { hooksPerMinute: 1_000_000 } })
  const service = await startServiceProcess(home)
  const hosts = Array.from({ length: clients }, () => new AttachedHost(home))
  const wrong: string[] = []
  const times: number[] = []
  /** Index of a host → the numbers that were answered. */
  const answered = new Map<number, number[]>()
  try {
    await Promise.all(hosts.map((host) => host.attach()))
    const deadline = performance.now() + seconds * 1000
    const speak = async (host: AttachedHost): Promise<void> => {
      const numbers: number[] = []
      answered.set(host.index, numbers)
      for (let at = 0; performance.now() < deadline; at += 1) {
        const place = { session: host.id, turn: `turn-${at}`, call: `call-${at}` }
        const payload =
          at % 4 === 0 ? typedMessage(`message ${at}`, place) : askedCall('terminal', { command: `echo ${at}` }, place)
        const signed = host.sign(payload)
        const sentMs = performance.now()
        const { status, directive } = await host.send(signed)
        times.push(performance.now() - sentMs)
        if (directive === undefined) wrong.push(`number ${signed.seq} of host ${host.index} was answered with ${status}`)
        else numbers.push(signed.seq)
      }
    }
    await Promise.all(hosts.map(speak))
  } finally {
    for (const host of hosts) host.close()
    const { code, signal, stderr } = await service.end()
    if (code !== 0) wrong.push(`the service ended with ${code ?? signal}: ${stderr}`)
  }
  const report = json<VerifyReport>(stele(['verify', '--json', '--home', home]))
  wrong.push(...report.findings.map(({ code, message }) => `${code} ${message}`))
  wrong.push(...missing(home, answered))
  return { answered: [...answered.values()].reduce((sum, numbers) => sum + numbers.length, 0), times, wrong }
}

/** Numbers that were answered and are not in the ledger, or not once; gaps that were told; links that do not join. */
function missing(home: string, answered: ReadonlyMap<number, readonly number[]>): string[] {
  const wrong: string[] = []
  const kept = new Map<string, number>()
  let prev = '0'.repeat(64)
  for (const { index, type, data, hash, prev: claimed } of exportedLines(home)) {
    if (claimed !== prev) wrong.push(`entry ${index} does not follow the one before it`)
    prev = hash
    if (type === 'gap.recorded' || type === 'hook.foreign') wrong.push(`entry ${index} is ${type}`)
    if (type !== 'message.captured' && type !== 'tool.requested') continue
    const name = `number ${data['seq']} of host ${data['attach']}`
    kept.set(name, (kept.get(name) ?? 0) + 1)
  }
  for (const [host, numbers] of answered) {
    for (const seq of numbers) {
      const times = kept.get(`number ${seq} of host ${host}`) ?? 0
      if (times !== 1) wrong.push(`number ${seq} of host ${host} is there ${times} times`)
    }
  }
  return wrong
}
