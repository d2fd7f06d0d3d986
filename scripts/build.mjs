// `npm run build`: installs what is missing and makes dist/.

import { ensureBuilt, ensureInstalled, showSetupError } from './setup.mjs'

try {
  ensureInstalled()
  ensureBuilt()
} catch (error) {
  showSetupError(error)
  process.exitCode = 1
}
