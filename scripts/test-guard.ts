// What counts as a passed test file. uvu reports success for broken suites, so its word alone is never taken.
// Nothing here runs anything: run-test-file.ts starts the processes, run-tests.ts walks the tree.

import { scanSource } from './source-scanner.js'

export const defaultTimeLimitS = 180

/** What became of one process that ran one test file. */
export interface FinishedRun {
  /** Null where a signal ended it. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly timeLimitS: number
  readonly standardOutput: string
}

export interface FileVerdict {
  readonly passed: number
  readonly failed: number
  /** Why the file did not pass; empty where it did. */
  readonly problems: readonly string[]
}

/** Reasons to refuse a test file unread by uvu, as sentences; none for a fit one. */
export function refusalsOf(text: string): string[] {
  const { code } = scanSource(text)
  const refusals: string[] = []
  if (!/\.\s*run\s*\(\s*\)/.test(code)) refusals.push('it never calls .run(), so uvu would run none of its tests')
  for (const name of suiteNames(code)) {
    const runs = [...code.matchAll(new RegExp(`(?<![.\\w$])${escaped(name)}\\s*\\.\\s*run\\s*\\(`, 'g'))]
    const lastRun = runs.at(-1)?.index
    const calls = [...code.matchAll(new RegExp(`(?<![.\\w$])${escaped(name)}\\s*\\(`, 'g'))]
    if (calls.length === 0) continue
    if (lastRun === undefined) refusals.push(`the suite ${name} is never run: add ${name}.run()`)
    else if (calls.some((call) => call.index > lastRun))
      refusals.push(`${name}(…) after ${name}.run() is never run: move the run to the end`)
  }
  for (const word of ['only', 'skip']) {
    if (new RegExp(`\\.\\s*${word}\\s*\\(`).test(code)) refusals.push(`it calls .${word}(, which leaves tests out`)
  }
  if (/\bthrows\s*\(\s*async\b/.test(code)) {
    refusals.push('throws(async …) never sees the rejection: use rejectsWithCode, or await and assert')
  }
  return refusals
}

/** A file asks for more than the default with `// time limit: 600 s` in its first ten lines. */
export function timeLimitSOf(text: string): number {
  const asked = /^\s*\/\/ time limit: (\d+) s\s*$/m.exec(text.split('\n').slice(0, 10).join('\n'))?.[1]
  return asked === undefined ? defaultTimeLimitS : Number(asked)
}

/** Judges a finished run by everything it left, not by its exit code alone. */
export function judgeRun(run: FinishedRun): FileVerdict {
  const problems: string[] = []
  const summaries = summariesIn(run.standardOutput)
  const [summary] = summaries
  if (run.timedOut) problems.push(`it was still running after ${run.timeLimitS} s`)
  else if (run.signal !== null) problems.push(`it was ended by ${run.signal}`)
  else if (run.exitCode !== 0) problems.push(`its exit code is ${run.exitCode}`)
  if (summary === undefined) problems.push('it printed no summary')
  else if (summaries.length > 1) problems.push('it printed more than one summary')
  else {
    if (summary.total === 0) problems.push('it ran no test')
    if (summary.passed !== summary.total) problems.push(`only ${summary.passed} of ${summary.total} tests passed`)
    if (summary.skipped !== 0) problems.push(`${summary.skipped} tests were skipped`)
  }
  if (summary === undefined || summaries.length > 1) return { passed: 0, failed: 1, problems }
  // A broken file is at least one failure, also where every test it ran says it passed.
  const failed = problems.length === 0 ? 0 : Math.max(summary.total - summary.passed, 1)
  return { passed: summary.passed, failed, problems }
}

/** The environment of a test process: no colours, no settings and no home of whoever runs it. */
export function guardedEnvironment(environment: NodeJS.ProcessEnv, home: string): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !isLeftOut(name))
  return { ...Object.fromEntries(kept), NO_COLOR: '1', HOME: home, USERPROFILE: home }
}

/** The paths that contain one of the words; all of them where there is no word. */
export function chosenPaths(paths: readonly string[], words: readonly string[]): string[] {
  return paths.filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
}

/** What a test wants a person to read even when it passes: lines that begin with `note: `. */
export function notesIn(standardOutput: string): string[] {
  return [...standardOutput.matchAll(/^(?:• )*note: (.+)$/gm)].map((match) => match[1] ?? '')
}

/** The last line of every run. */
export function finalLine(verdicts: readonly FileVerdict[]): string {
  const sum = (count: (verdict: FileVerdict) => number): number => verdicts.reduce((total, verdict) => total + count(verdict), 0)
  return `${sum((verdict) => verdict.passed)} passed, ${sum((verdict) => verdict.failed)} failed`
}

function summariesIn(output: string): { total: number; passed: number; skipped: number }[] {
  const pattern = /^ {2}Total: +(\d+)\r?\n {2}Passed: +(\d+)\r?\n {2}Skipped: +(\d+)\r?\n {2}Duration: /gm
  return [...output.matchAll(pattern)].map((match) => ({
    total: Number(match[1]),
    passed: Number(match[2]),
    skipped: Number(match[3]),
  }))
}

/** `test`, and every name that a `suite(…)` was given. */
function suiteNames(code: string): string[] {
  const suites = [...code.matchAll(/\b(?:const|let|var)\s+([\w$]+)(?:\s*:[^=]+)?\s*=\s*suite\s*[<(]/g)]
  const imported = /\bimport\s*\{[^}]*(?<![\w$])test(?![\w$])[^}]*\}\s*from\b/.test(code) ? ['test'] : []
  return [...imported, ...suites.map((match) => match[1] ?? '')]
}

function escaped(name: string): string {
  return name.replaceAll('$', '\\$')
}

function isLeftOut(name: string): boolean {
  if (/^(NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|HERMES_HOME)$/i.test(name)) return true
  return /^(STELE_(?!TEST_)|TYPESAFE_|PROVENANCE_GATE_|XDG_)/i.test(name)
}
