// What became of a write: the host's files are read again when the call has come back, and held against what was judged. The host of these
// stories is the test itself: it writes whatever it likes into a real Hermes home.
import { createHmac } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { storedAfter } from '../../src/hooks/hermes/stored-after.js'
import { type HermesStore, storedBefore } from '../../src/hooks/hermes/stored-before.js'
import { attachedHost, type HostPayload, type Sent, type TestHouse } from '../support/hook-house.js'
import { blockingHouse, judgingHouse, memoryAdd, writeCall } from '../support/judged-writes.js'
import { patient } from '../support/patient-limits.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('write landed')

const front = '---\nname: talk\ndescription: how we talk\n---\n'
const memoryPath = 'memories/MEMORY.md'
const skillPath = 'skills/desk/talk/SKILL.md'

class Host {
  readonly home = temporaryFolder()
  readonly house: TestHouse

  constructor(house: TestHouse, files: Readonly<Record<string, string>> = {}) {
    this.house = house
    for (const [path, text] of Object.entries(files)) this.write(path, text)
    house.storedBefore = (payload) => storedBefore(payload, this.#store)
    house.storedAfter = (payload) => storedAfter(payload, this.#store)
  }

  get #store(): HermesStore {
    return { hermesHome: this.home, external: () => [], limits: patient }
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.home, path)), { recursive: true })
    writeFileSync(join(this.home, path), text)
  }

  /** Asks for a call, does what the test does, and says that it came back. */
  async call(payload: HostPayload, run: () => void, sent: Sent = {}): Promise<void> {
    await this.house.send(payload)
    run()
    await this.house.send(backFrom(payload), sent)
  }
}

async function hostWith(files: Readonly<Record<string, string>> = {}): Promise<Host> {
  return new Host(await judgingHouse(), files)
}

function backFrom(payload: HostPayload, extra: Record<string, unknown> = {}): HostPayload {
  return {
    ...payload,
    hook_event_name: 'post_tool_call',
    extra: { ...payload.extra, status: 'ok', result: '{"success": true}', ...extra },
  }
}

interface LandedFile {
  readonly found?: string | null
  readonly compared: string
  readonly unread?: string
  readonly foretold: boolean
  readonly disturbed?: true
}

async function landedIn(house: TestHouse): Promise<LandedFile[][]> {
  return (await house.entries('write.landed')).map(({ payload }) => payload['files'] as LandedFile[])
}

async function comparisonsIn(house: TestHouse): Promise<string[][]> {
  return (await landedIn(house)).map((files) => files.map(({ compared }) => compared))
}

/** HMAC-SHA-256 under the home's key, after docs/format.md. */
function fileDigest(house: TestHouse, text: string): string {
  const secret = readFileSync(house.home.files.digestKey)
  return createHmac('sha256', secret).update('stele/digest/v1\nfile\n').update(text).digest('hex')
}

