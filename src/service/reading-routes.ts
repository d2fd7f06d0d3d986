// The routes of readers: state, entries, proofs, snapshots and the live tail. They read little at a time: whoever wants everything works on
// a snapshot, in a process of its own.
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { readHeader } from '../events/entry.js'
import { SteleError } from '../foundation/stele-error.js'
import { type ErasedBy, exportLine, readErasures } from '../ledger/export.js'
import type { Ledger } from '../ledger/ledger.js'
import type { StoredEntry } from '../ledger/ledger-reader.js'

export interface ReadingRoutesOptions {
  readonly ledger: () => Promise<Ledger>
  readonly status: () => Promise<unknown>
  /** Takes a snapshot between two batches; whoever asked removes it. */
  readonly snapshot: () => Promise<{ readonly folder: string; readonly size: number }>
  readonly openApi: () => Promise<unknown>
  readonly heard: () => void
}

const limitMax = 1000
/** How many entries one request may look at in search of those that it wants. */
const lookedAtMax = 4000

const indexSchema = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

const entriesQuerySchema = z.strictObject({
  from: indexSchema.optional().describe('the first index to look at; with order=desc the last'),
  limit: z.coerce.number().int().min(1).max(limitMax).default(100),
  order: z.enum(['asc', 'desc']).default('asc'),
  type: z.string().max(64).optional().describe('a type such as message.captured, or a family such as tool.*'),
  session: z.string().max(512).optional().describe('a handle, or the host’s own id'),
  since: z.iso.datetime().optional(),
})

type EntriesQuery = z.infer<typeof entriesQuerySchema>

export function addReadingRoutes(app: FastifyInstance, options: ReadingRoutesOptions): void {
  const routes = app.withTypeProvider<ZodTypeProvider>()
  const { ledger } = options
  const json = 'application/json; charset=utf-8'
  // A live tail never ends by itself; the service ends it when it stops.
  const listening = new Set<() => void>()
  app.addHook('preClose', (done) => {
    for (const leave of [...listening]) leave()
    done()
  })

  routes.get('/v1/status', { schema: { summary: 'What the service is and how it fares', tags: ['reading'] } }, () =>
    options.status(),
  )

  routes.get('/v1/openapi.json', { schema: { summary: 'This description', tags: ['reading'] } }, () => options.openApi())

  routes.get(
    '/v1/entries',
    {
      schema: {
        summary: 'Some entries',
        description: 'Each as a line of an export. `next` is where to go on; null at the end.',
        tags: ['reading'],
        querystring: entriesQuerySchema,
      },
    },
    async ({ query }, reply) => {
      const { lines, next } = await someEntries(await ledger(), query)
      return reply.type(json).send(`{"entries":[${lines.join(',')}],"next":${next}}`)
    },
  )

  routes.get(
    '/v1/entries/:index',
    { schema: { summary: 'One entry', tags: ['reading'], params: z.strictObject({ index: indexSchema }) } },
    async ({ params: { index } }, reply) => {
      const open = await ledger()
      const stored = await open.reader.storedEntry(index)
      return reply.type(json).send((await linesOf(open, [stored]))[0])
    },
  )

  routes.get(
    '/v1/entries/:index/proof',
    {
      schema: {
        summary: 'A receipt for one entry',
        description: 'In the C2SP tlog-proof form, under a checkpoint that covers it.',
        tags: ['proof'],
        params: z.strictObject({ index: indexSchema }),
      },
    },
    async ({ params: { index } }, reply) => reply.type('text/plain; charset=utf-8').send(await (await ledger()).receipt(index)),
  )

  routes.get(
    '/v1/checkpoint',
    { schema: { summary: 'The signed head, covering every entry', tags: ['proof'] } },
    async (_, reply) => {
      const open = await ledger()
      await open.checkpoint()
      return reply.type('text/plain; charset=utf-8').send(await open.reader.newestCheckpoint())
    },
  )

  routes.get(
    '/v1/consistency',
    {
      schema: {
        summary: 'Proof that one tree is the beginning of another',
        description: 'Base64 hashes as RFC 6962, section 2.1.2, has them; `from` and `to` are sizes of two checkpoints.',
        tags: ['proof'],
        querystring: z.strictObject({ from: indexSchema, to: indexSchema }),
      },
    },
    async ({ query: { from, to } }) => {
      const open = await ledger()
      if (from < 1 || from > to || to > open.size) throw new SteleError('REQUEST_INVALID', { part: 'from, to', size: open.size })
      const hashes = await open.consistency(from, to)
      return { from, to, hashes: hashes.map((hash) => Buffer.from(hash).toString('base64')) }
    },
  )

  routes.post(
    '/v1/snapshots',
    {
      config: { doors: ['socket'] },
      schema: {
        summary: 'A copy of the store for a long reader',
        description: 'Whoever asked removes the folder.',
        tags: ['reading'],
      },
    },
    () => options.snapshot(),
  )

  routes.get(
    '/v1/live',
    {
      schema: {
        summary: 'Entries as they come',
        description:
          'Server-sent events: `id` is the index, `data` a line of an export. Begins at `from`, or with the next entry.',
        tags: ['reading'],
        querystring: z.strictObject({ from: indexSchema.optional() }),
      },
    },
    async ({ query: { from } }, reply) => {
      const open = await ledger()
      const begin = from ?? open.size
      if (open.size - begin > tailBackMax) throw new SteleError('REQUEST_INVALID', { part: 'from', size: open.size })
      const left = new AbortController()
      const tail = Readable.from(liveTail(ledger, begin, options.heard, left.signal))
      const leave = (): void => {
        left.abort()
        tail.destroy()
        listening.delete(leave)
      }
      listening.add(leave)
      reply.raw.once('close', leave)
      return reply.type('text/event-stream').header('Cache-Control', 'no-store').send(tail)
    },
  )
}

