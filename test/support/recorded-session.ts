// The hook payloads that a real Hermes fired in one session, line by line.
import { readFileSync } from 'node:fs'

const lines = readFileSync(new URL('../fixtures/hermes-0.19/session.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

/** The 52 hook lines; the others are calls of middleware. */
export const recordedHooks: readonly string[] = lines.filter((line) => line.includes('"hook_event_name"'))

export interface RecordedPayload {
  readonly hook_event_name: string
  readonly tool_name: string | null
  readonly tool_input: unknown
  readonly session_id: string
  readonly extra: Readonly<Record<string, unknown>>
}

export const recordedPayloads: readonly RecordedPayload[] = recordedHooks.map((line) => JSON.parse(line) as RecordedPayload)
