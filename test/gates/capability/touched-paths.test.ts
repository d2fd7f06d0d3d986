// Which paths a call names: each tool of the host by its arguments, servers' tools by what arguments are called, patches file by file.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { hostTools, knownTools, pathlessTools } from '../../../src/gates/capability/host-tools.js'
import { type AskedPath, touchedPaths } from '../../../src/gates/capability/touched-paths.js'
import { recordedPayloads } from '../../support/recorded-session.js'

/** `r` and `w`, `+` for a tree, `@` for an address: short enough to be read beside the call. */
const shown = ({ asked, access, tree, kind }: AskedPath): string =>
  `${access === 'read' ? 'r' : 'w'}${tree ? '+' : ''}${kind === 'address' ? '@' : ''} ${asked}`

const touched = (tool: string, args: unknown): string[] | string => {
  const { paths, unread } = touchedPaths(tool, args)
  return unread ?? paths.map(shown)
}

test('row C4: each file tool of the host names its path, to read or to write', () => {
  for (const [tool, args, expected] of [
    ['read_file', { path: 'a.md', offset: 1 }, ['r a.md']],
    ['write_file', { path: '~/a.md', content: 'path: /etc/passwd' }, ['w ~/a.md']],
    ['patch', { mode: 'replace', path: 'a.md', old_string: '/x', new_string: '/y' }, ['w a.md']],
    ['patch', { path: 'a.md', old_string: 'x', new_string: 'y' }, ['w a.md']],
    ['search_files', { pattern: 'x', target: 'content', path: 'docs', file_glob: '*.md' }, ['r+ docs']],
    ['search_files', { pattern: '*.md', target: 'files' }, ['r+ .']],
    ['search_files', { pattern: 'x', path: null }, ['r+ .']],
    ['search_files', { pattern: 'x', path: '' }, ['r+ .']],
    ['terminal', { command: 'ls' }, []],
    ['terminal', { command: 'ls', workdir: '/srv' }, ['r /srv']],
    ['terminal', { command: 'ls', workdir: '' }, []],
    ['vision_analyze', { image_url: 'shots/a.png', question: '?' }, ['r shots/a.png']],
    ['vision_analyze', { image_url: 'file:///a.png', question: '?' }, ['r@ file:///a.png']],
    ['vision_analyze', { image_url: 'https://x.example/a.png', question: '?' }, []],
    ['vision_analyze', { image_url: 'data:image/png;base64,AA==', question: '?' }, []],
    ['image_generate', { prompt: '/etc/passwd' }, []],
    [
      'image_generate',
      { prompt: 'x', image_url: 'a.png', reference_image_urls: ['b.png', 'https://x.example/c'] },
      ['r a.png', 'r b.png'],
    ],
    ['video_generate', { prompt: 'x', reference_image_urls: '["b.png"]' }, ['r ["b.png"]', 'r b.png']],
    ['text_to_speech', { text: '/etc/passwd' }, []],
    ['text_to_speech', { text: 'x', output_path: '~/a.mp3' }, ['w ~/a.mp3']],
    ['browser_navigate', { url: 'https://x.example/etc/passwd' }, []],
    ['browser_navigate', { url: 'file:///etc/passwd' }, ['r@ file:///etc/passwd']],
    ['browser_navigate', { url: 'view-source:FILE:///etc/passwd' }, ['r@ view-source:FILE:///etc/passwd']],
    ['web_extract', { urls: ['https://x.example', 'file:///etc/passwd'] }, ['r@ file:///etc/passwd']],
    ['cronjob', { action: 'create', prompt: 'x', schedule: '1h', workdir: '/srv', script: 'nightly.py' }, ['r /srv']],
    ['cronjob_manage', { action: 'create', script: '~/x.py' }, ['r ~/x.py']],
    ['cronjob_manage', { action: 'create', script: 'a/../../x.py' }, ['r a/../../x.py']],
    [
      'send_message',
      { target: 'telegram', message: 'look: MEDIA:/srv/a.png and MEDIA:"/srv/b c.png"' },
      ['r@ /srv/a.png', 'r@ /srv/b c.png'],
    ],
    ['send_message', { action: 'list' }, []],
  ] as const) {
    assert.equal(touched(tool, args), expected, `${tool} ${JSON.stringify(args)}`)
  }
})

test('row C4: `target: content` of a search is no path, nor is any other word of a tool that is known', () => {
  assert.equal(touched('search_files', { pattern: '/etc/passwd', target: 'content', output_mode: 'content', path: 'docs' }), [
    'r+ docs',
  ])
  assert.equal(touched('skill_view', { name: 'x', file_path: 'references/a.md' }), [])
  assert.equal(touched('skill_manage', { action: 'write_file', name: 'x', file_path: 'a/b.md', file_content: '/etc' }), [])
  assert.equal(touched('memory', { action: 'add', target: 'memory', content: '/etc/passwd' }), [])
  assert.equal(touched('execute_code', { code: 'open("/etc/passwd")' }), [])
})

