// `npm run schema`: writes ledger-schema.json; with --freeze also adds newly released versions to the frozen list.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { ledgerSchemaText, schemaDigest, versionedSchemas } from './ledger-schema.js'

const frozenList = new URL('../test/frozen/event-schemas.json', import.meta.url)

writeFileSync(new URL('../ledger-schema.json', import.meta.url), ledgerSchemaText())
if (process.argv.includes('--freeze')) {
  const frozen: Record<string, string> = existsSync(frozenList) ? JSON.parse(readFileSync(frozenList, 'utf8')) : {}
  // Only adds: a version that is out in the world keeps the digest it came out with.
  for (const schema of versionedSchemas()) if (schema.released) frozen[schema.name] ??= schemaDigest(schema)
  mkdirSync(new URL('.', frozenList), { recursive: true })
  writeFileSync(frozenList, `${JSON.stringify(frozen, null, 2)}\n`)
}
