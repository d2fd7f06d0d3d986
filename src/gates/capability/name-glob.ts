// Patterns of one name within a path: `*` any run of characters, `?` one.
import { unknownText } from './unknown-text.js'

export type NameGlob =
  | { readonly kind: 'literal'; readonly text: string }
  /** Any name. */
  | { readonly kind: 'any' }
  | { readonly kind: 'glob'; readonly text: string; readonly tokens: readonly string[] }

export function nameGlob(text: string): NameGlob {
  if (!/[*?]/.test(text)) return { kind: 'literal', text }
  const tokens = [...text].filter((token, at, all) => token !== '*' || all[at - 1] !== '*')
  return tokens.length === 1 && tokens[0] === '*' ? { kind: 'any' } : { kind: 'glob', text: tokens.join(''), tokens }
}

/** At most one look at each character for each star: where a star fits, no earlier one has to be tried again. */
export function nameMatches(glob: NameGlob, name: string): boolean {
  if (glob.kind === 'literal') return glob.text === name
  if (glob.kind === 'any') return name !== ''
  const { tokens } = glob
  const characters = [...name]
  let token = 0
  let at = 0
  let star = -1
  let resume = 0
  while (at < characters.length) {
    const wanted = tokens[token]
    if (wanted === '*') {
      star = token++
      resume = at
    } else if (wanted === '?' ? characters[at] !== unknownText : wanted === characters[at]) {
      token++
      at++
    } else if (star === -1) return false
    else {
      token = star + 1
      at = ++resume
    }
  }
  while (tokens[token] === '*') token++
  return token === tokens.length
}

/** True only if every name of the one is a name of the other. */
export function nameIsNarrower(glob: NameGlob, other: NameGlob): boolean {
  if (other.kind === 'any') return true
  if (glob.kind === 'literal') return nameMatches(other, glob.text)
  if (glob.kind === 'any' || other.kind === 'literal') return false
  return tokensAreNarrower(glob.tokens, other.tokens)
}

function tokensAreNarrower(a: readonly string[], b: readonly string[]): boolean {
  let row = new Uint8Array(b.length + 1)
  for (let i = a.length; i >= 0; i--) {
    const next = new Uint8Array(b.length + 1)
    for (let j = b.length; j >= 0; j--) {
      const [one, other] = [a[i], b[j]]
      let holds: boolean
      if (other === undefined) holds = one === undefined
      else if (other === '*') holds = next[j + 1] === 1 || (one !== undefined && row[j] === 1)
      else if (one === undefined || one === '*') holds = false
      else holds = row[j + 1] === 1 && (other === '?' || one === other)
      next[j] = holds ? 1 : 0
    }
    row = next
  }
  return row[0] === 1
}
