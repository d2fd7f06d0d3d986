// What stands in the place of a secret, and how to know it again: what was taken out once is never taken out twice.

/** What stands in the place of what was taken out. */
export const markers = {
  secret: '[REDACTED]',
  privateKey: '[PRIVATE KEY REDACTED]',
  authorization: '[AUTH REDACTED]',
} as const

export type Marker = (typeof markers)[keyof typeof markers]

/** At a place: one of our markers, or of those that the plugin for a host puts. */
const markerHere = /\[(?:REDACTED|PRIVATE KEY REDACTED|AUTH REDACTED|redacted:\w{1,128})\]/y

/** Where a marker that begins at a place ends; undefined where none does. */
export function markerEnd(text: string, at: number): number | undefined {
  if (text.charCodeAt(at) !== 0x5b) return undefined
  markerHere.lastIndex = at
  return markerHere.test(text) ? markerHere.lastIndex : undefined
}

/** The text with another sign in the place of each marker; the very same string where there is none. */
export function withMarkersAs(text: string, sign: string): string {
  let written = ''
  let done = 0
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', Math.max(at + 1, done))) {
    const end = markerEnd(text, at)
    if (end === undefined) continue
    written += text.slice(done, at) + sign
    done = end
  }
  return done === 0 ? text : written + text.slice(done)
}

/** Whether a text is a marker and nothing else. */
export function isMarker(text: string): boolean {
  return markerEnd(text, 0) === text.length
}
