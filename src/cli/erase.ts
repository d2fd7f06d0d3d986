// stele erase: forgets words and keeps the proof; what stays, and that it cannot be undone, is said before anything goes.
import { existsSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { SteleError } from '../foundation/stele-error.js'
import type { SelectedWords } from '../ledger/words-selection.js'
import { askService } from '../service/ask-service.js'
import type { WaitingErasure } from '../service/erasure-journal.js'
import type { Erased } from '../service/forgetting.js'
import type { Home } from '../service/open-home.js'
import type { ErasedWhat } from '../service/owner-routes.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { daysOrTime, invalidOption, wholeNumber } from './options.js'
import { withOwnService } from './own-service.js'
import { confirmationOf, type OwnerOptions, withOwnerOptions } from './owner.js'
import { print, printData, printError } from './terminal.js'

interface EraseOptions extends SharedOptions, OwnerOptions {
  readonly index?: readonly number[]
  readonly session?: string
  readonly sender?: string
  readonly olderThan?: string
  readonly all?: boolean
  readonly reason?: string
  readonly preview?: boolean
  readonly cancel?: boolean
  readonly receipt?: string
}

const patienceMs = 60 * 60 * 1000

export function eraseCommand(): Command {
  return eraseNamed('erase', undefined, 'forget words and keep the proof', [
    'stele erase --session 20261129_210901_59bcc3 --reason "the user asked for it"',
    'stele erase --index 12 13 14 --reason "a password was typed"',
    'stele erase --older-than 30d --reason "no longer needed" --preview',
    'stele erase --all --reason "the machine goes to somebody else" --receipt erased.txt',
    'stele erase --cancel',
  ])
}

/** The same under the name that the provenance gate had for it. */
export function purgeCommand(): Command {
  return eraseNamed('purge', 'purge', 'the same as `erase`; the reason is `purge` where none is given', [
    'stele purge --older-than 30',
    'stele purge --all --yes',
  ])
}

function eraseNamed(name: string, reasonDefault: string | undefined, summary: string, examples: readonly string[]): Command {
  return withOwnerOptions(newCommand(name, summary, examples))
    .option('--index <n...>', 'words of these entries', gathered)
    .option('--session <id>', 'words of a session: its handle, or the host’s own id')
    .option('--sender <id>', 'words of a sender, and of claims that these back')
    .option('--older-than <time>', 'words older than so many days, a span such as 30d, or a time', daysOrTime('--older-than'))
    .option('--all', 'every word there is, a policy’s text too')
    .option(
      '--reason <text>',
      `why; it stays in the ledger for ever${reasonDefault === undefined ? '' : ` (default: ${reasonDefault})`}`,
    )
    .option('--preview', 'say what would go, and change nothing')
    .option('--cancel', 'call off the erasures that wait')
    .option('--receipt <file>', 'write the receipt of the erasure to a file')
    .action((options: EraseOptions) => erase(options, options.reason ?? reasonDefault))
}

async function erase(options: EraseOptions, reason: string | undefined): Promise<void> {
  const home = homeOf(options)
  if (!existsSync(home.files.store)) throw new SteleError('HOME_MISSING')
  if (options.cancel === true) return cancel(home, options)
  const what = whatOf(options)
  const isReason = reason !== undefined && reason !== '' && reason.length <= reasonCharactersMax
  if (options.preview !== true && !isReason)
    throw invalidOption('--reason', `a text of up to ${reasonCharactersMax} characters; it stays in the ledger`)
  await withOwnService(home, async () => {
    const selected = await ask<SelectedWords>(home, 'erase-preview', { what })
    if (options.preview === true || selected.entries === 0) return preview(selected, options)
    const confirmation = confirmationOf(home, options, `${previewText(selected)}\nThis cannot be undone. Forget them?`)
    const done = await ask<Erased | WaitingErasure>(home, 'erase', { what, reason, confirmation })
    if ('erasure' in done && options.receipt !== undefined) writeReceipt(options.receipt, done.receipt)
    if (options.json === true) return printData(`${JSON.stringify(done)}\n`)
    if ('due' in done) return print(waitingText(done))
    if (options.quiet !== true) print(erasedText(done, options.receipt))
  })
}

const reasonCharactersMax = 2000

async function cancel(home: Home, options: EraseOptions): Promise<void> {
  const cancelled = await withOwnService(home, () => ask<WaitingErasure[]>(home, 'erase-cancel', {}))
  if (options.json === true) return printData(`${JSON.stringify(cancelled)}\n`)
  print(`Called off: ${cancelled.map(({ entries, selected }) => `${entries} entries (by ${selected})`).join(', ')}`)
}

function ask<Answer>(home: Home, verb: string, body: object): Promise<Answer> {
  return askService<Answer>(home.files.home, `/v1/owner/${verb}`, { method: 'POST', body, door: 'owner', timeoutMs: patienceMs })
}

/** Exactly one of the five ways to say what is meant. */
function whatOf({ index, session, sender, olderThan, all }: EraseOptions): ErasedWhat {
  const said: ErasedWhat[] = [
    ...(index === undefined ? [] : [{ indices: [...index] }]),
    ...(session === undefined ? [] : [{ session }]),
    ...(sender === undefined ? [] : [{ sender }]),
    ...(olderThan === undefined ? [] : [{ before: olderThan }]),
    ...(all === true ? [{ all } as const] : []),
  ]
  const [what, ...others] = said
  if (what === undefined || others.length > 0)
    throw invalidOption('what to forget', 'one of --index, --session, --sender, --older-than or --all')
  return what
}

async function preview(selected: SelectedWords, { json }: EraseOptions): Promise<void> {
  if (json === true) return printData(`${JSON.stringify(selected)}\n`)
  if (selected.entries === 0) throw new SteleError('ERASURE_EMPTY')
  print(`${previewText(selected)}\nNothing was changed.`)
}

function previewText({ entries, bytes, types, first, last }: SelectedWords): string {
  const kinds = Object.entries(types).map(([type, count]) => `  ${String(count).padStart(8)}  ${type}`)
  return [
    `The words of ${entries} entries would go (${bytes} bytes), from ${first} to ${last}:`,
    ...kinds,
    'Headers, counts, verdicts and decisions stay, and so does the proof.',
  ].join('\n')
}

function erasedText({ erasure, entries, bytes, copies }: Erased, receipt: string | undefined): string {
  const { snapshots, putAside, exports, exportsMissing } = copies
  return [
    `Forgotten: the words of ${entries} entries (${bytes} bytes). No table, log or view of the home holds them any more.`,
    `Entry ${erasure} says so; headers, counts, verdicts and decisions stay, and so does the proof.`,
    `Copies that went or lost words: ${snapshots} snapshots, ${putAside} put aside, ${exports} exports.`,
    ...(exportsMissing === 0
      ? []
      : [`${exportsMissing} exports are no longer where they were written: what became of them is not covered.`]),
    receipt === undefined ? `\`stele prove ${erasure}\` gives the receipt.` : `The receipt is in ${receipt}`,
  ].join('\n')
}

function waitingText({ entries, due }: WaitingErasure): string {
  return [
    `Nobody confirmed it, so it waits until ${due}: then the words of ${entries} entries are forgotten.`,
    '`stele erase --cancel` calls it off; `stele status` shows what waits.',
  ].join('\n')
}

function writeReceipt(file: string, receipt: string): void {
  try {
    writeFileSync(file, receipt, { mode: 0o600 })
  } catch {
    // The erasure is done and cannot be undone: only its receipt is missing, and that can be had again.
    printError('stele: the receipt could not be written; `stele prove` gives it')
  }
}

function gathered(value: string, before: readonly number[] = []): readonly number[] {
  return [...before, wholeNumber('--index')(value)]
}
