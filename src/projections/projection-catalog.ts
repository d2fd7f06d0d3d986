// Every view that is kept: one line each.
import { activity } from './activity.js'
import { approvals } from './approvals.js'
import { clock } from './clock.js'
import { coverage } from './coverage.js'
import { decisions } from './decisions.js'
import { evidence } from './evidence.js'
import { files } from './files.js'
import { grants } from './grants.js'
import { inbox } from './inbox.js'
import { jev } from './jev.js'
import { sessions } from './sessions.js'

export const projectionCatalog = {
  sessions,
  activity,
  evidence,
  grants,
  decisions,
  approvals,
  jev,
  coverage,
  inbox,
  files,
  clock,
}

export type ViewName = keyof typeof projectionCatalog

export const viewNames = Object.keys(projectionCatalog) as ViewName[]

export function isViewName(name: string): name is ViewName {
  return Object.hasOwn(projectionCatalog, name)
}
