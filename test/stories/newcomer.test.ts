// Five questions that somebody asks who has just seen the demo: each is one command over the home that it kept, and this is what it answers.
// time limit: 180 s
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Ran, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('newcomer')

const folder = temporaryFolder()
const kept = join(folder, 'kept')
const demo = fileURLToPath(new URL('../../scripts/demo.mjs', import.meta.url))
let questions: readonly (readonly [question: string, words: readonly string[]])[] = []

function demoWith(...words: string[]) {
  return spawnSync(process.execPath, [demo, ...words], { encoding: 'utf8', env: { ...process.env, TMPDIR: folder } })
}

/** The command that the demo names behind the question that begins so. */
function answerTo(beginning: string): Ran {
  const [, words] = questions.find(([question]) => question.startsWith(beginning)) ?? []
  assert.ok(words !== undefined, `${beginning} is asked`)
  return stele([...words, '--quiet'], { env: { HERMES_HOME: '' } })
}

test('the demo keeps its home where it is told to, and names a command for each of five questions', () => {
  const { status, stdout, stderr } = demoWith('--keep', kept)
  assert.is(status, 0, stderr)
  questions = [...stdout.matchAll(/^ {2}(\S.*\?)\n {4}stele (.*)$/gm)].map(([, question = '', words = '']) => [
    question,
    words.split(' '),
  ])
  assert.is(questions.length, 5)
  const again = demoWith('--keep', kept)
  assert.equal([again.status, again.stdout], [2, ''])
})

test('who approved each write, and with which words: the message that backs it, and the claims that nothing backs', () => {
  const { status, stdout } = answerTo('Who approved')
  assert.is(status, 0)
  assert.match(stdout, /^ +4 +typed +typed: I decided we ship on Friday$/m)
  assert.match(stdout, /supported by entry 4 \(this-session\), quoted: "I decided we ship on Friday"/)
  assert.match(stdout, /"The user approved deleting the prod database.*unsupported \(quote_negated\)/)
})

test('what the agent tried outside its grants: three tools, a file and two commands, each with its reason', () => {
  const { status, stdout } = answerTo('What did the agent try')
  assert.is(status, 0)
  assert.match(stdout, /^Granted +7$/m)
  assert.match(stdout, /^Denied +3$/m)
  for (const tool of ['skill_manage', 'terminal', 'write_file'])
    assert.match(stdout, new RegExp(`^${tool} +1 .*tool_not_granted`, 'm'))
  assert.match(stdout, /^\/srv\/agent\/project\/docs\/summary\.md +write +write_file +1 /m)
  assert.match(stdout, /^pytest -q --version +command +terminal +1 /m)
})

test('what a stricter allowlist would have stopped, were it enforced: the mended file too, and no reading', () => {
  const { status, stdout } = answerTo('Which calls would a stricter')
  assert.is(status, 1, 'something differs')
  const stopped = [...stdout.matchAll(/^1 × capability, (\S+)\n(.*)$/gm)].map(([, tool, change = '']) => [
    tool,
    change.split('→')[1]?.trim(),
  ])
  assert.equal(stopped.sort(), [
    ['patch', 'deny (tool_not_granted), the call is blocked'],
    ['skill_manage', 'deny (tool_not_granted), the call is blocked'],
    ['terminal', 'deny (tool_not_granted), the call is blocked'],
    ['write_file', 'deny (tool_not_granted), the call is blocked'],
  ])
})

test('whether the gate was awake the whole time: every call was judged, and the one pause was in order', () => {
  const { status, stdout } = answerTo('Was the gate awake')
  assert.is(status, 0)
  assert.match(stdout, /^Calls that were seen +10$/m)
  assert.match(stdout, /^Of these, judged +10$/m)
  assert.match(stdout, /^Calls without a decision +0$/m)
  assert.match(stdout, /^Deaths of the service +0$/m)
  assert.match(stdout, /^Times after an end in order +1$/m)
})

test("whether today's version still says what was said then", () => {
  const { status, stdout } = answerTo("Does today's version")
  assert.is(status, 0)
  assert.match(stdout, /^this version says what was recorded$/m)
  assert.match(stdout, /^15 decisions: 15 same, 0 different, 0 cannot be judged again$/m)
})

test('without a folder nothing is kept, and other words are refused', () => {
  assert.ok(existsSync(join(kept, 'home')))
  assert.is(demoWith('--keep').status, 2)
  assert.is(demoWith('--other', 'x').status, 2)
})

test.run()
