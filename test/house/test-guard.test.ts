// Holds the guard of `npm test` to its promise: each way in which uvu reports success for a broken suite is caught.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot } from '../../scripts/project-tree.js'
import { runTestFile } from '../../scripts/run-test-file.js'
import {
  chosenPaths,
  defaultTimeLimitS,
  type FinishedRun,
  finalLine,
  guardedEnvironment,
  judgeRun,
  notesIn,
  refusalsOf,
  timeLimitSOf,
} from '../../scripts/test-guard.js'

const uvuUrl = pathToFileURL(join(projectRoot, 'node_modules/uvu/dist/index.mjs')).href
let folder = ''

test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'stele-guard-'))
  // Without it Node would take the fixtures for CommonJS.
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
})

test.after(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a fixture as the guard runs a test file. */
async function run(
  name: string,
  body: string,
  timeLimitS = 60,
): Promise<FinishedRun & { output: string; text: string; leftProcesses: boolean }> {
  const text = `import { suite, test } from '${uvuUrl}'\n${body}\n`
  const path = join(folder, `${name}.test.ts`)
  writeFileSync(path, text)
  return { ...(await runTestFile(path, timeLimitS)), text }
}

test('an honest file passes with its count', async () => {
  const honest = await run('honest', "test('one', () => {})\ntest('two', async () => {})\ntest.run()")
  assert.equal(refusalsOf(honest.text), [])
  assert.equal(judgeRun(honest), { passed: 2, failed: 0, problems: [] })
})

test('a file that fails honestly counts what passed and what failed', async () => {
  const failing = await run('failing', "test('one', () => {})\ntest('two', () => { throw new Error('two broke') })\ntest.run()")
  assert.equal(judgeRun(failing), { passed: 1, failed: 1, problems: ['its exit code is 1', 'only 1 of 2 tests passed'] })
  assert.match(failing.output, 'two broke')
})

test('the first lie, a file that forgets .run(), is refused and would fail', async () => {
  const lie = await run(
    'no-run',
    "test('never run', () => { throw new Error('unseen') })\n// test.run()\nconst words = 'test.run()'\nvoid words",
  )
  assert.is(lie.exitCode, 0, 'uvu lies')
  assert.match(refusalsOf(lie.text).join(), 'never calls .run()')
  assert.equal(judgeRun(lie), { passed: 0, failed: 1, problems: ['it printed no summary'] })
})

test('the second lie, a pattern that matches no file, fails the run', () => {
  const child = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/run-tests.ts', 'no-file-is-called-so'], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
  assert.is(child.status, 1)
  assert.match(child.stdout, 'partial run')
  assert.match(child.stdout, 'there is none to run')
  assert.ok(child.stdout.endsWith('\n0 passed, 1 failed\n'), child.stdout)
})

test('the third lie, a before hook that throws, fails the file', async () => {
  const lie = await run(
    'before',
    "test.before(() => { throw new Error('unseen') })\ntest('one', () => {})\ntest('two', () => {})\ntest.run()",
  )
  assert.is(lie.exitCode, 0, 'uvu lies')
  assert.equal(judgeRun(lie), { passed: 0, failed: 2, problems: ['only 0 of 2 tests passed'] })
})

test('the fourth lie, a test that throws null, fails the file', async () => {
  const lie = await run('null', "test('one', () => {})\ntest('two', () => { throw null })\ntest('dropped', () => {})\ntest.run()")
  assert.is(lie.exitCode, 0, 'uvu lies')
  assert.equal(judgeRun(lie), { passed: 1, failed: 2, problems: ['only 1 of 3 tests passed'] })
})

test('the fifth lie, an after.each that throws, fails the file', async () => {
  const lie = await run(
    'after-each',
    "test.after.each(() => { throw new Error('unseen') })\ntest('one', () => { throw new Error('real') })\ntest.run()",
  )
  assert.is(lie.exitCode, 0, 'uvu lies')
  assert.equal(judgeRun(lie), { passed: 0, failed: 1, problems: ['only 0 of 1 tests passed'] })
})

test('a file whose only suite is empty fails', async () => {
  assert.equal(judgeRun(await run('empty', 'test.run()')), { passed: 0, failed: 1, problems: ['it ran no test'] })
})

test('a file that leaves before its tests have run fails', async () => {
  const left = await run('left', "test('one', () => process.exit(0))\ntest('two', () => {})\ntest.run()")
  assert.equal(judgeRun(left).failed, 1)
  assert.match(judgeRun(left).problems.join(), 'no summary')
})

test('a file that breaks after its summary fails, and its passed tests still count', async () => {
  const late = await run('late', "test('one', () => { setTimeout(() => { throw new Error('late') }, 100) })\ntest.run()")
  assert.equal(judgeRun(late), { passed: 1, failed: 1, problems: ['its exit code is 1'] })
})

test('a file that cannot be loaded fails', async () => {
  const broken = await run('broken', "import './no-such-file.js'\ntest('one', () => {})\ntest.run()")
  assert.equal(judgeRun(broken), { passed: 0, failed: 1, problems: ['its exit code is 1', 'it printed no summary'] })
})

test('a file that hangs is ended at its limit with all that it started', async () => {
  const body = [
    "import { spawn } from 'node:child_process'",
    "test('never ends', async () => {",
    "  spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })",
    '  await new Promise((resolve) => setTimeout(resolve, 60_000))',
    '})',
    'test.run()',
  ].join('\n')
  const startedAt = performance.now()
  const hanging = await run('hanging', body, 2)
  assert.ok(performance.now() - startedAt < 30_000, 'ended at its limit')
  assert.equal(judgeRun(hanging), { passed: 0, failed: 1, problems: ['it was still running after 2 s', 'it printed no summary'] })
})

test('processes that outlive their file are ended and reported', async () => {
  const body = [
    "import { spawn } from 'node:child_process'",
    "test('leaves a child', () => {",
    "  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })",
    '  child.unref()',
    '})',
    'test.run()',
  ].join('\n')
  const leaving = await run('leaving', body)
  assert.is(leaving.leftProcesses, true)
  assert.is((await run('tidy', "test('one', () => {})\ntest.run()")).leftProcesses, false)
})

test('a test process sees a fresh home, no colours and nobody’s settings', async () => {
  process.env['TYPESAFE_API_KEY'] = 'not for tests'
  process.env['STELE_HOME'] = '/nowhere'
  try {
    const names = '["HOME","NO_COLOR","FORCE_COLOR","STELE_HOME","HERMES_HOME","TYPESAFE_API_KEY"]'
    const said = `'\\nnote: ' + JSON.stringify(${names}.map((name) => process.env[name] ?? null))`
    const body = `test('one', () => { console.log(${said}) })\ntest.run()`
    const [home, ...others] = JSON.parse(notesIn((await run('environment', body)).standardOutput)[0] ?? '[]')
    assert.ok(home.startsWith(join(tmpdir(), 'stele-')), home)
    assert.equal(others, ['1', null, null, null, null])
  } finally {
    delete process.env['TYPESAFE_API_KEY']
    delete process.env['STELE_HOME']
  }
})

test('the environment keeps what is neither a setting, a colour nor a key', () => {
  const dirty = {
    PATH: '/bin',
    FORCE_COLOR: '1',
    HERMES_HOME: '/h',
    PROVENANCE_GATE_MODE: 'block',
    XDG_RUNTIME_DIR: '/r',
    STELE_TEST_HERMES: '/s',
  }
  assert.equal(guardedEnvironment(dirty, '/t'), {
    PATH: '/bin',
    STELE_TEST_HERMES: '/s',
    NO_COLOR: '1',
    HOME: '/t',
    USERPROFILE: '/t',
  })
})

test('only, skip and an asynchronous throws are refused, but not in words', () => {
  const fit = "import { test } from 'uvu'\ntest('calls .only( and .skip( in words', () => {}) // .only(\ntest.run()"
  assert.equal(refusalsOf(fit), [])
  assert.match(refusalsOf(`${fit}\ntest.only ('x', () => {})`).join(), '.only(')
  assert.match(refusalsOf(`test.skip('x', () => {})\n${fit}`).join(), '.skip(')
  assert.match(refusalsOf(`assert.throws(async () => {})\n${fit}`).join(), 'rejectsWithCode')
})

test('a suite that is never run, or given tests after its run, is refused', () => {
  const head = "import { suite, test } from 'uvu'\n"
  assert.match(
    refusalsOf(`${head}const other = suite('other')\nother('x', () => {})\ntest('y', () => {})\ntest.run()`).join(),
    'add other.run()',
  )
  assert.match(refusalsOf(`${head}test('x', () => {})\ntest.run()\ntest('late', () => {})`).join(), 'move the run to the end')
  assert.equal(refusalsOf(`${head}const other = suite<{ a: 1 }>('other')\nother('x', () => {})\nother.run()`), [])
})

test('two summaries in one output are not believed', () => {
  const summary = '\n  Total:     1\n  Passed:    1\n  Skipped:   0\n  Duration:  1.00ms\n\n'
  const finished = { exitCode: 0, signal: null, timedOut: false, timeLimitS: 1, standardOutput: summary }
  assert.equal(judgeRun(finished), { passed: 1, failed: 0, problems: [] })
  assert.is(judgeRun({ ...finished, standardOutput: summary + summary }).failed, 1)
})

test('skipped tests fail the file', () => {
  const standardOutput = '\n  Total:     1\n  Passed:    1\n  Skipped:   2\n  Duration:  1.00ms\n\n'
  const verdict = judgeRun({ exitCode: 0, signal: null, timedOut: false, timeLimitS: 1, standardOutput })
  assert.equal(verdict, { passed: 1, failed: 1, problems: ['2 tests were skipped'] })
})

test('a file may ask for more time in its first ten lines only', () => {
  assert.is(timeLimitSOf('// A slow one.\n// time limit: 600 s\n'), 600)
  assert.is(timeLimitSOf('// A quick one.\n'), defaultTimeLimitS)
  assert.is(timeLimitSOf(`${'\n'.repeat(10)}// time limit: 600 s\n`), defaultTimeLimitS)
})

test('words choose the files whose path contains one of them', () => {
  const paths = ['test/ledger/store.test.ts', 'test/gates/gate.test.ts', 'test/house/names.test.ts']
  assert.equal(chosenPaths(paths, []), paths)
  assert.equal(chosenPaths(paths, ['ledger', 'names']), [paths[0], paths[2]])
  assert.equal(chosenPaths(paths, ['nothing']), [])
})

test('the last line adds up what passed and what failed', () => {
  const verdicts = [
    { passed: 3, failed: 0, problems: [] },
    { passed: 1, failed: 2, problems: ['x'] },
  ]
  assert.is(finalLine(verdicts), '4 passed, 2 failed')
})

test.run()
