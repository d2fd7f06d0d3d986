// A process that forgets a session and is killed at a step: `killed-eraser.ts <home> <step> <session, or nothing to go on>`.
// The steps are those of `Forgetting`, and `scanning`: in the middle of `rows`, when everything is compacted and nobody has looked yet.
import { readDigestKey } from '../../src/ledger/home-files.js'
import { openStore } from '../../src/ledger/store.js'
import { openViewStore } from '../../src/projections/view-store.js'
import { Forgetting } from '../../src/service/forgetting.js'
import { findHome, openHome } from '../../src/service/open-home.js'
import { selectionOf } from '../../src/service/owner-routes.js'
import { ViewDesk } from '../../src/service/view-desk.js'
import { viewOwner } from '../../src/service/view-owner.js'

const [folder = '', killAt = '', session] = process.argv.slice(2)

const die = (at: string): void => {
  if (at === killAt) process.kill(process.pid, 'SIGKILL')
}

const home = findHome(folder, {})
const ledger = await openHome(home, 'stele test')
const desk = new ViewDesk({
  openStore: () => openStore(home.files.store, { shared: true }),
  openViews: () => openViewStore(home.files.views, viewOwner()),
  digestKey: readDigestKey(home.files),
})
const forgetting = new Forgetting({
  files: home.files,
  ledger: async () => ledger,
  ask: (question) => {
    if (question.ask === 'left-rows') die('scanning')
    return desk.answer(question)
  },
  apart: async (task) => {
    await desk.letGo()
    try {
      return await task()
    } finally {
      desk.goOn()
    }
  },
  takeSpool: async () => {},
  forgetSessions: () => {},
  readersWaitMs: 200,
  now: () => Date.now(),
  onStep: die,
})
if (session === undefined) {
  await forgetting.look()
} else {
  const selection = await selectionOf({ session }, (one) => ledger.knownSession(one))
  await forgetting.ask({ selection, by: 'owner', reason: 'the user asked', confirmed: true })
}
// It came through: then there was nothing to be killed at.
await desk.close()
await ledger.close()
