// What other settings would have decided, and whether today's version says what was recorded: as an owner reviews a change before making it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { AgainCounts, Cluster } from '../../src/replay/counterfactual.js'
import type { Difference } from '../../src/replay/reproduce.js'
import { exportedLines } from '../support/exported-lines.js'
import { feedHome } from '../support/feed-home.js'
import { judgingHouse } from '../support/judged-writes.js'
import { recordedHooks, recordedPayloads } from '../support/recorded-session.js'
import { assertRefused, steleAt } from '../support/service-commands.js'
import { json, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('replay judge')

interface Judged {
  readonly computedOn: { readonly ledger: string; readonly size: number; readonly head: string }
  readonly counts: AgainCounts
  readonly clusters: readonly Cluster[]
}

interface Checked extends Omit<Judged, 'clusters'> {
  readonly differences: readonly Difference[]
}

async function recordedHome(): Promise<string> {
  const home = join(temporaryFolder(), 'home')
  await feedHome(home, recordedHooks)
  return home
}

function settingsFile(text: string): string {
  const file = join(temporaryFolder(), 'settings.yaml')
  writeFileSync(file, text)
  return file
}

const blockFile = settingsFile('provenance:\n  mode: block\n')

test('row D10: with what was in force nothing differs, and with block exactly the calls that a blocking gate refuses', async () => {
  const home = await recordedHome()
  const same = steleAt(home, 'replay', 'judge', '--json')
  assert.equal([same.status, json<Judged>(same).clusters, json<Judged>(same).counts.different], [0, [], 0])
  // Another implementation of the same question: the same payloads sent to a gate that blocks.
  const house = await judgingHouse({ provenance: 'block', capability: 'observe' })
  const blocked: number[] = []
  for (const line of recordedHooks) if ('action' in (await house.send(line))) blocked.push(house.ledger.size)
  const calls = recordedPayloads.filter(({ hook_event_name }) => hook_event_name === 'pre_tool_call').length
  assert.ok(blocked.length > 0 && blocked.length < calls)
  const ran = steleAt(home, 'replay', 'judge', '--config', blockFile, '--json')
  const { counts, clusters, computedOn } = json<Judged>(ran)
  assert.equal([ran.status, counts.different], [1, blocked.length])
  assert.ok(clusters.every(({ before, after }) => before.told === 'nothing' && after.told === 'block'))
  assert.is(
    clusters.reduce((sum, { count }) => sum + count, 0),
    blocked.length,
  )
  const entries = exportedLines(home)
  assert.equal(computedOn, { ...computedOn, size: entries.length, head: entries.at(-1)?.hash })
})

test('for a person each cluster has its cause, its count and its newest entries, and the head is stated', async () => {
  const home = await recordedHome()
  const { status, stdout } = steleAt(home, 'replay', 'judge', '--config', blockFile)
  assert.is(status, 1)
  assert.match(stdout, /^1 × provenance, memory, rule decided$/m)
  assert.match(stdout, /deny \(no_quote\), the call goes on → deny \(no_quote\), the call is blocked/)
  assert.match(stdout, /^computed on ledger [0-9a-f]{32}, [0-9]+ entries, head [0-9a-f]{64}$/m)
})

test('after an erasure what cannot be judged again is counted apart, and nothing else changes', async () => {
  const home = await recordedHome()
  const before = json<Judged>(steleAt(home, 'replay', 'judge', '--json')).counts
  const writes = exportedLines(home).filter(({ type }) => type === 'write.proposed')
  const erased = steleAt(home, 'erase', '--index', String(writes[0]?.index), '--reason', 'asked', '--yes')
  assert.is(erased.status, 0, erased.stderr)
  const { status, stdout } = steleAt(home, 'replay', 'judge', '--json')
  const { counts } = JSON.parse(stdout) as Judged
  assert.equal([status, counts.different, counts.notAgain.forgotten], [0, 0, 1])
  assert.equal([counts.decisions, counts.same], [before.decisions, before.same - 1])
})

test('on a ledger that older rules judged, check reports exactly the three known differences, each with both answers', () => {
  const file = fileURLToPath(new URL('../frozen/ledger-older-rules.jsonl', import.meta.url))
  const ran = stele(['replay', 'check', '--export', file, '--json'])
  const { counts, differences, computedOn } = json<Checked>(ran)
  assert.equal([ran.status, counts.different], [1, 3])
  assert.equal(
    differences.map(({ before, after }) => [before.code, after.code]),
    [
      ['no_claim', 'no_quote'],
      ['supported', 'quote_negated'],
      ['no_claim', 'quote_negated'],
    ],
  )
  const { head } = JSON.parse(readFileSync(file.replace('.jsonl', '.json'), 'utf8')) as { head: string }
  assert.is(computedOn.head, head)
  const shown = stele(['replay', 'check', '--export', file])
  assert.is(shown.status, 1)
  assert.match(shown.stdout, /provenance version 1 then, [0-9]+ today/)
})

test('row C14: a suggested allowlist is tried on the recorded calls: those that it grants change their answer, and no others', async () => {
  const home = await recordedHome()
  const file = join(temporaryFolder(), 'allowlist.yaml')
  writeFileSync(file, 'version: 1\nskills:\n  "*":\n    tools: [memory]\n    paths: []\n')
  const ran = steleAt(home, 'replay', 'judge', '--policy', file, '--gate', 'capability', '--json')
  const { counts, clusters } = json<Judged>(ran)
  const memoryCalls = recordedPayloads.filter(
    (one) => one.hook_event_name === 'pre_tool_call' && one.tool_name === 'memory',
  ).length
  const granted = clusters.filter(({ after }) => after.verdict === 'allow')
  assert.is(ran.status, 1)
  assert.equal(
    granted.map(({ tool, before, after, count }) => [tool, before.verdict, after.code, count]),
    [['memory', 'deny', 'granted', memoryCalls]],
  )
  assert.is(counts.notAgain.not_recorded, 0)
  writeFileSync(file, 'version: 1\nskills: nothing\n')
  assertRefused(steleAt(home, 'replay', 'judge', '--policy', file), 'POLICY_INVALID', 2)
})

test('check over what this version recorded finds nothing', async () => {
  const home = await recordedHome()
  const ran = steleAt(home, 'replay', 'check')
  assert.is(ran.status, 0, ran.stderr)
  assert.match(ran.stdout, /^this version says what was recorded$/m)
})

test('a gate that there is not, and settings that cannot be read, are refused in one line', async () => {
  const home = await recordedHome()
  assertRefused(steleAt(home, 'replay', 'judge', '--gate', 'nobody'), 'OPTION_INVALID', 2)
  assertRefused(steleAt(home, 'replay', 'judge', '--config', join(home, 'none.yaml')), 'FILE_UNREADABLE', 2)
  const wrong = settingsFile('provenance:\n  mode: sometimes\n')
  assertRefused(steleAt(home, 'replay', 'judge', '--config', wrong), 'CONFIG_INVALID', 2)
})

test.run()
