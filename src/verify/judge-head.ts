// Holds the walked chain against the head that the store itself keeps, and against the marks outside it.
import type { FindingList } from './findings.js'
import type { StoredMark } from './read-mark.js'
import type { ChainCheck } from './verify-chain.js'

/** The `m` rows as text; undefined for a row that is missing. */
export interface StoredHead {
  readonly ledger: string | undefined
  readonly epoch: string | undefined
  readonly size: string | undefined
  readonly head: string | undefined
}

/** docs/format.md, "One word for one deed", step 8. */
export function judgeHead(head: StoredHead, chain: ChainCheck, findings: FindingList): void {
  if (chain.stopped) return
  const gone = Object.values(head).every((row) => row === undefined)
  if (chain.size === 0) {
    findings.add(
      'truncated',
      null,
      gone ? 'there is no entry and no head' : `the head names ${head.size} entries, and there are none`,
    )
    return
  }
  const size = head.size !== undefined && /^(0|[1-9][0-9]{0,15})$/.test(head.size) ? Number(head.size) : undefined
  if (size !== undefined && size > chain.size) {
    findings.add('truncated', null, `the head names ${size} entries, and there are ${chain.size}`)
    return
  }
  const fits = size === chain.size && head.ledger === chain.ledger && head.epoch === String(chain.epoch)
  // Where the last entry itself is altered, its hash cannot be the head's; that is told at the entry.
  if (!fits || (head.head !== chain.head && !chain.lastFaulty))
    findings.add('head_altered', null, 'the head does not fit the last entry')
}

export interface NamedMark {
  /** `high-water` or `mirror`. */
  readonly name: string
  /** Undefined where the check bytes are wrong. */
  readonly mark: StoredMark | undefined
}

/** Step 9 for marks. Returns the largest size that a mark says was rolled back, or 0. */
export function judgeMarks(marks: readonly NamedMark[], chain: ChainCheck, findings: FindingList): number {
  let rolledBack = 0
  for (const { name, mark } of marks) {
    if (mark === undefined) {
      findings.add('mark_unreadable', null, `the mark ${name} has wrong check bytes`)
      continue
    }
    if (mark.size > chain.size) {
      if (!chain.body.keys.isAbandoned(mark.epoch, mark.size)) rolledBack = Math.max(rolledBack, mark.size)
      continue
    }
    if (mark.size === 0 || chain.atSize.get(mark.size)?.hash === mark.head) continue
    if (chain.body.keys.isAbandoned(mark.epoch, mark.size) || findings.explains(mark.size) || !chain.atSize.has(mark.size))
      continue
    findings.add('forked', mark.size - 1, `the mark ${name} knows another entry ${mark.size - 1}`)
  }
  const headAtFault = findings.has('truncated') || findings.has('head_altered')
  if (rolledBack > 0 && !headAtFault && !chain.stopped) {
    findings.add('rolled_back', null, `${rolledBack} entries were acknowledged, and the ledger ends after ${chain.size}`)
  }
  return headAtFault ? 0 : rolledBack
}
