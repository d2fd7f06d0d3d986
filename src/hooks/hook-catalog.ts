// Every hook that we know, under the host's own name: one line a noun.
import { approvalHooks } from './hermes/approval.js'
import { llmCallHooks } from './hermes/llm-call.js'
import { sessionHooks } from './hermes/session.js'
import { subagentHooks } from './hermes/subagent.js'
import { toolCallHooks } from './hermes/tool-call.js'
import { verifyHooks } from './hermes/verify.js'
import type { HookDefinition } from './hook.js'

export const hookCatalog: Readonly<Record<string, HookDefinition>> = {
  ...sessionHooks,
  ...llmCallHooks,
  ...toolCallHooks,
  ...verifyHooks,
  ...subagentHooks,
  ...approvalHooks,
}

/** The definition of a hook; undefined for a name that we do not know. */
export function hookDefinition(name: string): HookDefinition | undefined {
  return Object.hasOwn(hookCatalog, name) ? hookCatalog[name] : undefined
}
