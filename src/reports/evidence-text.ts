// What speaks for a line of a suggested allowlist, as the comment beside it: calls, sessions, days, entries, and what wants a second look.
import type { UsedCall } from '../projections/used-calls.js'

/** The entries of so many calls are named, the newest. */
const entriesNamed = 5

/** `marks` come first among what wants a second look. */
export function evidenceText(calls: readonly UsedCall[], marks: readonly string[] = []): string {
  const inOrder = uniqueCalls(calls)
  const sessions = new Set(inOrder.map(({ session }) => session)).size
  const after = inOrder.filter(({ afterOutside }) => afterOutside).length
  const named = inOrder.slice(-entriesNamed).map(({ index }) => index)
  const looks = [
    ...marks,
    ...(sessions === 1 ? ['one session only'] : []),
    ...(after === 0
      ? []
      : [after === inOrder.length ? 'right after text from outside' : `${after} of them right after text from outside`]),
  ]
  return [
    `${counted(inOrder.length, 'call')} in ${counted(sessions, 'session')}, ${daysText(inOrder)}`,
    `entries ${named.length < inOrder.length ? '… ' : ''}${named.join(' ')}`,
    ...looks.map((look) => `! ${look}`),
  ].join('; ')
}

/** In the order of the ledger. */
function uniqueCalls(calls: readonly UsedCall[]): UsedCall[] {
  return [...new Map(calls.map((call) => [call.index, call])).values()].sort((one, other) => one.index - other.index)
}

export function daysText(calls: readonly UsedCall[]): string {
  const days = calls.map(({ time }) => time.slice(0, 10)).sort()
  const [first = '', last = ''] = [days[0], days.at(-1)]
  return first === last ? first : `${first} to ${last}`
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

export function sessionsOf(calls: readonly UsedCall[]): number {
  return new Set(calls.map(({ session }) => session)).size
}
