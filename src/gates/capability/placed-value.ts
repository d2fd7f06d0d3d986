// A value as a file gives it, each part with the place where it stands there: what a gate reads of an owner's file without knowing how
// that file is written.

/** Line and column of a file, from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

export type PlacedValue = PlacedMap | PlacedList | PlacedScalar

export interface PlacedMap extends Place {
  readonly kind: 'map'
  readonly members: readonly PlacedMember[]
}

export interface PlacedMember {
  readonly name: string
  /** Where the name stands. */
  readonly at: Place
  readonly value: PlacedValue
}

export interface PlacedList extends Place {
  readonly kind: 'list'
  readonly items: readonly PlacedValue[]
}

export interface PlacedScalar extends Place {
  readonly kind: 'scalar'
  readonly value: string | number | boolean | null
}
