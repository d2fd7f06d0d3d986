// Holds the reading of skills to where the host looks for them, and patches of real files to where the host finds their place.
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { writtenText } from '../../../src/gates/provenance/written-text.js'
import { storedBefore } from '../../../src/hooks/hermes/stored-before.js'
import { patient } from '../../support/patient-limits.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const test = suite('skill-writes')

const front = '---\nname: release\ndescription: how we release\n---\n'

test('row P26: each line of the patched file that the replacement touches is judged, whole', async () => {
  const home = homeWith({ 'skills/release/SKILL.md': `${front}1. The owner is asked for the name.\n2. Tag.\n3. Push.\n` })
  const { judged } = await patched(home, { old_string: 'is asked for', new_string: 'approved' })
  assert.equal(judged, ['1. The owner approved the name.'])
  const both = await patched(home, { old_string: 'name.\n2. Tag.', new_string: 'name.\n2. Tag it.' })
  assert.equal(both.judged, ['2. Tag it.'])
  assert.equal(both.stored, [`${front}1. The owner is asked for the name.\n2. Tag.\n3. Push.\n`])
})

test('row P26: a skill is found by the name of its folder, in a category too, and not by the name in its front matter', async () => {
  const home = homeWith({
    'skills/other/SKILL.md': `${front}Wrong.\n`,
    'skills/desk/git/release/SKILL.md': `${front}Right.\n`,
  })
  assert.equal((await patched(home, { old_string: 'Right', new_string: 'Left' })).judged, ['Left.'])
})

test('row P26: folders outside are searched after the host’s own, in their order, and the first hit wins', async () => {
  const first = homeWith({ 'release/SKILL.md': `${front}First.\n`, 'deploy/SKILL.md': 'First deploy.\n' })
  const second = homeWith({
    'release/SKILL.md': `${front}Second.\n`,
    'a/deploy/SKILL.md': 'Second deploy.\n',
    'only/SKILL.md': 'Only.\n',
  })
  const home = homeWith({ 'skills/release/SKILL.md': `${front}Own.\n` })
  const external = () => [first, second]
  for (const [name, text] of [
    ['release', 'Own'],
    ['deploy', 'First deploy'],
    ['only', 'Only'],
  ] as const) {
    const { judged } = await patched(home, { name, old_string: text, new_string: 'New' }, external)
    assert.equal(judged, ['New.'], name)
  }
  const { strategies } = await patched(home, { old_string: 'First', new_string: 'New' }, external)
  assert.equal(strategies, ['none'])
})

test('row P26: hidden folders, those of other programs and what lies within a skill are passed over', async () => {
  const passed = ['.git', '.github', '.hub', '.archive', '.venv', 'venv', 'node_modules', 'site-packages', '__pycache__']
  const within = ['references', 'templates', 'assets', 'scripts'].map((folder) => `skill/${folder}`)
  for (const folder of [...passed, ...within]) {
    const home = homeWith({ [`skills/${folder}/release/SKILL.md`]: `${front}Old.\n`, 'skills/skill/SKILL.md': front })
    const { strategies, judged } = await patched(home, { old_string: 'Old.', new_string: 'New.' })
    assert.equal([strategies, judged], [[], ['New.']], folder)
  }
  // A category may be called like one of them.
  const home = homeWith({ 'skills/scripts/release/SKILL.md': `${front}Old.\n` })
  assert.equal((await patched(home, { old_string: 'Old.', new_string: 'New.' })).strategies, ['exact'])
})

test('row P26: supporting files are read too, and both ways to name the main file mean it', async () => {
  const home = homeWith({ 'skills/release/SKILL.md': `${front}Old.\n`, 'skills/release/references/a/b.md': 'Old reference.\n' })
  for (const [file_path, judged] of [
    ['references/a/b.md', 'New. reference.'],
    ['SKILL.md', 'New.'],
    ['release/SKILL.md', 'New.'],
    ['', 'New.'],
  ] as const) {
    const old_string = file_path.startsWith('references') ? 'Old' : 'Old.'
    assert.equal((await patched(home, { file_path, old_string, new_string: 'New.' })).judged, [judged], file_path)
  }
})

const stored = [
  'Steps:',
  '- The user  is\tasked for the name.',
  '\tdef f():',
  '\t\treturn “yes” — or no…',
  'The end of it all.',
].join('\n')

test('row P27: a place that is not there as it was given is found with other white space and other marks, and the whole line is judged', async () => {
  const home = homeWith({ 'skills/release/SKILL.md': `${front}${stored}\n` })
  const rows: readonly (readonly [strategy: string, old_string: string, new_string: string, judged: string])[] = [
    ['exact', 'is\tasked for', 'approved', '- The user  approved the name.'],
    // The file's indentation stands for the model's.
    ['line_trimmed', ' Steps: \n  - The user  is\tasked for the name. ', ' Done.', 'Done.'],
    ['line_trimmed', 'def f():\n    return “yes” — or no…', 'The user approved f.', '\tThe user approved f.'],
    ['whitespace_normalized', 'user is asked for the', 'approved the', '- The approved the name.'],
    ['escape_normalized', 'is\\tasked', 'approved', '- The user  approved for the name.'],
    ['unicode_normalized', 'return "yes" -- or no...', 'The user said yes.', '\t\tThe user said yes.'],
  ]
  for (const [strategy, old_string, new_string, judged] of rows) {
    const written = await patched(home, { old_string, new_string })
    assert.equal(written.strategies, [strategy], old_string)
    assert.equal(written.judged, [judged], old_string)
  }
})

