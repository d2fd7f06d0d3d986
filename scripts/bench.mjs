// `npm run bench [-- quick]`: installs what is missing, builds, compiles the bench as it would run for a user, and measures.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, rootDir, showSetupError } from './setup.mjs'

try {
  ensureInstalled()
  ensureBuilt()
} catch (error) {
  showSetupError(error)
  process.exit(1)
}
const run = (words) => spawnSync(process.execPath, words, { stdio: 'inherit', cwd: rootDir }).status ?? 1
const compiled = run([join(rootDir, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.bench.json'])
process.exit(compiled === 0 ? run(['.bench/bench/bench.js', ...process.argv.slice(2)]) : compiled)
