// A home with much to forget, for stories about forgetting: two sessions whose words alternate, told by a service of its own.
import { join } from 'node:path'
import { readServiceFacts } from './attached-host.js'
import { answered, askAt, typed } from './running-service.js'

/** Seven words that stand nowhere else, so that each of their two runs of six tells where they are. */
export const sevenWords = (what: string, at: number): string =>
  ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf'].map((word) => `${word}${what}${at}`).join(' ')

export interface SaidWords {
  readonly gone: readonly string[]
  readonly kept: readonly string[]
}

export const goneSession = '20261129_210901_aaaaaa'
export const keptSession = '20261129_210902_bbbbbb'

const socketOf = (home: string): string => readServiceFacts(home).socket

export const askHome = (home: string, path: string, body?: object) =>
  askAt({ socketPath: socketOf(home) }, path, body === undefined ? {} : { body })

export const askOwnerOf = (home: string, path: string, body: object) =>
  askAt({ socketPath: join(socketOf(home), '..', 'owner.sock') }, path, { body })

export async function viewOf(home: string, name: string, query = ''): Promise<Readonly<Record<string, unknown>>> {
  return answered<{ parts: Record<string, unknown> }>(await askHome(home, `/v1/views/${name}${query}`)).parts
}

/** Messages, tool calls and their results of both sessions. `padding` makes each message so many characters longer. */
export async function sayWords(home: string, count: number, { padding = 0, from = 0 } = {}): Promise<SaidWords> {
  const said = { gone: [] as string[], kept: [] as string[] }
  for (let at = from; at < from + count; at += 1) {
    for (const [what, session] of [
      ['gone', goneSession],
      ['kept', keptSession],
    ] as const) {
      const [message, path, result] = [sevenWords(`${what}m`, at), sevenWords(`${what}p`, at), sevenWords(`${what}r`, at)]
      said[what].push(message, path, result)
      const pad = padding === 0 ? '' : ` ${Array.from({ length: padding / 8 }, (_, word) => `w${what}${at}x${word}`).join(' ')}`
      const payloads = [
        typed(`${message}${pad}`, `${what}-${at}`, session),
        ...toolPayloads(session, `${what}-${at}`, path, result),
      ]
      for (const payload of payloads) answered(await askHome(home, '/v1/hooks', payload))
    }
  }
  return said
}

function toolPayloads(session: string, id: string, command: string, result: string): object[] {
  const call = { tool_name: 'terminal', tool_input: { command }, session_id: session, cwd: '/srv/agent', profile: 'default' }
  const extra = { tool_call_id: id, turn_id: id, task_id: '' }
  return [
    { ...call, hook_event_name: 'pre_tool_call', extra },
    { ...call, hook_event_name: 'post_tool_call', extra: { ...extra, result, duration_ms: 5, status: 'ok' } },
  ]
}
