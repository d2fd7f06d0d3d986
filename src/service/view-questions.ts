// What can be asked about views and words, and what comes back: plain JSON, since it goes between threads and over sockets.

import type { IndexPairs } from '../foundation/index-pairs.js'
import type { LeftRows } from '../ledger/left-rows.js'
import type { WantedRows } from '../ledger/wanted-rows.js'
import type { SelectedWords, WordsSelection } from '../ledger/words-selection.js'
import type { ViewState } from '../projections/projection-runner.js'

export interface ViewQuestion {
  readonly ask: 'view'
  readonly name: string
  /** As it stood when the ledger had so many entries, or after the last entry that is no later than a time. */
  readonly asOf?: number | string | undefined
  /** One session alone: its handle, or the host's own id. */
  readonly session?: string | undefined
  /** Parts in which nothing happened since this time are left out. */
  readonly since?: string | undefined
  /** Of what the view lists, so many come with their words, newest first, of each kind. */
  readonly listed?: number | undefined
}

/** As many come with their words at once. */
export const listedMax = 1000

export interface SearchQuestion {
  readonly ask: 'search'
  /** An entry must hold all of them; empty where fields alone are asked for. */
  readonly words: string
  /** As `search-fields.ts` reads them: `name:value`, a line each. */
  readonly fields?: string | undefined
  readonly limit: number
  /** Only entries below this index. */
  readonly below?: number | undefined
  readonly since?: string | undefined
}

export type DeskQuestion =
  | { readonly ask: 'catch-up' }
  | { readonly ask: 'state' }
  | { readonly ask: 'rebuild'; readonly name?: string | undefined }
  | ViewQuestion
  | SearchQuestion
  | { readonly ask: 'select'; readonly selection: WordsSelection }
  | { readonly ask: 'forget-terms'; readonly ranges: IndexPairs }
  | { readonly ask: 'left-rows'; readonly folder: string; readonly wanted: WantedRows }

export interface ViewAnswer {
  readonly name: string
  readonly ledger: string
  /** Entries that are in it. */
  readonly size: number
  /** Time of the last of them. */
  readonly time: string
  readonly parts: Readonly<Record<string, unknown>>
  /** Of sessions, the host's ids by handle; null where it is forgotten, or was never known. */
  readonly names?: Readonly<Record<string, string | null>>
  /** Of grants, where the policy stands that was in force last, whenever that was; null where none was. Its words are among them. */
  readonly policy?: number | null
  /** The words of what is listed, by the index of its entry; null where they are forgotten. */
  readonly words?: Readonly<Record<number, Readonly<Record<string, unknown>> | null>>
}

export interface SearchAnswer {
  /** Lines of an export, newest first. */
  readonly lines: readonly string[]
  /** Below which to go on, also where nothing was found yet; null where nothing older is left. */
  readonly below: number | null
}

export interface CaughtUp {
  /** False where it was stopped, or where there are no views to keep. */
  readonly done: boolean
  readonly size: number
}

export interface ViewsState {
  readonly size: number
  readonly views: readonly ViewState[]
}

interface Answers {
  readonly 'catch-up': CaughtUp
  readonly state: ViewsState
  readonly rebuild: CaughtUp
  readonly view: ViewAnswer
  readonly search: SearchAnswer
  readonly select: SelectedWords
  readonly 'forget-terms': { readonly rows: number }
  readonly 'left-rows': LeftRows
}

export type DeskAnswer<Question extends DeskQuestion> = Answers[Question['ask']]

/** A time as entries say it, so that the two can be compared as texts. */
export function wholeTime(time: string): string {
  return new Date(time).toISOString()
}

export type DeskProgress = (done: number, of: number) => void
