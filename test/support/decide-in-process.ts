// Asks the gate itself about rows that `stele decide` cannot be told of: who sent whom, who sits there, what is Stele's own, other disks.
import { join } from 'node:path'
import type { Facts, Words } from '../../src/events/event-catalog.js'
import { accessFacts, accessWords } from '../../src/gates/capability/access-words.js'
import type { Allowlist, PathGrant, Policy } from '../../src/gates/capability/allowlist.js'
import { capabilityGate } from '../../src/gates/capability/capability-gate.js'
import { readAllowlist } from '../../src/gates/capability/read-allowlist.js'
import type { GateContext } from '../../src/gates/gate.js'
import { proposedAccess } from '../../src/hooks/access-about.js'
import { FileLook } from '../../src/hooks/file-look.js'
import { resolvePatternRoot } from '../../src/hooks/resolve-paths.js'
import { redactEvent } from '../../src/ledger/redacted-event.js'
import { makeRedactor } from '../../src/redaction/redact.js'
import { allowlistFile } from '../../src/service/allowlist-file.js'
import { pathStyle, usablePolicy } from '../../src/service/policy-file.js'
import { protectedPlaces } from '../../src/service/protected-places.js'
import {
  type CapabilityRow,
  type DescribedDisk,
  environmentOf,
  filledIn,
  policyText,
  type RowAnswer,
} from './capability-table.js'
import { describedDisk } from './described-disk.js'

type Proposed = Facts<'access.proposed'>

const redactor = makeRedactor()

/** A row for the skill that it names, or for `*` where it names none, while the gate enforces: its words without secrets, as the hooks hand
 * them to the gate. `disk` overrules the row's. */
export async function decideInProcess(row: CapabilityRow, root: string, disk = row.disk): Promise<RowAnswer> {
  const { tool, args, cwd, skill = '' } = filledIn(row, root)
  const world = worldOf(row, root, disk)
  const access = await proposedAccess({ tool, args }, { ...world, cwd: cwd ?? null })
  const facts: Proposed = { call: 1, tool, skill, ...askersOf(row), ...accessFacts(access) }
  const context = contextOf(await policyOf(row, root, world))
  const { event } = redactEvent({ type: 'access.proposed', facts, words: accessWords(access) }, redactor)
  const words = event.words as Words<'access.proposed'>
  const verdict = capabilityGate.on['access.proposed']?.({ index: 2, facts, words }, context)
  if (verdict === undefined) throw new Error(`the gate says nothing of ${row.id}`)
  return verdict
}

interface World {
  readonly style: Policy['pathStyle']
  readonly home: string
  readonly variables: Readonly<Record<string, string>>
  readonly look: FileLook
}

/** Where no disk is described, the real one. */
function worldOf(row: CapabilityRow, root: string, disk: DescribedDisk | undefined): World {
  const variables = environmentOf(root, row)
  return {
    style: disk?.style ?? pathStyle,
    home: variables['HOME'] ?? '',
    variables,
    look: disk === undefined ? new FileLook() : new FileLook(describedDisk(disk, root)),
  }
}

function askersOf({
  lineage,
  attended = 'attended',
  asks = 'yes',
}: CapabilityRow): Pick<Proposed, 'lineage' | 'attended' | 'asks'> {
  return {
    lineage: (lineage ?? [{ platform: 'cli', job: null, subagent: false }]).map(({ job, ...context }) => ({
      ...context,
      ...(job === null ? {} : { job }),
    })),
    attended,
    asks: asks === 'yes' ? 'yes' : 'approvals_off',
  }
}

async function policyOf(row: CapabilityRow, root: string, { style, home, variables, look }: World): Promise<Policy> {
  const file = allowlistFile(Buffer.from(policyText(row.policy, root)))
  const read = readAllowlist(file, { home, variables, pathStyle: style, now: new Date().toISOString() })
  const own = filledIn(row, root).home
  const places = own === undefined ? undefined : { home: own, allowlist: join(own, 'allowlist.yaml') }
  return {
    allowlists: [await followed(usablePolicy(read), style, look)],
    protected:
      places === undefined
        ? []
        : (await protectedPlaces({ ...places, hermesHome: variables['HERMES_HOME'], environment: variables }, look)).places,
    pathStyle: style,
  }
}

/** As a service follows the folders of grants, in the style of the row's disk. */
async function followed(allowlist: Allowlist, style: Policy['pathStyle'], look: FileLook): Promise<Allowlist> {
  const all = (paths: readonly PathGrant[]) =>
    Promise.all(paths.map(async (path) => (await resolvePatternRoot(path, style, look)) ?? path))
  const skills = allowlist.skills.map(async ({ name, grants }) => ({
    name,
    grants: await Promise.all(grants.map(async (grant) => ({ ...grant, paths: await all(grant.paths) }))),
  }))
  return { ...allowlist, skills: await Promise.all(skills), deny: { ...allowlist.deny, paths: await all(allowlist.deny.paths) } }
}

function contextOf(policy: Policy): GateContext {
  return {
    ...{ asOf: 2, time: new Date().toISOString(), modes: { provenance: 'off', capability: 'enforce' } },
    provenance: { search: 'session', scope: 'decisions', attestedOnly: false },
    said: { messages: [], unavailable: false, refused: {} },
    capability: { policy, digest: undefined, unresolved: undefined },
  }
}
