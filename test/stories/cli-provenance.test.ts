// The provenance gate from the command line: a recorded session, once observed and once held to the verdicts; then what log, check and
// report say of it, and that a dry run leaves nothing behind.
// time limit: 300 s
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AttachedHost, type Payload } from '../support/attached-host.js'
import { recordedHooks, recordedPayloads } from '../support/recorded-session.js'
import { assertRefused, steleAt, steleBeside } from '../support/service-commands.js'
import { endServices, homeForService, startServiceProcess } from '../support/service-process.js'
import { json, type Ran, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('cli provenance')
test.after(endServices)

const observed = homeForService()
const blocked = homeForService({ provenance: { mode: 'block' } })
const session = recordedPayloads[0]?.session_id ?? ''

async function feed(home: string): Promise<void> {
  assert.is(steleAt(home, 'init').status, 0)
  const service = await startServiceProcess(home)
  const host = new AttachedHost(home)
  assert.is((await host.attach()).status, 200)
  for (const line of recordedHooks) assert.is((await host.hook(JSON.parse(line) as Payload)).status, 200)
  host.close()
  assert.is((await service.end()).code, 0)
}

test.before(async () => {
  await feed(observed)
  await feed(blocked)
})

interface ClaimRow {
  readonly index: number
  readonly type: string
  readonly data: { readonly verdict: string; readonly reason: string | null; readonly message: number | null }
  readonly words: { readonly claim: string; readonly quote: string | null; readonly target: string }
}

function rows(home: string, ...words: string[]): ClaimRow[] {
  const { status, stdout, stderr } = steleAt(home, 'log', '--json', ...words)
  assert.is(status, 0, stderr)
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ClaimRow)
}

const verdictsOf = (some: readonly ClaimRow[]): string[] => some.map(({ data }) => `${data.verdict} ${data.reason}`)

/** As the page of the recording lists them, newest first. */
const sixVerdicts = [
  'would_block no_quote',
  'would_block quote_negated',
  'pass null',
  'would_block quote_negated',
  'pass null',
  'would_block no_quote',
]

test('row P18: the log of the gate is its judged claims, newest first', () => {
  const all = rows(observed, '--gate', 'provenance')
  assert.ok(all.every(({ type }) => type === 'claim.judged'))
  assert.equal(verdictsOf(all), sixVerdicts)
  assert.equal(
    rows(observed, '--type', 'gate.decided', '--gate', 'provenance', '--verdict', 'deny').every(
      ({ type }) => type === 'gate.decided',
    ),
    true,
  )
})

test('row P18: each verdict and each number', () => {
  const of = (home: string, verdict: string): number => rows(home, '--gate', 'provenance', '--verdict', verdict).length
  assert.equal([of(observed, 'pass'), of(observed, 'would_block'), of(observed, 'blocked')], [2, 4, 0])
  assert.equal([of(blocked, 'pass'), of(blocked, 'would_block'), of(blocked, 'blocked')], [2, 0, 4])
  for (const count of [0, 1, 3, 6, 99]) {
    const some = rows(observed, '--gate', 'provenance', '--limit', String(count))
    assert.equal(verdictsOf(some), sixVerdicts.slice(0, count))
  }
  const newest = rows(observed, '--gate', 'provenance', '--verdict', 'pass', '--limit', '1')
  assert.is(newest[0]?.data.verdict, 'pass')
  assert.ok(rows(observed, '--verdict', 'pass').every(({ type }) => type === 'claim.judged'))
  assert.match(
    steleAt(observed, 'log', '--gate', 'provenance', '--limit', '1').stdout,
    /claim\.judged +would_block \(no_quote\): /,
  )
})

test('row P21: a verdict that there is not, and numbers below zero, are refused with the name of the option', () => {
  const refused = (ran: Ran, option: string): void => {
    assertRefused(ran, 'OPTION_INVALID', 2)
    assert.match(ran.stderr, `option: ${option}`)
  }
  refused(steleAt(observed, 'log', '--gate', 'provenance', '--verdict', 'deny'), '--verdict')
  refused(steleAt(observed, 'log', '--gate', 'null', '--verdict', 'pass'), '--verdict')
  refused(steleAt(observed, 'log', '--verdict', 'perhaps'), '--verdict')
  refused(steleAt(observed, 'log', '--gate', 'provenance', '--limit', '-1'), '--limit')
  refused(steleAt(observed, 'report', 'evidence', '--limit', '-1'), '--limit')
  refused(steleAt(observed, 'report', 'evidence', '--since', '-1d'), '--since')
  assert.is(steleAt(observed, 'report', 'evidence', '--since', '0d').status, 0)
  assert.is(steleAt(observed, 'report', 'evidence', '--limit', '0').status, 0)
})

