// `npm test`: installs what is missing, builds, and hands over to the guarded run in run-tests.ts, which needs both.

import { spawnSync } from 'node:child_process'
import { ensureBuilt, ensureInstalled, rootDir, showSetupError } from './setup.mjs'

function prepare() {
  try {
    ensureInstalled()
  } catch (error) {
    showSetupError(error)
    return
  }
  try {
    ensureBuilt()
    return []
  } catch (error) {
    // What does not need dist/ is still worth knowing; the run counts the build as failed.
    showSetupError(error)
    return ['--build-failed']
  }
}

const buildFlags = prepare()
if (buildFlags === undefined) {
  console.log('0 passed, 1 failed')
  process.exitCode = 1
} else {
  const args = ['--import', 'tsx', 'scripts/run-tests.ts', ...buildFlags, ...process.argv.slice(2)]
  const result = spawnSync(process.execPath, args, { cwd: rootDir, stdio: 'inherit' })
  process.exitCode = result.status ?? 1
}
