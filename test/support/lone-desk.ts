// A desk over a temporary home whose ledger is open in the same process.
import { type HomeFiles, readDigestKey } from '../../src/ledger/home-files.js'
import { openStore } from '../../src/ledger/store.js'
import { openViewStore } from '../../src/projections/view-store.js'
import { ViewDesk, type ViewDeskOptions } from '../../src/service/view-desk.js'

/** How the views of a home are opened by somebody who finds them with another. */
export const lockedViews = (files: HomeFiles) => () => openViewStore(files.views, { name: 'another', isAlive: () => true })

export function loneDesk(files: HomeFiles, more: Partial<ViewDeskOptions> = {}): ViewDesk {
  return new ViewDesk({
    openStore: () => openStore(files.store, { shared: true }),
    openViews: () => openViewStore(files.views, { name: 'this test', isAlive: () => false }),
    digestKey: readDigestKey(files),
    ...more,
  })
}
