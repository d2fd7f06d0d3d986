// Flips single bits in the files of a real store, one copy a flip, and verifies each copy in a child process.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { homeFiles } from '../../src/ledger/home-files.js'
import { createLedger, type LedgerSettings, openLedger } from '../../src/ledger/open-ledger.js'
import { systemWorld } from '../../src/ledger/system-world.js'
import { verifyInChild } from '../../src/verify/verify-in-child.js'
import type { VerifyReport } from '../../src/verify/verify-ledger.js'
import { asRedacted } from '../support/as-redacted.js'
import { makeRandom, type Random } from '../support/seeded-random.js'

export interface FileFlips {
  readonly cases: number
  readonly found: number
  /** The flip is in bytes that no reader returns: everything was read back as it was written. */
  readonly unread: number
  /** The reader died of it, which is a finding too. */
  readonly died: number
  readonly wrong: readonly string[]
}

const settings: LedgerSettings = {
  origin: 'stele.local',
  anchors: [],
  markMirror: undefined,
  world: systemWorld(),
  program: 'flips',
}

export async function runFileFlips(seed: number, cases: number): Promise<FileFlips> {
  const random = makeRandom(seed)
  const folder = mkdtempSync(join(tmpdir(), 'stele-flips-'))
  const wrong: string[] = []
  let found = 0
  let unread = 0
  let died = 0
  try {
    const files = await makeHome(join(folder, 'home'))
    const marks = [{ name: 'high-water', bytes: readFileSync(files.highWater) }]
    const checkpointsText = readFileSync(files.checkpoints, 'utf8')
    const verify = (store: string) => verifyInChild({ store, marks, checkpointsText })
    const whole = await verifyCopy(files.store, join(folder, 'whole'), verify, () => 'nothing')
    if (!whole.report.ok) wrong.push(`the untouched store has findings: ${whole.report.findings[0]?.code}`)
    for (let at = 0; at < cases; at += 1) {
      const { report, deed } = await verifyCopy(files.store, join(folder, 'copy'), verify, (copy) => flipOne(copy, random))
      if (!report.ok) found += 1
      else if (report.size === whole.report.size && report.root === whole.report.root) unread += 1
      else wrong.push(`${deed}: called sound with ${report.size} of ${whole.report.size} entries`)
      if (report.findings.some(({ message }) => message.includes('killed the process'))) died += 1
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { cases, found, unread, died, wrong }
}

async function verifyCopy(
  from: string,
  copy: string,
  verify: (store: string) => Promise<{ report: VerifyReport }>,
  bend: (copy: string) => string,
): Promise<{ report: VerifyReport; deed: string }> {
  cpSync(from, copy, { recursive: true })
  try {
    const deed = bend(copy)
    return { report: (await verify(copy)).report, deed }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Tables from earlier lives, and a log that was not compacted yet. */
async function makeHome(home: string) {
  const files = homeFiles(home)
  await (await createLedger(files, settings)).ledger.close()
  for (let life = 0; life < 3; life += 1) {
    const ledger = await openLedger(files, settings)
    const handle = await ledger.sessionHandle('flips')
    for (let at = 0; at < 60; at += 1) {
      const text = `life ${life} message ${at} ${'words '.repeat(at % 40)}`
      const facts = {
        turn: 1,
        platform: 'cli',
        characters: text.length,
        digest: ledger.digest('text', text),
        source: 'unattested' as const,
      }
      await ledger.append([asRedacted({ type: 'message.captured', session: handle, facts, words: { text } })])
    }
    await ledger.close()
  }
  return files
}

function flipOne(store: string, random: Random): string {
  const names = readdirSync(store).filter((name) => /\.(ldb|log)$|^(CURRENT|MANIFEST-.*)$/.test(name))
  const filled = names.filter((name) => readFileSync(join(store, name)).length > 0)
  const name = random.pick(filled)
  const bytes = readFileSync(join(store, name))
  const at = random.int(bytes.length)
  const bit = random.int(8)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
  writeFileSync(join(store, name), bytes)
  return `bit ${bit} of byte ${at} of ${name}`
}
