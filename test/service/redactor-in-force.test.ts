// Holds what a running service knows of secrets: its environment, the host's `.env` as it is now and as it was at the start, and the owner's patterns.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { RedactorInForce } from '../../src/service/redactor-in-force.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('redactor-in-force')

function places(env: string | undefined, environment: Record<string, string> = {}) {
  const hermesHome = temporaryFolder()
  const file = join(hermesHome, '.env')
  if (env !== undefined) writeFileSync(file, env)
  return { file, places: { home: join(hermesHome, 'home'), file: join(hermesHome, 'config.yaml'), hermesHome, environment } }
}

test('secrets of the environment and of the .env file are known, whoever they belong to', () => {
  const { places: at } = places(
    `export VENDOR_API_KEY="north star 77" # mine\nLANG=C.UTF-8\nDB_PASSWORD='it is #1 of all'\nNAME=hunter-99\n`,
    { BILLING_SECRET: 'south-star-88' },
  )
  const redactor = new RedactorInForce(at, undefined).redactor(undefined)
  assert.is(
    redactor.text('north star 77, south-star-88, it is #1 of all, hunter-99').text,
    '[REDACTED], [REDACTED], [REDACTED], hunter-99',
  )
})

test('G10: a value that was replaced since is known together with the new one', () => {
  const { places: at, file } = places('A_TOKEN=first-value-1\n')
  const secrets = new RedactorInForce(at, undefined)
  const before = secrets.redactor(undefined)
  assert.is(secrets.redactor(undefined), before)
  writeFileSync(file, 'A_TOKEN=second-value-22\n')
  assert.is(secrets.redactor(undefined).text('first-value-1 second-value-22').text, '[REDACTED] [REDACTED]')
})

test('a file that comes later is read, and one that cannot be read takes nothing away', () => {
  const { places: at, file } = places(undefined)
  const secrets = new RedactorInForce(at, undefined)
  assert.is(secrets.redactor(undefined).text('late-value-33').count, 0)
  writeFileSync(file, 'A_TOKEN=late-value-33\n')
  assert.is(secrets.redactor(undefined).text('late-value-33').count, 1)
  rmSync(file)
  mkdirSync(file)
  assert.is(secrets.redactor(undefined).text('late-value-33').count, 1)
})

test('the owner’s patterns come and go with the setting', () => {
  const secrets = new RedactorInForce(places(undefined).places, 'acme-*')
  assert.is(secrets.redactor('acme-*').text('acme-1 blue house').text, '[REDACTED] blue house')
  assert.is(secrets.redactor('blue house, acme-*').text('acme-1 blue house').text, '[REDACTED] [REDACTED]')
  assert.is(secrets.redactor(undefined).text('acme-1 blue house').count, 0)
})

test.run()
