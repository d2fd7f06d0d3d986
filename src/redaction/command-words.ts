// Where in a command line the command words stand: what is judged by name must not be taken for a secret because somebody's password is the
// same word. Only plain words count, outside of quotes.
import type { Stretch } from './stretch.js'

const assignment = /[A-Za-z_]\w{0,127}=(?:"[^"]{0,512}"|'[^']{0,512}'|[^\s;&|"']{0,512})\s{1,64}/y
const word = /[\w./+@-]{1,256}(?=[\s;&|()<>]|$)/y

export function commandWords(text: string): Stretch[] {
  const words: Stretch[] = []
  let starts = true
  let quote = ''
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (quote !== '') {
      if (sign === quote) quote = ''
      else if (sign === '\\' && quote === '"') at += 1
      continue
    }
    if (starts && /\S/.test(sign)) {
      const first = behindAssignments(text, at)
      word.lastIndex = first
      if (word.test(text)) {
        words.push({ from: first, to: word.lastIndex })
        at = word.lastIndex - 1
        starts = false
        continue
      }
      if (first > at) {
        at = first - 1
        continue
      }
    }
    if (sign === '"' || sign === "'") quote = sign
    if (';&|(\n'.includes(sign)) starts = true
    else if (/\S/.test(sign)) starts = false
    if (sign === '\\') at += 1
  }
  return words
}

function behindAssignments(text: string, at: number): number {
  assignment.lastIndex = at
  let behind = at
  while (assignment.test(text)) behind = assignment.lastIndex
  assignment.lastIndex = 0
  return behind
}
