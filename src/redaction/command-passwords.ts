// Finds passwords in the words of command lines, where a short flag of a known program carries them.
import type { Stretch } from './assigned-values.js'
import { isNoSecret } from './no-secret.js'

/** How far before a flag its program may stand. */
const commandCharactersMax = 512
const clients = /(?:^|[\s;&|("'`/])(?:curl|wget|https?|xh|ab|siege|hey|lftp|aria2c|smbclient|httpie|grpcurl)(?:\.exe)?\s/

/** `-u name:password`: the password. */
export function* commandUsers(text: string): Iterable<Stretch> {
  const flags =
    /(?<=\s)(?:-u ?|-U ?|-a |--user[= ]|--proxy-user[= ]|--auth[= ])(?:\\?["'])?([^\s:"'$%\\]{1,128})[:%]([^\s"'`]{1,256})/g
  for (let match = flags.exec(text); match !== null; match = flags.exec(text)) {
    const [whole, , password = ''] = match
    const value = password.replace(/\\+$/, '')
    const from = match.index + whole.length - password.length
    if (!isSaid(value) && clients.test(commandBefore(text, match.index))) yield { from, to: from + value.length }
  }
}

/** The command that a place belongs to, as far as it stands before it. */
function commandBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - commandCharactersMax), at).replaceAll('\\\n', '  ')
  return ` ${before.slice(before.lastIndexOf('\n') + 1)}`
}

/** Programs, and how a flag of theirs carries a password. */
const passwordFlags: readonly RegExp[] = [
  /(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump)\s(?:[^\n;|&]{0,256}\s)?-p(?=["']?[^\s"'-])["']?/,
  /sshpass\s{1,4}-p\s{0,4}["']?/,
  /(?:docker|podman) login\s(?:[^\n;|&]{0,256}\s)?(?:-p|--password)[ =]["']?/,
  /redis-cli\s(?:[^\n;|&]{0,256}\s)?-a\s{1,4}["']?/,
  /(?<=\s)(?:-passin|-passout|-pass|-k)\s{1,4}["']?pass:/,
]

export function* commandPasswords(text: string): Iterable<Stretch> {
  for (const flag of passwordFlags) {
    const pattern = new RegExp(`${flag.source}([^\\s"'\`]{1,256})`, 'g')
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const [whole, value = ''] = match
      const to = match.index + whole.length
      if (!isSaid(value)) yield { from: to - value.length, to }
    }
  }
}

/** As `.netrc` has them. */
export function* machinePasswords(text: string): Iterable<Stretch> {
  const entries = /(?:machine\s{1,8}\S{1,256}|default)\s{1,8}login\s{1,8}\S{1,256}\s{1,8}password\s{1,8}([^\s`…]{1,512})/g
  for (let match = entries.exec(text); match !== null; match = entries.exec(text)) {
    const value = match[1] ?? ''
    const to = match.index + match[0].length
    if (!isSaid(value)) yield { from: to - value.length, to }
  }
}

/** A reference, or the word `password` itself. */
function isSaid(value: string): boolean {
  return isNoSecret(value) || /^(?:password|passwd|secret)$/i.test(value)
}