interface Checked {
  readonly verdict: string
  readonly claims: readonly {
    readonly verdict: string
    readonly reason: string | null
    readonly quote: string | null
    readonly matchedIn: string | null
    readonly message: number | null
  }[]
}

const backed = 'User decided to ship on Friday ("I decided we ship on Friday").'
const bare = 'User decided to ship on Friday.'

test('row P19: a text is held against what was typed in a session, and the ledger is as it was', () => {
  const head = (): unknown => {
    const { size, root } = json<{ size: number; root: string }>(steleAt(observed, 'verify', '--json'))
    return [size, root]
  }
  const before = head()
  const { verdict, claims } = json<Checked>(steleAt(observed, 'check', backed, '--session', session, '--json'))
  assert.equal([verdict, claims.length, claims[0]?.matchedIn], ['pass', 1, 'this-session'])
  // The message is the entry that the log shows.
  const typed = rows(observed, '--type', 'message.captured').at(-1)
  assert.is(claims[0]?.message, typed?.index)
  const flagged = steleAt(observed, 'check', bare, '--session', session)
  assert.is(flagged.status, 0)
  assert.match(flagged.stdout, /^flag {2}User decided to ship on Friday\.\n +why +no_quote: /)
  assert.is(
    steleAt(observed, 'check', 'Nothing of that kind.', '--session', session).stdout,
    'No claim that the user decided anything.\n',
  )
  assert.equal(head(), before)
  assertRefused(steleAt(observed, 'check', bare, '--session', 'no-such-session'), 'SESSION_UNKNOWN', 2)
})

test('a session is named by its handle too, and its setting of the scope counts', () => {
  const [row] = rows(observed, '--gate', 'provenance', '--limit', '1') as unknown as { session: string }[]
  const preference = 'The user prefers tabs over spaces.'
  const asked = (home: string): string => json<Checked>(steleAt(home, 'check', preference, '--json')).verdict
  assert.is(json<Checked>(steleAt(observed, 'check', backed, '--session', row?.session ?? '', '--json')).verdict, 'pass')
  assert.is(asked(observed), 'no_claim')
  assert.is(asked(homeForService({ provenance: { scope: 'decisions+preferences' } })), 'flag')
})

test('without a session no home is needed, nothing backs a claim, and only --strict makes an exit code of it', () => {
  const nowhere = temporaryFolder()
  const check = (...words: string[]): Ran => steleAt(`${nowhere}/none`, 'check', ...words)
  assert.equal([check(bare).status, check(bare, '--strict').status, check('Ship on Friday.', '--strict').status], [0, 1, 0])
  const { claims } = json<Checked>(check(backed, '--json'))
  assert.is(claims[0]?.reason, 'quote_not_found')
  const read = stele(['check', '-', '--json', '--home', `${nowhere}/none`], { input: `${bare}\n用户决定周五发布。` })
  assert.is(json<Checked>(read).claims.length, 2)
  assertRefused(check(), 'OPTION_INVALID', 2)
})

function batch(lines: readonly (object | string)[], ...words: string[]): Ran {
  const input = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
  return stele(['check', '--batch', '-', '--home', '/nonexistent/home', ...words], { input })
}

test('a batch gives a line for each line, in order, as the interfaces page has it', () => {
  const messages = [{ text: 'I decided we ship on Friday', sender: 'ann' }]
  const { status, stdout } = batch([
    { id: 'a', text: backed, messages },
    { id: 2, text: bare, messages },
    { id: 'c', text: 'Nothing of that kind.' },
    { id: 'd', text: backed, messages: [{ ...messages[0], session: 'other' }] },
    { id: 'e', text: backed, messages: [{ ...messages[0], session: 'other' }], search: 'profile' },
    { id: 'f', text: backed, messages: [{ ...messages[0], session: 'parent' }] },
    { id: 'g', text: 'The user prefers tabs over spaces.', scope: 'decisions+preferences' },
    { id: 'h', text: bare, stored: bare, note: 'a member of somebody else’s' },
  ])
  assert.is(status, 0)
  const [first, ...others] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Checked & { id: unknown })
  assert.equal(first, {
    id: 'a',
    verdict: 'pass',
    claims: [
      {
        ...{ claim: backed, quote: 'I decided we ship on Friday', verdict: 'pass' },
        ...{ reason: null, matchedIn: 'this-session', message: 0 },
      },
    ],
  })
  assert.equal(
    others.map(({ id, verdict, claims }) => [id, verdict, claims[0]?.reason ?? claims[0]?.matchedIn]),
    [
      [2, 'flag', 'no_quote'],
      ['c', 'no_claim', undefined],
      ['d', 'flag', 'quote_not_found'],
      ['e', 'pass', 'profile'],
      ['f', 'pass', 'this-session'],
      ['g', 'flag', 'no_quote'],
      ['h', 'no_claim', undefined],
    ],
  )
})

