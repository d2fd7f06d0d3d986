// A dry run on a text: what the gate would say of it as an entry of a memory. It reads nothing but what it is handed.
import { judgeWrite } from './judge-write.js'
import { prepareEvidence } from './prepare-evidence.js'

/** A line of `stele check --batch -`. Messages come oldest first; the last is the newest. */
export interface TextToCheck {
  readonly id?: string | number
  readonly text: string
  readonly messages?: readonly {
    readonly text: string
    readonly session?: 'this' | 'parent' | 'other'
    readonly sender?: string
  }[]
  readonly search?: 'session' | 'profile'
  readonly scope?: 'decisions' | 'decisions+preferences'
  /** The text that it takes the place of. */
  readonly stored?: string
}

export interface CheckedText {
  readonly id?: string | number
  readonly verdict: 'no_claim' | 'pass' | 'flag'
  readonly claims: readonly CheckedClaim[]
}

export interface CheckedClaim {
  readonly claim: string
  readonly quote: string | null
  readonly verdict: 'pass' | 'flag'
  readonly reason: string | null
  readonly matchedIn: string | null
  /** The place of the message that backs it among those that were handed in. */
  readonly message: number | null
}

export function checkText({
  id,
  text,
  messages = [],
  search = 'session',
  scope = 'decisions',
  stored,
}: TextToCheck): CheckedText {
  const evidence = prepareEvidence({
    messages: messages.map((message, index) => ({
      index,
      text: message.text,
      session: message.session === 'other' ? 'other' : 'this',
      sender: message.sender ?? '',
      attested: true,
    })),
    profile: search === 'profile',
    stored: stored === undefined ? [] : [stored],
    attestedOnly: false,
    unavailable: false,
  })
  const { claims } = judgeWrite({ judged: [text], stored: stored === undefined ? [] : [stored], scope }, evidence)
  const checked = claims.map(({ claim, verdict: { outcome, reason, quote, matchedIn, message } }): CheckedClaim => {
    const verdict = outcome === 'supported' ? 'pass' : 'flag'
    return { claim: claim ?? '', quote, verdict, reason, matchedIn, message }
  })
  const verdict = checked.length === 0 ? 'no_claim' : checked.every((one) => one.verdict === 'pass') ? 'pass' : 'flag'
  return { ...(id === undefined ? {} : { id }), verdict, claims: checked }
}
