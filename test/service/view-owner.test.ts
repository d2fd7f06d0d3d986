// Holds the name by which a process owns views to the process: it is known while that runs, and by no other that has its number.
import { spawn } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { processWatch } from '../../src/service/process-watch.js'
import { viewOwner } from '../../src/service/view-owner.js'

const test = suite('view owner')

test('this process lives, under one name at any time', () => {
  const { name, isAlive } = viewOwner()
  assert.is(viewOwner().name, name)
  assert.is(isAlive(name), true)
  assert.match(name, new RegExp(`^${process.pid}\\b`))
})

test('another process lives until it has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  const name = `${child.pid} ${processWatch.startedAt(child.pid ?? 0)}`
  const { isAlive } = viewOwner()
  assert.is(isAlive(name), true)
  child.kill('SIGKILL')
  await new Promise((resolve) => child.on('close', resolve))
  assert.is(isAlive(name), false)
})

test('the same number with another start, and what is no name, is nobody', () => {
  const { name, isAlive } = viewOwner()
  for (const other of [`${name}1`, `${process.pid} `, '', 'somebody', '0', '-1', '999999999 1', `${name} `])
    assert.is(isAlive(other), false, other)
})

test.run()
