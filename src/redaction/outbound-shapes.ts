// Takes out of a text what only looks like a token: where text leaves the machine, a harmless word too many is the smaller mistake.
import { markers } from './markers.js'

/** Wider than the redactor's own rows `apikey-token`, `sk-key` and `github-token`: any ending counts, words too. */
const shapes = /(?<![\p{L}\p{N}_])(?:apikey_[\w-]+|sk-[\w-]{8,}|gh[pours]_[A-Za-z0-9_]+)/gu

export interface OutboundText {
  /** The very same text where nothing was found. */
  readonly text: string
  readonly count: number
}

export function takeOutboundShapes(text: string): OutboundText {
  if (!/apikey_|sk-|gh[pours]_/.test(text)) return { text, count: 0 }
  let count = 0
  const kept = text.replace(shapes, () => {
    count += 1
    return markers.secret
  })
  return { text: count === 0 ? text : kept, count }
}
