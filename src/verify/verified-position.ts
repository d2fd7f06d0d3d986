// Remembers where a sound verification ended, under a MAC with the home's digest key, so that `--quick` can go on from there.
// It saves time, not trust: whoever can read the digest key can write this file too.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { ChainPosition } from './verify-chain.js'

export function saveVerifiedPosition(file: string, position: ChainPosition, secret: Uint8Array): void {
  const text = JSON.stringify(position)
  writeFileSync(`${file}.new`, JSON.stringify({ position: text, mac: macOf(text, secret).toString('hex') }), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** The position; undefined where there is none, or it was not written with this secret. */
export function loadVerifiedPosition(file: string, secret: Uint8Array): ChainPosition | undefined {
  try {
    const { position, mac } = JSON.parse(readFileSync(file, 'utf8')) as { position: string; mac: string }
    const given = Buffer.from(mac, 'hex')
    const expected = macOf(position, secret)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    return readPosition(JSON.parse(position))
  } catch {
    return undefined
  }
}

/** Raised whenever the shape of a position changes: one that another version wrote is then not gone on from. */
const label = 'stele/verified/v2'

function readPosition(value: ChainPosition): ChainPosition | undefined {
  return Number.isSafeInteger(value.size) && Array.isArray(value.edge) && typeof value.body === 'object' ? value : undefined
}

function macOf(text: string, secret: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${label}\n${text}`).digest()
}
