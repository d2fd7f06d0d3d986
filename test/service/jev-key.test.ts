// Holds the key of the decision model to its two places, and to being told of as present or not.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ConfigPlaces, jevKeyVariable, readConfig, serviceEnvironment } from '../../src/service/config.js'
import { readJevKey } from '../../src/service/jev-key.js'
import { RedactorInForce } from '../../src/service/redactor-in-force.js'
import { json, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('jev-key')

const hermesHome = temporaryFolder()
const home = join(hermesHome, 'plugin-data', 'stele')
mkdirSync(home, { recursive: true })

function places(env: string | undefined, environment: Record<string, string> = {}): ConfigPlaces {
  const file = join(hermesHome, '.env')
  if (env === undefined) rmSync(file, { force: true })
  else writeFileSync(file, env)
  return { home, file: join(home, 'config.yaml'), hermesHome, environment }
}

test('vector A13: without a key in either place there is none', () => {
  for (const at of [
    places(undefined),
    places('OTHER=1\n'),
    places('TYPESAFE_API_KEY=\n'),
    places(undefined, { TYPESAFE_API_KEY: ' ' }),
  ])
    assert.equal(readJevKey(at), { state: 'missing' })
})

test('it comes from the environment or from the .env of the host, and the environment has the last word', () => {
  assert.equal(readJevKey(places('TYPESAFE_API_KEY="key-of-file"\n')), { state: 'present', from: '.env', key: 'key-of-file' })
  const both = places('export TYPESAFE_API_KEY=key-of-file\n', { TYPESAFE_API_KEY: 'key-of-process\n' })
  assert.equal(readJevKey(both), { state: 'present', from: 'environment', key: 'key-of-process' })
  assert.is(readJevKey(places('TYPESAFE_API_KEY=first\nTYPESAFE_API_KEY=last\n')).key, 'last')
})

test('what cannot be a key is unfit, and is not handed on', () => {
  for (const text of ['two words', 'schlüssel', 'x'.repeat(513)])
    assert.equal(readJevKey(places(`TYPESAFE_API_KEY="${text}"\n`)), { state: 'unfit', from: '.env' })
})

test('no settings file takes it', () => {
  const at = places(undefined)
  writeFileSync(at.file, 'jev:\n  api_key: key-of-settings\n')
  assert.throws(() => readConfig(at), /setting/)
  rmSync(at.file)
})

test('a service that a host starts looks the key up in the file, so that a change there counts', () => {
  const environment = { TYPESAFE_API_KEY: 'old', PATH: '/bin' }
  assert.equal(serviceEnvironment(places('TYPESAFE_API_KEY=new\n', environment)), { PATH: '/bin' })
  assert.equal(serviceEnvironment(places('OTHER=1\n', environment)), environment)
})

test('vector G34: the redactor takes the key out whatever it looks like, from both places, and a later one too', () => {
  for (const key of ['production', '12345', 'abc-def-ghi']) {
    const ofProcess = new RedactorInForce(places(undefined, { [jevKeyVariable]: key }), undefined).redactor(undefined)
    assert.is(ofProcess.text(`it is ${key} today`).text, 'it is [REDACTED] today')
    const inForce = new RedactorInForce(places(`TYPESAFE_API_KEY=${key}\n`), undefined)
    assert.is(inForce.redactor(undefined).text(`it is ${key} today`).text, 'it is [REDACTED] today')
    places(`TYPESAFE_API_KEY=${key}-and-another\n`)
    assert.is(inForce.redactor(undefined).text(`it is ${key}-and-another today`).text.includes('another'), false)
  }
})

test('stele config says whether there is a key and where, and never what it is', () => {
  const key = 'tsk-Q7w2E9r4T1y6U3i8O5p0'
  places(`TYPESAFE_API_KEY=${key}\n`)
  const forMachines = stele(['config', '--json', '--home', home])
  assert.equal(json<{ jevKey: unknown }>(forMachines).jevKey, { state: 'present', from: '.env' })
  const forPeople = stele(['config', '--home', home])
  assert.match(forPeople.stdout, /TYPESAFE_API_KEY +present +\.env/)
  for (const { stdout, stderr } of [forMachines, forPeople]) assert.is(`${stdout}${stderr}`.includes(key), false)
  places(undefined)
  assert.match(stele(['config', '--home', home]).stdout, /TYPESAFE_API_KEY +missing/)
})

test.run()
