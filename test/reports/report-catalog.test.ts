// Holds the catalogue to its reports: each is built from the views that it names, and from no other.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ReportDefinition, type ReportViews, reportCatalog } from '../../src/reports/report-catalog.js'
import {
  approvalsDay,
  coverageDay,
  dayView,
  decisionsDay,
  evidenceDay,
  grantsDay,
  handle,
  inboxDay,
  jevDay,
  reportFrame,
  sessionView,
} from '../support/report-views.js'

const test = suite('report-catalog')

const asked = { frame: reportFrame, limit: 10 }
const full: ReportViews = {
  activity: new Map([['2026-03-04', dayView({ entries: 1 })]]),
  sessions: new Map([[handle(1), sessionView(1)]]),
  evidence: new Map([['2026-03-04', evidenceDay({ claims: 1 })]]),
  grants: new Map([['2026-03-04', grantsDay({ asked: 1 })]]),
  decisions: new Map([['2026-03-04', decisionsDay({ decisions: 1 })]]),
  approvals: new Map([['2026-03-04', approvalsDay({ requests: 1 })]]),
  jev: new Map([['2026-03-04', jevDay({ requests: 1 })]]),
  coverage: new Map([['2026-03-04', coverageDay({ starts: 1 })]]),
  inbox: new Map([['2026-03-04', inboxDay({ probes: 1 })]]),
}
const none: ReportViews = {
  activity: new Map(),
  sessions: new Map(),
  evidence: new Map(),
  grants: new Map(),
  decisions: new Map(),
  approvals: new Map(),
  jev: new Map(),
  coverage: new Map(),
  inbox: new Map(),
}

for (const [name, definition] of Object.entries<ReportDefinition>(reportCatalog)) {
  test(`${name} is called so, has a title and a summary of one line, and reads only its views`, () => {
    const report = definition.build(full, new Map(), asked, new Map())
    assert.equal([report.name, report.title], [name, definition.title])
    assert.match(definition.summary, /^[^\n]{10,80}$/)
    const own = Object.fromEntries(definition.views.map((view) => [view, full[view]]))
    assert.equal(definition.build({ ...none, ...own }, new Map(), asked, new Map()), report)
    assert.is.not(JSON.stringify(definition.build(none, new Map(), asked, new Map())), JSON.stringify(report))
  })

  test(`${name} has keys that stand once, on every level`, () => {
    const { figures, sections } = definition.build(full, new Map(), asked, new Map())
    for (const keys of [figures, sections, ...sections.map(({ table }) => table?.columns ?? [])]) {
      assert.is(new Set(keys.map(({ key }) => key)).size, keys.length)
    }
  })
}

test('only a report that shows sessions asks for their names', () => {
  assert.equal(reportCatalog.sessions.named(full, asked), [handle(1)])
  assert.not.ok('named' in reportCatalog.activity)
})

test.run()
