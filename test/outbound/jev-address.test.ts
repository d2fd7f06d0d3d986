// Holds the address of the decision model to https, or to this machine: words and a key go there.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { configEvents } from '../../src/events/config.js'
import { isJevAddress, jevAddressDefault } from '../../src/outbound/jev-address.js'

const test = suite('jev-address')

test('https anywhere and http on this machine alone may be asked', () => {
  for (const address of [
    jevAddressDefault,
    'https://jev.example.com',
    'https://jev.example.com:8443/compat/v2',
    'http://127.0.0.1:8080',
    'http://127.9.9.9',
    'http://localhost:1',
    'http://[::1]:8080',
    'HTTPS://jev.example.com',
  ])
    assert.is(isJevAddress(address), true, address)
})

test('every address that may be asked fits what the ledger says of the settings in force', () => {
  for (const baseUrl of [jevAddressDefault, 'http://[::1]:8080/a-b_c', `https://jev.example.com/${'x'.repeat(72)}`]) {
    assert.is(isJevAddress(baseUrl), true, baseUrl)
    const { jev } = configEvents['config.activated'].facts.shape
    assert.is(jev.safeParse({ enabled: true, mode: 'shadow', baseUrl }).success, true, baseUrl)
  }
})

test('any other address may not', () => {
  for (const address of [
    '',
    'jev.example.com',
    'http://jev.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://[::2]',
    'http://0.0.0.0',
    'http://192.168.1.2',
    'https://user:pw@jev.example.com',
    'https://user@jev.example.com',
    'http://127.0.0.1@jev.example.com',
    'https://jev.example.com?to=elsewhere',
    'https://jev.example.com#part',
    'https://jev.example.com/a b',
    'https:///path',
    'https:jev.example.com',
    'https://',
    'ftp://127.0.0.1',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://jév.example.com',
    'https://jev.example.com\n',
    `https://jev.example.com/${'x'.repeat(96)}`,
  ])
    assert.is(isJevAddress(address), false, address)
})

test.run()
