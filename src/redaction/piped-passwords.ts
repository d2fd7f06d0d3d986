// Finds what a command is given by a pipe or by `<<<`, where it reads a password or a token: `echo … | docker login --password-stdin`.
import { isNoSecret } from './no-secret.js'
import type { Stretch } from './stretch.js'

const reader =
  /--password-stdin|--with-token|--passphrase-fd|\bsudo\s(?:-\w{1,8}\s){0,3}(?:-\w{0,8}S\b|--stdin\b)|\bpasswd\s.{0,16}--stdin|\bchpasswd\b|\bgh secret set\b|\bcryptsetup\b|\bsecret(?:s)? (?:put|set|create)\b|--data-file=-|\bsmbpasswd\b|\bkinit\b|\bvercel env add\b|\bpass insert\b|-pass(?:in|out)? stdin|\bgpg\b.{0,64}--passphrase/
const word = String.raw`(?:(\\{0,4}["'])([^\n]{1,256}?)\1|([^\s"'\`\\;|&<>]{1,256}))`
const pipe = new RegExp(
  String.raw`(?<![\w-])(?:echo|printf)(?:\s{1,4}-[neE]{1,3}|\s{1,4}\\{0,4}["']?%s(?:\\{1,2}n)?\\{0,4}["']?(?=\s)){0,2}\s{1,4}${word}\s{0,4}\|\s{0,4}`,
  'g',
)
const here = new RegExp(String.raw`<<<\s{0,4}${word}`, 'g')
/** How far the reader may stand from what it reads. */
const commandCharactersMax = 200

export function* pipedPasswords(text: string): Iterable<Stretch> {
  for (const match of text.matchAll(pipe)) {
    const behind = match.index + match[0].length
    const command = /^[^\n|;]*/.exec(text.slice(behind, behind + commandCharactersMax))?.[0] ?? ''
    const found = given(match, behind - (/\s{0,4}\|\s{0,4}$/.exec(match[0])?.[0].length ?? 0))
    if (found !== undefined && reader.test(command)) yield found
  }
  for (const match of text.matchAll(here)) {
    const command = /[^\n|;]*$/.exec(text.slice(Math.max(0, match.index - commandCharactersMax), match.index))?.[0] ?? ''
    const found = given(match, match.index + match[0].length)
    if (found !== undefined && reader.test(`${command} `)) yield found
  }
}

function given(match: RegExpMatchArray, end: number): Stretch | undefined {
  const [, quote = '', inQuotes, bare = ''] = match
  const value = inQuotes ?? bare
  const to = end - quote.length
  return isNoSecret(value) ? undefined : { from: to - value.length, to }
}
