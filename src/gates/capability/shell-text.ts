// A place in a text that a shell reads: the line itself, or the inside of backticks, of a here-document or of code that is handed to a shell.

import type { ShellReading, SimpleCommand } from './shell-reading.js'
import type { ShellFolder } from './shell-words.js'

/** `posix`: code that may be run by another shell than bash; what the two read differently is refused there. */
export type ShellDialect = 'bash' | 'posix'

/** A here-document whose lines are still to come. */
export interface PendingDocument {
  readonly delimiter: string
  readonly quoted: boolean
  readonly stripsTabs: boolean
  /** Where its operator ended. */
  readonly from: number
  readonly command: SimpleCommand | undefined
  readonly folder: ShellFolder | undefined
}

export const tab = 0x09
export const newline = 0x0a
export const space = 0x20
export const doubleQuote = 0x22
export const hash = 0x23
export const dollar = 0x24
export const ampersand = 0x26
export const singleQuote = 0x27
export const opening = 0x28
export const closing = 0x29
export const semicolon = 0x3b
export const less = 0x3c
export const greater = 0x3e
export const backslash = 0x5c
export const backtick = 0x60
export const openingBrace = 0x7b
export const bar = 0x7c
export const closingBrace = 0x7d

export class ShellText {
  readonly text: string
  readonly reading: ShellReading
  readonly dialect: ShellDialect
  at = 0
  documents: PendingDocument[] = []

  constructor(text: string, reading: ShellReading, dialect: ShellDialect) {
    this.text = text
    this.reading = reading
    this.dialect = dialect
  }

  /** The code of the next character, -1 at the end and once the reading has failed. A line that is continued goes on as if it were one. */
  peek(): number {
    if (this.reading.unread !== undefined) return -1
    for (;;) {
      if (this.at >= this.text.length) return -1
      const code = this.text.charCodeAt(this.at)
      if (code !== backslash || this.text.charCodeAt(this.at + 1) !== newline) return code
      this.at += 2
    }
  }

  /** The one behind the next. */
  peekAfter(): number {
    if (this.peek() < 0) return -1
    const at = this.at
    this.at += 1
    const code = this.peek()
    this.at = at
    return code
  }

  take(): void {
    this.at += 1
  }

  skipBlanks(): void {
    for (let code = this.peek(); code === space || code === tab; code = this.peek()) this.at += 1
  }

  fail(why: 'unbalanced' | 'syntax'): void {
    this.reading.fail(why)
  }
}

/** Ends a word where it is not quoted. */
export function isMeta(code: number): boolean {
  return (
    code === space ||
    code === tab ||
    code === newline ||
    code === opening ||
    code === closing ||
    code === less ||
    code === greater ||
    code === ampersand ||
    code === semicolon ||
    code === bar
  )
}

/** Whether `<(` or `>(` stands here. */
export function isProcess(text: ShellText, code: number): boolean {
  return (code === less || code === greater) && text.peekAfter() === opening
}
