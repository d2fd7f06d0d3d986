// Which of two versions is the older one. Versions come from plugins, which anybody may have written.

/** Whether `one` is surely older than `other`: by their numbers alone. What has none is older than nothing. */
export function isOlderVersion(one: string, other: string): boolean {
  const [left, right] = [numbersOf(one), numbersOf(other)]
  if (left === undefined || right === undefined) return false
  const at = left.findIndex((number, place) => number !== right[place])
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0)
}

function numbersOf(version: string): readonly number[] | undefined {
  const found = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?![0-9.])/.exec(version)
  return found === null ? undefined : found.slice(1).map(Number)
}
