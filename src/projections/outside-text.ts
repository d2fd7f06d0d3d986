// Which calls bring text into a conversation that neither the user nor their project wrote. What an agent does right behind such a call may
// have been put into its mouth.
import type { CommandPart, Touch } from '../gates/capability/access.js'

/** Pages and search results of the web, screens of a browser, pictures, other people's messages; and whatever a server of MCP answers. */
const tools = /^(?:web_search|web_extract|browser_.*|vision_analyze|x_search|mcp_.*)$/

/** Commands that fetch. By their name, whatever folder they are in. */
const programs: ReadonlySet<string> = new Set(['curl', 'wget', 'http', 'https', 'gh', 'ssh', 'scp', 'rsync', 'nc', 'lynx', 'w3m'])

export interface ReadingCall {
  readonly tool: string
  /** The folder that it was asked in; undefined where nobody knows. */
  readonly cwd: string | undefined
  readonly touches: readonly Touch[]
  readonly commands: readonly CommandPart[]
}

export function isOutsideTool(tool: string): boolean {
  return tools.test(tool)
}

/** A file is outside where it does not lie in the folder that the call was asked in, by its spelling and by where it leads. */
export function bringsOutsideText({ tool, cwd, touches, commands }: ReadingCall): boolean {
  return (
    isOutsideTool(tool) ||
    commands.some(({ program: { text } }) => programs.has(text.slice(text.lastIndexOf('/') + 1))) ||
    touches.some(({ access, typed, resolved }) => access === 'read' && ![typed, resolved].every((path) => isWithin(cwd, path)))
  )
}

function isWithin(folder: string | undefined, path: string | null): boolean {
  if (folder === undefined || folder === '' || path === null) return false
  const [outer, inner] = [folder, path].map((one) => one.replaceAll('\\', '/').replace(/\/+$/, ''))
  return inner === outer || inner?.startsWith(`${outer}/`) === true
}
