// Holds the edits of Hermes' config.yaml to one rule: what is the owner's stays to the byte, or nothing is changed at all.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Document, parse } from 'yaml'
import {
  addItem,
  type Former,
  formerAt,
  itemsAt,
  type ListPlace,
  parseHermesConfig,
  readPluginManifest,
  removeItems,
  setCommand,
} from '../../src/service/hermes-config.js'
import { hermesConfigCases, replacedConfigCases } from '../support/hermes-configs.js'
import { throwsWithCode } from '../support/rejects-with-code.js'

const test = suite('hermes-config')

const enabled: ListPlace = ['plugins', 'enabled']
const toolCall: ListPlace = ['hooks', 'pre_tool_call']
const hook = { command: "'/opt/my node/node' /opt/stele/dist/cli/main.js hook", timeout: 10 }

const isName = (item: unknown): boolean => item === 'stele'
const isHook = (item: unknown): boolean => item instanceof Map && item.get('command') === hook.command

function formerOf(text: string): (names: readonly string[]) => Former {
  const config = parseHermesConfig(text)
  return (names) => formerAt(config, names)
}

/** One piece was put into the text, and nothing else happened to it. */
function isInsertion(before: string, after: string): boolean {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  return after.length > before.length && after.endsWith(before.slice(start))
}

for (const { name, before, enabled: expected } of hermesConfigCases) {
  test(`${name}: stele is enabled by lines of its own and taken out again`, () => {
    const after = addItem(before, enabled, 'stele')
    assert.is(after, expected)
    assert.ok(itemsAt(parseHermesConfig(after), enabled).includes('stele'))
    assert.is(removeItems(after, enabled, isName, formerOf(before)), before)
  })

  test(`${name}: a shell hook goes in beside everything else and out again`, () => {
    const after = addItem(before, toolCall, hook)
    assert.ok(isInsertion(before, after), after)
    assert.equal(parse(after, { version: '1.1' }).hooks.pre_tool_call, [hook])
    assert.is(removeItems(after, toolCall, isHook, formerOf(before)), before)
  })
}

for (const { name, before, enabled: expected } of replacedConfigCases) {
  test(`${name}: only the word for no value gives way`, () => {
    assert.is(addItem(before, enabled, 'stele'), expected)
  })
}

test('hooks of the owner stay in their place and order, whatever form they have', () => {
  const block =
    'hooks:\n  pre_tool_call:\n  - matcher: "memory"   # mine\n    command: ~/bin/one\n\n  # and\n  - command: two\n  pre_llm_call: []\n'
  const inBlock = addItem(block, toolCall, hook)
  assert.is(
    inBlock,
    block.replace('command: two\n', `command: two\n  - command: ${JSON.stringify(hook.command)}\n    timeout: 10\n`),
  )
  assert.is(
    removeItems(inBlock, toolCall, isHook, () => 'value'),
    block,
  )
  const flow = 'hooks: {pre_tool_call: [{command: one}]} # c\n'
  const inFlow = addItem(flow, toolCall, hook)
  assert.is(inFlow, `hooks: {pre_tool_call: [{command: one}, {command: ${JSON.stringify(hook.command)}, timeout: 10}]} # c\n`)
  assert.is(
    removeItems(inFlow, toolCall, isHook, () => 'value'),
    flow,
  )
})

test('what the owner wrote around our lines afterwards stays when they go', () => {
  const text =
    'plugins:\n  # all of them\n  enabled: # list\n    # first\n    - stele # audit\n    # second\n    - other\n\n    - stele\n  disabled: []\n'
  assert.is(
    removeItems(text, enabled, isName, () => 'none'),
    'plugins:\n  # all of them\n  enabled: # list\n    # first\n    # second\n    - other\n\n  disabled: []\n',
  )
  assert.is(
    removeItems('plugins: {enabled: [stele, b]}', enabled, isName, () => 'none'),
    'plugins: {enabled: [b]}',
  )
  assert.is(
    removeItems('plugins:\n  enabled: [a, # one\n    stele, # two\n    b]\n', enabled, isName, () => 'none'),
    'plugins:\n  enabled: [a # one\n    , # two\n    b]\n',
  )
})

