// A report as one page that needs nothing else: no script, nothing fetched, light and dark, on paper and on a phone. Every text is
// escaped here and nowhere else. Elements are closed as in XML, so that a strict reader takes the page too.
import { type ChartColours, chartColours, chartColoursCount } from './chart-colours.js'
import { chartSvg } from './chart-svg.js'
import { type Chart, type Column, type Figure, type Report, reportFacts, type Section, type Table } from './report.js'
import { shownText } from './shown-text.js'
import { shownValue } from './shown-value.js'

/** What the page itself forbids a browser to do with it: everything but its own style. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

export async function htmlReport(report: Report): Promise<string> {
  const sections: string[] = []
  for (const section of report.sections) sections.push(await sectionHtml(section))
  const { title, figures, notes } = report
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${policy}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="referrer" content="no-referrer" />
<title>${html(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<header>
<h1>${html(title)}</h1>
<dl class="facts">
${reportFacts(report).map(factHtml).join('\n')}
</dl>
</header>
${figures.length === 0 ? '' : `<section>\n<h2>Summary</h2>\n<dl class="figures">\n${figures.map(factHtml).join('\n')}\n</dl>\n</section>`}
${sections.join('\n')}
${notes.length === 0 ? '' : `<section>\n<h2>Notes</h2>\n<ul>\n${notes.map((note) => `<li>${html(note)}</li>`).join('\n')}\n</ul>\n</section>`}
</main>
</body>
</html>
`
}

function factHtml({ label, kind, value }: Figure): string {
  return `<div><dt>${html(label)}</dt><dd>${isolated(shownValue(kind, value))}</dd></div>`
}

async function sectionHtml({ heading, note, table, chart }: Section): Promise<string> {
  return [
    '<section>',
    `<h2>${html(heading)}</h2>`,
    ...(note === undefined ? [] : [`<p>${html(note)}</p>`]),
    ...(chart === undefined ? [] : [await chartHtml(chart)]),
    ...(table === undefined ? [] : [tableHtml(table)]),
    '</section>',
  ].join('\n')
}

async function chartHtml(chart: Chart): Promise<string> {
  if (chart.categories.length === 0 || chart.series.length === 0) return ''
  const keys = chart.series.map(
    ({ name }, at) => `<li><i class="k${(at % chartColoursCount) + 1}"></i>${isolated(shownText(name))}</li>`,
  )
  const legend = chart.series.length < 2 ? '' : `<ul>${keys.join('')}</ul>`
  // The numbers are in the table that follows: that is what a reader who sees no drawing is told.
  const svg = await chartSvg({ ...chart, title: `${chart.title}; the table below has the numbers` })
  return `<figure>\n<div class="wide">${svg}</div>\n<figcaption>${html(chart.title)}${legend}</figcaption>\n</figure>`
}

const depthMax = 8

/** So many columns fit on a page of paper that stands. */
const columnsUprightMax = 10

function tableHtml({ caption, columns, rows, more = 0 }: Table): string {
  const rest = more === 0 ? '' : `<p>and ${shownValue('count', more)} more</p>`
  if (rows.length === 0) return rest
  const head = columns.map((column) => `<th scope="col"${sideOf(column)}>${html(column.label)}</th>`).join('')
  const body = rows.map(({ cells, depth = 0 }) => {
    const shown = columns.map((column, at) => {
      const text = isolated(shownValue(column.kind, cells[at] ?? null))
      if (at > 0) return `<td${sideOf(column)}>${text}</td>`
      return `<th scope="row"${depth === 0 ? sideOf(column) : ` class="d${Math.min(depth, depthMax)}"`}>${depth === 0 ? '' : '↳ '}${text}</th>`
    })
    return `<tr>${shown.join('')}</tr>`
  })
  return `<div class="wide${columns.length > columnsUprightMax ? ' many' : ''}" role="region" aria-label="${html(caption)}" tabindex="0">
<table>
<caption>${html(caption)}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table>
</div>${rest}`
}

