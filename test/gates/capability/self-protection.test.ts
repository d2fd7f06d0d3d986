// Nothing that is granted reaches what Stele stands on: its home, plugin, allowlist, socket and program, by any spelling; and what only looks
// like them is left alone.
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { CommandPart, Touch } from '../../../src/gates/capability/access.js'
import type { ProtectedPlace } from '../../../src/gates/capability/allowlist.js'
import { commandProtection, touchProtection } from '../../../src/gates/capability/self-protection.js'
import { FileLook } from '../../../src/hooks/file-look.js'
import { resolvePaths } from '../../../src/hooks/resolve-paths.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const places: ProtectedPlace[] = [
  { what: 'home', path: '/home/ann/.stele' },
  { what: 'plugin', path: '/home/ann/.hermes/plugins/stele' },
  { what: 'allowlist', path: '/home/ann/.stele-policy/allowlist.yaml' },
  { what: 'host_settings', path: '/home/ann/.hermes/config.yaml' },
  { what: 'socket', path: '/run/user/1000/stele-abc/service.sock' },
  { what: 'program', path: '/opt/tools/stele-0.3' },
]

const touch = (path: string, access: 'read' | 'write', more: Partial<Touch> = {}): Touch => ({
  asked: path,
  access,
  tree: false,
  typed: path,
  resolved: path,
  ...more,
})

const reached = (one: Touch): string | undefined => touchProtection(one, places, 'posix')?.what

/** Of a command line in plain words: a word that begins with `/` or `.` leads where it says. */
function part(line: string, cwd = '/home/ann/desk'): CommandPart {
  const [program = '', ...operands] = line.split(' ').map((word) => word.replaceAll('_', ' '))
  return {
    program: { text: program },
    operands: operands.map((text) => {
      const path = text.startsWith('/') ? text : join(cwd, text)
      return { text, path: { typed: path, resolved: path } }
    }),
  }
}

const runs = (line: string, cwd?: string): string | undefined => commandProtection(part(line, cwd), places, 'posix')?.what

test('row P84: nothing may be written where Stele lives, whichever way the path leads there', () => {
  assert.is(reached(touch('/home/ann/.stele', 'write')), 'home')
  assert.is(reached(touch('/home/ann/.stele/store/x', 'write')), 'home')
  assert.is(reached(touch('/home/ann/notes/link', 'write', { resolved: '/home/ann/.stele/key' })), 'home')
  assert.is(reached(touch('/home/ann/.stele/key', 'write', { resolved: null, problem: 'unresolved' })), 'home')
  assert.is(reached(touch('/home/ann/.stele/key', 'write', { resolved: '/mnt/other' })), 'home')
  assert.is(reached(touch('/home/ann/.hermes/plugins/stele/plugin.py', 'write')), 'plugin')
  assert.is(reached(touch('/home/ann/.stele-policy/allowlist.yaml', 'write')), 'allowlist')
  assert.is(reached(touch('/home/ann/.hermes/config.yaml', 'write')), 'host_settings')
  assert.is(reached(touch('/run/user/1000/stele-abc/service.sock', 'write')), 'socket')
  assert.is(reached(touch('/opt/tools/stele-0.3/dist/cli/main.js', 'write')), 'program')
  assert.is(reached({ ...touch('~bob', 'write'), typed: null, resolved: null, problem: 'unresolved' }), undefined)
})

test('row P84: a tree above what is protected reaches it', () => {
  for (const path of ['/', '/home', '/home/ann']) assert.is(reached(touch(path, 'write', { tree: true })), 'home', path)
  assert.is(reached(touch('/home/ann/.hermes', 'write', { tree: true })), 'plugin')
  assert.is(reached(touch('/home/ann/desk', 'write', { tree: true })), undefined)
  assert.is(reached(touch('/home/ann', 'write')), undefined)
  assert.is(reached(touch('/home/ann', 'read', { tree: true })), 'home')
  assert.is(reached(touch('/home/ann/.hermes', 'read', { tree: true })), undefined)
})

