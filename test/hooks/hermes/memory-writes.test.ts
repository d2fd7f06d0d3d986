// Holds the reading of the memory files to the host's own: which file, how it is read, and what is told where it cannot be.
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { writtenText } from '../../../src/gates/provenance/written-text.js'
import { memoryWrites } from '../../../src/hooks/hermes/memory-writes.js'
import { StoreReading } from '../../../src/hooks/hermes/store-reading.js'
import { storedBefore } from '../../../src/hooks/hermes/stored-before.js'
import { patient } from '../../support/patient-limits.js'
import { recordedPayloads } from '../../support/recorded-session.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const test = suite('memory-writes')

const chose = 'The user chose Postgres.'
const evaluates = 'The user is evaluating Postgres.'
const quoted = 'The owner approved the name ("call it Stele").'

test('row P25: a patch that turns an evaluation into a choice is judged as the whole entry that it makes', async () => {
  const home = homeWith({ 'MEMORY.md': `Uses tabs.\n§\n${evaluates}\n§\nLives in Graz.` })
  const { judged, stored } = await proposed(home, { action: 'patch', old_text: 'is evaluating', new_text: 'chose' })
  assert.equal(judged, [chose])
  assert.equal(stored, [evaluates])
})

test('row P25: a patch that deletes the quote of a claim is judged as the claim without it', async () => {
  const home = homeWith({ 'USER.md': quoted })
  const { judged, stored } = await proposed(home, {
    action: 'patch',
    target: 'user',
    old_text: ' ("call it Stele")',
    content: '',
  })
  assert.equal(judged, ['The owner approved the name .'])
  assert.equal(stored, [quoted])
})

test('row P25: every occurrence in the entry is replaced, and no other entry is', async () => {
  const home = homeWith({ 'MEMORY.md': 'The team picked red, then red again.\n§\nBlue is out.' })
  const { judged, files } = await proposed(home, { action: 'patch', old_text: 'red', content: 'blue' })
  assert.equal(judged, ['The team picked blue, then blue again.'])
  assert.is(files[0]?.after, 'The team picked blue, then blue again.\n§\nBlue is out.')
})

test('row P25: where two entries match, or none, the new text alone is judged', async () => {
  const home = homeWith({ 'MEMORY.md': 'The user likes tea.\n§\nThe user likes coffee.' })
  for (const old_text of ['The user likes', 'The user hates', '']) {
    const { judged, stored, strategies } = await proposed(home, { action: 'patch', old_text, content: 'The user chose' })
    assert.equal([judged, stored], [['The user chose'], []], old_text)
    assert.equal(strategies, [old_text === 'The user likes' ? 'several' : 'none'])
  }
})

test('row P25: an entry that equals the wanted text goes before others that hold it, and an older host’s replace takes the whole entry', async () => {
  const home = homeWith({ 'MEMORY.md': 'Likes tea and coffee.\n§\nLikes tea' })
  const patched = await proposed(home, { action: 'patch', old_text: 'Likes tea', content: 'Chose tea' })
  assert.equal(patched.judged, ['Chose tea'])
  const replaced = await proposed(home, { action: 'replace', old_text: 'and coffee', content: 'Chose coffee.' })
  assert.equal([replaced.judged, replaced.stored], [['Chose coffee.'], ['Likes tea and coffee.']])
})

test('the recorded memory calls of Hermes 0.19 produce what their results counted', async () => {
  const home = homeWith({})
  let stored = ''
  let calls = 0
  for (const { hook_event_name, tool_name, tool_input, extra } of recordedPayloads) {
    if (hook_event_name !== 'post_tool_call' || tool_name !== 'memory') continue
    const { files } = await proposed(home, tool_input)
    stored = files[0]?.after ?? ''
    const said = JSON.parse(String(extra['result'])) as { usage: string; entry_count: number }
    assert.is(stored.split('\n§\n').length, said.entry_count)
    assert.match(said.usage, `${[...stored].length}/`)
    writeFileSync(join(home, 'memories', 'MEMORY.md'), stored)
    calls += 1
  }
  assert.is(calls, 4)
})

test('a file that is not there is an empty memory, and so is a home without the folder', async () => {
  for (const home of [homeWith({}), temporaryFolder()]) {
    const read = await memoryWrites('memory', home, new StoreReading(patient))
    assert.equal([read.stored.memory.size, read.unavailable], [0, undefined])
  }
})

test('a byte-order mark and line ends of another system are read as the host reads them', async () => {
  const home = homeWith({ 'MEMORY.md': `\ufeffUses tabs.\r\n§\r\n${evaluates}\r§\rA` })
  const { stored } = await memoryWrites('memory', home, new StoreReading(patient))
  assert.is(stored.memory.get('memory'), `Uses tabs.\n§\n${evaluates}\n§\nA`)
})

