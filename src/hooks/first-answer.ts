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
  const verdicts: { verdict: 'allow' | 'deny' | 'ask'; reason: string; code: string; enforced: boolean }[] = []
  let requested = false
  const to = Math.min(index + entriesOfAnswerMax, ledger.size)
  for await (const { header, payload: facts, words } of ledger.reader.entries({ from: index, to })) {
    if (requested) {
      if (ofCall.has(header.type)) continue
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

/** What stands between a call and its decisions, and between two of these. */
const ofCall = new Set<string>(['access.proposed', 'write.proposed', 'claim.judged'])
const entriesOfAnswerMax = 300
