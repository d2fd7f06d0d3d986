// A process that asks for two views and ends, to be measured from outside.
import { findHome } from '../src/service/open-home.js'
import { askViews } from '../src/service/views-of-home.js'

const home = findHome(process.argv[2] ?? '', {})
for (const name of ['sessions', 'activity']) {
  const { parts } = await askViews(home, { ask: 'view', name })
  if (Object.keys(parts).length === 0) throw new Error(`nothing in ${name}`)
}
