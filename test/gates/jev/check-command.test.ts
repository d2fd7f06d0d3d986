// Holds the reader of check commands to its vectors: only what really runs a check, and shows how it ended, counts.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { onlyLooks, readCheckCommand } from '../../../src/gates/jev/check-command.js'
import { countedSteps } from '../../support/counted-steps.js'

const test = suite('check-command')

const counts = (command: string): boolean => readCheckCommand('terminal', { command }) !== undefined

/** Section 10.1, as the original has it. */
function originalCounts(command: string): boolean {
  const starts =
    /^\s*(?:pytest|python[0-9.]*\s+-m\s+pytest|uv\s+run\s+python\s+-m\s+pytest|python[0-9.]*\s+-m\s+(?:compileall|unittest)|npm\s+test|npm\s+run\s+(?:test|lint|build|typecheck)|pnpm\s+(?:test|lint|build|typecheck)|cargo\s+(?:test|check|build|clippy)|ruff\s+check|mypy|tsc)(?=\s|$)/
  const flags =
    /(?:^|\s)(?:--collect-only|--co|--version|--help|--list-tests|--list|--dry-run|--fix|--fix-only|--write|--updateSnapshot|--update-snapshots|-h|-u)(?=\s|=|$)/
  return command.length < 4000 && starts.test(command) && !/[;&|`\n]|\$\(/.test(command) && !flags.test(command)
}

const each = (id: string, says: string, commands: readonly string[], ours: boolean, original = ours): void => {
  for (const command of commands)
    test(`vector ${id}: ${JSON.stringify(command)} ${says}`, () => {
      assert.is(originalCounts(command), original)
      assert.is(counts(command), ours)
    })
}

each('F30', 'is a check', ['pytest tests/unit -x', 'python3.11 -m pytest', 'uv run python -m pytest -q'], true)
each(
  'F31',
  'is a check',
  [
    'npm test',
    'npm run typecheck',
    'pnpm build',
    'cargo clippy --all',
    'ruff check src',
    'mypy .',
    'tsc -b',
    'python -m unittest',
  ],
  true,
)
each(
  'F32',
  'is none',
  ['pytest; true', 'pytest && x', 'pytest || true', 'pytest &', 'pytest $(ls)', 'pytest\n', 'pytest `ls`', 'pytest | tee log'],
  false,
)
each(
  'F33',
  'is none',
  [
    'pytest --collect-only',
    'pytest --co',
    'pytest --list=1',
    'cargo test --help',
    'mypy --version',
    'pytest -h',
    'npm test -- -u',
    'ruff check --fix .',
  ],
  false,
)
each('F34', 'is none', ['pytestx', 'npm run e2e', 'cargo fmt', 'ruff format'], false)
each(
  'F35 and compat W28',
  'is none for the original, and one for ours',
  [
    'go test ./pkg',
    'npx tsc',
    'yarn test',
    'uv run pytest',
    'pnpm run lint',
    'make check',
    'CI=1 pytest',
    'cd api && pytest',
    'npx vitest run',
    'node --test test/',
    'bun test',
    'deno test',
    './gradlew test',
    'mvn -q verify',
    'dotnet test',
    'tox -e py312',
    'cd a && cd b && NODE_ENV=test npm test 2>&1',
  ],
  true,
  false,
)
each(
  'F36 and compat W28',
  'is one for the original, and none for ours',
  ['pytest --markers', 'cargo test --no-run', 'pytest -q > log.txt', 'npm test -- --passWithNoTests', 'tsc --watch'],
  false,
  true,
)
each('F37 and compat W28', 'has an operator in quotes only: one for ours', ["pytest -k 'x|y'", 'pytest -k "a;b"'], true, false)

test('vector F38: a command of 4,000 characters is none', () => {
  assert.is(counts(`pytest ${'x'.repeat(3992)}`), true)
  assert.is(counts(`pytest ${'x'.repeat(3993)}`), false)
})

test('what could hide a failure or run something else is no check', () => {
  for (const command of [
    'cd api; pytest',
    'cd api || pytest',
    'ls && pytest',
    'PYTEST_ADDOPTS=--co pytest',
    'PATH=. pytest',
    'NODE_OPTIONS=--require=x npm test',
    'pytest "--co"',
    'pytest 2>/dev/null',
    'pytest <(ls)',
    '(pytest)',
    'pytest "',
    '\npytest',
    'if pytest',
    '! pytest',
    'vitest',
    'make -n check',
    'pytest\r',
    'echo pytest',
    '',
  ])
    assert.is(counts(command), false, JSON.stringify(command))
})

test('only the terminal runs checks, and only a text is a command', () => {
  assert.is(readCheckCommand('execute_code', { command: 'pytest' }), undefined)
  for (const args of [null, [], 'pytest', { command: ['pytest'] }, {}, { cmd: 'pytest' }])
    assert.is(readCheckCommand('terminal', args), undefined)
  assert.equal(readCheckCommand('terminal', { command: '  uv run pytest -q # quick' }), { runner: 'pytest' })
})

test('compat W27: a command that only looks is told from one that changes', () => {
  for (const command of ['ls', 'git status', 'cat a | grep b | wc -l', 'cd x && ls 2>/dev/null', 'git diff HEAD~1'])
    assert.is(onlyLooks(command), true, command)
  for (const command of [
    'rm a',
    'ls > a',
    'git checkout .',
    'cat a && touch b',
    'ls $(touch a)',
    'ls &',
    'xargs ls',
    'date -s 1',
    '',
    'ls "',
    'sed -i s/a/b/ x',
  ])
    assert.is(onlyLooks(command), false, command)
})

test('reading a command costs what it is long', () => {
  for (const unit of ['a ', '"a" ', "'", 'cd a && ', 'A=b ', '\\ ', '> ', '$(', '#']) {
    const steps = (length: number) =>
      countedSteps(() => readCheckCommand('terminal', { command: `pytest ${unit.repeat(length)}` }))
    assert.ok(steps(1600) <= steps(800) * 2.2 + 10_000, unit)
  }
})

test.run()