test('row C4: the calls of the recorded session touch what a reader of it finds', () => {
  const calls = recordedPayloads.filter(({ hook_event_name: hook }) => hook === 'pre_tool_call')
  const found = calls.flatMap(({ tool_name: tool, tool_input: args }) => {
    const paths = touched(String(tool), args)
    return tool === 'memory' || tool === 'skill_manage' ? [] : [`${tool}: ${String(paths)}`]
  })
  assert.equal(found, [
    'read_file: r docs/notes.md',
    'search_files: r+ docs',
    'patch: w docs/notes.md',
    'terminal: ',
    'write_file: w /srv/agent/project/docs/summary.md',
  ])
})

const body = [
  '*** Begin Patch',
  '*** Update File: docs/a.md',
  '@@ heading @@',
  ' *** Add File: only-context.md',
  '-old',
  '+*** Delete File: only-text.md',
  '*** Add File:   new/b.md  ',
  '+text',
  '***Delete File: c.md\r',
  '*** Move File: d.md -> e/f.md',
  '*** Update File: g.md',
  '*** Move to: h.md',
  '*** End Patch',
].join('\n')
const bodyPaths = ['w docs/a.md', 'w new/b.md', 'w c.md', 'w d.md', 'w e/f.md', 'w g.md', 'w h.md']

test('case 32: every file that a patch names is one, and its text is none', () => {
  assert.equal(touched('patch', { mode: 'patch', patch: body }), bodyPaths)
})

test('case 32: the same body under the name of another tool is read too', () => {
  const outer = [...bodyPaths.slice(0, 1), 'w only-context.md', ...bodyPaths.slice(1)]
  for (const [tool, args] of [
    ['shell', { command: ['apply_patch', body] }],
    ['bash', { command: `apply_patch <<'EOF'\n${body}\nEOF` }],
    ['terminal', { command: `cd x && apply_patch <<'EOF'\n${body}\nEOF\n` }],
    ['terminal', { command: body }],
    ['apply_patch', { input: body }],
    ['execute_command', { command: `"/usr/bin/applypatch" <<EOF\n${body}\nEOF` }],
  ] as const) {
    assert.equal(touched(tool, args), outer, tool)
  }
})

test('case 32: a body that is only spoken of is no patch', () => {
  assert.equal(touched('terminal', { command: `cat > notes.md <<'EOF'\n${body}\nEOF` }), [])
  assert.equal(touched('write_file', { path: 'notes.md', content: body }), ['w notes.md'])
})

test('a patch in which no file is found is not read', () => {
  for (const patch of ['', 'text', '*** Begin Patch\n*** End Patch', 7, null, undefined]) {
    assert.is(touched('patch', { mode: 'patch', patch }), 'arguments', String(patch))
  }
  assert.is(touched('patch', { mode: 'other', path: 'a' }), 'arguments')
  assert.is(touched('patch', { mode: 'replace', patch: body }), 'arguments')
  assert.equal(touched('patch', { mode: 'patch', patch: '*** Add File: \n' }), ['w '])
})

test('lines that another language takes for a marker are markers', () => {
  assert.equal(touched('patch', { mode: 'patch', patch: '***\u00a0Add\u0085File:\u001cx.md\u001d' }), ['w x.md'])
  assert.equal(touched('patch', { mode: 'patch', patch: '***Update\tFile:a\u2028b' }), ['w a\u2028b'])
})

test('arguments of a wrong shape are not read', () => {
  for (const [tool, args] of [
    ['read_file', {}],
    ['read_file', { path: 3 }],
    ['read_file', { path: ['a'] }],
    ['write_file', { path: null }],
    ['search_files', { path: {} }],
    ['terminal', { command: 'ls', workdir: 5 }],
    ['image_generate', { prompt: 'x', reference_image_urls: [1] }],
    ['send_message', { message: 1 }],
    ['read_file', null],
    ['read_file', 'a.md'],
    ['anything', [1]],
  ] as const) {
    assert.is(touched(tool, args), 'arguments', `${tool} ${JSON.stringify(args)}`)
  }
  assert.equal(touched('read_file', { path: '' }), ['r '])
})

