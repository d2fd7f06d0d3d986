// `npm run soak:fuzz [-- COUNT [SEED]]`: a million random and mutated hook payloads through the whole hook path. Each batch can be made again
// from its seed.
import { fuzzHooks } from '../test/faults/fuzzed-payloads.js'

const count = Number(process.argv[2] ?? 1_000_000)
const firstSeed = Number(process.argv[3] ?? 1_000_000)
/** A third of the way in everything is warm; from there on nothing may stay. */
const grownMiBMax = 64

const startedMs = performance.now()
const { payloads, unreadable, entries, wrong, slowest, memory } = await fuzzHooks(count, firstSeed, (done, heap) => {
  console.log(`${done} payloads, ${heap} MiB of heap, ${Math.round((performance.now() - startedMs) / 1000)} s`)
})
for (const line of wrong) console.log(line)
for (const [name, found] of Object.entries(entries).sort(([, one], [, other]) => other - one)) console.log(`${found} ${name}`)
const grown = Math.round((memory.late - memory.early) * 10) / 10
console.log(
  `${payloads} payloads, ${unreadable} of them no JSON, ${wrong.length} wrong; slowest batch ${Math.round(slowest.ms)} ms (seed ${slowest.seed}); ` +
    `heap ${memory.early} MiB after a third, ${memory.late} MiB at the end, rss ${memory.rss} MiB`,
)
if (grown > grownMiBMax) console.log(`the heap grew by ${grown} MiB`)
process.exitCode = wrong.length === 0 && grown <= grownMiBMax ? 0 : 1
