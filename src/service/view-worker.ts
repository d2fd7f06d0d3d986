// The thread beside the service in which views are made and read: a scan in the service's own thread makes every hook ten times slower.
// It shares the service's ledger for reading, has the views to itself, and ends when it is told to.
import { parentPort, workerData } from 'node:worker_threads'
import { SteleError } from '../foundation/stele-error.js'
import { homeFiles, readDigestKey } from '../ledger/home-files.js'
import { openStore } from '../ledger/store.js'
import { openViewStore } from '../projections/view-store.js'
import { ViewDesk } from './view-desk.js'
import { viewOwner } from './view-owner.js'
import type { DeskQuestion } from './view-questions.js'

export interface ViewWorkerData {
  readonly steleViews: true
  readonly home: string
}

/** `let-go`, `go-on` and `end` are no questions: they are about the thread itself, and are answered as soon as they hold. */
export type ToWorker =
  | { readonly id: number; readonly question: DeskQuestion }
  | { readonly id: number; readonly order: 'let-go' | 'go-on' | 'end' }

export type FromWorker =
  | { readonly id: number; readonly progress: readonly [done: number, of: number] }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: { readonly code: string; readonly details: SteleError['details'] } | null }

/** Runs in the thread only. */
function runViewWorker(port: NonNullable<typeof parentPort>, { home }: ViewWorkerData): void {
  const files = homeFiles(home)
  const desk = new ViewDesk({
    openStore: () => openStore(files.store, { shared: true }),
    openViews: () => openViewStore(files.views, viewOwner()),
    digestKey: readDigestKey(files),
  })
  const send = (message: FromWorker): void => port.postMessage(message)
  const handle = async (message: ToWorker): Promise<unknown> => {
    if ('question' in message) return desk.answer(message.question, (done, of) => send({ id: message.id, progress: [done, of] }))
    if (message.order === 'let-go') return desk.letGo()
    if (message.order === 'go-on') return desk.goOn()
    await desk.close()
    port.close()
    return undefined
  }
  port.on('message', (message: ToWorker) => {
    handle(message).then(
      (answer) => send({ id: message.id, answer }),
      (error: unknown) => {
        const told = error instanceof SteleError ? { code: error.code, details: error.details } : null
        send({ id: message.id, error: told })
      },
    )
  })
}

const data = workerData as Partial<ViewWorkerData> | null
if (parentPort !== null && data?.steleViews === true) runViewWorker(parentPort, data as ViewWorkerData)
