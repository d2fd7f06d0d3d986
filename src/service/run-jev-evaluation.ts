// Where the evaluation of the Jev stage is written: a ledger for each profile, kept where somebody wants to look into it, and one file of JSON.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SteleError } from '../foundation/stele-error.js'
import type { JevConfig } from '../outbound/config.js'
import { evaluateJev, evaluationErrors, type JevEvaluation } from './jev-evaluation.js'
import { createHome, findHome } from './open-home.js'

export interface RunJevEvaluation {
  readonly evaluation: JevEvaluation
  /** Empty where everything was as it should be. */
  readonly errors: readonly string[]
}

/** Throws `FILE_UNWRITABLE` for a folder to keep that is there already, and where nothing can be written. */
export async function runJevEvaluation(
  jev: JevConfig,
  { out, keep }: { readonly out: string; readonly keep?: string },
): Promise<RunJevEvaluation> {
  if (keep !== undefined && existsSync(keep)) throw new SteleError('FILE_UNWRITABLE', { file: keep, reason: 'it exists' })
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'stele-evaluation-'))
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const evaluation = await evaluateJev(jev, async (profile, task) => {
      // Nothing of the environment: settings of the owner's own home have no part in it.
      const { ledger } = await createHome(findHome(join(folder, profile), {}), 'stele evaluation')
      try {
        await task(ledger)
      } finally {
        await ledger.close()
      }
    })
    write(out, `${JSON.stringify(evaluation, null, 2)}\n`)
    return { evaluation, errors: evaluationErrors(evaluation) }
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (cause) {
    throw new SteleError('FILE_UNWRITABLE', { file }, { cause })
  }
}
