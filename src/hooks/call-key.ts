// The key under which a host keeps a lasting approval. It names this very call and no other, so that "always" cannot widen.
import { canonicalJson } from '../foundation/canonical-json.js'
import type { HookLedger } from './hook-house.js'
import type { ReadPayload } from './read-payload.js'

/** By tool, folder and arguments: the same words mean another thing in another folder. */
export function callKey(ledger: Pick<HookLedger, 'digest'>, { payload, argumentsText }: ReadPayload): string {
  const { tool_name, cwd } = payload
  return `stele:${ledger.digest('arguments', canonicalJson([tool_name ?? '', cwd ?? '', argumentsText])).slice(0, 32)}`
}
