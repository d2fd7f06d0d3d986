// The owner's allowlist on the disk: what is read and what is refused, what `~` is, how it is replaced, and where its folders lead.
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FileLook } from '../../src/hooks/file-look.js'
import { allowlistBytesMax, allowlistFile } from '../../src/service/allowlist-file.js'
import {
  followedPolicy,
  homeOf,
  policyBytes,
  policyFile,
  readPolicy,
  usablePolicy,
  writePolicy,
} from '../../src/service/policy-file.js'
import { throwsWithCode } from '../support/rejects-with-code.js'
import { SleepingDisk } from '../support/sleeping-disk.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('policy-file')

const folder = realpathSync(temporaryFolder())
const small = 'version: 1\nskills: { "*": { tools: [todo] } }\n'

function fileWith(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const readText = (text: string, environment: Record<string, string | undefined> = {}) =>
  readPolicy(allowlistFile(Buffer.from(text)), { HOME: '/home/ann', ...environment }, new Date('2026-11-30T12:00:00Z'))

test('a file is read as it is, and what is no file is refused by its name', () => {
  assert.is(Buffer.from(policyBytes(fileWith('a.yaml', small))).toString(), small)
  assert.equal(policyFile(join(folder, 'a.yaml')), allowlistFile(Buffer.from(small)))
  for (const file of [join(folder, 'none.yaml'), folder, '/dev/null']) {
    assert.is(throwsWithCode(() => policyBytes(file), 'FILE_UNREADABLE').details['file'], file)
  }
})

test('of a file that is too long it is told that it is, and no more of it is read', () => {
  const file = fileWith('long.yaml', `${small}#${'x'.repeat(allowlistBytesMax)}`)
  assert.is(policyBytes(file).length, allowlistBytesMax + 1)
  assert.equal(
    policyFile(file).problems.map(({ code }) => code),
    ['file_too_long'],
  )
})

test('`~` is the home of the environment, variables are its own, and one that is not set is an error', () => {
  const { allowlist } = readText('version: 1\nskills: { "*": { tools: [read_file], paths: [~/a, $W/b] } }\n', { W: '/w' })
  assert.equal(
    allowlist?.skills[0]?.grants[0]?.paths.map(({ pattern }) => pattern),
    ['/home/ann/a', '/w/b'],
  )
  assert.is(homeOf({ HOME: '/home/bob' }), '/home/bob')
  assert.is.not(homeOf({ HOME: '' }), '')
  const unset = readText('version: 1\nskills:\n  "*":\n    tools: [read_file]\n    paths: [$NOWHERE/b]\n')
  const { details } = throwsWithCode(() => usablePolicy(unset, { file: 'f' }), 'POLICY_INVALID')
  assert.equal(details, { file: 'f', line: 5, column: 13, code: 'unset_variable', errors: 1 })
})

test('a grant that has run out is no error', () => {
  const read = readText('version: 1\nskills: { "*": { grants: [{ tools: [todo], expires: 2026-11-30 }] } }\n')
  assert.is(usablePolicy(read).skills.length, 1)
  assert.equal(
    read.problems.map(({ severity }) => severity),
    ['warning'],
  )
})

test('a text takes the place of the file whole, for its owner alone, and leaves nothing beside it', () => {
  const file = fileWith('old.yaml', 'version: 1\n')
  writePolicy(file, small)
  assert.is(readFileSync(file, 'utf8'), small)
  assert.is(statSync(file).mode & 0o777, 0o600)
  assert.not.ok(existsSync(`${file}.new`))
})

test('the same text is not written again', () => {
  const file = fileWith('same.yaml', small)
  const before = statSync(file, { bigint: true })
  writePolicy(file, small)
  const after = statSync(file, { bigint: true })
  assert.equal([after.ino, after.mtimeNs], [before.ino, before.mtimeNs])
})

test('a file behind a link is replaced where it lies, and the link stays', () => {
  mkdirSync(join(folder, 'kept'))
  const file = fileWith('kept/real.yaml', 'version: 1\n')
  symlinkSync('kept/real.yaml', join(folder, 'link.yaml'))
  writePolicy(join(folder, 'link.yaml'), small)
  assert.is(readFileSync(file, 'utf8'), small)
  assert.is(realpathSync(join(folder, 'link.yaml')), file)
})

test('nothing is written through a link that lies where the new text is made', () => {
  const file = fileWith('linked.yaml', 'version: 1\n')
  const other = fileWith('other.md', 'Mine.\n')
  symlinkSync('other.md', `${file}.new`)
  writePolicy(file, small)
  assert.is(readFileSync(file, 'utf8'), small)
  assert.is(readFileSync(other, 'utf8'), 'Mine.\n')
})

test('where nothing can be written that is told by name, and what was there stays', () => {
  const file = join(folder, 'none/allowlist.yaml')
  assert.is(throwsWithCode(() => writePolicy(file, small), 'FILE_UNWRITABLE').details['file'], file)
  assert.not.ok(existsSync(file))
  if (process.getuid?.() === 0) return
  mkdirSync(join(folder, 'closed'))
  const closed = fileWith('closed/allowlist.yaml', 'version: 1\n')
  chmodSync(join(folder, 'closed'), 0o500)
  throwsWithCode(() => writePolicy(closed, small), 'FILE_UNWRITABLE')
  chmodSync(join(folder, 'closed'), 0o700)
  assert.is(readFileSync(closed, 'utf8'), 'version: 1\n')
})

test('folders of grants and of denials are followed to where they lead at this moment', async () => {
  mkdirSync(join(folder, 'v2/data'), { recursive: true })
  symlinkSync('v2', join(folder, 'current'))
  const text = `version: 1
skills: { "*": { tools: [read_file], paths: [$F/current/data/**, $F/v2/**] } }
deny: { paths: [$F/current/secret/**] }
`
  const { allowlist } = await followedPolicy(usablePolicy(readText(text, { F: folder })), new FileLook())
  const led = [...(allowlist.skills[0]?.grants[0]?.paths ?? []), ...allowlist.deny.paths].map(
    ({ resolvedPattern }) => resolvedPattern,
  )
  assert.equal(led, [join(folder, 'v2/data/**'), undefined, join(folder, 'v2/secret/**')])
})

test('a folder that does not answer is taken to lead where it led before, and is looked for again', async () => {
  const disk = new SleepingDisk(join(folder, 'mount'))
  mkdirSync(join(folder, 'server/data'), { recursive: true })
  symlinkSync('server', join(folder, 'mount'))
  const text = 'version: 1\nskills: { "*": { tools: [read_file], paths: [$F/mount/**] } }\ndeny: { paths: [$F/mount/data/**] }\n'
  const look = new FileLook(disk)
  const led = new Map<string, string | undefined>()
  const seen = async () => {
    const { allowlist, isLate } = await followedPolicy(usablePolicy(readText(text, { F: folder })), look, led)
    const paths = [...(allowlist.skills[0]?.grants[0]?.paths ?? []), ...allowlist.deny.paths]
    return [isLate, ...paths.map(({ resolvedPattern }) => resolvedPattern)]
  }
  const leads = [join(folder, 'server/**'), join(folder, 'server/data/**')]
  disk.sleep()
  assert.equal(await seen(), [true, undefined, undefined])
  await disk.wake()
  assert.equal(await seen(), [false, ...leads])
  disk.sleep()
  assert.equal(await seen(), [true, ...leads])
})

test.run()
