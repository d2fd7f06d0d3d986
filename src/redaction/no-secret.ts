// Which values are no secrets whatever their name says: references to where one is, types, masks, paths, the words of a sentence.
import { looksRandom } from './looks-random.js'
import { isMarker } from './markers.js'
import { nameKind } from './name-kind.js'

/** Words that stand where a value would stand, and are none. */
const noValues: ReadonlySet<string> = new Set(
  (
    'true false yes no on off none null nil undefined unset empty nan ok default auto inherit required optional string str bytes any unknown ' +
    'number int integer bool boolean object char text varchar uuid buffer array list map dict func function async await new self this return ' +
    'hidden masked redacted removed omitted secret-here todo tbd changeme-here field plain'
  ).split(' '),
)

/** What follows a name in a sentence. */
const sentenceWords: ReadonlySet<string> = new Set(
  (
    'a an the is are was were be been must should shall can cannot could may might will would has have had not and or but if in on at to of for ' +
    'from with without by as see use using used enter type your my our their it its this that these those invalid incorrect wrong missing ' +
    'expired expires changed reset needs need please min max minimum maximum at-least only option flag flags argument arguments parameter ' +
    'value values here below above via when where which who how into than then so too very also just required optional field string unexpected ' +
    'expected punc eof end'
  ).split(' '),
)

export function isSentenceWord(value: string): boolean {
  return sentenceWords.has(value.toLowerCase().replace(/[.,:;!?)]+$/, ''))
}

/** Whether a value only says where a secret is, or that there is none. */
export function isNoSecret(value: string): boolean {
  if (value === '' || isMarker(value)) return true
  const bare = value.replace(/[.,:;!?)\]}]+$/, '').toLowerCase()
  if (bare === '' || noValues.has(bare)) return true
  // Masks.
  if (/^[[(<*{]{1,3} ?(?:redacted|hidden|masked|filtered|removed|censored|secret|omitted)[^a-z]{0,8}$/i.test(value)) return true
  // Places in a text to come: %s, {token}.
  if (/^(?:Bearer |Basic |token )?(?:%[sdrvqp]|\{[\w.[\]'"]{0,128}\})$/i.test(value)) return true
  if (/^(?:[*•.\-_#?…]+|x{3,})$/i.test(value)) return true
  // References: $NAME, ${NAME}, $(…), %NAME%, {{ … }}, <…>, @file.
  if (/^(?:Bearer |Basic |token )?(?:\$\{|\$\(|\$[A-Za-z_]\w*$|\{\{|\$\{\{|%[A-Z_]+%$|<[^>]*>?$)/i.test(value)) return true
  if (/^@(?:\/|\.|~)/.test(value)) return true
  if (/^(?:your|example|insert|replace)[-_ ](?:[a-z]+[-_ ]){0,5}[a-z]+$/i.test(value)) return true
  // What a program would look up: a call, a member, an index.
  if (/^[A-Za-z_$][\w.$]*(?:\(|\[|->|::)/.test(value)) return true
  if (
    /^(?:process\.env|import\.meta|os\.environ|env|secrets|vars|inputs|self|this|args|config|settings|options|ctx|req|request|res|params|props)\.[\w.]+$/.test(
      value,
    )
  )
    return true
  return /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value) && nameKind(value) !== undefined
}

/** A path says where something is. */
export function isPath(value: string): boolean {
  return (
    /^(?:~|\.{1,2})?(?:\/[\w.@+-]+){1,32}\/?$/.test(value) &&
    !value.split('/').some((part) => part.length >= 20 && looksRandom(part))
  )
}
