// Reads the here-documents whose operators stand on a line, once that line ends.
import { readFedCode } from './inline-code.js'
import { readExpandingText } from './shell-expansion.js'
import type { ShellWord } from './shell-reading.js'
import { type PendingDocument, ShellText } from './shell-text.js'

const tabs = /^\t+/

/** From a line end to behind it and all documents that follow. */
export function readShellDocuments(text: ShellText): void {
  const pending = text.documents
  text.documents = []
  const first = pending[0]
  // Where another line end stood in between, shells do not agree on which of the two the document begins behind.
  if (first !== undefined && text.text.indexOf('\n', first.from) !== text.at) text.fail('syntax')
  text.take()
  for (const document of pending) {
    if (text.reading.unread === undefined) readDocument(text, document)
  }
}

function readDocument(text: ShellText, document: PendingDocument): void {
  const body = bodyOf(text, document)
  if (body === undefined) return
  const { reading } = text
  const { folder } = reading
  reading.folder = document.folder
  const input: ShellWord = document.quoted ? { text: body, quoted: true, pipe: false } : expanded(body, text)
  readFedCode(text, document.command, input)
  reading.folder = folder
}

function expanded(body: string, { reading, dialect }: ShellText): ShellWord {
  let word: ShellWord | undefined
  reading.deeper(() => {
    word = readExpandingText(new ShellText(body, reading, dialect), false)
  })
  return word ?? { text: body, quoted: true, pipe: false }
}

function bodyOf(text: ShellText, { delimiter, quoted, stripsTabs }: PendingDocument): string | undefined {
  const source = text.text
  const lines: string[] = []
  let continued = false
  let joined = ''
  for (let from = text.at; from < source.length; ) {
    const found = source.indexOf('\n', from)
    const end = found < 0 ? source.length : found
    const raw = source.slice(from, end)
    const line = stripsTabs ? raw.replace(tabs, '') : raw
    from = found < 0 ? end : end + 1
    if (line === delimiter) {
      // Joined to the line before it would be no delimiter; not every shell joins.
      if (continued) text.fail('syntax')
      text.at = from
      return lines.map((one) => `${one}\n`).join('')
    }
    const joins = !quoted && endsWithOddBackslashes(raw)
    joined = (continued ? joined : '') + (joins ? line.slice(0, -1) : line)
    // Lines that only become the delimiter once they are joined are no less doubtful.
    if (continued && !joins && joined === delimiter) text.fail('syntax')
    continued = joins
    lines.push(line)
  }
  text.fail('unbalanced')
  return undefined
}

function endsWithOddBackslashes(line: string): boolean {
  let count = 0
  while (count < line.length && line.charCodeAt(line.length - 1 - count) === 0x5c) count += 1
  return count % 2 === 1
}
