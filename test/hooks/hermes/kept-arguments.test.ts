// Holds what is kept of a call's arguments to the setting: whole what a gate judges, everything, or nothing; of the rest size and digest.
import { createHmac } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type KeptArgument, keptArguments } from '../../../src/hooks/hermes/kept-arguments.js'
import type { HookContext, KeptArguments } from '../../../src/hooks/hook.js'
import { sessionContext } from '../../../src/projections/session-context.js'

const test = suite('kept-arguments')

const context: HookContext = {
  ...{ session: 's0123456789abcdef', seen: sessionContext.initial(), provenance: { source: 'unattested' }, host: {} },
  ...{ keep: 'judged', judged: true, argumentsText: '{}', parent: null, child: null, digest: hmac },
}

test('every argument is kept with its name, the bytes of its canonical JSON and a keyed digest, in the order of names', () => {
  const kept = keptArguments('made_up', { b: { y: 1, x: '我' }, a: [1, 2.5], '10': null, Z: true }, context)
  assert.equal(
    kept.map(({ name }) => name),
    ['10', 'Z', 'a', 'b'],
  )
  const canonical = ['null', 'true', '[1,2.5]', '{"x":"我","y":1}']
  assert.equal(
    kept.map(({ bytes }) => bytes),
    [4, 4, 7, 17],
  )
  assert.equal(
    kept.map(({ digest }) => digest),
    canonical.map((text) => hmac('arguments', text)),
  )
})

/** Paths, command words, memory and skill text: tools and arguments as the host's contract and the recorded session have them. */
const judged: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ['read_file', { path: 'docs/notes.md' }],
  ['write_file', { path: '/srv/agent/project/docs/summary.md' }],
  ['search_files', { path: 'docs' }],
  ['patch', { path: 'docs/notes.md', mode: 'replace' }],
  ['terminal', { command: 'ls -la docs && pytest -q --version' }],
  ['memory', { action: 'add', target: 'memory', content: 'User decided to ship on Friday.' }],
  ['memory', { action: 'patch', target: 'user', old_text: 'a', new_text: 'b' }],
  ['memory', { operations: [{ action: 'add', content: '用户决定周五发布' }], target: 'memory' }],
  ['skill_manage', { action: 'create', name: 'release', content: '# Release' }],
  ['skill_manage', { action: 'patch', name: 'release', old_string: 'a', new_string: 'b' }],
  ['skill_manage', { action: 'write_file', name: 'release', file_path: 'a.md', file_content: 'text' }],
]

for (const [tool, args] of judged) {
  test(`of ${tool} a gate judges ${Object.keys(args).join(', ')}: the values are kept`, () => {
    const kept = keptArguments(tool, args, context)
    assert.equal(Object.fromEntries(kept.map(({ name, value }) => [name, value])), args)
  })
}

test('what no gate judges is known by its size and digest alone', () => {
  for (const [tool, name, value] of [
    ['write_file', 'content', '# Summary\nAll tidy.\n'],
    ['send_email', 'body', 'Dear Dana'],
    ['send_email', 'subject', 'Hello'],
    ['ask_model', 'prompt', 'what do you think'],
    ['made_up', 'text', 'a text'],
    ['made_up', 'password', 'hunter2'],
  ] as const) {
    const [kept] = keptArguments(tool, { [name]: value }, context)
    assert.ok(kept !== undefined)
    assert.equal(kept, {
      name,
      bytes: Buffer.byteLength(JSON.stringify(value)),
      digest: hmac('arguments', JSON.stringify(value)),
    })
    assert.not.ok('value' in kept, `${name} of ${tool}`)
  }
})

test('arguments that are no object have no names to keep', () => {
  for (const value of [null, undefined, 'text', 5, true, [], [1, 2]]) assert.equal(keptArguments('terminal', value, context), [])
  assert.equal(keptArguments('terminal', {}, context), [])
})

test('arguments with the names of the object prototype are kept like any other', () => {
  const args: unknown = JSON.parse('{"__proto__":{"path":"x"},"constructor":1,"toString":"y"}')
  const kept: readonly KeptArgument[] = keptArguments('memory', args, context)
  assert.equal(
    kept.map(({ name }) => name),
    ['__proto__', 'constructor', 'toString'],
  )
  assert.is(kept[0]?.bytes, '{"path":"x"}'.length)
  assert.is(kept[0]?.digest, hmac('arguments', '{"path":"x"}'))
})

test('under `full` every value is kept, and under `none` not even what a gate judges', () => {
  const args = { path: 'a.md', content: 'a text', n: 5, nothing: null }
  const valuesKept = (keep: KeptArguments, tool: string): Record<string, unknown> =>
    Object.fromEntries(
      keptArguments(tool, args, { ...context, keep }).flatMap((kept) => ('value' in kept ? [[kept.name, kept.value]] : [])),
    )
  for (const tool of ['write_file', 'memory']) {
    assert.equal(valuesKept('full', tool), args)
    assert.equal(valuesKept('none', tool), {})
    assert.is(keptArguments(tool, args, { ...context, keep: 'none' }).length, 4, 'names, sizes and digests stay')
  }
  assert.equal(valuesKept('judged', 'write_file'), { path: 'a.md' })
})

test('of more than 256 arguments the first so many by name are kept', () => {
  const args = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`name${String(299 - at).padStart(3, '0')}`, at]))
  const kept = keptArguments('made_up', args, context)
  assert.is(kept.length, 256)
  assert.equal([kept[0]?.name, kept.at(-1)?.name], ['name000', 'name255'])
})

function hmac(use: string, text: string): string {
  return createHmac('sha256', Buffer.alloc(32, 3)).update(`stele/digest/v1\n${use}\n${text}`).digest('hex')
}

test.run()
