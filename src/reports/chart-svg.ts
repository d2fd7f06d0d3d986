// Draws a chart as SVG for a page: no script, no animation, no outside reference, the same text for the same chart. The colours are
// the page's own variables (`--c1` and on, `--ink`, `--faint`, `--ground`), so that one drawing serves light, dark and paper.
import { assert } from '../foundation/assert.js'
import { chartColoursCount } from './chart-colours.js'
import type { Chart } from './report.js'
import { shownText } from './shown-text.js'
import { shownValue } from './shown-value.js'

const width = 760
const height = 260

/** One `svg` element, whose name for those who do not see it is the chart's title. It has no legend: the page writes one. */
export async function chartSvg({ form, title, kind, categories, series }: Chart): Promise<string> {
  const { init } = await echarts()
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    const stacked = form === 'stacked-bar'
    const values = series.map((one) => one.values.map(plainNumber))
    const text = { color: 'var(--ink)', fontFamily: 'inherit', fontSize: 12 }
    chart.setOption({
      animation: false,
      color: Array.from({ length: chartColoursCount }, (_, at) => `var(--c${at + 1})`),
      grid: { left: 8, right: 12, top: 12, bottom: 8 },
      xAxis: {
        type: 'category',
        data: categories.map((_, at) => String(at)),
        silent: true,
        axisTick: { show: false },
        axisLine: { lineStyle: { color: 'var(--faint)' } },
        axisLabel: { ...text, hideOverlap: true, formatter: (_: string, at: number) => labelOf(categories[at] ?? '') },
      },
      yAxis: {
        type: 'value',
        silent: true,
        min: 0,
        ...scaleOf(kind, values, stacked),
        splitLine: { lineStyle: { color: 'var(--faint)' } },
        axisLabel: { ...text, formatter: (value: number) => shownValue(kind, value) },
      },
      series: series.map((_, at) => ({
        name: String(at),
        data: values[at] ?? [],
        silent: true,
        clip: false,
        emphasis: { disabled: true },
        ...(form === 'line'
          ? { type: 'line' as const, showSymbol: categories.length < 2, lineStyle: { width: 2 } }
          : {
              type: 'bar' as const,
              barMaxWidth: 48,
              itemStyle: { borderColor: 'var(--ground)', borderWidth: 0.5 },
              ...(stacked ? { stack: 'all' } : {}),
            }),
      })),
    })
    return named(plain(chart.renderToSVGString()), title)
  } finally {
    chart.dispose()
  }
}

const labelCharactersMax = 24

/** The library remembers texts as members of plain objects: one that every object has, `__proto__` say, would be written into. */
function labelOf(category: string): string {
  const label = shownText(category, labelCharactersMax)
  return label in {} ? ` ${label}` : label
}

let loaded: ReturnType<typeof load> | undefined

/** Large, and only wanted for pages: loaded when the first chart is drawn. */
function echarts(): ReturnType<typeof load> {
  loaded ??= load()
  return loaded
}

async function load() {
  const [core, charts, components, renderers] = await Promise.all([
    import('echarts/core'),
    import('echarts/charts'),
    import('echarts/components'),
    import('echarts/renderers'),
  ])
  core.use([charts.BarChart, charts.LineChart, components.GridComponent, renderers.SVGRenderer])
  return core
}

function plainNumber(value: number): number {
  return Number.isFinite(value) ? Math.max(0, value) : 0
}

/** Counts have no halves, and bytes go up by powers of two. */
function scaleOf(kind: Chart['kind'], values: readonly number[][], stacked: boolean): object {
  if (kind !== 'bytes') return kind === 'count' ? { minInterval: 1 } : {}
  const totals = stacked ? (values[0] ?? []).map((_, at) => values.reduce((sum, of) => sum + (of[at] ?? 0), 0)) : values.flat()
  const highest = totals.reduce((highest, total) => Math.max(highest, total), 4)
  const interval = 2 ** Math.ceil(Math.log2(highest / 4))
  return { interval, max: Math.ceil(highest / interval) * interval }
}

/** Without what the library adds for a mouse, for files of their own, and to hide what would stand outside of the grid: nothing does. */
function plain(svg: string): string {
  const stripped = svg
    .replace(/<style\b[^>]*>[\s\S]*?<\/style>/g, '')
    .replace(/ (?:class|xmlns|xmlns:xlink|version|baseProfile|pointer-events|xml:space|clip-path|ecmeta_\w+)="[^"]*"/g, '')
    .replace(/<defs\s*>[\s\S]*?<\/defs>/g, '')
    .replace(/\n+/g, '\n')
  assert(
    !/ (?:id|href|xlink:href|on\w+)=|url\(|<script|<image|<style/i.test(stripped.replace(/>[^<]*</g, '><')),
    'a chart is a plain drawing',
  )
  return stripped
}

function named(svg: string, title: string): string {
  const name = shownText(title).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  return svg.replace(/^<svg width="\d+" height="\d+"/, () => `<svg role="img" aria-label="${name}"`)
}
