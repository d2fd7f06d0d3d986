// `npm run test:hermes`: real turns of a real Hermes with our plugin put in and its model scripted. What stands in the ledger
// afterwards, and what a turn does while the service is killed, hung or gone. Its last line is `N passed, N failed`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { type JevServer, startJevServer } from '../support/jev-server.js'
import { json } from '../support/stele-command.js'
import { hermesEnvironment, hermesPackage } from './hermes-environment.js'
import { type HermesStage, isAlive, type LoggedEntry, openHermesStage, type Turn, until } from './hermes-stage.js'
import { finalWords, type ScriptedCall } from './scripted-model.js'

const enforce = 'capability: { mode: enforce }\n'
const typed = 'I decided: we ship on Friday, "не раньше" 🚢'
const memoryWrite: ScriptedCall = {
  tool: 'memory',
  arguments: { action: 'add', target: 'memory', content: 'The user decided to ship on Friday.' },
}

const begun = ['session.started', 'message.captured']
const called = ['tool.requested', 'gate.decided', 'tool.completed']
/** A memory write is judged, too: the claim in it has no words of the user's beside it. What the file holds is looked at afterwards. */
const written = [
  ...['tool.requested', 'write.proposed', 'gate.decided', 'claim.judged', 'gate.decided'],
  ...['tool.completed', 'write.landed'],
]
const ended = ['turn.ended', 'session.ended']

/** What the plugin gives itself for one hook, how many hooks may stand between a call and its outcome, and what a busy machine adds. */
const deadlineMs = 2000
const hooksOfCall = 2
const slackMs = 1500

let passed = 0
let failed = 0

async function memoryStory(stage: HermesStage): Promise<void> {
  await check('the installation starts no service', () => assert.is(stage.service(), undefined))
  const turn = await stage.turn(typed, [memoryWrite])
  await check('the turn goes on', () => {
    wentOn(turn)
    assert.match(turn.calls[0]?.result ?? '', '"success": true')
  })
  await spoolTaken(stage)
  await check('its entries are there once and in order', () => inOrder(stage, [...begun, ...written, ...ended]))
  await check('the words are exactly what was typed', () => {
    assert.is(only(stage, 'message.captured').words?.['text'], typed)
  })
  await check('the outcome answers the request', () => {
    const { tool, status, requested } = only(stage, 'tool.completed').data
    assert.equal([tool, status, requested], ['memory', 'ok', only(stage, 'tool.requested').index])
  })
  await check('the claim is told as one without the user’s words', () => {
    const { verdict, reason } = only(stage, 'claim.judged').data
    assert.equal([verdict, reason], ['would_block', 'no_quote'])
  })
  await check('the memory holds what was judged', () => {
    const { write, files } = only(stage, 'write.landed').data
    assert.is(write, only(stage, 'write.proposed').index)
    assert.equal(
      (files as readonly { compared: string }[]).map(({ compared }) => compared),
      ['as_judged'],
    )
  })
  await check('the attached host vouches for all of it', () => allAttached(stage))
  await check('stele verify finds nothing', () => sound(stage))
}

async function filesStory(stage: HermesStage): Promise<void> {
  const path = join(stage.work, 'note.txt')
  const turn = await stage.turn(typed, [
    noteWrite(stage, 'ship on Monday\n'),
    { tool: 'read_file', arguments: { path } },
    { tool: 'patch', arguments: { mode: 'replace', path, old_string: 'Monday', new_string: 'Friday' } },
  ])
  await check('the turn goes on', () => {
    wentOn(turn)
    assert.is(readFileSync(path, 'utf8'), 'ship on Friday\n')
  })
  await spoolTaken(stage)
  await check('its entries are there once and in order', () => {
    inOrder(stage, [...begun, ...called, ...called, ...called, ...ended])
    const tools = stage.entries().flatMap(({ type, data }) => (type === 'tool.completed' ? [data['tool']] : []))
    assert.equal(tools, ['write_file', 'read_file', 'patch'])
  })
  await check('the attached host vouches for all of it', () => allAttached(stage))
  await check('stele verify finds nothing', () => sound(stage))
}

