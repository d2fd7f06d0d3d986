// What it costs to read a command line and to judge its parts: an ordinary one of up to 200 characters, beside `JSON.parse` of the same
// call's payload in the same run, and what a line made to be slow takes a character.
import { readCommandGrant } from '../src/gates/capability/command-grant.js'
import { commandScope } from '../src/gates/capability/command-scope.js'
import { shellWords } from '../src/gates/capability/shell-words.js'
import { type Measured, plain, ratio, rounds } from './measured.js'

const lines: readonly string[] = [
  'git status',
  'cd ~/projects/site && git log --oneline -n 20 | head -5',
  'npm run build 2>&1 | tail -40 > /tmp/build.log',
  `for f in src/*.ts; do grep -n "export function" "$f" | sed 's/:.*//' >> out.txt; done`,
  "cat > notes/today.md <<'EOF'\n# Today\n* looked at the build\nEOF",
  'python3 scripts/report.py --from "$(date -d yesterday +%F)" --format json',
  'find . -name "*.test.ts" -not -path "*/node_modules/*" -exec grep -l "skip(" {} + | sort | uniq -c',
  'if [ -f package.json ]; then npm test; else make test; fi',
]
const grants = [
  'git log ...',
  'git status',
  'npm run *',
  'cat {read}...',
  'grep ...',
  'head ...',
  'tail ...',
  'cp {read} {write}',
]
const times = 500

export function measureCommands(): Measured[] {
  const payloads = lines.map((command) =>
    JSON.stringify({ tool_name: 'terminal', tool_input: { command, timeout: 60 }, session_id: 'a'.repeat(32) }),
  )
  const granted = grants.flatMap((text) => {
    const read = readCommandGrant(text)
    return 'problem' in read ? [] : [read.grant]
  })
  const parsed: number[] = []
  const read: number[] = []
  const judged: number[] = []
  const slow: number[] = []
  const hostile = `echo ${`"a"'b'\\c$'d'{e,`.repeat(11_000)}`
  let covered = 0
  for (let round = 0; round < rounds; round += 1) {
    parsed.push(microseconds(() => payloads.map((payload) => JSON.parse(payload))))
    read.push(microseconds(() => lines.map((line) => shellWords(line, { home: '/home/ada' }))))
    judged.push(
      microseconds(() => {
        for (const line of lines) {
          for (const part of shellWords(line, { home: '/home/ada' }).commands) {
            covered += granted.filter((grant) => commandScope(part, grant).scope === 'covered').length
          }
        }
      }),
    )
    slow.push((spent(() => shellWords(hostile)) * 1000) / hostile.length)
  }
  return [
    plain('reading a command line of up to 200 characters', read, 'µs', 1),
    plain('reading it and judging its parts by 8 grants', judged, 'µs', 1),
    ratio(
      'the latter, of JSON.parse of the same call',
      judged.map((value, at) => value / (parsed[at] ?? 1)),
      { most: 20 },
    ),
    plain('a command line of one word of 180,000 characters, quotes above all, a character', slow, 'ns'),
    plain('parts that a grant covered', [covered / rounds / times / 2], 'parts'),
  ]
}

/** Of one line. */
function microseconds(work: () => unknown): number {
  for (let time = 0; time < times; time += 1) work()
  return (
    spent(() => {
      for (let time = 0; time < times; time += 1) work()
    }) /
    times /
    lines.length
  )
}

/** Time of the processor in microseconds: the machine may have other work. */
function spent(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