test('a line that cannot be read ends the batch with its number, after what came before; --strict tells of a flag', () => {
  const bad = batch([{ id: 1, text: 'fine' }, '', { id: 2, text: 7 }, { id: 3, text: 'unread' }])
  assert.equal([bad.status, bad.stdout], [2, '{"id":1,"verdict":"no_claim","claims":[]}\n'])
  assert.match(bad.stderr, /^stele: OPTION_INVALID: .*line: 3.*\n$/)
  assert.match(batch(['{"id"']).stderr, /^stele: JSON_UNREADABLE: .*line: 1.*\n$/)
  assert.equal([batch([{ text: bare }], '--strict').status, batch([{ text: bare }]).status, batch([]).status], [1, 0, 0])
  assertRefused(batch([], '--session', 's'), 'OPTION_INVALID', 2)
  assertRefused(stele(['check', '--batch', 'file']), 'OPTION_INVALID', 2)
})

test('ten thousand lines come back in one process', async () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => ({ id: at, text: `User decided to ship release ${at}.` }))
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const { status, stdout } = await steleBeside(['check', '--batch', '-'], input)
  assert.is(status, 0)
  const ids = stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: number }).id)
  assert.equal([ids.length, ids[0], ids.at(-1)], [10_000, 0, 9_999])
})

interface EvidenceJson {
  readonly figures: Readonly<Record<string, number>>
  readonly sections: Readonly<
    Record<string, { readonly rows?: readonly Readonly<Record<string, unknown>>[]; readonly note?: string }>
  >
}

const reported = (home: string, ...words: string[]): EvidenceJson =>
  json<EvidenceJson>(steleAt(home, 'report', 'evidence', '--json', ...words))

test('row P17: the report counts as a hand counts, by verdict and by reason, and lists the flagged newest first with their words', () => {
  const { figures, sections } = reported(observed)
  const { claims, supported, unsupported, wouldBlock, blocked: held, unchecked } = figures
  assert.equal([claims, supported, unsupported, wouldBlock, held, unchecked], [6, 2, 4, 4, 0, 0])
  assert.equal(
    sections['reasons']?.rows?.map(({ reason, claims: count }) => [reason, count]),
    [
      ['no_quote', 2],
      ['quote_negated', 2],
    ],
  )
  const flagged = sections['flagged']?.rows ?? []
  const logged = rows(observed, '--gate', 'provenance', '--verdict', 'would_block')
  assert.equal(
    flagged.map(({ index, claim, quote }) => [index, claim, quote]),
    logged.map(({ index, words }) => [index, words.claim, words.quote]),
  )
  assert.equal(
    (reported(observed, '--limit', '1').sections['flagged']?.rows ?? []).map(({ index }) => index),
    [logged[0]?.index],
  )
  assert.is(reported(blocked).figures['blocked'], 4)
})

test('row P17: what is older than the span is left out', () => {
  assert.is(reported(observed, '--since', '7d').figures['claims'], 6)
  assert.is(reported(observed, '--since', '2100-01-01').figures['claims'], 0)
  assert.is(reported(observed, '--as-of', '1').figures['claims'], 0)
})

test('every face tells of the claims, from a service as without one, and what is forgotten is called so', async () => {
  const faces = () => ['text', 'md', 'html'].map((format) => steleAt(observed, 'report', 'evidence', '--format', format).stdout)
  for (const text of faces()) assert.match(text, 'User decided to ship')
  const service = await startServiceProcess(observed)
  const { figures, sections } = reported(observed)
  assert.equal([figures['claims'], sections['flagged']?.rows?.length], [6, 4])
  assert.equal(json<Checked>(steleAt(observed, 'check', backed, '--session', session, '--json')).verdict, 'pass')
  assert.is((await service.end()).code, 0)
  assert.is(steleAt(observed, 'erase', '--all', '--reason', 'a test', '--yes').status, 0)
  const after = reported(observed)
  assert.equal(after.figures, figures)
  assert.ok(after.sections['flagged']?.rows?.every(({ claim, quote }) => claim === '(forgotten)' && quote === '(forgotten)'))
  for (const text of faces()) assert.match(text, 'forgotten')
})

test.run()
