// What the host says around an approval: what was shown to whoever answers, and what the answer was. It tells neither of an approval that it
// gave or refused by itself, with nobody asked.
import { z } from 'zod'
import { asName } from '../../events/event-definition.js'
import { type HookContext, hook } from '../hook.js'
import { extraText } from './extra-text.js'
import { turnWords } from './session.js'

const approvalExtra = z.looseObject({})

type ApprovalExtra = Readonly<Record<string, unknown>>

/** Under such a key a plugin has asked. */
const pluginKey = 'plugin_rule:'
const keysMax = 64

export const approvalHooks = {
  pre_approval_request: hook({
    extra: approvalExtra,
    toldApartBy: ['command', 'description', 'pattern_key', 'pattern_keys', 'surface'],
    observe: (_, extra, context) => {
      const command = extraText(extra, 'command')
      const description = extraText(extra, 'description')
      const shown = `${command}\n${description}`
      const keys = keysOf(extra)
      const facts = {
        call: callOf(extra, context),
        surface: asName(extraText(extra, 'surface')),
        asked: keys.some((key) => key.startsWith(pluginKey)) ? ('rule' as const) : ('host' as const),
        shown: context.digest('text', shown),
        shownBytes: Buffer.byteLength(shown),
        ...context.provenance,
      }
      return [
        { type: 'approval.requested', ...sessionOf(context), facts, words: { ...idWords(extra), command, description, keys } },
      ]
    },
  }),
  post_approval_response: hook({
    extra: approvalExtra,
    toldApartBy: ['choice', 'decided_by', 'pattern_key', 'pattern_keys', 'surface'],
    observe: (_, extra, context) => {
      const facts = {
        request: requestOf(extra, context),
        call: callOf(extra, context),
        answer: asName(extraText(extra, 'choice')),
        by: answeredBy(extra),
        ...context.provenance,
      }
      return [{ type: 'approval.answered', ...sessionOf(context), facts, words: { ...idWords(extra), keys: keysOf(extra) } }]
    },
  }),
}

function sessionOf({ session }: HookContext) {
  return session === '' ? {} : { session }
}

function keysOf(extra: ApprovalExtra): string[] {
  const { pattern_keys: several } = extra
  const keys = Array.isArray(several) ? several : [extraText(extra, 'pattern_key')]
  return keys.filter((key): key is string => typeof key === 'string' && key !== '').slice(0, keysMax)
}

function idWords(extra: ApprovalExtra) {
  const turn = { turn_id: extraText(extra, 'turn_id') || null, task_id: extraText(extra, 'task_id') || null }
  const call = extraText(extra, 'tool_call_id')
  return { ...turnWords(turn), ...(call === '' ? {} : { call }) }
}

function callOf(extra: ApprovalExtra, { seen: { openCalls } }: HookContext): number | null {
  const id = extraText(extra, 'tool_call_id')
  return id === '' ? null : (openCalls.filter(({ call }) => call === id).at(-1)?.index ?? null)
}

/** The open request with the same call and keys. An answer to one that is over, while another is open, is not that one's. */
function requestOf(extra: ApprovalExtra, { seen: { openApprovals } }: HookContext): number | null {
  const call = extraText(extra, 'tool_call_id')
  const keys = keysOf(extra).join('\n')
  return openApprovals.filter((one) => one.call === call && one.keys === keys).at(-1)?.index ?? null
}

const personal: ReadonlySet<string> = new Set(['once', 'session', 'always', 'deny'])
const unanswered: ReadonlySet<string> = new Set(['timeout', 'cancelled', 'notify_failed'])

function answeredBy(extra: ApprovalExtra) {
  const choice = extraText(extra, 'choice')
  if (extraText(extra, 'surface') === 'smart' || extraText(extra, 'decided_by') !== '' || choice.startsWith('smart_'))
    return 'model' as const
  if (personal.has(choice)) return 'person' as const
  return unanswered.has(choice) ? ('nobody' as const) : ('unknown' as const)
}
