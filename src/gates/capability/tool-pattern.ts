// Patterns of tool names. Hosts call a server's tool `mcp__server__tool` now and `mcp_server_tool` before: a pattern in either form
// matches both, and one that names a server alone covers all its tools.
import { commandTools } from './host-tools.js'
import { nameGlob, nameIsNarrower, nameMatches } from './name-glob.js'

/** What runs command lines is one tool, whatever a host or an owner calls it. */
export function matchesToolPattern(pattern: string, tool: string): boolean {
  if (commandTools.has(pattern) && commandTools.has(tool)) return true
  const wanted = formOf(pattern)
  const named = nameFormOf(tool)
  if (wanted.form === 'plain' || (wanted.form === 'double' && named === 'double')) return matchesAnchored(wanted.whole, tool)
  if (named === 'plain') return false
  // In the older form nobody can say where a server's name ends.
  return matchesAnchored(joined(wanted.whole), joined(tool))
}

/** Whether every tool that `inner` matches is matched by `outer` too; by spelling, so that false may be too careful. */
export function coversToolPattern(outer: string, inner: string): boolean {
  if (outer === inner || outer === '*' || (commandTools.has(outer) && commandTools.has(inner))) return true
  const [wide, narrow] = [formOf(outer), formOf(inner)]
  if (wide.form === 'plain') {
    // What begins like this reaches the tools of servers in both forms.
    if (narrow.form !== 'plain') return /^m?c?p?_?\*$/.test(outer) && 'mcp_'.startsWith(outer.slice(0, -1))
    return coversAnchored(outer, inner)
  }
  if (narrow.form === 'plain') return false
  const coversJoined = coversAnchored(joined(wide.whole), joined(narrow.whole))
  if (wide.form === narrow.form) return coversJoined && (wide.form === 'single' || coversAnchored(wide.whole, narrow.whole))
  if (wide.form === 'double') return false
  const isPlainEnough = !hasWildcard(narrow.whole.replace(/(?<=[^_*?]__)\*$/, ''))
  return isPlainEnough && coversJoined
}

/** The older form with several words: nobody can say whether it names a server or a tool of one. */
export function isAmbiguousServer(pattern: string): boolean {
  return formOf(pattern).form === 'single' && !hasWildcard(pattern) && pattern.slice(singlePrefix.length).includes('_')
}

const doublePrefix = 'mcp__'
const singlePrefix = 'mcp_'

type Form = 'plain' | 'single' | 'double'

/** `whole` has a tool part, where the pattern named a server alone. */
function formOf(pattern: string): { readonly form: Form; readonly whole: string } {
  const form = nameFormOf(pattern)
  if (form === 'plain') return { form, whole: pattern }
  const prefix = form === 'double' ? doublePrefix : singlePrefix
  const named = pattern.slice(prefix.length).replace(/_+$/, '')
  const isServer = named !== '' && !(form === 'double' ? named.includes('__') : named.includes('_')) && !hasWildcard(named)
  if (!isServer) return { form, whole: pattern }
  return { form, whole: form === 'double' ? `${doublePrefix}${named}__*` : `${singlePrefix}${named}_*` }
}

function nameFormOf(name: string): Form {
  if (name.startsWith(doublePrefix)) return 'double'
  return name.startsWith(singlePrefix) ? 'single' : 'plain'
}

function joined(name: string): string {
  return name.replaceAll('__', '_')
}

function matchesAnchored(pattern: string, name: string): boolean {
  return nameMatches(nameGlob(pattern), name)
}

function coversAnchored(outer: string, inner: string): boolean {
  return nameIsNarrower(nameGlob(inner), nameGlob(outer))
}

export function hasWildcard(pattern: string): boolean {
  return /[*?]/.test(pattern)
}
