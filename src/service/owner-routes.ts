// The owner's verbs, behind a socket of their own. Each is confirmed: with the passphrase where the home has one, else at a terminal, or
// with `--yes` while no attached host is alive.
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { SteleError } from '../foundation/stele-error.js'
import { checkPassphrase } from './passphrase.js'

export const confirmationSchema = z.strictObject({
  how: z.enum(['terminal', 'yes']),
  passphrase: z.string().max(1024).optional(),
})

export type Confirmation = z.infer<typeof confirmationSchema>

export interface OwnerRoutesOptions {
  readonly passphraseFile: string
  /** How many attached hosts are alive. */
  readonly hostsAlive: () => number
  readonly acceptSettings: () => Promise<unknown>
  /** Writes one setting and puts it into force. */
  readonly setSetting: (key: string, value: string) => Promise<unknown>
  readonly reanchor: (reason: string) => Promise<unknown>
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
    '/v1/owner/reanchor',
    {
      config: doors,
      schema: {
        summary: 'Start a new epoch after a confirmed loss',
        tags: ['owner'],
        body: z.strictObject({ confirmation: confirmationSchema, reason: z.string().min(1).max(2000) }),
      },
    },
    async ({ body }) => {
      confirm(body.confirmation)
      return options.reanchor(body.reason)
    },
  )
}

/** Throws `OWNER_UNCONFIRMED`, or `PASSPHRASE_WRONG` where one is needed. */
export function assertConfirmed(passphraseFile: string, { how, passphrase }: Confirmation, hostsAlive: number): void {
  const right = checkPassphrase(passphraseFile, passphrase ?? '')
  if (right === false) throw new SteleError('PASSPHRASE_WRONG')
  if (right === undefined && how === 'yes' && hostsAlive > 0) throw new SteleError('OWNER_UNCONFIRMED', { hosts: hostsAlive })
}
