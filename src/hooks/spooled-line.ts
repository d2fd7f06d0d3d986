// A line of the spool: a payload that a host could not deliver, with the number and the MAC that it would have come with.
import { z } from 'zod'
import type { Signature } from './attach.js'

export interface SpooledLine {
  readonly signature: Signature
  readonly body: Buffer
}

const lineSchema = z.object({ attach: z.string(), seq: z.int().min(0), mac: z.string(), body: z.string() })

/** Undefined for bytes that are no such line. */
export function readSpooledLine(bytes: Uint8Array): SpooledLine | undefined {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
  const line = lineSchema.safeParse(value)
  if (!line.success) return undefined
  const { attach, seq, mac, body } = line.data
  // An attached host counts from 1; nobody's line has no number at all.
  if (attach !== '' && seq === 0) return undefined
  return { signature: { attach, seq: String(seq), mac }, body: Buffer.from(body) }
}
