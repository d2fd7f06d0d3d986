// Gives a test an empty folder of its own that is gone when the test process ends.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

/** The absolute path of a new empty folder, readable by its owner alone. */
export function temporaryFolder(): string {
  if (folders.length === 0) process.once('exit', removeFolders)
  const folder = mkdtempSync(join(tmpdir(), 'stele-test-'))
  folders.push(folder)
  return folder
}

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
