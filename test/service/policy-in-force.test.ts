// Holds the allowlist in force to its rules: less at once, more after the owner, the last good one where a file cannot be used, and the same
// after a restart.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Entry } from '../../src/events/entry.js'
import { decide } from '../../src/gates/capability/decide.js'
import { FileLook } from '../../src/hooks/file-look.js'
import type { RedactedEvent } from '../../src/ledger/redacted-event.js'
import { makeRedactor } from '../../src/redaction/redact.js'
import { allowlistFile } from '../../src/service/allowlist-file.js'
import { followedPolicy, policyBytes, readPolicy, usablePolicy, writePolicy } from '../../src/service/policy-file.js'
import { PolicyInForce, policyBefore } from '../../src/service/policy-in-force.js'
import { protectedPlaces } from '../../src/service/protected-places.js'
import {
  answered,
  codeOf,
  newHome,
  quietSettings,
  type RunningService,
  runService,
  toolCall,
  withService,
  writeSettings,
} from '../support/running-service.js'
import { SleepingDisk } from '../support/sleeping-disk.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('policy-in-force')

const enforcing = `${quietSettings}capability:\n  mode: enforce\n`
const grants = (...tools: string[]) => `version: 1\nskills:\n  "*":\n    tools: [${tools.join(', ')}]\n`
const confirmation = { how: 'yes' }

function homeWith(settings: string, allowlist?: string): string {
  const home = newHome()
  writeSettings(home, settings)
  if (allowlist !== undefined) writeAllowlist(home, allowlist)
  return home
}

function writeAllowlist(home: string, text: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeFileSync(join(home, 'allowlist.yaml'), text, { mode: 0o600 })
}

let calls = 0
/** The code of the decision about a call, and whether the host was told to block it. */
async function decided(running: RunningService, tool: string): Promise<readonly [code: string, blocked: boolean]> {
  calls += 1
  const directive = answered<{ action?: string }>(await running.hook(toolCall(tool, {}, String(calls))))
  const { entries } = answered<{ entries: { data: { code: string } }[] }>(
    await running.ask('/v1/entries?order=desc&limit=1&type=gate.decided'),
  )
  return [entries[0]?.data.code ?? '', directive.action === 'block']
}

const policies = async (running: RunningService) =>
  (await running.entries('limit=1000&type=policy.activated')).map(({ data }) => [data['how'], 'waiting' in data])

test('row C18: without an allowlist nothing is granted, and there is nothing to be rejected', async () => {
  await withService({ home: homeWith(enforcing) }, async (running) => {
    assert.equal(await decided(running, 'todo'), ['policy_unavailable', true])
    assert.is((await running.entries('limit=1000&type=policy.rejected')).length, 0)
  })
})

test('row C8: a first allowlist that cannot be used is told with its place, and nothing is granted', async () => {
  await withService({ home: homeWith(enforcing, 'version: 1\nskils: {}\n') }, async (running) => {
    assert.equal(await decided(running, 'todo'), ['policy_unavailable', true])
    const [rejected] = await running.entries('limit=1000&type=policy.rejected')
    assert.equal([rejected?.data['line'], rejected?.data['column']], [2, 1])
    assert.is(answered<{ ok: boolean }>(await running.ask('/v1/status')).ok, false)
  })
})

test('row C16: what grants less is in force with the next call; what grants more waits for the owner, and then is', async () => {
  const home = homeWith(enforcing, grants('todo', 'clarify'))
  await withService({ home }, async (running) => {
    assert.equal(await decided(running, 'todo'), ['granted', false])
    writeAllowlist(home, grants('todo'))
    assert.equal(await decided(running, 'clarify'), ['tool_not_granted', true])
    writeAllowlist(home, grants('todo', 'clarify', 'web_search'))
    assert.equal(await decided(running, 'clarify'), ['tool_not_granted', true])
    assert.equal(await decided(running, 'todo'), ['granted', false])
    const { policy } = answered<{ policy: { waiting: { text: string } | null } }>(await running.ask('/v1/status'))
    assert.match(policy.waiting?.text ?? '', /web_search/)
    answered(await running.askOwner('/v1/owner/policy-use', { body: { confirmation } }))
    assert.equal(await decided(running, 'clarify'), ['granted', false])
    assert.equal(await policies(running), [
      ['started', false],
      ['edited', false],
      ['edited', true],
      ['used', false],
    ])
  })
})

