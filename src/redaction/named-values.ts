// Finds values that stand beside their name and not behind it: `name: API_KEY` with `value: …` in the next line, `<add key="Password" value="…"/>`,
// and lines that set a variable without a sign.
import { isMarker } from './markers.js'
import { nameKind } from './name-kind.js'
import { isLongPath, isNoSecret } from './no-secret.js'
import type { Stretch } from './stretch.js'

const text = String.raw`(?:"([^"\n]{1,4096})"|'([^'\n]{1,4096})'|([^\s"',}<>]{1,4096}))`
const between = String.raw`[\s,]{1,80}(?:["']?[a-z-]{2,16}["']?\s{0,4}[:=]\s{0,4}["']?[\w.-]{0,32}["']?[\s,]{1,80}){0,2}`

interface Shape {
  readonly pattern: RegExp
  /** Where in the groups the name stands, and where the value: in one of three. */
  readonly name: number
  readonly value: number
}

const shapes: readonly Shape[] = [
  {
    pattern: new RegExp(
      String.raw`\b(?:name|key)["']?\s{0,4}[:=]\s{0,4}["']?([A-Za-z][\w.-]{2,64})["']?${between}["']?(?:value|content|default)["']?\s{0,4}[:=]\s{0,4}${text}`,
      'gi',
    ),
    name: 1,
    value: 2,
  },
  {
    pattern: new RegExp(
      String.raw`["']value["']\s{0,4}:\s{0,4}${text}\s{0,4},\s{0,80}["'](?:name|key)["']\s{0,4}:\s{0,4}["']([A-Za-z][\w.-]{2,64})["']`,
      'gi',
    ),
    name: 4,
    value: 1,
  },
  // Lines that set a variable, and what Windows shows of its own.
  {
    pattern: new RegExp(
      String.raw`(?:^|\n)[ \t]{0,16}(?:ENV|ARG|setenv|SetEnv|setx|set -g?x|set -xg)[ \t]{1,8}([A-Za-z_]\w{2,64})[ \t]{1,8}${text}`,
      'g',
    ),
    name: 1,
    value: 2,
  },
  {
    pattern: new RegExp(String.raw`(?:^|\n)([A-Z][A-Z0-9_]{2,64})[ \t]{2,64}${text}[ \t]{0,8}(?=\r?\n|$)`, 'g'),
    name: 1,
    value: 2,
  },
  {
    pattern: /(?:^|\n)[ \t]{0,16}(requirepass|masterauth)[ \t]{1,8}(?:"([^"\n]{1,256})"|'([^'\n]{1,256})'|([^\s"'=]{1,256}))/g,
    name: 0,
    value: 2,
  },
  // The default of a variable of Terraform, and a property list of Apple.
  {
    pattern: new RegExp(
      String.raw`\bvariable\s{1,4}["']([\w-]{2,64})["']\s{0,4}\{[^}]{0,400}?\bdefault\s{0,8}=\s{0,8}${text}`,
      'g',
    ),
    name: 1,
    value: 2,
  },
  { pattern: /<key>([\w .-]{2,64})<\/key>\s{0,80}<string>(([^<\n]{1,4096})())(?=<)/g, name: 1, value: 2 },
]

export function* namedValues(given: string): Iterable<Stretch> {
  for (const { pattern, name, value } of shapes) {
    const places = new RegExp(pattern.source, `${pattern.flags}d`)
    for (let match = places.exec(given); match !== null; match = places.exec(given)) {
      const group = [value, value + 1, value + 2].find((one) => match?.[one] !== undefined) ?? value
      const secret = match[group] ?? ''
      const kind = name === 0 ? 'password' : nameKind(match[name] ?? '')
      const [from, to] = match.indices?.[group] ?? [0, 0]
      if ((kind === 'password' || kind === 'secret') && !isNoSecret(secret) && !isMarker(secret) && !isLongPath(secret))
        yield { from, to }
      else places.lastIndex = match.index + 1
    }
  }
}
