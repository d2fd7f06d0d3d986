// What the redactor has taken out of a word: nobody here knows what stood there. It counts as every text at once, so that it is granted only
// where any text is, and is denied where one of them would be. A ledger holds the same words, so they come to the same verdict years later.
import { withMarkersAs } from '../../redaction/markers.js'

/** In the place of each part that was taken out: in no pattern, no path and no word of a command. */
export const unknownText = '\0'

/** The very same string where nothing was taken out of it. */
export function withUnknownText(text: string): string {
  return withMarkersAs(text, unknownText)
}

/** Whether something was taken out of a word. */
export function lacksText(text: string): boolean {
  return withUnknownText(text) !== text
}
