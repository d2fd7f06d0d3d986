// Holds what a memory or skill call would produce to what the host would write: every shape of arguments, replayed over stored text, and the
// texts that are to be judged for it.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { EditedText } from '../../../src/gates/provenance/edited-text.js'
import { entryDelimiter } from '../../../src/gates/provenance/memory-replay.js'
import type { MemoryTarget, StoredText } from '../../../src/gates/provenance/stored-text.js'
import { type WrittenText, writtenText } from '../../../src/gates/provenance/written-text.js'
import { makeRandom, type Random } from '../../support/seeded-random.js'

const test = suite('written-text')

const claim = 'The user chose Postgres.'
const front = '---\nname: release\ndescription: how we release\n---\n'

test('row P22: operations as a list, as JSON, as one object and as a list of JSON give the same text as the plain call', () => {
  const add = { action: 'add', content: claim }
  const plain = ofMemory({ ...add, target: 'user' })
  assert.equal(plain.judged, [claim])
  const shapes: readonly unknown[] = [[add], JSON.stringify([add]), add, [JSON.stringify(add)], JSON.stringify(add)]
  for (const operations of shapes) assert.equal(ofMemory({ operations, target: 'user' }), plain, JSON.stringify(operations))

  const create = { action: 'create', name: 'db', content: `${front}${claim}\n` }
  const flat = ofSkill(create)
  for (const operations of [[create], JSON.stringify([create]), create, [JSON.stringify(create)], JSON.stringify(create)]) {
    assert.equal(ofSkill({ operations }), flat, JSON.stringify(operations))
    assert.equal(ofSkill({ action: 'batch', operations }), flat)
  }
})

test('row P22: an empty list, its JSON, null, nothing and an empty object run the flat fields', () => {
  for (const operations of [[], '[]', null, 'null', '', ' ', {}, undefined]) {
    assert.equal(ofMemory({ action: 'add', content: claim, operations }).judged, [claim], JSON.stringify(operations))
    assert.equal(
      ofSkill({ action: 'create', name: 'db', content: claim, operations }).judged,
      [claim],
      JSON.stringify(operations),
    )
  }
})

test('row P22: beside a list the flat fields of a memory call are not looked at; those of a skill call are what an older host runs', () => {
  const other = 'The user picked a name.'
  const memory = ofMemory({ action: 'add', content: other, operations: [{ action: 'add', content: claim }] })
  assert.equal(memory.judged, [claim])
  const skill = { action: 'create', name: 'old', content: other, operations: [{ action: 'create', name: 'new', content: claim }] }
  assert.equal(ofSkill(skill).judged, [claim, other])
})

test('row P22: of a name that stands twice in JSON the last one counts, as it does for the host', () => {
  const operations = `[{"action":"add","content":"Harmless.","content":${JSON.stringify(claim)}}]`
  assert.equal(ofMemory({ operations }).judged, [claim])
})

test('row P23: each field that can carry a claim gives it', () => {
  const memory = [
    { action: 'add', content: claim },
    { action: 'add', new_text: claim },
    { action: 'add', content: ' ', new_text: claim },
    { action: 'add', content: claim, new_text: 'Something else.' },
    { action: 'patch', old_text: 'The user is evaluating', content: 'The user chose' },
    { action: 'patch', old_text: 'The user is evaluating', new_text: 'The user chose' },
    { action: 'replace', old_text: 'evaluating', content: claim },
    { action: 'replace', old_text: 'evaluating', new_text: claim },
  ]
  const entry = memoryOf('The user is evaluating Postgres.')
  for (const input of memory) assert.equal(ofMemory(input, entry).judged, [claim], JSON.stringify(input))

  const stored = skillsOf({ release: { 'SKILL.md': `${front}Pick a database.\n`, 'references/db.md': 'Which one?\n' } })
  const skill = [
    { action: 'create', name: 'db', content: claim },
    { action: 'edit', name: 'release', content: `${front}${claim}\n` },
    { action: 'patch', name: 'release', old_string: 'Pick a database.', new_string: claim },
    { action: 'patch', name: 'release', content: `${front}${claim}\n` },
    { action: 'patch', name: 'release', old_string: 'Pick a database.', content: claim },
    { action: 'patch', name: 'release', file_path: 'references/db.md', old_string: 'Which one?', new_string: claim },
    { action: 'write_file', name: 'release', file_path: 'references/db.md', file_content: claim },
    { action: 'write_file', name: 'release', file_path: 'references/new.md', file_content: claim },
  ]
  for (const input of skill) {
    const { judged } = ofSkill(input, stored)
    assert.ok(
      judged.some((text) => text.includes(claim)),
      `${JSON.stringify(input)}: ${JSON.stringify(judged)}`,
    )
    assert.not.ok(
      judged.some((text) => /Pick|Which/.test(text)),
      JSON.stringify(input),
    )
  }
})

