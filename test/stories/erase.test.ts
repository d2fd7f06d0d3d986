// Forgetting as its owner meets it: through the command line and a real service, with readers that are open meanwhile.
// time limit: 400 s
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { setPassphrase } from '../../src/service/passphrase.js'
import { AttachedHost, readServiceFacts, until, writeSpoolFile } from '../support/attached-host.js'
import { askHome, askOwnerOf, goneSession, keptSession, sayWords, sevenWords, viewOf } from '../support/forgetting-home.js'
import { answered, codeOf, typed } from '../support/running-service.js'
import { assertRefused, steleAt, steleBeside, withoutHermes } from '../support/service-commands.js'
import { endServices, homeForService, startServiceProcess, statusOf } from '../support/service-process.js'
import { json, type Ran } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { findPlainDigestsInHome, findWordRunsInHome } from '../support/words-in-home.js'

const test = suite('erase')
test.after(endServices)

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const preload = new URL('../support/shifted-clock.mjs', import.meta.url).href
const hour = 60 * 60 * 1000

interface Verified {
  readonly ok: boolean
  readonly findings: readonly object[]
  readonly notes: readonly { readonly code: string }[]
  readonly erased: number
}

/** The command beside this process, which may be needed to answer it. */
const run = (home: string, ...words: string[]): Promise<Ran> => steleBeside([...words, '--home', home], '')
const verified = async (home: string, ...words: string[]): Promise<Verified> =>
  json<Verified>(await run(home, 'verify', '--json', ...words))
const erase = (home: string, ...words: string[]): Promise<Ran> => run(home, 'erase', '--reason', 'the user asked', ...words)

function wentWell(ran: Ran): string {
  assert.is(ran.status, 0, ran.stderr)
  return ran.stdout
}

/** A live tail of a home, from the first entry on: the types that came so far. */
async function follow(home: string): Promise<{ answer: IncomingMessage; types: () => string[] }> {
  const asked = get({ socketPath: readServiceFacts(home).socket, path: '/v1/live?from=0', agent: false })
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  let text = ''
  answer.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  answer.on('error', () => {})
  return { answer, types: () => [...text.matchAll(/"type":"([a-z.]+)"/g)].map(([, type]) => type ?? '') }
}

