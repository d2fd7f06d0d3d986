// How an argument of a tool call is meant, by its name: gates judge paths and commands as they are.

const pathNames: ReadonlySet<string> = new Set([
  'cwd',
  'destination',
  'dir',
  'directory',
  'file',
  'file_path',
  'filename',
  'files',
  'folder',
  'path',
  'paths',
  'root',
  'source',
  'target',
  'workdir',
])

export type ArgumentKind = 'path' | 'command' | 'other'

export function argumentKind(name: string): ArgumentKind {
  if (name === 'command') return 'command'
  return pathNames.has(name) ? 'path' : 'other'
}