test('row P27: what only the host’s eighth or ninth way would find, or none, leaves the new text alone', async () => {
  const home = homeWith({ 'skills/release/SKILL.md': `${front}${stored}\n` })
  for (const old_string of [
    // The same first and last line, and most of what stands between them.
    'def f():\n\t\treturn “yes” — or not…\nThe end of it all.',
    // Every line nearly the same.
    'The end of it al.',
    'Nothing of the kind stands there.',
  ]) {
    const { strategies, judged, stored: compared, files } = await patched(home, { old_string, new_string: 'The user chose f.' })
    assert.equal([strategies, judged, compared, files], [['none'], ['The user chose f.'], [], []], old_string)
  }
})

test('row P27: several matches are refused by the host, so the new text alone is judged', async () => {
  const home = homeWith({ 'skills/release/SKILL.md': `${front}Ask. Then ask.\nDo not ask.\n` })
  const { strategies, judged } = await patched(home, { old_string: 'ask.', new_string: 'approved.' })
  assert.equal([strategies, judged], [['several'], ['approved.']])
})

test('a file that a link leads out of its skill is not read, and its text is not told', async () => {
  const home = homeWith({
    'skills/release/SKILL.md': front,
    'secret.md': 'Old secret.\n',
    'skills/release/references/kept.md': 'Old.\n',
  })
  symlinkSync(join(home, 'secret.md'), join(home, 'skills/release/references/a.md'))
  symlinkSync(join(home, 'skills/release/references/kept.md'), join(home, 'skills/release/references/b.md'))
  const out = await patched(home, { file_path: 'references/a.md', old_string: 'Old', new_string: 'New' })
  assert.equal([out.strategies, out.judged, out.stored], [[], ['New'], []])
  const within = await patched(home, { file_path: 'references/b.md', old_string: 'Old', new_string: 'New' })
  assert.equal(within.judged, ['New.'])
})

test('a skill behind a link to a folder is found last, and a link that leads round and round ends', async () => {
  const other = homeWith({ 'linked/SKILL.md': 'Old.\n' })
  const home = homeWith({ 'skills/a/SKILL.md': front })
  symlinkSync(other, join(home, 'skills', 'more'))
  symlinkSync(join(home, 'skills'), join(home, 'skills', 'a', 'round'))
  assert.equal((await patched(home, { name: 'linked', old_string: 'Old', new_string: 'New' })).judged, ['New.'])
  assert.equal((await patched(home, { name: 'none', old_string: 'Old', new_string: 'New' })).judged, ['New'])
})

test('what cannot be read is told: a pipe for a file, settings that nobody can read, too many folders, no time', async () => {
  const piped = homeWith({ 'skills/release/references/a.md': '' })
  execFileSync('mkfifo', [join(piped, 'skills/release/SKILL.md')])
  assert.is((await readFor(piped, {})).unavailable, 'not_a_file')

  const home = homeWith({ 'skills/release/SKILL.md': front, 'skills/a/b/c/SKILL.md': front })
  assert.is((await readFor(home, {}, () => undefined)).unavailable, undefined)
  assert.is((await readFor(home, { name: 'other' }, () => undefined)).unavailable, 'config_unreadable')
  assert.is((await readFor(home, {}, () => [], { ...patient, foldersMax: 2 })).unavailable, 'too_many')
  assert.is((await readFor(home, {}, () => [], { ...patient, timeoutMs: 0 })).unavailable, 'too_slow')
  assert.is((await readFor(temporaryFolder(), {})).unavailable, undefined)
})

test('a skill that a call makes is looked for first: where there is one, the host refuses, and nothing is foretold to change', async () => {
  const home = homeWith({ 'skills/release/SKILL.md': front })
  const create = (name: string) => ({ action: 'create', name, content: `${front}The user approved it.\n` })
  const made = async (tool_input: object, external: () => readonly string[] | undefined = () => []) => {
    const { stored, unavailable } = await storedBefore(
      { tool_name: 'skill_manage', tool_input },
      { hermesHome: home, external, limits: patient },
    )
    const files = writtenText('skill_manage', tool_input, stored, unavailable === undefined)?.files ?? []
    return [unavailable, files.map(({ place, foretold }) => [place, foretold])]
  }
  assert.equal(await made(create('release')), [undefined, []])
  assert.equal(await made(create('deploy')), [undefined, [['deploy/SKILL.md', true]]])
  const patch = { action: 'patch', name: 'deploy', old_string: 'approved', new_string: 'rejected' }
  assert.equal(await made({ operations: [create('deploy'), patch] }), [undefined, [['deploy/SKILL.md', true]]])
  // It may lie in a folder that is not known.
  assert.equal(await made(create('deploy'), () => undefined), ['config_unreadable', [['deploy/SKILL.md', false]]])
})

function homeWith(files: Readonly<Record<string, string>>): string {
  const home = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  return home
}

function readFor(
  hermesHome: string,
  fields: Readonly<Record<string, unknown>>,
  external: () => readonly string[] | undefined = () => [],
  limits = patient,
) {
  const tool_input = { action: 'patch', name: 'release', old_string: 'a', new_string: 'b', ...fields }
  return storedBefore({ tool_name: 'skill_manage', tool_input }, { hermesHome, external, limits })
}

async function patched(home: string, fields: Readonly<Record<string, unknown>>, external: () => readonly string[] = () => []) {
  const read = await readFor(home, fields, external)
  assert.is(read.unavailable, undefined)
  const written = writtenText('skill_manage', { action: 'patch', name: 'release', ...fields }, read.stored)
  assert.ok(written !== undefined)
  return written
}

test.run()
