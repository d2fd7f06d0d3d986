// Holds checkpoints.txt, mirrors and the system log to the format page: one JSON string a line, the whole note.
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mirrorAnchor, syslogAnchor } from '../../src/ledger/anchor.js'
import { appendCheckpointLine, readCheckpointLines, rewriteCheckpointLines } from '../../src/ledger/checkpoint-lines.js'
import { throwsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const notes = [1, 2, 3].map((size) => `stele.local/00\n${size}\ncm9vdA==\n\n\u2014 stele.local/00 c2lnbmF0dXJl\n`) as [
  string,
  string,
  string,
]
const newFile = (): string => join(temporaryFolder(), 'checkpoints.txt')

test('a note is one JSON string on a line of its own', () => {
  const file = newFile()
  for (const note of notes) appendCheckpointLine(file, note)
  const lines = readFileSync(file, 'utf8').split('\n')
  assert.is(lines.length, 4)
  assert.is(lines.pop(), '')
  assert.equal(
    lines.map((line) => JSON.parse(line) as unknown),
    notes,
  )
  assert.equal(readCheckpointLines(file), notes)
})

test('a file made for checkpoints is private', () => {
  const file = newFile()
  appendCheckpointLine(file, notes[0])
  if (process.platform !== 'win32') assert.is(statSync(file).mode & 0o777, 0o600)
})

test('a last line that broke off is ignored', () => {
  const file = newFile()
  const whole = notes.map((note) => `${JSON.stringify(note)}\n`).join('')
  const secondEnds = `${JSON.stringify(notes[0])}\n${JSON.stringify(notes[1])}\n`.length
  for (let length = secondEnds; length < whole.length; length += 1) {
    writeFileSync(file, whole.slice(0, length))
    assert.equal(readCheckpointLines(file), [notes[0], notes[1]], `cut at ${length}`)
  }
})

test('what a crash left of a line is taken away by the next one', () => {
  const whole = `${JSON.stringify(notes[0])}\n`
  for (const torn of ['"', JSON.stringify(notes[1]).slice(0, 20), JSON.stringify(notes[1])]) {
    for (const before of ['', whole]) {
      const file = newFile()
      writeFileSync(file, before + torn)
      appendCheckpointLine(file, notes[2])
      assert.is(readFileSync(file, 'utf8'), `${before}${JSON.stringify(notes[2])}\n`)
    }
  }
})

test('lines that are no JSON string are left out and the others are read', () => {
  const file = newFile()
  writeFileSync(file, `${JSON.stringify(notes[0])}\nnot JSON\n{"a":1}\n7\n\n"half\n${JSON.stringify(notes[2])}\n`)
  assert.equal(readCheckpointLines(file), [notes[0], notes[2]])
})

test('a file that is not there holds no checkpoints, and one that cannot be read or written is an error', () => {
  const file = newFile()
  assert.equal(readCheckpointLines(file), [])
  mkdirSync(file)
  throwsWithCode(() => readCheckpointLines(file), 'FILE_UNREADABLE')
  throwsWithCode(() => appendCheckpointLine(file, notes[0]), 'FILE_UNWRITABLE')
})

test('rewriting keeps the notes that are asked for, in their order', () => {
  const file = newFile()
  for (const note of notes) appendCheckpointLine(file, note)
  rewriteCheckpointLines(file, (note) => note !== notes[1])
  assert.equal(readCheckpointLines(file), [notes[0], notes[2]])
  appendCheckpointLine(file, notes[1])
  assert.equal(readCheckpointLines(file), [notes[0], notes[2], notes[1]])
})

test('rewriting puts a new private file in the place of the old at once and leaves nothing else behind', () => {
  const file = newFile()
  for (const note of notes) appendCheckpointLine(file, note)
  const { ino } = statSync(file)
  rewriteCheckpointLines(file, () => true)
  assert.is.not(statSync(file).ino, ino, 'another file: the old one was never half written')
  if (process.platform !== 'win32') assert.is(statSync(file).mode & 0o777, 0o600)
  assert.equal(readdirSync(join(file, '..')), ['checkpoints.txt'])
})

test('a rewriting that fails leaves the old file whole', () => {
  const file = newFile()
  for (const note of notes) appendCheckpointLine(file, note)
  assert.throws(() =>
    rewriteCheckpointLines(file, () => {
      throw new Error('broken off')
    }),
  )
  assert.equal(readCheckpointLines(file), notes)
})

test('a mirror takes the same lines elsewhere', async () => {
  const file = join(temporaryFolder(), 'elsewhere.txt')
  const mirror = mirrorAnchor(file)
  assert.is(mirror.name, 'mirror')
  assert.is(await mirror.take(notes[0]), true)
  assert.is(await mirror.take(notes[1]), true)
  assert.is(readFileSync(file, 'utf8'), `${JSON.stringify(notes[0])}\n${JSON.stringify(notes[1])}\n`)
})

test('a mirror that cannot be written says so and does not throw', async () => {
  assert.is(await mirrorAnchor(join(newFile(), 'deeper', 'mirror.txt')).take(notes[0]), false)
  const folder = newFile()
  mkdirSync(folder)
  assert.is(await mirrorAnchor(folder).take(notes[0]), false)
})

test('the system log gets one JSON string on one line through logger with the tag stele', async () => {
  const folder = temporaryFolder()
  await withLogger(folder, `printf '%s\\n' "$@" > "${folder}/arguments"\ncat > "${folder}/input"\n`, async () => {
    const anchor = syslogAnchor()
    assert.is(anchor.name, 'syslog')
    assert.is(await anchor.take(notes[0]), true)
  })
  assert.is(readFileSync(join(folder, 'arguments'), 'utf8'), '-t\nstele\n')
  assert.is(readFileSync(join(folder, 'input'), 'utf8'), `${JSON.stringify(notes[0])}\n`)
})

test('a logger that fails, reads nothing or is not there has not taken the note', async () => {
  const folder = temporaryFolder()
  await withLogger(folder, 'exit 1\n', async () => {
    assert.is(await syslogAnchor().take(notes[0]), false)
  })
  await withLogger(folder, 'kill -9 $$\n', async () => {
    assert.is(await syslogAnchor().take('x'.repeat(1_000_000)), false)
  })
  const path = process.env['PATH']
  process.env['PATH'] = temporaryFolder()
  try {
    assert.is(await syslogAnchor().take(notes[0]), false)
  } finally {
    process.env['PATH'] = path
  }
})

/** Puts a script called `logger` before everything else on the path. */
async function withLogger(folder: string, script: string, task: () => Promise<void>): Promise<void> {
  const file = join(folder, 'logger')
  writeFileSync(file, `#!/bin/sh\n${script}`)
  chmodSync(file, 0o755)
  const path = process.env['PATH']
  process.env['PATH'] = `${folder}${delimiter}${path}`
  try {
    await task()
  } finally {
    process.env['PATH'] = path
  }
}

test.run()
