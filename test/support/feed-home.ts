// Puts payloads into a home that no service has: for tests of what lies in a home, not of how it came there.
import { gateCatalog } from '../../src/gates/gate-catalog.js'
import { nothingStored } from '../../src/gates/provenance/stored-text.js'
import { Attaches } from '../../src/hooks/attach.js'
import { handleHook } from '../../src/hooks/handle-hook.js'
import { RateBound } from '../../src/hooks/rate-bound.js'
import { SessionMemory } from '../../src/hooks/session-memory.js'
import { makeRedactor } from '../../src/redaction/redact.js'
import { createHome, findHome } from '../../src/service/open-home.js'
import { processWatch } from '../../src/service/process-watch.js'
import { longTextsHere } from './long-texts.js'
import { noPolicy } from './no-policy.js'
import { silentStage } from './silent-stage.js'

/** As a shell hook would, one after the other; makes the home where there is none. */
export async function feedHome(home: string, lines: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<void> {
  const { ledger } = await createHome(findHome(home, environment), 'stele test')
  const redactor = makeRedactor()
  const house = {
    ledger,
    attaches: new Attaches(() => ledger, processWatch),
    sessions: new SessionMemory((handle, newest) => ledger.reader.sessionEntries(handle, { newest })),
    gates: gateCatalog,
    unattachedRate: new RateBound(),
    attachRate: new RateBound(),
    settings: () => ({
      modes: { provenance: 'observe', capability: 'observe' } as const,
      keep: 'judged' as const,
      provenance: { search: 'session', scope: 'decisions', evidence: undefined } as const,
      capability: noPolicy,
      messagesDays: 30,
      judgedBytes: 1024 * 1024,
      hooksPerMinute: Number.MAX_SAFE_INTEGER,
      bytesPerMinute: Number.MAX_SAFE_INTEGER,
    }),
    redactor: () => redactor,
    now: () => performance.now(),
    proposedAccess: async () => ({ touches: [], commands: [] }),
    storedBefore: async () => ({ stored: nothingStored }),
    storedAfter: async () => undefined,
    saidElsewhere: async () => [],
    longTexts: longTextsHere(() => gateCatalog),
    stage: silentStage,
    recorded: () => {},
    takeSpool: async () => {},
  }
  try {
    for (const line of lines) {
      const bytes = Buffer.from(line)
      await handleHook(house, { bytes, bytesTotal: bytes.length, signature: { attach: '', seq: '', mac: '' }, late: false })
    }
  } finally {
    await ledger.close()
  }
}
