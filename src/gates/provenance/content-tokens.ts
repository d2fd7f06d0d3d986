// The words by which a quote is told to be about a claim: Latin words of three letters or more, and of scripts without blanks every two
// neighbours. No likeness counts: "lint" is not "linter".
import { cjkCharacter } from './cjk-character.js'

const run = /[\p{L}\p{N}\p{M}]+/gu
const cjkOrNot = new RegExp(`${cjkCharacter}+|(?:(?!${cjkCharacter}).)+`, 'gu')
const cjkStart = new RegExp(`^${cjkCharacter}`, 'u')
const letter = /\p{L}/gu
const lettersMin = 3

/** Words that any two sentences share. What is left of a contraction before its apostrophe stands here too. */
const stopWords = new Set(
  (
    'the and but for nor yet you your yours our ours his her hers its him she they them their theirs that this these those ' +
    'there here with without from into onto over under about than then too very are was were been being has have had having does did ' +
    'doing done will would shall should can could may might must not any all some who whom whose which what when where why how ' +
    'just also only let lets get got out off because while also please don won isn aren wasn weren doesn didn hasn haven hadn couldn ' +
    'shouldn wouldn mustn needn ain yes'
  ).split(' '),
)

/** The content tokens of a text, in lower case. */
export function contentTokens(text: string): Set<string> {
  const tokens = new Set<string>()
  for (const [found] of text.toLowerCase().matchAll(run)) {
    for (const [part] of found.matchAll(cjkOrNot)) {
      if (cjkStart.test(part)) for (const pair of neighbours(part)) tokens.add(pair)
      else if (isContent(part)) tokens.add(part)
    }
  }
  return tokens
}

function isContent(word: string): boolean {
  return !stopWords.has(word) && (word.match(letter)?.length ?? 0) >= lettersMin
}

function neighbours(text: string): string[] {
  const characters = [...text]
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`)
}

/** How many tokens two sets share, counted as far as `most`. */
export function sharedTokens(some: ReadonlySet<string>, others: ReadonlySet<string>, most = Number.POSITIVE_INFINITY): number {
  const [few, many] = some.size < others.size ? [some, others] : [others, some]
  let shared = 0
  for (const token of few) {
    if (many.has(token)) shared += 1
    if (shared >= most) break
  }
  return shared
}

const subject = /(?<![\p{L}\p{N}])(?:users?|owners?)(?![\p{L}\p{N}])|用户|用戶|使用者|主人|老板|老闆|负责人|負責人/iu

/** The tokens of what a claim says, without whom it says it of: that a quote speaks of users makes it about no decision of theirs. */
export function claimTokens(rest: string): Set<string> {
  return contentTokens(rest.replace(subject, ' '))
}

const unit = new RegExp(`${cjkCharacter}|(?:(?!${cjkCharacter})[^\\s])+`, 'gu')
const letterOrDigit = /[\p{L}\p{N}]/u

/** How long a quote is: a Latin word, between blanks, and a CJK character are one each. Counted as far as `most`. */
export function lengthInWords(text: string, most = Number.POSITIVE_INFINITY): number {
  let length = 0
  for (const [found] of text.matchAll(unit)) {
    if (letterOrDigit.test(found)) length += 1
    if (length >= most) break
  }
  return length
}