test('row P84: the home is not read either, since its key lies in it; the rest may be read', () => {
  assert.is(reached(touch('/home/ann/.stele/key', 'read')), 'home')
  assert.is(reached(touch('/run/user/1000/stele-abc/service.sock', 'read')), 'socket')
  for (const path of [
    '/home/ann/.hermes/plugins/stele/plugin.py',
    '/home/ann/.hermes/config.yaml',
    '/home/ann/.stele-policy/allowlist.yaml',
    '/opt/tools/stele-0.3/dist/cli/main.js',
  ]) {
    assert.is(reached(touch(path, 'read')), undefined, path)
  }
})

test('row P84: another case is the same place where the volume tells none', () => {
  assert.is(reached(touch('/home/ann/.STELE/key', 'write')), undefined)
  assert.is(reached(touch('/Home/Ann/.STELE/key', 'write', { foldsCase: true })), 'home')
  const onWindows: ProtectedPlace[] = [{ what: 'home', path: 'C:\\Users\\ann\\.stele' }]
  assert.is(touchProtection(touch('c:\\users\\ANN\\.Stele\\key', 'write'), onWindows, 'windows')?.what, 'home')
  assert.is(touchProtection(touch('C:\\Users\\ann\\.stele2\\key', 'write'), onWindows, 'windows'), undefined)
})

test('row P84: folders that only look alike are not touched', () => {
  for (const path of [
    '/home/ann/.stele2/x',
    '/home/ann/.stele-notes',
    '/home/ann/stele',
    '/home/ann/.hermes/plugins/stele-notes/x',
    '/home/ann/.hermes/config.yaml.bak',
    '/home/bob/.stele/x',
    '/opt/tools/stele-0.3.1/x',
  ]) {
    assert.is(reached(touch(path, 'write', { tree: true })), undefined, path)
  }
})

test('row P84: on real files, links, dots and doubled slashes do not get past it', async () => {
  const folder = realpathSync(temporaryFolder())
  mkdirSync(join(folder, 'home/keys'), { recursive: true })
  mkdirSync(join(folder, 'desk'))
  writeFileSync(join(folder, 'home/keys/sign'), '')
  symlinkSync('../home', join(folder, 'desk/notes'))
  symlinkSync('../home/keys/sign', join(folder, 'desk/a.md'))
  const real: ProtectedPlace[] = [{ what: 'home', path: join(folder, 'home') }]
  for (const asked of [
    '../home/keys/sign',
    './/..//home/./keys/sign',
    'notes/new',
    'notes/../home/x',
    'a.md',
    '../desk/notes/keys',
    `${folder}/desk/../home`,
    'none/../notes/x',
  ]) {
    const touches = await resolvePaths(
      [{ asked, access: 'write', tree: false, kind: 'path' }],
      { style: 'posix', cwd: join(folder, 'desk'), home: null },
      new FileLook(),
    )
    assert.ok(
      touches.some((one) => touchProtection(one, real, 'posix') !== undefined),
      asked,
    )
  }
})

test('row P84: the program is not run, under any of its names or through another', () => {
  for (const line of [
    'stele stop',
    '/usr/local/bin/stele hook',
    './stele policy use x',
    'STELE stop',
    'stele.cmd stop',
    'A=b stele stop',
    'npx stele stop',
    'npx -y stele@1.2.0 policy use x',
    'npx --package=stele run',
    'npm exec stele stop',
    'pnpm dlx stele',
    'node /usr/lib/node_modules/stele/dist/cli/main.js stop',
    'node --enable-source-maps ./node_modules/stele/dist/cli/main.js',
    'tsx /x/stele/src/cli/main.ts',
    'hermes stele stop',
    'sudo -u ann stele stop',
    'env A=b stele stop',
    'xargs stele stop',
    'bash -c stele_stop',
    'sh -c cd_/;stele_stop',
    'python3 -c import_os;os.system("stele_stop")',
    'find . -exec stele stop ;',
    'timeout 5 stele stop',
    'nohup stele serve',
  ]) {
    assert.is(runs(line), 'program', line)
  }
})

