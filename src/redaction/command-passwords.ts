// Finds passwords in the words of command lines, where a short flag of a known program, or the place of a word, carries them.
import { looksChosen } from './looks-chosen.js'
import { isAboutASecret } from './name-kind.js'
import { isNoSecret } from './no-secret.js'
import type { Stretch } from './stretch.js'

interface Command {
  /** Programs, with their verbs, one between two bars. */
  readonly programs: string
  /** What stands before a value, behind the program. */
  readonly flag: RegExp
  /** What of the value is none; one where this does not stand is no secret. */
  readonly head?: RegExp
  /** Without this word the command is not meant. */
  readonly beside?: string
}

const first = /^\s+(?!-)/
const second = /^\s+(?!-)\S+\s+(?!-)/
const assigned = /^[A-Za-z_][\w.-]*=/

const passwordCommands: readonly Command[] = [
  {
    programs: 'mysql|mysqldump|mysqladmin|mysqlimport|mysqlpump|mysqlshow|mariadb|mariadb-dump|mariadb-admin',
    flag: /\s-p(?=[^\s-])/,
  },
  { programs: '7z|7za|7zr|rar|unrar', flag: /\s-h?p(?=[^\s-])/ },
  { programs: 'sshpass', flag: /\s-p\s*(?!-)/ },
  {
    programs: '(?:docker|podman|nerdctl|buildah|skopeo|helm registry|oras|crane auth|oc|cf|az) login|twine upload',
    flag: /\s-p[ =]\s*(?!-)/,
  },
  {
    programs:
      'mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|cqlsh|psexec(?:64)?|rdesktop|rpcclient|evil-winrm|crackmapexec|useradd|usermod',
    flag: /\s-p\s+(?!-)/,
  },
  { programs: 'redis-cli|valkey-cli', flag: /\s(?:-a|AUTH|auth)\s+(?!-)/ },
  { programs: 'ldapsearch|ldapadd|ldapmodify|ldapdelete|ldapwhoami|ldappasswd|ldapmodrdn', flag: /\s-[ws]\s+(?!-|base|one|sub)/ },
  { programs: 'sqlcmd|bcp|mosquitto_pub|mosquitto_sub|ipmitool|zip|unzip', flag: /\s-P\s*(?!-)/ },
  { programs: 'snmpget|snmpwalk|snmpset|snmpbulkwalk|snmptable|snmptrap', flag: /\s-[AX]\s+(?!-)/ },
  { programs: 'xfreerdp|wlfreerdp|freerdp|mstsc', flag: /\s\/p:/ },
  { programs: 'ssh-keygen', flag: /\s-[NP]\s+(?!-)/ },
  { programs: 'openssl', flag: /\s-pass(?:in|out)?\s+/, head: /^pass:/ },
  { programs: 'openssl enc', flag: /\s-[kK]\s+(?!-)/ },
  { programs: 'htpasswd', flag: /^\s+-\w{0,8}b\w{0,8}\s+\S+\s+\S+\s+/ },
  { programs: 'nmcli', flag: /\spassword\s+/ },
  { programs: 'rabbitmqctl add_user|rabbitmqctl change_password|wpa_passphrase', flag: second },
  {
    programs: 'vault login|cargo login|ngrok authtoken|ngrok config add-authtoken|nuget setapikey|bw unlock',
    flag: first,
    head: /^(?![\w-]{1,64}=|http)/,
  },
  { programs: 'bw login', flag: /^\s+\S+@\S+\s+(?!-)/ },
  { programs: 'ansible-vault encrypt_string', flag: /^\s+(?=["'])/ },
  { programs: 'mc alias set|mc config host add', flag: /^\s+\S+\s+\S+\s+\S+\s+(?!-)/ },
  { programs: 'aws configure set', flag: /^\s+(?:[\w-]+\.)*aws_(?:secret_access_key|session_token)\s+/ },
  {
    programs: '(?:npm|yarn|pnpm) config set|git config|composer config',
    flag: /\s\S{0,128}(?:_authToken|_auth|_password|\.token|\.password)\s+/,
  },
  { programs: '(?:poetry|composer) config', flag: /\s(?:http-basic\.\S{1,64}\s+\S+|pypi-token\.\S{1,64})\s+/ },
  { programs: 'gh secret set', flag: /\s(?:--body|-b)[ =]\s*/ },
  { programs: 'az keyvault secret set', flag: /\s--value[ =]\s*/ },
  { programs: 'aws ssm put-parameter', flag: /\s--value[ =]\s*/, beside: 'SecureString' },
  { programs: 'dotnet user-secrets set', flag: /^\s+(?:\\?"[^"\n]{1,128}"|\S+)\s+/ },
  { programs: '(?:kubectl|oc) create secret', flag: /\s--from-literal[ =]\s*/, head: assigned },
  { programs: '(?:fly|flyctl|doppler|supabase) secrets set', flag: /\s(?!-)/, head: assigned },
]

/** Names and passwords, as one word. */
const userCommands: readonly Command[] = [
  {
    programs: 'curl|wget|https?|xh|ab|siege|hey|aria2c|httpie|grpcurl',
    flag: /\s(?:-u\s*|-U\s*|-a\s+|--user[ =]\s*|--proxy-user[ =]\s*|--auth[ =]\s*)(?!-)/,
    head: /^[^\s:$%{]{1,128}:/,
  },
  { programs: 'smbclient|net|rpcclient|smbmap|smbget', flag: /\s(?:-U\s*|--user[ =])/, head: /^[^\s%$]{1,128}%/ },
  { programs: 'lftp', flag: /\s(?:-u\s*|--user[ =])/, head: /^[^\s,$]{1,128},/ },
  { programs: 'skopeo|buildah|podman|crane', flag: /\s--(?:src-|dest-)?creds[ =]\s*/, head: /^[^\s:$]{1,128}:/ },
]

const cookieCommands: readonly Command[] = [
  { programs: 'curl|wget|https?', flag: /\s(?:-b\s*|--cookie[ =]\s*)/, head: /^(?=[\w.-]{1,64}=)/ },
]

/** In quotes, which may be escaped, or one word. */
const value = String.raw`(?:(\\{0,4}["'])([^\n]{1,256}?)\1|((?:[^\s"'\`\\;|&<>]|\\[!$&#*()]){1,256}))`

/** How far behind its program a flag may stand. */
const wordsCharactersMax = 384

function finder(commands: readonly Command[]): (text: string) => Iterable<Stretch> {
  const compiled = commands.map(({ programs, flag, head, beside }) => ({
    program: new RegExp(`(?<!(?<!\\\\)[\\w.-])(?:${programs.replaceAll(' ', '[ \\t]{1,4}')})(?:\\.exe)?(?=\\s)`, 'g'),
    value: new RegExp(`(?:${flag.source})${value}`, 'g'),
    head,
    beside,
  }))
  return function* (text) {
    for (const { program, value, head, beside } of compiled) {
      program.lastIndex = 0
      for (let start = program.exec(text); start !== null; ) {
        const from = program.lastIndex
        start = program.exec(text)
        const next = program.lastIndex
        // A program that is named again has its own words.
        const words = ownWords(text, from, start?.index ?? text.length)
        if (beside !== undefined && !words.includes(beside)) continue
        value.lastIndex = 0
        for (let match = value.exec(words); match !== null; match = value.exec(words)) {
          const found = secretOf(match, head)
          if (found !== undefined) yield { from: from + found.from, to: from + found.to }
        }
        program.lastIndex = next
      }
    }
  }
}

/** To the end of its command: to a line break, a bar or a semicolon outside of quotes. */
function ownWords(text: string, from: number, limit: number): string {
  const words = /^(?:\\[\s\S]|"[^"\n]{0,256}"|'[^'\n]{0,256}'|[^"'\n;|&\\])*/
  return words.exec(text.slice(from, Math.min(limit, from + wordsCharactersMax)))?.[0] ?? ''
}

function secretOf(match: RegExpExecArray, head: RegExp | undefined): Stretch | undefined {
  const [whole, quote = '', inQuotes, bare = ''] = match
  const said = inQuotes ?? bare
  const taken = head?.exec(said)?.[0]
  if (head !== undefined && taken === undefined) return undefined
  if (head === assigned && isAboutASecret(taken ?? '')) return undefined
  const secret = said.slice(taken?.length ?? 0)
  if (secret === '' || isSaid(secret)) return undefined
  const to = match.index + whole.length - quote.length
  return { from: to - secret.length, to }
}

export const commandPasswords = finder(passwordCommands)
/** `-u name:password`: the password. */
export const commandUsers = finder(userCommands)
export const commandCookies = finder(cookieCommands)

/** As `.netrc` has them, `.pgpass`, and people. */
export function* machinePasswords(text: string): Iterable<Stretch> {
  for (const shape of machines) {
    for (const match of text.matchAll(shape)) {
      const value = match[1] ?? ''
      const to = match.index + match[0].length
      if (!isSaid(value)) yield { from: to - value.length, to }
    }
  }
  for (const match of text.matchAll(both)) {
    const value = match[1] ?? ''
    const to = match.index + match[0].length
    if (looksChosen(value) && !isSaid(value)) yield { from: to - value.length, to }
  }
}

/** `credentials: bob / hunter2` */
const both = /\b(?:credentials|creds|login|zugangsdaten)\s{0,2}[:=]\s{0,4}[\w.@-]{1,64}\s?[/:|]\s?([^\s"'`<>,;]{6,128})/gi

const machines: readonly RegExp[] = [
  /(?:machine\s{1,8}\S{1,256}|default)\s{1,8}login\s{1,8}\S{1,256}\s{1,8}password\s{1,8}([^\s`…]{1,512})/g,
  /^[\w.*-]{1,128}:(?:543[0-9]|6432|\*):[\w*-]{1,64}:[\w.@*-]{1,64}:([^\s:]{1,256})$/gm,
]

/** A reference, or the word `password` itself. */
function isSaid(value: string): boolean {
  return isNoSecret(value) || /^(?:password|passwd|secret)$/i.test(value)
}
