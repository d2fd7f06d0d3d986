// The routes of views and of search. Each question is answered in a thread beside the service.
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { SteleError } from '../foundation/stele-error.js'
import { type DeskAnswer, type DeskQuestion, listedMax } from './view-questions.js'

export interface ViewRoutesOptions {
  readonly ask: <Question extends DeskQuestion>(question: Question) => Promise<DeskAnswer<Question>>
}

const nameSchema = z.string().max(64)
const sessionSchema = z.string().max(512).describe('a handle, or the host’s own id')
const sinceSchema = z.iso.datetime()

const viewQuerySchema = z.strictObject({
  asOf: z
    .union([z.coerce.number().int().min(0), z.iso.datetime()])
    .optional()
    .describe('as it was with so many entries, or at a time'),
  session: sessionSchema.optional(),
  since: sinceSchema.optional().describe('only parts in which something happened since'),
  listed: z.coerce.number().int().min(0).max(listedMax).optional().describe('so many of what it lists come with their words'),
})

const searchQuerySchema = z.strictObject({
  words: z.string().max(1000).default('').describe('an entry must hold all of them'),
  fields: z.string().max(1000).optional().describe('a line each, as tool:terminal or verdict:deny'),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
  below: z.coerce.number().int().min(0).optional(),
  since: sinceSchema.optional(),
})

export function addViewRoutes(app: FastifyInstance, { ask }: ViewRoutesOptions): void {
  const routes = app.withTypeProvider<ZodTypeProvider>()

  routes.get('/v1/views', { schema: { summary: 'Which views there are, and how far each has come', tags: ['views'] } }, () =>
    ask({ ask: 'state' }),
  )

  routes.get(
    '/v1/views/:name',
    {
      schema: {
        summary: 'A view',
        description: 'Brought up to the ledger before it is answered; `parts` by session or by day.',
        tags: ['views'],
        params: z.strictObject({ name: nameSchema }),
        querystring: viewQuerySchema,
      },
    },
    ({ params: { name }, query }) => ask({ ask: 'view', name, ...query }),
  )

  routes.post(
    '/v1/views/rebuild',
    {
      config: { doors: ['socket'] },
      schema: {
        summary: 'Make views anew from the ledger',
        tags: ['views'],
        body: z.strictObject({ name: nameSchema.optional() }),
      },
    },
    ({ body: { name } }) => ask({ ask: 'rebuild', name }),
  )

  routes.get(
    '/v1/search',
    {
      schema: {
        summary: 'Entries that hold words, or have fields',
        description: 'Newest first, as lines of an export. `below` is where to go on; null at the end.',
        tags: ['views'],
        querystring: searchQuerySchema,
      },
    },
    async ({ query }, reply) => {
      if (query.words === '' && (query.fields ?? '') === '') throw new SteleError('REQUEST_INVALID', { part: 'words' })
      const { lines, below } = await ask({ ask: 'search', ...query })
      return reply.type('application/json; charset=utf-8').send(`{"entries":[${lines.join(',')}],"below":${below}}`)
    },
  )
}
