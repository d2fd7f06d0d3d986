// `npm start`: installs what is missing, builds, and runs the service of the home in the foreground, making the home where there is none.
// Words behind `--` go to `stele serve`.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, rootDir, showSetupError } from './setup.mjs'

try {
  ensureInstalled()
  ensureBuilt()
} catch (error) {
  showSetupError(error)
  process.exit(1)
}

const service = spawn(process.execPath, [join(rootDir, 'dist/cli/main.js'), 'serve', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
// The service ends in its own time; whoever waits for us waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill(signal))
service.on('exit', (code) => process.exit(code ?? 1))
