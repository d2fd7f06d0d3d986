// The walk at open names what is wrong with the end of a ledger and with its witnesses, and what a new start would abandon.
import { readFileSync, writeFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openHighWater } from '../../src/ledger/high-water.js'
import { openLedger, reanchorLedger } from '../../src/ledger/open-ledger.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { editStore, message, temporaryLedger, verifyCopy } from '../support/temporary-ledger.js'

const test = suite('tail walk')

test('a checkpoint line that was altered stops the ledger under its own name, and a new start passes it', async () => {
  const { files, settings, ledger } = await temporaryLedger()
  await ledger.append([message('one')])
  await ledger.close()
  const lines = readFileSync(files.checkpoints, 'utf8').trimEnd().split('\n')
  const last = String(JSON.parse(lines.at(-1) ?? '""'))
  // The last letter before the padding of the signature: another signature under the same name and id.
  const altered = last.replace(/(.)(=*\n)$/, (_, letter: string, end: string) => (letter === 'A' ? 'Q' : 'A') + end)
  writeFileSync(files.checkpoints, `${[...lines.slice(0, -1), JSON.stringify(altered)].join('\n')}\n`)
  await rejectsWithCode(openLedger(files, settings), 'LEDGER_CHECKPOINT_ALTERED')
  await reanchorLedger(files, settings, 'an altered line')
  const again = await openLedger(files, settings)
  assert.is(again.epoch, 1)
  await again.close()
})

test('a new start is higher than any epoch that a mark has seen, also where its mirror has seen a later one', async () => {
  const mirror = `${temporaryFolder()}/mark`
  const { files, settings, ledger } = await temporaryLedger({ markMirror: mirror })
  await ledger.append([message('one')])
  await ledger.close()
  for (const [file, epoch] of [
    [files.highWater, 1],
    [mirror, 2],
  ] as const) {
    const mark = openHighWater(file)
    mark.write({ epoch, size: 2, head: 'ab'.repeat(32) })
    mark.close()
  }
  const start = await reanchorLedger(files, settings, 'two marks of lost epochs')
  assert.is(start.epoch, 3)
  assert.is(start.abandoned.epoch, 2)
  assert.equal((await verifyCopy(files)).findings, [])
})

test('rows whose keys are none of the format’s do not stop the walk, and the verifier tells them', async () => {
  const { files, settings, ledger } = await temporaryLedger()
  await ledger.append([message('one')])
  await ledger.close()
  const strange = [Buffer.from('h\u00ff', 'latin1'), Buffer.from('p\u00ff', 'latin1'), Buffer.from('hello, world!')]
  await editStore(
    files,
    strange.map((key) => ({ key, value: Buffer.from('x') })),
  )
  const again = await openLedger(files, settings)
  assert.is(again.size, 2)
  await again.close()
  assert.equal(
    (await verifyCopy(files)).findings.map(({ code, index }) => `${code} ${index}`),
    ['store_unreadable null'],
  )
})

test.run()
