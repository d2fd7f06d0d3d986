// Holds the words that a text is found by to what a reader would look for, and their making to time that grows with the text.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { searchTermsIn, searchTermsMax, searchTermsOf } from '../../src/projections/search-terms.js'

const test = suite('search terms')

const termsOf = (...texts: string[]): string[] => [...searchTermsOf(texts)]

test('a text is found by its runs of letters and digits, each once, in lower case', () => {
  assert.equal(termsOf('Ship v2 on Friday, the FRIDAY release!'), ['ship', 'v2', 'on', 'friday', 'the', 'release'])
  assert.equal(termsOf('a-b_c', 'c/d'), ['a', 'b', 'c', 'd'])
  for (const none of ['', ' ', '—!?.🙂', '\u0000']) assert.equal(termsOf(none), [], JSON.stringify(none))
})

test('how a letter is put together makes no difference', () => {
  assert.equal(termsOf('e\u0301lan'), termsOf('élan'))
  assert.equal(termsOf('ﬁnal Ａｐｐｌｅ'), ['final', 'apple'])
  assert.equal(termsOf('か\u3099'), termsOf('が'))
  assert.equal(termsOf('한국어'.normalize('NFD')), termsOf('한국어'))
  assert.equal(termsOf('ｶﾞ'), termsOf('ガ'))
})

test('a text without blanks is found by each character and by every two neighbours', () => {
  assert.equal(termsOf('周五发').sort(), ['五', '五发', '发', '周', '周五'].sort())
  assert.equal(termsOf('発売日').sort(), ['売', '売日', '日', '発', '発売'].sort())
  assert.equal(termsOf('v2版本').sort(), ['v2', '本', '版', '版本'].sort())
  assert.equal(termsOf('𠮷野').sort(), ['野', '𠮷', '𠮷野'].sort(), 'characters beyond the first plane are whole')
})

test('words that share their first 64 characters are one', () => {
  const beginning = 'x'.repeat(64)
  assert.equal(termsOf(`${beginning}a ${beginning}b`), [beginning])
  assert.equal(termsOf('𝔘'.repeat(70)), ['u'.repeat(64)])
  assert.equal(termsOf('𐐀'.repeat(70)), ['𐐨'.repeat(64)], 'and no character is cut in two')
})

test('of one entry no more than so many are kept, whatever they are', () => {
  const many = Array.from({ length: searchTermsMax + 500 }, (_, at) => `w${at}`).join(' ')
  const terms = termsOf(many)
  assert.equal([terms.length, terms[0], terms.at(-1)], [searchTermsMax, 'w0', `w${searchTermsMax - 1}`])
  let oneRun = ''
  for (let at = 0; at < searchTermsMax; at += 1)
    oneRun += String.fromCodePoint(0x4e00 + (at % 20_000), 0x4e00 + ((at * 7) % 20_000))
  assert.is(termsOf(oneRun).length, searchTermsMax)
})

test('the words of an entry are all texts within them, however deep, and no names of members', () => {
  const row = (words: unknown): Buffer => Buffer.from('5'.repeat(32) + JSON.stringify(words))
  assert.equal(
    [...searchTermsIn(row({ text: 'one', list: [{ member: 'two' }, 3, null, true], deep: { a: { b: ['three'] } } }))],
    ['one', 'two', 'three'],
  )
  assert.equal([...searchTermsIn(row({}))], [])
  let deep: unknown = 'bottom'
  for (let depth = 0; depth < 3000; depth += 1) deep = [deep]
  assert.equal([...searchTermsIn(row({ deep }))], ['bottom'])
})

test('words that cannot be read have none', () => {
  assert.equal([...searchTermsIn(Buffer.from('torn'))], [])
  assert.equal([...searchTermsIn(Buffer.from(`${'5'.repeat(32)}{"text":"tor`))], [])
  assert.equal([...searchTermsIn(Buffer.from(`${'5'.repeat(32)}null`))], [])
})

/** Eight times the text at eight times the time, and what a shared machine and caches add to that; with the square it would be 64. */
const ratioMax = 24

const hostile: Readonly<Record<string, (length: number) => string>> = {
  'marks that stand in the wrong order': (length) => 'a\u0301\u0316'.slice(0, 1) + '\u0301\u0316'.repeat(length / 2),
  'one letter without end': (length) => 'x'.repeat(length),
  'letters and marks by turns': (length) => 'e\u0301'.repeat(length / 2),
  'one character of many': (length) => '周'.repeat(length),
  'scripts by turns': (length) => 'a周'.repeat(length / 2),
  'one word after the other': (length) => 'ab '.repeat(length / 3),
  'letters that become eighteen': (length) => '\ufdfa'.repeat(length / 4),
  'parts of syllables': (length) => '\u1112\u1161\u11ab'.repeat(length / 3),
  blanks: (length) => ' '.repeat(length),
}

for (const [what, make] of Object.entries(hostile)) {
  test(`the time grows with the text and not with its square: ${what}`, () => {
    // The best of several is taken, and it may be tried again.
    const length = 65_536
    const [short, long] = [make(length), make(8 * length)]
    let ratio = Number.POSITIVE_INFINITY
    for (let round = 0; round < 20 && ratio > ratioMax; round += 1)
      ratio = best(() => searchTermsOf([long])) / best(() => searchTermsOf([short]))
    assert.ok(ratio <= ratioMax, `${ratio.toFixed(2)} times`)
  })
}

/** Time of the processor: what others do on the machine is not counted. */
function best(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 4; round += 1) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, user + system)
  }
  return least
}

test.run()