test('a list and a section that are empty then go only where it is known that they were not there', () => {
  const text = 'a: 1\nplugins:\n  enabled:\n    # why\n    - stele\nb: 2\n'
  assert.is(
    removeItems(text, enabled, isName, () => 'none'),
    'a: 1\n    # why\nb: 2\n',
  )
  assert.is(
    removeItems(text, enabled, isName, () => 'empty'),
    'a: 1\nplugins:\n  enabled:\n    # why\nb: 2\n',
  )
  assert.is(
    removeItems(text, enabled, isName, () => 'value'),
    'a: 1\nplugins:\n  enabled: []\n    # why\nb: 2\n',
  )
  const listOnly = ([, list]: readonly string[]): Former => (list === undefined ? 'value' : 'none')
  assert.is(removeItems(text, enabled, isName, listOnly), 'a: 1\nplugins: {}\n    # why\nb: 2\n')
  assert.is(removeItems('plugins: {enabled: [stele]}\n', enabled, isName, listOnly), 'plugins: {}\n')
  assert.is(
    removeItems('plugins: {enabled: [stele]}\n', enabled, isName, () => 'value'),
    'plugins: {enabled: []}\n',
  )
})

test('another command takes the place of a former one, and what else the owner set in our entry stays', () => {
  const text = 'hooks:\n  pre_tool_call:\n    - fail_closed: true # strict\n      command: "old" # ours\n      timeout: 5\n'
  assert.is(setCommand(text, toolCall, 0, 'new: "x"'), text.replace('"old"', '"new: \\"x\\""'))
  throwsWithCode(() => setCommand('hooks:\n  pre_tool_call:\n    - matcher: x\n', toolCall, 0, 'new'), 'HERMES_CONFIG_UNFIT')
})

test('a command with any characters is read back as it was', () => {
  for (const command of ['/a "b" \\c', '# no comment', 'a: b', '/Öl/日本 hook', 'line\u2028break\u0085\u007f', "'{}' [] & * !"]) {
    const after = addItem('', toolCall, { command, timeout: 10 })
    assert.equal(parse(after).hooks.pre_tool_call, [{ command, timeout: 10 }])
  }
})

test('text that is no single YAML mapping is refused with its line', () => {
  const cases: readonly (readonly [text: string, line: number, reason: RegExp])[] = [
    ['a: 1\nb: [1\n\nc: 2\n', 4, /not YAML/],
    ['a: 1\n\tb: 2\n', 2, /not YAML/],
    ['a: 1\n---\nb: 2\n', 2, /second document/],
    ['a: 1\nb: 2\na: 3\n', 3, /twice/],
    ['# list\n- a\n', 2, /not a mapping/],
    ['just words\n', 1, /not a mapping/],
    ['null\n', 1, /not a mapping/],
    ['a: 1\nb: *nothing\n', 2, /alias/],
    ['a: 1\nb: 2\rc: 3\n', 2, /carriage return/],
  ]
  for (const [text, line, reason] of cases) {
    const { details, kind } = throwsWithCode(() => addItem(text, enabled, 'stele'), 'HERMES_CONFIG_UNREADABLE')
    assert.is(details['line'], line, text)
    assert.match(String(details['reason']), reason)
    assert.is(kind, 'input')
  }
})

test('a place that holds something else, or that something else depends on, is refused with its line', () => {
  const cases: readonly (readonly [text: string, line: number])[] = [
    ['a: 1\nplugins: []\n', 2],
    ['plugins:\n  enabled: yes\n', 2],
    ['plugins:\n  enabled: {a: true}\n', 2],
    ['plugins:\n  enabled: stele\n', 2],
    ['list: &l [a]\nplugins:\n  enabled: *l\n', 3],
    ['base: &b {enabled: [a]}\nplugins: *b\n', 2],
    ['plugins:\n  enabled: &l [a]\nlist: *l\n', 2],
    ['plugins: &p\ncopy: *p\n', 1],
    ['base: &b {enabled: [a]}\nplugins:\n  <<: *b\n', 2],
    ['plugins:\n  enabled: |-\n', 2],
  ]
  for (const [text, line] of cases) {
    const { details, kind } = throwsWithCode(() => addItem(text, enabled, 'stele'), 'HERMES_CONFIG_UNFIT')
    assert.is(details['line'], line, text)
    assert.is(kind, 'refused')
  }
  // In Python such a text would grow by the line break that ours needs.
  throwsWithCode(() => addItem('prompt: |\n  Be brief.', enabled, 'stele'), 'HERMES_CONFIG_UNFIT')
})

