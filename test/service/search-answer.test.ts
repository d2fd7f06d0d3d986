// Holds search to a plain look at every word that is kept, for random texts in several scripts; and to its pages.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RedactedEvent } from '../../src/ledger/redacted-event.js'
import type { ViewDesk } from '../../src/service/view-desk.js'
import type { SearchQuestion } from '../../src/service/view-questions.js'
import { lockedViews, loneDesk } from '../support/lone-desk.js'
import { makeRandom, type Random } from '../support/seeded-random.js'
import { message, sessionStarted, temporaryLedger, turnEnded } from '../support/temporary-ledger.js'

const test = suite('search answer')

const latin = [
  'ship',
  'Ship',
  'FRIDAY',
  'friday',
  'élan',
  'e\u0301lan',
  'naïve',
  'straße',
  'x2',
  '42',
  'ﬁn',
  'fin',
  'Ωμέγα',
  'день',
  'i'.repeat(80),
  'i'.repeat(70),
]
const han = '周五发売日程測試한국어ひらカタ𠮷'
const between = [' ', ' ', ', ', '—', '🙂', '\n', '"', '👩\u200d🔬', '']

function text(random: Random): string {
  let made = ''
  for (let parts = 1 + random.int(6); parts > 0; parts -= 1) {
    made += random.chance(2)
      ? random.pick(latin)
      : Array.from({ length: 1 + random.int(4) }, () => random.pick([...han])).join('')
    made += random.pick(between)
  }
  return made
}

/**
 * Whether a text holds every word of a query, looked at plainly: both in one form, then each stretch of the query that is neither blank
 * nor sign. One in letters stands as a whole between others; one without blanks has all its pairs of neighbours somewhere.
 */
function holdsPlainly(words: readonly string[], query: string): boolean {
  const plain = (one: string): string => one.normalize('NFKC').toLowerCase()
  const isWide = (character: string): boolean => [...plain(han)].includes(character)
  const stretches = (one: string): string[][] => {
    const found: string[][] = []
    let before = ''
    for (const character of plain(one)) {
      const kind = isWide(character) ? 'wide' : /[\p{L}\p{N}\p{M}]/u.test(character) ? 'letter' : ''
      if (kind !== '' && kind === before) found.at(-1)?.push(character)
      else if (kind !== '') found.push([character])
      before = kind
    }
    return found
  }
  const texts = words.flatMap((one) => stretches(one))
  const isIn = (stretch: string[]): boolean => {
    if (!isWide(stretch[0] ?? '')) return texts.some((one) => one.slice(0, 64).join('') === stretch.slice(0, 64).join(''))
    const wide = texts.map((one) => one.join(''))
    const pairs = stretch.flatMap((character, at) => (at === 0 ? [character] : [(stretch[at - 1] ?? '') + character, character]))
    return pairs.every((pair) => wide.some((one) => one.includes(pair)))
  }
  const asked = stretches(query)
  return asked.length > 0 && asked.every(isIn)
}

const indicesIn = (lines: readonly string[]): number[] => lines.map((line) => (JSON.parse(line) as { index: number }).index)

async function search(desk: ViewDesk, question: Omit<SearchQuestion, 'ask'>): Promise<number[]> {
  return indicesIn((await desk.answer({ ask: 'search', ...question })).lines)
}

