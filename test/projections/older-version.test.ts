// Holds the order of versions to pairs written out by hand.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isOlderVersion } from '../../src/projections/older-version.js'

const test = suite('older-version')

test('a version is older where its first number that differs is smaller, as a number', () => {
  for (const [one, other] of [
    ['0.2.0', '0.3.0'],
    ['0.9.9', '0.10.0'],
    ['1.2.3', '2.0.0'],
    ['0.2.0-rc.1', '0.3.0'],
  ] as const) {
    assert.is(isOlderVersion(one, other), true, `${one} ${other}`)
    assert.is(isOlderVersion(other, one), false, `${other} ${one}`)
  }
})

test('the same version, and what is no version, is older than nothing', () => {
  for (const [one, other] of [
    ['0.3.0', '0.3.0'],
    ['0.3.0-rc.1', '0.3.0'],
    ['', '0.3.0'],
    ['0.2', '0.3.0'],
    ['unnamed', '0.3.0'],
    ['0.2.0.1', '0.3.0'],
    ['0.2.0', 'unnamed'],
  ] as const)
    assert.is(isOlderVersion(one, other), false, `${one} ${other}`)
})

test.run()