test('what stands at a place is told apart: nothing, a key alone, a value', () => {
  const config = parseHermesConfig('plugins:\n  enabled:\nhooks: {}\n')
  assert.is(formerAt(config, ['plugins', 'enabled']), 'empty')
  assert.is(formerAt(config, ['plugins', 'disabled']), 'none')
  assert.is(formerAt(config, ['hooks']), 'value')
  assert.is(formerAt(config, ['hooks', 'pre_verify']), 'none')
  assert.is(formerAt(config, ['model', 'default']), 'none')
})

test('a manifest gives its name and version, and other text gives none', () => {
  assert.equal(readPluginManifest('name: stele\nversion: 0.1.0\nkind: standalone\n'), { name: 'stele', version: '0.1.0' })
  assert.equal(readPluginManifest('kind: standalone\n'), { name: '', version: '' })
  for (const text of ['', '- name: stele\n', 'name: [\n']) assert.is(readPluginManifest(text), undefined)
})

const words = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', '\n', '#', ':', '-', '"', "'", '{', ']', 'é', '1'),
  maxLength: 14,
})
const leaf = fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null))
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), tie('value'), { maxKeys: 3 }),
  ),
}))
const settings = fc.record(
  {
    model: anyValue,
    plugins: fc.oneof(
      fc.constant(null),
      fc.record(
        { enabled: fc.oneof(fc.constant(null), fc.array(words, { maxLength: 3 })), entries: anyValue },
        { requiredKeys: [] },
      ),
    ),
    hooks: fc.record(
      { pre_tool_call: fc.array(fc.record({ command: words, timeout: fc.nat(60) })), outbound: anyValue },
      { requiredKeys: [] },
    ),
    last: anyValue,
  },
  { requiredKeys: [] },
)
const style = fc.record({
  indent: fc.constantFrom(1, 2, 3, 4, 7),
  indentSeq: fc.boolean(),
  collectionStyle: fc.constantFrom<('any' | 'flow')[]>('any', 'any', 'flow'),
  lineWidth: fc.constantFrom(0, 20, 80),
  flowPlugins: fc.boolean(),
  windows: fc.boolean(),
  mark: fc.boolean(),
  cut: fc.boolean(),
  comment: fc.option(fc.stringMatching(/^[ a-z:#{[-]{0,12}$/)),
})

/** Writes settings in one of the many forms that YAML has. */
function written(
  value: object,
  { windows, mark, cut, comment, flowPlugins, ...options }: typeof style extends fc.Arbitrary<infer Style> ? Style : never,
): string {
  const document = new Document(value, { version: '1.1' })
  const plugins: unknown = document.get('plugins')
  if (flowPlugins && typeof plugins === 'object' && plugins !== null) Object.assign(plugins, { flow: true })
  if (comment !== null) document.comment = comment
  const text = document.toString(options)
  const whole = cut ? text.replace(/\n$/, '') : text
  return `${mark ? '\uFEFF' : ''}${windows ? whole.replaceAll('\n', '\r\n') : whole}`
}

function isReadable(text: string): boolean {
  try {
    parseHermesConfig(text)
    return true
  } catch {
    return false
  }
}

test('generated settings keep every byte and every value, and come back when our lines go', () => {
  let edited = 0
  fc.assert(
    fc.property(settings, style, (value, form) => {
      const before = written(value, form)
      // The library does not read every text that it writes.
      if (!isReadable(before)) return
      for (const [place, item, isOurs] of [
        [enabled, 'stele', isName],
        [toolCall, hook, isHook],
      ] as const) {
        if (itemsAt(parseHermesConfig(before), place).some(isOurs)) continue
        let after: string
        try {
          after = addItem(before, place, item)
        } catch (error) {
          // The one form that cannot be added to: a text block that runs to the end of a file without a line break.
          throwsWithCode(() => addItem(before, place, item), 'HERMES_CONFIG_UNFIT')
          if (before.endsWith('\n')) throw error
          continue
        }
        edited++
        const wasNull = / (?:null|~)(?=[\s,}]|$)/.test(before)
        if (!wasNull) assert.ok(isInsertion(before, after), `${JSON.stringify(before)} became ${JSON.stringify(after)}`)
        const data = parse(before, { version: '1.1' }) ?? {}
        const [section, list] = place
        const wanted = { ...data, [section]: { ...data[section], [list]: [...(data[section]?.[list] ?? []), item] } }
        assert.equal(parse(after, { version: '1.1' }), wanted)
        const back = removeItems(after, place, isOurs, formerOf(before))
        if (!wasNull) assert.is(back, before)
      }
    }),
    { numRuns: 400 },
  )
  assert.ok(edited > 400, `${edited} edits`)
})

test.run()