test('what is found is what a plain look finds, with views and without, before words are forgotten and after', async () => {
  for (const seed of [91, 92, 93]) {
    const random = makeRandom(seed)
    const home = await temporaryLedger({ seed })
    const handle = await home.ledger.sessionHandle('host')
    const words = new Map<number, string[]>()
    for (let at = 0; at < 120; at += 1) {
      const said = text(random)
      const event: RedactedEvent = random.chance(8)
        ? turnEnded(1, handle)
        : random.chance(8)
          ? sessionStarted(handle, said)
          : message(said, handle)
      const { index } = await home.ledger.append([event])
      if (event.type !== 'turn.ended') words.set(index, [said])
    }
    const [kept, alone] = [loneDesk(home.files), loneDesk(home.files, { openViews: lockedViews(home.files) })]
    await kept.answer({ ask: 'catch-up' })
    for (let round = 0; round < 80; round += 1) {
      if (round === 40) {
        const [first, last] = [10, 60]
        await home.ledger.forget([[first, last]], { by: 'owner', reason: 'a test' })
        // Found or not must not hang on the index having forgotten them.
        if (seed !== 91) await kept.answer({ ask: 'forget-terms', ranges: [[first, last]] })
        for (let index = first; index <= last; index += 1) words.delete(index)
      }
      const query = random.chance(3)
        ? text(random)
        : random.chance(2)
          ? random.pick(latin)
          : [...han]
              .slice(random.int(han.length - 3))
              .slice(0, 1 + random.int(2))
              .join('')
      const expected = [...words].flatMap(([index, said]) => (holdsPlainly(said, query) ? [index] : [])).reverse()
      assert.equal(await search(kept, { words: query, limit: 1000 }), expected, `${query} of ${seed}`)
      assert.equal(await search(alone, { words: query, limit: 1000 }), expected, `${query} of ${seed}, without views`)
    }
    await kept.close()
    await home.close()
  }
})

test('pages follow each other without a gap or a repetition, down to the last', async () => {
  const home = await temporaryLedger({ seed: 94 })
  for (let at = 0; at < 25; at += 1) await home.ledger.append([message(`common ${at}`), message('other')])
  for (const desk of [loneDesk(home.files), loneDesk(home.files, { openViews: lockedViews(home.files) })]) {
    const all = await search(desk, { words: 'common', limit: 1000 })
    assert.is(all.length, 25)
    const paged: number[] = []
    let below: number | undefined
    let pages = 0
    for (;;) {
      const page = await desk.answer({ ask: 'search', words: 'Common', limit: 10, below })
      paged.push(...indicesIn(page.lines))
      pages += 1
      if (page.below === null) break
      below = page.below
    }
    assert.equal([paged, pages], [all, 3])
    assert.equal((await desk.answer({ ask: 'search', words: 'common', limit: 25 })).below, null, 'exactly all of them')
    await desk.close()
  }
  await home.close()
})

test('an answer ends early where entries are long, and says where to go on', async () => {
  const home = await temporaryLedger({ seed: 95 })
  for (let at = 0; at < 12; at += 1) await home.ledger.append([message(`common ${'x'.repeat(1_000_000)}`)])
  const desk = loneDesk(home.files)
  const { lines, below } = await desk.answer({ ask: 'search', words: 'common', limit: 1000 })
  assert.equal([lines.length, below], [9, 4])
  assert.equal((await desk.answer({ ask: 'search', words: 'common', limit: 1000, below: below ?? 0 })).lines.length, 3)
  await desk.close()
  await home.close()
})

test('since a time nothing older is found; words that are none find nothing', async () => {
  const home = await temporaryLedger({ seed: 96 })
  await home.ledger.append([message('common early')])
  home.world.advance(3_600_000)
  const since = new Date(home.world.time).toISOString().replace('.000Z', 'Z')
  const { index } = await home.ledger.append([message('common late')])
  const desk = loneDesk(home.files)
  assert.equal(await search(desk, { words: 'common', limit: 10, since }), [index])
  for (const words of ['', '—?!', '🙂', 'nowhere', 'common nowhere'])
    assert.equal(await search(desk, { words, limit: 10 }), [], words)
  const many = Array.from({ length: 400 }, (_, at) => `w${at}`).join(' ')
  const { index: long } = await home.ledger.append([message(`${many} common`)])
  assert.equal(await search(desk, { words: `common ${many}`, limit: 10 }), [long], 'all of very many words')
  assert.equal(await search(desk, { words: `common ${many} w400`, limit: 10 }), [])
  await desk.close()
  await home.close()
})

test.run()