async function killedStory(stage: HermesStage): Promise<void> {
  await startService(stage)
  const killed: number[] = []
  const before = async () => {
    killed.push(await killService(stage))
  }
  const turn = await stage.turn(typed, [memoryWrite, { ...noteWrite(stage, 'written\n'), before }])
  await check('the turn goes on, no hook beyond its deadline', () => {
    wentOn(turn)
    inTime(turn)
    assert.ok(hasNote(stage))
  })
  await check('the plugin starts another one', async () => {
    await until('another service', () => ![undefined, null, killed[0]].includes(stage.service()?.pid))
  })
  await check('nothing is missing, twice or out of order', async () => {
    await spoolTaken(stage)
    inOrder(stage, [...begun, ...written, ...called, ...ended])
  })
  await check('stele verify finds nothing', () => sound(stage))
}

async function lostStory(stage: HermesStage): Promise<void> {
  await startService(stage)
  const settings = readFileSync(stage.settings, 'utf8')
  const before = async () => {
    // Nobody can start another one from these.
    writeFileSync(stage.settings, 'capability: { mode: sometimes }\n')
    await killService(stage)
  }
  const turn = await stage.turn(typed, [memoryWrite, { ...noteWrite(stage, 'written\n'), before }])
  await check('the turn goes on, no hook beyond its deadline', () => {
    wentOn(turn)
    inTime(turn)
    assert.ok(hasNote(stage))
  })
  await check('what nobody answered waits in the spool', () => assert.ok(stage.spooled() >= 4, `${stage.spooled()} files`))
  await check('it is appended late, in order, once', async () => {
    writeFileSync(stage.settings, settings)
    await startService(stage)
    inOrder(stage, [...begun, ...written, ...called, ...ended])
    const late = stage.entries().flatMap(({ type, data }) => (data['late'] === true ? [type] : []))
    assert.equal(late, ['tool.requested', 'tool.completed', ...ended])
  })
  await check('stele verify finds nothing', () => sound(stage))
}

async function hungStory(stage: HermesStage): Promise<void> {
  await startService(stage)
  const signal = (name: NodeJS.Signals) => process.kill(Number(stage.service()?.pid), name)
  const turn = await stage.turn(typed, [{ ...noteWrite(stage, 'written\n'), before: () => void signal('SIGSTOP') }])
  signal('SIGCONT')
  await check('the call is blocked and the agent is told', () => blocked(stage, turn))
  await check('no hook goes beyond its deadline', () => inTime(turn))
  await check('the ledger tells what was done without an answer', async () => {
    await spoolTaken(stage)
    inOrder(stage, [...begun, ...called, ...ended])
    const blockedNumber = Number(only(stage, 'tool.requested').data['seq'])
    // Each payload tells of those before it; nobody is left to tell of the last.
    const count = Number(only(stage, 'session.ended').data['seq']) - blockedNumber
    const told = () => stage.entries().flatMap(({ type, data }) => (type === 'mismatch.found' ? [data] : []))
    await until(`${count} payloads are told of`, () => told().length >= count)
    const byNumber = told().map(({ seq, did }) => [Number(seq), did] as const)
    const expected = Array.from({ length: count }, (_, at) => [blockedNumber + at, at === 0 ? 'blocked' : 'let_go'])
    assert.equal(
      byNumber.sort(([one], [other]) => one - other),
      expected,
    )
  })
  await check('stele verify finds nothing', () => sound(stage))
}

