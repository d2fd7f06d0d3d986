// What a decision of the capability gate costs in memory: an allowlist of a thousand grants and a call with ten paths, beside reading that
// call's payload as JSON in the same run. What looking at the files costs is not in it.
import type { Touch } from '../src/gates/capability/access.js'
import type { Allowlist, Grant, Policy } from '../src/gates/capability/allowlist.js'
import { type CapabilityCall, decide } from '../src/gates/capability/decide.js'
import { type Measured, median, plain, ratio, rounds } from './measured.js'

const grantsMade = 1_000
const pathsOfCall = 10
const times = 500
const slices = 20

export function measureDecisions(): Measured[] {
  const plainGrants = Array.from({ length: grantsMade }, (_, at): Grant => grantOf(at, {}))
  const bound = Array.from(
    { length: grantsMade },
    (_, at): Grant =>
      grantOf(at, { when: { platform: at % 2 === 0 ? ['cli'] : ['cron', 'cli'] }, expires: '2099-01-01T00:00:00.000Z' }),
  )
  return [...measure('a decision', plainGrants), ...measure('a decision where each grant has a context and an expiry', bound)]
}

function grantOf(at: number, more: Pick<Grant, 'when' | 'expires'>): Grant {
  const folder = `/home/ann/projects/p${at}`
  return {
    tools: ['read_file', 'patch', 'mcp__files__*'],
    paths: [
      { pattern: `${folder}/**`, access: 'any' },
      { pattern: `/srv/data/*/set-${at}/*.csv`, access: 'read' },
    ],
    commands: [],
    ...more,
  }
}

function measure(what: string, grants: readonly Grant[]): Measured[] {
  const allowlist: Allowlist = {
    version: 1,
    skills: [{ name: '*', grants }],
    requireApproval: ['execute_code'],
    deny: { tools: ['memory'], paths: [{ pattern: '/home/ann/.ssh/**', access: 'any' }], commands: [] },
  }
  const policy: Policy = {
    allowlists: [allowlist],
    protected: [
      { what: 'home', path: '/home/ann/.hermes/plugin-data/stele' },
      { what: 'plugin', path: '/home/ann/.hermes/plugins/stele' },
      { what: 'host_settings', path: '/home/ann/.hermes/config.yaml' },
    ],
    pathStyle: 'posix',
  }
  const calls = Array.from({ length: 100 }, (_, number) => callOf(number))
  const read: number[] = []
  const decided: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const [reading = 0, deciding = 0] = timed(
      (at) => JSON.parse(calls[at % calls.length]?.payload ?? ''),
      (at) => {
        const { call, touches } = calls[at % calls.length] ?? callOf(0)
        const { verdict } = decide(policy, call, { touches, commands: [] })
        if (verdict !== 'allow') throw new Error('the bench measures calls that are granted')
      },
    )
    read.push(reading)
    decided.push(deciding)
  }
  const ratios = decided.map((value, at) => value / (read[at] ?? 1))
  const payloads = median(calls.map(({ payload }) => payload.length))
  return [
    ratio(`${what} (${grantsMade} grants, ${pathsOfCall} paths), of reading its payload of ${payloads} bytes`, ratios, {
      most: 20,
    }),
    plain('the same', decided, 'µs', 1),
  ]
}

/** In the envelope of a recorded call, with what the plugin adds. */
function callOf(number: number): { readonly payload: string; readonly call: CapabilityCall; readonly touches: readonly Touch[] } {
  const paths = Array.from(
    { length: pathsOfCall },
    (_, at) => `/home/ann/projects/p${(number * 97 + at * 31 * 2) % grantsMade}/src/part-${at}/file-${number}.ts`,
  )
  const payload = JSON.stringify({
    hook_event_name: 'pre_tool_call',
    tool_name: 'mcp__files__read_many',
    tool_input: { paths },
    session_id: '20261129_210901_59bcc3',
    cwd: '/home/ann/projects',
    profile: 'default',
    extra: {
      task_id: 'd173ce9c-8537-4b9f-9045-7654158d35b4',
      tool_call_id: `call_${number}`,
      turn_id: '20261129_210901_59bcc3:d173ce9c-8537-4b9f-9045-7654158d35b4:da8bee05',
      api_request_id: '20261129_210901_59bcc3:d173ce9c-8537-4b9f-9045-7654158d35b4:da8bee05:api:1',
      middleware_trace: [],
      telemetry_schema_version: 'hermes.observer.v1',
    },
    host: {
      at: '2026-11-30T12:00:00.000Z',
      unanswered: [],
      hermes_version: '0.19.0',
      attended: 'attended',
      last_in_order: true,
      approvals_off: false,
      terminal_backend: 'local',
      platform: 'cli',
    },
  })
  const touches = paths.map((path): Touch => ({ asked: path, access: 'read', tree: false, typed: path, resolved: path }))
  const call = {
    tool: 'mcp__files__read_many',
    skill: '',
    lineage: [{ platform: 'cli', subagent: false }],
    time: '2026-11-30T12:00:00.000Z',
  }
  return { payload, call, touches }
}

/** Microseconds of the processor for each of the two, in slices by turns: what else runs on the machine hits both alike. */
function timed(...works: readonly ((at: number) => unknown)[]): number[] {
  const spent = works.map(() => 0)
  for (let slice = 0; slice < slices; slice += 1) {
    for (const [one, work] of works.entries()) {
      const before = process.cpuUsage()
      for (let at = 0; at < times; at += 1) work(at)
      const { user, system } = process.cpuUsage(before)
      spent[one] = (spent[one] ?? 0) + user + system
    }
  }
  return spent.map((microseconds) => microseconds / (slices * times))
}
