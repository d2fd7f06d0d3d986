// Holds the page to being well-formed, alone, closed to scripts, and readable without eyes.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { activityReport } from '../../src/reports/activity-report.js'
import { htmlReport } from '../../src/reports/html-report.js'
import { anyHostileName, hostileNames, neverShown } from '../support/hostile-names.js'
import { dayView, reportFrame, reportOfText } from '../support/report-views.js'
import { readStrictMarkup } from '../support/strict-markup.js'

const test = suite('html-report')

const known =
  'html head meta title style body main header h1 h2 dl div dt dd section p figure figcaption ul li i bdi table caption thead tbody tr th td svg g path rect text'.split(
    ' ',
  )
const knownAttributes =
  'lang charset http-equiv name content class scope role aria-label tabindex viewBox width height x y d fill fill-opacity stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit transform style dominant-baseline text-anchor'.split(
    ' ',
  )

/** What must hold of every page. */
function checkPage(page: string): ReturnType<typeof readStrictMarkup> {
  const markup = readStrictMarkup(page)
  assert.not.match(page, neverShown)
  assert.ok(page.isWellFormed())
  for (const { name, attributes } of markup.elements) {
    assert.ok(known.includes(name), `<${name}>`)
    for (const attribute of attributes.keys()) assert.ok(knownAttributes.includes(attribute), `<${name} ${attribute}>`)
  }
  return markup
}

test('the page is alone: it refers to nothing, runs nothing, and forbids both', async () => {
  const page = await htmlReport(reportOfText('plain'))
  const { elements } = checkPage(page)
  assert.not.match(page, /<script|https?:|src=|href=|@import|url\(/i)
  const policy = elements.find(({ attributes }) => attributes.get('http-equiv') === 'Content-Security-Policy')
  const rules = (policy?.attributes.get('content') ?? '').split('; ')
  assert.ok(rules.includes("default-src 'none'"))
  assert.equal(
    rules.filter((rule) => !rule.endsWith("'none'")),
    ["style-src 'unsafe-inline'"],
  )
  const at = page.indexOf('Content-Security-Policy')
  assert.ok(at > 0 && at < page.indexOf('<style>'), 'the policy stands before what it rules')
})

test('headings go down in order, tables have a caption and heads with a scope, and a drawing has a name', async () => {
  const { elements } = checkPage(await htmlReport(reportOfText('plain')))
  const headings = elements.flatMap(({ name }) => (/^h\d$/.test(name) ? [Number(name.slice(1))] : []))
  assert.is(headings[0], 1)
  assert.ok(
    headings.slice(1).every((level) => level === 2),
    headings.join(),
  )
  const count = (name: string) => elements.filter((element) => element.name === name).length
  assert.is(count('caption'), count('table'))
  for (const { attributes } of elements.filter(({ name }) => name === 'th'))
    assert.match(attributes.get('scope') ?? '', /^(col|row)$/)
  for (const { attributes } of elements.filter(({ name }) => name === 'svg')) {
    assert.is(attributes.get('role'), 'img')
    assert.match(attributes.get('aria-label') ?? '', 'the table below has the numbers')
  }
  assert.is(elements[0]?.attributes.get('lang'), 'en')
})

test('every colour that a drawing or the style names is given for light and for dark', async () => {
  const page = await htmlReport(reportOfText('plain'))
  const used = new Set(Array.from(page.matchAll(/var\((--\w+)\)/g), ([, name = '']) => name))
  const [light = '', dark = ''] = Array.from(page.matchAll(/:root\{([^}]*)\}/g), ([, rules = '']) => rules)
  for (const name of used) for (const scheme of [light, dark]) assert.match(scheme, `${name}:`)
  assert.match(page, '@media screen and (prefers-color-scheme:dark){:root{')
})

test('on paper heads of tables come again and rows are not cut', async () => {
  const page = await htmlReport(reportOfText('plain'))
  const print = page.slice(page.indexOf('@media print'))
  assert.match(print, 'thead{display:table-header-group}')
  assert.match(print, /figure,tr[^{]*\{break-inside:avoid\}/)
})

test('each hostile name is words on the page, in every place', async () => {
  const plain = checkPage(await htmlReport(reportOfText('plain'))).elements.filter(({ name }) => name !== 'bdi')
  for (const name of hostileNames) {
    const { elements } = checkPage(await htmlReport(reportOfText(name)))
    assert.equal(
      elements
        .filter((element) => element.name !== 'bdi' && !['svg', 'g', 'path', 'text', 'rect'].includes(element.name))
        .map((element) => element.name),
      plain.filter((element) => !['svg', 'g', 'path', 'text', 'rect'].includes(element.name)).map((element) => element.name),
      `the same elements as with a plain name: ${JSON.stringify(name)}`,
    )
  }
})

test('whatever text comes, the page is well-formed and has only its own elements', async () => {
  await fc.assert(
    fc.asyncProperty(anyHostileName, async (name) => {
      checkPage(await htmlReport(reportOfText(name)))
    }),
    { numRuns: 60 },
  )
})

test('a text is read back as it was meant', async () => {
  const { elements } = checkPage(await htmlReport(reportOfText(`<b> & "q" 'a'`)))
  assert.is(elements.find(({ name }) => name === 'h1')?.text, `<b> & "q" 'a'`)
  assert.is(elements.find(({ name }) => name === 'caption')?.text, `<b> & "q" 'a'`)
})

test('a name in a script that is read from the right turns nothing round it', async () => {
  const { elements } = checkPage(await htmlReport(reportOfText('שיחה')))
  assert.ok(elements.some(({ name, text }) => name === 'bdi' && text === 'שיחה'))
})

test('where nothing happened there is a page all the same', async () => {
  const { text } = checkPage(await htmlReport(activityReport(new Map(), { ...reportFrame, asOf: { size: 0, time: null } })))
  assert.match(text, 'There are no entries.')
})

test('the same report is the same page', async () => {
  const report = activityReport(
    new Map([['2026-03-04', dayView({ entries: 1, bytes: 300, types: { 'turn.ended': { entries: 1, bytes: 300 } } })]]),
    reportFrame,
  )
  assert.is(await htmlReport(report), await htmlReport(report))
})

test.run()
