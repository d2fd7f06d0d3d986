// What it costs to look up the quotes of a write in much that was typed: a hundred claims, each with a quote, against 15 MB of messages of
// other sessions in profile search, beside a hundred plain searches over the same text in the same run. An index of words narrows the
// messages, as the views do; the index stands in memory here, so what it costs to read it from a disk is not in the figure. What it costs
// without any index is told beside it.
import { type Claim, type EvidenceVerdict, judgeClaims } from '../src/gates/provenance/evidence-rule.js'
import { prepareEvidence } from '../src/gates/provenance/prepare-evidence.js'
import type { EvidenceMessage } from '../src/gates/provenance/typed-messages.js'
import { searchTermsOf } from '../src/projections/search-terms.js'
import { makeRandom, type Random } from '../test/support/seeded-random.js'
import { type Measured, plain, ratio, rounds } from './measured.js'

const claims = 100
/** One quote in so many was never typed, so that it is looked for to the end. */
const untypedEvery = 4

export function measureClaims(bytes: number): Measured[] {
  return [...measure('English', englishWord, ' ', bytes), ...measure('Chinese', chineseWord, '', bytes)]
}

function measure(name: string, word: (random: Random) => string, blank: string, bytes: number): Measured[] {
  const random = makeRandom(15)
  const texts: string[] = []
  for (let size = 0; size < bytes; size += Buffer.byteLength(texts.at(-1) ?? '')) {
    texts.push(Array.from({ length: 10 + random.int(140) }, () => word(random)).join(blank))
  }
  const quotes = Array.from({ length: claims }, (_, at) => {
    const words = random.pick(texts).split(blank)
    const from = random.int(Math.max(words.length - 10, 1))
    const quote = words.slice(from, from + 10).join(blank)
    return at % untypedEvery === 0 ? `${quote}${blank}${word(random)}${blank}${word(random)}` : quote
  })
  const given = quotes.map(
    (quote): Claim => ({ quotes: [{ text: quote }], rest: `the user decided ${quote}`, kind: 'other', negated: false }),
  )
  const searched: number[] = []
  const candidates = wordIndex(texts)
  const indexed: number[] = []
  const whole: number[] = []
  let verdicts: EvidenceVerdict[] = []
  for (let round = 0; round < rounds; round += 1) {
    // New strings each round: what the engine remembers of a string would flatter the second look.
    const text = texts.join('\n').toLowerCase()
    const messages = texts.map(
      (typed, index): EvidenceMessage => ({ index, text: typed, session: 'other', sender: '', attested: true }),
    )
    searched.push(timed(() => quotes.filter((quote) => text.includes(quote.toLowerCase())).length))
    const offered = { messages, profile: true, stored: [], attestedOnly: false, unavailable: false }
    indexed.push(
      timed(() => {
        verdicts = judgeClaims(given, prepareEvidence(offered, candidates))
      }),
    )
    whole.push(timed(() => judgeClaims(given, prepareEvidence(offered))))
  }
  const of = (values: readonly number[]) => values.map((value, at) => value / (searched[at] ?? 1))
  const backed = verdicts.filter(({ outcome }) => outcome === 'supported').length
  return [
    plain(`${name}: ${claims} searches over ${(bytes / 1e6).toFixed(0)} MB in ${texts.length} messages`, searched, 'ms'),
    ratio(`${name}: ${claims} quoted claims, narrowed by an index of words, of that`, of(indexed), { most: 0.5 }),
    plain(`${name}: the same`, indexed, 'ms'),
    plain(`${name}: without an index, folding all of it`, whole, 'ms'),
    plain(`${name}: claims that were backed`, [backed], 'claims'),
  ]
}

const english =
  'the a we to of and in it is for on please now then can this that ship deploy database table branch merge review friday monday never ' +
  'staging release config token session memory skill report answer because before after again with without some other about user note'

const englishWords = english.split(' ')

/** The messages that hold the rarest words of a quote: more than those that hold the quote, and few. */
const wordsAsked = 3

function wordIndex(texts: readonly string[]): (quote: string) => number[] {
  const holding = new Map<string, number[]>()
  for (const [at, text] of texts.entries()) {
    for (const term of searchTermsOf([text])) {
      const known = holding.get(term)
      if (known === undefined) holding.set(term, [at])
      else known.push(at)
    }
  }
  return (quote) => {
    const lists = [...searchTermsOf([quote])]
      .map((term) => holding.get(term) ?? [])
      .sort((one, other) => one.length - other.length)
    return (lists[0] ?? []).filter((at) => lists.slice(1, wordsAsked).every((list) => holds(list, at)))
  }
}

function holds(sorted: readonly number[], sought: number): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) < sought) low = middle + 1
    else high = middle
  }
  return sorted[low] === sought
}

const vocabulary = 20_000
const syllables = 'ka lo mi ne ru ta shi po en ver dal gon'.split(' ')

/** As in what people type, the word of rank n stands about as often as the first one divided by n. */
function rank(random: Random): number {
  return Math.floor(vocabulary ** (random.int(1_000_000) / 1_000_000)) - 1
}

function englishWord(random: Random): string {
  const at = rank(random)
  return (
    englishWords[at] ??
    at.toString(syllables.length).replace(/./g, (digit) => syllables[Number.parseInt(digit, syllables.length)] ?? '')
  )
}

function chineseWord(random: Random): string {
  const at = rank(random)
  return String.fromCharCode(0x4e00 + (at % 140)) + String.fromCharCode(0x4f00 + Math.floor(at / 140))
}

function timed(work: () => unknown): number {
  const started = performance.now()
  work()
  return performance.now() - started
}
