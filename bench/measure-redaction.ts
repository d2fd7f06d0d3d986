// The redactor: whether twice the text costs twice the time, and what ordinary texts cost.
import { readFileSync } from 'node:fs'
import { makeRedactor } from '../src/redaction/redact.js'
import { worstText, worstUnits } from '../test/support/worst-texts.js'
import { type Measured, median, plain, rounds, spreadOf } from './measured.js'

const redactor = makeRedactor()
const ratioMost = 2.2
const kib = 1024
const leastMs = 30

export function measureRedaction(): Measured[] {
  return [doubling(), messages(), prose()]
}

/** 64 and 128 KiB of each worst text in turn, time of the processor, the median of five of each; the dearest pair counts. */
function doubling(): Measured {
  const ratios = worstUnits.map((unit) => {
    const half = worstText(unit, 64 * kib)
    const whole = worstText(unit, 128 * kib)
    spent(whole)
    // A clock of microseconds says little of one millisecond.
    const times = Math.max(1, Math.ceil(leastMs / spent(half)))
    const each = Array.from({ length: rounds }, () => [spent(half, times), spent(whole, times)] as const)
    const before = median(each.map(([ms]) => ms))
    const behind = median(each.map(([, ms]) => ms))
    return { unit, ratio: behind / before }
  })
  const [worst] = ratios.sort((a, b) => b.ratio - a.ratio)
  const figure = worst?.ratio ?? 0
  return {
    what: `redaction of twice the text (64 → 128 KiB), the dearest of ${ratios.length} worst cases (${JSON.stringify(worst?.unit)})`,
    figure: `${figure.toFixed(2)} ×`,
    target: `≤ ${ratioMost} ×`,
    met: figure <= ratioMost,
    spread: spreadOf(ratios.map(({ ratio }) => ratio)),
  }
}

const proseText = readFileSync('docs/limits.md', 'utf8')

function messages(): Measured {
  const text = proseText.slice(0, 200)
  const times = 20_000
  for (let time = 0; time < times; time += 1) redactor.text(text)
  const each = Array.from({ length: rounds }, () => {
    return (spent(text, times) * 1000) / times
  })
  return plain('redaction of 200 characters of prose', each, 'µs')
}

function prose(): Measured {
  const text = proseText.repeat(Math.ceil((64 * kib) / proseText.length)).slice(0, 64 * kib)
  spent(text)
  const each = Array.from({ length: rounds }, () => spent(text))
  return plain('redaction of 64 KiB of prose', each, 'ms', 1)
}

function spent(text: string, times = 1): number {
  const before = process.cpuUsage()
  for (let time = 0; time < times; time += 1) redactor.text(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
