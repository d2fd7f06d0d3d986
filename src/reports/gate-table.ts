// Decisions by gate, as more than one report shows them.
import type { GateCounts } from '../projections/sessions.js'
import { countColumn, type Table } from './report.js'

export function gateTable(gates: ReadonlyMap<string, GateCounts>): Table {
  return {
    caption: 'Decisions a gate',
    columns: [
      { key: 'gate', label: 'Gate', kind: 'text' },
      countColumn('decisions', 'Decisions'),
      countColumn('allowed', 'Let pass'),
      countColumn('denied', 'Refuse'),
      countColumn('asked', 'Ask a person'),
      countColumn('enforced', 'Host held to it'),
      { key: 'enforcedShare', label: 'Share held to', kind: 'share', detail: true },
    ],
    rows: [...gates]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([gate, { allow, deny, ask, enforced }]) => ({
        // Nobody is held to letting something pass.
        cells: [gate, allow + deny + ask, allow, deny, ask, enforced, deny + ask === 0 ? null : enforced / (deny + ask)],
      })),
  }
}