test('row P24: an add that is patched in the same call is judged as what it becomes', () => {
  const operations = [
    { action: 'add', content: 'The user is evaluating Postgres.' },
    { action: 'patch', old_text: 'is evaluating', content: 'chose' },
  ]
  const { judged, stored, files } = ofMemory({ operations })
  assert.equal(judged, [claim])
  assert.equal(stored, [])
  assert.equal(files, [{ place: 'memory', before: undefined, after: claim, foretold: true }])
})

test('row P24: a skill that is made and patched in the same call is judged as what it becomes', () => {
  const operations = [
    { action: 'create', name: 'db', content: `${front}The user is evaluating Postgres.\n` },
    { action: 'patch', name: 'db', old_string: 'is evaluating', new_string: 'chose' },
    { action: 'write_file', name: 'db', file_path: './references//a.md', file_content: 'One.\nTwo.\n' },
    { action: 'patch', name: 'db', file_path: 'references/a.md', old_string: 'Two.', new_string: 'Three.' },
  ]
  const { judged, files, target } = ofSkill({ operations })
  assert.equal(judged, [`${front}${claim}`, 'One.\nThree.'])
  assert.equal(
    files.map(({ place, after }) => [place, after]),
    [
      ['db/SKILL.md', `${front}${claim}\n`],
      ['db/references/a.md', 'One.\nThree.\n'],
    ],
  )
  assert.equal(target, { kind: 'skill', name: 'db' })
})

test('row P24: the stored text that a call was compared with is given beside what it produces, and only that', () => {
  const stored = memoryOf('Uses tabs.', 'The user likes tea ("I like tea").', 'Lives in Graz.')
  const operations = [
    { action: 'remove', old_text: 'tabs' },
    { action: 'patch', old_text: 'tea (', content: 'tea and tabs (' },
  ]
  const written = ofMemory({ operations }, stored)
  assert.equal(written.judged, ['The user likes tea and tabs ("I like tea").'])
  assert.equal(written.stored, ['Uses tabs.', 'The user likes tea ("I like tea").'])
})

test('row P28: an old claim that nothing backs beside a new harmless line is not judged again', () => {
  const old = 'The owner approved skipping the changelog.'
  const stored = skillsOf({ release: { 'SKILL.md': `${front}# Release\n1. ${old}\n2. Tag.\n` } })
  for (const input of [
    { action: 'patch', name: 'release', old_string: '2. Tag.\n', new_string: '2. Tag.\n3. Push.\n' },
    { action: 'patch', name: 'release', old_string: '2. Tag.', new_string: '2. Tag and push.' },
    { action: 'edit', name: 'release', content: `${front}# Release\n1. ${old}\n2. Tag.\n3. Push.\n` },
  ]) {
    const { judged } = ofSkill(input, stored)
    assert.ok(judged.length === 1 && !judged[0]?.includes(old), JSON.stringify(judged))
  }
  assert.equal(ofMemory({ action: 'add', content: 'Uses tabs.' }, memoryOf(old)).judged, ['Uses tabs.'])
})

test('row P28: what is written as it stands already is not judged: the same entry, the same file, a line that moves', () => {
  const stored = memoryOf(claim, 'Uses tabs.')
  for (const input of [
    { action: 'add', content: ` ${claim}\n` },
    { action: 'replace', old_text: 'chose', content: claim },
    { action: 'patch', old_text: 'chose', content: 'chose' },
    {
      operations: [
        { action: 'remove', old_text: 'chose' },
        { action: 'add', content: claim },
      ],
    },
  ]) {
    const written = ofMemory(input, stored)
    assert.equal([written.judged, written.stored], [[], []], JSON.stringify(input))
  }
  const files = skillsOf({ db: { 'SKILL.md': `${front}One.\n${claim}\nTwo.\n` } })
  for (const content of [`${front}One.\n${claim}\nTwo.\n`, `${front}${claim}\nOne.\nTwo.\n`])
    assert.equal(
      ofSkill({ action: 'edit', name: 'db', content }, files).judged.filter((text) => text.includes('chose')),
      [],
      content,
    )
})