test('while one waits, what it no longer grants is not granted either', async () => {
  const home = homeWith(enforcing, grants('todo', 'clarify'))
  await withService({ home }, async (running) => {
    writeAllowlist(home, grants('todo', 'web_search'))
    assert.equal(await decided(running, 'todo'), ['granted', false])
    assert.equal(await decided(running, 'clarify'), ['tool_not_granted', true])
    assert.equal(await decided(running, 'web_search'), ['tool_not_granted', true])
  })
})

test('what waits goes on waiting over a restart, and a file that is gone or broken leaves the last good one in force', async () => {
  const home = homeWith(enforcing, grants('todo'))
  await withService({ home }, async (running) => {
    assert.equal(await decided(running, 'todo'), ['granted', false])
  })
  writeAllowlist(home, grants('todo', 'web_search'))
  await withService({ home }, async (running) => {
    assert.equal(await decided(running, 'web_search'), ['tool_not_granted', true])
    writeAllowlist(home, 'version: 2\n')
    assert.equal(await decided(running, 'todo'), ['granted', false])
  })
  rmSync(join(home, 'allowlist.yaml'))
  await withService({ home }, async (running) => {
    assert.equal(await decided(running, 'todo'), ['granted', false])
    assert.equal(await decided(running, 'web_search'), ['tool_not_granted', true])
  })
})

test('a link that leads to itself is a file that cannot be read, at a start too, and what it becomes later waits', async () => {
  const home = homeWith(enforcing, grants('todo'))
  const file = join(home, 'allowlist.yaml')
  await withService({ home }, async (running) => {
    rmSync(file)
    symlinkSync(file, file)
    assert.equal(await decided(running, 'todo'), ['granted', false])
  })
  await withService({ home }, async (running) => {
    assert.equal(await decided(running, 'todo'), ['granted', false])
    const [rejected] = await running.entries('limit=1000&type=policy.rejected')
    assert.is(rejected?.data['code'], 'file_unreadable')
    rmSync(file)
    writeAllowlist(home, grants('todo', 'web_search'))
    assert.equal(await decided(running, 'web_search'), ['tool_not_granted', true])
  })
})

test('a start that ended before it could say what is in force hides nothing of what was', async () => {
  const entry = (type: string, payload: object, words?: object, session = '') =>
    ({ header: { type, session }, payload, words }) as unknown as Entry
  const policy = { allowlists: [{ version: 1, skills: [], requireApproval: [], deny: { tools: [], paths: [], commands: [] } }] }
  const started = entry('config.activated', { why: 'started' })
  const known = entry('policy.activated', {}, { text: 'version: 1', policy: JSON.stringify(policy) })
  const called = entry('tool.requested', {}, undefined, 's1')
  const before = async (...oldestFirst: Entry[]) => {
    const newestFirst = async function* () {
      yield* oldestFirst.toReversed()
    }
    return (await policyBefore(newestFirst()))?.text
  }
  assert.is(await before(started, known, called), 'version: 1')
  assert.is(await before(started, known, called, started), 'version: 1')
  assert.is(await before(started, known, called, started, started), 'version: 1')
  assert.is(await before(started, known, called, started, called), undefined)
  assert.is(await before(started, called, started), undefined)
})

test('while the gate observes, and where `reload` is auto, whatever is written is in force at once', async () => {
  for (const settings of [quietSettings, `${enforcing}reload: auto\n`]) {
    const home = homeWith(settings, grants('todo'))
    await withService({ home }, async (running) => {
      assert.is((await decided(running, 'web_search'))[0], 'tool_not_granted')
      writeAllowlist(home, grants('todo', 'web_search'))
      assert.is((await decided(running, 'web_search'))[0], 'granted')
    })
  }
})

test('row C10: observing decides and records the same, and blocks nothing', async () => {
  await withService({ home: homeWith(quietSettings, grants('todo')) }, async (running) => {
    assert.equal(await decided(running, 'web_search'), ['tool_not_granted', false])
    assert.equal(await decided(running, 'todo'), ['granted', false])
  })
})

test('row C17: a policy that was in force is put into force again by its digest, and the file says so', async () => {
  const home = homeWith(enforcing, grants('todo'))
  await withService({ home }, async (running) => {
    const first = (await running.entries('limit=1000&type=policy.activated'))[0]?.data['digest']
    answered(await running.askOwner('/v1/owner/policy-use', { body: { confirmation, text: grants('web_search') } }))
    assert.is(readFileSync(join(home, 'allowlist.yaml'), 'utf8'), grants('web_search'))
    assert.equal(await decided(running, 'todo'), ['tool_not_granted', true])
    const again = await running.askOwner('/v1/owner/policy-use', { body: { confirmation, digest: String(first).slice(0, 12) } })
    assert.is(answered<{ digest: string }>(again).digest, first)
    assert.equal(await decided(running, 'todo'), ['granted', false])
    assert.is(readFileSync(join(home, 'allowlist.yaml'), 'utf8'), grants('todo'))
  })
})

