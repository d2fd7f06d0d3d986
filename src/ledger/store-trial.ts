// Whether a damaged store can be lived with: its copy is opened, written anew and read through in a process of its own. LevelDB does all of
// that sooner or later, and a bad table can end whatever process it happens in.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { rewriteStore } from './store.js'

/** Resolves to whether the copy in a folder came through. Whoever calls owns the folder; afterwards it is of no use. */
export function storeTrial(folder: string): Promise<boolean> {
  const child = fork(fileURLToPath(import.meta.url), ['try-store', folder], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

/** In the child: its exit code is its answer. */
async function runTrial(folder: string): Promise<void> {
  try {
    await rewriteStore(folder)
    process.exit(0)
  } catch {
    process.exit(1)
  }
}

const [task, folder] = process.argv.slice(2)
if (process.send !== undefined && task === 'try-store' && folder !== undefined) await runTrial(folder)
