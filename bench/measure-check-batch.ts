// What it costs to judge a batch of texts in one process of `stele check --batch -`, from its start to its last line, beside a process
// that reads and writes the same lines as JSON.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Measured, plain, rounds } from './measured.js'

// Compiled into a folder of its own, the bench is started in the project's.
const program = join(process.cwd(), 'dist/cli/main.js')
const echo =
  "let t='';process.stdin.setEncoding('utf8').on('data',c=>t+=c).on('end',()=>{for(const l of t.trimEnd().split('\\n'))process.stdout.write(JSON.stringify(JSON.parse(l))+'\\n')})"

export function measureCheckBatch(lines: number): Measured[] {
  const input = Array.from(
    { length: lines },
    (_, id) => `${JSON.stringify({ id, text: textOf(id), messages: messagesOf(id) })}\n`,
  ).join('')
  const judged: number[] = []
  const echoed: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    echoed.push(timed(['-e', echo], input, lines))
    judged.push(timed([program, 'check', '--batch', '-'], input, lines))
  }
  const bytes = (Buffer.byteLength(input) / 1e6).toFixed(1)
  return [
    plain(`\`stele check --batch -\`, ${lines} lines of ${bytes} MB, start and end of the process included`, judged, 's', 2),
    plain('a process that only reads and writes the same lines as JSON', echoed, 's', 2),
  ]
}

/** One in four is harmless, one has no quote, one a quote that backs it, and one a Chinese quote that is negated. */
function textOf(id: number): string {
  const end = 'The build is green; notes are in docs/notes.md.'
  switch (id % 4) {
    case 0:
      return `Release ${id} is planned for Friday. ${end}`
    case 1:
      return `User decided to ship release ${id} on Friday. ${end}`
    case 2:
      return `User decided to ship release ${id} on Friday ("we ship release ${id} on Friday"). ${end}`
    default:
      return `用户决定自动提交代码 ${id}（“自动提交代码”）。${end}`
  }
}

function messagesOf(id: number): { readonly text: string }[] {
  return [{ text: `I think we ship release ${id} on Friday, please` }, { text: '以后不要自动提交代码' }, { text: 'thanks' }]
}

/** Seconds. */
function timed(words: readonly string[], input: string, lines: number): number {
  const started = performance.now()
  const { status, stdout } = spawnSync(process.execPath, words, { input, maxBuffer: 1 << 28, encoding: 'utf8' })
  const seconds = (performance.now() - started) / 1000
  if (status !== 0 || stdout.split('\n').length !== lines + 1) throw new Error('the batch did not come back whole')
  return seconds
}
