// Holds drawings to being plain, well-formed and the same each time, whatever they are told.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { chartSvg } from '../../src/reports/chart-svg.js'
import type { Chart } from '../../src/reports/report.js'
import { anyHostileName, neverShown } from '../support/hostile-names.js'
import { type MarkupElement, readStrictMarkup } from '../support/strict-markup.js'

const test = suite('chart-svg')

const chart: Chart = {
  form: 'stacked-bar',
  title: 'Entries a day',
  kind: 'count',
  categories: ['2026-03-01', '2026-03-02', '2026-03-03'],
  series: [
    { name: 'Messages', values: [3, 0, 1] },
    { name: 'Tools', values: [1, 2, 4] },
  ],
}

test('the same chart is the same text each time, also after others were drawn', async () => {
  const first = await chartSvg(chart)
  await chartSvg({ ...chart, form: 'line' })
  await chartSvg({ ...chart, form: 'bar', title: 'other' })
  assert.is(await chartSvg(chart), first)
})

test('a bar is as high as its value, and each series has its own colour', async () => {
  const { elements } = readStrictMarkup(await chartSvg(chart))
  const heights = (colour: string) => bars(elements, colour).map(heightOf)
  const [three = 0, none = 0, one = 0] = heights('var(--c1)')
  assert.is(none, 0)
  // Places are rounded to a tenth.
  assert.ok(Math.abs(three / one - 3) < 0.05, `${three} to ${one}`)
  const [, two = 0, four = 0] = heights('var(--c2)')
  assert.ok(Math.abs(four / two - 2) < 0.05, `${four} to ${two}`)
})

test('a drawing is named, has only shapes and words, and refers to nothing', async () => {
  for (const form of ['bar', 'stacked-bar', 'line'] as const) {
    const svg = await chartSvg({ ...chart, form })
    const { elements, text } = readStrictMarkup(svg)
    assert.equal([elements[0]?.name, elements[0]?.attributes.get('role')], ['svg', 'img'])
    assert.is(elements[0]?.attributes.get('aria-label'), 'Entries a day')
    for (const { name } of elements) assert.ok(['svg', 'g', 'path', 'rect', 'text'].includes(name), name)
    assert.not.match(svg, /http|url\(|href|class=|id=|zr\d|ecmeta|animat/)
    for (const day of chart.categories) assert.match(text, day)
  }
})

test('every colour is a variable of the page', async () => {
  for (const form of ['bar', 'stacked-bar', 'line'] as const) {
    for (const { name, attributes } of readStrictMarkup(await chartSvg({ ...chart, form })).elements) {
      for (const kind of ['fill', 'stroke']) {
        const colour = attributes.get(kind)
        if (colour !== undefined) assert.match(colour, /^(none|var\(--(c\d|ink|faint|ground)\))$/, `${name} ${kind}`)
      }
    }
  }
})

test('bytes go up by powers of two', async () => {
  const { text } = readStrictMarkup(
    await chartSvg({ ...chart, form: 'bar', kind: 'bytes', series: [{ name: 'Bytes', values: [4096, 1024, 2048] }] }),
  )
  for (const mark of ['0 B', '1.0 KiB', '2.0 KiB', '3.0 KiB', '4.0 KiB']) assert.match(text, mark)
})

test('nothing at all, one value, zeros and numbers that are none can be drawn', async () => {
  for (const form of ['bar', 'stacked-bar', 'line'] as const) {
    for (const kind of ['count', 'bytes'] as const) {
      for (const values of [[], [0], [5], [Number.NaN, Number.POSITIVE_INFINITY, -1], [Number.MAX_SAFE_INTEGER]]) {
        const categories = values.map((_, at) => `c${at}`)
        readStrictMarkup(await chartSvg({ form, title: 'T', kind, categories, series: [{ name: 'one', values }] }))
      }
    }
  }
})

test('a label that is called like a member of every object changes no object', async () => {
  const members = Object.getOwnPropertyNames(Object.prototype)
  const before = members.map((name) => Object.getOwnPropertyNames(Reflect.get(Object.prototype, name) ?? {}))
  for (const member of members) {
    const svg = await chartSvg({
      ...chart,
      title: member,
      categories: [member, member, member],
      series: [{ name: member, values: [1, 2, 3] }],
    })
    assert.match(readStrictMarkup(svg).text, member)
  }
  assert.equal(Object.getOwnPropertyNames(Object.prototype), members)
  assert.equal(
    members.map((name) => Object.getOwnPropertyNames(Reflect.get(Object.prototype, name) ?? {})),
    before,
  )
})

test('no name of a category, a series or a chart becomes anything but words', async () => {
  await fc.assert(
    fc.asyncProperty(anyHostileName, async (name) => {
      const svg = await chartSvg({
        ...chart,
        title: name,
        categories: [name, `${name}2`, 'x'],
        series: [{ name, values: [1, 2, 3] }],
      })
      const { elements } = readStrictMarkup(svg)
      for (const { name: element } of elements) assert.ok(['svg', 'g', 'path', 'rect', 'text'].includes(element), element)
      assert.not.match(svg, neverShown)
    }),
    { numRuns: 60 },
  )
})

function bars(elements: readonly MarkupElement[], colour: string): MarkupElement[] {
  return elements.filter(({ name, attributes }) => name === 'path' && attributes.get('fill') === colour)
}

/** Of a path of a bar: from its foot to its head, `…l0 -13.7l…`. */
function heightOf({ attributes }: MarkupElement): number {
  return Math.abs(Number(/l0 (-?[\d.]+)/.exec(attributes.get('d') ?? '')?.[1] ?? 0))
}

test.run()
