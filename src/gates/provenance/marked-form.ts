// The form of a sentence that the patterns are written for: same length, so that places stay what they are.

/** Stands for a quote mark: it may stand between any two words and parts no claim, and nothing before it belongs to what follows. */
const markChar = '\u0001'

/** A sentence of the same length for the patterns: in small letters, quote marks, emphasis and tags `markChar`, ’ straight. */
export function markedForm(sentence: string): string {
  const straight = /[’‘ʼ]/.test(sentence) ? sentence.replace(/[’‘ʼ]/g, "'") : sentence
  const plain = lowered(straight)
  if (!/["“”„‟«»‹›「」『』`*~_<'〝〞〟❝❞‚‛]/.test(plain)) return plain
  const tags = plain.includes('<') ? plain.replace(/<\/?[a-z][a-z0-9]{0,10}>/g, (tag) => markChar.repeat(tag.length)) : plain
  return tags.replace(/["“”„‟«»‹›「」『』`*〝〞〟❝❞‚‛]|~~|(?<![a-z0-9])['_]|['_](?![a-z0-9])/g, (mark) =>
    mark.length === 1 ? markChar : markChar.repeat(mark.length),
  )
}

/** Small letters, one for one: places stay what they are. */
export function lowered(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text.replace(/[A-Z\u00c0-\u00de]/g, (char) => char.toLowerCase())
}
