// A process that clears the words of entries from a store and kills itself without a warning where it is told to.
// Arguments: folder of the store, first and last entry, the step (`readers`, `tombstones`, `compaction`, `scan`), milliseconds after it.
import { clearRows } from '../../src/ledger/clear-rows.js'
import { openStore } from '../../src/ledger/store.js'
import { wantedRows } from '../../src/ledger/wanted-rows.js'

const [, , folder = '', first = '', last = '', dieAt = '', afterMs = ''] = process.argv
const store = await openStore(folder)
const die = (): void => {
  process.kill(process.pid, 'SIGKILL')
}
await clearRows(store, folder, wantedRows([[Number(first), Number(last)]], []), {
  onStep: ({ step }) => {
    if (step !== dieAt) return
    if (afterMs === '0') die()
    else setTimeout(die, Number(afterMs))
  },
})
// So quick that it was done before: as good an end as any.
die()
