// The room held in reserve: really taken up, private, made only where there is plenty, given back at once.
import { existsSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ReserveFile } from '../../src/service/reserve-file.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { withFullDisk } from '../support/temporary-ledger.js'

const test = suite('reserve file')
const mib = 1024 * 1024

function reserveIn(folder: string) {
  const told: string[] = []
  const file = join(folder, 'reserve')
  const reserve = new ReserveFile(file, { write: (what) => told.push(what), fail: (what) => told.push(what) })
  return { file, reserve, told }
}

test('it takes eight MiB of the disk for real, and only its owner may read it', async () => {
  const { file, reserve, told } = reserveIn(temporaryFolder())
  assert.equal([reserve.isThere, await reserve.make(64 * mib), reserve.isThere], [false, true, true])
  const { size, blocks, mode } = statSync(file)
  assert.is(size, 8_388_608)
  assert.ok(blocks * 512 >= size, `${blocks} blocks`)
  if (process.platform !== 'win32') assert.is(mode & 0o777, 0o600)
  assert.equal([await reserve.make(1024 * mib), told], [false, ['reserve_made']])
})

test('it is not made where less than 64 MiB are free, or where nobody knows', async () => {
  const { file, reserve } = reserveIn(temporaryFolder())
  for (const free of [null, 0, 64 * mib - 1]) assert.is(await reserve.make(free), false)
  assert.not.ok(existsSync(file))
})

test('given back it is gone, with what is left of one that was half made, and that is told once', async () => {
  const { file, reserve, told } = reserveIn(temporaryFolder())
  await reserve.make(64 * mib)
  writeFileSync(`${file}.new`, 'half')
  assert.equal([reserve.giveBack(), reserve.giveBack()], [true, false])
  assert.equal([existsSync(file), existsSync(`${file}.new`)], [false, false])
  assert.equal(told, ['reserve_made', 'reserve_given_back'])
})

test('one that somebody cut short is made anew', async () => {
  const { file, reserve } = reserveIn(temporaryFolder())
  await reserve.make(64 * mib)
  truncateSync(file, 100)
  assert.equal([reserve.isThere, await reserve.make(64 * mib), statSync(file).size], [false, true, 8 * mib])
})

test('where there is no room after all nothing is left behind', async () => {
  const { file, reserve } = reserveIn(temporaryFolder())
  const ran = await withFullDisk(mib, async () => {
    assert.is(await reserve.make(64 * mib), false)
  })
  if (!ran) return
  assert.equal([existsSync(file), existsSync(`${file}.new`)], [false, false])
})

test('it is not given back while there is room', async () => {
  const { reserve } = reserveIn(temporaryFolder())
  await reserve.make(64 * mib)
  assert.equal([await reserve.giveBackWhenFull(), reserve.isThere], [false, true])
})

test.run()