test('case 8: tools of servers are judged by what their arguments are called', () => {
  for (const [tool, args, expected] of [
    ['mcp__filesystem__read_text_file', { path: '/a' }, ['r+ /a']],
    ['mcp_filesystem_read_text_file', { path: '/a' }, ['r+ /a']],
    ['mcp__filesystem__read_multiple_files', { paths: ['/a', '/b'] }, ['r+ /a', 'r+ /b']],
    ['mcp__filesystem__directory_tree', { path: '/a' }, ['r+ /a']],
    ['mcp__filesystem__write_file', { path: '/a', content: '/etc/passwd' }, ['w+ /a']],
    ['mcp__filesystem__move_file', { source: '/a', destination: 'b/c' }, ['w+ /a', 'w+ b/c']],
    ['mcp__evil__not_read_file', { path: '/a' }, ['w+ /a']],
    ['mcp__x__y', { filePath: 'a' }, ['w+ a']],
    ['mcp__x__y', { 'repo-path': 'a', OUTPUT_DIR: 'b', projectFolder: 'c' }, ['w+ a', 'w+ b', 'w+ c']],
    ['mcp__x__y', { files: [{ path: 'a', content: 'b/c' }, 'd.md'] }, ['w+ a', 'w+ d.md']],
    ['mcp__x__y', { files: { 'src/a.ts': 'text', note: 'b' } }, ['w+ src/a.ts']],
    ['mcp__x__y', { options: { deep: { cwd: '/a' } } }, ['w+ /a']],
    ['mcp__x__y', { paths: '["/a"]' }, ['w+ ["/a"]', 'w+ /a']],
    ['mcp__x__y', { uri: 'file:///a' }, ['w+@ file:///a']],
    ['mcp__x__y', { whatever: 'file:///a' }, ['w+@ file:///a']],
    ['mcp__x__y', { path: 'file:///a' }, ['w+@ file:///a', 'w+ file:///a']],
    ['mcp__x__y', { path: 'https://../../../etc/passwd' }, ['w+ https://../../../etc/passwd']],
    ['mcp__x__y', { file: 'https://../../../etc/passwd' }, ['w+ https://../../../etc/passwd']],
    ['mcp__x__y', { url: 'https://x.example/a', text: 'File: none', content: '/a' }, []],
    ['mcp__translate__run', { source: 'en', target: 'de' }, []],
    ['mcp__x__y', { target: '../a', source: '~', root: 'a.txt' }, ['w+ ../a', 'w+ ~', 'w+ a.txt']],
    ['mcp__x__y', { path: 3, directory: null, file: true }, []],
    ['read_terminal', { path: '/a' }, []],
  ] as const) {
    assert.equal(touched(tool, args), expected, `${tool} ${JSON.stringify(args)}`)
  }
})

test('beneath the name of a path an object is read, and a text that holds JSON', () => {
  for (const [args, expected] of [
    [{ path: { value: '/a' } }, ['w+ /a']],
    [{ path: { value: 'Makefile' } }, ['w+ Makefile']],
    [{ path: { value: { value: '/a' } } }, ['w+ /a']],
    [{ path: { kind: 'absolute', to_use: '/a', encoding: 'utf8' } }, ['w+ /a']],
    [{ path: { where: { is: ['/a', 'b/c'] } } }, ['w+ /a', 'w+ b/c']],
    [{ paths: [{ value: '/a' }, { Value: '~/b' }] }, ['w+ /a', 'w+ ~/b']],
    [{ directory: { name: 'docs' } }, ['w+ docs']],
    [{ path: { uri: 'file:///a' } }, ['w+@ file:///a']],
    [{ uri: { value: 'view-source:file:///a' } }, ['w+@ view-source:file:///a']],
    [{ uri: { value: '/a' } }, []],
    [{ file: { name: '../a' } }, ['w+ ../a']],
    [{ file: { name: 'Makefile' } }, []],
    [{ source: { value: '~/a' }, target: { location: '/b' } }, ['w+ ~/a', 'w+ /b']],
    [{ paths: '["/a", 1, {"value": "/b"}]' }, ['w+ ["/a", 1, {"value": "/b"}]', 'w+ /a', 'w+ /b']],
    [{ paths: ' [["/a"]]' }, ['w+  [["/a"]]', 'w+ /a']],
    [{ paths: '{"value": "/a"}' }, ['w+ {"value": "/a"}', 'w+ /a']],
    [{ path: { value: '["/a"]' } }, ['w+ ["/a"]', 'w+ /a']],
    [{ path: '["[\\"/a\\"]"]' }, ['w+ ["[\\"/a\\"]"]', 'w+ ["/a"]', 'w+ /a']],
    [{ files: '["a.md"]' }, ['w+ a.md']],
    [{ path: '["/a"' }, ['w+ ["/a"']],
    [{ options: { path: { value: '/a' } } }, ['w+ /a']],
  ] as const) {
    assert.equal(touched('mcp__x__y', args), expected, JSON.stringify(args))
  }
  assert.equal(touched('mcp__filesystem__read_file', { path: { value: '/a' } }), ['r+ /a'])
})