async function someEntries(ledger: Ledger, query: EntriesQuery): Promise<{ lines: string[]; next: number | null }> {
  const { limit, order } = query
  const { size, reader } = ledger
  const wants = await wanted(ledger, query)
  const found: StoredEntry[] = []
  let bytes = 0
  const isFull = (): boolean => found.length === limit || bytes > pageBytesMax
  const keep = (stored: StoredEntry): void => {
    found.push(stored)
    bytes += stored.payload.length + (stored.words?.length ?? 0)
  }
  let next: number | null
  if (order === 'asc') {
    const from = query.from ?? 0
    const to = Math.min(size, from + lookedAtMax)
    next = to < size ? to : null
    for await (const stored of reader.storedEntries(from, to)) {
      if (!wants(stored)) continue
      if (isFull()) {
        next = stored.index
        break
      }
      keep(stored)
    }
  } else {
    const last = Math.min(query.from ?? size - 1, size - 1)
    const end = Math.max(-1, last - lookedAtMax)
    next = end >= 0 ? end : null
    backwards: for (let to = last + 1; to > end + 1; to -= Math.min(pageEntries, to - end - 1)) {
      const page: StoredEntry[] = []
      for await (const stored of reader.storedEntries(Math.max(end + 1, to - pageEntries), to)) page.push(stored)
      for (const stored of page.reverse().filter(wants)) {
        if (isFull()) {
          next = stored.index
          break backwards
        }
        keep(stored)
      }
    }
  }
  return { lines: await linesOf(ledger, found), next }
}

const pageEntries = 32
/** Of payloads and words in one answer: a page ends early where they are long. */
const pageBytesMax = 8 * 1024 * 1024

async function wanted(ledger: Ledger, { type, session, since }: EntriesQuery): Promise<(stored: StoredEntry) => boolean> {
  const handle = session === undefined || /^s[0-9a-f]{16}$/.test(session) ? session : await ledger.knownSession(session)
  const unknown = session !== undefined && handle === undefined
  return ({ header }) => {
    const read = readHeader(header)
    return (
      !unknown &&
      (type === undefined || (type.endsWith('.*') ? read.type.startsWith(type.slice(0, -1)) : read.type === type)) &&
      (handle === undefined || read.session === handle) &&
      (since === undefined || read.time >= new Date(since).toISOString())
    )
  }
}

/** The erasures are looked for only where words are missing. */
async function linesOf(ledger: Ledger, stored: readonly StoredEntry[]): Promise<string[]> {
  const erased = stored.some(({ words, payload }) => words === undefined && Buffer.from(payload).includes('"words":"'))
  const erasedBy: ErasedBy = erased ? await readErasures(ledger.reader, ledger.size) : () => undefined
  return stored.map((one) => exportLine(one, erasedBy))
}

const beatMs = 15_000
const lookMs = 1000
/** Whoever wants to go back further takes a snapshot. */
const tailBackMax = 10_000

/** What is on disk already, then what comes, with a beat now and then so that a dead connection is noticed. */
async function* liveTail(
  ledger: () => Promise<Ledger>,
  from: number,
  heard: () => void,
  left: AbortSignal,
): AsyncGenerator<string> {
  yield ': stele\n\n'
  let beatAt = performance.now() + beatMs
  for (let next = from; !left.aborted; ) {
    // Asked for each page: the ledger may have been opened anew meanwhile.
    const open = await ledger()
    const to = Math.min(open.size, next + pageEntries)
    const page: StoredEntry[] = []
    for await (const stored of open.reader.storedEntries(next, to)) page.push(stored)
    const lines = await linesOf(open, page)
    for (const [at, line] of lines.entries()) yield `id: ${page[at]?.index}\ndata: ${line}\n\n`
    next = Math.max(next, to)
    if (next < open.size) continue
    await growthOf(open, next, left)
    // Somebody listens: that is no idle service.
    if (!left.aborted) heard()
    if (performance.now() < beatAt) continue
    beatAt = performance.now() + beatMs
    yield ': beat\n\n'
  }
}

/** Resolves when the ledger is longer, the listener has left, or it is time to look whether it is still that ledger. */
function growthOf(ledger: Ledger, size: number, left: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      stop()
      left.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, lookMs)
    const stop = ledger.onGrowth(done)
    left.addEventListener('abort', done)
    if (ledger.size > size || left.aborted) done()
  })
}
