// stele review: what the gates flagged, gone through with one key each, or listed and answered by other programs. An answer is written down
// before it is told as given; it changes no allowlist.
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { SteleError } from '../foundation/stele-error.js'
import type { ReviewLabel } from '../projections/inbox.js'
import { itemOfId, type ReviewInbox, type ReviewItem } from '../reports/review-items.js'
import { askService } from '../service/ask-service.js'
import type { Home } from '../service/open-home.js'
import { type Confirmation, noteCharactersMax } from '../service/owner-routes.js'
import type { Reviewed } from '../service/review-answers.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { invalidOption, timeSince, wholeNumber } from './options.js'
import { withOwnService } from './own-service.js'
import { confirmationAtKeys, confirmationOf, type OwnerOptions, withOwnerOptions } from './owner.js'
import { suggestion } from './policy-suggest.js'
import { readReviewInbox } from './review-inbox.js'
import { besideLines, exampleLines, labelWords, reviewItemLines, times } from './review-item-lines.js'
import { type ReviewTally, reviewLoop } from './review-loop.js'
import { clearScreen, print, printData } from './terminal.js'
import { openTerminalKeys } from './terminal-keys.js'

export interface ReviewOptions extends SharedOptions, OwnerOptions {
  readonly list?: boolean
  readonly gate?: string
  readonly since?: string
  readonly limit?: number
  readonly answer?: ReviewLabel
  readonly item?: string
  readonly note?: string
  readonly cancel?: number
}

const labels = Object.keys(labelWords) as ReviewLabel[]

export function reviewCommand(): Command {
  return withOwnerOptions(
    newCommand('review', 'go through what the gates flagged, one key each: grant, refuse, false alarm, later', [
      'stele review',
      'stele review --gate provenance --since 7d',
      'stele review --list',
      'stele review --answer refuse --item 4c1f09ab37.1234',
      'stele review --answer false_alarm --item 4c1f09ab37.1234 --note "it only lists the folder"',
      'stele review --cancel 1240   # takes an answer back, by its entry',
    ]),
  )
    .option('--list', 'print the items instead of asking')
    .option('--gate <name>', 'only what this gate flagged: capability or provenance', gateOf)
    .option('--since <time>', 'ISO 8601, or a span such as 30d or 2h', timeSince('--since'))
    .option('--limit <count>', 'at most so many items', wholeNumber('--limit'))
    .option('--answer <label>', `with --item: ${labels.join(', ')}`, labelOf)
    .option('--item <id>', 'the item that is answered, as --list and --json have it')
    .option('--note <text>', 'with --answer: words beside the answer; they can be forgotten like any others')
    .option('--cancel <index>', 'take an answer back: the index of its entry', wholeNumber('--cancel'))
    .action(async (options: ReviewOptions) => {
      const home = homeOf(options)
      if (!existsSync(home.files.store)) throw new SteleError('HOME_MISSING')
      if (options.cancel !== undefined) return cancelAnswer(home, options, options.cancel)
      if (options.answer !== undefined || options.item !== undefined || options.note !== undefined)
        return answerItem(home, options)
      if (options.list === true || options.json === true) return list(home, options)
      if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) throw new SteleError('REVIEW_NEEDS_TERMINAL')
      await goThrough(home, options)
    })
}

/** At a terminal: the passphrase first, if the home has one, then item by item. */
async function goThrough(home: Home, options: ReviewOptions): Promise<void> {
  const confirmation = confirmationAtKeys(home, options)
  await withOwnService(home, async () => {
    const { items, ...beside } = await inboxOf(home, options)
    const keys = openTerminalKeys()
    let tally: ReviewTally
    try {
      tally = await reviewLoop(items, {
        nextKey: keys.next,
        show: (lines) => {
          keys.forget()
          clearScreen()
          for (const line of lines) print(line)
        },
        tell: print,
        answer: async (item, label) => (await giveAnswer(home, { item, label, confirmation })).answer,
        takeBack: async (answer) => {
          await takeBack(home, answer, confirmation)
        },
      })
    } finally {
      keys.close()
    }
    print(tallyLine(tally))
    if (options.quiet === true) return
    for (const line of besideLines(beside)) print(line)
    const granted = tally.given.flatMap(({ item, label }) => (label === 'grant' ? item.entries : []))
    if (granted.length > 0) print(grantLines((await suggestion(quietly(options), granted)).text))
  })
}

function tallyLine({ given, left }: ReviewTally): string {
  const counts = labels.flatMap((label) => {
    const count = given.filter((one) => one.label === label).length
    return count === 0 ? [] : [`${count} ${labelWords[label]}`]
  })
  const answers = given.length === 0 ? 'Nothing was answered' : `Answered: ${counts.join(', ')}`
  return `${answers}; ${left} left. \`stele report review\` shows how right each rule was.`
}

