// The law of imports, as rules over source texts: which room may know which, who owns each outside thing, what stays pure.
// Room, rank and owner tables are the plan's; a change to one of them is a change of plan and wants a decision record.

import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import type { ProjectFile } from '../../scripts/project-tree.js'
import { type ScannedSource, scanSource } from '../../scripts/source-scanner.js'

/** A file may import from its own room and from rooms of lower rank. */
export const rankOfRoom: Readonly<Record<string, number>> = {
  foundation: 0,
  events: 1,
  redaction: 1,
  ledger: 2,
  verify: 2,
  gates: 2,
  projections: 3,
  hooks: 4,
  replay: 4,
  outbound: 4,
  reports: 5,
  service: 6,
  cli: 7,
}

/** The page stands beside the ranks: it speaks HTTP, imports no room, and no room imports it. */
export const roomBeside = 'web'

const pureRooms = ['events', 'redaction', 'gates', 'projections', 'replay']
const impureFiles = ['src/projections/projection-runner.ts', 'src/projections/view-store.ts']

/** Where each package may be imported. A name that ends in `/` is a folder, one that begins with `*` any file called so. */
export const ownersOfPackage: Readonly<Record<string, readonly string[]>> = {
  level: ['src/ledger/store.ts', 'src/projections/view-store.ts', 'src/verify/read-snapshot.ts'],
  '@noble/hashes': ['src/foundation/digest.ts', 'src/web/digest.ts'],
  'fast-json-stable-stringify': ['src/foundation/canonical-json.ts'],
  zod: [
    'src/events/',
    'src/hooks/',
    '*config.ts',
    'src/service/reading-routes.ts',
    'src/service/owner-routes.ts',
    'src/service/view-routes.ts',
    '*jev-client.ts',
  ],
  commander: ['src/cli/'],
  'cli-progress': ['src/cli/'],
  picocolors: ['src/cli/'],
  yaml: ['src/service/config-yaml.ts', 'src/service/hermes-config.ts', 'src/service/allowlist-file.ts'],
  fastify: ['src/service/'],
  'fastify-type-provider-zod': ['src/service/'],
  '@fastify/swagger': ['src/service/open-api.ts'],
  echarts: ['src/reports/chart-svg.ts'],
  'cli-table3': ['src/reports/text-report.ts'],
  '@typesafe-ai/sdk': ['src/outbound/jev-client.ts'],
}

/** Single functions of Node's own modules that have an owner. */
const ownersOfFunction = [
  {
    modules: ['crypto'],
    names: ['sign', 'createSign', 'Sign', 'createPrivateKey', 'generateKeyPairSync', 'generateKeyPair'],
    owners: ['src/ledger/checkpoint.ts'],
    instead: 'let src/ledger/checkpoint.ts sign and make keys, and call it',
  },
  {
    modules: ['http', 'https', 'http2', 'net'],
    names: ['createServer', 'createSecureServer', 'Server'],
    owners: ['src/service/'],
    instead: 'serve from src/service; other rooms only call',
  },
]

/** What pure code must be handed, as patterns over blanked code. */
const impureWords: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/(?<![.\w$])Date\s*\.\s*now\b/, 'reads the clock (Date.now)'],
  [/(?<![.\w$])new\s+Date\s*(?:\(\s*\)|(?![\w\s(]))/, 'reads the clock (new Date())'],
  [/(?<![.\w$])performance\s*\./, 'reads the clock (performance)'],
  [/(?<![.\w$])Math\s*\.\s*random\b/, 'rolls dice (Math.random)'],
  [/(?<![.\w$])crypto\s*\.\s*(?:randomUUID|getRandomValues|subtle)\b/, 'rolls dice (crypto)'],
  [/(?<![.\w$])process\s*\./, 'reads the process'],
  [/(?<![.\w$])(?:setTimeout|setInterval|setImmediate|queueMicrotask)\s*\(/, 'waits for a timer'],
  [/(?<![.\w$])fetch\s*\(/, 'calls out (fetch)'],
]

const eventStorePattern = /event-?store|event-?sourcing|eventsourced|event-?driven-io|emmett|castore|kurrent/i

export interface FoundImport {
  /** Undefined where it is computed, so that nobody can tell. */
  readonly specifier: string | undefined
  readonly how: 'static' | 'dynamic' | 'require' | 'url'
  /** The names in braces, as the module calls them; undefined where the whole module is taken. */
  readonly names: readonly string[] | undefined
  /** What the whole module is called here. */
  readonly wholeName: string | undefined
  readonly line: number
}

/** Every import of a source: static, type-only, re-export, dynamic, require, and a worker's or file's `new URL('./x.js', …)`. */
export function importsOf(text: string): FoundImport[] {
  const source = scanSource(text)
  return [...literalImports(source), ...computedImports(source)].sort((a, b) => a.line - b.line)
}

/** Breaches of the law in the given files under src, as sentences. */
export function importBreaches(files: readonly ProjectFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const room = roomOf(path)
    if (room === undefined)
      return [`${path} is in no room: put it into one of ${Object.keys(rankOfRoom).join(', ')} or ${roomBeside}`]
    const source = scanSource(text)
    const breaches = importsOf(text).flatMap((found) => {
      const breach = breachOf(path, room, found) ?? functionBreach(path, source, found)
      return breach === undefined ? [] : [`${path}:${found.line} ${breach}`]
    })
    return [...breaches, ...wordBreaches(path, room, source)]
  })
}

