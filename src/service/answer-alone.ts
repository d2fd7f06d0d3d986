// Answers a question about views in this process, where no service runs: on a snapshot that is removed afterwards.
import { readDigestKey } from '../ledger/home-files.js'
import { takeSnapshotOfHome } from '../ledger/read-home.js'
import { openStore } from '../ledger/store.js'
import { openViewStore } from '../projections/view-store.js'
import type { Home } from './open-home.js'
import { ViewDesk } from './view-desk.js'
import { viewOwner } from './view-owner.js'
import type { DeskAnswer, DeskProgress, DeskQuestion } from './view-questions.js'

/** Throws `HOME_MISSING`, what the desk throws, and what reading a ledger throws. */
export async function answerAlone<Question extends DeskQuestion>(
  { files }: Home,
  question: Question,
  onProgress: DeskProgress,
): Promise<DeskAnswer<Question>> {
  const snapshot = await takeSnapshotOfHome(files)
  try {
    const desk = new ViewDesk({
      openStore: () => openStore(snapshot.store),
      openViews: () => openViewStore(files.views, viewOwner()),
      digestKey: readDigestKey(files),
    })
    try {
      return await desk.answer(question, onProgress)
    } finally {
      await desk.close()
    }
  } finally {
    snapshot.remove()
  }
}
