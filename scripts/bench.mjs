// `npm run bench [-- quick]`: installs what is missing, builds, and measures.
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
const bench = spawnSync(process.execPath, ['--import', 'tsx', join(rootDir, 'bench/bench.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exit(bench.status ?? 1)
