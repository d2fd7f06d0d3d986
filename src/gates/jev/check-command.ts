// Knows command lines that check work: tests, types, lints, builds. Only a line that really runs one and shows its outcome counts: no listing,
// no dry run, no fixing, nothing behind it that could hide a failure.
import { charactersIn } from '../../redaction/cut-text.js'
import { readCommandLine, type SimpleCommand, withoutAssignments } from './command-line.js'

export interface CheckCommand {
  /** Of the table below. */
  readonly runner: string
}

/** Shorter than this. */
const charactersMax = 4000
/** Folders that may be changed to in front. */
const foldersMax = 3

interface Runner {
  readonly name: string
  /** Whether these words, from the program on, are one of its runs. */
  readonly runs: (words: readonly string[]) => boolean
  /** Flags of its own with which nothing is checked. */
  readonly idle?: readonly string[]
}

/** With one of these nothing is checked, or what is checked is changed on the way; whatever the runner. */
const idleFlags: ReadonlySet<string> = new Set(
  (
    '--collect-only --co --version --help --list-tests --list --dry-run --fix --fix-only --write --updateSnapshot --update-snapshots -h -u ' +
    '--no-run --markers --fixtures --setup-plan --setup-only --listTests --list-files --showConfig --show-config --show-settings --show-files ' +
    '--init --watch --watchAll --watch-all --passWithNoTests --if-present --exit-zero --no-error-on-unmatched-pattern --just-print --recon ' +
    '--fix-dry-run --update --snapshot-update --setup-show-only --print-config --env-info --ui --noEmitOnError=false'
  ).split(' '),
)

/** Variables that tell a runner what to do, or a shell what to run. */
const steeringVariable =
  /^(?:PATH|LD_\w+|DYLD_\w+|IFS|ENV|BASH_ENV|PYTHONPATH|PYTHONSTARTUP|NODE_PATH|\w*(?:OPTS|OPTIONS|FLAGS|ARGS|COMMAND|RUNNER))$/

const scripts: ReadonlySet<string> = new Set(['test', 'lint', 'build', 'typecheck'])
const isPython = (word: string | undefined): boolean => /^python[0-9.]*$/.test(word ?? '')
const first =
  (program: string, ...verbs: readonly string[]) =>
  ([name, verb = '']: readonly string[]): boolean =>
    name === program && (verbs.length === 0 || verbs.includes(verb))

const runners: readonly Runner[] = [
  {
    name: 'pytest',
    runs: (words) => words[0] === 'pytest' || (isPython(words[0]) && words[1] === '-m' && words[2] === 'pytest'),
  },
  {
    name: 'python',
    runs: (words) =>
      isPython(words[0]) && words[1] === '-m' && ['compileall', 'unittest', 'mypy', 'tox', 'nox'].includes(words[2] ?? ''),
  },
  {
    name: 'npm',
    runs: ([name, verb, script]) =>
      name === 'npm' && (verb === 'test' || verb === 't' || (verb === 'run' && scripts.has(script ?? ''))),
  },
  {
    name: 'pnpm',
    runs: ([name, verb, script]) => name === 'pnpm' && (scripts.has(verb ?? '') || (verb === 'run' && scripts.has(script ?? ''))),
  },
  {
    name: 'yarn',
    runs: ([name, verb, script]) => name === 'yarn' && (scripts.has(verb ?? '') || (verb === 'run' && scripts.has(script ?? ''))),
  },
  {
    name: 'bun',
    runs: ([name, verb, script]) => name === 'bun' && (verb === 'test' || (verb === 'run' && scripts.has(script ?? ''))),
  },
  { name: 'deno', runs: first('deno', 'test', 'check', 'lint') },
  { name: 'cargo', runs: first('cargo', 'test', 'check', 'build', 'clippy', 'nextest') },
  { name: 'go', runs: first('go', 'test', 'vet', 'build'), idle: ['-n', '-list', '-c'] },
  { name: 'ruff', runs: first('ruff', 'check'), idle: ['--diff', '--unsafe-fixes'] },
  { name: 'mypy', runs: first('mypy') },
  { name: 'pyright', runs: first('pyright') },
  { name: 'tsc', runs: first('tsc'), idle: ['-w', '-v'] },
  { name: 'vitest', runs: ([name, verb]) => name === 'vitest' && verb === 'run' },
  { name: 'jest', runs: first('jest') },
  { name: 'mocha', runs: first('mocha'), idle: ['-w'] },
  { name: 'ava', runs: first('ava'), idle: ['-w'] },
  { name: 'eslint', runs: first('eslint') },
  { name: 'biome', runs: first('biome', 'check', 'lint', 'ci') },
  { name: 'node', runs: ([name, ...rest]) => name === 'node' && rest.includes('--test') },
  {
    name: 'make',
    runs: ([name, ...rest]) => name === 'make' && rest.some((word) => /^(?:test|tests|check|lint|build|typecheck)$/.test(word)),
    idle: ['-n', '-i', '-k', '-q', '-t', '--touch', '--ignore-errors', '--keep-going'],
  },
  {
    name: 'gradle',
    runs: ([name, ...rest]) =>
      /^(?:gradle|\.\/gradlew)$/.test(name ?? '') && rest.some((word) => /^:?(?:[\w-]+:)*(?:test|check|build)$/.test(word)),
    idle: ['-m', '--continue', '-t'],
  },
  {
    name: 'mvn',
    runs: ([name, ...rest]) =>
      /^(?:mvn|\.\/mvnw)$/.test(name ?? '') && rest.some((word) => /^(?:test|verify|package|compile)$/.test(word)),
    idle: ['-DskipTests', '-Dmaven.test.skip', '-fae', '-fn', '--fail-never'],
  },
  { name: 'dotnet', runs: first('dotnet', 'test', 'build'), idle: ['-t'] },
  { name: 'tox', runs: first('tox'), idle: ['-l', '-n', '--notest', 'list'] },
  { name: 'nox', runs: first('nox'), idle: ['-l'] },
  { name: 'phpunit', runs: ([name]) => name === 'phpunit' || name === 'vendor/bin/phpunit' || name === './vendor/bin/phpunit' },
  { name: 'rspec', runs: first('rspec') },
  { name: 'swift', runs: first('swift', 'test', 'build') },
  { name: 'zig', runs: ([name, verb, step]) => name === 'zig' && (verb === 'test' || (verb === 'build' && step === 'test')) },
  { name: 'ctest', runs: first('ctest'), idle: ['-N', '--show-only'] },
]

