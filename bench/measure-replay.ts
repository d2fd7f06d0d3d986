// Judging a whole ledger again: how many decisions a second, and what the process takes meanwhile. Sessions of a real shape: what is typed,
// a memory write with a claim, three other calls; a thousand sessions speak at once, and each is followed by another.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { NewEvent } from '../src/events/event-catalog.js'
import { provenanceGate } from '../src/gates/provenance/provenance-gate.js'
import { homeFiles } from '../src/ledger/home-files.js'
import { readHome } from '../src/ledger/read-home.js'
import { redactEvent } from '../src/ledger/redacted-event.js'
import { makeRedactor } from '../src/redaction/redact.js'
import { counterfactual } from '../src/replay/counterfactual.js'
import { benchFolder, benchLedger } from './bench-ledger.js'
import { type Measured, plain } from './measured.js'
import { peakMiB } from './peak-memory.js'

const sessionsAtOnce = 1000
const turnsOfSession = 8
const someDigest = 'd1'.repeat(32)
const redactor = makeRedactor()

export async function measureReplay(entries: number): Promise<Measured[]> {
  const home = join(benchFolder(), 'home')
  await writeHistory(home, entries)
  const smaller = join(benchFolder(), 'home')
  await writeHistory(smaller, entries / 10)
  let decisions = 0
  const startedMs = performance.now()
  await readHome(homeFiles(home), async (reader) => {
    const { counts } = await counterfactual(reader, { instead: { provenance: { mode: 'block' } }, listed: 10 })
    // A figure of a run that judged nothing would say nothing.
    if (counts.same === 0 || counts.different === 0 || counts.notAgain.not_recorded > 0)
      throw new Error('nothing was judged again')
    decisions = counts.decisions
  })
  const seconds = (performance.now() - startedMs) / 1000
  return [
    plain('replay judge', [entries / seconds], 'entries/s'),
    plain('replay judge', [decisions / seconds], 'decisions/s'),
    plain('replay check, memory at its highest', [await peakOf(home)], 'MiB'),
    plain('replay check, the same over a tenth of the entries', [await peakOf(smaller)], 'MiB'),
  ]
}

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

const peakOf = (home: string): Promise<number> => peakMiB([program, 'replay', 'check', '--quiet', '--home', home])

async function writeHistory(home: string, entries: number): Promise<void> {
  const ledger = await benchLedger(home)
  const known = { search: 'session', scope: 'decisions', days: 0, attached: false } as const
  for (let round = 0; ledger.size < entries; round += 1) {
    const group = Math.floor(round / turnsOfSession)
    for (let one = 0; one < sessionsAtOnce && ledger.size < entries; one += 10) {
      const batch: NewEvent[] = []
      for (let at = one; at < one + 10; at += 1) {
        const session = `s${(group * sessionsAtOnce + at).toString(16).padStart(16, '0')}`
        batch.push(...turnOf(session, round % turnsOfSession, ledger.size + batch.length, known))
      }
      await ledger.append(batch.map((event) => redactEvent(event, redactor).event))
    }
  }
  await ledger.close()
}

type ClaimFacts = Extract<NewEvent, { type: 'claim.judged' }>['facts']
type Known = NonNullable<Extract<NewEvent, { type: 'write.proposed' }>['facts']['known']>

function turnOf(session: string, turn: number, first: number, known: Known): NewEvent[] {
  const typed = `I decided we ship release ${turn} on Friday`
  const isBacked = turn % 2 === 0
  const claim = isBacked
    ? `User decided to ship release ${turn} on Friday ("${typed}").`
    : `User decided to ship release ${turn} on Monday.`
  const started: NewEvent[] =
    turn > 0
      ? []
      : [
          {
            type: 'session.started',
            session,
            facts: { platform: 'cli', how: 'announced', source: 'unattested' },
            words: { session },
          },
        ]
  const call = first + started.length + 1
  const source = 'unattested' as const
  const requested = (tool: string): NewEvent => ({
    type: 'tool.requested',
    session,
    facts: { turn: turn + 1, tool, arguments: { count: 1, bytes: 60, digest: someDigest }, source },
    words: { arguments: [] },
  })
  const claimFacts: Pick<
    ClaimFacts,
    'call' | 'write' | 'tool' | 'target' | 'targetDigest' | 'claimDigest' | 'detail' | 'rule' | 'tier'
  > = {
    ...{ call, write: call + 1, tool: 'memory', target: 'memory', targetDigest: someDigest, claimDigest: someDigest },
    ...{ detail: null, rule: 'decided', tier: 1 },
  }
  return [
    ...started,
    {
      type: 'message.captured',
      session,
      facts: { turn: turn + 1, platform: 'cli', characters: typed.length, digest: someDigest, source },
      words: { text: typed },
    },
    requested('memory'),
    {
      type: 'write.proposed',
      session,
      facts: {
        ...{
          call,
          tool: 'memory',
          target: 'memory',
          targetDigest: someDigest,
          readable: true,
          operations: 1,
          removedOnly: false,
        },
        ...{ strategies: [], judged: { texts: 1, bytes: claim.length }, stored: { texts: 0, bytes: 0 }, files: [], known },
      },
      words: { places: [], judged: [claim], stored: [] },
    },
    {
      type: 'claim.judged',
      session,
      facts: isBacked
        ? { ...claimFacts, verdict: 'pass', outcome: 'supported', reason: null, matchedIn: 'this-session', message: call - 1 }
        : { ...claimFacts, verdict: 'would_block', outcome: 'unsupported', reason: 'no_quote', matchedIn: null, message: null },
      words: { claim, quote: null, sender: null, nearest: null, target: 'memory' },
    },
    {
      type: 'gate.decided',
      session,
      facts: {
        ...{ gate: 'provenance', gateVersion: provenanceGate.version, judges: call + 1, asOf: call + 3, mode: 'observe' },
        ...{ verdict: isBacked ? 'allow' : 'deny', code: isBacked ? 'supported' : 'no_quote', enforced: false },
      },
    },
    ...['read_file', 'patch', 'terminal'].map(requested),
  ]
}
