// Asks about the views of a home: its service where one runs, else in this process, on a snapshot. Both ways give the same answer.
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode } from '../foundation/stele-error.js'
import { askService } from './ask-service.js'
import type { Home } from './open-home.js'
import type { DeskAnswer, DeskProgress, SearchAnswer, SearchQuestion, ViewQuestion, ViewsState } from './view-questions.js'

export type AskedOfViewsOfHome =
  | ViewQuestion
  | SearchQuestion
  | { readonly ask: 'state' }
  | { readonly ask: 'rebuild'; readonly name?: string | undefined }

const patienceMs = 10 * 60 * 1000

/** Throws `HOME_MISSING`, `VIEW_UNKNOWN`, `SESSION_UNKNOWN`, and what reading a ledger throws. */
export async function askViews<Question extends AskedOfViewsOfHome>(
  home: Home,
  question: Question,
  onProgress: DeskProgress = () => {},
): Promise<DeskAnswer<Question>> {
  try {
    return answerOf(question, await watching(home, question, onProgress, askService(home.files.home, ...requestOf(question))))
  } catch (error) {
    if (!hasCode(error, 'SERVICE_UNREACHABLE')) throw error
  }
  // Loaded here alone: beside a service none of it is needed.
  const { answerAlone } = await import('./answer-alone.js')
  return answerAlone(home, question, onProgress)
}

const lookMs = 500

/** A service answers once; how far it has come meanwhile is asked beside that. */
async function watching(
  home: Home,
  { ask }: AskedOfViewsOfHome,
  onProgress: DeskProgress,
  answer: Promise<unknown>,
): Promise<unknown> {
  if (ask !== 'rebuild') return answer
  let isAnswered = false
  const answered = answer.finally(() => {
    isAnswered = true
  })
  const look = async (): Promise<void> => {
    while (!isAnswered) {
      await Promise.race([sleep(lookMs, undefined, { ref: false }), answered])
      if (isAnswered) return
      const { size, views } = await askService<ViewsState>(home.files.home, '/v1/views')
      if (!isAnswered) onProgress(Math.min(...views.map(({ position }) => position)), size)
    }
  }
  // What the answer itself has to say is said by the answer.
  look().catch(() => {})
  return answered
}

/** Over HTTP the entries that were found are JSON themselves. */
function answerOf<Question extends AskedOfViewsOfHome>({ ask }: Question, told: unknown): DeskAnswer<Question> {
  if (ask !== 'search') return told as DeskAnswer<Question>
  const { entries, below } = told as { entries: unknown[]; below: number | null }
  const answer: SearchAnswer = { lines: entries.map((entry) => JSON.stringify(entry)), below }
  return answer as DeskAnswer<Question>
}

function requestOf(
  question: AskedOfViewsOfHome,
): [path: string, options: { method: 'GET' | 'POST'; body?: object; timeoutMs: number }] {
  const reading = { method: 'GET', timeoutMs: patienceMs } as const
  switch (question.ask) {
    case 'state':
      return ['/v1/views', reading]
    case 'rebuild':
      return ['/v1/views/rebuild', { method: 'POST', body: nameOf(question), timeoutMs: patienceMs }]
    case 'search': {
      const { ask: _, ...query } = question
      return [`/v1/search?${queryOf(query)}`, reading]
    }
    case 'view': {
      const { ask: _, name, ...query } = question
      return [`/v1/views/${encodeURIComponent(name)}?${queryOf(query)}`, reading]
    }
  }
}

const nameOf = ({ name }: { readonly name?: string | undefined }): object => (name === undefined ? {} : { name })

function queryOf(query: Readonly<Record<string, string | number | undefined>>): string {
  const said = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return new URLSearchParams(Object.fromEntries(said)).toString()
}
