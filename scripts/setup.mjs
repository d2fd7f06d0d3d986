// Brings a fresh clone to where it can run: the packages of package-lock.json, then dist/ from src/; at once when in place.
// It runs before node_modules exists, so it may import nothing but node: itself.

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const rootDir = fileURLToPath(new URL('..', import.meta.url))

const distDir = join(rootDir, 'dist')
// npm never packs a name that begins with "._".
const stampFile = join(distDir, '._built')
const lockFile = join(distDir, '._lock')
const lockAgeMaxMs = 10 * 60_000

/** Why set-up cannot go on, as one line for a person; `output` is what the failed program said. */
export class SetupError extends Error {
  constructor(message, output = '') {
    super(message)
    this.name = 'SetupError'
    this.output = output
  }
}

/** Tells a person about a SetupError (anything else is our own mistake and is thrown on). */
export function showSetupError(error) {
  if (!(error instanceof SetupError)) throw error
  if (error.output.trim() !== '') process.stderr.write(`${error.output.trimEnd()}\n`)
  process.stderr.write(`stele: ${error.message}\n`)
}

/** Installs exactly what package-lock.json says, unless node_modules already holds it. Throws SetupError. */
export function ensureInstalled() {
  refuseOldNode()
  if (whatIsNotInstalled() === undefined) return
  withLock(() => {
    // Asked again, because whoever held the lock may have installed it meanwhile.
    const reason = whatIsNotInstalled()
    if (reason !== undefined) install(reason)
  })
}

/** Compiles src/ into dist/ unless dist/ was made from exactly these files. Throws SetupError; then dist/ is as it was. */
export function ensureBuilt() {
  if (isBuilt(fingerprint())) return
  withLock(() => {
    // Taken before the compiler reads, so that an edit made during the build makes the next one due.
    const sources = fingerprint()
    if (!isBuilt(sources)) build(sources)
  })
}

function refuseOldNode() {
  const wanted = readJson(join(rootDir, 'package.json')).engines.node
  const [major = 0, minor = 0] = wanted.match(/\d+/g).map(Number)
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return
  throw new SetupError(`Node ${process.versions.node} is too old; Stele needs Node ${wanted} (see https://nodejs.org)`)
}

/** A sentence on the first thing that is missing or different, or undefined. */
function whatIsNotInstalled() {
  const lockPath = join(rootDir, 'package-lock.json')
  if (!existsSync(lockPath)) throw new SetupError('package-lock.json is missing; restore it with git checkout package-lock.json')
  const wanted = readJson(lockPath).packages
  refuseOtherManifest(wanted[''])
  const hiddenLockPath = join(rootDir, 'node_modules', '.package-lock.json')
  if (!existsSync(hiddenLockPath)) return 'no packages are installed'
  const installed = readJson(hiddenLockPath).packages
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue
    const found = installed[path]
    if (found === undefined) {
      // Packages for other platforms are optional and never arrive here.
      if (entry.optional === true) continue
      return `${path} is missing`
    }
    if (found.version !== entry.version || found.integrity !== entry.integrity) return `${path} is another version`
    if (!existsSync(join(rootDir, path))) return `${path} is missing`
  }
  const extra = Object.keys(installed).find((path) => wanted[path] === undefined)
  return extra === undefined ? undefined : `${extra} is not in package-lock.json`
}

/** npm ci would refuse this with two dozen lines; one line names what to run. */
function refuseOtherManifest(locked) {
  const manifest = readJson(join(rootDir, 'package.json'))
  for (const field of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    const sorted = (record) => JSON.stringify(Object.entries(record ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)))
    if (sorted(manifest[field]) === sorted(locked[field])) continue
    throw new SetupError(`${field} of package.json and package-lock.json differ; run npm install and commit both`)
  }
}

function install(reason) {
  process.stderr.write(`stele: installing packages (${reason})\n`)
  // Development packages build Stele, whatever NODE_ENV says; and a failure must speak even under npm --silent.
  const args = ['ci', '--no-audit', '--no-fund', '--include=dev', '--loglevel=error']
  const npmScript = process.env.npm_execpath
  const options = { cwd: rootDir, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }
  const result =
    npmScript !== undefined && /npm-cli\.c?js$/.test(npmScript)
      ? spawnSync(process.execPath, [npmScript, ...args], options)
      : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  if (result.error !== undefined) throw new SetupError(`npm cannot be started (${result.error.code}); install npm beside Node`)
  if (result.status !== 0) {
    throw new SetupError(
      'the packages cannot be installed: npm ci failed, see above; check the network and the registry',
      `${result.stdout}${result.stderr}`,
    )
  }
  const stillMissing = whatIsNotInstalled()
  if (stillMissing !== undefined)
    throw new SetupError(`npm ci ended well, but ${stillMissing}; remove node_modules and try again`)
}

