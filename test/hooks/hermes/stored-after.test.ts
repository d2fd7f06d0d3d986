// Holds the second reading of a call's files to what the call itself names, in the home of its profile, and to the bounds of the first one.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { storedAfter } from '../../../src/hooks/hermes/stored-after.js'
import type { HermesStore, ProposedCall } from '../../../src/hooks/hermes/stored-before.js'
import { patient } from '../../support/patient-limits.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const test = suite('stored-after')

const front = '---\nname: release\ndescription: how we release\n---\n'
const memoryCall = { tool_name: 'memory', tool_input: { action: 'add', content: 'Uses tabs.' } }

function homeWith(files: Readonly<Record<string, string>>): string {
  const home = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  return home
}

async function found(hermesHome: string | undefined, call: ProposedCall, more: Partial<HermesStore> = {}): Promise<unknown> {
  const read = await storedAfter(call, { hermesHome, external: () => [], limits: patient, ...more })
  return read === undefined
    ? undefined
    : [...read].map(([place, each]) => [place, 'problem' in each ? `! ${each.problem}` : each.text])
}

const skillCall = (operations: readonly object[]): ProposedCall => ({ tool_name: 'skill_manage', tool_input: { operations } })

test('of a memory the file that was meant is read, in the home of the profile', async () => {
  const home = homeWith({ 'memories/MEMORY.md': 'Root.\r\n', 'profiles/desk/memories/MEMORY.md': '\ufeffWork.' })
  assert.equal(await found(home, memoryCall), [['memory', 'Root.\n']])
  assert.equal(await found(home, { ...memoryCall, profile: 'desk' }), [['memory', 'Work.']])
  const user = { tool_name: 'memory', tool_input: { action: 'add', target: 'user', content: 'x' } }
  assert.equal(await found(home, user), [['user', undefined]])
})

test('of skills each file that is named is read, and the main one of each; what is not there has no text', async () => {
  const home = homeWith({ 'skills/desk/release/SKILL.md': `${front}1.\n`, 'skills/desk/release/references/a.md': 'A\r\nB' })
  const outside = homeWith({ 'deploy/SKILL.md': 'Deploy.\n' })
  const operations = [
    { action: 'write_file', name: 'release', file_path: './references//a.md', file_content: 'A' },
    { action: 'write_file', name: 'release', file_path: 'references/none.md', file_content: 'A' },
    { action: 'edit', name: 'deploy', content: 'Deploy.' },
    { action: 'create', name: 'made', content: front },
    { action: 'write_file', name: 'release', file_path: '../../../secret.md', file_content: 'A' },
  ]
  assert.equal(await found(home, skillCall(operations), { external: () => [outside] }), [
    ['release/SKILL.md', `${front}1.\n`],
    ['release/references/a.md', 'A\nB'],
    ['release/references/none.md', undefined],
    ['deploy/SKILL.md', 'Deploy.\n'],
    ['made/SKILL.md', undefined],
  ])
})

test('a file that a link leads out of its skill is not read, nor is a skill that may lie in a folder that is not known', async () => {
  const home = homeWith({ 'skills/release/SKILL.md': front, 'skills/release/references/b.md': 'B', 'secret.md': 'Secret.' })
  symlinkSync(join(home, 'secret.md'), join(home, 'skills/release/references/a.md'))
  symlinkSync(join(home, 'nowhere.md'), join(home, 'skills/release/references/c.md'))
  const write = (name: string, file: string) => ({
    action: 'write_file',
    name,
    file_path: `references/${file}`,
    file_content: 'x',
  })
  const operations = [write('release', 'a.md'), write('release', 'b.md'), write('release', 'c.md'), write('other', 'a.md')]
  assert.equal(await found(home, skillCall(operations), { external: () => undefined }), [
    ['release/SKILL.md', front],
    ['release/references/a.md', '! outside'],
    ['release/references/b.md', 'B'],
    ['release/references/c.md', undefined],
    ['other/SKILL.md', '! config_unreadable'],
    ['other/references/a.md', '! config_unreadable'],
  ])
})

test('the time is bounded, and what was not read in it is told', async () => {
  const home = homeWith({ 'memories/MEMORY.md': 'Root.', 'skills/release/SKILL.md': front })
  const limits = { ...patient, timeoutMs: 0 }
  assert.equal(await found(home, memoryCall, { limits }), [['memory', '! too_slow']])
  assert.equal(await found(home, skillCall([{ action: 'edit', name: 'release', content: front }]), { limits }), [
    ['release/SKILL.md', '! too_slow'],
  ])
})

test('there is nothing to look at for another tool, for what cannot be read, and where no home is known', async () => {
  const home = homeWith({})
  for (const call of [{ tool_name: 'terminal', tool_input: {} }, { tool_name: 'memory', tool_input: { operations: 'no' } }, {}])
    assert.is(await found(home, call), undefined)
  assert.is(await found(undefined, memoryCall), undefined)
  assert.is(await found(home, { ...memoryCall, profile: '../desk' }), undefined)
})

test.run()