test('an allowlist that cannot be used, a digest that nobody knows, and nothing that waits are refused', async () => {
  const home = homeWith(enforcing, grants('todo'))
  await withService({ home }, async (running) => {
    const use = (wanted: object) => running.askOwner('/v1/owner/policy-use', { body: { confirmation, ...wanted } })
    assert.is(codeOf(await use({ text: 'version: 1\nskils: {}\n' })), 'POLICY_INVALID')
    assert.is(codeOf(await use({ digest: 'deadbeef' })), 'POLICY_UNKNOWN')
    assert.is(codeOf(await use({})), 'POLICY_NOTHING_WAITS')
    assert.is(
      codeOf(await running.askOwner('/v1/owner/policy-use', { body: { confirmation: { how: 'none' } } })),
      'OWNER_UNCONFIRMED',
    )
    assert.is(codeOf(await running.ask('/v1/owner/policy-use', { body: { confirmation } })), 'ROUTE_UNKNOWN')
    assert.equal(await decided(running, 'todo'), ['granted', false])
  })
})

test('row C12: while the settings cannot be read no call runs, and the decision says why; a gate that is off judges nothing', async () => {
  const home = homeWith(quietSettings, grants('todo'))
  await withService({ home }, async (running) => {
    assert.equal(await decided(running, 'todo'), ['granted', false])
    for (const broken of ['capability:\n  mode: sometimes\n', 'capability: [\n', '{{{']) {
      writeSettings(home, broken)
      assert.equal(await decided(running, 'todo'), ['mode_unresolved', true], broken)
    }
    const [newest] = answered<{ entries: { words: { reason: string } }[] }>(
      await running.ask('/v1/entries?order=desc&limit=1&type=gate.decided'),
    ).entries
    assert.match(newest?.words.reason ?? '', /^mode_unresolved_fail_closed:config_invalid/)
    writeSettings(home, quietSettings)
    assert.equal(await decided(running, 'todo'), ['granted', false])
    writeSettings(home, `${quietSettings}capability:\n  mode: enforce\n`)
    assert.equal(await decided(running, 'web_search'), ['tool_not_granted', true])
  })
  const off = await runService({ settings: `${quietSettings}capability:\n  mode: "off"\n` })
  writeSettings(off.home, '{{{')
  assert.equal(answered(await off.hook(toolCall('web_search', {}))), {})
  await off.service.stop()
})

/** The allowlist of a file in force, with a link among what it protects and grants that leads to a folder which may sleep. */
class SleepyPolicy {
  readonly folder = realpathSync(temporaryFolder())
  readonly file = join(this.folder, 'allowlist.yaml')
  readonly disk = new SleepingDisk(join(this.folder, 'mount'))
  readonly recorded: RedactedEvent[] = []
  now = 1_000_000
  looks = 0
  guards = true
  readonly #look = new FileLook(this.disk)

  constructor() {
    mkdirSync(join(this.folder, 'server'))
    symlinkSync('server', join(this.folder, 'mount'))
    writeFileSync(this.file, this.text('write_file'))
  }

  text(tool: string): string {
    return `version: 1\nskills: { "*": { tools: [${tool}], paths: ["${this.folder}/**"] } }\n`
  }

