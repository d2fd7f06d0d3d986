// Finds values that stand beside their name and not behind it: `name: API_KEY` with `value: …` in the next line, `<add key="Password" value="…"/>`,
// and lines that set a variable without a sign.
import type { Stretch } from './assigned-values.js'
import { isMarker } from './markers.js'
import { nameKind } from './name-kind.js'
import { isNoSecret } from './no-secret.js'

const shapes: readonly RegExp[] = [
  /\b(?:name|key)["']?\s{0,4}[:=]\s{0,4}["']?([A-Za-z][\w.-]{2,64})["']?[\s,]{1,80}["']?value["']?\s{0,4}[:=]\s{0,4}(?:"([^"\n]{1,4096})"|'([^'\n]{1,4096})'|([^\s"',}]{1,4096}))/gi,
  /(?:^|\n)[ \t]{0,16}(?:ENV|ARG|setenv|set -g?x|set -xg)[ \t]{1,8}([A-Za-z_]\w{2,64})[ \t]{1,8}(?:"([^"\n]{1,4096})"|'([^'\n]{1,4096})'|([^\s"'=]{1,4096}))/g,
]

export function* namedValues(text: string): Iterable<Stretch> {
  for (const shape of shapes) {
    const pattern = new RegExp(shape)
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const [whole, name = '', double, single, bare] = match
      const value = double ?? single ?? bare ?? ''
      const kind = nameKind(name)
      const to = match.index + whole.length - (bare === undefined ? 1 : 0)
      if ((kind === 'password' || kind === 'secret') && !isNoSecret(value) && !isMarker(value))
        yield { from: to - value.length, to }
      else pattern.lastIndex = match.index + 1
    }
  }
}