test('with a live tail and an export open, no word of a session is left, the proof stays, and nobody else loses a word', async () => {
  const home = homeForService({ limits: { spoolWaitSeconds: 3600 } })
  const service = await startServiceProcess(home)
  const said = await sayWords(home, 40, { padding: 16_000 })
  const spooled = [sevenWords('gones', 0), sevenWords('gones', 1)]
  // One waits for its host to attach, and one is a half whose writer has ended.
  const line = {
    attach: 'ab'.repeat(16),
    seq: 1,
    mac: '00'.repeat(32),
    body: JSON.stringify(typed(spooled[0] ?? '', 'late', goneSession)),
  }
  writeSpoolFile(home, '1700000000000-00000000-00000001.json', line)
  writeFileSync(join(home, 'spool', '1700000000000-00000000-00000002.json.tmp'), JSON.stringify({ body: spooled[1] }))
  const gone = [...said.gone, ...spooled]
  assert.ok(findWordRunsInHome(home, gone).length > 100)

  const message = json<{ index: number }>(
    await run(home, 'log', '--json', '--type', 'message.captured', '--limit', '1', '--session', goneSession),
  ).index
  const receipt = join(temporaryFolder(), 'receipt')
  wentWell(await run(home, 'prove', String(message), '--out', receipt))
  const exported = join(temporaryFolder(), 'ledger.jsonl')
  wentWell(await run(home, 'export', '--out', exported))
  const facts = join(temporaryFolder(), 'facts.jsonl')
  wentWell(await run(home, 'export', '--facts', '--out', facts))
  const factsBefore = readFileSync(facts)
  const keptBefore = JSON.parse(JSON.stringify(await viewOf(home, 'sessions', `?session=${keptSession}`))) as object

  const live = await follow(home)
  // A reader that reads nothing: the export behind it stands still and has a snapshot.
  const exporting = spawn(process.execPath, [program, 'export', '--home', home], { env: { ...process.env, ...withoutHermes } })
  let stderr = ''
  exporting.stderr.setEncoding('utf8').on('data', (more: string) => {
    stderr += more
  })
  await until('the export has a snapshot', () => readdirSync(join(home, 'snapshots')).length > 0)
  await once(exporting.stdout, 'readable')

  const erasedReceipt = join(temporaryFolder(), 'erased')
  const done = json<{ erasure: number; entries: number; copies: Record<string, number> }>(
    await erase(home, '--session', goneSession, '--yes', '--json', '--receipt', erasedReceipt),
  )
  // Of each round a message, and of its call what was asked, reached, decided and came back; the start of the session; and what waited in
  // the spool.
  assert.is(done.entries, 40 * 5 + 1 + 1)
  assert.equal([done.copies['snapshots'], done.copies['exports'], done.copies['exportsMissing']], [1, 1, 0])
  assert.equal(findWordRunsInHome(home, gone), [])

  let text = ''
  exporting.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  const [code] = (await once(exporting, 'close')) as [number]
  assert.is(code, 4, stderr)
  assert.match(stderr, /^stele: SNAPSHOT_REMOVED: /)
  assert.not.match(text, /"checkpoint":/, 'what was written has no signed head')

  await until('the live tail tells of the erasure', () => live.types().includes('payload.erased'))
  live.answer.destroy()

  const report = await verified(home)
  assert.equal([report.ok, report.findings, report.erased], [true, [], done.entries])
  wentWell(await run(home, 'verify-proof', receipt))
  wentWell(await run(home, 'verify-proof', erasedReceipt))
  const ofExport = await verified(home, '--export', exported)
  assert.equal([ofExport.ok, ofExport.notes.map((note) => note.code)], [true, ['words_withheld']])
  for (const one of gone) assert.not.ok(readFileSync(exported, 'utf8').includes(one))
  assert.equal(readFileSync(facts), factsBefore, 'an export without words need not be touched')

  const kept = findWordRunsInHome(home, said.kept)
  assert.is(
    new Set(kept.map((found) => found.split(': ')[1])).size >= 2 * 40 * 2,
    true,
    'every word of the other session is there',
  )
  assert.equal(await viewOf(home, 'sessions', `?session=${keptSession}`), keptBefore)
  assert.equal(readdirSync(join(home, 'erasures')), [])
  // What a new service does with the home brings nothing back.
  await service.end('SIGKILL')
  const next = await startServiceProcess(home)
  assert.equal(next.findings, [])
  assert.equal(findWordRunsInHome(home, gone), [])
  await next.end()
})

test('every count and decision is as before, and deleting views/ changes no answer', async () => {
  const home = homeForService()
  let service = await startServiceProcess(home)
  await sayWords(home, 12)
  const decisions = async (): Promise<unknown> => {
    const { entries } = answered<{ entries: { index: number; type: string; data: object; hash: string }[] }>(
      await askHome(home, '/v1/entries?limit=1000'),
    )
    return entries
      .filter(({ type }) => type !== 'payload.erased')
      .map(({ index, type, data, hash }) => ({ index, type, data, hash }))
  }
  const before = {
    sessions: await viewOf(home, 'sessions'),
    activity: await viewOf(home, 'activity'),
    decisions: await decisions(),
  }
  wentWell(await erase(home, '--session', goneSession, '--yes'))
  const after = {
    sessions: await viewOf(home, 'sessions'),
    activity: await viewOf(home, 'activity'),
    decisions: await decisions(),
  }
  assert.equal(after.sessions, before.sessions)
  assert.equal(after.decisions, before.decisions)
  const size = (await answeredSize(home)) - 1
  assert.equal(
    await viewOf(home, 'activity', `?asOf=${size}`),
    before.activity,
    'but for the erasure itself, which is an event of today',
  )
  await service.end()
  rmSync(join(home, 'views'), { recursive: true })
  service = await startServiceProcess(home)
  const anew = { sessions: await viewOf(home, 'sessions'), activity: await viewOf(home, 'activity', `?asOf=${size + 1}`) }
  assert.equal([anew.sessions, anew.activity], [after.sessions, after.activity])
  assert.equal(await viewOf(home, 'activity', `?asOf=${size}`), before.activity)
  const found = answered<{ entries: object[] }>(await askHome(home, '/v1/search?words=alphagonem3'))
  assert.equal(found.entries, [])
  assert.is(answered<{ entries: object[] }>(await askHome(home, '/v1/search?words=alphakeptm3')).entries.length, 1)
  await service.end()
})