test('what an object says beside its path, and what is to stand in a file, is no path', () => {
  for (const [args, expected] of [
    [{ path: { path: 'a', content: '// b/c' } }, ['w+ a']],
    [{ paths: [{ file: 'a.md', content: '// b/c' }] }, ['w+ a.md']],
    [{ path: { 'src/a.ts': '// b/c' } }, ['w+ src/a.ts']],
    [{ files: { README: '// b/c', 'src/a.ts': 'x/y' } }, ['w+ src/a.ts']],
    [{ input: { text: 'and/or', query: 'a/b' } }, []],
    [{ from: { email: 'ann@x.example' } }, []],
    [{ content: '{"path": "/a"}', text: '["/a"]' }, []],
    [{ value: '/a', name: '/b', items: [{ value: '/c' }] }, []],
    [{ path: { value: 3, absolute: true } }, []],
  ] as const) {
    assert.equal(touched('mcp__x__y', args), expected, JSON.stringify(args))
  }
})

test('objects and texts are read down to a depth and up to a number, and a call beyond them is not read', () => {
  const within = (depth: number, inner: unknown, wrap: (value: unknown) => unknown): unknown =>
    depth === 0 ? inner : within(depth - 1, wrap(inner), wrap)
  const asObject = (value: unknown) => ({ value })
  assert.equal(touched('mcp__x__y', { path: within(31, '/a', asObject) }), ['w+ /a'])
  assert.is(touched('mcp__x__y', { path: within(32, '/a', asObject) }), 'too_deep')
  assert.equal(touched('mcp__x__y', { uri: JSON.stringify(within(30, 'file:///a', asObject)) }), ['w+@ file:///a'])
  assert.is(touched('mcp__x__y', { uri: JSON.stringify(within(31, 'file:///a', asObject)) }), 'too_deep')
  assert.is(touched('mcp__x__y', { path: `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}` }), 'too_deep')
  const list = (count: number) => JSON.stringify(Array.from({ length: count }, (_, n) => ({ value: `/a/${n}` })))
  assert.is((touched('mcp__x__y', { paths: list(255) }) as string[]).length, 256)
  assert.is(touched('mcp__x__y', { paths: list(256) }), 'too_many')
  assert.equal(touched('mcp__x__y', { uris: JSON.stringify(Array(199_998).fill(0)) }), [])
  assert.is(touched('mcp__x__y', { uris: JSON.stringify(Array(199_999).fill(0)) }), 'too_many')
})

test('a call that names more than can be judged is not read', () => {
  assert.is(touched('mcp__x__y', { paths: Array.from({ length: 257 }, (_, n) => `/a/${n}`) }), 'too_many')
  assert.is((touched('mcp__x__y', { paths: Array.from({ length: 256 }, (_, n) => `/a/${n}`) }) as string[]).length, 256)
  assert.equal(touched('mcp__x__y', { paths: Array.from({ length: 1000 }, () => '/a') }), ['w+ /a'])
  let deep: unknown = '/a'
  for (let n = 0; n < 40; n++) deep = [deep]
  assert.is(touched('mcp__x__y', { path: deep }), 'too_deep')
})

test('blanks, stars and openings by the hundred thousand are read in one go', () => {
  const many = 300_000
  for (const text of [
    `${' '.repeat(many)}x`,
    '\n'.repeat(many),
    `***${' '.repeat(many)}`,
    '*** '.repeat(many),
    'MEDIA:"'.repeat(many),
    `a${'.'.repeat(many)} `,
  ]) {
    assert.is(touchedPaths('mcp__x__y', { text, file: text }).unread, undefined)
    assert.is(touchedPaths('send_message', { message: text }).unread === 'arguments', false)
    assert.is(touched('patch', { mode: 'patch', patch: text }), 'arguments')
  }
})

test('whatever the arguments are, there is an answer', () => {
  fc.assert(
    fc.property(fc.constantFrom(...knownTools, 'mcp__x__y'), fc.anything(), (tool, args) => {
      const { paths, unread } = touchedPaths(tool, args)
      assert.ok(unread === undefined || paths.length === 0)
    }),
    { seed: 6, numRuns: 3000 },
  )
})

test('the tools without paths are known ones, and none of them names a path', () => {
  for (const tool of pathlessTools) {
    assert.ok(knownTools.has(tool), tool)
    assert.equal(hostTools(tool), { paths: [] }, tool)
    assert.equal(touched(tool, { path: '/a', file: '/b', url: 'file:///c' }), [], tool)
  }
  for (const tool of ['read_file', 'write_file', 'patch', 'search_files', 'terminal'])
    assert.not.ok(pathlessTools.has(tool), tool)
})

test.run()
