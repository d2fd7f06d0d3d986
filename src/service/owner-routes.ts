// The owner's verbs, behind a socket of their own. Each is confirmed: with the passphrase where the home has one, else at a terminal, or
// with `--yes` while no attached host is alive.
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reviewedMax } from '../events/review.js'
import { hasCode, SteleError } from '../foundation/stele-error.js'
import type { WordsSelection } from '../ledger/words-selection.js'
import { allowlistBytesMax } from './allowlist-file.js'
import type { Forgetting } from './forgetting.js'
import { checkPassphrase } from './passphrase.js'
import type { ReviewAnswer } from './review-answers.js'

const confirmationSchema = z.strictObject({
  /** `none`: nobody was there to ask; then only what can wait is taken. */
  how: z.enum(['terminal', 'yes', 'none']),
  passphrase: z.string().max(1024).optional(),
})

export type Confirmation = z.infer<typeof confirmationSchema>

/** So long may the note of an answer be. */
export const noteCharactersMax = 2000

const reasonSchema = z.string().min(1).max(2000)

/** What is to be forgotten: one of these. */
const erasedSchema = z.union([
  z.strictObject({ indices: z.array(z.int().min(0)).min(1).max(10_000) }),
  z.strictObject({ session: z.string().min(1).max(512) }),
  z.strictObject({ sender: z.string().min(1).max(512) }),
  z.strictObject({ before: z.iso.datetime() }),
  z.strictObject({ all: z.literal(true) }),
])

export type ErasedWhat = z.infer<typeof erasedSchema>

export interface OwnerRoutesOptions {
  readonly passphraseFile: string
  /** How many attached hosts are alive. */
  readonly hostsAlive: () => number
  readonly acceptSettings: () => Promise<unknown>
  /** Writes one setting and puts it into force. */
  readonly setSetting: (key: string, value: string) => Promise<unknown>
  /** Puts an allowlist into force: a text, an earlier one by its digest, or without both what waits. */
  readonly usePolicy: (wanted: { readonly text?: string | undefined; readonly digest?: string | undefined }) => Promise<unknown>
  readonly reanchor: (reason: string) => Promise<unknown>
  readonly review: (answer: ReviewAnswer) => Promise<unknown>
  readonly cancelReview: (answer: number, by: ReviewAnswer['by']) => Promise<unknown>
  readonly forgetting: Pick<Forgetting, 'preview' | 'ask' | 'cancel'>
  /** The handle of a host's session; undefined for one that is not known. */
  readonly knownSession: (session: string) => Promise<string | undefined>
}

const doors = { doors: ['owner'] } as const

