// What a payload that came again was told the first time.
import { callKey } from './call-key.js'
import { type Directive, noDirective } from './directive.js'
import type { HookHouse } from './hook-house.js'
import { answerOf } from './judge.js'
import type { ReadPayload } from './read-payload.js'
import { stricterAnswer, unreadableAnswer } from './unjudged-answer.js'

/** The answer that a payload got when it first came, from what was decided then. */
export async function firstAnswer(house: HookHouse, index: number | null, read: ReadPayload): Promise<Directive> {
  const { payload, definition } = read
  if (definition.reply === undefined || index === null) return noDirective
  const { ledger } = house
  const verdicts: FirstVerdict[] = []
  let requested = false
  const to = Math.min(index + entriesOfAnswerMax, ledger.size)
  for await (const { header, payload: facts, words } of ledger.reader.entries({ from: index, to })) {
    if (requested) {
      if (ofCall.has(header.type)) continue
      if (header.type === 'jev.settled') {
        verdicts.push(...ofProposal(facts, words))
        continue
      }
      // Behind the last decision about a call stands what has nothing to do with it.
      if (header.type !== 'gate.decided') break
      const { verdict, code, enforced } = facts as { verdict: 'allow' | 'deny' | 'ask'; code: string; enforced: boolean }
      verdicts.push({ verdict, code, enforced, reason: String(words?.['reason'] ?? '') })
    } else if (header.type === 'tool.requested') requested = true
    else if (header.type === 'hook.foreign') return stricterAnswer(payload, house.settings().modes)
    else if (header.type === 'hook.rejected') return unreadableAnswer(payload, house.settings().modes)
  }
  return definition.reply({ ...answerOf(verdicts), key: callKey(ledger, read) })
}

/** What the host heard of a proposal of the semantic stage. */
function ofProposal(
  facts: Readonly<Record<string, unknown>>,
  words: Readonly<Record<string, unknown>> | undefined,
): FirstVerdict[] {
  const { action } = facts
  if (action === undefined) return []
  const verdict = action === 'block' ? 'deny' : 'ask'
  return [{ verdict, code: 'jev', enforced: true, reason: String(words?.['message'] ?? '') }]
}

interface FirstVerdict {
  readonly verdict: 'allow' | 'deny' | 'ask'
  readonly reason: string
  readonly code: string
  readonly enforced: boolean
}

/** What stands between a call and its decisions, between two of these, and behind them. */
const ofCall = new Set<string>(['access.proposed', 'write.proposed', 'claim.judged', 'jev.abstained'])
const entriesOfAnswerMax = 300
