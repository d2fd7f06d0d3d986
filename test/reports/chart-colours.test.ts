// Holds the colours to what eyes need, by the formulas of WCAG 2.2 (contrast), Machado et al. 2009 (colour blindness) and CIE 1976.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { chartColours, chartColoursCount } from '../../src/reports/chart-colours.js'

const test = suite('chart-colours')

type Triple = readonly [number, number, number]

/** Simulations at full severity. */
const eyes: Readonly<Record<string, readonly [Triple, Triple, Triple]>> = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
}

for (const [scheme, { ground, colours }] of Object.entries(chartColours)) {
  test(`on the ${scheme} ground each colour has a contrast of three to one`, () => {
    for (const colour of colours) assert.ok(contrast(colour, ground) >= 3, `${colour} ${contrast(colour, ground)}`)
  })

  test(`in the ${scheme} scheme each pair of colours stays apart for eyes of every kind`, () => {
    for (const [kind, matrix] of Object.entries(eyes)) {
      for (const [at, one] of colours.entries()) {
        for (const other of colours.slice(at + 1)) {
          const apart = difference(seen(matrix, linear(one)), seen(matrix, linear(other)))
          assert.ok(apart > 20, `${one} and ${other} for ${kind}: ${apart}`)
        }
      }
    }
  })
}

test('both schemes have the same number of colours', () => {
  assert.is(chartColours.dark.colours.length, chartColoursCount)
})

function linear(colour: string): Triple {
  const channel = (at: number): number => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

function dot(row: Triple, [r, g, b]: Triple): number {
  return row[0] * r + row[1] * g + row[2] * b
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [one, other].map((colour) => dot([0.2126, 0.7152, 0.0722], linear(colour))).sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function seen(matrix: readonly [Triple, Triple, Triple], colour: Triple): Triple {
  const clamp = (value: number): number => Math.min(1, Math.max(0, value))
  return [clamp(dot(matrix[0], colour)), clamp(dot(matrix[1], colour)), clamp(dot(matrix[2], colour))]
}

function lab(colour: Triple): Triple {
  const root = (value: number): number => (value > 216 / 24389 ? Math.cbrt(value) : ((24389 / 27) * value + 16) / 116)
  const x = root(dot([0.4124, 0.3576, 0.1805], colour) / 0.9505)
  const y = root(dot([0.2126, 0.7152, 0.0722], colour))
  const z = root(dot([0.0193, 0.1192, 0.9505], colour) / 1.089)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

function difference(one: Triple, other: Triple): number {
  const [a, b] = [lab(one), lab(other)]
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

test.run()
