// Measures what docs/performance.md tells: each figure as a ratio to a baseline that is taken in the same run.
// `quick` as argument: small ledgers, for trying the bench itself.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { measureAppends } from './measure-appends.js'
import { measureCheckBatch } from './measure-check-batch.js'
import { measureClaims } from './measure-claims.js'
import { measureCommands } from './measure-commands.js'
import { measureDecisions } from './measure-decisions.js'
import { measureForgetting } from './measure-forgetting.js'
import { measureHookStart } from './measure-hook-start.js'
import { measureHooks } from './measure-hooks.js'
import { measureJev } from './measure-jev.js'
import { measureMemory } from './measure-memory.js'
import { measureRedaction } from './measure-redaction.js'
import { measureReplay } from './measure-replay.js'
import { measureVerification } from './measure-verification.js'
import { measureViews } from './measure-views.js'
import type { Measured } from './measured.js'

const quick = process.argv.includes('quick')
const only = process.argv.slice(2).filter((word) => word !== 'quick')
const parts = {
  appends: () => measureAppends(quick ? 3_000 : 20_000),
  verification: () => measureVerification(quick ? 5_000 : 100_000),
  forgetting: () => measureForgetting(quick ? 20_000 : 1_000_000),
  claims: () => [...measureClaims(quick ? 1_500_000 : 15_000_000), ...measureCheckBatch(quick ? 1_000 : 10_000)],
  decisions: () => measureDecisions(),
  commands: () => measureCommands(),
  hook: () => measureHookStart(quick ? 3 : 9),
  hooks: () => measureHooks(quick ? 200 : 1_500),
  views: () => measureViews(quick ? 20_000 : 200_000),
  redaction: () => measureRedaction(),
  jev: () => measureJev(quick ? 100 : 1_000),
  replay: () => measureReplay(quick ? 20_000 : 1_000_000),
  memory: () => measureMemory(quick ? 20_000 : 1_000_000),
}

const measured: Measured[] = []
for (const [name, measure] of Object.entries(parts)) {
  if (only.length > 0 && !only.includes(name)) continue
  console.error(`measuring ${name} …`)
  measured.push(...(await measure()))
}

const machine = {
  cpu: cpus()[0]?.model ?? '',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  kernel: release(),
  node: process.version,
}
console.log(`${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB, Linux ${machine.kernel}, Node ${machine.node}\n`)
console.log('| what | figure | target | met | spread |\n|---|---|---|---|---|')
for (const { what, figure, target, met, spread } of measured) {
  console.log(`| ${what} | ${figure} | ${target} | ${met === undefined ? 'no target' : met ? 'yes' : '**no**'} | ${spread} |`)
}
const folder = join('bench', 'results')
mkdirSync(folder, { recursive: true })
const at = new Date().toISOString()
writeFileSync(join(folder, `${at.replaceAll(':', '')}.json`), `${JSON.stringify({ at, machine, quick, measured }, null, 2)}\n`)
