// Knows calls that plainly destroy, without asking anybody: what holds when the decision model is out, slow or lying. A short list of what
// is seldom meant and never undone; anything else is for the model and for the gates that judge paths.
import { readCommandLine, type SimpleCommand, withoutAssignments } from './command-line.js'

/** Members that hold a command line. */
const commandNames = ['command', 'cmd', 'script', 'code', 'input'] as const
const charactersMax = 65_536
/** Commands within commands: `sh -c "sudo …"`. */
const depthMax = 4

export function isPlainlyDestructive(args: unknown): boolean {
  return commandsOf(args).some((text) => destroys(text, 0))
}

function commandsOf(args: unknown): string[] {
  if (typeof args !== 'object' || args === null) return []
  return commandNames.flatMap((name) => {
    const value = Object.hasOwn(args, name) ? (args as Readonly<Record<string, unknown>>)[name] : undefined
    if (typeof value === 'string') return [value.slice(0, charactersMax)]
    const isWords = Array.isArray(value) && value.length <= 256 && value.every((word) => typeof word === 'string')
    return isWords ? [value.map(quoted).join(' ').slice(0, charactersMax)] : []
  })
}

function quoted(word: string): string {
  return /^[\w./=:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function destroys(text: string, depth: number): boolean {
  if (/:\(\)\s{0,8}\{\s{0,8}:\s{0,8}\|\s{0,8}:\s{0,8}&/.test(text)) return true
  const line = readCommandLine(text)
  if (line === undefined)
    return (
      depth < depthMax &&
      text.includes('\n') &&
      text
        .split('\n')
        .slice(0, 512)
        .some((one) => destroys(one, depthMax))
    )
  return line.commands.some((command) => commandDestroys(command, depth))
}

/** Run another command: what stands behind their own flags is one too. */
const carriers: ReadonlySet<string> = new Set(
  'sudo doas env nohup time nice ionice setsid command exec builtin stdbuf xargs timeout then do else busybox'.split(' '),
)
const shells: ReadonlySet<string> = new Set('sh bash zsh dash ksh fish eval ssh su'.split(' '))

function commandDestroys(command: SimpleCommand, depth: number): boolean {
  if (command.redirections.some(({ sign, target }) => sign.includes('>') && isDevice(target))) return true
  let { words } = withoutAssignments(command.words)
  while (carriers.has(baseName(words[0])) && words.length > 1) words = behindFlags(words.slice(1))
  const [program, ...rest] = words
  if (program === undefined) return false
  const name = baseName(program)
  if (shells.has(name) && depth < depthMax && rest.some((word) => /\s/.test(word) && destroys(word, depth + 1))) return true
  return programDestroys(name, rest)
}

/** Without flags, numbers (`timeout 5`) and assignments (`env A=b`). */
function behindFlags(words: readonly string[]): readonly string[] {
  let first = 0
  while (first < words.length - 1 && /^(?:-|[0-9]+[smhd]?$|[A-Za-z_]\w*=)/.test(words[first] ?? '')) first += 1
  return words.slice(first)
}

function programDestroys(name: string, rest: readonly string[]): boolean {
  const flags = rest.filter((word) => word.startsWith('-'))
  const operands = rest.filter((word) => !word.startsWith('-'))
  const line = rest.join(' ')
  switch (name) {
    case 'rm':
      return isRecursive(flags) && operands.some(isWide)
    case 'find':
      return operands.some(isWide) && (rest.includes('-delete') || /-exec(?:dir)? rm\b/.test(line))
    case 'chmod':
    case 'chown':
      return isRecursive(flags) && operands.some(isWide)
    case 'dd':
      return operands.some((word) => word.startsWith('of=') && isDevice(word.slice(3)))
    case 'shred':
    case 'wipefs':
    case 'blkdiscard':
      return operands.length > 0
    case 'git':
      return gitDestroys(rest)
    case 'terraform':
    case 'tofu':
    case 'pulumi':
      return operands[0] === 'destroy'
    case 'kubectl':
      return (
        operands[0] === 'delete' && (flags.includes('--all') || /^(?:ns|namespaces?|pvc|pv|crd)(?:\/|$)/.test(operands[1] ?? ''))
      )
    case 'docker':
    case 'podman':
      return (
        /^(?:system|volume) prune\b/.test(operands.join(' ')) &&
        flags.some((flag) => /^(?:-a|-f|-af|-fa|--all|--force|--volumes)$/.test(flag))
      )
    case 'aws':
      return (
        (/\bs3 (?:rb|rm)\b/.test(line) && /--(?:force|recursive)\b/.test(line)) ||
        /\b(?:delete-db-instance|delete-stack|terminate-instances)\b/.test(line)
      )
    case 'gh':
      return operands[0] === 'repo' && operands[1] === 'delete'
    case 'psql':
    case 'mysql':
    case 'sqlite3':
    case 'mariadb':
      return rest.some(isDestructiveSql)
    case 'redis-cli':
      return operands.some((word) => /^flush(?:all|db)$/i.test(word))
    case 'dropdb':
      return operands.length > 0
    case 'crontab':
      return flags.includes('-r')
    case 'vssadmin':
      return /delete shadows/i.test(line)
    case 'format':
      return /^[a-z]:/i.test(operands[0] ?? '')
    default:
      return /^mkfs(?:\.|$)/.test(name) && operands.length > 0
  }
}

function gitDestroys(rest: readonly string[]): boolean {
  const [verb = ''] = rest.filter((word) => !word.startsWith('-'))
  if (verb === 'push') return rest.some((word) => /^(?:-f|--force|--mirror|--delete|-d)$/.test(word) || /^\+[\w/]/.test(word))
  if (verb === 'reset') return rest.includes('--hard')
  if (verb === 'clean') return rest.some((word) => /^-[a-z]*f/.test(word) || word === '--force')
  return verb === 'filter-branch' || verb === 'filter-repo'
}

function isRecursive(flags: readonly string[]): boolean {
  return flags.some((flag) => /^-[A-Za-z]*[rR]/.test(flag) || flag === '--recursive')
}

/** Everything of a machine, a home or a folder: not one thing by its name. */
function isWide(operand: string): boolean {
  const bare = operand.replace(/\/+$/, '')
  if (operand.startsWith('/') && bare === '') return true
  if (/^(?:\.|\.\.|~|\*|\.\*|\$\{?HOME\}?|\$\{?PWD\}?|~\w*|\.git)$/.test(bare)) return true
  if (/^(?:.*\/)?\*$/.test(bare)) return bare.split('/').length <= 3
  return /^\/(?:bin|boot|dev|etc|home|lib|lib64|mnt|opt|proc|root|sbin|srv|sys|usr|var|users|system|library|applications|volumes)(?:\/[^/]+)?$/i.test(
    bare,
  )
}

function isDevice(target: string): boolean {
  return /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|dm-)/.test(target)
}

function isDestructiveSql(text: string): boolean {
  if (/\b(?:drop\s+(?:database|schema|table)|truncate\s+(?:table\s+)?[\w"`.]+)/i.test(text)) return true
  return /\bdelete\s+from\s+[\w"`.]+\s*(?:;|$)/i.test(text)
}

function baseName(word: string | undefined): string {
  return word === undefined ? '' : word.slice(word.lastIndexOf('/') + 1).toLowerCase()
}
