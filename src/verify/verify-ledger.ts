// The whole verification of a store or an export, from the rows or lines to one report. It finds; it mends nothing.
import { type Finding, FindingList, type Note } from './findings.js'
import { type FoundCheckpoint, judgeCheckpoints, sizesOf, type Vouched } from './judge-checkpoints.js'
import { judgeHead, judgeMarks, type NamedMark } from './judge-head.js'
import { readExportLines } from './read-export.js'
import { readStoredMark } from './read-mark.js'
import { readSnapshot, type SnapshotRows } from './read-snapshot.js'
import { sameSum } from './session-index.js'
import { ChainCheck, type ChainPosition } from './verify-chain.js'
import { parseVkey, readCheckpoint } from './verify-checkpoint.js'

export type Assurance = 'none' | 'consistent' | 'signed' | 'anchored'

export interface VerifyReport {
  readonly ok: boolean
  readonly assurance: Assurance
  readonly size: number
  /** Hash of the last entry, 64 hex characters. */
  readonly head: string
  /** Root over all entries, 64 hex characters; empty where entries are missing. */
  readonly root: string
  readonly findings: readonly Finding[]
  readonly notes: readonly Note[]
  readonly checkpoints: {
    readonly checked: number
    readonly anchored: number
    readonly abandoned: number
    readonly anchoredSize: number
  }
  readonly erased: number
  readonly epoch: number
  readonly ms: number
  /** Findings and notes beyond those that are listed. */
  readonly leftOut: number
  /** Entries that were read this time: fewer than `size` where an earlier verification was gone on from. */
  readonly read: number
  /** The key came from the reader and not from the ledger. */
  readonly pinned: boolean
}

export interface VerifyOptions {
  /** A verifier key that the reader pinned. */
  readonly key?: string | undefined
  /** Notes that came from outside the home. */
  readonly outside?: readonly string[]
  /** Notes from a place that others write to as well, such as the system log. */
  readonly shared?: readonly string[]
  /** Payloads and words below this index are not judged. */
  readonly from?: number
  /** Where an earlier verification ended. */
  readonly position?: ChainPosition | undefined
  /** Told now and then how many entries have been read, of about how many (0: not known). */
  readonly onProgress?: (read: number, about: number) => void
}

export interface StoreToVerify {
  /** A copy or snapshot of a store that nobody else uses. */
  readonly store: string
  /** Bytes of each mark that was found, by name. */
  readonly marks: readonly { readonly name: string; readonly bytes: Buffer }[]
  /** The text of checkpoints.txt; empty where there is none. */
  readonly checkpointsText: string
}

export interface Verified {
  readonly report: VerifyReport
  /** Where a later verification can go on; only of a sound store. */
  readonly position: ChainPosition | undefined
}

export async function verifyStore(found: StoreToVerify, asked: VerifyOptions = {}): Promise<Verified> {
  const started = performance.now()
  const findings = new FindingList()
  const rows = await readSnapshot(found.store).catch(() => undefined)
  if (rows === undefined) {
    findings.add('store_unreadable', null, 'LevelDB cannot open the store')
    return { report: emptyReport(findings, started, asked), position: undefined }
  }
  try {
    const options = await withUsablePosition(asked, rows)
    const marks = found.marks.map(({ name, bytes }): NamedMark => ({ name, mark: readStoredMark(bytes) }))
    const all = [...rows.checkpoints, ...homeNotes(found.checkpointsText), ...outsideNotes(options)]
    const checkpoints = all.filter(({ note }) => !isBelow(note, options.position))
    const chain = newChain(findings, options, checkpoints, marks, rows.storedNode)
    let read = 0
    for await (const block of rows.blocks(options.position?.size ?? 0)) {
      for (const entry of block) chain.take(entry)
      read += block.length
      options.onProgress?.(read, rows.about)
    }
    const fitting = rootsBySize(checkpoints)
    chain.finish((hash, root) => rows.head.head === hash || (root !== undefined && fitting.get(chain.size)?.has(root) === true))
    if (rows.strangers() > 0)
      findings.add('store_unreadable', null, `${rows.strangers()} rows have keys that the format does not know`)
    judgeHead(rows.head, chain, findings)
    // The rows of a session are in order of sessions, so those of new entries alone cannot be had.
    if (findings.sound && options.position === undefined) await judgeSessionIndex(rows, chain, findings)
    const rolledBack = judgeMarks(marks, chain, findings)
    const vouched = judgeCheckpoints(checkpoints, chain, findings, rolledBack)
    return conclude(chain, findings, vouched, options, read, started)
  } finally {
    await rows.close()
  }
}

