// Writes down what never came: numbers of an attached host that nobody has seen, and payloads beyond the bound of a minute.
import type { RedactedEvent } from '../ledger/redacted-event.js'
import type { Attach } from './attach.js'
import type { HookHouse } from './hook-house.js'
import type { MissingNumbers } from './number-line.js'
import { seqDigest } from './once-ids.js'
import type { RateBound } from './rate-bound.js'

/** A hole of more numbers than this is told as it is: each of them cannot be looked up. */
const lookedUpMax = 1000
const lookUpsAtOnce = 4000
const entriesAtOnce = 512

/**
 * Records what is missing by now. Called every second or so; `gapMs` is how long a number may be on its way. At the end of the service,
 * `last` also tells what was turned away in a minute that is not over.
 */
export async function watchGaps(house: HookHouse, gapMs: number, last = false): Promise<void> {
  const putBack: (() => void)[] = []
  const now = house.now()
  const turnedAway = (rate: RateBound, attach?: number): RedactedEvent[] => {
    const away = last ? rate.takeRest() : rate.takeTurnedAway(now)
    if (away === undefined) return []
    putBack.push(() => rate.putBack(away))
    return [{ type: 'gap.recorded', facts: { kind: 'rate', ...(attach === undefined ? {} : { attach }), ...away } }]
  }
  // Looking numbers up takes time that hooks would wait; what is beyond it is looked up the next time.
  let lookUps = lookUpsAtOnce
  try {
    const events = [...turnedAway(house.unattachedRate), ...turnedAway(house.attachRate)]
    const dropped = new Set(house.attaches.takeDropped())
    for (const attach of [...dropped, ...house.attaches.all]) {
      events.push(...turnedAway(attach.rate, attach.index))
      // What a host that has ended did not bring, nobody brings any more.
      const isOver = dropped.has(attach) || (last && !house.attaches.runs(attach))
      for (const hole of attach.numbers.takeOverdue(now, isOver ? 0 : gapMs)) {
        putBack.push(() => attach.numbers.putBack(hole))
        if (lookUps <= 0 && !isOver) {
          putBack.pop()?.()
          continue
        }
        lookUps -= hole.to - hole.from + 1
        for (const { from, to } of await neverSeen(house, attach, hole)) {
          events.push({ type: 'gap.recorded', facts: { kind: 'numbers', attach: attach.index, from, to, count: to - from + 1 } })
        }
      }
    }
    for (let at = 0; at < events.length; at += entriesAtOnce) {
      const some = events.slice(at, at + entriesAtOnce)
      await house.ledger.appendMade(() => ({ events: some, result: undefined }), { entries: some.length })
    }
  } catch (error) {
    // Where nothing can be written just now, it is told when it can.
    for (const put of putBack) put()
    throw error
  }
}

/** Without the numbers that are on record: an earlier service may have seen them. */
async function neverSeen({ ledger }: HookHouse, attach: Attach, { from, to }: MissingNumbers): Promise<MissingNumbers[]> {
  if (to - from >= lookedUpMax) return [{ from, to }]
  const missing: { from: number; to: number }[] = []
  for (let seq = from; seq <= to; seq += 1) {
    if ((await ledger.firstUnder(seqDigest(ledger, attach.id, seq))) !== undefined) continue
    const hole = missing.at(-1)
    if (hole?.to === seq - 1) hole.to = seq
    else missing.push({ from: seq, to: seq })
  }
  return missing
}