async function goneStory(stage: HermesStage): Promise<void> {
  const settings = readFileSync(stage.settings, 'utf8')
  await startService(stage)
  stage.stele('stop')
  writeFileSync(stage.settings, 'capability: { mode: sometimes }\n')
  const gone = await stage.turn(typed, [noteWrite(stage, 'written\n')])
  await check('without a socket the call is blocked, no hook beyond its deadline', () => {
    blocked(stage, gone)
    inTime(gone)
  })
  writeFileSync(join(stage.home, 'service.json'), '{')
  const unreadable = await stage.turn(typed, [noteWrite(stage, 'written\n')])
  await check('with an unreadable service.json the call is blocked, no hook beyond its deadline', () => {
    blocked(stage, unreadable)
    inTime(unreadable)
  })
  await check('both sessions are appended late, in order, once', async () => {
    writeFileSync(stage.settings, settings)
    await startService(stage)
    inOrder(stage, [...begun, ...called, ...ended, ...begun, ...called, ...ended])
  })
  await check('stele verify finds nothing', () => sound(stage))
}

/** Its turns begin with a plain greeting and with a task; its single questions are asked on the command line, where nobody can be asked back. */
async function jevStory(stage: HermesStage, server: JevServer): Promise<void> {
  // What is said before a service is up waits in the spool, and asks nobody.
  await startService(stage)
  const greeted = await stage.turn('hello', [])
  await check('a greeting goes on, and its first request lacks the tools that it cannot need', () => {
    wentOn(greeted)
    assert.ok(greeted.offered.includes('memory'), greeted.offered.join(' '))
    for (const name of ['read_file', 'write_file', 'patch', 'search_files']) assert.not.ok(greeted.offered.includes(name), name)
  })
  const worked = await stage.turn('write a note that we ship on Friday', [noteWrite(stage, 'ship on Friday\n')])
  await check('a task goes on, with all its tools, and its call runs', () => {
    wentOn(worked)
    assert.ok(worked.offered.includes('write_file'), worked.offered.join(' '))
    assert.ok(hasNote(stage))
  })
  await spoolTaken(stage)
  await check(
    'both turns are classified, the first is narrowed, and the call is told as one that nobody could be asked about',
    () => {
      const jev = stage.entries().filter(({ type }) => type.startsWith('jev.'))
      assert.equal(
        jev.map(({ type, data }) => [type, data['why'] ?? data['proposal'] ?? data['intent']]),
        [
          ['jev.classified', 'chat'],
          ['jev.proposed', 'narrow'],
          ['jev.classified', 'chat'],
          ['jev.abstained', 'followup_or_task'],
          ['jev.abstained', 'unattended'],
        ],
      )
      assert.is(server.requests.length, 2)
      for (const { text } of server.requests) assert.not.ok(text.includes(stage.work), text)
    },
  )
  await check('stele verify finds nothing', () => sound(stage))
}

const stories: readonly (readonly [name: string, settings: string, tell: (stage: HermesStage) => Promise<void>])[] = [
  ['a memory write', '', memoryStory],
  ['file tools', '', filesStory],
  ['service killed, observing', '', killedStory],
  ['service killed and not to be started, observing', '', lostStory],
  ['service hung, enforcing', enforce, hungStory],
  ['service gone, enforcing', enforce, goneStory],
]

const jevSettings = (url: string) =>
  `jev: { enabled: true, mode: enforce, base_url: "${url}", tool_shaping: { enabled: true } }\n`

let storyName = ''

async function check(name: string, holds: () => void | Promise<void>): Promise<void> {
  try {
    await holds()
    passed += 1
    console.log(`ok    ${storyName}: ${name}`)
  } catch (error) {
    failed += 1
    const { message, details = '' } = error as { message: string; details?: string }
    console.log(`FAIL  ${storyName}: ${name}`)
    console.error(`${message}\n${details}`)
  }
}