/** Run what stands behind them. */
const carriers: readonly (readonly string[])[] = [
  ['uv', 'run'],
  ['poetry', 'run'],
  ['pipenv', 'run'],
  ['hatch', 'run'],
  ['pdm', 'run'],
  ['rye', 'run'],
  ['npx'],
  ['pnpm', 'exec'],
  ['pnpm', 'dlx'],
  ['npm', 'exec', '--'],
  ['yarn', 'exec'],
  ['bunx'],
  ['bundle', 'exec'],
]

/** Undefined where the call is no check, or where nobody could say what its outcome means. */
export function readCheckCommand(tool: string, args: unknown): CheckCommand | undefined {
  const command = tool === 'terminal' ? commandOf(args) : undefined
  if (command === undefined || command.length >= charactersMax * 2 || charactersIn(command) >= charactersMax) return undefined
  const line = readCommandLine(command)
  // A line feed, at the end too: then nobody knows of which command the outcome is.
  if (line === undefined || line.substitutes || line.groups || line.endsWith !== '' || /[\n\r]/.test(command.trimStart()))
    return undefined
  if (command.slice(0, command.length - command.trimStart().length).includes('\n')) return undefined
  const last = line.commands.at(-1)
  const before = line.commands.slice(0, -1)
  if (last === undefined || before.length > foldersMax || !before.every(isFolderChange)) return undefined
  if (before.length > 0 && line.commands.some(({ joinedBy }, at) => at > 0 && joinedBy !== '&&')) return undefined
  if (last.joinedBy !== '' && before.length === 0) return undefined
  return runnerOf(last)
}

/** The text of the command of a terminal call; undefined where there is none. */
export function commandOf(args: unknown): string | undefined {
  if (typeof args !== 'object' || args === null || !Object.hasOwn(args, 'command')) return undefined
  const { command } = args as { readonly command?: unknown }
  return typeof command === 'string' ? command : undefined
}

function runnerOf({ words: given, redirections }: SimpleCommand): CheckCommand | undefined {
  // Output that goes elsewhere is not in the result. Errors that join the output are.
  if (!redirections.every(({ sign, target }) => sign === '2>&' && target === '1')) return undefined
  const { assigned, words: behind } = withoutAssignments(given)
  if (assigned.some((name) => steeringVariable.test(name))) return undefined
  const words = withoutCarrier(behind)
  const runner = runners.find(({ runs }) => runs(words))
  if (runner === undefined || words.some((word) => isIdle(word, runner))) return undefined
  return { runner: runner.name }
}

function isIdle(word: string, { idle = [] }: Runner): boolean {
  const flag = word.startsWith('-') && word.includes('=') ? word.slice(0, word.indexOf('=')) : word
  return idleFlags.has(flag) || idle.includes(flag)
}

function withoutCarrier(words: readonly string[]): readonly string[] {
  const carrier = carriers.find((prefix) => prefix.every((word, at) => words[at] === word))
  return carrier === undefined ? words : words.slice(carrier.length)
}

function isFolderChange({ words, redirections }: SimpleCommand): boolean {
  return redirections.length === 0 && words.length === 2 && words[0] === 'cd' && !/^-/.test(words[1] ?? '-')
}

/** Programs that look and change nothing, whatever their arguments. */
const lookers: ReadonlySet<string> = new Set(
  'ls pwd cat head tail wc grep egrep fgrep rg stat file du df ps whoami id date uname which type tree diff cmp basename dirname realpath readlink nl cut jq column printenv true test [ hostname uptime free'.split(
    ' ',
  ),
)
const gitLookers: ReadonlySet<string> = new Set(
  'status log diff show blame rev-parse ls-files ls-tree cat-file shortlog describe grep'.split(' '),
)

/** Whether a command line only looks: then what was checked before still holds. False wherever that is not plain. */
export function onlyLooks(command: string): boolean {
  if (command.length > charactersMax) return false
  const line = readCommandLine(command)
  if (line === undefined || line.substitutes || line.groups || line.endsWith === '&' || line.commands.length === 0) return false
  return line.commands.every(({ words, redirections, joinedBy }) => {
    if (joinedBy === '&' || !redirections.every(({ sign, target }) => sign === '2>&' || target === '/dev/null' || sign === '<'))
      return false
    const [name = '', verb = ''] = words
    if (name === 'git') return gitLookers.has(verb) && !words.some((word) => word.startsWith('--output') || word === '-o')
    if (name === 'cd') return true
    return (
      lookers.has(name) &&
      !(name === 'date' && words.some((word) => /^(?:-s|--set)/.test(word))) &&
      !(name === 'tree' && words.includes('-o'))
    )
  })
}
