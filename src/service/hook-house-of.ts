// Puts the hook path together for a running service: hosts, sessions, gates, bounds and the spool, over the ledger and the settings in force.
import { randomBytes } from 'node:crypto'
import { SteleError } from '../foundation/stele-error.js'
import type { CapabilityInForce } from '../gates/gate.js'
import { gateCatalog } from '../gates/gate-catalog.js'
import { proposedAccess } from '../hooks/access-about.js'
import { Attaches } from '../hooks/attach.js'
import type { FileLook } from '../hooks/file-look.js'
import { handleHook } from '../hooks/handle-hook.js'
import { storedAfter } from '../hooks/hermes/stored-after.js'
import { type HermesStore, storedBefore } from '../hooks/hermes/stored-before.js'
import type { HookHouse, HookSettings, LongTexts } from '../hooks/hook-house.js'
import { makeJevStage } from '../hooks/jev/jev-stage.js'
import { RateBound } from '../hooks/rate-bound.js'
import { SessionMemory } from '../hooks/session-memory.js'
import type { SaidElsewhere } from '../projections/said-words.js'
import type { Config } from './config.js'
import type { HermesSkillFolders } from './hermes-skill-folders.js'
import type { JevInForce } from './jev-in-force.js'
import type { KeptLedger } from './kept-ledger.js'
import { pathStyle } from './policy-file.js'
import { processWatch } from './process-watch.js'
import type { RedactorInForce } from './redactor-in-force.js'
import type { ServiceLog } from './service-log.js'
import { Spool, type SpooledFile } from './spool.js'
import type { SearchAnswer, SearchQuestion } from './view-questions.js'

export interface HookHouseOptions {
  readonly kept: KeptLedger
  readonly spoolFolder: string
  readonly config: () => Config
  /** The grants that hold at this moment, and whether the mode of their gate can be confirmed. */
  readonly capability: () => CapabilityInForce
  readonly secrets: RedactorInForce
  /** The Hermes home that the service belongs to; undefined where nobody said. */
  readonly hermesHome: string | undefined
  readonly skillFolders: HermesSkillFolders
  /** What `~` stands for in a call. */
  readonly userHome: string
  /** Remembers which places do not answer. */
  readonly look: FileLook
  readonly search: (question: SearchQuestion) => Promise<SearchAnswer>
  readonly longTexts: LongTexts
  readonly jev: JevInForce
  readonly recorded: HookHouse['recorded']
  readonly log: ServiceLog
}

export interface RunningHookHouse {
  readonly house: HookHouse
  readonly spool: Spool
  /** What was built from the ledger may not be what is there: it was opened anew. */
  forget(): void
  /** Words were forgotten. */
  forgetWords(): void
}

