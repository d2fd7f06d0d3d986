// Finds private keys in a text: from their first line to their last, or to the end of the text where the last is missing.
import type { Stretch } from './stretch.js'

const header = /-{4,5} ?BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g
const footer = /-{4,5} ?END (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g

export function* privateKeys(text: string): Iterable<Stretch> {
  const headers = new RegExp(header)
  const footers = new RegExp(footer)
  // Looked for again at each beginning, a missing end would cost the square of the text.
  let mayClose = true
  for (let head = headers.exec(text); head !== null; head = headers.exec(text)) {
    footers.lastIndex = headers.lastIndex
    const isClosed: boolean = mayClose && footers.exec(text) !== null
    mayClose = isClosed
    // A quote right behind it: somebody speaks of such lines, or looks for them.
    if (!isClosed && /^(?:["'`)]|$)/.test(text.slice(headers.lastIndex, headers.lastIndex + 1))) continue
    const to = isClosed ? footers.lastIndex : text.length
    yield { from: head.index, to }
    headers.lastIndex = to
  }
}

export function* puttyKeys(text: string): Iterable<Stretch> {
  const lines = /Private-Lines:[ \t]{0,8}[0-9]{1,4}\s{1,4}/g
  const mac = /Private-MAC:[ \t]{0,8}[0-9a-f]{20,64}/g
  for (let start = lines.exec(text); start !== null; start = lines.exec(text)) {
    mac.lastIndex = lines.lastIndex
    const to = mac.exec(text) === null ? text.length : mac.lastIndex
    yield { from: start.index, to }
    lines.lastIndex = to
  }
}

/** Members that a public key has not: of RSA and curves, and of a shared key. */
export function* privateJwks(text: string): Iterable<Stretch> {
  const members = /"(?:d|p|q|dp|dq|qi|k)"\s{0,8}:\s{0,8}"([\w-]{16,4096})(?=")/g
  for (const match of text.matchAll(members)) {
    const to = match.index + match[0].length
    yield { from: to - (match[1]?.length ?? 0), to }
  }
}