export function addOwnerRoutes(app: FastifyInstance, options: OwnerRoutesOptions): void {
  const routes = app.withTypeProvider<ZodTypeProvider>()
  const confirm = (confirmation: Confirmation) => assertConfirmed(options.passphraseFile, confirmation, options.hostsAlive())

  routes.post(
    '/v1/owner/config-accept',
    {
      config: doors,
      schema: {
        summary: 'Accept settings that wait',
        tags: ['owner'],
        body: z.strictObject({ confirmation: confirmationSchema }),
      },
    },
    async ({ body }) => {
      confirm(body.confirmation)
      return { accepted: await options.acceptSettings() }
    },
  )

  routes.post(
    '/v1/owner/config-set',
    {
      config: doors,
      schema: {
        summary: 'Write a setting into the home and put it into force',
        tags: ['owner'],
        body: z.strictObject({ confirmation: confirmationSchema, key: z.string().max(64), value: z.string().max(4096) }),
      },
    },
    async ({ body }) => {
      confirm(body.confirmation)
      return options.setSetting(body.key, body.value)
    },
  )

  routes.post(
    '/v1/owner/policy-use',
    {
      config: doors,
      schema: {
        summary: 'Put an allowlist into force',
        description: 'A text, an earlier one by the beginning of its digest, or without both the one that waits.',
        tags: ['owner'],
        body: z.strictObject({
          confirmation: confirmationSchema,
          text: z.string().max(allowlistBytesMax).optional(),
          digest: z
            .string()
            .regex(/^[0-9a-f]{8,64}$/)
            .optional(),
        }),
      },
    },
    async ({ body: { confirmation, text, digest } }) => {
      confirm(confirmation)
      return options.usePolicy({ text, digest })
    },
  )

  routes.post(
    '/v1/owner/erase-preview',
    {
      config: doors,
      schema: { summary: 'What an erasure would forget', tags: ['owner'], body: z.strictObject({ what: erasedSchema }) },
    },
    async ({ body }) => options.forgetting.preview(await selectionOf(body.what, options.knownSession)),
  )

  routes.post(
    '/v1/owner/erase',
    {
      config: doors,
      schema: {
        summary: 'Forget words',
        description: 'Where nobody can confirm it, it waits for an hour.',
        tags: ['owner'],
        body: z.strictObject({ confirmation: confirmationSchema, what: erasedSchema, reason: reasonSchema }),
      },
    },
    async ({ body: { confirmation, what, reason } }) => {
      const confirmed = isConfirmed(() => confirm(confirmation))
      const selection = await selectionOf(what, options.knownSession)
      return options.forgetting.ask({ selection, by: erasedBy(confirmation), reason, confirmed })
    },
  )

  routes.post(
    '/v1/owner/erase-cancel',
    { config: doors, schema: { summary: 'Call off the erasures that wait', tags: ['owner'], body: z.strictObject({}) } },
    () => options.forgetting.cancel(),
  )

  routes.post(
    '/v1/owner/reanchor',
    {
      config: doors,
      schema: {
        summary: 'Start a new epoch after a confirmed loss',
        tags: ['owner'],
        body: z.strictObject({ confirmation: confirmationSchema, reason: reasonSchema }),
      },
    },
    async ({ body }) => {
      confirm(body.confirmation)
      return options.reanchor(body.reason)
    },
  )

  routes.post(
    '/v1/owner/review-answer',
    {
      config: doors,
      schema: {
        summary: 'Say whether entries were rightly flagged',
        description: 'Decisions that deny, or flagged claims, all of one gate, code, rule and tool.',
        tags: ['owner'],
        body: z.strictObject({
          confirmation: confirmationSchema,
          label: z.enum(['grant', 'refuse', 'false_alarm']),
          entries: z.array(z.int().min(0)).min(1).max(reviewedMax),
          note: z.string().max(noteCharactersMax).optional(),
        }),
      },
    },
    async ({ body: { confirmation, label, entries, note } }) => {
      confirm(confirmation)
      return options.review({ label, entries, note, by: erasedBy(confirmation) })
    },
  )

  routes.post(
    '/v1/owner/review-cancel',
    {
      config: doors,
      schema: {
        summary: 'Take an answer of a review back',
        tags: ['owner'],
        body: z.strictObject({ confirmation: confirmationSchema, answer: z.int().min(0) }),
      },
    },
    async ({ body: { confirmation, answer } }) => {
      confirm(confirmation)
      return options.cancelReview(answer, erasedBy(confirmation))
    },
  )
}

/** Throws `OWNER_UNCONFIRMED`, or `PASSPHRASE_WRONG` where one is needed. */
export function assertConfirmed(passphraseFile: string, { how, passphrase }: Confirmation, hostsAlive: number): void {
  if (how === 'none') throw new SteleError('OWNER_UNCONFIRMED')
  const right = checkPassphrase(passphraseFile, passphrase ?? '')
  if (right === false) throw new SteleError('PASSPHRASE_WRONG')
  if (right === undefined && how === 'yes' && hostsAlive > 0) throw new SteleError('OWNER_UNCONFIRMED', { hosts: hostsAlive })
}

/** Throws `SESSION_UNKNOWN`. */
export async function selectionOf(
  what: ErasedWhat,
  knownSession: (session: string) => Promise<string | undefined>,
): Promise<WordsSelection> {
  if ('indices' in what) return { by: 'index', indices: what.indices }
  if ('sender' in what) return { by: 'sender', sender: what.sender }
  if ('all' in what) return { by: 'all' }
  if ('before' in what) {
    const before = new Date(what.before).toISOString()
    return { by: 'age', before: { messages: before, tools: before, sessions: before, judgements: before } }
  }
  const handle = /^s[0-9a-f]{16}$/.test(what.session) ? what.session : await knownSession(what.session)
  if (handle === undefined) throw new SteleError('SESSION_UNKNOWN')
  return { by: 'session', handle }
}

/** Who stands in the ledger for an erasure: the person at the terminal, or whoever holds the passphrase or said yes beforehand. */
export function erasedBy({ how, passphrase }: Confirmation): 'owner' | 'terminal' {
  return how === 'terminal' && passphrase === undefined ? 'terminal' : 'owner'
}

/** False where nobody is there to confirm it; a wrong passphrase is refused. */
function isConfirmed(confirm: () => void): boolean {
  try {
    confirm()
    return true
  } catch (error) {
    if (hasCode(error, 'OWNER_UNCONFIRMED')) return false
    throw error
  }
}
