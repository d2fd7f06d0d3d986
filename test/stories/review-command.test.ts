// Row C15: what would still be denied, and what was claimed without the user's words, is ruled on: listed, answered by a program and key by
// key, each answer an entry; what should be granted becomes lines, and with them in force nothing of it is denied any more.
// time limit: 300 s
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ReviewInbox, ReviewItem } from '../../src/reports/review-items.js'
import { atTerminal } from '../support/at-terminal.js'
import { AttachedHost, type Payload } from '../support/attached-host.js'
import { loggedLines } from '../support/exported-lines.js'
import { callIn, grantedHome, personThere, projectFolder } from '../support/granted-home.js'
import { typedMessage } from '../support/hermes-payloads.js'
import { assertRefused } from '../support/service-commands.js'
import { endServices, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { json, type Ran, stele } from '../support/stele-command.js'

const test = suite('review command')
test.after(endServices)

const project = projectFolder()
const allowlist = `version: 1\nskills:\n  "*":\n    tools: [memory, read_file]\n    commands: [git status]\n    paths: ["${project}/docs/**"]\n`
const granted = grantedHome({ allowlist })
const host = new AttachedHost(granted.home)
let service: ServiceProcess | undefined

test.before(async () => {
  service = await startServiceProcess(granted.home)
  await host.attach()
})
test.after(() => host.close())

let calls = 0

async function call(tool: string, args: object, session = 'session-1'): Promise<void> {
  calls += 1
  const { status } = await host.hook(callIn(project, tool, args, { session, call: `call-${calls}` }))
  assert.is(status, 200)
}

const remember = (content: string, session?: string) => call('memory', { action: 'add', target: 'memory', content }, session)

const told = (...words: string[]): ReviewInbox => {
  const ran = granted.stele('review', '--json', ...words)
  assert.is(ran.status, 0, ran.stderr)
  return json<ReviewInbox>(ran)
}

const brief = ({ items }: ReviewInbox): string[] =>
  items.map(({ count, gate, code, what }) => `${count} ${gate} ${code} ${what.replaceAll(project, 'PROJECT')}`)

function itemOf(code: string): ReviewItem {
  const item = told().items.find((one) => one.code === code)
  if (item === undefined) throw new Error(`no item of ${code}`)
  return item
}

const answered = (ran: Ran): { item: string; label: string; answer: number; entries: number; allowlist: string | null } => {
  assert.is(ran.status, 0, ran.stderr)
  return json(ran)
}

test('nothing waits where nothing was flagged', () => {
  assert.equal(told(), { items: [], forgotten: 0, later: 0, beyond: 0, withoutPolicy: 0 })
  assert.is(granted.stele('review', '--list').stdout, 'Nothing waits for an answer.\n')
})

test('what was flagged comes together by its cause, most frequent first, with entries that say the same', async () => {
  const { status } = await host.hook({ ...typedMessage('tidy the notes up, please'), host: personThere } as Payload)
  assert.is(status, 200)
  for (const [file, session] of [
    ['a.md', 'session-1'],
    ['b.md', 'session-1'],
    ['c.md', 'session-2'],
  ] as const)
    await call('read_file', { path: join(project, 'plans', file) }, session)
  await call('read_file', { path: join(project, 'docs', 'notes.md') })
  await call('terminal', { command: 'git push origin main' })
  await call('terminal', { command: 'git push backup' }, 'session-2')
  await remember('User decided to ship on Friday.')
  assert.equal(brief(told()), [
    '3 capability path_not_granted read_file: read in PROJECT/plans',
    '2 capability command_not_granted terminal: run git push …',
    '1 provenance no_quote memory would write to memory: User decided to ship on Friday.',
  ])
  const { entries, judged, sessions, labels, examples } = itemOf('path_not_granted')
  const decisions = loggedLines(granted.home, 'gate.decided').filter(({ data }) => data['code'] === 'path_not_granted')
  assert.equal([entries, judged], [decisions.map(({ index }) => index), decisions.map(({ data }) => data['judges'])])
  assert.equal([sessions, labels], [2, ['grant', 'refuse', 'false_alarm']])
  assert.is(examples[0]?.said, decisions.at(-1)?.words?.['reason'])
  assert.equal(itemOf('no_quote').labels, ['refuse', 'false_alarm'])
  assert.equal(brief(told('--gate', 'provenance', '--since', '1d')).length, 1)
  assert.equal(brief(told('--limit', '1')).length, 1)
})

test('listed for a person each item says what, why, how often and which answers fit', () => {
  const { stdout } = granted.stele('review', '--list')
  assert.match(stdout, /^1\. read_file: read in .*plans$/m)
  assert.match(stdout, /capability · path_not_granted · read_file · \*: a path that it would reach is not granted$/m)
  assert.match(stdout, /^ {2}3 times in 2 sessions, .*; the host was held to none$/m)
  assert.match(stdout, /^ {2}answers: refuse, false_alarm$/m)
})

test('without a terminal it says in a line how to go on, and what it is not told right is refused', () => {
  assertRefused(granted.stele('review'), 'REVIEW_NEEDS_TERMINAL', 2)
  for (const words of [['--list'], ['--answer', 'refuse', '--item', '0000000000'], ['--cancel', '3'], []])
    assertRefused(stele(['review', ...words, '--home', join(project, 'no-home')]), 'HOME_MISSING', 2)
  assertRefused(granted.stele('review', '--answer', 'refuse'), 'OPTION_INVALID', 2)
  assertRefused(granted.stele('review', '--item', 'x'), 'OPTION_INVALID', 2)
  assertRefused(granted.stele('review', '--answer', 'later', '--item', 'x'), 'OPTION_INVALID', 2)
  assertRefused(granted.stele('review', '--gate', 'jev'), 'OPTION_INVALID', 2)
  assertRefused(granted.owner('review', '--answer', 'refuse', '--item', '0000000000.1'), 'REVIEW_ITEM_UNKNOWN', 2)
  assertRefused(granted.owner('review', '--answer', 'grant', '--item', itemOf('no_quote').id), 'OPTION_INVALID', 2)
})

test('whoever is not the owner answers nothing: neither with --yes nor with a wrong passphrase', () => {
  const { id } = itemOf('no_quote')
  assertRefused(granted.stele('review', '--answer', 'false_alarm', '--item', id, '--yes'), 'OWNER_UNCONFIRMED', 3)
  const wrong = join(project, 'guess')
  writeFileSync(wrong, 'correct horse\n')
  const guessed = granted.stele('review', '--answer', 'false_alarm', '--item', id, '--passphrase-file', wrong)
  assertRefused(guessed, 'PASSPHRASE_WRONG', 3)
  assert.equal(loggedLines(granted.home, 'review.answered'), [])
})

test('an answer is an entry with its entries and its note, closes them, and a later one of the same cause waits anew', async () => {
  const item = itemOf('command_not_granted')
  const note = 'pushing is mine'
  const done = answered(granted.owner('review', '--answer', 'refuse', '--item', item.id, '--note', note, '--json'))
  assert.equal([done.item, done.label, done.entries, done.allowlist], [item.id, 'refuse', 2, null])
  const [entry, ...others] = loggedLines(granted.home, 'review.answered')
  assert.equal(others, [])
  assert.equal([entry?.index, entry?.session, entry?.words], [done.answer, '', { note }])
  const { words: _, ...facts } = entry?.data ?? {}
  assert.equal(facts, {
    ...{ label: 'refuse', gate: 'capability', code: 'command_not_granted', rule: '', tool: 'terminal' },
    ...{ entries: item.entries, by: 'owner' },
  })
  assertRefused(granted.owner('review', '--answer', 'refuse', '--item', item.id), 'REVIEW_ITEM_UNKNOWN', 2)
  assert.is(
    told().items.some(({ code }) => code === 'command_not_granted'),
    false,
  )
  await call('terminal', { command: 'git push --force' })
  assert.equal(itemOf('command_not_granted').count, 1)
})

test('an answer that is taken back leaves its entries waiting', () => {
  const item = itemOf('no_quote')
  const done = answered(granted.owner('review', '--answer', 'refuse', '--item', item.id, '--json'))
  assert.is(told('--gate', 'provenance').items.length, 0)
  assertRefused(granted.owner('review', '--cancel', '0'), 'REVIEW_UNFIT', 2)
  assert.is(granted.owner('review', '--cancel', String(done.answer)).status, 0)
  assert.equal(told('--gate', 'provenance').items, [item])
})

test('at a terminal each key answers the item on the screen; undo, help and keys that mean nothing; the terminal is given back', () => {
  const keys = [
    ['[1 of 3]', 'f'],
    ['a false alarm', 'u'],
    ['is taken back', '\u001b[A'],
    ['means nothing here', '?'],
    ['What was answered stays', 'g'],
    ['[2 of 3]', 'l'],
    ['[3 of 3]', 'q'],
  ] as const
  const passphrase = granted.passphraseFile
  const words = ['review', '--home', granted.home, '--passphrase-file', passphrase]
  const { status, screen, restored } = atTerminal(words, keys, { HERMES_HOME: '' })
  assert.equal([status, restored], [0, true], screen)
  assert.match(screen, /Answered: 1 should be granted; 2 left/)
  const [last] = loggedLines(granted.home, 'review.answered').reverse()
  assert.equal([last?.data['label'], last?.data['code'], last?.data['entries']], ['grant', 'path_not_granted', grantedEntries()])
  // The false alarm before it was taken back.
  assert.is(loggedLines(granted.home, 'review.cancelled').length, 2)
  // What comes of it stands at the end, and is in force nowhere.
  assert.match(screen, /Nothing is granted by this yet[\s\S]*plans[\s\S]*stele policy suggest --reviewed/)
  assert.is(readFileSync(join(granted.home, 'allowlist.yaml'), 'utf8'), allowlist)
})

const grantedEntries = (): number[] =>
  loggedLines(granted.home, 'gate.decided').flatMap(({ index, data }) => (data['code'] === 'path_not_granted' ? [index] : []))

test('the lines of what should be granted lint clean, grant that and nothing else, and in force they let it through', async () => {
  const file = join(project, 'reviewed.yaml')
  const made = granted.stele('policy', 'suggest', '--reviewed', '--out', file)
  assert.is(made.status, 0, made.stderr)
  assert.is(granted.stele('policy', 'lint', file).stdout, 'The allowlist can be used.\n')
  const lines = readFileSync(file, 'utf8').split('\n')
  const grants = lines.flatMap((line) => (/^ *- /.test(line) ? [line.replace(/^ *- /, '').replace(/ #.*$/, '')] : []))
  assert.equal(grants, ['"read_file"', `{ path: "${project}/plans/**", access: read }`])
  writeFileSync(file, allowlist.replace('paths: [', `paths: ["${project}/plans/**", `))
  assert.is(granted.owner('policy', 'use', file).status, 0)
  await call('read_file', { path: join(project, 'plans', 'd.md') })
  assert.is(loggedLines(granted.home, 'gate.decided').at(-1)?.data['verdict'], 'allow')
  assert.is(
    told().items.some(({ code }) => code === 'path_not_granted'),
    false,
  )
})

test('the report says how right each rule was, with the counts', () => {
  const ran = granted.stele('report', 'review', '--json')
  assert.is(ran.status, 0, ran.stderr)
  const { figures, sections } = json<{
    figures: Record<string, unknown>
    sections: { rules: { rows: Record<string, unknown>[] } }
  }>(ran)
  // Three reads and three pushes were denied and a claim flagged; the reads should be granted, two pushes were rightly denied.
  const { flagged, reviewed, refuse, grant, falseAlarms, precision } = figures
  assert.equal([flagged, reviewed, refuse, grant, falseAlarms, precision], [7, 5, 2, 3, 0, 2 / 5])
  assert.equal(
    sections.rules.rows.map((row) => [row['code'], row['flagged'], row['reviewed'], row['precision']]),
    [
      ['command_not_granted', 3, 2, 1],
      ['path_not_granted', 3, 3, 0],
      ['no_quote', 1, 0, null],
    ],
  )
})

test('without a service the inbox is the same, and an answer goes into the ledger by itself', async () => {
  const before = told()
  assert.is(before.items.length, 2)
  await service?.end()
  assert.equal(told(), before)
  const item = itemOf('command_not_granted')
  const done = answered(granted.owner('review', '--answer', 'grant', '--item', item.id, '--json'))
  assert.is(loggedLines(granted.home, 'review.answered').at(-1)?.index, done.answer)
  assert.match(done.allowlist ?? '', /^ *- "git push --force" # 1 call in 1 session/m)
  assert.is(told().items.length, 1)
  const keys = [
    ['[1 of 1]', 'l'],
    ['That was the last', 'u'],
    ['[1 of 1]', 'q'],
  ] as const
  const words = ['review', '--home', granted.home, '--passphrase-file', granted.passphraseFile]
  const { status, screen } = atTerminal(words, keys, { HERMES_HOME: '' })
  assert.is(status, 0, screen)
  assert.match(screen, /Nothing was answered; 1 left/)
  assert.is(granted.stele('verify').status, 0)
})

test('what is forgotten is no item any more, and the answers that were given stay', () => {
  const [item] = told().items
  const answers = loggedLines(granted.home, 'review.answered').map(({ data }) => data)
  const erased = granted.owner('erase', '--all', '--reason', 'a test')
  assert.is(erased.status, 0, erased.stderr)
  assert.equal(told(), { items: [], forgotten: item?.count, later: 0, beyond: 0, withoutPolicy: 0 })
  assert.match(granted.stele('review', '--list').stdout, /1 flagged entry cannot be ruled on: their words are forgotten/)
  const after = loggedLines(granted.home, 'review.answered')
  assert.equal([after.map(({ data }) => data), after.some(({ words }) => words !== undefined)], [answers, false])
})

test.run()
