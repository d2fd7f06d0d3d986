// The main job on real input: a recorded Hermes session becomes a proven ledger, once from an attached host through the service's socket
// and once hook by hook through `stele hook`.
// time limit: 300 s
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { VerifyReport } from '../../src/verify/verify-ledger.js'
import { AttachedHost, type Payload } from '../support/attached-host.js'
import { recordedHooks, recordedPayloads } from '../support/recorded-session.js'
import { endServices, homeForService, startServiceProcess } from '../support/service-process.js'
import { json, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

interface Line {
  readonly index: number
  readonly type: string
  readonly session: string
  readonly hash: string
  readonly prev: string
  readonly data: Record<string, unknown>
  readonly words?: Record<string, unknown>
}

/** As the recording's own page and its payloads have them. */
const typed = [
  'I decided we ship on Friday',
  'yes, keep that in your notes please',
  'Never delete the prod database without asking me',
  'can you look at docs/notes.md, tidy it and list the folder',
  '我决定周五发布，以后不要自动提交代码',
  'write a release skill',
]

const test = suite('recorded session')
test.after(endServices)
const folder = temporaryFolder()
const script = fileURLToPath(new URL('../../examples/verify_export.py', import.meta.url))

interface Way {
  readonly name: string
  readonly home: string
  readonly source: 'attached' | 'unattested'
  vkey: string
  lines: Line[]
}

const attached: Way = { name: 'an attached host', home: homeForService(), source: 'attached', vkey: '', lines: [] }
const shell: Way = { name: 'stele hook', home: homeForService(), source: 'unattested', vkey: '', lines: [] }
const host = new AttachedHost(attached.home)

test.before(() => {
  for (const way of [attached, shell]) way.vkey = json<{ vkey: string }>(stele(['init', '--json', '--home', way.home])).vkey
})

test.after(() => host.close())

test('each of the 52 recorded hooks, posted by an attached host, is answered with no opinion under a good MAC', async () => {
  assert.is(recordedHooks.length, 52)
  const service = await startServiceProcess(attached.home)
  const taken = await host.attach()
  assert.is(taken.status, 200)
  for (const [at, line] of recordedHooks.entries()) {
    const { status, directive } = await host.hook(JSON.parse(line) as Payload)
    assert.equal([status, directive], [200, {}], `hook ${at + 1}`)
  }
  assert.equal(await service.end(), { code: 0, signal: null, stderr: '' })
})

test('each of the 52 recorded hooks, given to stele hook, is answered with no opinion, and nothing is said on standard error', async () => {
  const service = await startServiceProcess(shell.home)
  for (const [at, line] of recordedHooks.entries()) {
    const { status, stdout, stderr } = stele(['hook', '--home', shell.home], { input: line })
    assert.equal([status, stdout, stderr], [0, '{}\n', ''], `hook ${at + 1}`)
  }
  assert.is((await service.end()).code, 0)
})

/** Paths or programs of an `access.proposed`. */
const reached = (words: unknown): Record<string, string>[] => words as Record<string, string>[]

for (const way of [attached, shell]) {
  const exported = join(folder, `${way.source}.jsonl`)
  const ofType = (type: string) => way.lines.filter((line) => line.type === type)

  test(`row C36: by ${way.name} the ledger is one chain, sound and signed under the key that init printed`, () => {
    const ran = stele(['verify', '--json', '--key', way.vkey, '--home', way.home])
    const report = json<VerifyReport>(ran)
    assert.equal(report.findings, [])
    assert.is(ran.status, 0)
    assert.is(report.assurance, 'signed')
    assert.is(report.pinned, true)
  })

  test(`by ${way.name} the export holds one chain from ledger.created on`, () => {
    assert.is(stele(['export', '--out', exported, '--home', way.home]).status, 0)
    const all = readFileSync(exported, 'utf8').trimEnd().split('\n')
    way.lines = all.slice(0, -1).map((line) => JSON.parse(line) as Line)
    assert.is(way.lines[0]?.type, 'ledger.created')
    for (const [at, line] of way.lines.entries()) {
      assert.is(line.index, at)
      assert.is(line.prev, at === 0 ? '0'.repeat(64) : way.lines[at - 1]?.hash)
    }
  })

  test(`row P1: by ${way.name} the six messages are kept exactly as they were typed`, () => {
    assert.equal(
      ofType('message.captured').map(({ words }) => words?.['text']),
      typed,
    )
    // Nothing was around them that had to be taken away.
    for (const { data } of ofType('message.captured')) assert.equal([data['stripped'], data['lost']], [undefined, undefined])
    assert.equal(ofType('message.skipped'), [])
  })

  test(`by ${way.name} every call and its outcome are there, each outcome naming its call`, () => {
    const asked = recordedPayloads.filter(({ hook_event_name }) => hook_event_name === 'pre_tool_call')
    const requested = ofType('tool.requested')
    const completed = ofType('tool.completed')
    assert.is(requested.length, 10)
    assert.equal(
      requested.map(({ data }) => data['tool']),
      asked.map(({ tool_name }) => tool_name),
    )
    assert.equal(
      completed.map(({ data }) => data['requested']),
      requested.map(({ index }) => index),
    )
    assert.equal(
      completed.map(({ data }) => data['argumentsDigest']),
      requested.map(({ data }) => (data['arguments'] as { digest: string }).digest),
    )
    assert.equal(ofType('mismatch.found'), [])
  })

  test(`by ${way.name} every call and every write was judged before it was answered, and the judgement names it`, () => {
    for (const [gate, type] of [
      ['capability', 'access.proposed'],
      ['provenance', 'write.proposed'],
    ] as const) {
      assert.equal(
        ofType('gate.decided').flatMap(({ data }) => (data['gate'] === gate ? [data['judges']] : [])),
        ofType(type).map(({ index }) => index),
      )
    }
  })

  test(`by ${way.name} behind each call stands what it would reach: no path of a memory, and the files and commands of the others`, () => {
    const proposed = ofType('access.proposed')
    assert.equal(
      proposed.map(({ data }) => data['call']),
      ofType('tool.requested').map(({ index }) => index),
    )
    assert.equal(
      proposed.flatMap(({ data, words }) => [
        ...reached(words?.['touches']).map(({ access, typed }) => `${data['tool']} ${access} ${typed}`),
        ...reached(words?.['programs']).map(({ text }) => `${data['tool']} runs ${text}`),
      ]),
      [
        'read_file read /srv/agent/project/docs/notes.md',
        'search_files read /srv/agent/project/docs',
        'patch write /srv/agent/project/docs/notes.md',
        'terminal runs ls',
        'terminal runs pytest',
        'write_file write /srv/agent/project/docs/summary.md',
      ],
    )
  })

  test(`row P3: by ${way.name} the six claims of the five writes have the verdicts that the recording's page lists`, () => {
    assert.is(ofType('write.proposed').length, 5)
    assert.equal(
      ofType('claim.judged').map(({ data }) => [data['verdict'], data['reason']]),
      [
        ['would_block', 'no_quote'],
        ['pass', null],
        ['would_block', 'quote_negated'],
        ['pass', null],
        ['would_block', 'quote_negated'],
        ['would_block', 'no_quote'],
      ],
    )
  })

  test(`row P7: by ${way.name} a receipt proves the message that backs the second claim`, () => {
    const message = String(ofType('claim.judged')[1]?.data['message'])
    const receipt = join(folder, `${way.source}-message.txt`)
    assert.is(stele(['prove', message, '--out', receipt, '--home', way.home]).status, 0)
    const verdict = json<{ ok: boolean; header: { type: string } }>(stele(['verify-proof', receipt, '--key', way.vkey, '--json']))
    assert.equal([verdict.ok, verdict.header.type], [true, 'message.captured'])
  })

  test(`by ${way.name} turns are numbered, and the session goes by one handle that is not the host’s id`, () => {
    const turns = ofType('turn.ended').map(({ data }) => data['turn'])
    assert.equal(turns, [1, 2, 3, 4, 5, 6])
    const handles = new Set(way.lines.map(({ session }) => session).filter((session) => session !== ''))
    assert.is(handles.size, 1)
    assert.match([...handles][0] ?? '', /^s[0-9a-f]{16}$/)
  })

  test(`by ${way.name} every fact of the host says ${way.source}`, () => {
    const told = way.lines.filter(({ data }) => data['source'] !== undefined)
    assert.ok(told.length > 30)
    for (const { type, data } of told) assert.is(data['source'], way.source, type)
    assert.equal([...ofType('hook.foreign'), ...ofType('hook.rejected'), ...ofType('gap.recorded')], [])
  })

  test(`by ${way.name} no id and no word of the host stands among the facts`, () => {
    const facts = way.lines.map(({ data }) => JSON.stringify(data)).join('\n')
    const [first] = recordedPayloads
    assert.not.ok(facts.includes(first?.session_id ?? ''))
    for (const { extra } of recordedPayloads) {
      for (const name of ['turn_id', 'task_id', 'tool_call_id', 'api_request_id', 'user_message']) {
        const value = extra[name]
        if (typeof value === 'string' && value !== '') assert.not.ok(facts.includes(value), name)
      }
    }
  })

  test(`by ${way.name} the export verifies, and a verifier in another language says the same`, () => {
    const ours = json<VerifyReport>(stele(['verify', '--json', '--export', exported, '--key', way.vkey]))
    assert.is(ours.ok, true)
    const python = spawnSync('python3', [script, exported, '--key', way.vkey, '--json'], { encoding: 'utf8' })
    if (python.error !== undefined) {
      console.log('note: there is no python3 here, so the other verifier was not asked')
      return
    }
    const theirs = JSON.parse(python.stdout) as VerifyReport
    assert.is(python.status, 0)
    for (const name of ['ok', 'assurance', 'size', 'head', 'root', 'erased', 'epoch'] as const)
      assert.is(theirs[name], ours[name], name)
  })
}

test('what the attached host said names the process and the number under which it was sent', () => {
  const [self] = attached.lines.filter(({ type }) => type === 'host.attached')
  assert.equal([self?.index, self?.data['attach'], self?.data['pid']], [host.index, host.id, process.pid])
  const told = attached.lines.filter(({ data }) => data['source'] === 'attached')
  for (const { type, data } of told) assert.is(data['attach'], host.index, type)
  const numberOf = (at: number) => told.filter(({ type }) => type === 'message.captured')[at]?.data['seq']
  const places = recordedPayloads.flatMap(({ hook_event_name }, at) => (hook_event_name === 'pre_llm_call' ? [at + 1] : []))
  assert.equal(
    places.map((_, at) => numberOf(at)),
    places,
  )
})

test('feeding the session again through stele hook adds nothing: the same event twice is one entry', async () => {
  const size = shell.lines.length
  // Without turn and call id nothing tells that it is the same; the recording has one such payload, the start, and that was written already.
  const service = await startServiceProcess(shell.home)
  for (const line of recordedHooks.filter((_, at) => at % 7 === 1)) stele(['hook', '--home', shell.home], { input: line })
  assert.is((await service.end()).code, 0)
  const added = json<VerifyReport>(stele(['verify', '--json', '--home', shell.home])).size - size
  assert.is(added, 2, 'only the service said that it had started, and that it ended')
})

test('a receipt for one decision is checked without the ledger, and a bent one is refused', () => {
  const receipt = join(folder, 'receipt.txt')
  const decision = attached.lines.find(({ type }) => type === 'gate.decided')?.index ?? -1
  assert.is(stele(['prove', String(decision), '--out', receipt, '--home', attached.home]).status, 0)
  const ran = stele(['verify-proof', receipt, '--key', attached.vkey, '--json'])
  const verdict = json<{ ok: boolean; header: { type: string } }>(ran)
  assert.equal([ran.status, verdict.ok, verdict.header.type], [0, true, 'gate.decided'])
  writeFileSync(receipt, readFileSync(receipt, 'utf8').replace(`index ${decision}`, `index ${decision + 1}`))
  assert.is(stele(['verify-proof', receipt, '--key', attached.vkey]).status, 5)
})

test('log and show tell the story back', () => {
  const { home, lines } = attached
  const log = stele(['log', '--type', 'message.captured', '--limit', '2', '--home', home])
  assert.match(log.stdout, /write a release skill/)
  assert.match(log.stdout, /我决定周五发布/)
  const bySession = stele(['log', '--session', recordedPayloads[0]?.session_id ?? '', '--limit', '99', '--json', '--home', home])
  const ofSession = lines.filter(({ session }) => session !== '')
  assert.is(bySession.stdout.trimEnd().split('\n').length, ofSession.length)
  const first = lines.find(({ type }) => type === 'message.captured')?.index ?? -1
  assert.match(stele(['show', String(first), '--home', home]).stdout, /I decided we ship on Friday/)
})

test.run()
