// The calls of the recorded session with what each would reach, worked out by hand, and a decision of each, in a ledger of their own.
import * as assert from 'uvu/assert'
import type { NewEvent } from '../../src/events/event-catalog.js'
import { asRedacted } from './as-redacted.js'
import { proposed, type Reach, requested, toolDecided } from './judged-calls.js'
import { recordedPayloads } from './recorded-session.js'
import { type TemporaryLedger, temporaryLedger } from './temporary-ledger.js'

/** What each recorded call would reach, as a person reads its arguments; the folder of the session is /srv/agent/project. */
export const reachOf: Readonly<Record<string, Reach>> = {
  memory: {},
  read_file: { touches: [{ asked: 'docs/notes.md', typed: '/srv/agent/project/docs/notes.md' }] },
  search_files: { touches: [{ asked: 'docs', typed: '/srv/agent/project/docs', tree: true }] },
  patch: { touches: [{ asked: 'docs/notes.md', typed: '/srv/agent/project/docs/notes.md', access: 'write' }] },
  terminal: {
    commands: [
      ['ls', '-la', 'docs'],
      ['pytest', '-q', '--version'],
    ],
  },
  write_file: { touches: [{ asked: 'docs/summary.md', typed: '/srv/agent/project/docs/summary.md', access: 'write' }] },
  skill_manage: {},
}

/** With an allowlist that grants memory, and reading another folder. */
const codeOf: Readonly<Record<string, string>> = { memory: 'granted', read_file: 'path_not_granted' }

/** In force meanwhile. */
export const grantedPolicy = {
  allowlists: [
    {
      version: 1,
      skills: [
        {
          name: '*',
          grants: [
            {
              tools: ['memory', 'read_file', 'todo', 'mcp__github__*'],
              paths: [
                { pattern: '/srv/agent/other/**', access: 'read' },
                { pattern: '/srv/agent/project/**', access: 'write' },
              ],
              commands: [],
            },
            {
              tools: [],
              paths: [],
              commands: [
                [
                  { kind: 'word', pattern: 'ls' },
                  { kind: 'rest', of: 'words' },
                ],
                [
                  { kind: 'word', pattern: 'git' },
                  { kind: 'word', pattern: 'st*' },
                ],
              ],
            },
          ],
        },
      ],
      requireApproval: [],
      deny: { tools: [], paths: [], commands: [] },
    },
  ],
  protected: [],
  pathStyle: 'posix',
}

export interface RecordedGrants {
  readonly home: TemporaryLedger
  /** The entries of the decisions, in the order of the calls. */
  readonly decisions: readonly number[]
}

/** Whoever asks closes the home. The host's session is called `recorded`. */
export async function recordedGrants(): Promise<RecordedGrants> {
  const home = await temporaryLedger({ seed: 61 })
  const { ledger, world } = home
  const session = await ledger.sessionHandle('recorded')
  await ledger.append([
    asRedacted({
      type: 'policy.activated',
      facts: { policy: 'allowlist', digest: 'd1'.repeat(32), how: 'edited' },
      words: { text: 'version: 1', policy: JSON.stringify(grantedPolicy) },
    }),
  ])
  const decisions: number[] = []
  for (const { tool_name } of recordedPayloads.filter(({ hook_event_name }) => hook_event_name === 'pre_tool_call')) {
    world.advance(1000)
    const tool = tool_name ?? ''
    const reach = reachOf[tool]
    assert.ok(reach, tool)
    // All three in one batch, so each knows where the one before it stands.
    const { size } = ledger
    const code = codeOf[tool] ?? 'tool_not_granted'
    const verdict = code === 'granted' ? 'allow' : 'deny'
    const events: NewEvent[] = [
      requested(tool, { session, cwd: '/srv/agent/project' }),
      proposed(size, { ...reach, session, tool }),
      toolDecided(size + 1, { session, verdict, code, reason: `because of ${tool}` }),
    ]
    await ledger.append(events.map(asRedacted))
    decisions.push(size + 2)
  }
  return { home, decisions }
}
