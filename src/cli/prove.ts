// stele prove: a receipt for one entry, which anyone can check without the ledger.
import { hasCode } from '../foundation/stele-error.js'
import { readHome } from '../ledger/read-home.js'
import { makeReceipt } from '../ledger/receipt.js'
import { signedHead, writeOut } from './checkpoint.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { wholeNumber } from './options.js'
import { print, printData } from './terminal.js'

interface ProveOptions extends SharedOptions {
  readonly out?: string
}

export function proveCommand() {
  return newCommand('prove', 'a receipt (C2SP tlog-proof) for one entry', [
    'stele prove 42',
    'stele prove 42 --out receipt-42.txt',
  ])
    .argument('<index>', 'index of the entry', wholeNumber('<index>'))
    .option('--out <file>', 'write it to a file')
    .action(async (index: number, options: ProveOptions) => {
      const receipt = await receiptOf(index, options)
      if (options.out !== undefined) writeOut(options.out, receipt)
      if (options.json) await printData(`${JSON.stringify({ index, receipt })}\n`)
      else if (options.out === undefined) await printData(receipt)
      else print(`Wrote the receipt of entry ${index} to ${options.out}`)
    })
}

async function receiptOf(index: number, options: ProveOptions): Promise<string> {
  const make = () => readHome(homeOf(options).files, (reader, store) => makeReceipt(store, reader, index))
  try {
    return await make()
  } catch (error) {
    // The newest checkpoint may be older than the entry: sign the head, and try once more.
    if (!hasCode(error, 'ENTRY_UNKNOWN')) throw error
    await signedHead(options)
    return make()
  }
}
