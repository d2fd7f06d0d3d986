// Which values are no secrets whatever their name says: references to where one is, what is public, types, masks, paths, words of a sentence.
import { looksRandom } from './looks-random.js'
import { isMarker } from './markers.js'
import { nameKind } from './name-kind.js'

/** Words that stand where a value would stand, and are none. */
const noValues: ReadonlySet<string> = new Set(
  (
    'true false yes no on off none null nil undefined unset empty nan ok default auto inherit required optional string str bytes any unknown ' +
    'number int integer bool boolean object char text varchar uuid buffer array list map dict func function async await new self this return ' +
    'hidden masked redacted removed omitted secret-here todo tbd changeme-here field plain bearer basic include same-origin omit enabled disabled'
  ).split(' '),
)

/** What follows a name in a sentence. */
const sentenceWords: ReadonlySet<string> = new Set(
  (
    'a an the is are was were be been must should shall can cannot could may might will would has have had not and or but if in on at to of for ' +
    'from with without by as see use using used enter type your my our their it its this that these those invalid incorrect wrong missing ' +
    'expired expires changed reset needs need please min max minimum maximum at-least only option flag flags argument arguments parameter ' +
    'value values here below above via when where which who how into than then so too very also just required optional field string unexpected ' +
    'expected punc eof end stored hashed ' +
    'erforderlich ungültig falsch vergessen ändern pflichtfeld fehlt nicht ist wird obligatoire requis requise invalide incorrecte oublié manquant ' +
    'requerida requerido obligatoria incorrecta olvidada inválida obrigatória incorreta vereist onjuist obbligatoria errata'
  ).split(' '),
)

export function isSentenceWord(value: string): boolean {
  return sentenceWords.has(value.toLowerCase().replace(/[.,:;!?)]+$/, ''))
}

/** Shapes of what stands for a secret, or is shown to everybody. */
const shapes: readonly RegExp[] = [
  // Masks, and tokens shown in part.
  /^[[(<*{]{1,3} ?(?:redacted|hidden|masked|filtered|removed|censored|secret|omitted)[^a-z]{0,8}$/i,
  /^(?:[*•.\-_#?…/|]+|(?:x{3,}[-_]?){1,8})$/i,
  /^[A-Za-z]{1,10}[-_][\w-]{0,8}(?:\.{3,}|…|\*{3,}|[xX]{4,})[\w-]{0,6}$/,
  // Places in a text to come: %s, {token}, #{token}, __TOKEN__, @@TOKEN@@, and those of a query: ?, $1, :token.
  /^(?:Bearer |Basic |token )?(?:%[sdrvqp]|(?:\{[\w.[\]'"]{0,128}\}){1,8})$/i,
  /^(?:[#%@]\{|\[\[|<%|<\?|\{%)/,
  /^(?:__[A-Z][A-Z0-9_]{0,64}__|@@?[A-Z][A-Z0-9_]{0,64}@@?|\$[0-9]{1,2}|:[a-z_]{1,64})$/,
  // References: $NAME, ${NAME}, $(…), %NAME%, {{ … }}, <…>, @file.
  /^(?:Bearer |Basic |token )?(?:\$\{|\$\(|\$[A-Za-z_]\w*$|\{\{|\$\{\{|%[A-Z_]+%$|<[^>]*>?$)/i,
  /^@(?:\/|\.|~|Microsoft\.KeyVault)/,
  // Tags of YAML, and where managers of secrets keep them.
  /^!(?:Ref|Sub|GetAtt|ImportValue|Join|FindInMap|Base64|secret|vault|env|env_var|reference|include|input|file)\b/,
  /^(?:ref\+)?(?:vault|ssm|awssm|awsssm|awssecrets|gcpsm|gcpsecrets|akv|env|file|keyring|keychain|secretsmanager|conjur|sops|k8s):(?:\/{0,3}[A-Za-z/]|$)/i,
  /^(?:op|bws|doppler|infisical|pass|gopass):\/\//,
  /^(?:arn:[a-z-]{2,12}:|projects\/[^/]{1,64}\/secrets\/|ENC\[|\{\{resolve:)/,
  // Left to be filled in, and the examples of vendors' pages.
  /^(?:[A-Za-z]{2,8}[-_])?(?:your|example|insert|replace|enter|put)[-_ ](?:[a-z]+[-_ ]){0,5}[a-z]+$/i,
  /^[\w+/-]{0,64}EXAMPLE(?:KEY)?$/,
  // Public by design: publishable keys, public keys.
  /^(?:pk_(?:live|test)_|pk\.eyJ|pk-lf-|sb_publishable_|phc_|age1[a-z0-9]{20}|npub1)/,
  /^(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\S{1,32}|sk-(?:ssh|ecdsa)-\S{1,40})(?: |$)|^(?:MCowBQYDK2V|MFkwEwYHKoZ|MIIBIjANBgkq|MIICIjANBgkq)/,
  // A command of PowerShell.
  /^(?:Get|Read|ConvertTo|ConvertFrom|New|Import|Export|Invoke|Select|Set)-[A-Z][A-Za-z]+$/,
  // A pattern to look for one.
  /^(?:\.[*+]|\[\^?[^\]]{1,16}\][*+{]|\\{1,2}[wSd][*+{]|\(\?|\(\.|\([\\[])/,
  // What a program would look up: a call, a member, an index.
  /^[A-Za-z_$][\w.$]*(?:\(|\[|->|::)/,
  /^(?:process\.env|import\.meta|os\.environ|env|secrets|vars|inputs|self|this|args|config|settings|options|ctx|req|request|res|params|props)\.[\w.]+$/,
  // Letters of other scripts alone: a word.
  /^[^ -\u{24f}]+$/u,
]

/** Whether a value only says where a secret is, or that there is none. */
export function isNoSecret(value: string): boolean {
  if (value === '' || isMarker(value)) return true
  const bare = value.replace(/[.,:;!?)\]}]+$/, '').toLowerCase()
  if (bare === '' || noValues.has(bare)) return true
  if (shapes.some((shape) => shape.test(value))) return true
  return /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value) && nameKind(value) !== undefined
}

/** A path says where something is. */
export function isPath(value: string): boolean {
  return (
    /^(?:~|\.{1,2})?(?:\/[\w.@+-]+){1,32}\/?$/.test(value) &&
    !value.split('/').some((part) => part.length >= 20 && looksRandom(part))
  )
}

/** A path of several parts, or of a file with an ending: what people choose as a password looks like neither. */
export function isLongPath(value: string): boolean {
  return isPath(value) && (/^(?:~|\.{1,2})\//.test(value) || /^\/[^/]+\/[^/]+/.test(value))
}
