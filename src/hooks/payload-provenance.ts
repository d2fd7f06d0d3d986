// Who vouches for a payload and how it came, as facts of every event that it becomes.
import type { Speaker } from './attach.js'
import type { Provenance } from './hook.js'
import { type HookCall, probeSessionPrefix } from './hook-house.js'
import type { ReadPayload } from './read-payload.js'

/** What its signature alone says, of one that cannot be read too. */
export function signatureFacts({ late }: HookCall, speaker: Speaker): Provenance {
  const from =
    speaker.kind === 'attached'
      ? { source: 'attached' as const, attach: speaker.attach.index, seq: speaker.seq }
      : { source: 'unattested' as const }
  return { ...from, ...(late ? { late } : {}) }
}

export function payloadProvenance(call: HookCall, speaker: Speaker, { payload, host, repaired }: ReadPayload): Provenance {
  return {
    ...signatureFacts(call, speaker),
    ...(call.late && host.at !== undefined ? { at: host.at } : {}),
    // Only a session that can hold nothing else may be left out of reports.
    ...(host.probe === true && payload.session_id?.startsWith(probeSessionPrefix) === true ? { probe: true as const } : {}),
    ...(repaired === 0 ? {} : { repaired }),
    ...(host.redacted === undefined || host.redacted === 0 ? {} : { redacted: host.redacted }),
  }
}
