// The routes of a host: attaching, and its payloads. Bodies are taken as bytes: what is signed and digested is what was sent.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SteleError } from '../foundation/stele-error.js'
import { type AttachRequest, attachRequestSchema, type Speaker } from '../hooks/attach.js'
import { handleHook } from '../hooks/handle-hook.js'
import type { HookHouse } from '../hooks/hook-house.js'
import { payloadBytesMax } from '../hooks/read-payload.js'

export interface HookRoutesOptions {
  /** Resolves to the house when entries can be written. Throws why they cannot. */
  readonly house: () => Promise<HookHouse>
  /** How long the decision model may take. */
  readonly stageMs: () => number
}

interface TakenBody {
  readonly bytes: Buffer
  readonly bytesTotal: number
}

/** Each is an entry for ever. Hosts attach once, and once more after each restart of the service. */
const attachLimits = { hooksPerMinute: 600, bytesPerMinute: 16 * 1024 * 1024 }

/** Bytes of payloads that may be on their way in together: hosts that send much at once wait for each other. */
const bytesArrivingMax = 8 * payloadBytesMax

export function addHookRoutes(app: FastifyInstance, { house, stageMs }: HookRoutesOptions): void {
  app.register((scope, _, done) => {
    let arriving = 0
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', async (_: FastifyRequest, body: IncomingMessage): Promise<TakenBody> => {
      let own = 0
      try {
        return await takeBody(body, (bytes) => {
          own += bytes
          arriving += bytes
          if (arriving > bytesArrivingMax) throw new SteleError('SERVICE_BUSY')
        })
      } finally {
        arriving -= own
      }
    })

    scope.post('/v1/attach', { schema: { summary: 'Attach a host process', tags: ['hosts'] } }, async (request, reply) => {
      const { attaches, settings, attachRate, now, stage } = await house()
      const bytes = (request.body as TakenBody | undefined)?.bytes ?? Buffer.alloc(0)
      const attach = await attaches.attach(readAttach(bytes), () => {
        if (!attachRate.take(bytes.length, now(), attachLimits)) throw new SteleError('HOOKS_TOO_MANY')
      })
      const body = Buffer.from(
        JSON.stringify({
          attach: attach.id,
          index: attach.index,
          modes: settings().modes,
          wants: stage.wants(),
          stageMs: stageMs(),
        }),
      )
      return reply
        .type('application/json')
        .header('Stele-Mac', attaches.sign(attach, 0, body))
        .send(body)
    })

    scope.post(
      '/v1/hooks',
      { schema: { summary: 'Record a payload and get the directive', tags: ['hosts'] } },
      async (request, reply) => {
        const ready = await house()
        const { bytes, bytesTotal: taken } = (request.body as TakenBody | undefined) ?? { bytes: Buffer.alloc(0), bytesTotal: 0 }
        // A client that knows that it is too much sends only the beginning, and says how much it was.
        const bytesTotal = Math.max(taken, Number(/^[0-9]{1,12}$/.exec(headerOf(request, 'stele-bytes'))?.[0] ?? 0))
        const signature = {
          attach: headerOf(request, 'stele-attach'),
          seq: headerOf(request, 'stele-seq'),
          mac: headerOf(request, 'stele-mac'),
        }
        const send = (speaker: Speaker, answer: object) => {
          const body = Buffer.from(JSON.stringify(answer))
          reply.type('application/json').header('Stele-Wants', ready.stage.wants().join(', '))
          if (speaker.kind === 'attached') reply.header('Stele-Mac', ready.attaches.sign(speaker.attach, speaker.seq, body))
          return reply.send(body)
        }
        try {
          const { directive, speaker } = await handleHook(ready, { bytes, bytesTotal, signature, late: false })
          return send(speaker, directive)
        } catch (error) {
          if (!(error instanceof SteleError) || error.code !== 'HOOKS_TOO_MANY') throw error
          // Signed like any answer: by it the host knows that the payload is counted, and need not be kept.
          reply.code(429)
          const { code, message, details } = error
          return send(ready.attaches.speakerOf(signature, bytes), { error: { code, message, details } })
        }
      },
    )
    done()
  })
}

/** Keeps what may be read and counts the rest, so that a payload of any size leaves its mark without filling the memory. */
async function takeBody(body: IncomingMessage, counted: (bytes: number) => void): Promise<TakenBody> {
  const kept: Buffer[] = []
  let bytesTotal = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytesTotal <= payloadBytesMax) {
        kept.push(chunk)
        counted(chunk.length)
      }
      bytesTotal += chunk.length
    }
  } catch (cause) {
    if (cause instanceof SteleError) throw cause
    // The client has hung up.
    throw new SteleError('REQUEST_INVALID', { part: 'body' }, { cause })
  }
  return { bytes: Buffer.concat(kept), bytesTotal }
}

const attachBytesMax = 4096

function readAttach(bytes: Buffer): AttachRequest {
  if (bytes.length > attachBytesMax) throw new SteleError('REQUEST_INVALID', { part: 'body', bytes: bytes.length })
  let value: unknown
  try {
    value = JSON.parse(bytes.toString())
  } catch (cause) {
    throw new SteleError('REQUEST_INVALID', { part: 'body' }, { cause })
  }
  const request = attachRequestSchema.safeParse(value)
  if (!request.success) throw new SteleError('REQUEST_INVALID', { part: String(request.error.issues[0]?.path[0] ?? 'body') })
  return request.data
}

function headerOf({ headers }: FastifyRequest, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}
