// `npm run soak:kill [-- ROUNDS]`: two hundred kills of a running appender and as many of a running service at random points, half as many
// times four starters at once on what a killed service left, and 64 clients for a minute. It needs a built program.
import { killRounds } from '../test/faults/kill-rounds.js'
import { manyClients } from '../test/faults/service-load.js'
import { killServiceRounds, starterRounds, timesInWords } from '../test/faults/service-rounds.js'
import { makeRandom } from '../test/support/seeded-random.js'
import { endServices } from '../test/support/service-process.js'

const rounds = Number(process.argv[2] ?? 200)
const starts = Math.ceil(rounds / 2)
const seconds = Math.min(60, rounds)
let bad = 0

function tell(wrong: readonly string[]): void {
  for (const line of wrong) console.log(line)
  bad += wrong.length
}

function every(count: number, what: string): (round: number) => void {
  return (round) => {
    if (round % count === 0) console.log(`${round} ${what}`)
  }
}

const appender = await killRounds(rounds, makeRandom(1), every(20, 'kills of an appender'))
tell([...appender.lost, ...appender.unsound])
console.log(
  `${rounds} kills of an appender: ${appender.acknowledged} acknowledged entries, ${appender.lost.length} lost, ${appender.unsound.length} findings`,
)

const service = await killServiceRounds(rounds, makeRandom(2), every(20, 'kills of a service'))
tell(service.wrong)
console.log(
  `${rounds} kills of a service: ${service.acknowledged} payloads answered, ${service.spooled} spooled, ${service.wrong.length} wrong; ` +
    `up again: ${timesInWords(service.readyMs)}`,
)

const starters = await starterRounds(starts, 4, every(10, 'times four starters'))
tell(starters.wrong)
console.log(`${starts} times four starters at once: ${starters.wrong.length} wrong; ${timesInWords(starters.readyMs)}`)

const clients = await manyClients(64, seconds)
tell(clients.wrong)
console.log(
  `64 clients for ${seconds} s: ${clients.answered} payloads answered, ${clients.wrong.length} wrong; ${timesInWords(clients.times)}`,
)

endServices()
process.exitCode = bad === 0 ? 0 : 1