/** What package.json and the sources disagree about, as sentences. */
export function packageBreaches(
  manifest: { readonly dependencies?: Record<string, string>; readonly devDependencies?: Record<string, string> },
  files: readonly ProjectFile[],
): string[] {
  const dependencies = Object.keys(manifest.dependencies ?? {})
  const imported = new Map<string, string>()
  for (const { path, text } of files) {
    for (const { specifier } of importsOf(text)) {
      if (specifier !== undefined && kindOf(specifier) === 'package') imported.set(packageOf(specifier), path)
    }
  }
  const breaches: string[] = []
  for (const name of [...dependencies, ...Object.keys(manifest.devDependencies ?? {})]) {
    if (eventStorePattern.test(name))
      breaches.push(`package.json has ${name}: the ledger is our own event store; remove the package`)
  }
  for (const name of dependencies) {
    if (!imported.has(name)) breaches.push(`package.json has ${name}, which no file in src imports: use it or remove it`)
  }
  for (const [name, path] of imported) {
    if (!dependencies.includes(name))
      breaches.push(`${path} imports ${name}, which is not in dependencies of package.json: add it there`)
  }
  return breaches
}

function breachOf(path: string, room: string, found: FoundImport): string | undefined {
  if (found.specifier === undefined) return 'imports a computed name, which nobody can check: name the module in quotes'
  const kind = kindOf(found.specifier)
  if (kind === 'relative') return roomBreach(path, room, found.specifier)
  if (kind === 'builtin') {
    if (!isPure(path, room)) return undefined
    return `(pure room ${room}) imports ${found.specifier}: be handed what you need by a caller outside the pure rooms`
  }
  if (kind === 'odd') return `imports ${found.specifier}: name a package, a node: module or a relative file`
  return packageOwnerBreach(path, found.specifier)
}

function roomBreach(path: string, room: string, specifier: string): string | undefined {
  const target = posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts')
  if (!target.startsWith('src/'))
    return `imports ${target}, outside src: it would be missing from dist; move what you need into a room`
  const targetRoom = roomOf(target)
  if (targetRoom === undefined) return `imports ${target}, which is in no room: move it into one`
  if (targetRoom === room) return undefined
  if (room === roomBeside || targetRoom === roomBeside) {
    return `(room ${room}) imports ${target} (room ${targetRoom}): the page and the rooms speak HTTP only; go through a route`
  }
  if (room === 'reports' && targetRoom === 'ledger') {
    return `(room reports) imports ${target} (room ledger): a report is built from a view; add a projection and read that`
  }
  const rank = rankOfRoom[room] ?? 0
  const targetRank = rankOfRoom[targetRoom] ?? 0
  if (targetRank < rank) return undefined
  const both = `(room ${room}, rank ${rank}) imports ${target} (room ${targetRoom}, rank ${targetRank})`
  if (targetRank > rank) return `${both}: imports go down; have it handed in from above, or move what you need to a lower room`
  return `${both}: rooms of equal rank are blind to each other; move what both need to a lower room, or wire both in src/service`
}

function packageOwnerBreach(path: string, specifier: string): string | undefined {
  const name = packageOf(specifier)
  const owners = ownersOfPackage[name]
  if (owners === undefined) return `imports ${name}, which has no owner: name one in ownersOfPackage of test/house/import-law.ts`
  if (isOwner(path, owners)) return undefined
  const list = owners.map((owner) => owner.replace('*', 'files called ')).join(', ')
  return `imports ${name}, which belongs to ${list}: call the owner instead`
}

function functionBreach(path: string, source: ScannedSource, found: FoundImport): string | undefined {
  const module = found.specifier?.replace(/^node:/, '')
  for (const { modules, names, owners, instead } of ownersOfFunction) {
    if (module === undefined || !modules.includes(module) || isOwner(path, owners)) continue
    const used = names.find((name) => usesFunction(source, found, name))
    if (used !== undefined) return `uses ${used} of ${found.specifier}, which belongs to ${owners.join(', ')}: ${instead}`
  }
  return undefined
}

function usesFunction(source: ScannedSource, found: FoundImport, name: string): boolean {
  if (found.names?.includes(name) === true) return true
  if (found.wholeName !== undefined) {
    return new RegExp(`(?<![.\\w$])${found.wholeName.replaceAll('$', '\\$')}\\s*\\.\\s*${name}\\b`).test(source.code)
  }
  // What a dynamic import takes is not in its own words; the bare name anywhere in the file is enough to ask.
  return found.how !== 'static' && new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(source.code)
}