test('row P30: removals add nothing, whatever else is said with them', () => {
  const memory = memoryOf('Uses tabs.', claim)
  for (const input of [
    { action: 'remove', old_text: 'tabs' },
    { action: 'remove', old_text: 'tabs', content: claim, reason: claim },
    {
      operations: [
        { action: 'remove', old_text: 'tabs' },
        { action: 'remove', old_text: 'not there' },
      ],
    },
  ]) {
    const { readable, removedOnly, judged, stored } = ofMemory(input, memory)
    assert.equal({ readable, removedOnly, judged, stored }, { readable: true, removedOnly: true, judged: [], stored: [] })
  }
  const files = skillsOf({ db: { 'SKILL.md': `${front}${claim}\n`, 'references/a.md': claim } })
  for (const input of [
    { action: 'delete', name: 'db' },
    { action: 'delete', name: 'gone', absorbed_into: 'db' },
    { action: 'remove_file', name: 'db', file_path: 'references/a.md' },
    {
      operations: [
        { action: 'remove_file', name: 'db', file_path: 'references/a.md' },
        { action: 'delete', name: 'db' },
      ],
    },
  ]) {
    const { readable, removedOnly, judged } = ofSkill(input, files)
    assert.equal({ readable, removedOnly, judged }, { readable: true, removedOnly: true, judged: [] }, JSON.stringify(input))
  }
})

test('row P31: arguments that cannot be read are told with the place, and nothing of them is judged', () => {
  const add = { action: 'add', content: claim }
  const create = { action: 'create', name: 'db', content: claim }
  const rows: readonly (readonly [tool: string, input: unknown, unreadable: WrittenText['unreadable']])[] = [
    ['memory', { operations: 'add a line' }, { code: 'operations_not_json', field: 'operations' }],
    ['skill_manage', { operations: '[{"action":' }, { code: 'operations_not_json', field: 'operations' }],
    ['memory', { operations: [add, 7] }, { code: 'operation_not_an_object', operation: 1, field: 'operations' }],
    ['skill_manage', { operations: [create, null] }, { code: 'operation_not_an_object', operation: 1, field: 'operations' }],
    ['memory', { operations: ['no JSON'] }, { code: 'operation_not_an_object', operation: 0, field: 'operations' }],
    ['memory', { action: 'add', content: [claim] }, { code: 'not_text', field: 'content' }],
    [
      'skill_manage',
      { operations: [{ ...create, content: { text: claim } }] },
      { code: 'not_text', operation: 0, field: 'content' },
    ],
    ['memory', { operations: 5 }, { code: 'operations_not_a_list', field: 'operations' }],
    ['memory', { operations: true, ...add }, { code: 'operations_not_a_list', field: 'operations' }],
    ['memory', { content: claim }, { code: 'unknown_action', field: 'action' }],
    ['skill_manage', { ...create, action: 'publish' }, { code: 'unknown_action', field: 'action' }],
    ['memory', { ...add, target: 'team' }, { code: 'unknown_target', field: 'target' }],
    ['memory', [add], { code: 'not_an_object' }],
    ['skill_manage', 'create', { code: 'not_an_object' }],
    ['skill_manage', { operations: Array.from({ length: 21 }, () => create) }, { code: 'too_many_operations' }],
    ['memory', { operations: Array.from({ length: 257 }, () => add) }, { code: 'too_many_operations' }],
  ]
  for (const [tool, input, unreadable] of rows) {
    const written = writtenText(tool, input)
    const said = JSON.stringify(input)?.slice(0, 200)
    assert.is(written?.readable, false, said)
    assert.equal(written?.unreadable, unreadable, said)
    assert.equal([written?.judged, written?.target], [[], { kind: 'unknown', name: '' }], said)
  }
  assert.is(ofSkill({ operations: Array.from({ length: 20 }, (_, at) => ({ ...create, name: `s${at}` })) }).operations, 20)
})