const answeredSize = async (home: string): Promise<number> =>
  answered<{ ledger: { size: number } }>(await askHome(home, '/v1/status')).ledger.size

test('row P97: no plain digest of the words, of the arguments or of their canonical form is left, or ever was', async () => {
  const home = homeForService({ capture: { arguments: 'full' } })
  const service = await startServiceProcess(home)
  const said = await sayWords(home, 3)
  const canonical = said.gone.flatMap((text) => [
    text,
    JSON.stringify(text),
    JSON.stringify({ command: text }),
    JSON.stringify({ text }),
  ])
  const guesses = [...canonical, goneSession, JSON.stringify(goneSession), JSON.stringify({ session: goneSession })]
  assert.equal(findPlainDigestsInHome(home, guesses), [])
  wentWell(await erase(home, '--session', goneSession, '--yes'))
  assert.equal(findPlainDigestsInHome(home, guesses), [])
  assert.equal(findWordRunsInHome(home, said.gone), [])
  await service.end()
  assert.equal(findPlainDigestsInHome(home, guesses), [])
})

test('the preview says how many, which kinds, from when to when, and what stays; it changes nothing', async () => {
  const home = homeForService()
  const service = await startServiceProcess(home)
  await sayWords(home, 2)
  const size = await answeredSize(home)
  const told = wentWell(await run(home, 'erase', '--session', goneSession, '--preview'))
  assert.match(told, /^The words of 11 entries would go \(\d+ bytes\), from 20\S+Z to 20\S+Z:\n/)
  assert.match(told, / 2 {2}message\.captured\n/)
  assert.match(told, /Headers, counts, verdicts and decisions stay, and so does the proof\./)
  assert.match(told, /Nothing was changed\.\n$/)
  const machine = json<{ entries: number; types: object; ranges: number[][] }>(
    await run(home, 'erase', '--session', goneSession, '--preview', '--json'),
  )
  assert.is(machine.entries, 2 * 5 + 1)
  assert.equal(machine.types, {
    ...{ 'session.started': 1, 'message.captured': 2 },
    ...{ 'tool.requested': 2, 'access.proposed': 2, 'gate.decided': 2, 'tool.completed': 2 },
  })
  assert.is(await answeredSize(home), size)
  assertRefused(await run(home, 'erase', '--sender', 'nobody', '--preview'), 'ERASURE_EMPTY', 2)
  assert.is(json<{ entries: number }>(await run(home, 'erase', '--sender', 'nobody', '--preview', '--json')).entries, 0)
  await service.end()
})

