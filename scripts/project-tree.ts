// Reads this project's own files, for the guard and the house tests.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const projectRoot = fileURLToPath(new URL('..', import.meta.url))

/** A file of the project: its path from the root, with forward slashes, and its text. */
export interface ProjectFile {
  readonly path: string
  readonly text: string
}

/** Paths from the root of every file under `dir` (itself from the root), sorted; none where there is no such folder. */
export function pathsUnder(dir: string): string[] {
  const absolute = join(projectRoot, dir)
  if (!existsSync(absolute)) return []
  return readdirSync(absolute, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? pathsUnder(`${dir}/${entry.name}`) : [`${dir}/${entry.name}`]))
    .sort()
}

/** The files under `dir` whose path matches. */
export function projectFiles(dir: string, pattern: RegExp): ProjectFile[] {
  return pathsUnder(dir)
    .filter((path) => pattern.test(path))
    .map((path) => ({ path, text: readProjectFile(path) }))
}

export function readProjectFile(path: string): string {
  return readFileSync(join(projectRoot, path), 'utf8')
}

export function isInProject(path: string): boolean {
  return existsSync(join(projectRoot, path))
}
