// A memory that something else than a judged write has changed: found at the end of the turn, and named by the report.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../support/attached-host.js'
import { newHome, type Payload, typed, withService } from '../support/running-service.js'
import { steleBeside } from '../support/service-commands.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('unjudged write')

const turnEnd = (turn: string): Payload => ({
  ...{
    hook_event_name: 'on_session_end',
    tool_name: null,
    tool_input: null,
    session_id: 'session-one',
    cwd: '',
    profile: 'default',
  },
  extra: { turn_id: `turn-${turn}`, completed: true },
})

const memoryCall = (text: string): Payload => ({
  ...{ hook_event_name: 'pre_tool_call', tool_name: 'memory', session_id: 'session-one', cwd: '', profile: 'default' },
  tool_input: { action: 'add', target: 'memory', content: text },
  extra: { tool_call_id: 'call-one', turn_id: 'turn-1' },
})

test('row P90: the report names the file and the entries between which it changed; what a judged write left is not told', async () => {
  const hermesHome = temporaryFolder()
  const memory = join(hermesHome, 'memories', 'MEMORY.md')
  mkdirSync(join(hermesHome, 'memories'))
  const write = (text: string): void => writeFileSync(memory, text)
  write('the user likes tea')
  const home = newHome()
  await withService(
    { home, settings: 'checkpoint:\n  anchor: none\n', environment: { HERMES_HOME: hermesHome } },
    async (running) => {
      const noticed = async () => (await running.entries()).filter(({ type }) => type === 'file.noticed')
      await running.hook(typed('hello'))
      await running.hook(turnEnd('1'))
      await until('what is there is noticed', async () => (await noticed()).length === 1)

      // A judged write, with the file left as it was foretold.
      await running.hook(memoryCall('the user likes milk'))
      write('the user likes tea\n§\nthe user likes milk')
      await running.hook({
        ...memoryCall('the user likes milk'),
        hook_event_name: 'post_tool_call',
        extra: { tool_call_id: 'call-one', turn_id: 'turn-1', status: 'ok', result: '{"success": true}' },
      })
      const [landed] = (await running.entries()).filter(({ type }) => type === 'write.landed')
      assert.match(JSON.stringify(landed?.data['files']), '"compared":"as_judged"')
      await running.hook(turnEnd('2'))

      // And one that nobody judged: by a terminal, an editor, another program.
      write('the user decided to ship on Friday')
      await running.hook(turnEnd('3'))
      await until('the change is noticed', async () => (await noticed()).length === 2)
      const [first, entry] = await noticed()
      assert.equal(entry?.words?.['names'], ['memory'])

      const { status, stdout, stderr } = await steleBeside(['report', 'coverage', '--json', '--home', home], '')
      assert.is(status, 0, stderr)
      const { figures, sections } = JSON.parse(stdout) as {
        figures: Record<string, unknown>
        sections: Record<string, { rows?: Record<string, unknown>[] }>
      }
      assert.is(figures['fileChanged'], 1)
      const [row] = sections['files']?.rows ?? []
      assert.equal([row?.['index'], row?.['files'], row?.['target']], [entry?.index, 'memory', 'memory'])
      // As the judged write left it; or as it was first seen, where it was written again before the look behind that turn.
      assert.ok([landed?.index, first?.index].includes(Number(row?.['begin'])), String(row?.['begin']))
    },
  )
})

test.run()
