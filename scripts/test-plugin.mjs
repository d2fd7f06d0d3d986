// `npm run test:plugin`: the suite of the Hermes plugin on every Python from 3.11 that is here. Its last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { rootDir } from './setup.mjs'

const names = ['python3.11', 'python3.12', 'python3.13', 'python3.14', 'python3']
const pythons = new Map(names.map((name) => [versionOf(name), name]).filter(([version]) => version !== undefined))
if (pythons.size === 0) {
  console.error('\n  NOT TESTED: the Hermes plugin. There is no Python 3.11 or newer on this machine.\n')
}
let passed = 0
let failed = 0
for (const [version, python] of pythons) {
  const { status, stderr } = spawnSync(
    python,
    ['-m', 'unittest', 'discover', '-s', join(rootDir, 'test/plugins'), '-t', join(rootDir, 'test/plugins')],
    {
      encoding: 'utf8',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    },
  )
  const ran = Number(/^Ran (\d+) tests? in/m.exec(stderr)?.[1] ?? 0)
  const bad = [...stderr.matchAll(/(?:failures|errors|unexpected successes)=(\d+)/g)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )
  // A suite that ran nothing, or that ended otherwise, has not passed.
  const wrong = status === 0 && ran > 0 ? 0 : Math.max(1, bad)
  if (wrong > 0) process.stdout.write(stderr)
  console.log(`${wrong === 0 ? 'ok   ' : 'FAIL '} Python ${version}: ${ran} tests`)
  passed += Math.max(0, ran - wrong)
  failed += wrong
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function versionOf(name) {
  const { status, stdout } = spawnSync(name, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], { encoding: 'utf8' })
  const version = status === 0 ? stdout.trim() : ''
  return /^3\.(1[1-9]|[2-9][0-9])$/.test(version) ? version : undefined
}
