// A whole `stele hook` process, cold, against a Node process that does nothing.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchFolder } from './bench-ledger.js'
import { type Measured, median, plain, spreadOf } from './measured.js'

// Compiled into a folder of its own, the bench is started in the project's.
const program = join(process.cwd(), 'dist/cli/main.js')
const session = readFileSync('test/fixtures/hermes-0.19/session.jsonl', 'utf8')

export async function measureHookStart(times: number): Promise<Measured[]> {
  const home = join(benchFolder(), 'home')
  run([program, 'serve', '--detach', '--quiet', '--listen', 'off', '--home', home])
  const payload = session.split('\n').find((line) => line.includes('"hook_event_name": "pre_tool_call"')) ?? ''
  const nothing: number[] = []
  const hook: number[] = []
  for (let time = 0; time < times; time += 1) {
    nothing.push(run(['-e', '0']))
    hook.push(run([program, 'hook', '--home', home], payload.replaceAll('call_1_0', `call_${time}`)))
  }
  run([program, 'stop', '--quiet', '--home', home])
  const beyond = median(hook) - median(nothing)
  return [
    plain('`node -e 0`', nothing, 'ms'),
    plain('`stele hook`, a service running', hook, 'ms'),
    {
      what: 'the same beyond `node -e 0`',
      figure: `${beyond.toFixed(0)} ms`,
      target: '≤ 60 ms',
      met: beyond <= 60,
      spread: spreadOf(hook, 0),
    },
  ]
}

function run(words: readonly string[], input = ''): number {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, words, { input, encoding: 'utf8' })
  if (status !== 0 || stderr !== '') throw new Error(`a measured process failed: ${stderr}`)
  return performance.now() - started
}
