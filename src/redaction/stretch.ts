// A stretch of a text: what every finder of secrets gives.

export interface Stretch {
  /** Its first place. */
  readonly from: number
  /** The place behind its last. */
  readonly to: number
}