test('what is wrong with a wish is said in one line, and nothing is asked', async () => {
  const home = homeForService()
  assertRefused(steleAt(home, 'erase', '--all', '--yes', '--reason', 'x'), 'HOME_MISSING', 2)
  assert.is(steleAt(home, 'init').status, 0)
  for (const words of [
    ['--all', '--yes'],
    ['--all', '--yes', '--reason', ''],
    ['--all', '--yes', '--reason', 'x'.repeat(2001)],
  ])
    assertRefused(steleAt(home, 'erase', ...words), 'OPTION_INVALID', 2)
  for (const words of [[], ['--all', '--session', 's'], ['--index', '1', '--all'], ['--index', '-1'], ['--index', 'one']])
    assertRefused(steleAt(home, 'erase', '--yes', '--reason', 'x', ...words), 'OPTION_INVALID', 2)
  assertRefused(steleAt(home, 'erase', '--yes', '--reason', 'x', '--session', 'nobody'), 'SESSION_UNKNOWN', 2)
  assertRefused(steleAt(home, 'erase', '--cancel'), 'ERASURE_NOTHING_WAITS', 2)
  assertRefused(steleAt(home, 'erase', '--yes', '--reason', 'x', '--all'), 'ERASURE_EMPTY', 2)
})

test('where nobody is at a terminal it waits, status shows it, it can be called off, and after its hour it is done', async () => {
  const home = homeForService()
  const clock = join(home, '..', 'clock')
  writeFileSync(clock, '0')
  const service = await startServiceProcess(home, { env: { NODE_OPTIONS: `--import=${preload}`, STELE_TEST_CLOCK_FILE: clock } })
  const said = await sayWords(home, 2)
  const waits = await erase(home, '--session', goneSession)
  assert.match(wentWell(waits), /^Nobody confirmed it, so it waits until 20\S+Z: then the words of 11 entries are forgotten\.\n/)
  assert.match(
    wentWell(await run(home, 'status')),
    /^Erasure: {2}words of 11 entries \(by session\) are forgotten at \S+; `stele erase --cancel` calls it off$/m,
  )
  const { erasures } = (await statusOf(home)) as unknown as { erasures: { due: string; entries: number }[] }
  assert.equal(
    erasures.map(({ entries }) => entries),
    [11],
  )
  assert.match(wentWell(await run(home, 'erase', '--cancel')), /^Called off: 11 entries \(by session\)\n$/)
  assert.equal((await statusOf(home))['erasures'], [])

  const again = json<{ id: string; selected: string; entries: number; due: string }>(
    await erase(home, '--session', goneSession, '--json'),
  )
  assert.equal([again.selected, again.entries], ['session', 11])
  writeFileSync(clock, String(hour - 60_000))
  await new Promise((resolve) => setTimeout(resolve, 2500))
  assert.ok(findWordRunsInHome(home, said.gone).length > 0)
  writeFileSync(clock, String(hour + 1000))
  await until('it is done', async () => ((await statusOf(home))['erasures'] as object[]).length === 0)
  assert.equal(findWordRunsInHome(home, said.gone), [])
  const report = await verified(home)
  assert.equal([report.ok, report.erased], [true, 11])
  await service.end()
})

test('without a service it is done by the command itself, or waits in the home for the next service', async () => {
  const home = homeForService()
  const service = await startServiceProcess(home)
  const said = await sayWords(home, 2)
  await service.end()
  wentWell(await erase(home, '--session', keptSession))
  assert.match(
    wentWell(await run(home, 'status')),
    /^Erasure: words of 11 entries \(by session\) are forgotten at .*, by the next service$/m,
  )
  wentWell(await run(home, 'erase', '--cancel'))
  const told = wentWell(await erase(home, '--session', goneSession, '--yes'))
  assert.match(told, /^Forgotten: the words of 11 entries/)
  assert.match(told, /\nEntry \d+ says so; headers, counts, verdicts and decisions stay, and so does the proof\.\n/)
  assert.equal(findWordRunsInHome(home, said.gone), [])
  assert.ok(findWordRunsInHome(home, said.kept).length > 0)
  assert.equal((await verified(home)).ok, true)
})

