// An item of the review inbox for a person: what would have happened, how often, and why it was flagged. Everything in it may be anybody's
// words, so each part is one line on which nothing hides or steers the terminal.
import type { ReviewLabel } from '../projections/inbox.js'
import type { ReviewExample, ReviewInbox, ReviewItem } from '../reports/review-items.js'
import { shownText } from '../reports/shown-text.js'

export const labelWords: Readonly<Record<ReviewLabel, string>> = {
  grant: 'should be granted',
  refuse: 'rightly flagged',
  false_alarm: 'a false alarm',
}

const entriesShown = 8
const whatMax = 160
const textMax = 300

/** Lines of one item, without its place in the inbox. */
export function reviewItemLines({
  id,
  what,
  why,
  count,
  enforced,
  sessions,
  first,
  last,
  entries,
  ...item
}: ReviewItem): string[] {
  const { gate, code, rule, tool, of } = item
  const held = enforced === 0 ? 'the host was held to none' : `the host was held to ${enforced}`
  const names = [gate, code, ...(rule === '' ? [] : [rule]), ...(tool === '' ? [] : [tool]), of === '' ? '*' : of]
  return [
    shownText(what, whatMax),
    `  ${names.map((name) => shownText(name)).join(' · ')}: ${shownText(why)}`,
    `  ${times(count)} in ${sessions} ${sessions === 1 ? 'session' : 'sessions'}, ${spanOf(first, last)}; ${held}`,
    `  ${entries.length === 1 ? 'entry' : 'entries'} ${entriesText(entries)}   item ${id}`,
  ]
}

/** The newest that differ, with what the gate said to each. */
export function exampleLines(examples: readonly ReviewExample[]): string[] {
  return examples.flatMap(({ index, time, session, text, said, quote, nearest }) => [
    `  entry ${index}  ${time}  ${session === '' ? 'no session' : session}`,
    `    ${shownText(text, textMax)}`,
    ...(said === null ? [] : [`    said: ${shownText(said, textMax)}`]),
    ...(quote === null ? [] : [`    quote: ${shownText(quote, textMax)}`]),
    ...(nearest === null ? [] : [`    nearest that was typed: ${shownText(nearest, textMax)}`]),
  ])
}

/** What else there is, in a line each. */
export function besideLines({ later, forgotten, beyond, withoutPolicy }: Omit<ReviewInbox, 'items'>): string[] {
  return [
    ...(later === 0 ? [] : [`${entriesOf(later)} more come when these are answered.`]),
    ...(forgotten === 0 ? [] : [`${entriesOf(forgotten)} cannot be ruled on: their words are forgotten.`]),
    ...(beyond === 0
      ? []
      : [`${entriesOf(beyond)} are counted and not asked about: of one day and cause the newest are listed.`]),
    ...(withoutPolicy === 0
      ? []
      : [`${entriesOf(withoutPolicy)} were judged while no allowlist was in force: see \`stele policy suggest\`.`]),
  ]
}

function entriesOf(count: number): string {
  return `${count} flagged ${count === 1 ? 'entry' : 'entries'}`
}

export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function spanOf(first: string, last: string): string {
  const [from, to] = [first, last].map((time) => `${time.slice(0, 16)}Z`)
  return from === to ? `${from}` : `${from} to ${to}`
}

function entriesText(entries: readonly number[]): string {
  const shown = entries.slice(-entriesShown).join(' ')
  return entries.length > entriesShown ? `… ${shown}` : shown
}
