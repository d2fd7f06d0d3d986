// service.log: what the service did, as metadata. Never words, names of sessions, addresses with a query, or texts of foreign errors.
import { appendFileSync, renameSync, statSync } from 'node:fs'
import { SteleError } from '../foundation/stele-error.js'

export type LogFacts = Readonly<Record<string, string | number | boolean | null>>

export interface ServiceLog {
  /** One line: time, what, and facts of ours. */
  write(what: string, facts?: LogFacts): void
  /** A failure by its code; of a mistake of ours only the kind and the places in our own files. */
  fail(what: string, error: unknown): void
}

const logBytesMax = 4 * 1024 * 1024

/** Appends to a file that is turned over once: at most twice `logBytesMax` lie on the disk. A log that cannot be written is no reason to stop. */
export function openServiceLog(file: string, now: () => number = Date.now): ServiceLog {
  const write = (what: string, facts: LogFacts = {}): void => {
    const told = Object.entries(facts).map(([name, value]) => ` ${name}=${String(value).replaceAll(/[\s=]+/g, '_')}`)
    try {
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) renameSync(file, `${file}.1`)
      appendFileSync(file, `${new Date(now()).toISOString()} ${what}${told.join('')}\n`, { mode: 0o600 })
    } catch {
      // The disk is full or the home is gone; whoever asks is told by the answers themselves.
    }
  }
  return { write, fail: (what, error) => write(what, failureFacts(error)) }
}

/** What may be said of a failure outside: never its message. */
export function failureFacts(error: unknown): LogFacts {
  if (error instanceof SteleError) return { code: error.code, ...error.details }
  if (!(error instanceof Error)) return { code: 'INTERNAL' }
  const frames = (error.stack ?? '').split('\n').flatMap((line) => /([\w-]+\.[jt]s:\d+):\d+\)?$/.exec(line)?.[1] ?? [])
  return { code: 'INTERNAL', error: error.name, at: frames.slice(0, 4).join(',') }
}
