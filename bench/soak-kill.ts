// `npm run soak:kill [-- ROUNDS]`: two hundred kills of a running appender at random points.
import { killRounds } from '../test/faults/kill-rounds.js'
import { makeRandom } from '../test/support/seeded-random.js'

const rounds = Number(process.argv[2] ?? 200)
const { acknowledged, lost, unsound } = await killRounds(rounds, makeRandom(1), (round) => {
  if (round % 20 === 0) console.log(`${round} rounds`)
})
for (const line of [...lost, ...unsound]) console.log(line)
console.log(`${rounds} kills: ${acknowledged} acknowledged entries, ${lost.length} lost, ${unsound.length} findings`)
process.exitCode = lost.length + unsound.length === 0 ? 0 : 1
