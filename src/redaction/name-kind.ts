// Which names say that a value is a secret: of variables, members, flags, headers and assignments, in any spelling. By whole words, so that
// `tokenizer`, `max_tokens` and `monkey` say nothing.
import { kindAbroad } from './names-abroad.js'

/**
 * `password`: people choose these, so a plain word or a number may be one. `secret`: any text may be one. `chosen`: what has letters and digits.
 * `code`: some digits. `auth`: a name with a password, or what looks like chance. `perhaps`: only what looks like chance.
 */
export type NameKind = 'password' | 'secret' | 'chosen' | 'code' | 'auth' | 'perhaps'

/** Of a longer name only the end counts. */
const nameCharactersMax = 128

// Ends of words, since vendors write `authtoken` and `dbpassword` too.
const passwordWord =
  /(?:password|passwd|passphrase|passcode|passwort|kennwort|(?:store|key|db|user|admin|root)pass|(?:^|wpa|wifi)psk)s?$/
const secretWord =
  /(?:token|secret|secrets|credentials?|authorization|cookies?|apikeys?|accesskeys?|secretkeys?|privatekeys?|signingkey|encryptionkey|authkey|accountkey|mnemonic)$/
/** Before `key` these make it a secret for sure. */
const keyOwners: ReadonlySet<string> = new Set(
  'api access secret private signing encryption encrypt decryption master account shared auth hmac subscription admin service'.split(
    ' ',
  ),
)
/** Before `key` these make it none. */
const harmlessKeys: ReadonlySet<string> = new Set(
  (
    'public pub publishable site primary foreign sort partition cache shortcut hot arrow map object row idempotency unique composite natural surrogate group ' +
    'index lookup dedupe routing translation i18n dict dictionary hash range registry any press down up host known config json yaml event'
  ).split(' '),
)
/** Before `pass` these make it a password for sure. */
const passOwners: ReadonlySet<string> = new Set(
  'db database become bind vault sa service keystore truststore user admin root mysql pg postgres postgresql redis smtp imap mail email ftp ssh login my rabbitmq mongo ldap proxy sudo wifi http'.split(
    ' ',
  ),
)
/** At the end of a name: it says something about a secret and holds none. */
const aboutASecret: ReadonlySet<string> = new Set(
  (
    'path paths file files filename dir directory folder home sock socket name names type types mode method provider scheme enabled disabled ' +
    'required optional timeout ttl limit limits count counts counter max min maximum minimum length len size sizes budget usage used remaining ' +
    'left total cost price rate id ids url urls uri endpoint host port user username email expires expiry expiration expired age date time ' +
    'seconds ms minutes hours days at created updated issued format regex pattern policy rule rules field fields header headers prefix suffix ' +
    'hint label title description desc message msg placeholder prompt version status state valid invalid validation validator error errors ' +
    'reset change changed manager store class kind source location region index position offset start end ring issuer audience scope scopes ' +
    'algorithm alg strategy strength rotation exists present supported per window context estimate ratio consent banner jar domain samesite ' +
    'ref refs reference selector picker input form page button link bot parser stream list arn fingerprint visible shown help flow request'
  ).split(' '),
)
/** At the beginning of a name: a number, or yes and no. */
const countsAndAnswers: ReadonlySet<string> = new Set(
  'existing max min num n total count has is use uses should show hide no without allow enable disable require requires forgot per avg used prompt completion'.split(
    ' ',
  ),
)
/** Behind the word itself these only say which one it is. */
const whichOne: ReadonlySet<string> = new Set(
  (
    'prod production dev development staging stage live test testing base base64 b64 value raw primary secondary old new current previous next ' +
    'key keys string default backup main local remote data plain eu us ci'
  ).split(' '),
)
/** Hosts put ids of their own into variables that are called so; without them no session could be told from another. */
const routing = /^hermes_session_/i

/** What a name says of its value; undefined where it says nothing. */
export function nameKind(name: string): NameKind | undefined {
  if (routing.test(name)) return undefined
  // The working folder.
  if (name === 'PWD' || name === 'OLDPWD') return undefined
  const abroad = kindAbroad(name)
  if (abroad !== undefined) return abroad
  const words = wordsOf(name)
  const last = words.at(-1)
  const [first = ''] = words
  if (last === undefined || (words.length > 1 && countsAndAnswers.has(first))) return undefined
  const kind = kindOfEnd(words, name)
  if (kind !== undefined) return kind
  if (words.length < 2 || (aboutASecret.has(last) && last !== 'name')) return undefined
  for (let end = words.length - 1; end > 0; end -= 1) {
    const inside = kindOfEnd(words.slice(0, end), name)
    if (inside === 'code') return undefined
    if (inside !== undefined) return words.slice(end).every((word) => whichOne.has(word)) ? inside : 'perhaps'
  }
  return undefined
}

/** Whether a name says that its value names somebody or something, and is no secret itself. */
export function isAboutASecret(name: string): boolean {
  return aboutASecret.has(wordsOf(name).at(-1) ?? '')
}

/** Whether a name says what a secret is called, and not what it is. */
export function endsInName(name: string): boolean {
  return wordsOf(name).at(-1) === 'name'
}

/** The words of a name in lower case, without numbers at its end: `stripeApiKey2` is `stripe`, `api`, `key`. */
export function wordsOf(name: string): readonly string[] {
  const words = name
    .slice(-nameCharactersMax)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/(?<=[a-z])[0-9]+$/, (digits, _at, whole: string) => (whole.endsWith('base64') ? digits : '')))
    .filter((word) => word !== '')
  while (words.length > 1 && /^[0-9]+$/.test(words.at(-1) ?? '')) words.pop()
  return words
}

function kindOfEnd(words: readonly string[], name: string): NameKind | undefined {
  const last = words.at(-1) ?? ''
  const before = words.at(-2)
  if (passwordWord.test(last)) return 'password'
  if (secretWord.test(last)) return 'secret'
  switch (last) {
    case 'key':
    case 'keys':
      if (before === undefined || harmlessKeys.has(before)) return undefined
      return keyOwners.has(before) ? 'secret' : 'perhaps'
    case 'pwd':
    case 'pw':
      return 'password'
    case 'pass':
      if (before === undefined) return 'chosen'
      return passOwners.has(before) || name === name.toUpperCase() ? 'password' : 'chosen'
    case 'pin':
    case 'otp':
    case 'puk':
    case 'cvv':
      return 'code'
    case 'auth':
      return 'auth'
    case 'phrase':
      return before === 'seed' || before === 'recovery' || before === 'pass' ? 'secret' : undefined
    case 'tokens':
    case 'bearer':
    case 'jwt':
    case 'pat':
    case 'jsessionid':
    case 'phpsessid':
      return 'perhaps'
    // Cookies of some frameworks: `connect.sid`, `laravel_session`.
    case 'sid':
      return before === 'connect' ? 'perhaps' : undefined
    case 'session':
      return before !== undefined && /^(?:laravel|gitlab|rails|ci|app|wordpress|symfony)$/.test(before) ? 'perhaps' : undefined
    default:
      return undefined
  }
}