  open(): Promise<PolicyInForce> {
    const { folder, file } = this
    const environment = {}
    const places = { home: join(folder, 'mount/home'), hermesHome: undefined, allowlist: file, environment }
    const led = new Map<string, string>()
    return PolicyInForce.open({
      file: () => file,
      guards: () => this.guards,
      bytesOf: policyBytes,
      read: async (bytes) => followedPolicy(usablePolicy(readPolicy(allowlistFile(bytes), environment)), this.#look),
      write: writePolicy,
      protectedPlaces: (allowlist) => {
        this.looks += 1
        return protectedPlaces({ ...places, allowlist }, this.#look, led)
      },
      now: () => this.now,
      before: undefined,
      digest: (text) => createHash('sha256').update(text).digest('hex'),
      redactor: () => makeRedactor(),
      record: async (events) => {
        this.recorded.push(...events)
      },
    })
  }

  /** What the gate says of a write to where the protected folder really lies. */
  codeOf({ standing }: PolicyInForce): string {
    const path = join(this.folder, 'server/home/x')
    const touch = { asked: path, access: 'write', tree: false, typed: path, resolved: path } as const
    const call = {
      tool: 'write_file',
      skill: '',
      lineage: [{ platform: 'cli', subagent: false }],
      time: new Date().toISOString(),
    }
    return standing.policy === undefined ? '' : decide(standing.policy, call, { touches: [touch], commands: [] }).code
  }

  get how(): unknown[] {
    return this.recorded.map(({ facts }) => ('how' in facts ? facts.how : 'code' in facts ? facts.code : undefined))
  }
}

test('a place that did not answer is looked for again, and protected where it leads as soon as it does', async () => {
  const sleepy = new SleepyPolicy()
  sleepy.disk.sleep()
  const policy = await sleepy.open()
  assert.is(sleepy.codeOf(policy), 'granted', 'nobody knows yet that this is the home')
  await sleepy.disk.wake()
  sleepy.now += 999
  await policy.refresh()
  assert.is(sleepy.codeOf(policy), 'granted', 'its time has not come')
  sleepy.now += 1
  await policy.refresh()
  assert.is(sleepy.codeOf(policy), 'self_protected')
  assert.equal(sleepy.how, ['started', 'found'])
  const looks = sleepy.looks
  sleepy.now += 3_600_000
  await policy.refresh()
  assert.is(sleepy.looks, looks, 'it has answered')
  assert.is(policy.waiting, undefined)
})

test('what goes on sleeping is asked for ever more seldom, a minute apart at most, and told once', async () => {
  const sleepy = new SleepyPolicy()
  sleepy.disk.sleep()
  const policy = await sleepy.open()
  const waits: number[] = []
  for (let second = 0, before = 0; waits.length < 8; second += 1) {
    const { looks } = sleepy
    await policy.refresh()
    if (sleepy.looks > looks) {
      waits.push(second - before)
      before = second
    }
    sleepy.now += 1000
  }
  assert.equal(waits, [1, 2, 4, 8, 16, 32, 60, 60])
  assert.equal(sleepy.how, ['started'])
  writeFileSync(sleepy.file, `${sleepy.text('write_file')}# once more\n`)
  await sleepy.disk.wake()
  await policy.refresh()
  assert.is(sleepy.codeOf(policy), 'self_protected', 'a file that changed is read at once')
})

test('what answered once stays protected where it led while it sleeps, also when the file is changed then', async () => {
  const sleepy = new SleepyPolicy()
  const policy = await sleepy.open()
  assert.is(sleepy.codeOf(policy), 'self_protected')
  sleepy.disk.sleep()
  writeFileSync(sleepy.file, `${sleepy.text('write_file')}# changed\n`)
  await policy.refresh()
  assert.is(policy.text, `${sleepy.text('write_file')}# changed\n`)
  assert.is(sleepy.codeOf(policy), 'self_protected')
})

test('a file that cannot be used is told once, however often a place in it is looked for', async () => {
  const sleepy = new SleepyPolicy()
  const policy = await sleepy.open()
  sleepy.disk.sleep()
  writeFileSync(sleepy.file, 'version: 2\n')
  for (let round = 0; round < 5; round += 1) {
    await policy.refresh()
    sleepy.now += 60_000
  }
  assert.equal(sleepy.how, ['started', 'wrong_version'])
  assert.is.not(policy.rejected, undefined)
})

test('a grant whose folder answers later leads on only when the owner says so, while the gate enforces', async () => {
  const sleepy = new SleepyPolicy()
  writeFileSync(sleepy.file, `version: 1\nskills: { "*": { tools: [write_file], paths: ["${sleepy.folder}/mount/**"] } }\n`)
  for (const [guards, expected] of [
    [true, 'path_not_granted'],
    [false, 'granted'],
  ] as const) {
    sleepy.guards = guards
    sleepy.disk.sleep()
    const policy = await sleepy.open()
    await sleepy.disk.wake()
    sleepy.now += 1000
    await policy.refresh()
    const typed = join(sleepy.folder, 'mount/a')
    const touch = { asked: typed, access: 'write', tree: false, typed, resolved: join(sleepy.folder, 'server/a') } as const
    const call = { tool: 'write_file', skill: '', lineage: [], time: new Date().toISOString() }
    assert.ok(policy.standing.policy)
    assert.is(decide(policy.standing.policy, call, { touches: [touch], commands: [] }).code, expected)
    assert.is(policy.waiting !== undefined, guards)
  }
})

test.run()