/**
 * A position helps only where the ledger still is what it was then, and nobody brings checkpoints that may be older;
 * else everything is read again.
 */
async function withUsablePosition(options: VerifyOptions, rows: SnapshotRows): Promise<VerifyOptions> {
  const { position, outside = [], shared = [] } = options
  if (position === undefined) return options
  if (outside.length + shared.length === 0 && (await rows.headerHash(position.size - 1)) === position.head) return options
  return { ...options, position: undefined }
}

/** Checkpoints that the earlier verification has judged already. */
function isBelow(note: string, position: ChainPosition | undefined): boolean {
  return position !== undefined && (readCheckpoint(note)?.size ?? position.size) < position.size
}

async function judgeSessionIndex(rows: SnapshotRows, chain: ChainCheck, findings: FindingList): Promise<void> {
  const stored = await rows.sessionSum().catch(() => undefined)
  if (stored === undefined) findings.add('store_unreadable', null, 'LevelDB cannot read the rows from sessions to entries')
  else if (!sameSum(chain.body.sessionSum, stored)) {
    findings.add('index_altered', null, 'the rows from sessions to entries are not those that the entries give')
  }
}

export async function verifyExport(file: string, options: VerifyOptions = {}): Promise<Verified> {
  const started = performance.now()
  const findings = new FindingList()
  const note = await lastNote(file)
  const checkpoints = [...(note === undefined ? [] : [{ note, from: 'home' as const }]), ...outsideNotes(options)]
  const chain = newChain(findings, options, checkpoints, [])
  let ending: 'checkpoint' | 'checkpoint_unreadable' | 'cut_off' = 'cut_off'
  let read = 0
  for await (const line of readExportLines(file)) {
    if (line.kind !== 'entry') {
      ending = line.kind
      continue
    }
    chain.take(line.entry)
    read += 1
    if (read % 1024 === 0) options.onProgress?.(read, 0)
  }
  const fitting = rootsBySize(checkpoints)
  chain.finish((_, root) => (root === undefined ? undefined : fitting.get(chain.size)?.has(root) === true))
  if (ending === 'cut_off' && !chain.stopped)
    findings.add('truncated', null, 'the export breaks off: it has no checkpoint at its end')
  if (ending === 'checkpoint_unreadable') findings.add('checkpoint_forged', null, 'the last line is no checkpoint')
  const vouched = judgeCheckpoints(checkpoints, chain, findings, 0)
  return conclude(chain, findings, vouched, options, read, started)
}

function newChain(
  findings: FindingList,
  options: VerifyOptions,
  checkpoints: readonly FoundCheckpoint[],
  marks: readonly NamedMark[],
  storedNode?: (level: number, position: number) => Buffer | undefined,
): ChainCheck {
  const wantedSizes = sizesOf(checkpoints)
  for (const { mark } of marks) if (mark !== undefined) wantedSizes.add(mark.size)
  const { position, from = 0 } = options
  if (from > 0) findings.note('started_late', from, `payloads and words below entry ${from} were not judged`)
  if (position !== undefined) {
    findings.note('started_late', position.size, `entries below ${position.size} were verified before and not read again`)
  }
  return new ChainCheck({
    findings,
    wantedSizes,
    judgeFrom: from,
    ...(storedNode === undefined ? {} : { storedNode }),
    ...(position === undefined ? {} : { position }),
  })
}

