// What a reader hands to the verification: one entry as it was found, in a store or in an export.

export type Part = 'header' | 'payload' | 'words'

export interface PlacedEntry {
  /** The number in its key; undefined in an export, where the order of the lines is the place. */
  readonly place: number | undefined
  /** Why nothing can be read here; the rest is then left out. */
  readonly unreadable?: string
  /** Header bytes as stored; undefined where an export line does not give them. */
  readonly header?: Buffer | undefined
  /** The leaf hash kept with it; undefined where it is missing or malformed. */
  readonly kept?: Buffer | undefined
  /** Salt and canonical payload, as stored. */
  readonly payload?: Buffer | undefined
  /** Salt and canonical words, as stored. */
  readonly words?: Buffer | undefined
  /** Parts whose members in an export line disagree with the stored strings, or are not all there. */
  readonly disagrees?: ReadonlySet<Part>
  /** What an export line says of words that are not there: the index of their erasure, or that they were held back. */
  readonly absent?: number | 'withheld' | undefined
}
