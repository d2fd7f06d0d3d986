// `npm run soak:corruption [-- LEDGERS [HONEST_RUNS]]`: generated corruptions against the page's words, and honest lives without a finding.
// Every case can be made again from its seed.

import { runFileFlips } from '../test/faults/file-flips.js'
import { honestRun } from '../test/simulation/honest-run.js'
import { runExportCorruptions, runStoreCorruptions } from '../test/support/corruption-cases.js'

const ledgers = Number(process.argv[2] ?? 8)
const honestRuns = Number(process.argv[3] ?? 10_000)
let wrong = 0

let cases = 0
for (let seed = 1; seed <= ledgers; seed += 1) {
  for (const run of [runExportCorruptions, runStoreCorruptions]) {
    const { cases: ran, disagreements } = await run(seed)
    cases += ran
    wrong += disagreements.length
    for (const line of disagreements) console.log(`seed ${seed}: ${line}`)
  }
  console.log(`${cases} corruptions of ${seed} ledgers, ${wrong} other words than the page's`)
}

const flips = await runFileFlips(1, 400)
wrong += flips.wrong.length
for (const line of flips.wrong) console.log(line)
console.log(
  `${flips.cases} bit flips in files: ${flips.found} found, ${flips.unread} in bytes that no reader returns, ${flips.died} killed their reader`,
)

let findings = 0
for (let seed = 1; seed <= honestRuns; seed += 1) {
  const run = await honestRun(seed)
  const said = [...run.wrong, ...run.report.findings.map(({ code, message }) => `${code}: ${message}`)]
  findings += said.length
  for (const line of said) console.log(`honest run ${seed}: ${line} (${run.story.join('; ')})`)
  if (seed % 500 === 0) console.log(`${seed} honest runs, ${findings} findings or losses`)
}
process.exitCode = wrong + findings === 0 ? 0 : 1