function conclude(
  chain: ChainCheck,
  findings: FindingList,
  vouched: Vouched,
  options: VerifyOptions,
  read: number,
  started: number,
): Verified {
  const pinned = options.key === undefined ? undefined : parseVkey(options.key)
  if (pinned !== undefined && !chain.body.keysUncertain && !chain.body.keys.knows(pinned.publicKey)) {
    findings.add('key_unknown', null, 'the pinned key was never in force in this ledger')
  }
  const covered = Math.max(vouched.coveredSize, options.position?.size ?? 0)
  if (findings.sound && vouched.coveredSize < chain.size) {
    findings.note('not_covered', covered, `entries from ${covered} on are not signed yet`)
  }
  const report: VerifyReport = {
    ok: findings.sound,
    assurance: assuranceOf(chain, findings, vouched),
    size: chain.size,
    head: chain.head,
    root: chain.root ?? '',
    findings: findings.findings,
    notes: findings.notes,
    checkpoints: {
      checked: vouched.checked,
      anchored: vouched.anchored,
      abandoned: vouched.abandoned,
      anchoredSize: vouched.anchoredSize,
    },
    erased: chain.body.erased,
    epoch: chain.epoch,
    ms: Math.round(performance.now() - started),
    leftOut: findings.leftOut,
    read,
    pinned: pinned !== undefined,
  }
  return {
    report,
    position: findings.sound && !findings.notes.some(({ code }) => code === 'words_withheld') ? chain.position() : undefined,
  }
}

/** docs/format.md: an assurance is said of the whole ledger, so the newest checkpoint must cover its last entry. */
function assuranceOf(chain: ChainCheck, findings: FindingList, vouched: Vouched): Assurance {
  if (!findings.sound) return 'none'
  if (chain.size === 0 || vouched.coveredSize < chain.size) return 'consistent'
  return vouched.anchored > 0 ? 'anchored' : 'signed'
}

function emptyReport(findings: FindingList, started: number, options: VerifyOptions): VerifyReport {
  return {
    ok: false,
    assurance: 'none',
    size: 0,
    head: '',
    root: '',
    findings: findings.findings,
    notes: findings.notes,
    checkpoints: { checked: 0, anchored: 0, abandoned: 0, anchoredSize: 0 },
    erased: 0,
    epoch: 0,
    ms: Math.round(performance.now() - started),
    leftOut: 0,
    read: 0,
    pinned: options.key !== undefined,
  }
}

/** The report on a store whose verifying process died over it. */
export function diedReport(startedMs: number, options: VerifyOptions): VerifyReport {
  const findings = new FindingList()
  findings.add('store_unreadable', null, 'reading the store killed the process that read it')
  return emptyReport(findings, startedMs, options)
}

/** Whole lines of checkpoints.txt. A line that is no JSON string is kept as it is: it will not read as a checkpoint. */
function homeNotes(text: string): FoundCheckpoint[] {
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line) => ({ note: jsonStringOr(line), from: 'home' }))
}

function outsideNotes({ outside = [], shared = [] }: VerifyOptions): FoundCheckpoint[] {
  return [
    ...outside.map((note): FoundCheckpoint => ({ note, from: 'outside' })),
    ...shared.map((note): FoundCheckpoint => ({ note, from: 'shared' })),
  ]
}

function jsonStringOr(line: string): string {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'string' ? value : line
  } catch {
    return line
  }
}

function rootsBySize(checkpoints: readonly FoundCheckpoint[]): Map<number, Set<string>> {
  const roots = new Map<number, Set<string>>()
  for (const { note } of checkpoints) {
    const checkpoint = readCheckpoint(note)
    if (checkpoint === undefined) continue
    roots.set(checkpoint.size, (roots.get(checkpoint.size) ?? new Set()).add(checkpoint.root))
  }
  return roots
}

/** The checkpoint stands at the end, and the sizes it speaks of are needed at the beginning: the file is read twice. */
async function lastNote(file: string): Promise<string | undefined> {
  let note: string | undefined
  for await (const line of readExportLines(file)) if (line.kind === 'checkpoint') note = line.note
  return note
}
