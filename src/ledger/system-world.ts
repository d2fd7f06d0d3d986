// The clocks and the chance of this machine, as the writer takes them.
import { randomFillSync } from 'node:crypto'
import type { World } from './chain-writer.js'

const saltBytes = 16
const pooledSalts = 256

/** Chance is drawn in bulk: one system call for many salts. No salt is ever given out twice. */
export function systemWorld(): World {
  const pool = Buffer.alloc(saltBytes * pooledSalts)
  let at = pool.length
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    salt: () => {
      if (at === pool.length) {
        randomFillSync(pool)
        at = 0
      }
      at += saltBytes
      return pool.toString('hex', at - saltBytes, at)
    },
  }
}