function gateOf(text: string): string {
  if (text !== 'capability' && text !== 'provenance') throw invalidOption('--gate', 'capability or provenance')
  return text
}

function labelOf(text: string): ReviewLabel {
  const label = labels.find((one) => one === text)
  if (label === undefined) throw invalidOption('--answer', labels.join(', '))
  return label
}

/** The items that were asked for; what is beyond `--limit` is left out. */
async function inboxOf(home: Home, options: ReviewOptions): Promise<ReviewInbox> {
  const { gate, since, limit } = options
  const inbox = await readReviewInbox(home, { gate, since }, options.quiet === true)
  return limit === undefined ? inbox : { ...inbox, items: inbox.items.slice(0, limit) }
}

async function list(home: Home, options: ReviewOptions): Promise<void> {
  const inbox = await inboxOf(home, options)
  if (options.json === true) return printData(`${JSON.stringify(inbox)}\n`)
  for (const [at, item] of inbox.items.entries()) {
    const [first = '', ...rest] = reviewItemLines(item)
    const lines = [`${at + 1}. ${first}`, ...rest, ...exampleLines(item.examples.slice(0, 1))]
    print([...lines, `  answers: ${item.labels.join(', ')}`, ''].join('\n'))
  }
  if (options.quiet === true) return
  for (const line of [...(inbox.items.length === 0 ? ['Nothing waits for an answer.'] : []), ...besideLines(inbox)]) print(line)
}

async function answerItem(home: Home, options: ReviewOptions): Promise<void> {
  const { answer: label, item: id, note } = options
  if (label === undefined || id === undefined)
    throw invalidOption('--answer and --item', 'both together; `stele review --list` shows the items')
  if (note !== undefined && note.length > noteCharactersMax)
    throw invalidOption('--note', `a text of up to ${noteCharactersMax} characters`)
  await withOwnService(home, async () => {
    const item = itemOfId(await readReviewInbox(home, {}, options.quiet === true), id)
    if (item === undefined) throw new SteleError('REVIEW_ITEM_UNKNOWN')
    if (!item.labels.includes(label)) throw invalidOption('--answer', `${item.labels.join(', ')}: nothing else fits this item`)
    const question = `This says of ${item.count} flagged entries: ${labelWords[label]}. Go on?`
    const reviewed = await giveAnswer(home, { item, label, note, confirmation: confirmationOf(home, options, question) })
    // The answer stands, whatever becomes of the lines.
    if (options.json !== true) print(`Entry ${reviewed.answer} says so: ${labelWords[label]}, ${times(reviewed.entries)}.`)
    const wantsLines = label === 'grant' && (options.json === true || options.quiet !== true)
    const lines = wantsLines ? (await suggestion(quietly(options), item.entries)).text : null
    if (options.json === true) return printData(`${JSON.stringify({ item: item.id, label, ...reviewed, allowlist: lines })}\n`)
    if (lines !== null) print(grantLines(lines))
  })
}

/** The home alone: of what an answer is about nothing is left out. */
export function quietly({ home }: SharedOptions): SharedOptions {
  return { ...(home === undefined ? {} : { home }), quiet: true }
}

export interface AnswerGiven {
  readonly item: ReviewItem
  readonly label: ReviewLabel
  readonly note?: string | undefined
  readonly confirmation: Confirmation
}

/** On disk when it resolves. */
export function giveAnswer(home: Home, { item, label, note, confirmation }: AnswerGiven): Promise<Reviewed> {
  const body = { confirmation, label, entries: item.entries, ...(note === undefined ? {} : { note }) }
  return askService<Reviewed>(home.files.home, '/v1/owner/review-answer', { method: 'POST', body, door: 'owner' })
}

export function takeBack(home: Home, answer: number, confirmation: Confirmation): Promise<{ cancelled: number }> {
  const body = { confirmation, answer }
  return askService(home.files.home, '/v1/owner/review-cancel', { method: 'POST', body, door: 'owner' })
}

async function cancelAnswer(home: Home, options: ReviewOptions, answer: number): Promise<void> {
  const done = await withOwnService(home, () =>
    takeBack(home, answer, confirmationOf(home, options, `This takes the answer of entry ${answer} back. Go on?`)),
  )
  if (options.json === true) return printData(`${JSON.stringify(done)}\n`)
  print(`The answer of entry ${answer} is taken back; what it was about waits again.`)
}

/** Nothing is granted by an answer: what the owner would add, and how it comes into force. */
export function grantLines(allowlist: string): string {
  return [
    '\nNothing is granted by this yet. These lines would grant it:\n',
    allowlist,
    'To have the lines of everything that you answered with grant in a file:',
    '  stele policy suggest --reviewed --out allowlist.reviewed.yaml',
    'Take what you want of it into your allowlist, then `stele policy lint`, `stele policy diff` and `stele policy use`.',
  ].join('\n')
}
