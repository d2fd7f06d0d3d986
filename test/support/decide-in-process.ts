// Asks the gate itself about rows that `stele decide` cannot be told of: who sent whom, who sits there, what is Stele's own, other disks.
import {
  type CapabilityRow,
  type DescribedDisk,
  environmentOf,
  filledIn,
  type LineageContext,
  policyText,
  type RowAnswer,
} from './capability-table.js'

/** What is handed to the reader of a policy beside its text. */
interface PolicySurroundings {
  readonly env: Readonly<Record<string, string>>
  /** What is on the real disk is looked at where none is described. */
  readonly disk: DescribedDisk | undefined
  /** Stele's own folder; undefined protects nothing. */
  readonly home: string | undefined
}

interface AskedCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly cwd: string | undefined
}

/** Each outside function with the file and the name it is known by; everything this file assumes of src stands here. */
interface Deciding {
  /** Text of an allowlist to the policy in force. */
  readonly readPolicy: (text: string, surroundings: PolicySurroundings) => unknown
  /** What the call would reach, with what links make of it. */
  readonly proposeAccess: (call: AskedCall, surroundings: PolicySurroundings) => unknown
  readonly decide: (
    policy: unknown,
    call: { tool: string; skill: string; lineage: readonly LineageContext[]; time: string },
    access: unknown,
  ) => RowAnswer
  /** Turns a question into a denial where nobody can answer. */
  readonly settleAsk: (decision: RowAnswer, person: { attended: string; asks: string }) => RowAnswer
}

const places: Readonly<Record<keyof Deciding, readonly [file: string, name: string]>> = {
  readPolicy: ['../../src/hooks/read-allowlist.js', 'readAllowlist'],
  proposeAccess: ['../../src/hooks/resolve-paths.js', 'resolvePaths'],
  decide: ['../../src/gates/capability/decide.js', 'decide'],
  settleAsk: ['../../src/gates/capability/capability-gate.js', 'settleAsk'],
}

/** A row for the skill that it names, or for `*` where it names none. `disk` overrules the row's. */
export type InProcessDecider = (row: CapabilityRow, root: string, disk?: DescribedDisk) => RowAnswer

export async function inProcessDecider(): Promise<InProcessDecider> {
  const { readPolicy, proposeAccess, decide, settleAsk } = await loadDeciding()
  return (row, root, disk = row.disk) => {
    const { tool, args, cwd, home, skill = '*', lineage = [], attended, asks = 'yes' } = filledIn(row, root)
    const surroundings = { env: environmentOf(root, row), disk, home }
    const policy = readPolicy(policyText(row.policy, root), surroundings)
    const call = { tool, skill, lineage, time: new Date().toISOString() }
    const decision = decide(policy, call, proposeAccess({ tool, args, cwd }, surroundings))
    return attended === undefined ? decision : settleAsk(decision, { attended, asks })
  }
}

async function loadDeciding(): Promise<Deciding> {
  const loaded = await Promise.all(
    Object.entries(places).map(async ([part, [file, name]]) => {
      const module: Record<string, unknown> = await import(new URL(file, import.meta.url).href)
      if (typeof module[name] !== 'function') throw new Error(`${file} exports no function ${name}`)
      return [part, module[name]]
    }),
  )
  return Object.fromEntries(loaded) as Deciding
}