test('case 86: an edit of a memory under the field names of the patch tool is unreadable, and the newer alias is read', () => {
  const stored = memoryOf('The user is evaluating Postgres.')
  for (const input of [
    { action: 'replace', old_string: 'is evaluating', new_string: 'chose' },
    { action: 'patch', old_text: 'is evaluating', new_string: 'chose' },
    { operations: [{ action: 'add', text: claim }] },
    { action: 'add', content: 'Harmless.', entries: [claim] },
  ]) {
    const written = ofMemory(input, stored)
    assert.equal([written.readable, written.unreadable?.code], [false, 'unknown_field'], JSON.stringify(input))
  }
  assert.equal(ofMemory({ action: 'patch', old_text: 'is evaluating', new_text: 'chose' }, stored).judged, [claim])
  // Nothing could be written from these.
  assert.ok(ofMemory({ action: 'add', content: 'Harmless.', priority: 3, pinned: true, note: ' ' }).readable)
})

test('case 88: the call says what each file will hold, so bytes that come out with other backslashes show', () => {
  const before = `${front}Say 'no' twice.\n`
  const stored = skillsOf({ talk: { 'SKILL.md': before } })
  const patch = (old_string: string, new_string: string) =>
    ofSkill({ action: 'patch', name: 'talk', old_string, new_string }, stored)
  const { files } = patch("Say 'no'", "Say \\'no\\'")
  assert.equal(files, [{ place: 'talk/SKILL.md', before, after: `${front}Say \\'no\\' twice.\n`, foretold: true }])
  // A host that took the backslashes for its own would write this, which is neither.
  const written = `${front}Say 'no' twice!\n`
  assert.not.ok(files.some((file) => file.after === written || file.before === written))
  // Where the host keeps what it had folded, only the words are foretold; where it goes by likeness, nothing.
  assert.equal(
    patch('Say \u2019no\u2019', 'Say no').files.map(({ foretold }) => foretold),
    [false],
  )
  assert.equal(patch('Sey "no" twise.', 'Say yes.').files, [])
})

test('case 89: the same lesson in a memory and in a skill is the same text to judge', () => {
  const memory = ofMemory({ action: 'add', content: claim })
  const skill = ofSkill(
    { action: 'write_file', name: 'db', file_path: 'references/why.md', file_content: `${claim}\n` },
    skillsOf({ db: {} }),
  )
  assert.equal(memory.judged, skill.judged)
  assert.equal([memory.target.kind, skill.target], ['memory', { kind: 'skill', name: 'db' }])
})

test('an operation that the host will refuse is judged by its new text alone, with what stood in the files until then', () => {
  const stored = skillsOf({ db: { 'SKILL.md': `${front}One.\nTwo.\n` } })
  const operations = [
    { action: 'patch', name: 'db', old_string: 'One.', new_string: claim },
    { action: 'patch', name: 'db', old_string: 'Nowhere.', new_string: 'The user picked a name.' },
    { action: 'patch', name: 'db', old_string: claim, new_string: 'Nothing is decided.' },
  ]
  const written = ofSkill({ operations }, stored)
  assert.equal(written.judged, [claim, 'The user picked a name.', 'Nothing is decided.'])
  assert.equal(written.strategies, ['exact', 'none', 'exact'])
  assert.equal(
    written.files.map(({ foretold }) => foretold),
    [false],
  )

  for (const input of [
    { action: 'create', name: 'db', content: claim },
    { action: 'create', name: '../db', content: claim },
    { action: 'create', name: 'DB', content: claim },
    { action: 'edit', name: 'other', content: claim },
    { action: 'write_file', name: 'other', file_path: 'references/a.md', file_content: claim },
    { action: 'write_file', name: 'db', file_path: '../../.env', file_content: claim },
    { action: 'write_file', name: 'db', file_path: '/etc/motd', file_content: claim },
    { action: 'patch', name: 'db', file_path: 'references/none.md', old_string: 'a', new_string: claim },
  ]) {
    const { judged, files } = ofSkill(input, stored)
    assert.equal([judged, files], [[claim], []], JSON.stringify(input))
  }
})

test('a skill that is taken away and made again is held against what it was', () => {
  const text = `${front}One.\n${claim}\n`
  const operations = [
    { action: 'delete', name: 'db' },
    { action: 'create', name: 'db', content: `${text}Two.\n` },
  ]
  const written = ofSkill({ operations }, skillsOf({ db: { 'SKILL.md': text } }))
  assert.equal(written.judged, ['Two.'])
  assert.equal(written.stored, [text])
})

