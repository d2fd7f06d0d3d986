// Holds src to the law of imports, and the law to made-up sources: for each rule one that breaks it and one that keeps it.

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { projectFiles, readProjectFile } from '../../scripts/project-tree.js'
import { importBreaches, importsOf, ownersOfPackage, packageBreaches } from './import-law.js'

const sources = projectFiles('src', /\.ts$/)

test('every import under src keeps the law of rooms, owners and purity', () => {
  assert.is(importBreaches(sources).join('\n'), '')
})

test('row D2: each dependency is imported where said and by nobody else, and none is an event store', () => {
  assert.is(packageBreaches(JSON.parse(readProjectFile('package.json')), sources).join('\n'), '')
  const named = ['level', 'fast-json-stable-stringify', '@noble/hashes', 'zod', 'commander']
  const { dependencies, devDependencies } = JSON.parse(readProjectFile('package.json'))
  for (const name of named) {
    assert.ok(Object.hasOwn(dependencies, name), `${name} is a dependency`)
    assert.ok(Object.hasOwn(ownersOfPackage, name), `${name} has an owner`)
  }
  assert.ok(Object.hasOwn(devDependencies, 'uvu'), 'uvu is a development dependency')
})

test('row D9: no report imports the ledger', () => {
  const reports = sources.filter(({ path }) => path.startsWith('src/reports/'))
  for (const { path, text } of reports) {
    for (const { specifier } of importsOf(text)) assert.not.match(specifier ?? '', /\/ledger\//, path)
  }
})

interface Example {
  readonly rule: string
  readonly bad: readonly [path: string, text: string]
  /** Words that the sentence must hold: both rooms, and what to do. */
  readonly says: readonly string[]
  readonly fine: readonly [path: string, text: string]
}

const examples: readonly Example[] = [
  {
    rule: 'imports never go up',
    bad: ['src/ledger/store.ts', "import { startService } from '../service/start-service.js'"],
    says: ['room ledger, rank 2', 'room service, rank 6', 'imports go down'],
    fine: ['src/service/start-service.ts', "import { openLedger } from '../ledger/ledger.js'"],
  },
  {
    rule: 'a type-only import counts',
    bad: ['src/events/entry.ts', "import type { Verdict } from '../gates/gate.js'"],
    says: ['room events, rank 1', 'room gates, rank 2'],
    fine: ['src/gates/gate.ts', "import type { Entry } from '../events/entry.js'"],
  },
  {
    rule: 'rooms of equal rank are blind to each other',
    bad: ['src/verify/verify-chain.ts', "export { merkleRoot } from '../ledger/merkle.js'"],
    says: ['room verify, rank 2', 'room ledger, rank 2', 'blind to each other', 'src/service'],
    fine: ['src/verify/verify-chain.ts', "export { findings } from './findings.js'"],
  },
  {
    rule: 'a dynamic import counts',
    bad: ['src/hooks/hermes/session.ts', "const { runReplay } = await import(\n  '../../replay/forensic.js')"],
    says: ['src/hooks/hermes/session.ts:2', 'room hooks', 'room replay'],
    fine: ['src/hooks/hermes/session.ts', "const { hook } = await import('../hook.js')"],
  },
  {
    rule: 'a require counts',
    bad: ['src/foundation/assert.ts', "const { entry } = require('../events/entry.js')"],
    says: ['room foundation', 'room events'],
    fine: ['src/events/entry.ts', "const { assert } = require('../foundation/assert.js')"],
  },
  {
    rule: 'the file of a worker counts',
    bad: ['src/ledger/export.ts', "new Worker(new URL('../service/export-worker.js', import.meta.url))"],
    says: ['room ledger', 'room service'],
    fine: ['src/ledger/export.ts', "new Worker(new URL('./export-worker.js', import.meta.url))"],
  },
  {
    rule: 'a computed import is refused',
    bad: ['src/cli/main.ts', `await import(\`./\${command}.js\`)`],
    says: ['computed', 'in quotes'],
    fine: ['src/cli/main.ts', 'await import(`./verify.js`)'],
  },
  {
    rule: 'a file outside the rooms is refused',
    bad: ['src/main.ts', ''],
    says: ['src/main.ts is in no room', 'foundation'],
    fine: ['src/cli/main.ts', ''],
  },
  {
    rule: 'src imports nothing from outside src',
    bad: ['src/cli/main.ts', "import manifest from '../../package.json' with { type: 'json' }"],
    says: ['package.json', 'outside src'],
    fine: ['src/cli/main.ts', "const manifest = new URL('../../package.json', import.meta.url)"],
  },
  {
    rule: 'the page imports no room',
    bad: ['src/web/page.ts', "import { sha256 } from '../foundation/digest.js'"],
    says: ['room web', 'room foundation', 'HTTP only'],
    fine: ['src/web/page.ts', "import { sha256 } from './digest.js'"],
  },
  {
    rule: 'no room imports the page',
    bad: ['src/service/routes.ts', "import { page } from '../web/page.js'"],
    says: ['room service', 'room web', 'HTTP only'],
    fine: ['src/service/routes.ts', "import { views } from '../projections/projection-catalog.js'"],
  },
  {
    rule: 'a report reads views, not the ledger',
    bad: ['src/reports/evidence.ts', "import { openLedger } from '../ledger/ledger.js'"],
    says: ['room reports', 'room ledger', 'projection'],
    fine: ['src/reports/evidence.ts', "import { evidence } from '../projections/evidence.js'"],
  },
  {
    rule: 'a pure room imports nothing of Node',
    bad: ['src/gates/capability/decide.ts', "import { resolve } from 'node:path'"],
    says: ['pure room gates', 'node:path', 'handed'],
    fine: ['src/ledger/store.ts', "import { resolve } from 'node:path'"],
  },
  {
    rule: 'a pure room imports nothing of Node under its short name either',
    bad: ['src/redaction/redact.ts', "import { readFileSync } from 'fs'"],
    says: ['pure room redaction', 'fs'],
    fine: ['src/redaction/redact.ts', "// import { readFileSync } from 'fs'\nconst words = \"import x from 'fs'\""],
  },
  {
    rule: 'of the projections only the runner and the view store touch the world',
    bad: ['src/projections/grants.ts', "import { readFile } from 'node:fs/promises'"],
    says: ['pure room projections', 'node:fs/promises'],
    fine: ['src/projections/projection-runner.ts', "import { readFile } from 'node:fs/promises'\nconst now = Date.now()"],
  },
  {
    rule: 'a pure room sees no clock',
    bad: ['src/replay/forensic.ts', 'const at = new Date()'],
    says: ['pure room replay', 'clock'],
    fine: ['src/replay/forensic.ts', 'const at = new Date(entry.time) // never new Date()'],
  },
  {
    rule: 'a pure room rolls no dice',
    bad: ['src/events/entry.ts', 'const salt = Math.random()'],
    says: ['pure room events', 'dice'],
    fine: ['src/events/entry.ts', "const words = 'Math.random()'"],
  },
  {
    rule: 'a pure room does not read the process',
    bad: ['src/gates/gate.ts', 'if (process.env.STELE_MODE === undefined) return'],
    says: ['pure room gates', 'process'],
    fine: ['src/gates/gate.ts', 'if (entry.process.pid === 1) return'],
  },
  {
    rule: 'level belongs to the two stores and the snapshot reader',
    bad: ['src/ledger/ledger.ts', "import { Level } from 'level'"],
    says: ['level', 'src/ledger/store.ts', 'call the owner'],
    fine: ['src/verify/read-snapshot.ts', "import { Level } from 'level'"],
  },
  {
    rule: '@noble/hashes belongs to the digest file',
    bad: ['src/ledger/merkle.ts', "import { sha256 } from '@noble/hashes/sha2.js'"],
    says: ['@noble/hashes', 'src/foundation/digest.ts'],
    fine: ['src/foundation/digest.ts', "import { sha256 } from '@noble/hashes/sha2.js'"],
  },
  {
    rule: 'fast-json-stable-stringify belongs to the canonical-JSON file',
    bad: ['src/events/entry.ts', "import stringify from 'fast-json-stable-stringify'"],
    says: ['fast-json-stable-stringify', 'src/foundation/canonical-json.ts'],
    fine: ['src/foundation/canonical-json.ts', "import stringify from 'fast-json-stable-stringify'"],
  },
  {
    rule: 'zod stays at the edges',
    bad: ['src/ledger/store.ts', "import * as z from 'zod'"],
    says: ['zod', 'src/events/', 'files called config.ts'],
    fine: ['src/outbound/jev-client.ts', "import * as z from 'zod'"],
  },
  {
    rule: 'the SDK of the decision model belongs to its client',
    bad: ['src/hooks/handle-hook.ts', "import { TypeSafeClient } from '@typesafe-ai/sdk'"],
    says: ['@typesafe-ai/sdk', 'src/outbound/jev-client.ts'],
    fine: ['src/outbound/jev-client.ts', "import { TypeSafeClient } from '@typesafe-ai/sdk'"],
  },
  {
    rule: 'commander belongs to the command line',
    bad: ['src/service/start-service.ts', "import { Command } from 'commander'"],
    says: ['commander', 'src/cli/'],
    fine: ['src/cli/main.ts', "import { Command } from 'commander'"],
  },
  {
    rule: 'cli-progress belongs to the command line',
    bad: ['src/verify/verify-chain.ts', "import { SingleBar } from 'cli-progress'"],
    says: ['cli-progress', 'src/cli/'],
    fine: ['src/cli/progress.ts', "import { SingleBar } from 'cli-progress'"],
  },
  {
    rule: 'picocolors belongs to the command line',
    bad: ['src/reports/activity.ts', "import colors from 'picocolors'"],
    says: ['picocolors', 'src/cli/'],
    fine: ['src/cli/colors.ts', "import colors from 'picocolors'"],
  },
  {
    rule: 'yaml belongs to the settings and the allowlist',
    bad: ['src/hooks/attach.ts', "import { parse } from 'yaml'"],
    says: ['yaml', 'src/service/config-yaml.ts'],
    fine: ['src/service/config-yaml.ts', "import { parse } from 'yaml'"],
  },
  {
    rule: 'a package without an owner is refused',
    bad: ['src/cli/main.ts', "import { blue } from 'left-pad/blue'"],
    says: ['left-pad', 'no owner'],
    fine: ['src/cli/main.ts', "import { Command } from 'commander'"],
  },
  {
    rule: 'an absolute or aliased name is refused',
    bad: ['src/cli/main.ts', "import { blue } from '#blue'"],
    says: ['#blue', 'relative file'],
    fine: ['src/cli/main.ts', "import { blue } from './blue.js'"],
  },
  {
    rule: 'only src/cli uses console',
    bad: ['src/service/start-service.ts', "console.log('up')"],
    says: ['room service', 'console', 'only src/cli'],
    fine: ['src/cli/main.ts', "console.log('up')"],
  },
  {
    rule: 'only src/cli writes to the standard streams',
    bad: ['src/reports/activity.ts', "process.stdout.write('text')"],
    says: ['room reports', 'process.stdout', 'only src/cli'],
    fine: ['src/reports/activity.ts', "return 'process.stdout.write'"],
  },
  {
    rule: 'signing belongs to the checkpoint file',
    bad: ['src/service/start-service.ts', "import { createHmac, sign as seal } from 'node:crypto'"],
    says: ['sign of node:crypto', 'src/ledger/checkpoint.ts'],
    fine: ['src/service/start-service.ts', "import { createHmac, verify } from 'node:crypto'"],
  },
  {
    rule: 'signing belongs to the checkpoint file, also by way of the whole module',
    bad: ['src/cli/key.ts', "import * as nodeCrypto from 'node:crypto'\nnodeCrypto.generateKeyPairSync('ed25519')"],
    says: ['src/cli/key.ts:1', 'generateKeyPairSync', 'src/ledger/checkpoint.ts'],
    fine: ['src/cli/key.ts', "import * as nodeCrypto from 'node:crypto'\nnodeCrypto.randomBytes(8)\nother.sign(1)"],
  },
  {
    rule: 'signing belongs to the checkpoint file, also by a dynamic import',
    bad: ['src/cli/key.ts', "const { createPrivateKey } = await import('node:crypto')"],
    says: ['createPrivateKey', 'src/ledger/checkpoint.ts'],
    fine: ['src/ledger/checkpoint.ts', "import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'"],
  },
  {
    rule: 'the web server belongs to src/service',
    bad: ['src/cli/serve.ts', "import Fastify from 'fastify'"],
    says: ['fastify', 'src/service/'],
    fine: ['src/service/http-server.ts', "import Fastify from 'fastify'"],
  },
  {
    rule: 'what joins the web server and zod belongs to src/service',
    bad: ['src/hooks/attach.ts', "import { validatorCompiler } from 'fastify-type-provider-zod'"],
    says: ['fastify-type-provider-zod', 'src/service/'],
    fine: ['src/service/reading-routes.ts', "import type { ZodTypeProvider } from 'fastify-type-provider-zod'"],
  },
  {
    rule: 'the description of the routes has one maker',
    bad: ['src/service/http-server.ts', "import swagger from '@fastify/swagger'"],
    says: ['@fastify/swagger', 'src/service/open-api.ts'],
    fine: ['src/service/open-api.ts', "await import('@fastify/swagger')"],
  },
  {
    rule: 'charts have one drawer, and its parts count as the package',
    bad: ['src/reports/html-report.ts', "import { init } from 'echarts/core'"],
    says: ['echarts', 'src/reports/chart-svg.ts'],
    fine: ['src/reports/chart-svg.ts', "await import('echarts/core')"],
  },
  {
    rule: 'tables of a terminal have one maker',
    bad: ['src/cli/log.ts', "import CliTable from 'cli-table3'"],
    says: ['cli-table3', 'src/reports/text-report.ts'],
    fine: ['src/reports/text-report.ts', "import CliTable from 'cli-table3'"],
  },
  {
    rule: 'only src/service serves',
    bad: ['src/hooks/attach.ts', "import { createServer } from 'node:http'"],
    says: ['createServer', 'src/service/'],
    fine: ['src/service/http-server.ts', "import { createServer } from 'node:http'"],
  },
]

for (const { rule, bad, says, fine } of examples) {
  test(`the law holds that ${rule}`, () => {
    const breaches = importBreaches([{ path: bad[0], text: bad[1] }])
    assert.is(breaches.length, 1, `one breach: ${breaches.join('\n')}`)
    for (const words of [bad[0], ...says]) assert.ok(breaches[0]?.includes(words), `"${breaches[0]}" says "${words}"`)
    assert.equal(importBreaches([{ path: fine[0], text: fine[1] }]), [])
  })
}

test('every owner table entry has an example of its own or is not yet a dependency', () => {
  const { dependencies } = JSON.parse(readProjectFile('package.json'))
  for (const name of Object.keys(ownersOfPackage).filter((owned) => Object.hasOwn(dependencies, owned))) {
    assert.ok(
      examples.some(({ bad }) => bad[1].includes(`'${name}`)),
      `an example for ${name}`,
    )
  }
})

test('every form of import is found, with its line, and nothing in words is taken for one', () => {
  const text = [
    "#!/usr/bin/env -S node --require 'shebang'",
    "import 'side-effect'",
    "import whole, { type A, b as c } from 'mixed'",
    "import type { T } from 'typed'",
    "import * as space from 'space'",
    'import {',
    '  one, // from "comment"',
    '  two,',
    "} from 'lines'",
    "export { x } from 'again'",
    "export * from 'everything'",
    `const inTemplate = \`\${await import('in-template')} import('not') \${\`\${require('nested')}\`}\``,
    "type Far = import('type-query').Far",
    "const pattern = /import 'pattern'/.test(a) || b / c / d // require('comment')",
    "/* import x from 'block' */ const quote = 'it\\'s \"from\"' + \"import 'quoted'\"",
    "Array.from('letters'); object.import('method'); object.require('method')",
    "const after = a.b / 2; require.resolve('resolved')",
    "const odd = [/['\"`/]/, 1]; import('after-class')",
    "import data from './data.json' with { type: 'json' }",
  ].join('\n')
  assert.equal(
    importsOf(text).map(({ specifier, line, how }) => `${line} ${how} ${specifier}`),
    [
      '2 static side-effect',
      '3 static mixed',
      '4 static typed',
      '5 static space',
      '9 static lines',
      '10 static again',
      '11 static everything',
      '12 dynamic in-template',
      '12 require nested',
      '13 dynamic type-query',
      '17 require resolved',
      '18 dynamic after-class',
      '19 static ./data.json',
    ],
  )
  const [, mixed, , space, , , everything] = importsOf(text)
  assert.equal([mixed?.names, mixed?.wholeName], [['A', 'b'], 'whole'])
  assert.equal([space?.names, space?.wholeName], [[], 'space'])
  assert.equal([everything?.names, everything?.wholeName], [undefined, undefined])
})

test('a dependency that nobody imports is named', () => {
  const [breach, ...others] = packageBreaches({ dependencies: { level: '10' } }, [])
  assert.match(breach ?? '', 'level, which no file in src imports')
  assert.equal(others, [])
  assert.equal(
    packageBreaches({ dependencies: { level: '10' } }, [{ path: 'src/ledger/store.ts', text: "import { Level } from 'level'" }]),
    [],
  )
})

test('a package that is only a development dependency, or none, is named', () => {
  const files = [{ path: 'src/cli/main.ts', text: "import fc from 'fast-check'" }]
  const [breach, ...others] = packageBreaches({ devDependencies: { 'fast-check': '4' } }, files)
  assert.match(breach ?? '', 'not in dependencies')
  assert.equal(others, [])
  assert.equal(packageBreaches({ dependencies: { 'fast-check': '4' } }, files), [])
})

test('an event-store package is named', () => {
  for (const name of ['@eventstore/db-client', '@event-driven-io/emmett', 'castore', '@kurrent/kurrentdb-client']) {
    assert.match(packageBreaches({ devDependencies: { [name]: '1' } }, []).join('\n'), 'our own event store', name)
  }
  assert.equal(packageBreaches({ devDependencies: { eventsource: '1', uvu: '1' } }, []), [])
})

test.run()