/** What dist/ depends on: path → modification time and size. A deleted source is a difference too. */
function fingerprint() {
  const sourceFiles = filesUnder(join(rootDir, 'src'))
  if (sourceFiles.length === 0) throw new SetupError('src/ is missing or empty; restore it with git checkout src')
  const configs = readdirSync(rootDir).filter((name) => /^tsconfig.*\.json$|^package(-lock)?\.json$/.test(name))
  const sources = {}
  for (const path of [...configs.map((name) => join(rootDir, name)), ...sourceFiles]) {
    const { mtimeMs, size } = statSync(path)
    sources[slashed(relative(rootDir, path))] = `${mtimeMs} ${size}`
  }
  return sources
}

function isBuilt(sources) {
  let stamp
  try {
    stamp = readJson(stampFile)
  } catch {
    return false
  }
  return (
    JSON.stringify(stamp.sources) === JSON.stringify(sources) && stamp.outputs.every((path) => existsSync(join(distDir, path)))
  )
}

/**
 * Compiles beside dist/ and moves over only the files that changed, each by a rename: a program that starts from dist/
 * meanwhile never reads half a file, and a failed build changes nothing.
 */
function build(sources) {
  const compiler = join(rootDir, 'node_modules', 'typescript', 'bin', 'tsc')
  if (!existsSync(compiler)) throw new SetupError('the TypeScript compiler is missing; run npm ci')
  const freshDir = join(rootDir, 'node_modules', `.stele-build-${process.pid}`)
  try {
    const args = [compiler, '-p', 'tsconfig.build.json', '--outDir', freshDir, '--pretty', 'false']
    const result = spawnSync(process.execPath, args, { cwd: rootDir, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    if (result.status !== 0)
      throw new SetupError('the build failed; mend what tsc names above', `${result.stdout}${result.stderr}`)
    const outputs = new Map(filesUnder(freshDir).map((path) => [slashed(relative(freshDir, path)), path]))
    for (const path of filesUnder(join(rootDir, 'src'))) {
      // The page and other files that the compiler leaves alone are part of the program too.
      if (!/\.(ts|md)$/.test(path)) outputs.set(slashed(relative(join(rootDir, 'src'), path)), path)
    }
    rmSync(stampFile, { force: true })
    for (const [name, path] of outputs) publish(path, join(distDir, name))
    removeStale(distDir, outputs)
    writeFileSync(stampFile, `${JSON.stringify({ sources, outputs: [...outputs.keys()] })}\n`)
  } finally {
    rmSync(freshDir, { recursive: true, force: true })
  }
}

function publish(from, to) {
  const bytes = readFileSync(from)
  if (existsSync(to) && readFileSync(to).equals(bytes)) return
  mkdirSync(dirname(to), { recursive: true })
  const next = `${to}.${process.pid}`
  writeFileSync(next, bytes)
  if (bytes.subarray(0, 2).toString('latin1') === '#!') chmodSync(next, 0o755)
  renameSync(next, to)
}

function removeStale(dir, outputs) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) removeStale(path, outputs)
    else if (path !== lockFile && !outputs.has(slashed(relative(distDir, path)))) rmSync(path)
  }
  if (dir !== distDir && readdirSync(dir).length === 0) rmdirSync(dir)
}

/** One installer or builder at a time for this checkout: `npm start` and `npm test` may well begin together. */
function withLock(work) {
  mkdirSync(distDir, { recursive: true })
  for (let tries = 0; !tryLock(); tries += 1) {
    if (tries === 40) process.stderr.write('stele: waiting for another install or build of this checkout (dist/._lock)\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  }
  try {
    work()
  } finally {
    rmSync(lockFile, { force: true })
  }
}

function tryLock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') {
      if (isLockStale()) rmSync(lockFile, { force: true })
      return false
    }
    throw new SetupError(`dist/ cannot be written (${error.code}); check who owns this folder`)
  }
}

function isLockStale() {
  try {
    const ageMs = Date.now() - statSync(lockFile).mtimeMs
    if (ageMs > lockAgeMaxMs) return true
    const pid = Number(readFileSync(lockFile, 'utf8'))
    // Empty for the moment between its making and its first byte.
    if (pid === 0) return ageMs > 5000
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function filesUnder(dir) {
  if (!existsSync(dir)) return []
  const entries = readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => (entry.isDirectory() ? filesUnder(join(dir, entry.name)) : [join(dir, entry.name)]))
}

function slashed(path) {
  return path.split(sep).join('/')
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
