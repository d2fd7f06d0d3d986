// A receipt: proof that one entry is in the signed tree, in the C2SP tlog-proof form, for somebody who does not have the ledger.

import { readSalted } from '../events/entry.js'
import { canonicalJson } from '../foundation/canonical-json.js'
import { SteleError } from '../foundation/stele-error.js'
import { readCheckpointText } from './checkpoint.js'
import type { LedgerReader } from './ledger-reader.js'
import { inclusionProof } from './merkle.js'
import type { Store } from './store.js'

/** The text of a receipt under the newest checkpoint. Throws `ENTRY_UNKNOWN` for an entry that no checkpoint covers. */
export async function makeReceipt(store: Store, reader: LedgerReader, index: number): Promise<string> {
  const note = await reader.newestCheckpoint()
  const size = note === undefined ? 0 : (readCheckpointText(note)?.size ?? 0)
  if (note === undefined || index >= size) throw new SteleError('ENTRY_UNKNOWN', { index, covered: size })
  const { header, payload } = await reader.storedEntry(index)
  const { salt, text } = readSalted(payload)
  const extra = Buffer.from(canonicalJson({ header: Buffer.from(header).toString(), salt, payload: text })).toString('base64')
  const hashes = (await inclusionProof(store, index, size)).map((hash) => `${Buffer.from(hash).toString('base64')}\n`)
  return `c2sp.org/tlog-proof@v1\nextra ${extra}\nindex ${index}\n${hashes.join('')}\n${note}`
}
