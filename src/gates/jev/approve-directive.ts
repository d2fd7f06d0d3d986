// What the host is told to ask a person, or to refuse: never to allow. Nothing in it can move a cursor or hide: what is left out is said, and
// every text is one line of what a person can read.
import { cutText, excerptText } from '../../redaction/cut-text.js'
import { type CleanValue, type SanitizeOptions, sanitizeValue } from '../../redaction/sanitize.js'
import { argumentText, type DigestText } from './argument-digest.js'
import { shownText } from './shown-text.js'

/** There is no directive that allows. */
export type JevDirective =
  | { readonly action: 'approve'; readonly rule_key: string; readonly message: string }
  | { readonly action: 'block'; readonly message: string }

export interface ApproveInput {
  readonly tool: string
  /** Of all of the arguments; undefined where they have none: then an approval could cover any call. */
  readonly digest: string | undefined
  /** The arguments, sanitized. */
  readonly shown: CleanValue
  readonly triggers: readonly string[]
  /** What was judged is not all, or not plain: an approval of it must never cover another call. */
  readonly oneOff: boolean
  /** 32 hex characters of chance, handed in. */
  readonly fresh: string
  /** Keyed: the host keeps rule keys, and secrets must not be guessed from them. */
  readonly digestOf: DigestText
  readonly sanitize: SanitizeOptions
}

export interface ApproveDirective {
  readonly action: 'approve'
  readonly rule_key: string
  readonly message: string
}

const toolCharactersMax = 80
const argumentCharactersMax = 320
const ruleKeyMax = 256
const scopeCharacters = 24

/** The caution of a call whose arguments are not those that were assessed. */
const changedCaution = 'The arguments of this call are not the ones that were assessed a moment ago, so nothing is known of them.'
const oneOffCaution =
  'What was judged is incomplete or depends on what was said before. Look at the whole call; if it is not shown, deny it and ask for a narrower one. Do not choose "always".'
const closing = 'Confirm only if you want exactly this. The other policies of the host hold as well.'

export function approveDirective(input: ApproveInput): ApproveDirective {
  const { tool, digest, triggers, fresh, digestOf, sanitize } = input
  const shown = shownArguments(input.shown)
  const oneOff = input.oneOff || shown.isCut
  const toolKey = digestOf(argumentText({ tool }) ?? '').slice(0, 16)
  const scope = oneOff || digest === undefined ? fresh : digest.slice(0, scopeCharacters)
  const parts = [
    `Jev signal: ${triggers.join(', ')}.`,
    `Tool: ${shownTool(tool, sanitize)}.`,
    `Arguments: ${shown.text}`,
    ...(triggers.includes('arguments_changed') ? [changedCaution] : []),
    ...(oneOff ? [oneOffCaution] : []),
    closing,
  ]
  return {
    action: 'approve',
    rule_key: `jev:${toolKey}:${triggers.join('+')}:${scope}`.slice(0, ruleKeyMax),
    message: parts.join('\n'),
  }
}

/** Whether an approval of it covers no other call: its key ends in chance, which is longer than the part of a digest. */
export function isOneOff(directive: JevDirective): boolean {
  return directive.action === 'approve' && (directive.rule_key.split(':').at(-1) ?? '').length > scopeCharacters
}

export function blockDirective(): JevDirective {
  return {
    action: 'block',
    message:
      'The arguments of this call could not be tied to an exact approval: they are incomplete or too large. Take a smaller action, or split it into several.',
  }
}

function shownTool(tool: string, sanitize: SanitizeOptions): string {
  const { value } = sanitizeValue(tool, sanitize)
  return shownText(cutText(String(value), toolCharactersMax))
}

/** Cut before it is escaped, so that no escape is cut in two. */
function shownArguments({ value, complete }: CleanValue): { readonly text: string; readonly isCut: boolean } {
  const text = JSON.stringify(value)
  const cut = excerptText(text, argumentCharactersMax)
  return { text: shownText(cut), isCut: cut !== text || !complete }
}
