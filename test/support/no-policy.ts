// A gate's context where nobody has written an allowlist.
import type { CapabilityInForce } from '../../src/gates/gate.js'

export const noPolicy: CapabilityInForce = { policy: undefined, digest: undefined, unresolved: undefined }

/** Any time will do where none is judged by. */
export const someTime = '2026-11-30T12:00:00.000Z'
