// stele verify-proof: checks a receipt without the ledger.
import { existsSync, readFileSync } from 'node:fs'
import { SteleError } from '../foundation/stele-error.js'
import { terminalLine } from '../foundation/terminal-text.js'
import { readHome } from '../ledger/read-home.js'
import { parseVkey, type VerifierKey } from '../verify/verify-checkpoint.js'
import { type BesideReceipt, parseReceipt, type ReceiptVerdict, verifyProof } from '../verify/verify-proof.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { invalidOption } from './options.js'
import { print, printData, printStyled, styled } from './terminal.js'

interface VerifyProofOptions extends SharedOptions {
  readonly key?: string
  readonly entry?: string
}

export function verifyProofCommand() {
  return newCommand('verify-proof', 'check a receipt without the ledger', [
    'stele verify-proof receipt-42.txt --key "$(cat pinned.vkey)"',
    'stele verify-proof proof.txt --entry entry.json --key "$(cat pinned.vkey)"',
  ])
    .argument('<file>', 'the receipt')
    .option('--key <vkey>', 'the verifier key that you pinned (default: the one of your home)')
    .option('--entry <file>', 'the entry as an export line, for a receipt that does not carry it')
    .action(async (file: string, options: VerifyProofOptions) => {
      const key = options.key === undefined ? await ownKey(options) : parseVkey(options.key)
      const verdict = verifyProof(
        parseReceipt(readText(file, '<file>')),
        key,
        options.entry === undefined ? undefined : besideOf(options.entry),
      )
      if (!verdict.ok) process.exitCode = verdict.fault === 'entry_needed' ? 2 : 5
      if (options.json) await printData(`${JSON.stringify(verdict)}\n`)
      else printVerdict(verdict, options)
    })
}

async function ownKey(options: VerifyProofOptions): Promise<VerifierKey> {
  const home = homeOf(options)
  if (!existsSync(home.files.store))
    throw invalidOption('--key', 'the verifier key that you pinned; there is no home to take one from')
  const vkey = await readHome(home.files, async (reader) => String((await reader.entry(0)).payload['vkey']))
  return parseVkey(vkey)
}

function besideOf(file: string): BesideReceipt {
  try {
    const { raw, salt } = JSON.parse(readText(file, '--entry')) as { raw: { header: unknown; payload: unknown }; salt: unknown }
    if (typeof raw.header === 'string' && typeof raw.payload === 'string' && typeof salt === 'string') {
      return { header: raw.header, payload: raw.payload, salt }
    }
  } catch (error) {
    if (error instanceof SteleError) throw error
  }
  throw invalidOption('--entry', 'one line of an export')
}

function readText(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new SteleError('FILE_UNREADABLE', { option }, { cause })
  }
}

const faults: Readonly<Record<NonNullable<ReceiptVerdict['fault']>, string>> = {
  header_altered: 'the header is not what was written',
  payload_altered: 'the payload is not what the header commits to',
  index_differs: 'the receipt is for another index than its entry has',
  not_included: 'the proof does not lead to the signed root',
  checkpoint_forged: 'the signature of the checkpoint does not hold',
  key_unknown: 'the checkpoint is not signed by this key',
  entry_needed: 'the receipt does not carry its entry; give it with --entry',
}

function printVerdict({ ok, fault, index, size, origin, header, payload }: ReceiptVerdict, options: VerifyProofOptions): void {
  if (!ok) {
    printStyled(`${styled('red', fault ?? '')}  ${fault === null ? '' : faults[fault]}`)
    return
  }
  printStyled(`${styled('green', 'proved')}: entry ${index} of ${size} in ${styled('bold', origin)}`)
  if (options.key === undefined) print('The key was taken from the home: pin it with --key to know that it is yours.')
  if (!options.quiet) print(`${header?.time} ${terminalLine(header?.type ?? '')}\n${JSON.stringify(payload, null, 2)}`)
}
