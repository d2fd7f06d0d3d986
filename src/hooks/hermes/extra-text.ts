// A member of what the host sends along, where it is text. Models and rules write there too: a member of another shape is as good as none.

/** Empty where it is none. */
export function extraText(extra: Readonly<Record<string, unknown>>, name: string): string {
  const value = extra[name]
  return typeof value === 'string' ? value : ''
}
