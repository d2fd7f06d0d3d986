// stele verify: proves a home, a copy of one, or an export.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { SteleError } from '../foundation/stele-error.js'
import { terminalLine } from '../foundation/terminal-text.js'
import { checkpointOfLine } from '../ledger/checkpoint-lines.js'
import { verifyHome } from '../service/verify-home.js'
import { parseCheckpointFile, parseVkey } from '../verify/verify-checkpoint.js'
import { type VerifyReport, verifyExport } from '../verify/verify-ledger.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { collect, wholeNumber } from './options.js'
import { print, printData, printStyled, progressBar, styled } from './terminal.js'

interface VerifyCommandOptions extends SharedOptions {
  readonly key?: string
  readonly against?: readonly string[]
  readonly export?: string
  readonly from?: number
  readonly quick?: boolean
  readonly offline?: boolean
}

export function verifyCommand() {
  return newCommand('verify', 'prove the ledger, a copy of it, or an export', [
    'stele verify',
    'stele verify --key "$(cat pinned.vkey)" --against /mnt/elsewhere/checkpoints.txt',
    'stele verify --export ledger.jsonl --json',
    'stele verify --home /backup/stele --offline',
  ])
    .option('--key <vkey>', 'the verifier key that you pinned (printed by `stele init`)')
    .option('--against <file>', 'checkpoints kept outside the home, or `journal` for the system log; may be repeated', collect)
    .option('--export <file>', 'verify an export instead of the home')
    .option('--from <index>', 'do not judge payloads and words below this entry', wholeNumber('--from'))
    .option('--quick', 'go on from where the last sound verification ended')
    .option('--offline', 'the home is a copy: leave it as it is')
    .action(async (options: VerifyCommandOptions) => {
      const report = await verify(options)
      if (!report.ok) process.exitCode = 5
      if (options.json) await printData(`${JSON.stringify(report)}\n`)
      else printReport(report, options)
    })
}

async function verify(options: VerifyCommandOptions): Promise<VerifyReport> {
  const { key, from, quick = false, offline = false } = options
  if (key !== undefined) parseVkey(key)
  const sources = options.against ?? []
  const outside = sources.filter((source) => source !== 'journal').flatMap(outsideCheckpoints)
  const shared = sources.includes('journal') ? systemLogCheckpoints() : []
  const bar = progressBar('verifying', options.quiet === true || options.json === true)
  const onProgress = (read: number, about: number) => bar.update(read, about)
  const asked = { key, outside, shared, ...(from === undefined ? {} : { from }), onProgress }
  try {
    if (options.export !== undefined) return (await verifyExport(options.export, asked)).report
    return await verifyHome(homeOf(options), { ...asked, quick, offline })
  } finally {
    bar.stop()
  }
}

function outsideCheckpoints(source: string): string[] {
  let text: string
  try {
    text = readFileSync(source, 'utf8')
  } catch (cause) {
    throw new SteleError('FILE_UNREADABLE', { option: '--against' }, { cause })
  }
  return parseCheckpointFile(text)
}

/** What the system log holds under our tag; other lines that somebody wrote under it are not ours to judge. */
function systemLogCheckpoints(): string[] {
  const { status, stdout } = spawnSync('journalctl', ['-t', 'stele', '-o', 'cat', '--no-pager'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  if (status !== 0) throw new SteleError('FILE_UNREADABLE', { option: '--against journal' })
  const lines = stdout.split('\n').filter((line) => line.startsWith('"'))
  return lines.flatMap((line) => checkpointOfLine(line))
}

/** What an assurance is worth, in the words of docs/format.md. */
const worth = {
  none: 'Do not rely on this ledger before the findings are explained.',
  consistent:
    'Every entry fits the chain, and nobody outside vouches for it: against an agent that runs as the same user this proves nothing.',
  signed: 'It extends every checkpoint that was found. Whoever can read the signing key could have written it anew.',
  anchored: 'It extends a checkpoint that was kept outside: up to there nothing was changed since that copy was taken.',
} as const

function printReport(report: VerifyReport, options: VerifyCommandOptions): void {
  const { ok, size, epoch, assurance, checkpoints, erased, findings, notes, leftOut } = report
  const verdict = ok ? styled('green', 'sound') : styled('red', 'damaged')
  printStyled(`${verdict}: ${styled('bold', `${size} entries`)}, ${assurance}${epoch > 0 ? `, epoch ${epoch}` : ''}`)
  for (const { code, message } of findings) printStyled(`  ${styled('red', code)}  ${styled('dim', terminalLine(message))}`)
  for (const { code, message } of summed(notes))
    printStyled(`  ${styled('yellow', code)}  ${styled('dim', terminalLine(message))}`)
  if (leftOut > 0) print(`  and ${leftOut} more`)
  if (options.quiet) return
  if (report.head !== '') print(`head ${report.head}\nroot ${report.root}`)
  const abandoned = checkpoints.abandoned === 0 ? '' : `, ${checkpoints.abandoned} of an abandoned branch`
  const anchored =
    checkpoints.anchored === 0 ? '' : `, ${checkpoints.anchored} from outside up to size ${checkpoints.anchoredSize}`
  print(`${checkpoints.checked} checkpoints fit${anchored}${abandoned}; words of ${erased} entries are forgotten`)
  print(worth[assurance])
  if (ok && options.against !== undefined && checkpoints.anchored === 0)
    print('No checkpoint from outside speaks of this ledger.')
  if ((assurance === 'signed' || assurance === 'anchored') && !report.pinned) {
    print('The key was taken on trust from the ledger itself: pin it with --key to know that it is yours.')
  }
}

/** Many notes of one kind are one line for a person. */
function summed(notes: VerifyReport['notes']): { code: string; message: string }[] {
  const codes = [...new Set(notes.map(({ code }) => code))]
  return codes.map((code) => {
    const same = notes.filter((note) => note.code === code)
    const [first] = same
    return { code, message: same.length === 1 ? (first?.message ?? '') : `${same.length} times, first: ${first?.message}` }
  })
}