test('row P84: a word that is only mentioned, or only looks alike, runs nothing', () => {
  for (const line of [
    'echo stele',
    'grep -n stele docs/a.md',
    'git log --grep stele',
    'A=b grep stele docs/a.md',
    'git commit -m talk_about_stele_stop',
    'ls stele',
    'cat stele.md',
    'npm run steles',
    'stele2 stop',
    'stele-notes',
    'constele',
    'node stele-notes/main.js',
    'node /srv/stele/app.js',
    'make stele.o',
    'pytest tests/test_stele.py',
    'ls',
  ]) {
    assert.is(runs(line), undefined, line)
  }
})

test('row P84: its socket is not spoken to', () => {
  const socket = '/run/user/1000/stele-abc/service.sock'
  for (const [line, cwd] of [
    [`curl --unix-socket ${socket} http://localhost/v1/hook`],
    [`curl --unix-socket=${socket} http://localhost/v1/hook`],
    [`nc -U ${socket}`],
    [`socat - UNIX-CONNECT:${socket}`],
    [`python3 -c connect("${socket}")`],
    ['nc -U service.sock', '/run/user/1000/stele-abc'],
    ['nc -U service.sock', '/elsewhere'],
    ['nc -U ../stele-abc/service.sock', '/run/user/1000/x'],
    [`cat ${socket}`],
  ] as const) {
    assert.is(runs(line, cwd), 'socket', line)
  }
  assert.is(runs('curl --unix-socket /run/docker.sock http://x'), undefined)
  assert.is(runs('curl --unix-socket /run/other/service.sock http://x'), undefined)
})

test('row P84: operands that lead into a protected place are denied, and above it to what takes whole trees', () => {
  for (const [line, expected, cwd] of [
    ['rm -rf /home/ann/.stele', 'home'],
    ['rm -rf /home/ann', 'home'],
    ['rm -rf /', 'home'],
    ['cp /tmp/x /home/ann/.stele/key', 'home'],
    ['cp -r /home/ann /tmp/x', 'home'],
    ['cp a.txt /home/ann', undefined],
    ['mv /home/ann/.hermes/plugins /tmp/x', 'plugin'],
    ['cat /home/ann/.stele/key', 'home'],
    ['grep -r secret /home/ann', 'home'],
    ['rg secret /home/ann', 'home'],
    ['grep secret /home/ann', undefined],
    ['cat /home/ann/.hermes/config.yaml', undefined],
    ['sed -i s/a/b/ /home/ann/.hermes/config.yaml', 'host_settings'],
    ['tee /home/ann/.stele-policy/allowlist.yaml', 'allowlist'],
    ['chmod 000 plugins/stele', 'plugin', '/home/ann/.hermes'],
    ['whatever ../.stele/key', 'home'],
    ['cat /opt/tools/stele-0.3/package.json', undefined],
    ['cp a.js /opt/tools/stele-0.3/dist/cli/serve.js', 'program'],
    ['rm -rf dist', 'program', '/opt/tools/stele-0.3'],
    ['ls /opt/tools/stele-0.3', undefined],
    ['ls /home/ann', undefined],
    ['pytest .', undefined, '/home/ann'],
    ['rm -rf /home/ann/.stele2', undefined],
  ] as const) {
    assert.is(runs(line, cwd), expected, line)
  }
})

test('row P84: the home within a word is denied, as options and small languages have it, unless it is only said', () => {
  for (const word of [
    '--file=/home/ann/.stele/key',
    'w_/home/ann/.stele/config.yaml',
    '@/home/ann/.stele',
    'if=/home/ann/.stele/store/LOG',
  ])
    assert.is(runs(`tool a ${word}`), 'home', word)
  for (const word of ['--file=/home/ann/.stele2/key', '--file=/home/ann/.stele-notes'])
    assert.is(runs(`tool a ${word}`), undefined, word)
  assert.is(runs('echo --file=/home/ann/.stele/key'), undefined)
})

test('row P84: an operand that leads there by a link is denied', () => {
  const one: CommandPart = {
    program: { text: 'tee' },
    operands: [{ text: 'notes.md', path: { typed: '/home/ann/desk/notes.md', resolved: '/home/ann/.stele/key' } }],
  }
  assert.equal(commandProtection(one, places, 'posix'), { what: 'home', path: '/home/ann/.stele' })
  assert.is(commandProtection({ ...one, operands: [{ text: 'notes.md' }] }, places, 'posix'), undefined)
})

test.run()
