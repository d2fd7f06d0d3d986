// Thousands of bent and noisy payloads from a fixed seed; `npm run soak:fuzz` sends a million.
// time limit: 180 s
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fuzzHooks } from './fuzzed-payloads.js'

const test = suite('fuzzed payloads')
const payloads = 3000
/** A third of the way in everything is warm; from there on nothing may stay. */
const grownMiBMax = 24

test(`${payloads} random and mutated payloads crash nothing, hang nothing, and each unreadable one leaves its size and digest`, async () => {
  const { unreadable, entries, wrong, slowest, memory } = await fuzzHooks(payloads, 1)
  const kinds = Object.entries(entries).sort(([, one], [, other]) => other - one)
  console.log(
    `note: ${payloads} payloads, ${unreadable} of them no JSON: ${kinds.map(([name, count]) => `${count} ${name}`).join(', ')}`,
  )
  console.log(
    `note: the slowest batch of 32 took ${Math.round(slowest.ms)} ms; heap ${memory.early} MiB early, ${memory.late} MiB at the end, rss ${memory.rss} MiB`,
  )
  assert.equal(wrong, [])
  assert.ok(unreadable > payloads / 10)
  for (const name of [
    'message.captured',
    'tool.requested',
    'tool.completed',
    'hook.foreign',
    'rejected: syntax',
    'rejected: not_utf8',
  ])
    assert.ok((entries[name] ?? 0) > 10, `${name}: ${entries[name]}`)
  for (const code of ['name_twice', 'number_overflow', 'too_deep', 'shape', 'hook_unknown', 'empty'])
    assert.ok((entries[`rejected: ${code}`] ?? 0) > 0, `nothing was rejected with ${code}`)
  assert.ok(memory.late - memory.early < grownMiBMax, `the heap went from ${memory.early} to ${memory.late} MiB`)
})

test.run()
