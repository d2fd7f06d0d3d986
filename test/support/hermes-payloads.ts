// Payloads in the shape in which Hermes 0.19 gives them to a shell hook, with whatever a test needs in them.
import type { Payload } from './attached-host.js'

export interface PayloadPlace {
  readonly session?: string
  readonly turn?: string
  readonly call?: string
}

/** What is sent when a user has typed something. */
export function typedMessage(text: string, { session = 'session-1', turn = 'turn-1' }: PayloadPlace = {}): Payload {
  const extra = { turn_id: turn, task_id: 'task-1', user_message: text, platform: 'cli', sender_id: '' }
  return envelope('pre_llm_call', session, extra)
}

/** What is sent before a tool runs. */
export function askedCall(tool: string, tool_input: object, place: PayloadPlace = {}): Payload {
  const { session = 'session-1', turn = 'turn-1', call = 'call-1' } = place
  const extra = { turn_id: turn, task_id: 'task-1', tool_call_id: call, api_request_id: 'request-1' }
  return { ...envelope('pre_tool_call', session, extra), tool_name: tool, tool_input }
}

/** What is sent at the end of a turn. */
export function endedTurn({ session = 'session-1', turn = 'turn-1' }: PayloadPlace = {}): Payload {
  return envelope('on_session_end', session, { turn_id: turn, task_id: 'task-1', completed: true, interrupted: false })
}

function envelope(hook_event_name: string, session_id: string, extra: Payload): Payload {
  return { hook_event_name, tool_name: null, tool_input: null, session_id, cwd: '/srv/agent/project', profile: 'default', extra }
}
