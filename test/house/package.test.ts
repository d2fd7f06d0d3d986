// Holds the packed package and the project's own commands to what the papers say of them.

import { spawnSync } from 'node:child_process'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isInProject, projectRoot, readProjectFile } from '../../scripts/project-tree.js'

const manifest: { readonly files: readonly string[]; readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readProjectFile('package.json'),
)

test('row P107: the packed package holds LICENSE and NOTICE, and NOTICE names the three plugins', () => {
  const packed = packedPaths()
  for (const path of ['LICENSE', 'NOTICE']) assert.ok(packed.includes(path), `${path} is packed`)
  assert.match(readProjectFile('LICENSE'), 'Apache License')
  for (const plugin of ['hermes-provenance-gate', 'jev-router', 'capability-gate'])
    assert.match(readProjectFile('NOTICE'), plugin)
})

test('row J61: the packed package holds the program, its schema and its papers, and neither sources nor tests', () => {
  const packed = packedPaths()
  for (const path of ['package.json', 'README.md', 'ledger-schema.json', 'dist/cli/main.js']) {
    assert.ok(packed.includes(path), `${path} is packed`)
  }
  const fixtures = manifest.files.filter((path) => path.startsWith('test/'))
  const unwanted = packed.filter(
    (path) =>
      /^(src|test|scripts|bench|node_modules)\//.test(path) && !fixtures.some((fixture) => path.startsWith(`${fixture}/`)),
  )
  assert.equal(unwanted, [])
  assert.equal(
    packed.filter((path) => /\.test\.|(^|\/)\./.test(path)),
    [],
  )
})

test('row J61: lint, format, type check, build and package check are commands of their own', () => {
  for (const name of ['lint', 'format', 'check', 'build', 'prepack', 'test', 'start'])
    assert.type(manifest.scripts[name], 'string', name)
})

test('every command that README.md and CONTRIBUTING.md name is there', () => {
  for (const page of ['README.md', 'CONTRIBUTING.md']) {
    const unknown = commandsIn(readProjectFile(page)).filter((name) => !Object.hasOwn(manifest.scripts, name))
    assert.equal(unknown, [], `${page} names only scripts of package.json`)
  }
})

test('every file that a command of package.json runs is there', () => {
  const files = Object.values(manifest.scripts).flatMap(
    (command) => command.match(/\b(?:scripts|bench)\/[\w./-]+\.(?:mjs|ts)\b/g) ?? [],
  )
  assert.equal(
    files.filter((path) => !isInProject(path)),
    [],
  )
})

test('commands are found in sentences and in blocks', () => {
  const page =
    'Run `npm run lint`, then npm run soak:corruption -- --rounds 3.\n\n    npm test\n\nand `npm start`; npm install is not ours.'
  assert.equal(commandsIn(page), ['lint', 'soak:corruption', 'test', 'start'])
})

function commandsIn(page: string): string[] {
  return [...page.matchAll(/\bnpm (?:run ([\w:-]+)|(test|start)\b)/g)].map((match) => match[1] ?? match[2] ?? '')
}

let packedOnce: readonly string[] | undefined

test('the plugin bears the version of the package', () => {
  const { version } = JSON.parse(readProjectFile('package.json')) as { version: string }
  assert.match(readProjectFile('plugins/hermes/plugin.yaml'), new RegExp(`^version: ${version}$`, 'm'))
  assert.match(readProjectFile('plugins/hermes/client.py'), new RegExp(`^PLUGIN_VERSION = "${version}"$`, 'm'))
})

/** What `npm pack` would take. Its scripts stay out: the run that calls this test has built dist/ already. */
function packedPaths(): readonly string[] {
  packedOnce ??= listPacked()
  return packedOnce
}

function listPacked(): readonly string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error']
  const npmScript = process.env['npm_execpath'] ?? ''
  const options = { cwd: projectRoot, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  const { status, stdout, stderr } = /npm-cli\.c?js$/.test(npmScript)
    ? spawnSync(process.execPath, [npmScript, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  assert.is(status, 0, stderr)
  const answer: unknown = JSON.parse(stdout)
  const [packed] = Array.isArray(answer) ? answer : Object.values(answer as Record<string, { files: { path: string }[] }>)
  return packed.files.map(({ path }: { path: string }) => path)
}

test.run()