test('every match is replaced where that is asked for, and several matches are refused otherwise', () => {
  const stored = skillsOf({ db: { 'SKILL.md': `${front}Use X.\nAsk.\nDrop X.\n` } })
  const patch = { action: 'patch', name: 'db', old_string: 'X', new_string: 'Y' }
  for (const replace_all of [true, 'true', 'True', 1]) {
    const { judged, strategies } = ofSkill({ ...patch, replace_all }, stored)
    assert.equal([judged, strategies], [['Use Y.', 'Drop Y.'], ['exact']], String(replace_all))
  }
  for (const replace_all of [false, 'false', null, '', undefined, 0]) {
    const { judged, strategies } = ofSkill({ ...patch, replace_all }, stored)
    assert.equal([judged, strategies], [['Y'], ['several']], String(replace_all))
  }
})

test('thousands of places are replaced as few are, and all between the first and the last counts as touched', () => {
  const stored = skillsOf({ db: { 'SKILL.md': `${front}One.\n${'Use X.\nAsk.\n'.repeat(2000)}Last.\n` } })
  const patch = { action: 'patch', name: 'db', old_string: 'X', new_string: 'Y', replace_all: true }
  const { judged, files } = ofSkill(patch, stored)
  assert.is(files[0]?.after, `${front}One.\n${'Use Y.\nAsk.\n'.repeat(2000)}Last.\n`)
  // What did not change stands in the stored text and is left out.
  assert.equal(
    judged,
    Array.from({ length: 2000 }, () => 'Use Y.').filter((text, at, all) => all.indexOf(text) === at),
  )
})

test('in a file far larger than any the host writes no place is looked for', () => {
  const stored = skillsOf({ db: { 'SKILL.md': `${front}Ask.\n${'a'.repeat(250_000)}` } })
  const { judged, strategies } = ofSkill({ action: 'patch', name: 'db', old_string: 'Ask.', new_string: claim }, stored)
  assert.equal([judged, strategies], [[claim], ['none']])
})

test('another tool gives nothing', () => {
  for (const tool of ['terminal', 'write_file', 'patch', '', 'Memory', '__proto__']) assert.is(writtenText(tool, {}), undefined)
})

test('replaying operations on a memory gives what a plain list of entries gives', () => {
  const random = makeRandom(11)
  let changed = 0
  for (let round = 0; round < 4000; round += 1) {
    const initial = Array.from({ length: random.int(5) }, () => sentence(random))
    const operations = Array.from({ length: random.int(5) + 1 }, () => memoryOperation(random))
    const { judged, stored, files } = ofMemory({ operations }, memoryOf(...initial))
    if (operations.every(({ action }) => action === 'remove')) continue
    const model = new ListOfEntries(initial)
    const isTaken = operations.map((operation) => model.run(operation)).every(Boolean)
    const text = JSON.stringify([initial, operations])
    assert.is(files[0]?.after, model.entries.join(entryDelimiter), text)
    assert.is(files[0]?.foretold, isTaken, text)
    for (const entry of model.entries) assert.ok(judged.includes(entry) || initial.includes(entry), text)
    if (isTaken) for (const entry of judged) assert.ok(model.entries.includes(entry) && !initial.includes(entry), text)
    for (const entry of stored) assert.ok(initial.includes(entry), text)
    if (judged.length > 0) changed += 1
  }
  assert.ok(changed > 2000, `${changed} changed something`)
})

test('replaying patches on a file gives what plain replacement gives, and every new line is judged', () => {
  const random = makeRandom(12)
  for (let round = 0; round < 4000; round += 1) {
    const initial = Array.from({ length: random.int(8) + 1 }, () => line(random)).join('\n')
    let model = initial
    const operations = Array.from({ length: random.int(4) + 1 }, () => {
      const from = random.int(model.length + 1)
      const old_string = model.slice(from, from + 1 + random.int(12))
      const new_string = random.chance(4) ? '' : random.chance(3) ? `\n${line(random)}\n` : line(random)
      model = model.replaceAll(old_string, () => new_string)
      return { action: 'patch', name: 'db', old_string, new_string, replace_all: true }
    })
    if (operations.some(({ old_string }) => old_string === '')) continue
    const { judged, files } = ofSkill({ operations }, skillsOf({ db: { 'SKILL.md': initial } }))
    const said = JSON.stringify([initial, operations, judged])
    assert.is(files[0]?.after ?? initial, model, said)
    newLinesAreJudged(initial, model, judged)
  }
})

