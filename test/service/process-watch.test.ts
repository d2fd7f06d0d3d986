// What the system tells of other processes: whether the one that attached still runs, and what it holds.
import { spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { processWatch } from '../../src/service/process-watch.js'
import { AttachedHost, until } from '../support/attached-host.js'
import { withService } from '../support/running-service.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('process watch')
const isLinux = process.platform === 'linux'

test('a running process has a start, the same each time, and one that never was has none', () => {
  const own = processWatch.startedAt(process.pid)
  assert.type(own, 'number')
  assert.is(processWatch.startedAt(process.pid), own)
  for (const pid of [2 ** 22 + 1, 2 ** 31 - 1]) assert.is(processWatch.startedAt(pid), undefined)
})

test('another process has another start, and none when it has ended, also before anybody has looked', async () => {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'ignore' })
  const pid = child.pid ?? 0
  try {
    const started = processWatch.startedAt(pid)
    assert.type(started, 'number')
    if (isLinux) assert.ok(Number(started) >= Number(processWatch.startedAt(process.pid)))
  } finally {
    child.kill('SIGKILL')
  }
  await until('it has ended', () => processWatch.startedAt(pid) === undefined)
})

test('a process that has ended and that nobody has waited for does not run', () => {
  if (!isLinux) return
  // The shell's child ends at once, and the shell, which has become sleep, never asks for it.
  const { stdout } = spawnSync('sh', ['-c', '(exit 0) & echo $!; exec sleep 1 > /dev/null'], { encoding: 'utf8', timeout: 5000 })
  assert.match(stdout, /^\d+\n/)
  assert.is(processWatch.startedAt(Number(stdout.trim())), undefined)
})

test('a name with brackets and blanks hides nothing', async () => {
  if (!isLinux) return
  const program = `process.title = ') R 1 (x) S 2 '; setTimeout(() => {}, 60000); console.log('ready')`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    await new Promise((resolve) => child.stdout.once('data', resolve))
    const started = Number(processWatch.startedAt(child.pid ?? 0))
    const own = Number(processWatch.startedAt(process.pid))
    // In hundredths of a second since the system came up: not long after us.
    assert.ok(started >= own && started - own < 100 * 600, `${started} after ${own}`)
  } finally {
    child.kill('SIGKILL')
  }
})

test('what a process holds behind a descriptor can be read, as many bytes as asked for', () => {
  if (!isLinux) return
  const file = join(temporaryFolder(), 'held')
  writeFileSync(file, 'ab'.repeat(40))
  const fd = openSync(file, 'r')
  try {
    assert.is(processWatch.readDescriptor(process.pid, fd, 64), undefined, 'anybody may have written a file that has a name')
    rmSync(file)
    assert.is(processWatch.readDescriptor(process.pid, fd, 64), 'ab'.repeat(32))
    assert.is(processWatch.readDescriptor(process.pid, fd, 100), 'ab'.repeat(40))
  } finally {
    closeSync(fd)
  }
  assert.is(processWatch.readDescriptor(process.pid, 9999, 64), undefined)
  assert.is(processWatch.readDescriptor(2 ** 31 - 1, 0, 64), undefined)
})

test('a pipe that nobody writes into any more makes nobody wait', () => {
  if (!isLinux) return
  const script = `
    import { spawn } from 'node:child_process'
    import { processWatch } from ${JSON.stringify(new URL('../../src/service/process-watch.ts', import.meta.url).href)}
    const child = spawn('sh', ['-c', 'mkfifo "$0"; exec 9<>"$0"; exec 7<"$0" 9>&-; echo ready; exec sleep 60', process.argv[2]])
    child.stdout.once('data', () => {
      const found = [7, 0, 1].map((fd) => processWatch.readDescriptor(child.pid, fd, 64))
      child.kill('SIGKILL')
      console.log(JSON.stringify(found))
      process.exit(0)
    })
  `
  const file = join(temporaryFolder(), 'watch.mts')
  writeFileSync(file, script)
  const ran = spawnSync(process.execPath, ['--import', 'tsx', file, `${file}.pipe`], {
    encoding: 'utf8',
    timeout: 15_000,
    killSignal: 'SIGKILL',
  })
  assert.equal(JSON.parse(ran.stdout || 'null'), [null, null, null], `it hung, or said ${ran.stdout}${ran.stderr}`)
})

test('a host that shows its secret by a descriptor is proved, and one that shows something else is believed', async () => {
  if (!isLinux) return
  await withService({}, async (running) => {
    for (const shows of [true, false]) {
      const host = new AttachedHost(running.home)
      const proof = createHmac('sha256', host.secret).update(`stele/peer/v1\n${host.id}\n${process.pid}`).digest('hex')
      const file = join(temporaryFolder(), 'proof')
      writeFileSync(file, shows ? proof : '0'.repeat(64))
      const fd = openSync(file, 'r')
      rmSync(file)
      try {
        assert.is((await host.attach({ peer_fd: fd })).status, 200)
        const [entry] = await running.entries('type=host.attached&order=desc&limit=1')
        assert.equal(
          [entry?.data['peer'], entry?.data['pidStarted']],
          [shows ? 'proved' : 'claimed', processWatch.startedAt(process.pid)],
        )
      } finally {
        closeSync(fd)
        host.close()
      }
    }
  })
})

test.run()
