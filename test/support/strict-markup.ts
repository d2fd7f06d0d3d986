// Reads a page as strictly as an XML reader would: what is not closed, quoted or escaped is an error here, where a browser would guess.

export interface MarkupElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  /** Of the element itself and of everything in it, unescaped. */
  text: string
}

export interface Markup {
  /** In the order in which they open. */
  readonly elements: readonly MarkupElement[]
  /** Everything outside of tags and styles, unescaped. */
  readonly text: string
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#38': '&',
  '#60': '<',
  '#62': '>',
  '#34': '"',
}
const tagPattern = /<(\/?)([A-Za-z][A-Za-z0-9]*)((?: [a-zA-Z:-]+="[^"<>]*")*)( ?\/)?>/y
const textPattern = /[^<]+/y

/** Throws, with the place, on anything that is not well-formed, on a comment, and on any doctype but the page's own. */
export function readStrictMarkup(page: string): Markup {
  const elements: MarkupElement[] = []
  const open: MarkupElement[] = []
  let text = ''
  let at = 0
  const add = (more: string): void => {
    text += more
    for (const element of open) element.text += more
  }
  const fail = (what: string): never => {
    throw new Error(`${what} at ${at}: ${JSON.stringify(page.slice(at, at + 60))}`)
  }
  if (page.startsWith('<!doctype html>\n')) at = '<!doctype html>\n'.length
  while (at < page.length) {
    if (page[at] !== '<') {
      textPattern.lastIndex = at
      const raw = textPattern.exec(page)?.[0] ?? ''
      if (raw.includes('>')) fail('a bare ">"')
      add(unescaped(raw, fail))
      at += raw.length
      continue
    }
    tagPattern.lastIndex = at
    const [whole = '', closing, name = '', attributes = '', selfClosing] = tagPattern.exec(page) ?? fail('no tag')
    at += whole.length
    if (closing === '/') {
      if (open.pop()?.name !== name) fail(`</${name}> closes another element`)
      continue
    }
    const element: MarkupElement = { name, attributes: attributesOf(attributes, fail), text: '' }
    elements.push(element)
    if (selfClosing !== undefined) continue
    if (name === 'style') {
      const end = page.indexOf('</style>', at)
      element.text = page.slice(at, end)
      if (end < 0 || element.text.includes('<')) fail('a style with markup in it')
      at = end + '</style>'.length
    } else {
      open.push(element)
    }
  }
  if (open.length > 0) fail(`<${open.at(-1)?.name}> is not closed`)
  return { elements, text }
}

function attributesOf(source: string, fail: (what: string) => never): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name = '', value = ''] of source.matchAll(/ ([a-zA-Z:-]+)="([^"]*)"/g)) {
    if (attributes.has(name)) fail(`${name} twice`)
    attributes.set(name, unescaped(value, fail))
  }
  return attributes
}

function unescaped(raw: string, fail: (what: string) => never): string {
  return raw.replace(/&([^;\s&]*);?/g, (whole, name: string) =>
    whole.endsWith(';') ? (entities[name] ?? fail(`unknown entity ${whole}`)) : fail('a bare "&"'),
  )
}
