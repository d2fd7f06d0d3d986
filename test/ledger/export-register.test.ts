// Holds exports to the forgetting page: what is forgotten goes from them too, they verify as before, and no other file is touched.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { exportLines } from '../../src/ledger/export.js'
import { ExportRegister, partialOf } from '../../src/ledger/export-register.js'
import { verifyExport } from '../../src/verify/verify-ledger.js'
import { rejectsWithCode, throwsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { message, type TemporaryLedger, temporaryLedger } from '../support/temporary-ledger.js'

const test = suite('export register')

const texts = [
  'the first that stays',
  'a secret of the user',
  'one\u2028two\u2029three\r\n"four" \\ five secret',
  'the last that stays',
]

/** created 0, messages 1 to 4, and an export of them. */
async function exported(): Promise<{ home: TemporaryLedger; file: string; before: string }> {
  const home = await temporaryLedger()
  for (const text of texts) await home.ledger.append([message(text)])
  const made = await home.ledger.checkpoint()
  const lines: string[] = []
  for await (const line of exportLines(home.ledger.reader, made?.size ?? 0, made?.note ?? '')) lines.push(line)
  const file = join(temporaryFolder(), 'ledger.jsonl')
  const before = `${lines.join('\n')}\n`
  writeFileSync(file, before)
  return { home, file, before }
}

const isForgotten = (index: number): boolean => index === 2 || index === 3
const cover = ({ files, ledger }: TemporaryLedger) => new ExportRegister(files).cover(ledger.ledgerId, isForgotten)

test('words that are forgotten go from an export, which then says that they are withheld and verifies with that note', async () => {
  const { home, file, before } = await exported()
  new ExportRegister(home.files).remember(file)
  assert.equal(await cover(home), { changed: 1, missing: 0 })
  const after = readFileSync(file, 'utf8')
  assert.not.match(after, /secret/)
  const lines = (text: string) => text.split('\n')
  assert.is(lines(after).length, lines(before).length, 'a text may hold what other readers take for the end of a line')
  for (const at of [0, 1, 4, 5, 6]) assert.is(lines(after)[at], lines(before)[at], `line ${at}`)
  const gone = JSON.parse(lines(after)[2] ?? '') as Record<string, unknown>
  assert.equal([gone['withheld'], 'words' in gone, 'wordsSalt' in gone], [true, false, false])
  const { report } = await verifyExport(file)
  assert.equal([report.ok, report.findings], [true, []])
  assert.equal(
    report.notes.map(({ code }) => code),
    ['words_withheld'],
  )
  assert.is(statSync(file).mode & 0o777, 0o600)
  await home.close()
})

test('a second time nothing changes, and a file that holds nothing of it is left as it is', async () => {
  const { home, file } = await exported()
  new ExportRegister(home.files).remember(file)
  await cover(home)
  const { ino, mtimeMs } = statSync(file)
  assert.equal(await cover(home), { changed: 0, missing: 0 })
  assert.equal([statSync(file).ino, statSync(file).mtimeMs], [ino, mtimeMs])
  assert.equal(readdirSync(join(file, '..')), ['ledger.jsonl'])
  await home.close()
})

test('files that are not known, of another ledger, or of no ledger, are left as they are', async () => {
  const { home, before } = await exported()
  const { file: others, before: otherText } = await exported()
  // Ledgers of tests share their chance, so the other is given an id of its own.
  const foreign = otherText.replaceAll(home.ledger.ledgerId, 'f'.repeat(32))
  const folder = temporaryFolder()
  const unknown = join(folder, 'unknown.jsonl')
  const binary = join(folder, 'binary')
  writeFileSync(unknown, before)
  writeFileSync(others, foreign)
  writeFileSync(binary, Buffer.from([0xff, 0xfe, 0x0a, ...Buffer.from('"wordsSalt"{\n'), 0xff]))
  const register = new ExportRegister(home.files)
  for (const file of [others, binary]) register.remember(file)
  assert.equal(await cover(home), { changed: 0, missing: 0 })
  assert.is(readFileSync(unknown, 'utf8'), before)
  assert.is(readFileSync(others, 'utf8'), foreign)
  assert.is(readFileSync(binary).length, 17)
  await home.close()
})

test('an export that is not whole is removed, and what else bears such a name is left', async () => {
  const { home, file, before } = await exported()
  new ExportRegister(home.files).remember(file)
  for (const part of ['', before.slice(0, 500), before]) {
    writeFileSync(partialOf(file), part)
    await cover(home)
    assert.not(existsSync(partialOf(file)))
  }
  for (const other of ['a download of somebody else', '{"v":1,"ledger":"0123"}', before.slice(0, 20)]) {
    writeFileSync(partialOf(file), other)
    await cover(home)
    assert.is(readFileSync(partialOf(file), 'utf8'), other)
  }
  await home.close()
})

test('one that was moved is told once; one whose disk is elsewhere is told until it comes back', async () => {
  const { home, file } = await exported()
  const disk = join(temporaryFolder(), 'disk')
  mkdirSync(disk)
  const onDisk = join(disk, 'ledger.jsonl')
  writeFileSync(onDisk, readFileSync(file))
  const register = new ExportRegister(home.files)
  for (const one of [file, onDisk]) register.remember(one)
  renameSync(file, `${file}.moved`)
  renameSync(disk, `${disk}.away`)
  assert.equal(await cover(home), { changed: 0, missing: 2 })
  assert.equal(await cover(home), { changed: 0, missing: 1 })
  renameSync(`${disk}.away`, disk)
  assert.equal(await cover(home), { changed: 1, missing: 0 })
  await home.close()
})

test('what is no plain file any more counts as missing: it is not followed', async () => {
  const { home, file, before } = await exported()
  new ExportRegister(home.files).remember(file)
  const target = `${file}.target`
  renameSync(file, target)
  symlinkSync(target, file)
  assert.equal(await cover(home), { changed: 0, missing: 1 })
  assert.is(readFileSync(target, 'utf8'), before)
  new ExportRegister(home.files).remember(file)
  rmSync(file)
  mkdirSync(file)
  assert.equal(await cover(home), { changed: 0, missing: 1 })
  await home.close()
})

test('one that cannot be changed is an error: nobody may take its words for gone', async () => {
  if (process.getuid?.() === 0) return
  const { home, file } = await exported()
  new ExportRegister(home.files).remember(file)
  chmodSync(join(file, '..'), 0o500)
  try {
    await rejectsWithCode(() => cover(home), 'FILE_UNWRITABLE')
  } finally {
    chmodSync(join(file, '..'), 0o700)
    await home.close()
  }
})

test('exports that are written at the same time do not lose each other, and one path is known once', async () => {
  const { home } = await exported()
  const files = Array.from({ length: 20 }, (_, at) => join(temporaryFolder(), `${at}.jsonl`))
  const registers = files.map(() => new ExportRegister(home.files))
  for (const [at, file] of files.entries()) registers[at]?.remember(file)
  registers[0]?.remember(files[0] ?? '')
  assert.equal(await cover(home), { changed: 0, missing: 20 })
  assert.is(statSync(home.files.exports).mode & 0o777, 0o700)
  await home.close()
})

test('an export that cannot be remembered is not written', async () => {
  const home = await temporaryLedger()
  writeFileSync(home.files.exports, 'in the way')
  throwsWithCode(() => new ExportRegister(home.files).remember('/some/file'), 'FILE_UNWRITABLE')
  await home.close()
})

test.run()