function sideOf({ kind }: Column): string {
  return kind === 'text' || kind === 'time' ? '' : ' class="n"'
}

/** A text whose own direction turns nothing round it. */
function isolated(shown: string): string {
  return /^[\u0020-\u02ff\u2000-\u206f]*$/.test(shown) ? html(shown) : `<bdi>${html(shown)}</bdi>`
}

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text for an element or for an attribute in double quotes. */
function html(text: string): string {
  return shownText(text, Number.POSITIVE_INFINITY).replace(/[&<>"']/g, (mark) => marks[mark] ?? '')
}

function variables({ ground, colours }: ChartColours): string {
  return `--ground:${ground};${colours.map((colour, at) => `--c${at + 1}:${colour};`).join('')}`
}

const light = `--ink:#1c1e21;--quiet:#55595f;--faint:#d5d8dc;--raised:#f4f5f7;${variables(chartColours.light)}`
const dark = `--ink:#e7e9ec;--quiet:#a4a9b0;--faint:#3a3f45;--raised:#202328;${variables(chartColours.dark)}`

const pageStyle = `
:root{color-scheme:light dark;${light}}
@media screen and (prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:62rem;margin:0 auto;padding:1rem}
h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0}
h2{font-size:1.2rem;margin:2rem 0 .5rem}
p{max-width:46rem}
.facts,.figures{display:flex;flex-wrap:wrap;margin:0;gap:.25rem 1.5rem}
.facts{color:var(--quiet);font-size:.875rem}
.facts dt,.facts dd{display:inline}
.facts dt{margin-right:.4rem}
dd{margin:0;overflow-wrap:break-word}
.facts dd{color:var(--ink)}
.figures{gap:.5rem}
.figures div{flex:1 1 9rem;max-width:14rem;background:var(--raised);border-radius:.4rem;padding:.5rem .75rem;display:flex;flex-direction:column;justify-content:space-between}
.figures dt{color:var(--quiet);font-size:.8125rem;line-height:1.3}
.figures dd{font-size:1.25rem;font-variant-numeric:tabular-nums}
figure{margin:0 0 1rem}
svg{display:block;width:100%;min-width:34rem;height:auto;font-family:inherit}
figcaption{color:var(--quiet);font-size:.875rem;margin-top:.4rem}
figcaption ul{display:flex;flex-wrap:wrap;gap:.1rem 1rem;list-style:none;margin:.25rem 0 0;padding:0;color:var(--ink)}
figcaption i{display:inline-block;width:.8rem;height:.8rem;margin-right:.4rem;border-radius:.15rem;vertical-align:-.05rem}
${Array.from({ length: chartColoursCount }, (_, at) => `.k${at + 1}{background:var(--c${at + 1})}`).join('')}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.875rem}
caption{text-align:left;color:var(--quiet);padding-bottom:.25rem}
th,td{text-align:left;padding:.25rem .75rem .25rem 0;border-bottom:1px solid var(--faint);vertical-align:top}
thead th{color:var(--quiet);vertical-align:bottom}
tbody th{font-weight:normal;min-width:6rem;max-width:24rem;overflow-wrap:break-word}
.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
thead .n{white-space:normal}
${Array.from({ length: depthMax }, (_, at) => `.d${at + 1}{padding-left:${at + 1}rem}`).join('')}
@page{margin:15mm}
@page broad{size:landscape;margin:12mm}
@media print{
body{font-size:10pt}
main{max-width:none;padding:0}
h1,h2,h2+p,caption{break-after:avoid}
figure,tr,.figures div{break-inside:avoid}
thead{display:table-header-group}
table{font-size:8pt}
th,td{padding-right:.4rem}
.many{page:broad}
.many table{font-size:6.5pt}
.many th,.many td{overflow-wrap:anywhere}
tbody th{min-width:0}
.wide{overflow:visible}
svg{min-width:0}
.figures div,figcaption i{print-color-adjust:exact}
}
`
