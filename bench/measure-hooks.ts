// A hook over the socket, from a Python client with a kept connection: against a POST that does nothing plus one synced batch of the same
// rows, while long readers work, and with many clients at once.
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Level } from 'level'
import { zeroHash } from '../src/foundation/digest.js'
import { gateCatalog } from '../src/gates/gate-catalog.js'
import { keptArguments } from '../src/hooks/hermes/kept-arguments.js'
import { judge } from '../src/hooks/judge.js'
import { ChainWriter, commitEvent } from '../src/ledger/chain-writer.js'
import { dedupeRow } from '../src/ledger/dedupe.js'
import { emptyEdge } from '../src/ledger/merkle.js'
import type { RedactedEvent } from '../src/ledger/redacted-event.js'
import type { Row } from '../src/ledger/store.js'
import { noPolicy, someTime } from '../test/support/no-policy.js'
import { asRedacted, benchFolder, benchRedactor, benchSettings } from './bench-ledger.js'
import { type Measured, median, plain, ratio, rounds } from './measured.js'

const program = join(process.cwd(), 'dist/cli/main.js')
const client = join(process.cwd(), 'bench/hook-client.py')

export async function measureHooks(hooks: number): Promise<Measured[]> {
  const folder = benchFolder()
  const home = join(folder, 'home')
  const service = await startService(home)
  const noOp = fork(new URL('./no-op-server.js', import.meta.url), [join(folder, 'noop.sock')])
  await once(noOp, 'message')
  try {
    const socket = (JSON.parse(readFileSync(join(home, 'service.json'), 'utf8')) as { socket: string }).socket
    const ask = (name: string, clients = 1, count = hooks) => post(socket, name, count, clients)
    await ask('warm')
    const own: Quantiles[] = []
    const base: number[] = []
    const idle: Quantiles[] = []
    const busy: Quantiles[] = []
    for (let round = 0; round < rounds; round += 1) {
      const alone = quantiles(await post(join(folder, 'noop.sock'), `noop-${round}`, hooks, 1))
      const raw = quantiles(await rawBatches(hooks))
      own.push(quantiles(await ask(`own-${round}`)))
      base.push(alone.p50 + raw.p50)
      idle.push(quantiles(await ask(`idle-${round}`)))
      const readers = startReaders(home)
      busy.push(quantiles(await ask(`busy-${round}`)))
      await readers.stop()
    }
    const many = quantiles(await ask('many', 64, hooks * 4))
    const of = (ours: readonly Quantiles[], which: keyof Quantiles, others: readonly number[]) =>
      ours.map((one, at) => one[which] / (others[at] ?? 1))
    const residentMb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    return [
      ratio('`pre_tool_call`, p50, of (no-op POST + one raw batch)', of(own, 'p50', base), { most: 1.3 }),
      ratio('the same, p99', of(own, 'p99', base), { most: 6 }),
      ratio(
        'a hook while verification and export run, p50, of idle',
        of(
          busy,
          'p50',
          idle.map(({ p50 }) => p50),
        ),
        { most: 1.5 },
      ),
      ratio(
        'the same, p99 of idle p99',
        of(
          busy,
          'p99',
          idle.map(({ p99 }) => p99),
        ),
        { most: 4 },
      ),
      plain('no-op POST + raw batch, p50', base, 'ms', 2),
      plain(
        '`pre_tool_call`, p50',
        own.map(({ p50 }) => p50),
        'ms',
        2,
      ),
      plain(
        '`pre_tool_call`, p99',
        own.map(({ p99 }) => p99),
        'ms',
        2,
      ),
      plain('64 clients at once, p50', [many.p50], 'ms', 1),
      plain('64 clients at once, p99', [many.p99], 'ms', 1),
      plain('resident memory of the service after it', [residentMb], 'MB'),
    ]
  } finally {
    noOp.kill()
    spawnSync(process.execPath, [program, 'stop', '--quiet', '--home', home])
  }
}

