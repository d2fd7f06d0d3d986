// What the stage did lately, for the status of a running service: the newest events and a count of each kind. In memory only; the ledger has
// them all. It takes fields of a fixed list and values that are short: no word of a user, an agent or a server fits in.

export const telemetryFields = [
  'mode',
  'would_shape',
  'would_approve',
  'would_nudge',
  'input_complete',
  'truncated',
  'reason',
  'latency_ms',
  'confidence',
  'intent',
  'tools_before',
  'tools_after',
  'approval',
  'nudge',
  'fallback',
  'error',
  'shaped',
  'risk',
  'error_type',
  'model',
  'input_tokens',
  'output_tokens',
] as const

export type TelemetryField = (typeof telemetryFields)[number]
export type TelemetryValue = string | number | boolean | null
export type TelemetryEvent = Readonly<Partial<Record<TelemetryField, TelemetryValue>>> & { readonly kind: string }

export interface TelemetrySettings {
  readonly enabled: boolean
  readonly eventsMax: number
}

export interface JevTelemetry {
  /** Whatever is handed in, also by mistake: what is not on the list is dropped. */
  record(kind: string, fields: Readonly<Record<string, unknown>>): void
  /** By kind; not bounded by the list. */
  counts(): Readonly<Record<string, number>>
  /** Oldest first. */
  recent(): readonly TelemetryEvent[]
}

const kindsMax = 64
/** Names of ours, of models and of error classes look like this, and sentences do not. */
const shortName = /^[\w.:/@+-]{0,80}$/

/** `log` gets each event that is kept. Where it is switched off, nothing is kept and nothing logged. */
export function makeJevTelemetry({ enabled, eventsMax }: TelemetrySettings, log?: (event: TelemetryEvent) => void): JevTelemetry {
  const counts = new Map<string, number>()
  const recent: TelemetryEvent[] = []
  return {
    record: (kind, fields) => {
      if (!enabled || !shortName.test(kind) || (!counts.has(kind) && counts.size >= kindsMax)) return
      const kept = telemetryFields.flatMap((name): [string, TelemetryValue][] => {
        const value = Object.hasOwn(fields, name) ? fields[name] : undefined
        return isTold(value) ? [[name, value]] : []
      })
      const event: TelemetryEvent = Object.freeze({ kind, ...Object.fromEntries(kept) })
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      recent.push(event)
      if (recent.length > eventsMax) recent.shift()
      log?.(event)
    },
    counts: () => Object.fromEntries(counts),
    recent: () => [...recent],
  }
}

function isTold(value: unknown): value is TelemetryValue {
  if (typeof value === 'string') return shortName.test(value)
  return value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
}
