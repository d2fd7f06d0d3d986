// What the host says around a call of the model: the words that the user typed, and texts of the model that become no event yet.
import { z } from 'zod'
import { asName } from '../../events/event-definition.js'
import { canonicalJson } from '../../foundation/canonical-json.js'
import { capturedText } from '../captured-text.js'
import { type HookContext, hook } from '../hook.js'
import { turnWords } from './session.js'

/** A multimodal message is a list of parts; those of type `text` hold words. */
const partSchema = z.looseObject({ type: z.string().optional(), text: z.string().optional() })
const userMessageSchema = z.union([z.string(), z.array(z.union([z.string(), partSchema]))])
type UserMessage = z.infer<typeof userMessageSchema>

const turnExtra = z.looseObject({
  user_message: userMessageSchema,
  platform: z.string().optional(),
  sender_id: z.string().nullish(),
  turn_id: z.string().nullish(),
  task_id: z.string().nullish(),
})

export const llmCallHooks = {
  pre_llm_call: hook({
    extra: turnExtra,
    observe: (_, extra, context) => {
      const { session, seen, provenance, host } = context
      const tooLong = charactersOf(extra.user_message) > charactersMax
      const captured = tooLong
        ? tooLongMessage
        : capturedText(extra.user_message, {
            platform: extra.platform ?? '',
            origin: host.write_origin ?? '',
          })
      const platform = asName(extra.platform ?? '')
      if (captured.kind === 'skipped') {
        const { why, lost } = captured
        // The host's own review runs beside the user's turns and begins none of them.
        const turn = why === 'self_review' ? 0 : seen.turns + 1
        const characters = charactersOf(extra.user_message)
        return [
          {
            type: 'message.skipped',
            session,
            facts: { turn, platform, characters, why, ...(lost === 0 ? {} : { lost }), ...provenance },
          },
        ]
      }
      const { text, stripped, senderLabel, lost, marksCut } = captured
      const others = otherPartsOf(extra.user_message, context)
      const facts = {
        turn: seen.turns + 1,
        platform,
        characters: codePointsIn(text),
        digest: context.digest('text', text),
        ...(others === undefined ? {} : { otherParts: others.length }),
        ...(stripped.length === 0 ? {} : { stripped: [...stripped] }),
        ...(lost === 0 ? {} : { lost }),
        ...(marksCut === 0 ? {} : { marksCut }),
        ...provenance,
      }
      const words = {
        text,
        ...(typeof extra.sender_id === 'string' ? { sender: extra.sender_id } : {}),
        ...(senderLabel === undefined ? {} : { senderLabel }),
        ...turnWords(extra),
        ...(others === undefined || others.length === 0 ? {} : { otherParts: others }),
      }
      return [{ type: 'message.captured', session, facts, words }]
    },
  }),
  post_llm_call: hook({ extra: z.looseObject({}), observe: () => [] }),
  transform_llm_output: hook({ extra: z.looseObject({}), observe: () => [] }),
  llm_request: hook({ extra: z.looseObject({}), comesAgain: true, observe: () => [] }),
}

/** Nobody types as much; what is looked for in it would keep every other hook waiting. */
const charactersMax = 1024 * 1024
const tooLongMessage = { kind: 'skipped', why: 'too_long', lost: 0 } as const

/** Parts of a multimodal message that are not text, each by its digest; undefined where the message was plain text. */
function otherPartsOf(message: UserMessage, { digest }: HookContext) {
  if (typeof message === 'string') return undefined
  return message.flatMap((part) => {
    if (typeof part === 'string' || (part.type === 'text' && part.text !== undefined)) return []
    const text = canonicalJson(part)
    return [{ type: part.type ?? '', bytes: Buffer.byteLength(text), digest: digest('file', text) }]
  })
}

function charactersOf(message: UserMessage): number {
  if (typeof message === 'string') return codePointsIn(message)
  return message.reduce((sum, part) => sum + codePointsIn(typeof part === 'string' ? part : (part.text ?? '')), 0)
}

/** Unicode code points; a list of them would cost many times the text. */
function codePointsIn(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
