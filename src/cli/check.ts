// stele check: what the provenance gate would say of a text, as an entry of a memory. A dry run: nothing is recorded.
import { readFileSync } from 'node:fs'
import { SteleError } from '../foundation/stele-error.js'
import type { CheckedClaim } from '../gates/provenance/check-text.js'
import { type JudgedClaim, judgeWrite } from '../gates/provenance/judge-write.js'
import { prepareEvidence } from '../gates/provenance/prepare-evidence.js'
import { reasonText } from '../reports/reason-words.js'
import { checkLines } from './check-lines.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { invalidOption } from './options.js'
import { print, printData, printStyled, styled } from './terminal.js'

interface CheckOptions extends SharedOptions {
  readonly session?: string
  readonly strict?: boolean
  readonly batch?: string
}

export function checkCommand() {
  return newCommand('check', 'say what the provenance gate would say of a text; nothing is recorded', [
    'stele check "User decided to ship on Friday."',
    'stele check "User decided to ship on Friday (\\"we ship on Friday\\")." --session 20261129_210901_59bcc3',
    'stele check - --strict < MEMORY.md',
    'stele check --batch - < claims.jsonl > verdicts.jsonl',
  ])
    .argument('[text]', 'the text, or - for standard input')
    .option('--session <id>', 'hold it against what was typed in this session: its handle, or the host’s own id')
    .option('--strict', 'exit code 1 where a claim is flagged')
    .option('--batch <file>', '- only: a JSON object a line on standard input, a verdict a line out; needs no home')
    .action(async (text: string | undefined, options: CheckOptions) => {
      const isFlagged = options.batch === undefined ? await checkOne(text, options) : await checkAll(text, options)
      if (isFlagged && options.strict) process.exitCode = 1
    })
}

async function checkAll(text: string | undefined, { batch, session }: CheckOptions): Promise<boolean> {
  if (batch !== '-') throw invalidOption('--batch', '-, for standard input')
  if (text !== undefined || session !== undefined) throw invalidOption('--batch', 'neither a text nor --session beside it')
  let isFlagged = false
  for await (const checked of checkLines(process.stdin)) {
    isFlagged ||= checked.some(({ verdict }) => verdict === 'flag')
    await printData(checked.map((one) => `${JSON.stringify(one)}\n`).join(''))
  }
  return isFlagged
}

/** As a line of a batch tells it, and what more there is to tell of a claim. */
interface ToldClaim extends CheckedClaim {
  readonly outcome: 'supported' | 'unsupported' | 'unchecked'
  readonly detail: string | null
  /** What the user typed that is nearest to a quote that backs nothing. */
  readonly nearest: string | null
  readonly rule: string
  readonly tier: number
}

async function checkOne(given: string | undefined, options: CheckOptions): Promise<boolean> {
  if (given === undefined) throw invalidOption('<text>', 'a text, or - for standard input')
  const text = given === '-' ? readInput() : given
  const home = homeOf(options)
  const { session } = options
  // What asks a home is loaded only where there is something to ask.
  const service = session === undefined ? undefined : await import('../service/said-in-session.js')
  const { said, judged } = (await service?.saidInSession(home, session ?? '', text)) ?? { said: saidNothing, judged: text }
  const { scope } = home.config.provenance
  const { claims, notChecked } = judgeWrite({ judged: [judged], stored: [], scope }, prepareEvidence({ ...said, stored: [] }))
  const told = claims.map(toldClaim)
  const isFlagged = told.some(({ verdict }) => verdict === 'flag')
  const verdict = told.length === 0 ? 'no_claim' : isFlagged ? 'flag' : 'pass'
  if (options.json) await printData(`${JSON.stringify({ verdict, claims: told, notChecked })}\n`)
  else printClaims(told, notChecked, options)
  return isFlagged
}

const saidNothing = { messages: [], profile: false, attestedOnly: false, unavailable: false }

function toldClaim({ claim, rule, tier, verdict: found }: JudgedClaim): ToldClaim {
  const { outcome, reason, detail, quote, matchedIn, message, nearest } = found
  const verdict = outcome === 'supported' ? 'pass' : 'flag'
  return { claim: claim ?? '', quote, verdict, reason, matchedIn, message, outcome, detail, nearest, rule, tier }
}

const places: Readonly<Record<string, string>> = {
  'this-session': 'this session',
  profile: 'another session',
  'stored-text': 'the stored text',
}

function printClaims(claims: readonly ToldClaim[], notChecked: number, { quiet, session }: CheckOptions): void {
  if (claims.length === 0) print('No claim that the user decided anything.')
  for (const { claim, quote, verdict, reason, detail, nearest, matchedIn, message, outcome } of claims) {
    const [word, colour] =
      verdict === 'pass' ? (['pass', 'green'] as const) : ([outcome === 'unchecked' ? 'flag?' : 'flag', 'red'] as const)
    printStyled(`${styled(colour, word.padEnd(6))}${styled('bold', oneLine(claim === '' ? '(the whole text)' : claim))}`)
    if (reason !== null) print(`      why      ${reason}: ${reasonText(reason, detail)}`)
    if (quote !== null) print(`      quote    ${oneLine(quote)}`)
    if (nearest !== null) print(`      nearest  ${oneLine(nearest)}`)
    if (matchedIn !== null)
      print(`      found    in ${places[matchedIn] ?? matchedIn}${message === null ? '' : `, entry ${message}`}`)
  }
  if (notChecked > 0)
    print(
      `${notChecked} more ${notChecked === 1 ? 'sentence' : 'sentences'} may tell of a decision in a language that is not checked.`,
    )
  if (claims.length > 0 && session === undefined && quiet !== true)
    print('Held against nothing that was typed: name a session with --session.')
}

function oneLine(text: string): string {
  return text.replaceAll('\n', '\\n')
}

function readInput(): string {
  try {
    return readFileSync(0, 'utf8')
  } catch (cause) {
    throw new SteleError('FILE_UNREADABLE', { option: '<text>' }, { cause })
  }
}
