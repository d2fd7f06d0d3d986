// stele report evidence --bundle: chosen entries in one file, each with its proof, with the signed head, the key, and the verifier itself, for
// somebody who has neither the ledger nor Stele. Entries stand as lines of an export, so that words which are forgotten later are forgotten
// here too, where the file is still where it was written.
import { createWriteStream, readFileSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readHeader } from '../events/entry.js'
import { SteleError } from '../foundation/stele-error.js'
import { exportLine, readErasures } from '../ledger/export.js'
import { ExportRegister, partialOf } from '../ledger/export-register.js'
import type { LedgerReader } from '../ledger/ledger-reader.js'
import { type AssertStillThere, readHome } from '../ledger/read-home.js'
import { makeReceipt } from '../ledger/receipt.js'
import type { Store } from '../ledger/store.js'
import { askViews } from '../service/views-of-home.js'
import { signedHead } from './checkpoint.js'
import { homeOf, type SharedOptions } from './command.js'
import { invalidOption } from './options.js'
import { programName } from './program-version.js'

export interface BundleOptions extends SharedOptions {
  readonly bundle: string
  readonly index?: readonly number[]
  readonly session?: string
  readonly since?: string
}

export interface WrittenBundle {
  readonly entries: number
  /** Entries under the head. */
  readonly size: number
  /** Verifies it, in a shell. */
  readonly command: string
}

/** Somebody reads it. Who wants more wants an export. */
const entriesMax = 20_000

/** Throws `OPTION_INVALID` where nothing, or too much, is chosen, `ENTRY_UNKNOWN`, `SESSION_UNKNOWN`, `FILE_UNWRITABLE`. */
export async function evidenceBundle(options: BundleOptions): Promise<WrittenBundle> {
  const { index = [], session, since } = options
  if (index.length === 0 && session === undefined && since === undefined)
    throw invalidOption('--bundle', 'together with --index, --session or --since: which entries to take')
  const { files } = homeOf(options)
  const handle = session === undefined ? undefined : await handleOf(session, options)
  const note = await signedHead(options)
  const size = Number(note.split('\n')[1])
  return readHome(files, async (reader, store, assertStillThere) => {
    const chosen = await chosenIn(reader, size, { index, handle, since })
    if (chosen.length === 0 || chosen.length > entriesMax)
      throw invalidOption('--bundle', `1 to ${entriesMax} entries; ${chosen.length} were chosen`)
    const out = resolve(options.bundle)
    const command = commandFor(options.bundle)
    new ExportRegister(files).remember(out)
    await writeWhole(bundleLines(reader, store, chosen, { size, note, command }), out, assertStillThere)
    return { entries: chosen.length, size, command }
  })
}

/** Reads the program out of the last line, and hands it the file. */
function commandFor(file: string): string {
  const program = "import json,sys;exec(json.loads(list(open(sys.argv[1],encoding='utf8'))[-1])['verifier'])"
  return `python3 -c "${program}" '${file.replaceAll("'", "'\\''")}'`
}

async function handleOf(session: string, options: SharedOptions): Promise<string> {
  const { parts } = await askViews(homeOf(options), { ask: 'view', name: 'sessions', session })
  const [handle] = Object.keys(parts)
  if (handle === undefined) throw new SteleError('SESSION_UNKNOWN')
  return handle
}

interface Chosen {
  readonly index: readonly number[]
  readonly handle: string | undefined
  readonly since: string | undefined
}

/** In order, each once. Of a time, from the newest entry back to the first that is older. */
async function chosenIn(reader: LedgerReader, size: number, { index, handle, since }: Chosen): Promise<number[]> {
  const chosen = new Set(index)
  for (const one of index) if (one >= size) throw new SteleError('ENTRY_UNKNOWN', { index: one, covered: size })
  if (handle !== undefined)
    for await (const { header } of reader.sessionEntries(handle)) if (header.index < size) chosen.add(header.index)
  for (let to = since === undefined ? 0 : size; to > 0; to -= pageEntries) {
    const page: [number, string][] = []
    for await (const stored of reader.storedEntries(Math.max(0, to - pageEntries), to))
      page.push([stored.index, readHeader(stored.header).time])
    const fresh = page.filter(([, time]) => time >= (since ?? ''))
    for (const [one] of fresh) chosen.add(one)
    if (fresh.length < page.length || chosen.size > entriesMax) break
  }
  return [...chosen].sort((one, other) => one - other)
}

const pageEntries = 256

interface Head {
  readonly size: number
  readonly note: string
  readonly command: string
}

async function* bundleLines(
  reader: LedgerReader,
  store: Store,
  chosen: readonly number[],
  { size, note, command }: Head,
): AsyncGenerator<string> {
  const erasedBy = await readErasures(reader, size)
  for (const index of chosen) {
    yield `${exportLine(await reader.storedEntry(index), erasedBy)}\n`
    yield `${JSON.stringify({ receipt: await makeReceipt(store, reader, index) })}\n`
  }
  const vkey = String((await reader.entry(0)).payload['vkey'])
  const about = { bundle: 1, entries: chosen.length, size, ledger: await reader.ledgerId(), vkey, checkpoint: note }
  yield `${JSON.stringify({ ...about, program: programName, run: command, verifier: verifierText() })}\n`
}

/** Both programs as one text: the bundle's, and the export's that it stands on, which goes by its own name. */
function verifierText(): string {
  const [ofExport, ofBundle] = ['verify_export.py', 'verify_bundle.py'].map((name) =>
    readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8'),
  )
  return [
    'import sys, types',
    'module = types.ModuleType("verify_export")',
    `exec(${JSON.stringify(ofExport)}, module.__dict__)`,
    'sys.modules["verify_export"] = module',
    ofBundle,
  ].join('\n')
}

/** The file is there whole, or as it was. Nothing that holds forgotten words stays. */
async function writeWhole(lines: AsyncIterable<string>, file: string, assertStillThere: AssertStillThere): Promise<void> {
  const partial = partialOf(file)
  try {
    await pipeline(Readable.from(lines), createWriteStream(partial, { mode: 0o600 }))
    assertStillThere()
    renameSync(partial, file)
  } catch (cause) {
    rmSync(partial, { force: true })
    throw cause instanceof SteleError ? cause : new SteleError('FILE_UNWRITABLE', { option: '--bundle' }, { cause })
  }
}