const entry = `Answers "no" to 'any' change.`
const slashed = entry.replaceAll(/["']/g, '\\$&')
const skillPatch = () =>
  writeCall('skill_manage', { action: 'patch', name: 'talk', old_string: 'Say yes.', new_string: `Say 'no'.` })

test('case 88: a memory that holds other bytes than were judged (extra backslashes) leaves their digest, and a mismatch that names write and file', async () => {
  const { house, call } = bound(await hostWith({ [memoryPath]: 'Uses tabs.' }))
  const after = `Uses tabs.\n§\n${slashed}`
  await call(memoryAdd(entry), (host) => host.write(memoryPath, after))
  assert.equal((await house.types()).slice(-3), ['tool.completed', 'write.landed', 'mismatch.found'])
  const [requested] = await house.entries('tool.requested')
  const [proposed] = await house.entries('write.proposed')
  const [landed] = await house.entries('write.landed')
  assert.equal(proposed?.payload['files'], [
    { before: fileDigest(house, 'Uses tabs.'), after: fileDigest(house, `Uses tabs.\n§\n${entry}`), foretold: true },
  ])
  assert.equal(landed?.payload, {
    call: requested?.header.index,
    write: proposed?.header.index,
    files: [{ found: fileDigest(house, after), compared: 'otherwise', foretold: true }],
  })
  const [mismatch] = await house.entries('mismatch.found')
  assert.equal(mismatch?.payload, {
    kind: 'written',
    judged: proposed?.header.index,
    file: 0,
    found: fileDigest(house, after),
  })
  assert.equal([mismatch?.header.version, mismatch?.header.session], [2, requested?.header.session])
})

test('case 88: so does a skill, of which each file is told for itself', async () => {
  const { house, call } = bound(
    await hostWith({ [skillPath]: `${front}Say yes.\n`, 'skills/desk/talk/references/a.md': 'Old.\n' }),
  )
  const operations = [
    { action: 'write_file', name: 'talk', file_path: 'references/a.md', file_content: 'New.\n' },
    { action: 'patch', name: 'talk', old_string: 'Say yes.', new_string: `Say 'no'.` },
  ]
  const after = `${front}Say \\'no\\'.\n`
  await call(writeCall('skill_manage', { operations }), (host) => {
    host.write('skills/desk/talk/references/a.md', 'New.\n')
    host.write(skillPath, after)
  })
  assert.equal((await house.entries('write.proposed'))[0]?.words?.['places'], ['talk/references/a.md', 'talk/SKILL.md'])
  assert.equal(await landedIn(house), [
    [
      { found: fileDigest(house, 'New.\n'), compared: 'as_judged', foretold: true },
      { found: fileDigest(house, after), compared: 'otherwise', foretold: true },
    ],
  ])
  const [mismatch, ...more] = await house.entries('mismatch.found')
  assert.equal([mismatch?.payload['file'], mismatch?.payload['found'], more.length], [1, fileDigest(house, after), 0])
})

test('a file that holds what was judged is told, and so is one that is as it was: refused, failed, or put off', async () => {
  const { house, host, call } = bound(await hostWith({ [memoryPath]: 'Uses tabs.' }))
  await call(memoryAdd(entry), () => host.write(memoryPath, `Uses tabs.\n§\n${entry}`))
  await call(memoryAdd('Never written.'), () => {})
  // Where there was no file and is none, it is unchanged too; where one has gone, it is not.
  await call(writeCall('memory', { action: 'add', target: 'user', content: 'Lives in Graz.' }), () => {})
  await call(memoryAdd('Once more.'), () => rmSync(join(host.home, memoryPath)))
  assert.equal(await comparisonsIn(house), [['as_judged'], ['unchanged'], ['unchanged'], ['otherwise']])
  assert.is((await landedIn(house))[3]?.[0]?.found, null)
  assert.is((await house.entries('mismatch.found')).length, 1)
})

test('a skill that the call itself makes is found where the host puts it', async () => {
  const { house, host, call } = bound(await hostWith())
  const made = `${front}Say yes.\n`
  const create = () => writeCall('skill_manage', { action: 'create', name: 'talk', category: 'desk', content: made })
  await call(create(), () => host.write(skillPath, made))
  // Made again, the host refuses: nothing was foretold to change.
  await call(create(), () => {})
  assert.equal(await comparisonsIn(house), [['as_judged']])
  await call(skillPatch(), () => rmSync(join(host.home, 'skills'), { recursive: true }))
  assert.equal(await landedIn(house).then((landed) => landed[1]), [{ found: null, compared: 'otherwise', foretold: true }])
})

test('files with line ends of another system, and a byte-order mark, are compared by their text', async () => {
  const { house, host, call } = bound(await hostWith({ [skillPath]: `\ufeff${front}Say yes.\n`.replaceAll('\n', '\r\n') }))
  await call(skillPatch(), () => host.write(skillPath, `${front}Say 'no'.\n`))
  host.write(skillPath, `${front}Say yes.\n`.replaceAll('\n', '\r\n'))
  await call(skillPatch(), () => host.write(skillPath, `${front}Say 'no'.\n`.replaceAll('\n', '\r\n')))
  // In the arguments, too.
  const content = `\ufeff${front}Say no more.\r\n`
  await call(writeCall('skill_manage', { action: 'edit', name: 'talk', content }), () => host.write(skillPath, content))
  await call(skillPatch(), () => {})
  assert.equal(await comparisonsIn(house), [['as_judged'], ['as_judged'], ['as_judged']])
  assert.equal(await house.entries('mismatch.found'), [])
})

test('what cannot be read is told with the reason, and contradicts nothing', async () => {
  const { house, host, call } = bound(await hostWith({ [skillPath]: `${front}Say yes.\n`, 'secret.md': 'Old.\n' }))
  await call(memoryAdd(entry), () => mkdirSync(join(host.home, memoryPath), { recursive: true }))
  const write = { action: 'write_file', name: 'talk', file_path: 'references/a.md', file_content: 'New.\n' }
  await call(writeCall('skill_manage', write), () => {
    mkdirSync(join(host.home, 'skills/desk/talk/references'))
    symlinkSync(join(host.home, 'secret.md'), join(host.home, 'skills/desk/talk/references/a.md'))
  })
  house.storedAfter = (payload) =>
    storedAfter(payload, { hermesHome: host.home, external: () => [], limits: { ...patient, timeoutMs: 0 } })
  await call(skillPatch(), () => {})
  assert.equal(
    (await landedIn(house)).flat().map(({ compared, unread, found }) => [compared, unread, found]),
    [
      ['unread', 'not_a_file', undefined],
      ['unread', 'outside', undefined],
      ['unread', 'too_slow', undefined],
    ],
  )
  assert.equal(await house.entries('mismatch.found'), [])
})

test('a reading that fails, and a home that nobody knows, leave nothing but the outcome', async () => {
  const { house, call } = bound(await hostWith())
  house.storedAfter = async () => {
    throw new Error('a disk that is gone')
  }
  await call(memoryAdd(entry), () => {})
  house.storedAfter = (payload) => storedAfter(payload, { hermesHome: undefined, external: () => [] })
  await call(memoryAdd(entry), () => {})
  assert.equal([(await house.entries('tool.completed')).length, await landedIn(house)], [2, []])
})

test('a file that was not foretold to the last character may come out otherwise', async () => {
  const { house, host, call } = bound(await hostWith({ [skillPath]: `${front}Say “yes” now.\n` }))
  const patch = { action: 'patch', name: 'talk', old_string: 'Say "yes" now.', new_string: 'Say "no".' }
  await call(writeCall('skill_manage', patch), () => host.write(skillPath, `${front}Say “no”.\n`))
  const [[file] = []] = await landedIn(house)
  assert.equal([file?.compared, file?.foretold], ['otherwise', false])
  assert.equal(await house.entries('mismatch.found'), [])
})

test('arguments from which the host’s plugin took a secret foretell nothing, nor do repaired ones, nor a call that came late', async () => {
  const { house, host } = bound(await hostWith())
  const attached = await attachedHost(house)
  const redacted = memoryAdd('The key is [redacted:OWN_KEY].')
  await attached.send(redacted, { host: { redacted: 1 } })
  host.write(memoryPath, 'The key is 12345678.')
  await attached.send(backFrom(redacted), { host: { redacted: 1 } })
  const repaired = JSON.stringify(memoryAdd('Half a #.', { session_id: 'other' })).replace('#', '\\ud83d')
  await house.send(repaired)
  await house.send(memoryAdd(entry, { session_id: 'third' }), { late: true })
  assert.equal(
    (await house.entries('write.proposed')).flatMap(({ payload }) =>
      (payload['files'] as LandedFile[]).map(({ foretold }) => foretold),
    ),
    [false, false, false],
  )
  assert.equal(await comparisonsIn(house), [['otherwise']])
  assert.equal(await house.entries('mismatch.found'), [])
})

test('what comes late out of the spool, for a call that we never saw, or with other arguments, is compared with nothing', async () => {
  const { house, host, call } = bound(await hostWith())
  await call(memoryAdd('One.'), () => host.write(memoryPath, 'Other.'), { late: true })
  await house.send(backFrom(memoryAdd('Never asked for.')))
  const asked = memoryAdd('Two.')
  await house.send(asked)
  host.write(memoryPath, 'Three.')
  await house.send(backFrom({ ...asked, tool_input: { ...asked.tool_input, content: 'Three.' } }))
  assert.equal(await landedIn(house), [])
  assert.equal(
    (await house.entries('mismatch.found')).map(({ payload }) => payload['kind']),
    // The capability gate should have been asked about the one that nobody asked for.
    ['undecided', 'arguments'],
  )
})

test('a call that only takes away, or that nobody can read, has no files to compare', async () => {
  const { house, host, call } = bound(await hostWith({ [memoryPath]: 'Uses tabs.' }))
  const remove = writeCall('memory', { action: 'remove', target: 'memory', old_text: 'tabs' })
  await call(remove, () => host.write(memoryPath, ''))
  await call(writeCall('memory', { action: 'add', content: 7 }), () => {})
  assert.equal([(await house.entries('write.proposed')).length, await landedIn(house)], [2, []])
})

test('after a restart between the call and its outcome the ledger says what it is held against', async () => {
  const { house, host } = bound(await hostWith({ [skillPath]: `${front}Say yes.\n` }))
  const patch = skillPatch()
  await house.send(patch)
  host.write(skillPath, `${front}Say \\'no\\'.\n`)
  await house.restart()
  await house.send(backFrom(patch))
  assert.equal(await comparisonsIn(house), [['otherwise']])
  assert.is((await house.entries('mismatch.found'))[0]?.payload['kind'], 'written')
})

test('where the words that say which files these are were forgotten, nothing is compared, before a restart and after it', async () => {
  for (const restarts of [false, true]) {
    const { house, host } = bound(await hostWith())
    const added = memoryAdd(entry)
    await house.send(added)
    host.write(memoryPath, slashed)
    const index = (await house.entries('write.proposed'))[0]?.header.index ?? 0
    await house.ledger.forget([[index, index]], { by: 'owner', reason: 'a test' })
    if (restarts) await house.restart()
    else house.house.sessions.forgetWords()
    await house.send(backFrom(added))
    assert.is((await house.entries('tool.completed')).length, 1)
    assert.equal([await landedIn(house), await house.entries('mismatch.found')], [[], []], `restarts: ${restarts}`)
  }
})

test('of two writes to one file at once neither could know of the other: it is said, and is no mismatch, after a restart too', async () => {
  for (const restarts of [false, true]) {
    const { house, host } = bound(await hostWith({ [memoryPath]: 'Uses tabs.' }))
    const [one, two] = [memoryAdd('One.'), memoryAdd('Two.')]
    await house.send(one)
    await house.send(two)
    if (restarts) await house.restart()
    host.write(memoryPath, 'Uses tabs.\n§\nOne.')
    host.write(memoryPath, 'Uses tabs.\n§\nOne.\n§\nTwo.')
    await house.send(backFrom(one))
    await house.send(backFrom(two))
    assert.equal(
      (await landedIn(house)).flat().map(({ compared, disturbed }) => [compared, disturbed]),
      [
        ['otherwise', true],
        ['otherwise', true],
      ],
    )
    assert.equal(await house.entries('mismatch.found'), [], `restarts: ${restarts}`)
  }
})

test('a write to another file, and one that has come back before, disturb nothing; a removal at once may have', async () => {
  const { house, host, call } = bound(await hostWith())
  const one = memoryAdd('One.')
  await house.send(one)
  const user = writeCall('memory', { action: 'add', target: 'user', content: 'Lives in Graz.' })
  await call(user, () => host.write('memories/USER.md', 'Lives in Wien.'))
  host.write(memoryPath, 'Other.')
  await house.send(backFrom(one))
  const two = memoryAdd('Two.')
  await house.send(two)
  await call(writeCall('memory', { action: 'remove', target: 'memory', old_text: 'Other' }), () => host.write(memoryPath, ''))
  host.write(memoryPath, 'Two.')
  await house.send(backFrom(two))
  assert.equal(
    (await landedIn(house)).flat().map(({ compared, disturbed }) => [compared, disturbed]),
    [
      ['otherwise', undefined],
      ['otherwise', undefined],
      ['otherwise', true],
    ],
  )
  assert.is((await house.entries('mismatch.found')).length, 2)
})

test('a write that the gate blocked is told as one that changed nothing', async () => {
  const house = await blockingHouse()
  const host = new Host(house, { [memoryPath]: 'Uses tabs.' })
  const refused = memoryAdd('User decided to ship on Friday.')
  assert.is(((await house.send(refused)) as { action?: string }).action, 'block')
  await house.send(backFrom(refused, { status: 'blocked', error_type: 'plugin_block' }))
  assert.equal(await comparisonsIn(host.house), [['unchanged']])
})

function bound(host: Host) {
  return {
    house: host.house,
    host,
    call: (payload: HostPayload, run: (host: Host) => void, sent?: Sent) => host.call(payload, () => run(host), sent),
  }
}

test.run()
