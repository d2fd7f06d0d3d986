// Rows C14, C15, C17: a recorded session is observed, what it used is read and granted, and held to that it goes through again without a
// denial; with one path moved outside exactly that call is denied. Then the ways back.
// time limit: 300 s
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readProjectFile } from '../../scripts/project-tree.js'
import type { ReviewInbox } from '../../src/reports/review-items.js'
import { AttachedHost, type Payload } from '../support/attached-host.js'
import { type ExportedLine, exportedLines } from '../support/exported-lines.js'
import { briefly, capabilityDecisions, grantedHome, personThere } from '../support/granted-home.js'
import { recordedHooks, recordedPayloads } from '../support/recorded-session.js'
import { endServices, startServiceProcess } from '../support/service-process.js'
import { json, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('rollout')
test.after(endServices)

const granted = grantedHome()
const host = new AttachedHost(granted.home)
const suggested = join(temporaryFolder(), 'allowlist.suggested.yaml')
const wider = join(temporaryFolder(), 'allowlist.wider.yaml')
/** Of the first allowlist in force, as its entry has it. */
let firstDigest = ''

/** As the recording has them, in order. */
const tools = [
  'memory',
  'memory',
  'memory',
  'read_file',
  'search_files',
  'patch',
  'terminal',
  'write_file',
  'memory',
  'skill_manage',
]

test.before(async () => {
  await startServiceProcess(granted.home)
  await host.attach()
})
test.after(() => host.close())

/** The recorded session under another name; what is answered to each of its calls. `change` takes the text of a hook. */
async function feed(session: string, change: (line: string) => string = (line) => line): Promise<Record<string, unknown>[]> {
  const recorded = recordedPayloads[0]?.session_id ?? ''
  const answers: Record<string, unknown>[] = []
  for (const line of recordedHooks) {
    const payload = JSON.parse(change(line.replaceAll(recorded, session))) as Payload
    const { status, directive } = await host.hook({ ...payload, host: personThere })
    assert.is(status, 200)
    if (payload['hook_event_name'] === 'pre_tool_call') answers.push(directive ?? { none: true })
  }
  assert.is(answers.length, tools.length)
  return answers
}

/** The capability gate's decisions of the session that was fed last. */
function newestDecisions(): ExportedLine[] {
  return capabilityDecisions(exportedLines(granted.home)).slice(-tools.length)
}

const digestsOf = (decisions: readonly ExportedLine[]): unknown[] => [...new Set(decisions.map(({ data }) => data['policy']))]
const allGranted = Array(tools.length).fill('allow granted')
const letThrough = Array(tools.length).fill({})

test('1. observe: every call of the recorded session is let through, and would be denied, since nothing is granted', async () => {
  assert.equal(await feed('observed'), letThrough)
  const decisions = newestDecisions()
  assert.equal(decisions.map(briefly), Array(tools.length).fill('deny policy_unavailable'))
  for (const { data } of decisions) assert.equal([data['mode'], data['enforced']], ['observe', false])
})

test('row C14: 2. read: the report counts what a hand counts in the recording: seven tools, three files, a folder, two commands', () => {
  const { figures } = json<{ figures: Record<string, number> }>(granted.stele('report', 'grants', '--json'))
  const wanted = ['asked', 'decided', 'seen', 'allowed', 'denied', 'toolsNotGranted']
  assert.equal(
    wanted.map((key) => figures[key]),
    [10, 10, 1, 0, 10, 7],
  )
  const text = granted.stele('report', 'grants').stdout
  for (const row of [
    /^memory +4 +0 +0 +policy_unavailable/m,
    /^\/srv\/agent\/project\/docs +read +search_files +1 /m,
    /^\/srv\/agent\/project\/docs\/notes\.md +read +read_file +1 /m,
    /^\/srv\/agent\/project\/docs\/notes\.md +write +patch +1 /m,
    /^\/srv\/agent\/project\/docs\/summary\.md +write +write_file +1 /m,
    /^ls -la docs +command +terminal +1 /m,
    /^pytest -q --version +command +terminal +1 /m,
  ])
    assert.match(text, row)
})

test('row C14: 3. grant: the suggested file grants what was used and nothing else, and lints clean', () => {
  const made = granted.stele('policy', 'suggest', '--out', suggested)
  assert.is(made.status, 0, made.stderr)
  const lint = stele(['policy', 'lint', suggested])
  assert.equal([lint.status, lint.stdout], [0, 'The allowlist can be used.\n'])
  const lines = readFileSync(suggested, 'utf8').split('\n')
  const grants = lines.flatMap((line) => (/^ *- /.test(line) ? [line.replace(/^ *- /, '').replace(/ #.*$/, '')] : []))
  assert.equal(grants.sort(), [
    '"ls -la docs"',
    '"memory"',
    '"patch"',
    '"pytest -q --version"',
    '"read_file"',
    '"search_files"',
    '"skill_manage"',
    '"write_file"',
    'commands:',
    '{ path: "/srv/agent/project/docs", access: read }',
    '{ path: "/srv/agent/project/docs/notes.md", access: read }',
    '{ path: "/srv/agent/project/docs/notes.md", access: write }',
    '{ path: "/srv/agent/project/docs/summary.md", access: write }',
  ])
  for (const line of lines) if (/^ *- (?!commands)/.test(line)) assert.match(line, /# .*entries [0-9 ]+.*! one session only/)
})

test('row C15: 4. rule: with the file in force, and still observing, nothing of the session would be denied any more', async () => {
  const used = granted.owner('policy', 'use', suggested)
  assert.is(used.status, 0, used.stderr)
  const [activated] = exportedLines(granted.home).filter(({ type }) => type === 'policy.activated')
  assert.equal([activated?.data['how'], activated?.words?.['text']], ['used', readFileSync(suggested, 'utf8')])
  firstDigest = String(activated?.data['digest'])
  await feed('granted')
  const decisions = newestDecisions()
  assert.equal(decisions.map(briefly), allGranted)
  assert.equal(digestsOf(decisions), [firstDigest])
  // Nothing is left to rule on; what was denied before there was an allowlist no rule has flagged.
  const left = json<ReviewInbox>(granted.stele('review', '--gate', 'capability', '--json'))
  assert.equal(left, { items: [], forgotten: 0, later: 0, beyond: 0, withoutPolicy: tools.length })
})

test('row C15: 5. flip: held to it, the same session has no denial', async () => {
  const flipped = granted.owner('config', 'set', 'capability.mode', 'enforce')
  assert.is(flipped.status, 0, flipped.stderr)
  assert.equal(await feed('enforced'), letThrough)
  const decisions = newestDecisions()
  assert.equal(decisions.map(briefly), allGranted)
  for (const { data } of decisions) assert.equal([data['mode'], data['enforced'], data['policy']], ['enforce', true, firstDigest])
})

/** What is moved out of the grants, the call that it is about, and where it leads then. */
const moved: readonly (readonly [what: string, at: number, from: string, to: string, code: string])[] = [
  [
    'the file that is read',
    3,
    '"tool_input": {"path": "docs/notes.md"}',
    '"tool_input": {"path": "../notes.md"}',
    'path_not_granted',
  ],
  ['the folder that is searched', 4, '"path": "docs"', '"path": "."', 'path_not_granted'],
  [
    'the file that is patched',
    5,
    '"mode": "replace", "path": "docs/notes.md"',
    '"mode": "replace", "path": "docs/../notes.md"',
    'path_not_granted',
  ],
  ['one of two commands', 6, 'pytest -q --version', 'pytest -q /etc', 'command_not_granted'],
  ['the file that is written', 7, '/srv/agent/project/docs/summary.md', '/srv/agent/elsewhere/summary.md', 'path_not_granted'],
]

for (const [what, at, from, to, code] of moved) {
  test(`row C14: with ${what} moved outside, the same session is denied at exactly that call`, async () => {
    assert.ok(
      recordedHooks.some((line) => line.includes(from)),
      `the recording has ${from}`,
    )
    const answers = await feed(`moved-${at}`, (line) => line.replaceAll(from, to))
    assert.equal(
      answers.map(({ action }) => action),
      tools.map((_, call) => (call === at ? 'block' : undefined)),
    )
    assert.match(String(answers[at]?.['message']), new RegExp(`^${code}: .*The owner can grant it in the allowlist: \`skills: `))
    assert.equal(
      newestDecisions().map(briefly),
      tools.map((_, call) => (call === at ? `deny ${code}` : 'allow granted')),
    )
  })
}

test('row C17: back to the first allowlist by its digest, after another one was in force', async () => {
  const more = readFileSync(suggested, 'utf8').replace('- "write_file"', '- "web_search"\n      - "write_file"')
  writeFileSync(wider, more)
  assert.is(granted.owner('policy', 'use', wider).status, 0)
  await feed('wider')
  const [other, ...others] = digestsOf(newestDecisions())
  assert.equal([others.length, other === firstDigest], [0, false])
  const back = granted.owner('policy', 'use', firstDigest.slice(0, 12), '--json')
  assert.is(json<{ digest: string }>(back).digest, firstDigest)
  assert.is(readFileSync(join(granted.home, 'allowlist.yaml'), 'utf8'), readFileSync(suggested, 'utf8'))
  await feed('back')
  assert.equal(digestsOf(newestDecisions()), [firstDigest])
})

test('row C17: back to observing: by hand it waits for the owner, by the owner it is at once', async () => {
  const outside = (line: string): string => line.replaceAll('/srv/agent/project/docs/summary.md', '/etc/summary.md')
  granted.setMode('observe')
  assert.is((await feed('by-hand', outside))[7]?.['action'], 'block')
  const accepted = granted.owner('config', 'accept')
  assert.is(accepted.status, 0, accepted.stderr)
  assert.equal(await feed('accepted', outside), letThrough)
  assert.is(granted.owner('config', 'set', 'capability.mode', 'enforce').status, 0)
  const set = granted.owner('config', 'set', 'capability.mode', 'observe')
  assert.is(set.status, 0, set.stderr)
  assert.equal(await feed('set', outside), letThrough)
  assert.is(newestDecisions().map(briefly)[7], 'deny path_not_granted')
})

test('row C36: the ledger of all this is sound', () => {
  const ran = granted.stele('verify')
  assert.is(ran.status, 0, ran.stdout + ran.stderr)
})

test('the page of the rollout names only settings and commands that there are', () => {
  const page = readProjectFile('docs/rollout.md')
  const { settings } = json<{ settings: readonly { readonly key: string }[] }>(granted.stele('config', '--json'))
  const known = new Set(settings.map(({ key }) => key))
  const named = [...page.matchAll(/`((?:capability|retention|provenance|service|limits)\.\w+)\b|`(reload)`/g)].map(
    ([, key, other]) => key ?? other ?? '',
  )
  assert.ok(named.includes('capability.mode') && named.includes('capability.allowlist') && named.includes('reload'))
  assert.equal(
    named.filter((key) => !known.has(key)),
    [],
  )
  const commands = page
    .split('```')
    .flatMap((part, at) => (at % 2 === 0 ? [] : part.split('\n').filter((line) => line.startsWith('stele '))))
  assert.ok(commands.length > 10)
  const verbs = new Set(
    commands.map((line) => (/^stele (?:policy \w+|config set|\w+)/.exec(line)?.[0] ?? line).slice('stele '.length)),
  )
  for (const verb of verbs) {
    const options = new Set(
      commands.filter((line) => line.startsWith(`stele ${verb}`)).flatMap((line) => line.match(/--[a-z-]+/g) ?? []),
    )
    const help = stele([...verb.split(' '), '--help'])
    assert.is(help.status, 0, verb)
    for (const option of options) assert.ok(help.stdout.includes(option), `${verb} ${option}`)
  }
})

test.run()
