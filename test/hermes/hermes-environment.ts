// Finds or makes the Python environment that holds the real Hermes, and says why where it cannot.
import { spawnSync } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'

export const hermesPackage = 'hermes-agent==0.19.0'

export type HermesEnvironment =
  | { readonly hermes: string; readonly folder: string }
  | { readonly missing: 'python' | 'package'; readonly said: string }

const installMs = 15 * 60_000

/** `STELE_TEST_HERMES_VENV` names the folder; otherwise it lies in the user's cache and serves every later run. */
export function hermesEnvironment(): HermesEnvironment {
  const folder = process.env['STELE_TEST_HERMES_VENV'] ?? join(cacheFolder(), `stele-test-${hermesPackage.replace('==', '-')}`)
  const python = join(folder, 'bin', 'python')
  const ready = { hermes: join(folder, 'bin', 'hermes'), folder }
  if (holdsHermes(python)) return ready

  const base = findPython()
  if (base === undefined) return { missing: 'python', said: 'none of python3.13, python3.12, python3.11, python3, python is one' }
  process.stderr.write(`installing ${hermesPackage} into ${folder}\n`)
  for (const [program, ...words] of [
    [base, '-m', 'venv', folder],
    [python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', hermesPackage],
  ] as const) {
    const { status, error, stdout, stderr } = run(program, words, installMs)
    if (status !== 0) return { missing: 'package', said: `${error?.message ?? ''}${stdout}${stderr}`.trim() }
  }
  return holdsHermes(python) ? ready : { missing: 'package', said: `${hermesPackage} was installed and is not there` }
}

function holdsHermes(python: string): boolean {
  const [name, version] = hermesPackage.split('==') as [string, string]
  return run(python, ['-c', `import importlib.metadata as m; print(m.version("${name}"))`]).stdout?.trim() === version
}

/** What the package asks for: 3.11 to 3.13. */
function findPython(): string | undefined {
  const ask = 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))'
  return ['python3.13', 'python3.12', 'python3.11', 'python3', 'python'].find((name) => run(name, ['-c', ask]).status === 0)
}

function run(program: string, words: readonly string[], timeout = 30_000) {
  return spawnSync(program, words, { encoding: 'utf8', timeout })
}

function cacheFolder(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches')
  return process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
}
