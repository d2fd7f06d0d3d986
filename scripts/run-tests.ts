// The run behind `npm test`: lint, type check, and every test file under the guard; its last line is `N passed, N failed`.
// With words as arguments it runs only the test files whose path contains one of them, and says so.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { projectFiles, projectRoot } from './project-tree.js'
import { endAllTestFiles, runTestFile } from './run-test-file.js'
import { chosenPaths, type FileVerdict, finalLine, judgeRun, notesIn, refusalsOf, timeLimitSOf } from './test-guard.js'

const concurrency = 2

async function main(args: readonly string[]): Promise<void> {
  const verdicts: FileVerdict[] = []
  const words = args.filter((argument) => argument !== '--build-failed')
  if (args.includes('--build-failed')) verdicts.push(report('build', undefined, ['it failed, see above'], ''))

  if (words.length === 0) {
    verdicts.push(...(await Promise.all([lint(), typeCheck()])))
  } else {
    console.log(`partial run: only test files whose path contains ${words.join(' or ')}; no lint, no type check`)
  }

  const files = projectFiles('test', /\.test\.ts$/).map((file) => ({ ...file, timeLimitS: timeLimitSOf(file.text) }))
  const chosen = new Set(
    chosenPaths(
      files.map(({ path }) => path),
      words,
    ),
  )
  // The patient ones first: they decide how long the whole takes.
  const queue = files.filter(({ path }) => chosen.has(path)).sort((a, b) => b.timeLimitS - a.timeLimitS)
  if (queue.length === 0) verdicts.push(report('test files', undefined, ['there is none to run'], ''))
  const worker = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) verdicts.push(await testFile(file))
  }
  await Promise.all(Array.from({ length: concurrency }, worker))

  if (words.length > 0) console.log(`partial run: ${chosen.size} of ${files.length} test files`)
  console.log(finalLine(verdicts))
  process.exitCode = verdicts.some(({ failed }) => failed > 0) ? 1 : 0
}

async function testFile({ path, text, timeLimitS }: { path: string; text: string; timeLimitS: number }): Promise<FileVerdict> {
  const refusals = refusalsOf(text)
  if (refusals.length > 0) return report(path, undefined, refusals, '')
  const run = await runTestFile(path, timeLimitS)
  const { passed, failed, problems } = judgeRun(run)
  const notes = notesIn(run.standardOutput)
  if (run.leftProcesses) notes.push('it left processes running; the guard ended them')
  report(path, { passed, seconds: run.seconds, notes }, problems, run.output)
  return { passed, failed, problems }
}

/** One line for what passed; for what did not, the reasons and the whole output. Returns it as one test. */
function report(
  name: string,
  done: { passed: number; seconds: number; notes: string[] } | undefined,
  problems: readonly string[],
  output: string,
): FileVerdict {
  if (problems.length === 0 && done !== undefined) {
    console.log(`ok    ${name}  ${done.passed} passed  ${done.seconds.toFixed(1)} s`)
    for (const note of done.notes) console.log(`      ${note}`)
    return { passed: 1, failed: 0, problems }
  }
  console.log(`FAIL  ${name}: ${problems.join('; ')}`)
  if (output.trim() !== '') console.log(`${output.trimEnd()}\n`)
  return { passed: 0, failed: 1, problems }
}

function lint(): Promise<FileVerdict> {
  return step('lint', ['@biomejs/biome/bin/biome', 'ci', '--colors=off', '.'])
}

function typeCheck(): Promise<FileVerdict> {
  return step('type check', ['typescript/bin/tsc', '-p', 'tsconfig.json', '--pretty', 'false'])
}

function step(name: string, [script, ...args]: [string, ...string[]]): Promise<FileVerdict> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [join(projectRoot, 'node_modules', script), ...args], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: Buffer[] = []
  child.stdout.on('data', (bytes: Buffer) => output.push(bytes))
  child.stderr.on('data', (bytes: Buffer) => output.push(bytes))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode) => {
      const problems = exitCode === 0 ? [] : [`exit code ${exitCode}`]
      const seconds = (performance.now() - startedAt) / 1000
      resolve(report(name, { passed: 1, seconds, notes: [] }, problems, Buffer.concat(output).toString('utf8')))
    })
  })
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endAllTestFiles()
    process.exit(130)
  })
}

await main(process.argv.slice(2))
