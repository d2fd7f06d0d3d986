// Whether a store in which something was found can be lived with: its tables are what was written, and its copy can be opened, written anew
// and read through in a process of its own. LevelDB does all of that sooner or later, and a bad table can end whatever process it happens in.
import { fork } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rewriteStore } from './store.js'
import { readTableFile } from './table-file.js'

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
    readTables(folder)
    await rewriteStore(folder)
    process.exit(0)
  } catch {
    process.exit(1)
  }
}

/**
 * LevelDB is not told to look at check sums, and believes the lengths in a block: what a flipped one makes it read lies beside the block, so
 * that one process may come through where the next one dies. Throws `STORE_UNREADABLE` at the first table that is not what was written.
 */
function readTables(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (/\.(?:ldb|sst)$/.test(name)) for (const _ of readTableFile(join(folder, name)));
  }
}

const [task, folder] = process.argv.slice(2)
if (process.send !== undefined && task === 'try-store' && folder !== undefined) await runTrial(folder)
