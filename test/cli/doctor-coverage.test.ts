// Holds what stele doctor says of coverage to holes written by hand: faults are wrong, what is only worth knowing is a note, and old ones are neither.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { coverageFindings } from '../../src/cli/doctor-coverage.js'
import { coverageWatch, type Hole } from '../../src/projections/coverage-watch.js'
import { coverageDay } from '../support/report-views.js'

const test = suite('doctor coverage')

const since = '2026-03-01T12:00:00.000Z'
const hole = (kind: Hole['kind'], index: number, time = '2026-03-02T01:00:00.000Z', count = 1): Hole => ({
  ...{ kind, index, begin: null, time, from: null, session: '', name: '', count },
})
const watch = coverageWatch.initial()

function findings(...holes: readonly Hole[]) {
  const kinds: Partial<Record<Hole['kind'], { holes: number; count: number; awayMs: number; listed: Hole[] }>> = {}
  for (const one of holes) {
    kinds[one.kind] ??= { holes: 0, count: 0, awayMs: 0, listed: [] }
    kinds[one.kind]?.listed.push(one)
  }
  return coverageFindings({ days: new Map([['2026-03-01', coverageDay({ kinds })]]), watch }, since)
}

test('row C5: a turn of which nothing was heard turns it red, with its entries', () => {
  const [red, ...others] = findings(hole('blind_turn', 7), hole('blind_turn', 9), hole('late', 8, undefined, 3))
  assert.is(red?.state, 'wrong')
  assert.match(red?.says ?? '', /turns of which nothing was heard: 2 .*at entries 9, 7$/)
  assert.equal(
    others.map(({ state, says }) => [state, says]),
    [['note', 'in the last day, payloads that waited in the spool: 3']],
  )
})

test('what is older than a day is the report’s matter', () => {
  assert.equal(
    findings(hole('blind_turn', 7, '2026-03-01T11:59:59.999Z')).map(({ state }) => state),
    ['well'],
  )
})

test('the newest call counts where nothing has come behind it and no gate has judged it', () => {
  const call = { index: 90, time: '2026-03-02T01:00:00.000Z', session: '', tool: 'terminal' }
  const newest = { ...call, judgedIn: [90], isJudged: false }
  const [red] = coverageFindings({ days: new Map(), watch: { ...watch, newest } }, since)
  assert.match(red?.says ?? '', /calls without a decision: 1 .*at entry 90$/)
})

test('of many entries the newest are named', () => {
  const [red] = findings(...[1, 2, 3, 4, 5].map((index) => hole('unrequested', index)))
  assert.match(red?.says ?? '', /at entries 5, 4, 3 and others$/)
})

test.run()