function wordBreaches(path: string, room: string, { code }: ScannedSource): string[] {
  const breaches: string[] = []
  const at = (index: number): string => `${path}:${lineAt(code, index)}`
  if (room !== 'cli') {
    const spoken = /(?<![.\w$])(?:globalThis\s*\.\s*)?console\b|(?<![.\w$])process\s*\.\s*(?:stdout|stderr)\b/.exec(code)
    if (spoken !== null) {
      breaches.push(
        `${at(spoken.index)} (room ${room}) uses ${spoken[0]}: only src/cli speaks to a terminal; return what is to be said`,
      )
    }
  }
  if (!isPure(path, room)) return breaches
  for (const [pattern, what] of impureWords) {
    const match = pattern.exec(code)
    if (match !== null) breaches.push(`${at(match.index)} (pure room ${room}) ${what}: be handed it by the caller`)
  }
  return breaches
}

function isPure(path: string, room: string): boolean {
  return pureRooms.includes(room) && !impureFiles.includes(path)
}

function isOwner(path: string, owners: readonly string[]): boolean {
  return owners.some((owner) => {
    if (owner.endsWith('/')) return path.startsWith(owner)
    return owner.startsWith('*') ? posix.basename(path) === owner.slice(1) : path === owner
  })
}

function roomOf(path: string): string | undefined {
  const room = /^src\/([^/]+)\//.exec(path)?.[1]
  return room !== undefined && (room === roomBeside || Object.hasOwn(rankOfRoom, room)) ? room : undefined
}

function kindOf(specifier: string): 'relative' | 'builtin' | 'package' | 'odd' {
  if (/^\.\.?(\/|$)/.test(specifier)) return 'relative'
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) return 'builtin'
  return /^(@[a-z\d~-][\w.~-]*\/)?[a-z\d~-][\w.~-]*(\/|$)/i.test(specifier) ? 'package' : 'odd'
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function literalImports({ code, strings }: ScannedSource): FoundImport[] {
  return strings.flatMap(({ start, end, value }) => {
    const before = code.slice(Math.max(0, start - 5000), start).trimEnd()
    const after = code.slice(end).trimStart()
    const found = (how: FoundImport['how'], clause?: string): FoundImport[] => [
      { specifier: value, how, ...namesOf(clause), line: lineAt(code, start) },
    ]
    if (/(?<![.\w$])from$/.test(before)) {
      const clause = /[^'"`;()=<>:[\]./]*$/.exec(before.slice(0, -'from'.length))?.[0] ?? ''
      const keywords = [...clause.matchAll(/(?<![\w$])(?:import|export)(?![\w$])/g)]
      const last = keywords.at(-1)
      return last === undefined ? [] : found('static', clause.slice(last.index + last[0].length))
    }
    if (/(?<![.\w$])import$/.test(before)) return found('static', '{}')
    const closes = /^[),]/.test(after)
    if (closes && /(?<![.\w$])import\s*\($/.test(before)) return found('dynamic')
    if (closes && /(?<![.\w$])require\s*(?:\.\s*resolve\s*)?\($/.test(before)) return found('require')
    const isModuleUrl = /^\.\.?\/.*\.[cm]?[jt]s$/.test(value) && /^,\s*import\s*\.\s*meta\s*\.\s*url\b/.test(after)
    return isModuleUrl && /(?<![.\w$])URL\s*\($/.test(before) ? found('url') : []
  })
}

function computedImports({ code, strings }: ScannedSource): FoundImport[] {
  const calls = [...code.matchAll(/(?<![.\w$])(?<!\bfunction\s+)(import|require)\s*\(\s*/g)]
  return calls.flatMap((call) => {
    const literal = strings.find(({ start }) => start === call.index + call[0].length)
    if (literal !== undefined && /^[),]/.test(code.slice(literal.end).trimStart())) return []
    const how = call[1] === 'import' ? 'dynamic' : 'require'
    return [{ specifier: undefined, how, names: undefined, wholeName: undefined, line: lineAt(code, call.index) }]
  })
}

/** From what stands between `import` or `export` and `from`. */
function namesOf(clause: string | undefined): Pick<FoundImport, 'names' | 'wholeName'> {
  if (clause === undefined) return { names: undefined, wholeName: undefined }
  const braces = /\{([^}]*)\}/.exec(clause)?.[1]
  const names = braces
    ?.split(',')
    .map((part) => part.trim().replace(/^type\s+/, ''))
    .map((part) => part.split(/\s+as\s+/)[0] ?? '')
    .filter((part) => part !== '')
  const outside = clause
    .replace(/\{[^}]*\}/, '')
    .trim()
    .replace(/^type\s+/, '')
  const wholeName = /\*\s*as\s+([\w$]+)/.exec(outside)?.[1] ?? /^([\w$]+)/.exec(outside)?.[1]
  // `export * from` hands on everything without a name.
  return { names: outside === '*' ? undefined : (names ?? []), wholeName }
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