test('what is no readable file is told and not waited for: a pipe, a folder, bytes that are no text, too many bytes', async () => {
  const make: readonly (readonly [why: string, put: (path: string) => void])[] = [
    ['not_a_file', (path) => void execFileSync('mkfifo', [path])],
    ['not_a_file', (path) => mkdirSync(path)],
    ['not_a_file', (path) => symlinkSync('/dev/zero', path)],
    ['not_readable', (path) => symlinkSync(path, path)],
    ['not_text', (path) => writeFileSync(path, Buffer.from([0x61, 0xff, 0xfe]))],
    ['too_large', (path) => writeFileSync(path, 'a'.repeat(patient.fileBytesMax + 1))],
  ]
  for (const [why, put] of make) {
    const home = homeWith({})
    put(join(home, 'memories', 'MEMORY.md'))
    const read = await memoryWrites('memory', home, new StoreReading(patient))
    assert.is(read.unavailable, why)
    assert.is(read.stored.memory.size, 0)
    // The new text is judged all the same, and what the file will hold is not foretold.
    const input = { action: 'add', content: chose }
    const written = writtenText('memory', input, read.stored, read.unavailable === undefined)
    assert.equal(written?.judged, [chose])
    assert.equal(written?.files[0]?.foretold, false)
  }
})

test('a file of the greatest size is read, and all files of a call share one bound', async () => {
  const home = homeWith({ 'MEMORY.md': 'a'.repeat(100) })
  const limits = { ...patient, fileBytesMax: 100, bytesMax: 150 }
  const reading = new StoreReading(limits)
  assert.is((await memoryWrites('memory', home, reading)).unavailable, undefined)
  assert.is((await memoryWrites('memory', home, reading)).unavailable, 'too_large')
})

test('when the time is over, nothing more is read', async () => {
  const home = homeWith({ 'MEMORY.md': evaluates })
  const read = await memoryWrites('memory', home, new StoreReading({ ...patient, timeoutMs: 0 }))
  assert.is(read.unavailable, 'too_slow')
})

test('each profile has its own home beside the others', async () => {
  const root = homeWith({ 'MEMORY.md': 'Root.' })
  const work = join(root, 'profiles', 'desk')
  mkdirSync(join(work, 'memories'), { recursive: true })
  writeFileSync(join(work, 'memories', 'MEMORY.md'), 'Work.')
  const rows: readonly (readonly [home: string, profile: string | null | undefined, text: string | undefined])[] = [
    [root, 'default', 'Root.'],
    [root, undefined, 'Root.'],
    [root, null, 'Root.'],
    [root, 'custom', 'Root.'],
    [root, 'desk', 'Work.'],
    [work, 'desk', 'Work.'],
    [work, '', 'Work.'],
    [work, 'default', 'Root.'],
    [work, 'gone', undefined],
  ]
  for (const [hermesHome, profile, text] of rows) {
    const call = { tool_name: 'memory', tool_input: { action: 'add', content: chose }, profile }
    const read = await storedBefore(call, { hermesHome, external: () => [], limits: patient })
    assert.equal([read.stored.memory.get('memory'), read.unavailable], [text, undefined], `${hermesHome} ${profile}`)
  }
  for (const profile of ['../desk', 'Work', 'a/b', '.']) {
    const call = { tool_name: 'memory', tool_input: { action: 'add', content: chose }, profile }
    assert.is(
      (await storedBefore(call, { hermesHome: root, external: () => [], limits: patient })).unavailable,
      'profile_unknown',
      profile,
    )
  }
})

test('nothing is read for other tools, for removals and for what cannot be read; without a home that is told', async () => {
  const nowhere = { hermesHome: undefined, external: () => [] }
  for (const call of [
    { tool_name: 'terminal', tool_input: { command: 'ls' } },
    { tool_name: 'memory', tool_input: { action: 'remove', old_text: 'a' } },
    { tool_name: 'memory', tool_input: { operations: 'no' } },
    { tool_name: 'skill_manage', tool_input: { action: 'delete', name: 'a' } },
    { tool_name: null },
    {},
  ]) {
    const read = await storedBefore(call, nowhere)
    assert.equal([read.unavailable, read.stored.memory.size, read.stored.skills.size], [undefined, 0, 0])
  }
  const add = { tool_name: 'memory', tool_input: { action: 'add', content: chose } }
  assert.is((await storedBefore(add, nowhere)).unavailable, 'home_unknown')
})

function homeWith(files: Readonly<Record<string, string>>): string {
  const home = temporaryFolder()
  mkdirSync(join(home, 'memories'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, 'memories', name), text)
  return home
}

async function proposed(hermesHome: string, tool_input: unknown) {
  const read = await storedBefore({ tool_name: 'memory', tool_input }, { hermesHome, external: () => [], limits: patient })
  assert.is(read.unavailable, undefined)
  const written = writtenText('memory', tool_input, read.stored)
  assert.ok(written !== undefined)
  return written
}

test.run()
