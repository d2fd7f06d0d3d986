// Runs one test file in a process of its own, with a home of its own and a time limit, and brings back all that it left.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from './project-tree.js'
import { type FinishedRun, guardedEnvironment } from './test-guard.js'

export interface TestFileRun extends FinishedRun {
  /** Standard output and standard error as they came. */
  readonly output: string
  readonly seconds: number
  /** True where processes of the file outlived it and held its output; they have been ended. */
  readonly leftProcesses: boolean
}

const graceMs = 1500
const running = new Set<ChildProcess>()

/** `path` is absolute or from the root. Never rejects for what the file does. */
export function runTestFile(path: string, timeLimitS: number): Promise<TestFileRun> {
  const home = mkdtempSync(join(tmpdir(), 'stele-'))
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--import', 'tsx', path], {
    cwd: projectRoot,
    env: guardedEnvironment(process.env, home),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what the file started can be ended with it.
    detached: true,
  })
  running.add(child)
  const output: Buffer[] = []
  const standardOutput: Buffer[] = []
  child.stdout.on('data', (bytes: Buffer) => {
    output.push(bytes)
    standardOutput.push(bytes)
  })
  child.stderr.on('data', (bytes: Buffer) => output.push(bytes))

  return new Promise((resolve) => {
    let timedOut = false
    let leftProcesses = false
    let exitCode: number | null = null
    let signal: string | null = null
    let grace: NodeJS.Timeout | undefined
    const limit = setTimeout(() => {
      timedOut = true
      endGroup(child)
    }, timeLimitS * 1000)

    child.once('error', (error) => {
      output.push(Buffer.from(`${error.message}\n`))
      exitCode = 1
    })
    child.once('exit', (code, endSignal) => {
      exitCode = code
      signal = endSignal
      clearTimeout(limit)
      // The pipes stay open as long as any process holds them; a test file must not outlive itself.
      grace = setTimeout(() => {
        leftProcesses = true
        endGroup(child)
        child.stdout.destroy()
        child.stderr.destroy()
      }, graceMs)
    })
    child.once('close', () => {
      clearTimeout(limit)
      clearTimeout(grace)
      // One that holds no pipe is ended without a word: it cannot be told from one that is just leaving.
      endGroup(child)
      running.delete(child)
      rmSync(home, { recursive: true, force: true, maxRetries: 3 })
      resolve({
        exitCode,
        signal,
        timedOut,
        timeLimitS,
        leftProcesses,
        output: Buffer.concat(output).toString('utf8'),
        standardOutput: Buffer.concat(standardOutput).toString('utf8'),
        seconds: (performance.now() - startedAt) / 1000,
      })
    })
  })
}

/** For a run that is broken off: no test process may be left behind. */
export function endAllTestFiles(): void {
  for (const child of running) endGroup(child)
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    // Windows has no process groups to name by a negative id.
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Nothing of the group is left.
  }
}
