// Names that a view counts together under one key, with a space between them, taken apart for the columns of a table.

/** What was counted together because there were too many names says so in the first column. */
export function nameParts(name: string, count: number): string[] {
  const parts = name.split(' ')
  return Array.from({ length: count }, (_, at) => parts[at] ?? '')
}
