// Holds starters to taking turns, and to what they find where the file of another starter would be.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { takeTurn } from '../../src/cli/detach.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('detach')

/** A home in which something lies under the name of the file that says who is starting. */
function homeWith(make: (file: string) => void): { home: string; file: string } {
  const home = temporaryFolder()
  const file = join(home, 'starting')
  make(file)
  return { home, file }
}

function startedBy(pid: number, seconds: number): (file: string) => void {
  return (file) => {
    writeFileSync(file, String(pid))
    const then = Date.now() / 1000 + seconds
    utimesSync(file, then, then)
  }
}

test('one starter has the turn until it gives it back', () => {
  const home = temporaryFolder()
  const release = takeTurn(home)
  assert.type(release, 'function')
  assert.is(takeTurn(home), undefined)
  release?.()
  assert.not.ok(existsSync(join(home, 'starting')))
  assert.type(takeTurn(home), 'function')
})

test('a starter that lives and began a moment ago is left its turn', () => {
  const { home, file } = homeWith(startedBy(process.pid, -5))
  assert.is(takeTurn(home), undefined)
  assert.ok(existsSync(file))
})

const stale: Readonly<Record<string, (file: string) => void>> = {
  'a file of long ago': startedBy(process.pid, -60),
  'a file of the time to come': startedBy(process.pid, 60),
  'a file of a starter that is gone': startedBy(2 ** 30, 0),
  'a folder': (file) => {
    mkdirSync(join(file, 'deep'), { recursive: true })
    writeFileSync(join(file, 'deep', 'file'), String(process.pid))
  },
  ...(process.platform === 'win32' ? {} : { 'a pipe that nobody writes to': (file) => void execFileSync('mkfifo', [file]) }),
}

for (const [what, make] of Object.entries(stale)) {
  test(`${what} is nobody at work: it is removed, and the turn is free`, () => {
    const { home, file } = homeWith(make)
    assert.is(takeTurn(home), undefined)
    assert.not.ok(existsSync(file))
    assert.type(takeTurn(home), 'function')
  })
}

test.run()
