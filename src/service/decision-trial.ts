// What the capability gate would say of a call, on the file system as it is now: a dry run, of which nothing is recorded.
import { resolve } from 'node:path'
import type { Touch } from '../gates/capability/access.js'
import type { Policy } from '../gates/capability/allowlist.js'
import { type Decision, decide } from '../gates/capability/decide.js'
import type { PolicyProblem } from '../gates/capability/policy-problem.js'
import type { PlacedAllowlist } from '../gates/capability/read-allowlist.js'
import { proposedAccess } from '../hooks/access-about.js'
import { FileLook } from '../hooks/file-look.js'
import { homeFolder } from './home-folder.js'
import { hermesHomeOf } from './open-home.js'
import { followedPolicy, homeOf, pathStyle, readPolicy, usablePolicy } from './policy-file.js'
import { protectedPlaces } from './protected-places.js'

export interface TriedCall {
  readonly tool: string
  readonly args: unknown
  /** What relative paths start from; undefined: the folder of this process. */
  readonly cwd?: string
  /** Empty, or left out: a host that names none. */
  readonly skill?: string
  /** Variables beside those of the process, which they take the place of. */
  readonly env?: Readonly<Record<string, string>>
}

export interface TriedDecision extends Pick<Decision, 'verdict' | 'code' | 'reason'> {
  readonly paths: readonly Pick<Touch, 'asked' | 'resolved'>[]
}

export interface TrialOptions {
  /** Where the file of grants lies. */
  readonly file: string
  readonly placed: PlacedAllowlist
  /** `--home`. */
  readonly home: string | undefined
  readonly environment: NodeJS.ProcessEnv
}

/** As many environments are remembered. */
const environmentsMax = 64

/** What only the environment of a call brings about; of any other error no call can be judged. */
const ofEnvironment: ReadonlySet<string> = new Set([
  'unset_variable',
  'wildcard_in_variable',
  'outside_every_root',
  'matches_nothing',
])

/** A person is there to be asked, and every call comes from nowhere in particular: no platform, no job, no child. */
export class DecisionTrial {
  readonly #options: TrialOptions
  readonly #look = new FileLook()
  readonly #policies = new Map<string, Promise<Policy | PolicyProblem>>()

  /** Throws `POLICY_INVALID` for a file of which nothing can be used, whatever the environment. */
  constructor(options: TrialOptions) {
    this.#options = options
    const { problems } = readPolicy(options.placed, options.environment)
    const hopeless = problems.filter(({ severity, code }) => severity === 'error' && !ofEnvironment.has(code))
    if (hopeless.length > 0) usablePolicy({ allowlist: undefined, problems: hopeless })
  }

  async decide({ tool, args, cwd = process.cwd(), skill = '', env = {} }: TriedCall): Promise<TriedDecision> {
    const environment = { ...this.#options.environment, ...env }
    const policy = await this.#policyOf(JSON.stringify(Object.entries(env).sort()), environment)
    if ('code' in policy) return unavailable(policy)
    const world = { style: pathStyle, cwd: resolve(cwd), home: homeOf(environment), look: this.#look }
    const access = await proposedAccess({ tool, args }, world)
    const call = { tool, skill, lineage: [nowhere], time: new Date().toISOString() }
    const { verdict, code, reason } = decide(policy, call, access)
    return { verdict, reason, code, paths: access.touches.map(({ asked, resolved }) => ({ asked, resolved })) }
  }

  #policyOf(key: string, environment: NodeJS.ProcessEnv): Promise<Policy | PolicyProblem> {
    let policy = this.#policies.get(key)
    if (policy === undefined) {
      if (this.#policies.size >= environmentsMax) this.#policies.clear()
      policy = this.#read(environment)
      this.#policies.set(key, policy)
    }
    return policy
  }

  async #read(environment: NodeJS.ProcessEnv): Promise<Policy | PolicyProblem> {
    const { file, placed, home: asked } = this.#options
    const read = readPolicy(placed, environment)
    const error = read.problems.find(({ severity }) => severity === 'error')
    if (read.allowlist === undefined && error !== undefined) return error
    const home = homeFolder(asked, environment)
    const { allowlist } = await followedPolicy(usablePolicy(read), this.#look)
    const named = { home, hermesHome: hermesHomeOf(home, environment), allowlist: resolve(file), environment }
    const { places } = await protectedPlaces(named, this.#look)
    return { allowlists: [allowlist], protected: places, pathStyle }
  }
}

const nowhere = { platform: '', subagent: false }

function unavailable({ line, column, code, message }: PolicyProblem): TriedDecision {
  const reason = `policy_unavailable: the allowlist cannot be used in this environment: ${line}:${column} ${code}: ${message}`
  return { verdict: 'deny', reason, code: 'policy_unavailable', paths: [] }
}
