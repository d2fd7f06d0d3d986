// The settings of a home: config.yaml, read strictly. A wrong key or value is an error that names it, its place and what is allowed.
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { type Document, isMap, LineCounter, type Node, parseDocument } from 'yaml'
import { z } from 'zod'
import { SteleError } from '../foundation/stele-error.js'
import { defaultOrigin } from '../ledger/checkpoint.js'

const path = z.string().min(1)

const configSchema = z.strictObject({
  highWater: z.strictObject({ mirror: path.optional() }).optional(),
  checkpoint: z
    .strictObject({
      anchor: z.enum(['syslog', 'none']).optional(),
      mirror: path.optional(),
      // A name of a key: without blanks and plus signs (C2SP signed-note), and without a slash at its end.
      origin: z
        .string()
        .regex(/^[^\s+]*[^\s+/]$/)
        .optional(),
    })
    .optional(),
})

/** What each key takes, for the error that names it. */
const allowed: Readonly<Record<string, string>> = {
  highWater: 'mirror',
  'highWater.mirror': 'a path',
  checkpoint: 'anchor, mirror, origin',
  'checkpoint.anchor': 'syslog or none',
  'checkpoint.mirror': 'a path',
  'checkpoint.origin': 'a name such as example.com/agents, without blanks or +',
}

export interface Config {
  readonly highWater: { readonly mirror: string | undefined }
  readonly checkpoint: {
    readonly anchor: 'syslog' | 'none'
    readonly mirror: string | undefined
    readonly origin: string
  }
}

/** Reads the settings of a home; a missing file is all defaults. Throws `CONFIG_INVALID` or `FILE_UNREADABLE`. */
export function readConfig(home: string, file: string): Config {
  const { highWater, checkpoint } = parseConfig(existsSync(file) ? readText(file) : '')
  return {
    highWater: { mirror: pathIn(home, highWater?.mirror) },
    checkpoint: {
      anchor: checkpoint?.anchor ?? (hasSyslog() ? 'syslog' : 'none'),
      mirror: pathIn(home, checkpoint?.mirror),
      origin: checkpoint?.origin ?? defaultOrigin,
    },
  }
}

function parseConfig(text: string): z.infer<typeof configSchema> {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true })
  const [mistake] = document.errors
  if (mistake !== undefined)
    throw new SteleError('CONFIG_INVALID', { line: lines.linePos(mistake.pos[0]).line, reason: 'not YAML' })
  const result = configSchema.safeParse(plainValue(document) ?? {})
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const names = [...(issue?.path ?? []).map(String), ...unknown]
  const range = rangeOf(document.contents, names)
  const inside = names.slice(0, names.length - unknown.length).join('.')
  throw new SteleError('CONFIG_INVALID', {
    key: names.join('.'),
    line: range === undefined ? 1 : lines.linePos(range).line,
    allowed: allowed[unknown.length > 0 ? inside : names.join('.')] ?? 'highWater, checkpoint',
  })
}

/** Aliases that multiply without end are refused by the library with an error of its own. */
function plainValue(document: Document): unknown {
  try {
    return document.toJS()
  } catch (cause) {
    throw new SteleError('CONFIG_INVALID', { line: 1, reason: 'too many aliases' }, { cause })
  }
}

/** Offset of the key that a path of names leads to. */
function rangeOf(contents: Node | null, names: readonly string[]): number | undefined {
  let node: unknown = contents
  let offset: number | undefined
  for (const name of names) {
    if (!isMap(node)) return offset
    const pair = node.items.find(({ key }) => String(key) === name)
    offset = (pair?.key as Node | undefined)?.range?.[0] ?? offset
    node = pair?.value
  }
  return offset
}

function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (cause) {
    if (cause instanceof TypeError) throw new SteleError('CONFIG_INVALID', { line: 1, reason: 'not UTF-8' }, { cause })
    throw new SteleError('FILE_UNREADABLE', { file: 'config.yaml' }, { cause })
  }
}

function pathIn(home: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const expanded = value === '~' || value.startsWith('~/') ? join(homedir(), value.slice(1)) : value
  return isAbsolute(expanded) ? expanded : resolve(home, expanded)
}

function hasSyslog(): boolean {
  return existsSync(process.platform === 'darwin' ? '/var/run/syslog' : '/dev/log')
}
