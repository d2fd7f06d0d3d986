// Whether a text looks like chance, as tokens do: so where a name alone does not say that a value is a secret.

/** Whether a text looks like chance: letters and digits mixed as no word, date, version or address mixes them. */
export function looksRandom(value: string): boolean {
  if (value.length < 8) return false
  if (value.length > 4096) return looksRandom(value.slice(0, 4096))
  if (!/^[\w+/=.~:!@#$%^&*?|-]+$/.test(value)) return false
  const digits = countOf(value, /[0-9]/g)
  const letters = countOf(value, /[A-Za-z]/g)
  const isMixed = /[a-z]/.test(value) && /[A-Z]/.test(value)
  if (letters === 0 || /^0x[0-9a-f]{1,16}$/i.test(value)) return false
  if (/^v?[0-9]+(?:\.[0-9]+)+(?:[-+.]\w+)*$/.test(value) || /^[0-9]{4}-[0-9]{2}-[0-9]{2}/.test(value)) return false
  // A name with a number, an address, a file.
  if (/^[a-z]+(?:[-_.][a-z]+)*[-_.]?[0-9]{0,4}$/i.test(value) && !isMixed) return false
  if (/^[\w-]+(?:\.[a-z][\w-]*)+(?::[0-9]{1,5})?$/.test(value) && digits < 5) return false
  if (digits >= 3 && (value.length >= 12 || countOf(value, /[0-9][A-Za-z]/g) >= 2)) return true
  if (value.length >= 16 && digits >= 1 && isMixed) return true
  return value.length >= 20 && /^[A-Za-z0-9+/_=-]+$/.test(value) && countOf(value, /[a-z][A-Z]/g) >= 4
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
