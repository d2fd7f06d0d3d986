// The review inbox of a home, as commands read it: from its service where one runs, else from the files.
import { answersThatHold, type InboxDay } from '../projections/inbox.js'
import { type InboxAsked, type ReviewInbox, reviewInbox } from '../reports/review-items.js'
import type { Home } from '../service/open-home.js'
import { listedMax, type ViewAnswer } from '../service/view-questions.js'
import { askViews } from '../service/views-of-home.js'
import { progressBar } from './terminal.js'

/** Throws `HOME_MISSING`, and what reading a ledger throws. */
export async function readReviewInbox(home: Home, asked: InboxAsked, quiet: boolean): Promise<ReviewInbox> {
  const { since } = asked
  const answer = await askInbox(home, { since, listed: listedMax }, quiet)
  const words = new Map(Object.entries(answer.words ?? {}).map(([index, of]) => [Number(index), of] as const))
  return reviewInbox(daysOf(answer), words, asked)
}

/** The decisions of which the owner says that they should have let the call through: by index, ascending. */
export async function grantedInReview(home: Home): Promise<readonly number[]> {
  const holds = answersThatHold(daysOf(await askInbox(home, {}, true)))
  return [...holds].flatMap(([index, { label }]) => (label === 'grant' ? [index] : [])).sort((one, other) => one - other)
}

async function askInbox(home: Home, more: { since?: string | undefined; listed?: number }, quiet: boolean): Promise<ViewAnswer> {
  const bar = progressBar('reading', quiet)
  try {
    return await askViews(home, { ask: 'view', name: 'inbox', ...more }, (done, of) => bar.update(done, of))
  } finally {
    bar.stop()
  }
}

function daysOf({ parts }: ViewAnswer): ReadonlyMap<string, InboxDay> {
  return new Map(Object.entries(parts) as [string, InboxDay][])
}