export function hookHouseOf(options: HookHouseOptions): RunningHookHouse {
  const {
    kept,
    spoolFolder,
    config,
    secrets,
    hermesHome,
    skillFolders,
    search,
    longTexts,
    jev,
    recorded,
    log,
    capability,
    userHome,
    look,
  } = options
  const sessions = new SessionMemory((handle, newest) => kept.ledger.reader.sessionEntries(handle, { newest }))
  const store: HermesStore = { hermesHome, external: (home) => skillFolders.of(home) }
  const stage = makeJevStage(
    {
      get ledger() {
        return kept.ledger
      },
      engine: () => jev.engine(),
      settings: () => jev.settings(),
      now: () => performance.now(),
      chance: () => randomBytes(16).toString('hex'),
    },
    (event) => log.write('jev', event),
  )
  const house: HookHouse = {
    get ledger() {
      return kept.ledger
    },
    attaches: new Attaches(() => kept.ledger, processWatch),
    sessions,
    gates: gateCatalog,
    unattachedRate: new RateBound(),
    attachRate: new RateBound(),
    settings: () => ({ ...hookSettings(config()), capability: capability() }),
    redactor: () => secrets.redactor(config().redaction.patterns),
    proposedAccess: ({ tool_name, tool_input, cwd }, isRemote) =>
      proposedAccess(
        { tool: tool_name ?? '', args: tool_input ?? {} },
        { style: pathStyle, cwd: cwd ?? null, home: userHome, look, isRemote },
      ),
    storedBefore: (payload) => storedBefore(payload, store),
    storedAfter: (payload) => storedAfter(payload, store),
    saidElsewhere: (quotes, session) => saidElsewhere(search, quotes, session),
    longTexts,
    stage,
    recorded,
    now: () => performance.now(),
    takeSpool: () => spool.takeAll(),
  }
  const spool = new Spool({
    folder: spoolFolder,
    waitMs: () => config().limits.spoolWaitSeconds * 1000,
    knows: (attach) => house.attaches.knows(attach),
    take: async (file, name) => {
      await kept.ready()
      const call = { ...lateCall(file), spooledAs: name }
      try {
        await handleHook(house, call)
      } catch (error) {
        if (error instanceof SteleError) throw error
        // A mistake of ours: it leaves its size, and does not keep what lies behind it waiting for ever.
        log.fail('spooled_not_understood', error)
        await kept.ready()
        await handleHook(house, { ...call, bytes: new Uint8Array(0), signature: noSignature })
      }
    },
    now: () => Date.now(),
    monotonic: () => performance.now(),
  })
  return { house, spool, forget: () => sessions.forgetAll(), forgetWords: () => sessions.forgetWords() }
}

/** Of each quote so many entries are looked into, until there is a message among them. */
const entriesOfPage = 50
const pagesOfQuoteMax = 8

/** Messages that hold every word of a quote, of other sessions than the one that is judged; oldest first, each once. */
export async function saidElsewhere(
  search: HookHouseOptions['search'],
  quotes: readonly string[],
  session: string,
): Promise<readonly SaidElsewhere[]> {
  const found = new Map<number, SaidElsewhere>()
  for (const words of new Set(quotes)) {
    let hasMessage = false
    let below: number | null | undefined
    // What an agent wrote holds the words too, and may stand in front of what was typed.
    for (let page = 0; page < pagesOfQuoteMax && !hasMessage && below !== null; page += 1) {
      const answer = await search({ ask: 'search', words, limit: entriesOfPage, ...(below === undefined ? {} : { below }) })
      below = answer.below
      for (const line of answer.lines) {
        const message = saidIn(line)
        if (message === undefined || message.session === session) continue
        hasMessage = true
        found.set(message.said.index, message.said)
      }
    }
  }
  return [...found.values()].sort((one, other) => one.index - other.index)
}

/** A line of an export, where it is of a message. */
function saidIn(line: string): { readonly session: string; readonly said: SaidElsewhere } | undefined {
  const { index, time, type, session, data, words } = JSON.parse(line) as {
    readonly index: number
    readonly time: string
    readonly type: string
    readonly session: string
    readonly data: { readonly source?: string }
    readonly words?: { readonly text?: string; readonly sender?: string }
  }
  if (type !== 'message.captured') return undefined
  const attested = data.source === 'attached'
  return { session, said: { index, time, text: words?.text, session: 'other', sender: words?.sender ?? '', attested } }
}

export function hookSettings({ provenance, capability, capture, retention, limits }: Config): Omit<HookSettings, 'capability'> {
  const { hooksPerMinute, bytesPerMinute, judgedBytes } = limits
  const { search, scope, evidence } = provenance
  return {
    modes: { provenance: provenance.mode, capability: capability.mode },
    provenance: { search, scope, evidence },
    messagesDays: retention.messagesDays,
    judgedBytes,
    keep: capture.arguments,
    hooksPerMinute,
    bytesPerMinute,
  }
}

function lateCall(file: SpooledFile) {
  if ('signature' in file) return { bytes: file.body, bytesTotal: file.body.length, signature: file.signature, late: true }
  return { bytes: file.unreadable, bytesTotal: file.bytesTotal, signature: noSignature, late: true }
}

const noSignature = { attach: '', seq: '', mac: '' }