async function startService(home: string): Promise<ChildProcess> {
  const environment = { ...process.env, STELE_LIMITS_HOOKS_PER_MINUTE: '1000000', STELE_LIMITS_BYTES_PER_MINUTE: String(2 ** 40) }
  const service = spawn(process.execPath, [program, 'serve', '--home', home, '--listen', 'off'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(service.stdout, 'data')
  return service
}

async function post(socket: string, name: string, count: number, clients: number): Promise<number[]> {
  const python = spawn('python3', [client, socket, '/v1/hooks', String(count), String(clients), name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const out: Buffer[] = []
  python.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  const [code] = (await once(python, 'exit')) as [number]
  if (code !== 0) throw new Error('the client failed')
  return JSON.parse(Buffer.concat(out).toString()) as number[]
}

/** A verification and an export, one after the other for as long as they are wanted. */
function startReaders(home: string): { stop: () => Promise<void> } {
  let wanted = true
  const loop = async (words: readonly string[]): Promise<void> => {
    while (wanted) await once(spawn(process.execPath, [program, ...words, '--home', home], { stdio: 'ignore' }), 'exit')
  }
  const running = Promise.all([loop(['verify']), loop(['export', '--out', join(benchFolder(), 'export.jsonl')])])
  return {
    stop: async () => {
      wanted = false
      await running
    },
  }
}

/** The rows that one such hook becomes, made before the clock starts, each in a synced batch of its own. */
async function rawBatches(count: number): Promise<number[]> {
  const writer = new ChainWriter(
    { ledger: '0'.repeat(32), epoch: 0, size: 0, head: zeroHash, lastTimeMs: undefined, edge: emptyEdge },
    benchSettings.world,
  )
  const batches = Array.from({ length: count }, (_, number) => {
    const rows: Row[] = []
    const requested = requestOf(number)
    const { decisions } = judge(gateCatalog, [requested], number * 2, {
      modes: { provenance: 'observe', capability: 'observe' },
      provenance: { search: 'session', scope: 'decisions', attestedOnly: false },
      said: { messages: [], unavailable: false, refused: {} },
      capability: noPolicy,
      time: someTime,
      binding: true,
      probe: false,
      redactor: benchRedactor,
      digest: () => zeroHash,
    })
    writer.add(
      [requested, ...decisions].map((event) => commitEvent(event, benchSettings.world)),
      rows,
    )
    rows.push(dedupeRow(digest(number), { index: number, timeMs: 0, again: 0 }))
    writer.addHead(rows)
    return rows
  })
  const db = new Level<Uint8Array, Uint8Array>(join(benchFolder(), 'raw'), { keyEncoding: 'view', valueEncoding: 'view' })
  await db.open()
  const taken: number[] = []
  for (const rows of batches) {
    const started = performance.now()
    const batch = db.batch()
    for (const { key, value } of rows) batch.put(key, value)
    await batch.write({ sync: true })
    taken.push(performance.now() - started)
  }
  await db.close()
  return taken
}

function requestOf(number: number): RedactedEvent {
  const input = { path: `/srv/agent/project/src/notes-${number}.txt`, limit: 200 }
  const kept = keptArguments('read_file', input, { keep: 'judged', digest: () => digest(number) } as never)
  return asRedacted({
    type: 'tool.requested',
    session: 's0123456789abcdef',
    facts: { turn: 0, tool: 'read_file', arguments: { count: 2, bytes: 64, digest: digest(number) }, source: 'unattested' },
    words: {
      turn: 'bench-own-0:turn',
      task: 'd173ce9c-8537-4b9f-9045-7654158d35b4',
      call: `call_own_0_${number}`,
      request: `request_${number}`,
      cwd: '/srv/agent/project',
      arguments: kept,
    },
  })
}

function digest(number: number): string {
  return number.toString(16).padStart(64, '0')
}

interface Quantiles {
  readonly p50: number
  readonly p99: number
}

function quantiles(taken: readonly number[]): Quantiles {
  const sorted = [...taken].sort((one, other) => one - other)
  return { p50: median(sorted), p99: sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0 }
}