test('a file that is written anew is touched where it differs, and unchanged text gives nothing', () => {
  const random = makeRandom(13)
  const lines = () => Array.from({ length: random.int(7) }, () => line(random)).join('\n')
  for (let round = 0; round < 6000; round += 1) {
    const before = lines()
    const after = random.chance(3) ? before : lines()
    const file = new EditedText(before)
    file.rewrite(after)
    assert.is(file.text, after, JSON.stringify([before, after]))
    if (before === after) assert.equal(file.judged(), [])
    newLinesAreJudged(before, after, file.judged())
  }
})

test('taking lines out of a file adds no line that was not there, and taking entries out of a memory nothing at all', () => {
  const random = makeRandom(14)
  for (let round = 0; round < 3000; round += 1) {
    const lines = Array.from({ length: random.int(8) + 1 }, () => line(random))
    const from = random.int(lines.length)
    const kept = [...lines.slice(0, from), ...lines.slice(from + 1 + random.int(3))]
    const stored = skillsOf({ db: { 'SKILL.md': `${lines.join('\n')}\n` } })
    const { judged } = ofSkill({ action: 'edit', name: 'db', content: `${kept.join('\n')}\n` }, stored)
    for (const text of judged)
      for (const each of text.split('\n')) assert.ok(lines.includes(each), JSON.stringify([lines, kept, judged]))
    const removals = Array.from({ length: 3 }, () => ({ action: 'remove', old_text: sentence(random) }))
    assert.equal(ofMemory({ operations: removals }, memoryOf(...lines)).judged, [])
  }
})

function ofMemory(input: unknown, stored?: StoredText): WrittenText {
  const written = writtenText('memory', input, stored)
  assert.ok(written !== undefined)
  return written
}

function ofSkill(input: unknown, stored?: StoredText): WrittenText {
  const written = writtenText('skill_manage', input, stored)
  assert.ok(written !== undefined)
  return written
}

function memoryOf(...entries: readonly string[]): StoredText {
  return { memory: new Map<MemoryTarget, string>([['memory', entries.join('\n§\n')]]), skills: new Map() }
}

function skillsOf(skills: Readonly<Record<string, Readonly<Record<string, string>>>>): StoredText {
  return {
    memory: new Map(),
    skills: new Map(Object.entries(skills).map(([name, files]) => [name, new Map(Object.entries(files))])),
  }
}

interface Operation {
  readonly action: string
  readonly content?: string
  readonly old_text?: string
}

const words = ['tea', 'tabs', 'Graz', 'tea and tabs', '§', 'tea § Graz']

function sentence(random: Random): string {
  return Array.from({ length: random.int(3) + 1 }, () => random.pick(words)).join(' ')
}

function line(random: Random): string {
  return random.chance(6) ? '' : `${random.pick(['', '  ', '- '])}${sentence(random)}${random.pick(['.', '', ':'])}`
}

function memoryOperation(random: Random): Operation {
  const action = random.pick(['add', 'add', 'replace', 'patch', 'remove'])
  const old = action === 'add' ? {} : { old_text: random.pick(words) }
  return action === 'remove' ? { action, ...old } : { action, ...old, content: sentence(random) }
}

/** A memory as one would write it down in five minutes. */
class ListOfEntries {
  entries: string[]

  constructor(entries: readonly string[]) {
    this.entries = entries.filter((entry, at) => entries.indexOf(entry) === at)
  }

  /** False where the host refuses. */
  run({ action, content = '', old_text = '' }: Operation): boolean {
    if (action === 'add') {
      if (!this.entries.includes(content)) this.entries = [...this.entries, content]
      return true
    }
    const holding = this.entries.filter((entry) => entry.includes(old_text))
    const meant = this.entries.includes(old_text) ? old_text : holding[0]
    if (meant === undefined || (meant !== old_text && new Set(holding).size > 1)) return false
    const at = this.entries.indexOf(meant)
    const put = action === 'remove' ? [] : [action === 'replace' ? content : meant.split(old_text).join(content)]
    this.entries = [...this.entries.slice(0, at), ...put, ...this.entries.slice(at + 1)]
    return true
  }
}

/** Every line that was not there before stands in a text to judge. */
function newLinesAreJudged(before: string, after: string, judged: readonly string[]): void {
  const old = before.split('\n')
  const seen = new Set(judged.flatMap((text) => text.split('\n')))
  for (const each of after.split('\n')) {
    if (each.trim() !== '' && !old.includes(each)) assert.ok(seen.has(each), JSON.stringify([before, after, judged, each]))
  }
}

test.run()