test('while an attached host is alive --yes is no confirmation: it waits, and can be called off', async () => {
  const home = homeForService()
  const service = await startServiceProcess(home)
  const said = await sayWords(home, 1)
  await new AttachedHost(home).attach()
  assert.match(wentWell(await erase(home, '--all', '--yes')), /^Nobody confirmed it/)
  assert.ok(findWordRunsInHome(home, said.gone).length > 0)
  wentWell(await run(home, 'erase', '--cancel'))
  const terminal = { what: { all: true }, reason: 'x', confirmation: { how: 'terminal' } }
  assert.type(answered<{ erasure: number }>(await askOwnerOf(home, '/v1/owner/erase', terminal)).erasure, 'number')
  assert.is(codeOf(await askOwnerOf(home, '/v1/owner/erase', terminal)), 'ERASURE_EMPTY')
  assert.is(codeOf(await askOwnerOf(home, '/v1/owner/erase-cancel', {})), 'ERASURE_NOTHING_WAITS')
  const types = answered<{ entries: { type: string }[] }>(await askHome(home, '/v1/entries?limit=1000')).entries.map(
    ({ type }) => type,
  )
  assert.equal(
    types.filter((type) => type.startsWith('erasure.') || type === 'payload.erased'),
    ['erasure.asked', 'erasure.cancelled', 'payload.erased'],
  )
  await service.end()
})

test('where the home has a passphrase, only that erases at once; a wrong one erases nothing and makes nothing wait', async () => {
  const home = homeForService()
  setPassphrase(join(home, 'owner-passphrase'), 'correct horse battery')
  const service = await startServiceProcess(home)
  const said = await sayWords(home, 1)
  const file = join(temporaryFolder(), 'passphrase')
  writeFileSync(file, 'wrong horse\n')
  assertRefused(await erase(home, '--all', '--yes', '--passphrase-file', file), 'PASSPHRASE_WRONG', 3)
  assert.equal((await statusOf(home))['erasures'], [])
  assert.ok(findWordRunsInHome(home, said.gone).length > 0)
  writeFileSync(file, 'correct horse battery\n')
  wentWell(await erase(home, '--all', '--yes', '--passphrase-file', file))
  assert.equal(findWordRunsInHome(home, [...said.gone, ...said.kept]), [])
  await service.end()
})

test('by index exactly those words go', async () => {
  const home = homeForService()
  const service = await startServiceProcess(home)
  const said = await sayWords(home, 3)
  const { entries } = answered<{ entries: { index: number; words?: { text?: string } }[] }>(
    await askHome(home, '/v1/entries?type=message.captured'),
  )
  const two = entries.filter(({ words }) => [said.gone[0], said.kept[0]].includes(words?.text)).map(({ index }) => String(index))
  wentWell(await erase(home, '--index', ...two, '--yes'))
  assert.equal(findWordRunsInHome(home, [said.gone[0] ?? '', said.kept[0] ?? '']), [])
  for (const text of [said.gone[3], said.kept[3], said.gone[6], said.gone[1]])
    assert.ok(findWordRunsInHome(home, [text ?? '']).length > 0, text)
  await service.end()
})

test('an export that cannot be written leaves the file as it was, and one to a device leaves the device', async () => {
  const home = homeForService()
  assert.is(steleAt(home, 'init').status, 0)
  wentWell(steleAt(home, 'export', '--out', '/dev/null'))
  assert.not.ok(statSync('/dev/null').isFile())
  assert.not.ok(existsSync(join(home, 'exports')), 'what is no file cannot be covered')
  const file = join(temporaryFolder(), 'ledger.jsonl')
  writeFileSync(file, 'as it was')
  rmSync(join(home, 'exports'), { recursive: true, force: true })
  writeFileSync(join(home, 'exports'), 'in the way')
  assertRefused(steleAt(home, 'export', '--out', file), 'FILE_UNWRITABLE', 6)
  assert.is(readFileSync(file, 'utf8'), 'as it was')
  rmSync(join(home, 'exports'))
  wentWell(steleAt(home, 'export', '--out', file))
  assert.match(readFileSync(file, 'utf8'), /^\{"v":1,.*\n\{"checkpoint":/)
  assert.not(existsSync(`${file}.partial`))
})

test.run()
