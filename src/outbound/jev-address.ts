// Where the decision model may be, and what can be a key for it: the words and the key go there, so it is https, or this machine itself.

export const jevAddressDefault = 'https://api.typesafe.ai'

/** As the ledger's names are: short, without a query or a fragment, and with no room for credentials. */
const addressShape = /^[A-Za-z0-9._:/[\]-]{1,96}$/

/** An address without credentials, query and fragment; `http` only on loopback. */
export function isJevAddress(text: string): boolean {
  if (!addressShape.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '' || !/^https?:\/\/[^/]/i.test(text)) return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** Whether a text can be a key at all: the SDK would take anything, and quote it where it cannot be sent. */
export function isJevKey(text: string): boolean {
  return /^[\x21-\x7e]{1,512}$/.test(text)
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}
