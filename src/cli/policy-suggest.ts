// stele policy suggest: an allowlist distilled from what was used, with what speaks for each line as a comment. It is printed or written to a
// file of its own; nothing is in force by it.
import type { Command } from 'commander'
import { readHome } from '../ledger/read-home.js'
import { policyInWords } from '../reports/policy-in-words.js'
import { suggestAllowlist } from '../reports/suggest-allowlist.js'
import { allowlistBytesMax } from '../service/allowlist-file.js'
import { pathStyle, homeOf as userHomeOf } from '../service/policy-file.js'
import { readUsedCalls } from '../service/used-calls-of-ledger.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { timeSince } from './options.js'
import { grantedInReview } from './review-inbox.js'
import { print, printData, printError, progressBar } from './terminal.js'
import { writeOut } from './write-out.js'

interface SuggestOptions extends SharedOptions {
  readonly since?: string
  readonly out?: string
  readonly skill?: string
  readonly reviewed?: boolean
}

/** Stands under the command `policy`. */
export function policySuggestCommand(): Command {
  return newCommand('suggest', 'distil an allowlist from what was used; nothing is in force by it', [
    'stele policy suggest --since 30d --out allowlist.suggested.yaml',
    'stele policy suggest --skill note-taker',
    'stele policy suggest --reviewed --out allowlist.reviewed.yaml',
  ])
    .option('--since <time>', 'ISO 8601, or a span such as 30d or 2h', timeSince('--since'))
    .option('--skill <name>', 'only calls of this skill; `*` for those of a host that names none')
    .option('--reviewed', 'only calls of which you said in `stele review` that they should be granted')
    .option('--out <file>', 'write to a file instead of standard output')
    .action(async (options: SuggestOptions) => {
      const reviewed = options.reviewed === true ? await grantedInReview(homeOf(options)) : undefined
      const { text, granted, marked, leftOut } = await suggestion(options, reviewed)
      if (options.out === undefined) await printData(text)
      else await writeOut(text, options.out)
      if (options.json === true && options.out !== undefined) await printData(`${JSON.stringify({ granted, marked, leftOut })}\n`)
      else if (options.out !== undefined && options.quiet !== true)
        print(`Wrote ${options.out}: ${told(granted, marked, leftOut)}`)
      else if (options.quiet !== true) printError(told(granted, marked, leftOut))
      const bytes = Buffer.byteLength(text)
      if (bytes > allowlistBytesMax)
        printError(
          `It has ${bytes} bytes, and no allowlist of more than ${allowlistBytesMax} is read: take out lines, or ask for one --skill.`,
        )
    })
}

function told(granted: number, marked: number, leftOut: number): string {
  return `${granted} ${granted === 1 ? 'line' : 'lines'}, ${marked} marked for a second look; ${leftOut} left out.`
}

/** `decided` are `gate.decided`, by index: only the calls that they are about. */
export async function suggestion(options: SuggestOptions, decided?: readonly number[]) {
  const { since, skill } = options
  const bar = progressBar('reading', options.quiet === true)
  try {
    const { ledger, size, used } = await readHome(homeOf(options).files, (reader) =>
      readUsedCalls(reader, (done, of) => bar.update(done, of)),
    )
    const policy = used.policy === null ? undefined : policyInWords(used.policy.text)
    const wanted = decided?.flatMap((index) => used.callOf.get(index) ?? [])
    return suggestAllowlist([...used.calls.values()], {
      ...{ ledger, size, policy, home: userHomeOf(process.env), hermesHome: process.env['HERMES_HOME'] || undefined },
      style: policy?.pathStyle ?? pathStyle,
      ...(since === undefined ? {} : { since }),
      ...(skill === undefined ? {} : { skill }),
      ...(wanted === undefined ? {} : { wanted: new Set(wanted) }),
    })
  } finally {
    bar.stop()
  }
}
