// What the host says around a call of the model: the words that the user typed, and texts of the model that become no event yet.
import { z } from 'zod'
import { asName } from '../../events/event-definition.js'
import { canonicalJson } from '../../foundation/canonical-json.js'
import { type HookContext, hook, hookFactsOf } from '../hook.js'
import { turnWords } from './session.js'

/** A multimodal message is a list of parts; those of type `text` hold words. */
const partSchema = z.looseObject({ type: z.string().optional(), text: z.string().optional() })
const userMessageSchema = z.union([z.string(), z.array(z.union([z.string(), partSchema]))])

export const llmCallHooks = {
  pre_llm_call: hook({
    extra: z.looseObject({
      user_message: userMessageSchema,
      platform: z.string().optional(),
      sender_id: z.string().nullish(),
      turn_id: z.string().nullish(),
      task_id: z.string().nullish(),
    }),
    observe: (_, extra, context) => {
      const { text, others } = partsOf(extra.user_message)
      const facts = {
        turn: (context.seen?.turns ?? 0) + 1,
        platform: asName(extra.platform ?? ''),
        characters: Array.from(text).length,
        digest: context.digest('text', text),
        ...(others === undefined ? {} : { otherParts: others.length }),
        ...hookFactsOf(context),
      }
      const sender = typeof extra.sender_id === 'string' ? { sender: extra.sender_id } : {}
      const otherParts =
        others === undefined || others.length === 0 ? {} : { otherParts: others.map((part) => digestOf(part, context)) }
      const words = { text, ...sender, ...turnWords(extra), ...otherParts }
      return [{ type: 'message.captured', session: context.session, facts, words }]
    },
  }),
  post_llm_call: hook({ extra: z.looseObject({}), observe: () => [] }),
  transform_llm_output: hook({ extra: z.looseObject({}), observe: () => [] }),
}

/** The text parts joined in order, and the parts that are not text; undefined where the message was plain text. */
function partsOf(message: z.infer<typeof userMessageSchema>): { text: string; others: z.infer<typeof partSchema>[] | undefined } {
  if (typeof message === 'string') return { text: message, others: undefined }
  const texts: string[] = []
  const others: z.infer<typeof partSchema>[] = []
  for (const part of message) {
    if (typeof part === 'string') texts.push(part)
    else if (part.type === 'text' && part.text !== undefined) texts.push(part.text)
    else others.push(part)
  }
  return { text: texts.join('\n'), others }
}

function digestOf(part: z.infer<typeof partSchema>, { digest }: HookContext) {
  const text = canonicalJson(part)
  return { type: part.type ?? '', bytes: Buffer.byteLength(text), digest: digest('file', text) }
}