async function main(): Promise<void> {
  const environment = hermesEnvironment()
  if ('missing' in environment) {
    tellLoudly(environment.missing, environment.said)
  } else {
    for (const [name, settings, tell] of stories) {
      storyName = name
      let stage: HermesStage | undefined
      try {
        stage = await openHermesStage(environment.hermes, settings)
        await tell(stage)
      } catch (error) {
        await check('it is told to its end', () => {
          throw error
        })
      }
      if (stage !== undefined) await check('no process is left behind', stage.close)
    }
    await tellJevStory(environment.hermes)
  }
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

async function tellJevStory(hermes: string): Promise<void> {
  storyName = 'the Jev stage, enforcing'
  const server = await startJevServer()
  let stage: HermesStage | undefined
  try {
    stage = await openHermesStage(hermes, jevSettings(server.url), 'TYPESAFE_API_KEY=ts_test-key-0123456789\n')
    await jevStory(stage, server)
  } catch (error) {
    await check('it is told to its end', () => {
      throw error
    })
  }
  if (stage !== undefined) await check('no process is left behind', stage.close)
  await server.close()
}

function wentOn({ status, output, calls }: Turn): void {
  assert.is(status, 0, output)
  assert.ok(output.includes(finalWords), output)
  for (const { result } of calls) assert.not.match(result, '"error"')
}

function blocked(stage: HermesStage, { status, output, calls }: Turn): void {
  assert.is(status, 0, output)
  const { error } = JSON.parse(calls[0]?.result ?? '{}') as { error?: unknown }
  assert.ok(typeof error === 'string' && error.includes('Stele'), `the agent was told: ${calls[0]?.result}`)
  assert.not.ok(hasNote(stage), 'the file was written')
}

function inTime({ calls }: Turn): void {
  for (const { ms } of calls) assert.ok(ms < hooksOfCall * deadlineMs + slackMs, `a call took ${Math.round(ms)} ms`)
}

/** Of the types that are named, exactly these entries. */
function inOrder(stage: HermesStage, expected: readonly string[]): void {
  const types = stage.entries().map(({ type }) => type)
  assert.equal(
    types.filter((type) => expected.includes(type)),
    expected,
  )
}

function allAttached(stage: HermesStage): void {
  const host = only(stage, 'host.attached')
  assert.ok(host.index < only(stage, 'session.started').index, 'it attached first')
  for (const { index, type, data } of stage.entries()) {
    if ('source' in data) assert.equal([data['source'], data['attach']], ['attached', host.index], `entry ${index}, ${type}`)
  }
}

function sound(stage: HermesStage): void {
  const { ok, findings } = json<{ ok: boolean; findings: unknown[] }>(stage.stele('verify', '--json'))
  assert.ok(ok, JSON.stringify(findings))
}

function only(stage: HermesStage, type: string): LoggedEntry {
  const [entry, ...others] = stage.entries().filter((each) => each.type === type)
  if (entry === undefined || others.length > 0) throw new Error(`${others.length + (entry ? 1 : 0)} entries of type ${type}`)
  return entry
}

const notePath = (stage: HermesStage): string => join(stage.work, 'note.txt')
const hasNote = (stage: HermesStage): boolean => existsSync(notePath(stage))

function noteWrite(stage: HermesStage, content: string): ScriptedCall {
  return { tool: 'write_file', arguments: { path: notePath(stage), content } }
}

async function killService(stage: HermesStage): Promise<number> {
  const pid = Number(stage.service()?.pid)
  process.kill(pid, 'SIGKILL')
  await until('the service is dead', () => !isAlive(pid))
  return pid
}

async function startService(stage: HermesStage): Promise<void> {
  const { status, stderr } = stage.stele('serve', '--detach')
  assert.is(status, 0, stderr)
  await spoolTaken(stage)
}

async function spoolTaken(stage: HermesStage): Promise<void> {
  await until('the spool is empty', () => stage.spooled() === 0)
}

function tellLoudly(missing: 'python' | 'package', said: string): void {
  const why = {
    python: `there is no Python from 3.11 to 3.13 here (${said}).`,
    package: `${hermesPackage} cannot be installed here. The installer said:\n${said.split('\n').slice(-15).join('\n')}`,
  }[missing]
  const bar = '='.repeat(80)
  console.error(`${bar}\nNOT TESTED ON A REAL HERMES: ${why}\nNothing is known of how Stele works with one here.\n${bar}`)
}

await main()
