// Holds the Markdown face to GitHub's rules (GFM 0.29): a table keeps its cells, and no text becomes markup, a link or a mention.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { markdownReport } from '../../src/reports/markdown-report.js'
import { anyHostileName, hostileNames, neverShown } from '../support/hostile-names.js'
import { reportOfText } from '../support/report-views.js'

const test = suite('markdown-report')

/** What is left of a line without its code spans: a run of backticks up to the next run of the same length. */
function outsideCode(line: string): string {
  return line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '\u0001')
}

function checkMarkdown(markdown: string, shape: readonly string[]): void {
  assert.not.match(markdown, neverShown)
  const lines = markdown.split('\n')
  assert.equal(lines.map(shapeOf), shape)
  for (const line of lines) {
    const bare = outsideCode(line.replace(/^#+ /, ''))
    assert.not.match(bare, /[`*_[\]!~@&]|(?<!\\)<|(?<!\\)>|https?:|www\.|#/, JSON.stringify(line))
  }
}

/** What a line begins with, and how many cells it has. */
function shapeOf(line: string): string {
  return `${/^(#+ |- |\| |$|)/.exec(line)?.[1] ?? ''}${line.split('|').length}`
}

const shape = markdownReport(reportOfText('plain')).split('\n').map(shapeOf)

test('a report is headings, lists and tables', () => {
  const markdown = markdownReport(reportOfText('plain'))
  for (const line of [
    '# plain',
    '- Ledger: plain',
    '- As of entries: 1\u202f234',
    '## Summary',
    '| plain | plain |',
    '| plain | Count | Time |',
    '| :-- | --: | :-- |',
    '| plain | 1 | plain |',
    '| ↳ plain | 2 | – |',
    'and 3 more',
    '## Notes',
  ]) {
    assert.ok(markdown.split('\n').includes(line), line)
  }
})

test('each hostile name keeps the lines, the cells and the words outside of code as they are with a plain name', () => {
  for (const name of hostileNames.filter((name) => name !== '')) checkMarkdown(markdownReport(reportOfText(name)), shape)
})

test('whatever text comes, nothing but code spans holds it', () => {
  fc.assert(
    fc.property(
      anyHostileName.filter((name) => name.length > 0),
      (name) => checkMarkdown(markdownReport(reportOfText(name)), shape),
    ),
  )
})

test('a name of a tool is code, and code with backticks in it has a longer fence', () => {
  assert.match(markdownReport(reportOfText('read_file')), '| ` read_file ` | 1 |')
  assert.match(markdownReport(reportOfText('a``b`c')), '| ``` a``b`c ``` | 1 |')
  assert.match(markdownReport(reportOfText('a|b')), '| ` a\\u007cb ` | 1 |')
})

test('a number that says less or more than can be shown is no markup', () => {
  const report = reportOfText('plain')
  const figures = [{ key: 'share', label: 'Share', kind: 'share', value: 0.0001 } as const]
  assert.match(markdownReport({ ...report, figures }), '| Share | \\<0.1 % |')
})

test.run()
